/* SPDX-License-Identifier: BSD-2-Clause */
/* Units, lists, addresses */
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
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + index;

	if (index >= m->unit_count)
		return 0;
	out->name = pmumap_imc_string_(m, u->name);
	out->prefix = pmumap_imc_string_(m, u->prefix);
	out->scale = pmumap_imc_string_(m, u->scale);
	out->measure = pmumap_imc_string_(m, u->measure);
	out->type = u->type;
	out->reg = u->reg;
	out->size = u->size;
	out->offset = u->offset;
	out->control = u->control;
	out->events = u->events;
	out->chips = u->chip_count;
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
	struct pmumap_imc_unit u;
	const char *part[3];
	size_t n = 0, i;

	if (!pmumap_imc_unit_at(m, unit, &u))
		return 0;
	part[0] = u.type == PMUMAP_IMC_NEST ? "nest_" : "";
	part[1] = u.name;
	part[2] = "_imc";
	for (i = 0; i < 3; i++) {
		for (; *part[i] && *part[i] != '@'; part[i]++, n++) {
			if (n + 1 < bytes)
				text[n] = *part[i];
		}
	}
	if (bytes)
		text[n < bytes ? n : bytes - 1] = 0;
	return n;
}

PMUMAP_DEF int pmumap_imc_event_at(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
				   uint32_t *event)
{
	if (unit >= m->unit_count || index >= pmumap_imc_unit_rows_(m)[unit].events)
		return 0;
	*event = pmumap_imc_unit_rows_(m)[unit].first + index;
	return 1;
}

PMUMAP_DEF int pmumap_imc_chip_at(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
				  uint32_t *chip, uint64_t *base)
{
	const struct pmumap_imc_chip_row_ *c = pmumap_imc_chip_rows_(m);

	if (unit >= m->unit_count || index >= pmumap_imc_unit_rows_(m)[unit].chip_count)
		return 0;
	c += pmumap_imc_unit_rows_(m)[unit].chips + index;
	*chip = c->chip;
	*base = c->base;
	return 1;
}

#define PMUMAP_IMC_COUNTER_BYTES_ 8u
#define PMUMAP_IMC_CONTROL_BYTES_ 40u

/* The physical address of bytes in a nest window on a chip. Fails like pmumap_imc_address(). */
static inline int pmumap_imc_place_on_chip_(const struct pmumap_imc *m, uint32_t unit,
					    uint32_t chip, uint32_t offset, uint32_t bytes,
					    uint64_t *phys)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + unit;
	uint32_t i = 0, found = ~chip;
	uint64_t base = 0, place;

	if (unit >= m->unit_count || u->type != PMUMAP_IMC_NEST ||
	    (u->size && (u->size < bytes || offset > u->size - bytes)))
		return 0;
	while (found != chip && pmumap_imc_chip_at(m, unit, i, &found, &base))
		i++;
	place = (uint64_t)u->offset + offset;
	if (found != chip || place + bytes - 1 > ~(uint64_t)0 - base)
		return 0;
	*phys = base + place;
	return 1;
}

PMUMAP_DEF int pmumap_imc_address(const struct pmumap_imc *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys)
{
	return pmumap_imc_place_on_chip_(m, e->unit_index, chip, e->offset,
					 PMUMAP_IMC_COUNTER_BYTES_, phys);
}

PMUMAP_DEF int pmumap_imc_control_address(const struct pmumap_imc *m, uint32_t unit, uint32_t chip,
					  uint64_t *phys)
{
	struct pmumap_imc_unit u;

	return pmumap_imc_unit_at(m, unit, &u) &&
	       pmumap_imc_place_on_chip_(m, unit, chip, u.control, PMUMAP_IMC_CONTROL_BYTES_, phys);
}
