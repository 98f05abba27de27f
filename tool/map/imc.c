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

	return map && pmumap_imc_unit_at(map, 0, &unit);
}

static char *linux_name(const struct pmumap_imc *map, uint32_t index)
{
	size_t bytes = pmumap_imc_linux_name(map, index, NULL, 0) + 1;
	char *name = reallocate(NULL, bytes, 1);

	pmumap_imc_linux_name(map, index, name, bytes);
	return name;
}

/* pmumap_imc_unit_find() finds only the first of several units with one name. */
int is_meant(const struct pmumap_imc *map, uint32_t index, const struct pmumap_imc_unit *unit,
	     const char *spelling)
{
	size_t bare = strcspn(unit->name, "@");
	char *pmu;
	int same;

	if (!spelling || !strcmp(spelling, unit->name) ||
	    (strlen(spelling) == bare && !strncmp(spelling, unit->name, bare)))
		return 1;
	pmu = linux_name(map, index);
	same = !strcmp(spelling, pmu);
	free(pmu);
	return same;
}

int means_any(const struct pmumap_imc *map, const char *spelling)
{
	uint32_t unit;

	if (!spelling)
		return has_imc(map);
	return map && pmumap_imc_unit_find(map, spelling, strlen(spelling), &unit);
}

int event_of(const struct pmumap_imc *map, uint32_t unit, uint32_t index,
	     struct pmumap_imc_event *event)
{
	uint32_t number;

	return pmumap_imc_event_at(map, unit, index, &number) &&
	       pmumap_imc_event(map, number, event);
}

void json_unit(const struct pmumap_imc *map, uint32_t index, const char *node)
{
	char *pmu = linux_name(map, index);

	json_string("unit", node);
	json_string("pmu", pmu);
	free(pmu);
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
