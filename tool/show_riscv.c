/* SPDX-License-Identifier: BSD-2-Clause */
#include "json.h"
#include "show.h"
#include "table.h"
#include "text.h"

static void show_events(const struct pmumap *map, const struct events *core)
{
	static const char *const heads[] = { "event",  "name",     "selector",
					     "bitmap", "counters", "the core's name" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	struct pmumap_run line;

	for (uint32_t e = 0; next_line(map, e, &line); e = line.last + 1) {
		char *name = line.has_selector ? names_of(core, line.selector) : NULL;

		table_cell(&t, event_code(line.first, line.last).s);
		table_cell(&t, line_name(&line));
		table_cell(&t, line.has_selector ? hex(line.selector).s : "-");
		table_cell(&t, hex(line.counters).s);
		table_cell(&t, counter_list(line.counters).s);
		table_cell(&t, name);
		free(name);
	}
	putchar('\n');
	table_end(&t);
}

static void put_cells(const char *cells)
{
	for (unsigned c = 0; cells[c]; c++)
		printf("%s%c", c && c % 8 == 0 ? " " : "", cells[c]);
	putchar('\n');
}

/* At most 15 + 2 + 38 + 2 + 32 + 3 columns. */
static void show_grid(const struct pmumap *map, const struct extent *x)
{
	static const char tens[] = "          1         2         3", units[] = "0123456789";
	struct pmumap_run line;
	char cells[33];
	unsigned top = 31;

	while (top && !(x->counters >> top & 1))
		top--;
	printf("\n%s", paint(BOLD));
	if (top >= 10) {
		printf("%*s", x->code + 2 + x->name + 2, "");
		snprintf(cells, top / 10 * 10 + 2, "%s", tens);
		put_cells(cells);
	}
	printf("%-*s  ", x->code + 2 + x->name, "event x counter");
	for (unsigned c = 0; c <= top; c++)
		cells[c] = units[c % 10];
	cells[top + 1] = '\0';
	put_cells(cells);
	fputs(paint(PLAIN), stdout);
	for (uint32_t e = 0; next_line(map, e, &line); e = line.last + 1) {
		printf("%-*s  %-*s  ", x->code, event_code(line.first, line.last).s, x->name,
		       line_name(&line));
		for (unsigned c = 0; c <= top; c++)
			cells[c] = line.counters >> c & 1 ? '#' : '.';
		put_cells(cells);
	}
}

static void show_raw(const struct pmumap *map)
{
	static const char *const heads[] = { "select", "mask", "bitmap", "counters" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	uint64_t select, mask;
	uint32_t counters;

	for (uint32_t i = 0; pmumap_raw_at(map, i, &select, &mask, &counters); i++) {
		table_cell(&t, hex(select).s);
		table_cell(&t, hex(mask).s);
		table_cell(&t, hex(counters).s);
		table_cell(&t, counter_list(counters).s);
	}
	printf("\n%sraw events: a row counts event e if (e & mask) == select%s\n", paint(BOLD),
	       paint(PLAIN));
	table_end(&t);
}

/* What the core's file offers, and what of it a raw row lets through. */
static void show_core(const struct pmumap *map, const struct events *core)
{
	static const char *const heads[] = { "code", "the core's name", "counters" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };

	for (size_t i = 0; i < core->raw; i++) {
		const struct vendor_event *e = &core->list[i];
		uint32_t counters = pmumap_raw_counters(map, e->data);

		table_cell(&t, hex(e->data).s);
		table_cell(&t, e->name);
		table_cell(&t, counters ? counter_list(counters).s : "refused");
	}
	printf("\n%sevents of ", paint(BOLD));
	put_escaped(stdout, core->path, 0);
	printf("%s\n", paint(PLAIN));
	table_end(&t);
}

static void core_json(const struct pmumap *map, const struct events *core)
{
	for (size_t i = 0; i < core->raw; i++) {
		const struct vendor_event *e = &core->list[i];

		json_string("vendor", e->name);
		json_hex("code", e->data);
		json_hex("counters", pmumap_raw_counters(map, e->data));
		json_end();
	}
}

void show_riscv_json(const struct pmumap *map, const struct events *core)
{
	struct pmumap_run run;
	uint64_t select, mask;
	uint32_t counters;
	char *name;

	for (uint32_t e = 0; pmumap_event_next(map, e, &run); e = run.last + 1) {
		json_hex("event", run.first);
		if (run.last != run.first)
			json_hex("last", run.last);
		else if (named(run.first))
			json_string("name", pmumap_event_name(run.first));
		name = run.has_selector ? names_of(core, run.selector) : NULL;
		if (run.has_selector)
			json_hex("selector", run.selector);
		json_text("vendor", name);
		json_hex("counters", run.counters);
		json_end();
		free(name);
	}
	for (uint32_t i = 0; pmumap_raw_at(map, i, &select, &mask, &counters); i++) {
		json_hex("select", select);
		json_hex("mask", mask);
		json_hex("counters", counters);
		json_end();
	}
	core_json(map, core);
}

void show_riscv(const struct pmumap *map, const struct extent *x, const struct events *core)
{
	if (x->by_number)
		puts(NO_SELECTORS);
	if (x->lines) {
		show_events(map, core);
		show_grid(map, x);
		puts("\nEvent 1 (cycles) may also use counter 0, and 2 (instructions) counter 2.");
	}
	if (x->raw_rows)
		show_raw(map);
	if (core->raw)
		show_core(map, core);
}
