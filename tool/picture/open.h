/* SPDX-License-Identifier: BSD-2-Clause
 *
 * open.h -- shows a file in the user's viewer.
 */
#ifndef OPEN_H
#define OPEN_H

#include "text/output.h"

/*
 * Creates an empty file for a picture, and writes its name into room bytes. The file is not
 * deleted, because the viewer may be slow to read it. Returns an exit code.
 */
int name_picture(char *name, size_t room);

/* Runs the first opener that is installed; covers Linux, macOS and WSL. Returns an exit code. */
int open_picture(const char *file);

#endif /* OPEN_H */
