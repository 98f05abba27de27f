/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees in and out */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "fdt/size_api.h"
#include "builder/map_api.h"

/* All members 0, or NULL for the whole: the defaults. */
struct pmumap_fdt_options {
	uint32_t flags;           /* PMUMAP_STRICT, PMUMAP_DESC, PMUMAP_NO_INDEX */
	int node;                 /* libfdt's offset of the only node to read: of RISC-V, whatever
				     it is compatible with; 0: the first riscv,pmu node that is not
				     an old draft, and everything else */
	pmumap_report_fn *report; /* called by pmumap_fdt_build() for every finding; may be NULL.
				     See its type for what it must not do */
	void *arg;                /* given to report */
	unsigned imc_generation;  /* PMUMAP_IMC_P9 or P10: leave out the nest units that are not
				     there, see pmumap_imc_available(); 0: keep all. With
				     PMUMAP_IMC_NO_TRACE, leave out trace units too */
	uint64_t imc_available;   /* the vector of that generation; 0: no nest unit is there */
};

/*
 * How many bytes of block pmumap_fdt_build() needs for the same tree and options; always enough.
 *
 * Errors   those of pmumap_fdt_build() but E_NOSPACE and E_STRICT.
 * Cost     one pass over the blob, and one over the rows.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_measure(const void *fdt, size_t fdt_size,
						 const struct pmumap_fdt_options *opt,
						 size_t *bytes);

/*
 * Validate the blob, read what describes counters, build the map.
 *
 * The blob may be anything, at any address: no byte outside of fdt_size is read, nor behind the
 * size in its header, and only the block is written. If the two share a byte: E_ARG. Findings go
 * to opt->report; with E_NOSPACE, no-space says what is needed.
 *
 * Returns  PMUMAP_OK and the map at the start of mem; on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_NODE, E_FDT_*, E_NOTFOUND, E_STRICT.
 * Cost     O(n log n) for n bytes of blob and block, whatever they are: what many parts of a tree
 *          share is not read for each of them.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_build(const void *fdt, size_t fdt_size,
					       const struct pmumap_fdt_options *opt, void *mem,
					       size_t bytes, const struct pmumap **map);

/*
 * The functions below write to a tree. It lies at the start of a buffer of so many bytes, and grows
 * into the rest of it; it is validated first, like any other. What is put in (a map, chips) lies
 * outside of the buffer: a map in it is E_ARG. On failure the tree is as it was. With E_NOSPACE
 * and OK, *need (unless NULL) is the size that the buffer has to have, if more than totalsize.
 *
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_NODE, E_FDT_*.
 * Cost     one pass over the blob and, if it grows, one move of what lies behind.
 */

#if PMUMAP_BINDINGS & PMUMAP_RISCV
/*
 * What the tree says of a hart, the one whose reg in /cpus is its mhartid: PMUMAP_SSCOFPMF and
 * PMUMAP_SMCNTRPMF, as pmumap_plan() takes them. It is read from riscv,isa-extensions, and from
 * riscv,isa only where there is no such property. 0 also for a blob that is no good, and for a hart
 * that is not there. Cost: one pass over the blob.
 */
PMUMAP_API uint32_t pmumap_fdt_features(const void *fdt, size_t fdt_size, uint64_t hart);

/*
 * The RISC-V part of a map as node "pmu" below the node at libfdt's offset parent, where a "pmu"
 * that is there already keeps its other properties. Reading the node gives the same map again;
 * pmumap_restrict() builds the map for a guest.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_emit(void *fdt, size_t bytes, int parent,
					      const struct pmumap *m, size_t *need);

/*
 * Take the tables out of every riscv,pmu node: they are for the firmware, not for what it starts.
 * The tree does not grow.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_fixup(void *fdt, size_t bytes);
#endif

#if PMUMAP_BINDINGS & PMUMAP_IMC
/* Chips, and where the memory of each begins; generation and available as imc_ of the options. */
struct pmumap_fdt_chips {
	const uint32_t *chips;
	const uint64_t *bases;
	uint32_t count;
	unsigned generation;
	uint64_t available;
};

/*
 * What firmware does to a catalog for what it starts: give every nest unit base-addr and chip-id,
 * in place of any that it has, and take out the units
 *   - that are not there: generation and available say so, as imc_generation of the options does
 *   - of trace, if generation has PMUMAP_IMC_NO_TRACE (POWER9 before DD2.2)
 *   - whose own node has a finding of severity error, as read by pmumap_fdt_build(): type-missing,
 *     type-unknown, cell-width, window-missing, reg-missing. skiboot and Linux trip over them.
 * Lists and events stay as they are. Only units of today's format (since June 2017) are found.
 *
 * skiboot keeps the combined units (mcs01 to mcs67) even where neither half is there, since it
 * looks for names without an address. Here they go.
 */
PMUMAP_API enum pmumap_status
pmumap_fdt_imc_fixup(void *fdt, size_t bytes, const struct pmumap_fdt_chips *chips, size_t *need);
#endif
