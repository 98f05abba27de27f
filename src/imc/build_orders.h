/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "core/text.h"
#include "core/image.h"
#include "builder/sort.h"
#include "builder/pool.h"
#include "imc/tables.h"
#include "imc/entries.h"
#include "imc/build_units.h"

/* Events of the map by name; of one name in the order of their numbers. */
static inline int pmumap_imc_event_name_before_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap *m = (const struct pmumap *)context;
	const char *s = pmumap_imc_event_name_(m, a), *t = pmumap_imc_event_name_(m, b);

	if (pmumap_text_before_(s, t))
		return 1;
	return !pmumap_text_before_(t, s) && a < b;
}

/* Units of the map by prefix; of one prefix in the order of the tree. */
static inline int pmumap_imc_unit_prefix_before_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap *m = (const struct pmumap *)context;
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	const char *s = (const char *)pmumap_image_at_(m, u[a].prefix);
	const char *t = (const char *)pmumap_image_at_(m, u[b].prefix);

	if (s != t && pmumap_text_before_(s, t))
		return 1;
	return (s == t || !pmumap_text_before_(t, s)) && a < b;
}

/*
 * Fill in the chain of prefixes, as PMUMAP_IMC_NO_PREFIX_ describes it; units: those of by_prefix.
 * first: the place of the last prefix that was not the same as the one before it.
 */
static inline void pmumap_imc_chain_prefixes_(struct pmumap_imc_build_ *w, const uint32_t *units,
					      uint32_t *chain)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(w->m);
	uint32_t i, first = 0, other;

	for (i = 0; i < w->c->unit_count; i++) {
		const char *s = (const char *)pmumap_image_at_(w->m, u[units[i]].prefix), *t = s;
		size_t len = pmumap_imc_prefix_bytes_(w->m, &u[units[i]]);

		for (other = i ? first : PMUMAP_IMC_NO_PREFIX_; other != PMUMAP_IMC_NO_PREFIX_;
		     other = chain[other]) {
			t = (const char *)pmumap_image_at_(w->m, u[units[other]].prefix);
			if (pmumap_prefix_length_(t, (const unsigned char *)s, len) <= len)
				break;
		}
		if (other == first && !pmumap_text_before_(t, s)) {
			chain[i] = first | PMUMAP_IMC_SAME_PREFIX_;
			continue;
		}
		chain[i] = other;
		first = i;
	}
}

/* Sort what names are searched in where there is no index. */
static inline void pmumap_imc_build_orders_(struct pmumap_imc_build_ *w)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(w->m);
	uint32_t bytes = w->c->unit_count * (uint32_t)sizeof(uint32_t), i, n;
	uint32_t *units = (uint32_t *)pmumap_append_table_(w->m, &w->c->by_prefix, bytes);
	uint32_t *chain = (uint32_t *)pmumap_append_table_(w->m, &w->c->chain, bytes);
	uint32_t *lists = (uint32_t *)pmumap_append_table_(w->m, &w->c->by_list, bytes);
	uint32_t *events = (uint32_t *)pmumap_append_table_(
		w->m, &w->c->by_name, w->c->event_count * (uint32_t)sizeof(uint32_t));

	for (i = 0; i < w->c->event_count; i++)
		events[i] = PMUMAP_NO_ROW;
	for (i = 0; i < w->c->unit_count; i++) {
		units[i] = i;
		lists[i] = w->counts[i];
		if (lists[i] == 0 || events[u[i].first] != PMUMAP_NO_ROW)
			continue; /* of a unit before */
		for (n = 0; n < lists[i]; n++)
			events[u[i].first + n] = u[i].first + n;
		pmumap_heap_sort_(events + u[i].first, n, pmumap_imc_event_name_before_, w->m);
	}
	pmumap_heap_sort_(units, w->c->unit_count, pmumap_imc_unit_prefix_before_, w->m);
	pmumap_imc_chain_prefixes_(w, units, chain);
}
