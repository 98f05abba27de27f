/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calls of a guest: instructions of pmumap_server_call() minus an empty call. The counters do
 * nothing and do not count; copying guest memory does not count either.
 */
#ifndef BENCH_SERVER_H
#define BENCH_SERVER_H

#define SERVER_EVENTS 52u /* events that Linux requests: 10 general ones, 7 caches with 6 each */

enum { MATCH, START, STOP, INFO, CALLS };

static const char *const call_name[] = { "server-match", "server-start", "server-stop",
					 "server-info52" };

static struct pmumap_server server;
static unsigned long outside; /* instructions in the functions below */

static int counter_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	(void)arg, (void)counter, (void)job;
	return 1;
}

static void counter_start(void *arg, uint32_t counter, const uint64_t *value)
{
	(void)arg, (void)counter, (void)value;
}

static void counter_stop(void *arg, uint32_t counter, int release)
{
	(void)arg, (void)counter, (void)release;
}

static int guest_access(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
			int write)
{
	unsigned long start = instret();
	volatile uint32_t *word = (volatile uint32_t *)(uintptr_t)low;
	uint32_t *copy = (uint32_t *)data, i;

	(void)arg, (void)high;
	for (i = 0; data && i < bytes / 4; i++) {
		if (!write)
			copy[i] = word[i];
		else if (i % 4 == 1)
			word[i] = copy[i];
	}
	outside += instret() - start;
	return 1;
}

static uint32_t linux_event(uint32_t i)
{
	if (i < 10)
		return 1 + i;
	i -= 10;
	return 0x10000 + i / 6 * 8 + i % 6;
}

static __attribute__((noinline)) unsigned long run_server(call_fn *f, uint32_t function,
							  const uint64_t *a, int32_t *error)
{
	unsigned long start;
	struct pmumap_sbi_ret r;

	outside = 0;
	start = instret();
	r = ((struct pmumap_sbi_ret(*)(struct pmumap_server *, uint32_t, const uint64_t *))f)(
		&server, function, a);
	start = instret() - start - outside;
	*error = r.error;
	return start;
}

/* Counts a successful call. */
static int measure_call(uint32_t kind, uint32_t function, const uint64_t *a, struct stats *s)
{
	int32_t error, none;
	unsigned long n = run_server((call_fn *)pmumap_server_call, function, a, &error) -
			  run_server(empty, function, a, &none);

	if (error)
		return 0;
	s[kind].sum += n;
	s[kind].n++;
	s[kind].max = n > s[kind].max ? n : s[kind].max;
	return 1;
}

/* All hardware counters and as many of the firmware; Linux's masks have 1 to 35 bits. */
static void measure_server(const struct pmumap *m, struct stats *s)
{
	static const struct pmumap_pmu pmu = { counter_set, counter_start, counter_stop, 0, 0, 0 };
	static const struct pmumap_server_host host = { guest_access, 0, 0 };
	static const uint32_t widths[] = { 1, 16, 19, 35, 48 };
	static uint32_t entries[4 * SERVER_EVENTS] __attribute__((aligned(16)));
	static uint64_t info[6];
	uint32_t i, w;

	server.map = m;
	server.pmu = &pmu;
	server.host = &host;
	server.xlen = __riscv_xlen;
	server.granted = 0xffffffff;
	server.rule = PMUMAP_RULE_ABSENT;
	server.width = 64;
	pmumap_server_init(&server);
	for (i = 0; i < SERVER_EVENTS; i++) {
		for (w = 0; w < sizeof(widths) / sizeof(widths[0]); w++) {
			static uint64_t match[6], counter[6];

			if (widths[w] > __riscv_xlen)
				continue;
			match[0] = widths[w] == 1 ? (linux_event(i) == 2 ? 2 : 3) : 0;
			match[1] = ~(uint64_t)0 >> (64 - widths[w]);
			match[2] = PMUMAP_SBI_CLEAR_VALUE;
			match[3] = linux_event(i);
			counter[0] = counter[2] = 0;
			counter[1] = 1;
			if (!measure_call(MATCH, PMUMAP_SBI_CONFIG_MATCHING, match, s))
				continue;
			while (!(server.configured >> counter[0] & 1))
				counter[0]++;
			measure_call(START, PMUMAP_SBI_START, counter, s);
			counter[2] = PMUMAP_SBI_RESET;
			measure_call(STOP, PMUMAP_SBI_STOP, counter, s);
		}
		entries[4 * i] = linux_event(i);
	}
	info[0] = (uintptr_t)entries;
	info[2] = SERVER_EVENTS;
	measure_call(INFO, PMUMAP_SBI_EVENT_GET_INFO, info, s);
}

#endif /* BENCH_SERVER_H */
