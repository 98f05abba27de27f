/* SPDX-License-Identifier: BSD-2-Clause */
/* Find a name: by the index, or as UNIT/NAME */
#pragma once

#include "imc/search.h"

/* Where the search for a hash begins. */
static inline uint32_t pmumap_imc_home_(const struct pmumap_imc *m, uint64_t hash)
{
	return pmumap_scale_to_((uint32_t)(hash >> 32), m->homes);
}

/* The tag of a name with a hash; higher bits are arbitrary. */
static inline uint32_t pmumap_imc_tag_(uint64_t hash, size_t len)
{
	return (uint32_t)hash << PMUMAP_IMC_LENGTH_BITS_ | (uint32_t)len;
}

/* Whether a slot has a tag. */
static inline int pmumap_imc_has_tag_(uint32_t slot, uint32_t tag)
{
	return ((slot ^ tag) & PMUMAP_IMC_TAG_) == 0;
}

/* Whether a text is the full name of a match, an event whose full name has its length. */
PMUMAP_ALWAYS_INLINE_ int pmumap_imc_is_name_of_(const struct pmumap_imc *m,
						 const struct pmumap_imc_match_ *match,
						 const unsigned char *text, size_t len)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + match->unit;
	uint32_t n = PMUMAP_IMC_PREFIX_BYTES_(u);

	return !pmumap_differ_(text, (const unsigned char *)pmumap_image_at_(m, u->prefix), n) &&
	       !pmumap_differ_(text + n,
			       (const unsigned char *)pmumap_imc_event_name_(m, match->event),
			       len - n);
}

/*
 * Find the match with this hash in the index. Returns 1; or 0: there is none; or -1: none is near
 * home, but it may not have fit.
 */
static inline int pmumap_imc_probe_index_(const struct pmumap_imc *m, const unsigned char *text,
					  size_t len, uint64_t hash,
					  struct pmumap_imc_match_ *match)
{
	const uint32_t *slot = pmumap_imc_numbers_at_(m, m->slots) + pmumap_imc_home_(m, hash);
	uint32_t i;

	for (i = 0; i < PMUMAP_IMC_REACH_; i++) {
		if (slot[i] == 0)
			return 0;
		if (!pmumap_imc_has_tag_(slot[i], pmumap_imc_tag_(hash, len)))
			continue;
		*match = pmumap_imc_match_of_number_(m, slot[i] >> PMUMAP_IMC_TAG_BITS_);
		if (pmumap_imc_is_name_of_(m, match, text, len))
			return 1;
	}
	return -1;
}

/*
 * Find the nth match of a name, by the index if it has that. Returns 0 if there is no match; nth
 * may then have changed.
 */
static inline int pmumap_imc_run_query_(const struct pmumap_imc *m, struct pmumap_imc_query_ *q,
					struct pmumap_imc_match_ *match)
{
	uint32_t nth = q->nth, i;
	uint64_t hash;
	int found;

	if (m->slots && q->len - 1 < PMUMAP_IMC_INDEXED_BYTES_) {
		hash = pmumap_hash_text_(q->name, q->len, m->key);
		for (i = 0; i < PMUMAP_IMC_INDEXED_MATCHES_; i++, hash += PMUMAP_IMC_NTH_) {
			found = pmumap_imc_probe_index_(m, q->name, q->len, hash, match);
			if (found == 0)
				return 0;
			if (found < 0)
				break;
			if ((!q->unit ||
			     pmumap_imc_unit_is_(m, match->unit, q->unit, q->unit_len)) &&
			    q->nth-- == 0)
				return 1;
		}
	}
	q->nth = nth;
	return m->by_prefix && pmumap_imc_search_name_(m, q, match);
}

/* Split the name of a query at its first slash, as UNIT/NAME. */
static inline void pmumap_imc_split_query_(struct pmumap_imc_query_ *q, size_t slash)
{
	q->unit = (const char *)q->name;
	q->unit_len = slash;
	q->name += slash + 1;
	q->len -= slash + 1;
}

/* Run a query that has no nth match as UNIT/NAME, as UNIT/NAME/ if it ends in a slash. */
static inline int pmumap_imc_run_shorter_(const struct pmumap_imc *m, struct pmumap_imc_query_ *q,
					  uint32_t nth, struct pmumap_imc_match_ *match)
{
	if (q->len == 0 || q->name[q->len - 1] != '/')
		return 0;
	q->nth = 0;
	if (nth && pmumap_imc_run_query_(m, q, match))
		return 0;
	q->nth = nth;
	q->len--;
	return pmumap_imc_run_query_(m, q, match);
}

/*
 * The override of an event. Check PMUMAP_IMC_HAS_OVERRIDE_ first: without its own, an event gets
 * that of another. The map must have overrides.
 */
static inline const struct pmumap_imc_override_ *
pmumap_imc_override_of_event_(const struct pmumap_imc *m, uint32_t event)
{
	const struct pmumap_imc_override_ *own =
		(const struct pmumap_imc_override_ *)pmumap_image_at_(m, m->overrides);
	uint32_t n = m->override_count;

	while (n > 1) {
		uint32_t half = n / 2;

		own += own[half].event <= event ? half : 0;
		n -= half;
	}
	return own;
}

/*
 * Describe an event of a unit; returns 1. Load everything before storing anything: to the compiler,
 * a store might change the map.
 */
PMUMAP_INLINE_ int pmumap_imc_fill_event_(const struct pmumap_imc *m, uint32_t unit_index,
					  uint32_t event, struct pmumap_imc_event *out)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + unit_index;
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m) + event;
	const struct pmumap_imc_unit_class_ *k = pmumap_imc_class_of_unit_(m, u);
	uint32_t unit = u->name, prefix = u->prefix, name = e->name, offset = u->reg + e->reg;
	uint32_t scale = k->scale, measure = k->measure, type = k->type;
	const char *desc = 0;

	if (name & PMUMAP_IMC_HAS_OVERRIDE_) {
		const struct pmumap_imc_override_ *own = pmumap_imc_override_of_event_(m, event);

		scale = own->scale ? own->scale : scale;
		measure = own->measure ? own->measure : measure;
		desc = pmumap_imc_string_at_(m, own->desc);
	}
	out->unit = (const char *)pmumap_image_at_(m, unit);
	out->prefix = (const char *)pmumap_image_at_(m, prefix);
	out->name = (const char *)pmumap_image_at_(m, name & ~PMUMAP_IMC_HAS_OVERRIDE_);
	out->scale = pmumap_imc_string_at_(m, scale);
	out->measure = pmumap_imc_string_at_(m, measure);
	out->desc = desc;
	out->type = type;
	out->offset = offset;
	out->unit_index = unit_index;
	return 1;
}

/* Find any name: a later match, or UNIT/NAME, or one that is not in the index. */
PMUMAP_OUTLINE_ int pmumap_imc_find_otherwise_(const struct pmumap_imc *m,
					       const unsigned char *name, size_t len, uint32_t nth,
					       struct pmumap_imc_event *out)
{
	struct pmumap_imc_match_ match;
	struct pmumap_imc_query_ q;
	size_t slash = 0;

	q.name = name;
	q.len = len;
	q.unit = 0;
	q.unit_len = 0;
	q.nth = nth;
	if (!pmumap_imc_run_query_(m, &q, &match)) {
		while (slash < len && name[slash] != '/')
			slash++;
		q.nth = 0;
		/* If the whole text is a name with fewer matches, it is not UNIT/NAME. */
		if (slash == len || (nth && pmumap_imc_run_query_(m, &q, &match)))
			return 0;
		q.nth = nth;
		pmumap_imc_split_query_(&q, slash);
		if (!pmumap_imc_run_query_(m, &q, &match) &&
		    !pmumap_imc_run_shorter_(m, &q, nth, &match))
			return 0;
	}
	return pmumap_imc_fill_event_(m, match.unit, match.event, out);
}

/* Take the event in a slot with the tag of a text: almost always it has this name. */
PMUMAP_OUTLINE_ int pmumap_imc_take_slot_(const struct pmumap_imc *m, const unsigned char *name,
					  size_t len, uint32_t slot, struct pmumap_imc_event *out)
{
	struct pmumap_imc_match_ match =
		pmumap_imc_match_of_number_(m, slot >> PMUMAP_IMC_TAG_BITS_);

	if (!pmumap_imc_is_name_of_(m, &match, name, len))
		return pmumap_imc_find_otherwise_(m, name, len, 0, out);
	return pmumap_imc_fill_event_(m, match.unit, match.event, out);
}

/*
 * Whether a query may begin with the spelling of a unit. first_bytes has a bit for each 8 values of
 * the first byte, so that a miss need not search for a slash.
 */
static inline int pmumap_imc_may_begin_unit_(const struct pmumap_imc *m, unsigned char first)
{
	return (int)(m->first_bytes >> (first >> 3) & 1);
}

/* The first match of a name: few instructions, and no stack frame. The rest is elsewhere. */
PMUMAP_DEF int pmumap_imc_find(const struct pmumap_imc *m, const char *name, size_t len,
			       uint32_t nth, struct pmumap_imc_event *out)
{
	const unsigned char *text = (const unsigned char *)name;
	const uint32_t *slot;
	uint64_t hash;
	uint32_t tag, i;

	if (nth || !m->slots || len - 1 >= PMUMAP_IMC_INDEXED_BYTES_)
		return pmumap_imc_find_otherwise_(m, text, len, nth, out);
	hash = pmumap_hash_text_(text, len, m->key);
	tag = pmumap_imc_tag_(hash, len);
	slot = pmumap_imc_numbers_at_(m, m->slots) + pmumap_imc_home_(m, hash);
	for (i = 0; i < PMUMAP_IMC_REACH_ && slot[i]; i++) {
		if (pmumap_imc_has_tag_(slot[i], tag))
			return pmumap_imc_take_slot_(m, text, len, slot[i], out);
	}
	if ((i == PMUMAP_IMC_REACH_ && m->by_prefix) || pmumap_imc_may_begin_unit_(m, text[0]))
		return pmumap_imc_find_otherwise_(m, text, len, 0, out);
	return 0;
}
