/* SPDX-License-Identifier: BSD-2-Clause */
/* Add events, units and chips */
#pragma once

#include "imc/entries.h"

/* Add a scale, measure or description to the last event or unit, unless it is absent. */
static inline void pmumap_imc_add_text_(struct pmumap_imc_builder *b, uint32_t kind,
					const char *text)
{
	struct pmumap_imc_text_entry_ *e;

	if (!text || !*text)
		return;
	e = (struct pmumap_imc_text_entry_ *)pmumap_entries_add_(&b->entries, kind);
	if (e)
		e->text = (size_t)text;
	pmumap_entries_reserve_text_(&b->entries, text);
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_imc_begin(struct pmumap_imc_builder *b, void *mem, size_t bytes)
{
	pmumap_entries_begin_(&b->entries, mem, bytes);
	b->flags = 0;
	b->node = PMUMAP_NO_NODE;
	b->names = 0;
	b->chips_of = PMUMAP_IMC_CHIPS_OF_ALL_;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_add_list(struct pmumap_imc_builder *b, uint32_t id)
{
	struct pmumap_imc_list_entry_ *e;

	b->entries.need += 2 * sizeof(uint32_t);
	e = (struct pmumap_imc_list_entry_ *)pmumap_entries_add_(&b->entries, PMUMAP_IMC_LIST_);
	if (e) {
		e->id = id;
		e->events = e->first = 0;
		e->node = (uint32_t)b->node;
	}
	return b->entries.status;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_add_event(struct pmumap_imc_builder *b,
						   const struct pmumap_imc_event *event)
{
	struct pmumap_imc_event_entry_ *e;
	uint64_t before;

	if (!event->name)
		return b->entries.status;
	b->names++;
	b->entries.need += sizeof(struct pmumap_imc_event_row_) + 2 * sizeof(uint32_t);
	e = (struct pmumap_imc_event_entry_ *)pmumap_entries_add_(&b->entries, PMUMAP_IMC_EVENT_);
	if (e) {
		e->name = (size_t)event->name;
		e->reg = event->offset;
		e->node = (uint32_t)b->node;
	}
	pmumap_entries_reserve_text_(&b->entries, event->name);
	before = b->entries.need;
	pmumap_imc_add_text_(b, PMUMAP_IMC_SCALE_, event->scale);
	pmumap_imc_add_text_(b, PMUMAP_IMC_MEASURE_, event->measure);
	if (b->flags & PMUMAP_DESC)
		pmumap_imc_add_text_(b, PMUMAP_IMC_DESC_, event->desc);
	if (b->entries.need != before)
		b->entries.need += sizeof(struct pmumap_imc_override_);
	return b->entries.status;
}

/* The place of a unit's control block; nest units that give none have the usual one. */
static inline uint32_t pmumap_imc_control_of_(const struct pmumap_imc_unit *unit, uint32_t flags)
{
	if (unit->control || unit->type != PMUMAP_IMC_NEST ||
	    (flags & PMUMAP_IMC_UNIT_OWN_CONTROL_))
		return unit->control;
	return PMUMAP_IMC_USUAL_CONTROL_;
}

/* Add a unit that uses a list; flags: PMUMAP_IMC_UNIT_OWN_LIST_ and so on. */
static inline enum pmumap_status pmumap_imc_add_unit_entries_(struct pmumap_imc_builder *b,
							      uint32_t list,
							      const struct pmumap_imc_unit *unit,
							      uint32_t flags)
{
	const char *name = unit->name ? unit->name : "", *prefix = unit->prefix ? unit->prefix : "";
	struct pmumap_imc_unit_entries_ *e;

	b->chips_of = PMUMAP_IMC_CHIPS_DROPPED_;
	if (!pmumap_imc_is_type_(unit->type))
		return b->entries.status;
	b->chips_of = PMUMAP_IMC_CHIPS_OF_UNIT_;
	b->names++;
	b->entries.need += sizeof(struct pmumap_imc_unit_row_) +
			   sizeof(struct pmumap_imc_unit_class_) + 4 * sizeof(uint32_t);
	pmumap_entries_reserve_text_(&b->entries, name);
	pmumap_entries_reserve_text_(&b->entries, prefix);
	(void)pmumap_entries_add_(&b->entries, PMUMAP_IMC_UNIT_ | flags | unit->type);
	(void)pmumap_entries_add_(&b->entries, PMUMAP_IMC_PREFIX_);
	e = (struct pmumap_imc_unit_entries_ *)pmumap_entries_add_(&b->entries, PMUMAP_IMC_CHIPS_);
	if (e) { /* if the last one fits, all three do */
		e->unit.name = (size_t)name;
		e->unit.reg = unit->reg;
		e->unit.node = (uint32_t)b->node;
		e->unit.list = list;
		e->prefix.prefix = (size_t)prefix;
		e->prefix.size = unit->size;
		e->prefix.offset = unit->offset;
		e->prefix.control = pmumap_imc_control_of_(unit, flags);
	}
	pmumap_imc_add_text_(b, PMUMAP_IMC_SCALE_, unit->scale);
	pmumap_imc_add_text_(b, PMUMAP_IMC_MEASURE_, unit->measure);
	return b->entries.status;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_add_unit(struct pmumap_imc_builder *b, uint32_t list,
						  const struct pmumap_imc_unit *unit)
{
	return pmumap_imc_add_unit_entries_(b, list, unit, 0);
}

/* Add a chip; kind: PMUMAP_IMC_CHIP_ or PMUMAP_IMC_HOMER_. */
static inline enum pmumap_status pmumap_imc_add_chip_entry_(struct pmumap_imc_builder *b,
							    uint32_t kind, uint32_t chip,
							    uint64_t base)
{
	struct pmumap_imc_chip_entry_ *e;

	b->entries.need += sizeof(struct pmumap_imc_chip_row_);
	e = (struct pmumap_imc_chip_entry_ *)pmumap_entries_add_(&b->entries, kind);
	if (e) {
		e->base = base;
		e->chip = chip;
	}
	return b->entries.status;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_add_chip(struct pmumap_imc_builder *b, uint32_t chip,
						  uint64_t base)
{
	if (b->chips_of == PMUMAP_IMC_CHIPS_DROPPED_)
		return b->entries.status;
	return pmumap_imc_add_chip_entry_(
		b, b->chips_of == PMUMAP_IMC_CHIPS_OF_UNIT_ ? PMUMAP_IMC_CHIP_ : PMUMAP_IMC_HOMER_,
		chip, base);
}
