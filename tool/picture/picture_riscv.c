/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include "map/riscv.h"
#include "picture.h"

#define LEGEND_LIMIT 16u
#define FOLDED 3u /* from this many similar raw rows on, they are drawn as one */
#define LEGEND_RIGHT 1000
#define NARROW_LINE 16 /* a narrow picture writes a row's text above its cells */

/* The counter bitmaps of a map. Each gets its own colour while there are enough. */
struct bitmaps {
	uint32_t *bits;
	uint32_t used;
	int uses_fixed; /* a counter that no bitmap names was marked */
};

static uint32_t bitmap_number(struct bitmaps *b, uint32_t bits)
{
	uint32_t i = 0;

	while (i < b->used && b->bits[i] != bits)
		i++;
	if (i < b->used || i == ROWS_LIMIT)
		return i;
	b->bits = grow(b->bits, b->used, sizeof(*b->bits));
	b->bits[b->used++] = bits;
	return i;
}

/* A grid and the positions of its text columns. */
struct grid {
	double names, selectors, masks, left;
	unsigned columns;
	struct bitmaps bitmaps;
	const struct marks *marks;
	int uses_marks; /* a row was marked */
};

/* The finding about an event of this line, or NULL. */
static const char *finding_of(const struct grid *g, const struct pmumap_run *line)
{
	const struct mark *list = g->marks->list;
	uint32_t i = g->marks->used;

	while (i && (list[i - 1].event < line->first || list[i - 1].event > line->last))
		i--;
	return i ? list[i - 1].finding : NULL;
}

static void put_heads(struct canvas *c, const struct grid *g)
{
	c->y += c->narrow ? NARROW_LINE : 0;
	for (unsigned i = 0; i < g->columns; i += c->narrow ? 8 : 1)
		put_text(c, cell_x(c, g->left, i) + cell_size(c) / 2, c->y + 14, i == 1 ? "s" : "",
			 'm', decimal(i).s);
	c->y += LINE;
}

static void put_ring(struct canvas *c, double x, double size)
{
	fprintf(c->out, "<circle class=\"fixed\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
		x + size / 2, c->y + 2 + size / 2, size * 0.28);
}

/* fixed: a counter that counts the event even without a row, or negative. finding: may be NULL. */
static void put_counters(struct canvas *c, struct grid *g, uint32_t counters, int fixed,
			 const char *finding)
{
	struct text on = { "on " };

	if (finding)
		strcat(on.s, "clash");
	else if (counters)
		strcat(on.s, colour(bitmap_number(&g->bitmaps, counters)).s);
	if (finding) {
		c->y += c->narrow ? NARROW_LINE : 0;
		put_label(c, c->narrow ? g->names : cell_x(c, g->left, g->columns) + 6, c->y + 14,
			  "red", finding);
		g->uses_marks = 1;
	}
	c->y += c->narrow ? NARROW_LINE : 0;
	for (unsigned i = 0; i < g->columns; i++) {
		double x = cell_x(c, g->left, i), size = cell_size(c);

		put_box(c, x, c->y + 2, size, size, counters >> i & 1 ? on.s : "off");
		end_box(c);
		if (fixed != (int)i || counters >> i & 1)
			continue;
		put_ring(c, x, size);
		g->bitmaps.uses_fixed = 1;
	}
	c->y += c->narrow ? NARROW_LINE : LINE;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The name without the prefix that all names share. */
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
	int fixed = fixed_counter(map, line->first, 0);

	if (line->has_selector)
		selector = hex(line->selector);
	fputs("<g>", c->out);
	if (line->counters || line->has_selector || fixed < 0)
		tip(c, "%s %s, selector %s, counters %s (0x%" PRIx32 ")", code.s, line_name(line),
		    selector.s, counter_list(line->counters).s, line->counters);
	else
		tip(c, "%s %s, on fixed counter %d, although no row says so", code.s,
		    line_name(line), fixed);
	put_label(c, LEFT, c->y + 14, "label", code.s);
	put_label(c, g->names, c->y + 14, "label", short_name(line));
	put_label(c, g->selectors, c->y + 14, "s", selector.s);
	put_counters(c, g, line->counters, fixed, finding_of(g, line));
	fputs("</g>\n", c->out);
}

/* Cycles and instructions if the tree has no row for them. Returns 0 if a row exists. */
static int only_fixed(const struct pmumap *map, uint32_t event, struct pmumap_run *line)
{
	uint64_t selector;

	memset(line, 0, sizeof(*line));
	line->first = line->last = event;
	return !pmumap_counters(map, event) && !pmumap_selector(map, event, &selector) &&
	       fixed_counter(map, event, 0) >= 0;
}

static void draw_events(struct canvas *c, const struct pmumap *map, struct grid *g)
{
	struct pmumap_run line;
	uint32_t drawn = 0;

	put_title(c, "Events and their counters");
	put_label(c, LEFT, c->y + 14, "s", "event");
	put_label(c, g->names, c->y + 14, "s", "name");
	put_label(c, g->selectors, c->y + 14, "s", "selector");
	put_heads(c, g);
	for (uint32_t e = 1; e <= 2; e++) {
		if (only_fixed(map, e, &line))
			put_event_row(c, map, g, &line);
	}
	for (uint32_t e = 0; next_line(map, e, &line); e = line.last + 1) {
		if (drawn++ == ROWS_LIMIT) {
			put_note(c, "There are more events.");
			return;
		}
		put_event_row(c, map, g, &line);
	}
}

/* ---- raw events ------------------------------------------------------------------------------ */

/* How many classes from here on differ only in their select. Two are too few to fold. */
static uint32_t alike(const struct map_row *r, uint32_t rows)
{
	uint32_t n = 1;

	while (n < rows && r[n].mask == r->mask && r[n].counters == r->counters)
		n++;
	return n < FOLDED ? 1 : n;
}

/* "0x1-0x2a, 42 rows alike", or with gaps "0x10, 0x20 ... 0x190, 25 rows alike". */
static struct text folded_selects(const struct map_row *r, uint32_t n)
{
	struct text label = hex(r->select);
	int gaps = r[n - 1].select - r->select != n - 1;

	if (n > 1)
		snprintf(label.s, sizeof(label.s),
			 "0x%" PRIx64 "%s0x%" PRIx64 ", %" PRIu32 " rows alike", r->select,
			 gaps ? " ... " : "-", r[n - 1].select, n);
	return label;
}

/* Draws one class, or several similar ones as one row. */
static void put_class(struct canvas *c, struct grid *g, const struct map_row *r, uint32_t n)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "0x%016" PRIx64, r->mask);
	fputs("<g>", c->out);
	fprintf(c->out, "<title>(e &amp; 0x%" PRIx64 ") == 0x%" PRIx64, r->mask, r->select);
	for (uint32_t i = 1; i < n; i++)
		fprintf(c->out, ", 0x%" PRIx64, r[i].select);
	fprintf(c->out, ": counters %s (0x%" PRIx32 ")</title>\n", counter_list(r->counters).s,
		r->counters);
	put_label(c, LEFT, c->y + 14, "label", folded_selects(r, n).s);
	put_label(c, g->masks, c->y + 14, "label", digits);
	put_counters(c, g, r->counters, -1, NULL);
	fputs("</g>\n", c->out);
}

static void draw_raw(struct canvas *c, struct grid *g, const struct map_row *classes, uint32_t rows)
{
	uint32_t n, drawn = 0;

	put_title(c, "Raw events e: (e & mask) == select");
	put_label(c, LEFT, c->y + 14, "s", "select");
	put_label(c, g->masks, c->y + 14, "s", "mask");
	put_heads(c, g);
	for (uint32_t i = 0; i < rows; i += n) {
		n = alike(&classes[i], rows - i);
		if (drawn++ == ROWS_LIMIT) {
			put_note(c, "There are more classes.");
			return;
		}
		put_class(c, g, &classes[i], n);
	}
}

/* ---- the picture ----------------------------------------------------------------------------- */

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
		if (x > LEFT && x + width > (c->narrow ? 0 : LEGEND_RIGHT)) {
			x = LEFT;
			c->y += LINE;
		}
		put_key(c, x, colour(i).s, "", label);
		x += width;
	}
	c->y += LINE;
	if (g->bitmaps.used > LEGEND_LIMIT)
		put_note(c, "and more sets of counters: see the tooltips");
	if (g->uses_marks) {
		put_key(c, LEFT, "clash", "n s", "a mistake: pmumap check explains it");
		c->y += LINE;
	}
	if (g->bitmaps.uses_fixed) {
		put_ring(c, LEFT, CELL);
		put_label(c, LEFT + CELL + 8, c->y + 14, "n s", "a fixed counter always counts it");
		c->y += LINE;
	}
}

void draw_riscv(struct canvas *c, const struct pmumap *map, const struct marks *marks)
{
	struct extent x = measure(map);
	size_t codes = strlen("0x00000"), names = strlen("INSTRUCTIONS"),
	       selectors = strlen("selector");
	struct grid g = { .marks = marks };
	struct pmumap_run line;
	uint32_t count;
	struct map_row *classes = list_raw_rows(map, &count);
	int widest = 18, gap = c->narrow ? 1 : 2;

	for (uint32_t e = 0; next_line(map, e, &line); e = line.last + 1) {
		size_t name = strlen(short_name(&line));
		size_t code = strlen(event_code(line.first, line.last).s);

		names = name > names ? name : names;
		codes = code > codes ? code : codes;
		if (line.has_selector && strlen(hex(line.selector).s) > selectors)
			selectors = strlen(hex(line.selector).s);
	}
	g.names = LEFT + LETTER * (double)(codes + (size_t)gap);
	g.selectors = g.names + LETTER * (double)(names + (size_t)gap);
	g.left = g.selectors + LETTER * (double)(selectors + 3);
	for (uint32_t i = 0; i < x.raw_rows; i += alike(&classes[i], x.raw_rows - i)) {
		uint32_t n = alike(&classes[i], x.raw_rows - i);

		widest = wider(widest, folded_selects(&classes[i], n).s);
	}
	g.masks = LEFT + LETTER * (widest + gap);
	if (x.raw_rows && g.left < g.masks + LETTER * 21)
		g.left = g.masks + LETTER * 21;
	if (c->narrow)
		g.left = LEFT;
	for (g.columns = 3; g.columns < 32 && x.counters >> g.columns; g.columns++)
		;
	if (x.by_number)
		put_note(c, NO_SELECTORS);
	draw_events(c, map, &g);
	if (x.raw_rows)
		draw_raw(c, &g, classes, x.raw_rows);
	put_bitmap_legend(c, &g);
	free(g.bitmaps.bits);
	free(classes);
}
