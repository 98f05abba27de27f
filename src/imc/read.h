/* SPDX-License-Identifier: BSD-2-Clause */
/* Read a tree: its units, lists and events */
#pragma once

#include "fdt/next.h"
#include "imc/tables.h"

/* The properties to read. */
#define PMUMAP_IMC_PROPERTY_LIST_(X)                                                               \
	X(COMPATIBLE, "compatible")                                                                \
	X(REG, "reg")                                                                              \
	X(PHANDLE, "phandle")                                                                      \
	X(LINUX_PHANDLE, "linux,phandle")                                                          \
	X(EVENT_NAME, "event-name")                                                                \
	X(DESC, "desc")                                                                            \
	X(SCALE, "scale")                                                                          \
	X(UNIT, "unit")                                                                            \
	X(EVENTS, "events")                                                                        \
	X(PREFIX, "events-prefix")                                                                 \
	X(TYPE, "type")                                                                            \
	X(SIZE, "size")                                                                            \
	X(OFFSET, "offset")                                                                        \
	X(CONTROL, "cb_offset")                                                                    \
	X(BASE, "base-addr")                                                                       \
	X(CHIP, "chip-id")                                                                         \
	X(DOC_BASE, "base_addr")                                                                   \
	X(DOC_CHIP, "chipids")                                                                     \
	X(NEST_OFFSET, "imc-nest-offset")                                                          \
	X(NEST_SIZE, "imc-nest-size")

enum {
#define PMUMAP_X_(name, text) PMUMAP_IMC_PROPERTY_##name##_,
	PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_IMC_PROPERTIES_
};

struct pmumap_imc_reader_ {
	struct pmumap_fdt_cursor_ w;
	uint32_t found[PMUMAP_IMC_PROPERTIES_];
	const struct pmumap_imc_options *opt;
	uint32_t root;                   /* depth of the IMC root around the walk; 0: outside */
	uint32_t roots;                  /* so far */
	uint32_t nest_offset, nest_size; /* the window that the root gives its units */
	uint32_t nest_window;            /* 1: it gives both, in one cell each */
};

/* Begin a walk over the tree. */
static inline enum pmumap_status pmumap_imc_begin_(struct pmumap_imc_reader_ *r, const void *fdt,
						   size_t fdt_size,
						   const struct pmumap_imc_options *opt)
{
	static const char wanted[] = PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_FDT_WANT_);
	static const unsigned char lengths[] = { PMUMAP_IMC_PROPERTY_LIST_(
		PMUMAP_FDT_WANT_BYTES_) };

	pmumap_zero_words_(r, sizeof(*r));
	r->w.wanted = wanted;
	r->w.lengths = lengths;
	r->w.count = PMUMAP_IMC_PROPERTIES_;
	r->w.found = r->found;
	r->opt = opt;
	return pmumap_fdt_begin_(&r->w, fdt, fdt_size);
}

/*
 * Read a property of the current node that must be one cell. Returns 1; 0 if it is absent; -1 if it
 * has another width. Unless 1, *value is unchanged.
 */
static inline int pmumap_imc_read_cell_(const struct pmumap_imc_reader_ *r, uint32_t property,
					uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_value_(&r->w, property, &bytes);

	if (!p)
		return 0;
	if (bytes != 4)
		return -1;
	*value = pmumap_load_be32_(p);
	return 1;
}

/* Read a root, unless it is not the one that the options want. */
static inline void pmumap_imc_read_root_(struct pmumap_imc_reader_ *r)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_value_(&r->w, PMUMAP_IMC_PROPERTY_COMPATIBLE_, &bytes);

	if (!pmumap_fdt_match_list_(p, bytes, "ibm,opal-in-memory-counters", 0) ||
	    (r->opt && r->opt->node && (uint32_t)r->opt->node != r->w.offset))
		return;
	r->root = r->w.depth;
	r->roots++;
	r->nest_window =
		pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_NEST_OFFSET_, &r->nest_offset) > 0 &&
		pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_NEST_SIZE_, &r->nest_size) > 0;
}

/* What the walk has come to. */
enum {
	PMUMAP_IMC_END_,
	PMUMAP_IMC_CHILD_, /* of a root: a unit, or a list of events */
	PMUMAP_IMC_EVENT_  /* a node in the last child */
};

/* Go to the next item. Returns below 0 if the tree is malformed. */
static inline int pmumap_imc_next_(struct pmumap_imc_reader_ *r)
{
	int more;

	while ((more = pmumap_fdt_next_(&r->w)) > 0) {
		if (r->w.depth <= r->root)
			r->root = 0;
		if (!r->root)
			pmumap_imc_read_root_(r);
		else if (r->w.depth <= r->root + 2)
			return r->w.depth == r->root + 1 ? PMUMAP_IMC_CHILD_ : PMUMAP_IMC_EVENT_;
	}
	return more;
}

/* The result of a walk, from that of its last step. */
static inline enum pmumap_status pmumap_imc_end_(const struct pmumap_imc_reader_ *r, int more)
{
	if (more < 0)
		return PMUMAP_E_FDT_STRUCT;
	if (r->roots)
		return PMUMAP_OK;
	return r->opt && r->opt->node ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
}

/* How a unit says what it is. */
enum {
	PMUMAP_IMC_NO_UNIT_,
	PMUMAP_IMC_UNREAD_, /* in the format of 2016 */
	PMUMAP_IMC_BY_TYPE_,
	PMUMAP_IMC_BY_DOMAIN_ /* by its compatible, before June 2017 */
};

/* The format of the current child. *type: the one that its compatible implies, or 0. */
static inline int pmumap_imc_format_(const struct pmumap_imc_reader_ *r, uint32_t *type)
{
	uint32_t bytes;
	const unsigned char *list =
		pmumap_fdt_value_(&r->w, PMUMAP_IMC_PROPERTY_COMPATIBLE_, &bytes);
	const unsigned char *p = pmumap_fdt_match_list_(list, bytes, "ibm,imc-counters", 1);

	*type = 0;
	if (!p)
		return pmumap_fdt_match_list_(list, bytes, "ibm,ima-counters", 1)
			       ? PMUMAP_IMC_UNREAD_
			       : PMUMAP_IMC_NO_UNIT_;
	if (*p == 0)
		return PMUMAP_IMC_BY_TYPE_;
	if (pmumap_fdt_match_string_(p, "-nest", 0))
		*type = PMUMAP_IMC_NEST;
	else if (pmumap_fdt_match_string_(p, "-core", 0))
		*type = PMUMAP_IMC_CORE;
	else if (pmumap_fdt_match_string_(p, "-thread", 0))
		*type = PMUMAP_IMC_THREAD;
	return PMUMAP_IMC_BY_DOMAIN_;
}

/* The chips of a unit: as many bases as ids, unless the tree is wrong. */
struct pmumap_imc_chip_cells_ {
	const unsigned char *bases, *chips;
	uint32_t base_bytes, chip_bytes;
};

/* Returns 0 if the current node has no properties of chips. */
static inline int pmumap_imc_find_chips_(const struct pmumap_imc_reader_ *r,
					 struct pmumap_imc_chip_cells_ *c)
{
	c->bases = pmumap_fdt_value_(&r->w,
				     r->found[PMUMAP_IMC_PROPERTY_BASE_]
					     ? PMUMAP_IMC_PROPERTY_BASE_
					     : PMUMAP_IMC_PROPERTY_DOC_BASE_,
				     &c->base_bytes);
	c->chips = pmumap_fdt_value_(&r->w,
				     r->found[PMUMAP_IMC_PROPERTY_CHIP_]
					     ? PMUMAP_IMC_PROPERTY_CHIP_
					     : PMUMAP_IMC_PROPERTY_DOC_CHIP_,
				     &c->chip_bytes);
	return c->bases || c->chips;
}

#define PMUMAP_IMC_USUAL_CONTROL_ 0x3fc00u /* place of the control block if the unit gives none */
#define PMUMAP_IMC_NO_CONTROL_ 0xffffffffu /* outside every window: cb_offset is malformed */

/*
 * Read the window of a nest unit; format: the root may give it for all units. Without one, the size
 * becomes 0.
 */
static inline void pmumap_imc_read_window_(const struct pmumap_imc_reader_ *r, int format,
					   struct pmumap_imc_unit *u)
{
	int known = format == PMUMAP_IMC_BY_DOMAIN_ && r->nest_window, size, offset;

	if (known) {
		u->size = r->nest_size;
		u->offset = r->nest_offset;
	}
	size = pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_SIZE_, &u->size);
	offset = pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_OFFSET_, &u->offset);
	if (size < 0 || offset < 0 || (!offset && !known))
		u->size = 0;
	u->control = PMUMAP_IMC_USUAL_CONTROL_;
	if (pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_CONTROL_, &u->control) < 0)
		u->control = PMUMAP_IMC_NO_CONTROL_;
}

/* Whether a unit is kept, or why it is dropped. */
enum pmumap_imc_fate_ {
	PMUMAP_IMC_KEPT_,
	PMUMAP_IMC_BAD_TYPE_, /* dropped: its type is missing or unknown */
	PMUMAP_IMC_UNWANTED_, /* dropped: by the options, it does not exist */
	PMUMAP_IMC_NO_REG_    /* dropped: the place of its counters is unknown */
};

/*
 * Describe the current unit, whose format implies a type. If it is kept, fill in everything but
 * events, and c; strings are in the tree, or NULL.
 */
static inline enum pmumap_imc_fate_ pmumap_imc_describe_unit_(const struct pmumap_imc_reader_ *r,
							      int format, uint32_t type,
							      struct pmumap_imc_unit *u,
							      struct pmumap_imc_chip_cells_ *c)
{
	u->name = (const char *)pmumap_fdt_name_(&r->w);
	u->type = type;
	u->reg = u->offset = u->control = u->size = u->chips = 0;
	if (pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_TYPE_, &u->type) < 0 ||
	    !pmumap_imc_is_type_(u->type))
		return PMUMAP_IMC_BAD_TYPE_;
	if (r->opt && r->opt->wanted && !r->opt->wanted(r->opt, u->type, u->name))
		return PMUMAP_IMC_UNWANTED_;
	if (!pmumap_fdt_cell_(&r->w, PMUMAP_IMC_PROPERTY_REG_, &u->reg) &&
	    r->found[PMUMAP_IMC_PROPERTY_EVENTS_])
		return PMUMAP_IMC_NO_REG_;
	u->prefix = pmumap_fdt_text_(&r->w, PMUMAP_IMC_PROPERTY_PREFIX_);
	u->scale = pmumap_fdt_text_(&r->w, PMUMAP_IMC_PROPERTY_SCALE_);
	u->measure = pmumap_fdt_text_(&r->w, PMUMAP_IMC_PROPERTY_UNIT_);
	if (u->type != PMUMAP_IMC_NEST) {
		(void)pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_SIZE_, &u->size);
		return PMUMAP_IMC_KEPT_;
	}
	pmumap_imc_read_window_(r, format, u);
	if (u->size && pmumap_imc_find_chips_(r, c))
		u->chips = c->base_bytes / 8 < c->chip_bytes / 4 ? c->base_bytes / 8
								 : c->chip_bytes / 4;
	return PMUMAP_IMC_KEPT_;
}
