/* SPDX-License-Identifier: BSD-2-Clause */
/* From what was collected of a tree to a map */
#pragma once

#include "imc/collect.h"
#include "imc/find.h"
#include "imc/open.h"

/* Append a string of the tree, or "" for place 0. Returns its offset. */
static inline uint32_t pmumap_imc_put_(const struct pmumap_imc_build_ *b, uint32_t place)
{
	uint32_t at = b->m->head.size;
	const unsigned char *from = b->w.blob + place;
	char *to = (char *)b->m + at;

	*to = 0;
	while (place && (*to = (char)*from++) != 0) {
		to++;
		PMUMAP_NO_LIBCALL_();
	}
	b->m->head.size = (uint32_t)(to + 1 - (char *)b->m);
	return at;
}

/* Pad the map with zeros. */
static inline void pmumap_imc_pad_(const struct pmumap_imc_build_ *b)
{
	while (b->m->head.size % 8)
		(void)pmumap_imc_put_(b, 0);
}

/* How many events of its list a unit keeps: those up to the end of its window. */
static inline uint32_t pmumap_imc_count_kept_(const struct pmumap_imc_build_ *b,
					      const struct pmumap_imc_unit_row_ *u)
{
	const struct pmumap_imc_list_ *list = b->lists;
	uint64_t end = u->type != PMUMAP_IMC_TRACE && u->size ? u->size : 0x100000007u;
	uint32_t n = 0, at;

	if (u->first == PMUMAP_IMC_NONE_)
		return 0;
	list += u->first;
	for (at = list->first; n < list->events; n++, at++) {
		if (PMUMAP_IMC_PAIRS_(b)[at][0] + (uint64_t)u->reg + PMUMAP_IMC_COUNTER_BYTES_ >
		    end)
			break;
	}
	return n;
}

/* Append a row, and the strings of its event. */
static inline void pmumap_imc_add_row_(const struct pmumap_imc_build_ *b, uint32_t unit,
				       uint32_t prefix, const uint32_t *pair)
{
	struct pmumap_imc *m = b->m;
	struct pmumap_imc_row_ *row = PMUMAP_IMC_ROWS_(m) + m->names++;
	uint32_t(*own)[PMUMAP_IMC_STRINGS_] = PMUMAP_IMC_OWNS_(b);
	uint32_t n;

	row->name = pmumap_imc_put_(b, prefix);
	m->head.size--; /* the name follows */
	(void)pmumap_imc_put_(b, pair[1] / 2);
	row->offset = PMUMAP_IMC_UNITS_(m)[unit].reg + pair[0];
	row->unit = (uint16_t)unit;
	row->length = (uint16_t)(m->head.size - row->name - 1);
	if (PMUMAP_IMC_UNITS_(m)[unit].own) {
		for (n = b->owned; n > 1; n -= n / 2)
			own += own[n / 2][0] <= pair[1] / 2 ? n / 2 : 0;
		for (n = 1; n < PMUMAP_IMC_STRINGS_; n++)
			(void)pmumap_imc_put_(b, pair[1] % 2 ? (*own)[n] : 0);
	}
	pmumap_imc_pad_(b);
}

/* Complete a unit that was collected. */
static inline void pmumap_imc_fill_unit_(const struct pmumap_imc_build_ *b, uint32_t unit)
{
	struct pmumap_imc *m = b->m;
	struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(b->m) + unit;
	struct pmumap_imc_chip_row_ *c = PMUMAP_IMC_CHIPS_(m) + m->chip_count;
	uint32_t prefix = u->prefix, i, n = pmumap_imc_count_kept_(b, u);
	const struct pmumap_imc_list_ *list = b->lists + (n ? u->first : 0);

	for (i = 0; i < u->chip_count; i++, c++) {
		c->base = pmumap_load_be64_(b->w.blob + u->chips + 8 * i);
		c->chip = pmumap_load_be32_(b->w.blob + u->events + 4 * i);
		c->unused = 0;
	}
	u->chips = m->chip_count;
	m->chip_count += i;
	i = b->w.blob[u->name];
	if (i < m->lowest)
		m->lowest = i == '@' ? 0 : i; /* its spelling may be empty, before a slash */
	u->name = pmumap_imc_put_(b, u->name);
	u->prefix = pmumap_imc_put_(b, prefix);
	u->scale = u->scale ? pmumap_imc_put_(b, u->scale) : 0;
	u->measure = u->measure ? pmumap_imc_put_(b, u->measure) : 0;
	pmumap_imc_pad_(b);
	u->own = n && list->owns;
	u->first = m->names;
	u->events = n;
	for (i = 0; i < n; i++)
		pmumap_imc_add_row_(b, unit, prefix, PMUMAP_IMC_PAIRS_(b)[list->first + i]);
}

/* Order rows by name, then longer prefixes first. */
static inline int pmumap_imc_order_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	const struct pmumap_imc_row_ *x = PMUMAP_IMC_ROWS_(m) + a, *y = PMUMAP_IMC_ROWS_(m) + b;
	int order = pmumap_imc_compare_(m, a, PMUMAP_IMC_BYTES_(m, y->name), y->length);

	return order ? order
		     : (int)PMUMAP_IMC_UNITS_(m)[y->unit].prefix_bytes -
			       (int)PMUMAP_IMC_UNITS_(m)[x->unit].prefix_bytes;
}

#define PMUMAP_IMC_NEAR_ 16u /* with a larger bucket of names, bisect all of them */

/* Append all rows sorted by name, otherwise by offset, and where buckets begin. */
static inline void pmumap_imc_sort_(struct pmumap_imc *m, int by_name, uint32_t (*pairs)[2])
{
	const struct pmumap_imc_row_ *row = PMUMAP_IMC_ROWS_(m);
	uint32_t buckets = by_name ? 1u << (64 - m->shift) : m->names + 1;
	uint32_t order = pmumap_imc_append_(m, m->names * (by_name ? 4 : 2));
	uint32_t table = pmumap_imc_append_(m, 2 * (buckets + 1)), bucket = 0, i;
	uint16_t *to = PMUMAP_IMC_NUMBERS_(m, order);
	uint16_t *starts = PMUMAP_IMC_NUMBERS_(m, table);
	uint64_t hash;

	for (i = 0; i < m->names; i++, row++) {
		hash = pmumap_imc_hash_(m, PMUMAP_IMC_BYTES_(m, row->name), row->length);
		pairs[i][0] = by_name ? PMUMAP_IMC_BUCKET_(m, hash) << 16 | PMUMAP_IMC_TAG_(hash)
				      : row->offset * PMUMAP_IMC_MIX_OFFSET_;
		pairs[i][1] = i;
	}
	pmumap_sort_pairs_(pairs, m->names, by_name ? pmumap_imc_order_names_ : 0, m);
	for (i = 0; i < m->names; i++) {
		while (bucket <=
		       (by_name ? pairs[i][0] >> 16 : PMUMAP_IMC_OFFSET_BUCKET_(m, pairs[i][0])))
			starts[bucket++] = (uint16_t)i;
		if (by_name)
			*to++ = (uint16_t)pairs[i][0];
		*to++ = (uint16_t)pairs[i][1];
		if (by_name && i >= PMUMAP_IMC_NEAR_ &&
		    pairs[i][0] >> 16 == pairs[i - PMUMAP_IMC_NEAR_][0] >> 16)
			m->bisect = ~(uint64_t)0;
	}
	while (bucket <= buckets)
		starts[bucket++] = (uint16_t)i;
	*(by_name ? &m->by_name : &m->by_offset) = order;
	*(by_name ? &m->name_starts : &m->offset_starts) = table;
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

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_imc_fdt_build(const void *fdt, size_t fdt_size, const struct pmumap_imc_options *opt,
		     void *mem, size_t bytes, const struct pmumap_imc **map)
{
	struct pmumap_imc_build_ b;
	struct pmumap_imc *m;
	enum pmumap_status status;
	uint32_t i;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_imc_collect_tree_(&b, fdt, fdt_size, opt, mem, bytes);
	if (status != PMUMAP_OK)
		return status;
	m = b.m;
	m->chips = pmumap_imc_append_(m, b.chips * (uint32_t)sizeof(struct pmumap_imc_chip_row_));
	m->rows = pmumap_imc_append_(m, b.names * (uint32_t)sizeof(struct pmumap_imc_row_));
	m->strings = m->head.size;
	m->lowest = 'n'; /* of Linux's names */
	for (i = 0; i < m->unit_count; i++)
		pmumap_imc_fill_unit_(&b, i);
	pmumap_zero_words_(PMUMAP_IMC_ROWS_(m) + m->names,
			   (b.names - m->names) * sizeof(struct pmumap_imc_row_));
	(void)pmumap_imc_append_(m, 8); /* a string that ends the others */
	m->string_bytes = m->head.size - m->strings;
	m->multiplier = 0x9e3779b97f4a7c15u;
	m->bisect = 9;
	for (m->shift = 63; m->names >> (64 - m->shift); m->shift--)
		;
	pmumap_imc_sort_(m, 0, PMUMAP_IMC_PAIRS_(&b));
	pmumap_imc_sort_(m, 1, PMUMAP_IMC_PAIRS_(&b));
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.magic = PMUMAP_IMC_MAGIC;
	*map = m;
	return PMUMAP_OK;
}
