/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists, addresses */
#pragma once

#include "imc/find.h"

PMUMAP_DEF uint32_t pmumap_imc_names(const struct pmumap_imc *m, int *indexed)
{
	*indexed = m->slots != 0;
	return m->names;
}

PMUMAP_DEF int pmumap_imc_unit(const struct pmumap_imc *m, uint32_t index,
			       struct pmumap_imc_unit *out)
{
	const struct pmumap_imc_unit_row_ *u;
	const struct pmumap_imc_unit_class_ *k;

	if (index >= m->unit_count)
		return 0;
	u = pmumap_imc_unit_rows_(m) + index;
	k = pmumap_imc_class_of_unit_(m, u);
	out->name = pmumap_imc_string_at_(m, u->name);
	out->prefix = pmumap_imc_string_at_(m, u->prefix);
	out->scale = pmumap_imc_string_at_(m, k->scale);
	out->measure = pmumap_imc_string_at_(m, k->measure);
	out->type = k->type;
	out->reg = u->reg;
	out->size = k->size;
	out->offset = k->offset;
	out->control = k->control;
	out->events = u->events;
	out->chips = k->chip_count;
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
	const char *part[3];
	size_t n = 0, i;

	if (unit >= m->unit_count)
		return 0;
	part[0] = pmumap_imc_class_of_unit_(m, pmumap_imc_unit_rows_(m) + unit)->type ==
				  PMUMAP_IMC_NEST
			  ? "nest_"
			  : "";
	part[1] = pmumap_imc_node_name_(m, unit);
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
				   struct pmumap_imc_event *out)
{
	if (unit >= m->unit_count || index >= pmumap_imc_unit_rows_(m)[unit].events)
		return 0;
	return pmumap_imc_fill_event_(m, unit, pmumap_imc_unit_rows_(m)[unit].first + index, out);
}

PMUMAP_DEF int pmumap_imc_chip(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
			       uint32_t *chip, uint64_t *base)
{
	const struct pmumap_imc_unit_class_ *k;

	if (unit >= m->unit_count)
		return 0;
	k = pmumap_imc_class_of_unit_(m, pmumap_imc_unit_rows_(m) + unit);
	if (index >= k->chip_count)
		return 0;
	*chip = pmumap_imc_chip_rows_(m, k)[index].chip;
	*base = pmumap_imc_chip_rows_(m, k)[index].base;
	return 1;
}

/* The physical address of bytes in a nest window on a chip. Fails like pmumap_imc_address(). */
static inline int pmumap_imc_place_on_chip_(const struct pmumap_imc *m, uint32_t unit,
					    uint32_t chip, uint32_t offset, uint32_t bytes,
					    uint64_t *phys)
{
	const struct pmumap_imc_unit_class_ *k;
	uint64_t place;
	uint32_t i = 0;

	if (unit >= m->unit_count)
		return 0;
	k = pmumap_imc_class_of_unit_(m, pmumap_imc_unit_rows_(m) + unit);
	if (k->type != PMUMAP_IMC_NEST ||
	    (k->size && (k->size < bytes || offset > k->size - bytes)))
		return 0;
	while (i < k->chip_count && pmumap_imc_chip_rows_(m, k)[i].chip != chip)
		i++;
	if (i == k->chip_count)
		return 0;
	place = (uint64_t)k->offset + offset;
	if (place + bytes - 1 > ~(uint64_t)0 - pmumap_imc_chip_rows_(m, k)[i].base)
		return 0;
	*phys = pmumap_imc_chip_rows_(m, k)[i].base + place;
	return 1;
}

PMUMAP_DEF int pmumap_imc_address(const struct pmumap_imc *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys)
{
	return pmumap_imc_place_on_chip_(m, e->unit_index, chip, e->offset, 8, phys);
}

PMUMAP_DEF int pmumap_imc_control(const struct pmumap_imc *m, uint32_t unit, uint32_t chip,
				  uint64_t *phys)
{
	struct pmumap_imc_unit u;

	return pmumap_imc_unit(m, unit, &u) &&
	       pmumap_imc_place_on_chip_(m, unit, chip, u.control, PMUMAP_IMC_CB_BYTES, phys);
}
