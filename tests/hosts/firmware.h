/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The SBI firmware that a hypervisor under test finds below it: counters 0, 2 and 3 to 6, which can
 * filter modes; 3 to 6 count cycles, instructions and misses of the data TLB. Nothing counts by
 * itself: below_run() adds to the counters that run and do not leave out VS-mode.
 */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include "pmumap_hw.h"
#include "pmumap_server.h"

static struct {
	struct pmumap_server server;
	uint64_t value[32], block[PMUMAP_BLOCK(0, 2, 0) / 8];
	struct pmumap_job job[32];
	uint32_t running, calls, refuses; /* refuses: 1: counter 6 gets no job */
} below;

static int below_set(void *arg, uint32_t n, const struct pmumap_job *job)
{
	(void)arg;
	if (below.refuses && n == 6)
		return 0;
	below.running &= ~(1u << n);
	below.job[n] = *job;
	if (job->clear)
		below.value[n] = 0;
	return 1;
}

static void below_start(void *arg, uint32_t n, const uint64_t *value)
{
	(void)arg;
	if (value)
		below.value[n] = *value;
	below.running |= 1u << n;
}

static void below_stop(void *arg, uint32_t n, int release)
{
	(void)arg, (void)release;
	below.running &= ~(1u << n);
}

static uint64_t below_read(void *arg, uint32_t n)
{
	(void)arg;
	return below.value[n];
}

static int below_overflowed(void *arg, uint32_t n)
{
	(void)arg, (void)n;
	return 0;
}

static void below_run(uint64_t count)
{
	uint32_t n;

	for (n = 0; n < 32; n++)
		if (below.running >> n & 1 && !(below.job[n].inhibit & PMUMAP_INHIBIT_VS))
			below.value[n] += count;
}

static struct pmumap_sbi_ret below_call(void *arg, uint32_t function, const uint64_t *a)
{
	(void)arg;
	below.calls++;
	return pmumap_server_call(&below.server, function, a);
}

static uint64_t below_csr(void *arg, uint32_t number)
{
	(void)arg;
	return number >= 0xc00 && number < 0xc20 ? below.value[number - 0xc00] : 0;
}

void pmumap_sbi_init(struct pmumap_sbi *s)
{
	s->call = below_call;
	s->read = below_csr;
	s->xlen = 64;
}

static void below_begin(void)
{
	static const struct pmumap_pmu pmu = { below_set,  below_start,      below_stop,
					       below_read, below_overflowed, 0 };
	struct pmumap_builder b;

	pmumap_begin(&b, below.block, sizeof(below.block));
	pmumap_add_counters(&b, 1, 2, 0x78);
	pmumap_add_counters(&b, 0x10019, 0x10019, 0x78);
	pmumap_finish(&b, &below.server.map);
	below.server.pmu = &pmu;
	below.server.xlen = 64;
	below.server.granted = 0x7d;
	below.server.features = PMUMAP_SSCOFPMF;
	below.server.rule = PMUMAP_RULE_ABSENT;
	below.server.inhibit = PMUMAP_INHIBIT_M;
	below.server.width = 48;
	pmumap_server_init(&below.server);
}

#endif /* FIRMWARE_H */
