/* SPDX-License-Identifier: BSD-2-Clause
 *
 * write.c -- the verb write: prints a riscv,pmu node from a table or from a core's events.
 */
#include <ctype.h>
#include "map/riscv.h"
#include "text/table.h"
#include "text/text.h"
#include "write.h"

/* ---- few rows for many raw events ------------------------------------------------------------ */

#define MERGE_WORK 4000000u /* codes times bits, summed over all orders */

/* A raw row: it accepts e if (e & mask) == select. */
struct cube {
	uint64_t select, mask;
};

/* A row under construction. The bits that a row ignores are free. */
struct piece {
	uint64_t select, free, key;
};

struct pieces {
	struct piece *list;
	size_t count;
};

/* The set, and the best result so far. */
struct task {
	const uint64_t *codes;
	size_t count;
	uint64_t bits[64]; /* bits in which codes differ, from the lowest */
	unsigned width;
	struct pieces best;
};

/* The same rule as raw-wide: free bits above and below one that must be set. */
static int is_scattered(uint64_t select, uint64_t free)
{
	uint64_t above = select & ~((free & (0 - free)) * 2 - 1);

	above &= 0 - above;
	return free && above && free > above;
}

static int by_key(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	if (a->free != b->free)
		return a->free < b->free ? -1 : 1;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->select < b->select ? -1 : a->select > b->select;
}

/* Merges every two rows that differ only in this bit. Returns 1 if there were any. */
static int merge(struct pieces *p, uint64_t bit)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++)
		p->list[i].key = p->list[i].select & ~bit;
	qsort(p->list, p->count, sizeof(*p->list), by_key);
	for (size_t i = 0; i < p->count; i++) {
		struct piece *a = &p->list[i];

		if (i + 1 < p->count && a[1].free == a->free && a[1].key == a->key &&
		    !is_scattered(a->key, a->free | bit)) {
			a->free |= bit;
			a->select = a->key;
			i++;
		}
		p->list[kept++] = *a;
	}
	if (kept == p->count)
		return 0;
	p->count = kept;
	return 1;
}

/* Merges by each bit from first on, upwards or downwards, until no pair is left. */
static void try_order(struct task *t, struct pieces *p, unsigned first, int down)
{
	int merged = 1;

	for (size_t i = 0; i < t->count; i++)
		p->list[i] = (struct piece){ .select = t->codes[i] };
	p->count = t->count;
	while (merged) {
		merged = 0;
		for (unsigned b = 0; b < t->width; b++) {
			unsigned at = (first + (down ? t->width - b : b)) % t->width;

			merged |= merge(p, t->bits[at]);
		}
	}
	if (!t->best.count || p->count < t->best.count) {
		const struct pieces worse = t->best;

		t->best = *p;
		*p = worse;
	}
}

static void try_orders(struct task *t)
{
	size_t work = 0, each = t->count * (t->width + 1), bytes = sizeof(struct piece);
	struct pieces p = { reallocate(NULL, t->count, bytes), 0 };

	t->best.list = reallocate(NULL, t->count, bytes);
	for (unsigned i = 0; i < 2 * t->width || i == 0; i++) {
		try_order(t, &p, i / 2, i & 1);
		work += each;
		if (work > MERGE_WORK)
			break;
	}
	free(p.list);
}

static int by_piece(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	return a->select < b->select ? -1 : a->select > b->select;
}

/*
 * Finds rows that accept these codes and no others, each code by one row. codes: ascending, no
 * duplicates. No mask ignores bits on both sides of a bit that it requires to be set. Returns the
 * number of rows, sorted by select; the caller frees *cubes.
 */
static size_t cover(const uint64_t *codes, size_t count, struct cube **cubes)
{
	struct task t = { .codes = codes, .count = count };
	uint64_t differ = 0;

	*cubes = NULL;
	if (!count)
		return 0;
	for (size_t i = 0; i < count; i++)
		differ |= codes[i] ^ codes[0];
	for (; differ; differ &= differ - 1)
		t.bits[t.width++] = differ & (0 - differ);
	try_orders(&t);
	qsort(t.best.list, t.best.count, sizeof(*t.best.list), by_piece);
	*cubes = reallocate(NULL, t.best.count, sizeof(**cubes));
	for (size_t i = 0; i < t.best.count; i++)
		(*cubes)[i] = (struct cube){ t.best.list[i].select, ~t.best.list[i].free };
	free(t.best.list);
	return t.best.count;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int by_event(const void *left, const void *right)
{
	const struct described_event *a = left, *b = right;

	return a->first < b->first ? -1 : a->first > b->first;
}

/* Sorts by counters, then by code. Rows with free bits are final and come first. */
static int by_counters(const void *left, const void *right)
{
	const struct described_raw *a = left, *b = right;

	if (!a->free != !b->free)
		return a->free ? -1 : 1;
	if (a->counters != b->counters)
		return a->counters < b->counters ? -1 : 1;
	return a->select < b->select ? -1 : a->select > b->select;
}

static int by_select(const void *left, const void *right)
{
	const struct raw_row *a = left, *b = right;

	if (a->select != b->select)
		return a->select < b->select ? -1 : 1;
	return a->mask < b->mask ? -1 : a->mask > b->mask;
}

static void add_raw_row(struct node *n, uint64_t select, uint64_t mask, uint32_t counters,
			const char *name)
{
	n->raws = grow(n->raws, n->raw_count, sizeof(*n->raws));
	n->raws[n->raw_count++] = (struct raw_row){ select, mask, counters, name };
}

/* Covers the codes of equal counters with as few rows as possible. */
static void cover_codes(struct node *n, const struct described_raw *list, size_t count)
{
	uint64_t *codes = reallocate(NULL, count, sizeof(*codes));
	struct cube *cubes;
	size_t rows, at = 0;

	for (size_t i = 0; i < count; i++)
		codes[i] = list[i].select;
	rows = cover(codes, count, &cubes);
	for (size_t i = 0; i < rows; i++) {
		const char *name = NULL;

		/* Rows are sorted by select; rows of one code keep the order of the codes. */
		for (; !~cubes[i].mask && at < count && codes[at] <= cubes[i].select; at++)
			name = codes[at] == cubes[i].select ? list[at].name : NULL;
		add_raw_row(n, cubes[i].select, cubes[i].mask, list->counters, name);
	}
	free(cubes);
	free(codes);
}

static void make_rows(struct node *n)
{
	struct described *d = &n->d;
	size_t next;

	if (d->event_count)
		qsort(d->events, d->event_count, sizeof(*d->events), by_event);
	if (d->raw_count)
		qsort(d->raws, d->raw_count, sizeof(*d->raws), by_counters);
	for (size_t i = 0; i < d->raw_count; i = next) {
		const struct described_raw *raw = &d->raws[i];

		next = i + 1;
		if (raw->free) {
			add_raw_row(n, raw->select, ~raw->free, raw->counters, NULL);
			continue;
		}
		while (next < d->raw_count && d->raws[next].counters == raw->counters)
			next++;
		cover_codes(n, raw, next - i);
	}
	if (n->raw_count)
		qsort(n->raws, n->raw_count, sizeof(*n->raws), by_select);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* A name must not end the comment, so only letters, digits and some signs are printed. */
static void put_comment(FILE *out, const char *name)
{
	for (const char *c = name; c && *c; c++) {
		if (!isalnum((unsigned char)*c) && !strchr("_-.:", *c))
			name = NULL;
	}
	if (name)
		fprintf(out, " /* %s */", name);
	putc('\n', out);
}

/* Prints how many raw events a row accepts, or how many bits are free. */
static void put_width(FILE *out, uint64_t free)
{
	unsigned bits = count_bits(free);

	if (bits < 8)
		fprintf(out, " /* %u events */\n", 1u << bits);
	else
		fprintf(out, " /* any of %u bits */\n", bits);
}

static void put_half(FILE *out, uint64_t value)
{
	fprintf(out, "0x%" PRIx32 " 0x%" PRIx32, (uint32_t)(value >> 32), (uint32_t)value);
}

static void begin_property(FILE *out, const char *name)
{
	fprintf(out, "\t\t%s =\n", name);
}

static void put_selectors(FILE *out, const struct node *n)
{
	size_t left = 0;

	for (size_t i = 0; i < n->d.event_count; i++)
		left += n->d.events[i].has_selector != 0;
	if (left)
		begin_property(out, "riscv,event-to-mhpmevent");
	for (size_t i = 0; i < n->d.event_count; i++) {
		const struct described_event *e = &n->d.events[i];

		if (!e->has_selector)
			continue;
		fprintf(out, "\t\t\t<0x%" PRIx32 " ", e->first);
		put_half(out, e->selector);
		fprintf(out, ">%c", --left ? ',' : ';');
		put_comment(out, named(e->first) ? pmumap_event_name(e->first) : NULL);
	}
}

/* The end of the run of adjacent events, from this one on, that share their counters. */
static size_t end_of_range(const struct node *n, size_t i)
{
	const struct described_event *e = n->d.events;

	while (i + 1 < n->d.event_count && e[i + 1].first == e[i].last + 1 &&
	       e[i + 1].counters == e[i].counters)
		i++;
	return i;
}

static void put_ranges(FILE *out, struct node *n)
{
	const struct described_event *e = n->d.events;

	if (n->d.event_count)
		begin_property(out, "riscv,event-to-mhpmcounters");
	for (size_t i = 0, end; i < n->d.event_count; i = end + 1) {
		end = end_of_range(n, i);
		n->ranges++;
		fprintf(out, "\t\t\t<0x%" PRIx32 " 0x%" PRIx32 " 0x%" PRIx32 ">%c\n", e[i].first,
			e[end].last, e[i].counters, end + 1 < n->d.event_count ? ',' : ';');
	}
}

static void put_raws(FILE *out, const struct node *n)
{
	if (n->raw_count)
		begin_property(out, "riscv,raw-event-to-mhpmcounters");
	for (size_t i = 0; i < n->raw_count; i++) {
		const struct raw_row *r = &n->raws[i];

		fputs("\t\t\t<", out);
		put_half(out, r->select);
		putc(' ', out);
		put_half(out, r->mask);
		fprintf(out, " 0x%" PRIx32 ">%c", r->counters, i + 1 < n->raw_count ? ',' : ';');
		if (~r->mask)
			put_width(out, ~r->mask);
		else
			put_comment(out, r->name);
	}
}

static void put_node(FILE *out, struct node *n)
{
	fputs("/dts-v1/;\n\n/ {\n\tpmu {\n\t\tcompatible = \"riscv,pmu\";\n", out);
	put_selectors(out, n);
	put_ranges(out, n);
	put_raws(out, n);
	fputs("\t};\n};\n", out);
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int write_node(const struct request *request, struct node *n, const char *about)
{
	FILE *out;
	int code, closed;

	if (!n->d.event_count && !n->d.raw_count)
		return complain(UNREADABLE, about, "it describes nothing");
	make_rows(n);
	out = open_output(VALUE(request, OUTPUT));
	if (!out)
		return UNREADABLE;
	put_node(out, n);
	code = check_node(n, about);
	closed = close_output(out, VALUE(request, OUTPUT));
	return closed == GOOD ? code : closed;
}

int write_verb(const struct request *request)
{
	struct events core = { 0 };
	struct node n = { 0 };
	const char *table;
	const int json = (request->options & JSON) != 0;
	int code = read_file_name(request, "write", &table);

	if (code == GOOD && json && (!table || !(request->options & EVENTS)))
		code = complain(USAGE, NULL, "write --json needs --events FILE, and a board");
	if (code == GOOD && VALUE(request, LINUX) && (json || !table))
		code = complain(USAGE, NULL, "write --linux NAME needs a board, and no --json");
	if (code == GOOD && VALUE(request, LINUX))
		return write_linux(request);
	if (code == GOOD && !table && !(request->options & EVENTS))
		code = complain(USAGE, NULL, "write needs a TABLE, or --events and --counters");
	if (code == GOOD)
		code = read_vendor(request, &core);
	if (code == GOOD && json) {
		code = write_json(request, &core);
		unload_events(&core);
		return code;
	}
	if (code == GOOD && table)
		code = read_table(&n.d, table, &core, request->counters);
	if (code == GOOD)
		code = describe_core(&n.d, &core, request->counters);
	if (code == GOOD)
		code = write_node(request, &n,
				  !table               ? core.path
				  : strcmp(table, "-") ? table
						       : "stdin");
	unload_described(&n.d);
	unload_events(&core);
	free(n.raws);
	return code;
}
