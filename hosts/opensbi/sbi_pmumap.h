/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sbi_pmumap.h -- pmumap with OpenSBI's types, heap and console. See README.md.
 */
#ifndef __SBI_PMUMAP_H__
#define __SBI_PMUMAP_H__

#include <libfdt.h>
#include <sbi/sbi_console.h>
#include <sbi/sbi_error.h>
#include <sbi/sbi_hartmask.h>
#include <sbi/sbi_heap.h>
#include <sbi/sbi_scratch.h>
#include <sbi/sbi_string.h>
#include <sbi/sbi_types.h>

#define PMUMAP_NO_STDINT
#define PMUMAP_NO_NATIVE /* OpenSBI accesses the CSRs; the header's code is 850 bytes more */
#include <sbi/pmumap.h>

/*
 * Optimise the function, and all that only it calls, for size. For code that
 * runs once at boot, or whose CSR accesses dominate.
 */
#define PMUMAP_SMALL __attribute__((cold))

/* The map of all harts, on the heap for good; NULL: no PMU in the tree, or harts differ. */
extern const struct pmumap *sbi_pmu_map;

/* If harts have different nodes: the map of each, by hart index. Otherwise NULL. */
extern const struct pmumap **sbi_pmu_maps;

/* This hart's map, or NULL. The common map comes first, because most boards have just that. */
static inline const struct pmumap *pmumap_thishart(void)
{
	return sbi_pmu_map || !sbi_pmu_maps ? sbi_pmu_map
					    : sbi_pmu_maps[current_hartindex()];
}

/*
 * Build the maps of all harts from a device tree. Call it once, from the platform's pmu_init: later
 * the tables are removed from the tree.
 * Returns 0, SBI_ENOENT if the tree has no PMU, SBI_EINVAL or SBI_ENOMEM.
 */
int sbi_pmu_read_tree(const void *fdt);

#ifdef sbi_hart_count
#define PMUMAP_HARTS sbi_hart_count()
#else
#define PMUMAP_HARTS (sbi_scratch_last_hartindex() + 1)
#endif

/* Copy a map to a heap block of its exact size; NULL: no memory. */
static inline const struct pmumap *pmumap_keep(const struct pmumap *map)
{
	const size_t bytes = pmumap_size(map);
	void *copy	   = sbi_malloc(bytes);

	return copy ? sbi_memcpy(copy, map, bytes) : NULL;
}

/*
 * Build the map of a node (0: the first) on the heap, for good. Returns 0, SBI_ENOENT if the tree
 * has no PMU, or an error. "pmumap check" explains an error.
 */
static inline PMUMAP_SMALL int pmumap_of_node(const void *fdt, int node,
					      const struct pmumap **map)
{
	const struct pmumap_fdt_options options = { .node = node };
	enum pmumap_status status;
	size_t bytes;
	void *block;

	status =
		pmumap_fdt_measure(fdt, pmumap_fdt_size(fdt), &options, &bytes);
	if (status == PMUMAP_E_NOTFOUND)
		return SBI_ENOENT;
	if (status != PMUMAP_OK) {
		sbi_printf("PMU: tree error %d; run pmumap check\n", status);
		return SBI_EINVAL;
	}
	block = sbi_malloc(bytes);
	if (!block)
		return SBI_ENOMEM;
	status = pmumap_fdt_build(fdt, pmumap_fdt_size(fdt), &options, block,
				  bytes, map);
	if (status == PMUMAP_OK)
		*map = pmumap_keep(*map);
	sbi_free(block);
	if (status != PMUMAP_OK)
		return SBI_EINVAL;
	return *map ? 0 : SBI_ENOMEM;
}

/* Whether a node says which harts it serves. On most boards one node serves all. */
static inline PMUMAP_SMALL bool pmumap_names_harts(const void *fdt)
{
	int node = -1;

	do
		node = fdt_node_offset_by_compatible(fdt, node, "riscv,pmu");
	while (node >= 0 &&
	       !fdt_getprop(fdt, node, "interrupts-extended", NULL));
	return node >= 0;
}

/* Build one map per node, shared by its harts. A hart without a node has no map. */
static inline PMUMAP_SMALL int pmumap_of_harts(const void *fdt)
{
	struct pmumap_fdt_options options = { .flags = PMUMAP_FOR_HART };
	const u32 harts			  = PMUMAP_HARTS;
	int *nodes			  = sbi_malloc(harts * sizeof(*nodes));
	int rc				  = 0;
	u32 i, j;

	sbi_pmu_maps = sbi_zalloc(harts * sizeof(*sbi_pmu_maps));
	if (!nodes || !sbi_pmu_maps)
		return SBI_ENOMEM;
	for (i = 0; i < harts && !rc; i++) {
		options.hart = sbi_hartindex_to_hartid(i);
		pmumap_fdt_node(fdt, pmumap_fdt_size(fdt), &options, &nodes[i]);
		for (j = 0; nodes[j] != nodes[i]; j++)
			;
		if (j < i)
			sbi_pmu_maps[i] = sbi_pmu_maps[j];
		else if (nodes[i] >= 0)
			rc = pmumap_of_node(fdt, nodes[i], &sbi_pmu_maps[i]);
	}
	sbi_free(nodes);
	return rc;
}

/* Build all maps into the variables above. Returns the same as sbi_pmu_read_tree(). */
static inline PMUMAP_SMALL int pmumap_of_tree(const void *fdt)
{
	return pmumap_names_harts(fdt) ? pmumap_of_harts(fdt)
				       : pmumap_of_node(fdt, 0, &sbi_pmu_map);
}

#endif
