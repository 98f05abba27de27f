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

/* Compare a row's name with a text, in some order: by length first. Returns below 0, 0 or above. */
static inline int pmumap_imc_compare_(const struct pmumap_imc *m, const struct pmumap_imc_row_ *row,
				      const unsigned char *text, size_t len)
{
	const unsigned char *name = (const unsigned char *)pmumap_image_at_(m, row->name);
	size_t i = 0;

	if (row->length != len)
		return row->length < len ? -1 : 1;
	if (PMUMAP_UNALIGNED_ || (size_t)text % 8 == 0) {
		while (i + 8 <= len && PMUMAP_WORD_(text + i) == PMUMAP_WORD_(name + i))
			i += 8;
	}
	while (i + 4 <= len && text[i] == name[i] && text[i + 1] == name[i + 1] &&
	       text[i + 2] == name[i + 2] && text[i + 3] == name[i + 3])
		i += 4;
	while (i < len && text[i] == name[i])
		i++;
	return i == len ? 0 : (int)name[i] - (int)text[i];
}

/* Whether a row has this name. */
static inline int pmumap_imc_is_name_(const struct pmumap_imc *m, const struct pmumap_imc_row_ *row,
				      const unsigned char *text, size_t len)
{
	return pmumap_imc_compare_(m, row, text, len) == 0;
}

/*
 * Find the nth match of a name by bisecting its bucket; unit: only in units with this spelling;
 * NULL: in all. Returns 1; 0 if there is no match; -1 if there are fewer.
 */
static inline int pmumap_imc_bisect_(const struct pmumap_imc *m, const unsigned char *name,
				     size_t len, const char *unit, size_t unit_len, uint32_t nth,
				     uint32_t *event)
{
	const struct pmumap_imc_row_ *rows = pmumap_imc_rows_(m);
	const struct pmumap_imc_entry_ *order = pmumap_imc_by_name_(m);
	uint64_t hash = pmumap_imc_hash_(m, name, len);
	const uint16_t *start =
		pmumap_imc_numbers_(m, m->name_starts) + pmumap_imc_bucket_of_(m, hash);
	uint32_t at = start[0], end = start[1], stop = end, tag = pmumap_imc_tag_(hash), half;
	int found = 0;

	while (at < stop) {
		half = at + (stop - at) / 2;
		if (order[half].tag < tag ||
		    (order[half].tag == tag &&
		     pmumap_imc_compare_(m, rows + order[half].event, name, len) < 0))
			at = half + 1;
		else
			stop = half;
	}
	for (; at < end && pmumap_imc_is_name_(m, rows + order[at].event, name, len); at++) {
		if (unit && !pmumap_imc_unit_is_(m, rows[order[at].event].unit, unit, unit_len))
			continue;
		if (nth == 0) {
			*event = order[at].event;
			return 1;
		}
		found = -1;
		if (!unit && nth >= end - at)
			break;
		/* Equal names are neighbours. */
		at += unit ? 0 : nth - 1;
		nth = unit ? nth - 1 : 0;
	}
	return found;
}

/* Find any name: a later match, UNIT/NAME, or one in a large bucket. */
PMUMAP_OUTLINE_ int pmumap_imc_find_otherwise_(const struct pmumap_imc *m,
					       const unsigned char *text, size_t len, uint32_t nth,
					       uint32_t *event)
{
	int found = pmumap_imc_bisect_(m, text, len, 0, 0, nth, event);
	size_t slash = 0, n;

	/* If the whole text is a name with fewer matches, it is not UNIT/NAME. */
	while (slash < len && text[slash] != '/')
		slash++;
	if (found || slash == len)
		return found > 0;
	n = len - slash - 1;
	found = pmumap_imc_bisect_(m, text + slash + 1, n, (const char *)text, slash, nth, event);
	if (!found && n && text[len - 1] == '/')
		found = pmumap_imc_bisect_(m, text + slash + 1, n - 1, (const char *)text, slash,
					   nth, event);
	return found > 0;
}

/* Take the event at this place, if it has this name; otherwise find another one. */
PMUMAP_OUTLINE_ int pmumap_imc_take_any_(const struct pmumap_imc *m, const unsigned char *text,
					 size_t len, uint32_t x, uint32_t *event)
{
	if (!pmumap_imc_is_name_(m, pmumap_imc_rows_(m) + x, text, len))
		return pmumap_imc_find_otherwise_(m, text, len, 0, event);
	*event = x;
	return 1;
}

#if PMUMAP_UNALIGNED_
/* 0 if n bytes are equal, from 8 to 32. Words may overlap. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_imc_differ_(const unsigned char *a, const unsigned char *b,
						  size_t n)
{
	uint64_t differ = (PMUMAP_WORD_(a) ^ PMUMAP_WORD_(b)) |
			  (PMUMAP_WORD_(a + n - 8) ^ PMUMAP_WORD_(b + n - 8));

	if (n >= 16)
		differ |= (PMUMAP_WORD_(a + 8) ^ PMUMAP_WORD_(b + 8)) |
			  (PMUMAP_WORD_(a + n - 16) ^ PMUMAP_WORD_(b + n - 16));
	return differ;
}
#endif

/* The same for one with the hash of a text of at least 8 bytes: almost always it has this name. */
PMUMAP_OUTLINE_ int pmumap_imc_take_(const struct pmumap_imc *m, const unsigned char *text,
				     size_t len, const struct pmumap_imc_entry_ *at,
				     uint32_t *event)
{
	uint32_t x = at->event;
#if PMUMAP_UNALIGNED_
	const struct pmumap_imc_row_ *row = pmumap_imc_rows_(m) + x;

	if (row->length == len && len <= 32 &&
	    !pmumap_imc_differ_(text, (const unsigned char *)pmumap_image_at_(m, row->name), len)) {
		*event = x;
		return 1;
	}
#endif
	return pmumap_imc_take_any_(m, text, len, x, event);
}

/* Find the first match by scanning a bucket, which is small. */
PMUMAP_ALWAYS_INLINE_ int pmumap_imc_scan_(const struct pmumap_imc *m, const unsigned char *text,
					   size_t len, uint64_t hash, uint32_t *event)
{
	const uint16_t *start =
		pmumap_imc_numbers_(m, m->name_starts) + pmumap_imc_bucket_of_(m, hash);
	const struct pmumap_imc_entry_ *at = pmumap_imc_by_name_(m);
	size_t first = start[0], n = start[1] - first;

	for (at += first; n; n--, at++) {
		if (at->tag == pmumap_imc_tag_(hash))
			return pmumap_imc_take_(m, text, len, at, event);
		PMUMAP_LOADED_(n); /* so that compilers do not unroll: there are one or two */
	}
	/* A miss need not search for a slash unless a unit may begin so. */
	if (text[0] >= m->lowest)
		return pmumap_imc_find_otherwise_(m, text, len, 0, event);
	return 0;
}

/* Find a name that is short, or not the first match. */
PMUMAP_OUTLINE_ int pmumap_imc_find_short_(const struct pmumap_imc *m, const unsigned char *text,
					   size_t len, uint32_t nth, uint32_t *event)
{
	if (nth || len < m->bisect / 2)
		return pmumap_imc_find_otherwise_(m, text, len, nth, event);
	return pmumap_imc_scan_(m, text, len, pmumap_imc_hash_short_(m, text, len), event);
}

/* The first match of a name: few instructions, and no stack frame. The rest is elsewhere. */
PMUMAP_DEF int pmumap_imc_find_name(const struct pmumap_imc *m, const char *name, size_t len,
				    uint32_t nth, uint32_t *event)
{
	const unsigned char *text = (const unsigned char *)name;

	if (nth || len < m->bisect)
		return pmumap_imc_find_short_(m, text, len, nth, event);
	return pmumap_imc_scan_(m, text, len, pmumap_imc_hash_long_(m, text, len), event);
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
	if (m->own_count) {
		own = pmumap_imc_owns_(m);
		for (n = m->own_count; n > 1; n -= n / 2)
			own += own[n / 2].row <= event ? n / 2 : 0;
		if (own->row == event) {
			scale = own->scale ? own->scale : scale;
			measure = own->measure ? own->measure : measure;
			desc = own->desc;
		}
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
