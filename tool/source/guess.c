/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>
#include "groups.h"

/* True if these may be the select and the mask of a raw row that has lost a cell. */
static int is_plausible(uint64_t select, uint64_t mask)
{
	return !(select & ~mask) && mask >> 32 == UINT32_MAX;
}

/*
 * For a raw row of 4 cells: true if the upper half of the select is missing rather than that of the
 * mask. *lacks: that cell, if no other can be missing.
 */
static int lacks_select(const uint32_t *cell, uint32_t *lacks)
{
	uint64_t low = (uint64_t)cell[0] << 32 | cell[1],
		 middle = (uint64_t)cell[1] << 32 | cell[2];
	int select = is_plausible(cell[0], middle);
	int mask = is_plausible(low, UINT64_MAX << 32 | cell[2]);

	if (select == mask)
		return cell[0] != 0;
	*lacks = select ? 0 : 2;
	return select;
}

static void guess_raw(struct odd_row *odd, const uint32_t *cell)
{
	uint32_t *meant = odd->meant, count = odd->cells, last = cell[count - 1];

	if (count == 4 && odd->wide) {
		memcpy(meant, (const uint32_t[]){ cell[0], cell[1], UINT32_MAX, UINT32_MAX }, 16);
	} else if (count == 4 && cell[3] & FIXED_MASK) { /* not a bitmap: it is missing */
		memcpy(meant, cell, 16);
		last = 0;
	} else if (count == 4 && !lacks_select(cell, &odd->lacks)) {
		memcpy(meant, (const uint32_t[]){ cell[0], cell[1], UINT32_MAX, cell[2] }, 16);
	} else if (count == 4) {
		memcpy(meant, (const uint32_t[]){ 0, cell[0], cell[1], cell[2] }, 16);
	} else if (count == 3 && cell[0]) {
		memcpy(meant, (const uint32_t[]){ 0, cell[0], UINT32_MAX, cell[1] }, 16);
	} else {
		memcpy(meant, (const uint32_t[]){ 0, cell[count > 2], UINT32_MAX, UINT32_MAX }, 16);
	}
	meant[4] = last;
}

/* 64-bit numbers where cells were meant: takes lower halves, but keeps a 64-bit selector. */
static void guess_wide(struct odd_row *odd, const uint32_t *cell)
{
	uint32_t width = row_width(odd->property);

	for (uint32_t i = 0; i < width; i++)
		odd->meant[i] = cell[odd->cells == 2 * width ? 2 * i + 1 : i + 1];
}

/* True if this may be the counters of a row that begins with the event. */
static int is_bitmap(uint32_t counters, uint32_t event)
{
	return !(counters & FIXED_MASK & ~(event == 1 ? 1u : event == 2 ? 4u : 0u));
}

/* For two cells of a range: true if they are its ends, and its counters are missing. */
static int are_ends(uint32_t first, uint32_t last)
{
	if (!pmumap_event_valid(first) || !pmumap_event_valid(last) || last < first ||
	    first >> 16 != last >> 16)
		return 0;
	return first == last || first >= PMUMAP_EVENT_CACHE || !is_bitmap(last, first);
}

void guess_row(struct odd_row *odd, const uint32_t *cell)
{
	uint32_t width = row_width(odd->property), count = odd->cells, last = cell[count - 1];
	int raw = width == WIDEST;

	odd->lacks = PMUMAP_NO_ROW;
	if (odd->wide && (count == 2 * width || count == width + 1) && (!raw || count != 6)) {
		guess_wide(odd, cell);
	} else if (count > width) {
		uint32_t skip = raw && !cell[0] && !cell[1];

		memcpy(odd->meant, cell + skip, 4 * (size_t)width);
		if (last) /* counters come last, unless a 0 was appended to them */
			odd->meant[width - 1] = last;
	} else if (raw) {
		guess_raw(odd, cell);
	} else if (!strcmp(odd->property, SELECTORS)) {
		memcpy(odd->meant, (const uint32_t[]){ cell[0], 0, last }, 12);
		if (count == 2 && cell[0] && pmumap_event_valid(cell[0]) && last)
			odd->lacks = 1;
	} else if (count == 2 && are_ends(cell[0], last)) {
		memcpy(odd->meant, (const uint32_t[]){ cell[0], last, 0 }, 12);
	} else {
		memcpy(odd->meant, (const uint32_t[]){ cell[0], cell[0], last }, 12);
	}
}

int lacks_counters(const struct odd_row *odd)
{
	uint32_t width = row_width(odd->property);

	return odd->cells == width - 1 && strcmp(odd->property, SELECTORS) &&
	       !odd->meant[width - 1];
}

int is_probable(const struct odd_row *odd)
{
	const uint32_t *meant = odd->meant;

	if (odd->cells < 2 || !is_sensible(odd->property, meant))
		return 0;
	if (!strcmp(odd->property, SELECTORS))
		return meant[1] || meant[2];
	return strcmp(odd->property, RANGES)
		       ? !(meant[4] & FIXED_MASK)
		       : is_bitmap(meant[2], meant[0] == meant[1] ? meant[0] : 0);
}

/* ---- lists without groups -------------------------------------------------------------------- */

int is_sensible(const char *property, const uint32_t *cell)
{
	uint64_t select = (uint64_t)cell[0] << 32 | cell[1];
	uint32_t first = cell[0], last = cell[1], end = cell[2];

	if (!strcmp(property, RAW_ROWS)) {
		uint64_t mask = (uint64_t)cell[2] << 32 | cell[3];

		return !(select & ~mask) && cell[4] && mask;
	}
	if (!first || first >= PMUMAP_EVENT_RAW || !pmumap_event_valid(first))
		return 0;
	return !strcmp(property, SELECTORS) ? !last || end
					    : last < PMUMAP_EVENT_RAW && first <= last && end;
}

struct list {
	const char *property;
	const uint32_t *cell;
	uint32_t count;
	int wide;
};

/* True if the cells from at on make sense as an odd row. Raw events need programmable counters. */
static int is_odd_row(const struct list *l, uint32_t at, uint32_t cells)
{
	struct odd_row odd = { .property = l->property, .cells = cells, .wide = l->wide };
	const uint32_t *cell = l->cell + at;

	guess_row(&odd, cell);
	if (lacks_counters(&odd))
		odd.meant[row_width(l->property) - 1] = ~FIXED_MASK;
	if (strcmp(l->property, RAW_ROWS))
		return (cells < 3 || (l->wide && !cell[0])) && is_sensible(l->property, odd.meant);
	return !(odd.meant[4] & FIXED_MASK) && (cells != 3 || !cell[0]) &&
	       is_sensible(l->property, odd.meant);
}

/* Splits the list into rows of this many cells. */
static int split_alike(const struct list *l, uint32_t cells, unsigned char *starts)
{
	if (l->count % cells || (l->count == cells && !l->wide))
		return 0;
	for (uint32_t i = 0; i < l->count; i += cells) {
		if (!is_odd_row(l, i, cells))
			return 0;
	}
	for (uint32_t i = 0; i < l->count; i++)
		starts[i] = i % cells == 0;
	return 1;
}

/* True if there are several groups. */
static int starts_again(const unsigned char *starts, uint32_t count)
{
	return count && memchr(starts + 1, 1, count - 1) != NULL;
}

/* True if each group is a row, of 64-bit numbers or not. */
static int are_rows(const struct list *l, const unsigned char *starts)
{
	uint32_t width = row_width(l->property);

	for (uint32_t i = 0, end; i < l->count; i = end) {
		for (end = i + 1; end < l->count && !starts[end];)
			end++;
		if (end - i > 2 * WIDEST ||
		    !(end - i == width ? is_sensible(l->property, l->cell + i)
				       : is_odd_row(l, i, end - i)))
			return 0;
	}
	return 1;
}

/* One row has this many cells, the others the right number. Succeeds if only one place fits. */
static int split_at_one(const struct list *l, uint32_t cells, unsigned char *starts)
{
	uint32_t width = row_width(l->property), found = 0, at = 0, after = 0, tail;

	for (tail = l->count; tail >= width && is_sensible(l->property, l->cell + tail - width);)
		tail -= width;
	for (uint32_t i = 0; i + cells <= l->count; i += width) {
		if (i + cells >= tail && is_odd_row(l, i, cells)) {
			found++;
			at = i;
			after = i + cells;
		}
		if (i + width > l->count || !is_sensible(l->property, l->cell + i))
			break;
	}
	for (uint32_t i = 0; i < l->count; i++)
		starts[i] = i < after ? i % width == 0 && i <= at : (i - after) % width == 0;
	return found == 1;
}

int split_list(const char *property, const uint32_t *cells, uint32_t count, int wide,
	       unsigned char *starts)
{
	static const unsigned char widths[] = { 10, 6, 4, 3, 2 };
	struct list l = { property, cells, count, wide };
	uint32_t width = row_width(property), right = 0;

	while (right + width <= count && is_sensible(property, cells + right))
		right += width;
	if (right == count || (count <= width && !wide))
		return 0;
	if (wide && starts_again(starts, count) && are_rows(&l, starts))
		return 1;
	for (size_t i = 0; i < sizeof(widths); i++) {
		if (widths[i] != width && split_alike(&l, widths[i], starts))
			return 1;
	}
	if (wide || (count % width != width - 1 && count % width != 1))
		return 0;
	return split_at_one(&l, count % width == 1 ? width + 1 : width - 1, starts);
}
