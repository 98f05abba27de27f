/* SPDX-License-Identifier: BSD-2-Clause */
/* Check a node of the tree */
#pragma once

#include "core/findings.h"
#include "imc/collect.h"
#include "imc/list.h"
#include "imc/scale.h"

/* The state of a check: what a build collects of the tree, and a walk over it. */
struct pmumap_imc_checker_ {
	struct pmumap_imc_build_ b;
	pmumap_report_fn *report; /* NULL: report nothing */
	void *arg;
	uint32_t node;           /* of the next finding */
	uint32_t units, events;  /* so far; without dropped units */
	uint32_t child, phandle; /* of the last child; */
	uint32_t in_unit;        /* 1: it is a unit, so its nodes are no events; */
	uint32_t unused;         /* if it is a list that no unit uses, its events */
	uint32_t old_format;     /* units in the formats before June 2017 */
	uint32_t left_out;       /* 1: a unit was dropped, here or by firmware */
	uint32_t counted[PMUMAP_IMC_LISTS_ / 32 + 1]; /* bits of lists that some unit counts */
};

/* Report a finding. property: of the node, or NULL. row, other: units or an event, or NO_ROW. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_imc_tell_(const struct pmumap_imc_checker_ *c,
						   enum pmumap_imc_code code,
						   enum pmumap_severity severity,
						   const char *property, uint32_t row,
						   uint32_t other, uint64_t value)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_IMC_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char names[] = PMUMAP_IMC_FINDING_LIST(PMUMAP_X_);
#undef PMUMAP_X_
	struct pmumap_finding f;

	if (!c->report)
		return;
	f.code = (uint32_t)code;
	f.name = pmumap_text_of_number_(numbers, sizeof(numbers), names, f.code);
	f.severity = severity;
	f.node = (int)c->node;
	f.property = property;
	f.row = row;
	f.other_property = other == PMUMAP_NO_ROW ? 0 : property;
	f.other = other;
	f.value = value;
	c->report(c->arg, &f);
}

#define PMUMAP_IMC_TELL_(c, code, severity, property, row, value)                                  \
	pmumap_imc_tell_(c, PMUMAP_F_##code, PMUMAP_##severity, property, row, PMUMAP_NO_ROW, value)

/* Check the scale and measure of the current unit or event. is_read: pmumap keeps it. */
static inline void pmumap_imc_check_scale_(const struct pmumap_imc_checker_ *c, uint32_t row,
					   int is_read)
{
	const char *scale = pmumap_fdt_text_(&c->b.w, PMUMAP_IMC_P_SCALE_);
	const char *measure = pmumap_fdt_text_(&c->b.w, PMUMAP_IMC_P_UNIT_);
	uint64_t mantissa;
	int32_t exponent;

	if (scale && !*scale)
		PMUMAP_IMC_TELL_(c, SCALE_EMPTY, WARNING, "scale", row, 0);
	else if (scale && is_read && !pmumap_imc_scale(scale, &mantissa, &exponent))
		PMUMAP_IMC_TELL_(c, SCALE_BAD, WARNING, "scale", row, 0);
	if (measure && !*measure)
		PMUMAP_IMC_TELL_(c, SCALE_EMPTY, WARNING, "unit", row, 0);
}

/* Like pmumap_imc_read_cell_(), but report a wrong width. name: of the property. */
static inline int pmumap_imc_check_cell_(const struct pmumap_imc_checker_ *c, uint32_t property,
					 const char *name, uint32_t *value)
{
	int found = pmumap_imc_read_cell_(&c->b, property, value);
	uint32_t bytes;

	(void)pmumap_fdt_value_(&c->b.w, property, &bytes);
	if (found < 0)
		PMUMAP_IMC_TELL_(c, CELL_WIDTH, ERROR, name, c->units, bytes);
	return found;
}

/* Report why the current unit has no type. */
static inline void pmumap_imc_check_type_(const struct pmumap_imc_checker_ *c)
{
	uint32_t type = 0;
	int found = pmumap_imc_check_cell_(c, PMUMAP_IMC_P_TYPE_, "type", &type);

	if (found == 0)
		PMUMAP_IMC_TELL_(c, TYPE_MISSING, ERROR, "type", c->units, 0);
	else if (found > 0)
		PMUMAP_IMC_TELL_(c, TYPE_UNKNOWN, ERROR, "type", c->units, type);
}

/* Check the window of the current nest unit, and the control block in it. */
static inline void pmumap_imc_check_window_(const struct pmumap_imc_checker_ *c, int known)
{
	uint32_t window = known ? c->b.nest_size : 0, at = 0, ignored;
	int size = pmumap_imc_check_cell_(c, PMUMAP_IMC_P_SIZE_, "size", &window);
	int offset = pmumap_imc_check_cell_(c, PMUMAP_IMC_P_OFFSET_, "offset", &ignored);
	int control = pmumap_imc_check_cell_(c, PMUMAP_IMC_P_CONTROL_, "cb_offset", &at);

	if (size < 0 || offset < 0)
		return;
	if (window == 0)
		PMUMAP_IMC_TELL_(c, WINDOW_MISSING, ERROR, "size", c->units, 0);
	else if (!offset && !known)
		PMUMAP_IMC_TELL_(c, WINDOW_MISSING, ERROR, "offset", c->units, 0);
	else if (control > 0 &&
		 (window < PMUMAP_IMC_CONTROL_BYTES_ || at > window - PMUMAP_IMC_CONTROL_BYTES_))
		PMUMAP_IMC_TELL_(c, CONTROL_RANGE, WARNING, "cb_offset", c->units, at);
}

/* Check the current unit, which is kept. */
static inline void pmumap_imc_check_kept_unit_(struct pmumap_imc_checker_ *c,
					       const unsigned char *suffix,
					       const struct pmumap_imc_unit_row_ *u)
{
	uint32_t size, bases, chips, phandle = 0, list = u->first;

	pmumap_imc_check_scale_(c, c->units, 1);
	if (u->type == PMUMAP_IMC_NEST)
		pmumap_imc_check_window_(c, *suffix && c->b.nest_window);
	else if (!pmumap_imc_check_cell_(c, PMUMAP_IMC_P_SIZE_, "size", &size) && *suffix == 0)
		PMUMAP_IMC_TELL_(c, WINDOW_MISSING, WARNING, "size", c->units, 0);
	if (!pmumap_fdt_text_(&c->b.w, PMUMAP_IMC_P_PREFIX_) && c->b.found[PMUMAP_IMC_P_EVENTS_])
		PMUMAP_IMC_TELL_(c, PREFIX_MISSING, WARNING, "events-prefix", c->units, 0);
	(void)pmumap_fdt_value_(&c->b.w, PMUMAP_IMC_P_BASE_, &bases);
	(void)pmumap_fdt_value_(&c->b.w, PMUMAP_IMC_P_CHIP_, &chips);
	if (u->type == PMUMAP_IMC_NEST && u->size &&
	    (bases % 8 || chips % 4 || bases / 8 != chips / 4))
		PMUMAP_IMC_TELL_(c, CHIP_MISMATCH, WARNING, "chip-id", c->units, chips / 4);
	if (u->type != PMUMAP_IMC_TRACE)
		c->counted[list / 32] |= 1u << list % 32; /* traces have no counters */
	(void)pmumap_fdt_cell_(&c->b.w, PMUMAP_IMC_P_EVENTS_, &phandle);
	if (c->b.lists[list].node == 0)
		PMUMAP_IMC_TELL_(c, EVENTS_MISSING, WARNING, "events", c->units, phandle);
}

/* Check the current child as a unit. */
static inline void pmumap_imc_check_unit_(struct pmumap_imc_checker_ *c,
					  const unsigned char *suffix)
{
	struct pmumap_imc_unit_row_ u;
	int kept = pmumap_imc_describe_unit_(&c->b, suffix, &u);

	if (!kept && !u.type)
		pmumap_imc_check_type_(c);
	else if (!kept)
		PMUMAP_IMC_TELL_(c, REG_MISSING, ERROR, "reg", c->units, 0);
	/* Dropped here, or earlier by firmware, which keeps the lists. */
	if (kept <= 0 || c->b.w.depth > 2 || c->b.found[PMUMAP_IMC_P_BASE_] ||
	    c->b.found[PMUMAP_IMC_P_CHIP_])
		c->left_out = 1;
	if (kept > 0) {
		pmumap_imc_check_kept_unit_(c, suffix, &u);
		c->units++;
	}
}

/* The last child has ended: report it if it is a list that no unit uses. */
static inline void pmumap_imc_end_child_(struct pmumap_imc_checker_ *c)
{
	c->node = c->child;
	if (c->unused && !c->left_out)
		PMUMAP_IMC_TELL_(c, LIST_UNUSED, WARNING, 0, PMUMAP_NO_ROW, c->phandle);
	c->unused = 0;
}

/* Begin the current child: a unit, or a list whose events follow. */
static inline void pmumap_imc_check_child_(struct pmumap_imc_checker_ *c)
{
	const unsigned char *suffix = pmumap_imc_begin_child_(&c->b);
	int unread = !suffix && pmumap_imc_compatible_(&c->b, "ibm,ima-counters", 1);

	pmumap_imc_end_child_(c);
	c->node = c->child = c->b.w.offset;
	c->phandle =
		pmumap_fdt_phandle_(&c->b.w, PMUMAP_IMC_P_PHANDLE_, PMUMAP_IMC_P_LINUX_PHANDLE_);
	c->in_unit = suffix || unread;
	if ((unread || (suffix && *suffix)) && !c->old_format++)
		pmumap_imc_tell_(c, PMUMAP_F_OLD_FORMAT, unread ? PMUMAP_ERROR : PMUMAP_WARNING,
				 "compatible", c->units, PMUMAP_NO_ROW, 0);
	if (suffix)
		pmumap_imc_check_unit_(c, suffix);
	if (c->b.list && c->b.list->users && c->b.list->events == 0)
		PMUMAP_IMC_TELL_(c, LIST_EMPTY, ERROR, 0, PMUMAP_NO_ROW, c->phandle);
}

/* Check the current node as an event. */
static inline void pmumap_imc_check_event_(struct pmumap_imc_checker_ *c)
{
	const struct pmumap_imc_list_ *list = c->b.list;
	const char *name = pmumap_fdt_text_(&c->b.w, PMUMAP_IMC_P_EVENT_NAME_);
	uint32_t strings[PMUMAP_IMC_STRINGS_], row, number, offset = 0;
	int is_read = pmumap_imc_read_event_(&c->b, strings, &offset);

	if (!c->b.found[PMUMAP_IMC_P_REG_] && !c->b.found[PMUMAP_IMC_P_EVENT_NAME_])
		return;
	row = c->events++;
	pmumap_imc_check_scale_(c, row, is_read);
	if (!name)
		PMUMAP_IMC_TELL_(c, NAME_MISSING, ERROR, "event-name", row, 0);
	else if (!is_read)
		PMUMAP_IMC_TELL_(c, REG_MISSING, ERROR, "reg", row, 0);
	if (name && !*name)
		PMUMAP_IMC_TELL_(c, NAME_MISSING, WARNING, "event-name", row, 0);
	if (is_read && (!list || !list->users))
		c->unused++;
	number = list ? (uint32_t)(list - c->b.lists) : 0;
	if (is_read && list && (c->counted[number / 32] >> number % 32 & 1) &&
	    offset % PMUMAP_IMC_COUNTER_BYTES_)
		PMUMAP_IMC_TELL_(c, OFFSET_ALIGN, WARNING, "reg", PMUMAP_NO_ROW, offset);
}

/* Check all nodes, in the order of the tree. */
static inline void pmumap_imc_check_nodes_(struct pmumap_imc_checker_ *c)
{
	c->units = c->events = c->old_format = c->unused = c->child = 0;
	(void)pmumap_imc_begin_(&c->b);
	while (pmumap_imc_next_(&c->b) > 0) {
		c->node = c->b.w.offset;
		if (c->b.w.depth == c->b.root + 1)
			pmumap_imc_check_child_(c);
		else if (!c->in_unit)
			pmumap_imc_check_event_(c);
	}
	pmumap_imc_end_child_(c);
}
