/* SPDX-License-Identifier: BSD-2-Clause
 *
 * described.h -- the input of the verb write: a small table, a core's events, or both.
 */
#ifndef DESCRIBED_H
#define DESCRIBED_H

#include "map/events.h"

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

#endif /* DESCRIBED_H */
