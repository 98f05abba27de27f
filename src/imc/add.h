/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/api.h"
#include "imc/api.h"
#include "builder/report.h"
#include "builder/entries.h"
#include "imc/tables.h"
#include "imc/list.h"
#include "imc/words.h"
#include "imc/entries.h"
#include "imc/build.h"

/* Scale, measure or description of the event or unit before it. */
static inline void pmumap_imc_reserve_text_(struct pmumap_builder *b, uint32_t kind,
					    const char *text)
{
	if (text && *text)
		(void)pmumap_builder_add_entry_(b, kind, pmumap_builder_reserve_text_(b, text), 0,
						0);
}

static inline void pmumap_imc_lint_scale_(struct pmumap_builder *b, const char *scale, uint32_t row)
{
	uint64_t mantissa;
	int32_t exponent;

	if (scale && *scale && !pmumap_imc_scale(scale, &mantissa, &exponent))
		pmumap_other_found_(b, PMUMAP_WHAT_(SCALE_BAD, PMUMAP_WARNING, 0), "scale", row,
				    PMUMAP_NO_ROW, 0);
}

static inline void pmumap_imc_begin_part_(struct pmumap_builder *b)
{
	if (b->imc.finish)
		return;
	b->imc.finish = pmumap_imc_finish_part_;
	b->extra += sizeof(struct pmumap_imc) + 128; /* and what tables are rounded up by */
}

PMUMAP_DEF enum pmumap_status pmumap_add_imc_list(struct pmumap_builder *b, uint32_t id)
{
	pmumap_imc_begin_part_(b);
	b->extra += sizeof(uint32_t);
	return pmumap_builder_add_entry_(b, PMUMAP_IMC_LIST_, id, 0, (uint32_t)b->node);
}

PMUMAP_DEF enum pmumap_status pmumap_add_imc_event(struct pmumap_builder *b,
						   const struct pmumap_imc_event *event)
{
	uint32_t row = b->imc.events++;

	if (!event->name || !*event->name) {
		pmumap_other_found_(b, PMUMAP_WHAT_(NAME_MISSING, PMUMAP_ERROR, 0), "event-name",
				    row, PMUMAP_NO_ROW, 0);
		return b->status;
	}
	pmumap_imc_lint_scale_(b, event->scale, row);
	b->imc.entries++;
	b->extra += sizeof(struct pmumap_imc_event_row_) + sizeof(struct pmumap_imc_override_) +
		    2 * sizeof(uint32_t);
	(void)pmumap_builder_add_entry_(b, PMUMAP_IMC_EVENT_,
					pmumap_builder_reserve_text_(b, event->name), event->offset,
					(uint32_t)b->node);
	pmumap_imc_reserve_text_(b, PMUMAP_IMC_SCALE_, event->scale);
	pmumap_imc_reserve_text_(b, PMUMAP_IMC_MEASURE_, event->measure);
	if (b->flags & PMUMAP_DESC)
		pmumap_imc_reserve_text_(b, PMUMAP_IMC_DESC_, event->desc);
	return b->status;
}

static inline int pmumap_imc_check_type_(struct pmumap_builder *b, uint32_t type)
{
	if (pmumap_imc_is_type_(type))
		return 1;
	pmumap_other_found_(b, PMUMAP_WHAT_(TYPE_UNKNOWN, PMUMAP_ERROR, 0), "type", b->imc.units,
			    PMUMAP_NO_ROW, type);
	return 0;
}

static inline enum pmumap_status pmumap_imc_add_unit_entries_(struct pmumap_builder *b,
							      uint32_t list,
							      const struct pmumap_imc_unit *unit,
							      uint32_t own)
{
	pmumap_imc_begin_part_(b);
	b->imc.chips = PMUMAP_IMC_NO_UNIT_;
	if (!pmumap_imc_check_type_(b, unit->type))
		return b->status;
	pmumap_imc_lint_scale_(b, unit->scale, b->imc.units);
	b->imc.chips = PMUMAP_IMC_CHIP_;
	b->imc.units++;
	b->imc.entries++;
	b->extra += sizeof(struct pmumap_imc_unit_row_) + sizeof(struct pmumap_imc_unit_class_) +
		    6 * sizeof(uint32_t);
	(void)pmumap_builder_add_entry_(
		b, PMUMAP_IMC_UNIT_ | own | unit->type,
		pmumap_builder_reserve_text_(b, unit->name ? unit->name : ""), unit->reg,
		(uint32_t)b->node);
	(void)pmumap_builder_add_entry_(
		b, PMUMAP_IMC_PREFIX_,
		pmumap_builder_reserve_text_(b, unit->prefix ? unit->prefix : ""), unit->size,
		list);
	(void)pmumap_builder_add_entry_(b, PMUMAP_IMC_PLACE_, 0, unit->offset,
					unit->control || unit->type != PMUMAP_IMC_NEST ||
							(own & PMUMAP_IMC_OWN_CONTROL_)
						? unit->control
						: PMUMAP_IMC_USUAL_CONTROL_);
	pmumap_imc_reserve_text_(b, PMUMAP_IMC_SCALE_, unit->scale);
	pmumap_imc_reserve_text_(b, PMUMAP_IMC_MEASURE_, unit->measure);
	return b->status;
}

PMUMAP_DEF enum pmumap_status pmumap_add_imc_unit(struct pmumap_builder *b, uint32_t list,
						  const struct pmumap_imc_unit *unit)
{
	return pmumap_imc_add_unit_entries_(b, list, unit, 0);
}

static inline enum pmumap_status pmumap_imc_add_chip_entry_(struct pmumap_builder *b, uint32_t kind,
							    uint32_t chip, uint64_t base)
{
	b->extra += sizeof(struct pmumap_imc_chip_row_);
	return pmumap_builder_add_entry_(b, kind, base, chip, 0);
}

PMUMAP_DEF enum pmumap_status pmumap_add_imc_chip(struct pmumap_builder *b, uint32_t chip,
						  uint64_t base)
{
	if (b->imc.chips == PMUMAP_IMC_NO_UNIT_)
		return b->status;
	return pmumap_imc_add_chip_entry_(
		b, b->imc.chips ? b->imc.chips : (uint32_t)PMUMAP_IMC_HOMER_, chip, base);
}
