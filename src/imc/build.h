/* SPDX-License-Identifier: BSD-2-Clause */
/* From a tree to a map */
#pragma once

#include "imc/fill.h"

PMUMAP_DEF enum pmumap_status pmumap_imc_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_imc_options *opt,
						     size_t *bytes)
{
	struct pmumap_imc_build_ b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	status = pmumap_imc_count_(&b, fdt, fdt_size, opt);
	*bytes = status == PMUMAP_OK ? (size_t)b.need : 0;
	return status;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_imc_fdt_build(const void *fdt, size_t fdt_size, const struct pmumap_imc_options *opt,
		     void *mem, size_t bytes, const struct pmumap_imc **map)
{
	struct pmumap_imc_build_ b;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_imc_collect_tree_(&b, fdt, fdt_size, opt, mem, bytes);
	if (status != PMUMAP_OK)
		return status;
	pmumap_imc_append_tables_(&b);
	pmumap_imc_fill_(&b);
	pmumap_imc_sort_offsets_(b.m, pmumap_imc_pairs_(&b));
	pmumap_imc_sort_names_(b.m, pmumap_imc_pairs_(&b));
	b.m->head.version = PMUMAP_IMAGE_VERSION;
	b.m->head.magic = PMUMAP_IMC_MAGIC;
	*map = b.m;
	return PMUMAP_OK;
}
