/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ignored.h -- findings that people have judged: they are neither told nor counted.
 */
#ifndef IGNORED_H
#define IGNORED_H

#include "found.h"

/*
 * From now on a code is ignored; or what a file lists: codes, one a line, and findings as --json
 * prints them. Returns an exit code.
 */
int ignore(const char *code_or_file);

/* Whether it is, or its line or the one above says so: pmumap: ignore CODE, in a comment. */
int is_ignored(struct report *r, const struct found *found);

#endif /* IGNORED_H */
