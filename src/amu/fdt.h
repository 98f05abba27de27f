/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "builder/api.h"
#include "builder/entries.h"
#include "amu/entries.h"
#include "amu/add.h"
#include "fdt/blob.h"
#include "fdt/walk.h"
#include "fdt/property.h"

/* Whether a name is "cpu", decimal digits, '@' and an address. */
static inline int pmumap_amu_is_cpu_name_(const unsigned char *s, uint32_t *digits)
{
	s = pmumap_fdt_match_string_(s, "cpu", 1);
	for (*digits = 0; s && *s >= '0' && *s <= '9'; s++)
		++*digits;
	return s && *s == '@';
}

static inline void pmumap_amu_read_cpu_(const struct pmumap_fdt_walk_ *w, struct pmumap_builder *b)
{
	const struct pmumap_fdt_others_ *o = w->others;
	const char *type = pmumap_fdt_property_text_(w, PMUMAP_FDT_DEVICE_TYPE_);
	const char *status = pmumap_fdt_property_text_(w, PMUMAP_FDT_STATUS_);
	uint32_t digits, bytes, view = 0, flags = 0, cells;
	uint64_t mpidr = 0;
	int named = pmumap_amu_is_cpu_name_(pmumap_fdt_node_name_(w), &digits);

	if (!named && (!type || !pmumap_fdt_match_string_((const unsigned char *)type, "cpu", 0)))
		return;
	if (!named || digits)
		flags |= PMUMAP_AMU_ODD_NAME_;
	if (!pmumap_fdt_reg_address_(w, o->cpus_cells, &mpidr))
		flags |= PMUMAP_AMU_BAD_REG_;
	if (status && !pmumap_fdt_match_string_((const unsigned char *)status, "okay", 0) &&
	    !pmumap_fdt_match_string_((const unsigned char *)status, "ok", 0))
		flags |= PMUMAP_AMU_DISABLED_;
	if (pmumap_fdt_property_value_(w, PMUMAP_FDT_AMU_, &bytes)) {
		w->others->amu_seen = 1;
		cells = bytes / 4 < 0xffff ? bytes / 4 : 0xffff;
		flags |= PMUMAP_AMU_HAS_VIEW_ | cells << PMUMAP_AMU_CELLS_;
	}
	(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_AMU_, &view);
	(void)pmumap_amu_add_cpu_entry_(b, mpidr, view, flags);
}

/* The index of the counter at hand: all that its parent calls an address, or all there is. */
static inline int pmumap_amu_read_index_(const struct pmumap_fdt_walk_ *w, uint32_t cells,
					 uint32_t *index)
{
	uint32_t bytes, i;
	const unsigned char *p = pmumap_fdt_property_value_(w, PMUMAP_FDT_REG_, &bytes);

	*index = 0;
	if (bytes == 0 || bytes % 4)
		return 0;
	if (cells == 0 || cells > bytes / 4)
		cells = bytes / 4;
	for (i = 0; i < cells; i++, p += 4)
		*index = *index ? 0xffffffffu : pmumap_load_be32_(p);
	return 1;
}

/* A counter in the parent at hand, which becomes a view if it is none yet. */
static inline void pmumap_amu_read_counter_(struct pmumap_fdt_walk_ *w, struct pmumap_builder *b)
{
	struct pmumap_fdt_others_ *o = w->others;
	struct pmumap_fdt_parent_ *parent = &o->parents[w->depth - 1];
	uint32_t bytes, flags = 0, index;
	uint64_t address;
	int node = b->node;

	if (!parent->staged) {
		b->node = (int)parent->offset;
		(void)pmumap_amu_add_view_entry_(b, parent->id, 0, parent->cells, 0);
		b->node = node;
		parent->staged = 1;
		o->last_view = parent->offset;
	}
	if (o->last_view != parent->offset)
		return; /* behind a view inside of this one */
	if (!pmumap_fdt_match_string_(pmumap_fdt_node_name_(w), "counter@", 1))
		flags |= PMUMAP_AMU_BAD_NAME_;
	if (!pmumap_amu_read_index_(w, parent->cells, &index))
		flags |= PMUMAP_AMU_NO_REG_;
	if (!pmumap_fdt_unit_address_(pmumap_fdt_node_name_(w), &address) || address != index)
		flags |= PMUMAP_AMU_MISMATCH_;
	if (pmumap_fdt_property_value_(w, PMUMAP_FDT_ENABLE_, &bytes))
		flags |= PMUMAP_AMU_ENABLE_;
	if (bytes)
		flags |= PMUMAP_AMU_ENABLE_VALUE_;
	(void)pmumap_amu_add_counter_entry_(b, index, (const char *)pmumap_fdt_node_name_(w),
					    flags);
}

/* The node at hand may be a view: known by its place, or else by a counter in it. */
static inline void pmumap_amu_note_view_(struct pmumap_fdt_walk_ *w, struct pmumap_builder *b,
					 uint32_t listed)
{
	struct pmumap_fdt_parent_ *parent = &w->others->parents[w->depth];

	parent->id = 0;
	(void)pmumap_fdt_property_number_(
		w, pmumap_fdt_either_property_(w, PMUMAP_FDT_PHANDLE_, PMUMAP_FDT_LINUX_PHANDLE_),
		&parent->id);
	parent->offset = w->offset;
	parent->cells = 2;
	(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_ADDRESS_CELLS_, &parent->cells);
	parent->staged = listed;
	if (!listed)
		return;
	w->others->last_view = w->offset;
	(void)pmumap_amu_add_view_entry_(b, parent->id, (const char *)pmumap_fdt_node_name_(w),
					 parent->cells, PMUMAP_AMU_LISTED_);
}

static inline void pmumap_amu_read_node_(struct pmumap_fdt_walk_ *w, struct pmumap_builder *b)
{
	struct pmumap_fdt_others_ *o = w->others;
	const unsigned char *name = pmumap_fdt_node_name_(w);

	if (w->wanted && w->wanted != w->offset && !o->cpus_depth)
		return;
	if (o->amus_depth) {
		if (w->depth == o->amus_depth + 1)
			pmumap_amu_note_view_(w, b, 1);
		else if (w->depth == o->amus_depth + 2)
			pmumap_amu_read_counter_(w, b);
		return;
	}
	if (o->cpus_depth && w->depth == o->cpus_depth + 1) {
		if (pmumap_fdt_match_string_(name, "amus", 0)) {
			o->amus_depth = w->depth;
			o->amu_seen = 1;
			return;
		}
		pmumap_amu_read_cpu_(w, b);
	}
	if (w->depth == 2 && pmumap_fdt_match_string_(name, "cpus", 0)) {
		o->cpus_depth = w->depth;
		o->cpus_cells = 2;
		(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_ADDRESS_CELLS_, &o->cpus_cells);
	}
	/* Not the root, at depth 1: a view is a node of its own. */
	if (w->depth > 2 && w->depth <= PMUMAP_FDT_PARENTS_ && o->parents[w->depth - 1].id &&
	    pmumap_fdt_match_string_(name, "counter@", 1))
		pmumap_amu_read_counter_(w, b);
	if (w->depth < PMUMAP_FDT_PARENTS_)
		pmumap_amu_note_view_(w, b, 0);
}

/* A property of /__symbols__: a label, and the path that it stands for. */
static inline void pmumap_amu_read_label_(const struct pmumap_fdt_walk_ *w, const char *label,
					  uint32_t bytes)
{
	struct pmumap_builder *b = w->others->b;
	const unsigned char *path = w->blob + w->at;

	if (bytes == 0 || path[bytes - 1] || !pmumap_fdt_match_string_(path, "/cpus/amus/", 1))
		return;
	(void)pmumap_builder_add_entry_(b, PMUMAP_AMU_LABEL_,
					pmumap_builder_reserve_text_(b, label), 0, 0);
	(void)pmumap_builder_add_entry_(b, PMUMAP_AMU_PATH_, (size_t)path, 0, 0);
}
