/* SPDX-License-Identifier: BSD-2-Clause */
/* Build the name index */
#pragma once

#include "imc/build_slots.h"

/* Choose the bits of a slot for event and unit. nth_bit becomes 0 if nth would have no bit. */
static inline void pmumap_imc_choose_slot_bits_(struct pmumap_imc_build_ *w)
{
	uint32_t most = 0, i, unit_bit = 1, nth_bit;

	for (i = 0; i < w->m->unit_count; i++) {
		if (most < pmumap_imc_unit_rows_(w->m)[i].events)
			most = pmumap_imc_unit_rows_(w->m)[i].events;
	}
	while (most && (most - 1) >> unit_bit)
		unit_bit++;
	for (nth_bit = unit_bit; nth_bit < 32; nth_bit++) {
		if ((w->m->unit_count - 1) >> (nth_bit - unit_bit) == 0)
			break;
	}
	w->m->unit_bit = unit_bit;
	w->m->nth_bit = nth_bit < 32 ? nth_bit : 0;
}

/*
 * Hash every full name like pmumap_imc_hash_name_(), a prefix once per unit. Reading by words is
 * safe: the table of units, larger than a word, follows the strings. Returns 0 if a name is too
 * long for an index.
 */
static inline int pmumap_imc_hash_names_(struct pmumap_imc_index_build_ *x)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(x->m);
	uint32_t unit, i, n = 0;

	pmumap_imc_number_names_(x->m, x->numbers);
	for (unit = 0; unit < x->m->unit_count; unit++, u++) {
		struct pmumap_hash_ prefix, h;

		pmumap_hash_begin_(&prefix, x->m->seed);
		pmumap_hash_add_(&prefix, (const char *)pmumap_image_at_(x->m, u->prefix));
		for (i = 0; i < u->events; i++) {
			h.hash = prefix.hash;
			h.word = prefix.word;
			h.bytes = prefix.bytes;
			pmumap_hash_add_words_(&h, pmumap_imc_event_name_(x->m, u->first + i));
			if (h.bytes > PMUMAP_IMC_INDEXED_BYTES_)
				return 0;
			x->hashes[n++] = pmumap_hash_end_(&h);
		}
	}
	return 1;
}

/* Try to build the index with a seed and few or many slots. */
static inline enum pmumap_imc_try_ pmumap_imc_try_index_(struct pmumap_imc_build_ *w, int many,
							 uint32_t seed)
{
	struct pmumap_imc *m = w->m;
	struct pmumap_imc_index_build_ x;
	enum pmumap_imc_try_ result;

	m->seed = seed;
	m->slot_count = many ? 2 * m->names + 32 : m->names + m->names / 48 + 1;
	m->bucket_count = m->names / (many ? 4 : 3) + 1;
	x.m = m;
	x.slots = (uint32_t *)pmumap_append_table_(w->m, &m->slots, m->slot_count * 4);
	x.shifts = (uint16_t *)pmumap_append_table_(w->m, &m->shifts, m->bucket_count * 2);
	x.hashes = (uint64_t *)(void *)((char *)w->m + w->m->head.size);
	x.numbers = (uint32_t *)(x.hashes + m->names);
	x.sorted = x.numbers + m->names;
	x.starts = x.sorted + m->names;
	x.used = (uint8_t *)(x.starts + m->bucket_count + 1);
	x.largest = 0;
	x.shifts_left = PMUMAP_IMC_NAME_SHIFTS_ * m->names + PMUMAP_IMC_SHIFTS_;
	if (!pmumap_imc_hash_names_(&x))
		return PMUMAP_IMC_NEVER_;
	result = pmumap_imc_sort_by_bucket_(&x);
	return result == PMUMAP_IMC_DONE_ ? pmumap_imc_fill_slots_(&x) : result;
}

/*
 * Append the length of each event's name. Returns 0 if one is too long for an index; reads no more
 * of a name than an index can hold.
 */
static inline int pmumap_imc_measure_names_(struct pmumap_imc *m)
{
	uint8_t *bytes = (uint8_t *)pmumap_append_table_(m, &m->name_bytes, m->event_count);
	uint32_t i, n;

	for (i = 0; i < m->event_count; i++) {
		const char *name = pmumap_imc_event_name_(m, i);

		for (n = 0; name[n]; n++) {
			if (n == PMUMAP_IMC_INDEXED_BYTES_)
				return 0;
		}
		bytes[i] = (uint8_t)n;
	}
	return 1;
}

/*
 * Build the name index by hash and displace. Returns 0 if there is no room, every seed failed, or a
 * name is too long; the map is then searched by its sorted tables. The first two tries use few
 * slots; a name with many matches among few others needs more. The map grows by 4 3/4 bytes per
 * name (8 1/2 with many slots) and 1 per event; building takes up to 17 1/2 more per name.
 */
static inline int pmumap_imc_build_index_(struct pmumap_imc_build_ *w)
{
	uint32_t size = w->m->head.size, n = w->m->names, seed, begin;
	enum pmumap_imc_try_ result = PMUMAP_IMC_NEVER_;

	if (n == 0 || w->m->nth_bit == 0 ||
	    pmumap_imc_index_bytes_(n, w->m->event_count) >
		    (size_t)(w->pool.top - ((unsigned char *)w->m + size)))
		return 0;
	if (pmumap_imc_measure_names_(w->m))
		result = PMUMAP_IMC_FAILED_;
	begin = w->m->head.size;
	for (seed = 1; seed <= 4 && result == PMUMAP_IMC_FAILED_; seed++) {
		w->m->head.size = begin;
		result = pmumap_imc_try_index_(w, seed > 2, seed);
	}
	if (result == PMUMAP_IMC_DONE_)
		return 1;
	w->m->head.size = size;
	w->m->name_bytes = w->m->slots = w->m->slot_count = w->m->shifts = w->m->bucket_count = 0;
	return 0;
}
