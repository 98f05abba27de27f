/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorted tables: names without an index, offsets */
#pragma once

#include "pool/sort.h"
#include "imc/build_units.h"
#include "imc/build_index.h"

/* Compare events of the map by name. Equal names keep the order of their numbers. */
static inline int pmumap_imc_order_event_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m);

	return pmumap_imc_compare_strings_(m, e[a].name & ~PMUMAP_IMC_HAS_OVERRIDE_,
					   e[b].name & ~PMUMAP_IMC_HAS_OVERRIDE_);
}

/*
 * Compare units of the map by prefix, then by the end of their events. So units with the same names
 * are neighbours, in the order of the tree.
 */
static inline int pmumap_imc_order_unit_prefixes_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	const struct pmumap_imc_unit_row_ *x = pmumap_imc_unit_rows_(m) + a;
	const struct pmumap_imc_unit_row_ *y = pmumap_imc_unit_rows_(m) + b;
	int order = pmumap_imc_compare_strings_(m, x->prefix, y->prefix);

	uint32_t i = x->first + x->events, j = y->first + y->events;

	return order ? order : i < j ? -1 : i > j;
}

/*
 * Fill in the chain of prefixes described at PMUMAP_IMC_NO_PREFIX_; units: by_prefix. first: the
 * place where the current run of equal prefixes begins. A prefix that is skipped is in no later
 * chain, so each is compared once, plus once with the next.
 */
static inline void pmumap_imc_chain_prefixes_(struct pmumap_imc_build_ *w, const uint32_t *units,
					      uint32_t *chain)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(w->m);
	uint32_t i, first = 0, other;

	for (i = 0; i < w->m->unit_count; i++) {
		uint32_t prefix = u[units[i]].prefix;
		const char *s = (const char *)pmumap_image_at_(w->m, prefix);
		size_t len = pmumap_imc_prefix_bytes_(w->m, &u[units[i]]);

		if (i && !pmumap_imc_compare_strings_(w->m, u[units[first]].prefix, prefix)) {
			chain[i] = first | PMUMAP_IMC_SAME_PREFIX_;
			continue;
		}
		for (other = i ? first : PMUMAP_IMC_NO_PREFIX_; other != PMUMAP_IMC_NO_PREFIX_;
		     other = chain[other]) {
			const char *t =
				(const char *)pmumap_image_at_(w->m, u[units[other]].prefix);

			if (pmumap_prefix_length_(t, (const unsigned char *)s, len) <= len)
				break;
		}
		chain[i] = other;
		first = i;
	}
}

/* Build the sorted tables. The memory of the entries is free. */
static inline void pmumap_imc_build_orders_(struct pmumap_imc_build_ *w)
{
	uint32_t unit_count = w->m->unit_count, event_count = w->m->event_count, i;
	uint32_t bytes = unit_count * (uint32_t)sizeof(uint32_t);
	uint32_t *units = (uint32_t *)pmumap_append_table_(w->m, &w->m->by_prefix, bytes);
	uint32_t *chain = (uint32_t *)pmumap_append_table_(w->m, &w->m->chain, bytes);
	uint32_t *events = (uint32_t *)pmumap_append_table_(
		w->m, &w->m->by_name, event_count * (uint32_t)sizeof(uint32_t));
	uint32_t *spare =
		pmumap_pool_scratch_(&w->pool, unit_count < event_count ? event_count : unit_count);

	for (i = 0; i < unit_count; i++)
		units[i] = i;
	for (i = 0; i < event_count; i++)
		events[i] = i;
	pmumap_sort_numbers_(units, unit_count, spare, pmumap_imc_order_unit_prefixes_, w->m);
	pmumap_sort_numbers_(events, event_count, spare, pmumap_imc_order_event_names_, w->m);
	pmumap_imc_chain_prefixes_(w, units, chain);
}

static inline uint32_t pmumap_imc_key_of_number_(const struct pmumap_imc *m, uint32_t number)
{
	return pmumap_imc_offset_key_(pmumap_imc_offset_of_number_(m, number));
}

/* Compare numbers by the keys of their offsets. Equal offsets keep their order. */
static inline int pmumap_imc_order_keys_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	uint32_t x = pmumap_imc_key_of_number_(m, a), y = pmumap_imc_key_of_number_(m, b);

	return x < y ? -1 : x > y;
}

/*
 * Sort n numbers into sorted: a counting sort by bucket, filled from the end, then a merge sort in
 * each bucket, because a hostile tree may fill a single one. starts gets where buckets begin, and
 * the end.
 */
static inline void pmumap_imc_sort_by_key_(const struct pmumap_imc *m, uint32_t *numbers,
					   uint32_t n, uint32_t *sorted, uint32_t *starts)
{
	uint32_t count = pmumap_imc_count_offset_buckets_(n), bucket, i;

	pmumap_zero_words_(starts, (count + 1) * sizeof(*starts));
	for (i = 0; i < n; i++)
		starts[pmumap_scale_to_(pmumap_imc_key_of_number_(m, numbers[i]), count)]++;
	for (bucket = 0; bucket < count; bucket++)
		starts[bucket + 1] += starts[bucket];
	for (i = n; i-- > 0;) {
		bucket = pmumap_scale_to_(pmumap_imc_key_of_number_(m, numbers[i]), count);
		sorted[--starts[bucket]] = numbers[i];
	}
	for (bucket = 0; bucket < count; bucket++)
		pmumap_sort_numbers_(sorted + starts[bucket], starts[bucket + 1] - starts[bucket],
				     numbers, pmumap_imc_order_keys_, m);
}

/*
 * Store n numbers in 16 or 32 bits each. With 65536 names, 16 bits hold the end one too low. That
 * is harmless: a search that gets this far ends at the last name.
 */
static inline void pmumap_imc_store_numbers_(void *table, const uint32_t *numbers, uint32_t n,
					     int wide)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (wide)
			((uint32_t *)table)[i] = numbers[i];
		else
			((uint16_t *)table)[i] =
				(uint16_t)(numbers[i] < 0xffff ? numbers[i] : 0xffff);
		PMUMAP_NO_LIBCALL_();
	}
}

/*
 * Build the order of offsets, unless names far outnumber events and units: the map works without
 * it. It adds 2 or 4 bytes per name and an eighth of that; building takes 8 1/2 per name, for which
 * pmumap_imc_index_bytes_() is enough.
 */
static inline void pmumap_imc_build_offsets_(struct pmumap_imc_build_ *w)
{
	uint32_t n = w->m->names, starts_count = pmumap_imc_count_offset_buckets_(n) + 1;
	int wide = pmumap_imc_has_wide_numbers_(w->m);
	uint32_t each = wide ? 4 : 2, *numbers, *sorted, *starts;
	void *buckets;

	if (n == 0 || w->m->number_bits == 0 ||
	    (!w->m->slots && n / PMUMAP_IMC_NAMES_EACH_ > w->b->names))
		return;
	buckets = pmumap_append_table_(w->m, &w->m->offset_buckets, starts_count * each);
	numbers = (uint32_t *)(void *)((char *)w->m + w->m->head.size);
	sorted = numbers + n;
	starts = sorted + n;
	pmumap_imc_number_names_(w->m, numbers);
	pmumap_imc_sort_by_key_(w->m, numbers, n, sorted, starts);
	pmumap_imc_store_numbers_(buckets, starts, starts_count, wide);
	pmumap_imc_store_numbers_(numbers, sorted, n, wide);
	w->m->by_offset = w->m->head.size;
	w->m->head.size += n * each;
	pmumap_pad_image_(w->m);
}
