/* SPDX-License-Identifier: BSD-2-Clause
 *
 * perf.c -- the verb perf: lists the events that firmware counts on this board, and explains why it
 * does not count the others. With --live it also asks the kernel.
 */
#include "answers.h"
#include "map/amu.h"
#include "map/imc.h"
#include "map/suggest.h"
#include "source/nodes.h"
#include "source/request.h"
#include "text/text.h"

#ifndef LIVE_TREE /* a test has another one */
#define LIVE_TREE "/sys/firmware/fdt"
#endif

struct task {
	struct answers answers;
	struct events events; /* of the core */
};

static void answer_event(struct task *t, const char *name, uint32_t event, uint64_t data)
{
	struct verdict v = { .reason = t->answers.reading.source ? REASON_TABLES : REASON_NONE };
	struct answer kernel;

	if (!t->answers.no_model)
		v = ask_firmware(&t->answers.reading, event, data);
	if (t->answers.live)
		kernel = ask_kernel(event, data);
	put_answer(&t->answers, name, &v, t->answers.live ? &kernel : NULL);
}

static void answer(void *arg, const char *name)
{
	struct task *t = arg;
	uint32_t event;
	uint64_t data;
	int modes;

	if (parse_spelling(&t->events, name, strlen(name), &event, &data, &modes))
		answer_event(t, name, event, data);
	else
		put_answer(&t->answers, name, NULL, NULL);
}

/* perf's own events are looked up by name. Events of the core's file already have codes. */
static void answer_all(struct task *t)
{
	each_perf_event(answer, t);
	for (size_t i = 0; i < t->events.count; i++) {
		const struct vendor_event *e = &t->events.list[i];

		answer_event(t, e->name, e->event, e->data);
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

/* Reads the tree as the firmware does. Returns an exit code. */
static int read_tree(const struct request *request, const char *file, struct source *source,
		     enum firmware firmware, struct reading *reading)
{
	struct input input = request->input;
	const uint64_t *id = input.for_hart ? &request->input.hart : NULL;
	struct hart harts[HARTS];
	int code, node;

	if (firmware != OWN) { /* it uses one node for all harts */
		input.for_hart = 0;
		input.all_harts = 1;
	}
	input.tree = 1;
	input.allow_none = 1;
	code = load(source, file, &input, NULL, NULL);
	if (code != GOOD)
		return code;
	if (id && !has_hart(source, *id))
		return complain(FAULT, file, "the tree has no hart %" PRIu64, *id);
	node = node_for(firmware, source, &input);
	if (node < 0 && (has_imc(source->imc) || has_amu(source->amu)))
		return complain(FAULT, file, "perf needs a RISC-V PMU; this tree has none");
	if (input.all_harts && !input.node && list_mixed_harts(source, harts))
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
		if (request->count > file && all->counted < all->asked)
			code = FAULT;
	}
	free(all->names);
	unload_reading(&all->reading);
	unload(&source);
	return code;
}

int perf_verb(const struct request *request)
{
	struct task t = { .answers = { .table = { .columns = 6 },
				       .json = (request->options & JSON) != 0,
				       .live = (request->options & LIVE) != 0 } };
	enum firmware firmware;
	int file = count_files(request), code = read_firmware(VALUE(request, FIRMWARE), &firmware);

	if (code != GOOD || file < 0)
		return USAGE;
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
