/* SPDX-License-Identifier: BSD-2-Clause
 *
 * included.h -- reads the files that a source names. An untrusted source must not make the tool
 * print the user's files, so only files below trusted folders are read.
 */
#ifndef INCLUDED_H
#define INCLUDED_H

#include "read.h"

/* Trusts a folder or a file, in addition to the folder of the source and the current folder. */
void trust_folder(const char *folder);

/* Trusts the sources: they may include any file, and use /incbin/. */
void trust_all(void);
int trusts_all(void);

#define MISSING (-1) /* there is no such file; nobody has complained */

/*
 * Reads the file bytes->name for a source. Returns an exit code, or MISSING. It opens what it has
 * checked: no folder on the way may become a link in between.
 */
int read_included(struct bytes *bytes, const char *source);

#endif /* INCLUDED_H */
