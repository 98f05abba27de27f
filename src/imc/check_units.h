/* SPDX-License-Identifier: BSD-2-Clause */
/* Check for legal but probably unintended units */
#pragma once

#include "imc/build.h"
#include "imc/check_node.h"

/* Compare units by their Linux name: nest units first, then the name without the address. */
static inline int pmumap_imc_order_unit_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
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

/* Report units with the same name: Linux cannot tell their events apart. */
static inline void pmumap_imc_check_unit_names_(struct pmumap_imc_checker_ *c,
						struct pmumap_imc_build_ *w)
{
	uint32_t *units = pmumap_pool_scratch_(&w->pool, w->m->unit_count), i, first = 0;
	uint32_t *spare = pmumap_pool_scratch_(&w->pool, w->m->unit_count);

	for (i = 0; i < w->m->unit_count; i++)
		units[i] = i;
	pmumap_sort_numbers_(units, w->m->unit_count, spare, pmumap_imc_order_unit_names_, w->m);
	for (i = 1; i < w->m->unit_count; i++) {
		if (pmumap_imc_order_unit_names_(w->m, units[first], units[i])) {
			first = i;
			continue;
		}
		c->node = c->nodes[units[i]];
		pmumap_imc_tell_two_(c, PMUMAP_IMC_FINDING_(UNIT_DUPLICATE, WARNING, NODE),
				     units[i], units[first], 0);
	}
}

/* Whether units of a class share a window: nest units do, unless it is unknown. */
static inline int pmumap_imc_shares_window_(const struct pmumap_imc_unit_class_ *k)
{
	return k->type == PMUMAP_IMC_NEST && (k->size || k->offset);
}

/* Compare counters by their memory, then by their place in it. */
static inline int pmumap_imc_order_places_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	struct pmumap_imc_match_ x = pmumap_imc_match_of_number_(m, a),
				 y = pmumap_imc_match_of_number_(m, b);
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + x.unit;
	const struct pmumap_imc_unit_row_ *v = pmumap_imc_unit_rows_(m) + y.unit;
	const struct pmumap_imc_unit_class_ *k = pmumap_imc_class_of_unit_(m, u);
	const struct pmumap_imc_unit_class_ *l = pmumap_imc_class_of_unit_(m, v);
	uint32_t i = u->reg + pmumap_imc_event_rows_(m)[x.event].reg;
	uint32_t j = v->reg + pmumap_imc_event_rows_(m)[y.event].reg;
	uint32_t memory, other;
	int shared = pmumap_imc_shares_window_(k);

	if (shared != pmumap_imc_shares_window_(l))
		return shared ? -1 : 1;
	memory = shared ? k->offset : x.unit;
	other = shared ? l->offset : y.unit;
	if (memory != other)
		return memory < other ? -1 : 1;
	return i < j ? -1 : i > j;
}

/*
 * Longer names at one place count as different unless both strings are shared, so hostile names
 * cannot make the comparison slow.
 */
#define PMUMAP_IMC_ALIAS_BYTES_ 255u

/*
 * Report a place that the n counters in at[] share: two with different names, otherwise two units
 * with the same name. The same name twice in one unit is reported as name-duplicate.
 */
static inline void pmumap_imc_check_place_(struct pmumap_imc_checker_ *c,
					   const struct pmumap_imc *m, const uint32_t *at,
					   uint32_t n)
{
	struct pmumap_imc_match_ first = pmumap_imc_match_of_number_(m, at[0]), y, other = first;
	uint32_t i, what = 0;

	for (i = 1; i < n; i++) {
		y = pmumap_imc_match_of_number_(m, at[i]);
		if (!pmumap_imc_is_same_name_(m, &first, &y, PMUMAP_IMC_ALIAS_BYTES_)) {
			other = y;
			what = PMUMAP_IMC_FINDING_(OFFSET_CLASH, WARNING, REG);
			break;
		}
		if (!what && y.unit != first.unit) {
			other = y;
			what = PMUMAP_IMC_FINDING_(OFFSET_ALIAS, NOTE, REG);
		}
	}
	c->node = c->nodes[other.unit];
	if (what)
		pmumap_imc_tell_two_(c, what, other.unit, first.unit,
				     pmumap_imc_unit_rows_(m)[other.unit].reg +
					     pmumap_imc_event_rows_(m)[other.event].reg);
}

/* Report places that several counters share, each place once. */
static inline void pmumap_imc_check_places_(struct pmumap_imc_checker_ *c,
					    struct pmumap_imc_build_ *w)
{
	uint32_t *at = pmumap_pool_scratch_(&w->pool, w->m->names), i, n;
	uint32_t *spare = pmumap_pool_scratch_(&w->pool, w->m->names);
	const struct pmumap_imc_unit_row_ *u;

	pmumap_imc_number_names_(w->m, at);
	pmumap_sort_numbers_(at, w->m->names, spare, pmumap_imc_order_places_, w->m);
	for (i = 0; i < w->m->names; i += n) {
		for (n = 1; i + n < w->m->names; n++) {
			if (pmumap_imc_order_places_(w->m, at[i], at[i + n]))
				break;
		}
		u = pmumap_imc_unit_rows_(w->m) + pmumap_imc_unit_of_number_(w->m, at[i]);
		if (n > 1 && pmumap_imc_class_of_unit_(w->m, u)->type != PMUMAP_IMC_TRACE)
			pmumap_imc_check_place_(c, w->m, at + i, n);
	}
}

/* Report nest units that have a counter in their control block. */
static inline void pmumap_imc_check_controls_(struct pmumap_imc_checker_ *c,
					      const struct pmumap_imc *m)
{
	const uint32_t before = PMUMAP_IMC_COUNTER_BYTES_ - 1; /* a counter there still overlaps */
	uint32_t i, first;

	for (i = 0; i < m->unit_count; i++) {
		const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + i;
		const struct pmumap_imc_unit_class_ *k = pmumap_imc_class_of_unit_(m, u);

		if (k->type != PMUMAP_IMC_NEST || u->events == 0)
			continue;
		first = pmumap_imc_first_event_from_(m, u,
						     k->control < before ? 0 : k->control - before);
		c->node = c->nodes[i];
		if (first < u->first + u->events &&
		    u->reg + pmumap_imc_event_rows_(m)[first].reg <
			    (uint64_t)k->control + PMUMAP_IMC_CB_BYTES)
			pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(CONTROL_OVERLAP, WARNING, REG), i,
					 u->reg + pmumap_imc_event_rows_(m)[first].reg);
	}
}

/*
 * Up to this many counters per unit and event of the tree, compare their places if they can be
 * sorted in the block; with more, only if their index would fit too.
 */
#define PMUMAP_IMC_PLACES_ 16u

/* Check all units, with scratch tables over the entries. */
static inline void pmumap_imc_check_units_(struct pmumap_imc_checker_ *c,
					   struct pmumap_imc_build_ *w)
{
	uint32_t names = w->m->names, i, *nodes;
	uint64_t bytes = 2 * ((uint64_t)names + 1) * sizeof(uint32_t);
	unsigned char *top;

	pmumap_imc_release_entries_(w);
	nodes = pmumap_pool_scratch_(&w->pool, w->m->unit_count);
	for (i = w->m->unit_count; i-- > 0;)
		nodes[i] = c->nodes[i]; /* from the end: the two may overlap */
	c->nodes = nodes;
	top = w->pool.top;
	pmumap_imc_check_controls_(c, w->m);
	pmumap_imc_check_unit_names_(c, w);
	w->pool.top = top;
	if (names / PMUMAP_IMC_PLACES_ > w->b->names)
		bytes = pmumap_imc_index_bytes_(w->m);
	c->places_unchecked =
		names &&
		(w->m->number_bits == 0 ||
		 bytes > (size_t)(w->pool.top - ((unsigned char *)w->m + w->m->head.size)));
	if (names && !c->places_unchecked)
		pmumap_imc_check_places_(c, w);
}
