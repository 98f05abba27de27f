/* SPDX-License-Identifier: BSD-2-Clause */
/* Check lists and offsets */
#pragma once

#include "imc/build.h"
#include "imc/check_node.h"

/* Report a finding about a node, not about a unit or event by number. */
static inline void pmumap_imc_tell_node_(struct pmumap_imc_checker_ *c, uint32_t node,
					 uint32_t what, uint64_t value)
{
	c->node = node;
	pmumap_imc_tell_(c, what, PMUMAP_NO_ROW, value);
}

/* Check that each unit has a list, and each list a kept event; note the units' nodes. */
static inline void pmumap_imc_check_lists_of_units_(struct pmumap_imc_checker_ *c,
						    const struct pmumap_imc_build_ *w)
{
	struct pmumap_imc_list_entry_ *list;
	uint32_t i, unit = 0;

	for (i = 0; i < w->b->entries.count; i++) {
		const struct pmumap_imc_unit_entries_ *e;

		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_IMC_UNIT_)
			continue;
		e = pmumap_imc_unit_at_(w->b, i);
		c->node = c->nodes[unit] = e->unit.node;
		if (e->chips.list == PMUMAP_NO_ENTRY_) {
			pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(EVENTS_MISSING, WARNING, EVENTS),
					 unit, e->unit.list);
		} else {
			list = PMUMAP_IMC_ENTRY_(list, w->b, e->chips.list);
			if (list->events == 0 && !(list->kind & PMUMAP_IMC_LIST_TOLD_))
				pmumap_imc_tell_node_(c, list->node,
						      PMUMAP_IMC_FINDING_(LIST_EMPTY, ERROR, NODE),
						      list->id);
			list->kind |= PMUMAP_IMC_LIST_TOLD_;
		}
		unit++;
	}
}

/*
 * Check the list in entry number. Only a used list has its events checked. An unused one is not
 * reported if units were dropped: one of them may have used it.
 */
static inline void pmumap_imc_check_list_(struct pmumap_imc_checker_ *c,
					  const struct pmumap_imc_build_ *w, uint32_t number)
{
	const struct pmumap_imc_list_entry_ *list = PMUMAP_IMC_ENTRY_(list, w->b, number);
	uint32_t i, n = 0, name, before = 0;

	if (!(list->kind & PMUMAP_IMC_LIST_USED_)) {
		if (list->events && !c->left_out)
			pmumap_imc_tell_node_(c, list->node,
					      PMUMAP_IMC_FINDING_(LIST_UNUSED, WARNING, NODE),
					      list->id);
		return;
	}
	for (i = number + 1; n < list->events; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_EVENT_)
			w->order[n++] = i;
	}
	pmumap_sort_numbers_(w->order, n, w->spare, pmumap_imc_order_entry_names_, w);
	for (i = 0; i < n; i++, before = name) {
		const struct pmumap_imc_event_entry_ *e =
			PMUMAP_IMC_ENTRY_(event, w->b, w->order[i]);

		name = (uint32_t)e->name;
		if (before && !pmumap_imc_compare_strings_(w->m, before, name))
			pmumap_imc_tell_node_(
				c, list->node,
				PMUMAP_IMC_FINDING_(NAME_DUPLICATE, WARNING, EVENT_NAME), e->reg);
		if ((list->kind & PMUMAP_IMC_LIST_COUNTED_) && e->reg % PMUMAP_IMC_COUNTER_BYTES_)
			pmumap_imc_tell_node_(c, e->node,
					      PMUMAP_IMC_FINDING_(OFFSET_ALIGN, WARNING, REG),
					      e->reg);
	}
}

/* Check the offsets of a unit; e: its entries. */
static inline void pmumap_imc_check_offsets_(struct pmumap_imc_checker_ *c,
					     const struct pmumap_imc_build_ *w, uint32_t unit,
					     const struct pmumap_imc_unit_entries_ *e)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(w->m) + unit;
	const struct pmumap_imc_list_entry_ *list;
	const struct pmumap_imc_event_row_ *rows;
	uint32_t n;

	c->node = c->nodes[unit];
	if (e->chips.list != PMUMAP_NO_ENTRY_) {
		list = PMUMAP_IMC_ENTRY_(list, w->b, e->chips.list);
		rows = pmumap_imc_event_rows_(w->m) + list->first;
		n = pmumap_imc_count_events_to_(rows, list->events, ~u->reg);
		if (n < list->events)
			pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(REG_OVERFLOW, ERROR, REG), unit,
					 rows[n].reg);
		if (u->events < n)
			pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(OFFSET_RANGE, ERROR, REG), unit,
					 u->reg + rows[u->events].reg);
	}
	if ((e->unit.kind & PMUMAP_IMC_UNIT_TYPE_) != PMUMAP_IMC_TRACE &&
	    u->reg % PMUMAP_IMC_COUNTER_BYTES_)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(OFFSET_ALIGN, WARNING, REG), unit, u->reg);
}

/* Run the checks that need the entries. */
static inline void pmumap_imc_check_entries_(struct pmumap_imc_checker_ *c,
					     const struct pmumap_imc_build_ *w)
{
	uint32_t i, unit = 0;

	pmumap_imc_check_lists_of_units_(c, w);
	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_LIST_)
			pmumap_imc_check_list_(c, w, i);
	}
	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_UNIT_)
			pmumap_imc_check_offsets_(c, w, unit++, pmumap_imc_unit_at_(w->b, i));
	}
}
