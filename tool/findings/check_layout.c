/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_layout.c -- finds tables that were written in another layout: as text, little-endian, with
 * numbers of 16 or 64 bits, with exchanged columns, or under another table's name. Firmware reads
 * nonsense from such a table, and so do the other checks, so this finding stands for all of them.
 */
#include <ctype.h>
#include "checks.h"
#include "text/text.h"

enum { SELECTOR, RANGE, RAW }; /* as in table_names */

/* Where a row of this layout stores each cell of the row that was meant. */
struct layout {
	unsigned char table, meant; /* the table whose name it has, and the one that it is */
	unsigned char bytes;        /* of a row */
	signed char from[WIDEST];   /* the offset of each cell */
	const char *text;
	enum { BIG, LITTLE, HALF, WIDE, COUNT } cells;
};

/* clang-format off */
static const struct layout layouts[] = {
	{ SELECTOR, SELECTOR, 12, { 0, 4, 8 }, "little-endian cells", LITTLE },
	{ RANGE, RANGE, 12, { 0, 4, 8 }, "little-endian cells", LITTLE },
	{ RAW, RAW, 20, { 0, 4, 8, 12, 16 }, "little-endian cells", LITTLE },
	{ SELECTOR, SELECTOR, 6, { 0, 2, 4 }, "cells of 16 bits", HALF },
	{ RANGE, RANGE, 6, { 0, 2, 4 }, "cells of 16 bits", HALF },
	{ RAW, RAW, 10, { 0, 2, 4, 6, 8 }, "cells of 16 bits", HALF },
	{ SELECTOR, SELECTOR, 16, { 4, 8, 12 }, "numbers of 64 bits", WIDE },
	{ RANGE, RANGE, 24, { 4, 12, 20 }, "numbers of 64 bits", WIDE },
	{ RAW, RAW, 24, { 0, 4, 8, 12, 20 }, "numbers of 64 bits", WIDE },
	{ SELECTOR, SELECTOR, 12, { 8, 0, 4 }, "the selector before its event", BIG },
	{ RANGE, RANGE, 12, { 0, 4, 8 }, "the number of events in place of the last event", COUNT },
	{ RANGE, RANGE, 12, { 4, 8, 0 }, "the counters before the events", BIG },
	{ RAW, RAW, 20, { 8, 12, 0, 4, 16 }, "the mask before the select", BIG },
	{ RAW, RAW, 20, { 4, 8, 12, 16, 0 }, "the counters before the select", BIG },
	{ SELECTOR, RAW, 20, { 0, 4, 8, 12, 16 }, "rows of " RAW_ROWS, BIG },
	{ RANGE, SELECTOR, 12, { 0, 4, 8 }, "rows of " SELECTORS, BIG },
	{ RANGE, RAW, 20, { 0, 4, 8, 12, 16 }, "rows of " RAW_ROWS, BIG },
	{ RAW, RANGE, 12, { 0, 4, 8 }, "rows of " RANGES, BIG },
	{ RAW, SELECTOR, 12, { 0, 4, 8 }, "rows of " SELECTORS, BIG },
};
/* clang-format on */

/* Reads the row that was meant. */
static void read_row(const struct layout *l, const unsigned char *at, uint32_t *cell)
{
	for (uint32_t i = 0; i < row_width(table_names[l->meant]); i++) {
		const unsigned char *b = at + l->from[i];

		if (l->cells == LITTLE)
			cell[i] = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
				  (uint32_t)b[3] << 24;
		else
			cell[i] = l->cells == HALF ? (uint32_t)(b[0] << 8 | b[1]) : big_endian(b);
	}
	/* An event has no upper half; 0 is none. */
	if (l->cells == WIDE && l->meant != RAW && big_endian(at))
		cell[0] = 0;
	if (l->cells == COUNT)
		cell[1] = cell[1] ? cell[0] + cell[1] - 1 : 0;
}

/* The number of rows that make sense in this layout; 0 if bytes are left over. */
static uint32_t sensible_rows(const struct layout *l, const unsigned char *data, uint32_t bytes)
{
	uint32_t cell[WIDEST], sensible = 0, last = 0;

	for (uint32_t at = 0; bytes % l->bytes == 0 && at < bytes; at += l->bytes) {
		read_row(l, data + at, cell);
		/* No known selector has an upper half; most ranges would be selectors with one. */
		if (l->table != l->meant && l->meant == SELECTOR && cell[1])
			return 0;
		if (l->text && l->meant == RANGE && cell[0] <= last)
			return 0;
		if (l->table == l->meant && l->meant == RAW && l->from[0] && !(cell[2] >> 31))
			return 0; /* no known mask ignores the highest bit */
		last = cell[1];
		sensible += is_sensible(table_names[l->meant], cell) != 0;
	}
	return sensible;
}

static int is_text(const unsigned char *data, uint32_t bytes)
{
	uint32_t i = 0;

	while (i < bytes && (isprint(data[i]) || (i && !data[i] && data[i - 1])))
		i++;
	return bytes && i == bytes && !data[bytes - 1];
}

static struct layout right_layout(unsigned table)
{
	const struct layout right = { (unsigned char)table,
				      (unsigned char)table,
				      (unsigned char)(4 * row_width(table_names[table])),
				      { 0, 4, 8, 12, 16 },
				      NULL,
				      BIG };

	return right;
}

const char *layout_of(const struct source *source, int node, unsigned table)
{
	const char *name = table_name(source, node, table_names[table]);
	uint32_t bytes = property_bytes(source, node, name), cells, good;
	const unsigned char *data = property_cells(source, node, name, &cells);
	const struct layout right = right_layout(table);

	if (name != table_names[table] || !bytes)
		return NULL;
	if (is_text(data, bytes))
		return "text";
	good = sensible_rows(&right, data, bytes);
	if (good && good == bytes / right.bytes)
		return NULL;
	for (size_t i = 0; i < LENGTH(layouts); i++) {
		const struct layout *l = &layouts[i];
		uint32_t rows = bytes / l->bytes;

		/* One reversed range may be just that. */
		if (l->table == table && rows && sensible_rows(l, data, bytes) == rows &&
		    (l->meant != RANGE || l->cells == LITTLE || good + 1 < rows))
			return l->text;
	}
	return NULL;
}

int check_layout(const struct checker *c)
{
	int told = 0;

	for (unsigned t = 0; t < TABLES; t++) {
		if (!layout_of(&c->r->source, c->node, t))
			continue;
		tell_mistake(c, TABLE_LAYOUT, PMUMAP_ERROR, table_names[t], PMUMAP_NO_ROW, 0);
		told = 1;
	}
	return told;
}
