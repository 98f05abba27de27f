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

/* Build the map of a node on the heap, for good. Returns 0 or an error. */
static inline PMUMAP_SMALL int pmumap_of_node(const void *fdt, int node,
					      const struct pmumap **map)
{
	const size_t size = pmumap_fdt_size(fdt);
	enum pmumap_status status;
	struct pmumap_builder b;
	size_t bytes;
	void *block;

	pmumap_begin(&b, NULL, 0);
	pmumap_fdt_add_node(&b, fdt, size, node);
	bytes = pmumap_need(&b);
	block = sbi_malloc(bytes);
	if (!block)
		return SBI_ENOMEM;
	pmumap_begin(&b, block, bytes);
	pmumap_fdt_add_node(&b, fdt, size, node);
	status = pmumap_finish(&b, map);
	if (status == PMUMAP_OK)
		*map = pmumap_keep(*map);
	sbi_free(block);
	if (status != PMUMAP_OK)
		return SBI_EINVAL;
	return *map ? 0 : SBI_ENOMEM;
}

/* Build one map per node, shared by its harts. A hart without a node has no map. */
static inline PMUMAP_SMALL int pmumap_of_nodes(const void *fdt,
					       const int *nodes, u32 n)
{
	const struct pmumap **maps = sbi_zalloc(n * sizeof(*maps));
	u32 i, j, same = 0;
	int rc = 0;

	if (!maps)
		return SBI_ENOMEM;
	for (i = 0; i < n && !rc; i++) {
		for (j = 0; nodes[j] != nodes[i]; j++)
			;
		if (j < i)
			maps[i] = maps[j];
		else if (nodes[i] >= 0)
			rc = pmumap_of_node(fdt, nodes[i], &maps[i]);
		same += maps[i] == maps[0];
	}
	if (!rc && same < n) {
		sbi_pmu_maps = maps;
		return 0;
	}
	sbi_pmu_map = maps[0];
	sbi_free(maps);
	return rc || sbi_pmu_map ? rc : SBI_ENOENT;
}

/*
 * Build all maps into the variables above. Returns the same as sbi_pmu_read_tree(). "pmumap check"
 * explains an error.
 */
static inline PMUMAP_SMALL int pmumap_of_tree(const void *fdt)
{
	const size_t size = pmumap_fdt_size(fdt);
	const u32 n	  = PMUMAP_HARTS;
	int *nodes	  = sbi_malloc(n * sizeof(*nodes)), rc;
	const struct pmumap_fdt_hart *hart;
	struct pmumap_fdt_hart *harts;
	enum pmumap_status status;
	size_t count;
	u32 i;

	pmumap_fdt_harts(fdt, size, NULL, 0, &count);
	harts = sbi_malloc((count + 1) * sizeof(*harts));
	if (!nodes || !harts)
		return SBI_ENOMEM;
	status = pmumap_fdt_harts(fdt, size, harts, count, &count);
	for (i = 0; i < n; i++) {
		hart	 = pmumap_fdt_hart_find(harts, count,
						sbi_hartindex_to_hartid(i));
		nodes[i] = hart ? hart->node : PMUMAP_NO_NODE;
	}
	sbi_free(harts);
	rc = SBI_EINVAL;
	if (status == PMUMAP_OK)
		rc = pmumap_of_nodes(fdt, nodes, n);
	else
		sbi_printf("PMU: tree error %d; run pmumap check\n", status);
	sbi_free(nodes);
	return rc;
}

#endif
