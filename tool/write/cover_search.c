/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cover_search.c -- tries all rows for a code that is hard to cover, then repeats with the rest,
 * while the result can still beat the best one.
 */
#include "cover.h"
#include "text/text.h"

#define FEW 64u               /* more codes than this are not searched */
#define CANDIDATES 4096u      /* at most this many rows inside the set */
#define SEARCH_WORK 20000000u /* bounds the search: rows examined in total */

struct candidate {
	struct piece piece;
	uint64_t codes; /* a bit per code */
	unsigned size;
};

int is_scattered(uint64_t select, uint64_t free)
{
	uint64_t above = select & ~((free & (0 - free)) * 2 - 1);

	if (!free)
		return 0;
	above &= 0 - above;
	return above && free > above;
}

void take_if_better(struct task *t, const struct pieces *p)
{
	if (t->best.count && t->best.count <= p->count)
		return;
	t->best.list = reallocate(t->best.list, p->count, sizeof(*p->list));
	memcpy(t->best.list, p->list, p->count * sizeof(*p->list));
	t->best.count = p->count;
}

/* The codes of a row; 0 if the row also has codes outside the set. */
static uint64_t codes_of(const struct task *t, const struct piece *p)
{
	uint64_t codes = 0;

	for (size_t i = 0; i < t->count; i++) {
		if ((t->codes[i] & ~p->free) == p->select)
			codes |= (uint64_t)1 << i;
	}
	return count_bits(p->free) < 7 && count_bits(codes) == 1u << count_bits(p->free) ? codes
											 : 0;
}

static int by_size(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->codes < b->codes ? -1 : a->codes > b->codes;
}

/* Lists all rows inside the set. Each row yields those with one more free bit, above its others. */
static size_t list_candidates(const struct task *t, struct candidate *list)
{
	size_t count = 0;

	for (; count < t->count; count++)
		list[count] = (struct candidate){ { .select = t->codes[count] },
						  (uint64_t)1 << count,
						  1 };
	for (size_t i = 0; i < count; i++) {
		for (unsigned b = 0; b < t->width && count < CANDIDATES; b++) {
			struct candidate c = list[i];

			if (c.piece.free >= t->bits[b] || c.piece.select & t->bits[b])
				continue;
			c.piece.free |= t->bits[b];
			c.codes = codes_of(t, &c.piece);
			c.size = 2 * c.size;
			if (c.codes && !is_scattered(c.piece.select, c.piece.free))
				list[count++] = c;
		}
	}
	qsort(list, count, sizeof(*list), by_size);
	return count;
}

/* A code that is hard to cover: its largest row is among the smallest. */
static uint64_t hardest(const struct candidate *list, size_t count, uint64_t left)
{
	uint64_t covered = 0, last = 0;

	for (size_t i = 0; i < count && covered != left; i++) {
		if (list[i].codes & ~left || !(list[i].codes & ~covered))
			continue;
		last = list[i].codes & ~covered;
		covered |= last;
	}
	return last & (0 - last);
}

/* The choice at one depth: a row for this code, from what is left. tried: the next row to try. */
struct choice {
	uint64_t left, code;
	size_t tried;
};

static void take_choices(struct task *t, const struct candidate *list, const struct choice *choices,
			 size_t count)
{
	struct piece pieces[FEW];
	struct pieces p = { pieces, count };

	for (size_t i = 0; i < count; i++)
		pieces[i] = list[choices[i].tried - 1].piece;
	take_if_better(t, &p);
}

static void search(struct task *t, const struct candidate *list, size_t count)
{
	struct choice at[FEW + 1];
	size_t depth = 0, work = 0;

	at[0].left = ~(uint64_t)0 >> (FEW - t->count);
	at[0].code = hardest(list, count, at[0].left);
	at[0].tried = 0;
	while (work < SEARCH_WORK) {
		struct choice *now = &at[depth];
		uint64_t left;

		while (now->tried < count && (!(list[now->tried].codes & now->code) ||
					      list[now->tried].codes & ~now->left)) {
			now->tried++;
			work++;
		}
		if (now->tried++ == count) {
			if (!depth--)
				return;
			continue;
		}
		left = now->left & ~list[now->tried - 1].codes;
		if (!left)
			take_choices(t, list, at, depth + 1);
		/* a lower bound on the rows still needed */
		if (!left || depth + 1 + (count_bits(left) + list[0].size - 1) / list[0].size >=
				     t->best.count)
			continue;
		at[++depth] = (struct choice){ left, hardest(list, count, left), 0 };
		work += count;
	}
}

void try_search(struct task *t)
{
	struct candidate *list;

	if (t->count > FEW)
		return;
	list = reallocate(NULL, CANDIDATES, sizeof(*list));
	search(t, list, list_candidates(t, list));
	free(list);
}
