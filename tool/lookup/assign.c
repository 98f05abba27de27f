/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assign.c -- the verb assign: counters for several events at once.
 */
#define _POSIX_C_SOURCE 200809L
#include <strings.h>
#include <unistd.h>
#include "lookup.h"
#include "map/amu.h"
#include "map/imc.h"
#include "map/riscv.h"
#include "map/suggest.h"
#include "source/rows.h"
#include "text/json.h"
#include "text/table.h"

/* The question, and its answer. */
struct plan {
	const char **queries;
	struct pmumap_want *wants;
	unsigned *modes; /* by event: those that it excludes */
	uint32_t *group; /* with groups: numbered from 1; 0 if no free counter fits */
	uint32_t groups; /* 0: all events run at once */
	uint32_t unpinned, features;
	int count;
};

/* ---- a plan ---------------------------------------------------------------------------------- */

/*
 * Assigns counters to events that run at once, or in as few groups as possible. With k groups each
 * counter serves k events, and these can go into the groups in any order. So the problem is a
 * bipartite matching in which each counter has capacity k.
 */

#define FIXED 5u /* mcycle and minstret; without Smcntrpmf they count in all modes */

/* ---- groups ---------------------------------------------------------------------------------- */

struct turns {
	struct pmumap_want *wants;
	uint32_t count, unpinned, groups;
};

static uint32_t users_of(const struct turns *t, int32_t counter)
{
	uint32_t users = 0;

	for (uint32_t i = 0; i < t->count; i++)
		users += t->wants[i].counter == counter;
	return users;
}

/* Gives event i the first counter that has room for one more event. */
static int place_beside(struct turns *t, uint32_t i)
{
	for (int32_t counter = 0; counter < 32; counter++) {
		if (!(t->wants[i].counters & t->unpinned & 1u << counter) ||
		    users_of(t, counter) >= t->groups)
			continue;
		t->wants[i].counter = counter;
		return 1;
	}
	return 0;
}

/*
 * Gives event i a counter, moving other events if necessary. tried: counters already visited, which
 * bounds the depth.
 */
static int place(struct turns *t, uint32_t i, uint32_t *tried)
{
	if (place_beside(t, i))
		return 1;
	for (int32_t counter = 0; counter < 32; counter++) {
		uint32_t bit = 1u << counter;

		if (!(t->wants[i].counters & t->unpinned & ~*tried & bit))
			continue;
		*tried |= bit;
		for (uint32_t j = 0; j < t->count; j++) {
			if (t->wants[j].counter != counter || !place(t, j, tried))
				continue;
			t->wants[i].counter = counter;
			return 1;
		}
	}
	return 0;
}

/* The number of earlier events on the same counter. */
static uint32_t turn_of(const struct turns *t, uint32_t i)
{
	uint32_t before = 0;

	for (uint32_t j = 0; j < i; j++)
		before += t->wants[j].counter == t->wants[i].counter;
	return before;
}

static void plan_groups(struct plan *p)
{
	struct turns t = { p->wants, (uint32_t)p->count, p->unpinned, 1 };
	uint32_t tried;

	for (uint32_t i = 0; i < t.count; i++) {
		struct pmumap_want *want = &p->wants[i];

		want->counter = want->counter < 0 ? want->counter : PMUMAP_BUSY;
	}
	for (uint32_t i = 0; i < t.count; i++) {
		for (tried = 0; p->wants[i].counters & p->unpinned && !place(&t, i, &tried);
		     tried = 0)
			t.groups++;
	}
	for (uint32_t i = 0; i < t.count; i++) {
		p->group[i] = is_firmware_event(p->wants[i].event) ? 1
			      : p->wants[i].counter < 0            ? 0
								   : turn_of(&t, i) + 1;
		p->groups = p->group[i] > p->groups ? p->group[i] : p->groups;
	}
}

/* ---- modes ----------------------------------------------------------------------------------- */

/*
 * A free fixed counter for event i, or a negative number if there is none or the event excludes
 * modes.
 */
static int plain_counter(const struct pmumap *map, const struct plan *p, int i, uint32_t unpinned)
{
	const struct pmumap_want *want = &p->wants[i];
	struct pmumap_job job;

	return p->modes[i] ? -1
			   : pmumap_plan(map, want->event, want->data, unpinned & FIXED, 0,
					 PMUMAP_RULE_ABSENT, &job);
}

/*
 * If only some events exclude modes, gives the fixed counters to the others. Events that exclude
 * modes cannot use them. Returns the counters that were pinned.
 */
static uint32_t pin_plain(const struct pmumap *map, struct plan *p)
{
	uint32_t unpinned = p->unpinned, pinned = 0;

	for (int i = 0; i < p->count; i++) {
		if (p->wants[i].pinned)
			unpinned &= ~(1u << p->wants[i].counter);
	}
	for (int i = 0; i < p->count; i++) {
		int counter = plain_counter(map, p, i, unpinned & ~pinned);

		if (counter < 0 || p->wants[i].pinned)
			continue;
		p->wants[i].counter = counter;
		p->wants[i].pinned = 1;
		pinned |= 1u << counter;
	}
	return pinned;
}

/* Undoes pin_plain(), and allows the fixed counters again for events that exclude no modes. */
static void unpin_plain(const struct pmumap *map, struct plan *p, uint32_t pinned)
{
	for (int i = 0; i < p->count; i++) {
		struct pmumap_want *want = &p->wants[i];
		int counter = plain_counter(map, p, i, UINT32_MAX);

		if (counter < 0)
			continue;
		want->counters |= 1u << counter;
		if (want->pinned && pinned >> want->counter & 1)
			want->pinned = 0;
	}
}

/*
 * Assigns counters to events. grouped: splits the events into as few groups as possible, like
 * perf's {...}; all events of a group run at once. Firmware events need no counter and join group
 * 1.
 */
static void make_plan(const struct pmumap *map, struct plan *p, int grouped)
{
	struct pmumap_job *jobs = reallocate(NULL, (size_t)p->count + 1, sizeof(*jobs));
	uint32_t features = p->features, pinned = 0;
	int some = 0;

	for (int i = 0; i < p->count; i++)
		some |= p->modes[i] != 0;
	some = some && !(features & PMUMAP_MUST_FILTER);
	if (some) {
		pinned = pin_plain(map, p);
		features |= PMUMAP_MUST_FILTER;
	}
	pmumap_plan_all(map, p->wants, (uint32_t)p->count, p->unpinned, features,
			PMUMAP_RULE_ABSENT, jobs);
	if (some)
		unpin_plain(map, p, pinned);
	p->features = features;
	if (grouped)
		plan_groups(p);
	free(jobs);
}

/* ---- the verb -------------------------------------------------------------------------------- */

#define ALL_COUNTERS 0xfffffffdu /* all but counter 1, the time CSR, which counts no event */

/* Reads a list such as "can-interrupt,smcntrpmf". Returns 0 for an unknown word. */
static int read_features(const char *text, uint32_t *features)
{
	static const struct {
		const char *name;
		uint32_t bit;
	} known[] = { { "sscofpmf", PMUMAP_SSCOFPMF },
		      { "can-filter", PMUMAP_CAN_FILTER },
		      { "can-interrupt", PMUMAP_CAN_INTERRUPT },
		      { "smcntrpmf", PMUMAP_SMCNTRPMF },
		      { "filter", PMUMAP_MUST_FILTER } };

	for (*features = 0;; text++) {
		size_t length = strcspn(text, ","), i = 0;

		while (i < LENGTH(known) && (strlen(known[i].name) != length ||
					     strncasecmp(text, known[i].name, length)))
			i++;
		if (i == LENGTH(known))
			return 0;
		*features |= known[i].bit;
		text += length;
		if (!*text)
			return 1;
	}
}

/*
 * Reads EVENT, or EVENT@COUNTER for an event that already runs. Sets *modes if the event excludes
 * some modes. Returns 0 if there is no such event.
 */
static int read_want(const struct events *events, const char *query, struct pmumap_want *want,
		     unsigned *modes)
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
	return parse_spelling(events, query, length, &want->event, &want->data, modes);
}

/* True if EVENT@COUNTER names a counter that cannot count the event. */
static int is_misplaced(const struct pmumap_want *want)
{
	return want->pinned && !(want->counters >> want->counter & 1);
}

static const char *fate(const struct pmumap *map, const struct pmumap_want *want, uint32_t features)
{
	if (is_misplaced(want))
		return "cannot run there";
	if (want->counter >= 0)
		return want->pinned ? "stays" : "";
	if (want->counter == PMUMAP_BUSY)
		return "busy: other events use them";
	if (is_firmware_event(want->event))
		return "counted by firmware";
	if ((features & PMUMAP_MUST_FILTER) && fixed_counter(map, want->event, want->data) >= 0)
		return "its counter counts in all modes";
	return pmumap_counters(map, want->event) >> 3 ? "has no selector" : "nothing counts it";
}

/* The selector for mhpmevent. Fixed counters have none. */
static int selector_of(const struct pmumap *map, const struct pmumap_want *want, uint64_t *value)
{
	return (want->counter < 0 || want->counter > 2) &&
	       pmumap_encode(map, want->event, want->data, PMUMAP_RULE_ABSENT, value);
}

static void assign_json(const struct pmumap *map, const struct plan *p)
{
	uint64_t value;

	for (int i = 0; i < p->count; i++) {
		const struct pmumap_want *want = &p->wants[i];

		json_kind("want");
		json_string("query", p->queries[i]);
		if (p->groups && p->group[i])
			json_number("group", p->group[i]);
		json_hex("event", want->event);
		if (want->data)
			json_hex("data", want->data);
		if (want->counter >= 0)
			json_number("counter", (uint32_t)want->counter);
		if (selector_of(map, want, &value))
			json_hex("mhpmevent", value);
		json_counters(want->counters);
		json_string("result", is_misplaced(want)               ? "misplaced"
				      : want->counter >= 0             ? "assigned"
				      : want->counter == PMUMAP_BUSY   ? "busy"
				      : is_firmware_event(want->event) ? "firmware"
								       : "unsupported");
		json_end();
	}
}

/* Prints, for example, "3 groups: {cycles,instructions},{cache-misses},{branch-misses}". */
static void put_groups(const struct plan *p)
{
	printf("%" PRIu32 " group%s:", p->groups, p->groups == 1 ? "" : "s");
	for (uint32_t group = 1; group <= p->groups; group++) {
		const char *separator = group == 1 ? " {" : ",{";

		for (int i = 0; i < p->count; i++) {
			if (p->group[i] != group)
				continue;
			fputs(separator, stdout);
			put_escaped(stdout, p->queries[i], 0);
			separator = ",";
		}
		putchar('}');
	}
	putchar('\n');
}

static void assign_text(const struct pmumap *map, const struct plan *p)
{
	static const char *const heads[] = { ">group",    "query",          "event", ">counter",
					     "mhpmevent", "could also use", "result" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	uint64_t value;
	int placed = 0, firmware = 0, count = p->count;

	for (int i = 0; i < count; i++) {
		const struct pmumap_want *want = &p->wants[i];
		uint32_t rest = want->counters & p->unpinned;

		if (want->counter >= 0)
			rest &= ~(1u << want->counter);
		placed += want->counter >= 0 && !is_misplaced(want);
		firmware += is_firmware_event(want->event);
		table_cells(&t, p->groups && p->group[i] ? decimal(p->group[i]).s : "",
			    p->queries[i], event_code(want->event, want->event).s,
			    want->counter >= 0 ? decimal((uint64_t)want->counter).s : "-",
			    selector_of(map, want, &value) ? hex(value).s : "-",
			    rest ? counter_list(rest).s : "-", fate(map, want, p->features));
	}
	table_end(&t);
	count -= firmware;
	if (count)
		printf("%d of %d %s a counter\n", placed, count,
		       count == 1 ? "event has" : "events have");
	if (firmware)
		printf("%d %s counted by firmware\n", firmware,
		       firmware == 1 ? "event is" : "events are");
	if (p->groups)
		put_groups(p);
}

/* Reads what is known of the hart's counters. Returns an exit code. */
static int read_hart(const struct request *request, const struct source *source, struct plan *p)
{
	const struct input *input = &request->input;

	p->unpinned = ALL_COUNTERS;
	p->features = features_in_tree(source, input->for_hart ? &input->hart : NULL);
	if (VALUE(request, FREE) && !read_counters(VALUE(request, FREE), &p->unpinned))
		return complain(USAGE, VALUE(request, FREE),
				"not counters 0 to 31, such as 0,2-6 or 0x7d");
	if (VALUE(request, FEATURES) && !read_features(VALUE(request, FEATURES), &p->features))
		return complain(USAGE, VALUE(request, FEATURES),
				"not a list of sscofpmf, smcntrpmf, can-filter, can-interrupt, "
				"filter");
	return GOOD;
}

/* Reports an unknown event. */
static void refuse_event(const char *query, int json)
{
	complain(FAULT, query, "unknown event%s%s",
		 strchr(query, '@') ? ", or no counter after '@'" : "", hint_of(query).s);
	if (json) {
		json_kind("want");
		json_string("query", query);
		json_string("result", "unknown");
		json_end();
	}
}

/* Returns the earlier event that runs on the same counter, or NULL. */
static const char *rival_of(const struct plan *p, const struct pmumap_want *want)
{
	for (int i = 0; want->pinned && i < p->count; i++) {
		if (p->wants[i].pinned && p->wants[i].counter == want->counter)
			return p->queries[i];
	}
	return NULL;
}

/* Reads the events and reports unknown ones. Returns an exit code. */
static int read_wants(const struct request *request, const struct events *events,
		      const struct queries *queries, struct plan *p)
{
	int code = GOOD;

	for (int i = 0; i < queries->count; i++) {
		const char *query = queries->list[i];

		if (request->options & GROUPS && strchr(query, '@'))
			return complain(USAGE, query,
					"--groups takes only events that do not run yet");
		p->queries[p->count] = query;
		if (read_want(events, query, &p->wants[p->count], &p->modes[p->count])) {
			const char *rival = rival_of(p, &p->wants[p->count]);

			if (rival)
				return complain(USAGE, query, "%s runs on this counter", rival);
			p->count++;
			continue;
		}
		refuse_event(query, (request->options & JSON) != 0);
		code = FAULT;
	}
	return code;
}

/* True if every event is counted. */
static int are_counted(const struct plan *p)
{
	int counted = 0;

	for (int i = 0; i < p->count; i++)
		counted += is_firmware_event(p->wants[i].event) ||
			   (p->wants[i].counter >= 0 && !is_misplaced(&p->wants[i]));
	return counted == p->count;
}

static int assign_all(const struct request *request, const struct events *events,
		      const struct source *source, int file)
{
	struct queries queries = split_queries(request->args + file, request->count - file);
	size_t count = (size_t)queries.count;
	struct plan p = { .queries = reallocate(NULL, count, sizeof(*p.queries)),
			  .wants = reallocate(NULL, count, sizeof(*p.wants)),
			  .modes = reallocate(NULL, count, sizeof(*p.modes)),
			  .group = reallocate(NULL, count, sizeof(*p.group)) };
	int code = read_hart(request, source, &p);

	if (code == GOOD) {
		put_sample(request, file);
		code = read_wants(request, events, &queries, &p);
	}
	if (code <= FAULT) {
		make_plan(source->map, &p, (request->options & GROUPS) != 0);
		code = are_counted(&p) ? code : FAULT;
		if (request->options & JSON)
			assign_json(source->map, &p);
		else if (p.count)
			assign_text(source->map, &p);
	}
	free(p.queries);
	free(p.wants);
	free(p.modes);
	free(p.group);
	unload_queries(&queries);
	return code;
}

int assign_verb(const struct request *request)
{
	struct events events = { 0 };
	struct source source = { 0 };
	int file = count_files(request), code;

	if (file > 0 && strchr(request->args[0], '@') && access(request->args[0], F_OK))
		file = 0; /* an event that already runs */
	if (file < 0)
		return USAGE;
	if (request->count == file)
		return complain(USAGE, NULL, "assign needs events, such as cycles cache-misses");
	code = read_vendor(request, &events);
	if (code == GOOD)
		code = load(&source, file ? request->args[0] : NULL, &request->input, NULL, NULL);
	if (code == GOOD && !has_riscv(source.map) && (has_imc(source.imc) || has_amu(source.amu)))
		code = complain(FAULT, source.file.name,
				"no riscv,pmu; assign takes only its events");
	if (code == GOOD)
		code = assign_all(request, &events, &source, file);
	unload_events(&events);
	unload(&source);
	return code;
}
