/* SPDX-License-Identifier: BSD-2-Clause */
/* All checks of a tree, in order */
#pragma once

#include "imc/read.h"
#include "imc/check_entries.h"
#include "imc/check_units.h"

/* Build the map of the entries and check both. */
static inline enum pmumap_status pmumap_imc_check_map_(struct pmumap_imc_checker_ *c,
						       struct pmumap_imc_builder *b,
						       const struct pmumap_imc **map)
{
	struct pmumap_imc_build_ w;
	enum pmumap_status status;
	uint64_t need;

	w.m = 0;
	status = pmumap_imc_build_tables_(&w, b);
	if (!w.m)
		return status;
	c->nodes = pmumap_pool_scratch_(&w.pool, w.m->unit_count);
	pmumap_imc_check_entries_(c, &w);
	pmumap_imc_check_units_(c, &w);
	need = w.m->head.size + (uint64_t)w.m->unit_count * sizeof(uint32_t) +
	       pmumap_imc_index_bytes_(w.m) + 8;
	*map = pmumap_imc_build_indexes_(&w);
	if ((w.m->names && !w.m->slots) || c->places_unchecked)
		pmumap_imc_tell_node_(c, (uint32_t)PMUMAP_NO_NODE,
				      PMUMAP_IMC_FINDING_(NO_INDEX, NOTE, NODE),
				      w.m->number_bits && need > b->entries.bytes ? need : 0);
	return PMUMAP_OK;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_imc_check(const void *fdt, size_t fdt_size,
							    const struct pmumap_imc_options *opt,
							    void *mem, size_t bytes,
							    const struct pmumap_imc **map)
{
	struct pmumap_imc_checker_ c;
	struct pmumap_imc_builder b;
	enum pmumap_status status;

	if (!pmumap_imc_begin_tree_(&b, fdt, fdt_size, opt, mem, bytes, map))
		return PMUMAP_E_ARG;
	c.opt = opt;
	c.units = c.events = c.old_format = c.left_out = 0;
	status = pmumap_imc_read_tree_(&c.r, &b, fdt, fdt_size, opt, pmumap_imc_check_node_);
	return status == PMUMAP_OK ? pmumap_imc_check_map_(&c, &b, map) : status;
}
