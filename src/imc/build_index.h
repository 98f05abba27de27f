/* SPDX-License-Identifier: BSD-2-Clause */
/* Build the name index */
#pragma once

#include "imc/find.h"
#include "imc/entries.h"

#define PMUMAP_IMC_KEYS_ 8u  /* so many keys are tried */
#define PMUMAP_IMC_FAR_ 128u /* a free slot is sought so many slots from home */
#define PMUMAP_IMC_TAKEN_ (1u << PMUMAP_IMC_LENGTH_BITS_) /* a slot without a name: length 0 */

/* Choose the bits of a number for event and unit. number_bits becomes 0 if 31 are too few. */
static inline void pmumap_imc_choose_number_bits_(struct pmumap_imc *m)
{
	uint32_t most = 0, i, unit_bit = 1, bits;

	for (i = 0; i < m->unit_count; i++) {
		if (most < pmumap_imc_unit_rows_(m)[i].events)
			most = pmumap_imc_unit_rows_(m)[i].events;
	}
	while (most && (most - 1) >> unit_bit)
		unit_bit++;
	for (bits = unit_bit; bits < 32; bits++) {
		if ((m->unit_count - 1) >> (bits - unit_bit) == 0)
			break;
	}
	m->unit_bit = unit_bit;
	m->event_bits = ~(0xffffffffu << unit_bit);
	m->number_bits = bits < 32 ? bits : 0;
}

/* The state of building an index. */
struct pmumap_imc_index_build_ {
	const struct pmumap_imc *m;
	uint32_t *slots;
	uint32_t left_out; /* names that are not in the index, */
	uint32_t failed;   /* and those of them that another key may let in */
	unsigned char text[PMUMAP_IMC_INDEXED_BYTES_];
};

/* Write the full name of a match to text. Returns its length, or 0 if it is too long. */
static inline uint32_t pmumap_imc_spell_(struct pmumap_imc_index_build_ *x,
					 const struct pmumap_imc_match_ *match)
{
	const char *part = (const char *)pmumap_image_at_(
		x->m, pmumap_imc_unit_rows_(x->m)[match->unit].prefix);
	uint32_t parts, n = 0;

	for (parts = 2; parts; parts--) {
		for (; *part; part++) {
			if (n == PMUMAP_IMC_INDEXED_BYTES_)
				return 0;
			x->text[n++] = (unsigned char)*part;
			PMUMAP_NO_LIBCALL_();
		}
		part = pmumap_imc_event_name_(x->m, match->event);
	}
	return n;
}

/* Whether a name may move from one slot to another without being too far from home. */
static inline int pmumap_imc_may_move_(struct pmumap_imc_index_build_ *x, uint32_t from,
				       uint32_t to)
{
	uint32_t slot = x->slots[from], len, nth;
	struct pmumap_imc_match_ match;
	uint64_t hash;

	if (slot == PMUMAP_IMC_TAKEN_)
		return 0;
	match = pmumap_imc_match_of_number_(x->m, slot >> PMUMAP_IMC_TAG_BITS_);
	len = pmumap_imc_spell_(x, &match);
	hash = pmumap_hash_text_(x->text, len, x->m->key);
	nth = ((slot >> PMUMAP_IMC_LENGTH_BITS_) - (uint32_t)hash) % PMUMAP_IMC_HASH_TAGS_;
	return to - pmumap_imc_home_(x->m, hash + nth * PMUMAP_IMC_NTH_) < PMUMAP_IMC_REACH_;
}

/*
 * Fill the first free slot from home on; if it is too far, move names between into it, until the
 * free one is near. Returns 0 if there is none, or no name can move. Overwrites text.
 *
 * No slot becomes free again: after a failure the free one is taken by no name. So from the same
 * home it fails always, and a later match cannot take the place of one that is left out.
 */
static inline int pmumap_imc_fill_slot_(struct pmumap_imc_index_build_ *x, uint32_t home,
					uint32_t slot)
{
	uint32_t end = x->m->homes + PMUMAP_IMC_REACH_ - 1, at = home, from;

	if (end - home > PMUMAP_IMC_FAR_)
		end = home + PMUMAP_IMC_FAR_;
	while (at < end && x->slots[at])
		at++;
	if (at == end)
		return 0;
	while (at - home >= PMUMAP_IMC_REACH_) {
		for (from = at - (PMUMAP_IMC_REACH_ - 1); from < at; from++) {
			if (pmumap_imc_may_move_(x, from, at))
				break;
		}
		if (from == at) {
			x->slots[at] = PMUMAP_IMC_TAKEN_;
			return 0;
		}
		x->slots[at] = x->slots[from];
		at = from;
	}
	x->slots[at] = slot;
	return 1;
}

/* Put a match into the index, after earlier matches of its name. */
static inline void pmumap_imc_index_name_(struct pmumap_imc_index_build_ *x, uint32_t number)
{
	struct pmumap_imc_match_ match = pmumap_imc_match_of_number_(x->m, number), other;
	uint32_t len = pmumap_imc_spell_(x, &match), nth;
	uint64_t hash = pmumap_hash_text_(x->text, len, x->m->key);
	int found = 1;

	for (nth = 0; len && nth < PMUMAP_IMC_INDEXED_MATCHES_; nth++, hash += PMUMAP_IMC_NTH_) {
		found = pmumap_imc_probe_index_(x->m, x->text, len, hash, &other);
		if (found <= 0)
			break;
	}
	if (found <= 0 &&
	    pmumap_imc_fill_slot_(x, pmumap_imc_home_(x->m, hash),
				  number << PMUMAP_IMC_TAG_BITS_ |
					  (pmumap_imc_tag_(hash, len) & PMUMAP_IMC_TAG_)))
		return;
	x->left_out++;
	x->failed += found <= 0;
}

/*
 * Fill the table by the key: names with longer prefixes first, then in the order of units. Give up
 * after this many failures, or if more than a quarter of the names are left out.
 */
static inline void pmumap_imc_fill_index_(struct pmumap_imc_index_build_ *x, uint32_t failures)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(x->m);
	uint32_t bytes = PMUMAP_IMC_LONG_PREFIX_, next, unit, event;

	pmumap_zero_words_(x->slots, (x->m->homes + PMUMAP_IMC_REACH_ - 1) * sizeof(uint32_t));
	x->left_out = x->failed = 0;
	for (;; bytes = next) {
		next = PMUMAP_NO_ROW;
		for (unit = 0; unit < x->m->unit_count; unit++) {
			uint32_t n = PMUMAP_IMC_PREFIX_BYTES_(u + unit);

			if (n < bytes && (next == PMUMAP_NO_ROW || n > next))
				next = n;
			for (event = 0; n == bytes && event < u[unit].events &&
					x->failed < failures && x->left_out <= x->m->names / 4;
			     event++)
				pmumap_imc_index_name_(x, unit << x->m->unit_bit | event);
		}
		if (next == PMUMAP_NO_ROW)
			return;
	}
}

/* The bits of first_bytes for all spellings of all units: pmumap_imc_unit_name_matches_(). */
static inline uint32_t pmumap_imc_unit_first_bytes_(const struct pmumap_imc *m)
{
	uint32_t bits = 1u << ('n' >> 3), unit;

	for (unit = 0; unit < m->unit_count; unit++) {
		unsigned char first = (unsigned char)*pmumap_imc_node_name_(m, unit);

		bits |= 1u << (first >> 3) | (first == 0 || first == '@' ? 1u << ('/' >> 3) : 0);
	}
	return bits;
}

/*
 * Bytes that suffice to build everything that finds names and offsets: the index, the sorted
 * tables, then with scratch tables the order of offsets. With up to NAMES_EACH_ names for each unit
 * and event, so many of the bytes that pmumap_imc_need() counts are free here: the entries and
 * scratch tables of a unit have 104, those of an event 40.
 */
#define PMUMAP_IMC_NAMES_EACH_ 2u

static inline uint64_t pmumap_imc_index_bytes_(const struct pmumap_imc *m)
{
	uint64_t units = m->unit_count, events = m->event_count;
	uint64_t spare = 4 * (units < events ? events : units), offsets = 9 * (uint64_t)m->names;

	return 8 * (uint64_t)m->names + 4 * (2 * units + events) +
	       (offsets < spare ? spare : offsets) + 128;
}

/*
 * The key for a try. It depends on all strings: names that are written to share a home with one key
 * get another. No step loses what came before, because it can be inverted.
 */
static inline uint64_t pmumap_imc_make_key_(const struct pmumap_imc *m, uint32_t tries)
{
	const unsigned char *text = (const unsigned char *)pmumap_image_at_(m, m->strings);
	uint64_t key = PMUMAP_POOL_KEY_ * tries;
	uint32_t n;

	for (n = m->string_bytes; n >= 8; n -= 8, text += 8) {
		key = (key ^ pmumap_load_word_(text)) * PMUMAP_POOL_KEY_;
		key ^= key >> 32;
	}
	return key;
}

#define PMUMAP_IMC_MANY_NAMES_ 4096u

/*
 * Append the table for a try. With room for it, it is larger for later keys, and for so many names
 * that some would often find no slot.
 */
static inline uint32_t *pmumap_imc_append_slots_(struct pmumap_imc *m, uint32_t tries,
						 uint64_t room)
{
	uint32_t n = m->names, more = n / 8 * (tries - 1);

	if (n >= PMUMAP_IMC_MANY_NAMES_)
		more += n / 2;
	m->homes = 2 * n + 1 + (more * sizeof(uint32_t) <= room ? more : 0);
	m->key = pmumap_imc_make_key_(m, tries);
	return (uint32_t *)pmumap_append_table_(
		m, &m->slots, (m->homes + PMUMAP_IMC_REACH_ - 1) * (uint32_t)sizeof(uint32_t));
}

/*
 * Build the name index, with two homes or more for each name. With the first keys, all must find a
 * slot. Names that are too long, have too many matches, or find no slot with any key are left out,
 * and found by the sorted tables. Returns how many; without an index, all.
 */
static inline uint32_t pmumap_imc_build_index_(struct pmumap_imc_build_ *w)
{
	uint32_t size = w->m->head.size, n = w->m->names, tries;
	uint64_t need = pmumap_imc_index_bytes_(w->m);
	uint64_t room = (uint64_t)(w->pool.top - ((unsigned char *)w->m + size));
	struct pmumap_imc_index_build_ x;

	if (n == 0 || w->m->number_bits - 1 >= 32 - PMUMAP_IMC_TAG_BITS_ || need > room)
		return n;
	w->m->first_bytes = pmumap_imc_unit_first_bytes_(w->m);
	x.m = w->m;
	for (tries = 1; tries <= PMUMAP_IMC_KEYS_; tries++) {
		w->m->head.size = size;
		x.slots = pmumap_imc_append_slots_(w->m, tries, room - need);
		pmumap_imc_fill_index_(&x, tries < PMUMAP_IMC_KEYS_ ? 1 : n);
		if (x.failed == 0)
			break;
	}
	if (x.left_out <= n / 4)
		return x.left_out;
	w->m->head.size = size;
	w->m->key = w->m->homes = w->m->slots = w->m->first_bytes = 0;
	return n;
}
