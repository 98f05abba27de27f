/* SPDX-License-Identifier: BSD-2-Clause
 *
 * picture_imc.c -- draws the windows that contain in-memory counters, one below the other.
 */
#define _POSIX_C_SOURCE 200809L
#include "picture.h"

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
