/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A simulated hart for the RISC-V backends: its counters and their CSRs.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <string.h>

#include "pmumap_hw.h"

#define CAN_F PMUMAP_CAN_FILTER
#define CAN_I PMUMAP_CAN_INTERRUPT
#define SOF PMUMAP_SSCOFPMF
#define SMC PMUMAP_SMCNTRPMF
#define STOPS PMUMAP_MCOUNTINHIBIT
#define LOG 4096u

/*
 * Time passes with each CSR access and while a program runs. A programmable counter adds its
 * event's low byte per unit of time, so that events are distinguishable.
 */
struct machine {
	uint32_t xlen, features, counters, width;
	uint32_t narrow;             /* bit N: counter N is one bit narrower */
	uint32_t mode;               /* current mode, as PMUMAP_INHIBIT_BIT_... */
	uint64_t step;               /* time per access */
	uint64_t loses;              /* bits of mhpmevent that read as 0 */
	uint64_t loses_modes;        /* bits of mcyclecfg and minstretcfg that read as 0 */
	uint64_t value[32];          /* counters */
	uint64_t event[32];          /* mhpmevent; mcyclecfg and minstretcfg for 0 and 2 */
	uint32_t inhibit, enable;    /* mcountinhibit, mcounteren */
	uint32_t hidden;             /* bit N: counter N belongs to M-mode, and this is S-mode */
	uint32_t kept;               /* the same, but its bit of scountinhibit works, as on QEMU */
	uint64_t control[4], has[4]; /* mideleg, menvcfg, mstateen0; their existing bits */
	uint32_t absent, reserved;   /* accesses to missing CSRs; accesses that are forbidden */
	uint32_t writes;
	struct {
		uint32_t csr;
		uint64_t value;
	} log[LOG];
};

static inline uint64_t ones(uint32_t bits)
{
	return ~0ull >> (64 - bits);
}

static inline int there(const struct machine *m, uint32_t n)
{
	return n != 1 && (m->counters >> n & 1);
}

static inline uint32_t width(const struct machine *m, uint32_t n)
{
	return n < 3 ? 64 : m->width - (m->narrow >> n & 1);
}

static inline int filters(const struct machine *m, uint32_t n)
{
	return (m->features & (n < 3 ? SMC : PMUMAP_CAN_FILTER)) != 0;
}

static inline int counts(const struct machine *m, uint32_t n)
{
	return there(m, n) && !(m->features & STOPS && m->inhibit >> n & 1) &&
	       !(filters(m, n) && m->event[n] >> 58 & m->mode);
}

/* Runs for a while in the current mode. */
static inline void run(struct machine *m, uint64_t units)
{
	uint32_t n;

	for (n = 0; n < 32; n++) {
		uint64_t add = n < 3 ? units : units * (m->event[n] & 0xff), end;

		if (!counts(m, n))
			continue;
		end = (m->value[n] + add) & ones(width(m, n));
		if (n > 2 && end < m->value[n] && m->features & PMUMAP_CAN_INTERRUPT)
			m->event[n] |= 1ull << 63;
		m->value[n] = end;
	}
}

/* Which half of a 64-bit register a CSR is: 0, or 32 with the base number. */
static inline uint32_t half(uint32_t *csr)
{
	uint32_t high = 0;

	if (*csr >= 0x720 && *csr < 0x740)
		high = 0x400;
	if ((*csr >= 0xb80 && *csr < 0xba0) || (*csr >= 0xc80 && *csr < 0xca0))
		high = 0x80;
	if (*csr == 0x31a || *csr == 0x31c)
		high = 0x10;
	*csr -= high;
	return high ? 32 : 0;
}

/* The storage of a CSR; NULL if it is missing. */
static inline uint64_t *storage(struct machine *m, uint32_t csr, uint32_t high)
{
	static uint64_t none;
	uint32_t n = csr & 31;

	if (high && m->xlen != 32) {
		m->reserved++;
		return NULL;
	}
	if (csr == 0x303 || csr == 0x30a || csr == 0x30c)
		return &m->control[csr == 0x303 ? 0 : csr == 0x30a ? 1 : 2];
	if (csr > 0x320 && csr < 0x340) {
		n = n == 1 ? 0 : n;
		if (n < 3 ? !filters(m, n) : high && !(m->features & SOF))
			return NULL;
		none = 0;
		return there(m, n) ? &m->event[n] : &none;
	}
	if (n == 1 || csr < 0xb00 || m->hidden >> n & 1)
		m->reserved++;
	none = 0;
	if (n == 1 || csr < 0xb00)
		return NULL;
	return there(m, n) && !(m->kept >> n & 1) ? &m->value[n] : &none;
}

static inline void csr_write(void *arg, uint32_t csr, uint64_t value)
{
	struct machine *m = arg;
	uint32_t high, where = csr;
	uint64_t *to, mask = ones(m->xlen);

	run(m, m->step);
	if (m->writes < LOG) {
		m->log[m->writes].csr = csr;
		m->log[m->writes++].value = value;
	}
	m->reserved += (value & ~mask) != 0 || csr >= 0xc00;
	if (csr == 0x306) {
		m->enable = (uint32_t)value;
		return;
	}
	if (csr == 0x320) {
		m->absent += !(m->features & STOPS);
		if (m->features & STOPS)
			m->inhibit = (m->inhibit & m->hidden) |
				     ((uint32_t)value & m->counters & ~2u & ~m->hidden);
		return;
	}
	high = half(&where);
	to = storage(m, where, high);
	if (!to) {
		m->absent++;
		return;
	}
	*to = (*to & ~(mask << high)) | value << high;
	*to &= where >= 0xb00  ? ones(width(m, where & 31))
	       : where > 0x322 ? ~m->loses
	       : where > 0x320 ? ~m->loses_modes
			       : m->has[to - m->control];
}

static inline uint64_t csr_read(void *arg, uint32_t csr)
{
	struct machine *m = arg;
	uint32_t high, n, of = 0;
	const uint64_t *from;

	run(m, m->step);
	if (csr == 0x306)
		return m->enable;
	if (csr == 0x320) {
		m->absent += !(m->features & STOPS);
		return m->features & STOPS ? m->inhibit & ~m->hidden : 0;
	}
	if (csr == 0xda0) {
		m->absent += !(m->features & PMUMAP_CAN_INTERRUPT);
		for (n = 3; n < 32 && m->features & PMUMAP_CAN_INTERRUPT; n++)
			of |= (uint32_t)(m->event[n] >> 63) << n;
		return of & m->enable;
	}
	high = half(&csr);
	from = storage(m, csr, high);
	if (csr >= 0xc00 && !(m->enable >> (csr & 31) & 1))
		from = NULL;
	m->absent += !from;
	return from ? *from >> high & ones(m->xlen) : 0;
}

static inline void machine_begin(struct machine *m, uint32_t xlen, uint32_t features)
{
	memset(m, 0, sizeof(*m));
	m->xlen = xlen;
	m->features = features;
	m->counters = 0x7d;
	m->width = 64;
	m->mode = PMUMAP_INHIBIT_M;
}

static inline void hart_begin(struct pmumap_hart *h, struct machine *m)
{
	memset(h, 0, sizeof(*h));
	h->read = csr_read;
	h->write = csr_write;
	h->arg = m;
	h->xlen = m->xlen;
	h->features = m->features;
	h->counters = m->counters;
	h->width = m->width;
}

#endif /* MACHINE_H */
