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
 * Writes a text that comes from outside, such as a name of the device tree: control characters and
 * bytes above 0x7e become \x1b, in JSON \u001b. So no byte can act on a terminal or end a string.
 */
void put_escaped(FILE *out, const char *text, int json);

/* Writes one line to stderr: "pmumap: SUBJECT: ...". subject may be NULL. Returns the code. */
__attribute__((format(printf, 3, 4))) int complain(int code, const char *subject,
						   const char *format, ...);

/* What was complained of last, without its subject; cut after some 200 letters. */
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
