/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ignored.h -- findings that the user accepts. They are neither printed nor counted.
 */
#ifndef IGNORED_H
#define IGNORED_H

#include "found.h"

/*
 * Ignores a code, or everything that a file lists: one code per line, or findings as --json prints
 * them. Returns an exit code.
 */
int ignore(const char *code_or_file);

/*
 * True if the finding is ignored, or a comment "pmumap: ignore CODE" stands on its line or the one
 * above.
 */
int is_ignored(struct report *r, const struct found *found);

#endif /* IGNORED_H */
