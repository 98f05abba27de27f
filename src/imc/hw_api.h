/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters, control blocks and SCOMs of a POWER machine */
#pragma once

#include "imc/machine_api.h"

/*
 * The physical address of a nest counter, or of a nest PMU's control block, on a chip. Returns 1;
 * or 0, and *phys is unchanged: not a nest PMU, no such chip, or out of bounds.
 */
PMUMAP_API int pmumap_imc_address(const struct pmumap_imc *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys);
PMUMAP_API int pmumap_imc_control_address(const struct pmumap_imc *m, uint32_t unit, uint32_t chip,
					  uint64_t *phys);

/* Read a counter: 64 bits, big-endian, 8-byte aligned; it wraps. */
PMUMAP_API uint64_t pmumap_imc_load_counter(const volatile void *counter);

/*
 * The control block: on POWER9 to POWER11, its distance from a chip's base; offsets of its
 * big-endian 64-bit words; their values.
 */
enum {
	PMUMAP_IMC_CONTROL = 0x1bfc00,

	PMUMAP_IMC_CB_STATUS = 0,
	PMUMAP_IMC_CB_COMMAND = 8,
	PMUMAP_IMC_CB_SPEED = 16,
	PMUMAP_IMC_CB_AVAILABLE = 24, /* the vector for pmumap_imc_available() */
	PMUMAP_IMC_CB_MODE = 32,      /* 0: normal; 1 to 6: debug modes */
	PMUMAP_IMC_CB_BYTES = 40,

	PMUMAP_IMC_INITIALIZING = 0, /* status */
	PMUMAP_IMC_RUNNING = 1,
	PMUMAP_IMC_PAUSED = 2,

	PMUMAP_IMC_NOP = 0, /* command */
	PMUMAP_IMC_RESUME = 1,
	PMUMAP_IMC_PAUSE = 2,
	PMUMAP_IMC_RESTART = 3, /* clears the counters */

	PMUMAP_IMC_128US = 0, /* speed: time between two updates of the counters */
	PMUMAP_IMC_256US = 1,
	PMUMAP_IMC_1MS = 2,
	PMUMAP_IMC_4MS = 3,
	PMUMAP_IMC_16MS = 4,
	PMUMAP_IMC_64MS = 5,
	PMUMAP_IMC_256MS = 6,
	PMUMAP_IMC_1000MS = 7
};

/* The trace SCOM; buffer: 0..4, for 4096 << buffer records of 64 bytes. */
struct pmumap_imc_trace_scom {
	uint32_t sample;         /* 2 bits */
	uint32_t load;           /* 32 bits: events between two records */
	uint32_t event1, event2; /* 7 bits each */
	uint32_t buffer;
};

/* The offset of a trace event, which is perf's configuration. */
struct pmumap_imc_trace_config {
	uint32_t event;  /* 8 bits */
	uint32_t sample; /* 2 bits */
	uint32_t load;   /* 32 bits */
};

/*
 * Encode the trace SCOM's word; decode the word of a configuration. Returns 1; or 0 if a field or a
 * reserved bit is out of range, and the result is unchanged.
 */
PMUMAP_API int pmumap_imc_trace_scom_encode(const struct pmumap_imc_trace_scom *fields,
					    uint64_t *scom);
PMUMAP_API int pmumap_imc_trace_config_decode(uint64_t config,
					      struct pmumap_imc_trace_config *fields);

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
PMUMAP_API int pmumap_imc_control_load(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
				       uint32_t unit, uint32_t chip, uint32_t word,
				       uint64_t *value);
PMUMAP_API int pmumap_imc_control_store(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
					uint32_t unit, uint32_t chip, uint32_t word,
					uint64_t value);

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
