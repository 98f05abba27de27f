/* SPDX-License-Identifier: BSD-2-Clause */
#include "lookup.h"
#include "map/imc.h"
#include "text/json.h"
#include "text/text.h"

#define NAMES_CONSIDERED 16384u /* names compared to suggest one */

struct imc_query imc_query(const char *text)
{
	struct imc_query q = { .text = text };
	const char *colon = strrchr(text, ':');

	if (strncmp(text, "imc:", 4) || !read_number(colon + 1, UINT64_MAX, &q.offset))
		return q;
	q.by_offset = 1;
	if (colon > text + 3)
		q.unit = printed("%.*s", (int)(colon - (text + 4)), text + 4);
	return q;
}

/* ---- patterns -------------------------------------------------------------------------------- */

/* True if a glob matches the full name or, if the glob has a slash, UNIT/NAME with or without @. */
static int is_like_event(const struct pmumap_imc_event *event, const char *pattern)
{
	char *name = printed("%s/%s%s", event->unit, event->prefix, event->name), *at;
	int like;

	if (!strchr(pattern, '/')) {
		like = is_like(name + strlen(event->unit) + 1, pattern);
	} else {
		like = is_like(name, pattern);
		at = strchr(name, '@');
		if (at) {
			at[0] = '\0';
			snprintf(at, strlen(event->prefix) + strlen(event->name) + 2, "/%s%s",
				 event->prefix, event->name);
			like |= is_like(name, pattern);
		}
	}
	free(name);
	return like;
}

/* Finds the next event that the glob matches, from event *next on. */
static int next_like(const struct pmumap_imc *map, const char *pattern, uint32_t *next,
		     struct pmumap_imc_event *event)
{
	while (pmumap_imc_event(map, *next, event)) {
		++*next;
		if (is_like_event(event, pattern))
			return 1;
	}
	return 0;
}

/* ---- matches --------------------------------------------------------------------------------- */

/* Matches of a query: exact ones, or those of the glob if there are none. The caller frees them. */
struct matches {
	struct pmumap_imc_event *list;
	uint32_t count;
	int more; /* there are more than MATCH_LIMIT */
};

static void add_match(struct matches *m, const struct pmumap_imc_event *event)
{
	m->more = m->count == MATCH_LIMIT;
	if (m->more)
		return;
	m->list = grow(m->list, m->count, sizeof(*m->list));
	m->list[m->count++] = *event;
}

static int has_address(const struct pmumap_imc *map, const struct pmumap_imc_event *event,
		       uint64_t wanted)
{
	uint64_t base, address;
	uint32_t id;

	for (uint32_t i = 0; pmumap_imc_chip_at(map, event->unit_index, i, &id, &base); i++) {
		if (pmumap_imc_address(map, event, id, &address) && address == wanted)
			return 1;
	}
	return 0;
}

static void find_address(struct matches *m, const struct pmumap_imc *map, const struct imc_query *q)
{
	struct pmumap_imc_event event;
	struct pmumap_imc_unit unit;

	for (uint32_t i = 0; !m->more && pmumap_imc_event(map, i, &event); i++) {
		if (pmumap_imc_unit_at(map, event.unit_index, &unit) &&
		    is_meant(map, event.unit_index, &unit, q->unit) &&
		    has_address(map, &event, q->offset))
			add_match(m, &event);
	}
}

/* Adds the events at the query's offset, in the PMUs that its spelling means. */
static void find_places(struct matches *m, const struct pmumap_imc *map, const struct imc_query *q)
{
	struct pmumap_imc_event event;
	struct pmumap_imc_unit unit;
	uint32_t number;

	for (uint32_t nth = 0;
	     !m->more &&
	     pmumap_imc_find_offset(map, PMUMAP_IMC_ALL, (uint32_t)q->offset, nth, &number) &&
	     pmumap_imc_event(map, number, &event);
	     nth++) {
		if (pmumap_imc_unit_at(map, event.unit_index, &unit) &&
		    is_meant(map, event.unit_index, &unit, q->unit))
			add_match(m, &event);
	}
}

static struct matches find_matches(const struct pmumap_imc *map, const struct imc_query *q)
{
	struct matches m = { 0 };
	struct pmumap_imc_event event;
	uint32_t nth, number, next = 0;
	char *pattern;

	if (q->by_offset) {
		(q->offset > UINT32_MAX ? find_address : find_places)(&m, map, q);
		return m;
	}
	for (nth = 0;
	     !m.more && pmumap_imc_find_name(map, q->text, strlen(q->text), nth, &number) &&
	     pmumap_imc_event(map, number, &event);
	     nth++)
		add_match(&m, &event);
	if (nth || is_short(q->text))
		return m;
	pattern = pattern_of(q->text);
	while (!m.more && next_like(map, pattern, &next, &event))
		add_match(&m, &event);
	free(pattern);
	return m;
}

void consider_imc(const struct pmumap_imc *map, struct nearest *n)
{
	struct pmumap_imc_event event;

	for (uint32_t i = 0; i < NAMES_CONSIDERED && pmumap_imc_event(map, i, &event); i++) {
		char *name = escaped(event.prefix, event.name);

		consider(n, name);
		free(name);
	}
}

static void addresses_json(const struct pmumap_imc *map, const struct pmumap_imc_event *event)
{
	uint64_t base, address;
	uint32_t id;
	int any = 0;

	for (uint32_t i = 0; pmumap_imc_chip_at(map, event->unit_index, i, &id, &base); i++) {
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

int matches_json(const struct pmumap_imc *map, const struct imc_query *q)
{
	struct matches m = find_matches(map, q);

	for (uint32_t i = 0; i < m.count; i++) {
		json_kind("imc-event");
		json_string("query", q->text);
		event_json(&m.list[i]);
		trace_json(&m.list[i]);
		addresses_json(map, &m.list[i]);
		json_bool("found", 1);
		json_end();
	}
	free(m.list);
	return m.count != 0;
}

static void addresses_note(const struct pmumap_imc *map, const struct pmumap_imc_event *event,
			   struct table *t)
{
	char text[CHIPS_LIMIT * 48] = "";
	size_t used = 0;
	uint64_t base, address;
	uint32_t id;

	for (uint32_t i = 0;
	     i < CHIPS_LIMIT && pmumap_imc_chip_at(map, event->unit_index, i, &id, &base); i++) {
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

const char *const match_heads[MATCH_COLUMNS] = { "event",   "PMU",    "type",
						 ">offset", ">scale", "measure" };

int match_rows(const struct pmumap_imc *map, const struct imc_query *q, struct table *t)
{
	struct matches m = find_matches(map, q);

	for (uint32_t i = 0; i < m.count; i++) {
		const struct pmumap_imc_event *event = &m.list[i];

		table_add(t, escaped(event->prefix, event->name));
		table_cells(t, event->unit, imc_type(event->type), hex(event->offset).s,
			    event->scale, event->measure);
		if (event->desc)
			table_note(t, event->desc);
		trace_note(event, t);
		addresses_note(map, event, t);
	}
	if (m.more)
		table_note(t, "and more; use a longer query");
	free(m.list);
	return m.count != 0;
}
