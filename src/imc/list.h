/* SPDX-License-Identifier: BSD-2-Clause */
/* Events, units, addresses */
#pragma once

#include "core/status.h"
#include "imc/find.h"

PMUMAP_DEF size_t pmumap_imc_size(const struct pmumap_imc *m)
{
	return m->head.size;
}

PMUMAP_DEF uint32_t pmumap_imc_names(const struct pmumap_imc *m)
{
	return m->names;
}

PMUMAP_DEF int pmumap_imc_unit_at(const struct pmumap_imc *m, uint32_t index,
				  struct pmumap_imc_unit *out)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m) + index;

	if (index >= m->unit_count)
		return 0;
	out->name = PMUMAP_IMC_TEXT_(m, u->name);
	out->prefix = PMUMAP_IMC_TEXT_(m, u->prefix);
	out->scale = PMUMAP_IMC_STRING_(m, u->scale);
	out->measure = PMUMAP_IMC_STRING_(m, u->measure);
	out->type = u->type;
	out->reg = u->reg;
	out->size = u->size;
	out->offset = u->offset;
	out->control = u->control;
	out->events = u->events;
	out->chips = u->chip_count;
	return 1;
}

PMUMAP_DEF int pmumap_imc_event(const struct pmumap_imc *m, uint32_t event,
				struct pmumap_imc_event *out)
{
	const struct pmumap_imc_row_ *row = PMUMAP_IMC_ROWS_(m) + event;
	const struct pmumap_imc_unit_row_ *u;
	const char *own;

	if (event >= m->names)
		return 0;
	u = PMUMAP_IMC_UNITS_(m) + row->unit;
	out->unit = PMUMAP_IMC_TEXT_(m, u->name);
	out->prefix = PMUMAP_IMC_TEXT_(m, u->prefix);
	out->name = PMUMAP_IMC_TEXT_(m, row->name + u->prefix_bytes);
	out->scale = PMUMAP_IMC_STRING_(m, u->scale);
	out->measure = PMUMAP_IMC_STRING_(m, u->measure);
	out->desc = 0;
	if (u->own) {
		own = PMUMAP_IMC_TEXT_(m, row->name + row->length + 1u);
		out->scale = *own ? own : out->scale;
		own = pmumap_nth_text_(own, 1);
		out->measure = *own ? own : out->measure;
		own = pmumap_nth_text_(own, 1);
		out->desc = *own ? own : 0;
	}
	out->type = u->type;
	out->offset = row->offset;
	out->unit_index = row->unit;
	return 1;
}

PMUMAP_DEF int pmumap_imc_unit_find(const struct pmumap_imc *m, const char *name, size_t len,
				    uint32_t *unit)
{
	uint32_t i = 0;

	while (i < m->unit_count && !pmumap_imc_unit_is_(m, i, name, len))
		i++;
	if (i == m->unit_count)
		return 0;
	*unit = i;
	return 1;
}

PMUMAP_DEF size_t pmumap_imc_linux_name(const struct pmumap_imc *m, uint32_t unit, char *text,
					size_t bytes)
{
	const char *part;
	size_t n = 0;
	uint32_t i;

	if (unit >= m->unit_count)
		return 0;
	for (i = 0; i < 3; i++) {
		for (part = pmumap_imc_linux_part_(m, unit, i); *part && *part != '@'; part++) {
			if (++n < bytes)
				text[n - 1] = *part;
		}
	}
	if (bytes)
		text[n < bytes ? n : bytes - 1] = 0;
	return n;
}

PMUMAP_DEF int pmumap_imc_event_at(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
				   uint32_t *event)
{
	if (unit >= m->unit_count || index >= PMUMAP_IMC_UNITS_(m)[unit].events)
		return 0;
	*event = PMUMAP_IMC_UNITS_(m)[unit].first + index;
	return 1;
}

PMUMAP_DEF int pmumap_imc_chip_at(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
				  uint32_t *chip, uint64_t *base)
{
	const struct pmumap_imc_chip_row_ *c = PMUMAP_IMC_CHIPS_(m) + index;

	if (unit >= m->unit_count || index >= PMUMAP_IMC_UNITS_(m)[unit].chip_count)
		return 0;
	c += PMUMAP_IMC_UNITS_(m)[unit].chips;
	*chip = c->chip;
	*base = c->base;
	return 1;
}

/* Both addresses. counter: its offset; NULL: of the control block. */
static inline int pmumap_imc_place_on_chip_(const struct pmumap_imc *m, uint32_t unit,
					    uint32_t chip, const uint32_t *counter, uint64_t *phys)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m) + unit;
	uint32_t bytes = counter ? PMUMAP_IMC_COUNTER_BYTES_ : PMUMAP_IMC_CONTROL_BYTES_;
	uint32_t i = 0, found, offset;
	uint64_t base, place;

	do {
		if (!pmumap_imc_chip_at(m, unit, i++, &found, &base))
			return 0;
	} while (found != chip);
	offset = counter ? *counter : u->control;
	place = (uint64_t)u->offset + offset;
	if (u->type != PMUMAP_IMC_NEST || u->size < bytes || offset > u->size - bytes ||
	    place + bytes - 1 > ~(uint64_t)0 - base)
		return 0;
	*phys = base + place;
	return 1;
}

PMUMAP_DEF int pmumap_imc_address(const struct pmumap_imc *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys)
{
	return pmumap_imc_place_on_chip_(m, e->unit_index, chip, &e->offset, phys);
}

PMUMAP_DEF int pmumap_imc_control_address(const struct pmumap_imc *m, uint32_t unit, uint32_t chip,
					  uint64_t *phys)
{
	return pmumap_imc_place_on_chip_(m, unit, chip, 0, phys);
}
