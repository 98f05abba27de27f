/* SPDX-License-Identifier: BSD-2-Clause
 *
 * events.h -- the events of a vendor's core as perf's JSON files name them, by name and by code.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include "map.h"
#include "text/output.h"

struct vendor_event {
	char *name;
	uint64_t config;   /* as perf writes it: bits 63 and 62 tell the kind */
	uint32_t event;    /* the same for SBI: raw, raw v2, or the firmware's */
	uint64_t data;     /* of a raw event its code, which is what mhpmevent gets */
	uint32_t counters; /* that the file names; 0: it names none */
};

/* To be zeroed before, and unloaded at the end, whether it was loaded or not. */
struct events {
	const char *path;
	struct vendor_event *list; /* by code; the firmware's last */
	size_t count;
	size_t raw; /* of these: events that a selector or a raw row can select */
	int ored;   /* as on SiFive's cores: bits of one class may be ORed */
};

/*
 * Reads one file, or all *.json of a folder. An ArchStdEvent is looked for in these, and in the
 * folders above. Returns an exit code.
 */
int read_events(struct events *events, const char *path);
void unload_events(struct events *events);

/* Whether the path is a folder, or named as a file of perf's is. */
int names_events(const char *path);

/* Reads an EventCode. Returns 0: it is none. */
int read_code(const char *text, uint64_t *code);

/* Adds an event; its name is copied. Returns 0 if perf has no such config. */
int add_event(struct events *events, const char *name, uint64_t config, uint32_t counters);

/* To be called when all are there. */
void sort_out(struct events *events);

/* Whether a selector or a raw row can select it: it is not the firmware's. */
int is_raw(const struct vendor_event *e);

/* By name, in upper or lower case, with - or _; by code, for a raw one. NULL: there is none. */
const struct vendor_event *event_by_name(const struct events *events, const char *name,
					 size_t length);
const struct vendor_event *event_by_code(const struct events *events, uint64_t code);

/*
 * The events that a selector counts: one, or several where bits may be ORed. Writes at most so many
 * and returns how many there are, 0 where some part of the code is not in the file.
 */
enum { PARTS = 56 };
unsigned parts_of(const struct events *events, uint64_t code, const struct vendor_event *parts[]);

/* Their names with | between them, to be freed; NULL: there are none. */
char *names_of(const struct events *events, uint64_t code);

/*
 * As pmumap_event_parse(); the names of the events come first, and standard names of RISC-V for
 * cache events last.
 */
int parse_event(const struct events *events, const char *text, size_t length, uint32_t *event,
		uint64_t *data);

#endif /* EVENTS_H */
