/* SPDX-License-Identifier: BSD-2-Clause
 *
 * programs.h -- dtc and cpp: started without a shell, within limits, and what they say of a source.
 */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <sys/types.h>
#include "text/output.h"

struct program {
	const char *name;
	pid_t child;
	FILE *errors; /* what it writes to stderr; NULL: nobody is interested */
	char why[64]; /* it failed: how, "" if its messages say so */
};

/*
 * Starts a program. in: what it reads, or -1 for nothing. Its messages are kept, unless it is to be
 * quiet. Returns an exit code after a complaint about the file.
 */
int start_program(struct program *p, const char *const *command, int in, int out, int quiet,
		  const char *file);

/* Waits for its end. Returns its exit status; 127: it is not installed. */
int end_program(struct program *p);

/* Forgets its messages. Before, if they are to be shown: prints them, behind all that was printed. */
void put_messages(struct program *p, int shown);

#endif /* PROGRAMS_H */
