/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sbi_pmumap.h -- pmumap in OpenSBI: its types, its heap, its console. See README.md.
 */
#ifndef __SBI_PMUMAP_H__
#define __SBI_PMUMAP_H__

#include <sbi/sbi_console.h>
#include <sbi/sbi_error.h>
#include <sbi/sbi_heap.h>
#include <sbi/sbi_string.h>
#include <sbi/sbi_types.h>

#define PMUMAP_NO_STDINT
#include <sbi/pmumap_fdt.h>

/*
 * gcc makes it small and not fast, and with it all that is called from nowhere
 * else: what runs once, at boot, and what is about CSRs anyway.
 */
#define PMUMAP_SMALL __attribute__((cold))

/* What the tree describes, in the heap for good; NULL: nothing. */
extern const struct pmumap *sbi_pmu_map;

/*
 * Take the PMU's description from a device tree. For the platform's operation pmu_init, once.
 * Returns 0; SBI_ENOENT: the tree describes no PMU; SBI_EINVAL, SBI_ENOMEM.
 */
int sbi_pmu_read_tree(const void *fdt);

/* A copy of a map in the heap, as large as the map alone; NULL: no memory. */
static inline const struct pmumap *pmumap_keep(const struct pmumap *map)
{
	const size_t bytes = pmumap_size(map);
	void *copy	   = sbi_malloc(bytes);

	return copy ? sbi_memcpy(copy, map, bytes) : NULL;
}

/*
 * The map of a tree, in the heap for good. Returns 0, SBI_ENOENT: no PMU in it, or an error.
 * "pmumap check" says more about a tree than its status does.
 */
static inline PMUMAP_SMALL int pmumap_of_tree(const void *fdt,
					      const struct pmumap **map)
{
	enum pmumap_status status;
	size_t bytes;
	void *block;

	status = pmumap_fdt_measure(fdt, pmumap_fdt_size(fdt), NULL, &bytes);
	if (status == PMUMAP_E_NOTFOUND)
		return SBI_ENOENT;
	if (status != PMUMAP_OK) {
		sbi_printf("PMU: tree error %d; run pmumap check\n", status);
		return SBI_EINVAL;
	}
	block = sbi_malloc(bytes);
	if (!block)
		return SBI_ENOMEM;
	status = pmumap_fdt_build(fdt, pmumap_fdt_size(fdt), NULL, block, bytes,
				  map);
	if (status == PMUMAP_OK)
		*map = pmumap_keep(*map);
	sbi_free(block);
	if (status != PMUMAP_OK)
		return SBI_EINVAL;
	return *map ? 0 : SBI_ENOMEM;
}

#endif
