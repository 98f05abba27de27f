/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lookup.c -- the verb lookup: the counters and the selector of each event, or why it has none.
 */
#include <ctype.h>
#include "lookup.h"
#include "map/amu.h"
#include "map/imc.h"
#include "map/riscv.h"
#include "map/suggest.h"
#include "source/rows.h"

/* ---- unknown events -------------------------------------------------------------------------- */

static void put_missing(const struct source *source, const struct events *events, const char *query)
{
	int imc = has_imc(source->imc) && !is_amu_query(query), amu = has_amu(source->amu);
	struct nearest n = imc ? nearest_to(query) : nearest_event(query);
	struct text hint = hint_of(query);
	int glob = strpbrk(query, "*?") != NULL;

	if (imc)
		consider_imc(source->imc, &n);
	for (size_t i = 0; i < events->count; i++)
		consider(&n, events->list[i].name);
	put_escaped(stdout, query, 0);
	if (!imc && !amu) {
		if (is_amu_query(query))
			puts(": not found; there is no AMU");
		else if (glob)
			puts(": no event matches");
		else
			printf(": unknown event%s\n",
			       *hint.s   ? hint.s
			       : *n.best ? meant(&n).s
					 : "; try cache-misses, dTLB-load-misses, 0x10019, r1801");
		return;
	}
	fputs(": not found", stdout);
	if (imc && *n.best)
		fputs(meant(&n).s, stdout);
	else if (imc)
		fputs("; try a full name, UNIT/NAME, a substring or glob (PM_MCS01*), imc:0x450 "
		      "or imc:UNIT:0xc8",
		      stdout);
	if (amu)
		printf("%s amu:0x100 or amu:#3", imc ? ", or" : "; try");
	puts(is_amu_query(query) && !amu ? "; there is no AMU" : "");
}

/* ---- all answers ----------------------------------------------------------------------------- */

/* Answers are printed by kind of PMU. Queries without an answer come last. */
struct answers {
	struct events events;          /* of the core */
	const struct reading *opensbi; /* for a tree with a riscv,pmu node; otherwise NULL */
	struct answer *riscv;          /* for single events */
	struct table table, imc, amu;
	struct likes *likes; /* for patterns */
	char **missing;
	int count, patterns, missed;
	struct doubts doubts; /* found in the tree */
};

static int answer_amu(const struct pmumap_amu *map, char *query, int json, struct answers *all)
{
	if (json ? cpu_match_json(map, query) : cpu_match(map, query, &all->amu))
		return GOOD;
	if (!json)
		all->missing[all->missed++] = query;
	return FAULT;
}

static void add_answer(struct answers *all, const struct answer *a)
{
	all->riscv = grow(all->riscv, (size_t)all->count, sizeof(*all->riscv));
	all->riscv[all->count++] = *a;
}

/*
 * Finds RISC-V events whose names match the query. Returns 0 if there are none. *here: one of them
 * is counted.
 */
static int answer_likes(const struct pmumap *map, const char *query, int json, struct answers *all,
			int *here)
{
	struct likes likes = find_likes(map, &all->events, query);
	struct answer none = { .query = query, .unknown = "no event with such a name is counted" };

	*here = likes.counted != 0;
	for (uint32_t i = 0; i < likes.counted; i++) {
		likes.list[i].opensbi = all->opensbi;
		if (json)
			answer_json(map, &likes.list[i]);
		else
			add_answer(all, &likes.list[i]);
	}
	if (json && likes.count && !likes.counted)
		answer_json(map, &none);
	all->likes[all->patterns++] = likes;
	return likes.count != 0;
}

static int answer_query(const struct source *source, char *query, int json, struct answers *all)
{
	const struct pmumap *map = source->map;
	struct answer a = ask(map, &all->events, query);
	struct imc_query q;
	int here, imc;

	a.opensbi = all->opensbi;
	if (a.opensbi && a.opensbi->tables != TABLES_PRESENT && !a.raw)
		a.has_value = 0; /* the selector is unknown; it need not be the number */
	if (is_amu_query(query))
		return answer_amu(source->amu, query, json, all);
	if (!has_riscv(map) && (has_imc(source->imc) || has_amu(source->amu)))
		a.known = 0; /* the tree describes another kind of PMU */
	here = found(&a);
	imc = !here && has_imc(source->imc);
	q = imc_query(query);
	if (imc && (json ? matches_json(source->imc, &q) : match_rows(source->imc, &q, &all->imc)))
		here = 1;
	else if (!a.known && has_riscv(map) && answer_likes(map, query, json, all, &here))
		; /* nothing to add */
	else if (json)
		answer_json(map, &a);
	else if (!a.known)
		all->missing[all->missed++] = query;
	else
		add_answer(all, &a);
	free(q.unit);
	return here ? GOOD : FAULT;
}

/* True if an IMC match has a scale. */
static int has_scale(const struct table *t)
{
	for (size_t i = 0; i + t->columns <= t->used; i += t->columns) {
		if (t->cells[i] && *t->cells[i + MATCH_SCALE])
			return 1;
	}
	return 0;
}

static void put_answers(const struct source *source, int json, struct answers *all)
{
	struct table *const tables[] = { &all->table, &all->imc, &all->amu };
	int by_number = 0, above = 0, scaled = has_scale(&all->imc);

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
	if (scaled)
		puts("perf shows the count times the scale, followed by the measure.");
	for (int i = 0; i < all->count; i++)
		put_reason(source->map, &all->riscv[i]);
	for (int i = 0; i < all->patterns && !json; i++)
		put_likes(&all->likes[i]);
	if (all->count)
		put_doubts(stdout, &all->doubts, "");
	for (int i = 0; i < all->missed; i++)
		put_missing(source, &all->events, all->missing[i]);
}

int lookup_verb(const struct request *request)
{
	struct input input = request->input;
	struct source source = { 0 };
	struct queries queries = { 0 };
	struct reading opensbi = { 0 };
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
	input.desc = 1;
	code = read_vendor(request, &all.events);
	if (code == GOOD)
		code = load(&source, file ? request->args[0] : NULL, &input, count_doubts,
			    &all.doubts);
	if (code == GOOD) {
		opensbi = read_as(NEWEST_OPENSBI, &source,
				  node_for(NEWEST_OPENSBI, &source, &input), 0, NULL);
		all.opensbi = opensbi.node >= 0 ? &opensbi : NULL;
		queries = split_queries(request->args + file, count);
		all.likes = reallocate(NULL, (size_t)queries.count, sizeof(*all.likes));
		all.missing = reallocate(NULL, (size_t)queries.count, sizeof(*all.missing));
		put_sample(request, file);
		for (int i = 0; i < queries.count; i++)
			code |= answer_query(&source, queries.list[i],
					     (request->options & JSON) != 0, &all);
		put_answers(&source, (request->options & JSON) != 0, &all);
		for (int i = 0; i < all.patterns; i++)
			unload_likes(&all.likes[i]);
		free(all.likes);
		free(all.riscv);
		free(all.missing);
		unload_queries(&queries);
	}
	unload_events(&all.events);
	unload_reading(&opensbi);
	unload(&source);
	return code;
}
