/* SPDX-License-Identifier: BSD-2-Clause
 *
 * show.c -- the verb show: prints tables and grids.
 */
#include "map/amu.h"
#include "map/imc.h"
#include "show.h"
#include "source/source.h"
#include "text/json.h"

static void show_all(struct source *source, const struct view *view, const struct events *core,
		     int by_harts)
{
	const struct pmumap *map = source->map;
	struct extent x = measure(map);
	int mixed = by_harts && has_riscv(map) && has_mixed_harts(source);
	int imc = has_imc(source->imc), amu = has_amu(source->amu), riscv = has_riscv(map);
	size_t bytes = pmumap_size(map) + (source->imc ? pmumap_imc_size(source->imc) : 0) +
		       (source->amu ? pmumap_amu_size(source->amu) : 0);

	if (mixed && view->json) {
		show_harts(source, 1, core);
	} else if (mixed) {
		put_escaped(stdout, source->file.name, 0);
		puts(": a map for each riscv,pmu node");
		show_harts(source, 0, core);
	} else if (view->json) {
		json_kind("map");
		json_number("bytes", bytes);
		json_counters(x.counters);
		json_end();
		show_riscv_json(map, core);
	} else {
		put_escaped(stdout, source->file.name, 0);
		printf(": map of %zu bytes", bytes);
		if (riscv)
			printf(", counters %s (0x%" PRIx32 ")", counter_list(x.counters).s,
			       x.counters);
		puts(riscv || imc || amu ? "" : ", nothing to count");
		show_riscv(map, &x, core);
	}
	if (riscv && (imc || amu) && !view->json)
		putchar('\n');
	if (imc)
		show_imc(source->imc, view);
	if (imc && amu && !view->json)
		putchar('\n');
	if (amu)
		show_amu(source->amu, view->json);
}

/* A map without RISC-V has no grid. */
static int show_grid_of(const struct source *source)
{
	struct extent x = measure(source->map);

	if (!has_riscv(source->map))
		return complain(FAULT, source->file.name, "no RISC-V events, so no grid");
	put_escaped(stdout, source->file.name, 0);
	putchar('\n');
	show_grid(source->map, &x, 1);
	return GOOD;
}

int show_verb(const struct request *request)
{
	struct view view = { .json = (request->options & JSON) != 0,
			     .available = (request->options & AVAILABLE) != 0,
			     .grid = (request->options & GRID) != 0,
			     .unit = VALUE(request, UNIT) };
	struct input input = request->input;
	struct source source = { 0 };
	struct events core = { 0 };
	struct doubts doubts = { 0 };
	const char *file;
	int code = read_file_name(request, "show", &file);

	view.events =
		request->options & UNIT || (request->options & EVENTS && !VALUE(request, EVENTS));
	if (view.events)
		input.desc = 1;
	input.all_harts = !view.grid;
	if (code == GOOD && view.grid && request->options & (JSON | UNIT | EVENTS))
		code = complain(USAGE, NULL,
				"--grid prints only a grid: no --json, --unit, --events");
	if (code == GOOD)
		code = read_vendor(request, &core);
	if (code == GOOD)
		code = fetch(&source, file);
	if (code == GOOD && is_container(source.file.data, source.file.size) && !input.pvr) {
		list_catalogs(source.file.name, source.file.data, source.file.size, view.json);
	} else if (code == GOOD) {
		code = understand(&source, &input, count_doubts, &doubts);
		if (code == GOOD && view.grid)
			code = show_grid_of(&source);
		else if (code == GOOD && view.unit)
			code = show_unit(source.file.name, source.imc, &view);
		else if (code == GOOD)
			show_all(&source, &view, &core,
				 !request->input.node && !request->input.for_hart);
		if (source.map && has_riscv(source.map))
			complain_of_doubts(&source, &doubts);
	}
	unload_events(&core);
	unload(&source);
	return code;
}
