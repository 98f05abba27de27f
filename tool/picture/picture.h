/* SPDX-License-Identifier: BSD-2-Clause
 *
 * picture.h -- what the verb picture draws for each kind of PMU.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "map/imc.h"
#include "source/request.h"
#include "text/text.h"

/*
 * Drawing primitives. Pictures contain no script and load nothing. They follow the viewer's light
 * or dark preference. All sizes are pixels.
 */

#define LEFT 24           /* margin */
#define LETTER 7.3        /* maximum width of a letter in the labels' fixed-width font */
#define LINE 20           /* height of a row */
#define CELL 16           /* width and height of a grid cell; the gap is 2 */
#define NARROW_CELL 8     /* the same in a narrow picture; the gap is 1 */
#define NARROW_LETTERS 42 /* letters of a line of prose in a narrow picture */
#define ROWS_LIMIT 1024u  /* rows drawn per kind; nobody can read more */
#define NAME_LETTERS 40   /* letters of a label; the tooltip has the full text */

struct canvas {
	FILE *out;       /* the body; the SVG header needs its size, so it is written later */
	double y, right; /* current y and rightmost x */
	int narrow;      /* for a screen of 400 pixels */
};

/*
 * Writes a text from the tree, at most this many letters. Escapes it: no byte can act on a viewer
 * or pass for markup.
 */
void put_xml(FILE *out, const char *text, size_t letters);

/* Makes the picture at least this wide. */
void reach(struct canvas *c, double right);

/* kind: classes of the style. anchor: m for middle, e for end, otherwise 0. */
void put_text(struct canvas *c, double x, double y, const char *kind, char anchor,
	      const char *text);

/* Writes a text and makes the picture wide enough for it. */
void put_label(struct canvas *c, double x, double y, const char *kind, const char *text);

/* Write a line of prose and a title, and leave room for them. */
void put_note(struct canvas *c, const char *text);
void put_title(struct canvas *c, const char *text);

/* Opens a rectangle without closing its tag, so that attributes and a tooltip can follow. */
void put_box(struct canvas *c, double x, double y, double width, double height, const char *kind);
void end_box(struct canvas *c);

/* Draws a cell with its meaning, for the legend. */
void put_key(struct canvas *c, double x, const char *kind, const char *text_kind, const char *text);

/* Adds a tooltip. The caller escapes what comes from a tree. */
__attribute__((format(printf, 2, 3))) void tip(struct canvas *c, const char *format, ...);

/* Width of a cell in the grid, and x of a grid column. */
double cell_size(const struct canvas *c);
double cell_x(const struct canvas *c, double left, unsigned column);

/* A colour class of the style. Classes 8 to 15 are paler; from 16 on they repeat. */
struct text colour(uint32_t number);

/* Writes the complete picture. name: of the file. body: what was drawn on the canvas. */
void put_svg(FILE *out, const struct canvas *c, const char *name, const char *body, size_t bytes);

/* Events with a finding, in the order of findings. The last finding about an event counts. */
struct mark {
	uint64_t event;
	const char *finding;
};
struct marks {
	struct mark *list;
	uint32_t used;
};

/* Draws grids of events and raw events against counters. Rows of marked events are red. */
void draw_riscv(struct canvas *c, const struct pmumap *map, const struct marks *marks);

/* Draws a map of each window that contains counters. spelling: the units to draw; NULL: all. */
void draw_imc(struct canvas *c, const struct pmumap_imc *map, const char *spelling);

/* Draws a grid of CPUs and counters, and the counters of each view. */
void draw_amu(struct canvas *c, const struct pmumap_amu *map);

#endif /* PICTURE_H */
