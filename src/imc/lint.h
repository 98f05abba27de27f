/* SPDX-License-Identifier: BSD-2-Clause */
/* What is legal, but probably unintended */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "imc/api.h"
#include "core/image.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "builder/entries.h"
#include "pool/sort.h"
#include "pool/pool.h"
#include "imc/tables.h"
#include "imc/entries.h"

/*
 * Check a list, by the number of its entry. Its n events are in order[], and get sorted. n is 0 for
 * a list that no unit uses; a unit that was left out may have used it.
 */
static inline void pmumap_imc_lint_list_(struct pmumap_imc_build_ *w, uint32_t number, uint32_t n)
{
	const struct pmumap_imc_list_entry_ *list = PMUMAP_ENTRY_AT_(imc_list, w->b, number);
	uint32_t i, name, before = 0;

	w->b->own.node = (int)list->node;
	if (!(list->kind & PMUMAP_IMC_LIST_USED_) && list->events && !w->b->own.imc.left_out)
		pmumap_report_row_(w->b,
				   PMUMAP_FINDING_(LIST_UNUSED, PMUMAP_WARNING, PMUMAP_IN_NODE_),
				   PMUMAP_NO_ROW, list->id);
	pmumap_sort_numbers_(w->order, n, w->spare, pmumap_imc_order_entry_names_, w);
	for (i = 0; i < n; i++, before = name) {
		const struct pmumap_imc_event_entry_ *e =
			PMUMAP_ENTRY_AT_(imc_event, w->b, w->order[i]);

		name = (uint32_t)e->name;
		w->b->own.node = (int)list->node;
		if (before && !pmumap_imc_compare_strings_(w->m, before, name))
			pmumap_report_row_(w->b,
					   PMUMAP_FINDING_(NAME_DUPLICATE, PMUMAP_WARNING,
							   PMUMAP_IN_EVENT_NAME_),
					   PMUMAP_NO_ROW, e->reg);
		w->b->own.node = (int)e->node;
		if ((list->kind & PMUMAP_IMC_LIST_COUNTED_) && e->reg % PMUMAP_IMC_COUNTER_BYTES_)
			pmumap_report_row_(
				w->b, PMUMAP_FINDING_(OFFSET_ALIGN, PMUMAP_WARNING, PMUMAP_IN_REG_),
				PMUMAP_NO_ROW, e->reg);
	}
}

/* Compare units by what Linux calls them: nest units first, then by name without the address. */
static inline int pmumap_imc_order_unit_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap *m = (const struct pmumap *)context;
	const struct pmumap_imc_unit_row_ *x = pmumap_imc_unit_rows_(m) + a;
	const struct pmumap_imc_unit_row_ *y = pmumap_imc_unit_rows_(m) + b;
	int nest = pmumap_imc_class_of_unit_(m, x)->type == PMUMAP_IMC_NEST;
	const char *s = (const char *)pmumap_image_at_(m, x->name);
	const char *t = (const char *)pmumap_image_at_(m, y->name);
	unsigned char c, d;

	if (nest != (pmumap_imc_class_of_unit_(m, y)->type == PMUMAP_IMC_NEST))
		return nest ? -1 : 1;
	for (; *s == *t && *s && *s != '@'; s++)
		t++;
	c = (unsigned char)(*s == '@' ? 0 : *s);
	d = (unsigned char)(*t == '@' ? 0 : *t);
	return c < d ? -1 : c > d;
}

/* Report units of one name, whose events Linux cannot tell apart. */
static inline void pmumap_imc_lint_unit_names_(struct pmumap_imc_build_ *w)
{
	uint32_t *units = pmumap_pool_scratch_(&w->pool, w->c->unit_count), i, first = 0;
	uint32_t *spare = pmumap_pool_scratch_(&w->pool, w->c->unit_count);

	for (i = 0; i < w->c->unit_count; i++)
		units[i] = i;
	pmumap_sort_numbers_(units, w->c->unit_count, spare, pmumap_imc_order_unit_names_, w->m);
	for (i = 1; i < w->c->unit_count; i++) {
		if (pmumap_imc_order_unit_names_(w->m, units[first], units[i])) {
			first = i;
			continue;
		}
		w->b->own.node = (int)w->nodes[units[i]];
		pmumap_report_(w->b,
			       PMUMAP_CONFLICT_(UNIT_DUPLICATE, PMUMAP_WARNING, PMUMAP_IN_NODE_,
						PMUMAP_IN_NODE_),
			       units[i], units[first], 0);
	}
}

/* Whether units of a class share a window: those of nest, unless nothing is known of it. */
static inline int pmumap_imc_shares_window_(const struct pmumap_imc_unit_class_ *k)
{
	return k->type == PMUMAP_IMC_NEST && (k->size || k->offset);
}

/* Compare counters by the memory that they lie in, and by where they lie in it. */
static inline int pmumap_imc_order_places_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap *m = (const struct pmumap *)context;
	struct pmumap_imc_match_ x = pmumap_imc_match_of_slot_(m, a),
				 y = pmumap_imc_match_of_slot_(m, b);
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + x.unit;
	const struct pmumap_imc_unit_row_ *v = pmumap_imc_unit_rows_(m) + y.unit;
	const struct pmumap_imc_unit_class_ *k = pmumap_imc_class_of_unit_(m, u);
	const struct pmumap_imc_unit_class_ *l = pmumap_imc_class_of_unit_(m, v);
	uint32_t i = u->reg + pmumap_imc_event_rows_(m)[x.event].reg;
	uint32_t j = v->reg + pmumap_imc_event_rows_(m)[y.event].reg;
	int shared = pmumap_imc_shares_window_(k);

	if (shared != pmumap_imc_shares_window_(l))
		return shared ? -1 : 1;
	if (!shared && x.unit != y.unit)
		return x.unit < y.unit ? -1 : 1;
	if (k->offset != l->offset)
		return k->offset < l->offset ? -1 : 1;
	return i < j ? -1 : i > j;
}

/* That order; of one place in the order of units and events. */
static inline int pmumap_imc_order_numbered_places_(const void *context, uint32_t a, uint32_t b)
{
	int order = pmumap_imc_order_places_(context, a, b);

	return order ? order : a < b ? -1 : 1;
}

/*
 * Longer names at one place are taken for different ones unless they are the same two strings: so
 * no choice of names makes it slow to compare them.
 */
#define PMUMAP_IMC_ALIAS_BYTES_ 255u

/*
 * Report a place that the n counters in at[] share: by two that have different names, else by two
 * units that have one name. One unit that has one name twice has name-duplicate for that.
 */
static inline void pmumap_imc_lint_place_(struct pmumap_imc_build_ *w, const uint32_t *at,
					  uint32_t n)
{
	struct pmumap_imc_match_ first = pmumap_imc_match_of_slot_(w->m, at[0]), y, other = first;
	const struct pmumap_imc_unit_row_ *u;
	uint32_t i, what = 0;

	for (i = 1; i < n; i++) {
		y = pmumap_imc_match_of_slot_(w->m, at[i]);
		if (!pmumap_imc_is_same_name_(w->m, &first, &y, PMUMAP_IMC_ALIAS_BYTES_)) {
			other = y;
			what = PMUMAP_CONFLICT_(OFFSET_CLASH, PMUMAP_WARNING, PMUMAP_IN_REG_,
						PMUMAP_IN_REG_);
			break;
		}
		if (!what && y.unit != first.unit) {
			other = y;
			what = PMUMAP_CONFLICT_(OFFSET_ALIAS, PMUMAP_NOTE, PMUMAP_IN_REG_,
						PMUMAP_IN_REG_);
		}
	}
	u = pmumap_imc_unit_rows_(w->m) + other.unit;
	w->b->own.node = (int)w->nodes[other.unit];
	if (what)
		pmumap_report_(w->b, what, other.unit, first.unit,
			       u->reg + pmumap_imc_event_rows_(w->m)[other.event].reg);
}

/* Report places that several counters share, each place once. */
static inline void pmumap_imc_lint_places_(struct pmumap_imc_build_ *w)
{
	uint32_t *at = pmumap_pool_scratch_(&w->pool, w->c->names), i, n;
	const struct pmumap_imc_unit_row_ *u;

	pmumap_imc_number_names_(w->m, at);
	pmumap_heap_sort_(at, w->c->names, pmumap_imc_order_numbered_places_, w->m);
	for (i = 0; i < w->c->names; i += n) {
		for (n = 1; i + n < w->c->names; n++) {
			if (pmumap_imc_order_places_(w->m, at[i], at[i + n]))
				break;
		}
		u = pmumap_imc_unit_rows_(w->m) + pmumap_imc_unit_of_slot_(w->c, at[i]);
		if (n > 1 && pmumap_imc_class_of_unit_(w->m, u)->type != PMUMAP_IMC_TRACE)
			pmumap_imc_lint_place_(w, at + i, n);
	}
}

/* Report nest units that have a counter in their control block. */
static inline void pmumap_imc_lint_controls_(struct pmumap_imc_build_ *w)
{
	const uint32_t before = PMUMAP_IMC_COUNTER_BYTES_ - 1; /* where a counter may still begin */
	uint32_t i, first;

	for (i = 0; i < w->c->unit_count; i++) {
		const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(w->m) + i;
		const struct pmumap_imc_unit_class_ *k = pmumap_imc_class_of_unit_(w->m, u);

		if (k->type != PMUMAP_IMC_NEST || u->events == 0)
			continue;
		first = pmumap_imc_first_event_from_(w->m, u,
						     k->control < before ? 0 : k->control - before);
		w->b->own.node = (int)w->nodes[i];
		if (first < u->first + u->events &&
		    u->reg + pmumap_imc_event_rows_(w->m)[first].reg <
			    (uint64_t)k->control + PMUMAP_IMC_CB_BYTES)
			pmumap_report_row_(
				w->b,
				PMUMAP_FINDING_(CONTROL_OVERLAP, PMUMAP_WARNING, PMUMAP_IN_REG_), i,
				u->reg + pmumap_imc_event_rows_(w->m)[first].reg);
	}
}

/*
 * The places of so many counters for each unit and event of the tree are compared where there is
 * room to sort them; of more only where there would be room for their index, too.
 */
#define PMUMAP_IMC_PLACES_ 16u

/* Check all units. If the places of their counters are not compared, no-index tells. */
static inline void pmumap_imc_lint_units_(struct pmumap_imc_build_ *w)
{
	unsigned char *top = w->pool.top;
	uint32_t names = w->c->names;
	uint64_t bytes = ((uint64_t)names + 1) * sizeof(uint32_t);

	pmumap_imc_lint_controls_(w);
	pmumap_imc_lint_unit_names_(w);
	w->pool.top = top;
	if (names / PMUMAP_IMC_PLACES_ > w->b->own.imc.names)
		bytes = pmumap_imc_index_bytes_(names, w->c->event_count);
	w->clashes_unchecked =
		names &&
		(w->c->nth_bit == 0 ||
		 bytes > (size_t)(w->pool.top - ((unsigned char *)w->m + w->m->head.size)));
	if (names && !w->clashes_unchecked)
		pmumap_imc_lint_places_(w);
	w->pool.top = top;
}
