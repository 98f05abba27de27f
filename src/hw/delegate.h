/* SPDX-License-Identifier: BSD-2-Clause */
/* Delegate counters to S-mode */
#pragma once

#include "hw/hart.h"

/* Bits of the upper halves of menvcfg and mstateen0, and the interrupt's bit in mideleg. */
#define PMUMAP_ENVCFG_CDE_ 0x10000000u     /* counters are delegated */
#define PMUMAP_STATEEN_CSRIND_ 0x10000000u /* siselect and sireg may be used */
#define PMUMAP_STATEEN_SE_ 0x80000000u     /* implemented if and only if mstateen0 is */
#define PMUMAP_OVERFLOW_INTERRUPT_ 13

/* Set a bit in the upper half of a 64-bit CSR. Returns 0 if the CSR does not keep it. */
static inline int pmumap_hart_enable_(struct pmumap_hart *h, uint32_t csr, uint32_t bit)
{
	uint64_t mask = h->xlen == 32 ? bit : (uint64_t)bit << 32;

	csr += h->xlen == 32 ? PMUMAP_CSR_UPPER_ : 0;
	h->write(h->arg, csr, h->read(h->arg, csr) | mask);
	return (h->read(h->arg, csr) & mask) != 0;
}

/* Let S-mode use siselect. Without Smstateen mstateen0 reads 0, and S-mode may use it anyway. */
static inline int pmumap_hart_opens_select_(struct pmumap_hart *h)
{
	return pmumap_hart_enable_(h, PMUMAP_CSR_MSTATEEN0_, PMUMAP_STATEEN_CSRIND_) ||
	       !pmumap_hart_enable_(h, PMUMAP_CSR_MSTATEEN0_, PMUMAP_STATEEN_SE_);
}

PMUMAP_DEF uint32_t pmumap_hart_delegate(struct pmumap_hart *h, uint32_t counters)
{
	pmumap_hart_permit(h, 0);
	if (!pmumap_hart_enable_(h, PMUMAP_CSR_MENVCFG_, PMUMAP_ENVCFG_CDE_) ||
	    !pmumap_hart_opens_select_(h))
		return 0;
	pmumap_hart_permit(h, counters);
	if (h->features & PMUMAP_CAN_INTERRUPT)
		h->write(h->arg, PMUMAP_CSR_MIDELEG_,
			 h->read(h->arg, PMUMAP_CSR_MIDELEG_) | 1u << PMUMAP_OVERFLOW_INTERRUPT_);
	return (uint32_t)h->read(h->arg, PMUMAP_CSR_MCOUNTEREN_) & ~2u;
}
