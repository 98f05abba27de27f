/* SPDX-License-Identifier: BSD-2-Clause */
/* Find a name */
#pragma once

#include "imc/tables.h"

/* Whether a text is any spelling of a unit of the map. */
static inline int pmumap_imc_unit_is_(const struct pmumap_imc *m, uint32_t unit, const char *text,
				      size_t len)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + unit;

	return pmumap_imc_unit_name_matches_((const char *)pmumap_image_at_(m, u->name), u->type,
					     text, len);
}

/* Whether a row has this name. */
PMUMAP_ALWAYS_INLINE_ int pmumap_imc_is_name_(const struct pmumap_imc *m,
					      const struct pmumap_imc_row_ *row,
					      const unsigned char *text, size_t len)
{
	return pmumap_imc_length_(row) == len && !pmumap_imc_differ_(m, row, text, len);
}

/* Compare a row's name with a text, in some order: by length first. Returns below 0, 0 or above. */
static inline int pmumap_imc_compare_(const struct pmumap_imc *m, const struct pmumap_imc_row_ *row,
				      const unsigned char *text, size_t len)
{
	const unsigned char *name = (const unsigned char *)pmumap_image_at_(m, row->name);
	size_t i = 0;

	if (pmumap_imc_length_(row) != len)
		return pmumap_imc_length_(row) < len ? -1 : 1;
	while (i + 8 <= len && pmumap_load_word_(text + i) == pmumap_load_aligned_word_(name + i))
		i += 8;
	while (i < len && text[i] == name[i])
		i++;
	return i == len ? 0 : (int)name[i] - (int)text[i];
}

/* A query for the nth match of a name; unit: only in units with this spelling; NULL: in all. */
struct pmumap_imc_query_ {
	const unsigned char *name;
	size_t len;
	const char *unit;
	size_t unit_len;
	uint32_t nth;
};

/* Run a query by bisecting the bucket of its name. */
static inline int pmumap_imc_run_query_(const struct pmumap_imc *m,
					const struct pmumap_imc_query_ *q, uint32_t *event)
{
	const struct pmumap_imc_row_ *rows = pmumap_imc_rows_(m);
	const uint32_t *order = pmumap_imc_by_name_(m);
	uint64_t place = pmumap_imc_place_(m, pmumap_imc_hash_(q->name, q->len));
	const uint16_t *start = pmumap_imc_numbers_(m, m->name_starts) + (place >> 32);
	uint32_t at = start[0], end = start[1], stop = end, tag = (uint32_t)place >> 16;
	uint32_t nth = q->nth;

	while (at < stop) {
		uint32_t half = at + (stop - at) / 2, x = order[half] >> 16;

		if (x < tag || (x == tag && pmumap_imc_compare_(m, rows + (order[half] & 0xffff),
								q->name, q->len) < 0))
			at = half + 1;
		else
			stop = half;
	}
	if (!q->unit) { /* equal names are neighbours */
		at = nth < end - at ? at + nth : end;
		nth = 0;
	}
	for (; at < end; at++) {
		uint32_t x = order[at] & 0xffff;

		if (!pmumap_imc_is_name_(m, rows + x, q->name, q->len))
			break;
		if (q->unit && !pmumap_imc_unit_is_(m, rows[x].unit, q->unit, q->unit_len))
			continue;
		if (nth-- == 0) {
			*event = x;
			return 1;
		}
	}
	return 0;
}

/* Whether a query has fewer matches than it asks for, but some. */
static inline int pmumap_imc_has_fewer_(const struct pmumap_imc *m,
					const struct pmumap_imc_query_ *q)
{
	struct pmumap_imc_query_ first = *q;
	uint32_t event;

	first.nth = 0;
	return q->nth && pmumap_imc_run_query_(m, &first, &event);
}

/* Find any name: a later match, UNIT/NAME, or one in a large bucket. */
PMUMAP_OUTLINE_ int pmumap_imc_find_otherwise_(const struct pmumap_imc *m,
					       const unsigned char *text, size_t len, uint32_t nth,
					       uint32_t *event)
{
	struct pmumap_imc_query_ q;
	size_t slash = 0;

	q.name = text;
	q.len = len;
	q.unit = 0;
	q.unit_len = 0;
	q.nth = nth;
	if (pmumap_imc_run_query_(m, &q, event))
		return 1;
	while (slash < len && text[slash] != '/')
		slash++;
	/* If the whole text is a name with fewer matches, it is not UNIT/NAME. */
	if (slash == len || pmumap_imc_has_fewer_(m, &q))
		return 0;
	q.unit = (const char *)text;
	q.unit_len = slash;
	q.name += slash + 1;
	q.len -= slash + 1;
	if (pmumap_imc_run_query_(m, &q, event))
		return 1;
	if (q.len == 0 || text[len - 1] != '/' || pmumap_imc_has_fewer_(m, &q))
		return 0;
	q.len--;
	return pmumap_imc_run_query_(m, &q, event);
}

/* Take an event whose hash is that of a text: almost always it has this name. */
PMUMAP_OUTLINE_ int pmumap_imc_take_(const struct pmumap_imc *m, const unsigned char *text,
				     size_t len, uint32_t x, uint32_t *event)
{
	x &= 0xffff;
	if (!pmumap_imc_is_name_(m, pmumap_imc_rows_(m) + x, text, len))
		return pmumap_imc_find_otherwise_(m, text, len, 0, event);
	*event = x;
	return 1;
}

#define PMUMAP_IMC_NEAR_ 16u /* in a larger bucket, bisect */

/* The first match of a name: few instructions, and no stack frame. The rest is elsewhere. */
PMUMAP_DEF int pmumap_imc_find_name(const struct pmumap_imc *m, const char *name, size_t len,
				    uint32_t nth, uint32_t *event)
{
	const unsigned char *text = (const unsigned char *)name;
	uint64_t place = pmumap_imc_place_(m, pmumap_imc_hash_(text, len));
	const uint16_t *start = pmumap_imc_numbers_(m, m->name_starts) + (place >> 32);
	const uint32_t *at = pmumap_imc_by_name_(m) + start[0];
	uint32_t n = start[1] - (uint32_t)start[0];

	if (nth || n > PMUMAP_IMC_NEAR_)
		return pmumap_imc_find_otherwise_(m, text, len, nth, event);
	for (; n; n--, at++) {
		if (*at >> 16 == (uint32_t)place >> 16)
			return pmumap_imc_take_(m, text, len, *at, event);
	}
	/* A miss need not search for a slash unless a unit may begin so. */
	if (len && m->first_bytes >> (text[0] >> 3) & 1)
		return pmumap_imc_find_otherwise_(m, text, len, 0, event);
	return 0;
}

/*
 * Load everything before storing anything: to the compiler, a store might change the map.
 */
PMUMAP_DEF int pmumap_imc_event(const struct pmumap_imc *m, uint32_t event,
				struct pmumap_imc_event *out)
{
	const struct pmumap_imc_row_ *row = pmumap_imc_rows_(m) + event;
	const struct pmumap_imc_own_ *own;
	const struct pmumap_imc_unit_row_ *u;
	uint32_t unit, node, prefix, name, scale, measure, type, offset, desc = 0, n;

	if (event >= m->names)
		return 0;
	unit = row->unit;
	offset = row->offset;
	u = pmumap_imc_unit_rows_(m) + unit;
	name = row->name + u->prefix_bytes;
	node = u->name;
	prefix = u->prefix;
	scale = u->scale;
	measure = u->measure;
	type = u->type;
	if (row->length & PMUMAP_IMC_OWN_) {
		own = pmumap_imc_owns_(m);
		for (n = m->own_count; n > 1; n -= n / 2)
			own += own[n / 2].row <= event ? n / 2 : 0;
		scale = own->scale ? own->scale : scale;
		measure = own->measure ? own->measure : measure;
		desc = own->desc;
	}
	out->unit = (const char *)pmumap_image_at_(m, node);
	out->prefix = (const char *)pmumap_image_at_(m, prefix);
	out->name = (const char *)pmumap_image_at_(m, name);
	out->scale = pmumap_imc_string_(m, scale);
	out->measure = pmumap_imc_string_(m, measure);
	out->desc = pmumap_imc_string_(m, desc);
	out->type = type;
	out->offset = offset;
	out->unit_index = unit;
	return 1;
}
