/* SPDX-License-Identifier: BSD-2-Clause */
/* Check a node of the tree */
#pragma once

#include "core/status.h"
#include "imc/build.h"
#include "imc/scale.h"

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

/* The state of a check: the map, and a walk that compares the tree with it. */
struct pmumap_imc_checker_ {
	struct pmumap_imc_build_ b;
	pmumap_report_fn *report;
	void *arg;
	uint32_t node;          /* of the next finding */
	uint32_t units, events; /* so far; without dropped units */
	uint32_t old_format;    /* 1: a unit had an old format */
	uint32_t left_out;      /* 1: a unit was dropped, here or by firmware */
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

	f.code = numbers[what & 0xff];
	f.name = names + starts[what & 0xff];
	f.severity = (enum pmumap_severity)(what >> 8 & 0xff);
	f.node = (int)c->node;
	f.property = place == PMUMAP_IMC_IN_NODE_ ? 0 : pmumap_nth_text_(places, place - 1);
	f.row = row;
	f.other_property = other == PMUMAP_NO_ROW ? 0 : f.property;
	f.other = other;
	f.value = value;
	c->report(c->arg, &f);
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
	const char *scale = pmumap_fdt_text_(&c->b.r.w, PMUMAP_IMC_PROPERTY_SCALE_);
	const char *measure = pmumap_fdt_text_(&c->b.r.w, PMUMAP_IMC_PROPERTY_UNIT_);

	if (scale && !*scale)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(SCALE_EMPTY, WARNING, SCALE), row, 0);
	if (measure && !*measure)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(SCALE_EMPTY, WARNING, UNIT), row, 0);
}

/* Report a scale that is not a number. */
static inline void pmumap_imc_check_scale_(const struct pmumap_imc_checker_ *c, uint32_t row)
{
	const char *scale = pmumap_fdt_text_(&c->b.r.w, PMUMAP_IMC_PROPERTY_SCALE_);
	uint64_t mantissa;
	int32_t exponent;

	if (scale && *scale && !pmumap_imc_scale(scale, &mantissa, &exponent))
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(SCALE_BAD, WARNING, SCALE), row, 0);
}

/* Like pmumap_imc_read_cell_(), but report a wrong width; what: CELL_WIDTH at this property. */
static inline int pmumap_imc_check_cell_(const struct pmumap_imc_checker_ *c, uint32_t property,
					 uint32_t what, uint32_t *value)
{
	int found = pmumap_imc_read_cell_(&c->b.r, property, value);
	uint32_t bytes;

	(void)pmumap_fdt_value_(&c->b.r.w, property, &bytes);
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
static inline void pmumap_imc_check_window_(const struct pmumap_imc_checker_ *c, int format)
{
	int known = format == PMUMAP_IMC_BY_DOMAIN_ && c->b.r.nest_window, size, offset, control;
	uint32_t window = known ? c->b.r.nest_size : 0, at = 0, ignored;

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
	else if (control > 0 && (window < PMUMAP_IMC_CONTROL_BYTES_ ||
				    at > window - PMUMAP_IMC_CONTROL_BYTES_))
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(CONTROL_RANGE, WARNING, CONTROL), c->units,
				 at);
}

/* Check the current unit, which is kept. */
static inline void pmumap_imc_check_kept_unit_(const struct pmumap_imc_checker_ *c, int format,
					       const struct pmumap_imc_unit *u)
{
	struct pmumap_imc_chip_cells_ chips;
	uint32_t size;

	pmumap_imc_check_texts_(c, c->units);
	if (u->type == PMUMAP_IMC_NEST)
		pmumap_imc_check_window_(c, format);
	else if (!pmumap_imc_check_cell_(c, PMUMAP_IMC_PROPERTY_SIZE_,
					 PMUMAP_IMC_FINDING_(CELL_WIDTH, ERROR, SIZE), &size) &&
		 format == PMUMAP_IMC_BY_TYPE_)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(WINDOW_MISSING, WARNING, SIZE), c->units,
				 0);
	if (!u->prefix && c->b.r.found[PMUMAP_IMC_PROPERTY_EVENTS_])
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(PREFIX_MISSING, WARNING, EVENTS_PREFIX),
				 c->units, 0);
	pmumap_imc_check_scale_(c, c->units);
	if (u->type == PMUMAP_IMC_NEST && u->size && pmumap_imc_find_chips_(&c->b.r, &chips) &&
	    (chips.base_bytes % 8 || chips.chip_bytes % 4 ||
	     chips.base_bytes / 8 != chips.chip_bytes / 4))
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(CHIP_MISMATCH, WARNING, CHIP_ID), c->units,
				 chips.chip_bytes / 4);
}

/* Report a unit in a format before June 2017, once. is_read: in one that pmumap still reads. */
static inline void pmumap_imc_check_format_(struct pmumap_imc_checker_ *c, int is_read)
{
	if (!c->old_format)
		pmumap_imc_tell_(c,
				 is_read ? PMUMAP_IMC_FINDING_(OLD_FORMAT, WARNING, COMPATIBLE)
					 : PMUMAP_IMC_FINDING_(OLD_FORMAT, ERROR, COMPATIBLE),
				 c->units, 0);
	c->old_format = 1;
}
