/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lookup.h -- the verb lookup: the counters and the selector of each event, or why it has none.
 */
#ifndef LOOKUP_H
#define LOOKUP_H

#include "amu.h"
#include "imc.h"
#include "request.h"
#include "riscv.h"
#include "suggest.h"

struct answer {
	const char *query;
	int known; /* the query names an event: */
	uint32_t event;
	uint64_t data;
	int raw, has_selector, has_value;
	uint64_t selector, value; /* value: for mhpmevent */
	uint32_t counters;
	int fixed; /* the counter that counts it whatever the map says, or negative */
};

static struct answer ask(const struct pmumap *map, const char *query)
{
	struct answer a = { .query = query };

	a.known = pmumap_event_parse(query, strlen(query), &a.event, &a.data);
	if (!a.known)
		return a;
	a.raw = a.event == PMUMAP_EVENT_RAW || a.event == PMUMAP_EVENT_RAW_V2;
	a.has_selector = pmumap_selector(map, a.event, &a.selector);
	a.has_value = pmumap_encode(map, a.event, a.data, PMUMAP_RULE_ABSENT, &a.value);
	a.counters = a.raw ? pmumap_raw_counters(map, a.value) : pmumap_counters(map, a.event);
	a.fixed = pmumap_pick(map, a.event, a.data, 7, 0);
	return a;
}

static int found(const struct answer *a)
{
	return a->known && (a->has_selector || a->counters);
}

/* "3-4"; "0 (fixed), 3-4" where the counter is no row's doing. */
static struct text counters_of(const struct answer *a)
{
	struct text list = { "firmware" };
	int fixed = a->fixed >= 0 && !(a->counters >> a->fixed & 1);

	if (a->event >= PMUMAP_EVENT_FIRMWARE)
		return list;
	if (!fixed)
		return counter_list(a->counters);
	snprintf(list.s, sizeof(list.s), "%d (fixed)%s%.44s", a->fixed, a->counters ? ", " : "",
		 a->counters ? counter_list(a->counters).s : "");
	return list;
}

static void answer_json(const struct answer *a)
{
	json_string("query", a->query);
	if (a->known) {
		json_hex("event", a->event);
		if (a->raw || a->data)
			json_hex("data", a->data);
		if (a->has_selector)
			json_hex("selector", a->selector);
		json_hex("counters", a->counters);
	}
	json_key("found");
	fputs(found(a) ? "true" : "false", stdout);
	json_end();
}

static const char *const answer_heads[] = { "query",     "event",    "selector",
					    "mhpmevent", "counters", "name" };

static void answer_row(struct table *t, const struct answer *a)
{
	table_cell(t, a->query);
	table_cell(t, event_code(a->event, a->event).s);
	table_cell(t, a->has_selector ? hex(a->selector).s : "-");
	table_cell(t, a->has_value ? hex(a->value).s : "-");
	table_cell(t, counters_of(a).s);
	table_cell(t, named(a->event) ? pmumap_event_name(a->event) : "");
}

/* ---- why not --------------------------------------------------------------------------------- */

#define ROWS_SHOWN 3u

static unsigned bits(uint64_t set)
{
	unsigned n = 0;

	for (; set; set &= set - 1)
		n++;
	return n;
}

struct miss {
	uint64_t select, mask;
	unsigned bits;
};

/* Keeps those that miss by the fewest bits; among equals the first. */
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

static void put_misses(const struct pmumap *map, uint64_t raw)
{
	struct miss nearest[ROWS_SHOWN] = { { 0 } }, miss = { 0 };
	uint32_t rows = 0, counters;

	for (; pmumap_raw_at(map, rows, &miss.select, &miss.mask, &counters); rows++) {
		miss.bits = bits((raw & miss.mask) ^ miss.select);
		add_miss(nearest, rows, &miss);
	}
	for (uint32_t i = 0; i < rows && i < ROWS_SHOWN; i++)
		printf("    select 0x%" PRIx64 ", but the event & mask 0x%" PRIx64 " is 0x%" PRIx64
		       "\n",
		       nearest[i].select, nearest[i].mask, raw & nearest[i].mask);
	if (rows > ROWS_SHOWN)
		printf("    and %" PRIu32 " more rows; pmumap show lists them\n",
		       rows - ROWS_SHOWN);
}

/* Whether others have a selector, and this event none. */
static int has_orphan(const struct pmumap *map, const struct answer *a)
{
	uint64_t value;

	return !a->raw && a->event > 2 && a->counters && !a->has_selector &&
	       !pmumap_encode(map, a->event, 0, PMUMAP_RULE_ABSENT, &value);
}

static void put_reason(const struct pmumap *map, const struct answer *a)
{
	uint64_t select, mask;
	uint32_t counters;

	put_escaped(stdout, a->query, 0);
	if (has_orphan(map, a)) {
		puts(": it has counters, but no row of riscv,event-to-mhpmevent its selector");
		return;
	}
	if (a->event >= PMUMAP_EVENT_FIRMWARE) {
		puts(": the firmware counts it itself, on no hardware counter");
		return;
	}
	if (!a->raw && a->fixed >= 0) {
		printf(": fixed counter %d counts it, though no row of the tree says so\n",
		       a->fixed);
	} else if (!a->raw) {
		puts(": no row of riscv,event-to-mhpmcounters covers it");
		/* A number alone is an event of SBI, which people mistake for a raw one. */
		if (!pmumap_event_valid(a->event))
			printf("    SBI has no such event; a raw one is written r%s\n",
			       a->query + (strncmp(a->query, "0x", 2) ? 0 : 2));
	} else if (pmumap_raw_at(map, 0, &select, &mask, &counters)) {
		puts(": no raw row matches; the nearest:");
		put_misses(map, a->value);
	} else {
		puts(": the map has no raw rows (riscv,raw-event-to-mhpmcounters)");
	}
}

static int looks_raw(const char *query)
{
	return !strncmp(query, "raw", 3) || !strncmp(query, "r0x", 3) ||
	       (*query == 'r' && isdigit((unsigned char)query[1]));
}

static void put_missing(const struct pmumap *map, const char *query)
{
	struct nearest n = nearest_event(query);
	int imc = has_imc(map) && !is_amu_query(query), amu = has_amu(map);

	put_escaped(stdout, query, 0);
	if (!imc && !amu) {
		if (is_amu_query(query))
			puts(": not found; there is no AMU");
		else if (looks_raw(query))
			puts(": a raw event has at most 56 bits: r1801, raw:0x1801 or raw-v2:0x1801");
		else
			printf(": unknown event%s\n",
			       *n.best ? meant(&n).s
				       : "; try cache-misses, dTLB-load-misses, 0x10019, r1801");
		return;
	}
	fputs(": not found", stdout);
	if (imc)
		fputs("; try a full name, UNIT/NAME, imc:0x450 or imc:UNIT:0xc8", stdout);
	if (amu)
		printf("%s amu:0x100 or amu:#3", imc ? ", or" : "; try");
	puts(is_amu_query(query) && !amu ? "; there is no AMU" : "");
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Answers of one kind together; what is not there comes last. */
struct answers {
	struct answer *riscv;
	struct table table, imc, amu;
	char **missing;
	int count, missed;
	uint32_t errors, warnings; /* of the tree */
};

static int answer_amu(const struct pmumap *map, char *query, int json, struct answers *all)
{
	if (json ? cpu_match_json(map, query) : cpu_match(map, query, &all->amu))
		return GOOD;
	if (!json)
		all->missing[all->missed++] = query;
	return FAULT;
}

static int answer_query(const struct pmumap *map, char *query, int json, struct answers *all)
{
	struct answer a = ask(map, query);
	struct imc_query q;
	int here = found(&a), imc = !here && has_imc(map);

	if (is_amu_query(query))
		return answer_amu(map, query, json, all);
	if (!here && !has_riscv(map) && (imc || has_amu(map)))
		a.known = 0;
	q = imc_query(query);
	if (imc && (json ? matches_json(map, &q) : match_rows(map, &q, &all->imc)))
		here = 1;
	else if (json)
		answer_json(&a);
	else if (!a.known)
		all->missing[all->missed++] = query;
	else
		all->riscv[all->count++] = a;
	free(q.unit);
	return here ? GOOD : FAULT;
}

/* Errors keep rows out of the map; and firmware has its own ways with what is wrong. */
static void put_doubts(const struct answers *all)
{
	if (all->errors)
		printf("%" PRIu32 " %s of the tree out of the map: pmumap check tells why\n",
		       all->errors, all->errors == 1 ? "error keeps a row" : "errors keep rows");
	if (all->warnings)
		printf("%" PRIu32 " %s: firmware may answer otherwise, pmumap check tells why\n",
		       all->warnings, all->warnings == 1 ? "warning" : "warnings");
}

static void put_answers(const struct pmumap *map, struct answers *all)
{
	struct table *const tables[] = { &all->table, &all->imc, &all->amu };
	int by_number = 0, above = 0;

	for (int i = 0; i < all->count; i++) {
		answer_row(&all->table, &all->riscv[i]);
		by_number |= all->riscv[i].has_value && !all->riscv[i].has_selector &&
			     !all->riscv[i].raw;
	}
	for (size_t i = 0; i < LENGTH(tables); i++) {
		if (!tables[i]->used)
			continue;
		if (above)
			putchar('\n');
		table_end(tables[i]);
		above = 1;
		if (i == 0 && by_number)
			puts(NO_SELECTORS);
	}
	for (int i = 0; i < all->count; i++) {
		if (!all->riscv[i].counters || has_orphan(map, &all->riscv[i]))
			put_reason(map, &all->riscv[i]);
	}
	if (all->count)
		put_doubts(all);
	for (int i = 0; i < all->missed; i++)
		put_missing(map, all->missing[i]);
}

/* The first argument may be left out: what names an event is never taken for a file. */
static int names_file(const char *arg)
{
	uint32_t event;
	uint64_t data;

	return !pmumap_event_parse(arg, strlen(arg), &event, &data) &&
	       (!strcmp(arg, "-") || strpbrk(arg, "./") || access(arg, F_OK) == 0);
}

/*
 * Whether the first argument is the FILE. Without one it is the sample that answers, which nobody
 * means who names a file further behind: that is refused, and the answer is negative.
 */
static int count_files(const struct request *request)
{
	uint32_t event;
	uint64_t data;

	for (int i = 1; i < request->count; i++) {
		const char *arg = request->args[i];

		if (!pmumap_event_parse(arg, strlen(arg), &event, &data) && !access(arg, F_OK)) {
			complain(USAGE, arg, "the FILE comes first, and there is one only");
			return -1;
		}
	}
	return request->count && names_file(request->args[0]);
}

/* Said before the answers, for people. */
static void put_sample(const struct request *request, int file)
{
	if (!file && !(request->options & JSON))
		puts("Of the sample board, SiFive's U74, for no FILE is named:\n");
}

static void count_findings(void *arg, const struct pmumap_finding *f)
{
	struct answers *all = arg;

	all->errors += f->severity == PMUMAP_ERROR;
	all->warnings += f->severity == PMUMAP_WARNING;
}

static int lookup_verb(const struct request *request)
{
	struct input input = request->input;
	struct source source = { 0 };
	int file = count_files(request), count = request->count - file, code;
	struct answers all = {
		.table = { .heads = answer_heads, .columns = LENGTH(answer_heads) },
		.imc = { .heads = match_heads, .columns = LENGTH(match_heads) },
		.amu = { .heads = cpu_heads, .columns = LENGTH(cpu_heads) },
	};

	if (file < 0)
		return USAGE;
	if (count == 0)
		return complain(USAGE, NULL, "lookup needs an event, such as cache-misses");
	input.options.flags |= PMUMAP_DESC;
	code = load(&source, file ? request->args[0] : NULL, &input, count_findings, &all);
	if (code == GOOD) {
		all.riscv = reallocate(NULL, (size_t)count, sizeof(*all.riscv));
		all.missing = reallocate(NULL, (size_t)count, sizeof(*all.missing));
		for (int i = file; i < request->count; i++)
			code |= answer_query(source.map, request->args[i],
					     (request->options & JSON) != 0, &all);
		put_sample(request, file);
		put_answers(source.map, &all);
		free(all.riscv);
		free(all.missing);
	}
	unload(&source);
	return code;
}

#endif /* LOOKUP_H */
