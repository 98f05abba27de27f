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

	pmumap_sort_pairs_(b->ids, b->view_count, 0, 0);
	pmumap_sort_pairs_(cpus, b->cpu_count, 0, 0);
	for (i = 0; i < b->cpu_count; i++) {
		at = cpus[i][1];
		view = order[at] ? pmumap_amu_find_pair_(b->ids, b->view_count, order[at]) : 0;
		order[at] = PMUMAP_AMU_NONE_;
		if (n && cpus[n - 1][0] == cpus[i][0])
			continue;
		cpus[n][0] = cpus[i][0];
		cpus[n][1] = view ? view[1] : PMUMAP_AMU_NO_VIEW;
		order[at] = n++;
		if (view)
			b->numbers[view[1]] = 1;
	}
	for (i = at = 0; i < b->cpu_count; i++) {
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
	uint32_t *names = PMUMAP_AMU_WORDS_(m, m->names), *view, i, bits;

	for (i = 0; i < b->view_count; i++) {
		if (!b->numbers[i]) {
			b->numbers[i] = PMUMAP_AMU_NONE_;
			continue;
		}
		b->numbers[i] = m->view_count;
		bits = pmumap_amu_count_bits_(v[i].described);
		pmumap_amu_move_words_(names + m->name_count, names + v[i].first, bits);
		v[m->view_count] = v[i];
		v[m->view_count++].first = m->name_count;
		m->name_count += bits;
	}
	for (i = 0; i < m->cpu_count; i++) {
		view = &PMUMAP_AMU_PAIRS_(m, m->cpus)[i][1];
		*view = *view == PMUMAP_AMU_NO_VIEW ? *view : b->numbers[*view];
	}
}

/* Move a table down to the end of the image, and pad it. */
static inline void pmumap_amu_pack_table_(struct pmumap_amu *m, uint32_t *table, uint32_t words)
{
	uint32_t *to = PMUMAP_AMU_WORDS_(m, m->head.size);

	pmumap_amu_move_words_(to, PMUMAP_AMU_WORDS_(m, *table), words);
	if (words % 2)
		to[words++] = 0;
	*table = m->head.size;
	m->head.size += words * (uint32_t)sizeof(uint32_t);
}

/* Append a name unless it is this string of the image. Returns its offset. */
static inline uint32_t pmumap_amu_pack_name_(struct pmumap_amu *m, const unsigned char *name,
					     uint32_t old)
{
	const unsigned char *same = PMUMAP_AMU_TABLE_(m, unsigned char, old);
	unsigned char *to = PMUMAP_AMU_TABLE_(m, unsigned char, m->head.size);
	uint32_t at = m->head.size, i = 0;

	if (*name == 0)
		return m->strings;
	while (name[i] && name[i] == same[i])
		i++;
	if (name[i] == same[i])
		return old;
	i = 0;
	do {
		to[i] = name[i];
		PMUMAP_NO_LIBCALL_();
	} while (name[i++]);
	m->head.size += i;
	return at;
}

/*
 * Copy the names into the image, and move all tables together. Usually the counter of the same
 * index has the same name in the view before; the first string is empty.
 */
static inline void pmumap_amu_pack_(struct pmumap_amu *m, const unsigned char *blob)
{
	uint32_t last[PMUMAP_AMU_COUNTERS_], i, index, *name;

	m->head.size = m->views + m->view_count * (uint32_t)sizeof(struct pmumap_amu_view_row_);
	pmumap_amu_pack_table_(m, &m->names, m->name_count);
	m->strings = m->head.size;
	*PMUMAP_AMU_TABLE_(m, char, m->head.size++) = 0;
	for (i = 0; i < PMUMAP_AMU_COUNTERS_; i++) {
		last[i] = m->strings;
		PMUMAP_NO_LIBCALL_();
	}
	name = PMUMAP_AMU_WORDS_(m, m->names);
	for (i = 0; i < m->view_count; i++) {
		for (index = 0; index < PMUMAP_AMU_COUNTERS_; index++) {
			if (!(PMUMAP_AMU_VIEWS_(m)[i].described >> index & 1))
				continue;
			last[index] = pmumap_amu_pack_name_(m, blob + *name, last[index]);
			*name++ = last[index];
		}
	}
	while (m->head.size % 8)
		*PMUMAP_AMU_TABLE_(m, char, m->head.size++) = 0;
	m->string_bytes = m->head.size - m->strings;
	pmumap_amu_pack_table_(m, &m->cpus, 2 * m->cpu_count);
	pmumap_amu_pack_table_(m, &m->by_tree, m->cpu_count);
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
	(void)pmumap_amu_take_tree_(b, fdt);
	pmumap_amu_resolve_cpus_(b);
	pmumap_amu_number_views_(b);
	if (b->label_count)
		opt->labels(b);
	pmumap_amu_pack_(b->m, b->r.w.blob);
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
