/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pattern.h -- globs: * matches any letters, ? matches one, and case does not matter.
 */
#ifndef PATTERN_H
#define PATTERN_H

/* True if the query is no glob and so short that as a substring it would match too many names. */
int is_short(const char *text);

/* True if the text matches the pattern. */
int is_like(const char *text, const char *pattern);

/* Turns a query into a glob. Without * and ?, it matches inside names. The caller frees it. */
char *pattern_of(const char *text);

#endif /* PATTERN_H */
