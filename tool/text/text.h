/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text.h -- formats numbers, counters and events as short texts, and reads numbers.
 */
#ifndef TEXT_H
#define TEXT_H

#include "output.h"

/* A short text by value: hex(x).s is valid until the end of its expression. */
struct text {
	char s[64];
};

/* Prints a short text, which must fit. */
__attribute__((format(printf, 1, 2))) struct text brief(const char *format, ...);

/* For example "0x1f". */
struct text hex(uint64_t value);

/* For example "0x001f": all 16 bits, as firmware writes a mask of activity monitors. */
struct text hex16(uint16_t bits);

/* For example "31". */
struct text decimal(uint64_t value);

/* A counter bitmap as "3-6,8"; "none" if it is empty. */
struct text counter_list(uint32_t counters);

/* An event as "0x00003", a range as "0x00003-0x00006". */
struct text event_code(uint32_t first, uint32_t last);

/* The larger of the width and the text's length. */
int wider(int width, const char *text);

/* Both texts escaped and joined. The caller frees the result. */
char *escaped(const char *first, const char *second);

/* Reads all of text as a decimal or 0x number up to the limit. Returns 0 for anything else. */
int read_number(const char *text, uint64_t limit, uint64_t *value);

/*
 * Writes a word inside a C comment. Any character that is not a letter, a digit or in others
 * becomes '_', so the word cannot end the comment.
 */
void put_word(FILE *out, const char *word, const char *others);

/* True if the text can be a name in C: letters, digits and _, and no digit first. */
int is_identifier(const char *text);

/* Reads counters as "0,2-6" or 0x7d. Returns 0 for anything else. */
int read_counters(const char *text, uint32_t *counters);

/* The number of bits set. */
unsigned count_bits(uint64_t set);

/* Reads a 32-bit number in the byte order of device trees. */
uint32_t big_endian(const unsigned char *p);

/* ---- globs: * matches any letters, ? matches one, and case does not matter ------------------- */

/* True if the query is no glob and so short that as a substring it would match too many names. */
int is_short(const char *text);

/* True if the text matches the pattern. */
int is_like(const char *text, const char *pattern);

/* Turns a query into a glob. Without * and ?, it matches inside names. The caller frees it. */
char *pattern_of(const char *text);

#endif /* TEXT_H */
