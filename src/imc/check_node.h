/* SPDX-License-Identifier: BSD-2-Clause */
/* Check a node of the tree */
#pragma once

#include "core/status.h"
#include "imc/findings_api.h"
#include "imc/words.h"
#include "imc/fdt.h"

enum {
	PMUMAP_IMC_IN_NODE_, /* the node as a whole */
#define PMUMAP_X_(name, text) PMUMAP_IMC_IN_##name##_,
	PMUMAP_IMC_PLACE_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
};

/* For each finding: its number in the list, and the offset of its name in the joined names. */
enum {
#define PMUMAP_X_(name, number, text) PMUMAP_IMC_NTH_##name##_,
	PMUMAP_IMC_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

enum {
#define PMUMAP_X_(name, number, text)                                                              \
	PMUMAP_IMC_NAME_##name##_,                                                                 \
		PMUMAP_IMC_NAME_END_##name##_ = PMUMAP_IMC_NAME_##name##_ + sizeof(text) - 1,
	PMUMAP_IMC_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/* A finding packed into a number: number in the list, severity and place, lowest byte first. */
#define PMUMAP_IMC_FINDING_(code, severity, place)                                                 \
	((uint32_t)PMUMAP_IMC_NTH_##code##_ | (uint32_t)PMUMAP_##severity << 8 |                   \
	 (uint32_t)PMUMAP_IMC_IN_##place##_ << 16)

/*
 * The state of a check. The reader comes first: the callback of its walk casts its address to that
 * of the checker.
 */
struct pmumap_imc_checker_ {
	struct pmumap_imc_reader_ r;
	const struct pmumap_imc_options *opt;
	uint32_t node;             /* of the next finding */
	uint32_t *nodes;           /* of the map's units */
	uint32_t units, events;    /* so far, without dropped units */
	uint32_t old_format;       /* 1: a unit had an old format */
	uint32_t left_out;         /* 1: a unit was dropped, here or by firmware */
	uint32_t places_unchecked; /* 1: no room to compare the counters' places */
};

/* Report a finding. row: a unit or event, or NO_ROW; other: another unit, or NO_ROW. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_imc_tell_two_(const struct pmumap_imc_checker_ *c,
						       uint32_t what, uint32_t row, uint32_t other,
						       uint64_t value)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_IMC_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) PMUMAP_IMC_NAME_##name##_,
	static const uint16_t starts[] = { PMUMAP_IMC_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char names[] = PMUMAP_IMC_FINDING_LIST(PMUMAP_X_);
#undef PMUMAP_X_
#define PMUMAP_X_(name, text) text "\0"
	static const char places[] = PMUMAP_IMC_PLACE_LIST_(PMUMAP_X_);
#undef PMUMAP_X_
	uint32_t place = what >> 16;
	struct pmumap_finding f;

	if (!c->opt || !c->opt->report)
		return;
	f.code = numbers[what & 0xff];
	f.name = names + starts[what & 0xff];
	f.severity = (enum pmumap_severity)(what >> 8 & 0xff);
	f.node = (int)c->node;
	f.property = place == PMUMAP_IMC_IN_NODE_ ? 0 : pmumap_nth_text_(places, place - 1);
	f.row = row;
	f.other_property = other == PMUMAP_NO_ROW ? 0 : f.property;
	f.other = other;
	f.value = value;
	c->opt->report(c->opt->arg, &f);
}

/* Report a finding about one unit or event; NO_ROW: about neither. */
static inline void pmumap_imc_tell_(const struct pmumap_imc_checker_ *c, uint32_t what,
				    uint32_t row, uint64_t value)
{
	pmumap_imc_tell_two_(c, what, row, PMUMAP_NO_ROW, value);
}

/* Check the texts of the current unit or event that may be absent but not empty. */
static inline void pmumap_imc_check_texts_(const struct pmumap_imc_checker_ *c, uint32_t row)
{
	const char *scale = pmumap_fdt_property_text_(&c->r.w, PMUMAP_IMC_PROPERTY_SCALE_);
	const char *measure = pmumap_fdt_property_text_(&c->r.w, PMUMAP_IMC_PROPERTY_UNIT_);

	if (scale && !*scale)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(SCALE_EMPTY, WARNING, SCALE), row, 0);
	if (measure && !*measure)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(SCALE_EMPTY, WARNING, UNIT), row, 0);
}

/* Report a scale that is not a number. */
static inline void pmumap_imc_check_scale_(const struct pmumap_imc_checker_ *c, uint32_t row)
{
	const char *scale = pmumap_fdt_property_text_(&c->r.w, PMUMAP_IMC_PROPERTY_SCALE_);
	uint64_t mantissa;
	int32_t exponent;

	if (scale && *scale && !pmumap_imc_scale(scale, &mantissa, &exponent))
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(SCALE_BAD, WARNING, SCALE), row, 0);
}

/* Like pmumap_imc_read_cell_(), but report a wrong width; what: CELL_WIDTH at this property. */
static inline int pmumap_imc_check_cell_(const struct pmumap_imc_checker_ *c, uint32_t property,
					 uint32_t what, uint32_t *value)
{
	int found = pmumap_imc_read_cell_(&c->r.w, property, value);
	uint32_t bytes;

	(void)pmumap_fdt_property_value_(&c->r.w, property, &bytes);
	if (found < 0)
		pmumap_imc_tell_(c, what, c->units, bytes);
	return found;
}

/* Report why the current unit has no type; type: the one that its format implies. */
static inline void pmumap_imc_check_type_(const struct pmumap_imc_checker_ *c, uint32_t type)
{
	int found = pmumap_imc_check_cell_(c, PMUMAP_IMC_PROPERTY_TYPE_,
					   PMUMAP_IMC_FINDING_(CELL_WIDTH, ERROR, TYPE), &type);

	if (found == 0)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(TYPE_MISSING, ERROR, TYPE), c->units, 0);
	else if (found > 0)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(TYPE_UNKNOWN, ERROR, TYPE), c->units, type);
}

/* Check the window of the current nest unit, and the control block in it. */
static inline void pmumap_imc_check_window_(const struct pmumap_imc_checker_ *c, int old)
{
	int known = old && c->r.nest_window, size, offset, control;
	uint32_t window = known ? c->r.nest_size : 0, at = 0, ignored;

	size = pmumap_imc_check_cell_(c, PMUMAP_IMC_PROPERTY_SIZE_,
				      PMUMAP_IMC_FINDING_(CELL_WIDTH, ERROR, SIZE), &window);
	offset = pmumap_imc_check_cell_(c, PMUMAP_IMC_PROPERTY_OFFSET_,
					PMUMAP_IMC_FINDING_(CELL_WIDTH, ERROR, OFFSET), &ignored);
	control = pmumap_imc_check_cell_(c, PMUMAP_IMC_PROPERTY_CONTROL_,
					 PMUMAP_IMC_FINDING_(CELL_WIDTH, ERROR, CONTROL), &at);
	if (size < 0 || offset < 0)
		return;
	if (window == 0)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(WINDOW_MISSING, ERROR, SIZE), c->units, 0);
	else if (!offset && !known)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(WINDOW_MISSING, ERROR, OFFSET), c->units,
				 0);
	else if (control > 0 && (window < PMUMAP_IMC_CB_BYTES || at > window - PMUMAP_IMC_CB_BYTES))
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(CONTROL_RANGE, WARNING, CONTROL), c->units,
				 at);
}

/* Check the current unit, which is kept. */
static inline void pmumap_imc_check_kept_unit_(const struct pmumap_imc_checker_ *c,
					       const struct pmumap_imc_unit *u, int old)
{
	struct pmumap_imc_chip_cells_ chips;
	uint32_t size;

	pmumap_imc_check_texts_(c, c->units);
	if (u->type == PMUMAP_IMC_NEST)
		pmumap_imc_check_window_(c, old);
	else if (!pmumap_imc_check_cell_(c, PMUMAP_IMC_PROPERTY_SIZE_,
					 PMUMAP_IMC_FINDING_(CELL_WIDTH, ERROR, SIZE), &size) &&
		 !old)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(WINDOW_MISSING, WARNING, SIZE), c->units,
				 0);
	if (!u->prefix && c->r.w.found[PMUMAP_IMC_PROPERTY_EVENTS_])
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(PREFIX_MISSING, WARNING, EVENTS_PREFIX),
				 c->units, 0);
	pmumap_imc_check_scale_(c, c->units);
	if (u->type == PMUMAP_IMC_NEST && u->size && pmumap_imc_find_chips_(&c->r.w, &chips) &&
	    (chips.base_bytes % 8 || chips.chip_bytes % 4 ||
	     chips.base_bytes / 8 != chips.chip_bytes / 4))
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(CHIP_MISMATCH, WARNING, CHIP_ID), c->units,
				 chips.chip_bytes / 4);
}

/* Check a child of the root. A list by itself has nothing to check. */
static inline void pmumap_imc_check_child_(struct pmumap_imc_checker_ *c)
{
	struct pmumap_imc_chip_cells_ chips;
	struct pmumap_imc_unit u;
	uint32_t type, flags;
	int format = pmumap_imc_node_format_(&c->r.w, &type), old = format == 2;
	enum pmumap_imc_fate_ fate;

	if (!format)
		return;
	if (old && !c->old_format)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(OLD_FORMAT, WARNING, COMPATIBLE), c->units,
				 0);
	c->old_format |= (uint32_t)old;
	u.type = type;
	fate = pmumap_imc_describe_unit_(&c->r, old, &u, &flags);
	if (fate == PMUMAP_IMC_BAD_TYPE_)
		pmumap_imc_check_type_(c, type);
	else if (fate == PMUMAP_IMC_NO_REG_)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(REG_MISSING, ERROR, REG), c->units, 0);
	/* Dropped here, or earlier by firmware, which keeps the lists. */
	if (fate != PMUMAP_IMC_KEPT_ || c->r.w.depth > 2 || pmumap_imc_find_chips_(&c->r.w, &chips))
		c->left_out = 1;
	if (fate == PMUMAP_IMC_KEPT_) {
		pmumap_imc_check_kept_unit_(c, &u, old);
		c->units++;
	}
}

static inline void pmumap_imc_check_event_(struct pmumap_imc_checker_ *c)
{
	const struct pmumap_fdt_walk_ *w = &c->r.w;
	const char *name = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_EVENT_NAME_);
	uint32_t row, reg;

	if (!w->found[PMUMAP_IMC_PROPERTY_REG_] && !w->found[PMUMAP_IMC_PROPERTY_EVENT_NAME_])
		return;
	row = c->events++;
	pmumap_imc_check_texts_(c, row);
	if (!name)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(NAME_MISSING, ERROR, EVENT_NAME), row, 0);
	else if (!pmumap_fdt_property_number_(w, PMUMAP_IMC_PROPERTY_REG_, &reg))
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(REG_MISSING, ERROR, REG), row, 0);
	else
		pmumap_imc_check_scale_(c, row);
	if (name && !*name)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(NAME_MISSING, WARNING, EVENT_NAME), row, 0);
}

/* Read and check the current node, whose properties are complete. */
static inline void pmumap_imc_check_node_(struct pmumap_fdt_walk_ *w)
{
	struct pmumap_imc_checker_ *c = (struct pmumap_imc_checker_ *)(void *)w;

	pmumap_imc_read_node_(w);
	c->node = w->offset;
	if (c->r.depth && w->depth == c->r.depth + 1)
		pmumap_imc_check_child_(c);
	else if (c->r.depth && w->depth == c->r.depth + 2)
		pmumap_imc_check_event_(c);
}
