/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shared by all test programs: files, random numbers, memory blocks, and the comparison of findings
 * with the model's.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#ifndef _POSIX_C_SOURCE /* libc's own, if a header came first, may be newer */
#define _POSIX_C_SOURCE 200809L
#endif

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "pmumap_check.h"
#include "model.h"
#include "test.h"

/* PMUMAP_QUICK=1 shortens loops, for emulated targets. */
static inline uint32_t quick(uint32_t full, uint32_t less)
{
	static int said;
	const char *set = getenv("PMUMAP_QUICK");

	if (!set || set[0] != '1')
		return full;
	if (!said++)
		printf("PMUMAP_QUICK=1: fewer cases\n");
	return less;
}

/* Deterministic: the same numbers on every target. */
static uint64_t random_state = 0x243f6a8885a308d3u;

static inline uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state * 0x2545f4914f6cdd1du;
}

static inline uint32_t random_below(uint32_t n)
{
	return (uint32_t)(random64() >> 32) % n;
}

/* Exactly this size, so that sanitizers see every access past the end. */
static inline void *exact(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		abort();
	return p;
}

static inline void *exact_copy(const void *from, size_t size)
{
	return memcpy(exact(size), from, size);
}

/* Fills the stack with garbage, so that uninitialised variables of the next call are noticed. */
__attribute__((noinline, unused)) static void dirty_stack(void)
{
	volatile unsigned char left[4096];
	size_t i;

	for (i = 0; i < sizeof(left); i++)
		left[i] = 0xff;
}

/* Without trees no test is meaningful: fail and stop. */
static inline void no_fixture(const char *path)
{
	CHECK(!path);
	printf("%s is not there: run \"make fixtures\", and this at the top of the repository\n",
	       path);
	exit(test_summary());
}

static inline unsigned char *load(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	unsigned char *bytes = exact(1 << 20);

	*size = f ? fread(bytes, 1, 1 << 20, f) : 0;
	if (f)
		fclose(f);
	if (*size == 0)
		no_fixture(path);
	return realloc(bytes, *size);
}

static const char riscv_boards[] = "build/boards/*.dtb"; /* this very text: none of IMC, AMU */

/*
 * Calls a function for each file by name; returns their number. The corpus outside the repository
 * may be missing.
 */
static inline uint32_t each_file(const char *pattern,
				 void (*call)(const unsigned char *fdt, size_t size))
{
	FILE *list = fopen("build/fixtures", "r");
	uint32_t n = 0;
	char path[256];

	while (list && fscanf(list, "%255s", path) == 1) {
		unsigned char *bytes;
		size_t size;

		if (fnmatch(pattern, path, FNM_PATHNAME) ||
		    (pattern == riscv_boards && (strstr(path, "/imc-") || strstr(path, "/amu-"))))
			continue;
		n++;
		bytes = load(path, &size);
		test_input = path;
		call(bytes, size);
		free(bytes);
	}
	test_input = "";
	if (!list || fclose(list) || (!n && !strstr(pattern, "corpus")))
		no_fixture(list ? pattern : "build/fixtures");
	return n;
}

/* ---- findings -------------------------------------------------------------------------------- */

struct findings {
	uint32_t n;
	struct model_finding at[4096];
	uint32_t number[4096]; /* of each its code */
};

static inline void collect(void *arg, const struct pmumap_finding *f)
{
	struct findings *all = arg;

	if (all->n == sizeof(all->at) / sizeof(all->at[0]))
		return;
	all->at[all->n] = (struct model_finding){ f->name, (int)f->severity,  f->node,  f->property,
						  f->row,  f->other_property, f->other, f->value };
	all->number[all->n++] = f->code;
}

static inline int same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Compares findings in all that they say. */
static inline int same_in_all(const void *model, const struct model_finding *a,
			      const struct model_finding *b)
{
	(void)model;
	return same_text(a->code, b->code) && a->severity == b->severity && a->node == b->node &&
	       same_text(a->property, b->property) && a->row == b->row &&
	       same_text(a->other_property, b->other_property) && a->other == b->other &&
	       a->value == b->value;
}

static inline void print_finding(const char *what, const struct model_finding *f)
{
	printf("\t%s: %s %d node %d %s %" PRId32 " other %s %" PRId32 " value 0x%" PRIx64 "\n",
	       what, f->code, f->severity, f->node, f->property ? f->property : "-",
	       (int32_t)f->row, f->other_property ? f->other_property : "-", (int32_t)f->other,
	       f->value);
}

static inline int of_single_row(const struct model_finding *f)
{
	return strcmp(f->code, "raw-overlap") != 0 && strcmp(f->code, "raw-duplicate") != 0;
}

static inline int pair_good(const struct model_finding *f, const struct model *m)
{
	const struct model_raw *a = m->raw + f->row, *b = m->raw + f->other;
	int alike = !strcmp(f->code, "raw-duplicate");

	return f->row < m->raws && f->other < f->row && f->node == m->node &&
	       same_text(f->property, m->name[MODEL_RAW]) &&
	       same_text(f->other_property, m->name[MODEL_RAW]) &&
	       f->value == (a->select | b->select) &&
	       model_raw_overlap(m, f->row, f->other) == (alike ? MODEL_ALIKE : MODEL_OVERLAP) &&
	       f->severity == (!alike && a->counters == b->counters ? PMUMAP_NOTE : PMUMAP_WARNING);
}

/* Reported conflicts of raw rows are true. With up to 256 rows none is missing. */
static inline int pairs_good(const struct findings *got, const struct model *m)
{
	unsigned char *named = calloc(m->raws + 1, 1);
	uint32_t i, j, pairs = 0, good = 1;

	for (i = 0; i < got->n && good; i++) {
		const struct model_finding *f = &got->at[i];

		if (of_single_row(f))
			continue;
		good = (uint32_t)pair_good(f, m);
		if (good)
			named[f->row] = named[f->other] = 1;
		else
			print_finding("not true", f);
		pairs++;
	}
	for (i = 0; i < m->raws && m->raws <= 256 && good; i++) {
		int hidden = 0, seen = named[i], alike = 0;

		for (j = 0; j < m->raws; j++) {
			int how = i == j ? 0 : model_raw_overlap(m, i, j);

			hidden |= how != 0;
			alike |= how == MODEL_ALIKE;
			seen |= how && named[j];
		}
		good = !hidden || (seen && (!alike || named[i]));
	}
	free(named);
	return good && pairs <= m->raws;
}

/*
 * Compares findings in any order and consumes the model's. counts: selects findings, NULL for all.
 * same: compares two, and may use a model.
 */
static inline void match_findings(const struct findings *got, struct model_finding *want,
				  uint32_t wanted, int (*counts)(const struct model_finding *),
				  int (*same)(const void *model, const struct model_finding *,
					      const struct model_finding *),
				  const void *model)
{
	const struct model_finding *stray = NULL;
	uint32_t i, j, strays = 0;

	for (i = 0; i < got->n; i++) {
		if (counts && !counts(&got->at[i]))
			continue;
		for (j = 0; j < wanted; j++)
			if (same(model, &got->at[i], &want[j]))
				break;
		if (j == wanted) {
			print_finding("not expected", &got->at[i]);
			stray = stray ? stray : &got->at[i];
		} else {
			want[j] = want[--wanted];
		}
	}
	for (j = 0; j < wanted; j++) {
		print_finding("missing", &want[j]);
		strays += BROKEN(want[j].code, want[j].value, 1);
	}
	if (stray)
		strays += BROKEN(stray->code, stray->value, 1);
	CHECK_EQ(strays, 0);
}

static inline void check_findings(const struct findings *got, struct model *m)
{
	match_findings(got, m->finding, m->findings, of_single_row, same_in_all, NULL);
	CHECK(pairs_good(got, m));
}

/* ---- answers --------------------------------------------------------------------------------- */

/* A look-up that fails must not change this. */
static inline void unasked(void *out, size_t size)
{
	memset(out, 0xa5, size);
}

static inline int untouched(const void *out, size_t size)
{
	const unsigned char *byte = out;

	return size == 0 || (byte[0] == 0xa5 && memcmp(byte, byte + 1, size - 1) == 0);
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* Bytes of block that a check needs: those of a build, or room for the harts. */
static inline size_t bytes_to_check(const void *fdt, size_t size, size_t bytes)
{
	size_t harts;

	(void)pmumap_fdt_harts(fdt, size, NULL, 0, &harts);
	harts *= sizeof(struct pmumap_fdt_hart);
	return harts > bytes ? harts : bytes;
}

/* A map in a block of exactly its need; the caller frees it. NULL on failure, with the status. */
static inline struct pmumap *build_tree(const void *fdt, size_t size, int node, struct findings *f,
					enum pmumap_status *status)
{
	struct pmumap_fdt_options opt = { .node = node };
	const struct pmumap *map = NULL;
	size_t bytes = 0, room;
	void *block, *checked;

	*status = pmumap_fdt_measure(fdt, size, &opt, &bytes);
	block = exact(bytes);
	if (f) {
		f->n = 0;
		room = bytes_to_check(fdt, size, bytes);
		checked = exact(room);
		*status = pmumap_fdt_check(fdt, size, &opt, checked, room, collect, f);
		/* Half a map is left, which nobody can open. */
		CHECK(*status || pmumap_open(checked, room, &map) == PMUMAP_E_IMAGE_MAGIC);
		free(checked);
		CHECK_EQ(pmumap_fdt_build(fdt, size, &opt, block, bytes, &map), *status);
	} else if (*status == PMUMAP_OK) {
		*status = pmumap_fdt_build(fdt, size, &opt, block, bytes, &map);
	}
	CHECK((map != NULL) == (*status == PMUMAP_OK) && (!map || (const void *)map == block));
	CHECK(!map || pmumap_size(map) <= bytes);
	if (!map) {
		free(block);
		return NULL;
	}
	return block;
}

static inline void add_rows(struct pmumap_builder *b, const struct model *m)
{
	uint32_t i;

	for (i = 0; i < m->selectors; i++)
		pmumap_add_selector(b, m->selector[i].event, m->selector[i].selector);
	for (i = 0; i < m->ranges; i++)
		pmumap_add_counters(b, m->range[i].first, m->range[i].last, m->range[i].counters);
	for (i = 0; i < m->raws; i++)
		pmumap_add_raw(b, m->raw[i].select, m->raw[i].mask, m->raw[i].counters);
}

/* The same through the builder, from a model's rows. */
static inline struct pmumap *build_rows(const struct model *m)
{
	struct pmumap_builder b;
	const struct pmumap *map = NULL;
	size_t need;
	void *block;

	pmumap_begin(&b, NULL, 0);
	add_rows(&b, m);
	need = pmumap_need(&b);
	block = exact(need);
	pmumap_begin(&b, block, need);
	add_rows(&b, m);
	CHECK(pmumap_need(&b) == need && pmumap_finish(&b, &map) == PMUMAP_OK &&
	      (const void *)map == block);
	return block;
}

/* Images of any kind: the third word is the size. */
static inline int same_image(const void *a, const void *b)
{
	return memcmp(a, b, 12) == 0 && memcmp(a, b, ((const uint32_t *)a)[2]) == 0;
}

/* ---- comparison with the model --------------------------------------------------------------- */

#define COUNTERS_RULE "an event has the counters of all ranges that include it"
#define SELECTOR_RULE "an event has the selector of its first row, if any"
#define RAW_RULE "a raw event has the counters of all raw rows that match it"

/*
 * All events. The model computes its answers once per table. Quick: of a run with equal answers,
 * its ends and every 19th event.
 */
static inline void check_events(const struct pmumap *map, const struct paint *p)
{
	uint32_t event, less = quick(0, 1), bad = 0;

	for (event = 0; event < MODEL_EVENTS; event++) {
		uint64_t selector = ~p->selector[event];
		int found;

		if (less && event % 19 && (event & 0xff80) && event + 1 < MODEL_EVENTS &&
		    model_same_as_next(p, event - 1) && model_same_as_next(p, event))
			continue;
		found = pmumap_selector(map, event, &selector);
		bad += BROKEN(COUNTERS_RULE, event,
			      pmumap_counters(map, event) != p->counters[event]);
		bad += BROKEN(SELECTOR_RULE, event,
			      found != p->has[event] || selector != (found ? p->selector[event]
									   : ~p->selector[event]));
	}
	CHECK_EQ(bad, 0);
}

/* A value that a raw table could get wrong, one of each kind, or a random one. */
static inline uint64_t raw_value(const struct model *m, uint32_t kind)
{
	const uint64_t noise = random64(), flip = 1ull << random_below(64);
	const struct model_raw *r = m->raws ? &m->raw[random_below(m->raws)] : NULL;
	const uint64_t more = r ? r->select | (noise & ~r->mask) : 0;

	if (!r || kind % 8 == 0)
		return kind & 8    ? noise
		       : kind & 16 ? noise >> random_below(64)
		       : kind & 32 ? 0
				   : ~0ull;
	return (const uint64_t[]){
		r->select,   r->select ^ flip, r->select | ~r->mask,        more,
		more ^ flip, r->mask,          r->select | (noise & 0xffff)
	}[kind % 8 - 1];
}

static inline void check_raw(const struct pmumap *map, const struct model *m, uint32_t n)
{
	uint32_t i, bad = 0;

	for (i = 0; i < n; i++) {
		uint64_t raw = raw_value(m, i);

		bad += BROKEN(RAW_RULE, raw,
			      pmumap_raw_counters(map, raw) != model_raw_counters(m, raw));
	}
	CHECK_EQ(bad, 0);
}

static inline void shuffle(void *rows, uint32_t n, size_t size)
{
	for (; n > 1; n--) {
		unsigned char row[sizeof(struct model_raw)],
			*last = (unsigned char *)rows + (n - 1) * size;
		unsigned char *other = (unsigned char *)rows + random_below(n) * size;

		memcpy(row, last, size);
		memmove(last, other, size);
		memcpy(other, row, size);
	}
}

static inline uint32_t is_of_blob(enum pmumap_status status)
{
	return status >= PMUMAP_E_FDT_MAGIC && status <= PMUMAP_E_FDT_STRUCT;
}

/* The order of rows does not change the image. Shuffles the rows. */
static inline void check_orders(const struct pmumap *map, struct model *m, uint32_t orders)
{
	uint32_t order, good = 0;

	/* The builder can only add an empty table of selectors, not just declare one. */
	if (m->has_selectors && !m->selectors)
		return;
	for (order = 0; order < orders; order++) {
		struct pmumap *other = build_rows(m);

		good += (uint32_t)same_image(map, other);
		free(other);
		shuffle(m->selector, m->selectors, sizeof(*m->selector));
		shuffle(m->range, m->ranges, sizeof(*m->range));
		shuffle(m->raw, m->raws, sizeof(*m->raw));
	}
	CHECK_EQ(good, orders);
}

/* A map rebuilt from its own list is the same map. */
static inline void check_listing(const struct pmumap *map, const struct model *m)
{
	struct model listed;
	struct pmumap_run run = { 0, 0, 0, 0, 0 };
	struct pmumap *again;
	uint32_t from = 0, event, i, counters, good = 1;
	uint64_t select, mask;

	model_init(&listed);
	while (pmumap_event_next(map, from, &run)) {
		good &= run.first >= from && run.last >= run.first && run.last < MODEL_EVENTS &&
			(run.counters || run.has_selector);
		if (run.counters)
			model_add_counters(&listed, run.first, run.last, run.counters);
		for (event = run.first; run.has_selector && event <= run.last; event++)
			model_add_selector(&listed, event, run.selector);
		from = run.last + 1;
	}
	for (i = 0; pmumap_raw_at(map, i, &select, &mask, &counters); i++)
		model_add_raw(&listed, select, mask, counters);
	CHECK(good);
	CHECK(!pmumap_event_next(map, MODEL_EVENTS, &run) && !pmumap_event_next(map, ~0u, &run));
	CHECK(!pmumap_raw_at(map, ~0u, &select, &mask, &counters));
	again = build_rows(&listed);
	if (!m->has_selectors || m->selectors)
		CHECK(same_image(map, again));
	free(again);
	model_free(&listed);
}

/* ---- plans ----------------------------------------------------------------------------------- */

#define WANTS 8u /* at most */

/* Counters that can count an event. A programmable one needs a selector for mhpmevent. */
static inline uint32_t servers(const struct model *m, uint32_t event, uint64_t data,
			       uint32_t features, unsigned rule, uint64_t *selector)
{
	uint32_t counters = model_candidates(m, event, data, features);

	*selector = 0;
	return model_encode(m, event, data, rule, selector) ? counters : counters & 7;
}

/* The counter that an event must get among those that can count it. */
static inline int server_of(uint32_t counters, uint32_t free, uint32_t features)
{
	return !counters            ? PMUMAP_UNSUPPORTED
	       : !(counters & free) ? PMUMAP_BUSY
				    : model_best(counters & free, features);
}

/*
 * The number of rules that an assignment breaks. was: the requested events; could: possible
 * counters of each; got: the result. Of the events so far, no other assignment may place more. No
 * event may leave a better counter of its own free.
 */
static inline uint32_t broken_rules(const struct pmumap_want *was, const struct pmumap_want *want,
				    uint32_t n, const uint32_t *could, uint32_t free,
				    uint32_t features, int got)
{
	uint32_t i, bit, open = 0, taken = 0, bad = 0, set[WANTS];

	for (i = 0; i < n; i++)
		if (was[i].pinned && was[i].counter >= 0 && was[i].counter < 32)
			free &= ~(1u << was[i].counter);
	for (i = 0; i < n; i++) {
		const struct pmumap_want *w = &want[i];

		bad += w->event != was[i].event || w->data != was[i].data;
		bad += w->pinned != was[i].pinned || w->counters != could[i];
		got -= w->counter >= 0;
		if (w->pinned) {
			bad += w->counter != was[i].counter;
			continue;
		}
		bit = w->counter >= 0 ? 1u << (w->counter & 31) : 0;
		bad += w->counter > 31 || (bit & taken) || (bit & ~(free & could[i]));
		bad += !bit && w->counter != (could[i] ? PMUMAP_BUSY : PMUMAP_UNSUPPORTED);
		taken |= bit;
		set[open++] = could[i];
		bad += model_assign(set, open, free) - model_assign(set, open - 1, free) != !!bit;
	}
	for (i = 0; i < n; i++)
		if (!want[i].pinned && want[i].counter >= 0)
			bad += model_best((could[i] & free & ~taken) | 1u << (want[i].counter & 31),
					  features) != want[i].counter;
	return bad + (got != 0);
}

#endif /* SUPPORT_H */
