/* SPDX-License-Identifier: BSD-2-Clause */
#include "imc.h"
#include "text/json.h"

const struct imc_type imc_types[IMC_TYPES] = {
	{ PMUMAP_IMC_NEST, "nest" },
	{ PMUMAP_IMC_CORE, "core" },
	{ PMUMAP_IMC_THREAD, "thread" },
	{ PMUMAP_IMC_TRACE, "trace" },
};

const char *imc_type(uint32_t type)
{
	for (size_t i = 0; i < IMC_TYPES; i++) {
		if (imc_types[i].type == type)
			return imc_types[i].name;
	}
	return "?";
}

int has_imc(const struct pmumap_imc *map)
{
	struct pmumap_imc_unit unit;

	return map && pmumap_imc_unit(map, 0, &unit);
}

/* pmumap_imc.h knows the spellings of units, so ask it. */
int is_meant(const struct pmumap_imc *map, uint32_t index, const struct pmumap_imc_unit *unit,
	     const char *spelling)
{
	struct pmumap_imc_event first, event;

	if (!spelling || !strcmp(spelling, unit->name))
		return 1;
	if (!pmumap_imc_event_at(map, index, 0, &first))
		return 0;
	for (uint32_t i = 0;
	     i < MATCH_LIMIT && pmumap_imc_at(map, spelling, first.offset, i, &event); i++) {
		if (event.unit_index == index)
			return 1;
	}
	return 0;
}

int means_any(const struct pmumap_imc *map, const char *spelling)
{
	struct pmumap_imc_unit unit;

	for (uint32_t u = 0; map && pmumap_imc_unit(map, u, &unit); u++) {
		if (is_meant(map, u, &unit, spelling))
			return 1;
	}
	return 0;
}

static void json_name(const struct pmumap_imc_event *event)
{
	json_key("name");
	putchar('"');
	put_escaped(stdout, event->prefix, 1);
	put_escaped(stdout, event->name, 1);
	putchar('"');
}

void json_scale(const char *scale)
{
	uint64_t mantissa;
	int32_t exponent;

	json_text("scale", scale);
	if (!scale || !pmumap_imc_scale(scale, &mantissa, &exponent))
		return;
	json_number("mantissa", mantissa);
	json_key("exponent10");
	printf("%" PRId32, exponent);
}

void event_json(const struct pmumap_imc_event *event)
{
	json_string("unit", event->unit);
	json_name(event);
	json_string("type", imc_type(event->type));
	json_hex("offset", event->offset);
	json_scale(event->scale);
	json_text("measure", event->measure);
	json_text("desc", event->desc);
}
