/* SPDX-License-Identifier: BSD-2-Clause
 *
 * output.h -- what every file of the tool needs: exit codes, complaints, memory, escaped text, the
 * file that a verb writes.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FAULT: a finding of severity error, or something is not found. */
enum exit_code { GOOD, FAULT, USAGE, UNREADABLE };

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

/* The sequence where standard output is a terminal and NO_COLOR is not set, otherwise "". */
const char *paint(const char *sequence);

/*
 * Every text from outside, such as a name in a device tree or of a file, goes through one of these
 * two. No byte of it can act on a terminal, or end a string of JSON.
 *
 * put_escaped() writes control characters and bytes above 0x7e as \x1b, in JSON as \u001b.
 */
void put_escaped(FILE *out, const char *text, int json);

/*
 * The same for lines of a source. Tabs, ends of lines and letters of UTF-8 stay, so that a
 * difference can be applied; other control characters and those that turn text around do not.
 */
void put_source_text(FILE *out, const char *text, size_t length);

/*
 * Counts bytes of an answer, as the two above do. Call it where a loop writes much without them. The
 * program ends with a complaint once the answer to one file has grown too long.
 */
void count_output(size_t bytes);

/* Starts counting anew: another file is read. */
void reset_output(void);

/*
 * Writes one line to stderr: "pmumap: SUBJECT: ...". Both are escaped, and what follows the subject
 * is cut after 1,023 letters. subject may be NULL. Returns the code.
 */
__attribute__((format(printf, 3, 4))) int complain(int code, const char *subject,
						   const char *format, ...);

/* What was complained of last, without its subject. */
const char *last_complaint(void);

/* realloc() for count elements. Without memory, or if the product overflows, the program ends. */
void *reallocate(void *old, size_t count, size_t each);

/*
 * Makes room for one more element in an array of which so many are used. Its size doubles each time
 * that they are a power of two. An array that begins as NULL may only grow by this function.
 */
void *grow(void *array, size_t used, size_t each);

/* A stream that writes into memory. The program ends if there is none. */
FILE *open_text(char **text, size_t *size);

/* Ends that stream: its text is there, to be freed by the caller. */
void close_text(FILE *out);

/* What follows the last slash. */
const char *base_name(const char *path);

/* Opens the file to write to; NULL and "-" mean stdout. Returns NULL after a complaint. */
FILE *open_output(const char *file);

/* Returns GOOD, or UNREADABLE after a complaint. Errors of stdout are left to main(). */
int close_output(FILE *out, const char *file);

#endif /* OUTPUT_H */
