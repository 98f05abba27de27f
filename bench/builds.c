/* SPDX-License-Identifier: BSD-2-Clause
 *
 * usage: builds [--ir] TREE.dtb...
 *
 * Time and memory to build a map: for the given trees, compared with a bare libfdt walk that visits
 * every property once, and with a reader on top of libfdt; then for trees of 1, 2, 5 and 10 MB of
 * each binding, hostile or just large. Candidates take turns; the fastest turn counts. Lines that
 * begin with "Benchmark" are in benchstat's format.
 *
 * --ir: no timing; bench/ir.sh counts instructions.
 */
#define _POSIX_C_SOURCE 200809L
#include "trees.h"

#include "imc_peers.h"
#include "match.h"

struct work {
	const struct tree *tree;
	enum kind kind;
	void *mem;
	size_t bytes, map_bytes;
	uint32_t found;
	double build, findings, walk, naive; /* ns; naive: 0 if there is none */
};

/* ---- readers on top of libfdt ---- */

/* Like OpenSBI: compares each row that has counters with all rows before it. */
static uint32_t naive_riscv(const void *fdt)
{
	static const char *const tables[] = { "riscv,event-to-mhpmevent",
					      "riscv,event-to-mhpmcounters",
					      "riscv,raw-event-to-mhpmcounters" };
	int node = fdt_node_offset_by_compatible(fdt, -1, "riscv,pmu"), table, len, i, j;
	uint32_t(*row)[5] = need_memory(65536 * sizeof(*row)), rows = 0, clash = 0;

	for (table = 0; node >= 0 && table < 3; table++) {
		const fdt32_t *p = fdt_getprop(fdt, node, tables[table], &len);
		int cells = table == 2 ? 5 : 3, first = (int)rows;

		for (i = 0; p && i < len / 4 / cells && rows < 65536; i++, rows++) {
			for (j = 0; j < cells; j++)
				row[rows][j] = fdt32_to_cpu(*p++);
			for (j = first; table && j < (int)rows; j++)
				clash += table == 1 ? row[rows][0] <= row[j][1] &&
							      row[j][0] <= row[rows][1]
						    : !memcmp(row[rows], row[j], 16);
		}
	}
	free(row);
	return rows + clash;
}

/* Like TF-A: looks up each CPU's view by its phandle. */
static uint32_t naive_amu(const void *fdt)
{
	int cpus = fdt_path_offset(fdt, "/cpus"), cpu, counter;
	uint32_t sum = 0;

	fdt_for_each_subnode(cpu, fdt, cpus)
	{
		uint32_t phandle = peer_cell(fdt, cpu, "amu");
		int view = phandle ? fdt_node_offset_by_phandle(fdt, phandle) : -1;

		sum += peer_cell(fdt, cpu, "reg");
		if (view < 0)
			continue;
		fdt_for_each_subnode(counter, fdt, view)
		{
			sum += 1u << (peer_cell(fdt, counter, "reg") & 15);
			sum += fdt_getprop(fdt, counter, "enable-at-el3", NULL) != NULL;
		}
	}
	return sum;
}

static void naive(const struct work *w)
{
	struct peer_names all;

	if (w->kind == AMU) {
		opaque_sum = naive_amu(w->tree->fdt);
	} else if (w->kind == IMC) {
		peer_read(&all, w->tree->fdt);
		opaque_sum = all.n;
		peer_free(&all);
	} else {
		opaque_sum = naive_riscv(w->tree->fdt);
	}
}

/* ---- */

static void count_finding(void *arg, const struct pmumap_finding *f)
{
	*(uint32_t *)arg += f->code != 0;
}

static void start_work(struct work *w, const struct tree *tree)
{
	memset(w, 0, sizeof(*w));
	w->tree = tree;
	w->build = w->findings = w->walk = w->naive = 1e18;
	w->kind = measure_kind(tree->fdt, tree->size, &w->bytes);
	if (w->kind == NO_KIND)
		die("cannot measure", tree->name);
	w->mem = need_memory(w->bytes);
}

/* Builds a map of the right kind. Returns its bytes; 0 on failure. */
static NOINLINE size_t build_riscv(struct work *w, int findings)
{
	const struct pmumap *map;

	if (findings && pmumap_fdt_check(w->tree->fdt, w->tree->size, NULL, w->mem, w->bytes,
					 count_finding, &w->found))
		return 0;
	return pmumap_fdt_build(w->tree->fdt, w->tree->size, NULL, w->mem, w->bytes, &map)
		       ? 0
		       : pmumap_size(map);
}

static NOINLINE size_t build_imc(struct work *w, int findings)
{
	const struct pmumap_imc *map;

	if (findings && pmumap_imc_check(w->tree->fdt, w->tree->size, NULL, w->mem, w->bytes,
					 count_finding, &w->found))
		return 0;
	return pmumap_imc_fdt_build(w->tree->fdt, w->tree->size, NULL, w->mem, w->bytes, &map)
		       ? 0
		       : pmumap_imc_size(map);
}

static NOINLINE size_t build_amu(struct work *w, int findings)
{
	const struct pmumap_amu_options *opt = NULL;
	const struct pmumap_amu *map;

	if (findings && pmumap_amu_check(w->tree->fdt, w->tree->size, opt, w->mem, w->bytes,
					 count_finding, &w->found))
		return 0;
	return pmumap_amu_fdt_build(w->tree->fdt, w->tree->size, opt, w->mem, w->bytes, &map)
		       ? 0
		       : pmumap_amu_size(map);
}

static NOINLINE void build(struct work *w, int findings)
{
	if (w->kind == RISCV)
		w->map_bytes = build_riscv(w, findings);
	else if (w->kind == IMC)
		w->map_bytes = build_imc(w, findings);
	else
		w->map_bytes = build_amu(w, findings);
	if (!w->map_bytes)
		die("cannot build", w->tree->name);
}

static void one_turn(struct work *w, int turn, int with_naive)
{
	double t[5];

	t[0] = now();
	build(w, 0);
	t[1] = now();
	build(w, 1);
	t[2] = now();
	opaque_sum = peer_walk(w->tree->fdt);
	t[3] = t[4] = now();
	if (with_naive && (turn == 0 || w->naive * turn < 3e8)) { /* 0.3 s is enough */
		naive(w);
		t[4] = now();
	}
	w->build = t[1] - t[0] < w->build ? t[1] - t[0] : w->build;
	w->findings = t[2] - t[1] < w->findings ? t[2] - t[1] : w->findings;
	w->walk = t[3] - t[2] < w->walk ? t[3] - t[2] : w->walk;
	if (t[4] > t[3])
		w->naive = t[4] - t[3] < w->naive ? t[4] - t[3] : w->naive;
}

static void print_head(void)
{
	printf("\n%-16s %9s %9s %6s %9s %9s %9s %6s %9s %9s\n", "tree", "bytes", "build", "ns/B",
	       "findings", "walk", "naive", "build", "map", "block");
	printf("%-16s %9s %9s %6s %9s %9s %9s %6s %9s %9s\n", "", "", "us", "", "us", "us", "us",
	       "/walk", "bytes", "bytes");
}

static void time_tree(const struct tree *tree, int turns, int with_naive)
{
	struct work w;
	int turn;
	char text[16] = "-";

	start_work(&w, tree);
	for (turn = 0; turn < turns; turn++)
		one_turn(&w, turn, with_naive);
	if (w.naive > 9e17)
		w.naive = 0;
	else
		snprintf(text, sizeof(text), "%.1f", w.naive / 1e3);
	printf("BenchmarkBuild/tree=%s/bytes=%zu %d %.0f ns/op %.0f findings-ns/op "
	       "%.0f walk-ns/op %.0f naive-ns/op %zu map-B %zu block-B\n",
	       tree->name, tree->size, turns, w.build, w.findings, w.walk, w.naive, w.map_bytes,
	       w.bytes);
	printf("%-16s %9zu %9.1f %6.2f %9.1f %9.1f %9s %6.2f %9zu %9zu\n", tree->name, tree->size,
	       w.build / 1e3, w.build / (double)tree->size, w.findings / 1e3, w.walk / 1e3, text,
	       w.build / w.walk, w.map_bytes, w.bytes);
	free(w.mem);
}

/* ---- large trees: of about so many megabytes ---- */

/* A larger tree of IMC would be beyond its limits. */
enum { EQUAL_MASKS, LOOSE_MASKS, CPUS, VIEWS, SHAPES, LISTS = SHAPES };

static const char *const shape_name[] = { "riscv-equal", "riscv-loose", "amu-cpus", "amu-views",
					  "imc-lists" };

static void grow(struct tree *t, int shape, uint32_t mb)
{
	uint32_t rows = mb * 22700;
	char name[32];

	snprintf(name, sizeof(name), "%s-%u", shape_name[shape], mb);
	switch (shape) {
	case EQUAL_MASKS:
	case LOOSE_MASKS:
		riscv_tree(t, name, rows, rows, shape == LOOSE_MASKS ? LOOSE : 0);
		break;
	case LISTS: /* like a real catalog: each list serves several units */
		imc_tree(t, name, 520, 120, 34, 60);
		break;
	case CPUS: /* as many as amu_affinity() can distinguish; the rest are views */
		amu_tree(t, name, 6500 * mb, 1600 * mb, 8);
		break;
	default:
		amu_tree(t, name, 1, 2400 * mb, 8);
	}
}

static void time_growth(void)
{
	static const uint32_t mb[] = { 1, 2, 5, 10 };
	struct tree tree;
	int shape;
	unsigned i;

	for (shape = 0; shape < SHAPES; shape++) {
		for (i = 0; i < sizeof(mb) / sizeof(mb[0]); i++) {
			grow(&tree, shape, mb[i]);
			time_tree(&tree, mb[i] < 5 ? 5 : 3, 0);
			free(tree.fdt);
		}
	}
}

/* ---- instructions ---- */

static void count(const struct tree *tree)
{
	struct work w;
	char label[128];
	int findings;

	start_work(&w, tree);
	for (findings = 0; findings < 2; findings++) {
		snprintf(label, sizeof(label), "call Build %s %s pmumap 1", tree->name,
			 findings ? "findings" : "silent");
		COUNT_BEGIN_();
		build(&w, findings);
		COUNT_END_(label);
	}
	COUNT_BEGIN_();
	opaque_sum = peer_walk(tree->fdt);
	snprintf(label, sizeof(label), "call Build %s silent walk 1", tree->name);
	COUNT_END_(label);
	free(w.mem);
}

/* The list of harts alone, and with a map for each. */
static NOINLINE void list_harts(const struct tree *tree, struct pmumap_fdt_hart *harts, size_t room,
				int maps)
{
	static uint64_t block[512];
	struct pmumap_builder b;
	const struct pmumap *map;
	size_t count, i;

	if (pmumap_fdt_harts(tree->fdt, tree->size, harts, room, &count) || count != room)
		die("cannot list", tree->name);
	for (i = 0; maps && i < count; i++) {
		pmumap_begin(&b, block, sizeof(block));
		if (pmumap_fdt_add_node(&b, tree->fdt, tree->size, harts[i].node) ||
		    pmumap_finish(&b, &map))
			die("cannot build", tree->name);
	}
}

static void count_harts(uint32_t harts, uint32_t nodes)
{
	struct pmumap_fdt_hart *list = need_memory(harts * sizeof(*list));
	struct tree tree;
	char label[128], name[40];
	int maps;

	snprintf(name, sizeof(name), "harts-%u-%u", harts, nodes);
	harts_tree(&tree, name, harts, nodes);
	for (maps = 0; maps < 2; maps++) {
		snprintf(label, sizeof(label), "call Harts %s %s pmumap 1", tree.name,
			 maps ? "maps" : "list");
		COUNT_BEGIN_();
		list_harts(&tree, list, harts, maps);
		COUNT_END_(label);
	}
	free(tree.fdt);
	free(list);
}

int main(int argc, char **argv)
{
	int i, ir = argc > 1 && !strcmp(argv[1], "--ir");
	struct tree tree;

	if (!ir)
		print_head();
	for (i = 1 + ir; i < argc; i++) {
		load_tree(&tree, argv[i]);
		if (ir)
			count(&tree);
		else
			time_tree(&tree, 41, 1);
		free(tree.fdt);
	}
	if (ir) {
		grow(&tree, LOOSE_MASKS, 1);
		count(&tree);
		grow(&tree, LISTS, 1);
		count(&tree);
		grow(&tree, CPUS, 1);
		count(&tree);
		count_harts(1024, 1);
		count_harts(1024, 1024);
		return 0;
	}
	time_growth();
	return 0;
}
