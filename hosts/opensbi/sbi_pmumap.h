/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sbi_pmumap.h -- pmumap in OpenSBI: its types, its heap, its console. See README.md.
 */
#ifndef __SBI_PMUMAP_H__
#define __SBI_PMUMAP_H__

#include <sbi/sbi_console.h>
#include <sbi/sbi_error.h>
#include <sbi/sbi_hartmask.h>
#include <sbi/sbi_heap.h>
#include <sbi/sbi_scratch.h>
#include <sbi/sbi_string.h>
#include <sbi/sbi_types.h>

#define PMUMAP_NO_STDINT
#include <sbi/pmumap_fdt.h>

/*
 * gcc makes it small and not fast, and with it all that is called from nowhere
 * else: what runs once, at boot, and what is about CSRs anyway.
 */
#define PMUMAP_SMALL __attribute__((cold))

/* What the tree describes for all harts, in the heap for good; NULL: nothing, or harts differ. */
extern const struct pmumap *sbi_pmu_map;

/* Where harts read different nodes of it: the map of each, by its index. Else NULL. */
extern const struct pmumap **sbi_pmu_maps;

/* The map of this hart; NULL: nothing describes it. Most boards have one, which is asked first. */
static inline const struct pmumap *pmumap_thishart(void)
{
	return sbi_pmu_map || !sbi_pmu_maps ? sbi_pmu_map
					    : sbi_pmu_maps[current_hartindex()];
}

/*
 * Take the PMU's description from a device tree. For the platform's operation pmu_init, once: later
 * the tables are gone from the tree, so this is when all harts get their maps.
 * Returns 0; SBI_ENOENT: the tree describes no PMU; SBI_EINVAL, SBI_ENOMEM.
 */
int sbi_pmu_read_tree(const void *fdt);

#ifdef sbi_hart_count
#define PMUMAP_HARTS sbi_hart_count()
#else
#define PMUMAP_HARTS (sbi_scratch_last_hartindex() + 1)
#endif

/* A copy of a map in the heap, as large as the map alone; NULL: no memory. */
static inline const struct pmumap *pmumap_keep(const struct pmumap *map)
{
	const size_t bytes = pmumap_size(map);
	void *copy	   = sbi_malloc(bytes);

	return copy ? sbi_memcpy(copy, map, bytes) : NULL;
}

/*
 * The map of a node, 0 for the first, in the heap for good. Returns 0, SBI_ENOENT: no PMU in the
 * tree, or an error. "pmumap check" says more about a tree than its status does.
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

/* The node of each hart. Returns whether they differ. */
static inline PMUMAP_SMALL bool pmumap_nodes_of_harts(const void *fdt,
						      int *nodes, u32 harts)
{
	struct pmumap_fdt_options options = { .flags = PMUMAP_FOR_HART };
	bool differ			  = false;
	u32 i;

	for (i = 0; i < harts; i++) {
		options.hart = sbi_hartindex_to_hartid(i);
		pmumap_fdt_node(fdt, pmumap_fdt_size(fdt), &options, &nodes[i]);
		differ |= nodes[i] != nodes[0];
	}
	return differ;
}

/* A map for each node; harts of one node share it. A hart without a node has none. */
static inline PMUMAP_SMALL int pmumap_of_nodes(const void *fdt,
					       const int *nodes, u32 harts)
{
	int rc = 0;
	u32 i, j;

	sbi_pmu_maps = sbi_zalloc(harts * sizeof(*sbi_pmu_maps));
	if (!sbi_pmu_maps)
		return SBI_ENOMEM;
	for (i = 0; i < harts && !rc; i++) {
		for (j = 0; nodes[j] != nodes[i]; j++)
			;
		if (j < i)
			sbi_pmu_maps[i] = sbi_pmu_maps[j];
		else if (nodes[i] >= 0)
			rc = pmumap_of_node(fdt, nodes[i], &sbi_pmu_maps[i]);
	}
	return rc;
}

/* All maps of a tree, into the variables above. Returns as sbi_pmu_read_tree() does. */
static inline PMUMAP_SMALL int pmumap_of_tree(const void *fdt)
{
	const u32 harts = PMUMAP_HARTS;
	int *nodes	= sbi_malloc(harts * sizeof(*nodes));
	int rc;

	if (!nodes)
		return SBI_ENOMEM;
	if (pmumap_nodes_of_harts(fdt, nodes, harts))
		rc = pmumap_of_nodes(fdt, nodes, harts);
	else
		rc = pmumap_of_node(fdt, nodes[0] < 0 ? 0 : nodes[0],
				    &sbi_pmu_map);
	sbi_free(nodes);
	return rc;
}

#endif
