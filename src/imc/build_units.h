/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "imc/api.h"
#include "core/compiler.h"
#include "core/image.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "builder/entries.h"
#include "builder/pool.h"
#include "imc/tables.h"
#include "imc/entries.h"

static inline int pmumap_imc_chips_are_equal_(const struct pmumap_imc_chip_row_ *a,
					      const struct pmumap_imc_chip_row_ *b, uint32_t n)
{
	while (n && a->chip == b->chip && a->base == b->base) {
		a++;
		b++;
		n--;
	}
	return n == 0;
}

static inline void pmumap_imc_emit_chip_(struct pmumap_imc_build_ *w, const struct pmumap_row_ *r)
{
	struct pmumap_imc_chip_row_ *chip =
		(struct pmumap_imc_chip_row_ *)pmumap_append_table_(w->m, 0, sizeof(*chip));

	chip->base = r->value;
	chip->chip = r->counters;
	chip->unused = 0;
	w->c->chip_count++;
}

/*
 * The chips of every unit, those of the unit before it stored once; the row of its place has them.
 */
static inline void pmumap_imc_build_chips_(struct pmumap_imc_build_ *w)
{
	const struct pmumap_imc_chip_row_ *chips =
		(const struct pmumap_imc_chip_row_ *)pmumap_append_table_(w->m, &w->c->chips, 0);
	uint32_t i, j, n, first, homers, before = 0, before_n = 0;

	for (i = 0; i < w->b->later; i++) {
		if (pmumap_entry_kind_(pmumap_builder_entry_(w->b, i)) == PMUMAP_IMC_HOMER_)
			pmumap_imc_emit_chip_(w, pmumap_builder_entry_(w->b, i));
	}
	homers = w->c->chip_count;
	for (i = 0; i < w->b->later; i = j) {
		struct pmumap_row_ *r = pmumap_builder_entry_(w->b, i);

		j = i + 1;
		if (pmumap_entry_kind_(r) != PMUMAP_IMC_UNIT_)
			continue;
		first = w->c->chip_count;
		for (n = 0; j < w->b->later; j++) {
			uint32_t kind = pmumap_entry_kind_(pmumap_builder_entry_(w->b, j));

			if (kind == PMUMAP_IMC_UNIT_)
				break;
			if (kind != PMUMAP_IMC_CHIP_)
				continue;
			pmumap_imc_emit_chip_(w, pmumap_builder_entry_(w->b, j));
			n++;
		}
		if (n && n == before_n &&
		    pmumap_imc_chips_are_equal_(chips + before, chips + first, n)) {
			w->c->chip_count -= n;
			w->m->size -= n * (uint32_t)sizeof(*chips);
			first = before;
		}
		if (n) {
			before = first;
			before_n = n;
		} else if ((r->row & (0xff | PMUMAP_IMC_OWN_CHIPS_)) == PMUMAP_IMC_NEST) {
			first = 0;
			n = homers;
		}
		pmumap_builder_entry_(w->b, i + 2)->value = (uint64_t)first << 32 | n;
	}
}

#define PMUMAP_IMC_CLASSES_COMPARED_                                                               \
	16u /* classes that a unit is compared with, so that many stay cheap */

/* The class of a unit, whose rows begin with number i. */
static inline uint32_t pmumap_imc_build_unit_class_(struct pmumap_imc_build_ *w, uint32_t i)
{
	const struct pmumap_row_ *unit = pmumap_builder_entry_(w->b, i), *place = unit - 2,
				 *r = unit - 3;
	struct pmumap_imc_unit_class_ *classes, *k;
	uint32_t n = w->c->class_count, tries;

	classes = (struct pmumap_imc_unit_class_ *)(void *)((char *)w->m + w->c->classes);
	k = (struct pmumap_imc_unit_class_ *)pmumap_append_table_(w->m, 0, sizeof(*k));
	k->scale = k->measure = 0;
	for (i += 3; i < w->b->later; i++, r--) {
		if (pmumap_entry_kind_(r) == PMUMAP_IMC_SCALE_)
			k->scale = (uint32_t)r->value;
		else if (pmumap_entry_kind_(r) == PMUMAP_IMC_MEASURE_)
			k->measure = (uint32_t)r->value;
		else
			break;
	}
	k->type = unit->row & 0xff;
	k->size = unit[-1].counters;
	k->offset = place->counters;
	k->control = pmumap_entry_y_(place);
	k->chips = (uint32_t)(place->value >> 32);
	k->chip_count = (uint32_t)place->value;
	for (tries = 0; tries < PMUMAP_IMC_CLASSES_COMPARED_ && tries < n; tries++) {
		const uint32_t *x = (const uint32_t *)(const void *)k;
		const uint32_t *y = (const uint32_t *)(const void *)(k - 1 - tries);

		for (i = 0; i < sizeof(*k) / sizeof(*x) && x[i] == y[i]; i++)
			;
		if (i < sizeof(*k) / sizeof(*x))
			continue;
		w->m->size -= (uint32_t)sizeof(*k);
		return n - 1 - tries;
	}
	w->c->class_count++;
	return (uint32_t)(k - classes);
}

/* Drop the events of a unit, which are sorted by reg, from the first one that is out of range. */
static inline void pmumap_imc_limit_events_(struct pmumap_imc_build_ *w,
					    struct pmumap_imc_unit_row_ *u,
					    const struct pmumap_imc_unit_class_ *k, uint32_t unit)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(w->m) + u->first;
	uint32_t n = u->events;

	while (n && e[n - 1].reg > ~u->reg)
		n--;
	if (n < u->events)
		pmumap_other_found_(w->b, PMUMAP_WHAT_(REG_OVERFLOW, PMUMAP_ERROR, 0), "reg", unit,
				    PMUMAP_NO_ROW, e[n].reg);
	u->events = n;
	if (k->type == PMUMAP_IMC_TRACE)
		return;
	while (n && k->size && (k->size < 8 || u->reg + e[n - 1].reg > k->size - 8))
		n--;
	if (n < u->events)
		pmumap_other_found_(w->b, PMUMAP_WHAT_(OFFSET_RANGE, PMUMAP_ERROR, 0), "reg", unit,
				    PMUMAP_NO_ROW, u->reg + e[n].reg);
	u->events = n;
	if (u->reg % 8)
		pmumap_other_found_(w->b, PMUMAP_WHAT_(OFFSET_ALIGN, PMUMAP_WARNING, 0), "reg",
				    unit, PMUMAP_NO_ROW, u->reg);
}

/* Bytes of a unit's prefix. */
static inline size_t pmumap_imc_prefix_bytes_(const struct pmumap *m,
					      const struct pmumap_imc_unit_row_ *u)
{
	size_t n = u->kind & 0xff;

	if (n == 0xff) {
		for (n = 0; ((const char *)pmumap_image_at_(m, u->prefix))[n]; n++)
			PMUMAP_NO_LIBCALL_();
	}
	return n;
}

static inline void pmumap_imc_build_units_(struct pmumap_imc_build_ *w)
{
	struct pmumap_imc_unit_row_ *u;
	uint64_t names = 0;
	uint32_t i, unit = 0, list, class_of;
	size_t bytes;

	u = (struct pmumap_imc_unit_row_ *)pmumap_append_table_(
		w->m, &w->c->units, w->c->unit_count * (uint32_t)sizeof(*u));
	w->c->classes = w->m->size;
	for (i = 0; i < w->b->later; i++) {
		const struct pmumap_row_ *r = pmumap_builder_entry_(w->b, i);

		if (pmumap_entry_kind_(r) != PMUMAP_IMC_UNIT_)
			continue;
		w->b->node = (int)w->nodes[unit];
		list = pmumap_entry_y_(r - 1);
		class_of = pmumap_imc_build_unit_class_(w, i);
		u->name = (uint32_t)r->value;
		u->prefix = (uint32_t)r[-1].value;
		u->reg = r->counters;
		u->first = u->events = 0;
		if (list != PMUMAP_NO_ROW) {
			u->first = pmumap_entry_y_(pmumap_builder_entry_(w->b, list));
			u->events = pmumap_builder_entry_(w->b, list)->counters;
		}
		u->kind = 0xff;
		bytes = pmumap_imc_prefix_bytes_(w->m, u);
		u->kind = class_of << 8 | (bytes < 0xff ? (uint32_t)bytes : 0xffu);
		w->counts[unit] = u->events;
		pmumap_imc_limit_events_(w, u, pmumap_imc_class_of_unit_(w->m, u), unit);
		names += u->events;
		u++;
		unit++;
	}
	w->c->names = names < 0xffffffffu ? (uint32_t)names : 0xffffffffu;
}
