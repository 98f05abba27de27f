/* SPDX-License-Identifier: BSD-2-Clause
 *
 * picture.h -- a map as SVG: a grid of events and counters, a map of the window that in-memory counters
 * lie in, a grid of CPUs and activity monitors. No script, nothing from outside; light or dark as the
 * viewer prefers.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "amu.h"
#include "imc.h"
#include "riscv.h"
#include "rom.h"

#define LEFT 24           /* margin, in pixels as all that follows */
#define LETTER 7.3        /* width of one, at most: of the labels' fixed-width font */
#define LINE 20           /* height of a row */
#define CELL 16           /* of a grid: width and height; with gaps of 2 */
#define NARROW 1.5        /* of what is drawn */
#define WINDOW 880        /* width of the map of a window */
#define ROWS_LIMIT 1024u  /* drawn of one kind; more than anybody can see */
#define DOTS_LIMIT 65536u /* counters drawn in all windows */
#define NAME_LETTERS 40   /* of a label; tooltips have all */
#define LEGEND_LIMIT 16u
#define LEGEND_RIGHT 1000

/* What the verb is asked for. */
struct picture_form {
	const char *output; /* a file; NULL: stdout */
	const char *unit;   /* of IMC, in any spelling; NULL: all */
};

struct canvas {
	FILE *out; /* the body: how large it is, stands before it */
	char *text;
	size_t size;
	double y, right; /* so far */
	uint32_t dots;
	uint32_t kind[64], kinds; /* of units that have a colour */
};

/*
 * Eight colours of equal weight on white and on black; red is left for clashes. CSS variables and
 * color-scheme would need more than what viewers beside browsers know.
 */
static const char picture_style[] =
	"text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1f2328}\n"
	".nh{font:600 20px system-ui,'DejaVu Sans',sans-serif}\n"
	".nt{font:600 15px system-ui,'DejaVu Sans',sans-serif}\n"
	".n,.n text{font:13px system-ui,'DejaVu Sans',sans-serif}\n"
	".s{fill:#59636e}.e{text-anchor:end}.m{text-anchor:middle}\n"
	".bg{fill:#fff}.off{fill:#eaeef2}.rule{stroke:#d1d9e0;stroke-width:1}\n"
	".row{fill:#818b98;fill-opacity:.1}.fixed{fill:none;stroke:#59636e;stroke-width:1.5}\n"
	".fill{fill:#6e7781}.clash{fill:#d1242f}.red{fill:#c01c28}.pale{fill-opacity:.5}"
	"\n.part{fill-opacity:.18;stroke-width:1.5}\n"
	".k0{fill:#3b78d8}.k1{fill:#d9822b}.k2{fill:#2e9e6b}.k3{fill:#9461c9}\n"
	".k4{fill:#1b9fb3}.k5{fill:#d4ac0d}.k6{fill:#8b8f28}.k7{fill:#a0694a}\n"
	".part.k0{stroke:#3b78d8}.part.k1{stroke:#d9822b}.part.k2{stroke:#2e9e6b}\n"
	".part.k3{stroke:#9461c9}.part.k4{stroke:#1b9fb3}.part.k5{stroke:#d4ac0d}\n"
	".part.k6{stroke:#8b8f28}.part.k7{stroke:#a0694a}\n"
	"g:hover .label{font-weight:700}\n"
	"@media (prefers-color-scheme:dark){\n"
	"text{fill:#e6edf3}.s{fill:#9198a1}.bg{fill:#0d1117}.off{fill:#212830}\n"
	".rule{stroke:#3d444d}.fixed{stroke:#9198a1}\n"
	".clash{fill:#f85149}.red{fill:#ff7b72}}\n";

/* ---- marks ----------------------------------------------------------------------------------- */

/* A text from the tree: as elsewhere no byte of it may act on a viewer, here as a mark either. */
static void put_xml(FILE *out, const char *text, size_t letters)
{
	char *plain = escaped(text, "");
	size_t length = strlen(plain);

	for (size_t i = 0; i < length; i++) {
		if (i == letters - 1 && length > letters) {
			fputs("\xe2\x80\xa6", out); /* an ellipsis */
			break;
		}
		switch (plain[i]) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\'':
			fputs("&#39;", out);
			break;
		default:
			putc(plain[i], out);
		}
	}
	free(plain);
}

static void reach(struct canvas *c, double right)
{
	c->right = right > c->right ? right : c->right;
}

/* kind: classes of the style. anchor: 0, or m for middle, e for end. */
static void put_text(struct canvas *c, double x, double y, const char *kind, char anchor,
		     const char *text)
{
	fprintf(c->out, "<text class=\"%s", kind);
	if (anchor)
		fprintf(c->out, "%s%c", *kind ? " " : "", anchor);
	fprintf(c->out, "\" x=\"%.1f\" y=\"%.1f\">", x, y);
	put_xml(c->out, text, NAME_LETTERS + 120 * (*kind == 'n'));
	fputs("</text>\n", c->out);
}

static void put_label(struct canvas *c, double x, double y, const char *kind, const char *text)
{
	size_t letters = strnlen(text, NAME_LETTERS + 120 * (*kind == 'n'));

	put_text(c, x, y, kind, 0, text);
	reach(c, x + LETTER * (double)letters);
}

static void put_note(struct canvas *c, const char *text)
{
	c->y += LINE;
	put_label(c, LEFT, c->y + 4, "n s", text);
}

static void put_title(struct canvas *c, const char *text)
{
	c->y += 40;
	put_text(c, LEFT, c->y, "nt", 0, text);
	c->y += 8;
}

/* Without its end: attributes and a tooltip may follow. */
static void put_box(struct canvas *c, double x, double y, double width, double height,
		    const char *kind)
{
	fprintf(c->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"",
		kind, x, y, width, height);
	reach(c, x + width);
}

static void end_box(struct canvas *c)
{
	fputs("/>\n", c->out);
}

__attribute__((format(printf, 2, 3))) static void tip(struct canvas *c, const char *format, ...)
{
	va_list list;

	fputs("<title>", c->out);
	va_start(list, format);
	vfprintf(c->out, format, list);
	va_end(list);
	fputs("</title>\n", c->out);
}

static double cell_x(double left, unsigned column)
{
	return left + column * (CELL + 2.0) + column / 8 * 6.0;
}

/* ---- RISC-V ---------------------------------------------------------------------------------- */

/* The counter bitmaps of a map, each with a colour of its own as long as there are enough. */
struct bitmaps {
	uint32_t *bits;
	uint32_t used;
	int uses_fixed; /* a counter that no bitmap has was marked */
};

static uint32_t bitmap_number(struct bitmaps *b, uint32_t bits)
{
	uint32_t i = 0;

	while (i < b->used && b->bits[i] != bits)
		i++;
	if (i < b->used || i == ROWS_LIMIT)
		return i;
	if (!(b->used & (b->used - 1)))
		b->bits = reallocate(b->bits, b->used ? 2 * (size_t)b->used : 1, sizeof(uint32_t));
	b->bits[b->used++] = bits;
	return i;
}

/* The second eight are paler; then they come again. */
static struct text colour(uint32_t number)
{
	struct text kind;

	snprintf(kind.s, sizeof(kind.s), "k%" PRIu32 "%s", number % 8,
		 number / 8 % 2 ? " pale" : "");
	return kind;
}

/* A grid, and where its columns of text begin. */
struct grid {
	double names, selectors, left;
	unsigned columns;
	struct bitmaps bitmaps;
};

static void put_heads(struct canvas *c, const struct grid *g)
{
	for (unsigned i = 0; i < g->columns; i++)
		put_text(c, cell_x(g->left, i) + CELL / 2.0, c->y + 14, i == 1 ? "s" : "", 'm',
			 decimal(i).s);
	c->y += LINE;
}

static void put_ring(struct canvas *c, double x)
{
	fprintf(c->out, "<circle class=\"fixed\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"/>\n",
		x + CELL / 2.0, c->y + 2 + CELL / 2.0);
}

/* fixed: a counter that counts it whatever the map says, or negative. */
static void put_counters(struct canvas *c, struct grid *g, uint32_t counters, int fixed)
{
	struct text on = { "on " };

	strcat(on.s, colour(bitmap_number(&g->bitmaps, counters)).s);
	for (unsigned i = 0; i < g->columns; i++) {
		double x = cell_x(g->left, i);

		put_box(c, x, c->y + 2, CELL, CELL, counters >> i & 1 ? on.s : "off");
		end_box(c);
		if (fixed != (int)i || counters >> i & 1)
			continue;
		put_ring(c, x);
		g->bitmaps.uses_fixed = 1;
	}
	c->y += LINE;
}

/* Without what they all begin with. */
static const char *short_name(const struct pmumap_run *line)
{
	static const char prefix[] = "SBI_PMU_HW_";
	const char *name = line_name(line);

	return strncmp(name, prefix, strlen(prefix)) ? name : name + strlen(prefix);
}

static void put_event_row(struct canvas *c, const struct pmumap *map, struct grid *g,
			  const struct pmumap_run *line)
{
	struct text code = event_code(line->first, line->last), selector = { "-" };

	if (line->has_selector)
		selector = hex(line->selector);
	fputs("<g>", c->out);
	tip(c, "%s %s, selector %s, counters %s (0x%" PRIx32 ")", code.s, line_name(line),
	    selector.s, counter_list(line->counters).s, line->counters);
	put_label(c, LEFT, c->y + 14, "label", code.s);
	put_label(c, g->names, c->y + 14, "label", short_name(line));
	put_label(c, g->selectors, c->y + 14, "s", selector.s);
	put_counters(c, g, line->counters, pmumap_pick(map, line->first, 0, 7, 0));
	fputs("</g>\n", c->out);
}

static void draw_events(struct canvas *c, const struct pmumap *map, struct grid *g)
{
	struct pmumap_run line;
	uint32_t drawn = 0;

	put_title(c, "Events, and the counters that can count them");
	put_label(c, LEFT, c->y + 14, "s", "event");
	put_label(c, g->names, c->y + 14, "s", "name");
	put_label(c, g->selectors, c->y + 14, "s", "selector");
	put_heads(c, g);
	for (uint32_t e = 0; next_line(map, e, &line); e = line.last + 1) {
		if (drawn++ == ROWS_LIMIT) {
			put_note(c, "There are more events.");
			return;
		}
		put_event_row(c, map, g, &line);
	}
}

struct raw_class {
	uint64_t select, mask;
	uint32_t counters;
};

static int by_select(const void *left, const void *right)
{
	const struct raw_class *a = left, *b = right;

	if (a->select != b->select)
		return a->select < b->select ? -1 : 1;
	return a->mask < b->mask ? -1 : a->mask > b->mask;
}

static void put_class(struct canvas *c, struct grid *g, const struct raw_class *r)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "0x%016" PRIx64, r->mask);
	fputs("<g>", c->out);
	tip(c, "(e &amp; 0x%" PRIx64 ") == 0x%" PRIx64 ": counters %s (0x%" PRIx32 ")", r->mask,
	    r->select, counter_list(r->counters).s, r->counters);
	put_label(c, LEFT, c->y + 14, "label", hex(r->select).s);
	put_label(c, LEFT + LETTER * 20, c->y + 14, "label", digits);
	put_counters(c, g, r->counters, -1);
	fputs("</g>\n", c->out);
}

static void draw_raw(struct canvas *c, const struct pmumap *map, struct grid *g, uint32_t rows)
{
	struct raw_class *classes = reallocate(NULL, rows, sizeof(*classes));

	for (uint32_t i = 0; i < rows; i++)
		pmumap_raw_at(map, i, &classes[i].select, &classes[i].mask, &classes[i].counters);
	qsort(classes, rows, sizeof(*classes), by_select);
	put_title(c, "Raw events e: a class is all with (e & mask) == select");
	put_label(c, LEFT, c->y + 14, "s", "select");
	put_label(c, LEFT + LETTER * 20, c->y + 14, "s", "mask");
	put_heads(c, g);
	for (uint32_t i = 0; i < rows && i < ROWS_LIMIT; i++)
		put_class(c, g, &classes[i]);
	if (rows > ROWS_LIMIT)
		put_note(c, "There are more classes.");
	free(classes);
}

static void put_bitmap_legend(struct canvas *c, const struct grid *g)
{
	double x = LEFT;

	c->y += 12;
	for (uint32_t i = 0; i < g->bitmaps.used && i < LEGEND_LIMIT; i++) {
		struct text counters = counter_list(g->bitmaps.bits[i]);
		char label[160];
		double width;

		snprintf(label, sizeof(label), "%s: %s", hex(g->bitmaps.bits[i]).s, counters.s);
		width = CELL + 8 + LETTER * (double)strlen(label) + 24;
		if (x > LEFT && x + width > LEGEND_RIGHT) {
			x = LEFT;
			c->y += LINE;
		}
		put_box(c, x, c->y + 2, CELL, CELL, colour(i).s);
		end_box(c);
		put_label(c, x + CELL + 8, c->y + 14, "", label);
		x += width;
	}
	c->y += LINE;
	if (g->bitmaps.used > LEGEND_LIMIT)
		put_note(c, "and more sets of counters, which the tooltips tell");
	if (!g->bitmaps.uses_fixed)
		return;
	put_ring(c, LEFT);
	put_label(c, LEFT + CELL + 8, c->y + 14, "n s",
		  "a fixed counter that counts it whatever the map says");
	c->y += LINE;
}

static void draw_riscv(struct canvas *c, const struct pmumap *map)
{
	struct extent x = measure(map);
	size_t codes = strlen("0x00000"), names = strlen("name"), selectors = strlen("selector");
	struct grid g = { 0 };
	struct pmumap_run line;

	for (uint32_t e = 0; next_line(map, e, &line); e = line.last + 1) {
		size_t name = strlen(short_name(&line));
		size_t code = strlen(event_code(line.first, line.last).s);

		names = name > names ? name : names;
		codes = code > codes ? code : codes;
		if (line.has_selector && strlen(hex(line.selector).s) > selectors)
			selectors = strlen(hex(line.selector).s);
	}
	g.names = LEFT + LETTER * (double)(codes + 2);
	g.selectors = g.names + LETTER * (double)(names + 2);
	g.left = g.selectors + LETTER * (double)(selectors + 3);
	if (x.raw_rows && g.left < LEFT + LETTER * 41)
		g.left = LEFT + LETTER * 41;
	for (g.columns = 3; g.columns < 32 && x.counters >> g.columns; g.columns++)
		;
	if (x.by_number)
		put_note(c, NO_SELECTORS);
	if (x.lines)
		draw_events(c, map, &g);
	if (x.raw_rows)
		draw_raw(c, map, &g, x.raw_rows);
	put_bitmap_legend(c, &g);
	free(g.bitmaps.bits);
}

/* ---- IMC ------------------------------------------------------------------------------------- */

/* A unit in a picture: units that count in the same memory come together, lowest counter first. */
struct imc_row {
	struct pmumap_imc_unit unit;
	uint32_t index, first;
	unsigned type;    /* in imc_types */
	uint32_t windows; /* of nest units: where the window lies */
};

struct window {
	const struct imc_row *rows;
	uint32_t count, low, high; /* offsets */
	uint32_t step;             /* of the ruler, a power of two */
	double left, scale;        /* of a byte */
	uint64_t *places;          /* place_of() of each counter, sorted */
	uint32_t used;
};

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

static int by_number(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Nest units of one window share it; other units have memory of their own. */
static uint64_t place_of(const struct imc_row *row, uint32_t offset)
{
	return (uint64_t)(row->unit.type == PMUMAP_IMC_NEST ? 0 : row->index) << 32 | offset;
}

static uint32_t places_below(const struct window *w, uint64_t place)
{
	uint32_t low = 0, n = w->used;

	while (n) {
		uint32_t half = n / 2;

		if (w->places[low + half] < place) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

/* How many counters there are. */
static uint32_t counters_at(const struct window *w, uint64_t place)
{
	return places_below(w, place + 1) - places_below(w, place);
}

/* The number of a unit's kind: mcs01@c8 and mcs23@48 look alike, otl0_0 and otl3_1. */
static uint32_t kind_number(struct canvas *c, const char *name)
{
	size_t length = strcspn(name, "@");
	uint32_t sum = 0, i = 0;

	while (length && (isdigit((unsigned char)name[length - 1]) || name[length - 1] == '_'))
		length--;
	for (size_t at = 0; at < length; at++)
		sum = sum * 33 + (unsigned char)name[at];
	while (i < c->kinds && c->kind[i] != sum)
		i++;
	if (i == LENGTH(c->kind))
		return sum;
	if (i == c->kinds)
		c->kind[c->kinds++] = sum;
	return i;
}

static double window_x(const struct window *w, uint32_t offset)
{
	return w->left + (offset - w->low) * w->scale;
}

/* Clashes are higher, for those who cannot tell colours. open: an end tag will follow. */
static void put_slot(struct canvas *c, const struct window *w, uint32_t offset, const char *kind,
		     int open)
{
	double width = 8 * w->scale, above = strstr(kind, "clash") ? 1 : 3;

	width = width > 3 ? width - 0.6 : width > NARROW ? width : NARROW;
	put_box(c, window_x(w, offset), c->y + above, width, LINE - 2 * above, kind);
	fputs(open ? ">" : "/>\n", c->out);
}

/* Returns how many of the unit's counters share their place. */
static uint32_t put_unit_counters(struct canvas *c, const struct pmumap *map,
				  const struct window *w, const struct imc_row *row)
{
	struct text kind = { "dot " };
	struct pmumap_imc_event e;
	uint32_t clashes = 0;

	strcat(kind.s, colour(kind_number(c, row->unit.name)).s);
	for (uint32_t i = 0; pmumap_imc_event_at(map, row->index, i, &e); i++) {
		uint32_t n = counters_at(w, place_of(row, e.offset));

		clashes += n > 1;
		if (c->dots++ >= DOTS_LIMIT)
			continue;
		put_slot(c, w, e.offset, n > 1 ? "dot clash" : kind.s, 1);
		fprintf(c->out, "<title>0x%" PRIx32 " ", e.offset);
		put_xml(c->out, e.prefix, SIZE_MAX);
		put_xml(c->out, e.name, SIZE_MAX);
		if (n > 1)
			fprintf(c->out, ", and %" PRIu32 " more here", n - 1);
		fputs("</title></rect>\n", c->out);
	}
	return clashes;
}

static void put_unit_row(struct canvas *c, const struct pmumap *map, const struct window *w,
			 const struct imc_row *row)
{
	double right = window_x(w, w->high) + 12;
	uint32_t clashes;
	char text[64];

	fputs("<g>", c->out);
	put_label(c, LEFT, c->y + 14, "label", row->unit.name);
	put_box(c, w->left, c->y + 1, right - 12 - w->left, LINE - 2, "row");
	end_box(c);
	clashes = put_unit_counters(c, map, w, row);
	put_label(c, right, c->y + 14, "s", decimal(row->unit.events).s);
	if (clashes) {
		snprintf(text, sizeof(text), "%" PRIu32 " clash%s", clashes,
			 clashes == 1 ? "" : "es");
		put_label(c, right + 5 * LETTER, c->y + 14, "red", text);
	}
	fputs("</g>\n", c->out);
	c->y += LINE;
}

/* All units at once. */
static void put_union_row(struct canvas *c, const struct window *w)
{
	uint32_t n, places = 0, clashes = 0;
	char text[64];

	c->y += 6;
	put_label(c, LEFT, c->y + 14, "", "all of them");
	for (uint32_t i = 0; i < w->used; i += n) {
		n = counters_at(w, w->places[i]);
		places++;
		clashes += n > 1;
		if (c->dots++ < DOTS_LIMIT)
			put_slot(c, w, (uint32_t)w->places[i], n > 1 ? "any clash" : "any fill", 0);
	}
	put_label(c, window_x(w, w->high) + 12, c->y + 14, "s", decimal(places).s);
	if (clashes) {
		snprintf(text, sizeof(text), "%" PRIu32 " clash%s", clashes,
			 clashes == 1 ? "" : "es");
		put_label(c, window_x(w, w->high) + 12 + 5 * LETTER, c->y + 14, "red", text);
	}
	c->y += LINE;
}

static void put_ruler(struct canvas *c, const struct window *w, uint32_t rows)
{
	for (uint64_t at = w->low; at <= w->high; at += w->step) {
		double x = window_x(w, (uint32_t)at);

		put_text(c, x, c->y + 14, "s", 'm', hex(at).s);
		fprintf(c->out,
			"<line class=\"rule\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
			x, c->y + LINE, x, c->y + LINE * (rows + 1.0));
	}
	c->y += LINE;
}

/* The whole window: what is drawn of it below, and the control block. */
static void put_overview(struct canvas *c, const struct window *w,
			 const struct pmumap_imc_unit *unit)
{
	double scale = WINDOW / (double)unit->size;
	double low = w->low * scale, high = w->high * scale;
	double control = unit->control * scale;

	put_label(c, LEFT, c->y + 14, "",
		  unit->type == PMUMAP_IMC_NEST ? "the window" : "the page");
	put_box(c, w->left, c->y + 4, WINDOW, LINE - 8, "off");
	end_box(c);
	put_box(c, w->left + low, c->y + 4, high - low < 2 ? 2 : high - low, LINE - 8, "k0");
	fprintf(c->out, "><title>counters, 0x%" PRIx32 " to 0x%" PRIx32 "</title></rect>\n", w->low,
		w->high);
	if (unit->type == PMUMAP_IMC_NEST && unit->control < unit->size) {
		put_box(c, w->left + control, c->y + 4, 3, LINE - 8, "k1");
		fprintf(c->out, "><title>control block at 0x%" PRIx32 "</title></rect>\n",
			unit->control);
	}
	c->y += LINE + 4;
}

static void put_window_title(struct canvas *c, const struct window *w)
{
	const struct pmumap_imc_unit *unit = &w->rows->unit;
	const char *type = imc_type(unit->type);
	struct text size = unit->size ? hex(unit->size) : (struct text){ "unknown" };
	char text[256];

	snprintf(text, sizeof(text), "IMC, %s: %" PRIu32 " %s", type, w->count,
		 w->count == 1 ? "unit" : "units");
	put_title(c, text);
	c->y -= 8;
	if (unit->type == PMUMAP_IMC_TRACE)
		snprintf(text, sizeof(text),
			 "no counters in memory: the offset is a configuration");
	else if (unit->type == PMUMAP_IMC_NEST)
		snprintf(text, sizeof(text),
			 "the window lies at the chip's base + 0x%" PRIx32
			 "; its size is %s, the control block is at 0x%" PRIx32,
			 unit->offset, size.s, unit->control);
	else
		snprintf(text, sizeof(text), "a page for each %s; its size is %s", type, size.s);
	put_note(c, text);
	c->y += 10;
}

/* The places of all counters of the window, sorted, and how far they reach. */
static void measure_window(const struct pmumap *map, struct window *w)
{
	struct pmumap_imc_event e;
	uint32_t room = 0;

	w->low = UINT32_MAX;
	w->high = 0;
	for (uint32_t r = 0; r < w->count; r++)
		room += w->rows[r].unit.events;
	w->places = reallocate(NULL, (size_t)room + 1, sizeof(*w->places));
	for (uint32_t r = 0; r < w->count; r++) {
		for (uint32_t i = 0; pmumap_imc_event_at(map, w->rows[r].index, i, &e); i++) {
			w->places[w->used++] = place_of(&w->rows[r], e.offset);
			w->low = e.offset < w->low ? e.offset : w->low;
			w->high = e.offset > w->high ? e.offset : w->high;
		}
	}
	qsort(w->places, w->used, sizeof(*w->places), by_number);
	w->low = w->used ? w->low : 0;
	w->high = w->high > UINT32_MAX - 8 ? UINT32_MAX : w->high + 8;
	for (w->step = 64; (w->high - w->low) / w->step > 10;)
		w->step *= 2;
	w->low &= ~(w->step - 1);
}

static void draw_window(struct canvas *c, const struct pmumap *map, const struct imc_row *rows,
			uint32_t count, double left)
{
	struct window w = { .rows = rows, .count = count, .left = left };
	uint32_t drawn = count < ROWS_LIMIT ? count : ROWS_LIMIT;
	int trace = rows->unit.type == PMUMAP_IMC_TRACE;

	put_window_title(c, &w);
	measure_window(map, &w);
	w.scale = WINDOW / (double)(w.high - w.low);
	if (w.scale > CELL / 8.0)
		w.scale = CELL / 8.0;
	if (!trace && rows->unit.size > 0)
		put_overview(c, &w, &rows->unit);
	if (!trace)
		put_ruler(c, &w, drawn);
	for (uint32_t r = 0; r < drawn; r++) {
		if (!trace) {
			put_unit_row(c, map, &w, &rows[r]);
			continue;
		}
		put_label(c, LEFT, c->y + 14, "", rows[r].unit.name);
		c->y += LINE;
	}
	if (rows->unit.type == PMUMAP_IMC_NEST && count > 1)
		put_union_row(c, &w);
	if (drawn < count)
		put_note(c, "There are more units.");
	free(w.places);
}

static void put_imc_legend(struct canvas *c)
{
	c->y += 10;
	put_box(c, LEFT, c->y + 2, CELL, CELL, "k0");
	end_box(c);
	put_label(c, LEFT + CELL + 8, c->y + 14, "n s",
		  "a counter, 8 bytes; a colour for each kind of unit");
	put_box(c, LEFT + 380, c->y + 2, CELL, CELL, "clash");
	end_box(c);
	put_label(c, LEFT + 380 + CELL + 8, c->y + 14, "n s", "several counters at one place");
	put_box(c, LEFT + 640, c->y + 2, 3, CELL, "k1");
	end_box(c);
	put_label(c, LEFT + 640 + 12, c->y + 14, "n s", "the control block");
	c->y += LINE;
	if (c->dots > DOTS_LIMIT)
		put_note(c, "There are more counters than are drawn.");
}

static struct imc_row *list_rows(const struct pmumap *map, const char *spelling, uint32_t *count)
{
	struct imc_row *rows = NULL;
	struct pmumap_imc_unit unit;
	struct pmumap_imc_event e;

	*count = 0;
	for (uint32_t u = 0; pmumap_imc_unit(map, u, &unit); u++) {
		struct imc_row *row;

		if (!is_meant(map, u, &unit, spelling))
			continue;
		if (!(*count & (*count - 1)))
			rows = reallocate(rows, *count ? 2 * (size_t)*count : 1, sizeof(*rows));
		row = &rows[(*count)++];
		row->unit = unit;
		row->index = u;
		row->first = pmumap_imc_event_at(map, u, 0, &e) ? e.offset : 0;
		row->windows = unit.type == PMUMAP_IMC_NEST ? unit.offset : 0;
		for (row->type = 0; imc_types[row->type].type != unit.type; row->type++)
			;
	}
	if (rows)
		qsort(rows, *count, sizeof(*rows), by_memory);
	return rows;
}

static void draw_imc(struct canvas *c, const struct pmumap *map, const char *spelling)
{
	uint32_t count, next;
	struct imc_row *rows = list_rows(map, spelling, &count);
	size_t widest = strlen("all of them");

	for (uint32_t r = 0; r < count; r++) {
		size_t length = strnlen(rows[r].unit.name, NAME_LETTERS);

		widest = length > widest ? length : widest;
	}
	for (uint32_t r = 0; r < count; r = next) {
		for (next = r + 1; next < count && rows[next].type == rows[r].type &&
				   rows[next].windows == rows[r].windows;
		     next++)
			;
		draw_window(c, map, rows + r, next - r, LEFT + LETTER * (double)(widest + 2));
	}
	put_imc_legend(c);
	free(rows);
}

/* ---- AMU ------------------------------------------------------------------------------------- */

static void put_cpu_row(struct canvas *c, const struct pmumap *map, uint16_t shown, double left,
			const struct pmumap_amu_cpu *cpu)
{
	struct text on = { "on " }, part = { "on part " };
	unsigned column = 0;

	strcat(on.s, colour(cpu->view).s);
	strcat(part.s, colour(cpu->view).s);
	put_label(c, left - LETTER * 6, c->y + 14, "s", view_number(cpu->view).s);
	for (uint32_t i = 0; i < AMU_COUNTERS; i++) {
		const char *name = pmumap_amu_counter_name(map, cpu->view, i);
		const char *kind = !name ? "off" : cpu->enable >> i & 1 ? on.s : part.s;

		if (!(shown >> i & 1))
			continue;
		put_box(c, cell_x(left, column++), c->y + 2, CELL, CELL, kind);
		fprintf(c->out, "><title>counter %" PRIu32 ": ", i);
		put_xml(c->out, name ? name : "not described", SIZE_MAX);
		fputs("</title></rect>\n", c->out);
	}
	fputs("</g>\n", c->out);
	c->y += LINE;
}

/* Those in a row with the same view share a line where there are many, as in the table of CPUs. */
static void put_cpus(struct canvas *c, const struct pmumap *map, const struct amu_sum *sum,
		     double left)
{
	struct pmumap_amu_cpu cpu;
	uint32_t rows = 0;
	char range[96];

	for (uint32_t i = 0; pmumap_amu_cpu_at(map, i, &cpu); i++) {
		uint32_t first = i;
		uint64_t mpidr = cpu.mpidr;

		i = last_alike(map, sum, i, &cpu);
		if (rows++ == ROWS_LIMIT) {
			put_note(c, "There are more CPUs.");
			return;
		}
		fputs("<g>", c->out);
		snprintf(range, sizeof(range), first == i ? "#%" PRIu32 : "#%" PRIu32 "-%" PRIu32,
			 first, i);
		put_label(c, LEFT, c->y + 14, "label", range);
		snprintf(range, sizeof(range),
			 first == i ? "0x%" PRIx64 : "0x%" PRIx64 "-0x%" PRIx64, mpidr, cpu.mpidr);
		put_label(c, LEFT + LETTER * (sum->cpus > GRID_LIMIT ? 14 : 6), c->y + 14, "label",
			  range);
		put_cpu_row(c, map, sum->described, left, &cpu);
	}
}

static void put_views(struct canvas *c, const struct pmumap *map)
{
	uint16_t described, enable;

	c->y += 10;
	for (uint32_t v = 0; pmumap_amu_view(map, v, &described, &enable); v++) {
		if (v == ROWS_LIMIT) {
			put_note(c, "There are more views.");
			return;
		}
		put_box(c, LEFT, c->y + 2, CELL, CELL, colour(v).s);
		end_box(c);
		put_label(c, LEFT + CELL + 8, c->y + 14, "", "view");
		put_label(c, LEFT + CELL + 8 + LETTER * 5, c->y + 14, "", decimal(v).s);
		for (uint32_t i = 0; i < AMU_COUNTERS; i++) {
			const char *name = pmumap_amu_counter_name(map, v, i);

			if (!name)
				continue;
			put_text(c, LEFT + CELL + 8 + LETTER * 12, c->y + 14, "", 'e',
				 decimal(i).s);
			put_label(c, LEFT + CELL + 8 + LETTER * 14, c->y + 14,
				  enable >> i & 1 ? "" : "s", name);
			c->y += LINE;
		}
		c->y += described ? 4 : LINE;
	}
}

static void draw_amu(struct canvas *c, const struct pmumap *map)
{
	struct amu_sum sum = sum_up_amu(map);
	double left = LEFT + LETTER * (sum.cpus > GRID_LIMIT ? 48 : 26);
	unsigned column = 0;

	put_title(c, "AMU: CPUs and their auxiliary counters");
	put_label(c, LEFT, c->y + 14, "s", "CPU");
	put_label(c, LEFT + LETTER * (sum.cpus > GRID_LIMIT ? 14 : 6), c->y + 14, "s", "MPIDR");
	put_label(c, left - LETTER * 6, c->y + 14, "s", "view");
	for (uint32_t i = 0; i < AMU_COUNTERS; i++) {
		if (sum.described >> i & 1)
			put_text(c, cell_x(left, column++) + CELL / 2.0, c->y + 14, "", 'm',
				 decimal(i).s);
	}
	c->y += LINE;
	put_cpus(c, map, &sum, left);
	c->y += 10;
	put_box(c, LEFT, c->y + 2, CELL, CELL, "k0");
	end_box(c);
	put_label(c, LEFT + CELL + 8, c->y + 14, "n s", "to be enabled by the highest EL");
	put_box(c, LEFT + 260, c->y + 2, CELL, CELL, "part k0");
	end_box(c);
	put_label(c, LEFT + 260 + CELL + 8, c->y + 14, "n s", "only described");
	put_box(c, LEFT + 400, c->y + 2, CELL, CELL, "off");
	end_box(c);
	put_label(c, LEFT + 400 + CELL + 8, c->y + 14, "n s", "not described");
	c->y += LINE;
	put_views(c, map);
}

/* ---- the verb -------------------------------------------------------------------------------- */

static void draw(struct canvas *c, const struct source *source, const char *unit)
{
	const struct pmumap *map = source->map;
	int imc = has_imc(map), amu = has_amu(map);

	c->y = 38;
	put_text(c, LEFT, c->y, "nh", 0, base_name(source->name));
	reach(c, 480);
	if (has_riscv(map) && !unit)
		draw_riscv(c, map);
	if (imc)
		draw_imc(c, map, unit);
	if (amu && !unit)
		draw_amu(c, map);
	if (!imc && !amu && !has_riscv(map))
		put_note(c, "nothing to count");
	c->y += LEFT;
}

static int put_picture(const struct source *source, const struct picture_form *form)
{
	struct canvas c = { 0 };
	FILE *out;

	if (form->unit && !means_any(source->map, form->unit))
		return complain(FAULT, source->name, "no unit %s", form->unit);
	c.out = open_memstream(&c.text, &c.size);
	if (c.out)
		draw(&c, source, form->unit);
	if (!c.out || fclose(c.out))
		exit(complain(UNREADABLE, NULL, "out of memory"));
	out = open_output(form->output);
	if (!out) {
		free(c.text);
		return UNREADABLE;
	}
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\">\n<title>PMU of ",
		c.right + LEFT, c.y, c.right + LEFT, c.y);
	put_xml(out, base_name(source->name), SIZE_MAX);
	fprintf(out,
		"</title>\n<style>\n%s</style>\n"
		"<rect class=\"bg\" width=\"100%%\" height=\"100%%\"/>\n",
		picture_style);
	fwrite(c.text, 1, c.size, out);
	fputs("</svg>\n", out);
	free(c.text);
	return close_output(out, form->output);
}

#endif /* PICTURE_H */
