/* SPDX-License-Identifier: BSD-2-Clause */
/* From a tree to a map */
#pragma once

#include "imc/build_index.h"
#include "imc/count.h"

static inline void *pmumap_imc_block_at_(const struct pmumap_imc_build_ *b, uint32_t offset)
{
	return (char *)b->m + offset;
}

/*
 * In the scratch memory: the offset of each event, sorted in each list, and twice the place of its
 * name in the tree, plus 1 if it has own strings.
 */
static inline uint32_t (*pmumap_imc_pairs_(const struct pmumap_imc_build_ *b))[2]
{
	return (uint32_t(*)[2])pmumap_imc_block_at_(b, b->scratch);
}

static inline const char *pmumap_imc_name_of_pair_(const struct pmumap_imc_build_ *b,
						   const uint32_t *pair)
{
	return (const char *)b->r.w.blob + pair[1] / 2;
}

/* Behind them: own strings, sorted by where the name is in the tree, which is in row. */
static inline struct pmumap_imc_own_ *pmumap_imc_collected_owns_(const struct pmumap_imc_build_ *b)
{
	return (struct pmumap_imc_own_ *)(void *)(pmumap_imc_pairs_(b) + b->events);
}

static inline struct pmumap_imc_unit_row_ *
pmumap_imc_built_units_(const struct pmumap_imc_build_ *b)
{
	return (struct pmumap_imc_unit_row_ *)pmumap_imc_block_at_(b, b->m->units);
}

/* Append a table. Returns its offset; the padding is 0. */
static inline uint32_t pmumap_imc_append_(struct pmumap_imc *m, uint32_t bytes)
{
	uint32_t at = m->head.size;

	m->head.size += (bytes + 7) & ~7u;
	if (bytes)
		*(uint64_t *)(void *)((char *)m + m->head.size - 8) = 0;
	return at;
}

/* Copy n bytes into the map. */
static inline void pmumap_imc_copy_(struct pmumap_imc *m, uint32_t at, const unsigned char *from,
				    uint32_t n)
{
	unsigned char *to = (unsigned char *)m + at;

	for (; n; n--) {
		*to++ = *from++;
		PMUMAP_NO_LIBCALL_();
	}
}

/* Append a string of the tree, by its offset there. Returns its offset. */
static inline uint32_t pmumap_imc_append_string_(struct pmumap_imc_build_ *b, uint32_t string)
{
	const unsigned char *text = b->r.w.blob + string;
	uint32_t n = pmumap_imc_text_bytes_((const char *)text);
	uint32_t at = pmumap_imc_append_(b->m, n + 1);

	pmumap_imc_copy_(b->m, at, text, n);
	return at;
}

/* The same for a scale, measure or description, if any: often it is the last one of its kind. */
static inline uint32_t pmumap_imc_keep_string_(struct pmumap_imc_build_ *b, uint32_t string,
					       uint32_t *last)
{
	const char *text = (const char *)b->r.w.blob + string;
	const char *old = (const char *)pmumap_imc_block_at_(b, *last);

	if (string == 0)
		return 0;
	while (*text && *text == *old) {
		text++;
		old++;
	}
	if (*text != *old)
		*last = pmumap_imc_append_string_(b, string);
	return *last;
}

/* The offset in the tree of a string that is kept; 0 if it is absent or empty. */
static inline uint32_t pmumap_imc_tree_offset_(const struct pmumap_imc_build_ *b, const char *text)
{
	return text && *text ? (uint32_t)((const unsigned char *)text - b->r.w.blob) : 0;
}

/* Collect the current unit: strings by their offsets in the tree, and its list in first. */
static inline void pmumap_imc_collect_unit_(struct pmumap_imc_build_ *b,
					    const struct pmumap_imc_unit *u,
					    const struct pmumap_imc_chip_cells_ *chips)
{
	struct pmumap_imc_unit_row_ *row = pmumap_imc_built_units_(b) + b->m->unit_count++;
	struct pmumap_imc_list_ *list;

	(void)pmumap_imc_list_of_unit_(b, &list);
	row->name = (uint32_t)((const unsigned char *)u->name - b->r.w.blob);
	row->prefix = pmumap_imc_tree_offset_(b, u->prefix);
	row->scale = pmumap_imc_tree_offset_(b, u->scale);
	row->measure = pmumap_imc_tree_offset_(b, u->measure);
	row->reg = u->reg;
	row->size = u->size;
	row->offset = u->offset;
	row->control = u->control;
	row->first = list ? (uint32_t)(list - b->lists) : PMUMAP_IMC_NONE_;
	row->events = u->chips ? (uint32_t)(chips->chips - b->r.w.blob) : 0;
	row->chips = u->chips ? (uint32_t)(chips->bases - b->r.w.blob) : 0;
	row->chip_count = u->chips;
	row->type = (uint16_t)u->type;
	row->prefix_bytes = (uint16_t)pmumap_imc_text_bytes_(u->prefix);
}

/* Collect the current event, which has number n. */
static inline void pmumap_imc_collect_event_(struct pmumap_imc_build_ *b,
					     const struct pmumap_imc_event *e, uint32_t n)
{
	struct pmumap_imc_own_ *own = pmumap_imc_collected_owns_(b) + b->owns;
	uint32_t *pair = pmumap_imc_pairs_(b)[n];

	own->row = (uint32_t)((const unsigned char *)e->name - b->r.w.blob);
	pair[0] = e->offset;
	pair[1] = 2 * own->row;
	own->scale = pmumap_imc_tree_offset_(b, e->scale);
	own->measure = pmumap_imc_tree_offset_(b, e->measure);
	own->desc = pmumap_imc_tree_offset_(b, e->desc);
	if (own->scale | own->measure | own->desc) {
		pair[1]++;
		b->owns++;
	}
}

/* Walk over the tree again and collect units, and the events of lists that are used. */
static inline void pmumap_imc_collect_(struct pmumap_imc_build_ *b, const void *fdt,
				       size_t fdt_size)
{
	struct pmumap_imc_chip_cells_ chips;
	struct pmumap_imc_unit u;
	struct pmumap_imc_event e;
	uint32_t n = 0, i;
	int more, format;

	(void)pmumap_imc_begin_(&b->r, fdt, fdt_size, b->r.opt);
	b->owns = 0;
	while ((more = pmumap_imc_next_(&b->r)) > 0) {
		if (more == PMUMAP_IMC_EVENT_) {
			if (b->list && b->list->users && pmumap_imc_read_event_(b, &e))
				pmumap_imc_collect_event_(b, &e, n++);
			continue;
		}
		b->list = 0;
		format = pmumap_imc_format_(&b->r, &u.type);
		if (format == PMUMAP_IMC_NO_UNIT_) {
			(void)pmumap_imc_begin_list_(b);
			if (b->list)
				b->list->first = n;
		} else if (format != PMUMAP_IMC_UNREAD_ &&
			   pmumap_imc_describe_unit_(&b->r, format, u.type, &u, &chips) ==
				   PMUMAP_IMC_KEPT_) {
			pmumap_imc_collect_unit_(b, &u, &chips);
		}
	}
	for (i = 0; i < b->list_count; i++) {
		if (b->lists[i].users)
			pmumap_sort_pairs_(pmumap_imc_pairs_(b) + b->lists[i].first,
					   b->lists[i].events, 0, 0);
	}
}

/* Count the events of its list that a unit keeps: the first ones, up to the end of its window. */
static inline void pmumap_imc_count_kept_(struct pmumap_imc_build_ *b,
					  struct pmumap_imc_unit_row_ *u)
{
	const struct pmumap_imc_list_ *list = b->lists + u->first;
	uint32_t last = 0xffffffffu, at; /* last: the place of the last counter */

	u->events = 0;
	if (u->first == PMUMAP_IMC_NONE_ || list->events == 0)
		return;
	u->first = at = list->first;
	if (u->type != PMUMAP_IMC_TRACE && u->size) {
		if (u->size < PMUMAP_IMC_COUNTER_BYTES_)
			return;
		last = u->size - PMUMAP_IMC_COUNTER_BYTES_;
	}
	for (; u->events < list->events && u->reg <= last; at++, u->events++) {
		if (pmumap_imc_pairs_(b)[at][0] > last - u->reg)
			break;
		b->m->own_count += pmumap_imc_pairs_(b)[at][1] % 2;
	}
	b->m->names += u->events;
}

/* Append the chips of a unit, unless those of the unit before it are the same. */
static inline void pmumap_imc_append_chips_(struct pmumap_imc_build_ *b,
					    struct pmumap_imc_unit_row_ *u, uint32_t *before,
					    uint32_t *count)
{
	const unsigned char *bases = b->r.w.blob + u->chips, *chips = b->r.w.blob + u->events;
	struct pmumap_imc_chip_row_ *c = (struct pmumap_imc_chip_row_ *)pmumap_imc_block_at_(
		b, b->m->chips);
	uint32_t i = 0;

	u->chips = 0;
	if (u->chip_count == 0)
		return;
	while (u->chip_count == *count && i < *count &&
	       c[*before + i].base == pmumap_load_be64_(bases + 8 * i) &&
	       c[*before + i].chip == pmumap_load_be32_(chips + 4 * i))
		i++;
	if (i < u->chip_count) {
		*before = b->m->chip_count;
		*count = u->chip_count;
		b->m->chip_count += u->chip_count;
		(void)pmumap_imc_append_(b->m, u->chip_count * (uint32_t)sizeof(*c));
		for (i = 0, c += *before; i < u->chip_count; i++, c++) {
			c->base = pmumap_load_be64_(bases + 8 * i);
			c->chip = pmumap_load_be32_(chips + 4 * i);
			c->unused = 0;
		}
	}
	u->chips = *before;
}

/* Count what each unit keeps, and append the tables whose size is then known. */
static inline void pmumap_imc_append_tables_(struct pmumap_imc_build_ *b)
{
	struct pmumap_imc *m = b->m;
	struct pmumap_imc_unit_row_ *u = pmumap_imc_built_units_(b);
	uint32_t i, before = 0, count = 0;

	m->chips = m->head.size;
	for (i = 0; i < m->unit_count; i++, u++) {
		pmumap_imc_append_chips_(b, u, &before, &count);
		pmumap_imc_count_kept_(b, u);
	}
	m->rows = pmumap_imc_append_(m, m->names * (uint32_t)sizeof(struct pmumap_imc_row_));
	for (m->shift = 63; m->shift > 48 && m->names >> (64 - m->shift); m->shift--)
		;
	m->multiplier = PMUMAP_IMC_HASH_;
	m->by_name = pmumap_imc_append_(m, 4 * m->names);
	m->name_starts = pmumap_imc_append_(m, 2 * ((1u << (64 - m->shift)) + 1));
	m->by_offset = pmumap_imc_append_(m, 2 * m->names);
	m->offset_starts = pmumap_imc_append_(m, 2 * (m->names + 2));
	m->owns = pmumap_imc_append_(m, m->own_count * (uint32_t)sizeof(struct pmumap_imc_own_));
}

/* The own strings of the event whose name is here in the tree. */
static inline const struct pmumap_imc_own_ *
pmumap_imc_collected_own_(const struct pmumap_imc_build_ *b, uint32_t name)
{
	const struct pmumap_imc_own_ *own = pmumap_imc_collected_owns_(b);
	uint32_t n;

	for (n = b->owns; n > 1; n -= n / 2)
		own += own[n / 2].row <= name ? n / 2 : 0;
	return own;
}

/* Add the rows of a unit. prefix: in the tree; first: its first row; own: its next own strings. */
static inline struct pmumap_imc_own_ *
pmumap_imc_add_rows_(struct pmumap_imc_build_ *b, const struct pmumap_imc_unit_row_ *u,
		     uint32_t prefix, uint32_t first, struct pmumap_imc_own_ *own)
{
	struct pmumap_imc_row_ *rows =
		(struct pmumap_imc_row_ *)pmumap_imc_block_at_(b, b->m->rows);
	uint32_t i, n;

	for (i = 0; i < u->events; i++) {
		const uint32_t *pair = pmumap_imc_pairs_(b)[u->first + i];
		const char *name = pmumap_imc_name_of_pair_(b, pair);
		struct pmumap_imc_row_ *row = rows + first + i;

		n = pmumap_imc_text_bytes_(name);
		row->name = pmumap_imc_append_(b->m, u->prefix_bytes + n + 1);
		row->offset = u->reg + pair[0];
		row->unit = (uint16_t)(u - pmumap_imc_built_units_(b));
		row->length = (uint16_t)(u->prefix_bytes + n);
		pmumap_imc_copy_(b->m, row->name, b->r.w.blob + prefix, u->prefix_bytes);
		pmumap_imc_copy_(b->m, row->name + u->prefix_bytes,
				 (const unsigned char *)name, n);
		if (pair[1] % 2 == 0)
			continue;
		*own = *pmumap_imc_collected_own_(b, pair[1] / 2);
		own++->row = first + i;
	}
	return own;
}

/* Copy all strings, and fill the rows. */
static inline void pmumap_imc_fill_(struct pmumap_imc_build_ *b)
{
	struct pmumap_imc *m = b->m;
	struct pmumap_imc_unit_row_ *u = pmumap_imc_built_units_(b);
	struct pmumap_imc_own_ *own = pmumap_imc_collected_owns_(b);
	uint32_t i, first = 0, prefix, lowest;

	m->lowest = 256;
	m->strings = pmumap_imc_append_(m, 8); /* an empty string */
	for (i = 0; i < 3; i++)
		b->last[i] = m->strings;
	for (i = 0; i < b->owns; i++, own++) {
		own->scale = pmumap_imc_keep_string_(b, own->scale, &b->last[0]);
		own->measure = pmumap_imc_keep_string_(b, own->measure, &b->last[1]);
		own->desc = pmumap_imc_keep_string_(b, own->desc, &b->last[2]);
	}
	own = (struct pmumap_imc_own_ *)pmumap_imc_block_at_(b, m->owns);
	for (i = 0; i < m->unit_count; i++, u++) {
		u->name = pmumap_imc_append_string_(b, u->name);
		lowest = pmumap_imc_lowest_(m, u);
		m->lowest = lowest < m->lowest ? lowest : m->lowest;
		prefix = u->prefix;
		u->prefix = prefix ? pmumap_imc_append_string_(b, prefix) : m->strings;
		u->scale = pmumap_imc_keep_string_(b, u->scale, &b->last[0]);
		u->measure = pmumap_imc_keep_string_(b, u->measure, &b->last[1]);
		own = pmumap_imc_add_rows_(b, u, prefix, first, own);
		u->first = first;
		first += u->events;
	}
	(void)pmumap_imc_append_(m, 8); /* a string that ends the others */
	m->string_bytes = m->head.size - m->strings;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_imc_options *opt,
						     size_t *bytes)
{
	struct pmumap_imc_build_ b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	status = pmumap_imc_count_(&b, fdt, fdt_size, opt);
	*bytes = status == PMUMAP_OK ? (size_t)b.need : 0;
	return status;
}

/* Begin a map, and collect the units and lists of a tree in the block. */
static inline enum pmumap_status pmumap_imc_collect_tree_(struct pmumap_imc_build_ *b,
							  const void *fdt, size_t fdt_size,
							  const struct pmumap_imc_options *opt,
							  void *mem, size_t bytes)
{
	enum pmumap_status status;

	if (!fdt || !mem || (size_t)mem % 8 ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), mem, bytes))
		return PMUMAP_E_ARG;
	status = pmumap_imc_count_(b, fdt, fdt_size, opt);
	if (status != PMUMAP_OK)
		return status;
	if (bytes < b->need)
		return PMUMAP_E_NOSPACE;
	b->m = (struct pmumap_imc *)mem;
	pmumap_zero_words_(b->m, sizeof(*b->m));
	b->m->head.size = sizeof(*b->m);
	b->m->units = pmumap_imc_append_(
		b->m, b->units * (uint32_t)sizeof(struct pmumap_imc_unit_row_));
	pmumap_imc_collect_(b, fdt, fdt_size);
	return PMUMAP_OK;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_imc_fdt_build(const void *fdt, size_t fdt_size, const struct pmumap_imc_options *opt,
		     void *mem, size_t bytes, const struct pmumap_imc **map)
{
	struct pmumap_imc_build_ b;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_imc_collect_tree_(&b, fdt, fdt_size, opt, mem, bytes);
	if (status != PMUMAP_OK)
		return status;
	pmumap_imc_append_tables_(&b);
	pmumap_imc_fill_(&b);
	pmumap_imc_sort_offsets_(b.m, pmumap_imc_pairs_(&b));
	pmumap_imc_sort_names_(b.m, pmumap_imc_pairs_(&b));
	b.m->head.version = PMUMAP_IMAGE_VERSION;
	b.m->head.magic = PMUMAP_IMC_MAGIC;
	*map = b.m;
	return PMUMAP_OK;
}
