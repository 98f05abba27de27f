/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorted orders, where the index of names has no room */
#pragma once

#include "pool/sort.h"
#include "imc/build_units.h"

/* Events of the map by name; those of one name keep the order of their numbers. */
static inline int pmumap_imc_order_event_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m);

	return pmumap_imc_compare_strings_(m, e[a].name & ~PMUMAP_IMC_HAS_OVERRIDE_,
					   e[b].name & ~PMUMAP_IMC_HAS_OVERRIDE_);
}

/*
 * Units of the map by prefix; those of one prefix by where their events end, so that units with the
 * same names come one after the other, in the order of the tree.
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
 * Fill in the chain of prefixes, as PMUMAP_IMC_NO_PREFIX_ describes it; units: those of by_prefix.
 * first: the place of the last prefix that was not the same as the one before it. A prefix that is
 * passed over is in no later chain: so each is compared once, and once more with the next.
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

/* Sort what names are searched in where there is no index. The place of the entries is free. */
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

/* The key of the offset of a number. */
static inline uint32_t pmumap_imc_key_of_number_(const struct pmumap_imc *m, uint32_t number)
{
	return pmumap_imc_offset_key_(pmumap_imc_offset_of_number_(m, number));
}

/* Numbers by the keys of their offsets; those of one offset stay as they are. */
static inline int pmumap_imc_order_keys_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	uint32_t x = pmumap_imc_key_of_number_(m, a), y = pmumap_imc_key_of_number_(m, b);

	return x < y ? -1 : x > y;
}

/*
 * Sort n numbers into another place: by bucket, counted and filled from the end, and then each
 * bucket, since a tree may choose what falls into one. starts gets where they begin, and the end.
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
 * Store n numbers with 16 bits each or 32. Of 65536 names with 16 bits the end of their order is
 * one too low. Nothing is lost: a search that does not end before that ends at the last name.
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
 * Build the order of offsets, unless there are many more names than events and units; the map can
 * do without. For each name it grows by 2 or 4 bytes and an eighth of that; building takes 8 1/2.
 *
 * There is room, which pmumap_finish() has seen to. Building an index left twice as much. Without
 * one, of what pmumap_need() counts for each event 48 bytes are left here, and 88 for each unit:
 * the place of their entries, which are gone, and what they did not need. Up to NAMES_EACH_ names
 * take 34, and 128 bytes for rounding up take care of the names beyond that.
 */
static inline void pmumap_imc_build_offsets_(struct pmumap_imc_build_ *w)
{
	uint32_t n = w->m->names, starts_count = pmumap_imc_count_offset_buckets_(n) + 1;
	int wide = pmumap_imc_has_wide_numbers_(w->m);
	uint32_t each = wide ? 4 : 2, *numbers, *sorted, *starts;
	void *buckets;

	if (n == 0 || w->m->nth_bit == 0 ||
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
