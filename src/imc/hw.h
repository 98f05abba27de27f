/* SPDX-License-Identifier: BSD-2-Clause */
/* Control blocks and SCOMs of POWER machines */
#pragma once

#include "imc/list.h"
#include "imc/words.h"

/* The physical address of bytes in a nest window on a chip. Fails like pmumap_imc_address(). */
static inline int pmumap_imc_place_on_chip_(const struct pmumap_imc *m, uint32_t unit,
					    uint32_t chip, uint32_t offset, uint32_t bytes,
					    uint64_t *phys)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m) + unit;
	uint32_t i = 0, found = ~chip;
	uint64_t base = 0, place;

	if (unit >= m->unit_count || u->type != PMUMAP_IMC_NEST ||
	    (u->size && (u->size < bytes || offset > u->size - bytes)))
		return 0;
	while (found != chip && pmumap_imc_chip_at(m, unit, i, &found, &base))
		i++;
	place = (uint64_t)u->offset + offset;
	if (found != chip || place + bytes - 1 > ~(uint64_t)0 - base)
		return 0;
	*phys = base + place;
	return 1;
}

PMUMAP_DEF int pmumap_imc_address(const struct pmumap_imc *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys)
{
	return pmumap_imc_place_on_chip_(m, e->unit_index, chip, e->offset,
					 PMUMAP_IMC_COUNTER_BYTES_, phys);
}

PMUMAP_DEF int pmumap_imc_control_address(const struct pmumap_imc *m, uint32_t unit, uint32_t chip,
					  uint64_t *phys)
{
	return unit < m->unit_count &&
	       pmumap_imc_place_on_chip_(m, unit, chip, PMUMAP_IMC_UNITS_(m)[unit].control,
					 PMUMAP_IMC_CONTROL_BYTES_, phys);
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
