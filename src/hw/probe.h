/* SPDX-License-Identifier: BSD-2-Clause */
/* Which counters and features a hart has */
#pragma once

#include "core/bits.h"
#include "riscv/tables.h"
#include "hw/hart.h"

/* The CSR of the bits above an event, and which of its bits a bit of the 64 is. */
static inline uint32_t pmumap_hart_high_csr_(const struct pmumap_hart *h, uint32_t counter)
{
	return (h->xlen == 32 ? PMUMAP_CSR_MHPMEVENTH_ : PMUMAP_CSR_MHPMEVENT_) +
	       pmumap_hart_event_csr_(counter);
}

static inline uint64_t pmumap_hart_high_bit_(const struct pmumap_hart *h, uint32_t bit)
{
	uint64_t high = 1u << (bit - 32);

	return h->xlen == 32 ? high : high << 32;
}

/*
 * Whether a programmable counter that is stopped shows in scountovf that it has overflowed, as with
 * Sscofpmf: the bit alone may be kept without. The upper bits of its event are 0 then.
 */
static inline int pmumap_hart_shows_overflow_(struct pmumap_hart *h, uint32_t counter)
{
	uint32_t csr = pmumap_hart_high_csr_(h, counter);
	uint64_t permitted = h->read(h->arg, PMUMAP_CSR_MCOUNTEREN_), shown;

	h->write(h->arg, PMUMAP_CSR_MCOUNTEREN_, 0xffffffffu);
	h->write(h->arg, csr, pmumap_hart_high_bit_(h, PMUMAP_OVERFLOW_BIT_));
	shown = h->read(h->arg, PMUMAP_CSR_SCOUNTOVF_);
	h->write(h->arg, csr, 0);
	h->write(h->arg, PMUMAP_CSR_MCOUNTEREN_, permitted);
	return (int)((uint32_t)shown >> counter & 1);
}

/* Whether mcyclecfg is there and keeps the highest of its bits. It stays as it was. */
static inline int pmumap_hart_keeps_modes_(struct pmumap_hart *h)
{
	uint32_t csr = pmumap_hart_high_csr_(h, 0);
	uint64_t bit = pmumap_hart_high_bit_(h, PMUMAP_INHIBIT_BIT_ + 4);
	uint64_t before = h->read(h->arg, csr), after;

	h->write(h->arg, csr, before | bit);
	after = h->read(h->arg, csr);
	h->write(h->arg, csr, before);
	return (after & bit) != 0;
}

PMUMAP_DEF uint32_t pmumap_hart_probe(struct pmumap_hart *h)
{
	uint32_t counter, running = pmumap_hart_read_inhibit_(h) & PMUMAP_FIXED_COUNTERS_;

	h->counters = 1u << 0 | 1u << 2; /* mcycle, minstret */
	h->width = 64;
	h->features &= ~PMUMAP_MCOUNTINHIBIT;
	pmumap_hart_write_inhibit_(h, 0xffffffffu);
	if (pmumap_hart_read_inhibit_(h)) {
		h->features |= PMUMAP_MCOUNTINHIBIT;
		pmumap_hart_write_inhibit_(h, ~PMUMAP_FIXED_COUNTERS_ | running);
	}
	if (pmumap_hart_keeps_modes_(h))
		h->features |= PMUMAP_SMCNTRPMF;
	for (counter = 3; counter < 32; counter++) {
		uint32_t bits;

		pmumap_hart_write_event_(h, counter, 0);
		pmumap_hart_write_value_(h, counter, ~(uint64_t)0);
		bits = pmumap_bit_width_(pmumap_csr_read_counter_(
			h->read, h->arg, h->xlen, PMUMAP_CSR_MHPMCOUNTER_ + counter));
		pmumap_hart_write_value_(h, counter, 0);
		if (bits == 0)
			continue;
		/* The first one tells for all. */
		if (!(h->counters & ~PMUMAP_FIXED_COUNTERS_) &&
		    pmumap_hart_shows_overflow_(h, counter))
			h->features |= PMUMAP_SSCOFPMF;
		h->counters |= 1u << counter;
		if (bits < h->width)
			h->width = bits;
	}
	return h->counters;
}
