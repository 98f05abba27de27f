/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/compiler.h"
#include "core/bits.h"
#include "core/text.h"
#include "core/image.h"
#include "builder/pool.h"
#include "imc/tables.h"
#include "imc/hash.h"
#include "imc/entries.h"
#include "imc/build_slots.h"

/*
 * Choose how many bits of a slot the event and the unit take. nth_bit becomes 0 if no bit would be
 * left for nth.
 */
static inline void pmumap_imc_choose_slot_bits_(struct pmumap_imc_build_ *w)
{
	uint32_t most = 0, i, unit_bit = 1, nth_bit;

	for (i = 0; i < w->c->unit_count; i++) {
		if (most < pmumap_imc_unit_rows_(w->m)[i].events)
			most = pmumap_imc_unit_rows_(w->m)[i].events;
	}
	while (most && (most - 1) >> unit_bit)
		unit_bit++;
	for (nth_bit = unit_bit; nth_bit < 32; nth_bit++) {
		if ((w->c->unit_count - 1) >> (nth_bit - unit_bit) == 0)
			break;
	}
	w->c->unit_bit = unit_bit;
	w->c->nth_bit = nth_bit < 32 ? nth_bit : 0;
}

/*
 * Hash the full name of every number, as pmumap_imc_hash_name_() does: a prefix once for its unit.
 * Behind the strings lies the table of units, which is larger than a word.
 */
static inline void pmumap_imc_hash_names_(struct pmumap_imc_index_build_ *x)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(x->m);
	uint32_t unit, i, n = 0;

	pmumap_imc_number_names_(x->m, x->numbers);
	for (unit = 0; unit < x->c->unit_count; unit++, u++) {
		struct pmumap_hash_ prefix, h;

		pmumap_hash_begin_(&prefix, x->c->seed);
		pmumap_hash_add_(&prefix, (const char *)pmumap_image_at_(x->m, u->prefix));
		for (i = 0; i < u->events; i++) {
			h.hash = prefix.hash;
			h.word = prefix.word;
			h.bytes = prefix.bytes;
			pmumap_hash_add_words_(&h, pmumap_imc_event_name_(x->m, u->first + i));
			x->hashes[n++] = pmumap_hash_end_(&h);
		}
	}
}

/* Try to build the index with a seed and so many slots. */
static inline enum pmumap_imc_try_ pmumap_imc_try_index_(struct pmumap_imc_build_ *w,
							 uint32_t slots, uint32_t seed)
{
	struct pmumap_imc *c = w->c;
	struct pmumap_imc_index_build_ x;
	enum pmumap_imc_try_ result;

	c->seed = seed;
	c->slot_count = slots;
	c->bucket_count = c->names / 4 + 1;
	x.m = w->m;
	x.c = c;
	x.slots = (uint32_t *)pmumap_append_table_(w->m, &c->slots, c->slot_count * 4);
	x.shifts = (uint16_t *)pmumap_append_table_(w->m, &c->shifts, c->bucket_count * 2);
	x.hashes = (uint64_t *)(void *)((char *)w->m + w->m->size);
	x.numbers = (uint32_t *)(x.hashes + c->names);
	x.sorted = x.numbers + c->names;
	x.starts = x.sorted + c->names;
	x.used = (uint8_t *)(x.starts + c->bucket_count + 1);
	x.shifts_left = PMUMAP_IMC_NAME_SHIFTS_ * c->names + PMUMAP_IMC_SHIFTS_;
	pmumap_imc_hash_names_(&x);
	result = pmumap_imc_sort_by_bucket_(&x);
	return result == PMUMAP_IMC_DONE_ ? pmumap_imc_fill_slots_(&x) : result;
}

/*
 * Whether a prefix or the name of an event is too long for an index, which reads it again for each
 * name that it is a part of.
 */
static inline int pmumap_imc_has_long_text_(const struct pmumap *m)
{
	const struct pmumap_imc *c = pmumap_imc_part_(m);
	uint32_t i, n = 0;

	for (i = 0; i < c->unit_count; i++) {
		if (PMUMAP_IMC_PREFIX_BYTES_(pmumap_imc_unit_rows_(m) + i) ==
		    PMUMAP_IMC_LONG_PREFIX_)
			return 1;
	}
	for (i = 0; i < c->event_count && n < PMUMAP_IMC_LONG_PREFIX_; i++) {
		for (n = 0; n < PMUMAP_IMC_LONG_PREFIX_ && pmumap_imc_event_name_(m, i)[n]; n++)
			PMUMAP_NO_LIBCALL_();
	}
	return n == PMUMAP_IMC_LONG_PREFIX_;
}

/*
 * Build the index of names, by hash and displace. Returns 0: there is no room, no seed has worked,
 * or a text is too long; the map then gets orders to search in. The first two tries have few free
 * slots; a name with many matches among few others needs more. For each name the map grows by 4 3/4
 * bytes, at most 8 1/2; building takes 17 1/4 besides.
 */
static inline int pmumap_imc_build_index_(struct pmumap_imc_build_ *w)
{
	uint32_t size = w->m->size, n = w->c->names, seed;
	enum pmumap_imc_try_ result = PMUMAP_IMC_FAILED_;

	if (n == 0 || w->c->nth_bit == 0 ||
	    pmumap_imc_index_bytes_(n) > (size_t)(w->pool.top - ((unsigned char *)w->m + size)) ||
	    pmumap_imc_has_long_text_(w->m))
		return 0;
	for (seed = 1; seed <= 4 && result == PMUMAP_IMC_FAILED_; seed++) {
		w->m->size = size;
		result = pmumap_imc_try_index_(w, seed <= 2 ? n + n / 16 + 1 : 2 * n + 32, seed);
	}
	if (result == PMUMAP_IMC_DONE_)
		return 1;
	w->m->size = size;
	w->c->slots = w->c->slot_count = w->c->shifts = w->c->bucket_count = 0;
	return 0;
}
