/* SPDX-License-Identifier: BSD-2-Clause */
#include "show.h"
#include "text/json.h"
#include "text/table.h"
#include "text/text.h"

static void show_events(const struct pmumap *map, const struct events *core)
{
	static const char *const heads[] = { "event",  "name",     "selector",
					     "bitmap", "counters", "the core's name" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	struct pmumap_run line;

	for (uint32_t e = 0; next_line(map, e, &line); e = line.last + 1) {
		char *name = line.has_selector ? names_of(core, line.selector) : NULL;

		table_cells(&t, event_code(line.first, line.last).s, line_name(&line),
			    line.has_selector ? hex(line.selector).s : "-", hex(line.counters).s,
			    counter_list(line.counters).s, name);
		free(name);
	}
	putchar('\n');
	table_end(&t);
}

static void show_raw(const struct pmumap *map)
{
	static const char *const heads[] = { "select", "mask", "bitmap", "counters" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	uint32_t count;
	struct map_row *rows = list_raw_rows(map, &count);

	for (uint32_t i = 0; i < count; i++) {
		table_cells(&t, hex(rows[i].select).s, hex(rows[i].mask).s, hex(rows[i].counters).s,
			    counter_list(rows[i].counters).s);
	}
	free(rows);
	printf("\n%sraw events: a row matches event e if (e & mask) == select%s\n", paint(BOLD),
	       paint(PLAIN));
	table_end(&t);
}

/* Prints the events of the core's file, with the counters of the raw row that matches each. */
static void show_core(const struct pmumap *map, const struct events *core)
{
	static const char *const heads[] = { "code", "the core's name", "counters" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };

	for (size_t i = 0; i < core->raw; i++) {
		const struct vendor_event *e = &core->list[i];
		uint32_t counters = pmumap_raw_counters(map, e->data);

		table_cells(&t, hex(e->data).s, e->name,
			    counters ? counter_list(counters).s : "refused");
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

		json_kind("vendor-event");
		json_string("vendor", e->name);
		json_hex("data", e->data);
		json_counters(pmumap_raw_counters(map, e->data));
		json_end();
	}
}

void show_riscv_json(const struct pmumap *map, const struct events *core)
{
	struct pmumap_run run;
	struct map_row *rows;
	uint32_t count;
	char *name;

	for (uint32_t e = 0; pmumap_event_next(map, e, &run); e = run.last + 1) {
		json_kind("event");
		json_hex("event", run.first);
		if (run.last != run.first)
			json_hex("last", run.last);
		else if (named(run.first))
			json_string("name", pmumap_event_name(run.first));
		name = run.has_selector ? names_of(core, run.selector) : NULL;
		if (run.has_selector)
			json_hex("selector", run.selector);
		json_text("vendor", name);
		json_counters(run.counters);
		json_end();
		free(name);
	}
	rows = list_raw_rows(map, &count);
	for (uint32_t i = 0; i < count; i++) {
		json_kind("raw");
		json_hex("select", rows[i].select);
		json_hex("mask", rows[i].mask);
		json_counters(rows[i].counters);
		json_end();
	}
	free(rows);
	core_json(map, core);
}

void show_riscv(const struct pmumap *map, const struct extent *x, const struct events *core)
{
	if (x->by_number)
		puts(NO_SELECTORS);
	if (x->lines) {
		show_events(map, core);
		show_grid(map, x, 0);
		puts("\nEvent 1 (cycles) can use counter 0 too, event 2 (instructions) counter 2.");
	}
	if (x->raw_rows)
		show_raw(map);
	if (core->raw)
		show_core(map, core);
}
