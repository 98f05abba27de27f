/* SPDX-License-Identifier: BSD-2-Clause */
/* Prepare a catalog for the next stage */
#pragma once

#include "imc/machine_api.h"

/*
 * Chips and the bases of their memory (skiboot: homer_base); generation as in the options. vectors:
 * each chip's availability vector, from pmumap_imc_vector(); NULL: all have the vector available.
 */
struct pmumap_imc_chips {
	const uint32_t *chips;
	const uint64_t *bases;
	uint32_t count;
	unsigned generation;
	uint64_t available;
	const uint64_t *vectors;
};

/*
 * Prepare a catalog for the next stage, as firmware does: replace base-addr and chip-id in every
 * nest PMU by the chips that have it, and delete
 *   - nest PMUs that no chip has, by generation and its vector
 *   - trace PMUs, if generation has PMUMAP_IMC_NO_TRACE (POWER9 before DD2.2)
 *   - PMUs whose own node has a finding of severity error: type-missing, type-unknown, cell-width,
 *     window-missing, reg-missing. skiboot and Linux fail on them.
 * Lists and events stay, and so do PMUs in formats before June 2017.
 *
 * The tree is at the start of a buffer of this many bytes, into which it may grow. It is validated
 * first. chips must not overlap the buffer. On failure the tree is unchanged. With OK and
 * E_NOSPACE, *need (unless NULL) is the buffer size needed.
 *
 * skiboot keeps combined PMUs (mcs01 to mcs67) without either half, because it looks for names
 * without an address. This function deletes them.
 *
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_FDT_*.
 * Cost     one pass over the blob, one move of the bytes behind; if the chips have different
 *          vectors, PMUs times chips.
 */
PMUMAP_API enum pmumap_status
pmumap_imc_fdt_fixup(void *fdt, size_t bytes, const struct pmumap_imc_chips *chips, size_t *need);
