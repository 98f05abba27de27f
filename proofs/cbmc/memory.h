/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Model of a build's block: each entry and each table is a separate object of its own type, so that
 * a solver sees at once what a pointer refers to, and that no access leaves it. The place of a
 * table in the block is counted: it must never reach what is above it. Sorts and strings do what
 * sort.c and pool.c prove about them.
 *
 * Before including this, define entries[] and their kinds[], ROOM, and BUILDER, the builder's type.
 */
#ifndef MEMORY_H
#define MEMORY_H

#define ENTRIES (sizeof(kinds) / sizeof(kinds[0]))

static struct BUILDER builder;

/* Addresses only: the block up to the entries, with the counted need of a build. */
static unsigned char room[ROOM];
static struct pmumap_pool_ *pool; /* once there is one */

/* The map ends below everything in use above it. */
static void place(const struct pmumap_head_ *m)
{
	const unsigned char *top = pool ? pool->top : room + ROOM;

	prove(m->size <= (size_t)(top - room));
}

/* For pmumap_entries_add_(), with the same count. */
void *add_entry(struct pmumap_entries_ *e, uint32_t kind)
{
	uint32_t i = e->count++;

	prove(i < ENTRIES && (kind & ~PMUMAP_POOL_ENTRY_FLAGS_) == kinds[i]);
	e->need += sizeof(struct pmumap_pool_entry_);
	((struct pmumap_pool_entry_ *)entries[i])->kind = kind;
	return entries[i];
}

/* For pmumap_entries_at_(): the requested entry was added. */
void *entry(const struct pmumap_entries_ *e, uint32_t i)
{
	prove(i < e->count && e->count <= ENTRIES);
	return entries[i];
}

/* For pmumap_entries_kind_(): a build does not change it. */
uint32_t entry_kind(const struct pmumap_entries_ *e, uint32_t i)
{
	prove(i < e->count);
	return kinds[i];
}

/* For pmumap_entries_end_(): the scratch tables below. */
void *rows(const struct pmumap_entries_ *e)
{
	return (void *)(room + ROOM);
}

/* For pmumap_pool_scratch_() */
uint32_t *scratch(struct pmumap_pool_ *p, uint32_t count)
{
	pool = p;
	prove(count * sizeof(uint32_t) <= (size_t)(p->top - room));
	p->top -= count * sizeof(uint32_t);
	place(p->m);
	return (uint32_t *)__CPROVER_allocate(count * sizeof(uint32_t), 0);
}

/* Counts a table of the map, for pmumap_append_table_(). */
static void append(void *map, uint32_t *offset, uint32_t bytes)
{
	struct pmumap_head_ *m = (struct pmumap_head_ *)map;

	if (offset)
		*offset = m->size;
	m->size += (bytes + 7) & ~7u;
	place(m);
}

/* For pmumap_pad_image_() */
void pad(void *map)
{
	struct pmumap_head_ *m = (struct pmumap_head_ *)map;

	m->size = (m->size + 7) & ~7u;
	place(m);
}

/* For pmumap_pool_begin_texts_() */
void begin_texts(struct pmumap_pool_ *p)
{
	p->empty = p->m->size++;
	place(p->m);
}

/* For pmumap_pool_keep_text_(): there is room for it in block and table; its place is arbitrary. */
uint32_t keep_text(struct pmumap_pool_ *p, const char *text)
{
	static uint32_t texts;
	uint32_t bytes = 0, at = p->m->size;

	while (text[bytes])
		bytes++;
	if (!bytes)
		return p->empty;
	prove(++texts <= p->table_size / 2);
	p->m->size += bytes + 1;
	place(p->m);
	if (nondet_u8() & 1)
		return at;
	p->m->size = at;
	at = nondet_u32();
	assume(at >= p->empty && at < p->m->size);
	return at;
}

/* For pmumap_sort_numbers_(), of up to two. */
void sort(uint32_t *at, uint32_t n, uint32_t *spare, pmumap_order_fn_ *order, const void *context)
{
	uint32_t first;

	prove(n <= 2 && (n < 2 || __CPROVER_w_ok(spare, n * sizeof(*spare))));
	if (n < 2)
		return;
	first = at[0];
	if (order(context, first, at[1]) > 0) {
		at[0] = at[1];
		at[1] = first;
	}
}

#endif /* MEMORY_H */
