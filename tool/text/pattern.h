/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pattern.h -- patterns of names: * stands for any letters, ? for one, and case does not matter.
 */
#ifndef PATTERN_H
#define PATTERN_H

#define PART_LETTERS 3u /* less is a part of too many names */

/* Whether the text is like the pattern. */
int is_like(const char *text, const char *pattern);

/* As a pattern: without * and ?, it may stand anywhere in a name. To be freed. */
char *pattern_of(const char *text);

#endif /* PATTERN_H */
