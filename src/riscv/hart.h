/* SPDX-License-Identifier: BSD-2-Clause */
/* Find a hart in /cpus, and its interrupt controller */
#pragma once

#include "fdt/property.h"

/* Properties needed to find a hart; adjacent in each reader's list. */
#define PMUMAP_RISCV_HART_LIST_(X)                                                                 \
	X(REG, "reg")                                                                              \
	X(CELLS, "#address-cells")                                                                 \
	X(PHANDLE, "phandle")

enum {
#define PMUMAP_X_(name, text) PMUMAP_RISCV_HART_##name##_,
	PMUMAP_RISCV_HART_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
};

/* The first four letters of the nodes "cpus" and "interrupt-controller". */
#define PMUMAP_RISCV_CPUS_ 0x63707573u
#define PMUMAP_RISCV_CONTROLLER_ 0x696e7465u

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
 * Whether the current node, whose name begins with these letters, is /cpus. Ask down to depth 2,
 * because properties of the root are complete at its first child.
 */
static inline int pmumap_riscv_is_cpus_(const struct pmumap_fdt_walk_ *w, uint32_t letters)
{
	return letters == PMUMAP_RISCV_CPUS_ && pmumap_fdt_node_name_(w)[4] == 0;
}

/*
 * Check whether the current node is /cpus, the hart, or its interrupt controller. The first node
 * for the hart wins. first: the index of reg in the reader's list. Returns 1 for the hart.
 */
static inline int pmumap_riscv_is_hart_(const struct pmumap_fdt_walk_ *w,
					struct pmumap_riscv_hart_ *h, uint32_t first)
{
	uint32_t letters = pmumap_fdt_name_letters_(w);
	uint64_t address;

	if (h->place >= PMUMAP_RISCV_IN_HART_) {
		if (w->depth <= 3)
			h->place = PMUMAP_RISCV_BEHIND_HART_;
		else if (h->place == PMUMAP_RISCV_IN_HART_ && letters == PMUMAP_RISCV_CONTROLLER_)
			(void)pmumap_fdt_property_number_(w, first + PMUMAP_RISCV_HART_PHANDLE_,
							  &h->phandle);
	} else if (w->depth < 3) {
		h->place = (size_t)pmumap_riscv_is_cpus_(w, letters);
		h->cells = pmumap_fdt_address_cells_(w, first + PMUMAP_RISCV_HART_CELLS_);
	} else if (w->depth == 3 && h->place == PMUMAP_RISCV_IN_CPUS_ &&
		   pmumap_fdt_reg_address_(w, first + PMUMAP_RISCV_HART_REG_, h->cells, &address) &&
		   address == h->id) {
		h->place = PMUMAP_RISCV_IN_HART_;
		return 1;
	}
	return 0;
}
