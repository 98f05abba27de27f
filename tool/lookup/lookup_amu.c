/* SPDX-License-Identifier: BSD-2-Clause */
#include "lookup.h"
#include "map/amu.h"
#include "text/json.h"

int is_amu_query(const char *query)
{
	return !strncmp(query, "amu:", 4);
}

/* Reads amu:MPIDR or amu:#INDEX. Returns 0 if the query is neither, or there is no such CPU. */
static int find_cpu(const struct pmumap_amu *map, const char *query, uint32_t *index,
		    struct pmumap_amu_cpu *cpu)
{
	struct pmumap_amu_cpu other;
	uint64_t number;
	int by_index = query[4] == '#';

	if (!read_number(query + 4 + by_index, by_index ? UINT32_MAX : UINT64_MAX, &number))
		return 0;
	*index = (uint32_t)number;
	if (!map)
		return 0;
	if (by_index)
		return pmumap_amu_cpu_at(map, *index, cpu);
	if (!pmumap_amu_cpu_find(map, number, cpu))
		return 0;
	*index = 0;
	while (pmumap_amu_cpu_at(map, *index, &other) && other.mpidr != cpu->mpidr)
		++*index;
	return 1;
}

const char *const cpu_heads[CPU_COLUMNS] = { "query",     "CPU",    "MPIDR",   ">view",
					     "described", "enable", "counters" };

int cpu_match(const struct pmumap_amu *map, const char *query, struct table *t)
{
	struct pmumap_amu_cpu cpu;
	uint32_t index;

	if (!find_cpu(map, query, &index, &cpu))
		return 0;
	table_cell(t, query);
	table_add(t, escaped("#", decimal(index).s));
	table_cells(t, hex(cpu.mpidr).s, view_number(cpu.view).s, hex16(cpu.described).s,
		    hex16(cpu.enable).s);
	table_add(t, counter_names(map, cpu.view));
	return 1;
}

int cpu_match_json(const struct pmumap_amu *map, const char *query)
{
	struct pmumap_amu_cpu cpu;
	uint32_t index;
	int found = find_cpu(map, query, &index, &cpu);

	json_kind("amu-cpu");
	json_string("query", query);
	if (found) {
		cpu_json(index, &cpu);
		counters_json(map, cpu.view, cpu.enable);
	}
	json_bool("found", found);
	json_end();
	return found;
}
