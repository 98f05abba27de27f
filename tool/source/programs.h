/* SPDX-License-Identifier: BSD-2-Clause
 *
 * programs.h -- runs dtc and cpp without a shell and within limits, and collects their messages.
 */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <sys/types.h>
#include "text/output.h"

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

#endif /* PROGRAMS_H */
