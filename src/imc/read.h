/* SPDX-License-Identifier: BSD-2-Clause */
/* From a tree to a map */
#pragma once

#include "imc/build.h"
#include "imc/fdt.h"

/* Validate the blob and pass its nodes to read_node: pmumap_imc_read_node_() or a checker. */
static inline enum pmumap_status
pmumap_imc_read_tree_(struct pmumap_imc_reader_ *r, struct pmumap_imc_builder *b, const void *fdt,
		      size_t fdt_size, const struct pmumap_imc_options *opt,
		      void (*read_node)(struct pmumap_fdt_walk_ *w))
{
	static const char texts[] = PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_FDT_TEXT_);
	static const unsigned char lengths[] = { PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_FDT_BYTES_) };
	enum pmumap_status status;

	pmumap_zero_words_(r, sizeof(*r));
	r->w.blob = (const unsigned char *)fdt;
	r->w.wanted = opt ? (uint32_t)opt->node : 0;
	r->w.read_node = read_node;
	pmumap_fdt_want_(&r->w, texts, lengths, PMUMAP_IMC_PROPERTIES_, r->found);
	r->b = b;
	r->opt = opt;
	status = pmumap_fdt_walk_blob_(&r->w, fdt_size);
	if (status == PMUMAP_OK && !r->roots)
		status = r->w.wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return status;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_imc_options *opt,
						     size_t *bytes)
{
	struct pmumap_imc_reader_ r;
	struct pmumap_imc_builder b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	pmumap_imc_begin(&b, 0, 0);
	b.flags = opt ? opt->flags : 0;
	status = pmumap_imc_read_tree_(&r, &b, fdt, fdt_size, opt, pmumap_imc_read_node_);
	*bytes = status == PMUMAP_OK ? pmumap_imc_need(&b) : 0;
	return status == PMUMAP_OK ? pmumap_imc_finish(&b, 0) : status;
}

/* Start building the map of a tree in a block. Returns 0 if an argument is wrong. */
static inline int pmumap_imc_begin_tree_(struct pmumap_imc_builder *b, const void *fdt,
					 size_t fdt_size, const struct pmumap_imc_options *opt,
					 void *mem, size_t bytes, const struct pmumap_imc **map)
{
	if (!map)
		return 0;
	*map = 0;
	if (!fdt || !mem ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), mem, bytes))
		return 0;
	pmumap_imc_begin(b, mem, bytes);
	b->flags = opt ? opt->flags : 0;
	return 1;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_imc_fdt_build(const void *fdt, size_t fdt_size, const struct pmumap_imc_options *opt,
		     void *mem, size_t bytes, const struct pmumap_imc **map)
{
	struct pmumap_imc_reader_ r;
	struct pmumap_imc_builder b;
	enum pmumap_status status;

	if (opt && opt->check)
		return opt->check(fdt, fdt_size, opt, mem, bytes, map);
	if (!pmumap_imc_begin_tree_(&b, fdt, fdt_size, opt, mem, bytes, map))
		return PMUMAP_E_ARG;
	status = pmumap_imc_read_tree_(&r, &b, fdt, fdt_size, opt, pmumap_imc_read_node_);
	return status == PMUMAP_OK ? pmumap_imc_finish(&b, map) : status;
}
