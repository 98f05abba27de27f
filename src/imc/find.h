/* SPDX-License-Identifier: BSD-2-Clause */
/* Find a name: by the index, or as UNIT/NAME */
#pragma once

#include "imc/text.h"
#include "imc/search.h"

/*
 * Whether a text is the full name of an event in a unit: compares the bytes of prefix and name. The
 * map has an index, so pmumap_open() has checked the lengths of both.
 */
PMUMAP_INLINE_ int pmumap_imc_is_name_of_(const struct pmumap_imc *m,
					  const struct pmumap_imc_unit_row_ *u, uint32_t event,
					  const struct pmumap_imc_text_ *text)
{
	const uint8_t *bytes = (const uint8_t *)pmumap_image_at_(m, m->name_bytes);
	uint32_t n = PMUMAP_IMC_PREFIX_BYTES_(u), rest = bytes[event];
	uint32_t at = pmumap_imc_event_rows_(m)[event].name & ~PMUMAP_IMC_HAS_OVERRIDE_;

	return text->len == n + rest && pmumap_imc_text_has_(text, 0, m, u->prefix, n) &&
	       pmumap_imc_text_has_(text, n, m, at, rest);
}

/* Find the nth match of a text in the index, from one slot. Returns 0 if there is none. */
PMUMAP_INLINE_ int pmumap_imc_probe_index_(const struct pmumap_imc *m,
					   const struct pmumap_imc_text_ *text, uint64_t hash,
					   uint32_t nth, struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc_unit_row_ *u;
	uint32_t shift, slot;

	shift = ((const uint16_t *)pmumap_image_at_(m,
						    m->shifts))[pmumap_imc_hash_bucket_(m, hash)];
	slot = ((const uint32_t *)pmumap_image_at_(
		m, m->slots))[pmumap_imc_hash_slot_(m, hash, nth, shift)];
	if ((slot ^ pmumap_imc_hash_tag_(m, hash)) >> m->nth_bit != nth)
		return 0;
	match->unit = pmumap_imc_unit_of_slot_(m, slot);
	u = pmumap_imc_unit_rows_(m) + match->unit;
	match->event = u->first + pmumap_imc_event_of_slot_(m, slot);
	return pmumap_imc_is_name_of_(m, u, match->event, text);
}

/*
 * Find the nth match of a name, by the index if there is one. Returns 0 if there is no match; nth
 * may then have changed.
 */
static inline int pmumap_imc_run_query_(const struct pmumap_imc *m, struct pmumap_imc_query_ *q,
					struct pmumap_imc_match_ *match)
{
	struct pmumap_imc_text_ text;
	uint64_t hash;
	uint32_t i;

	if (!m->slots)
		return pmumap_imc_search_name_(m, q, match);
	if (q->len > PMUMAP_IMC_INDEXED_BYTES_)
		return 0;
	hash = pmumap_imc_hash_text_(m, q->name, q->len, &text);
	for (i = 0; pmumap_imc_probe_index_(m, &text, hash, i, match); i++) {
		if ((!q->unit || pmumap_imc_unit_is_(m, match->unit, q->unit, q->unit_len)) &&
		    q->nth-- == 0)
			return 1;
	}
	return 0;
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
 * Describe a match. Load everything before storing anything: to the compiler, a store might change
 * the map.
 */
PMUMAP_INLINE_ void pmumap_imc_fill_event_(const struct pmumap_imc *m,
					   const struct pmumap_imc_match_ *match,
					   struct pmumap_imc_event *out)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + match->unit;
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m) + match->event;
	const struct pmumap_imc_unit_class_ *k = pmumap_imc_class_of_unit_(m, u);
	uint32_t unit = u->name, prefix = u->prefix, name = e->name, offset = u->reg + e->reg;
	uint32_t scale = k->scale, measure = k->measure, desc = 0, type = k->type;

	if (name & PMUMAP_IMC_HAS_OVERRIDE_) {
		const struct pmumap_imc_override_ *own =
			pmumap_imc_override_of_event_(m, match->event);

		scale = own->scale ? own->scale : scale;
		measure = own->measure ? own->measure : measure;
		desc = own->desc;
	}
	out->unit = (const char *)pmumap_image_at_(m, unit);
	out->prefix = (const char *)pmumap_image_at_(m, prefix);
	out->name = (const char *)pmumap_image_at_(m, name & ~PMUMAP_IMC_HAS_OVERRIDE_);
	out->scale = pmumap_imc_string_at_(m, scale);
	out->measure = pmumap_imc_string_at_(m, measure);
	out->desc = pmumap_imc_string_at_(m, desc);
	out->type = type;
	out->offset = offset;
	out->unit_index = match->unit;
}

/* Look up UNIT/NAME; without an index, full names too. */
PMUMAP_OUTLINE_ int pmumap_imc_find_otherwise_(const struct pmumap_imc *m, const char *name,
					       size_t len, uint32_t nth,
					       struct pmumap_imc_event *out)
{
	struct pmumap_imc_match_ match;
	struct pmumap_imc_query_ q;
	size_t slash = 0;

	q.name = (const unsigned char *)name;
	q.len = len;
	q.unit = 0;
	q.unit_len = 0;
	q.nth = nth;
	if (m->slots || !pmumap_imc_run_query_(m, &q, &match)) {
		while (slash < len && q.name[slash] != '/')
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
	pmumap_imc_fill_event_(m, &match, out);
	return 1;
}

PMUMAP_DEF int pmumap_imc_find(const struct pmumap_imc *m, const char *name, size_t len,
			       uint32_t nth, struct pmumap_imc_event *out)
{
	struct pmumap_imc_match_ match;
	struct pmumap_imc_text_ text;
	uint64_t hash;

	if (m->slots && len <= PMUMAP_IMC_INDEXED_BYTES_) {
		hash = pmumap_imc_hash_text_(m, (const unsigned char *)name, len, &text);
		if (pmumap_imc_probe_index_(m, &text, hash, nth, &match)) {
			pmumap_imc_fill_event_(m, &match, out);
			return 1;
		}
		if (!pmumap_imc_text_has_low_byte_(&text))
			return 0;
	}
	return pmumap_imc_find_otherwise_(m, name, len, nth, out);
}
