/* SPDX-License-Identifier: BSD-2-Clause */
/* A hart in /cpus, its features and its interrupt controller */
#pragma once

#include "core/words.h"
#include "fdt/address.h"
#include "riscv/fdt.h"
#include "riscv/pmu_api.h"

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

enum { PMUMAP_RISCV_IN_CPUS_ = 1, PMUMAP_RISCV_IN_HART_ = 2 };

/* A walk that lists harts; place: where it is. */
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
	const unsigned char *p = pmumap_fdt_value_(w, PMUMAP_RISCV_HART_EXTENSIONS_, &bytes);

	if (p)
		return pmumap_fdt_match_list_(p, bytes, name, 0) != 0;
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
 * Note the current node. Returns 1 if it is a hart; it is the last in the table then, if there is
 * room. The first interrupt controller with a phandle is the hart's.
 */
static inline int pmumap_riscv_list_hart_(struct pmumap_riscv_list_ *l)
{
	const struct pmumap_fdt_cursor_ *w = &l->r.w;
	struct pmumap_fdt_hart *h;
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
			h = &l->harts[l->count - 1];
			h->hart = id;
			h->node = PMUMAP_NO_NODE;
			h->features = h->phandle = 0;
			h->cpu = w->offset;
		}
		return 1;
	} else if (w->depth == 4 && (l->place & PMUMAP_RISCV_IN_HART_) && l->count <= l->room &&
		   w->found[PMUMAP_RISCV_HART_CONTROLLER_]) {
		h = &l->harts[l->count - 1];
		if (!h->phandle)
			(void)pmumap_fdt_cell_(w, PMUMAP_RISCV_HART_PHANDLE_, &h->phandle);
	}
	return 0;
}
