/* SPDX-License-Identifier: BSD-2-Clause */
/* Read a tree into a map */
#pragma once

#include "riscv/finish.h"
#include "riscv/fdt.h"

/*
 * Validate the blob and choose a node. end: of the properties to read. read_node:
 * pmumap_riscv_read_node_() or a checker's.
 */
static inline enum pmumap_status
pmumap_riscv_choose_node_(struct pmumap_reader_ *r, const void *fdt, size_t fdt_size,
			  const struct pmumap_fdt_options *opt, uint32_t end,
			  void (*read_node)(struct pmumap_reader_ *r))
{
	enum pmumap_status status = pmumap_riscv_begin_nodes_(r, fdt, fdt_size, 0, end);

	if (status != PMUMAP_OK)
		return status;
	if (opt) {
		r->wanted = (uint32_t)opt->node;
		r->for_hart = opt->flags & PMUMAP_FOR_HART;
	}
	if (opt && r->for_hart) {
		r->w.count = PMUMAP_RISCV_PROPERTY_STATUS_;
		r->hart.id = opt->hart;
		status = pmumap_riscv_read_nodes_(r, pmumap_riscv_read_hart_);
	}
	if (status == PMUMAP_OK && (!r->for_hart || r->hart.place >= PMUMAP_RISCV_IN_HART_))
		status = pmumap_riscv_read_nodes_(r, read_node);
	if (status == PMUMAP_OK && !r->rank)
		status = r->wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return status;
}

static inline void pmumap_riscv_read_tables_(const struct pmumap_reader_ *r,
					     struct pmumap_builder *b)
{
	uint32_t table;

	for (table = 0; table < PMUMAP_TABLES_; table++) {
		if (r->tables[table])
			pmumap_riscv_read_table_(r, table, b);
	}
}

PMUMAP_DEF enum pmumap_status pmumap_fdt_measure(const void *fdt, size_t fdt_size,
						 const struct pmumap_fdt_options *opt,
						 size_t *bytes)
{
	struct pmumap_reader_ r;
	struct pmumap_builder b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	*bytes = 0;
	status = pmumap_riscv_choose_node_(&r, fdt, fdt_size, opt, PMUMAP_RISCV_PROPERTY_HARTS_,
					   pmumap_riscv_read_node_);
	if (status != PMUMAP_OK)
		return status;
	pmumap_begin(&b, 0, 0);
	pmumap_riscv_read_tables_(&r, &b);
	*bytes = pmumap_need(&b);
	return pmumap_finish(&b, 0);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_fdt_node(const void *fdt, size_t fdt_size, const struct pmumap_fdt_options *opt, int *node)
{
	struct pmumap_reader_ r;
	enum pmumap_status status;

	if (!node)
		return PMUMAP_E_ARG;
	*node = PMUMAP_NO_NODE;
	if (!fdt)
		return PMUMAP_E_ARG;
	status = pmumap_riscv_choose_node_(&r, fdt, fdt_size, opt, PMUMAP_RISCV_PROPERTY_HARTS_,
					   pmumap_riscv_read_node_);
	if (status == PMUMAP_OK)
		*node = (int)r.chosen;
	return status;
}

/* Begin the map of a tree in a block. Returns 0 if an argument is wrong. */
static inline int pmumap_riscv_begin_tree_(struct pmumap_builder *b, const void *fdt,
					   size_t fdt_size, void *mem, size_t bytes)
{
	if (!fdt || !mem ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), mem, bytes))
		return 0;
	pmumap_begin(b, mem, bytes);
	return 1;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_fdt_build(const void *fdt, size_t fdt_size,
							    const struct pmumap_fdt_options *opt,
							    void *mem, size_t bytes,
							    const struct pmumap **map)
{
	struct pmumap_reader_ r;
	struct pmumap_builder b;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	if (!pmumap_riscv_begin_tree_(&b, fdt, fdt_size, mem, bytes))
		return PMUMAP_E_ARG;
	status = pmumap_riscv_choose_node_(&r, fdt, fdt_size, opt, PMUMAP_RISCV_PROPERTY_HARTS_,
					   pmumap_riscv_read_node_);
	if (status != PMUMAP_OK)
		return status;
	pmumap_riscv_read_tables_(&r, &b);
	return pmumap_finish(&b, map);
}
