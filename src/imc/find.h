/* SPDX-License-Identifier: BSD-2-Clause */
/* Find names and offsets */
#pragma once

#include "imc/tables.h"

/* Whether a text is any spelling of a unit of the map. */
static inline int pmumap_imc_unit_is_(const struct pmumap_imc *m, uint32_t unit, const char *text,
				      size_t len)
{
	const char *node = PMUMAP_IMC_TEXT_(m, PMUMAP_IMC_UNITS_(m)[unit].name), *part;
	size_t n = 0;
	uint32_t i;

	while (n < len && node[n] && node[n] == text[n])
		n++;
	if (n == len && (node[n] == 0 || node[n] == '@'))
		return 1;
	n = 0;
	for (i = 0; i < 3; i++) {
		for (part = pmumap_imc_linux_part_(m, unit, i); *part && *part != '@'; part++) {
			if (n == len || text[n++] != *part)
				return 0;
		}
	}
	return n == len;
}

/* Compare a row's name with a text, in some order: by length first. Returns below 0, 0 or above. */
static inline int pmumap_imc_compare_(const struct pmumap_imc *m, uint32_t event,
				      const unsigned char *text, size_t len)
{
	const struct pmumap_imc_row_ *row = PMUMAP_IMC_ROWS_(m) + event;
	const unsigned char *name = PMUMAP_IMC_BYTES_(m, row->name);
	size_t i = 0, end = len - 8;

	if (row->length != len)
		return row->length < len ? -1 : 1;
	if (PMUMAP_UNALIGNED_ && len > 8 && PMUMAP_WORD_(text + end) == PMUMAP_WORD_(name + end)) {
		while (i < end && PMUMAP_WORD_(text + i) == PMUMAP_WORD_(name + i))
			i += 8; /* the last words may overlap */
		if (i >= end)
			return 0;
	} else if (!PMUMAP_UNALIGNED_ && (size_t)text % 8 == 0) {
		while (i + 8 <= len && PMUMAP_WORD_(text + i) == PMUMAP_WORD_(name + i))
			i += 8;
	}
	while (i < len && text[i] == name[i])
		i++;
	return i == len ? 0 : (int)name[i] - (int)text[i];
}

/*
 * Find the nth match of a name by bisecting its bucket. The name begins at from; before it, unless
 * that is 0, are the spelling of a unit and a slash. Returns 1; 0: no match; -1: fewer.
 */
static inline int pmumap_imc_bisect_(const struct pmumap_imc *m, const unsigned char *text,
				     size_t from, size_t len, uint32_t nth, uint32_t *event)
{
	const struct pmumap_imc_entry_ *order = PMUMAP_IMC_BY_NAME_(m);
	const unsigned char *name = text + from;
	uint64_t hash = pmumap_imc_hash_(m, name, len -= from);
	const uint16_t *start =
		PMUMAP_IMC_NUMBERS_(m, m->name_starts) + PMUMAP_IMC_BUCKET_(m, hash);
	uint32_t at = start[0], end = start[1], stop = end, tag = PMUMAP_IMC_TAG_(hash), half;
	int found = 0;

	while (at < stop) {
		half = at + (stop - at) / 2;
		if (order[half].tag < tag ||
		    (order[half].tag == tag &&
		     pmumap_imc_compare_(m, order[half].event, name, len) < 0))
			at = half + 1;
		else
			stop = half;
	}
	for (; at < end && !pmumap_imc_compare_(m, order[at].event, name, len); at++) {
		if (from && !pmumap_imc_unit_is_(m, PMUMAP_IMC_ROWS_(m)[order[at].event].unit,
						 (const char *)text, from - 1))
			continue;
		if (nth == 0) {
			*event = order[at].event;
			return 1;
		}
		found = -1;
		if (!from && nth >= end - at)
			break;
		at += from ? 0 : nth - 1; /* equal names are neighbours */
		nth = from ? nth - 1 : 0;
	}
	return found;
}

/* Find any name: a later match, UNIT/NAME, or one that is hashed whole. */
PMUMAP_OUTLINE_ int pmumap_imc_find_otherwise_(const struct pmumap_imc *m,
					       const unsigned char *text, size_t len, uint32_t nth,
					       uint32_t *event)
{
	int found = pmumap_imc_bisect_(m, text, 0, len, nth, event);
	size_t from = 0;

	/* If the whole text is a name with fewer matches, it is not UNIT/NAME. */
	while (!found && from < len) {
		if (text[from++] != '/')
			continue;
		found = pmumap_imc_bisect_(m, text, from, len, nth, event);
		if (!found && from < len && text[len - 1] == '/')
			found = pmumap_imc_bisect_(m, text, from, len - 1, nth, event);
		break;
	}
	return found > 0;
}

/* Take the event with the tag of a text of at least 8 bytes: almost always it has this name. */
PMUMAP_OUTLINE_ int pmumap_imc_take_(const struct pmumap_imc *m, const unsigned char *text,
				     size_t len, const struct pmumap_imc_entry_ *at,
				     uint32_t *event)
{
	if (pmumap_imc_compare_(m, at->event, text, len))
		return pmumap_imc_find_otherwise_(m, text, len, 0, event);
	*event = at->event;
	return 1;
}

/* The first match of a name: few instructions, and no stack frame. The rest is elsewhere. */
PMUMAP_DEF int pmumap_imc_find_name(const struct pmumap_imc *m, const char *name, size_t len,
				    uint32_t nth, uint32_t *event)
{
	const unsigned char *text = (const unsigned char *)name;
	const struct pmumap_imc_entry_ *at;
	const uint16_t *start;
	uint64_t hash;
	size_t n;

	if (nth || len < m->whole)
		return pmumap_imc_find_otherwise_(m, text, len, nth, event);
	hash = pmumap_imc_hash_long_(m, text, len);
	start = PMUMAP_IMC_NUMBERS_(m, m->name_starts) + PMUMAP_IMC_BUCKET_(m, hash);
	at = PMUMAP_IMC_BY_NAME_(m) + start[0];
	for (n = (size_t)start[1] - start[0]; n; n--, at++) {
		if (at->tag == PMUMAP_IMC_TAG_(hash))
			return pmumap_imc_take_(m, text, len, at, event);
		PMUMAP_LOADED_(n); /* so that compilers do not unroll: there are one or two */
	}
	/* A miss need not search for a slash unless a unit may begin so. */
	if (text[0] >= m->lowest)
		return pmumap_imc_find_otherwise_(m, text, len, 0, event);
	return 0;
}

/* In a bucket, rows are sorted by the hash of their offset, then by number, so by unit. */
PMUMAP_DEF int pmumap_imc_find_offset(const struct pmumap_imc *m, uint32_t unit, uint32_t offset,
				      uint32_t nth, uint32_t *event)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m) + unit;
	const struct pmumap_imc_row_ *rows = PMUMAP_IMC_ROWS_(m);
	const uint16_t *order = PMUMAP_IMC_NUMBERS_(m, m->by_offset), *start;
	uint32_t hash = offset * PMUMAP_IMC_MIX_OFFSET_, first = 0, end = m->names, at, n, half,
		 row, other;

	if (unit != PMUMAP_IMC_ALL) {
		if (unit >= m->unit_count)
			return 0;
		first = u->first;
		end = first + u->events;
	}
	start = PMUMAP_IMC_NUMBERS_(m, m->offset_starts) + PMUMAP_IMC_OFFSET_BUCKET_(m, hash);
	at = start[0];
	for (n = start[1] - at; n; n -= half) {
		half = (n + 1) / 2;
		row = order[at + half - 1];
		other = rows[row].offset * PMUMAP_IMC_MIX_OFFSET_;
		at += other < hash || (other == hash && row < first) ? half : 0;
	}
	if (nth >= start[1] - at)
		return 0;
	row = order[at + nth];
	if (rows[row].offset != offset || row >= end)
		return 0;
	*event = row;
	return 1;
}
