/* SPDX-License-Identifier: BSD-2-Clause */
/* Read a tree: its units and events */
#pragma once

#include "fdt/memo.h"
#include "imc/tables.h"

/* The properties to read. */
/* clang-format off */
#define PMUMAP_IMC_PROPERTY_LIST_(X) \
	X(COMPATIBLE, "compatible") X(REG, "reg") X(PHANDLE, "phandle") \
	X(LINUX_PHANDLE, "linux,phandle") X(EVENT_NAME, "event-name") X(DESC, "desc") \
	X(SCALE, "scale") X(UNIT, "unit") X(EVENTS, "events") X(PREFIX, "events-prefix") \
	X(TYPE, "type") X(SIZE, "size") X(OFFSET, "offset") X(CONTROL, "cb_offset") \
	X(BASE, "base-addr") X(CHIP, "chip-id") X(DOC_BASE, "base_addr") \
	X(DOC_CHIP, "chipids") X(NEST_OFFSET, "imc-nest-offset") \
	X(NEST_SIZE, "imc-nest-size")
/* clang-format on */

enum {
#define PMUMAP_X_(name, text) PMUMAP_IMC_P_##name##_,
	PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_IMC_P_COUNT_
};

#define PMUMAP_IMC_LISTS_ 129u

/* A list of events; the first node with its phandle. List 0 has none, for units without a list. */
struct pmumap_imc_list_ {
	uint32_t phandle, node; /* node: its offset; 0: the walk has not come to it */
	uint32_t events;        /* that have a name and an offset, so far in this walk */
	uint32_t own;           /* not 0: some have own strings */
	uint32_t bytes;         /* that its events take for each user, without prefixes */
	uint32_t users;         /* units that are kept */
	uint32_t first;         /* its first event in the scratch memory */
	uint32_t longest_name, longest_prefix;
};

/* The state of a build. */
struct pmumap_imc_build_ {
	struct pmumap_fdt_cursor_ w;
	uint32_t found[PMUMAP_IMC_P_COUNT_];
	uint32_t memos[PMUMAP_FDT_MEMOS_][2];
	const void *fdt;
	size_t fdt_size;
	const struct pmumap_imc_options *opt;
	uint32_t root, roots;            /* depth of the IMC root around the walk, or 0; how many */
	uint32_t nest_offset, nest_size; /* the window that the root gives its units */
	uint32_t nest_window;            /* 1: it gives both, in one cell each */
	struct pmumap_imc *m;            /* NULL: count */
	uint64_t need;                   /* bytes of the block */
	uint32_t scratch;                /* offset of the scratch memory, at its end */
	uint32_t units, chips, names;    /* counted */
	uint32_t events;                 /* of lists that are used */
	uint32_t list_count, full;       /* 1: there are too many */
	struct pmumap_imc_list_ *list;   /* that the next events belong to, or NULL */
	struct pmumap_imc_list_ lists[PMUMAP_IMC_LISTS_];
};

/* Begin a walk over the tree. */
static inline enum pmumap_status pmumap_imc_begin_(struct pmumap_imc_build_ *b)
{
	static const char wanted[] = PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_FDT_WANT_);
	static const unsigned char lengths[] = { PMUMAP_IMC_PROPERTY_LIST_(
		PMUMAP_FDT_WANT_BYTES_) };

	b->w.memos = b->memos;
	b->w.wanted = wanted;
	b->w.lengths = lengths;
	b->w.count = PMUMAP_IMC_P_COUNT_;
	b->w.found = b->found;
	b->root = b->roots = 0;
	b->list = 0;
	return pmumap_fdt_begin_(&b->w, b->fdt, b->fdt_size);
}

/* Read a property that must be one cell. Returns 1; otherwise 0: absent; or -1: another width. */
static inline int pmumap_imc_read_cell_(const struct pmumap_imc_build_ *b, uint32_t property,
					uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_value_(&b->w, property, &bytes);

	if (!p || bytes != 4)
		return p ? -1 : 0;
	*value = pmumap_load_be32_(p);
	return 1;
}

/* Match the current node's compatible. Returns the rest of the string, or NULL. */
static inline const unsigned char *pmumap_imc_compatible_(const struct pmumap_imc_build_ *b,
							  const char *text, int prefix)
{
	uint32_t bytes;
	const unsigned char *list = pmumap_fdt_value_(&b->w, PMUMAP_IMC_P_COMPATIBLE_, &bytes);

	return pmumap_fdt_match_list_(list, bytes, text, prefix);
}

/* Go to the next child of a root, or to the next node in one. Below 0: the tree is malformed. */
static inline int pmumap_imc_next_(struct pmumap_imc_build_ *b)
{
	int more;

	while ((more = pmumap_fdt_next_(&b->w, pmumap_fdt_recall_)) > 0) {
		if (b->w.depth <= b->root)
			b->root = 0;
		if (b->root && b->w.depth <= b->root + 2)
			break;
		if (b->root || !pmumap_imc_compatible_(b, "ibm,opal-in-memory-counters", 0) ||
		    (b->opt->node && (uint32_t)b->opt->node != b->w.offset))
			continue;
		b->root = b->w.depth;
		b->roots++;
		b->nest_window =
			pmumap_imc_read_cell_(b, PMUMAP_IMC_P_NEST_OFFSET_, &b->nest_offset) > 0 &&
			pmumap_imc_read_cell_(b, PMUMAP_IMC_P_NEST_SIZE_, &b->nest_size) > 0;
	}
	return more;
}

/* The list of the phandle in a property, or in its older one. 0: none, or there are too many. */
static inline uint32_t pmumap_imc_list_of_(struct pmumap_imc_build_ *b, uint32_t property,
					   uint32_t older)
{
	uint32_t phandle = pmumap_fdt_phandle_(&b->w, property, older), i = 0;

	while (i < b->list_count && b->lists[i].phandle != phandle)
		i++;
	b->full |= i == PMUMAP_IMC_LISTS_;
	if (b->full)
		return 0;
	if (i == b->list_count) {
		pmumap_zero_words_(b->lists + i, sizeof(b->lists[i]));
		b->lists[i].phandle = phandle;
		b->list_count++;
	}
	return i;
}

/*
 * Begin the current child. If it is a unit, returns what its compatible has behind "imc-counters":
 * "", or its type in the formats before June 2017. Otherwise returns NULL: it may be a list.
 */
static inline const unsigned char *pmumap_imc_begin_child_(struct pmumap_imc_build_ *b)
{
	const unsigned char *suffix = pmumap_imc_compatible_(b, "ibm,imc-counters", 1);
	struct pmumap_imc_list_ *list = b->lists;

	b->list = 0;
	if (!b->found[PMUMAP_IMC_P_BASE_])
		b->found[PMUMAP_IMC_P_BASE_] = b->found[PMUMAP_IMC_P_DOC_BASE_];
	if (!b->found[PMUMAP_IMC_P_CHIP_])
		b->found[PMUMAP_IMC_P_CHIP_] = b->found[PMUMAP_IMC_P_DOC_CHIP_];
	if (suffix)
		return suffix;
	list += pmumap_imc_list_of_(b, PMUMAP_IMC_P_PHANDLE_, PMUMAP_IMC_P_LINUX_PHANDLE_);
	if (list != b->lists && list->node == 0)
		list->node = b->w.offset;
	if (list->node == b->w.offset)
		b->list = list;
	return 0;
}

/* The offset in the tree of a string of the current node; 0 if it is missing or empty. */
static inline uint32_t pmumap_imc_text_(const struct pmumap_imc_build_ *b, uint32_t property)
{
	const char *text = pmumap_fdt_text_(&b->w, property);

	return text && *text ? b->found[property] : 0;
}

/* Bytes of a string in the tree; 0 for offset 0. */
static inline uint32_t pmumap_imc_text_bytes_(const struct pmumap_imc_build_ *b, uint32_t at)
{
	uint32_t n = 0;

	for (; at && b->w.blob[at + n]; n++)
		PMUMAP_NO_LIBCALL_();
	return n;
}

#define PMUMAP_IMC_STRINGS_ 4u

/* Whether the current node is an event. strings: where its name, scale, measure and desc are. */
static inline int pmumap_imc_read_event_(const struct pmumap_imc_build_ *b, uint32_t *strings,
					 uint32_t *offset)
{
	if (!pmumap_fdt_text_(&b->w, PMUMAP_IMC_P_EVENT_NAME_) ||
	    !pmumap_fdt_cell_(&b->w, PMUMAP_IMC_P_REG_, offset))
		return 0;
	strings[0] = b->found[PMUMAP_IMC_P_EVENT_NAME_];
	strings[1] = pmumap_imc_text_(b, PMUMAP_IMC_P_SCALE_);
	strings[2] = pmumap_imc_text_(b, PMUMAP_IMC_P_UNIT_);
	strings[3] = b->opt->flags & PMUMAP_DESC ? pmumap_imc_text_(b, PMUMAP_IMC_P_DESC_) : 0;
	return 1;
}

/*
 * Describe the current unit, whose compatible ends in suffix. Returns 1 if it is kept: then first
 * is its list, and strings and chips are in the tree, the bases at chips, the numbers at events.
 * Returns 0 if it is wrong: without a type, or the place of its counters is unknown; -1: unwanted.
 */
static inline int pmumap_imc_describe_unit_(struct pmumap_imc_build_ *b,
					    const unsigned char *suffix,
					    struct pmumap_imc_unit_row_ *u)
{
	uint32_t known = *suffix && b->nest_window, base_bytes, chip_bytes;
	uint32_t type = pmumap_fdt_match_string_(suffix, "-nest", 0)     ? PMUMAP_IMC_NEST
			: pmumap_fdt_match_string_(suffix, "-core", 0)   ? PMUMAP_IMC_CORE
			: pmumap_fdt_match_string_(suffix, "-thread", 0) ? PMUMAP_IMC_THREAD
									 : 0;
	int size, offset;

	pmumap_zero_words_(u, sizeof(*u));
	if (pmumap_imc_read_cell_(b, PMUMAP_IMC_P_TYPE_, &type) < 0 || !pmumap_imc_is_type_(type))
		return 0;
	u->type = (uint8_t)type;
	if (b->opt->wanted && !b->opt->wanted(b->opt, type, (const char *)pmumap_fdt_name_(&b->w)))
		return -1;
	if (!pmumap_fdt_cell_(&b->w, PMUMAP_IMC_P_REG_, &u->reg) && b->found[PMUMAP_IMC_P_EVENTS_])
		return 0;
	u->first = pmumap_imc_list_of_(b, PMUMAP_IMC_P_EVENTS_, PMUMAP_IMC_P_EVENTS_);
	u->name = b->w.start + b->w.offset + 4;
	u->prefix = pmumap_imc_text_(b, PMUMAP_IMC_P_PREFIX_);
	u->prefix_bytes = (uint16_t)pmumap_imc_text_bytes_(b, u->prefix);
	u->scale = pmumap_imc_text_(b, PMUMAP_IMC_P_SCALE_);
	u->measure = pmumap_imc_text_(b, PMUMAP_IMC_P_UNIT_);
	if (type == PMUMAP_IMC_NEST && known) {
		u->size = b->nest_size;
		u->offset = b->nest_offset;
	}
	size = pmumap_imc_read_cell_(b, PMUMAP_IMC_P_SIZE_, &u->size);
	if (type != PMUMAP_IMC_NEST)
		return 1;
	offset = pmumap_imc_read_cell_(b, PMUMAP_IMC_P_OFFSET_, &u->offset);
	if (size < 0 || offset < 0 || (!offset && !known))
		u->size = 0;  /* it has no window */
	u->control = 0x3fc00; /* where it usually is */
	if (pmumap_imc_read_cell_(b, PMUMAP_IMC_P_CONTROL_, &u->control) < 0)
		u->control = 0xffffffffu; /* outside every window */
	u->chips = b->found[PMUMAP_IMC_P_BASE_];
	u->events = b->found[PMUMAP_IMC_P_CHIP_];
	(void)pmumap_fdt_value_(&b->w, PMUMAP_IMC_P_BASE_, &base_bytes);
	(void)pmumap_fdt_value_(&b->w, PMUMAP_IMC_P_CHIP_, &chip_bytes);
	if (u->size)
		u->chip_count = base_bytes / 8 < chip_bytes / 4 ? base_bytes / 8 : chip_bytes / 4;
	return 1;
}
