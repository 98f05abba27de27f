/* SPDX-License-Identifier: BSD-2-Clause */
/* Read a tree into a map */
#pragma once

#include "riscv/finish.h"
#include "riscv/fdt.h"

/* Validate the blob and choose a node: the wanted one, or the first riscv,pmu. */
static inline enum pmumap_status pmumap_riscv_choose_node_(struct pmumap_reader_ *r,
							   const void *fdt, size_t fdt_size,
							   const struct pmumap_fdt_options *opt)
{
	enum pmumap_status status =
		pmumap_riscv_begin_nodes_(r, fdt, fdt_size, PMUMAP_RISCV_PROPERTY_HARTS_);
	uint32_t wanted = opt ? (uint32_t)opt->node : 0;
	int more;

	if (status != PMUMAP_OK)
		return status;
	while ((more = pmumap_riscv_next_(r)) > 0) {
		if (r->w.count && pmumap_riscv_fits_(r, wanted)) {
			pmumap_riscv_use_node_(r);
			r->w.count = 0; /* the rest is only validated */
		}
	}
	if (more)
		return PMUMAP_E_FDT_STRUCT;
	if (r->w.count)
		return wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return PMUMAP_OK;
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
	status = pmumap_riscv_choose_node_(&r, fdt, fdt_size, opt);
	if (status != PMUMAP_OK)
		return status;
	pmumap_begin(&b, 0, 0);
	pmumap_riscv_read_tables_(&r, &b);
	*bytes = pmumap_need(&b);
	return pmumap_finish(&b, 0);
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
	status = pmumap_riscv_choose_node_(&r, fdt, fdt_size, opt);
	if (status != PMUMAP_OK)
		return status;
	pmumap_riscv_read_tables_(&r, &b);
	return pmumap_finish(&b, map);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_fdt_add_node(struct pmumap_builder *b, const void *fdt, size_t fdt_size, int node)
{
	struct pmumap_reader_ r;
	enum pmumap_status status;
	uint32_t at = (uint32_t)node;

	if (!fdt ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), b->mem, b->bytes))
		return PMUMAP_E_ARG;
	status = pmumap_riscv_begin_nodes_(&r, fdt, fdt_size, PMUMAP_RISCV_PROPERTY_HARTS_);
	if (status != PMUMAP_OK)
		return status;
	if (at % 4 || at >= r.w.end - r.w.start ||
	    pmumap_load_be32_(r.w.blob + r.w.start + at) != PMUMAP_FDT_BEGIN_NODE_)
		return PMUMAP_E_NODE;
	r.w.at += at;
	if (pmumap_riscv_next_(&r) < 0)
		return PMUMAP_E_FDT_STRUCT;
	pmumap_riscv_use_node_(&r);
	pmumap_riscv_read_tables_(&r, b);
	return b->status;
}
