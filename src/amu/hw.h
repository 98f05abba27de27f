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

/* Access a register without a barrier: by one instruction if native and reg is a constant. */
#define PMUMAP_AMU_GET_(hw, reg)                                                                   \
	(PMUMAP_AMU_IS_NATIVE_(hw) ? PMUMAP_AMU_NATIVE_READ_(reg) : (hw)->read((hw)->arg, reg))
#define PMUMAP_AMU_SET_(hw, reg, value)                                                            \
	(PMUMAP_AMU_IS_NATIVE_(hw) ? PMUMAP_AMU_NATIVE_WRITE_(reg, value)                          \
				   : (hw)->write((hw)->arg, reg, value))

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
	hw->version = (uint32_t)PMUMAP_AMU_GET_(hw, PMUMAP_AMU_ID) & 15;
	if (hw->version == 0)
		return 0;
	cfgr = PMUMAP_AMU_GET_(hw, PMUMAP_AMU_CFGR);
	cgcr = PMUMAP_AMU_GET_(hw, PMUMAP_AMU_CGCR);
	group0 = (uint32_t)cgcr & 0xff;
	hw->implemented[0] = (uint16_t)((1u << (group0 < 4 ? group0 : 4)) - 1);
	if (hw->version > 1) {
		if (cfgr >> 28 & 15)
			g1idr = PMUMAP_AMU_GET_(hw, PMUMAP_AMU_CG1IDR);
		hw->offsets[0] = hw->implemented[0] & 0xd; /* counter 1 has none */
		hw->offsets[1] = (uint16_t)(g1idr & g1idr >> 16);
	}
	hw->implemented[1] = pmumap_amu_implemented(cfgr, cgcr, hw->version > 1, g1idr);
	return 1;
}

/* Read a register of a counter; reg: that of counter 0 in group 0. Returns 0 if it is missing. */
static inline uint64_t pmumap_amu_get_of_counter_(const struct pmumap_amu_hw *hw, uint32_t reg,
						  uint32_t group, uint32_t n)
{
	if (group > 1 || n > 15 || !(hw->implemented[group] >> n & 1))
		return 0;
	pmumap_amu_wait_(hw);
	return PMUMAP_AMU_GET_(hw, reg + 0x40 * group + n);
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
	uint32_t reg = group ? PMUMAP_AMU_CNTENSET1 : PMUMAP_AMU_CNTENSET0;

	if (group > 1 || !hw->implemented[group])
		return 0;
	return (uint16_t)(PMUMAP_AMU_GET_(hw, reg) & hw->implemented[group]);
}

/* Stop and start counters of a group; others keep running or stopped. No barrier. */
static inline void pmumap_amu_switch_(struct pmumap_amu_hw *hw, uint32_t group, uint32_t stop,
				      uint32_t start)
{
	if (stop)
		PMUMAP_AMU_SET_(hw, group ? PMUMAP_AMU_CNTENCLR1 : PMUMAP_AMU_CNTENCLR0, stop);
	if (start)
		PMUMAP_AMU_SET_(hw, group ? PMUMAP_AMU_CNTENSET1 : PMUMAP_AMU_CNTENSET0, start);
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
	counters &= group < 2 ? allowed & hw->implemented[group] : 0;
	return pmumap_amu_run(hw, group, counters) ? counters : 0;
}

PMUMAP_DEF int pmumap_amu_control(struct pmumap_amu_hw *hw, uint64_t amcr)
{
	if (!hw->version || !pmumap_amu_may_write_(hw))
		return 0;
	PMUMAP_AMU_SET_(hw, PMUMAP_AMU_CR, amcr);
	pmumap_amu_wait_(hw);
	return 1;
}

/* clang-format off */
/*
 * Save or restore a counter if it exists, and its offset. The registers of the groups are 0x40
 * apart, of offsets 0x10. Counter 1 of group 0 has no offset, and the events of group 0 are fixed.
 */
#define PMUMAP_AMU_SAVE_(group, n, get, get_count, get_offset)                                     \
	if (hw->implemented[group] >> (n) & 1) {                                                   \
		get_count(PMUMAP_AMU_EVCNTR0 + 0x40 * (group) + (n),                               \
			  state->count[4 * (group) + (n)]);                                        \
		if (group) {                                                                       \
			get(PMUMAP_AMU_EVTYPER1 + (n), event);                                     \
			state->event[n] = (uint16_t)event;                                         \
		}                                                                                  \
		if (((group) || (n) != 1) && (hw->offsets[group] >> (n) & 1)) {                    \
			get_offset(PMUMAP_AMU_EVCNTVOFF0 + 0x10 * (group) + (n),                   \
				   state->offset[4 * (group) + (n)]);                              \
		}                                                                                  \
	}
#define PMUMAP_AMU_RESTORE_(group, n, get, set, set_count, set_offset)                             \
	if (hw->implemented[group] >> (n) & 1) {                                                   \
		set_count(PMUMAP_AMU_EVCNTR0 + 0x40 * (group) + (n),                               \
			  state->count[4 * (group) + (n)]);                                        \
		if (group) {                                                                       \
			get(PMUMAP_AMU_EVTYPER1 + (n), event);                                     \
			if ((uint16_t)event != state->event[n]) {                                  \
				event = state->event[n];                                           \
				set(PMUMAP_AMU_EVTYPER1 + (n), event);                             \
			}                                                                          \
		}                                                                                  \
		if (((group) || (n) != 1) && (hw->offsets[group] >> (n) & 1)) {                    \
			set_offset(PMUMAP_AMU_EVCNTVOFF0 + 0x10 * (group) + (n),                   \
				   state->offset[4 * (group) + (n)]);                              \
		}                                                                                  \
	}

/* Element i of a state: by instructions, for which i is a constant; and by calls. */
#define PMUMAP_AMU_NATIVE_SAVE_(i)                                                                 \
	PMUMAP_AMU_SAVE_((i) > 3, (i) > 3 ? (i) - 4 : (i), PMUMAP_AMU_MRS_,                        \
			 PMUMAP_AMU_MRS_COUNT_, PMUMAP_AMU_MRS_OFFSET_)
#define PMUMAP_AMU_NATIVE_RESTORE_(i)                                                              \
	PMUMAP_AMU_RESTORE_((i) > 3, (i) > 3 ? (i) - 4 : (i), PMUMAP_AMU_MRS_, PMUMAP_AMU_MSR_,    \
			    PMUMAP_AMU_MSR_COUNT_, PMUMAP_AMU_MSR_OFFSET_)
#define PMUMAP_AMU_READ_EVENT_(reg, v) ((v) = (uint16_t)hw->read(hw->arg, reg))
#define PMUMAP_AMU_READ_(reg, v) ((v) = hw->read(hw->arg, reg))
#define PMUMAP_AMU_WRITE_(reg, v) hw->write(hw->arg, reg, v)
#define PMUMAP_AMU_READ_OFFSET_(reg, v) if (hw->write_offset) PMUMAP_AMU_READ_(reg, v)
#define PMUMAP_AMU_WRITE_OFFSET_(reg, v) if (hw->write_offset) hw->write_offset(hw->arg, reg, v)
/* clang-format on */

PMUMAP_DEF int pmumap_amu_save(struct pmumap_amu_hw *hw, struct pmumap_amu_state *state)
{
	size_t event;
	uint32_t i;

	if (!hw->version || !pmumap_amu_may_write_(hw))
		return 0;
	state->amcr = PMUMAP_AMU_GET_(hw, PMUMAP_AMU_CR);
	for (i = 0; i < 2; i++) {
		state->running[i] = pmumap_amu_running(hw, i);
		pmumap_amu_switch_(hw, i, state->running[i], 0);
	}
	pmumap_amu_wait_(hw);
	if (PMUMAP_AMU_IS_NATIVE_(hw)) {
		PMUMAP_AMU_NATIVE_EACH_(PMUMAP_AMU_NATIVE_SAVE_)
		return 1;
	}
	for (i = 0; i < 32; i++) {
		PMUMAP_AMU_SAVE_(i / 16, i % 16, PMUMAP_AMU_READ_EVENT_, PMUMAP_AMU_READ_,
				 PMUMAP_AMU_READ_OFFSET_)
	}
	return 1;
}

PMUMAP_DEF int pmumap_amu_restore(struct pmumap_amu_hw *hw, const struct pmumap_amu_state *state)
{
	uint32_t i, running = 0;
	size_t event;

	if (!hw->version || !pmumap_amu_may_write_(hw))
		return 0;
	for (i = 0; i < 2; i++)
		running |= (uint32_t)pmumap_amu_running(hw, i) << 16 * i;
	if (running) {
		pmumap_amu_switch_(hw, 0, running & 0xffff, 0);
		pmumap_amu_switch_(hw, 1, running >> 16, 0);
		pmumap_amu_wait_(hw);
	}
	PMUMAP_AMU_SET_(hw, PMUMAP_AMU_CR, state->amcr);
	if (PMUMAP_AMU_IS_NATIVE_(hw)) {
		PMUMAP_AMU_NATIVE_EACH_(PMUMAP_AMU_NATIVE_RESTORE_)
	} else {
		for (i = 0; i < 32; i++) {
			PMUMAP_AMU_RESTORE_(i / 16, i % 16, PMUMAP_AMU_READ_EVENT_,
					    PMUMAP_AMU_WRITE_, PMUMAP_AMU_WRITE_,
					    PMUMAP_AMU_WRITE_OFFSET_)
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
