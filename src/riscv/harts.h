/* SPDX-License-Identifier: BSD-2-Clause */
/* The node of every hart */
#pragma once

#include "riscv/hart.h"

/* Orders of a table: by interrupt controller, and in the end by hart. */
enum { PMUMAP_RISCV_BY_PHANDLE_, PMUMAP_RISCV_BY_HART_ };

static inline uint64_t pmumap_riscv_hart_key_(const struct pmumap_fdt_hart *h, int order)
{
	return order == PMUMAP_RISCV_BY_HART_ ? h->hart : h->phandle;
}

/* With equal keys, the first in the tree comes first. */
static inline int pmumap_riscv_is_hart_before_(const struct pmumap_fdt_hart *a,
					       const struct pmumap_fdt_hart *b, int order)
{
	uint64_t left = pmumap_riscv_hart_key_(a, order), right = pmumap_riscv_hart_key_(b, order);

	return left != right ? left < right : a->cpu < b->cpu;
}

/* Member by member, because compilers turn an assignment into memcpy. */
static inline void pmumap_riscv_copy_hart_(struct pmumap_fdt_hart *to,
					   const struct pmumap_fdt_hart *from)
{
	to->hart = from->hart;
	to->node = from->node;
	to->features = from->features;
	to->cpu = from->cpu;
	to->phandle = from->phandle;
}

/* Sort without spare memory: make a heap, then take it apart from its end. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_riscv_sort_harts_(struct pmumap_fdt_hart *h, size_t n,
							   int order)
{
	size_t root = n / 2, at, child;
	struct pmumap_fdt_hart x;

	while (n > 1) {
		if (root) {
			pmumap_riscv_copy_hart_(&x, &h[--root]);
		} else {
			pmumap_riscv_copy_hart_(&x, &h[--n]);
			pmumap_riscv_copy_hart_(&h[n], &h[0]);
		}
		for (at = root; (child = 2 * at + 1) < n; at = child) {
			if (child + 1 < n &&
			    pmumap_riscv_is_hart_before_(&h[child], &h[child + 1], order))
				child++;
			if (!pmumap_riscv_is_hart_before_(&x, &h[child], order))
				break;
			pmumap_riscv_copy_hart_(&h[at], &h[child]);
		}
		pmumap_riscv_copy_hart_(&h[at], &x);
	}
}

/* Search a sorted table. Returns the index of the first hart with this key, or n. */
static inline size_t pmumap_riscv_find_hart_(const struct pmumap_fdt_hart *h, size_t n,
					     uint64_t key, int order)
{
	size_t from = 0, to = n, middle;

	while (from < to) {
		middle = from + (to - from) / 2;
		if (pmumap_riscv_hart_key_(&h[middle], order) < key)
			from = middle + 1;
		else
			to = middle;
	}
	return from < n && pmumap_riscv_hart_key_(&h[from], order) == key ? from : n;
}

/*
 * Give the harts with this phandle to a node, unless one has them. Returns the first, or NULL. They
 * are given all at once, so a row that names them again costs no more if they are many.
 */
static inline struct pmumap_fdt_hart *pmumap_riscv_serve_harts_(struct pmumap_riscv_list_ *l,
								uint32_t phandle, uint32_t node)
{
	struct pmumap_fdt_hart *h = l->harts;
	size_t n = l->count, i, first;

	first = phandle ? pmumap_riscv_find_hart_(h, n, phandle, PMUMAP_RISCV_BY_PHANDLE_) : n;
	for (i = first; i < n && h[i].phandle == phandle && h[i].node == PMUMAP_NO_NODE; i++)
		h[i].node = (int)node;
	return first < n ? &h[first] : 0;
}

/* Give harts to the nodes that name them. Returns the node of all others. The blob is valid. */
static inline int pmumap_riscv_serve_named_(struct pmumap_riscv_list_ *l, const void *fdt,
					    size_t fdt_size)
{
	const struct pmumap_fdt_cursor_ *w = &l->r.w;
	const unsigned char *p;
	int rest = PMUMAP_NO_NODE;
	uint32_t bytes;

	(void)pmumap_riscv_begin_nodes_(&l->r, fdt, fdt_size, PMUMAP_RISCV_PROPERTIES_);
	while (pmumap_riscv_next_(&l->r) > 0) {
		if (pmumap_riscv_is_pmu_node_(w) <= 0)
			continue;
		p = pmumap_fdt_value_(w, PMUMAP_RISCV_PROPERTY_HARTS_, &bytes);
		if (!p && rest == PMUMAP_NO_NODE)
			rest = (int)w->offset;
		for (; bytes >= 8; bytes -= 8, p += 8)
			(void)pmumap_riscv_serve_harts_(l, pmumap_load_be32_(p), w->offset);
	}
	return rest;
}

/* Of harts with one number, which are adjacent, keep the first. Give rest those without a node. */
static inline size_t pmumap_riscv_merge_harts_(struct pmumap_fdt_hart *h, size_t n, int rest)
{
	size_t i, kept = 0;

	for (i = 0; i < n; i++) {
		if (h[i].node == PMUMAP_NO_NODE)
			h[i].node = rest;
		if (!kept || h[kept - 1].hart != h[i].hart)
			pmumap_riscv_copy_hart_(&h[kept++], &h[i]);
	}
	return kept;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_fdt_harts(const void *fdt, size_t fdt_size,
							    struct pmumap_fdt_hart *harts,
							    size_t room, size_t *count)
{
	struct pmumap_riscv_list_ l;
	enum pmumap_status status;
	size_t bytes;
	int more, rest;

	if (!count)
		return PMUMAP_E_ARG;
	*count = 0;
	if (!fdt || (!harts && room))
		return PMUMAP_E_ARG;
	bytes = pmumap_fdt_blob_bytes_(fdt, fdt_size);
	l.harts = harts;
	l.room = bytes / sizeof(*harts); /* enough: a hart is longer in the tree */
	l.room = room < l.room ? room : l.room;
	if (pmumap_is_overlap_(fdt, bytes, harts, l.room * sizeof(*harts)))
		return PMUMAP_E_ARG;
	status = pmumap_riscv_begin_list_(&l, fdt, fdt_size, PMUMAP_RISCV_HART_STATUS_);
	if (status != PMUMAP_OK)
		return status;
	while ((more = pmumap_riscv_next_(&l.r)) > 0) {
		if (pmumap_riscv_list_hart_(&l) && l.count <= l.room)
			harts[l.count - 1].features = pmumap_riscv_features_(&l.r.w);
	}
	if (more)
		return PMUMAP_E_FDT_STRUCT;
	*count = l.count;
	if (l.count > l.room)
		return PMUMAP_E_NOSPACE;
	pmumap_riscv_sort_harts_(harts, l.count, PMUMAP_RISCV_BY_PHANDLE_);
	rest = pmumap_riscv_serve_named_(&l, fdt, fdt_size);
	pmumap_riscv_sort_harts_(harts, l.count, PMUMAP_RISCV_BY_HART_);
	*count = pmumap_riscv_merge_harts_(harts, l.count, rest);
	return PMUMAP_OK;
}

PMUMAP_DEF const struct pmumap_fdt_hart *pmumap_fdt_hart_find(const struct pmumap_fdt_hart *harts,
							      size_t count, uint64_t hart)
{
	size_t i = pmumap_riscv_find_hart_(harts, count, hart, PMUMAP_RISCV_BY_HART_);

	return i < count ? &harts[i] : 0;
}
