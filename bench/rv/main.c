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
enum { NAME_HIT, NAME_MISS, AT, IMC_COLUMNS };

struct stats {
	unsigned long sum, max, n;
};

typedef void call_fn(void);
typedef unsigned long run_fn(call_fn *f, const struct pmumap *m, uint64_t key);

extern const struct board boards[], catalog;
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

static char name[128];
static uint32_t name_bytes;
static struct pmumap_imc_event event;
RUN(find, int, (const struct pmumap *, const char *, size_t, uint32_t, struct pmumap_imc_event *),
    (m, name, name_bytes, (uint32_t)key, &event))
RUN(at, int, (const struct pmumap *, const char *, uint32_t, uint32_t, struct pmumap_imc_event *),
    (m, 0, (uint32_t)key, 0, &event))

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

static void set_name(const struct pmumap_imc_event *e)
{
	const char *from;

	name_bytes = 0;
	for (from = e->prefix; *from && name_bytes < sizeof(name); from++)
		name[name_bytes++] = *from;
	for (from = e->name; *from && name_bytes < sizeof(name); from++)
		name[name_bytes++] = *from;
}

/* Every name, and as a miss the same with one letter changed. */
static void measure_imc(const struct pmumap *m, struct stats *s)
{
	struct pmumap_imc_event e;
	uint32_t unit, i;
	struct pmumap_imc_unit u;

	for (unit = 0; pmumap_imc_unit(m, unit, &u); unit++) {
		for (i = 0; pmumap_imc_event_at(m, unit, i, &e); i++) {
			set_name(&e);
			measure(run_find, (call_fn *)pmumap_imc_find, m, 0, &s[NAME_HIT]);
			measure(run_at, (call_fn *)pmumap_imc_at, m, e.offset, &s[AT]);
			name[(unit + i) % name_bytes] ^= 1;
			measure(run_find, (call_fn *)pmumap_imc_find, m, 0,
				&s[pmumap_imc_find(m, name, name_bytes, 0, &event) ? NAME_HIT
										   : NAME_MISS]);
		}
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

static void put_line(const char *what, const struct stats *s, unsigned columns, unsigned long build,
		     const struct pmumap *m)
{
	unsigned column;

	put(BUILD, 12);
	put(what, 16);
	for (column = 0; column < columns; column++) {
		put_number(s[column].n ? s[column].sum / s[column].n : 0, 7);
		put(" /", 0);
		put_number(s[column].max, 4);
	}
	put_number(build, 9);
	put_number(pmumap_size(m), 7);
	put("\n", 0);
}

int bench(void)
{
	static struct stats all[16][COLUMNS], imc[IMC_COLUMNS];
	static uint64_t block[16384];
	const struct pmumap *m;
	unsigned long build;
	unsigned i, above = 0;

	for (i = 0; boards[i].name; i++) {
		const struct board *b = &boards[i];
		struct stats *s = all[i];

		build = instret();
		if (pmumap_fdt_build(b->blob, b->bytes, 0, block, sizeof(block), &m) != PMUMAP_OK)
			return 2;
		build = instret() - build;
		measure_all(m, s);
		put_line(b->name, s, COLUMNS, build, m);
		above |= s[SELECTOR].max > LIMIT_EVENT || s[COUNTERS].max > LIMIT_EVENT ||
			 s[HIT].max > LIMIT_RAW || s[MISS].max > LIMIT_RAW;
	}
	build = instret();
	if (pmumap_fdt_build(catalog.blob, catalog.bytes, 0, block, sizeof(block), &m) != PMUMAP_OK)
		return 2;
	build = instret() - build;
	measure_imc(m, imc);
	put_line("name hit/miss/at", imc, IMC_COLUMNS, build, m);
	return (int)above;
}
