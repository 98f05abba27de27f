/* SPDX-License-Identifier: BSD-2-Clause
 *
 * write.h -- the node that the verb write produces.
 */
#ifndef WRITE_H
#define WRITE_H

#include "source/request.h"

/* ---- what the verb reads: a small table, a core's events, or both ---------------------------- */

/* Adjacent SBI events. has_selector is 0 if they have no selector. */
struct described_event {
	uint32_t first, last, counters;
	int has_selector;
	uint64_t selector;
	uint32_t line;
};

/* A raw event if no bit is free; otherwise all events that differ from select only in free bits. */
struct described_raw {
	uint64_t select, free;
	uint32_t counters;
	const char *name; /* from the core's file; may be NULL */
	uint32_t line;    /* 0: from the core's file */
};

/* Zero it before use and unload it at the end. */
struct described {
	struct described_event *events;
	struct described_raw *raws;
	size_t event_count, raw_count;
};

/*
 * Reads lines of "EVENT SELECTOR COUNTERS". core_counters: the default for a line that names no
 * counters; other counters are rejected. 0: each line must name counters, and any are accepted. An
 * event may appear in one line only. Returns an exit code.
 */
int read_table(struct described *d, const char *file, const struct events *core,
	       uint32_t core_counters);

/* Adds all raw events of the core's file that the table lacks. Returns an exit code. */
int describe_core(struct described *d, const struct events *core, uint32_t core_counters);

void unload_described(struct described *d);

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

/* Complains of what check would report for the node. about: the table. Returns an exit code. */
int check_node(const struct node *n, const char *about);

/* Reads the tree that the first argument names. It needs a riscv,pmu. Returns an exit code. */
int load_board(struct source *board, const struct request *request);

/*
 * The option --json: prints the core's event file with the counters from a board's tree. Returns an
 * exit code.
 */
int write_json(const struct request *request, const struct events *core);

/* The option --linux: prints tables for Linux from a board's tree. Returns an exit code. */
int write_linux(const struct request *request);

#endif /* WRITE_H */
