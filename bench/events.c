/* SPDX-License-Identifier: BSD-2-Clause
 *
 * usage: events --ir|DIR BOARD.dtb...
 *
 * RISC-V: look-ups of a selector, of an event's counters and of a raw event's counters, compared
 * with the searches of peers.h and with a call that loads once; for the given boards and for tables
 * of 1 to 4096 rows: SBI's codes (sbi-N), other codes (event-N), raw rows with one mask (raw-N) and
 * with different masks (masks-N). DIR has OpenSBI's own code for the boards, if bench/opensbi.sh
 * built it. Lines that begin with "Benchmark" are in benchstat's format.
 *
 * --ir: no timing; bench/ir.sh counts instructions, for the boards.
 */
#define _POSIX_C_SOURCE 200809L
#include "trees.h"

#include "match.h"
#include "peers.h"

struct table {
	struct peer peer;
	const struct pmumap *map;
	uint64_t *floor;
	int outside; /* SBI codes */
};

/* ---- the candidates ---- */

static NOINLINE uint64_t selector_pmumap(const void *m, uint64_t key)
{
	uint64_t selector = 0;

	pmumap_selector(m, (uint32_t)key, &selector);
	return selector;
}

static NOINLINE uint64_t selector_opensbi(const void *p, uint64_t key)
{
	return peer_selector(p, (uint32_t)key);
}

static NOINLINE uint64_t selector_rustsbi(const void *p, uint64_t key)
{
	return peer_map_selector(p, (uint32_t)key);
}

static NOINLINE uint64_t counters_pmumap(const void *m, uint64_t key)
{
	return pmumap_counters(m, (uint32_t)key);
}

static NOINLINE uint64_t counters_opensbi(const void *p, uint64_t key)
{
	return peer_counters(p, (uint32_t)key, 0);
}

static NOINLINE uint64_t counters_rustsbi(const void *p, uint64_t key)
{
	return peer_list_counters(p, (uint32_t)key);
}

static NOINLINE uint64_t raw_pmumap(const void *m, uint64_t key)
{
	return pmumap_raw_counters(m, key);
}

static NOINLINE uint64_t raw_opensbi(const void *p, uint64_t key)
{
	return peer_counters(p, PEER_RAW_FIRST, key);
}

static NOINLINE uint64_t raw_rustsbi(const void *p, uint64_t key)
{
	return peer_list_raw(p, key);
}

static NOINLINE uint64_t load(const void *t, uint64_t place)
{
	return ((const uint64_t *)t)[place];
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
	const fdt32_t *p = fdt_getprop(fdt, node, name, &len);

	*n = p && len > 0 ? (uint32_t)len / (row * 4) : 0;
	return p;
}

static void load_peer(struct peer *peer, const struct tree *t)
{
	int node = fdt_node_offset_by_compatible(t->fdt, -1, "riscv,pmu");
	const fdt32_t *p;
	uint32_t i, raws, ranges;

	if (node < 0)
		die("no PMU", t->name);
	p = property(t->fdt, node, "riscv,event-to-mhpmevent", 3, &peer->selectors);
	peer->selector = need_memory(peer->selectors * sizeof(*peer->selector));
	for (i = 0; i < peer->selectors; i++, p += 3) {
		peer->selector[i].event = (uint32_t)cells(p, 1);
		peer->selector[i].selector = cells(p + 1, 2);
	}
	property(t->fdt, node, "riscv,raw-event-to-mhpmcounters", 5, &raws);
	p = property(t->fdt, node, "riscv,event-to-mhpmcounters", 3, &ranges);
	peer->row = need_memory((ranges + raws) * sizeof(*peer->row));
	peer->ranges = ranges;
	peer->rows = ranges + raws;
	for (i = 0; i < ranges; i++, p += 3) {
		peer->row[i].first = (uint32_t)cells(p, 1);
		peer->row[i].last = (uint32_t)cells(p + 1, 1);
		peer->row[i].counters = (uint32_t)cells(p + 2, 1);
	}
	p = property(t->fdt, node, "riscv,raw-event-to-mhpmcounters", 5, &raws);
	for (; i < ranges + raws; i++, p += 5) {
		peer->row[i].first = PEER_RAW_FIRST;
		peer->row[i].last = PEER_RAW_LAST;
		peer->row[i].select = cells(p, 2);
		peer->row[i].mask = cells(p + 2, 2);
		peer->row[i].counters = (uint32_t)cells(p + 4, 1);
	}
	peer_lists(peer);
}

/* ---- keys. Whether one that is to miss does so, the map says, after it was compared ---- */

static uint32_t any_event(const struct table *t)
{
	return t->outside ? 0x40000 + below(0xb0000) : sbi_event(below(52));
}

static uint64_t selector_key(const void *table, uint32_t number, int hit)
{
	const struct table *t = table;
	uint64_t selector;
	uint32_t event = 0;

	for (number = 0; !hit && number < 64; number++) {
		event = any_event(t);
		if (!pmumap_selector(t->map, event, &selector))
			return event;
	}
	return hit ? t->peer.selector[below(t->peer.selectors)].event : 0x10007 | below(8) << 3;
}

static uint64_t counters_key(const void *table, uint32_t number, int hit)
{
	const struct table *t = table;
	const struct peer_row *row = &t->peer.row[below(t->peer.ranges)];
	uint32_t event;

	for (number = 0; !hit && number < 64; number++) {
		event = any_event(t);
		if (!pmumap_counters(t->map, event))
			return event;
	}
	return hit ? row->first + below(row->last - row->first + 1) : 0x10007 | below(8) << 3;
}

/* A miss differs from a row in one bit. */
static uint64_t raw_key(const void *table, uint32_t number, int hit)
{
	const struct table *t = table;
	const struct peer *p = &t->peer;
	uint64_t key = 0;

	for (number = 0; number < 64; number++) {
		const struct peer_row *row = &p->row[p->ranges + below(p->rows - p->ranges)];

		key = row->select | (rng() & ~row->mask);
		if (hit)
			break;
		key ^= 1ull << below(56);
		if (!pmumap_raw_counters(t->map, key))
			break;
	}
	return key;
}

static void enter_all(struct contest *c, const struct table *t, look_fn *ours, look_fn *opensbi,
		      look_fn *rustsbi, const char *shape)
{
	enter(c, "pmumap", ours, t->map, OURS);
	enter(c, "opensbi-scan", opensbi, &t->peer, 0);
	enter(c, shape, rustsbi, &t->peer, FIRST);
	enter(c, "load", load, t->floor, FLOOR | PLACES);
}

/* OpenSBI's own search, initialised for the board; NULL if it was not built. */
static look_fn *load_opensbi(const char *dir, const struct tree *tree)
{
	int (*start)(const void *fdt);
	look_fn *look;

	load_function(dir, tree->name, "machine_start", &start);
	load_function(dir, tree->name, "opensbi_selector", &look);
	if (look && (!start || start(tree->fdt)))
		die("OpenSBI's own code does not start", tree->name);
	return look;
}

/* opensbi: OpenSBI's own search for selectors in this tree, or NULL. */
static void add(const struct tree *tree, look_fn *opensbi)
{
	struct table *t = need_memory(sizeof(*t));
	struct peer *p = &t->peer;
	uint32_t i;

	load_peer(p, tree);
	t->map = build_map(tree);
	t->outside = p->selectors && p->selector[p->selectors - 1].event >= 0x40000;
	t->floor = need_memory(CALLS * sizeof(*t->floor));
	for (i = 0; i < CALLS; i++)
		t->floor[i] = rng();
	if (p->selectors) {
		struct contest *c =
			new_contest("Selector", tree->name, p->selectors, selector_key, t);

		enter_all(c, t, selector_pmumap, selector_opensbi, selector_rustsbi, "rustsbi-map");
		if (opensbi)
			enter(c, "opensbi-1.6", opensbi, NULL, 0);
	}
	if (p->ranges)
		enter_all(new_contest("Counters", tree->name, p->ranges, counters_key, t), t,
			  counters_pmumap, counters_opensbi, counters_rustsbi, "rustsbi-list");
	if (p->rows != p->ranges)
		enter_all(new_contest("Raw", tree->name, p->rows - p->ranges, raw_key, t), t,
			  raw_pmumap, raw_opensbi, raw_rustsbi, "rustsbi-list");
}

static void add_size(const char *series, uint32_t n, uint32_t events, uint32_t raws, int how)
{
	struct tree tree;
	char name[32];

	snprintf(name, sizeof(name), "%s-%u", series, n);
	riscv_tree(&tree, name, events, raws, how);
	add(&tree, NULL);
	free(tree.fdt);
}

/* Group the contests by look-up. */
static int by_lookup(const void *a, const void *b)
{
	const struct contest *x = a, *y = b;
	int order = y->lookup[0] - x->lookup[0];

	return order ? order : x->number - y->number;
}

int main(int argc, char **argv)
{
	static const uint32_t sbi[] = { 1, 2, 4, 8, 16, 32, 52 };
	int i, ir = argc > 1 && !strcmp(argv[1], "--ir");
	struct tree tree;
	uint32_t n;

	for (i = 2; i < argc; i++) {
		load_tree(&tree, argv[i]);
		add(&tree, ir ? NULL : load_opensbi(argv[1], &tree));
		free(tree.fdt);
	}
	if (ir) {
		qsort(contests, (size_t)n_contests, sizeof(*contests), by_lookup);
		count_all();
		return 0;
	}
	for (n = 0; n < sizeof(sbi) / sizeof(sbi[0]); n++)
		add_size("sbi", sbi[n], sbi[n], 0, SBI);
	for (n = 1; n <= 4096; n *= 2) {
		add_size("event", n, n, 0, 0);
		add_size("raw", n, 0, n, 0);
		add_size("masks", n, 0, n, LOOSE);
	}
	qsort(contests, (size_t)n_contests, sizeof(*contests), by_lookup);
	compete();
	return 0;
}
