/* SPDX-License-Identifier: BSD-2-Clause */
#include "amu.h"
#include "text/json.h"

int has_amu(const struct pmumap_amu *map)
{
	struct pmumap_amu_cpu cpu;
	uint16_t described, enable;

	return map &&
	       (pmumap_amu_cpu_at(map, 0, &cpu) || pmumap_amu_view_at(map, 0, &described, &enable));
}

struct amu_sum sum_up_amu(const struct pmumap_amu *map)
{
	struct amu_sum sum = { 0 };
	struct pmumap_amu_cpu cpu;
	uint16_t described, enable;

	while (pmumap_amu_cpu_at(map, sum.cpus, &cpu))
		sum.cpus++;
	for (; pmumap_amu_view_at(map, sum.views, &described, &enable); sum.views++)
		sum.described |= described;
	return sum;
}

int next_cpu_line(const struct pmumap_amu *map, const struct amu_sum *sum, uint32_t first,
		  struct cpu_line *line)
{
	struct pmumap_amu_cpu next;
	uint64_t mpidr;

	if (!pmumap_amu_cpu_at(map, first, &line->cpu))
		return 0;
	line->last = first;
	mpidr = line->cpu.mpidr;
	while (sum->cpus > GRID_LIMIT && pmumap_amu_cpu_at(map, line->last + 1, &next) &&
	       next.view == line->cpu.view) {
		line->cpu = next;
		line->last++;
	}
	line->numbers = brief("#%" PRIu32, first);
	line->mpidrs = hex(mpidr);
	if (first != line->last) {
		line->numbers = brief("#%" PRIu32 "-%" PRIu32, first, line->last);
		line->mpidrs = brief("0x%" PRIx64 "-0x%" PRIx64, mpidr, line->cpu.mpidr);
	}
	return 1;
}

struct text view_number(uint32_t view)
{
	return view == PMUMAP_AMU_NO_VIEW ? (struct text){ "-" } : decimal(view);
}

char *counter_names(const struct pmumap_amu *map, uint32_t view)
{
	const char *separator = "";
	char *text;
	size_t size;
	FILE *out = open_text(&text, &size);

	for (uint32_t c = 0; c < AMU_COUNTERS; c++) {
		const char *name = pmumap_amu_counter_name(map, view, c);

		if (!name)
			continue;
		fprintf(out, "%s%" PRIu32 ":", separator, c);
		put_escaped(out, name, 0);
		separator = ", ";
	}
	close_text(out);
	return text;
}

void cpu_json(uint32_t index, const struct pmumap_amu_cpu *cpu)
{
	json_number("cpu", index);
	json_hex("mpidr", cpu->mpidr);
	if (cpu->view != PMUMAP_AMU_NO_VIEW)
		json_number("view", cpu->view);
	json_hex("described", cpu->described);
	json_hex("enable", cpu->enable);
}

void counters_json(const struct pmumap_amu *map, uint32_t view, uint16_t enable)
{
	json_list("monitors");
	for (uint32_t c = 0; c < AMU_COUNTERS; c++) {
		const char *name = pmumap_amu_counter_name(map, view, c);

		if (!name)
			continue;
		json_item();
		printf("{\"counter\":%" PRIu32 ",\"name\":\"", c);
		put_escaped(stdout, name, 1);
		printf("\",\"enabled\":%s}", enable >> c & 1 ? "true" : "false");
	}
	json_list_end();
}
