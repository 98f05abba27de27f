/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters, trace words, control blocks and SCOMs of POWER machines */
#pragma once

#include "imc/hw_api.h"
#include "imc/list.h"

PMUMAP_DEF uint64_t pmumap_imc_load_counter(const volatile void *counter)
{
	static const union {
		uint8_t byte[8];
		uint64_t word;
	} order = { { 0, 1, 2, 3, 4, 5, 6, 7 } };
	uint64_t x = *(const volatile uint64_t *)counter; /* one load where the target allows */

	if (order.word == 0x0001020304050607u)
		return x;
	x = (x & 0x00ff00ff00ff00ffu) << 8 | (x >> 8 & 0x00ff00ff00ff00ffu);
	x = (x & 0x0000ffff0000ffffu) << 16 | (x >> 16 & 0x0000ffff0000ffffu);
	return x << 32 | x >> 32;
}

/*
 * The trace SCOM, bit 0 the highest: sample 0:1, complement of load 2:33, event1 34:40, event2
 * 41:47, buffer 48:50.
 */
PMUMAP_DEF int pmumap_imc_trace_scom_encode(const struct pmumap_imc_trace_scom *fields,
					    uint64_t *scom)
{
	if (fields->sample > 3 || fields->event1 > 127 || fields->event2 > 127 ||
	    fields->buffer > 4)
		return 0;
	*scom = (uint64_t)fields->sample << 62 | (uint64_t)(uint32_t)~fields->load << 30 |
		(uint64_t)fields->event1 << 23 | (uint64_t)fields->event2 << 16 |
		(uint64_t)fields->buffer << 13;
	return 1;
}

/* The trace configuration, bit 0 the lowest: event 20:27, sample 28:29, load 30:61. */
PMUMAP_DEF int pmumap_imc_trace_config_decode(uint64_t config,
					      struct pmumap_imc_trace_config *fields)
{
	if ((config & 0xfffff) || config >> 62)
		return 0;
	fields->event = (uint32_t)(config >> 20) & 255;
	fields->sample = (uint32_t)(config >> 28) & 3;
	fields->load = (uint32_t)(config >> 30);
	return 1;
}

/* Find the address of a control block's word. Returns 0 if it does not exist. */
static inline int pmumap_imc_hw_control_word_(const struct pmumap_imc *m, uint32_t unit,
					      uint32_t chip, uint32_t word, uint64_t *phys)
{
	if (word >= PMUMAP_IMC_CB_BYTES || word % 8 ||
	    !pmumap_imc_control_address(m, unit, chip, phys))
		return 0;
	*phys += word;
	return 1;
}

PMUMAP_DEF int pmumap_imc_control_load(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
				       uint32_t unit, uint32_t chip, uint32_t word, uint64_t *value)
{
	uint64_t phys;

	if (!pmumap_imc_hw_control_word_(m, unit, chip, word, &phys))
		return 0;
	*value = hw->load(hw->arg, phys);
	return 1;
}

PMUMAP_DEF int pmumap_imc_control_store(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
					uint32_t unit, uint32_t chip, uint32_t word, uint64_t value)
{
	uint64_t phys;

	if (!pmumap_imc_hw_control_word_(m, unit, chip, word, &phys))
		return 0;
	hw->store(hw->arg, phys, value);
	return 1;
}

PMUMAP_DEF uint64_t pmumap_imc_vector(struct pmumap_imc_hw *hw, uint64_t base)
{
	if (base == 0 || base > ~(uint64_t)0 - PMUMAP_IMC_CONTROL - PMUMAP_IMC_CB_BYTES ||
	    hw->load(hw->arg, base + PMUMAP_IMC_CONTROL + PMUMAP_IMC_CB_STATUS) ==
		    PMUMAP_IMC_INITIALIZING)
		return 0;
	return hw->load(hw->arg, base + PMUMAP_IMC_CONTROL + PMUMAP_IMC_CB_AVAILABLE);
}

/* Addresses of SCOMs. A quad has a page and a mode for each of its four cores. */
struct pmumap_imc_hw_scoms_ {
	uint32_t event_mask, trace; /* of the core */
	uint32_t page, mode;        /* of its quad */
};

#define PMUMAP_IMC_MODE_STOPPED_ 0xe000000000000000u
#define PMUMAP_IMC_MODE_RUNNING_ 0xe800000000000000u
#define PMUMAP_IMC_EVENT_MASK_ 0x0402010000000000u
#define PMUMAP_IMC_PAGE_ 0x0003ffffffffe000u

/* Returns 0 for an unknown generation. */
static inline int pmumap_imc_hw_scoms_of_core_(struct pmumap_imc_hw_scoms_ *s, unsigned generation,
					       uint32_t core)
{
	uint32_t n = core % 4;

	if (generation == PMUMAP_IMC_P9) {
		s->event_mask = 0x20010aa8;
		s->trace = 0x20010aa9;
		s->mode = 0x10012200 + (n & 1) * 0x100 + (n & 2) * 0x200;
		s->page = s->mode + 0xb;
		return 1;
	}
	if (generation == PMUMAP_IMC_P10) {
		s->event_mask = 0x20020400;
		s->trace = 0x20020401;
		s->mode = 0x20011680 + (n == 0 ? 0x7000 : n == 1 ? 0x3000 : n == 2 ? 0x1000 : 0);
		s->page = s->mode + 0xb;
		return 1;
	}
	return 0;
}

/* Write a SCOM that a deep stop loses, and save it. */
static inline int pmumap_imc_hw_write_saved_(struct pmumap_imc_hw *hw,
					     enum pmumap_imc_chiplet chiplet, uint32_t core,
					     uint32_t address, uint64_t value)
{
	return hw->scom(hw->arg, chiplet, core, address, value) &&
	       (!hw->save || hw->save(hw->arg, chiplet, core, address, value));
}

PMUMAP_DEF int pmumap_imc_core_init(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				    uint64_t page)
{
	struct pmumap_imc_hw_scoms_ s;

	if ((page & ~PMUMAP_IMC_PAGE_) || !pmumap_imc_hw_scoms_of_core_(&s, generation, core))
		return 0;
	return pmumap_imc_hw_write_saved_(hw, PMUMAP_IMC_QUAD_CHIPLET, core, s.page, page) &&
	       pmumap_imc_hw_write_saved_(hw, PMUMAP_IMC_CORE_CHIPLET, core, s.event_mask,
					  PMUMAP_IMC_EVENT_MASK_) &&
	       hw->scom(hw->arg, PMUMAP_IMC_QUAD_CHIPLET, core, s.mode, PMUMAP_IMC_MODE_STOPPED_);
}

PMUMAP_DEF int pmumap_imc_core_run(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				   int run)
{
	struct pmumap_imc_hw_scoms_ s;

	return pmumap_imc_hw_scoms_of_core_(&s, generation, core) &&
	       hw->scom(hw->arg, PMUMAP_IMC_QUAD_CHIPLET, core, s.mode,
			run ? PMUMAP_IMC_MODE_RUNNING_ : PMUMAP_IMC_MODE_STOPPED_);
}

PMUMAP_DEF int pmumap_imc_trace_init(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				     const struct pmumap_imc_trace_scom *fields)
{
	struct pmumap_imc_hw_scoms_ s;
	uint64_t scom;

	if (!pmumap_imc_trace_scom_encode(fields, &scom) ||
	    !pmumap_imc_hw_scoms_of_core_(&s, generation, core))
		return 0;
	return hw->scom(hw->arg, PMUMAP_IMC_QUAD_CHIPLET, core, s.mode, PMUMAP_IMC_MODE_STOPPED_) &&
	       pmumap_imc_hw_write_saved_(hw, PMUMAP_IMC_CORE_CHIPLET, core, s.trace, scom);
}
