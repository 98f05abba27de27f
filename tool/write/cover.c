/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cover.c -- covers a set of codes with disjoint rows: merges pairs of rows that differ in one bit,
 * in several orders of bits. The order that leaves the fewest rows wins.
 */
#include "write.h"

#define MERGE_WORK 4000000u /* codes times bits, summed over all orders */

/* A row under construction. The bits that a row ignores are free. */
struct piece {
	uint64_t select, free, key;
};

struct pieces {
	struct piece *list;
	size_t count;
};

/* The set, and the best result so far. */
struct task {
	const uint64_t *codes;
	size_t count;
	uint64_t bits[64]; /* bits in which codes differ, from the lowest */
	unsigned width;
	struct pieces best;
};

/* The same rule as raw-wide: free bits above and below one that must be set. */
static int is_scattered(uint64_t select, uint64_t free)
{
	uint64_t above = select & ~((free & (0 - free)) * 2 - 1);

	above &= 0 - above;
	return free && above && free > above;
}

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
	if (!t->best.count || p->count < t->best.count) {
		const struct pieces worse = t->best;

		t->best = *p;
		*p = worse;
	}
}

static void try_orders(struct task *t)
{
	size_t work = 0, each = t->count * (t->width + 1), bytes = sizeof(struct piece);
	struct pieces p = { reallocate(NULL, t->count, bytes), 0 };

	t->best.list = reallocate(NULL, t->count, bytes);
	for (unsigned i = 0; i < 2 * t->width || i == 0; i++) {
		try_order(t, &p, i / 2, i & 1);
		work += each;
		if (work > MERGE_WORK)
			break;
	}
	free(p.list);
}

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
	qsort(t.best.list, t.best.count, sizeof(*t.best.list), by_piece);
	*cubes = reallocate(NULL, t.best.count, sizeof(**cubes));
	for (size_t i = 0; i < t.best.count; i++)
		(*cubes)[i] = (struct cube){ t.best.list[i].select, ~t.best.list[i].free };
	free(t.best.list);
	return t.best.count;
}
