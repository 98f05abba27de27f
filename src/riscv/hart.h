/* SPDX-License-Identifier: BSD-2-Clause */
/* Find a hart in /cpus, and its interrupt controller */
#pragma once

#include "fdt/property.h"

/* Properties needed to find a hart; adjacent in each reader's list. */
#define PMUMAP_RISCV_HART_LIST_(X)                                                                 \
	X(REG, "reg")                                                                              \
	X(CELLS, "#address-cells")                                                                 \
	X(TYPE, "device_type")

/* Those for its interrupt controller, too; they come next. */
#define PMUMAP_RISCV_CONTROLLER_LIST_(X)                                                           \
	X(PHANDLE, "phandle")                                                                      \
	X(CONTROLLER, "interrupt-controller")

enum {
#define PMUMAP_X_(name, text) PMUMAP_RISCV_HART_##name##_,
	PMUMAP_RISCV_HART_LIST_(PMUMAP_X_) PMUMAP_RISCV_CONTROLLER_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
};

/* The first four letters of the node "cpus", and those of "cpu" with its NUL. */
#define PMUMAP_RISCV_CPUS_ 0x63707573u
#define PMUMAP_RISCV_CPU_ 0x63707500u

/* Where the walk is while it looks for a hart. The order matters. */
enum {
	PMUMAP_RISCV_ELSEWHERE_,
	PMUMAP_RISCV_IN_CPUS_,
	PMUMAP_RISCV_IN_HART_, /* from here on the hart is found */
	PMUMAP_RISCV_BEHIND_HART_
};

struct pmumap_riscv_hart_ {
	uint64_t id;      /* its reg */
	size_t place;     /* size_t gives the smallest code on RISC-V */
	uint32_t cells;   /* of an address in /cpus */
	uint32_t phandle; /* of its interrupt controller; 0: no node can name it */
};

/* The first four letters of the current node's name, padded with NULs. */
static inline uint32_t pmumap_fdt_name_letters_(const struct pmumap_fdt_walk_ *w)
{
	return pmumap_load_be32_(pmumap_fdt_node_name_(w));
}

/*
 * Whether the current node is /cpus. Ask down to depth 2, because properties of the root are
 * complete at its first child.
 */
static inline int pmumap_riscv_is_cpus_(const struct pmumap_fdt_walk_ *w)
{
	return pmumap_fdt_name_letters_(w) == PMUMAP_RISCV_CPUS_ &&
	       pmumap_fdt_node_name_(w)[4] == 0;
}

/*
 * Whether the current node, a child of /cpus, is a cpu: by its device_type or its name without the
 * address, as in Linux. first: the index of reg in the reader's list.
 */
static inline int pmumap_riscv_is_cpu_(const struct pmumap_fdt_walk_ *w, uint32_t first)
{
	uint32_t type = 0;

	(void)pmumap_fdt_property_number_(w, first + PMUMAP_RISCV_HART_TYPE_, &type);
	return type == PMUMAP_RISCV_CPU_ ||
	       (pmumap_fdt_name_letters_(w) & ~(uint32_t)'@') == PMUMAP_RISCV_CPU_;
}

/* The phandle of a cpu's interrupt controller. Ask in each node below the cpu; the first wins. */
static inline void pmumap_riscv_note_controller_(const struct pmumap_fdt_walk_ *w, uint32_t first,
						 uint32_t *phandle)
{
	if (w->depth == 4 && w->found[first + PMUMAP_RISCV_HART_CONTROLLER_] && !*phandle)
		(void)pmumap_fdt_property_number_(w, first + PMUMAP_RISCV_HART_PHANDLE_, phandle);
}

/* Check whether the current node is /cpus or the hart. The first node for it wins; returns 1. */
static inline int pmumap_riscv_is_hart_(const struct pmumap_fdt_walk_ *w,
					struct pmumap_riscv_hart_ *h, uint32_t first)
{
	uint64_t address;

	if (h->place >= PMUMAP_RISCV_IN_HART_) {
		if (w->depth <= 3)
			h->place = PMUMAP_RISCV_BEHIND_HART_;
	} else if (w->depth < 3) {
		h->place = (size_t)pmumap_riscv_is_cpus_(w);
		h->cells = pmumap_fdt_address_cells_(w, first + PMUMAP_RISCV_HART_CELLS_);
	} else if (w->depth == 3 && h->place == PMUMAP_RISCV_IN_CPUS_ &&
		   pmumap_fdt_reg_address_(w, first + PMUMAP_RISCV_HART_REG_, h->cells, &address) &&
		   address == h->id && pmumap_riscv_is_cpu_(w, first)) {
		h->place = PMUMAP_RISCV_IN_HART_;
		return 1;
	}
	return 0;
}
