/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_events.c -- reports where a tree and the core's event file disagree. None of these is an
 * error, because either side may be wrong.
 */
#include "checks.h"
#include "findings.h"
#include "map/riscv.h"
#include "source/request.h"
#include "source/rows.h"
#include "text/json.h"
#include "text/text.h"
#include "report.h"

/* ---- rows of the tree ------------------------------------------------------------------------ */

/* The row that matches the code, or PMUMAP_NO_ROW. */
static uint32_t row_of_code(const struct report *r, int node, uint64_t code)
{
	uint64_t select, mask;
	uint32_t counters;

	for (uint32_t i = 0; pmumap_raw_at(r->source.map, i, &select, &mask, &counters); i++) {
		if ((code & mask) == select)
			return row_of_raw(&r->source, node, select, mask);
	}
	return PMUMAP_NO_ROW;
}

/* ---- findings -------------------------------------------------------------------------------- */

static uint32_t count_refused(const struct pmumap *map, const struct events *core)
{
	uint32_t refused = 0;

	for (size_t i = 0; i < core->raw; i++)
		refused += !pmumap_raw_counters(map, core->list[i].data);
	return refused;
}

/* Judges an event by the names of the parts that its selector combines. */
static struct judgement judge_parts(uint32_t event, const struct vendor_event *const *parts,
				    unsigned count)
{
	const char *names[PARTS];

	for (unsigned i = 0; i < count; i++)
		names[i] = parts[i]->name;
	return judge(event, names, count);
}

/* The event counts nothing on counters that the file lacks, so report them as more than a note. */
static void check_counters(const struct checker *c, uint32_t tree, uint32_t file,
			   const char *property, uint32_t row, uint64_t value)
{
	if (file && tree && tree != file)
		tell_mistake(c, EVENTS_COUNTERS, tree & ~file ? PMUMAP_WARNING : PMUMAP_NOTE,
			     property, row, value);
}

static void check_selector(const struct checker *c, uint32_t event, uint64_t selector)
{
	const struct vendor_event *parts[PARTS];
	unsigned count = parts_of(c->r->core, selector, parts);
	uint32_t row = row_of_event(&c->r->source, c->node, SELECTORS, event);
	uint32_t counters = pmumap_counters(c->r->source.map, event) & ~FIXED_MASK;
	struct judgement j = judge_parts(event, parts, count);

	if (!counters)
		return;
	if (!count)
		tell_mistake(c, SELECTOR_UNLISTED, PMUMAP_NOTE, SELECTORS, row, event);
	else if (j.count)
		tell_mistake(c, SELECTOR_EVENT, j.plain ? PMUMAP_WARNING : PMUMAP_NOTE, SELECTORS,
			     row, event);
	check_counters(c, counters, shared_counters(c->r->core, selector) & ~FIXED_MASK, RANGES,
		       row_of_event(&c->r->source, c->node, RANGES, event), event);
}

static void check_raw(const struct checker *c)
{
	uint32_t refused = count_refused(c->r->source.map, c->r->core);

	if (c->r->core->checked)
		return; /* check_entries() reports them where they are */
	if (refused)
		tell_mistake(c, EVENTS_REFUSED, PMUMAP_WARNING, RAW_ROWS, PMUMAP_NO_ROW, refused);
	for (size_t i = 0; i < c->r->core->raw; i++) {
		const struct vendor_event *e = &c->r->core->list[i];

		check_counters(c, pmumap_raw_counters(c->r->source.map, e->data),
			       e->counters & ~FIXED_MASK, RAW_ROWS,
			       row_of_code(c->r, c->node, e->data), e->data);
	}
}

void check_events(struct report *r, const struct input *input, pmumap_report_fn *report)
{
	struct checker c = { r, pmu_node(&r->source, input), report };
	struct pmumap_run line;
	uint64_t selector;

	if (!has_riscv(r->source.map) && c.node < 0)
		return;
	for (uint32_t e = 0; next_line(r->source.map, e, &line); e = line.last + 1) {
		if (named(line.first) && pmumap_selector(r->source.map, line.first, &selector))
			check_selector(&c, line.first, selector);
	}
	check_raw(&c);
}

/* ---- messages -------------------------------------------------------------------------------- */

static int is_of_raw(const struct pmumap_finding *f)
{
	return !strcmp(f->property, RAW_ROWS);
}

/* Prints, for example, "counters 3-18; the file has 3-6". */
static void put_two_sets(FILE *out, const struct report *r, const struct pmumap_finding *f)
{
	uint64_t code = f->value;
	uint32_t tree = pmumap_raw_counters(r->source.map, code), file;

	if (!is_of_raw(f)) {
		pmumap_selector(r->source.map, (uint32_t)f->value, &code);
		tree = pmumap_counters(r->source.map, (uint32_t)f->value);
	}
	file = shared_counters(r->core, code);
	fprintf(out, "counters %s; the file has %s", counter_list(tree).s, counter_list(file).s);
}

void put_vendor(FILE *out, struct report *r, const struct pmumap_finding *f)
{
	const struct vendor_event *parts[PARTS];
	uint64_t code = f->value;
	struct judgement j;
	unsigned count;
	char *names;

	if ((int)f->code == EVENTS_REFUSED) {
		fprintf(out,
			": %" PRIu64 " of %zu events are rejected; "
			"pmumap check EVENTS TREE lists them",
			f->value, r->core->raw);
		return;
	}
	fputs(": ", out);
	if (!is_of_raw(f)) {
		fprintf(out, "event 0x%" PRIx64 " (%s) selects ", code,
			pmumap_event_name((uint32_t)code));
		pmumap_selector(r->source.map, (uint32_t)f->value, &code);
	}
	names = names_of(r->core, code);
	fprintf(out, "0x%" PRIx64 "%s%s", code, names ? ", " : "", names ? names : "");
	free(names);
	if ((int)f->code == EVENTS_COUNTERS) {
		fputs(": ", out);
		put_two_sets(out, r, f);
		return;
	}
	count = parts_of(r->core, code, parts);
	j = judge_parts((uint32_t)f->value, parts, count);
	for (unsigned i = 0; i < j.count; i++)
		fprintf(out, "%s %s", i ? ";" : ":", j.doubts[i]);
}

void json_vendor(struct report *r, const struct pmumap_finding *f)
{
	char *text;
	size_t size;
	FILE *out;

	json_hex("value", f->value);
	out = open_text(&text, &size);
	put_vendor(out, r, f);
	close_text(out);
	json_string("text", text + 2);
	free(text);
}
