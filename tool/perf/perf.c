/* SPDX-License-Identifier: BSD-2-Clause
 *
 * perf.c -- the verb perf: lists the events that firmware counts on this board, and explains why it
 * does not count the others.
 */
#include "firmware/firmware.h"
#include "map/amu.h"
#include "map/imc.h"
#include "map/spelling.h"
#include "map/suggest.h"
#include "source/harts.h"
#include "source/nodes.h"
#include "source/request.h"
#include "text/json.h"
#include "text/table.h"
#include "text/text.h"

struct answers {
	struct reading reading;
	struct events events; /* of the core */
	struct table table;
	int json;
	uint32_t asked, counted;
};

/* The reason as a text. The caller frees it. */
static char *reason_of(const struct reading *r, const struct verdict *v, const char *name)
{
	char *text;
	size_t size;
	FILE *out = open_text(&text, &size);

	if (v)
		put_verdict(out, r, v);
	else
		fprintf(out, "no such event%s", hint_of(name).s);
	close_text(out);
	return text;
}

static void put_json(const char *name, const struct verdict *v, const char *why)
{
	json_kind("perf");
	json_string("event", name);
	json_bool("counts", v->counts);
	json_list("counters");
	for (unsigned i = 0; i < 32 && v->counts; i++) {
		if (v->counters >> i & 1) {
			json_item();
			printf("%u", i);
		}
	}
	json_list_end();
	if (v->counts && v->has_value) {
		json_hex("mhpmevent", v->value);
	} else {
		json_key("mhpmevent");
		fputs("null", stdout);
	}
	if (*why) {
		json_string("why", why);
	} else {
		json_key("why");
		fputs("null", stdout);
	}
	json_end();
}

static void put_row(struct table *t, const char *name, const struct verdict *v, const char *why)
{
	table_cell(t, name);
	table_cell(t, v->counts ? "yes" : "no");
	table_cell(t, v->counts && v->counters ? counter_list(v->counters).s : "-");
	table_cell(t, v->counts && v->has_value ? hex(v->value).s : "-");
	table_cell(t, why);
}

static void put(struct answers *all, const char *name, const struct verdict *v)
{
	static const struct verdict none = { 0 };
	char *why = reason_of(&all->reading, v, name);

	if (!v)
		v = &none;
	all->asked++;
	all->counted += v->counts != 0;
	if (all->json)
		put_json(name, v, why);
	else
		put_row(&all->table, name, v, why);
	free(why);
}

static void answer(void *arg, const char *name)
{
	struct answers *all = arg;
	struct verdict v;
	uint32_t event;
	uint64_t data;
	int modes;

	if (!parse_spelling(&all->events, name, strlen(name), &event, &data, &modes)) {
		put(all, name, NULL);
		return;
	}
	v = ask_firmware(&all->reading, event, data);
	put(all, name, &v);
}

/* perf's own events are looked up by name. Events of the core's file already have codes. */
static void answer_all(struct answers *all)
{
	each_perf_event(answer, all);
	for (size_t i = 0; i < all->events.count; i++) {
		const struct vendor_event *e = &all->events.list[i];
		struct verdict v = ask_firmware(&all->reading, e->event, e->data);

		put(all, e->name, &v);
	}
}

static void put_summary(struct answers *all)
{
	static const char *const head[] = { "event", "counts", "counters", "mhpmevent", "why" };
	const struct reading *r = &all->reading;

	printf("%s, on harts with%s\n\n", firmware_text(r->firmware),
	       r->features == (PMUMAP_SSCOFPMF | PMUMAP_SMCNTRPMF) ? " Sscofpmf and Smcntrpmf"
	       : r->features == PMUMAP_SSCOFPMF  ? " Sscofpmf but without Smcntrpmf"
	       : r->features == PMUMAP_SMCNTRPMF ? " Smcntrpmf but without Sscofpmf"
						 : "out Sscofpmf and Smcntrpmf");
	all->table.heads = head;
	table_end(&all->table);
	printf("%" PRIu32 " of %" PRIu32 " event%s counted\n", all->counted, all->asked,
	       all->asked == 1 ? " is" : "s are");
}

static int answer_file(const struct request *request, struct source *source, struct answers *all,
		       enum firmware firmware)
{
	struct queries queries;
	int node = node_for(firmware, source, &request->input);

	if (node < 0 && (has_imc(source->imc) || has_amu(source->amu)))
		return complain(FAULT, request->args[0],
				"perf needs a RISC-V PMU; this tree has none");
	if (firmware == OWN && node != pmu_node(source, &request->input))
		use_node(source, node);
	all->reading = read_as(firmware, source, node, request->counters);
	if (request->count == 1) {
		answer_all(all);
	} else {
		queries = split_queries(request->args + 1, request->count - 1);
		for (int i = 0; i < queries.count; i++)
			answer(all, queries.list[i]);
		unload_queries(&queries);
	}
	if (!all->json)
		put_summary(all);
	return request->count > 1 && all->counted < all->asked ? FAULT : GOOD;
}

int perf_verb(const struct request *request)
{
	struct input input = request->input;
	struct source source = { 0 };
	struct answers all = { .table = { .columns = 5 }, .json = (request->options & JSON) != 0 };
	enum firmware firmware;
	int file = count_files(request), code = read_firmware(VALUE(request, FIRMWARE), &firmware);

	if (code != GOOD || file < 0)
		return USAGE;
	if (!file)
		return complain(USAGE, NULL, "perf needs a FILE, the board's device tree");
	input.tree = 1;
	input.allow_none = 1;
	code = read_vendor(request, &all.events);
	if (code == GOOD)
		code = load(&source, request->args[0], &input, NULL, NULL);
	if (code == GOOD)
		code = answer_file(request, &source, &all, firmware);
	unload_reading(&all.reading);
	unload_events(&all.events);
	unload(&source);
	return code;
}
