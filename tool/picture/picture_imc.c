/* SPDX-License-Identifier: BSD-2-Clause
 *
 * picture_imc.c -- draws the windows that contain in-memory counters, one below the other.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include "picture.h"

#define NARROW 1.5        /* minimum width of a shape */
#define WINDOW 880        /* width of the map of a window; */
#define NARROW_WINDOW 120 /* in a narrow picture */

/* A unit in a picture. Units in the same memory are adjacent, sorted by their lowest counter. */
struct imc_row {
	struct pmumap_imc_unit unit;
	uint32_t index, first;
	unsigned type;    /* index into imc_types */
	uint32_t windows; /* of a nest unit: identifies where its window is */
};

/* Shared by all windows of a picture. */
struct imc_drawing {
	struct canvas *canvas;
	const struct pmumap_imc *map;
	double left;              /* x where the windows begin */
	uint32_t dots;            /* counters so far, drawn or not */
	uint32_t kind[64], kinds; /* kinds of units that have a colour */
};

#define DOTS_LIMIT 65536u /* at most this many counters drawn in all windows */

/* A counter: its place_of(), and a hash of its full name. */
struct spot {
	uint64_t place, name;
};

struct window {
	struct imc_drawing *drawing;
	struct canvas *canvas; /* of the drawing */
	const struct imc_row *rows;
	uint32_t count, low, high; /* lowest and highest offset */
	uint32_t step;             /* of the ruler; a power of two */
	double width, scale;       /* pixels, and of these for each byte */
	struct spot *spots;        /* every counter, sorted */
	uint32_t used;
};

/* ---- places ---------------------------------------------------------------------------------- */

static int by_place(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* FNV-1a over prefix and name. */
static uint64_t name_number(const struct pmumap_imc_event *e)
{
	const char *const parts[] = { e->prefix, e->name };
	uint64_t sum = 0xcbf29ce484222325;

	for (size_t i = 0; i < LENGTH(parts); i++) {
		for (const char *c = parts[i]; *c; c++)
			sum = (sum ^ (unsigned char)*c) * 0x100000001b3;
	}
	return sum;
}

/* Nest units share the memory of their window. Any other unit has its own. */
static uint64_t place_of(const struct imc_row *row, uint32_t offset)
{
	return (uint64_t)(row->unit.type == PMUMAP_IMC_NEST ? 0 : row->index) << 32 | offset;
}

static uint32_t places_below(const struct window *w, uint64_t place)
{
	uint32_t low = 0, n = w->used;

	while (n) {
		uint32_t half = n / 2;

		if (w->spots[low + half].place < place) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

/* The number of counters at this place. */
static uint32_t counters_at(const struct window *w, uint64_t place)
{
	return places_below(w, place + 1) - places_below(w, place);
}

/* Counters of one name at one place are a single counter that several units list: an alias. */
static const char *mark_of(const struct window *w, uint64_t place)
{
	const struct spot *first = &w->spots[places_below(w, place)];
	uint32_t n = counters_at(w, place);

	return n < 2 ? "" : first->name == first[n - 1].name ? " alias" : " clash";
}

/* Collects and sorts the places of all counters, and finds their range. */
static void measure_window(struct window *w)
{
	const struct pmumap_imc *map = w->drawing->map;
	struct pmumap_imc_event e;

	w->low = UINT32_MAX;
	w->high = 0;
	for (uint32_t r = 0; r < w->count; r++) {
		for (uint32_t i = 0; event_of(map, w->rows[r].index, i, &e); i++) {
			w->spots = grow(w->spots, w->used, sizeof(*w->spots));
			w->spots[w->used++] =
				(struct spot){ place_of(&w->rows[r], e.offset), name_number(&e) };
			w->low = e.offset < w->low ? e.offset : w->low;
			w->high = e.offset > w->high ? e.offset : w->high;
		}
	}
	if (w->used)
		qsort(w->spots, w->used, sizeof(*w->spots), by_place);
	w->low = w->used ? w->low : 0;
	w->high = w->high > UINT32_MAX - 8 ? UINT32_MAX : w->high + 8;
	for (w->step = 64; (w->high - w->low) / w->step > (w->canvas->narrow ? 2 : 10);)
		w->step *= 2;
	w->low &= ~(w->step - 1);
}

static double window_x(const struct window *w, uint32_t offset)
{
	return w->drawing->left + (offset - w->low) * w->scale;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The number of a unit's kind. mcs01@c8 and mcs23@48 share a kind; so do otl0_0 and otl3_1. */
static uint32_t kind_number(struct imc_drawing *d, const char *name)
{
	size_t length = strcspn(name, "@");
	uint32_t sum = 0, i = 0;

	while (length && (isdigit((unsigned char)name[length - 1]) || name[length - 1] == '_'))
		length--;
	for (size_t at = 0; at < length; at++)
		sum = sum * 33 + (unsigned char)name[at];
	while (i < d->kinds && d->kind[i] != sum)
		i++;
	if (i == LENGTH(d->kind))
		return sum;
	if (i == d->kinds)
		d->kind[d->kinds++] = sum;
	return i;
}

/*
 * Draws a counter. A clash is taller, for readers who cannot tell colours apart. open: the caller
 * adds the end tag.
 */
static void put_slot(const struct window *w, uint32_t offset, const char *kind, int open)
{
	struct canvas *c = w->canvas;
	double width = 8 * w->scale, above = strstr(kind, "clash") ? 1 : 3;

	width = width > 3 ? width - 0.6 : width > NARROW ? width : NARROW;
	put_box(c, window_x(w, offset), c->y + above, width, LINE - 2 * above, kind);
	fputs(open ? ">" : "/>\n", c->out);
}

/* The number of counters, and how many of them share a place. */
struct sum {
	uint32_t counters, clashes, aliases;
};

static void add_mark(struct sum *sum, const char *mark)
{
	sum->counters++;
	sum->clashes += !strcmp(mark, " clash");
	sum->aliases += !strcmp(mark, " alias");
}

static struct sum put_unit_counters(const struct window *w, const struct imc_row *row)
{
	struct imc_drawing *d = w->drawing;
	FILE *out = w->canvas->out;
	struct text unit = colour(kind_number(d, row->unit.name));
	struct pmumap_imc_event e;
	struct sum sum = { 0 };

	for (uint32_t i = 0; event_of(d->map, row->index, i, &e); i++) {
		uint64_t place = place_of(row, e.offset);
		const char *mark = mark_of(w, place);
		uint32_t n = counters_at(w, place);

		add_mark(&sum, mark);
		if (d->dots++ >= DOTS_LIMIT)
			continue;
		put_slot(w, e.offset,
			 brief("dot%s %s", mark, strcmp(mark, " clash") ? unit.s : "").s, 1);
		fprintf(out, "<title>0x%" PRIx32 " ", e.offset);
		put_xml(out, e.prefix, SIZE_MAX);
		put_xml(out, e.name, SIZE_MAX);
		if (n > 1)
			fprintf(out, ", and %" PRIu32 " more here", n - 1);
		fputs("</title></rect>\n", out);
	}
	return sum;
}

/* Prints, for example, "2 clashes" if there are any. Returns x for the next text. */
static double put_sum(struct canvas *c, double x, uint32_t n, const char *kind, const char *what)
{
	char text[64];

	if (!n)
		return x;
	snprintf(text, sizeof(text), "%" PRIu32 " %s%s", n, what, n == 1 ? "" : "es");
	put_label(c, x, c->y + 14, kind, text);
	return x + LETTER * (double)(strlen(text) + 1);
}

/* Prints the numbers at the end of a row. */
static void put_numbers(const struct window *w, const struct sum *sum)
{
	double right = window_x(w, w->high) + 12;
	struct canvas *c = w->canvas;

	put_label(c, right, c->y + 14, "s", decimal(sum->counters).s);
	right = put_sum(c, right + 5 * LETTER, sum->clashes, "red", "clash");
	put_sum(c, right, sum->aliases, "s", "alias");
}

static void put_unit_row(const struct window *w, const struct imc_row *row)
{
	double left = w->drawing->left;
	struct canvas *c = w->canvas;
	struct sum sum;

	fputs("<g>", c->out);
	put_label(c, LEFT, c->y + 14, "label", row->unit.name);
	put_box(c, left, c->y + 1, window_x(w, w->high) - left, LINE - 2, "row");
	end_box(c);
	sum = put_unit_counters(w, row);
	put_numbers(w, &sum);
	fputs("</g>\n", c->out);
	c->y += LINE;
}

/* Draws the row that combines all units. */
static void put_union_row(const struct window *w)
{
	struct canvas *c = w->canvas;
	struct sum sum = { 0 };
	uint32_t n;

	c->y += 6;
	put_label(c, LEFT, c->y + 14, "", "all of them");
	for (uint32_t i = 0; i < w->used; i += n) {
		const char *mark = mark_of(w, w->spots[i].place);

		n = counters_at(w, w->spots[i].place);
		add_mark(&sum, mark);
		if (w->drawing->dots++ < DOTS_LIMIT)
			put_slot(w, (uint32_t)w->spots[i].place,
				 !strcmp(mark, " clash") ? "any clash" : "any fill", 0);
	}
	put_numbers(w, &sum);
	c->y += LINE;
}

/* ---- the window ------------------------------------------------------------------------------ */

static void put_ruler(const struct window *w, uint32_t rows)
{
	struct canvas *c = w->canvas;

	for (uint64_t at = w->low; at <= w->high; at += w->step) {
		double x = window_x(w, (uint32_t)at);

		put_text(c, x, c->y + 14, "s", 'm', hex(at).s);
		fprintf(c->out,
			"<line class=\"rule\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
			x, c->y + LINE, x, c->y + LINE * (rows + 1.0));
	}
	c->y += LINE;
}

/* Draws the whole window: the part that is shown below in detail, and the control block. */
static void put_overview(const struct window *w)
{
	const struct pmumap_imc_unit *unit = &w->rows->unit;
	double left = w->drawing->left;
	struct canvas *c = w->canvas;
	double scale = w->width / (double)unit->size;
	double low = w->low * scale, high = w->high * scale;
	double control = unit->control * scale;

	put_label(c, LEFT, c->y + 14, "",
		  unit->type == PMUMAP_IMC_NEST ? "the window" : "the page");
	put_box(c, left, c->y + 4, w->width, LINE - 8, "off");
	end_box(c);
	put_box(c, left + low, c->y + 4, high - low < 2 ? 2 : high - low, LINE - 8, "k0");
	fprintf(c->out, "><title>counters, 0x%" PRIx32 " to 0x%" PRIx32 "</title></rect>\n", w->low,
		w->high);
	if (unit->type == PMUMAP_IMC_NEST && unit->control < unit->size) {
		put_box(c, left + control, c->y + 4, 3, LINE - 8, "k1");
		fprintf(c->out, "><title>control block at 0x%" PRIx32 "</title></rect>\n",
			unit->control);
	}
	c->y += LINE + 4;
}

static void put_window_title(const struct window *w)
{
	struct canvas *c = w->canvas;
	const struct pmumap_imc_unit *unit = &w->rows->unit;
	const char *type = imc_type(unit->type);
	struct text size = unit->size ? hex(unit->size) : (struct text){ "unknown" };
	char text[256];

	snprintf(text, sizeof(text), "IMC, %s: %" PRIu32 " %s", type, w->count,
		 w->count == 1 ? "PMU" : "PMUs");
	put_title(c, text);
	c->y -= 8;
	if (unit->type == PMUMAP_IMC_TRACE)
		snprintf(text, sizeof(text),
			 "no counters in memory: the offset is a configuration");
	else if (unit->type == PMUMAP_IMC_NEST)
		snprintf(text, sizeof(text),
			 "the window is at the chip's base + 0x%" PRIx32
			 "; its size is %s, the control block is at 0x%" PRIx32,
			 unit->offset, size.s, unit->control);
	else
		snprintf(text, sizeof(text), "a page for each %s; its size is %s", type, size.s);
	put_note(c, text);
	c->y += 10;
}

static void draw_window(struct imc_drawing *d, const struct imc_row *rows, uint32_t count)
{
	struct canvas *c = d->canvas;
	struct window w = { .drawing = d, .canvas = c, .rows = rows, .count = count };
	uint32_t drawn, r;
	int trace = rows->unit.type == PMUMAP_IMC_TRACE;

	put_window_title(&w);
	measure_window(&w);
	drawn = count < ROWS_LIMIT ? count : ROWS_LIMIT;
	w.width = c->narrow ? NARROW_WINDOW : WINDOW;
	w.scale = w.width / (double)(w.high - w.low);
	if (w.scale > CELL / 8.0)
		w.scale = CELL / 8.0;
	if (!trace && rows->unit.size > 0)
		put_overview(&w);
	if (!trace)
		put_ruler(&w, drawn);
	for (r = 0; r < drawn && d->dots <= DOTS_LIMIT; r++) {
		if (!trace) {
			put_unit_row(&w, &rows[r]);
			continue;
		}
		put_label(c, LEFT, c->y + 14, "", rows[r].unit.name);
		c->y += LINE;
	}
	if (rows->unit.type == PMUMAP_IMC_NEST && count > 1)
		put_union_row(&w);
	if (r < count)
		put_note(c, "There are more PMUs.");
	free(w.spots);
}

/* ---- all windows ----------------------------------------------------------------------------- */

static int by_memory(const void *left, const void *right)
{
	const struct imc_row *a = left, *b = right;

	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (a->windows != b->windows)
		return a->windows < b->windows ? -1 : 1;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static struct imc_row *list_rows(const struct pmumap_imc *map, const char *spelling,
				 uint32_t *count)
{
	struct imc_row *rows = NULL;
	struct pmumap_imc_unit unit;
	struct pmumap_imc_event e;

	*count = 0;
	for (uint32_t u = 0; pmumap_imc_unit_at(map, u, &unit); u++) {
		struct imc_row *row;

		if (!is_meant(map, u, &unit, spelling))
			continue;
		rows = grow(rows, *count, sizeof(*rows));
		row = &rows[(*count)++];
		row->unit = unit;
		row->index = u;
		row->first = event_of(map, u, 0, &e) ? e.offset : 0;
		row->windows = unit.type == PMUMAP_IMC_NEST ? unit.offset : 0;
		for (row->type = 0; imc_types[row->type].type != unit.type; row->type++)
			;
	}
	if (rows)
		qsort(rows, *count, sizeof(*rows), by_memory);
	return rows;
}

static void put_legend(const struct imc_drawing *d)
{
	struct canvas *c = d->canvas;
	double right = LEFT + (c->narrow ? 0 : 420);

	c->y += 10;
	put_key(c, LEFT, "k0", "n s", "a counter, 8 bytes; a colour for each kind of PMU");
	c->y += c->narrow ? LINE : 0;
	put_box(c, right, c->y + 2, 3, CELL, "k1");
	end_box(c);
	put_label(c, right + 12, c->y + 14, "n s", "the control block");
	c->y += LINE;
	put_key(c, LEFT, "alias k0", "n s", "an alias: several PMUs list one name at one place");
	c->y += c->narrow ? LINE : 0;
	put_key(c, right, "clash", "n s", "a clash: several names at one place");
	c->y += LINE;
	if (d->dots > DOTS_LIMIT)
		put_note(c, "There are more counters than are drawn.");
}

void draw_imc(struct canvas *c, const struct pmumap_imc *map, const char *spelling)
{
	struct imc_drawing d = { .canvas = c, .map = map };
	uint32_t count, next;
	struct imc_row *rows = list_rows(map, spelling, &count);
	size_t widest = strlen("all of them");

	for (uint32_t r = 0; r < count; r++) {
		size_t length = strnlen(rows[r].unit.name, NAME_LETTERS);

		widest = length > widest ? length : widest;
	}
	d.left = LEFT + LETTER * (double)(widest + 2);
	for (uint32_t r = 0; r < count; r = next) {
		for (next = r + 1; next < count && rows[next].type == rows[r].type &&
				   rows[next].windows == rows[r].windows;
		     next++)
			;
		draw_window(&d, rows + r, next - r);
	}
	put_legend(&d);
	free(rows);
}
