/* SPDX-License-Identifier: BSD-2-Clause
 *
 * described.h -- what the verb write is told to describe: a small table, a core's events, or both.
 */
#ifndef DESCRIBED_H
#define DESCRIBED_H

#include "map/events.h"

/* Events of SBI, in a row if there is no selector; no selector: has_selector is 0. */
struct described_event {
	uint32_t first, last, counters;
	int has_selector;
	uint64_t selector;
	uint32_t line;
};

/* A raw event, where no bit is free; or all that differ from select in free bits. */
struct described_raw {
	uint64_t select, free;
	uint32_t counters;
	const char *name; /* by the core's file; may be NULL */
	uint32_t line;    /* 0: it is from that file */
};

/* To be zeroed before, and unloaded at the end. */
struct described {
	struct described_event *events;
	struct described_raw *raws;
	size_t event_count, raw_count;
};

/*
 * Reads lines of "EVENT SELECTOR COUNTERS". core_counters: those of the core, which a line has that
 * names none; others are refused. 0: each line names some, and any will do. An event stands in one
 * line only. Returns an exit code.
 */
int read_table(struct described *d, const char *file, const struct events *core,
	       uint32_t core_counters);

/* Adds all raw events of the core's file that the table does not have. Returns an exit code. */
int describe_core(struct described *d, const struct events *core, uint32_t core_counters);

void unload_described(struct described *d);

#endif /* DESCRIBED_H */
