/* SPDX-License-Identifier: BSD-2-Clause
 *
 * output.h -- what every file of the tool needs: exit codes, complaints, memory, escaped text, the
 * output file of a verb.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FAULT: a finding of severity error, or a query without an answer. */
enum exit_code { GOOD, FAULT, USAGE, UNREADABLE };

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

/* The escape sequence if standard output is a terminal and NO_COLOR is not set, otherwise "". */
const char *paint(const char *sequence);

/*
 * Print untrusted text, such as a name in a device tree or a file name, only through these two
 * functions. No byte of it can then act on a terminal, end a JSON string, or be a command to the CI
 * service that reads the log.
 *
 * put_escaped() writes control characters and bytes above 0x7e as \x1b, in JSON as \u001b.
 */
void put_escaped(FILE *out, const char *text, int json);

/*
 * The same for lines of a source. Tabs, line ends and UTF-8 letters stay, so that the difference
 * can be applied. Other control characters and those that reverse text are escaped.
 */
void put_source_text(FILE *out, const char *text, size_t length);

/*
 * Counts bytes of an answer, as the two functions above do. Call it in loops that write much
 * without them. If the answer to one file becomes too long, the program complains and exits.
 */
void count_output(size_t bytes);

/* Restarts the count for the next file. */
void reset_output(void);

/*
 * Writes one line to stderr: "pmumap: SUBJECT: ...". Both parts are escaped, and the part after the
 * subject is cut after 1,023 letters. subject may be NULL. Returns the code.
 */
__attribute__((format(printf, 3, 4))) int complain(int code, const char *subject,
						   const char *format, ...);

/* The text of the last complaint, without its subject. */
const char *last_complaint(void);

/* realloc() for count elements. Exits if memory runs out or the product overflows. */
void *reallocate(void *old, size_t count, size_t each);

/*
 * Makes room for one more element in an array that has used elements. The size doubles whenever
 * used is a power of two, so an array that starts as NULL may only grow through this function.
 */
void *grow(void *array, size_t used, size_t each);

/* printf() to memory, which the caller frees. Exits if memory runs out. */
__attribute__((format(printf, 1, 2))) char *printed(const char *format, ...);

/* Opens a stream that writes to memory. Exits if memory runs out. */
FILE *open_text(char **text, size_t *size);

/* Closes that stream. The caller frees its text. */
void close_text(FILE *out);

/* The part after the last slash. */
const char *base_name(const char *path);

/* Opens the output file; NULL and "-" mean stdout. Returns NULL after a complaint. */
FILE *open_output(const char *file);

/* Returns GOOD, or UNREADABLE after a complaint. main() checks stdout for errors. */
int close_output(FILE *out, const char *file);

/*
 * Limits the resources of the tool and of the programs that it starts, because a tree may be
 * hostile.
 */

#define MEMORY_MIB 256
#define PROCESSOR_SECONDS 10 /* CPU time per file */
#define PROGRAM_SECONDS 60   /* wall-clock time of a program that the tool starts */
#define PROGRAM_MIB 16       /* largest file that such a program may write */

/* Call at startup: limits the memory of the tool and of its programs. */
void limit_memory(void);

/* Call per file: limits the CPU time that is left. At its end the tool complains and exits. */
void limit_time(void);

/* Call in the child before exec of dtc or cpp: also limits time and output. */
void limit_program(void);

#endif /* OUTPUT_H */
