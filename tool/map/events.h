/* SPDX-License-Identifier: BSD-2-Clause
 *
 * events.h -- the events of a vendor's core, read from perf's JSON files, by name and by code.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include "map.h"
#include "text/output.h"

struct vendor_event {
	char *name;
	uint64_t config;   /* as in perf; bits 63 and 62 select the kind */
	uint32_t event;    /* the SBI event: raw, raw v2 or a firmware event */
	uint64_t data;     /* the code of a raw event, as written to mhpmevent */
	uint32_t counters; /* counters that the file names; 0: none */
};

/*
 * A key of an entry: missing, spelt in another case, no number, decimal digits after a 0 (which
 * Python rejects), a number that is no text as perf wants it, a number.
 */
enum number_state { NO_NUMBER, OTHER_CASE, BAD_NUMBER, ZERO_FIRST, BARE_NUMBER, GOOD_NUMBER };

enum entry_key { NAME_KEY, CODE_KEY, MASK_KEY, KEYS };

/* An entry of a file that is an event of the core, right or not. */
struct entry {
	const char *file;
	uint32_t line[KEYS];
	char *name; /* of the event, or of the architecture's event that it stands for */
	uint64_t config;
	uint32_t counters;            /* 0: none */
	enum number_state code, mask; /* of config; of CounterIDMask */
	int standard;                 /* the code is that of the architecture's event */
	int from_config;              /* the code is a ConfigCode */
	const struct entry *same_name, *same_code; /* the first with it; NULL: this one */
};

/* Zero it before use. Unload it at the end, even if reading failed. */
struct events {
	const char *path;
	char **files;
	struct entry *entries; /* of all files, in order */
	size_t file_count, entry_count;
	struct vendor_event *list; /* by code; firmware events last */
	size_t count;
	size_t raw;  /* how many events a selector or a raw row can select */
	int checked; /* check reports on the files, too */
	int ored;    /* bits of one class may be ORed, as on SiFive's cores */
};

/*
 * Reads one file, or all *.json of a folder. An ArchStdEvent is searched there and in the parent
 * folders. Complains of entries that it leaves out. Returns an exit code.
 */
int read_events(struct events *events, const char *path);

/* The same in two steps, without that complaint. quiet: nor any other about the file's text. */
extern const int reads_events; /* 0: built without jansson, so it reads none */
int read_event_file(struct events *events, const char *file, int quiet);
void finish_events(struct events *events);
void unload_events(struct events *events);

/* True if the name is that of a file of perf's; true for a folder, too. */
int is_event_file(const char *name);
int names_events(const char *path);

/* Reads an EventCode. Returns 0 if the text is not one. */
int read_code(const char *text, uint64_t *code);

/* Adds an event and copies its name. Returns 0 if perf has no such config. */
int add_event(struct events *events, const char *name, uint64_t config, uint32_t counters);

/* Call it after the last add_event(). */
void sort_out(struct events *events);

/* Links each entry to the first with the same name, and to the first with the same code. */
void link_entries(struct events *events);

/*
 * Gives the entries that only name an event the code that it has in the other files. Returns how
 * many remain.
 */
size_t resolve_entries(struct events *events, const struct events *from);

/* The same for firmware events, which SBI names, too. */
void resolve_firmware(struct events *events);

/* True if a selector or a raw row can select the event, so it is not a firmware event. */
int is_raw(const struct vendor_event *e);

/* By name, ignoring case and treating - as _, or by the code of a raw event. NULL: unknown. */
const struct vendor_event *event_by_name(const struct events *events, const char *name,
					 size_t length);
const struct vendor_event *event_by_code(const struct events *events, uint64_t code);

/*
 * The events that a selector counts: one, or several if bits may be ORed. Writes at most this many.
 * Returns how many there are, or 0 if the file lacks part of the code.
 */
enum { PARTS = 56 };
unsigned parts_of(const struct events *events, uint64_t code, const struct vendor_event *parts[]);

/* The counters that all of these events share, or 0 if the file names none for one of them. */
uint32_t shared_counters(const struct events *events, uint64_t code);

/* The names of these events, joined by |, or NULL if there are none. The caller frees the text. */
char *names_of(const struct events *events, uint64_t code);

/* True for a name of RISC-V International's events. Reads those that SBI has, too. */
int is_standard(const char *name);
int parse_standard(const char *name, size_t length, uint32_t *event);

/*
 * Like pmumap_event_parse(), but tries the file's names first, and RISC-V International's last.
 */
int parse_event(const struct events *events, const char *text, size_t length, uint32_t *event,
		uint64_t *data);

#endif /* EVENTS_H */
