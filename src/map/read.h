/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "core/bits.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "map/finish.h"
#include "fdt/api.h"
#include "fdt/blob.h"
#include "fdt/walk.h"
#include "riscv/fdt.h"
#include "imc/fdt.h"
#include "amu/fdt.h"

/* The properties of the node at hand are complete. */
static inline void pmumap_map_read_node_(struct pmumap_fdt_walk_ *w, struct pmumap_builder *b)
{
	b->node = (int)w->offset;
	if (PMUMAP_BINDINGS & PMUMAP_RISCV)
		pmumap_riscv_choose_node_(w, b);
	if (PMUMAP_BINDINGS & PMUMAP_IMC)
		pmumap_imc_read_node_(w, b);
	if (PMUMAP_BINDINGS & PMUMAP_AMU)
		pmumap_amu_read_node_(w, b);
}

/* A property of the node at hand, whose value lies at w->at. */
static inline void pmumap_map_note_property_(struct pmumap_fdt_walk_ *w, uint32_t name,
					     uint32_t bytes)
{
	static const char names[PMUMAP_FDT_PROPERTIES_][16] = {
		"reg",
		"event-name",
		"desc",
		"scale",
		"unit",
		"compatible",
		"events",
		"events-prefix",
		"type",
		"size",
		"offset",
		"cb_offset",
		"phandle",
		"linux,phandle",
		"base-addr",
		"chip-id",
		"base_addr",
		"chipids",
		"imc-nest-offset",
		"imc-nest-size",
		"ima-nest-offset",
		"ima-nest-size",
		"ibm,chip-id",
		"#address-cells",
		"amu",
		"enable-at-el3",
		"device_type",
		"status",
	};
	const unsigned char *s = w->blob + name;
	uint32_t i;

	if (PMUMAP_BINDINGS & PMUMAP_RISCV)
		pmumap_riscv_note_property_(w, name, bytes);
	if (!PMUMAP_HAS_ENTRIES_)
		return;
	if ((PMUMAP_BINDINGS & PMUMAP_AMU) && w->others->symbols)
		pmumap_amu_read_label_(w, (const char *)s, bytes);
	for (i = 0; i < PMUMAP_FDT_PROPERTIES_; i++) {
		if (*s == (unsigned char)*names[i] && pmumap_fdt_match_string_(s, names[i], 0)) {
			if (!w->others->properties[i])
				w->others->properties[i] = w->at;
			return;
		}
	}
}

/* Take back all rows of the other bindings. */
static inline void pmumap_map_forget_entries_(struct pmumap_builder *b)
{
	b->later = b->mixed = 0;
	b->extra = 0;
}

/* Judge the blob, and leave the tables of the node to read in the builder. */
static inline enum pmumap_status pmumap_map_walk_tree_(struct pmumap_builder *b, const void *fdt,
						       size_t fdt_size,
						       const struct pmumap_fdt_options *opt)
{
	struct pmumap_fdt_others_ others;
	struct pmumap_fdt_walk_ w;
	enum pmumap_status status;

	w.blob = (const unsigned char *)fdt;
	w.depth = 0;
	w.open = 0;
	w.closed = 0;
	w.judge = pmumap_map_read_node_;
	w.keep = pmumap_map_note_property_;
	w.wanted = opt ? (uint32_t)opt->node : 0;
	if (PMUMAP_HAS_ENTRIES_) {
		pmumap_zero_words_(&others, sizeof(others));
		others.opt = opt;
		others.b = b;
		w.others = &others;
	}
	w.chosen = PMUMAP_NO_NODE;
	status = pmumap_fdt_validate_header_(&w, fdt_size);
	if (status == PMUMAP_OK)
		status = pmumap_fdt_walk_tags_(&w, b);
	if (status != PMUMAP_OK)
		return status;
	if (PMUMAP_HAS_ENTRIES_ && !others.amu_seen) {
		b->amu_finish = 0; /* CPUs alone are nothing */
		if (!others.imc_roots)
			pmumap_map_forget_entries_(b);
	}
	if (w.chosen == PMUMAP_NO_NODE &&
	    (!PMUMAP_HAS_ENTRIES_ || (!others.imc_roots && !others.amu_seen)))
		return w.wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	b->node = w.chosen;
	return PMUMAP_OK;
}

/* Everything but the finishing of the builder, which measure and build share. */
static inline enum pmumap_status pmumap_map_read_tree_(struct pmumap_builder *b, const void *fdt,
						       size_t fdt_size,
						       const struct pmumap_fdt_options *opt)
{
	enum pmumap_status status = pmumap_map_walk_tree_(b, fdt, fdt_size, opt);
	uint32_t table;

	for (table = 0; table < PMUMAP_TABLES_ && status == PMUMAP_OK; table++) {
		if (b->rows[table])
			pmumap_riscv_read_table_(b, table);
	}
	return status;
}

PMUMAP_DEF enum pmumap_status pmumap_fdt_measure(const void *fdt, size_t fdt_size,
						 const struct pmumap_fdt_options *opt,
						 size_t *bytes)
{
	struct pmumap_builder b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	pmumap_begin(&b, 0, 0);
	b.flags = opt ? opt->flags : 0;
	status = pmumap_map_read_tree_(&b, fdt, fdt_size, opt);
	*bytes = status == PMUMAP_OK ? pmumap_need(&b) : 0;
	return status == PMUMAP_OK ? pmumap_finish(&b, 0) : status;
}

PMUMAP_DEF enum pmumap_status pmumap_fdt_build(const void *fdt, size_t fdt_size,
					       const struct pmumap_fdt_options *opt, void *mem,
					       size_t bytes, const struct pmumap **map)
{
	struct pmumap_builder b;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	if (!fdt || !mem)
		return PMUMAP_E_ARG;
	pmumap_begin(&b, mem, bytes);
	if (opt) {
		b.flags = opt->flags;
		pmumap_listen(&b, opt->report, opt->arg);
	}
	status = pmumap_map_read_tree_(&b, fdt, fdt_size, opt);
	return status == PMUMAP_OK ? pmumap_finish(&b, map) : status;
}
