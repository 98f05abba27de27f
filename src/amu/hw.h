/* SPDX-License-Identifier: BSD-2-Clause */
/* Operate activity monitors */
#pragma once

#include "amu/masks.h"
#include "amu/native.h"

#define PMUMAP_AMU_IS_NATIVE_(hw) (PMUMAP_AMU_HAS_NATIVE_ && !(hw)->read)

static inline int pmumap_amu_may_write_(const struct pmumap_amu_hw *hw)
{
	return PMUMAP_AMU_IS_NATIVE_(hw) ? PMUMAP_AMU_MAY_WRITE_ : hw->write != 0;
}

/* Access a register without a barrier. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_amu_get_(const struct pmumap_amu_hw *hw, uint32_t reg)
{
	return PMUMAP_AMU_IS_NATIVE_(hw) ? PMUMAP_AMU_NATIVE_READ_(reg) : hw->read(hw->arg, reg);
}

PMUMAP_ALWAYS_INLINE_ void pmumap_amu_set_(const struct pmumap_amu_hw *hw, uint32_t reg,
					   uint64_t value)
{
	if (PMUMAP_AMU_IS_NATIVE_(hw))
		PMUMAP_AMU_NATIVE_WRITE_(reg, value);
	else
		hw->write(hw->arg, reg, value);
}

/* Earlier writes take effect before what follows, and no later read comes before. */
static inline void pmumap_amu_wait_(const struct pmumap_amu_hw *hw)
{
	if (PMUMAP_AMU_IS_NATIVE_(hw))
		PMUMAP_AMU_BARRIER_();
}

PMUMAP_DEF int pmumap_amu_probe(struct pmumap_amu_hw *hw)
{
	uint64_t cfgr, cgcr, g1idr = 0;
	uint32_t group0;

	hw->implemented[0] = hw->implemented[1] = hw->offsets[0] = hw->offsets[1] = 0;
	hw->version = (uint32_t)pmumap_amu_get_(hw, PMUMAP_AMU_ID) & 15;
	if (hw->version == 0)
		return 0;
	cfgr = pmumap_amu_get_(hw, PMUMAP_AMU_CFGR);
	cgcr = pmumap_amu_get_(hw, PMUMAP_AMU_CGCR);
	group0 = (uint32_t)cgcr & 0xff;
	hw->implemented[0] = (uint16_t)((1u << (group0 < 4 ? group0 : 4)) - 1);
	if (hw->version > 1) {
		if (cfgr >> 28 & 15)
			g1idr = pmumap_amu_get_(hw, PMUMAP_AMU_CG1IDR);
		hw->offsets[0] = hw->implemented[0] & 0xd; /* counter 1 has none */
		hw->offsets[1] = (uint16_t)(g1idr & g1idr >> 16);
	}
	hw->implemented[1] = pmumap_amu_implemented(cfgr, cgcr, hw->version > 1, g1idr);
	return 1;
}

/* Read a register of a counter; reg: that of counter 0 in group 0. Returns 0 if it is missing. */
PMUMAP_OUTLINE_ uint64_t pmumap_amu_get_of_counter_(const struct pmumap_amu_hw *hw, uint32_t reg,
						    uint32_t group, uint32_t n)
{
	if (group > 1 || n > 15 || !(hw->implemented[group] >> n & 1))
		return 0;
	pmumap_amu_wait_(hw);
	return pmumap_amu_get_(hw, reg + 0x40 * group + n);
}

PMUMAP_DEF uint64_t pmumap_amu_read(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n)
{
	return pmumap_amu_get_of_counter_(hw, PMUMAP_AMU_EVCNTR0, group, n);
}

PMUMAP_DEF uint32_t pmumap_amu_event(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n)
{
	return (uint32_t)pmumap_amu_get_of_counter_(hw, PMUMAP_AMU_EVTYPER0, group, n) & 0xffff;
}

PMUMAP_DEF uint16_t pmumap_amu_running(struct pmumap_amu_hw *hw, uint32_t group)
{
	uint64_t running;

	if (group > 1 || !hw->implemented[group])
		return 0;
	running = group ? pmumap_amu_get_(hw, PMUMAP_AMU_CNTENSET1)
			: pmumap_amu_get_(hw, PMUMAP_AMU_CNTENSET0);
	return (uint16_t)(running & hw->implemented[group]);
}

/* Stop and start counters of a group; others keep running or stopped. No barrier. */
static inline void pmumap_amu_switch_(struct pmumap_amu_hw *hw, uint32_t group, uint32_t stop,
				      uint32_t start)
{
	if (stop && group)
		pmumap_amu_set_(hw, PMUMAP_AMU_CNTENCLR1, stop);
	else if (stop)
		pmumap_amu_set_(hw, PMUMAP_AMU_CNTENCLR0, stop);
	if (start && group)
		pmumap_amu_set_(hw, PMUMAP_AMU_CNTENSET1, start);
	else if (start)
		pmumap_amu_set_(hw, PMUMAP_AMU_CNTENSET0, start);
}

PMUMAP_DEF int pmumap_amu_run(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters)
{
	if (!pmumap_amu_may_write_(hw) || group > 1 ||
	    (counters & ~(uint32_t)hw->implemented[group]))
		return 0;
	pmumap_amu_switch_(hw, group, hw->implemented[group] & ~(uint32_t)counters, counters);
	pmumap_amu_wait_(hw);
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

PMUMAP_DEF int pmumap_amu_control(struct pmumap_amu_hw *hw, uint64_t amcr)
{
	if (!hw->version || !pmumap_amu_may_write_(hw))
		return 0;
	pmumap_amu_set_(hw, PMUMAP_AMU_CR, amcr);
	pmumap_amu_wait_(hw);
	return 1;
}

/* Save or restore a stopped counter by calls. The groups' EVCNTR are 0x40 apart, EVCNTVOFF 0x10. */
static inline void pmumap_amu_save_counter_(const struct pmumap_amu_hw *hw,
					    struct pmumap_amu_state *state, uint32_t group,
					    uint32_t n)
{
	uint32_t element = 4 * group + n;

	state->count[element] = hw->read(hw->arg, PMUMAP_AMU_EVCNTR0 + 0x40 * group + n);
	if (group)
		state->event[n] = (uint16_t)hw->read(hw->arg, PMUMAP_AMU_EVTYPER1 + n);
	if (hw->write_offset && (hw->offsets[group] >> n & 1))
		state->offset[element] =
			hw->read(hw->arg, PMUMAP_AMU_EVCNTVOFF0 + 0x10 * group + n);
}

static inline void pmumap_amu_restore_counter_(const struct pmumap_amu_hw *hw,
					       const struct pmumap_amu_state *state, uint32_t group,
					       uint32_t n)
{
	uint32_t element = 4 * group + n, event = PMUMAP_AMU_EVTYPER1 + n;

	hw->write(hw->arg, PMUMAP_AMU_EVCNTR0 + 0x40 * group + n, state->count[element]);
	if (group && (uint16_t)hw->read(hw->arg, event) != state->event[n])
		hw->write(hw->arg, event, state->event[n]);
	if (hw->write_offset && (hw->offsets[group] >> n & 1))
		hw->write_offset(hw->arg, PMUMAP_AMU_EVCNTVOFF0 + 0x10 * group + n,
				 state->offset[element]);
}

PMUMAP_DEF int pmumap_amu_save(struct pmumap_amu_hw *hw, struct pmumap_amu_state *state)
{
	uint32_t i;

	if (!hw->version || !pmumap_amu_may_write_(hw))
		return 0;
	state->amcr = pmumap_amu_get_(hw, PMUMAP_AMU_CR);
	for (i = 0; i < 2; i++) {
		state->running[i] = pmumap_amu_running(hw, i);
		pmumap_amu_switch_(hw, i, state->running[i], 0);
	}
	pmumap_amu_wait_(hw);
	if (PMUMAP_AMU_IS_NATIVE_(hw)) {
		PMUMAP_AMU_NATIVE_SAVE_(hw, state);
		return 1;
	}
	for (i = 0; i < 32; i++) {
		if (hw->implemented[i / 16] >> i % 16 & 1)
			pmumap_amu_save_counter_(hw, state, i / 16, i % 16);
	}
	return 1;
}

PMUMAP_DEF int pmumap_amu_restore(struct pmumap_amu_hw *hw, const struct pmumap_amu_state *state)
{
	uint32_t i, running = 0;

	if (!hw->version || !pmumap_amu_may_write_(hw))
		return 0;
	for (i = 0; i < 2; i++) {
		uint32_t stop = pmumap_amu_running(hw, i);

		pmumap_amu_switch_(hw, i, stop, 0);
		running |= stop;
	}
	if (running)
		pmumap_amu_wait_(hw);
	pmumap_amu_set_(hw, PMUMAP_AMU_CR, state->amcr);
	if (PMUMAP_AMU_IS_NATIVE_(hw)) {
		PMUMAP_AMU_NATIVE_RESTORE_(hw, state);
	} else {
		for (i = 0; i < 32; i++) {
			if (hw->implemented[i / 16] >> i % 16 & 1)
				pmumap_amu_restore_counter_(hw, state, i / 16, i % 16);
		}
	}
	for (i = 0; i < 2; i++)
		pmumap_amu_switch_(hw, i, 0, state->running[i] & (uint32_t)hw->implemented[i]);
	pmumap_amu_wait_(hw);
	return 1;
}

/* Report version 1, because the view has no register that tells gaps between counters. */
static inline uint64_t pmumap_amu_mapped_read_(void *arg, uint32_t reg)
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
		return reg == PMUMAP_AMU_CFGR        ? view[0xe00 / 4]
		       : reg == PMUMAP_AMU_CGCR      ? view[0xce0 / 4]
		       : reg == PMUMAP_AMU_CNTENSET0 ? view[0xc00 / 4]
		       : reg == PMUMAP_AMU_CNTENSET1 ? view[0xc04 / 4]
						     : 0;
	}
}

PMUMAP_DEF void pmumap_amu_mapped(struct pmumap_amu_hw *hw, const volatile void *base)
{
	hw->read = pmumap_amu_mapped_read_;
	hw->write = hw->write_offset = 0;
	hw->arg = (void *)(size_t)base;
}
