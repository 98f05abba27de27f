/* SPDX-License-Identifier: BSD-2-Clause
 *
 * imc.h -- the tool's view of IBM's in-memory counters: units, events, addresses, clashes.
 */
#ifndef IMC_H
#define IMC_H

#include "source.h"
#include "table.h"

/* Beyond these the tool says no more: a tree may describe more than anybody can read. */
#define NAMES_LIMIT (1u << 20) /* sorted to tell the distinct ones */
#define CHIPS_LIMIT 64u        /* of a unit, and in the table of chips */
#define MATCH_LIMIT 1024u      /* of one query */
#define CLASH_LIMIT 8u         /* named at one offset */

static const struct {
	uint32_t type;
	const char *name;
} imc_types[] = {
	{ PMUMAP_IMC_NEST, "nest" },
	{ PMUMAP_IMC_CORE, "core" },
	{ PMUMAP_IMC_THREAD, "thread" },
	{ PMUMAP_IMC_TRACE, "trace" },
};

static const char *imc_type(uint32_t type)
{
	for (size_t i = 0; i < LENGTH(imc_types); i++) {
		if (imc_types[i].type == type)
			return imc_types[i].name;
	}
	return "?";
}

static int has_imc(const struct pmumap *map)
{
	struct pmumap_imc_unit unit;

	return pmumap_imc_unit(map, 0, &unit);
}

static void json_text(const char *key, const char *text)
{
	if (text)
		json_string(key, text);
}

static void json_name(const struct pmumap_imc_event *event)
{
	json_key("name");
	putchar('"');
	put_escaped(stdout, event->prefix, 1);
	put_escaped(stdout, event->name, 1);
	putchar('"');
}

static void json_scale(const char *scale)
{
	uint64_t mantissa;
	int32_t exponent;

	json_text("scale", scale);
	if (!scale || !pmumap_imc_scale(scale, &mantissa, &exponent))
		return;
	json_key("mantissa");
	printf("%" PRIu64, mantissa);
	json_key("exponent10");
	printf("%" PRId32, exponent);
}

/* ---- show: how much there is ---------------------------------------------------------------- */

struct full_name {
	const char *prefix, *name;
};

static int by_full_name(const void *left, const void *right)
{
	const struct full_name *a = left, *b = right;
	const char *p = a->prefix, *q = b->prefix;
	const char *after_p = a->name, *after_q = b->name;

	for (;; p++, q++) {
		if (!*p && after_p) {
			p = after_p;
			after_p = NULL;
		}
		if (!*q && after_q) {
			q = after_q;
			after_q = NULL;
		}
		if (*p != *q || !*p)
			return (unsigned char)*p - (unsigned char)*q;
	}
}

static uint32_t distinct_names(const struct pmumap *map, uint32_t names)
{
	struct full_name *list = reallocate(NULL, names + 1u, sizeof(*list));
	struct pmumap_imc_event event;
	struct pmumap_imc_unit unit;
	uint32_t used = 0, distinct = 0;

	for (uint32_t u = 0; pmumap_imc_unit(map, u, &unit); u++) {
		for (uint32_t e = 0; used < names && pmumap_imc_event_at(map, u, e, &event); e++) {
			list[used].prefix = event.prefix;
			list[used++].name = event.name;
		}
	}
	qsort(list, used, sizeof(*list), by_full_name);
	for (uint32_t i = 0; i < used; i++)
		distinct += !i || by_full_name(&list[i - 1], &list[i]) != 0;
	free(list);
	return distinct;
}

struct imc_sum {
	uint32_t units, of_type[LENGTH(imc_types)];
	uint32_t names;
	int indexed;
	uint32_t distinct; /* 0: none, or too many to tell */
	uint32_t pairs;    /* of chip and base; the same id may have several */
	int more;          /* there are more than these */
	struct {
		uint32_t id, units;
		uint64_t base;
	} chip[CHIPS_LIMIT];
};

/* The chips of most units are the same, in the same order: index is where to look first. */
static void add_chip(struct imc_sum *sum, uint32_t index, uint32_t id, uint64_t base)
{
	if (index >= sum->pairs || sum->chip[index].id != id || sum->chip[index].base != base) {
		for (index = 0; index < sum->pairs; index++) {
			if (sum->chip[index].id == id && sum->chip[index].base == base)
				break;
		}
	}
	if (index == CHIPS_LIMIT) {
		sum->more = 1;
		return;
	}
	if (index == sum->pairs) {
		sum->chip[index].id = id;
		sum->chip[index].base = base;
		sum->pairs++;
	}
	sum->chip[index].units++;
}

static void sum_up(const struct pmumap *map, struct imc_sum *sum)
{
	struct pmumap_imc_unit unit;
	uint32_t id;
	uint64_t base;

	memset(sum, 0, sizeof(*sum));
	sum->names = pmumap_imc_names(map, &sum->indexed);
	for (; pmumap_imc_unit(map, sum->units, &unit); sum->units++) {
		for (size_t type = 0; type < LENGTH(imc_types); type++)
			sum->of_type[type] += unit.type == imc_types[type].type;
		for (uint32_t i = 0; i < unit.chips && i < CHIPS_LIMIT; i++) {
			if (pmumap_imc_chip(map, sum->units, i, &id, &base))
				add_chip(sum, i, id, base);
		}
		sum->more |= unit.chips > CHIPS_LIMIT;
	}
	if (sum->names <= NAMES_LIMIT)
		sum->distinct = distinct_names(map, sum->names);
}

static uint32_t chip_ids(const struct imc_sum *sum)
{
	uint32_t ids = 0;

	for (uint32_t i = 0; i < sum->pairs; i++) {
		uint32_t first = 0;

		while (sum->chip[first].id != sum->chip[i].id)
			first++;
		ids += first == i;
	}
	return ids;
}

static void summary_text(const struct imc_sum *sum)
{
	const char *separator = " (";

	printf("%" PRIu32 " %s", sum->units, sum->units == 1 ? "unit" : "units");
	for (size_t type = 0; type < LENGTH(imc_types); type++) {
		if (!sum->of_type[type])
			continue;
		printf("%s%" PRIu32 " %s", separator, sum->of_type[type], imc_types[type].name);
		separator = ", ";
	}
	printf("%s, %" PRIu32 " %s", *separator == ',' ? ")" : "", sum->names,
	       sum->names == 1 ? "name" : "names");
	if (sum->distinct && sum->distinct != sum->names)
		printf(" (%" PRIu32 " distinct)", sum->distinct);
	if (sum->pairs)
		printf(", %s%" PRIu32 " %s", sum->more ? "more than " : "", chip_ids(sum),
		       chip_ids(sum) == 1 ? "chip" : "chips");
	puts(sum->indexed ? ", an index of names" : ", no index of names");
}

static void summary_json(const struct imc_sum *sum)
{
	json_key("imc");
	printf("{\"units\":%" PRIu32 ",\"names\":%" PRIu32, sum->units, sum->names);
	if (sum->distinct)
		printf(",\"distinct\":%" PRIu32, sum->distinct);
	if (!sum->more)
		printf(",\"chips\":%" PRIu32, chip_ids(sum));
	printf(",\"index\":%s}", sum->indexed ? "true" : "false");
	json_end();
}

/* ---- show: units, chips, events -------------------------------------------------------------- */

struct view {
	int json;
	int events;       /* list them */
	const char *unit; /* in any spelling; NULL: all */
};

/* Whether the unit is one of those that the user means; it is pmumap.h that knows the spellings. */
static int is_meant(const struct pmumap *map, uint32_t index, const struct pmumap_imc_unit *unit,
		    const char *spelling)
{
	struct pmumap_imc_event first, event;

	if (!spelling || !strcmp(spelling, unit->name))
		return 1;
	if (!pmumap_imc_event_at(map, index, 0, &first))
		return 0;
	for (uint32_t i = 0;
	     i < MATCH_LIMIT && pmumap_imc_at(map, spelling, first.offset, i, &event); i++) {
		if (event.unit_index == index)
			return 1;
	}
	return 0;
}

static int means_any(const struct pmumap *map, const char *spelling)
{
	struct pmumap_imc_unit unit;

	for (uint32_t u = 0; pmumap_imc_unit(map, u, &unit); u++) {
		if (is_meant(map, u, &unit, spelling))
			return 1;
	}
	return 0;
}

static void unit_row(struct table *t, const struct pmumap_imc_unit *unit)
{
	int nest = unit->type == PMUMAP_IMC_NEST;

	table_cell(t, unit->name);
	table_cell(t, imc_type(unit->type));
	table_cell(t, *unit->prefix ? unit->prefix : "\"\"");
	table_cell(t, hex(unit->reg).s);
	table_cell(t, nest ? hex(unit->offset).s : "");
	table_cell(t, unit->size ? hex(unit->size).s : "");
	table_cell(t, nest ? hex(unit->control).s : "");
	table_cell(t, decimal(unit->events).s);
	table_cell(t, unit->scale);
	table_cell(t, unit->measure);
}

static void show_units(const struct pmumap *map, const char *spelling)
{
	static const char *const heads[] = { "unit",  "type",     "prefix",  ">reg",   ">offset",
					     ">size", ">control", ">events", ">scale", "measure" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	struct pmumap_imc_unit unit;

	for (uint32_t u = 0; pmumap_imc_unit(map, u, &unit); u++) {
		if (is_meant(map, u, &unit, spelling))
			unit_row(&t, &unit);
	}
	table_end(&t);
}

static void show_all_chips(const struct imc_sum *sum)
{
	static const char *const heads[] = { ">chip", ">base", ">units" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };

	if (!sum->pairs)
		return;
	for (uint32_t i = 0; i < sum->pairs; i++) {
		table_cell(&t, decimal(sum->chip[i].id).s);
		table_cell(&t, hex(sum->chip[i].base).s);
		table_cell(&t, decimal(sum->chip[i].units).s);
	}
	putchar('\n');
	table_end(&t);
	if (sum->more)
		puts("and more");
}

/* Of one unit: where its window and its control block are. */
static void show_chips(const struct pmumap *map, uint32_t index, const struct pmumap_imc_unit *unit)
{
	static const char *const heads[] = { ">chip", ">base", ">window", ">control block" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	uint64_t base, control;
	uint32_t id;

	for (uint32_t i = 0; pmumap_imc_chip(map, index, i, &id, &base); i++) {
		table_cell(&t, decimal(id).s);
		table_cell(&t, hex(base).s);
		table_cell(&t, base <= UINT64_MAX - unit->offset ? hex(base + unit->offset).s : "");
		table_cell(&t, pmumap_imc_control(map, index, id, &control) ? hex(control).s : "");
	}
	if (!t.used)
		return;
	putchar('\n');
	table_end(&t);
}

static void event_json(const struct pmumap_imc_event *event)
{
	json_string("unit", event->unit);
	json_name(event);
	json_string("type", imc_type(event->type));
	json_hex("offset", event->offset);
	json_scale(event->scale);
	json_text("measure", event->measure);
	json_text("desc", event->desc);
}

static void events_json(const struct pmumap *map, uint32_t index)
{
	struct pmumap_imc_event event;

	for (uint32_t e = 0; pmumap_imc_event_at(map, index, e, &event); e++) {
		event_json(&event);
		json_end();
	}
}

static void events_text(const struct pmumap *map, uint32_t index,
			const struct pmumap_imc_unit *unit)
{
	static const char *const heads[] = { "event", ">offset", ">scale", "measure",
					     "description" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	struct pmumap_imc_event event;

	putchar('\n');
	put_escaped(stdout, unit->name, 0);
	printf(" (%s):%s\n", imc_type(unit->type), unit->events ? "" : " no events");
	for (uint32_t e = 0; pmumap_imc_event_at(map, index, e, &event); e++) {
		table_add(&t, escaped(event.prefix, event.name));
		table_cell(&t, hex(event.offset).s);
		table_cell(&t, event.scale);
		table_cell(&t, event.measure);
		table_cell(&t, event.desc);
	}
	if (t.used)
		table_end(&t);
}

static void show_events_of(const struct pmumap *map, uint32_t index,
			   const struct pmumap_imc_unit *unit, int json)
{
	if (json)
		events_json(map, index);
	else
		events_text(map, index, unit);
}

static void unit_json(const struct pmumap *map, uint32_t index, const struct pmumap_imc_unit *unit)
{
	uint64_t base;
	uint32_t id;

	json_string("unit", unit->name);
	json_string("type", imc_type(unit->type));
	json_string("prefix", unit->prefix);
	json_hex("reg", unit->reg);
	if (unit->type == PMUMAP_IMC_NEST)
		json_hex("offset", unit->offset);
	if (unit->size)
		json_hex("size", unit->size);
	if (unit->type == PMUMAP_IMC_NEST)
		json_hex("control", unit->control);
	json_number("events", unit->events);
	json_scale(unit->scale);
	json_text("measure", unit->measure);
	if (unit->type == PMUMAP_IMC_NEST) {
		json_key("chips");
		for (uint32_t i = 0; pmumap_imc_chip(map, index, i, &id, &base); i++)
			printf("%s{\"chip\":%" PRIu32 ",\"base\":\"0x%" PRIx64 "\"}", i ? "," : "[",
			       id, base);
		fputs(unit->chips ? "]" : "[]", stdout);
	}
	json_end();
}

#define NEST_FORMULA                                                                                     \
	"Nest: a counter lies at the chip's base + offset of the unit + offset of the event, of which\n" \
	"the unit's reg is a part; the control block at base + offset + control."

static void show_imc(const struct pmumap *map, const struct view *view)
{
	struct pmumap_imc_unit unit;
	struct imc_sum sum;

	sum_up(map, &sum);
	if (view->json) {
		summary_json(&sum);
	} else {
		summary_text(&sum);
		putchar('\n');
		show_units(map, NULL);
		show_all_chips(&sum);
		if (sum.of_type[0]) /* nest */
			puts("\n" NEST_FORMULA);
	}
	for (uint32_t u = 0; pmumap_imc_unit(map, u, &unit); u++) {
		if (view->json)
			unit_json(map, u, &unit);
		if (view->events)
			show_events_of(map, u, &unit, view->json);
	}
}

/* The units of that name, with all of their events. */
static int show_unit(const char *file, const struct pmumap *map, const struct view *view)
{
	struct pmumap_imc_unit unit;

	if (!means_any(map, view->unit))
		return complain(FAULT, file, "no unit %s; pmumap show lists them", view->unit);
	if (!view->json)
		show_units(map, view->unit);
	for (uint32_t u = 0; pmumap_imc_unit(map, u, &unit); u++) {
		if (!is_meant(map, u, &unit, view->unit))
			continue;
		if (view->json)
			unit_json(map, u, &unit);
		else
			show_chips(map, u, &unit);
		show_events_of(map, u, &unit, view->json);
	}
	return GOOD;
}

/* ---- lookup ---------------------------------------------------------------------------------- */

/* A full name or UNIT/NAME; imc:OFFSET or imc:UNIT:OFFSET. */
struct imc_query {
	const char *text;
	int by_offset;
	char *unit; /* NULL: all */
	uint32_t offset;
};

static struct imc_query imc_query(const char *text)
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
	const char *separator = "[";
	uint64_t base, address;
	uint32_t id;

	for (uint32_t i = 0; pmumap_imc_chip(map, event->unit_index, i, &id, &base); i++) {
		if (!pmumap_imc_address(map, event, id, &address))
			continue;
		if (*separator == '[')
			json_key("addresses");
		printf("%s{\"chip\":%" PRIu32 ",\"address\":\"0x%" PRIx64 "\"}", separator, id,
		       address);
		separator = ",";
	}
	if (*separator == ',')
		putchar(']');
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

/* Returns whether there is any. */
static int matches_json(const struct pmumap *map, const struct imc_query *q)
{
	struct pmumap_imc_event event;
	uint32_t n;

	for (n = 0; next_match(map, q, n, &event); n++) {
		json_string("query", q->text);
		event_json(&event);
		trace_json(&event);
		addresses_json(map, &event);
		json_key("found");
		fputs("true", stdout);
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

static const char *const match_heads[] = {
	"event", "unit", "type", ">offset", ">scale", "measure"
};

/* Returns whether there is any. */
static int match_rows(const struct pmumap *map, const struct imc_query *q, struct table *t)
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

/* ---- check ----------------------------------------------------------------------------------- */

/* The nth counter of an offset-clash; *from is where to go on, at first 0. */
static int clash_next(const struct pmumap *map, const struct pmumap_finding *f, uint32_t *from,
		      struct pmumap_imc_event *event)
{
	struct pmumap_imc_unit one, other;

	if (!pmumap_imc_unit(map, f->row, &one))
		return 0;
	while (*from < MATCH_LIMIT &&
	       pmumap_imc_at(map, NULL, (uint32_t)f->value, (*from)++, event)) {
		if (event->unit_index == f->row)
			return 1;
		if (one.type == PMUMAP_IMC_NEST && event->type == PMUMAP_IMC_NEST &&
		    pmumap_imc_unit(map, event->unit_index, &other) && other.offset == one.offset)
			return 1;
	}
	return 0;
}

/* As lookup takes it. */
static void put_event(FILE *out, const struct pmumap_imc_event *event, int json)
{
	put_escaped(out, event->unit, json);
	putc('/', out);
	put_escaped(out, event->prefix, json);
	put_escaped(out, event->name, json);
}

static void put_clash(FILE *out, const struct pmumap *map, const struct pmumap_finding *f)
{
	const char *separator = ":";
	struct pmumap_imc_event event;
	uint32_t from = 0;

	fprintf(out, "offset 0x%" PRIx64, f->value);
	for (uint32_t n = 0; clash_next(map, f, &from, &event); n++) {
		if (n == CLASH_LIMIT) {
			fputs(", ...", out);
			break;
		}
		fprintf(out, "%s ", separator);
		put_event(out, &event, 0);
		separator = ",";
	}
}

static void json_units(const struct pmumap *map, const struct pmumap_finding *f)
{
	struct pmumap_imc_event event;
	struct pmumap_imc_unit unit;
	uint32_t from = 0;

	if (f->code == PMUMAP_F_UNIT_DUPLICATE && pmumap_imc_unit(map, f->row, &unit)) {
		json_string("unit", unit.name);
		if (pmumap_imc_unit(map, f->other, &unit))
			json_string("other_unit", unit.name);
	}
	if (f->code != PMUMAP_F_OFFSET_CLASH)
		return;
	json_key("events");
	json_separator = "[";
	while (clash_next(map, f, &from, &event)) {
		printf("%s\"", json_separator);
		put_event(stdout, &event, 1);
		putchar('"');
		json_separator = ",";
	}
	fputs(*json_separator == '[' ? "[]" : "]", stdout);
	json_separator = ",";
}

#endif /* IMC_H */
