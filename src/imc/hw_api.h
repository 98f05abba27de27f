/* SPDX-License-Identifier: BSD-2-Clause */
/* Control blocks and SCOMs of a POWER machine */
#pragma once

#include "imc/api.h"

/* Whose SCOM an address is: that of a core, or that of the quad of four cores that it is in. */
enum pmumap_imc_chiplet { PMUMAP_IMC_CORE_CHIPLET, PMUMAP_IMC_QUAD_CHIPLET };

/*
 * Memory and core SCOMs of an IBM POWER machine, for firmware. load and store: big-endian words, as
 * numbers. scom: write a register by its address in the chiplet of this core, or of its quad; the
 * host adds where on the chip that is (skiboot: XSCOM_ADDR_P9_EC, _EQ and the like). 0: it failed.
 */
struct pmumap_imc_hw {
	uint64_t (*load)(void *arg, uint64_t phys);
	void (*store)(void *arg, uint64_t phys, uint64_t value);
	int (*scom)(void *arg, enum pmumap_imc_chiplet chiplet, uint32_t core, uint32_t address,
		    uint64_t value);
	void *arg;
};

/*
 * One word of the control block of a nest unit on a chip: PMUMAP_IMC_CB_STATUS, ..._COMMAND and so
 * on. Returns 1; or 0, nothing touched: no such unit, chip, word or control block.
 */
PMUMAP_API int pmumap_imc_cb_load(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
				  uint32_t unit, uint32_t chip, uint32_t word, uint64_t *value);
PMUMAP_API int pmumap_imc_cb_store(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
				   uint32_t unit, uint32_t chip, uint32_t word, uint64_t value);

/*
 * Core counters: let a core count into a page, stopped at first; run and stop it. And its trace:
 * the record of what fields say. generation: PMUMAP_IMC_P9 or PMUMAP_IMC_P10. Return 1; or 0: an
 * unknown generation, an address or a field out of range, nothing written; or a SCOM that failed.
 */
PMUMAP_API int pmumap_imc_core_init(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				    uint64_t page);
PMUMAP_API int pmumap_imc_core_run(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				   int run);
PMUMAP_API int pmumap_imc_trace_init(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				     const struct pmumap_imc_trace_scom *fields);
