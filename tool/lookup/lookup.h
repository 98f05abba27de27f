/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lookup.h -- how the verb lookup asks each kind of PMU, and what it says to an answer.
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
	const struct events *events; /* of the core; may be empty */
	const char *unknown;         /* why the query names no event; NULL: it is not known here */
	int known;                   /* it names an event: */
	uint32_t event;
	uint64_t data;
	int raw, has_selector, has_value;
	uint64_t selector, value; /* value: for mhpmevent */
	uint32_t counters;
	const struct reading *opensbi; /* how it reads the tree; NULL: there is no tree */
	int fixed;   /* the counter that counts it whatever the map says, or negative */
	char *match; /* the name that a pattern has found it by; may be NULL */
};

struct answer ask(const struct pmumap *map, const struct events *events, const char *query);

/* Whether the map has anything of the event. */
int found(const struct answer *a);

/* Prints a line of JSON; adds a row to a table with these heads. */
enum { ANSWER_COLUMNS = 7 };
extern const char *const answer_heads[ANSWER_COLUMNS];
void answer_json(const struct pmumap *map, const struct answer *a);
void answer_row(struct table *t, const struct answer *a);

/* Says why no counter or no selector was found; nothing, if all was. */
void put_reason(const struct pmumap *map, const struct answer *a);

/* Events of such names: a part of a name, or a pattern. To be unloaded. */
struct likes {
	const char *query;
	struct answer *list; /* those that are counted first */
	uint32_t count, counted;
};
struct likes find_likes(const struct pmumap *map, const struct events *events, const char *query);
void unload_likes(struct likes *likes);

/* Says how many are not counted, if there are any. */
void put_likes(const struct likes *likes);

/* ---- IMC ------------------------------------------------------------------------------------- */

/*
 * A full name or UNIT/NAME; imc:OFFSET or imc:UNIT:OFFSET. What is neither is a pattern, in which *
 * stands for any letters and ? for one; without them it is a part of names. Case does not matter.
 */
struct imc_query {
	const char *text;
	int by_offset;
	char *unit; /* NULL: all */
	uint32_t offset;
};

/* Reads a query; its unit is to be freed. What is no offset is a name. */
struct imc_query imc_query(const char *text);

/* Print lines of JSON, add rows to a table with these heads. Return whether anything matches. */
enum { MATCH_COLUMNS = 6, MATCH_SCALE = 4 };
extern const char *const match_heads[MATCH_COLUMNS];
int matches_json(const struct pmumap_imc *map, const struct imc_query *q);
int match_rows(const struct pmumap_imc *map, const struct imc_query *q, struct table *t);

/* Takes the names of all events that are near to the word. */
void consider_imc(const struct pmumap_imc *map, struct nearest *n);

/* ---- AMU ------------------------------------------------------------------------------------- */

/* Whether it begins with amu: */
int is_amu_query(const char *query);

/* Print a line of JSON, add a row to a table with these heads. Return whether there is the CPU. */
enum { CPU_COLUMNS = 7 };
extern const char *const cpu_heads[CPU_COLUMNS];
int cpu_match_json(const struct pmumap_amu *map, const char *query);
int cpu_match(const struct pmumap_amu *map, const char *query, struct table *t);

#endif /* LOOKUP_H */
