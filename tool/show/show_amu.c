/* SPDX-License-Identifier: BSD-2-Clause */
#include "map/amu.h"
#include "show.h"
#include "text/json.h"
#include "text/table.h"

/* Three columns per shown counter: what the CPU has, or the heading if cpu is NULL. */
static struct text grid_line(uint16_t shown, const struct pmumap_amu_cpu *cpu)
{
	struct text line = { "" };
	size_t used = 0;

	for (unsigned c = 0; c < AMU_COUNTERS; c++) {
		char number[3], *cell = number;

		if (!(shown >> c & 1))
			continue;
		if (!cpu)
			snprintf(number, sizeof(number), "%u", c % 100);
		else if (cpu->enable >> c & 1)
			cell = "#";
		else
			cell = cpu->described >> c & 1 ? "o" : ".";
		used += (size_t)snprintf(line.s + used, sizeof(line.s) - used, "%*s", used ? 3 : 2,
					 cell);
	}
	return line;
}

/* Needs at most 13 + 2 + 25 + 2 + 5 + 2 + 47 columns below 100000 CPUs. */
static void show_cpus(const struct pmumap_amu *map, const struct amu_sum *sum)
{
	struct text counters = grid_line(sum->described, NULL);
	const char *const heads[] = { "CPU", "MPIDR", ">view", counters.s };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	struct cpu_line line;

	for (uint32_t i = 0; next_cpu_line(map, sum, i, &line); i = line.last + 1) {
		table_cells(&t, line.numbers.s, line.mpidrs.s, view_number(line.cpu.view).s,
			    grid_line(sum->described, &line.cpu).s);
	}
	putchar('\n');
	table_end(&t);
	if (sum->described)
		puts("\nCounters: # to be enabled at EL3, o only described, . not described");
}

static void show_views(const struct pmumap_amu *map)
{
	static const char *const heads[] = { ">view", "described", "enable", "counters" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	uint16_t described, enable;

	for (uint32_t v = 0; pmumap_amu_view_at(map, v, &described, &enable); v++) {
		table_cells(&t, decimal(v).s, hex16(described).s, hex16(enable).s);
		table_add(&t, counter_names(map, v));
	}
	putchar('\n');
	table_end(&t);
}

static void amu_json(const struct pmumap_amu *map, const struct amu_sum *sum)
{
	struct pmumap_amu_cpu cpu;
	uint16_t described, enable;

	json_kind("amu");
	json_number("cpus", sum->cpus);
	json_number("views", sum->views);
	json_end();
	for (uint32_t i = 0; pmumap_amu_cpu_at(map, i, &cpu); i++) {
		json_kind("amu-cpu");
		cpu_json(i, &cpu);
		json_end();
	}
	for (uint32_t v = 0; pmumap_amu_view_at(map, v, &described, &enable); v++) {
		json_kind("amu-view");
		json_number("view", v);
		json_hex("described", described);
		json_hex("enable", enable);
		counters_json(map, v, enable);
		json_end();
	}
}

void show_amu(const struct pmumap_amu *map, int json)
{
	struct amu_sum sum = sum_up_amu(map);

	if (json) {
		amu_json(map, &sum);
		return;
	}
	printf("%" PRIu32 " %s, %" PRIu32 " %s of activity monitors (AMU)\n", sum.cpus,
	       sum.cpus == 1 ? "CPU" : "CPUs", sum.views, sum.views == 1 ? "view" : "views");
	if (sum.cpus)
		show_cpus(map, &sum);
	if (sum.views)
		show_views(map);
}
