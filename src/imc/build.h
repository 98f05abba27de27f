/* SPDX-License-Identifier: BSD-2-Clause */
/* From what was collected of a tree to a map */
#pragma once

#include "imc/collect.h"
#include "imc/list.h"

/* Append a string of the tree. Returns its offset; 0 for offset 0. */
static inline uint32_t pmumap_imc_keep_string_(struct pmumap_imc_build_ *b, uint32_t string)
{
	uint32_t n = pmumap_imc_text_bytes_(b, string), at;

	if (string == 0)
		return 0;
	at = pmumap_imc_append_(b->m, n + 1);
	pmumap_imc_copy_((char *)b->m + at, b->w.blob + string, n);
	return at;
}

/* Count the events of its list that a unit keeps: the first ones, up to the end of its window. */
static inline void pmumap_imc_count_kept_(struct pmumap_imc_build_ *b,
					  struct pmumap_imc_unit_row_ *u)
{
	const struct pmumap_imc_list_ *list;
	uint64_t end = (uint64_t)0xffffffffu + PMUMAP_IMC_COUNTER_BYTES_;
	uint32_t *pair;

	u->events = 0;
	if (u->first == PMUMAP_IMC_NONE_)
		return;
	list = b->lists + u->first;
	u->first = list->first;
	if (u->type != PMUMAP_IMC_TRACE && u->size)
		end = u->size;
	for (; u->events < list->events; u->events++) {
		pair = &PMUMAP_IMC_PAIRS_(b)[u->first + u->events][0];
		if ((uint64_t)u->reg + pair[0] + PMUMAP_IMC_COUNTER_BYTES_ > end)
			break;
		b->m->own_count += pair[1] % 2;
	}
	b->m->names += u->events;
}

/* Append the chips of units, and the tables whose size is known by what each unit keeps. */
static inline void pmumap_imc_append_tables_(struct pmumap_imc_build_ *b)
{
	struct pmumap_imc *m = b->m;
	struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_BUILT_(b);
	uint32_t i, k, n, same, before = 0;
	struct pmumap_imc_chip_row_ *c =
		PMUMAP_IMC_AT_(m, struct pmumap_imc_chip_row_, m->chips = m->head.size);

	for (i = 0; i < m->unit_count; i++, u++) {
		n = u->chip_count;
		(void)pmumap_imc_append_(m, n * (uint32_t)sizeof(*c));
		/* Units with the same chips as the last one with chips share them. */
		for (k = 0, same = n == before; k < n; k++, c++) {
			c->base = pmumap_load_be64_(b->w.blob + u->chips + 8 * k);
			c->chip = pmumap_load_be32_(b->w.blob + u->events + 4 * k);
			c->unused = 0;
			same = same && c->base == (c - n)->base && c->chip == (c - n)->chip;
		}
		if (n && same) {
			c -= n;
			m->head.size -= n * (uint32_t)sizeof(*c);
		} else if (n) {
			m->chip_count += before = n;
		}
		u->chips = n ? m->chip_count - n : 0;
		pmumap_imc_count_kept_(b, u);
	}
	m->rows = pmumap_imc_append_(m, m->names * (uint32_t)sizeof(struct pmumap_imc_row_));
	for (m->shift = 63; m->names >> (64 - m->shift); m->shift--)
		;
	m->multiplier = 0x9e3779b97f4a7c15u;
	m->by_name = pmumap_imc_append_(m, 4 * m->names);
	m->name_starts = pmumap_imc_append_(m, 2 * ((1u << (64 - m->shift)) + 1));
	m->by_offset = pmumap_imc_append_(m, 2 * m->names);
	m->offset_starts = pmumap_imc_append_(m, 2 * (m->names + 2));
	m->owns = pmumap_imc_append_(m, m->own_count * (uint32_t)sizeof(struct pmumap_imc_own_));
}

/* Copy all strings, and fill the rows. */
static inline void pmumap_imc_fill_(struct pmumap_imc_build_ *b)
{
	struct pmumap_imc *m = b->m;
	struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_BUILT_(b);
	struct pmumap_imc_own_ *own = PMUMAP_IMC_EVENT_OWNS_(b), *e;
	struct pmumap_imc_row_ *row = PMUMAP_IMC_AT_(m, struct pmumap_imc_row_, m->rows);
	uint32_t i, k, n, first = 0, prefix, lowest, *pair;
	char *text;

	m->lowest = 256;
	m->strings = pmumap_imc_append_(m, 8); /* an empty string */
	for (i = 0; i < b->owned; i++, own++) {
		own->scale = pmumap_imc_keep_string_(b, own->scale);
		own->measure = pmumap_imc_keep_string_(b, own->measure);
		own->desc = pmumap_imc_keep_string_(b, own->desc);
	}
	own = PMUMAP_IMC_AT_(b->m, struct pmumap_imc_own_, m->owns);
	for (i = 0; i < m->unit_count; i++, u++) {
		lowest = b->w.blob[u->name];
		if (lowest == 0 || lowest == '@')
			lowest = '/'; /* behind an empty name */
		if (u->type == PMUMAP_IMC_NEST && lowest > 'n')
			lowest = 'n'; /* of Linux's name */
		m->lowest = lowest < m->lowest ? lowest : m->lowest;
		u->name = pmumap_imc_keep_string_(b, u->name);
		prefix = u->prefix;
		u->prefix = prefix ? pmumap_imc_keep_string_(b, prefix) : m->strings;
		u->scale = pmumap_imc_keep_string_(b, u->scale);
		u->measure = pmumap_imc_keep_string_(b, u->measure);
		for (k = 0; k < u->events; k++, row++) {
			pair = &PMUMAP_IMC_PAIRS_(b)[u->first + k][0];
			n = pmumap_imc_text_bytes_(b, pair[1] / 2);
			row->name = pmumap_imc_append_(m, u->prefix_bytes + n + 1);
			text = (char *)m + row->name;
			row->offset = u->reg + pair[0];
			row->unit = (uint16_t)i;
			row->length = (uint16_t)(u->prefix_bytes + n);
			pmumap_imc_copy_(text, b->w.blob + prefix, u->prefix_bytes);
			pmumap_imc_copy_(text + u->prefix_bytes, b->w.blob + pair[1] / 2, n);
			if (pair[1] % 2) {
				e = PMUMAP_IMC_EVENT_OWNS_(b);
				for (n = b->owned; n > 1; n -= n / 2)
					e += e[n / 2].row <= pair[1] / 2 ? n / 2 : 0;
				pmumap_imc_copy_(own, e, sizeof(*e));
				own->row = first + k;
				own++;
			}
		}
		u->first = first;
		first += u->events;
	}
	(void)pmumap_imc_append_(m, 8); /* a string that ends the others */
	m->string_bytes = m->head.size - m->strings;
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

/* Sort all rows by name, otherwise by offset. pairs: scratch memory for all of them. */
static inline void pmumap_imc_sort_(struct pmumap_imc *m, int by_name, uint32_t (*pairs)[2])
{
	const struct pmumap_imc_row_ *row = PMUMAP_IMC_ROWS_(m);
	uint16_t *to = (uint16_t *)(void *)((char *)m + (by_name ? m->by_name : m->by_offset));
	uint16_t *starts =
		(uint16_t *)(void *)((char *)m + (by_name ? m->name_starts : m->offset_starts));
	uint32_t buckets = by_name ? 1u << (64 - m->shift) : m->names + 1, bucket = 0, i;
	uint64_t hash;

	for (i = 0; i < m->names; i++, row++) {
		pairs[i][0] = row->offset * PMUMAP_IMC_MIX_OFFSET_;
		pairs[i][1] = i;
		if (by_name) {
			hash = pmumap_imc_hash_(m, PMUMAP_IMC_BYTES_(m, row->name), row->length);
			pairs[i][0] = PMUMAP_IMC_BUCKET_(m, hash) << 16 | PMUMAP_IMC_TAG_(hash);
		}
	}
	pmumap_sort_pairs_(pairs, m->names, by_name ? pmumap_imc_order_names_ : 0, m);
	for (i = 0; i < m->names; i++) {
		while (bucket <=
		       (by_name ? pairs[i][0] >> 16 : PMUMAP_IMC_SHARE_(pairs[i][0], buckets)))
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
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_imc_collect_tree_(&b, fdt, fdt_size, opt, mem, bytes);
	if (status != PMUMAP_OK)
		return status;
	pmumap_imc_append_tables_(&b);
	pmumap_imc_fill_(&b);
	b.m->bisect = PMUMAP_IMC_NEAR_;
	pmumap_imc_sort_(b.m, 0, PMUMAP_IMC_PAIRS_(&b));
	pmumap_imc_sort_(b.m, 1, PMUMAP_IMC_PAIRS_(&b));
	b.m->head.version = PMUMAP_IMAGE_VERSION;
	b.m->head.magic = PMUMAP_IMC_MAGIC;
	*map = b.m;
	return PMUMAP_OK;
}
