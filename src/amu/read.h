/* SPDX-License-Identifier: BSD-2-Clause */
/* Read a tree into a map */
#pragma once

#include "amu/build.h"
#include "amu/fdt.h"

static inline enum pmumap_status pmumap_amu_read_tree_(struct pmumap_amu_builder *b,
						       const void *fdt, size_t fdt_size,
						       const struct pmumap_amu_options *opt)
{
	static const char texts[] = PMUMAP_AMU_PROPERTY_LIST_(PMUMAP_FDT_TEXT_);
	static const unsigned char lengths[] = { PMUMAP_AMU_PROPERTY_LIST_(PMUMAP_FDT_BYTES_) };
	struct pmumap_amu_reader_ r;
	enum pmumap_status status;

	pmumap_zero_words_(&r, sizeof(r));
	r.w.blob = (const unsigned char *)fdt;
	r.w.wanted = opt ? (uint32_t)opt->node : 0;
	r.w.read_node = pmumap_amu_read_node_;
	pmumap_fdt_want_(&r.w, texts, lengths, PMUMAP_AMU_PROPERTIES_, r.found);
	r.b = b;
	status = pmumap_fdt_walk_blob_(&r.w, fdt_size);
	if (status == PMUMAP_OK && !r.seen)
		status = r.w.wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return status;
}

PMUMAP_DEF enum pmumap_status pmumap_amu_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_amu_options *opt,
						     size_t *bytes)
{
	struct pmumap_amu_builder b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	pmumap_amu_begin(&b, 0, 0);
	status = pmumap_amu_read_tree_(&b, fdt, fdt_size, opt);
	*bytes = status == PMUMAP_OK ? pmumap_amu_need(&b) : 0;
	return status == PMUMAP_OK ? pmumap_amu_finish(&b, 0) : status;
}

/* Build the map of a tree. Its entries stay readable afterwards. */
static inline enum pmumap_status pmumap_amu_build_tree_(struct pmumap_amu_builder *b,
							const void *fdt, size_t fdt_size,
							const struct pmumap_amu_options *opt,
							void *mem, size_t bytes,
							const struct pmumap_amu **map)
{
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	if (!fdt || !mem ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), mem, bytes))
		return PMUMAP_E_ARG;
	pmumap_amu_begin(b, mem, bytes);
	status = pmumap_amu_read_tree_(b, fdt, fdt_size, opt);
	return status == PMUMAP_OK ? pmumap_amu_finish(b, map) : status;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_amu_fdt_build(const void *fdt, size_t fdt_size, const struct pmumap_amu_options *opt,
		     void *mem, size_t bytes, const struct pmumap_amu **map)
{
	struct pmumap_amu_builder b;

	if (opt && opt->check)
		return opt->check(fdt, fdt_size, opt, mem, bytes, map);
	return pmumap_amu_build_tree_(&b, fdt, fdt_size, opt, mem, bytes, map);
}
