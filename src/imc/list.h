/* SPDX-License-Identifier: BSD-2-Clause */
/* Events, units, addresses */
#pragma once

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
	const struct pmumap_imc_own_ *own = PMUMAP_IMC_OWNS_(m);
	const struct pmumap_imc_unit_row_ *u;
	uint32_t n = m->own_count, scale, measure, desc = 0;

	if (event >= m->names)
		return 0;
	u = PMUMAP_IMC_UNITS_(m) + row->unit;
	for (; n > 1; n -= n / 2)
		own += own[n / 2].row <= event ? n / 2 : 0;
	scale = u->scale;
	measure = u->measure;
	if (n && own->row == event) {
		scale = own->scale ? own->scale : scale;
		measure = own->measure ? own->measure : measure;
		desc = own->desc;
	}
	out->unit = PMUMAP_IMC_TEXT_(m, u->name);
	out->prefix = PMUMAP_IMC_TEXT_(m, u->prefix);
	out->name = PMUMAP_IMC_TEXT_(m, row->name + u->prefix_bytes);
	out->scale = PMUMAP_IMC_STRING_(m, scale);
	out->measure = PMUMAP_IMC_STRING_(m, measure);
	out->desc = PMUMAP_IMC_STRING_(m, desc);
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
