/* SPDX-License-Identifier: BSD-2-Clause */
/* Fill the tables of a map from what was collected */
#pragma once

#include "imc/build_index.h"
#include "imc/collect.h"

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

/* The same for a string that may be absent: 0. */
static inline uint32_t pmumap_imc_keep_string_(struct pmumap_imc_build_ *b, uint32_t string)
{
	return string ? pmumap_imc_append_string_(b, string) : 0;
}

/* Count the events of its list that a unit keeps: the first ones, up to the end of its window. */
static inline void pmumap_imc_count_kept_(struct pmumap_imc_build_ *b,
					  struct pmumap_imc_unit_row_ *u)
{
	const struct pmumap_imc_list_ *list;
	uint32_t last = 0xffffffffu, at; /* last: the place of the last counter */

	u->events = 0;
	if (u->first == PMUMAP_IMC_NONE_)
		return;
	list = b->lists + u->first;
	if (list->events == 0)
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
	struct pmumap_imc_chip_row_ *c =
		(struct pmumap_imc_chip_row_ *)pmumap_imc_block_at_(b, b->m->chips);
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
static inline struct pmumap_imc_own_ *pmumap_imc_add_rows_(struct pmumap_imc_build_ *b,
							   const struct pmumap_imc_unit_row_ *u,
							   uint32_t prefix, uint32_t first,
							   struct pmumap_imc_own_ *own)
{
	struct pmumap_imc_row_ *rows =
		(struct pmumap_imc_row_ *)pmumap_imc_block_at_(b, b->m->rows);
	const struct pmumap_imc_own_ *collected;
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
		pmumap_imc_copy_(b->m, row->name + u->prefix_bytes, (const unsigned char *)name, n);
		if (pair[1] % 2 == 0)
			continue;
		collected = pmumap_imc_collected_own_(b, pair[1] / 2);
		own->row = first + i;
		own->scale = collected->scale;
		own->measure = collected->measure;
		own++->desc = collected->desc;
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
	for (i = 0; i < b->owns; i++, own++) {
		own->scale = pmumap_imc_keep_string_(b, own->scale);
		own->measure = pmumap_imc_keep_string_(b, own->measure);
		own->desc = pmumap_imc_keep_string_(b, own->desc);
	}
	own = (struct pmumap_imc_own_ *)pmumap_imc_block_at_(b, m->owns);
	for (i = 0; i < m->unit_count; i++, u++) {
		u->name = pmumap_imc_append_string_(b, u->name);
		lowest = pmumap_imc_lowest_(m, u);
		m->lowest = lowest < m->lowest ? lowest : m->lowest;
		prefix = u->prefix;
		u->prefix = prefix ? pmumap_imc_append_string_(b, prefix) : m->strings;
		u->scale = pmumap_imc_keep_string_(b, u->scale);
		u->measure = pmumap_imc_keep_string_(b, u->measure);
		own = pmumap_imc_add_rows_(b, u, prefix, first, own);
		u->first = first;
		first += u->events;
	}
	(void)pmumap_imc_append_(m, 8); /* a string that ends the others */
	m->string_bytes = m->head.size - m->strings;
}
