/* SPDX-License-Identifier: BSD-2-Clause */
/* Find an offset */
#pragma once

#include "imc/find.h"

/* Without an order of offsets, search each unit that spans it. Returns 0 if none has it. */
static inline int pmumap_imc_search_offset_(const struct pmumap_imc *m, const char *spelling,
					    size_t len, uint32_t offset, uint32_t nth,
					    struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m);
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	uint32_t unit, event, end, n, reg;

	for (unit = 0; unit < m->unit_count; unit++, u++) {
		reg = offset - u->reg;
		end = u->first + u->events;
		if (u->events == 0 || offset < u->reg || e[u->first].reg > reg ||
		    e[end - 1].reg < reg ||
		    (spelling && !pmumap_imc_unit_is_(m, unit, spelling, len)))
			continue;
		event = pmumap_imc_first_event_from_(m, u, offset);
		n = pmumap_imc_count_events_to_(e + event, end - event, reg);
		if (nth >= n) {
			nth -= n;
			continue;
		}
		match->unit = unit;
		match->event = event + nth;
		return e[event + nth].reg == reg; /* a foreign image may not be sorted */
	}
	return 0;
}

/*
 * The first place in the order of offsets whose key is not below that of an offset. Bisects one
 * bucket; each step reads a unit and its event. Invariant: the result is end or one of the n places
 * before it. The loads that pmumap_imc_offset_of_number_() would repeat are done once.
 */
PMUMAP_INLINE_ uint32_t pmumap_imc_find_place_(const struct pmumap_imc *m, uint32_t offset,
					       int wide)
{
	const struct pmumap_imc_event_row_ *events = pmumap_imc_event_rows_(m);
	const struct pmumap_imc_unit_row_ *units = pmumap_imc_unit_rows_(m), *u;
	uint32_t unit_bit = m->unit_bit, event_bits = m->event_bits;
	uint32_t key = pmumap_imc_offset_key_(offset), table = m->by_offset, number, event, n, half;
	uint32_t bucket = pmumap_scale_to_(key, pmumap_imc_count_offset_buckets_(m->names));
	uint32_t begin = pmumap_imc_number_at_(m, m->offset_buckets, bucket, wide);
	uint32_t end = pmumap_imc_number_at_(m, m->offset_buckets, bucket + 1, wide);

	for (n = begin < end ? end - begin : 0; n; n -= half) {
		half = (n + 1) / 2;
		number = pmumap_imc_number_at_(m, table, end - half, wide);
		u = units + (number >> unit_bit);
		event = u->first + (number & event_bits);
		end -= pmumap_imc_offset_key_(u->reg + events[event].reg) < key ? 0 : half;
	}
	return end;
}

/* The match at a place of the order of offsets. Returns 0 at the end or at another offset. */
PMUMAP_INLINE_ int pmumap_imc_match_of_place_(const struct pmumap_imc *m, uint32_t place,
					      uint32_t offset, int wide,
					      struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc_unit_row_ *u;
	uint32_t number;

	if (place >= m->names)
		return 0;
	number = pmumap_imc_number_at_(m, m->by_offset, place, wide);
	match->unit = number >> m->unit_bit;
	u = pmumap_imc_unit_rows_(m) + match->unit;
	match->event = u->first + pmumap_imc_event_of_number_(m, number);
	return u->reg + pmumap_imc_event_rows_(m)[match->event].reg == offset;
}

/*
 * Find an offset in any map, for any spelling of the unit. place: where to begin in the order of
 * offsets.
 */
PMUMAP_OUTLINE_ int pmumap_imc_at_otherwise_(const struct pmumap_imc *m, const char *unit,
					     uint32_t offset, uint32_t nth, uint32_t place,
					     struct pmumap_imc_event *out)
{
	struct pmumap_imc_match_ match;
	size_t len = 0;

	for (; unit && unit[len]; len++)
		PMUMAP_NO_LIBCALL_();
	if (!m->by_offset) {
		if (!pmumap_imc_search_offset_(m, unit, len, offset, nth, &match))
			return 0;
	} else {
		for (;; place++) {
			if (!pmumap_imc_match_of_place_(m, place, offset,
							pmumap_imc_has_wide_numbers_(m), &match))
				return 0;
			if ((!unit || pmumap_imc_unit_is_(m, match.unit, unit, len)) && nth-- == 0)
				break;
		}
	}
	return pmumap_imc_fill_event_(m, match.unit, match.event, out);
}

/* The length of a string that names a node, with or without the address; 0 if it does not. */
PMUMAP_INLINE_ size_t pmumap_imc_spells_node_(const char *string, const char *node)
{
	size_t i;

	for (i = 0; string[i] == node[i]; i++) {
		if (!string[i])
			return i;
	}
	return !string[i] && node[i] == '@' ? i : 0;
}

/*
 * The fast path: find an offset in an order of 16-bit numbers. It leaves to the slow path all but
 * the first match of a node's name, and names in _imc: Linux may mean another unit.
 */
PMUMAP_INLINE_ int pmumap_imc_at_place_(const struct pmumap_imc *m, const char *unit,
					uint32_t offset, uint32_t nth, struct pmumap_imc_event *out)
{
	uint32_t place = pmumap_imc_find_place_(m, offset, 0), first = place;
	struct pmumap_imc_match_ match;
	size_t len = 0;

	match.unit = match.event = 0; /* or gcc warns after inlining all of this */
	if (!unit) {
		/* In a sorted map, a wrapped sum is a place before the first match. */
		if (!pmumap_imc_match_of_place_(m, place + nth, offset, 0, &match))
			return 0;
	} else {
		for (; !len; place++) {
			if (!pmumap_imc_match_of_place_(m, place, offset, 0, &match))
				break;
			len = pmumap_imc_spells_node_(unit, pmumap_imc_node_name_(m, match.unit));
		}
		if (!len || nth || unit[len - 1] == 'c')
			return pmumap_imc_at_otherwise_(m, unit, offset, nth, first, out);
	}
	return pmumap_imc_fill_event_(m, match.unit, match.event, out);
}

PMUMAP_DEF int pmumap_imc_at(const struct pmumap_imc *m, const char *unit, uint32_t offset,
			     uint32_t nth, struct pmumap_imc_event *out)
{
	uint32_t place = 0;

	if (m->by_offset) {
		if (!pmumap_imc_has_wide_numbers_(m))
			return pmumap_imc_at_place_(m, unit, offset, nth, out);
		place = pmumap_imc_find_place_(m, offset, 1);
	}
	return pmumap_imc_at_otherwise_(m, unit, offset, nth, place, out);
}
