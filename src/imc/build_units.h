/* SPDX-License-Identifier: BSD-2-Clause */
/* From entries to units, classes and chips */
#pragma once

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

static inline void pmumap_imc_emit_chip_(struct pmumap_imc_build_ *w,
					 const struct pmumap_imc_chip_entry_ *e)
{
	struct pmumap_imc_chip_row_ *chip =
		(struct pmumap_imc_chip_row_ *)pmumap_append_table_(w->m, 0, sizeof(*chip));

	chip->base = e->base;
	chip->chip = e->chip;
	chip->unused = 0;
	w->m->chip_count++;
}

/* Append a unit's chips, from entry i on. Returns how many; *next: the entry of the next unit. */
static inline uint32_t pmumap_imc_emit_chips_(struct pmumap_imc_build_ *w, uint32_t i,
					      uint32_t *next)
{
	uint32_t n = 0;

	for (; i < w->b->entries.count; i++) {
		uint32_t kind = pmumap_entries_kind_(&w->b->entries, i);

		if (kind == PMUMAP_IMC_UNIT_)
			break;
		if (kind != PMUMAP_IMC_CHIP_)
			continue;
		pmumap_imc_emit_chip_(w, PMUMAP_IMC_ENTRY_(chip, w->b, i));
		n++;
	}
	*next = i;
	return n;
}

/* Whether a unit without chips gets the HOMER chips. */
static inline int pmumap_imc_takes_homers_(const struct pmumap_imc_unit_entry_ *unit)
{
	return (unit->kind & PMUMAP_IMC_UNIT_TYPE_) == PMUMAP_IMC_NEST &&
	       !(unit->kind & PMUMAP_IMC_UNIT_OWN_CHIPS_);
}

/*
 * Build the table of chips, and note each unit's place in it. A unit with the same chips as the one
 * before shares them.
 */
static inline void pmumap_imc_build_chips_(struct pmumap_imc_build_ *w)
{
	const struct pmumap_imc_chip_row_ *chips =
		(const struct pmumap_imc_chip_row_ *)pmumap_append_table_(w->m, &w->m->chips, 0);
	uint32_t i, next, n, first, homers, before = 0, before_n = 0;
	struct pmumap_imc_unit_entries_ *e;

	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_HOMER_)
			pmumap_imc_emit_chip_(w, PMUMAP_IMC_ENTRY_(chip, w->b, i));
	}
	homers = w->m->chip_count;
	for (i = 0; i < w->b->entries.count; i = next) {
		next = i + 1;
		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_IMC_UNIT_)
			continue;
		e = pmumap_imc_unit_at_(w->b, i);
		first = w->m->chip_count;
		n = pmumap_imc_emit_chips_(w, i + PMUMAP_IMC_UNIT_ENTRIES_, &next);
		if (n && n == before_n &&
		    pmumap_imc_chips_are_equal_(chips + before, chips + first, n)) {
			w->m->chip_count -= n;
			w->m->head.size -= n * (uint32_t)sizeof(*chips);
			first = before;
		}
		if (n) {
			before = first;
			before_n = n;
		} else if (pmumap_imc_takes_homers_(&e->unit)) {
			first = 0;
			n = homers;
		}
		e->chips.first = first;
		e->chips.count = n;
	}
}

/* Compare a unit with at most this many classes, so that building stays linear. */
#define PMUMAP_IMC_CLASSES_COMPARED_ 16u

/* The class of the unit in an entry: an equal one among the last few, otherwise a new one. */
static inline uint32_t pmumap_imc_build_unit_class_(struct pmumap_imc_build_ *w, uint32_t entry)
{
	const struct pmumap_imc_unit_entries_ *e = pmumap_imc_unit_at_(w->b, entry);
	struct pmumap_imc_unit_class_ *classes, *k;
	uint32_t n = w->m->unit_class_count, tries, i;

	classes = (struct pmumap_imc_unit_class_ *)(void *)((char *)w->m + w->m->unit_classes);
	k = (struct pmumap_imc_unit_class_ *)pmumap_append_table_(w->m, 0, sizeof(*k));
	k->scale = k->measure = 0;
	for (i = entry + PMUMAP_IMC_UNIT_ENTRIES_; i < w->b->entries.count; i++) {
		const struct pmumap_imc_text_entry_ *text = PMUMAP_IMC_ENTRY_(text, w->b, i);

		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_SCALE_)
			k->scale = (uint32_t)text->text;
		else if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_MEASURE_)
			k->measure = (uint32_t)text->text;
		else
			break;
	}
	k->type = e->unit.kind & PMUMAP_IMC_UNIT_TYPE_;
	k->size = e->prefix.size;
	k->offset = e->prefix.offset;
	k->control = e->prefix.control;
	k->chips = e->chips.first;
	k->chip_count = e->chips.count;
	for (tries = 0; tries < PMUMAP_IMC_CLASSES_COMPARED_ && tries < n; tries++) {
		const uint32_t *x = (const uint32_t *)(const void *)k;
		const uint32_t *y = (const uint32_t *)(const void *)(k - 1 - tries);

		for (i = 0; i < sizeof(*k) / sizeof(*x) && x[i] == y[i]; i++)
			;
		if (i < sizeof(*k) / sizeof(*x))
			continue;
		w->m->head.size -= (uint32_t)sizeof(*k);
		return n - 1 - tries;
	}
	w->m->unit_class_count++;
	return (uint32_t)(k - classes);
}

/* Drop a unit's events outside its window: sorted by reg, they are the last ones. */
static inline void pmumap_imc_limit_events_(const struct pmumap_imc *m,
					    struct pmumap_imc_unit_row_ *u,
					    const struct pmumap_imc_unit_class_ *k)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m) + u->first;
	uint32_t n = pmumap_imc_count_events_to_(e, u->events, ~u->reg), last;

	u->events = n;
	if (k->type == PMUMAP_IMC_TRACE)
		return;
	last = k->size - PMUMAP_IMC_COUNTER_BYTES_; /* the last place in the window */
	if (k->size && (k->size < PMUMAP_IMC_COUNTER_BYTES_ || u->reg > last))
		n = 0;
	else if (k->size)
		n = pmumap_imc_count_events_to_(e, n, last - u->reg);
	u->events = n;
}

static inline size_t pmumap_imc_prefix_bytes_(const struct pmumap_imc *m,
					      const struct pmumap_imc_unit_row_ *u)
{
	size_t n = PMUMAP_IMC_PREFIX_BYTES_(u);

	if (n == PMUMAP_IMC_LONG_PREFIX_) {
		for (n = 0; ((const char *)pmumap_image_at_(m, u->prefix))[n]; n++)
			PMUMAP_NO_LIBCALL_();
	}
	return n;
}

/* Build the units, in the order of the tree, and their classes. */
static inline void pmumap_imc_build_units_(struct pmumap_imc_build_ *w)
{
	const struct pmumap_imc_unit_entries_ *e;
	struct pmumap_imc_unit_row_ *u;
	uint64_t names = 0;
	uint32_t i, class_of;
	size_t bytes;

	u = (struct pmumap_imc_unit_row_ *)pmumap_append_table_(
		w->m, &w->m->units, w->m->unit_count * (uint32_t)sizeof(*u));
	w->m->unit_classes = w->m->head.size;
	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_IMC_UNIT_)
			continue;
		e = pmumap_imc_unit_at_(w->b, i);
		class_of = pmumap_imc_build_unit_class_(w, i);
		u->name = (uint32_t)e->unit.name;
		u->prefix = (uint32_t)e->prefix.prefix;
		u->reg = e->unit.reg;
		u->first = u->events = 0;
		if (e->chips.list != PMUMAP_NO_ENTRY_) {
			u->first = PMUMAP_IMC_ENTRY_(list, w->b, e->chips.list)->first;
			u->events = PMUMAP_IMC_ENTRY_(list, w->b, e->chips.list)->events;
		}
		u->kind = PMUMAP_IMC_LONG_PREFIX_;
		bytes = pmumap_imc_prefix_bytes_(w->m, u);
		u->kind =
			class_of << 8 | (bytes < PMUMAP_IMC_LONG_PREFIX_ ? (uint32_t)bytes
									 : PMUMAP_IMC_LONG_PREFIX_);
		pmumap_imc_limit_events_(w->m, u, pmumap_imc_class_of_unit_(w->m, u));
		if (u->events == 0)
			u->first = 0; /* only units without events may end at 0 */
		names += u->events;
		u++;
	}
	w->m->names = names < 0xffffffffu ? (uint32_t)names : 0xffffffffu;
}
