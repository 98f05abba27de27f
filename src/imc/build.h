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

/* Whether the counter at an offset in a unit's list ends in the unit's window. */
static inline int pmumap_imc_is_kept_(const struct pmumap_imc_unit_row_ *u, uint32_t offset)
{
	uint64_t end = u->type != PMUMAP_IMC_TRACE && u->size ? u->size : 0x100000007u;

	return offset + (uint64_t)u->reg + PMUMAP_IMC_COUNTER_BYTES_ <= end;
}

/* Append a row, and the strings of its event. */
static inline void pmumap_imc_add_row_(const struct pmumap_imc_build_ *b, uint32_t unit,
				       uint32_t prefix, const uint32_t *pair)
{
	struct pmumap_imc *m = b->m;
	struct pmumap_imc_row_ *row = PMUMAP_IMC_ROWS_(m) + m->names++;
	const uint32_t *strings = &PMUMAP_IMC_EVENTS_(b)[pair[1]][0];
	uint32_t i;

	while (m->head.size % 8)
		(void)pmumap_imc_put_(b, 0);
	row->name = pmumap_imc_put_(b, prefix);
	m->head.size--; /* the name follows */
	(void)pmumap_imc_put_(b, strings[0]);
	row->offset = PMUMAP_IMC_UNITS_(m)[unit].reg + pair[0];
	row->unit = (uint16_t)unit;
	row->length = (uint16_t)(m->head.size - row->name - 1);
	for (i = 1; PMUMAP_IMC_UNITS_(m)[unit].own && i < PMUMAP_IMC_STRINGS_; i++)
		(void)pmumap_imc_put_(b, strings[i]);
}

/* Complete a unit that was collected, with its rows. */
static inline void pmumap_imc_fill_unit_(const struct pmumap_imc_build_ *b, uint32_t unit)
{
	struct pmumap_imc *m = b->m;
	struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m) + unit;
	struct pmumap_imc_chip_row_ *c = PMUMAP_IMC_CHIPS_(m) + m->chip_count;
	const struct pmumap_imc_list_ *list = b->lists + u->first;
	uint32_t(*pairs)[2] = PMUMAP_IMC_PAIRS_(b) + list->first;
	uint32_t prefix = u->prefix, i;

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
	u->own = list->own != 0;
	u->first = m->names;
	for (i = 0; i < list->events && pmumap_imc_is_kept_(u, pairs[i][0]); i++)
		pmumap_imc_add_row_(b, unit, prefix, pairs[i]);
	u->events = i;
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

#define PMUMAP_IMC_NEAR_ 16u /* with more names in a bucket, hash all of them whole */

/* Append all rows sorted by name, otherwise by offset, and where buckets begin. */
static inline void pmumap_imc_sort_(struct pmumap_imc *m, int by_name, uint32_t (*pairs)[2])
{
	const struct pmumap_imc_row_ *row;
	uint32_t buckets = by_name ? 1u << (64 - m->shift) : m->names + 1, key, near, i;
	uint32_t order = pmumap_imc_append_(m, m->names * (by_name ? 4 : 2));
	uint32_t table = pmumap_imc_append_(m, 2 * (buckets + 1));
	uint16_t *to = PMUMAP_IMC_NUMBERS_(m, order), *start = PMUMAP_IMC_NUMBERS_(m, table);
	uint64_t hash;

	pmumap_zero_words_(start, m->head.size - table);
	for (i = 0; i < m->names; i++) {
		row = PMUMAP_IMC_ROWS_(m) + i;
		key = row->offset * PMUMAP_IMC_MIX_OFFSET_;
		near = PMUMAP_IMC_OFFSET_BUCKET_(m, key);
		if (by_name) {
			hash = pmumap_imc_hash_(m, PMUMAP_IMC_BYTES_(m, row->name), row->length);
			near = PMUMAP_IMC_BUCKET_(m, hash);
			key = near << 16 | PMUMAP_IMC_TAG_(hash);
		}
		pairs[i][0] = key;
		pairs[i][1] = i;
		near = ++start[near + 1];
		if (by_name && near > PMUMAP_IMC_NEAR_ && m->whole == 9) {
			m->whole = ~(uint64_t)0;
			pmumap_zero_words_(start, m->head.size - table);
			i = ~0u; /* begin again */
		}
	}
	for (i = 0; i < buckets; i++)
		start[i + 1] = (uint16_t)(start[i + 1] + start[i]);
	pmumap_sort_pairs_(pairs, m->names, by_name ? pmumap_imc_order_names_ : 0, m);
	for (i = 0; i < m->names; i++) {
		if (by_name)
			*to++ = (uint16_t)pairs[i][0];
		*to++ = (uint16_t)pairs[i][1];
	}
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
	m->lowest = (unsigned char)*PMUMAP_IMC_LINUX_NEST_;
	for (i = 0; i < m->unit_count; i++)
		pmumap_imc_fill_unit_(&b, i);
	pmumap_zero_words_(PMUMAP_IMC_ROWS_(m) + m->names,
			   (b.names - m->names) * sizeof(struct pmumap_imc_row_));
	for (i = 0; i < 8 || m->head.size % 8; i++)
		(void)pmumap_imc_put_(&b, 0); /* which ends all other strings */
	m->string_bytes = m->head.size - m->strings;
	m->multiplier = 0x9e3779b97f4a7c15u;
	m->whole = 9;
	for (m->shift = 63; m->names >> (64 - m->shift); m->shift--)
		;
	b.scratch = (uint32_t)b.need - 8 * m->names; /* behind the index */
	pmumap_imc_sort_(m, 0, PMUMAP_IMC_PAIRS_(&b));
	pmumap_imc_sort_(m, 1, PMUMAP_IMC_PAIRS_(&b));
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.magic = PMUMAP_IMC_MAGIC;
	*map = m;
	return PMUMAP_OK;
}
