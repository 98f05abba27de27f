/* SPDX-License-Identifier: BSD-2-Clause */
/* Operate activity monitors */
#pragma once

#include "amu/api.h"
#include "amu/hw_api.h"

PMUMAP_DEF int pmumap_amu_reconcile(uint16_t described, uint16_t enable, uint16_t implemented,
				    uint16_t readable, enum pmumap_amu_mismatch *why)
{
	uint32_t i;

	for (i = 0; i < 16; i++) {
		uint32_t bit = 1u << i;

		if ((enable & bit) && !(described & bit))
			*why = PMUMAP_AMU_NOT_DESCRIBED;
		else if (((enable | described) & bit) && !(implemented & bit))
			*why = PMUMAP_AMU_NOT_IMPLEMENTED;
		else if ((enable & bit) && !(readable & bit))
			*why = PMUMAP_AMU_NOT_READABLE;
		else
			continue;
		return (int)i;
	}
	*why = PMUMAP_AMU_FITS;
	return -1;
}

PMUMAP_DEF uint16_t pmumap_amu_implemented(uint64_t amcfgr, uint64_t amcgcr, int v1p1,
					   uint64_t amcg1idr)
{
	uint32_t n = (uint32_t)amcgcr >> 8 & 0xff;

	if (((uint32_t)amcfgr >> 28 & 0xf) == 0)
		return 0;
	if (v1p1)
		return (uint16_t)amcg1idr;
	return (uint16_t)(n < 16 ? (1u << n) - 1 : 0xffff);
}

PMUMAP_DEF uint16_t pmumap_amu_readable(const struct pmumap_amu_access *access, uint32_t group,
					uint16_t implemented)
{
	uint32_t traps = (uint32_t)(group ? access->hafgrtr_el2 >> 18 : access->hafgrtr_el2 >> 1);
	uint32_t n, trapped = 0;

	if ((access->el < 3 && (access->cptr_el3 & PMUMAP_AMU_TAM)) ||
	    (access->el < 2 && (access->cptr_el2 & PMUMAP_AMU_TAM)) ||
	    (access->el < 1 && !(access->amuserenr & 1)) ||
	    (group && access->el < access->highest_el && (access->amcr & PMUMAP_AMU_CG1RZ)))
		return 0;
	for (n = 0; n < 16 && access->el < 2; n++) {
		trapped |= (traps & 1) << n;
		traps >>= group ? 2 : 1;
	}
	return (uint16_t)(implemented & ~trapped);
}

PMUMAP_DEF int pmumap_amu_probe(struct pmumap_amu_hw *hw)
{
	uint64_t cfgr, cgcr, g1idr = 0;
	uint32_t group0;

	hw->implemented[0] = hw->implemented[1] = hw->offsets[0] = hw->offsets[1] = 0;
	hw->version = (uint32_t)hw->read(hw->arg, PMUMAP_AMU_ID) & 15;
	if (hw->version == 0)
		return 0;
	cfgr = hw->read(hw->arg, PMUMAP_AMU_CFGR);
	cgcr = hw->read(hw->arg, PMUMAP_AMU_CGCR);
	group0 = (uint32_t)cgcr & 0xff;
	hw->implemented[0] = (uint16_t)((1u << (group0 < 4 ? group0 : 4)) - 1);
	if (hw->version > 1) {
		if (cfgr >> 28 & 15)
			g1idr = hw->read(hw->arg, PMUMAP_AMU_CG1IDR);
		hw->offsets[0] = hw->implemented[0] & 0xd; /* counter 1 has none */
		hw->offsets[1] = (uint16_t)(g1idr & g1idr >> 16);
	}
	hw->implemented[1] = pmumap_amu_implemented(cfgr, cgcr, hw->version > 1, g1idr);
	return 1;
}

/* Whether counter n of a group exists; safe for any numbers. */
static inline int pmumap_amu_hw_has_counter_(const struct pmumap_amu_hw *hw, uint32_t group,
					     uint32_t n)
{
	return group < 2 && n < 16 && (hw->implemented[group] >> n & 1);
}

PMUMAP_DEF uint64_t pmumap_amu_count(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n)
{
	if (!pmumap_amu_hw_has_counter_(hw, group, n))
		return 0;
	return hw->read(hw->arg, (group ? PMUMAP_AMU_EVCNTR1 : PMUMAP_AMU_EVCNTR0) + n);
}

PMUMAP_DEF uint32_t pmumap_amu_event(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n)
{
	if (!pmumap_amu_hw_has_counter_(hw, group, n))
		return 0;
	return (uint32_t)hw->read(hw->arg,
				  (group ? PMUMAP_AMU_EVTYPER1 : PMUMAP_AMU_EVTYPER0) + n) &
	       0xffff;
}

PMUMAP_DEF uint16_t pmumap_amu_running(struct pmumap_amu_hw *hw, uint32_t group)
{
	if (group > 1 || !hw->implemented[group])
		return 0;
	return (uint16_t)(hw->read(hw->arg, group ? PMUMAP_AMU_CNTENSET1 : PMUMAP_AMU_CNTENSET0) &
			  hw->implemented[group]);
}

/* Start or stop these counters of a group; others keep running or stopped. */
static inline void pmumap_amu_hw_start_(struct pmumap_amu_hw *hw, uint32_t group, uint32_t counters)
{
	if (counters)
		hw->write(hw->arg, group ? PMUMAP_AMU_CNTENSET1 : PMUMAP_AMU_CNTENSET0, counters);
}

static inline void pmumap_amu_hw_stop_(struct pmumap_amu_hw *hw, uint32_t group, uint32_t counters)
{
	if (counters)
		hw->write(hw->arg, group ? PMUMAP_AMU_CNTENCLR1 : PMUMAP_AMU_CNTENCLR0, counters);
}

PMUMAP_DEF int pmumap_amu_run(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters)
{
	if (!hw->write || group > 1 || (counters & ~(uint32_t)hw->implemented[group]))
		return 0;
	pmumap_amu_hw_stop_(hw, group, hw->implemented[group] & ~(uint32_t)counters);
	pmumap_amu_hw_start_(hw, group, counters);
	return 1;
}

PMUMAP_DEF uint16_t pmumap_amu_enable(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters,
				      uint16_t allowed)
{
	uint16_t run = 0;

	if (group < 2)
		run = counters & allowed & hw->implemented[group];
	return pmumap_amu_run(hw, group, run) ? run : 0;
}

/* Write a counter's register while it is stopped. reg: the register for group 0. */
static inline void pmumap_amu_hw_write_stopped_(struct pmumap_amu_hw *hw, uint32_t group,
						uint32_t n, uint32_t reg, uint64_t value)
{
	uint32_t running = pmumap_amu_running(hw, group) & 1u << n;

	pmumap_amu_hw_stop_(hw, group, running);
	hw->write(hw->arg, reg + group * (PMUMAP_AMU_EVCNTR1 - PMUMAP_AMU_EVCNTR0) + n, value);
	pmumap_amu_hw_start_(hw, group, running);
}

PMUMAP_DEF int pmumap_amu_preset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n,
				 uint64_t value)
{
	if (!hw->write || !pmumap_amu_hw_has_counter_(hw, group, n))
		return 0;
	pmumap_amu_hw_write_stopped_(hw, group, n, PMUMAP_AMU_EVCNTR0, value);
	return 1;
}

PMUMAP_DEF int pmumap_amu_set_event(struct pmumap_amu_hw *hw, uint32_t n, uint16_t event)
{
	if (!hw->write || !pmumap_amu_hw_has_counter_(hw, 1, n))
		return 0;
	if (pmumap_amu_event(hw, 1, n) != event)
		pmumap_amu_hw_write_stopped_(hw, 1, n, PMUMAP_AMU_EVTYPER0, event);
	return 1;
}

/* Whether counter n of a group has a usable offset; safe for any numbers. */
static inline int pmumap_amu_hw_has_offset_(const struct pmumap_amu_hw *hw, uint32_t group,
					    uint32_t n)
{
	return hw->write_offset && pmumap_amu_hw_has_counter_(hw, group, n) &&
	       (hw->offsets[group] >> n & 1);
}

PMUMAP_DEF uint64_t pmumap_amu_offset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n)
{
	if (!pmumap_amu_hw_has_offset_(hw, group, n))
		return 0;
	return hw->read(hw->arg, (group ? PMUMAP_AMU_EVCNTVOFF1 : PMUMAP_AMU_EVCNTVOFF0) + n);
}

PMUMAP_DEF int pmumap_amu_set_offset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n,
				     uint64_t value)
{
	if (!pmumap_amu_hw_has_offset_(hw, group, n))
		return 0;
	hw->write_offset(hw->arg, (group ? PMUMAP_AMU_EVCNTVOFF1 : PMUMAP_AMU_EVCNTVOFF0) + n,
			 value);
	return 1;
}

PMUMAP_DEF int pmumap_amu_save(struct pmumap_amu_hw *hw, struct pmumap_amu_state *state)
{
	uint32_t i, group;

	if (!hw->write || !hw->version)
		return 0;
	state->amcr = hw->read(hw->arg, PMUMAP_AMU_CR);
	for (group = 0; group < 2; group++) {
		state->running[group] = pmumap_amu_running(hw, group);
		pmumap_amu_hw_stop_(hw, group, state->running[group]);
	}
	for (i = 0; i < 20; i++) {
		group = i >= 4;
		state->count[i] = pmumap_amu_count(hw, group, i - group * 4);
		state->event[i] = (uint16_t)pmumap_amu_event(hw, group, i - group * 4);
		state->offset[i] = pmumap_amu_offset(hw, group, i - group * 4);
	}
	return 1;
}

PMUMAP_DEF int pmumap_amu_restore(struct pmumap_amu_hw *hw, const struct pmumap_amu_state *state)
{
	uint32_t i, group;

	if (!hw->write || !hw->version)
		return 0;
	(void)pmumap_amu_run(hw, 0, 0);
	(void)pmumap_amu_run(hw, 1, 0);
	hw->write(hw->arg, PMUMAP_AMU_CR, state->amcr);
	for (i = 0; i < 20; i++) {
		group = i >= 4;
		(void)pmumap_amu_preset(hw, group, i - group * 4, state->count[i]);
		(void)pmumap_amu_set_offset(hw, group, i - group * 4, state->offset[i]);
		if (group)
			(void)pmumap_amu_set_event(hw, i - 4, state->event[i]);
	}
	(void)pmumap_amu_enable(hw, 0, state->running[0], 0xffff);
	(void)pmumap_amu_enable(hw, 1, state->running[1], 0xffff);
	return 1;
}

/* Report version 1, because the view has no register that tells gaps between counters. */
static inline uint64_t pmumap_amu_hw_mapped_read_(void *arg, uint32_t reg)
{
	const volatile uint32_t *view = (const volatile uint32_t *)arg;
	uint32_t n = reg & 15, high, low, again;

	switch (reg & ~15u) {
	case PMUMAP_AMU_ID:
		return 1;
	case PMUMAP_AMU_EVTYPER0:
		return view[0x400 / 4 + n];
	case PMUMAP_AMU_EVTYPER1:
		return view[0x480 / 4 + n];
	case PMUMAP_AMU_EVCNTR0:
	case PMUMAP_AMU_EVCNTR1:
		view += 2 * n + (reg - n == PMUMAP_AMU_EVCNTR1 ? 0x100 / 4 : 0);
		high = view[1];
		low = view[0];
		again = view[1];
		if (again != high)
			low = view[0];
		return (uint64_t)again << 32 | low;
	default:
		break;
	}
	switch (reg) {
	case PMUMAP_AMU_CFGR:
		return view[0xe00 / 4];
	case PMUMAP_AMU_CGCR:
		return view[0xce0 / 4];
	case PMUMAP_AMU_CNTENSET0:
		return view[0xc00 / 4];
	case PMUMAP_AMU_CNTENSET1:
		return view[0xc04 / 4];
	default:
		return 0;
	}
}

PMUMAP_DEF void pmumap_amu_mapped(struct pmumap_amu_hw *hw, const volatile void *base)
{
	hw->read = pmumap_amu_hw_mapped_read_;
	hw->write = hw->write_offset = 0;
	hw->arg = (void *)(size_t)base;
}
