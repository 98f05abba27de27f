/* SPDX-License-Identifier: BSD-2-Clause */
/* Control blocks and SCOMs of a POWER machine */
#pragma once

#include "imc/api.h"

/* The chiplet that owns a SCOM: the core, or its quad of four cores. */
enum pmumap_imc_chiplet { PMUMAP_IMC_CORE_CHIPLET, PMUMAP_IMC_QUAD_CHIPLET };

/*
 * Memory and core SCOMs of an IBM POWER machine, for firmware. load and store convert big-endian
 * words. scom writes a register by its address in the chiplet; the host adds the chiplet's position
 * (skiboot: XSCOM_ADDR_P9_EC, _EQ and so on), and returns 0 on failure. core is the core's number
 * in its chip; arg must tell the chip.
 */
struct pmumap_imc_hw {
	uint64_t (*load)(void *arg, uint64_t phys);
	void (*store)(void *arg, uint64_t phys, uint64_t value);
	int (*scom)(void *arg, enum pmumap_imc_chiplet chiplet, uint32_t core, uint32_t address,
		    uint64_t value);
	void *arg;
	/*
	 * Record a value that the core loses in a deep stop state, so that it gets it back when it
	 * wakes up (skiboot: p9_stop_save_scom(), in the section of the chiplet). Like scom; NULL
	 * if no core stops so deeply.
	 */
	int (*save)(void *arg, enum pmumap_imc_chiplet chiplet, uint32_t core, uint32_t address,
		    uint64_t value);
};

/*
 * The availability vector in the control block of the chip whose memory begins at base, before
 * there is a map: for struct pmumap_imc_chips. Returns 0 if the chip has no microcode running; then
 * pass 0 for all chips, because skiboot keeps no nest PMU on any.
 */
PMUMAP_API uint64_t pmumap_imc_vector(struct pmumap_imc_hw *hw, uint64_t base);

/*
 * Read or write a word of a nest PMU's control block on a chip: PMUMAP_IMC_CB_STATUS and so on.
 * Returns 1; or 0, and nothing changes: no such PMU, chip, word or control block.
 */
PMUMAP_API int pmumap_imc_cb_load(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
				  uint32_t unit, uint32_t chip, uint32_t word, uint64_t *value);
PMUMAP_API int pmumap_imc_cb_store(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
				   uint32_t unit, uint32_t chip, uint32_t word, uint64_t value);

/*
 * Set up a core's counters to count into a page, initially stopped; run or stop them; set up its
 * trace. generation: PMUMAP_IMC_P9 or PMUMAP_IMC_P10. Returns 1; or 0 if the generation is unknown
 * or a value is out of range (nothing is written), or if a SCOM or save failed. page is aligned to
 * 8 KiB and below 2^50.
 *
 * core_init writes page, event mask and mode, and saves the first two; trace_init writes mode and
 * trace, and saves the trace. Nobody saves the mode, which says whether counters run. A fused core
 * of eight threads is two cores: call core_init for both, with the same page.
 */
PMUMAP_API int pmumap_imc_core_init(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				    uint64_t page);
PMUMAP_API int pmumap_imc_core_run(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				   int run);
PMUMAP_API int pmumap_imc_trace_init(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				     const struct pmumap_imc_trace_scom *fields);
