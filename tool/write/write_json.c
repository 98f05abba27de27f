/* SPDX-License-Identifier: BSD-2-Clause
 *
 * write_json.c -- write --json: prints a vendor's event file with the counters from a tree. Linux
 * needs them if it drives the counters itself.
 */
#ifdef PMUMAP_TOOL_JANSSON
#include <jansson.h>
#endif
#include "map/riscv.h"
#include "source/source.h"
#include "text/text.h"
#include "write.h"

#ifndef PMUMAP_TOOL_JANSSON

int write_json(const struct request *request, const struct events *core)
{
	(void)request;
	return complain(UNREADABLE, core->path,
			"built without jansson, it cannot write events (install libjansson-dev)");
}

#else

/* events that got counters, and events for which the tree has none */
struct tally {
	size_t set, refused;
};

/*
 * An event's counters are those of its code as a raw event. Metrics and firmware events stay.
 * json_string() would call the tool's own function, not jansson's.
 */
static void set_counters(json_t *entry, const struct events *core, const struct pmumap *map,
			 struct tally *tally)
{
	const char *name = json_string_value(json_object_get(entry, "EventName"));
	const char *arch = json_string_value(json_object_get(entry, "ArchStdEvent"));
	const struct vendor_event *e;
	uint32_t counters;

	name = arch ? arch : name;
	e = name ? event_by_name(core, name, strlen(name)) : NULL;
	if (!e || !is_raw(e) || json_object_get(entry, "Unit"))
		return;
	json_object_del(entry, "Counter");
	json_object_del(entry, "CounterIDMask");
	counters = pmumap_raw_counters(map, e->data);
	if (!counters)
		tally->refused++;
	else if (!json_object_set_new(entry, "CounterIDMask", json_string_nocheck(hex(counters).s)))
		tally->set++;
}

static int put_events(const struct request *request, json_t *list, const struct events *core,
		      const struct source *board)
{
	struct tally tally = { 0 };
	const char *output = VALUE(request, OUTPUT);
	char *text;
	FILE *out;

	for (size_t i = 0; i < json_array_size(list); i++)
		set_counters(json_array_get(list, i), core, board->map, &tally);
	if (!tally.set)
		return complain(FAULT, board->file.name, "has counters for no event of %s",
				core->path);
	text = json_dumps(list, JSON_INDENT(4) | JSON_PRESERVE_ORDER);
	out = text ? open_output(output) : NULL;
	if (!out) {
		free(text);
		return UNREADABLE;
	}
	fprintf(out, "%s\n", text);
	free(text);
	if (tally.refused)
		complain(GOOD, core->path, "%zu of %zu events have no counters: no raw row matches",
			 tally.refused, tally.set + tally.refused);
	return close_output(out, output);
}

int write_json(const struct request *request, const struct events *core)
{
	struct bytes bytes = { .name = core->path };
	struct source board = { 0 };
	struct input input = request->input;
	json_error_t error;
	json_t *list = NULL;
	int code = read_file(&bytes, core->path); /* this rejects a folder */

	if (code == GOOD)
		code = load(&board, request->args[0], &input, NULL, NULL);
	if (code == GOOD && !has_riscv(board.map))
		code = complain(FAULT, board.file.name, "no riscv,pmu");
	if (code == GOOD) {
		list = json_loadb((const char *)bytes.data, bytes.size, 0, &error);
		code = put_events(request, list, core, &board);
	}
	json_decref(list);
	unload(&board);
	free(bytes.data);
	return code;
}

#endif
