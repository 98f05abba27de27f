/* SPDX-License-Identifier: BSD-2-Clause */
/* Find a name by the sorted tables */
#pragma once

#include "pool/text.h"
#include "imc/unit_name.h"

/* A query for the nth match of a name; unit: only in units with this spelling; NULL: all. */
struct pmumap_imc_query_ {
	const unsigned char *name;
	size_t len;
	const char *unit;
	size_t unit_len;
	uint32_t nth;
};

/*
 * Without an index: units with one prefix, as places in by_prefix, and events named like the rest
 * of the name, as places in by_name. Each range goes from its first place to one past its last. In
 * an unsorted image, both ranges are arbitrary.
 */
struct pmumap_imc_group_ {
	uint32_t units, units_end;
	uint32_t events, events_end;
	const unsigned char *rest;
	size_t len;
};

/*
 * The first of the sorted numbers between from and end that is not below this one, otherwise end.
 * Steps double before it bisects, so a near result is cheap.
 */
static inline uint32_t pmumap_imc_find_number_(const uint32_t *numbers, uint32_t from, uint32_t end,
					       uint32_t number)
{
	uint32_t n = 1;

	for (; n <= (end - from) / 2 && numbers[from + n - 1] < number; n *= 2)
		from += n;
	n = n > (end - from) / 2 ? end - from : n - 1;
	while (n) {
		uint32_t half = n / 2;

		if (numbers[from + half] < number) {
			from += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return from;
}

/* The first place in by_name, at from or later, whose name is not below a text; after: above it. */
static inline uint32_t pmumap_imc_find_event_name_(const struct pmumap_imc *m, uint32_t from,
						   const unsigned char *text, size_t len, int after)
{
	const uint32_t *order = pmumap_imc_numbers_at_(m, m->by_name);
	uint32_t low = from, n = m->event_count - from;

	while (n) {
		uint32_t half = n / 2;

		if (pmumap_compare_text_(pmumap_imc_event_name_(m, order[low + half]), text, len) <
		    after) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

/* The end of a unit's events. Units with the same prefix are sorted by it. */
static inline uint32_t pmumap_imc_events_end_(const struct pmumap_imc *m, uint32_t unit)
{
	return pmumap_imc_unit_rows_(m)[unit].first + pmumap_imc_unit_rows_(m)[unit].events;
}

/* The first place between place and end of a unit whose events end beyond event. */
static inline uint32_t pmumap_imc_find_unit_beyond_(const struct pmumap_imc *m, uint32_t place,
						    uint32_t end, uint32_t event)
{
	const uint32_t *units = pmumap_imc_numbers_at_(m, m->by_prefix);
	uint32_t n = 1;

	for (; n <= (end - place) / 2 && pmumap_imc_events_end_(m, units[place + n - 1]) <= event;
	     n *= 2)
		place += n;
	n = n > (end - place) / 2 ? end - place : n - 1;
	while (n) {
		uint32_t half = n / 2;

		if (pmumap_imc_events_end_(m, units[place + half]) <= event) {
			place += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return place;
}

/*
 * Count the matches in those units of a group whose number is below this one. Units with the same
 * names are counted in one step, unless the query has a unit. Units without any of the events are
 * skipped in one step. *lowest: the first unit with a match, below it or not.
 */
static inline uint64_t pmumap_imc_count_matches_(const struct pmumap_imc *m,
						 const struct pmumap_imc_query_ *q,
						 const struct pmumap_imc_group_ *g, uint32_t below,
						 uint32_t *lowest)
{
	const uint32_t *units = pmumap_imc_numbers_at_(m, m->by_prefix);
	const uint32_t *events = pmumap_imc_numbers_at_(m, m->by_name);
	const struct pmumap_imc_unit_row_ *u;
	uint32_t place, next, from = g->events, end = from;
	uint64_t matches = 0;

	*lowest = PMUMAP_NO_ROW;
	for (place = g->units; place < g->units_end; place = next) {
		u = pmumap_imc_unit_rows_(m) + units[place];
		from = pmumap_imc_find_number_(events, from, g->events_end, u->first);
		if (from == g->events_end)
			break;
		if (events[from] - u->first >= u->events) {
			next = pmumap_imc_find_unit_beyond_(m, place + 1, g->units_end,
							    events[from]);
			continue;
		}
		next = place + 1;
		if (!q->unit)
			next = pmumap_imc_find_unit_beyond_(m, next, g->units_end,
							    u->first + u->events);
		if (q->unit && !pmumap_imc_unit_is_(m, units[place], q->unit, q->unit_len))
			continue;
		end = pmumap_imc_find_number_(events, end < from ? from : end, g->events_end,
					      u->first + u->events);
		matches += (uint64_t)(end - from) *
			   (pmumap_imc_find_number_(units, place, next, below) - place);
		if (units[place] < *lowest)
			*lowest = units[place];
	}
	return matches;
}

/*
 * Find the nth match in a group of units. Returns 0 if it has fewer, and lowers nth by that many.
 * To find the unit of a later match, bisect: count the matches of the units before.
 */
static inline int pmumap_imc_search_group_(const struct pmumap_imc *m, struct pmumap_imc_query_ *q,
					   const struct pmumap_imc_group_ *g,
					   struct pmumap_imc_match_ *match)
{
	const uint32_t *events = pmumap_imc_numbers_at_(m, m->by_name);
	const struct pmumap_imc_unit_row_ *u;
	uint32_t unit, place, unused, n;
	const char *prefix;
	uint64_t matches = pmumap_imc_count_matches_(m, q, g, PMUMAP_NO_ROW, &unit);

	if (q->nth >= matches) {
		q->nth -= (uint32_t)matches;
		return 0;
	}
	for (n = m->unit_count - unit; q->nth && n > 1; n -= n / 2) {
		if (pmumap_imc_count_matches_(m, q, g, unit + n / 2, &unused) <= q->nth)
			unit += n / 2;
	}
	if (q->nth)
		q->nth -= (uint32_t)pmumap_imc_count_matches_(m, q, g, unit, &unused);
	u = pmumap_imc_unit_rows_(m) + unit;
	prefix = (const char *)pmumap_image_at_(m, u->prefix);
	place = pmumap_imc_find_number_(events, g->events, g->events_end, u->first);
	/* A foreign image may be unsorted, so compare the result. */
	if (q->nth >= g->events_end - place)
		return 0;
	match->unit = unit;
	match->event = events[place + q->nth];
	return match->event - u->first < u->events &&
	       pmumap_prefix_length_(prefix, q->name, q->len) == q->len - g->len &&
	       pmumap_compare_text_(pmumap_imc_event_name_(m, match->event), g->rest, g->len) == 0;
}

/* The end of the units that share the prefix of the one at first, the first of them. */
static inline uint32_t pmumap_imc_find_other_prefix_(const uint32_t *chain, uint32_t first,
						     uint32_t end)
{
	uint32_t place = first, n = end - first;

	while (n > 1) {
		uint32_t half = n / 2;

		place += chain[place + half] == (first | PMUMAP_IMC_SAME_PREFIX_) ? half : 0;
		n -= half;
	}
	return place + 1;
}

/*
 * Find the nth match without an index. Returns 0 if there is none.
 *
 * The last prefix that is not above the name has all prefixes of the name in its chain: any text
 * sorted between a name and its beginning has that beginning too. For "PM_B_EVENT" in the example
 * of PMUMAP_IMC_NO_PREFIX_, these are places 4, 1 and 0.
 */
PMUMAP_OUTLINE_ int pmumap_imc_search_name_(const struct pmumap_imc *m, struct pmumap_imc_query_ *q,
					    struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	const uint32_t *units = pmumap_imc_numbers_at_(m, m->by_prefix);
	const uint32_t *chain = pmumap_imc_numbers_at_(m, m->chain);
	uint32_t low = 0, n = m->unit_count;
	struct pmumap_imc_group_ g;
	size_t prefix;

	while (n) {
		uint32_t half = n / 2;
		const char *s = (const char *)pmumap_image_at_(m, u[units[low + half]].prefix);

		if (pmumap_compare_text_(s, q->name, q->len) <= 0) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	if (low-- == 0)
		return 0;
	if (chain[low] != PMUMAP_IMC_NO_PREFIX_ && (chain[low] & PMUMAP_IMC_SAME_PREFIX_))
		low = chain[low] & ~PMUMAP_IMC_SAME_PREFIX_;
	for (;; low = chain[low]) {
		const char *s = (const char *)pmumap_image_at_(m, u[units[low]].prefix);

		prefix = pmumap_prefix_length_(s, q->name, q->len);
		if (prefix <= q->len) {
			g.rest = q->name + prefix;
			g.len = q->len - prefix;
			g.units = low;
			g.units_end = pmumap_imc_find_other_prefix_(chain, low, m->unit_count);
			g.events = pmumap_imc_find_event_name_(m, 0, g.rest, g.len, 0);
			g.events_end = pmumap_imc_find_event_name_(m, g.events, g.rest, g.len, 1);
			if (pmumap_imc_search_group_(m, q, &g, match))
				return 1;
		}
		if (chain[low] >= low)
			return 0;
	}
}
