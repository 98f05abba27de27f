/* SPDX-License-Identifier: BSD-2-Clause */
/* Direct access to a counter of this hart */
#pragma once

#include "core/compiler.h"
#include "hw/csr.h"
#include "hw/riscv_api.h"

#ifdef PMUMAP_NATIVE_
/*
 * The place of a counter that was set and can be stopped. 0: access by calls. Negative: in S-mode,
 * through siselect. NO_EVENT: it has no event register; NO_HIGH: no upper half of it, on RV32.
 */
#define PMUMAP_IN_M_ 1
#define PMUMAP_IN_S_ (-8)
#define PMUMAP_NO_EVENT_ 2
#define PMUMAP_NO_HIGH_ 4

#define PMUMAP_LIKELY_(x) __builtin_expect((x) != 0, 1)

/* On RV32, 0 goes to the lower half first, as in a table. */
#define PMUMAP_CSR_PUT_VALUE_(x, csr, up)                                                          \
	do {                                                                                       \
		if (__riscv_xlen == 32) {                                                          \
			PMUMAP_CSR_PUT_(0ul, csr);                                                 \
			PMUMAP_CSR_PUT_(PMUMAP_HIGH_(x), (csr) + (up));                            \
		}                                                                                  \
		PMUMAP_CSR_PUT_((unsigned long)(x), csr);                                          \
	} while (0)

/* Write the event of a stopped programmable counter, and its value if write is not 0. */
PMUMAP_ALWAYS_INLINE_ void pmumap_straight_set_(int place, unsigned long n, uint64_t event,
						uint64_t value, uint32_t write)
{
	unsigned long select = PMUMAP_ISELECT_COUNTER_ + n;

	if (PMUMAP_LIKELY_(place > 0)) {
		PMUMAP_CSR_PUT_BOTH_(value, event, n, place & PMUMAP_NO_HIGH_, write);
		return;
	}
	PMUMAP_CSR_SWAP_(select, PMUMAP_CSR_SISELECT_);
	if (__riscv_xlen == 32 && !(place & PMUMAP_NO_HIGH_))
		PMUMAP_CSR_PUT_(PMUMAP_HIGH_(event), PMUMAP_CSR_SIREG_ + 5);
	PMUMAP_CSR_PUT_((unsigned long)event, PMUMAP_CSR_SIREG_ + 1);
	if (write)
		PMUMAP_CSR_PUT_VALUE_(value, PMUMAP_CSR_SIREG_, 4);
	PMUMAP_CSR_PUT_(select, PMUMAP_CSR_SISELECT_);
}

/* One by one. The upper half is up above csr. */
#define PMUMAP_STRAIGHT_WRITE_(csr, up, event_csr, eventh_csr)                                     \
	do {                                                                                       \
		if (value)                                                                         \
			PMUMAP_CSR_PUT_VALUE_(*value, csr, up);                                    \
		if (!(place & PMUMAP_NO_EVENT_))                                                   \
			PMUMAP_CSR_GET_(event, event_csr);                                         \
		if (__riscv_xlen == 32 && !(place & PMUMAP_NO_HIGH_))                              \
			PMUMAP_CSR_GET_(high, eventh_csr);                                         \
	} while (0)

/* Write a counter, unless value is NULL. Returns its event, or 0 without an event register. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_straight_write_(int place, unsigned long n,
						      const uint64_t *value)
{
	unsigned long high = 0, event = 0, select = PMUMAP_ISELECT_COUNTER_ + n;

	if (!PMUMAP_LIKELY_(place > 0)) {
		PMUMAP_CSR_SWAP_(select, PMUMAP_CSR_SISELECT_);
		PMUMAP_STRAIGHT_WRITE_(PMUMAP_CSR_SIREG_, 4, PMUMAP_CSR_SIREG_ + 1,
				       PMUMAP_CSR_SIREG_ + 5);
		PMUMAP_CSR_PUT_(select, PMUMAP_CSR_SISELECT_);
	} else if (n > 2) {
		PMUMAP_CSR_PUT_GET_(value ? *value : 0, high, event, n, place & PMUMAP_NO_HIGH_,
				    value);
	} else if (n) {
		PMUMAP_STRAIGHT_WRITE_(PMUMAP_CSR_MHPMCOUNTER_ + 2, PMUMAP_CSR_COUNTER_HIGH_,
				       PMUMAP_CSR_MHPMEVENT_ + 2, PMUMAP_CSR_MHPMEVENTH_ + 2);
	} else {
		PMUMAP_STRAIGHT_WRITE_(PMUMAP_CSR_MHPMCOUNTER_, PMUMAP_CSR_COUNTER_HIGH_,
				       PMUMAP_CSR_MHPMEVENT_ + 1, PMUMAP_CSR_MHPMEVENTH_ + 1);
	}
	return PMUMAP_WHOLE_(high, event);
}

/* On RV32, the upper half before and after shows whether the lower half wrapped. 0 if missing. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_straight_read_(int place, unsigned long n)
{
	unsigned long high = 0, low = 0, again = 0, select = PMUMAP_ISELECT_COUNTER_ + n;

	if (PMUMAP_LIKELY_(place > 0)) {
		do
			PMUMAP_CSR_READ_(high, low, again, n);
		while (__riscv_xlen == 32 && again != high);
		return PMUMAP_WHOLE_(high, low);
	}
	PMUMAP_CSR_SWAP_(select, PMUMAP_CSR_SISELECT_);
	do {
		if (__riscv_xlen == 32)
			PMUMAP_CSR_GET_(high, PMUMAP_CSR_SIREG_ + 4);
		PMUMAP_CSR_GET_(low, PMUMAP_CSR_SIREG_);
		if (__riscv_xlen == 32)
			PMUMAP_CSR_GET_(again, PMUMAP_CSR_SIREG_ + 4);
	} while (again != high);
	PMUMAP_CSR_PUT_(select, PMUMAP_CSR_SISELECT_);
	return PMUMAP_WHOLE_(high, low);
}

/* CLEAR starts these counters, SET stops them. */
#define PMUMAP_STRAIGHT_INHIBIT_(access, place, counters)                                          \
	do {                                                                                       \
		if (PMUMAP_LIKELY_((place) > 0))                                                   \
			access(counters, PMUMAP_CSR_MCOUNTINHIBIT_);                               \
		else                                                                               \
			access(counters, PMUMAP_CSR_SCOUNTINHIBIT_);                               \
	} while (0)
#define PMUMAP_BY_CALLS_ PMUMAP_OUTLINE_ /* so that the direct path needs no stack frame */
#else
#define PMUMAP_BY_CALLS_ static inline
#endif
