/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dts.h -- reads device tree sources with dtc, and with cpp if they need it.
 */
#ifndef DTS_H
#define DTS_H

#include <sys/types.h>
#include "read.h"

/* Defines a macro NAME or NAME=VALUE, or includes a file first. Both return an exit code. */
int define(const char *macro);
int include_first(const char *file);

/* Adds a folder to search for included files. Returns an exit code. */
int search_in(const char *folder);

/*
 * Appends dtc's output for the file: a blob, or with annotate a source with positions in comments.
 * Returns an exit code.
 */
int run_dtc(struct bytes *bytes, const char *file, int annotate);

/* The same for a text that may differ from that of the file. It is replaced. */
int compile_text(struct bytes *bytes, struct bytes *text, const char *file, int annotate);

/*
 * True if a source needs cpp and its text, with all that it includes, has no word of a PMU. Then
 * check need not run cpp and dtc, which take most of the time.
 */
int lacks_pmu(const char *file);

/*
 * Asks lacks_pmu() about all files in several processes, which print nothing; 0: one for each CPU.
 * Returns one byte for each file, 1 for those that lack a PMU, or NULL if there is no memory.
 */
unsigned char *look_ahead(const struct files *files, uint64_t processes);
void end_look(unsigned char *lacking, const struct files *files);

/* True if the bytes are a source, whatever the name. compile_source() makes the blob. */
int is_source(const struct bytes *text);
int compile_source(struct bytes *bytes);

/* Finds the source tree of Linux or U-Boot that contains a file, and its include folders. */

#define CHECKOUT_FOLDERS 256

struct checkout {
	const char *folders[CHECKOUT_FOLDERS];
	size_t count;
	int unconfigured; /* the build defines CONFIG_... macros, but has not run */
};

/* Searches the folders above the file. Without a known tree, the list of folders is empty. */
void find_checkout(const char *file);

/* The result of the last find_checkout(). */
const struct checkout *checkout(void);

/*
 * CONFIG_... macros without a configuration have no value. A PMU node needs none, so they become 0
 * in cpp's output.
 */
void clear_config(struct bytes *text);

/* Runs dtc and cpp without a shell and within limits, and collects their messages. */

struct program {
	const char *name;
	pid_t child;
	FILE *errors; /* its stderr; NULL: discarded */
	char why[64]; /* how it failed; "" if its messages say so */
};

/*
 * Starts a program. in: its input, or -1 for none. Keeps its messages unless quiet. Returns an exit
 * code after a complaint about the file.
 */
int start_program(struct program *p, const char *const *command, int in, int out, int quiet,
		  const char *file);

/* Waits for the program. Returns its exit status; 127: it is not installed. */
int end_program(struct program *p);

/* Drops the messages. If shown, prints them first, after all earlier output. */
void put_messages(struct program *p, int shown);

#endif /* DTS_H */
