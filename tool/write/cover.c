/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cover.c -- three ways to cover a set of codes with disjoint rows; the best result wins. One
 * merges pairs of rows that differ in one bit, in several orders of bits. One cuts the set in
 * halves at the best bits. For few codes, one searches the rows for each code.
 */
#include "cover.h"

#define CUT_BITS 12u        /* with more bits, cutting is too expensive */
#define MERGE_WORK 4000000u /* codes times bits, summed over all orders */

/* ---- pairs ----------------------------------------------------------------------------------- */

static int by_key(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	if (a->free != b->free)
		return a->free < b->free ? -1 : 1;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->select < b->select ? -1 : a->select > b->select;
}

/* Merges every two rows that differ only in this bit. Returns 1 if there were any. */
static int merge(struct pieces *p, uint64_t bit)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++)
		p->list[i].key = p->list[i].select & ~bit;
	qsort(p->list, p->count, sizeof(*p->list), by_key);
	for (size_t i = 0; i < p->count; i++) {
		struct piece *a = &p->list[i];

		if (i + 1 < p->count && a[1].free == a->free && a[1].key == a->key &&
		    !is_scattered(a->key, a->free | bit)) {
			a->free |= bit;
			a->select = a->key;
			i++;
		}
		p->list[kept++] = *a;
	}
	if (kept == p->count)
		return 0;
	p->count = kept;
	return 1;
}

/* Merges by each bit from first on, upwards or downwards, until no pair is left. */
static void try_order(struct task *t, struct pieces *p, unsigned first, int down)
{
	int merged = 1;

	for (size_t i = 0; i < t->count; i++)
		p->list[i] = (struct piece){ .select = t->codes[i] };
	p->count = t->count;
	while (merged) {
		merged = 0;
		for (unsigned b = 0; b < t->width; b++) {
			unsigned at = (first + (down ? t->width - b : b)) % t->width;

			merged |= merge(p, t->bits[at]);
		}
	}
	take_if_better(t, p);
}

static void try_orders(struct task *t)
{
	size_t work = 0, each = t->count * (t->width + 1);
	struct pieces p = { reallocate(NULL, t->count, sizeof(*p.list)), 0 };

	for (unsigned i = 0; i < 2 * t->width || i == 0; i++) {
		try_order(t, &p, i / 2, i & 1);
		work += each;
		if (work > MERGE_WORK)
			break;
	}
	free(p.list);
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/*
 * A part is the subset of codes with fixed values in some bits. It is a number in base 3 with a
 * digit per bit; 2 means free. fewest: rows that the part needs; inside: codes in it.
 */
struct cuts {
	const struct task *task;
	uint16_t *fewest, *inside;
	uint32_t power[CUT_BITS + 1];
};

static struct piece part_of(const struct cuts *c, uint32_t part)
{
	const struct task *t = c->task;
	struct piece p = { .select = t->codes[0] };

	for (unsigned b = 0; b < t->width; b++, part /= 3) {
		p.select &= ~t->bits[b];
		p.select |= part % 3 == 1 ? t->bits[b] : 0;
		p.free |= part % 3 == 2 ? t->bits[b] : 0;
	}
	return p;
}

/* True if the part is a single row. */
static int is_whole(const struct cuts *c, uint32_t part)
{
	uint32_t codes = 1;
	struct piece p;

	for (uint32_t rest = part; rest; rest /= 3)
		codes *= rest % 3 == 2 ? 2 : 1;
	if (c->inside[part] != codes)
		return 0;
	p = part_of(c, part);
	return !is_scattered(p.select, p.free);
}

/* The best bit to cut at. It always exists, because a part with a single code is whole. */
static unsigned best_cut(const struct cuts *c, uint32_t part)
{
	unsigned best = 0, fewest = UINT16_MAX * 2;

	for (unsigned b = 0; b < c->task->width; b++) {
		uint32_t half = part - c->power[b];
		unsigned rows;

		if (part / c->power[b] % 3 != 2)
			continue;
		rows = (unsigned)c->fewest[half] + c->fewest[half - c->power[b]];
		if (rows < fewest) {
			fewest = rows;
			best = b;
		}
	}
	return best;
}

/* Smaller parts have smaller numbers, so both halves of a part are known before the part itself. */
static void count_part(struct cuts *c, uint32_t part)
{
	uint32_t rest = part, one = 1;

	while (rest && rest % 3 != 2) {
		rest /= 3;
		one *= 3;
	}
	if (rest)
		c->inside[part] = (uint16_t)(c->inside[part - one] + c->inside[part - 2 * one]);
	if (!c->inside[part] || is_whole(c, part)) {
		c->fewest[part] = c->inside[part] != 0;
		return;
	}
	one = c->power[best_cut(c, part)];
	c->fewest[part] = (uint16_t)(c->fewest[part - one] + c->fewest[part - 2 * one]);
}

/* Pops a part from the end of the list and pushes its halves there. */
static void list_parts(const struct cuts *c, struct pieces *p)
{
	uint32_t open[CUT_BITS + 2], count = 1;

	open[0] = c->power[c->task->width] - 1;
	while (count) {
		uint32_t part = open[--count], one;

		if (!c->fewest[part])
			continue;
		if (is_whole(c, part)) {
			p->list[p->count++] = part_of(c, part);
			continue;
		}
		one = c->power[best_cut(c, part)];
		open[count++] = part - one;
		open[count++] = part - 2 * one;
	}
}

static void try_cuts(struct task *t)
{
	struct cuts c = { .task = t, .power = { 1 } };
	struct pieces p = { 0 };

	if (t->width > CUT_BITS)
		return;
	for (unsigned b = 0; b < t->width; b++)
		c.power[b + 1] = 3 * c.power[b];
	c.fewest = reallocate(NULL, c.power[t->width], sizeof(*c.fewest));
	c.inside = reallocate(NULL, c.power[t->width], sizeof(*c.inside));
	memset(c.inside, 0, c.power[t->width] * sizeof(*c.inside));
	for (size_t i = 0; i < t->count; i++) {
		uint32_t part = 0;

		for (unsigned b = 0; b < t->width; b++)
			part += t->codes[i] & t->bits[b] ? c.power[b] : 0;
		c.inside[part] = 1;
	}
	for (uint32_t part = 0; part < c.power[t->width]; part++)
		count_part(&c, part);
	p.list = reallocate(NULL, t->count, sizeof(*p.list));
	list_parts(&c, &p);
	take_if_better(t, &p);
	free(p.list);
	free(c.fewest);
	free(c.inside);
}

/* ---- the best result ------------------------------------------------------------------------- */

static int by_piece(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	return a->select < b->select ? -1 : a->select > b->select;
}

size_t cover(const uint64_t *codes, size_t count, struct cube **cubes)
{
	struct task t = { .codes = codes, .count = count };
	uint64_t differ = 0;

	*cubes = NULL;
	if (!count)
		return 0;
	for (size_t i = 0; i < count; i++)
		differ |= codes[i] ^ codes[0];
	for (; differ; differ &= differ - 1)
		t.bits[t.width++] = differ & (0 - differ);
	try_orders(&t);
	try_cuts(&t);
	try_search(&t);
	qsort(t.best.list, t.best.count, sizeof(*t.best.list), by_piece);
	*cubes = reallocate(NULL, t.best.count, sizeof(**cubes));
	for (size_t i = 0; i < t.best.count; i++)
		(*cubes)[i] = (struct cube){ t.best.list[i].select, ~t.best.list[i].free };
	free(t.best.list);
	return t.best.count;
}
