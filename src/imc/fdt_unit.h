/* SPDX-License-Identifier: BSD-2-Clause */
/* A unit of a catalog or of /imc-counters: type, window, chips */
#pragma once

#include "imc/available.h"
#include "imc/add.h"
#include "pool/property.h"

/* Properties to read. */
#define PMUMAP_IMC_PROPERTY_LIST_(X)                                                               \
	X(COMPATIBLE, "compatible")                                                                \
	X(REG, "reg")                                                                              \
	X(ADDRESS_CELLS, "#address-cells")                                                         \
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
	X(NEST_SIZE, "imc-nest-size")                                                              \
	X(IMA_OFFSET, "ima-nest-offset")                                                           \
	X(IMA_SIZE, "ima-nest-size")                                                               \
	X(HOMER_CHIP, "ibm,chip-id")

enum {
#define PMUMAP_X_(name, text) PMUMAP_IMC_PROPERTY_##name##_,
	PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_IMC_PROPERTIES_
};

/*
 * The state of reading a tree. A depth is 0 outside of its node. The walk comes first: its callback
 * casts its address to that of the reader.
 */
struct pmumap_imc_reader_ {
	struct pmumap_fdt_walk_ w;
	uint32_t found[PMUMAP_IMC_PROPERTIES_];
	struct pmumap_imc_builder *b;
	const struct pmumap_imc_options *opt;
	uint32_t depth;                          /* of the IMC root around the walk */
	uint32_t nest_offset, nest_size;         /* the window that root gives its units */
	uint32_t nest_window;                    /* 1: it gives both, in one cell each */
	uint32_t reserved_depth, reserved_cells; /* of /reserved-memory; of addresses in it */
	uint32_t roots;                          /* so far */
};

/* The current node's format. 0: not a unit; 1: current; 2: old, whose compatible gives *type. */
static inline int pmumap_imc_node_format_(const struct pmumap_fdt_walk_ *w, uint32_t *type)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, PMUMAP_IMC_PROPERTY_COMPATIBLE_,
							    &bytes),
			    *suffix;

	*type = 0;
	suffix = pmumap_fdt_match_list_(p, bytes, "ibm,imc-counters", 1);
	if (!suffix)
		suffix = pmumap_fdt_match_list_(p, bytes, "ibm,ima-counters", 1);
	if (!suffix)
		return 0;
	if (*suffix == 0)
		return 1;
	if (pmumap_fdt_match_string_(suffix, "-nest", 0))
		*type = PMUMAP_IMC_NEST;
	else if (pmumap_fdt_match_string_(suffix, "-core", 0))
		*type = PMUMAP_IMC_CORE;
	else if (pmumap_fdt_match_string_(suffix, "-thread", 0))
		*type = PMUMAP_IMC_THREAD;
	return 2;
}

/* The chips of the current unit: as many bases as ids, unless the tree is wrong. */
struct pmumap_imc_chip_cells_ {
	const unsigned char *bases, *chips;
	uint32_t base_bytes, chip_bytes;
};

/* Returns 0 if the unit has no properties of chips. */
static inline int pmumap_imc_find_chips_(const struct pmumap_fdt_walk_ *w,
					 struct pmumap_imc_chip_cells_ *c)
{
	c->bases = pmumap_fdt_property_value_(
		w,
		pmumap_fdt_either_property_(w, PMUMAP_IMC_PROPERTY_BASE_,
					    PMUMAP_IMC_PROPERTY_DOC_BASE_),
		&c->base_bytes);
	c->chips = pmumap_fdt_property_value_(
		w,
		pmumap_fdt_either_property_(w, PMUMAP_IMC_PROPERTY_CHIP_,
					    PMUMAP_IMC_PROPERTY_DOC_CHIP_),
		&c->chip_bytes);
	return c->bases || c->chips;
}

/* Add the chips of the unit added last. */
static inline void pmumap_imc_read_chips_(const struct pmumap_fdt_walk_ *w,
					  struct pmumap_imc_builder *b)
{
	struct pmumap_imc_chip_cells_ c;
	uint32_t i;

	(void)pmumap_imc_find_chips_(w, &c);
	for (i = 0; i < c.base_bytes / 8 && i < c.chip_bytes / 4; i++)
		(void)pmumap_imc_add_chip(b, pmumap_load_be32_(c.chips + 4 * i),
					  pmumap_load_be64_(c.bases + 8 * i));
}

/*
 * Read a property of the current unit that must be one cell. Returns 1; 0 if it is absent; -1 if it
 * has another width. Unless 1, *value is unchanged.
 */
static inline int pmumap_imc_read_cell_(const struct pmumap_fdt_walk_ *w, uint32_t property,
					uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, property, &bytes);

	if (!p)
		return 0;
	if (bytes != 4)
		return -1;
	*value = pmumap_load_be32_(p);
	return 1;
}

/*
 * Read the window of a nest unit; old: the root may give it for all units. Without one, the size
 * becomes 0. Returns flags for the unit; OWN_CHIPS: it has no window, and so no chips.
 */
static inline uint32_t pmumap_imc_read_window_(const struct pmumap_imc_reader_ *r,
					       struct pmumap_imc_unit *u, int old)
{
	int size, offset, control, known = old && r->nest_window;
	uint32_t flags = 0;

	if (known) {
		u->size = r->nest_size;
		u->offset = r->nest_offset;
	}
	size = pmumap_imc_read_cell_(&r->w, PMUMAP_IMC_PROPERTY_SIZE_, &u->size);
	offset = pmumap_imc_read_cell_(&r->w, PMUMAP_IMC_PROPERTY_OFFSET_, &u->offset);
	control = pmumap_imc_read_cell_(&r->w, PMUMAP_IMC_PROPERTY_CONTROL_, &u->control);
	if (control)
		flags |= PMUMAP_IMC_UNIT_OWN_CONTROL_;
	if (control < 0)
		u->control = PMUMAP_IMC_NO_CONTROL_;
	if (size >= 0 && offset >= 0 && u->size && (offset || known))
		return flags;
	u->size = 0;
	return flags | PMUMAP_IMC_UNIT_OWN_CHIPS_;
}

/* Whether a unit is kept, or why it is dropped. */
enum pmumap_imc_fate_ {
	PMUMAP_IMC_KEPT_,
	PMUMAP_IMC_BAD_TYPE_, /* dropped: its type is missing or unknown */
	PMUMAP_IMC_UNWANTED_, /* dropped: by the options, it does not exist */
	PMUMAP_IMC_NO_REG_    /* dropped: the place of its counters is unknown */
};

/*
 * Describe the current unit. u->type is the one that its format implies. If the unit is kept, fill
 * in everything but events and chips, and *flags for its entry.
 */
static inline enum pmumap_imc_fate_ pmumap_imc_describe_unit_(const struct pmumap_imc_reader_ *r,
							      int old, struct pmumap_imc_unit *u,
							      uint32_t *flags)
{
	const struct pmumap_fdt_walk_ *w = &r->w;
	uint32_t shared = w->found[PMUMAP_IMC_PROPERTY_EVENTS_];
	struct pmumap_imc_chip_cells_ chips;

	u->name = (const char *)pmumap_fdt_node_name_(w);
	u->reg = u->offset = u->control = u->size = 0;
	if (pmumap_imc_read_cell_(w, PMUMAP_IMC_PROPERTY_TYPE_, &u->type) < 0 ||
	    !pmumap_imc_is_type_(u->type))
		return PMUMAP_IMC_BAD_TYPE_;
	if (r->opt &&
	    !pmumap_imc_is_wanted_(r->opt->generation, r->opt->available, u->type, u->name))
		return PMUMAP_IMC_UNWANTED_;
	if (!pmumap_fdt_property_number_(w, PMUMAP_IMC_PROPERTY_REG_, &u->reg) && shared)
		return PMUMAP_IMC_NO_REG_;
	u->prefix = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_PREFIX_);
	u->scale = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_SCALE_);
	u->measure = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_UNIT_);
	*flags = shared ? 0 : (uint32_t)PMUMAP_IMC_UNIT_OWN_LIST_;
	if (u->type != PMUMAP_IMC_NEST) {
		(void)pmumap_imc_read_cell_(w, PMUMAP_IMC_PROPERTY_SIZE_, &u->size);
		return PMUMAP_IMC_KEPT_;
	}
	*flags |= pmumap_imc_read_window_(r, u, old);
	if (u->size && pmumap_imc_find_chips_(w, &chips))
		*flags |= PMUMAP_IMC_UNIT_OWN_CHIPS_;
	return PMUMAP_IMC_KEPT_;
}

/* Add the current unit, unless it is dropped. */
static inline void pmumap_imc_read_unit_(const struct pmumap_imc_reader_ *r, uint32_t type, int old)
{
	struct pmumap_imc_unit u;
	uint32_t list = 0, flags;

	u.type = type;
	if (pmumap_imc_describe_unit_(r, old, &u, &flags) != PMUMAP_IMC_KEPT_)
		return;
	(void)pmumap_fdt_property_number_(&r->w, PMUMAP_IMC_PROPERTY_EVENTS_, &list);
	(void)pmumap_imc_add_unit_entries_(r->b, list, &u, flags);
	if (u.size && (flags & PMUMAP_IMC_UNIT_OWN_CHIPS_))
		pmumap_imc_read_chips_(&r->w, r->b);
}
