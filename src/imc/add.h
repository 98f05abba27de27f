/* SPDX-License-Identifier: BSD-2-Clause */
/* Take an event, a unit, a chip */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "builder/api.h"
#include "imc/api.h"
#include "builder/report.h"
#include "builder/entries.h"
#include "imc/tables.h"
#include "imc/list.h"
#include "imc/words.h"
#include "imc/entries.h"
#include "imc/build.h"

/* Add a scale, a measure or a description of the event or unit before it, unless it is absent. */
static inline void pmumap_imc_add_text_(struct pmumap_builder *b, uint32_t kind, const char *text)
{
	struct pmumap_imc_text_entry_ *e;

	if (!text || !*text)
		return;
	e = (struct pmumap_imc_text_entry_ *)pmumap_builder_add_entry_(b, kind);
	if (e)
		e->text = (size_t)text;
	pmumap_builder_reserve_text_(b, text);
}

/* Report a scale that is no number. */
static inline void pmumap_imc_lint_scale_(struct pmumap_builder *b, const char *scale, uint32_t row)
{
	uint64_t mantissa;
	int32_t exponent;

	if (scale && *scale && !pmumap_imc_scale(scale, &mantissa, &exponent))
		pmumap_report_row_(b, PMUMAP_FINDING_(SCALE_BAD, PMUMAP_WARNING, PMUMAP_IN_SCALE_),
				   row, 0);
}

/* Note that the map gets an IMC part. Only a program that calls this links what builds one. */
static inline void pmumap_imc_begin_part_(struct pmumap_builder *b)
{
	if (b->own.imc.finish)
		return;
	b->own.imc.finish = pmumap_imc_finish_part_;
	b->own.entry_bytes += sizeof(struct pmumap_imc) + 128; /* tables are rounded up */
}

PMUMAP_DEF enum pmumap_status pmumap_add_imc_list(struct pmumap_builder *b, uint32_t id)
{
	struct pmumap_imc_list_entry_ *e;

	pmumap_imc_begin_part_(b);
	b->own.entry_bytes += 2 * sizeof(uint32_t);
	e = (struct pmumap_imc_list_entry_ *)pmumap_builder_add_entry_(b, PMUMAP_IMC_LIST_);
	if (e) {
		e->id = id;
		e->events = e->first = 0;
		e->node = (uint32_t)b->own.node;
	}
	return b->own.status;
}

PMUMAP_DEF enum pmumap_status pmumap_add_imc_event(struct pmumap_builder *b,
						   const struct pmumap_imc_event *event)
{
	uint32_t row = b->own.imc.events++;
	struct pmumap_imc_event_entry_ *e;

	if (!event->name || !*event->name) {
		pmumap_report_row_(
			b, PMUMAP_FINDING_(NAME_MISSING, PMUMAP_ERROR, PMUMAP_IN_EVENT_NAME_), row,
			0);
		return b->own.status;
	}
	pmumap_imc_lint_scale_(b, event->scale, row);
	b->own.imc.names++;
	b->own.entry_bytes += sizeof(struct pmumap_imc_event_row_) +
			      sizeof(struct pmumap_imc_override_) + 2 * sizeof(uint32_t);
	e = (struct pmumap_imc_event_entry_ *)pmumap_builder_add_entry_(b, PMUMAP_IMC_EVENT_);
	if (e) {
		e->name = (size_t)event->name;
		e->reg = event->offset;
		e->node = (uint32_t)b->own.node;
	}
	pmumap_builder_reserve_text_(b, event->name);
	pmumap_imc_add_text_(b, PMUMAP_IMC_SCALE_, event->scale);
	pmumap_imc_add_text_(b, PMUMAP_IMC_MEASURE_, event->measure);
	if (b->flags & PMUMAP_DESC)
		pmumap_imc_add_text_(b, PMUMAP_IMC_DESC_, event->desc);
	return b->own.status;
}

/* Whether a unit has a known type; reports if not. */
static inline int pmumap_imc_check_type_(struct pmumap_builder *b, uint32_t type)
{
	if (pmumap_imc_is_type_(type))
		return 1;
	pmumap_report_row_(b, PMUMAP_FINDING_(TYPE_UNKNOWN, PMUMAP_ERROR, PMUMAP_IN_TYPE_),
			   b->own.imc.units, type);
	return 0;
}

/* Where the control block of a unit is: by default, of a nest unit, in the usual place. */
static inline uint32_t pmumap_imc_control_of_(const struct pmumap_imc_unit *unit, uint32_t flags)
{
	if (unit->control || unit->type != PMUMAP_IMC_NEST ||
	    (flags & PMUMAP_IMC_UNIT_OWN_CONTROL_))
		return unit->control;
	return PMUMAP_IMC_USUAL_CONTROL_;
}

/*
 * Report a control block that the unit has in a place of its own, if that is not inside of the
 * window. flags: those of the unit.
 */
static inline void pmumap_imc_lint_control_(struct pmumap_builder *b,
					    const struct pmumap_imc_unit *unit, uint32_t flags)
{
	if (unit->type != PMUMAP_IMC_NEST || unit->size == 0 ||
	    (flags & PMUMAP_IMC_UNIT_NO_CONTROL_))
		return;
	if ((unit->control || (flags & PMUMAP_IMC_UNIT_OWN_CONTROL_)) &&
	    (unit->size < PMUMAP_IMC_CB_BYTES || unit->control > unit->size - PMUMAP_IMC_CB_BYTES))
		pmumap_report_row_(
			b, PMUMAP_FINDING_(CONTROL_RANGE, PMUMAP_WARNING, PMUMAP_IN_CONTROL_),
			b->own.imc.units, unit->control);
}

/* Add a unit that uses a list; flags: PMUMAP_IMC_UNIT_OWN_LIST_ and so on. */
static inline enum pmumap_status pmumap_imc_add_unit_entries_(struct pmumap_builder *b,
							      uint32_t list,
							      const struct pmumap_imc_unit *unit,
							      uint32_t flags)
{
	const char *name = unit->name ? unit->name : "", *prefix = unit->prefix ? unit->prefix : "";
	struct pmumap_imc_unit_entries_ *e;

	pmumap_imc_begin_part_(b);
	b->own.imc.chips_of = PMUMAP_IMC_CHIPS_DROPPED_;
	if (!pmumap_imc_check_type_(b, unit->type)) {
		b->own.imc.left_out = 1;
		return b->own.status;
	}
	pmumap_imc_lint_control_(b, unit, flags);
	pmumap_imc_lint_scale_(b, unit->scale, b->own.imc.units);
	b->own.imc.chips_of = PMUMAP_IMC_CHIPS_OF_UNIT_;
	b->own.imc.units++;
	b->own.imc.names++;
	b->own.entry_bytes += sizeof(struct pmumap_imc_unit_row_) +
			      sizeof(struct pmumap_imc_unit_class_) + 4 * sizeof(uint32_t);
	pmumap_builder_reserve_text_(b, name);
	pmumap_builder_reserve_text_(b, prefix);
	(void)pmumap_builder_add_entry_(b, PMUMAP_IMC_UNIT_ | flags | unit->type);
	(void)pmumap_builder_add_entry_(b, PMUMAP_IMC_PREFIX_);
	e = (struct pmumap_imc_unit_entries_ *)pmumap_builder_add_entry_(b, PMUMAP_IMC_CHIPS_);
	if (e) { /* the last one fits: so do the others */
		e->unit.name = (size_t)name;
		e->unit.reg = unit->reg;
		e->unit.node = (uint32_t)b->own.node;
		e->unit.list = list;
		e->prefix.prefix = (size_t)prefix;
		e->prefix.size = unit->size;
		e->prefix.offset = unit->offset;
		e->prefix.control = pmumap_imc_control_of_(unit, flags);
	}
	pmumap_imc_add_text_(b, PMUMAP_IMC_SCALE_, unit->scale);
	pmumap_imc_add_text_(b, PMUMAP_IMC_MEASURE_, unit->measure);
	return b->own.status;
}

PMUMAP_DEF enum pmumap_status pmumap_add_imc_unit(struct pmumap_builder *b, uint32_t list,
						  const struct pmumap_imc_unit *unit)
{
	return pmumap_imc_add_unit_entries_(b, list, unit, 0);
}

/* Add a chip; kind: PMUMAP_IMC_CHIP_ or PMUMAP_IMC_HOMER_. */
static inline enum pmumap_status pmumap_imc_add_chip_entry_(struct pmumap_builder *b, uint32_t kind,
							    uint32_t chip, uint64_t base)
{
	struct pmumap_imc_chip_entry_ *e;

	b->own.entry_bytes += sizeof(struct pmumap_imc_chip_row_);
	e = (struct pmumap_imc_chip_entry_ *)pmumap_builder_add_entry_(b, kind);
	if (e) {
		e->base = base;
		e->chip = chip;
	}
	return b->own.status;
}

PMUMAP_DEF enum pmumap_status pmumap_add_imc_chip(struct pmumap_builder *b, uint32_t chip,
						  uint64_t base)
{
	if (b->own.imc.chips_of == PMUMAP_IMC_CHIPS_DROPPED_)
		return b->own.status;
	return pmumap_imc_add_chip_entry_(b,
					  b->own.imc.chips_of == PMUMAP_IMC_CHIPS_OF_UNIT_
						  ? PMUMAP_IMC_CHIP_
						  : PMUMAP_IMC_HOMER_,
					  chip, base);
}
