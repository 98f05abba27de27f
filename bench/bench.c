/* SPDX-License-Identifier: BSD-2-Clause
 *
 * usage: bench [--ir] BOARD.dtb...
 *
 * The three look-ups against the scans of peers.h and against the floor, on the given boards and on
 * synthetic tables, then the time to build. All candidates take turns in one run, the answers are
 * compared before anything is timed, every round has keys of its own, every look-up is a call.
 * The lines that begin with "Benchmark" are benchstat's format.
 *
 * With --ir nothing is timed: every look-up runs CALLS times, for callgrind to count instructions.
 */
#define _POSIX_C_SOURCE 200809L
#include <libfdt.h>

#include "../pmumap_fdt.h"
#include "bench.h"
#include "peers.h"

#define ROUNDS 51
#define CALLS 4096u
#define MAX_TABLES 16

enum { SELECTOR, COUNTERS, RAW, LOOKUPS };
enum { PMUMAP, SCAN, FLOOR, IMPLS };

static const char *const lookup_name[] = { "Selector", "Counters", "Raw" };
static const char *const impl_name[] = { "pmumap", "scan", "floor" };

struct table {
	char name[64];
	int synthetic;
	uint32_t scans; /* calls per sample of the scan: fewer where it takes long */
	struct peer peer;
	const struct pmumap *map;
	uint64_t *floor;
	double ns[LOOKUPS][IMPLS][MODES][ROUNDS];
};

static struct table tables[MAX_TABLES];
static int n_tables;

/* ---- the candidates ---- */

typedef uint64_t lookup_fn(const void *table, uint64_t key);

static NOINLINE uint64_t selector_pmumap(const void *t, uint64_t key)
{
	uint64_t selector = 0;

	pmumap_selector((const struct pmumap *)t, (uint32_t)key, &selector);
	return selector;
}

static NOINLINE uint64_t selector_scan(const void *t, uint64_t key)
{
	return peer_selector((const struct peer *)t, (uint32_t)key);
}

static NOINLINE uint64_t counters_pmumap(const void *t, uint64_t key)
{
	return pmumap_counters((const struct pmumap *)t, (uint32_t)key);
}

static NOINLINE uint64_t counters_scan(const void *t, uint64_t key)
{
	return peer_counters((const struct peer *)t, (uint32_t)key, 0);
}

static NOINLINE uint64_t raw_pmumap(const void *t, uint64_t key)
{
	return pmumap_raw_counters((const struct pmumap *)t, key);
}

static NOINLINE uint64_t raw_scan(const void *t, uint64_t key)
{
	return peer_counters((const struct peer *)t, PEER_RAW_FIRST, key);
}

static NOINLINE uint64_t floor_load(const void *t, uint64_t key)
{
	return ((const uint64_t *)t)[key];
}

static lookup_fn *const candidate[LOOKUPS][IMPLS] = {
	{ selector_pmumap, selector_scan, floor_load },
	{ counters_pmumap, counters_scan, floor_load },
	{ raw_pmumap, raw_scan, floor_load },
};

static const void *structure(const struct table *t, int impl)
{
	if (impl == FLOOR)
		return t->floor;
	return impl == SCAN ? (const void *)&t->peer : (const void *)t->map;
}

/* ---- tables ---- */

static uint64_t cells(const fdt32_t *p, int n)
{
	return n == 1 ? fdt32_to_cpu(*p) : (uint64_t)fdt32_to_cpu(p[0]) << 32 | fdt32_to_cpu(p[1]);
}

static const fdt32_t *property(const void *fdt, int node, const char *name, uint32_t row,
			       uint32_t *n)
{
	int len = 0;
	const fdt32_t *p = (const fdt32_t *)fdt_getprop(fdt, node, name, &len);

	*n = p && len > 0 ? (uint32_t)len / (row * 4) : 0;
	return p;
}

static void load_peer(struct peer *peer, const void *fdt, const char *name)
{
	int node = fdt_node_offset_by_compatible(fdt, -1, "riscv,pmu");
	const fdt32_t *p;
	uint32_t i, raws, ranges;

	if (node < 0)
		die("no PMU", name);
	p = property(fdt, node, "riscv,event-to-mhpmevent", 3, &peer->selectors);
	peer->selector = need_memory(peer->selectors * sizeof(*peer->selector));
	for (i = 0; i < peer->selectors; i++, p += 3) {
		peer->selector[i].event = (uint32_t)cells(p, 1);
		peer->selector[i].selector = cells(p + 1, 2);
	}
	property(fdt, node, "riscv,raw-event-to-mhpmcounters", 5, &raws);
	p = property(fdt, node, "riscv,event-to-mhpmcounters", 3, &ranges);
	peer->row = need_memory((ranges + raws) * sizeof(*peer->row));
	peer->ranges = ranges;
	peer->rows = ranges + raws;
	for (i = 0; i < ranges; i++, p += 3) {
		peer->row[i].first = (uint32_t)cells(p, 1);
		peer->row[i].last = (uint32_t)cells(p + 1, 1);
		peer->row[i].counters = (uint32_t)cells(p + 2, 1);
	}
	p = property(fdt, node, "riscv,raw-event-to-mhpmcounters", 5, &raws);
	for (; i < ranges + raws; i++, p += 5) {
		peer->row[i].first = PEER_RAW_FIRST;
		peer->row[i].last = PEER_RAW_LAST;
		peer->row[i].select = cells(p, 2);
		peer->row[i].mask = cells(p + 2, 2);
		peer->row[i].counters = (uint32_t)cells(p + 4, 1);
	}
}

static const struct pmumap *build(const void *fdt, size_t size, const char *name)
{
	const struct pmumap *map;
	size_t bytes;
	void *mem;

	if (pmumap_fdt_measure(fdt, size, NULL, &bytes))
		die("cannot measure", name);
	mem = need_memory(bytes);
	if (pmumap_fdt_build(fdt, size, NULL, mem, bytes, &map))
		die("cannot build", name);
	return map;
}

static void add_table(const char *name, int synthetic, const void *fdt, size_t size)
{
	struct table *t = &tables[n_tables++];
	uint32_t all, i;

	if (n_tables == MAX_TABLES)
		die("too many tables", name);
	snprintf(t->name, sizeof(t->name), "%s", name);
	t->synthetic = synthetic;
	load_peer(&t->peer, fdt, name);
	t->map = build(fdt, size, name);
	all = t->peer.rows + t->peer.selectors;
	t->scans = all > 512 ? CALLS * 512 / all : CALLS;
	t->floor = need_memory(CALLS * sizeof(*t->floor));
	for (i = 0; i < all; i++)
		t->floor[i % CALLS] = rng();
}

static void add_file(const char *path)
{
	static uint64_t blob[1 << 17];
	FILE *f = fopen(path, "rb");
	size_t size;
	char name[64];

	if (!f)
		die("cannot open", path);
	size = fread(blob, 1, sizeof(blob), f);
	fclose(f);
	if (size < 40 || fdt_check_header(blob))
		die("no device tree", path);
	name_of(path, name, sizeof(name));
	add_table(name, 0, blob, size);
}

/* n rows of each kind. loose: masks that have no bit in common; else ~0. */
static void *synthetic(uint32_t n, uint32_t raws, int loose, size_t *size)
{
	size_t bytes = (size_t)n * 24 + (size_t)raws * 20 + 4096;
	fdt32_t *cell = need_memory(n * 12 + raws * 20), *p;
	char *fdt = need_memory(bytes);
	uint32_t i;
	int err = fdt_create(fdt, (int)bytes);

	err |= fdt_finish_reservemap(fdt);
	err |= fdt_begin_node(fdt, "");
	err |= fdt_property_string(fdt, "compatible", "riscv,pmu");
	for (i = 0, p = cell; i < n; i++, p += 3) {
		p[0] = cpu_to_fdt32(0x40000 + (uint32_t)((uint64_t)i * 0xb0000 / n));
		p[1] = 0;
		p[2] = cpu_to_fdt32(1 + below(~0u));
	}
	err |= fdt_property(fdt, "riscv,event-to-mhpmevent", cell, (int)(n * 12));
	for (i = 0, p = cell; i < n; i++, p += 3) {
		uint32_t first = 0x40000 + (uint32_t)((uint64_t)i * 0xb0000 / n);

		p[0] = cpu_to_fdt32(first);
		p[1] = cpu_to_fdt32(first + 0x58000 / n);
		p[2] = cpu_to_fdt32(8u << below(28));
	}
	err |= fdt_property(fdt, "riscv,event-to-mhpmcounters", cell, (int)(n * 12));
	for (i = 0, p = cell; i < raws; i++, p += 5) {
		uint64_t mask = loose ? rng() & 0xffffffffffffff : ~0ull;
		uint64_t select = rng() >> 16 & mask;

		p[0] = cpu_to_fdt32((uint32_t)(select >> 32));
		p[1] = cpu_to_fdt32((uint32_t)select);
		p[2] = cpu_to_fdt32((uint32_t)(mask >> 32));
		p[3] = cpu_to_fdt32((uint32_t)mask);
		p[4] = cpu_to_fdt32(8u << below(28));
	}
	err |= fdt_property(fdt, "riscv,raw-event-to-mhpmcounters", cell, (int)(raws * 20));
	err |= fdt_end_node(fdt);
	err |= fdt_finish(fdt);
	if (err)
		die("cannot write the tree", "synthetic");
	free(cell);
	*size = fdt_totalsize(fdt);
	return fdt;
}

static void add_synthetic(const char *name, uint32_t n, uint32_t raws, int loose)
{
	size_t size;
	void *fdt = synthetic(n, raws, loose, &size);

	add_table(name, 1, fdt, size);
	free(fdt);
}

/* ---- keys: half hits, half misses; the map tells which, after verify() has compared it ---- */

static uint32_t any_event(const struct table *t)
{
	if (t->synthetic)
		return 0x40000 + below(0xb0000);
	return below(52) < 10 ? 1 + below(10) : 0x10000 + (below(7) << 3) + below(6);
}

static uint64_t raw_near(const struct table *t, int hit)
{
	const struct peer *p = &t->peer;
	const struct peer_row *row = &p->row[p->ranges + below(p->rows - p->ranges)];
	uint64_t raw = row->select | (rng() & ~row->mask);

	return hit ? raw : raw ^ 1ull << below(48);
}

/* Not one of the candidates: callgrind would count these calls as theirs. */
static inline uint64_t answer(const struct pmumap *m, int lookup, uint64_t key)
{
	uint64_t selector = 0;

	if (lookup == SELECTOR)
		return (uint64_t)pmumap_selector(m, (uint32_t)key, &selector);
	return lookup == COUNTERS ? pmumap_counters(m, (uint32_t)key) : pmumap_raw_counters(m, key);
}

static uint64_t new_key(const struct table *t, int lookup)
{
	const struct peer *p = &t->peer;
	const struct peer_row *row;
	uint64_t key;
	int hit = (int)(rng() >> 63), tries;

	for (tries = 0; tries < 64; tries++) {
		if (lookup == SELECTOR) {
			key = hit ? p->selector[below(p->selectors)].event : any_event(t);
		} else if (lookup == COUNTERS) {
			row = &p->row[below(p->ranges)];
			key = hit ? row->first + below(row->last - row->first + 1) : any_event(t);
		} else {
			key = raw_near(t, hit);
		}
		if (hit || !answer(t->map, lookup, key))
			break;
	}
	return key;
}

static int has_rows(const struct table *t, int lookup)
{
	if (lookup == SELECTOR)
		return t->peer.selectors != 0;
	return lookup == COUNTERS ? t->peer.ranges != 0 : t->peer.rows != t->peer.ranges;
}

static void new_keys(const struct table *t, int lookup, uint64_t *keys, uint64_t *places)
{
	uint32_t i, rows = lookup == SELECTOR ? t->peer.selectors : t->peer.rows;

	for (i = 0; i < CALLS; i++) {
		keys[i] = new_key(t, lookup);
		places[i] = below(rows < CALLS ? rows : CALLS);
	}
}

/* ---- timing ---- */

static double sample(lookup_fn *look, const void *s, const uint64_t *keys, uint32_t n, int mode)
{
	uint64_t zero = opaque_zero, last = 0, total = 0;
	double start = now(), end;
	uint32_t i;

	if (mode == THROUGHPUT) {
		for (i = 0; i < n; i++)
			total += look(s, keys[i]);
	} else {
		for (i = 0; i < n; i++)
			last = look(s, keys[i] ^ (last & zero));
	}
	end = now();
	opaque_sum = total + last;
	return (end - start) / n;
}

static void one_round(struct table *t, int lookup, int turn)
{
	static uint64_t keys[CALLS], places[CALLS];
	int mode, i;

	for (mode = 0; mode < MODES; mode++) {
		new_keys(t, lookup, keys, places);
		for (i = 0; i < IMPLS; i++) {
			int impl = (i + turn) % IMPLS;

			t->ns[lookup][impl][mode][turn] =
				sample(candidate[lookup][impl], structure(t, impl),
				       impl == FLOOR ? places : keys,
				       impl == SCAN ? t->scans : CALLS, mode);
		}
	}
}

static void verify(const struct table *t)
{
	uint32_t i;
	int lookup;

	for (lookup = 0; lookup < LOOKUPS; lookup++) {
		for (i = 0; has_rows(t, lookup) && i < 4 * t->scans; i++) {
			uint64_t key = new_key(t, lookup);

			if (candidate[lookup][PMUMAP](t->map, key) !=
			    candidate[lookup][SCAN](&t->peer, key))
				die("the answers differ", t->name);
		}
	}
}

/* ---- reports ---- */

static void print_lines(struct table *t, int lookup)
{
	int impl, mode;

	for (mode = 0; mode < MODES; mode++) {
		for (impl = 0; impl < IMPLS; impl++) {
			double *ns = t->ns[lookup][impl][mode];
			uint32_t calls = (impl == SCAN ? t->scans : CALLS) * ROUNDS;

			qsort(ns, ROUNDS, sizeof(*ns), ascending);
			printf("Benchmark%s/board=%s/impl=%s/mode=%s %u %.2f ns/op %.2f min-ns/op "
			       "%.2f p90-ns/op\n",
			       lookup_name[lookup], t->name, impl_name[impl], mode_name[mode],
			       calls, ns[ROUNDS / 2], ns[0], ns[ROUNDS * 9 / 10]);
		}
	}
}

static void print_ratios(const struct table *t, int lookup, int mode, int *lost)
{
	double ns[IMPLS];
	int impl;

	for (impl = 0; impl < IMPLS; impl++)
		ns[impl] = t->ns[lookup][impl][mode][ROUNDS / 2];
	*lost += ns[PMUMAP] > ns[SCAN];
	printf("%-9s %-24s %-10s %9.2f %9.2f %9.2f %9.1f %9.2f%s\n", lookup_name[lookup], t->name,
	       mode_name[mode], ns[PMUMAP], ns[SCAN], ns[FLOOR], ns[SCAN] / ns[PMUMAP],
	       ns[PMUMAP] / ns[FLOOR], ns[PMUMAP] > ns[SCAN] ? "  LOSES" : "");
}

static void compare(void)
{
	int turn, i, lookup, mode, lost = 0;

	for (turn = 0; turn < ROUNDS; turn++) {
		for (i = 0; i < n_tables; i++) {
			for (lookup = 0; lookup < LOOKUPS; lookup++) {
				if (has_rows(&tables[i], lookup))
					one_round(&tables[i], lookup, turn);
			}
		}
	}
	for (lookup = 0; lookup < LOOKUPS; lookup++) {
		for (i = 0; i < n_tables; i++) {
			if (has_rows(&tables[i], lookup))
				print_lines(&tables[i], lookup);
		}
	}
	printf("\n%-9s %-24s %-10s %9s %9s %9s %9s %9s\n", "look-up", "table", "median", "pmumap",
	       "scan", "floor", "scan/", "pmumap/");
	printf("%-9s %-24s %-10s %9s %9s %9s %9s %9s\n", "", "", "", "ns", "ns", "ns", "pmumap",
	       "floor");
	for (lookup = 0; lookup < LOOKUPS; lookup++) {
		for (mode = 0; mode < MODES; mode++) {
			for (i = 0; i < n_tables; i++) {
				if (has_rows(&tables[i], lookup))
					print_ratios(&tables[i], lookup, mode, &lost);
			}
		}
	}
	printf("pmumap slower than the scan: %d cases\n\n", lost);
}

static void print_maps(void)
{
	int i;

	printf("%-24s %9s %9s %9s %9s\n", "table", "selectors", "ranges", "raw rows", "map bytes");
	for (i = 0; i < n_tables; i++) {
		const struct table *t = &tables[i];

		printf("%-24s %9u %9u %9u %9zu\n", t->name, t->peer.selectors, t->peer.ranges,
		       t->peer.rows - t->peer.ranges, pmumap_size(t->map));
	}
	printf("\n");
}

static void count_finding(void *arg, const struct pmumap_finding *f)
{
	*(uint32_t *)arg += f->code != 0;
}

static void time_build(uint32_t n, int loose, int findings)
{
	uint32_t found = 0;
	struct pmumap_fdt_options opt = { .report = findings ? count_finding : NULL,
					  .arg = &found };
	const struct pmumap *map = NULL;
	double best = 1e18, start, rows = 3.0 * n, levels = 0, x;
	size_t size, bytes;
	void *fdt = synthetic(n, n, loose, &size), *mem;
	int turn;

	if (pmumap_fdt_measure(fdt, size, NULL, &bytes))
		die("cannot measure", "synthetic");
	mem = need_memory(bytes);
	for (turn = 0; turn < 5; turn++) {
		start = now();
		if (pmumap_fdt_build(fdt, size, &opt, mem, bytes, &map))
			die("cannot build", "synthetic");
		start = now() - start;
		best = start < best ? start : best;
	}
	for (x = rows; x > 1; x /= 2)
		levels++;
	printf("BenchmarkBuild/rows=3x%u/masks=%s/findings=%s 5 %.0f ns/op %.2f ns/nlogn "
	       "%zu map-B %zu block-B\n",
	       n, loose ? "distinct" : "equal", findings ? "yes" : "no", best,
	       best / (rows * levels), pmumap_size(map), bytes);
	free(mem);
	free(fdt);
}

static void count(const struct table *t)
{
	static uint64_t keys[CALLS], places[CALLS];
	int lookup, impl;

	for (lookup = 0; lookup < LOOKUPS; lookup++) {
		new_keys(t, lookup, keys, places);
		for (impl = 0; impl < FLOOR; impl++)
			sample(candidate[lookup][impl], structure(t, impl), keys, CALLS,
			       THROUGHPUT);
	}
}

int main(int argc, char **argv)
{
	int i, ir = argc > 1 && !strcmp(argv[1], "--ir");
	uint32_t n;

	for (i = 1 + ir; i < argc; i++)
		add_file(argv[i]);
	if (ir && n_tables == 1) {
		count(&tables[0]);
		return 0;
	}
	add_synthetic("rows-64", 64, 64, 0);
	add_synthetic("rows-1024", 1024, 1024, 0);
	add_synthetic("masks-12", 0, 12, 1);
	add_synthetic("masks-255", 0, 255, 1);
	add_synthetic("masks-4096", 4096, 4096, 1);
	for (i = 0; i < n_tables; i++)
		verify(&tables[i]);
	printf("pkg: pmumap %d.%d.%d\ncompiler: %s\n", PMUMAP_VERSION_MAJOR, PMUMAP_VERSION_MINOR,
	       PMUMAP_VERSION_PATCH, __VERSION__);
	compare();
	print_maps();
	for (n = 256; n <= 16384; n *= 2) {
		time_build(n, 0, 0);
		time_build(n, 1, 0);
		time_build(n, 1, 1);
	}
	return 0;
}
