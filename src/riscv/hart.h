/* SPDX-License-Identifier: BSD-2-Clause */
/* Walk from node to node; find a hart in /cpus, and its interrupt controller */
#pragma once

#include "fdt/address.h"
#include "core/status.h"
#include "riscv/add.h"

/*
 * Properties to read: the tables, their names of 2021, and those only in drafts of 2018 to 2020.
 * From "interrupts-extended" on, only if the harts of a node matter; from "riscv,isa-extensions"
 * on, only for their features.
 */
#define PMUMAP_RISCV_PROPERTY_LIST_(X)                                                             \
	X(COMPATIBLE, "compatible")                                                                \
	X(SELECTORS, "riscv,event-to-mhpmevent")                                                   \
	X(RANGES, "riscv,event-to-mhpmcounters")                                                   \
	X(RAW, "riscv,raw-event-to-mhpmcounters")                                                  \
	X(OLD_SELECTORS, "pmu,event-to-mhpmevent")                                                 \
	X(OLD_RANGES, "pmu,event-to-mhpmcounters")                                                 \
	X(OLD_RAW, "pmu,raw-event-to-mhpmcounters")                                                \
	X(DRAFT_HW, "riscv,hw-*")                                                                  \
	X(DRAFT_WIDTH, "riscv,width-*")                                                            \
	X(HARTS, "interrupts-extended")                                                            \
	X(REG, "reg")                                                                              \
	X(CELLS, "#address-cells")                                                                 \
	X(TYPE, "device_type")                                                                     \
	X(PHANDLE, "phandle")                                                                      \
	X(CONTROLLER, "interrupt-controller")                                                      \
	X(STATUS, "status")                                                                        \
	X(EXTENSIONS, "riscv,isa-extensions")                                                      \
	X(ISA, "riscv,isa")

enum {
#define PMUMAP_X_(name, text) PMUMAP_RISCV_PROPERTY_##name##_,
	PMUMAP_RISCV_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_RISCV_PROPERTIES_
};

static inline const char *pmumap_riscv_property_texts_(void)
{
	static const char texts[] = PMUMAP_RISCV_PROPERTY_LIST_(PMUMAP_FDT_WANT_);

	return texts;
}

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

/* State of a walk, which chooses a node. */
struct pmumap_reader_ {
	struct pmumap_fdt_cursor_ w;
	uint32_t found[PMUMAP_RISCV_PROPERTIES_];
	uint32_t wanted;   /* offset of the only node to read, or 0 */
	uint32_t for_hart; /* only nodes that serve this hart qualify */
	struct pmumap_riscv_hart_ hart;
	uint32_t rank;   /* of the chosen node, by pmumap_riscv_rank_node_(); 0: none */
	uint32_t chosen; /* its offset */
	uint32_t tables[PMUMAP_TABLES_]; /* offsets of their values in the blob, or 0 */
	uint32_t old;                    /* bit N: table N has its name of 2021 */
};

/* Begin to read a tree. Of each node, read the properties from first up to end. */
static inline enum pmumap_status pmumap_riscv_begin_nodes_(struct pmumap_reader_ *r,
							   const void *fdt, size_t fdt_size,
							   uint32_t first, uint32_t end)
{
	static const unsigned char lengths[] = { PMUMAP_RISCV_PROPERTY_LIST_(
		PMUMAP_FDT_WANT_BYTES_) };

	pmumap_zero_words_(r, sizeof(*r));
	r->w.wanted = pmumap_nth_text_(pmumap_riscv_property_texts_(), first);
	r->w.lengths = lengths;
	r->w.first = first;
	r->w.count = end;
	r->w.found = r->found;
	return pmumap_fdt_begin_(&r->w, fdt, fdt_size);
}

/* Go to the next node. One call of the walk for all readers: only edits pass other arguments. */
static inline int pmumap_riscv_next_(struct pmumap_reader_ *r)
{
	return pmumap_fdt_next_(&r->w, pmumap_fdt_number_);
}

/* Call a function for each node, from the root on, up to the first that is malformed. */
static inline enum pmumap_status
pmumap_riscv_read_nodes_(struct pmumap_reader_ *r, void (*read_node)(struct pmumap_reader_ *r))
{
	int more;

	r->w.at = r->w.start;
	r->w.closed = 0;
	while ((more = pmumap_riscv_next_(r)) > 0)
		read_node(r);
	return more ? PMUMAP_E_FDT_STRUCT : PMUMAP_OK;
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

	(void)pmumap_fdt_cell_(w, PMUMAP_RISCV_PROPERTY_TYPE_, &type);
	return type == PMUMAP_RISCV_CPU_ ||
	       (pmumap_riscv_name_start_(w) & ~(uint32_t)'@') == PMUMAP_RISCV_CPU_;
}

/* The phandle of a cpu's interrupt controller. Ask in each node below the cpu; the first wins. */
static inline void pmumap_riscv_note_controller_(const struct pmumap_fdt_cursor_ *w,
						 uint32_t *phandle)
{
	if (w->depth == 4 && w->found[PMUMAP_RISCV_PROPERTY_CONTROLLER_] && !*phandle)
		(void)pmumap_fdt_cell_(w, PMUMAP_RISCV_PROPERTY_PHANDLE_, phandle);
}

/* Check whether the current node is /cpus or the hart. The first node for it wins; returns 1. */
static inline int pmumap_riscv_is_hart_(const struct pmumap_fdt_cursor_ *w,
					struct pmumap_riscv_hart_ *h)
{
	uint64_t address;

	if (h->place >= PMUMAP_RISCV_IN_HART_) {
		if (w->depth <= 3)
			h->place = PMUMAP_RISCV_BEHIND_HART_;
	} else if (w->depth < 3) {
		h->place = (size_t)pmumap_riscv_is_cpus_(w);
		h->cells = pmumap_fdt_address_cells_(w, PMUMAP_RISCV_PROPERTY_CELLS_);
	} else if (w->depth == 3 && h->place == PMUMAP_RISCV_IN_CPUS_ &&
		   pmumap_fdt_reg_address_(w, PMUMAP_RISCV_PROPERTY_REG_, h->cells, &address) &&
		   address == h->id && pmumap_riscv_is_cpu_(w)) {
		h->place = PMUMAP_RISCV_IN_HART_;
		return 1;
	}
	return 0;
}
