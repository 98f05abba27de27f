/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assign.c -- the verb assign: counters for several events at once.
 */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>
#include "json.h"
#include "riscv.h"
#include "suggest.h"
#include "table.h"
#include "verbs.h"

#define ALL_COUNTERS 0xfffffffdu /* counter 1 is the time, which counts no event */

/* "can-interrupt,smcntrpmf". Returns 0: something else is in it. */
static int read_features(const char *text, uint32_t *features)
{
	static const struct {
		const char *name;
		uint32_t bit;
	} known[] = { { "sscofpmf", PMUMAP_SSCOFPMF },
		      { "can-filter", PMUMAP_CAN_FILTER },
		      { "can-interrupt", PMUMAP_CAN_INTERRUPT },
		      { "smcntrpmf", PMUMAP_SMCNTRPMF },
		      { "filter", PMUMAP_FILTER } };

	for (*features = 0;; text++) {
		size_t length = strcspn(text, ","), i = 0;

		while (i < LENGTH(known) &&
		       (strlen(known[i].name) != length || strncmp(text, known[i].name, length)))
			i++;
		if (i == LENGTH(known))
			return 0;
		*features |= known[i].bit;
		text += length;
		if (!*text)
			return 1;
	}
}

/* EVENT, or EVENT@COUNTER where it runs already. Returns 0: no event of that name. */
static int read_want(const struct events *events, const char *query, struct pmumap_want *want)
{
	size_t length = strcspn(query, "@");
	uint64_t counter;

	memset(want, 0, sizeof(*want));
	if (query[length]) {
		if (!read_number(query + length + 1, 31, &counter))
			return 0;
		want->pinned = 1;
		want->counter = (int32_t)counter;
	}
	return parse_event(events, query, length, &want->event, &want->data);
}

static const char *fate(const struct pmumap *map, const struct pmumap_want *want)
{
	if (want->counter >= 0)
		return want->pinned ? "stays" : "";
	if (want->counter == PMUMAP_BUSY)
		return "busy: others have them";
	if (is_firmware_event(want->event))
		return "counted by firmware";
	return pmumap_counters(map, want->event) >> 3 ? "has no selector" : "nothing counts it";
}

/* The selector for mhpmevent, which a fixed counter does not have. */
static int selector_of(const struct pmumap *map, const struct pmumap_want *want, uint64_t *value)
{
	return (want->counter < 0 || want->counter > 2) &&
	       pmumap_encode(map, want->event, want->data, PMUMAP_RULE_ABSENT, value);
}

static void assign_json(const struct pmumap *map, char *const *queries,
			const struct pmumap_want *wants, int count)
{
	uint64_t value;

	for (int i = 0; i < count; i++) {
		const struct pmumap_want *want = &wants[i];

		json_kind("want");
		json_string("query", queries[i]);
		json_hex("event", want->event);
		if (want->data)
			json_hex("data", want->data);
		if (want->counter >= 0)
			json_number("counter", (uint32_t)want->counter);
		if (selector_of(map, want, &value))
			json_hex("mhpmevent", value);
		json_hex("counters", want->counters);
		json_string("result", want->counter >= 0               ? "assigned"
				      : want->counter == PMUMAP_BUSY   ? "busy"
				      : is_firmware_event(want->event) ? "firmware"
								       : "unsupported");
		json_end();
	}
}

static void assign_text(const struct pmumap *map, char *const *queries,
			const struct pmumap_want *wants, int count)
{
	static const char *const heads[] = { "query",     "event",          ">counter",
					     "mhpmevent", "could also use", "result" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	uint64_t value;
	int placed = 0, firmware = 0;

	for (int i = 0; i < count; i++) {
		const struct pmumap_want *want = &wants[i];
		uint32_t rest = want->counters;

		if (want->counter >= 0)
			rest &= ~(1u << want->counter);
		placed += want->counter >= 0;
		firmware += is_firmware_event(want->event);
		table_cell(&t, queries[i]);
		table_cell(&t, event_code(want->event, want->event).s);
		table_cell(&t, want->counter >= 0 ? decimal((uint64_t)want->counter).s : "-");
		table_cell(&t, selector_of(map, want, &value) ? hex(value).s : "-");
		table_cell(&t, rest ? counter_list(rest).s : "-");
		table_cell(&t, fate(map, want));
	}
	table_end(&t);
	count -= firmware;
	if (count)
		printf("%d of %d %s a counter\n", placed, count,
		       count == 1 ? "event has" : "events have");
	if (firmware)
		printf("%d %s counted by firmware\n", firmware,
		       firmware == 1 ? "event is" : "events are");
}

static int assign_all(const struct request *request, const struct events *events,
		      const struct pmumap *map, int file)
{
	int count = request->count - file, code = GOOD;
	char *const *queries = request->args + file;
	struct pmumap_want *wants = reallocate(NULL, (size_t)count, sizeof(*wants));
	struct pmumap_job *jobs = reallocate(NULL, (size_t)count, sizeof(*jobs));
	uint32_t unpinned = ALL_COUNTERS, features = 0;

	if (VALUE(request, FREE) && !read_counters(VALUE(request, FREE), &unpinned))
		code = complain(USAGE, VALUE(request, FREE),
				"not counters 0 to 31, such as 0,2-6 or 0x7d");
	else if (VALUE(request, FEATURES) && !read_features(VALUE(request, FEATURES), &features))
		code = complain(USAGE, VALUE(request, FEATURES),
				"not a list of sscofpmf, smcntrpmf, can-filter, can-interrupt, "
				"filter");
	for (int i = 0; code == GOOD && i < count; i++) {
		if (!read_want(events, queries[i], &wants[i]))
			code = complain(FAULT, queries[i],
					"unknown event, or no counter behind '@'%s",
					meant((struct nearest[]){ nearest_event(queries[i]) }).s);
	}
	if (code == GOOD) {
		int placed = pmumap_plan_all(map, wants, (uint32_t)count, unpinned, features,
					     PMUMAP_RULE_ABSENT, jobs);

		for (int i = 0; i < count; i++)
			placed += is_firmware_event(wants[i].event);
		code = placed == count ? GOOD : FAULT;
		put_sample(request, file);
		if (request->options & JSON)
			assign_json(map, queries, wants, count);
		else
			assign_text(map, queries, wants, count);
	}
	free(jobs);
	free(wants);
	return code;
}

int assign_verb(const struct request *request)
{
	struct events events = { 0 };
	struct source source = { 0 };
	int file = count_files(request), code;

	if (file > 0 && strchr(request->args[0], '@') && access(request->args[0], F_OK))
		file = 0; /* an event that runs already */
	if (file < 0)
		return USAGE;
	if (request->count == file)
		return complain(USAGE, NULL, "assign needs events, such as cycles cache-misses");
	code = read_vendor(request, &events);
	if (code == GOOD)
		code = load(&source, file ? request->args[0] : NULL, &request->input, NULL, NULL);
	if (code == GOOD)
		code = assign_all(request, &events, source.map, file);
	unload_events(&events);
	unload(&source);
	return code;
}
