/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fix_find.c -- decides which findings have exactly one correction, and finds it.
 */
#include <libfdt.h>
#include "findings/checks.h"
#include "findings/findings.h"
#include "fix.h"
#include "map/suggest.h"
#include "source/rows.h"

/* The cells of the finding's row in its table, or NULL if there is no such row. */
static const unsigned char *row_cells(const struct report *r, const struct pmumap_finding *f,
				      uint32_t row)
{
	uint32_t cells, width = row_width(f->property);
	const unsigned char *cell = property_cells(&r->source, f->node, f->property, &cells);

	return row < cells / width ? cell + 4 * (size_t)width * row : NULL;
}

static int are_same_rows(const struct report *r, const struct pmumap_finding *f)
{
	const unsigned char *row = row_cells(r, f, f->row), *other = row_cells(r, f, f->other);

	return row && other && !memcmp(row, other, 4 * (size_t)row_width(f->property));
}

static int exchange(struct mend *m, uint32_t cell)
{
	m->kind = EXCHANGE;
	m->cell = cell;
	m->other = cell + 1;
	return 1;
}

/* True if swapping the ends gives a plausible range: both are events of one kind. */
static int are_ends(const struct report *r, const struct pmumap_finding *f)
{
	const unsigned char *cell = row_cells(r, f, f->row);
	uint32_t first, last;

	if (!cell)
		return 0;
	first = big_endian(cell);
	last = big_endian(cell + 4);
	return pmumap_event_valid(first) && pmumap_event_valid(last) && first >> 16 == last >> 16 &&
	       first < PMUMAP_EVENT_RAW;
}

/* Remove a range without counters, whatever its ends are. */
static int names_nothing(const struct report *r, const struct pmumap_finding *f)
{
	const unsigned char *cell = row_cells(r, f, f->row);

	return cell && !big_endian(cell + 8);
}

static int is_found(const struct report *r, const struct pmumap_finding *like, int code)
{
	for (uint32_t i = 0; i < r->finds; i++) {
		const struct pmumap_finding *f = &r->found[i].f;

		if ((int)f->code == code && f->node == like->node && f->row == like->row &&
		    same(f->property, like->property))
			return 1;
	}
	return 0;
}

/* True if a raw row can still match something after the swap. */
static int is_alive(const struct report *r, const struct pmumap_finding *f)
{
	const unsigned char *cell = row_cells(r, f, f->row);
	uint64_t select, mask;

	if (strcmp(f->property, RAW_ROWS))
		return 1;
	if (!cell)
		return 0;
	select = two_cells(cell);
	mask = two_cells(cell + 8);
	if (is_found(r, f, PMUMAP_F_SELECTOR_REVERSED))
		select = select << 32 | select >> 32;
	if (is_found(r, f, PMUMAP_F_MASK_REVERSED))
		mask = mask << 32 | mask >> 32;
	return !(select & ~mask);
}

/* True if the row comes after the place where the table lost or gained a cell. */
static int is_shifted(const struct report *r, const struct pmumap_finding *f)
{
	for (uint32_t i = 0; i < r->finds; i++) {
		const struct pmumap_finding *cut = &r->found[i].f;

		if (cut->code == PMUMAP_F_TRAILING_BYTES && cut->node == f->node &&
		    same(cut->property, f->property))
			return f->row != PMUMAP_NO_ROW && f->row >= cut->row;
	}
	return 0;
}

/* The string in compatible that was probably meant to be riscv,pmu. */
static int reword(const struct report *r, struct mend *m)
{
	int length, at = 0;
	const char *list = fdt_getprop(r->source.file.data, m->node, "compatible", &length);
	struct nearest n = nearest_to("riscv,pmu");

	for (; list && at < length; at += (int)strlen(list + at) + 1)
		consider(&n, list + at);
	m->kind = REWORD;
	m->property = "compatible";
	m->row = PMUMAP_NO_ROW;
	snprintf(m->name, sizeof(m->name), "%s", n.word);
	snprintf(m->old, sizeof(m->old), "%s", n.best);
	return *n.best != '\0';
}

/* The cell that is missing from an odd row. */
static int insert(const struct report *r, const struct pmumap_finding *f, struct mend *m)
{
	const struct odd_row *odd = odd_row(r, f->property, f->row);

	if (odd->lacks == PMUMAP_NO_ROW)
		return 0;
	m->kind = INSERT;
	m->cell = odd->lacks;
	snprintf(m->name, sizeof(m->name), "0x%" PRIx32 " ", odd->meant[odd->lacks]);
	return 1;
}

static int change_name(const struct report *r, struct mend *m, const char *name)
{
	uint32_t cells;

	m->kind = RENAME;
	snprintf(m->name, sizeof(m->name), "%s", name);
	return *name && !property_cells(&r->source, m->node, name, &cells);
}

const char *obstacle_to(const struct report *r, const struct pmumap_finding *f)
{
	const char *why = NULL;

	switch ((int)f->code) {
	case PMUMAP_F_SELECTOR_REVERSED:
	case PMUMAP_F_MASK_REVERSED:
		why = is_alive(r, f) ? NULL : "it would match nothing afterwards";
		break;
	case PMUMAP_F_RANGE_REVERSED:
		why = names_nothing(r, f) || are_ends(r, f) ? NULL : "its ends are of two kinds";
		break;
	case PMUMAP_F_SELECTOR_DUPLICATE:
	case PMUMAP_F_RANGE_OVERLAP:
	case PMUMAP_F_RAW_DUPLICATE:
		why = are_same_rows(r, f) ? NULL : "it differs from the other row";
		break;
	case PMUMAP_F_COUNTERS_EMPTY:
		break;
	default:
		return NULL;
	}
	return is_shifted(r, f) ? "it or an earlier row lacks a cell" : why;
}

/* Fills in the kind of change and its arguments. Returns 0 unless exactly one correction exists. */
static int find_mend(const struct report *r, const struct pmumap_finding *f, struct mend *m)
{
	char name[sizeof(m->name)];

	m->kind = REMOVE;
	if (is_shifted(r, f) || obstacle_to(r, f))
		return 0;
	switch ((int)f->code) {
	case PMUMAP_F_SELECTOR_REVERSED:
		return exchange(m, strstr(f->property, &SELECTORS[strlen("riscv,")]) != NULL);
	case PMUMAP_F_MASK_REVERSED:
		return exchange(m, 2);
	case PMUMAP_F_RANGE_REVERSED:
		return names_nothing(r, f) || exchange(m, 0);
	case COMPATIBLE_MISSING:
		return reword(r, m);
	case ROW_CELLS:
		return insert(r, f, m);
	case PMUMAP_F_PROPERTY_UNKNOWN:
		return change_name(r, m, table_names[f->value]);
	case PROPERTY_NEAR:
		return change_name(r, m, like_property(&r->source, f->node, f->property).s);
	case PMUMAP_F_LEGACY_PREFIX: /* raw rows lack their mask */
		snprintf(name, sizeof(name), "riscv,%s", f->property + strlen("pmu,"));
		return strcmp(name, RAW_ROWS) && change_name(r, m, name);
	case PMUMAP_F_SELECTOR_DUPLICATE:
		return f->severity == PMUMAP_WARNING;
	case PMUMAP_F_RANGE_OVERLAP:
	case PMUMAP_F_RAW_DUPLICATE:
	case PMUMAP_F_COUNTERS_EMPTY:
		return 1;
	default:
		return 0;
	}
}

/* True if the row already has a change. The first change may be all that it needs. */
static int is_listed(const struct mends *mends, const struct mend *m)
{
	for (uint32_t i = 0; i < mends->count; i++) {
		const struct mend *other = &mends->list[i];

		if (other->node == m->node && same(other->property, m->property) &&
		    other->row == m->row &&
		    (m->kind == REMOVE || other->kind == REMOVE || m->kind == RENAME ||
		     other->cell == m->cell))
			return 1;
		if (other->kind == RENAME && m->kind == RENAME && other->node == m->node &&
		    !strcmp(other->name, m->name))
			return 1;
	}
	return 0;
}

/* Lists the changes that remove a row, or all others. */
static void list_some(struct report *r, struct mends *mends, int removals)
{
	for (uint32_t i = 0; i < r->finds; i++) {
		const struct pmumap_finding *f = &r->found[i].f;
		struct mend m = { .node = f->node, .property = f->property, .row = f->row };

		if (f->node < 0 || !find_mend(r, f, &m) || (m.kind == REMOVE) != removals ||
		    is_listed(mends, &m))
			continue;
		mends->errors += f->severity == PMUMAP_ERROR;
		mends->list = grow(mends->list, mends->count, sizeof(m));
		mends->list[mends->count++] = m;
	}
}

/* The cells of a table after all swaps. The caller frees them. */
static unsigned char *exchanged_cells(const struct report *r, const struct mends *mends,
				      const struct mend *of, uint32_t *rows)
{
	uint32_t cells, width = row_width(of->property);
	const unsigned char *old = property_cells(&r->source, of->node, of->property, &cells);
	unsigned char *now = reallocate(NULL, cells + 1, 4), cell[4];

	memcpy(now, old, 4 * (size_t)cells);
	*rows = cells / width;
	for (uint32_t i = 0; i < mends->count; i++) {
		const struct mend *m = &mends->list[i];
		unsigned char *row = now + 4 * (size_t)width * m->row;

		if (m->kind != EXCHANGE || m->node != of->node || !same(m->property, of->property))
			continue;
		memcpy(cell, row + 4 * m->cell, 4);
		memcpy(row + 4 * m->cell, row + 4 * m->other, 4);
		memcpy(row + 4 * m->other, cell, 4);
	}
	return now;
}

const struct mend *mend_of_row(const struct mends *mends, const struct mend *of, uint32_t row)
{
	for (uint32_t i = 0; i < mends->count; i++) {
		const struct mend *m = &mends->list[i];

		if (m->node == of->node && m->row == row && same(m->property, of->property))
			return m;
	}
	return NULL;
}

/* True if a swap turns this row into one that the table has already and keeps. */
static int is_repeated(const struct report *r, const struct mends *mends, const struct mend *m)
{
	uint32_t rows, width = 4 * row_width(m->property), row = 0;
	unsigned char *now = exchanged_cells(r, mends, m, &rows);
	const struct mend *other;

	for (; row < rows; row++) {
		if (row == m->row ||
		    memcmp(now + (size_t)width * row, now + (size_t)width * m->row, width))
			continue;
		other = mend_of_row(mends, m, row);
		if (!other || (other->kind == EXCHANGE && row < m->row))
			break;
	}
	free(now);
	return row < rows;
}

/* Removes a row instead if swaps would make it a duplicate. */
static void drop_repeated(const struct report *r, struct mends *mends)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < mends->count; i++) {
		struct mend *m = &mends->list[i];

		if (m->kind == EXCHANGE && is_repeated(r, mends, m))
			m->again = 1;
	}
	for (uint32_t i = 0; i < mends->count; i++) {
		struct mend *m = &mends->list[i];

		if (m->again)
			m->kind = REMOVE;
		if (!m->again || mend_of_row(mends, m, m->row) == m)
			mends->list[kept++] = *m;
	}
	mends->count = kept;
}

/*
 * List removals first: a row that goes needs no other change. A duplicate row, for example, repeats
 * the mistakes of the original.
 */
void list_mends(struct report *r, struct mends *mends)
{
	list_some(r, mends, 1);
	list_some(r, mends, 0);
	drop_repeated(r, mends);
}
