/* SPDX-License-Identifier: BSD-2-Clause
 *
 * perf.c -- the verb perf: answers what perf counts on this board, with this firmware and Linux,
 * and why. With --live it also asks the kernel.
 */
#include "answers.h"
#include "map/suggest.h"
#include "source/rows.h"
#include "source/request.h"
#include "text/json.h"
#include "text/text.h"

#ifndef LIVE_TREE /* a test has another one */
#define LIVE_TREE "/sys/firmware/fdt"
#endif

struct task {
	struct answers answers;
	struct events events; /* of the core */
};

/*
 * Linux that owns the counters gets the mask of an event of the core's file from perf. Without one,
 * it takes any counter, also one that cannot count the event.
 */
static void use_mask(const struct task *t, const char *name, struct verdict *v)
{
	const struct vendor_event *e = event_by_name(&t->events, name, strcspn(name, ":/"));
	const struct reading *r = &t->answers.reading;
	const struct pmumap *map = r->source ? r->source->map : NULL;
	uint32_t row = map ? pmumap_raw_counters(map, v->data) : 0;

	if (r->firmware != DELEGATED || !v->counts || !is_raw_event(v->event))
		return;
	if (!e || !is_raw(e) || !e->counters) {
		if (row && v->counters & ~row && v->answer == ANSWER_YES) {
			v->answer = ANSWER_WRONG;
			v->reason = REASON_ANY_COUNTER;
		}
		return;
	}
	v->counters = e->counters & (r->hart | FIXED_MASK) & ~2u; /* counter 1 is the time */
	if (v->counters & FIXED_MASK)
		v->samples = v->has_value = 0; /* Linux takes a fixed counter first */
	if (v->counters)
		return;
	v->counts = v->samples = 0;
	v->answer = ANSWER_NO;
	v->reason = REASON_NO_COUNTER;
}

static void answer_event(struct task *t, const char *name, uint32_t event, uint64_t data,
			 unsigned excluded)
{
	struct answers *all = &t->answers;
	struct verdict v = { .event = event, .data = data };
	struct answer kernel;

	if (all->no_model)
		v.reason = all->reading.source ? REASON_TABLES_TAKEN : REASON_NONE;
	else if (!perf_parses(name))
		v.reason = REASON_NOT_PERF;
	else
		v = ask_driver(&all->driver, &all->reading, event, data, excluded);
	use_mask(t, name, &v);
	if (all->live)
		kernel = ask_kernel(event, data, excluded);
	put_answer(all, name, &v, all->live ? &kernel : NULL);
}

/* Returns 0 if Linux does not count it without the PMU. */
static int answer_software(struct answers *all, const char *name)
{
	enum software what = software_event(name);
	struct verdict v = { .answer = ANSWER_YES, .reason = REASON_SOFTWARE };

	if (!what || !all->driver.version)
		return 0;
	v.samples = what != SOFTWARE_OF_PERF;
	if (all->driver.user && what == SOFTWARE_IN_KERNEL)
		v = (struct verdict){ .answer = ANSWER_NO, .reason = REASON_NOT_PERMITTED };
	put_answer(all, name, &v, NULL);
	return 1;
}

static void answer(void *arg, const char *name)
{
	struct task *t = arg;
	uint32_t event;
	uint64_t data;
	unsigned excluded;

	if (answer_software(&t->answers, name))
		return;
	if (parse_spelling(&t->events, name, strlen(name), &event, &data, &excluded))
		answer_event(t, name, event, data, excluded);
	else
		put_answer(&t->answers, name, NULL, NULL);
}

/* SBI has ten events that perf has no name for. */
static void answer_known(void *arg, const char *name)
{
	if (perf_parses(name))
		answer(arg, name);
}

/* perf's own events are looked up by name. Events of the core's file already have codes. */
static void answer_all(struct task *t)
{
	each_perf_event(answer_known, t);
	for (size_t i = 0; i < t->events.count; i++) {
		const struct vendor_event *e = &t->events.list[i];

		answer_event(t, e->name, e->event, e->data, 0);
	}
}

static void answer_events(struct task *t, char *const *args, int count)
{
	struct queries queries = split_queries(args, count);

	if (!count)
		answer_all(t);
	for (int i = 0; i < queries.count; i++)
		answer(t, queries.list[i]);
	unload_queries(&queries);
	put_summary(&t->answers);
}

/* Returns 1 and tells why if the tree cannot say what perf counts. */
static int refuse_tree(enum tree tree, const char *file, int json)
{
	static const struct {
		const char *reason, *why;
	} refusals[] = { [TREE_OVERLAY] = { "overlay", "an overlay; apply it to the board's tree" },
			 [TREE_FRAGMENT] = { "fragment",
					     "it has neither CPUs nor a riscv,pmu node" },
			 [TREE_FOREIGN] = { "not-riscv", "not a tree of RISC-V" } };

	if (tree == TREE_WHOLE)
		return 0;
	if (json) {
		json_kind("perf-refused");
		json_string("reason", refusals[tree].reason);
		json_string("why", refusals[tree].why);
		json_end();
	}
	complain(FAULT, file, "perf needs the tree of a RISC-V board: %s", refusals[tree].why);
	return 1;
}

/* Reads the tree as the firmware does. Returns an exit code. */
static int read_tree(const struct request *request, const char *file, struct source *source,
		     enum firmware firmware, struct reading *reading)
{
	struct input input = request->input;
	const uint64_t *id = input.for_hart ? &request->input.hart : NULL;
	int code, node;

	if (firmware < OWN) { /* it uses one node for all harts */
		input.for_hart = 0;
		input.all_harts = 1;
	}
	input.tree = 1;
	input.allow_none = 1;
	code = load(source, file, &input, NULL, NULL);
	if (code != GOOD)
		return code;
	if (id && !find_hart(source, *id))
		return complain(FAULT, file, "the tree has no hart %" PRIu64, *id);
	if (source->file.data && refuse_tree(tree_of(source), file, request->options & JSON))
		return FAULT;
	node = node_for(firmware, source, &input);
	if (input.all_harts && !input.node && has_mixed_harts(source))
		complain(GOOD, file, "harts have different riscv,pmu nodes; %s uses the %s for all",
			 firmware_text(firmware), firmware == RUSTSBI ? "last" : "first");
	if (firmware == OWN && node != pmu_node(source, &input))
		use_node(source, node);
	*reading = read_as(firmware, source, node, request->counters, id);
	return GOOD;
}

/* Without a FILE, --live reads the tree that the kernel got, which has a model only with tables. */
static int answer_file(const struct request *request, int file, enum firmware firmware,
		       struct task *t)
{
	struct source source = { 0 };
	struct answers *all = &t->answers;
	int code = read_tree(request, file ? request->args[0] : LIVE_TREE, &source, firmware,
			     &all->reading);

	if (!file) {
		all->no_model = code != GOOD || all->reading.tables == TABLES_TAKEN;
		code = GOOD;
	}
	if (code == GOOD) {
		answer_events(t, request->args + file, request->count - file);
		if (request->count > file ? all->right < all->asked : all->wrong > 0)
			code = FAULT;
	}
	free(all->names);
	unload_reading(&all->reading);
	unload(&source);
	return code;
}

int perf_verb(const struct request *request)
{
	int live = (request->options & LIVE) != 0;
	struct task t = { .answers = { .table = { .columns = 7 },
				       .json = (request->options & JSON) != 0,
				       .live = live } };
	enum firmware firmware;
	int file = count_files(request), code = read_firmware(VALUE(request, FIRMWARE), &firmware);

	if (code != GOOD || file < 0)
		return USAGE;
	if (live)
		t.answers.driver = this_driver();
	if ((!live || VALUE(request, LINUX)) &&
	    read_driver(VALUE(request, LINUX), &t.answers.driver) != GOOD)
		return USAGE;
	if (request->options & USER)
		t.answers.driver.user = 1;
	if (t.answers.live && !has_kernel())
		return complain(USAGE, "--live", "asks the kernel, and needs Linux on RISC-V");
	if (!file && !t.answers.live)
		return complain(USAGE, NULL, "perf needs a FILE, the board's device tree");
	code = read_vendor(request, &t.events);
	if (code == GOOD)
		code = answer_file(request, file, firmware, &t);
	unload_events(&t.events);
	return code;
}
