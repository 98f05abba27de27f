/* SPDX-License-Identifier: BSD-2-Clause
 *
 * write.h -- the node that the verb write produces.
 */
#ifndef WRITE_H
#define WRITE_H

#include "described.h"
#include "source/request.h"

/* A row of the table of raw events, ready to print. */
struct raw_row {
	uint64_t select, mask;
	uint32_t counters;
	const char *name; /* of its only event; may be NULL */
};

struct node {
	struct described d;
	struct raw_row *raws;
	size_t raw_count;
	size_t ranges; /* d.events with adjacent ones of equal counters merged */
};

/* Warns of findings that check would report for the node. about: the table. */
void warn_of_node(const struct node *n, const char *about);

/*
 * The option --json: prints the core's event file with the counters from a board's tree. Returns an
 * exit code.
 */
int write_json(const struct request *request, const struct events *core);

#endif /* WRITE_H */
