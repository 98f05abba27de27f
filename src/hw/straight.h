/* SPDX-License-Identifier: BSD-2-Clause */
/* Direct access to a counter of this hart, on RV64 */
#pragma once

#include "core/compiler.h"
#include "hw/csr.h"
#include "hw/riscv_api.h"

#if defined(PMUMAP_NATIVE_) && __riscv_xlen == 64
#define PMUMAP_RV64_ 1

/*
 * The place of a counter that was set and can be stopped. 0: access by calls. Negative: in S-mode,
 * through siselect. PMUMAP_NO_EVENT_: it has no event register.
 */
#define PMUMAP_IN_M_ 1
#define PMUMAP_IN_S_ (-4)
#define PMUMAP_NO_EVENT_ 2

/* Write a counter. Returns its event, or 0 without an event register. */
static inline uint64_t pmumap_straight_write_(int place, uint32_t counter, uint64_t value)
{
	unsigned long event = 0, n = (unsigned long)(int)counter;
	unsigned long select = PMUMAP_ISELECT_COUNTER_ + n;

	if (place < 0) {
		PMUMAP_CSR_SWAP_(select, PMUMAP_CSR_SISELECT_);
		PMUMAP_CSR_PUT_(value, PMUMAP_CSR_SIREG_);
		if (!(place & PMUMAP_NO_EVENT_))
			PMUMAP_CSR_GET_(event, PMUMAP_CSR_SIREG_ + 1);
		PMUMAP_CSR_PUT_(select, PMUMAP_CSR_SISELECT_);
	} else if (n > 2) {
		PMUMAP_CSR_PUT_GET_(value, event, n);
	} else if (n) {
		PMUMAP_CSR_PUT_(value, PMUMAP_CSR_MHPMCOUNTER_ + 2);
		if (!(place & PMUMAP_NO_EVENT_))
			PMUMAP_CSR_GET_(event, PMUMAP_CSR_MHPMEVENT_ + 2);
	} else {
		PMUMAP_CSR_PUT_(value, PMUMAP_CSR_MHPMCOUNTER_);
		if (!(place & PMUMAP_NO_EVENT_))
			PMUMAP_CSR_GET_(event, PMUMAP_CSR_MHPMEVENT_ + 1);
	}
	return event;
}

static inline uint64_t pmumap_straight_read_(int place, uint32_t counter)
{
	unsigned long value = 0, n = (unsigned long)(int)counter;
	unsigned long select = PMUMAP_ISELECT_COUNTER_ + n;

	if (place < 0) {
		PMUMAP_CSR_SWAP_(select, PMUMAP_CSR_SISELECT_);
		PMUMAP_CSR_GET_(value, PMUMAP_CSR_SIREG_);
		PMUMAP_CSR_PUT_(select, PMUMAP_CSR_SISELECT_);
	} else {
		PMUMAP_CSR_GET_NTH_(value, PMUMAP_CSR_MHPMCOUNTER_, n);
	}
	return value;
}

static inline void pmumap_straight_run_(int place, unsigned long counters)
{
	if (place < 0)
		PMUMAP_CSR_CLEAR_(counters, PMUMAP_CSR_SCOUNTINHIBIT_);
	else
		PMUMAP_CSR_CLEAR_(counters, PMUMAP_CSR_MCOUNTINHIBIT_);
}

static inline void pmumap_straight_stop_(int place, unsigned long counters)
{
	if (place < 0)
		PMUMAP_CSR_SET_(counters, PMUMAP_CSR_SCOUNTINHIBIT_);
	else
		PMUMAP_CSR_SET_(counters, PMUMAP_CSR_MCOUNTINHIBIT_);
}
#define PMUMAP_BY_CALLS_ PMUMAP_OUTLINE_ /* so that the direct path needs no stack frame */
#else
#define PMUMAP_RV64_ 0
#define PMUMAP_BY_CALLS_ static inline
#endif
