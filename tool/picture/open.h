/* SPDX-License-Identifier: BSD-2-Clause
 *
 * open.h -- shows a file to people, by another program.
 */
#ifndef OPEN_H
#define OPEN_H

#include "text/output.h"

/*
 * Makes an empty file for a picture, and writes its name into room bytes. It stays, for who looks
 * at it may be slow to read it. Returns an exit code.
 */
int name_picture(char *name, size_t room);

/* Runs what opens a file on Linux, macOS and WSL: the first that is there. Returns an exit code. */
int open_picture(const char *file);

#endif /* OPEN_H */
