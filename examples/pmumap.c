/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap.c -- show, ask and check the PMU description of a device tree.
 *
 * A new verb is a function and a line in verbs[]. What events and rows mean is the business of the
 * headers; nothing of it is here.
 */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include "pmumap_fdt.h"
#include "tool/amu.h"
#include "tool/findings.h"
#include "tool/imc.h"
#include "tool/output.h"
#include "tool/source.h"

/* As in options[] below. */
enum {
	JSON = 1,
	STRICT = 2,
	EVENTS = 4,
	UNIT = 8,
	DESC = 16,
	NO_INDEX = 32,
	NODE = 64,
	AVAILABLE = 128,
	PVR = 256,
	AMU_ENABLES = 512,
	ORDER = 1024
};

struct request {
	unsigned options;
	const char *unit;  /* that --unit names */
	const char *order; /* that --order lists; NULL: that of the tree */
	struct input input;
	char **args;
	int count;
};

/* ---- show ----------------------------------------------------------------------------------- */

static int named(uint32_t event)
{
	return pmumap_event_valid(event) && pmumap_event_name(event);
}

/* As pmumap_event_next(), but an event that has a name comes alone. */
static int next_line(const struct pmumap *map, uint32_t from, struct pmumap_run *line)
{
	uint32_t last;

	if (!pmumap_event_next(map, from, line))
		return 0;
	for (last = line->first; last < line->last; last++) {
		if (named(last) || named(last + 1))
			break;
	}
	line->last = last;
	return 1;
}

static const char *line_name(const struct pmumap_run *line)
{
	return named(line->first) ? pmumap_event_name(line->first) : "(no SBI event)";
}

static int has_riscv(const struct pmumap *map)
{
	struct pmumap_run run;
	uint64_t select, mask;
	uint32_t counters;

	return pmumap_event_next(map, 0, &run) || pmumap_raw_at(map, 0, &select, &mask, &counters);
}

#define NO_SELECTORS "There are no selectors: firmware selects by the event's number."

struct extent {
	int code, name, selector; /* widths */
	uint32_t lines, raw_rows;
	uint32_t counters; /* the union of all */
	int by_number;     /* what has no selector is selected by its number */
};

static struct extent measure(const struct pmumap *map)
{
	struct extent x = { .selector = (int)strlen("selector") };
	struct pmumap_run line;
	uint64_t select, mask, value;
	uint32_t counters;

	for (uint32_t e = 0; next_line(map, e, &line); e = line.last + 1) {
		x.lines++;
		x.counters |= line.counters;
		x.code = wider(x.code, event_code(line.first, line.last).s);
		x.name = wider(x.name, line_name(&line));
		if (line.has_selector)
			x.selector = wider(x.selector, hex(line.selector).s);
		else if (pmumap_encode(map, line.first, 0, PMUMAP_RULE_ABSENT, &value))
			x.by_number = 1;
	}
	while (pmumap_raw_at(map, x.raw_rows, &select, &mask, &counters)) {
		x.raw_rows++;
		x.counters |= counters;
	}
	return x;
}

static void show_events(const struct pmumap *map, const struct extent *x)
{
	struct pmumap_run line;

	printf("\n%s%-*s  %-*s  %-*s  counters%s\n", paint(BOLD), x->code, "event", x->name, "name",
	       x->selector, "selector", paint(PLAIN));
	for (uint32_t e = 0; next_line(map, e, &line); e = line.last + 1)
		printf("%-*s  %-*s  %-*s  %-10s  %s\n", x->code,
		       event_code(line.first, line.last).s, x->name, line_name(&line), x->selector,
		       line.has_selector ? hex(line.selector).s : "-", hex(line.counters).s,
		       counter_list(line.counters).s);
}

static void put_cells(const char *cells)
{
	for (unsigned c = 0; cells[c]; c++)
		printf("%s%c", c && c % 8 == 0 ? " " : "", cells[c]);
	putchar('\n');
}

/* At most 15 + 2 + 38 + 2 + 32 + 3 columns. */
static void show_grid(const struct pmumap *map, const struct extent *x)
{
	static const char tens[] = "          1         2         3", units[] = "0123456789";
	struct pmumap_run line;
	char cells[33];
	unsigned top = 31;

	while (top && !(x->counters >> top & 1))
		top--;
	printf("\n%s", paint(BOLD));
	if (top >= 10) {
		printf("%*s", x->code + 2 + x->name + 2, "");
		snprintf(cells, top / 10 * 10 + 2, "%s", tens);
		put_cells(cells);
	}
	printf("%-*s  ", x->code + 2 + x->name, "event x counter");
	for (unsigned c = 0; c <= top; c++)
		cells[c] = units[c % 10];
	cells[top + 1] = '\0';
	put_cells(cells);
	fputs(paint(PLAIN), stdout);
	for (uint32_t e = 0; next_line(map, e, &line); e = line.last + 1) {
		printf("%-*s  %-*s  ", x->code, event_code(line.first, line.last).s, x->name,
		       line_name(&line));
		for (unsigned c = 0; c <= top; c++)
			cells[c] = line.counters >> c & 1 ? '#' : '.';
		put_cells(cells);
	}
}

static void show_raw(const struct pmumap *map)
{
	uint64_t select, mask;
	uint32_t counters;

	printf("\n%sraw events: a row counts event e if (e & mask) == select%s\n", paint(BOLD),
	       paint(PLAIN));
	printf("%s%-18s  %-18s  counters%s\n", paint(BOLD), "select", "mask", paint(PLAIN));
	for (uint32_t i = 0; pmumap_raw_at(map, i, &select, &mask, &counters); i++)
		printf("%-18s  %-18s  %-10s  %s\n", hex(select).s, hex(mask).s, hex(counters).s,
		       counter_list(counters).s);
}

static void show_json(const struct pmumap *map)
{
	struct pmumap_run run;
	uint64_t select, mask;
	uint32_t counters;

	for (uint32_t e = 0; pmumap_event_next(map, e, &run); e = run.last + 1) {
		json_hex("event", run.first);
		if (run.last != run.first)
			json_hex("last", run.last);
		else if (named(run.first))
			json_string("name", pmumap_event_name(run.first));
		if (run.has_selector)
			json_hex("selector", run.selector);
		json_hex("counters", run.counters);
		json_end();
	}
	for (uint32_t i = 0; pmumap_raw_at(map, i, &select, &mask, &counters); i++) {
		json_hex("select", select);
		json_hex("mask", mask);
		json_hex("counters", counters);
		json_end();
	}
}

static void show_text(const struct pmumap *map, const struct extent *x)
{
	if (x->by_number)
		puts(NO_SELECTORS);
	if (x->lines) {
		show_events(map, x);
		show_grid(map, x);
		puts("\nEvent 1 (cycles) may also use counter 0, and 2 (instructions) counter 2.");
	}
	if (x->raw_rows)
		show_raw(map);
}

static void show_all(const struct source *source, const struct view *view)
{
	const struct pmumap *map = source->map;
	struct extent x = measure(map);
	int imc = has_imc(map), amu = has_amu(map), riscv = has_riscv(map);

	if (view->json) {
		printf("{\"map\":{\"bytes\":%zu", pmumap_size(map));
		if (riscv || !(imc || amu))
			printf(",\"counters\":\"0x%" PRIx32 "\"", x.counters);
		puts("}}");
		show_json(map);
	} else {
		put_escaped(stdout, source->name, 0);
		printf(": map of %zu bytes", pmumap_size(map));
		if (riscv)
			printf(", counters %s (0x%" PRIx32 ")", counter_list(x.counters).s,
			       x.counters);
		puts(riscv || imc || amu ? "" : ", nothing to count");
		show_text(map, &x);
	}
	if (riscv && (imc || amu) && !view->json)
		putchar('\n');
	if (imc)
		show_imc(map, view);
	if (imc && amu && !view->json)
		putchar('\n');
	if (amu)
		show_amu(map, view->json);
}

static int show(const struct request *request)
{
	struct view view = { .json = (request->options & JSON) != 0, .unit = request->unit };
	struct input input = request->input;
	struct source source = { 0 };
	int code;

	view.events = (request->options & (EVENTS | UNIT)) != 0;
	if (view.events)
		input.options.flags |= PMUMAP_DESC;
	if (request->count > 1)
		return complain(USAGE, NULL, "show takes one FILE, not %d", request->count);
	code = fetch(&source, request->count ? request->args[0] : NULL);
	if (code == GOOD && is_container(source.data, source.size) && !input.pvr) {
		list_catalogs(source.name, source.data, source.size, view.json);
	} else if (code == GOOD) {
		code = understand(&source, &input, NULL, NULL);
		if (code == GOOD && view.unit)
			code = show_unit(source.name, source.map, &view);
		else if (code == GOOD)
			show_all(&source, &view);
	}
	unload(&source);
	return code;
}

/* ---- lookup --------------------------------------------------------------------------------- */

struct answer {
	const char *query;
	int known; /* the query names an event: */
	uint32_t event;
	uint64_t data;
	int raw, has_selector, has_value;
	uint64_t selector, value; /* value: for mhpmevent */
	uint32_t counters;
	int fixed; /* the counter that counts it whatever the map says, or negative */
};

static struct answer ask(const struct pmumap *map, const char *query)
{
	struct answer a = { .query = query };

	a.known = pmumap_event_parse(query, strlen(query), &a.event, &a.data);
	if (!a.known)
		return a;
	a.raw = a.event == PMUMAP_EVENT_RAW || a.event == PMUMAP_EVENT_RAW_V2;
	a.has_selector = pmumap_selector(map, a.event, &a.selector);
	a.has_value = pmumap_encode(map, a.event, a.data, PMUMAP_RULE_ABSENT, &a.value);
	a.counters = a.raw ? pmumap_raw_counters(map, a.value) : pmumap_counters(map, a.event);
	a.fixed = pmumap_pick(map, a.event, a.data, 7, 0);
	return a;
}

static int found(const struct answer *a)
{
	return a->known && (a->has_selector || a->counters);
}

static void answer_json(const struct answer *a)
{
	json_string("query", a->query);
	if (a->known) {
		json_hex("event", a->event);
		if (a->raw || a->data)
			json_hex("data", a->data);
		if (a->has_selector)
			json_hex("selector", a->selector);
		json_hex("counters", a->counters);
	}
	json_key("found");
	fputs(found(a) ? "true" : "false", stdout);
	json_end();
}

static void answer_text(const struct answer *a, const int *width)
{
	const char *name = a->known && named(a->event) ? pmumap_event_name(a->event) : "";

	put_escaped(stdout, a->query, 0);
	printf("%*s", width[0] + 2 - (int)strlen(a->query), "");
	if (!a->known) {
		puts("unknown event; try cache-misses, dTLB-load-misses, 0x10019, r1801 or fw:5");
		return;
	}
	printf("%-7s  %-*s  %-*s  %-10s  %s", event_code(a->event, a->event).s, width[1],
	       a->has_selector ? hex(a->selector).s : "-", width[2],
	       a->has_value ? hex(a->value).s : "-", hex(a->counters).s,
	       counter_list(a->counters).s);
	if (a->fixed >= 0 && !(a->counters >> a->fixed & 1))
		printf("%s fixed counter %d", a->counters ? " and" : ", but", a->fixed);
	if (a->event >= PMUMAP_EVENT_FIRMWARE)
		fputs(", counted by the firmware", stdout);
	printf("%s%s\n", *name ? "  " : "", name);
}

static void answers_text(const struct answer *answers, int count)
{
	int width[3] = { (int)strlen("query"), (int)strlen("selector"), (int)strlen("mhpmevent") };
	int by_number = 0;

	for (int i = 0; i < count; i++) {
		width[0] = wider(width[0], answers[i].query);
		width[1] = wider(width[1], hex(answers[i].selector).s);
		width[2] = wider(width[2], hex(answers[i].value).s);
	}
	printf("%s%-*s  %-7s  %-*s  %-*s  counters%s\n", paint(BOLD), width[0], "query", "event",
	       width[1], "selector", width[2], "mhpmevent", paint(PLAIN));
	for (int i = 0; i < count; i++) {
		answer_text(&answers[i], width);
		by_number |= answers[i].has_value && !answers[i].has_selector && !answers[i].raw;
	}
	if (by_number)
		puts(NO_SELECTORS);
}

/* The first argument may be left out: what names an event is never taken for a file. */
static int names_file(const char *arg)
{
	uint32_t event;
	uint64_t data;

	return !pmumap_event_parse(arg, strlen(arg), &event, &data) &&
	       (!strcmp(arg, "-") || strpbrk(arg, "./") || access(arg, F_OK) == 0);
}

/* Answers of one kind together; what is not there comes last. */
struct answers {
	struct answer *riscv;
	struct table imc, amu;
	char **missing;
	int count, missed;
};

static int answer_amu(const struct pmumap *map, char *query, int json, struct answers *all)
{
	if (json ? cpu_match_json(map, query) : cpu_match(map, query, &all->amu))
		return GOOD;
	if (!json)
		all->missing[all->missed++] = query;
	return FAULT;
}

static int answer_query(const struct pmumap *map, char *query, int json, struct answers *all)
{
	struct answer a = ask(map, query);
	struct imc_query q;
	int here = found(&a), imc = !here && has_imc(map);

	if (is_amu_query(query))
		return answer_amu(map, query, json, all);
	if (!here && !has_riscv(map) && (imc || has_amu(map)))
		a.known = 0;
	q = imc_query(query);
	if (imc && (json ? matches_json(map, &q) : match_rows(map, &q, &all->imc)))
		here = 1;
	else if (json)
		answer_json(&a);
	else if (!a.known && (imc || (has_amu(map) && !has_riscv(map))))
		all->missing[all->missed++] = query;
	else
		all->riscv[all->count++] = a;
	free(q.unit);
	return here ? GOOD : FAULT;
}

static void put_missing(const struct pmumap *map, const char *query)
{
	int imc = has_imc(map) && !is_amu_query(query);

	put_escaped(stdout, query, 0);
	fputs(": not found", stdout);
	if (imc)
		fputs("; try a full name, UNIT/NAME, imc:0x450 or imc:UNIT:0xc8", stdout);
	if (has_amu(map))
		printf("%s amu:0x100 or amu:#3", imc ? ", or" : "; try");
	puts(is_amu_query(query) && !has_amu(map) ? "; there is no AMU" : "");
}

static void put_answers(const struct pmumap *map, struct answers *all)
{
	struct table *const tables[] = { &all->imc, &all->amu };
	int above = all->count > 0;

	if (all->count)
		answers_text(all->riscv, all->count);
	for (size_t i = 0; i < LENGTH(tables); i++) {
		if (!tables[i]->used)
			continue;
		if (above)
			putchar('\n');
		table_end(tables[i]);
		above = 1;
	}
	for (int i = 0; i < all->missed; i++)
		put_missing(map, all->missing[i]);
}

static int lookup(const struct request *request)
{
	struct input input = request->input;
	struct source source = { 0 };
	int file = request->count && names_file(request->args[0]);
	int count = request->count - file, code;
	struct answers all = { .imc = { .heads = match_heads, .columns = LENGTH(match_heads) },
			       .amu = { .heads = cpu_heads, .columns = LENGTH(cpu_heads) } };

	if (count == 0)
		return complain(USAGE, NULL, "lookup needs an event, such as cache-misses");
	input.options.flags |= PMUMAP_DESC;
	code = load(&source, file ? request->args[0] : NULL, &input, NULL, NULL);
	if (code == GOOD) {
		all.riscv = reallocate(NULL, (size_t)count, sizeof(*all.riscv));
		all.missing = reallocate(NULL, (size_t)count, sizeof(*all.missing));
		for (int i = file; i < request->count; i++)
			code |= answer_query(source.map, request->args[i],
					     (request->options & JSON) != 0, &all);
		put_answers(source.map, &all);
		free(all.riscv);
		free(all.missing);
	}
	unload(&source);
	return code;
}

/* ---- check ---------------------------------------------------------------------------------- */

/*
 * Findings of one kind: some in full, of the others where they are. Bounded, however many there are.
 */
struct group {
	struct pmumap_finding shown[3];
	uint32_t count, spans;
	struct {
		uint64_t first, last;
	} span[8]; /* of rows, of CPUs, or of the offsets of clashes */
	int cut;   /* there are more than these */
};

struct report {
	struct source source;
	const char *prefix; /* of every finding; NULL: none */
	int json;
	uint64_t explained; /* bit n: code n */
	uint32_t count[PMUMAP_ERROR + 1];
	struct group *groups;
	uint32_t used;
};

static int same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* IMC and AMU have no rows but units, events, CPUs and counters, which their nodes name. */
static int has_rows(enum pmumap_code code)
{
	return code < PMUMAP_F_REG_MISSING;
}

/* Whether the row is the number that show gives a CPU. */
static int has_cpu(enum pmumap_code code)
{
	return code == PMUMAP_F_VIEW_MISSING || code == PMUMAP_F_VIEW_EXTRA ||
	       code == PMUMAP_F_CPU_DISABLED || code == PMUMAP_F_CPU_NAME;
}

static void add_place(struct group *g, uint64_t place, uint64_t step)
{
	uint64_t last = g->spans ? g->span[g->spans - 1].last : 0;

	if (g->spans && place == last)
		return;
	if (g->spans && place == last + step) {
		g->span[g->spans - 1].last = place;
	} else if (g->spans < LENGTH(g->span)) {
		g->span[g->spans].first = place;
		g->span[g->spans++].last = place;
	} else {
		g->cut = 1;
	}
}

static void add_to_group(struct group *g, const struct pmumap_finding *f)
{
	if (g->count < LENGTH(g->shown))
		g->shown[g->count] = *f;
	else if (f->code == PMUMAP_F_OFFSET_CLASH)
		add_place(g, f->value, 8);
	else if ((has_rows(f->code) || has_cpu(f->code)) && f->row != PMUMAP_NO_ROW)
		add_place(g, f->row, 1);
	g->count++;
}

static void finding_json(struct report *r, const struct pmumap_finding *f)
{
	const char *node = node_path(&r->source, f->node);
	enum value_kind kind = explain(f->code)->kind;

	json_string("code", pmumap_code_str(f->code));
	json_string("severity", pmumap_severity_str(f->severity));
	if (f->property)
		json_string("property", f->property);
	if (f->row != PMUMAP_NO_ROW)
		json_number("row", f->row);
	if (f->other_property)
		json_string("other_property", f->other_property);
	if (f->other != PMUMAP_NO_ROW)
		json_number("other", f->other);
	if (node)
		json_string("node", node);
	if (kind == VALUE_TEXT)
		json_text("text", property_text(&r->source, f->node, f->property));
	else if (kind != VALUE_NONE)
		json_hex("value", f->value);
	json_units(r->source.map, f);
	if (r->source.data)
		json_string("file", r->source.name);
	json_end();
}

static void on_finding(void *arg, const struct pmumap_finding *f)
{
	struct report *r = arg;
	uint32_t i;

	r->count[f->severity]++;
	if (r->json) {
		finding_json(r, f);
		return;
	}
	for (i = 0; i < r->used; i++) {
		const struct pmumap_finding *first = &r->groups[i].shown[0];

		if (first->code == f->code && first->severity == f->severity &&
		    same(first->property, f->property))
			break;
	}
	if (i == r->used) {
		r->groups = reallocate(r->groups, ++r->used, sizeof(*r->groups));
		memset(&r->groups[i], 0, sizeof(r->groups[i]));
	}
	add_to_group(&r->groups[i], f);
}

static void put_value(struct report *r, const struct pmumap_finding *f)
{
	const struct explanation *x = explain(f->code);
	const char *node;

	switch (x->kind) {
	case VALUE_KEY:
		if (f->property && strstr(f->property, "raw-")) {
			printf(": select 0x%" PRIx64, f->value);
			break;
		}
		/* fallthrough */
	case VALUE_EVENT:
		printf(": %s%sevent 0x%" PRIx64, x->label, *x->label ? " " : "", f->value);
		if (f->value < PMUMAP_EVENT_LIMIT && named((uint32_t)f->value))
			printf(" (%s)", pmumap_event_name((uint32_t)f->value));
		break;
	case VALUE_NONZERO:
		if (!f->value)
			break;
		/* fallthrough */
	case VALUE_HEX:
		printf(": %s%s0x%" PRIx64, x->label, *x->label ? " " : "", f->value);
		break;
	case VALUE_COUNTER:
		printf(": counter %" PRIu64, f->value);
		break;
	case VALUE_NUMBER:
		printf(": %" PRIu64 " %s", f->value, x->label);
		break;
	case VALUE_NODE:
		node = node_path(&r->source, (int)f->value);
		printf(": %s ", x->label);
		put_escaped(stdout, node ? node : "?", 0);
		break;
	case VALUE_NAME:
		node = event_name(&r->source, f->node, f->value);
		fputs(": ", stdout);
		put_escaped(stdout, node ? node : "?", 0);
		printf(" at reg 0x%" PRIx64, f->value);
		break;
	case VALUE_TEXT:
		node = property_text(&r->source, f->node, f->property);
		fputs(": \"", stdout);
		put_escaped(stdout, node ? node : "", 0);
		putchar('"');
		break;
	case VALUE_CLASH:
	case VALUE_NONE:
		break;
	}
}

static void put_prefix(const struct report *r)
{
	if (r->prefix) {
		put_escaped(stdout, r->prefix, 0);
		fputs(": ", stdout);
	}
}

static void put_finding(struct report *r, const struct pmumap_finding *f)
{
	static const char *const colours[] = { "", "\033[36m", "\033[33m", "\033[31m" };
	const char *node = node_path(&r->source, f->node);
	const char *other = NULL;
	struct pmumap_imc_unit unit;

	put_prefix(r);
	printf("%s%s%s %s:", paint(colours[f->severity]), pmumap_severity_str(f->severity),
	       paint(PLAIN), pmumap_code_str(f->code));
	if (f->code == PMUMAP_F_OFFSET_CLASH) {
		put_clash(r->source.map, f);
		return;
	}
	if (node) {
		putchar(' ');
		put_escaped(stdout, node, 0);
	}
	if (f->property)
		printf(" %s", f->property);
	if (!node && !f->property)
		fputs(" the map", stdout);
	if (has_rows(f->code) && f->row != PMUMAP_NO_ROW)
		printf(" row %" PRIu32, f->row);
	if (f->other_property)
		fputs(" and", stdout);
	if (f->other_property && !same(f->property, f->other_property))
		printf(" %s", f->other_property);
	if (has_rows(f->code) && f->other != PMUMAP_NO_ROW)
		printf(" row %" PRIu32, f->other);
	if (f->code == PMUMAP_F_UNIT_DUPLICATE && pmumap_imc_unit(r->source.map, f->other, &unit))
		other = unit.name;
	else if (f->code == PMUMAP_F_CPU_DUPLICATE)
		other = node_path(&r->source, first_cpu(&r->source, f));
	if (other) {
		fputs(f->other_property ? " " : " and ", stdout);
		put_escaped(stdout, other, 0);
	}
	put_value(r, f);
	putchar('\n');
}

static void put_rest(const struct group *g)
{
	enum pmumap_code code = g->shown[0].code;
	int offsets = code == PMUMAP_F_OFFSET_CLASH;
	const char *separator = offsets ? ": offsets " : has_cpu(code) ? ": CPUs " : ": rows ";

	printf("    and %" PRIu32 " more", g->count - (uint32_t)LENGTH(g->shown));
	for (uint32_t i = 0; i < g->spans; i++) {
		uint64_t first = g->span[i].first, last = g->span[i].last;

		printf("%s%s", separator, (offsets ? hex(first) : decimal(first)).s);
		if (last != first)
			printf("-%s", (offsets ? hex(last) : decimal(last)).s);
		separator = ", ";
	}
	puts(g->cut ? ", ..." : "");
}

static void put_group(struct report *r, const struct group *g)
{
	const enum pmumap_code code = g->shown[0].code;
	const struct explanation *x = explain(code);

	for (uint32_t i = 0; i < g->count && i < LENGTH(g->shown); i++)
		put_finding(r, &g->shown[i]);
	if (g->count > LENGTH(g->shown))
		put_rest(g);
	if (r->explained >> code & 1)
		return;
	r->explained |= (uint64_t)1 << code;
	printf("    wrong  %s\n    today  %s\n    mend   %s\n", x->wrong, x->today, x->mend);
}

static void put_summary(const struct report *r)
{
	const char *separator = "";

	put_escaped(stdout, r->source.name, 0);
	fputs(": ", stdout);
	for (int severity = PMUMAP_ERROR; severity >= PMUMAP_NOTE; severity--) {
		uint32_t n = r->count[severity];

		if (n)
			printf("%s%" PRIu32 " %s%s", separator, n,
			       pmumap_severity_str((enum pmumap_severity)severity),
			       n == 1 ? "" : "s");
		separator = n ? ", " : separator;
	}
	puts(*separator ? "" : "no findings");
}

/* Worst first; among equals, by code and then by property. */
static int by_weight(const void *left, const void *right)
{
	const struct pmumap_finding *a = ((const struct group *)left)->shown;
	const struct pmumap_finding *b = ((const struct group *)right)->shown;

	if (a->severity != b->severity)
		return a->severity > b->severity ? -1 : 1;
	if (a->code != b->code)
		return a->code < b->code ? -1 : 1;
	return a->property && b->property ? strcmp(a->property, b->property) : 0;
}

static int check_file(const struct request *request, const char *file)
{
	struct report r = { .json = (request->options & JSON) != 0 };
	int code;

	r.prefix = request->count > 1 ? file : NULL;
	code = load(&r.source, file, &request->input, on_finding, &r);
	if (r.used)
		qsort(r.groups, r.used, sizeof(*r.groups), by_weight);
	for (uint32_t i = 0; i < r.used; i++)
		put_group(&r, &r.groups[i]);
	if (code == GOOD && !r.json)
		put_summary(&r);
	if (code == GOOD &&
	    (r.count[PMUMAP_ERROR] || (request->options & STRICT && r.count[PMUMAP_WARNING])))
		code = FAULT;
	unload(&r.source);
	free(r.groups);
	return code;
}

static int check(const struct request *request)
{
	int worst = request->count ? GOOD : check_file(request, NULL);

	for (int i = 0; i < request->count; i++) {
		int code = check_file(request, request->args[i]);

		worst = code > worst ? code : worst;
	}
	return worst;
}

/* ---- rom ------------------------------------------------------------------------------------ */

/* What is written: a form is a function, a line here, and an option of the verb. */
static const struct form {
	unsigned option;
	int (*put)(const char *file, const struct pmumap *map, const char *order);
} forms[] = {
	{ AMU_ENABLES, put_amu_enables },
};

static int rom(const struct request *request)
{
	struct source source = { 0 };
	size_t i = 0;
	int code;

	while (i < LENGTH(forms) && !(request->options & forms[i].option))
		i++;
	if (i == LENGTH(forms))
		return complain(USAGE, NULL, "rom needs a form: --amu-enables");
	if (request->count != 1)
		return complain(USAGE, NULL, "rom takes one FILE, not %d", request->count);
	code = load(&source, request->args[0], &request->input, NULL, NULL);
	if (code == GOOD)
		code = forms[i].put(source.name, source.map, request->order);
	unload(&source);
	return code;
}

/* ---- the command line ----------------------------------------------------------------------- */

static const struct verb {
	const char *name, *arguments, *what;
	int (*run)(const struct request *request);
	unsigned options;
	const char *details, *example;
} verbs[] = {
	{ "show", "[FILE]", "the tables, and a grid of events and counters", show,
	  JSON | EVENTS | UNIT | DESC | NO_INDEX | NODE | AVAILABLE | PVR,
	  "The grid has a row for each event, and a # under each counter that can count it.\n"
	  "Of IBM's in-memory counters (IMC) the units are shown, with --events or --unit also what\n"
	  "they count, and of a container of catalogs what is in it. Of Arm's activity monitors (AMU)\n"
	  "the CPUs are shown with the auxiliary counters that each has.",
	  "pmumap show /sys/firmware/fdt\n"
	  "         pmumap show --unit mcs01 power9.dtb\n"
	  "         pmumap show tc2.dtb" },
	{ "lookup", "[FILE] QUERY...", "the counters and the selector of each event", lookup,
	  JSON | NO_INDEX | NODE | AVAILABLE | PVR,
	  "A QUERY is a name of SBI (SBI_PMU_HW_CACHE_MISSES, cache-misses) or of perf\n"
	  "(dTLB-load-misses), a number (0x10019), a raw event (r1801, raw:0x1801; raw-v2:0x1801\n"
	  "for 56 bits), a firmware event (fw:5, set-timer) or one of the platform (platform:0x1).\n"
	  "\n"
	  "Of IBM's in-memory counters (IMC) it is a full name (PM_MCS01_64B_RD_DISP_PORT01), that\n"
	  "of one unit (mcs01/PM_..., mcs01@c8/PM_..., nest_mcs01_imc/PM_...), an offset (imc:0x450)\n"
	  "or that of one unit (imc:mcs01:0xc8). All events that match are printed.\n"
	  "\n"
	  "Of Arm's activity monitors (AMU) it is a CPU, by its MPIDR (amu:0x100; only the affinity\n"
	  "in it counts) or by its number in the tree (amu:#3).",
	  "pmumap lookup board.dtb cache-misses L1-dcache-load-misses 0x10019 r1801 raw:0x1801\n"
	  "         pmumap lookup power9.dtb PM_MCS01_64B_RD_DISP_PORT01 imc:0x450\n"
	  "         pmumap lookup tc2.dtb amu:0x100 amu:#3" },
	{ "check", "[FILE...]", "what is wrong, what firmware makes of it, how to mend it", check,
	  JSON | STRICT | NODE | AVAILABLE | PVR,
	  "An error: the row is not used. A warning: it is used, but probably was not meant so.\n"
	  "A note: it is right, and worth knowing. Rows count from 0 in their property. Of IBM's\n"
	  "in-memory counters (IMC) units and events take the place of rows, of Arm's activity\n"
	  "monitors (AMU) CPUs and counters.",
	  "pmumap check --strict board.dts\n"
	  "         pmumap check --pvr 0x4e1202 ima_catalog.bin\n"
	  "         pmumap check tc2.dts" },
	{ "rom", "FILE", "C source for firmware that has no device tree", rom, AMU_ENABLES | ORDER,
	  "An option says what of it:\n"
	  "\n"
	  "--amu-enables is what a platform of TF-A v2.13 and later has to define instead of the nodes\n"
	  "that v2.12 reads: for each core position the mask of the auxiliary counters (AMU) to be\n"
	  "enabled. The CPUs come in the order of the tree, unless --order gives another one.",
	  "pmumap rom --amu-enables tc2.dtb >tc_amu.c\n"
	  "         pmumap rom --amu-enables --order 0x100,0x0 board.dts" },
};

/* Bit N of the options above: line N. */
static const struct {
	const char *usage, *what;
} options[] = {
	{ "--json", "one JSON object per line" },
	{ "--strict", "warnings count as errors" },
	{ "--events", "IMC: list the events of all units" },
	{ "--unit UNIT", "IMC: this unit only (mcs01, mcs01@c8, nest_mcs01_imc)" },
	{ "--desc", "IMC: keep descriptions in the map, as --events and --unit do" },
	{ "--no-index", "IMC: leave the index of names out of the map" },
	{ "--node PATH", "this riscv,pmu node, not the first one" },
	{ "--available GEN:VECTOR",
	  "IMC: only the units in an availability vector (P9:0xffff800000000000)" },
	{ "--pvr PVR", "the catalog for this processor, where FILE is a container" },
	{ "--amu-enables", "AMU: plat_amu_aux_enables of TF-A" },
	{ "--order MPIDR,MPIDR,...", "AMU: these CPUs only, in this order" },
};

static int help(const struct verb *verb)
{
	if (verb)
		printf("Usage: pmumap %s %s\n\nPrints %s.\n\n%s\n\n", verb->name, verb->arguments,
		       verb->what, verb->details);
	else
		puts("Usage: pmumap VERB [OPTION]... [FILE]\n\n"
		     "What a board's PMU can count, on which counters, and by which selector.\n");
	for (size_t i = 0; !verb && i < LENGTH(verbs); i++)
		printf("  %-6s %-17s %s\n", verbs[i].name, verbs[i].arguments, verbs[i].what);
	if (!verb)
		putchar('\n');
	for (size_t i = 0; i < LENGTH(options); i++) {
		if (!verb || verb->options >> i & 1)
			printf("  %-24s %s\n", options[i].usage, options[i].what);
	}
	puts("  --help                   this text, or that of a verb\n"
	     "  --version\n\n"
	     "FILE is a .dtb, a .dts (where dtc is installed), a map image, a container of catalogs\n"
	     "(IMA_CATALOG), or - for the standard input.");
	if (!verb || *verb->arguments == '[')
		puts("Without one, the sample board is taken, SiFive's U74.");
	puts("\nExit status: 0 good, 1 an error was found or an event was not, 2 wrong usage,\n"
	     "3 the input cannot be read.\n");
	printf("Example: %s\n", verb ? verb->example : "pmumap show /sys/firmware/fdt");
	return GOOD;
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < LENGTH(verbs); i++) {
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	}
	return NULL;
}

/* GEN:VECTOR, of the control block of a running system; POWER11 has POWER10's. */
static int read_available(const char *text, struct pmumap_fdt_options *fdt)
{
	static const struct {
		const char *name;
		unsigned generation;
	} generations[] = { { "P9:", PMUMAP_IMC_P9 },
			    { "P10:", PMUMAP_IMC_P10 },
			    { "P11:", PMUMAP_IMC_P10 } };

	for (size_t i = 0; i < LENGTH(generations); i++) {
		size_t length = strlen(generations[i].name);

		if (strncmp(text, generations[i].name, length))
			continue;
		fdt->imc_generation = generations[i].generation;
		return read_number(text + length, UINT64_MAX, &fdt->imc_available);
	}
	return 0;
}

static int read_option(struct request *request, int option, const char *argument)
{
	struct input *input = &request->input;
	uint64_t pvr;

	request->options |= (unsigned)option;
	switch (option) {
	case UNIT:
		request->unit = argument;
		break;
	case DESC:
		input->options.flags |= PMUMAP_DESC;
		break;
	case NO_INDEX:
		input->options.flags |= PMUMAP_NO_INDEX;
		break;
	case NODE:
		input->node = argument;
		break;
	case AVAILABLE:
		if (!read_available(argument, &input->options))
			return complain(USAGE, argument,
					"not a vector, such as P9:0x1ff or P10:0x1ff");
		break;
	case ORDER:
		request->order = argument;
		break;
	case PVR:
		if (!read_number(argument, UINT32_MAX, &pvr) || !pvr)
			return complain(USAGE, argument, "not a PVR, such as 0x4e1202");
		input->pvr = (uint32_t)pvr;
		break;
	default:
		break;
	}
	return GOOD;
}

int main(int argc, char **argv)
{
	static const struct option longs[] = { { "json", no_argument, NULL, JSON },
					       { "strict", no_argument, NULL, STRICT },
					       { "events", no_argument, NULL, EVENTS },
					       { "unit", required_argument, NULL, UNIT },
					       { "desc", no_argument, NULL, DESC },
					       { "no-index", no_argument, NULL, NO_INDEX },
					       { "node", required_argument, NULL, NODE },
					       { "available", required_argument, NULL, AVAILABLE },
					       { "pvr", required_argument, NULL, PVR },
					       { "amu-enables", no_argument, NULL, AMU_ENABLES },
					       { "order", required_argument, NULL, ORDER },
					       { "help", no_argument, NULL, 'h' },
					       { "version", no_argument, NULL, 'v' },
					       { 0 } };
	struct request request = { 0 };
	const struct verb *verb;
	int c, asked = 0, code;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (c == '?')
			return complain(USAGE, NULL, "see pmumap --help");
		if (c == 'h' || c == 'v')
			asked = c;
		else if (read_option(&request, c, optarg) != GOOD)
			return USAGE;
	}
	if (asked == 'v') {
		printf("pmumap %d.%d.%d\n", PMUMAP_VERSION_MAJOR, PMUMAP_VERSION_MINOR,
		       PMUMAP_VERSION_PATCH);
		return GOOD;
	}
	verb = optind < argc ? find_verb(argv[optind]) : NULL;
	if (asked == 'h' && (verb || optind == argc))
		return help(verb);
	if (!verb)
		return complain(USAGE, optind < argc ? argv[optind] : NULL,
				"give a verb: show, lookup, check or rom; see pmumap --help");
	if (request.options & ~verb->options)
		return complain(USAGE, verb->name, "no such option here; see pmumap %s --help",
				verb->name);
	request.args = argv + optind + 1;
	request.count = argc - optind - 1;
	code = verb->run(&request);
	if (fflush(stdout) || ferror(stdout))
		return complain(UNREADABLE, "standard output", "cannot be written");
	return code;
}
