/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lookup.h -- how the verb lookup asks each kind of PMU, and how it prints the answer.
 */
#ifndef LOOKUP_H
#define LOOKUP_H

#include "firmware/firmware.h"
#include "map/events.h"
#include "map/map.h"
#include "map/suggest.h"
#include "source/request.h"
#include "text/table.h"

/* ---- RISC-V ---------------------------------------------------------------------------------- */

struct answer {
	const char *query;
	const struct events *events; /* the core's events; may be empty */
	const char *unknown;         /* why the query is not an event; NULL: the name is unknown */
	int known;                   /* the query is an event, and the rest is set: */
	uint32_t event;
	uint64_t data;
	int raw, has_selector, has_value;
	uint64_t selector, value; /* value: written to mhpmevent */
	uint32_t counters;
	const struct reading *opensbi; /* how OpenSBI reads the tree; NULL: there is no tree */
	int fixed;                     /* counter that counts it even without a row, or negative */
	char *match;                   /* the name that matched a pattern; may be NULL */
};

struct answer ask(const struct pmumap *map, const struct events *events, const char *query);

/* True if the map says anything about the event. */
int found(const struct answer *a);

/* Print a line of JSON, and add a row to a table with these heads. */
enum { ANSWER_COLUMNS = 7 };
extern const char *const answer_heads[ANSWER_COLUMNS];
void answer_json(const struct pmumap *map, const struct answer *a);
void answer_row(struct table *t, const struct answer *a);

/* Explains a missing counter or selector. Prints nothing if neither is missing. */
void put_reason(const struct pmumap *map, const struct answer *a);

/* Events whose names match a substring or a glob. Unload it at the end. */
struct likes {
	const char *query;
	struct answer *list; /* counted events first */
	uint32_t count, counted;
};
struct likes find_likes(const struct pmumap *map, const struct events *events, const char *query);
void unload_likes(struct likes *likes);

/* Says how many events are not counted, if any. */
void put_likes(const struct likes *likes);

/* ---- IMC ------------------------------------------------------------------------------------- */

/*
 * A full name or UNIT/NAME, imc:OFFSET, or imc:UNIT:OFFSET. Above 32 bits, OFFSET is an address on
 * a chip. Any other query is a case-insensitive substring or glob.
 */
struct imc_query {
	const char *text;
	int by_offset;
	char *unit; /* NULL: all */
	uint64_t offset;
};

/* Reads a query. The caller frees its unit. Anything but an offset is read as a name. */
struct imc_query imc_query(const char *text);

/* Print lines of JSON, and add rows to a table with these heads. Return 0 if nothing matches. */
enum { MATCH_COLUMNS = 6, MATCH_SCALE = 4 };
extern const char *const match_heads[MATCH_COLUMNS];
int matches_json(const struct pmumap_imc *map, const struct imc_query *q);
int match_rows(const struct pmumap_imc *map, const struct imc_query *q, struct table *t);

/* Considers the names of all events as a suggestion for the word. */
void consider_imc(const struct pmumap_imc *map, struct nearest *n);

/* ---- AMU ------------------------------------------------------------------------------------- */

/* True if the query begins with amu: */
int is_amu_query(const char *query);

/*
 * Print a line of JSON, and add a row to a table with these heads. Both return 0 if the CPU does
 * not exist.
 */
enum { CPU_COLUMNS = 7 };
extern const char *const cpu_heads[CPU_COLUMNS];
int cpu_match_json(const struct pmumap_amu *map, const char *query);
int cpu_match(const struct pmumap_amu *map, const char *query, struct table *t);

#endif /* LOOKUP_H */
