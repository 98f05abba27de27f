/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters that M-mode gives to S-mode */
#pragma once

#include "hw/hart.h"

/* Bits of the upper half of menvcfg and of mstateen0; the interrupt is one of mideleg. */
#define PMUMAP_ENVCFG_CDE_ 0x10000000u     /* counters are delegated */
#define PMUMAP_STATEEN_CSRIND_ 0x10000000u /* siselect and sireg may be used */
#define PMUMAP_STATEEN_SE_ 0x80000000u     /* is there if and only if mstateen0 is */
#define PMUMAP_OVERFLOW_INTERRUPT_ 13

/* Set a bit of the upper half of a CSR of 64 bits. Returns 0 if the CSR does not keep it. */
static inline int pmumap_hart_enable_(struct pmumap_hart *h, uint32_t csr, uint32_t bit)
{
	uint64_t mask = h->xlen == 32 ? bit : (uint64_t)bit << 32;

	csr += h->xlen == 32 ? PMUMAP_CSR_UPPER_ : 0;
	h->write(h->arg, csr, h->read(h->arg, csr) | mask);
	return (h->read(h->arg, csr) & mask) != 0;
}

/* Whether S-mode may use siselect now. Without Smstateen it always may; mstateen0 then reads 0. */
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
