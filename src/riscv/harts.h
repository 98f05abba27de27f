/* SPDX-License-Identifier: BSD-2-Clause */
/* The node and the features of every hart */
#pragma once

#include "riscv/pmu_api.h"
#include "core/text.h"
#include "riscv/fdt.h"

/* Properties of a hart and its controller. The last two are only read by a check. */
#define PMUMAP_RISCV_HART_LIST_(X)                                                                 \
	X(REG, "reg")                                                                              \
	X(CELLS, "#address-cells")                                                                 \
	X(TYPE, "device_type")                                                                     \
	X(PHANDLE, "phandle")                                                                      \
	X(CONTROLLER, "interrupt-controller")                                                      \
	X(EXTENSIONS, "riscv,isa-extensions")                                                      \
	X(ISA, "riscv,isa")                                                                        \
	X(STATUS, "status")                                                                        \
	X(SERVED, "interrupts-extended")

enum {
#define PMUMAP_X_(name, text) PMUMAP_RISCV_HART_##name##_,
	PMUMAP_RISCV_HART_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_RISCV_HART_PROPERTIES_
};

/* The first four letters of the node "cpus", and those of "cpu" with its NUL. */
#define PMUMAP_RISCV_CPUS_ 0x63707573u
#define PMUMAP_RISCV_CPU_ 0x63707500u

/* Where the walk is. */
enum { PMUMAP_RISCV_ELSEWHERE_, PMUMAP_RISCV_IN_CPUS_, PMUMAP_RISCV_IN_HART_ };

/* A walk that lists harts. */
struct pmumap_riscv_list_ {
	struct pmumap_reader_ r;
	struct pmumap_fdt_hart *harts;
	size_t room, count;
	uint32_t place;
	uint32_t cells; /* of an address in /cpus */
};

/*
 * Whether a string like "rv64imafdc_zicntr_sscofpmf1p0" lists an extension. The first word behind
 * the single letters needs no '_': "rv64imacsscofpmf_svpbmt".
 */
static inline int pmumap_riscv_isa_lists_(const char *isa, const char *end, const char *name)
{
	int letters = 1;

	for (; isa < end && *isa; isa++) {
		char c = pmumap_fold_case_(*isa);
		const char *at = isa;

		if (*isa == '_')
			at++;
		else if (!letters || (c != 's' && c != 'x' && c != 'z'))
			continue;
		letters = 0;
		if (pmumap_skip_word_(&at, end, name) &&
		    (at == end || *at == 0 || *at == '_' || (*at >= '0' && *at <= '9')))
			return 1;
	}
	return 0;
}

/* Whether the current node, a hart, has an extension. */
static inline int pmumap_riscv_has_extension_(const struct pmumap_fdt_cursor_ *w, const char *name)
{
	uint32_t bytes;
	const unsigned char *p;

	if (w->found[PMUMAP_RISCV_HART_EXTENSIONS_]) {
		p = pmumap_fdt_value_(w, PMUMAP_RISCV_HART_EXTENSIONS_, &bytes);
		return pmumap_fdt_match_list_(p, bytes, name, 0) != 0;
	}
	p = pmumap_fdt_value_(w, PMUMAP_RISCV_HART_ISA_, &bytes);
	return p && pmumap_riscv_isa_lists_((const char *)p, (const char *)p + bytes, name);
}

/* The features of the current node, a hart. */
static inline uint32_t pmumap_riscv_features_(const struct pmumap_fdt_cursor_ *w)
{
	uint32_t features = 0;

	if (pmumap_riscv_has_extension_(w, "sscofpmf"))
		features |= PMUMAP_SSCOFPMF;
	if (pmumap_riscv_has_extension_(w, "smcntrpmf"))
		features |= PMUMAP_SMCNTRPMF;
	if (pmumap_riscv_has_extension_(w, "smcdeleg") && pmumap_riscv_has_extension_(w, "ssccfg"))
		features |= PMUMAP_DELEGATED;
	return features;
}

/* Begin to list harts. Of each node, read the properties up to end. */
static inline enum pmumap_status pmumap_riscv_begin_list_(struct pmumap_riscv_list_ *l,
							  const void *fdt, size_t fdt_size,
							  uint32_t end)
{
	static const char texts[] = PMUMAP_RISCV_HART_LIST_(PMUMAP_FDT_WANT_);
	static const unsigned char lengths[] = { PMUMAP_RISCV_HART_LIST_(PMUMAP_FDT_WANT_BYTES_) };

	l->r.w.wanted = texts;
	l->r.w.lengths = lengths;
	l->r.w.count = end;
	l->r.w.found = l->r.found;
	l->count = 0;
	return pmumap_fdt_begin_(&l->r.w, fdt, fdt_size);
}

/* The first four letters of the current node's name, padded with NULs. */
static inline uint32_t pmumap_riscv_name_start_(const struct pmumap_fdt_cursor_ *w)
{
	return pmumap_load_be32_(pmumap_fdt_name_(w));
}

/* Whether the current node is /cpus. Ask down to depth 2. */
static inline int pmumap_riscv_is_cpus_(const struct pmumap_fdt_cursor_ *w)
{
	return pmumap_riscv_name_start_(w) == PMUMAP_RISCV_CPUS_ && pmumap_fdt_name_(w)[4] == 0;
}

/*
 * Whether the current node, a child of /cpus, is a cpu: by its device_type or its name without the
 * address, as in Linux.
 */
static inline int pmumap_riscv_is_cpu_(const struct pmumap_fdt_cursor_ *w)
{
	uint32_t type = 0;

	(void)pmumap_fdt_cell_(w, PMUMAP_RISCV_HART_TYPE_, &type);
	return type == PMUMAP_RISCV_CPU_ ||
	       (pmumap_riscv_name_start_(w) & ~(uint32_t)'@') == PMUMAP_RISCV_CPU_;
}

/*
 * Take note of the current node. Returns 1 if it is a hart: it is the last in the table then, if
 * there is room. The first interrupt controller with a phandle is the hart's.
 */
static inline int pmumap_riscv_list_hart_(struct pmumap_riscv_list_ *l)
{
	const struct pmumap_fdt_cursor_ *w = &l->r.w;
	struct pmumap_fdt_hart *h = l->harts + l->count;
	uint64_t id;

	if (w->depth < 3) {
		l->place = (uint32_t)pmumap_riscv_is_cpus_(w);
		l->cells = pmumap_fdt_address_cells_(w, PMUMAP_RISCV_HART_CELLS_);
	} else if (w->depth == 3) {
		l->place &= PMUMAP_RISCV_IN_CPUS_;
		if (!l->place || !pmumap_riscv_is_cpu_(w) ||
		    !pmumap_fdt_reg_address_(w, PMUMAP_RISCV_HART_REG_, l->cells, &id))
			return 0;
		l->place |= PMUMAP_RISCV_IN_HART_;
		if (l->count++ < l->room) {
			h->hart = id;
			h->node = PMUMAP_NO_NODE;
			h->features = h->phandle = 0;
			h->cpu = w->offset;
		}
		return 1;
	} else if (w->depth == 4 && (l->place & PMUMAP_RISCV_IN_HART_) && l->count <= l->room &&
		   w->found[PMUMAP_RISCV_HART_CONTROLLER_] && !h[-1].phandle) {
		(void)pmumap_fdt_cell_(w, PMUMAP_RISCV_HART_PHANDLE_, &h[-1].phandle);
	}
	return 0;
}

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

/* Give harts their nodes. The blob is valid. */
static inline void pmumap_riscv_serve_all_(struct pmumap_riscv_list_ *l, const void *fdt,
					   size_t fdt_size)
{
	const struct pmumap_fdt_cursor_ *w = &l->r.w;
	const unsigned char *p;
	int rest = PMUMAP_NO_NODE;
	uint32_t bytes;
	size_t i;

	pmumap_riscv_sort_harts_(l->harts, l->count, PMUMAP_RISCV_BY_PHANDLE_);
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
	for (i = 0; i < l->count; i++) {
		if (l->harts[i].node == PMUMAP_NO_NODE)
			l->harts[i].node = rest;
	}
}

/* Sort the table by hart. Of harts with one number, keep the first in the tree. */
static inline size_t pmumap_riscv_merge_harts_(struct pmumap_fdt_hart *h, size_t n)
{
	size_t i, kept = 0;

	pmumap_riscv_sort_harts_(h, n, PMUMAP_RISCV_BY_HART_);
	for (i = 0; i < n; i++) {
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
	int more;

	if (!count)
		return PMUMAP_E_ARG;
	*count = 0;
	if (!fdt || (!harts && room))
		return PMUMAP_E_ARG;
	bytes = pmumap_fdt_blob_bytes_(fdt, fdt_size);
	l.harts = harts;
	l.room = bytes / sizeof(*harts); /* for all, because a hart is longer in the tree */
	if (room < l.room)
		l.room = room;
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
	pmumap_riscv_serve_all_(&l, fdt, fdt_size);
	*count = pmumap_riscv_merge_harts_(harts, l.count);
	return PMUMAP_OK;
}

PMUMAP_DEF const struct pmumap_fdt_hart *pmumap_fdt_hart_find(const struct pmumap_fdt_hart *harts,
							      size_t count, uint64_t hart)
{
	size_t i = pmumap_riscv_find_hart_(harts, count, hart, PMUMAP_RISCV_BY_HART_);

	return i < count ? &harts[i] : 0;
}
