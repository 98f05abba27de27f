/* SPDX-License-Identifier: BSD-2-Clause */
#include "lookup.h"
#include "map/riscv.h"
#include "map/suggest.h"
#include "source/rows.h"
#include "text/json.h"
#include "text/text.h"

#define ROWS_SHOWN 3u /* nearest rows shown for a raw event that no row matches */

struct answer ask(const struct pmumap *map, const struct events *events, const char *query)
{
	struct answer a = { .query = query, .events = events };
	unsigned excluded;

	a.known = parse_spelling(events, query, strlen(query), &a.event, &a.data, &excluded);
	if (!a.known)
		return a;
	a.raw = a.event == PMUMAP_EVENT_RAW || a.event == PMUMAP_EVENT_RAW_V2;
	a.has_selector = pmumap_selector(map, a.event, &a.selector);
	a.has_value = pmumap_encode(map, a.event, a.data, PMUMAP_RULE_ABSENT, &a.value);
	a.counters = a.raw ? pmumap_raw_counters(map, a.value) : pmumap_counters(map, a.event);
	a.fixed = fixed_counter(map, a.event, a.data);
	return a;
}

int found(const struct answer *a)
{
	return a->known &&
	       (a->has_selector || a->counters || a->fixed >= 0 || is_firmware_event(a->event));
}

/* For example "3-4", or "0 (fixed), 3-4" if no row names counter 0. */
static struct text counters_of(const struct answer *a)
{
	int fixed = a->fixed >= 0 && !(a->counters >> a->fixed & 1);

	if (is_firmware_event(a->event))
		return brief("firmware");
	if (!fixed)
		return counter_list(a->counters);
	return brief("%d (fixed)%s%s", a->fixed, a->counters ? ", " : "",
		     a->counters ? counter_list(a->counters).s : "");
}

/* Returns the core's name for the selected event, or NULL if unknown. The caller frees it. */
static char *vendor_name(const struct answer *a)
{
	return a->raw || a->has_selector ? names_of(a->events, a->value) : NULL;
}

const char *const answer_heads[ANSWER_COLUMNS] = { "query",          "event",    "selector",
						   "mhpmevent",      "counters", "name",
						   "the core's name" };

void answer_row(struct table *t, const struct answer *a)
{
	char *name = vendor_name(a);

	table_cells(t, a->match ? a->match : a->query, event_code(a->event, a->event).s,
		    a->has_selector ? hex(a->selector).s : "-",
		    a->has_value ? hex(a->value).s : "-", counters_of(a).s,
		    named(a->event) ? pmumap_event_name(a->event) : "", name);
	free(name);
}

/* ---- reasons --------------------------------------------------------------------------------- */

struct miss {
	uint64_t select, mask;
	unsigned bits;
};

/* Keeps the rows that differ in the fewest bits. On a tie, the first row wins. */
static void add_miss(struct miss *nearest, uint32_t rows, const struct miss *miss)
{
	uint32_t at = rows < ROWS_SHOWN ? rows : ROWS_SHOWN;

	for (; at && nearest[at - 1].bits > miss->bits; at--) {
		if (at < ROWS_SHOWN)
			nearest[at] = nearest[at - 1];
	}
	if (at < ROWS_SHOWN)
		nearest[at] = *miss;
}

/* Suggests near rows. A row for a single event is never suggested: it says nothing about others. */
static void put_misses(FILE *out, const struct pmumap *map, uint64_t raw)
{
	struct miss nearest[ROWS_SHOWN] = { { 0 } }, miss = { 0 };
	uint32_t row = 0, rows = 0, counters;

	for (; pmumap_raw_at(map, row, &miss.select, &miss.mask, &counters); row++) {
		miss.bits = count_bits((raw & miss.mask) ^ miss.select);
		if (~miss.mask)
			add_miss(nearest, rows++, &miss);
	}
	if (!rows)
		fprintf(out,
			"no raw row matches; each is for one event. If the core has it, add\n"
			"    <0x%" PRIx32 " 0x%" PRIx32 " 0xffffffff 0xffffffff COUNTERS>\n",
			(uint32_t)(raw >> 32), (uint32_t)raw);
	else
		fputs("no raw row matches; the nearest:\n", out);
	for (uint32_t i = 0; i < rows && i < ROWS_SHOWN; i++)
		fprintf(out,
			"    select 0x%" PRIx64 ", but the event & mask 0x%" PRIx64 " is 0x%" PRIx64
			"\n",
			nearest[i].select, nearest[i].mask, raw & nearest[i].mask);
	if (row > rows && rows)
		fprintf(out, "    and %" PRIu32 " rows for one event each\n", row - rows);
	if (rows > ROWS_SHOWN)
		fprintf(out, "    and %" PRIu32 " more rows; pmumap show lists them\n",
			rows - ROWS_SHOWN);
}

/* True if this event lacks a selector although other events have one. */
static int has_orphan(const struct pmumap *map, const struct answer *a)
{
	uint64_t value;

	return !a->raw && a->event > 2 && a->counters && !a->has_selector &&
	       !pmumap_encode(map, a->event, 0, PMUMAP_RULE_ABSENT, &value);
}

/* Prints the reason, and details below it. Prints nothing if the event is counted. */
static void put_why(FILE *out, const struct pmumap *map, const struct answer *a)
{
	uint64_t select, mask;
	uint32_t counters;
	int orphan = has_orphan(map, a);

	if (a->counters && !orphan)
		return;
	if (orphan) {
		fputs("it has counters, but riscv,event-to-mhpmevent has no selector for it\n",
		      out);
		return;
	}
	if (is_firmware_event(a->event)) {
		fputs("firmware counts it itself, without a hardware counter\n", out);
		return;
	}
	if (a->event >= PMUMAP_EVENT_FIRMWARE) {
		fputs("SBI has no such firmware event\n", out);
		return;
	}
	if (a->opensbi && a->opensbi->tables != TABLES_PRESENT && a->fixed < 0) {
		fputs(a->opensbi->tables == TABLES_TAKEN
			      ? "firmware removed the tables; use the board's own .dtb or .dts\n"
			      : "the riscv,pmu node has no tables\n",
		      out);
		return;
	}
	if (!a->raw && a->fixed >= 0) {
		fprintf(out, "fixed counter %d counts it, although no row says so\n", a->fixed);
	} else if (!a->raw) {
		fputs("no row of riscv,event-to-mhpmcounters covers it\n", out);
		/* A bare number is an SBI event, easily confused with a raw event. */
		if (!pmumap_event_valid(a->event))
			fprintf(out, "    SBI has no such event; write a raw event as r%s\n",
				a->query + (strncmp(a->query, "0x", 2) ? 0 : 2));
	} else if (pmumap_raw_at(map, 0, &select, &mask, &counters)) {
		put_misses(out, map, a->value);
	} else {
		fputs("the map has no raw rows (riscv,raw-event-to-mhpmcounters)\n", out);
	}
}

/* Prints how OpenSBI deviates from the tree, after its name. Prints nothing if it does not. */
static void put_opensbi(FILE *out, const struct answer *a)
{
	const struct reading *o = a->opensbi;
	uint32_t counters = a->counters & ~FIXED_MASK;

	if (!o)
		return;
	if (!counters && a->fixed >= 0 && denies_fixed(o))
		fputs("from 1.9 on answers \"not supported\" on harts with Sscofpmf but "
		      "without Smcntrpmf",
		      out);
	else if (!counters || !o->property)
		;
	else if (ask_firmware(o, a->event, a->raw ? a->value : 0).reason == REASON_NOT_READ)
		fprintf(out, "does not read its row: it stops at %s row %" PRIu32, o->property,
			o->row);
	else if (a->has_selector && !o->selectors)
		fprintf(out, "does not read its selector: it stops at %s row %" PRIu32, o->property,
			o->row);
}

void put_reason(const struct pmumap *map, const struct answer *a)
{
	size_t size;
	char *more;
	FILE *out = open_text(&more, &size);

	put_opensbi(out, a);
	close_text(out);
	/* All matches of a glob are counted. */
	if (!a->match && (!a->counters || has_orphan(map, a))) {
		put_escaped(stdout, a->query, 0);
		fputs(": ", stdout);
		put_why(stdout, map, a);
	}
	if (*more) {
		put_escaped(stdout, a->match ? a->match : a->query, 0);
		printf(": OpenSBI %s\n", more);
	}
	free(more);
}

/* Comparing with every name costs a hundred times as much as answering. */
static void suggest_json(const char *query)
{
	struct nearest n = nearest_event(query);

	json_text("suggestion", *n.best && strcmp(n.best, query) ? n.best : NULL);
}

void answer_json(const struct pmumap *map, const struct answer *a)
{
	size_t size;
	FILE *out;
	char *name = a->known ? vendor_name(a) : NULL, *why;

	json_kind("answer");
	json_string("query", a->query);
	json_text("match", a->match);
	if (a->known) {
		json_hex("event", a->event);
		if (a->raw || a->data)
			json_hex("data", a->data);
		if (a->has_selector)
			json_hex("selector", a->selector);
		if (a->has_value)
			json_hex("mhpmevent", a->value);
		json_counters(a->counters);
		if (a->fixed >= 0)
			json_number("fixed", (uint32_t)a->fixed);
		if (is_firmware_event(a->event))
			json_bool("by_firmware", 1);
		json_text("name", named(a->event) ? pmumap_event_name(a->event) : NULL);
		json_text("vendor", name);
		out = open_text(&why, &size);
		put_why(out, map, a);
		close_text(out);
		why[strcspn(why, ";\n")] = '\0';
		json_text("why", *why ? why : NULL);
		free(why);
		out = open_text(&why, &size);
		put_opensbi(out, a);
		close_text(out);
		json_text("opensbi", *why ? why : NULL);
		free(why);
	} else {
		json_string("why", a->unknown ? a->unknown : "no such event here");
		suggest_json(a->query);
	}
	json_bool("found", found(a));
	json_end();
	free(name);
}
