/* SPDX-License-Identifier: BSD-2-Clause */
/* Find a hart's counters and features */
#pragma once

#include "core/bits.h"
#include "riscv/tables.h"
#include "hw/hart.h"

/*
 * Whether scountovf reports a stopped counter's overflow. Only that proves Sscofpmf: the OF bit
 * alone may be writable without it. The event is 0 afterwards.
 */
static inline int pmumap_hart_shows_overflow_(struct pmumap_hart *h, uint32_t counter)
{
	uint64_t permitted = h->read(h->arg, PMUMAP_CSR_MCOUNTEREN_), shown;

	h->write(h->arg, PMUMAP_CSR_MCOUNTEREN_, 0xffffffffu);
	pmumap_hart_write_event_(h, counter, (uint64_t)1 << PMUMAP_OVERFLOW_BIT_);
	shown = h->read(h->arg, PMUMAP_CSR_SCOUNTOVF_);
	pmumap_hart_write_event_(h, counter, 0);
	h->write(h->arg, PMUMAP_CSR_MCOUNTEREN_, permitted);
	return (int)((uint32_t)shown >> counter & 1);
}

/*
 * Whether mcyclecfg or minstretcfg exists and keeps a mode bit. S-mode can set all but the highest.
 * Its value is restored.
 */
static inline int pmumap_hart_keeps_modes_(struct pmumap_hart *h, uint32_t counter)
{
	uint64_t bits = (uint64_t)31 << PMUMAP_INHIBIT_BIT_, event, before;

	before = pmumap_hart_read_event_(h, counter);
	pmumap_hart_write_event_(h, counter, before | bits);
	event = pmumap_hart_read_event_(h, counter);
	pmumap_hart_write_event_(h, counter, before);
	return (event & bits) != 0;
}

/* The width of a counter; 0 if it does not exist. It is 0 afterwards. */
static inline uint32_t pmumap_hart_measure_width_(struct pmumap_hart *h, uint32_t counter)
{
	uint64_t ones;

	pmumap_hart_write_event_(h, counter, 0);
	pmumap_hart_write_value_(h, counter, ~(uint64_t)0);
	ones = pmumap_hart_read_value_(h, counter);
	pmumap_hart_write_value_(h, counter, 0);
	return pmumap_bit_width_(ones);
}

/*
 * Whether mcycle or minstret keeps a written bit. In S-mode only a delegated counter does, but QEMU
 * always has scountinhibit. The counter loses the cycles of this test.
 */
static inline int pmumap_hart_keeps_value_(struct pmumap_hart *h, uint32_t counter)
{
	uint64_t before = pmumap_hart_read_value_(h, counter), after;

	pmumap_hart_write_value_(h, counter, before ^ (uint64_t)1 << 63);
	after = pmumap_hart_read_value_(h, counter);
	pmumap_hart_write_value_(h, counter, before);
	return (int)((before ^ after) >> 63);
}

/*
 * Test for a feature with the first counter that would show it. The test needs registers that exist
 * only with the feature, so assume it meanwhile.
 */
static inline void pmumap_hart_try_feature_(struct pmumap_hart *h, uint32_t feature,
					    uint32_t counter)
{
	uint32_t known = h->features;

	if (known & PMUMAP_TOLD)
		return;
	h->features |= feature;
	if (!(feature == PMUMAP_SMCNTRPMF ? pmumap_hart_keeps_modes_(h, counter)
					  : pmumap_hart_shows_overflow_(h, counter)))
		h->features = known;
}

/*
 * Stop all programmable counters. Returns the counters that may exist: where mcountinhibit tells
 * (in S-mode, or with TOLD) its bits, otherwise all.
 */
static inline uint32_t pmumap_hart_halt_(struct pmumap_hart *h)
{
	uint32_t running, there, told = h->features & PMUMAP_TOLD;

	if (told && !(h->features & PMUMAP_MCOUNTINHIBIT))
		return ~(uint32_t)0;
	running = pmumap_hart_read_inhibit_(h) & PMUMAP_FIXED_COUNTERS_;
	h->features &= ~PMUMAP_MCOUNTINHIBIT;
	h->write(h->arg, PMUMAP_CSR_MCOUNTINHIBIT_, 0xffffffffu);
	there = pmumap_hart_read_inhibit_(h);
	if (there) {
		h->features |= PMUMAP_MCOUNTINHIBIT;
		h->write(h->arg, PMUMAP_CSR_MCOUNTINHIBIT_,
			 (uint32_t)~PMUMAP_FIXED_COUNTERS_ | running);
	}
	return h->below || told ? there : ~(uint32_t)0;
}

PMUMAP_DEF uint32_t pmumap_hart_probe(struct pmumap_hart *h)
{
	uint32_t counter, there = pmumap_hart_halt_(h), bits;

	h->width = 64;
	h->counters = h->whole = 0;
	for (counter = 0; counter < 32; counter++) {
		h->place[(int)counter] = 0;
		if (counter == 1 || !(there >> counter & 1))
			continue;
		bits = counter > 2 ? pmumap_hart_measure_width_(h, counter)
		       : h->below && !pmumap_hart_keeps_value_(h, counter) ? 0
									   : 64;
		if (bits == 0)
			continue;
		/* The first counter of each kind decides for all. */
		if (!(h->counters &
		      (counter < 3 ? PMUMAP_FIXED_COUNTERS_ : ~PMUMAP_FIXED_COUNTERS_)))
			pmumap_hart_try_feature_(
				h, counter < 3 ? PMUMAP_SMCNTRPMF : PMUMAP_SSCOFPMF, counter);
		h->counters |= (uint32_t)1 << counter;
		h->width = bits < h->width ? bits : h->width;
	}
	return h->counters;
}
