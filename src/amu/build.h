/* SPDX-License-Identifier: BSD-2-Clause */
/* Turn filled tables into a map */
#pragma once

#include "amu/fill.h"

/* The first of n sorted pairs with this key, or NULL. */
static inline uint32_t *pmumap_amu_find_pair_(uint32_t (*pairs)[2], uint32_t n, uint32_t key)
{
	uint32_t half;

	if (n == 0)
		return 0;
	for (; n > 1; n -= half) {
		half = n / 2;
		pairs += pairs[half - 1][0] < key ? half : 0;
	}
	return pairs[0][0] == key ? &pairs[0][0] : 0;
}

/* Sort the CPUs, drop those whose affinity an earlier one has, and find the views they name. */
static inline void pmumap_amu_resolve_cpus_(struct pmumap_amu_build_ *b)
{
	uint32_t(*cpus)[2] = PMUMAP_AMU_PAIRS_(b->m, b->m->cpus);
	uint32_t *order = PMUMAP_AMU_WORDS_(b->m, b->m->by_tree), *view, i, at, n = 0;

	pmumap_sort_pairs_(b->ids, b->r.view_count, 0, 0);
	pmumap_sort_pairs_(cpus, b->r.cpu_count, 0, 0);
	for (i = 0; i < b->r.cpu_count; i++) {
		at = cpus[i][1];
		view = order[at] ? pmumap_amu_find_pair_(b->ids, b->r.view_count, order[at]) : 0;
		order[at] = PMUMAP_AMU_NONE_;
		if (n && cpus[n - 1][0] == cpus[i][0])
			continue;
		cpus[n][0] = cpus[i][0];
		cpus[n][1] = view ? view[1] : PMUMAP_AMU_NO_VIEW;
		order[at] = n++;
		if (view)
			b->numbers[view[1]] = 1;
	}
	for (i = at = 0; i < b->r.cpu_count; i++) {
		order[at] = order[i];
		at += order[i] != PMUMAP_AMU_NONE_;
	}
	b->m->cpu_count = n;
}

/* Keep the views in /cpus/amus and those that a CPU names, and number them. */
static inline void pmumap_amu_number_views_(struct pmumap_amu_build_ *b)
{
	struct pmumap_amu *m = b->m;
	struct pmumap_amu_view_row_ *v = PMUMAP_AMU_VIEWS_(m);
	uint32_t *view, i, is_kept;

	for (i = 0; i < b->r.view_count; i++) {
		is_kept = b->numbers[i];
		b->numbers[i] = is_kept ? m->view_count : PMUMAP_AMU_NONE_;
		v[m->view_count] = v[i];
		m->view_count += is_kept;
	}
	for (i = 0; i < m->cpu_count; i++) {
		view = &PMUMAP_AMU_PAIRS_(m, m->cpus)[i][1];
		*view = *view == PMUMAP_AMU_NO_VIEW ? *view : b->numbers[*view];
	}
}

/* Copy the names, which are offsets in the tree, behind the tables. */
static inline void pmumap_amu_copy_names_(struct pmumap_amu_build_ *b)
{
	struct pmumap_amu *m = b->m;
	uint32_t *name = PMUMAP_AMU_WORDS_(m, m->names), i;
	unsigned char *to = PMUMAP_AMU_TABLE_(m, unsigned char, m->strings);
	const unsigned char *from;

	m->name_count = b->r.counter_count;
	for (i = 0; i < m->name_count; i++, name++) {
		from = b->r.w.blob + *name;
		*name = (uint32_t)(to - (unsigned char *)m);
		do {
			*to++ = *from;
			PMUMAP_NO_LIBCALL_();
		} while (*from++);
	}
	do
		*to++ = 0;
	while ((size_t)to % 8);
	m->head.size = (uint32_t)(to - (unsigned char *)m);
	m->string_bytes = m->head.size - m->strings;
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.magic = PMUMAP_AMU_MAGIC;
}

PMUMAP_DEF enum pmumap_status pmumap_amu_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_amu_options *opt,
						     size_t *bytes)
{
	struct pmumap_amu_build_ b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	status = pmumap_amu_lay_out_(&b, fdt, fdt_size, opt, 0, 0);
	*bytes = status == PMUMAP_OK ? (size_t)b.need : 0;
	return status;
}

/* Build the map of a tree. Afterwards b has the number of each view in the tree. */
static inline enum pmumap_status pmumap_amu_build_tree_(struct pmumap_amu_build_ *b,
							const void *fdt, size_t fdt_size,
							const struct pmumap_amu_options *opt,
							void *mem, size_t bytes)
{
	enum pmumap_status status;

	if (!fdt || !mem ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), mem, bytes))
		return PMUMAP_E_ARG;
	status = pmumap_amu_lay_out_(b, fdt, fdt_size, opt, mem, bytes);
	if (status != PMUMAP_OK)
		return status;
	(void)pmumap_amu_read_tree_(&b->r, fdt, fdt_size, opt, pmumap_amu_fill_item_);
	pmumap_amu_resolve_cpus_(b);
	pmumap_amu_number_views_(b);
	pmumap_amu_copy_names_(b);
	return PMUMAP_OK;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_amu_fdt_build(const void *fdt, size_t fdt_size, const struct pmumap_amu_options *opt,
		     void *mem, size_t bytes, const struct pmumap_amu **map)
{
	struct pmumap_amu_build_ b;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	status = pmumap_amu_build_tree_(&b, fdt, fdt_size, opt, mem, bytes);
	*map = status == PMUMAP_OK ? b.m : 0;
	return status;
}
