/* SPDX-License-Identifier: BSD-2-Clause
 *
 * write_json.c -- write --json: prints a vendor's event files as one, with the counters from a
 * tree. Linux needs them if it drives the counters itself.
 */
#ifdef PMUMAP_TOOL_JANSSON
#include <jansson.h>
#endif
#include "map/riscv.h"
#include "source/rows.h"
#include "text/text.h"
#include "write.h"

#ifndef PMUMAP_TOOL_JANSSON

int write_json(const struct request *request, const struct events *core)
{
	(void)request, (void)core;
	return UNREADABLE; /* read_events() has complained */
}

#else

/* The next of the core's entries; events that got counters, and those that got none. */
struct tally {
	size_t next, set, refused;
};

/*
 * An event's counters are those of its code as a raw event, and the fixed ones that the file has,
 * which no raw row names. Metrics and firmware events stay.
 * json_string() would call the tool's own function, not jansson's.
 */
static void set_counters(json_t *entry, const struct events *core, const struct pmumap *map,
			 struct tally *tally)
{
	const char *name = json_string_value(json_object_get(entry, "EventName"));
	const char *arch = json_string_value(json_object_get(entry, "ArchStdEvent"));
	const struct entry *e = &core->entries[tally->next];
	uint32_t counters;

	name = arch ? arch : name;
	if (!name || json_object_get(entry, "Unit") || tally->next == core->entry_count ||
	    strcmp(e->name, name) != 0)
		return;
	tally->next++;
	if (e->code < BARE_NUMBER || e->config >> 56)
		return;
	json_object_del(entry, "Counter");
	json_object_del(entry, "CounterIDMask");
	counters = pmumap_raw_counters(map, e->config) | (e->counters & FIXED_MASK);
	if (counters && e->mask >= ZERO_FIRST && e->counters != counters)
		complain(GOOD, e->file,
			 "line %" PRIu32 ": CounterIDMask of %s: 0x%" PRIx32 " becomes 0x%" PRIx32,
			 e->line[MASK_KEY], e->name, e->counters, counters);
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
	struct source board = { 0 };
	json_t *list = json_array();
	int code = load_board(&board, request);

	for (size_t i = 0; code == GOOD && i < core->file_count; i++) {
		json_t *file = json_load_file(core->files[i], 0, NULL);

		if (json_array_extend(list, file))
			code = complain(UNREADABLE, core->files[i], "has changed");
		json_decref(file);
	}
	if (code == GOOD)
		code = put_events(request, list, core, &board);
	json_decref(list);
	unload(&board);
	return code;
}

#endif
