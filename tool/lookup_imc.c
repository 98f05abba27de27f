/* SPDX-License-Identifier: BSD-2-Clause */
#include "imc.h"
#include "json.h"
#include "lookup.h"
#include "text.h"

struct imc_query imc_query(const char *text)
{
	struct imc_query q = { .text = text };
	const char *colon = strrchr(text, ':');
	uint64_t offset;

	if (strncmp(text, "imc:", 4) || !read_number(colon + 1, UINT32_MAX, &offset))
		return q;
	q.by_offset = 1;
	q.offset = (uint32_t)offset;
	if (colon > text + 3) {
		size_t length = (size_t)(colon - (text + 4));

		q.unit = reallocate(NULL, length + 1, 1);
		memcpy(q.unit, text + 4, length);
		q.unit[length] = '\0';
	}
	return q;
}

static int next_match(const struct pmumap *map, const struct imc_query *q, uint32_t nth,
		      struct pmumap_imc_event *event)
{
	if (nth >= MATCH_LIMIT)
		return 0;
	return q->by_offset ? pmumap_imc_at(map, q->unit, q->offset, nth, event)
			    : pmumap_imc_find(map, q->text, strlen(q->text), nth, event);
}

static void addresses_json(const struct pmumap *map, const struct pmumap_imc_event *event)
{
	uint64_t base, address;
	uint32_t id;
	int any = 0;

	for (uint32_t i = 0; pmumap_imc_chip(map, event->unit_index, i, &id, &base); i++) {
		if (!pmumap_imc_address(map, event, id, &address))
			continue;
		if (!any++)
			json_list("addresses");
		json_item();
		printf("{\"chip\":%" PRIu32 ",\"address\":\"0x%" PRIx64 "\"}", id, address);
	}
	if (any)
		json_list_end();
}

static void trace_json(const struct pmumap_imc_event *event)
{
	struct pmumap_imc_trace_config c;

	if (event->type != PMUMAP_IMC_TRACE || !pmumap_imc_trace_config_decode(event->offset, &c))
		return;
	json_key("config");
	printf("{\"event\":\"0x%" PRIx32 "\",\"sample\":%" PRIu32 ",\"load\":%" PRIu32 "}", c.event,
	       c.sample, c.load);
}

int matches_json(const struct pmumap *map, const struct imc_query *q)
{
	struct pmumap_imc_event event;
	uint32_t n;

	for (n = 0; next_match(map, q, n, &event); n++) {
		json_string("query", q->text);
		event_json(&event);
		trace_json(&event);
		addresses_json(map, &event);
		json_bool("found", 1);
		json_end();
	}
	return n != 0;
}

static void addresses_note(const struct pmumap *map, const struct pmumap_imc_event *event,
			   struct table *t)
{
	char text[CHIPS_LIMIT * 48] = "";
	size_t used = 0;
	uint64_t base, address;
	uint32_t id;

	for (uint32_t i = 0;
	     i < CHIPS_LIMIT && pmumap_imc_chip(map, event->unit_index, i, &id, &base); i++) {
		if (pmumap_imc_address(map, event, id, &address))
			used += (size_t)snprintf(text + used, sizeof(text) - used,
						 "%schip %" PRIu32 ": 0x%" PRIx64, used ? ", " : "",
						 id, address);
	}
	if (used)
		table_note(t, text);
}

static void trace_note(const struct pmumap_imc_event *event, struct table *t)
{
	struct pmumap_imc_trace_config c;
	char text[96];

	if (event->type != PMUMAP_IMC_TRACE || !pmumap_imc_trace_config_decode(event->offset, &c))
		return;
	snprintf(text, sizeof(text),
		 "perf's configuration: event 0x%" PRIx32 ", sample %" PRIu32 ", load %" PRIu32,
		 c.event, c.sample, c.load);
	table_note(t, text);
}

const char *const match_heads[MATCH_COLUMNS] = { "event",   "unit",   "type",
						 ">offset", ">scale", "measure" };

int match_rows(const struct pmumap *map, const struct imc_query *q, struct table *t)
{
	struct pmumap_imc_event event;
	uint32_t n;

	for (n = 0; next_match(map, q, n, &event); n++) {
		table_add(t, escaped(event.prefix, event.name));
		table_cell(t, event.unit);
		table_cell(t, imc_type(event.type));
		table_cell(t, hex(event.offset).s);
		table_cell(t, event.scale);
		table_cell(t, event.measure);
		if (event.desc)
			table_note(t, event.desc);
		trace_note(&event, t);
		addresses_note(map, &event, t);
	}
	return n != 0;
}
