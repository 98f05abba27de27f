/* SPDX-License-Identifier: BSD-2-Clause */
#include "riscv.h"
#include "text/text.h"

int named(uint32_t event)
{
	return pmumap_event_valid(event) && pmumap_event_name(event);
}

int next_line(const struct pmumap *map, uint32_t from, struct pmumap_run *line)
{
	uint32_t last;

	if (!pmumap_event_next(map, from, line))
		return 0;
	for (last = line->first; last < line->last; last++) {
		if (named(last) || named(last + 1))
			break;
	}
	line->last = last;
	return 1;
}

const char *line_name(const struct pmumap_run *line)
{
	return named(line->first) ? pmumap_event_name(line->first) : "(no SBI event)";
}

int fixed_counter(const struct pmumap *map, uint32_t event, uint64_t data)
{
	const uint32_t fixed = 7; /* cycles, time, instructions */
	struct pmumap_job job;

	return pmumap_plan(map, event, data, fixed, 0, PMUMAP_RULE_ALWAYS, &job);
}

int has_riscv(const struct pmumap *map)
{
	struct pmumap_run run;
	uint64_t select, mask;
	uint32_t counters;

	return pmumap_event_next(map, 0, &run) || pmumap_raw_at(map, 0, &select, &mask, &counters);
}

struct extent measure(const struct pmumap *map)
{
	struct extent x = { 0 };
	struct pmumap_run line;
	uint64_t select, mask, value;
	uint32_t counters;

	for (uint32_t e = 0; next_line(map, e, &line); e = line.last + 1) {
		x.lines++;
		x.counters |= line.counters;
		x.code = wider(x.code, event_code(line.first, line.last).s);
		x.name = wider(x.name, line_name(&line));
		if (!line.has_selector &&
		    pmumap_encode(map, line.first, 0, PMUMAP_RULE_ABSENT, &value))
			x.by_number = 1;
	}
	while (pmumap_raw_at(map, x.raw_rows, &select, &mask, &counters)) {
		x.raw_rows++;
		x.counters |= counters;
	}
	return x;
}

static int by_select(const void *left, const void *right)
{
	const struct map_row *a = left, *b = right;

	if (a->select != b->select)
		return a->select < b->select ? -1 : 1;
	return a->mask < b->mask ? -1 : a->mask > b->mask;
}

struct map_row *list_raw_rows(const struct pmumap *map, uint32_t *count)
{
	struct map_row *rows = NULL, row;

	for (*count = 0; pmumap_raw_at(map, *count, &row.select, &row.mask, &row.counters);) {
		rows = grow(rows, *count, sizeof(*rows));
		rows[(*count)++] = row;
	}
	if (rows)
		qsort(rows, *count, sizeof(*rows), by_select);
	return rows;
}

int is_firmware_event(uint32_t event)
{
	return event >= PMUMAP_EVENT_FIRMWARE && pmumap_event_valid(event);
}
