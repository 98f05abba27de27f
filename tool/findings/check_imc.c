/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_imc.c -- reports chips that a running machine cannot have, and names and numbers that perf
 * cannot use.
 */
#include <ctype.h>
#include <libfdt.h>
#include "checks.h"
#include "findings.h"
#include "map/imc.h"
#include "source/rows.h"

#define PERF_UNIT 31u /* bytes of a unit that perf keeps */

/* Chips and their bases, the first ones of a unit or of all units. */
struct chips {
	uint32_t count, id[CHIPS_LIMIT];
	uint64_t base[CHIPS_LIMIT];
};

/* The position of a chip, or count. */
static uint32_t find_chip(const struct chips *all, uint32_t id)
{
	uint32_t i = 0;

	while (i < all->count && all->id[i] != id)
		i++;
	return i;
}

static void add_chip(struct chips *all, uint32_t id, uint64_t base)
{
	if (all->count == CHIPS_LIMIT)
		return;
	all->id[all->count] = id;
	all->base[all->count++] = base;
}

static void read_chips(const struct pmumap_imc *map, uint32_t unit, struct chips *to)
{
	uint32_t id;
	uint64_t base;

	to->count = 0;
	for (uint32_t i = 0; i < CHIPS_LIMIT && pmumap_imc_chip_at(map, unit, i, &id, &base); i++)
		add_chip(to, id, base);
}

/* Checks one chip of a unit. */
static void check_base(const struct checker *c, const struct pmumap_imc_unit *unit,
		       const struct chips *own, uint32_t i)
{
	uint64_t base = own->base[i], end = (uint64_t)unit->offset + unit->size;
	int shared = 0;

	for (uint32_t k = 0; k < i; k++)
		shared |= own->base[k] == base && own->id[k] != own->id[i];
	if (find_chip(own, own->id[i]) != i)
		tell_mistake(c, CHIP_DUPLICATE, PMUMAP_WARNING, "chip-id", PMUMAP_NO_ROW,
			     own->id[i]);
	else if (base == 0 || base % 8 || (end && base > UINT64_MAX - (end - 1)) || shared)
		tell_mistake(c, BASE_WRONG, PMUMAP_WARNING, "base-addr", PMUMAP_NO_ROW, base);
}

/* Compares a unit's chips with those of all units, unless chip-mismatch reports them. */
static void compare_chips(const struct checker *c, const struct chips *own, const struct chips *all)
{
	if (property_bytes(&c->r->source, c->node, "base-addr") / 8 !=
	    property_bytes(&c->r->source, c->node, "chip-id") / 4)
		return;
	for (uint32_t i = 0; i < all->count; i++) {
		uint32_t k = find_chip(own, all->id[i]);

		if (k < own->count && own->base[k] == all->base[i])
			continue;
		tell_mistake(c, CHIPS_DIFFER,
			     own->count && k == own->count ? PMUMAP_NOTE : PMUMAP_WARNING,
			     own->count ? "chip-id" : NULL, PMUMAP_NO_ROW, all->id[i]);
		return;
	}
}

/* ---- perf ------------------------------------------------------------------------------------ */

/* True if perf finds no event with this name in sysfs. */
static int is_unusable(const char *prefix, const char *name)
{
	static const char *const ends[] = { ".scale", ".unit", ".per-pkg", ".snapshot" };
	size_t length = strlen(name);
	int upper = 0, lower = 0;

	for (int part = 0; part < 2; part++) {
		for (const char *s = part ? name : prefix; *s; s++) {
			upper |= isupper((unsigned char)*s) != 0;
			lower |= islower((unsigned char)*s) != 0;
			if (strchr(",/", *s) || isspace((unsigned char)*s))
				return 1;
		}
	}
	for (size_t i = 0; i < LENGTH(ends); i++) {
		size_t end = strlen(ends[i]);

		if (length >= end && !strcmp(name + length - end, ends[i]))
			return 1;
	}
	return upper && lower;
}

static void check_measure(const struct checker *c)
{
	const char *measure = property_text(&c->r->source, c->node, "unit");

	if (measure && strlen(measure) > PERF_UNIT)
		tell_mistake(c, MEASURE_LONG, PMUMAP_WARNING, "unit", PMUMAP_NO_ROW,
			     strlen(measure));
}

/* Checks the full names of a unit's events, and trace events. Each mistake is reported once. */
static void check_events_of(const struct checker *c, uint32_t unit)
{
	struct pmumap_imc_trace_config config;
	struct pmumap_imc_event event;
	int trace = 0, name = 0;

	for (uint32_t i = 0; i < MATCH_LIMIT && event_of(c->r->source.imc, unit, i, &event); i++) {
		/* A name that is unusable without its prefix is reported at the event. */
		if (!name && is_unusable(event.prefix, event.name) &&
		    !is_unusable("", event.name)) {
			name = 1;
			tell_mistake(c, NAME_UNUSABLE, PMUMAP_WARNING, "events-prefix",
				     PMUMAP_NO_ROW, 0);
		}
		if (event.type == PMUMAP_IMC_TRACE && !trace &&
		    !pmumap_imc_trace_config_decode(event.offset, &config)) {
			trace = 1;
			tell_mistake(c, TRACE_RESERVED, PMUMAP_WARNING, "reg", PMUMAP_NO_ROW,
				     event.offset);
		}
	}
}

static void check_event(const struct checker *c)
{
	const char *name = property_text(&c->r->source, c->node, "event-name");

	if (name && is_unusable("", name))
		tell_mistake(c, NAME_UNUSABLE, PMUMAP_WARNING, "event-name", PMUMAP_NO_ROW, 0);
	check_measure(c);
}

static void check_unit(const struct checker *c, uint32_t index, const struct pmumap_imc_unit *unit,
		       const struct chips *all)
{
	struct chips own;

	check_measure(c);
	check_events_of(c, index);
	if (unit->type != PMUMAP_IMC_NEST || !unit->size)
		return;
	read_chips(c->r->source.imc, index, &own);
	for (uint32_t i = 0; i < own.count; i++)
		check_base(c, unit, &own, i);
	compare_chips(c, &own, all);
}

void check_imc(struct checker *c)
{
	const struct pmumap_imc *map = c->r->source.imc;
	const void *blob = c->r->source.file.data;
	struct chips all = { 0 }, own;
	struct pmumap_imc_unit unit;
	uint32_t next = 0;

	if (!has_imc(map))
		return;
	for (uint32_t u = 0; pmumap_imc_unit_at(map, u, &unit); u++) {
		read_chips(map, u, &own);
		for (uint32_t i = 0; i < own.count; i++) {
			if (find_chip(&all, own.id[i]) == all.count)
				add_chip(&all, own.id[i], own.base[i]);
		}
	}
	/* The map has the units in the order of the tree, without those that were dropped. */
	for (c->node = 0; c->node >= 0; c->node = fdt_next_node(blob, c->node, NULL)) {
		if (fdt_getprop(blob, c->node, "event-name", NULL))
			check_event(c);
		if (pmumap_imc_unit_at(map, next, &unit) &&
		    !strcmp(unit.name, fdt_get_name(blob, c->node, NULL)))
			check_unit(c, next++, &unit, &all);
	}
}
