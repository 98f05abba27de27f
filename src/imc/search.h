/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "core/compiler.h"
#include "core/text.h"
#include "core/image.h"
#include "imc/tables.h"
#include "imc/unit_name.h"

/* What is looked for: the nth match of a name; unit: only in units spelled like that, or NULL. */
struct pmumap_imc_query_ {
	const unsigned char *name;
	size_t len;
	const char *unit;
	size_t unit_len;
	uint32_t nth;
};

/*
 * Without an index: look for the nth match in one unit; prefix: bytes of its prefix. Returns 0: it
 * has fewer, and nth is that much lower.
 */
static inline int pmumap_imc_search_unit_(const struct pmumap *m, struct pmumap_imc_query_ *q,
					  uint32_t unit, size_t prefix,
					  struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + unit;
	const uint32_t *order = pmumap_imc_numbers_at_(m, pmumap_imc_part_(m)->by_name) + u->first;
	uint32_t end = pmumap_imc_numbers_at_(m, pmumap_imc_part_(m)->by_list)[unit];
	const unsigned char *rest = q->name + prefix;
	size_t len = q->len - prefix;
	uint32_t low = 0, n = end;

	if (q->unit && !pmumap_imc_unit_is_(m, unit, q->unit, q->unit_len))
		return 0;
	while (n) {
		uint32_t half = n / 2;

		if (pmumap_compare_text_(pmumap_imc_event_name_(m, order[low + half]), rest, len) <
		    0) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	for (; low < end; low++) {
		if (pmumap_compare_text_(pmumap_imc_event_name_(m, order[low]), rest, len))
			break;
		if (order[low] - u->first >= u->events || q->nth-- != 0)
			continue;
		match->unit = unit;
		match->event = order[low];
		return 1;
	}
	return 0;
}

/*
 * Without an index: look for the nth match. Returns 0: there is none.
 *
 * The last prefix that is not above the name has all prefixes of the name in its chain: what is
 * sorted between a text and a beginning of it has that beginning, too. Of "PM_B_EVENT" that is
 * place 4 in the example of PMUMAP_IMC_NO_PREFIX_, and then 1 and 0.
 */
PMUMAP_OUTLINE_ int pmumap_imc_search_name_(const struct pmumap *m, struct pmumap_imc_query_ *q,
					    struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc *c = pmumap_imc_part_(m);
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	const uint32_t *units = pmumap_imc_numbers_at_(m, c->by_prefix);
	const uint32_t *chain = pmumap_imc_numbers_at_(m, c->chain);
	uint32_t low = 0, n = c->unit_count, i;
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
		for (i = low; prefix <= q->len && i < c->unit_count; i++) {
			if (i != low && chain[i] != (low | PMUMAP_IMC_SAME_PREFIX_))
				break;
			if (pmumap_imc_search_unit_(m, q, units[i], prefix, match))
				return 1;
		}
		if (chain[low] >= low)
			return 0;
	}
}
