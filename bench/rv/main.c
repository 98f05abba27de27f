/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Instructions per look-up, minus an empty call, and per build. Exact, because QEMU counts each one
 * (-icount shift=0). For each "BUILD/LOOK-UP/TREE": the mean in hundredths, and the maximum. Exit
 * status: 0; 1 above the design's limits; 2 if nothing was measured.
 */
#define PMUMAP_IMPLEMENTATION
#include "../../pmumap_amu.h"
#include "../../pmumap_fdt.h"
#include "../../pmumap_imc.h"
#include "../../pmumap_server.h"

#define LIMIT_EVENT 16u
#define LIMIT_RAW 14u
#ifdef __OPTIMIZE_SIZE__
#define LIMIT_MATCH 265u
#define LIMIT_INFO 5900u
#else
#define LIMIT_MATCH 210u
#define LIMIT_INFO 3900u
#endif

struct board {
	const char *name;
	const void *blob;
	unsigned long bytes;
};

enum {
	SELECTOR,
	COUNTERS,
	RAW_HIT,
	RAW_MISS,
	LIST_HIT,
	LIST_MISS,
	NAME_HIT,
	NAME_MISS,
	AT,
	CPU,
	KINDS
};

static const char *const kind_name[] = { "selector", "counters",  "raw-hit",  "raw-miss",
					 "list-hit", "list-miss", "name-hit", "name-miss",
					 "at",       "cpu" };

struct stats {
	unsigned long sum, max, n;
};

typedef void call_fn(void);
typedef unsigned long run_fn(call_fn *f, const void *m, uint64_t key);

extern const struct board boards[];
void empty(void);
int bench(void);

static unsigned long instret(void)
{
	unsigned long n;

	__asm__ volatile("csrr %0, minstret" : "=r"(n) : : "memory");
	return n;
}

/* The same code calls empty() and the look-up, so the difference is the look-up alone. */
#define RUN(name, returns, parameters, arguments)                                                  \
	static __attribute__((noinline)) unsigned long run_##name(call_fn *f, const void *m,       \
								  uint64_t key)                    \
	{                                                                                          \
		unsigned long start = instret();                                                   \
		uint64_t selector;                                                                 \
                                                                                                   \
		((returns(*) parameters)f) arguments;                                              \
		(void)selector, (void)m, (void)key;                                                \
		return instret() - start;                                                          \
	}
RUN(selector, int, (const struct pmumap *, uint32_t, uint64_t *), (m, (uint32_t)key, &selector))
RUN(counters, uint32_t, (const struct pmumap *, uint32_t), (m, (uint32_t)key))
RUN(raw, uint32_t, (const struct pmumap *, uint64_t), (m, key))

/* RustSBI's way: a list whose first match ends the search. */
struct list {
	struct {
		uint64_t select, mask;
		uint32_t counters;
	} row[64];
	uint32_t rows;
};

static uint32_t list_counters(const struct list *list, uint64_t key)
{
	uint32_t i;

	for (i = 0; i < list->rows; i++) {
		if ((key & list->row[i].mask) == list->row[i].select)
			return list->row[i].counters;
	}
	return 0;
}
RUN(list, uint32_t, (const struct list *, uint64_t), (m, key))

static char name[128];
static uint32_t name_bytes;
static uint32_t event;

static struct pmumap_amu_cpu cpu;
RUN(cpu, int, (const struct pmumap_amu *, uint64_t, struct pmumap_amu_cpu *), (m, key, &cpu))
RUN(find, int, (const struct pmumap_imc *, const char *, size_t, uint32_t, uint32_t *),
    (m, name, name_bytes, (uint32_t)key, &event))
RUN(at, int, (const struct pmumap_imc *, uint32_t, uint32_t, uint32_t, uint32_t *),
    (m, PMUMAP_IMC_ALL, (uint32_t)key, 0, &event))

static void measure(run_fn *run, call_fn *f, const void *m, uint64_t key, struct stats *s)
{
	unsigned long n = run(f, m, key) - run(empty, m, key);

	s->sum += n;
	s->n++;
	s->max = n > s->max ? n : s->max;
}

#include "server.h"

static void measure_riscv(const struct pmumap *m, struct stats *s)
{
	static struct list list;
	uint64_t select, mask, noise = 0x9e3779b97f4a7c15;
	uint32_t counters, i;

	for (i = 0; i < 128; i++) {
		uint32_t code = (i & 0x40) << 10 | (i & 0x3f);

		measure(run_selector, (call_fn *)pmumap_selector, m, code, &s[SELECTOR]);
		measure(run_counters, (call_fn *)pmumap_counters, m, code, &s[COUNTERS]);
	}
	for (i = 0; i < 64 && pmumap_raw_at(m, i, &select, &mask, &counters); i++) {
		list.row[i].select = select;
		list.row[i].mask = mask;
		list.row[i].counters = counters;
		list.rows = i + 1;
	}
	for (i = 0; pmumap_raw_at(m, i, &select, &mask, &counters); i++) {
		uint64_t raw = select | (noise & ~mask), near = raw ^ 0x8000;

		noise = noise * 0xd1342543de82ef95 + 1;
		measure(run_raw, (call_fn *)pmumap_raw_counters, m, raw, &s[RAW_HIT]);
		measure(run_raw, (call_fn *)pmumap_raw_counters, m, near,
			&s[pmumap_raw_counters(m, near) ? RAW_HIT : RAW_MISS]);
		measure(run_list, (call_fn *)list_counters, &list, raw, &s[LIST_HIT]);
		measure(run_list, (call_fn *)list_counters, &list, near,
			&s[list_counters(&list, near) ? LIST_HIT : LIST_MISS]);
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

/* Every name; as a miss, the same with one letter changed. */
static void measure_imc(const struct pmumap_imc *m, struct stats *s)
{
	struct pmumap_imc_event e;
	uint32_t i;

	for (i = 0; pmumap_imc_event(m, i, &e); i++) {
		set_name(&e);
		measure(run_find, (call_fn *)pmumap_imc_find_name, m, 0, &s[NAME_HIT]);
		measure(run_at, (call_fn *)pmumap_imc_find_offset, m, e.offset, &s[AT]);
		name[i % name_bytes] ^= 1;
		measure(run_find, (call_fn *)pmumap_imc_find_name, m, 0,
			&s[pmumap_imc_find_name(m, name, name_bytes, 0, &event) ? NAME_HIT
										: NAME_MISS]);
	}
}

static void measure_amu(const struct pmumap_amu *m, struct stats *s)
{
	struct pmumap_amu_cpu each;
	uint32_t i;

	for (i = 0; pmumap_amu_cpu_at(m, i, &each); i++) {
		measure(run_cpu, (call_fn *)pmumap_amu_cpu_find, m, each.mpidr, &s[CPU]);
		measure(run_cpu, (call_fn *)pmumap_amu_cpu_find, m, each.mpidr ^ 0x800000, &s[CPU]);
	}
}

/* To the UART. */
static void put(const char *s)
{
	while (*s)
		*(volatile uint8_t *)0x10000000 = (uint8_t)*s++;
}

static void put_number(unsigned long n)
{
	char text[24], *at = text + sizeof(text);

	*--at = 0;
	do {
		*--at = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	put(" ");
	put(at);
}

static void put_line(const char *what, const char *tree, unsigned long mean, unsigned long most)
{
	put(BUILD "/");
	put(what);
	put("/");
	put(tree);
	put_number(mean);
	put_number(most);
	put("\n");
}

static unsigned measure_tree(const struct board *b)
{
	static uint64_t block[16384];
	struct stats s[KINDS], calls[CALLS];
	const struct pmumap_amu *monitors = 0;
	const struct pmumap_imc *catalog = 0;
	const struct pmumap *m = 0;
	enum pmumap_status status;
	unsigned long build = instret();
	unsigned i;

	status = pmumap_fdt_build(b->blob, b->bytes, 0, block, sizeof(block), &m);
	if (status == PMUMAP_E_NOTFOUND) {
		build = instret();
		status = pmumap_imc_fdt_build(b->blob, b->bytes, 0, block, sizeof(block), &catalog);
	}
	if (status == PMUMAP_E_NOTFOUND) {
		build = instret();
		status =
			pmumap_amu_fdt_build(b->blob, b->bytes, 0, block, sizeof(block), &monitors);
	}
	if (status != PMUMAP_OK)
		return 2;
	build = instret() - build;
	for (i = 0; i < KINDS; i++)
		s[i].sum = s[i].max = s[i].n = 0;
	for (i = 0; i < CALLS; i++)
		calls[i].sum = calls[i].max = calls[i].n = 0;
	if (monitors)
		measure_amu(monitors, s);
	else if (catalog)
		measure_imc(catalog, s);
	else
		measure_riscv(m, s), measure_server(m, calls);
	for (i = 0; i < KINDS; i++) {
		if (s[i].n)
			put_line(kind_name[i], b->name, s[i].sum * 100 / s[i].n, s[i].max);
	}
	for (i = 0; i < CALLS; i++) {
		if (calls[i].n)
			put_line(call_name[i], b->name, calls[i].sum * 100 / calls[i].n,
				 calls[i].max);
	}
	put_line("build", b->name, build * 100, build);
	return s[SELECTOR].max > LIMIT_EVENT || s[COUNTERS].max > LIMIT_EVENT ||
	       s[RAW_HIT].max > LIMIT_RAW || s[RAW_MISS].max > LIMIT_RAW ||
	       calls[MATCH].max > LIMIT_MATCH || calls[INFO].max > LIMIT_INFO;
}

int bench(void)
{
	unsigned i, status = 0, result;

	for (i = 0; boards[i].name; i++) {
		result = measure_tree(&boards[i]);
		if (result == 2)
			return 2;
		status |= result;
	}
	return (int)status;
}
