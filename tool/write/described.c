/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <unistd.h>
#include "write.h"
#include "map/riscv.h"
#include "map/suggest.h"
#include "source/read.h"
#include "source/rows.h"
#include "text/text.h"

#define CLASS 0xffu /* as in events.c */
#define SHAPE "not a selector; a line is EVENT SELECTOR COUNTERS, - for no selector"

/* A line of the table, split into words. */
struct line {
	const char *file;
	uint32_t number;
	char *event, *selector, *counters;
	uint32_t core_counters; /* of --counters */
};

static int refuse(const struct line *l, const char *what, const char *word)
{
	return complain(UNREADABLE, l->file, "line %" PRIu32 ": %s: %s", l->number, word, what);
}

/* ---- duplicates ------------------------------------------------------------------------------ */

static int accept_one(const struct described_raw *a, const struct described_raw *b)
{
	return !((a->select ^ b->select) & ~a->free & ~b->free);
}

/*
 * Adds the row unless a row with the same counters contains it, and removes rows that it contains.
 * Returns 0, or the line of another row that overlaps it.
 */
static uint32_t add_raw(struct described *d, const struct described_raw *raw)
{
	for (size_t i = 0; i < d->raw_count; i++) {
		const struct described_raw *other = &d->raws[i];

		if (!accept_one(other, raw))
			continue;
		if (other->counters == raw->counters && !(raw->free & ~other->free))
			return 0;
		if (other->counters != raw->counters || other->free & ~raw->free)
			return other->line ? other->line : UINT32_MAX;
		d->raws[i--] = d->raws[--d->raw_count];
	}
	d->raws = grow(d->raws, d->raw_count, sizeof(*d->raws));
	d->raws[d->raw_count++] = *raw;
	return 0;
}

static int add_described(struct described *d, const struct line *l, struct described_event *e)
{
	char what[64];

	for (size_t i = 0; i < d->event_count; i++) {
		const struct described_event *other = &d->events[i];

		if (other->first > e->last || e->first > other->last)
			continue;
		snprintf(what, sizeof(what), "already in line %" PRIu32, other->line);
		return refuse(l, what, l->event);
	}
	e->line = l->number;
	d->events = grow(d->events, d->event_count, sizeof(*d->events));
	d->events[d->event_count++] = *e;
	return GOOD;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Reads two numbers separated by this sign. */
static int read_two(const char *text, char between, uint64_t limit, uint64_t *first, uint64_t *last)
{
	const char *sign = strchr(text, between);
	char begin[32];

	if (!sign || (size_t)(sign - text) >= sizeof(begin))
		return 0;
	snprintf(begin, sizeof(begin), "%.*s", (int)(sign - text), text);
	return read_number(begin, limit, first) && read_number(sign + 1, limit, last);
}

/* ORs numbers, or names of the core's file, separated by |. */
static int read_selector(const struct events *core, const char *text, uint64_t *selector)
{
	for (*selector = 0;; text++) {
		size_t length = strcspn(text, "|");
		const struct vendor_event *e = event_by_name(core, text, length);
		char part[24];
		uint64_t value;

		snprintf(part, sizeof(part), "%.*s", (int)length, text);
		if (e && is_raw(e))
			*selector |= e->data;
		else if (length < sizeof(part) && read_number(part, UINT64_MAX, &value))
			*selector |= value;
		else
			return 0;
		text += length;
		if (!*text)
			return 1;
	}
}

/* True if the core lacks some of the counters. It always has the fixed ones. */
static int are_absent(uint32_t counters, uint32_t core_counters)
{
	return core_counters && counters & ~(core_counters | FIXED_MASK);
}

/*
 * The line's counters, otherwise those that the core's file has for the code, otherwise --counters.
 * Event, raw event and file would not agree on counters that the file lacks. code: 0 if there is
 * none.
 */
static int read_line_counters(const struct line *l, const struct events *core, uint64_t code,
			      uint32_t *counters)
{
	const char *word = l->counters ? l->counters : l->event;
	uint32_t own = code ? shared_counters(core, code) & ~FIXED_MASK : 0;

	*counters = own ? own : l->core_counters;
	if (l->counters && !read_counters(l->counters, counters))
		return refuse(l, "not counters 0 to 31, such as 3-6 or 0x78", l->counters);
	if (are_absent(*counters, l->core_counters))
		return refuse(l, "the core lacks some of them (--counters)", word);
	if (are_absent(*counters, own))
		return refuse(l, "the core's file has other counters for it", word);
	return *counters ? GOOD
			 : refuse(l, "no counters here, in the core's file or in --counters",
				  l->event);
}

static int read_raw(struct described *d, const struct line *l, const struct events *core,
		    struct described_raw *raw)
{
	char what[64];
	uint32_t other;
	int code = read_line_counters(l, core, raw->free ? 0 : raw->select, &raw->counters);

	if (code != GOOD)
		return code;
	if (l->selector && strcmp(l->selector, "-"))
		return refuse(l, "a raw event is its own selector; write -", l->selector);
	raw->line = l->number;
	other = add_raw(d, raw);
	if (!other)
		return GOOD;
	snprintf(what, sizeof(what), "line %" PRIu32 " has it with other counters, or overlaps it",
		 other);
	return refuse(l, what, l->event);
}

/* raw:SELECT/MASK is copied as a row. Events of a range have no selector. */
static int read_event(struct described *d, const struct line *l, const struct events *core)
{
	struct described_event e = { 0 };
	struct described_raw raw = { 0 };
	uint64_t first, last;
	char what[160];
	int code;

	if (!strncmp(l->event, "raw:", 4) &&
	    read_two(l->event + 4, '/', UINT64_MAX, &raw.select, &raw.free)) {
		raw.free = ~raw.free;
		return raw.select & raw.free ? refuse(l, "has bits that the mask ignores", l->event)
					     : read_raw(d, l, core, &raw);
	}
	if (isdigit((unsigned char)*l->event) &&
	    read_two(l->event, '-', PMUMAP_EVENT_LIMIT - 1, &first, &last) && first <= last) {
		e.first = (uint32_t)first;
		e.last = (uint32_t)last;
	} else if (!parse_event(core, l->event, strlen(l->event), &e.first, &raw.select)) {
		snprintf(what, sizeof(what), "not an event, a range or raw:SELECT/MASK%s",
			 hint_of(l->event).s);
		return refuse(l, what, l->event);
	} else {
		e.last = e.first;
	}
	if (e.first == PMUMAP_EVENT_RAW || e.first == PMUMAP_EVENT_RAW_V2) {
		const struct vendor_event *named = event_by_code(core, raw.select);

		raw.name = named ? named->name : NULL;
		return read_raw(d, l, core, &raw);
	}
	if (e.last >= PMUMAP_EVENT_RAW)
		return refuse(l, "not a hardware event", l->event);
	e.has_selector = l->selector && strcmp(l->selector, "-");
	if (e.has_selector && e.first != e.last)
		return refuse(l, "a range has no selector; write -", l->selector);
	if (e.has_selector && !read_selector(core, l->selector, &e.selector))
		return refuse(l, core->path ? "not a number or a name in the core's file" : SHAPE,
			      l->selector);
	code = read_line_counters(l, core, e.selector, &e.counters);
	return code == GOOD ? add_described(d, l, &e) : code;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Cuts off the next word. Returns NULL if there is none. */
static char *next_word(char **at)
{
	char *word = *at + strspn(*at, " \t\r");

	*at = word + strcspn(word, " \t\r");
	if (**at)
		*(*at)++ = '\0';
	return *word ? word : NULL;
}

static int read_line(struct described *d, struct line *l, char *text, const struct events *core)
{
	char *more;

	text[strcspn(text, "#")] = '\0';
	l->event = next_word(&text);
	l->selector = next_word(&text);
	l->counters = next_word(&text);
	more = next_word(&text);
	if (!l->event)
		return GOOD;
	if (!strncmp(l->event, "/*", 2) || !strncmp(l->event, "/dts-v1/", 8))
		return refuse(l, "a device tree, not a table: use check or show", l->event);
	if (more)
		return refuse(l, "more than EVENT SELECTOR COUNTERS without blanks", more);
	if (!l->counters && !l->core_counters && !core->path)
		return refuse(l, "not EVENT SELECTOR COUNTERS, and no --counters", l->event);
	return read_event(d, l, core);
}

int read_table(struct described *d, const char *file, const struct events *core,
	       uint32_t core_counters)
{
	struct bytes bytes = { .name = strcmp(file, "-") ? file : "stdin" };
	struct line l = { .file = bytes.name, .core_counters = core_counters };
	int code = strcmp(file, "-") ? read_file(&bytes, file) : read_all(&bytes, STDIN_FILENO);
	char *text = NULL, *next;

	if (code == GOOD) {
		text = reallocate(NULL, bytes.size + 1, 1);
		memcpy(text, bytes.data, bytes.size);
		text[bytes.size] = '\0';
	}
	for (char *at = text; code == GOOD && at < text + bytes.size; at = next) {
		next = at + strcspn(at, "\n");
		*next++ = '\0';
		l.number++;
		code = read_line(d, &l, at, core);
	}
	free(text);
	free(bytes.data);
	return code;
}

/* ---- the core's events ----------------------------------------------------------------------- */

/* True if all events of the class have the same counters. */
static int is_even(const struct events *core, uint64_t class)
{
	const struct vendor_event *first = NULL;

	for (size_t i = 0; i < core->raw; i++) {
		const struct vendor_event *e = &core->list[i];

		if ((e->data & CLASS) != class)
			continue;
		if (first && first->counters != e->counters)
			return 0;
		first = e;
	}
	return 1;
}

int describe_core(struct described *d, const struct events *core, uint32_t core_counters)
{
	for (size_t i = 0; i < core->raw; i++) {
		const struct vendor_event *e = &core->list[i];
		struct described_raw raw = { .select = e->data, .name = e->name };

		if (e->counters && !(e->counters & ~FIXED_MASK))
			continue; /* a raw row cannot name the fixed counters */
		raw.counters = (e->counters ? e->counters : core_counters) & ~FIXED_MASK;
		if (are_absent(raw.counters, core_counters))
			return complain(UNREADABLE, core->path,
					"%s has counters there that the core lacks", e->name);
		if (!raw.counters)
			return complain(USAGE, core->path,
					"%s has no counters there: give --counters", e->name);
		if (core->ored && is_even(core, e->data & CLASS)) {
			raw.select &= CLASS;
			for (size_t j = 0; j < core->raw; j++) {
				if ((core->list[j].data & CLASS) == raw.select)
					raw.free |= core->list[j].data & ~(uint64_t)CLASS;
			}
			raw.name = NULL;
		}
		if (add_raw(d, &raw))
			return complain(
				UNREADABLE, core->path,
				"%s has other counters in the table, or overlaps a row with others",
				e->name);
	}
	return GOOD;
}

void unload_described(struct described *d)
{
	free(d->events);
	free(d->raws);
}

int load_board(struct source *board, const struct request *request)
{
	struct input input = request->input;
	int code = load(board, request->args[0], &input, NULL, NULL);

	if (code == GOOD && !has_riscv(board->map))
		code = complain(FAULT, board->file.name, "no riscv,pmu");
	return code;
}
