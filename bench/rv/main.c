/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Retired instructions per look-up, less an empty call: exact, since QEMU counts them one by one
 * (-icount shift=0). The status is 0, 1 above the limits of the design, 2 if nothing was measured.
 */
#define PMUMAP_IMPLEMENTATION
#include "../../pmumap_fdt.h"

#define LIMIT_EVENT 16u
#define LIMIT_RAW 40u

struct board {
	const char *name;
	const void *blob;
	unsigned long bytes;
};

enum { SELECTOR, COUNTERS, HIT, MISS, COLUMNS };

struct stats {
	unsigned long sum, max, n;
};

typedef void call_fn(void);
typedef unsigned long run_fn(call_fn *f, const struct pmumap *m, uint64_t key);

extern const struct board boards[];
void empty(void);
int bench(void);

static unsigned long instret(void)
{
	unsigned long n;

	__asm__ volatile("csrr %0, minstret" : "=r"(n) : : "memory");
	return n;
}

/* empty() is called by the same code as the look-up, so the difference is the look-up's alone. */
#define RUN(name, returns, parameters, arguments)                                                  \
	static __attribute__((noinline)) unsigned long run_##name(                                 \
		call_fn *f, const struct pmumap *m, uint64_t key)                                  \
	{                                                                                          \
		unsigned long start = instret();                                                   \
		uint64_t selector;                                                                 \
                                                                                                   \
		((returns(*) parameters)f) arguments;                                              \
		(void)selector;                                                                    \
		return instret() - start;                                                          \
	}
RUN(selector, int, (const struct pmumap *, uint32_t, uint64_t *), (m, (uint32_t)key, &selector))
RUN(counters, uint32_t, (const struct pmumap *, uint32_t), (m, (uint32_t)key))
RUN(raw, uint32_t, (const struct pmumap *, uint64_t), (m, key))

static void measure(run_fn *run, call_fn *f, const struct pmumap *m, uint64_t key, struct stats *s)
{
	unsigned long n = run(f, m, key) - run(empty, m, key);

	s->sum += n;
	s->n++;
	s->max = n > s->max ? n : s->max;
}

static void measure_all(const struct pmumap *m, struct stats *s)
{
	uint64_t select, mask, noise = 0x9e3779b97f4a7c15;
	uint32_t counters, i;

	for (i = 0; i < 128; i++) {
		uint32_t event = (i & 0x40) << 10 | (i & 0x3f);

		measure(run_selector, (call_fn *)pmumap_selector, m, event, &s[SELECTOR]);
		measure(run_counters, (call_fn *)pmumap_counters, m, event, &s[COUNTERS]);
	}
	for (i = 0; pmumap_raw_at(m, i, &select, &mask, &counters); i++) {
		uint64_t raw = select | (noise & ~mask), near = raw ^ 0x8000;

		noise = noise * 0xd1342543de82ef95 + 1;
		measure(run_raw, (call_fn *)pmumap_raw_counters, m, raw, &s[HIT]);
		measure(run_raw, (call_fn *)pmumap_raw_counters, m, near,
			&s[pmumap_raw_counters(m, near) ? HIT : MISS]);
	}
}

/* To the UART. */
static void put(const char *s, unsigned width)
{
	for (; *s || width; width -= width != 0)
		*(volatile uint8_t *)0x10000000 = (uint8_t)(*s ? *s++ : ' ');
}

static void put_number(unsigned long n, unsigned width)
{
	char text[24], *at = text + sizeof(text);

	*--at = 0;
	do {
		*--at = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	while (at > text + sizeof(text) - 1 - width)
		*--at = ' ';
	put(at, 0);
}

int bench(void)
{
	static struct stats all[16][COLUMNS];
	static uint64_t block[2048];
	unsigned i, column, above = 0;

	for (i = 0; boards[i].name; i++) {
		const struct board *b = &boards[i];
		struct stats *s = all[i];
		const struct pmumap *m;
		unsigned long build = instret();

		if (pmumap_fdt_build(b->blob, b->bytes, 0, block, sizeof(block), &m) != PMUMAP_OK)
			return 2;
		build = instret() - build;
		measure_all(m, s);
		put(BUILD, 12);
		put(b->name, 16);
		for (column = 0; column < COLUMNS; column++) {
			put_number(s[column].n ? s[column].sum / s[column].n : 0, 7);
			put(" /", 0);
			put_number(s[column].max, 4);
		}
		put_number(build, 9);
		put_number(pmumap_size(m), 7);
		put("\n", 0);
		above |= s[SELECTOR].max > LIMIT_EVENT || s[COUNTERS].max > LIMIT_EVENT ||
			 s[HIT].max > LIMIT_RAW || s[MISS].max > LIMIT_RAW;
	}
	return (int)above;
}
