/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUs and their views */
#pragma once

#include "core/text.h"
#include "amu/entries.h"
#include "pool/property.h"

/* The properties to read. */
#define PMUMAP_AMU_PROPERTY_LIST_(X)                                                               \
	X(REG, "reg")                                                                              \
	X(ADDRESS_CELLS, "#address-cells")                                                         \
	X(PHANDLE, "phandle")                                                                      \
	X(LINUX_PHANDLE, "linux,phandle")                                                          \
	X(AMU, "amu")                                                                              \
	X(ENABLE, "enable-at-el3")                                                                 \
	X(DEVICE_TYPE, "device_type")                                                              \
	X(STATUS, "status")

enum {
#define PMUMAP_X_(name, text) PMUMAP_AMU_PROPERTY_##name##_,
	PMUMAP_AMU_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_AMU_PROPERTIES_
};

#define PMUMAP_AMU_PARENTS_ 8u      /* nodes outside /cpus/amus at this depth are no views */
#define PMUMAP_AMU_LABEL_BYTES_ 64u /* longer labels are ignored */

/* A node on the path to the current one that may hold counters. */
struct pmumap_amu_parent_ {
	uint32_t id; /* its phandle */
	uint32_t offset, cells;
	uint32_t is_view; /* 1: it has an entry already */
};

/*
 * State of the walk. A depth is 0 outside its node. The walk comes first, because its callback
 * casts the walk to this struct.
 */
struct pmumap_amu_reader_ {
	struct pmumap_fdt_walk_ w;
	uint32_t found[PMUMAP_AMU_PROPERTIES_];
	struct pmumap_amu_builder *b;
	uint32_t cpus_depth, cpus_cells; /* of /cpus; of addresses in it */
	uint32_t amus_depth;             /* of /cpus/amus */
	uint32_t seen;                   /* 1: this tree has something of AMU */
	uint32_t last_view;              /* offset of the view that counters are added to */
	struct pmumap_amu_parent_ parents[PMUMAP_AMU_PARENTS_]; /* by depth */
};

/* The hexadecimal number behind the '@' of a name. Returns 0 if there is none. */
static inline int pmumap_fdt_unit_address_(const unsigned char *s, uint64_t *address)
{
	const unsigned char *end;

	while (*s && *s != '@')
		s++;
	if (*s++ == 0)
		return 0;
	for (end = s; *end; end++)
		PMUMAP_NO_LIBCALL_();
	return pmumap_parse_digits_((const char *)s, (const char *)end, 16, address);
}

/* Whether a name is "cpu", decimal digits, '@' and an address. */
static inline int pmumap_amu_is_cpu_name_(const unsigned char *s, uint32_t *digits)
{
	s = pmumap_fdt_match_string_(s, "cpu", 1);
	for (*digits = 0; s && *s >= '0' && *s <= '9'; s++)
		++*digits;
	return s && *s == '@';
}

/* Read a child of /cpus, which may be a CPU. */
static inline void pmumap_amu_read_cpu_(struct pmumap_amu_reader_ *r,
					const struct pmumap_fdt_walk_ *w,
					struct pmumap_amu_builder *b)
{
	const char *type = pmumap_fdt_property_text_(w, PMUMAP_AMU_PROPERTY_DEVICE_TYPE_);
	const char *status = pmumap_fdt_property_text_(w, PMUMAP_AMU_PROPERTY_STATUS_);
	uint32_t digits, bytes, view = 0, flags = 0, cells;
	uint64_t mpidr = 0;
	int named = pmumap_amu_is_cpu_name_(pmumap_fdt_node_name_(w), &digits);

	if (!named && (!type || !pmumap_fdt_match_string_((const unsigned char *)type, "cpu", 0)))
		return;
	if (!named || digits)
		flags |= PMUMAP_AMU_CPU_ODD_NAME_;
	if (!pmumap_fdt_reg_address_(w, PMUMAP_AMU_PROPERTY_REG_, r->cpus_cells, &mpidr))
		flags |= PMUMAP_AMU_CPU_BAD_REG_;
	if (status && !pmumap_fdt_match_string_((const unsigned char *)status, "okay", 0) &&
	    !pmumap_fdt_match_string_((const unsigned char *)status, "ok", 0))
		flags |= PMUMAP_AMU_CPU_DISABLED_;
	if (pmumap_fdt_property_value_(w, PMUMAP_AMU_PROPERTY_AMU_, &bytes)) {
		r->seen = 1;
		cells = bytes / 4 < 0xffff ? bytes / 4 : 0xffff;
		flags |= PMUMAP_AMU_CPU_HAS_VIEW_ | cells << PMUMAP_AMU_CPU_CELLS_SHIFT_;
	}
	(void)pmumap_fdt_property_number_(w, PMUMAP_AMU_PROPERTY_AMU_, &view);
	(void)pmumap_amu_add_cpu_entry_(b, mpidr, view, flags);
}

/*
 * Read the index of the current counter: the parent's #address-cells of its reg, or as many as
 * exist. ~0 if it has more than 32 bits. Returns 0 without a valid reg.
 */
static inline int pmumap_amu_read_index_(const struct pmumap_fdt_walk_ *w, uint32_t cells,
					 uint32_t *index)
{
	uint32_t bytes, i;
	const unsigned char *p = pmumap_fdt_property_value_(w, PMUMAP_AMU_PROPERTY_REG_, &bytes);

	*index = 0;
	if (bytes == 0 || bytes % 4)
		return 0;
	if (cells == 0 || cells > bytes / 4)
		cells = bytes / 4;
	for (i = 0; i < cells; i++, p += 4)
		*index = *index ? 0xffffffffu : pmumap_load_be32_(p);
	return 1;
}

/* Read the current counter. Its parent becomes a view if it is not one yet. */
static inline void pmumap_amu_read_counter_(struct pmumap_amu_reader_ *r,
					    const struct pmumap_fdt_walk_ *w,
					    struct pmumap_amu_builder *b)
{
	struct pmumap_amu_parent_ *parent = &r->parents[w->depth - 1];
	const unsigned char *name = pmumap_fdt_node_name_(w);
	uint32_t bytes, flags = 0, index;
	uint64_t address;
	int node = b->node;

	if (!parent->is_view) {
		b->node = (int)parent->offset;
		(void)pmumap_amu_add_view_entry_(b, parent->id, 0, parent->cells, 0);
		b->node = node;
		parent->is_view = 1;
		r->last_view = parent->offset;
	}
	if (r->last_view != parent->offset)
		return; /* it follows a view nested in its view */
	if (!pmumap_fdt_match_string_(name, "counter@", 1))
		flags |= PMUMAP_AMU_COUNTER_BAD_NAME_;
	if (!pmumap_amu_read_index_(w, parent->cells, &index))
		flags |= PMUMAP_AMU_COUNTER_NO_REG_;
	if (!pmumap_fdt_unit_address_(name, &address) || address != index)
		flags |= PMUMAP_AMU_COUNTER_MISMATCH_;
	if (pmumap_fdt_property_value_(w, PMUMAP_AMU_PROPERTY_ENABLE_, &bytes))
		flags |= PMUMAP_AMU_COUNTER_ENABLE_;
	if (bytes)
		flags |= PMUMAP_AMU_COUNTER_ENABLE_VALUE_;
	(void)pmumap_amu_add_counter_entry_(b, index, (const char *)name, flags);
}

/* Remember the current node as a possible view; listed: it is in /cpus/amus, so it is one. */
static inline void pmumap_amu_note_view_(struct pmumap_amu_reader_ *r,
					 const struct pmumap_fdt_walk_ *w,
					 struct pmumap_amu_builder *b, uint32_t listed)
{
	struct pmumap_amu_parent_ *parent = &r->parents[w->depth];

	parent->id = pmumap_fdt_phandle_(w, PMUMAP_AMU_PROPERTY_PHANDLE_,
					 PMUMAP_AMU_PROPERTY_LINUX_PHANDLE_);
	parent->offset = w->offset;
	parent->cells = pmumap_fdt_address_cells_(w, PMUMAP_AMU_PROPERTY_ADDRESS_CELLS_);
	parent->is_view = listed;
	if (!listed)
		return;
	r->last_view = w->offset;
	(void)pmumap_amu_add_view_entry_(b, parent->id, (const char *)pmumap_fdt_node_name_(w),
					 parent->cells, PMUMAP_AMU_VIEW_LISTED_);
}

/*
 * Store a label, whose value is a path. Many properties can share the bytes of one name, so read
 * only as far as a label may reach; otherwise the time would be quadratic.
 */
static inline void pmumap_amu_note_label_(struct pmumap_amu_builder *b, const char *label,
					  const unsigned char *path, uint32_t bytes)
{
	uint32_t i = 0;

	if (bytes == 0 || path[bytes - 1] || !pmumap_fdt_match_string_(path, "/cpus/amus/", 1))
		return;
	while (i < PMUMAP_AMU_LABEL_BYTES_ && label[i])
		i++;
	if (i == PMUMAP_AMU_LABEL_BYTES_)
		return;
	pmumap_amu_add_text_(b, PMUMAP_AMU_LABEL_, label);
	pmumap_entries_reserve_text_(&b->entries, label);
	pmumap_amu_add_text_(b, PMUMAP_AMU_PATH_, (const char *)path);
}

/* Read the current node, /__symbols__: each of its properties is a label. */
static inline void pmumap_amu_read_labels_(const struct pmumap_fdt_walk_ *w,
					   struct pmumap_amu_builder *b)
{
	const unsigned char *tag = w->blob + w->start + w->offset;

	while ((tag = pmumap_fdt_next_property_(tag)) != 0)
		pmumap_amu_note_label_(
			b, (const char *)w->blob + w->names + pmumap_load_be32_(tag + 8),
			tag + PMUMAP_FDT_PROPERTY_HEAD_, pmumap_load_be32_(tag + 4));
}

/* Read the current node, whose properties are complete. */
static inline void pmumap_amu_read_node_(struct pmumap_fdt_walk_ *w)
{
	struct pmumap_amu_reader_ *r = (struct pmumap_amu_reader_ *)(void *)w;
	struct pmumap_amu_builder *b = r->b;
	const unsigned char *name = pmumap_fdt_node_name_(w);

	b->node = (int)w->offset;
	if (w->depth == 2 && pmumap_fdt_match_string_(name, "__symbols__", 0))
		pmumap_amu_read_labels_(w, b);
	if (w->depth <= r->cpus_depth)
		r->cpus_depth = 0;
	if (w->depth <= r->amus_depth)
		r->amus_depth = 0;
	if (w->wanted && w->wanted != w->offset && !r->cpus_depth)
		return;
	if (r->amus_depth) {
		if (w->depth == r->amus_depth + 1)
			pmumap_amu_note_view_(r, w, b, 1);
		else if (w->depth == r->amus_depth + 2)
			pmumap_amu_read_counter_(r, w, b);
		return;
	}
	if (r->cpus_depth && w->depth == r->cpus_depth + 1) {
		if (pmumap_fdt_match_string_(name, "amus", 0)) {
			r->amus_depth = w->depth;
			r->seen = 1;
			return;
		}
		pmumap_amu_read_cpu_(r, w, b);
	}
	if (w->depth == 2 && pmumap_fdt_match_string_(name, "cpus", 0)) {
		r->cpus_depth = w->depth;
		r->cpus_cells = pmumap_fdt_address_cells_(w, PMUMAP_AMU_PROPERTY_ADDRESS_CELLS_);
	}
	/* The root, at depth 1, is not a view. */
	if (w->depth > 2 && w->depth <= PMUMAP_AMU_PARENTS_ && r->parents[w->depth - 1].id &&
	    pmumap_fdt_match_string_(name, "counter@", 1))
		pmumap_amu_read_counter_(r, w, b);
	if (w->depth < PMUMAP_AMU_PARENTS_)
		pmumap_amu_note_view_(r, w, b, 0);
}
