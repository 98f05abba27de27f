/* SPDX-License-Identifier: BSD-2-Clause
 *
 * svg.h -- what pictures are drawn with. No script, nothing from outside; light or dark as the
 * viewer prefers. All sizes are pixels.
 */
#ifndef SVG_H
#define SVG_H

#include "text/text.h"

#define LEFT 24          /* margin */
#define LETTER 7.3       /* width of one, at most: of the labels' fixed-width font */
#define LINE 20          /* height of a row */
#define CELL 16          /* of a grid: width and height; with gaps of 2 */
#define ROWS_LIMIT 1024u /* drawn of one kind; more than anybody can see */
#define NAME_LETTERS 40  /* of a label; tooltips have all */

struct canvas {
	FILE *out;       /* the body: how large it is, stands before it */
	double y, right; /* so far */
};

/*
 * Writes a text from the tree. No byte of it may act on a viewer or be read as a mark. What is
 * longer than so many letters is cut.
 */
void put_xml(FILE *out, const char *text, size_t letters);

/* The picture is at least so wide. */
void reach(struct canvas *c, double right);

/* kind: classes of the style. anchor: 0, or m for middle, e for end. */
void put_text(struct canvas *c, double x, double y, const char *kind, char anchor,
	      const char *text);

/* A text that the picture has to be wide enough for. */
void put_label(struct canvas *c, double x, double y, const char *kind, const char *text);

/* A line of prose, a title: each with the room that it needs. */
void put_note(struct canvas *c, const char *text);
void put_title(struct canvas *c, const char *text);

/* A rectangle without its end: attributes and a tooltip may follow. */
void put_box(struct canvas *c, double x, double y, double width, double height, const char *kind);
void end_box(struct canvas *c);

/* A cell in the current row; one with what it means beside it, for a legend. */
void put_cell(struct canvas *c, double x, const char *kind);
void put_key(struct canvas *c, double x, const char *kind, const char *text_kind, const char *text);

/* A tooltip. What comes from a tree has to be escaped before. */
__attribute__((format(printf, 2, 3))) void tip(struct canvas *c, const char *format, ...);

/* Where a column of a grid begins. */
double cell_x(double left, unsigned column);

/* A class of the style. The second eight are paler; then they come again. */
struct text colour(uint32_t number);

/* Writes the whole picture of what has this name. body: what was drawn on the canvas. */
void put_svg(FILE *out, const struct canvas *c, const char *name, const char *body, size_t bytes);

#endif /* SVG_H */
