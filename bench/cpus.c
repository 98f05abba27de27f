/* SPDX-License-Identifier: BSD-2-Clause
 *
 * usage: cpus [--ir] TREE.dtb...
 *
 * AMU: look-up of a CPU's counters by MPIDR, compared with an array walk, a binary search, an
 * ordered map and a reader that asks the tree each time; for the given trees and for 1 to 4096
 * CPUs. Lines that begin with "Benchmark" are in benchstat's format.
 *
 * --ir: no timing; bench/ir.sh counts instructions, for the given trees.
 */
#define _POSIX_C_SOURCE 200809L
#include "trees.h"

#include "match.h"
#include "ordered.h"

#define NO_CPU (~(uint64_t)0)

struct table {
	uint32_t n;
	struct ordered_pair *cpu, *sorted; /* affinity, both masks */
	struct ordered *map;
	const struct pmumap_amu *m;
	const struct tree *tree;
};

static uint64_t masks(uint32_t described, uint32_t enable)
{
	return (uint64_t)described << 16 | enable;
}

/* ---- the candidates ---- */

static NOINLINE uint64_t cpu_pmumap(const void *t, uint64_t mpidr)
{
	struct pmumap_amu_cpu cpu;

	return pmumap_amu_cpu_find(((const struct table *)t)->m, mpidr, &cpu)
		       ? masks(cpu.described, cpu.enable)
		       : NO_CPU;
}

static NOINLINE uint64_t cpu_linear(const void *table, uint64_t mpidr)
{
	const struct table *t = table;
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		if (t->cpu[i].key == (mpidr & PMUMAP_AMU_AFFINITY))
			return t->cpu[i].value;
	}
	return NO_CPU;
}

static NOINLINE uint64_t cpu_bsearch(const void *table, uint64_t mpidr)
{
	const struct table *t = table;
	struct ordered_pair key = { mpidr & PMUMAP_AMU_AFFINITY, 0 }, *found;

	found = bsearch(&key, t->sorted, t->n, sizeof(key), ordered_before);
	return found ? found->value : NO_CPU;
}

static NOINLINE uint64_t cpu_map(const void *t, uint64_t mpidr)
{
	const uint64_t *found =
		ordered_find(((const struct table *)t)->map, mpidr & PMUMAP_AMU_AFFINITY);

	return found ? *found : NO_CPU;
}

static uint64_t view_masks(const void *fdt, int view)
{
	uint32_t described = 0, enable = 0;
	const fdt32_t *reg;
	int counter;

	fdt_for_each_subnode(counter, fdt, view)
	{
		reg = fdt_getprop(fdt, counter, "reg", NULL);
		if (!reg || fdt32_to_cpu(*reg) > 15)
			continue;
		described |= 1u << fdt32_to_cpu(*reg);
		if (fdt_getprop(fdt, counter, "enable-at-el3", NULL))
			enable |= 1u << fdt32_to_cpu(*reg);
	}
	return masks(described, enable);
}

static uint64_t cpu_reg(const void *fdt, int node)
{
	int len = 0;
	const fdt32_t *reg = fdt_getprop(fdt, node, "reg", &len);

	if (!reg || strncmp(fdt_get_name(fdt, node, NULL), "cpu@", 4))
		return NO_CPU;
	return len == 8 ? (uint64_t)fdt32_to_cpu(reg[0]) << 32 | fdt32_to_cpu(reg[1])
			: fdt32_to_cpu(reg[0]);
}

static uint64_t cpu_masks(const void *fdt, int node)
{
	const fdt32_t *amu = fdt_getprop(fdt, node, "amu", NULL);
	int view = amu ? fdt_node_offset_by_phandle(fdt, fdt32_to_cpu(*amu)) : -1;

	return view < 0 ? 0 : view_masks(fdt, view);
}

/* Reads the tree; keeps no table. */
static NOINLINE uint64_t cpu_libfdt(const void *t, uint64_t mpidr)
{
	const void *fdt = ((const struct table *)t)->tree->fdt;
	int cpus = fdt_path_offset(fdt, "/cpus"), node;

	fdt_for_each_subnode(node, fdt, cpus)
	{
		if (cpu_reg(fdt, node) == (mpidr & PMUMAP_AMU_AFFINITY))
			return cpu_masks(fdt, node);
	}
	return NO_CPU;
}

static NOINLINE uint64_t load(const void *t, uint64_t place)
{
	return ((const struct table *)t)->cpu[place].value;
}

/* ---- tables and keys ---- */

static uint64_t key(const void *table, uint32_t number, int hit)
{
	const struct table *t = table;
	uint64_t mpidr = t->cpu[below(t->n)].key;
	struct pmumap_amu_cpu cpu;

	for (number = 0; !hit && number < 64; number++) {
		mpidr ^= 1ull << below(24);
		if (!pmumap_amu_cpu_find(t->m, mpidr, &cpu))
			break;
	}
	return mpidr | 1ull << 31;
}

static void add(const struct tree *tree, int sizes)
{
	struct table *t = need_memory(sizeof(*t));
	struct tree *keep = need_memory(sizeof(*keep));
	struct pmumap_amu_cpu cpu;
	struct contest *c;
	uint32_t i;
	int node;

	*keep = *tree;
	t->tree = keep;
	t->m = build_amu_map(tree);
	while (pmumap_amu_cpu_at(t->m, t->n, &cpu))
		t->n++;
	t->cpu = need_memory(t->n * sizeof(*t->cpu));
	t->sorted = need_memory(t->n * sizeof(*t->cpu));
	node = fdt_first_subnode(tree->fdt, fdt_path_offset(tree->fdt, "/cpus"));
	for (i = 0; node >= 0 && i < t->n; node = fdt_next_subnode(tree->fdt, node)) {
		t->cpu[i].key = cpu_reg(tree->fdt, node);
		t->cpu[i].value = t->cpu[i].key == NO_CPU || sizes ? 0 : cpu_masks(tree->fdt, node);
		i += t->cpu[i].key != NO_CPU;
	}
	for (i = 0; sizes && i < t->n; i++) /* asking the tree for each is too slow */
		t->cpu[i].value = cpu_pmumap(t, t->cpu[i].key);
	memcpy(t->sorted, t->cpu, t->n * sizeof(*t->cpu));
	qsort(t->sorted, t->n, sizeof(*t->sorted), ordered_before);
	t->map = ordered_make(t->sorted, t->n);
	c = new_contest("Cpu", tree->name, t->n, key, t);
	enter(c, "pmumap", cpu_pmumap, t, OURS);
	enter(c, "linear", cpu_linear, t, 0);
	enter(c, "bsearch", cpu_bsearch, t, 0);
	enter(c, "map", cpu_map, t, 0);
	enter(c, "libfdt", cpu_libfdt, t, 0);
	enter(c, "load", load, t, FLOOR | PLACES);
}

int main(int argc, char **argv)
{
	int i, ir = argc > 1 && !strcmp(argv[1], "--ir");
	struct tree tree;
	char name[32];
	uint32_t n;

	for (i = 1 + ir; i < argc; i++) {
		load_tree(&tree, argv[i]);
		add(&tree, 0);
	}
	if (ir) {
		count_all();
		return 0;
	}
	for (n = 1; n <= 4096; n *= 2) {
		snprintf(name, sizeof(name), "cpus-%u", n);
		amu_tree(&tree, name, n, n < 4 ? n : 4, 3);
		add(&tree, 1);
	}
	compete();
	return 0;
}
