/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fix.c -- which findings have one answer, and the option --fix of check.
 */
#include <libfdt.h>
#include "dts.h"
#include "findings.h"
#include "fix.h"
#include "rows.h"
#include "suggest.h"

/* ---- what can be mended ---------------------------------------------------------------------- */

static int are_same_rows(const struct report *r, const struct pmumap_finding *f)
{
	uint32_t cells, width = row_width(f->property);
	const unsigned char *cell = property_cells(&r->source, f->node, f->property, &cells);

	return f->row < cells / width && f->other < cells / width &&
	       !memcmp(cell + 4 * (size_t)(f->row * width), cell + 4 * (size_t)(f->other * width),
		       4 * (size_t)width);
}

static int exchange(struct mend *m, uint32_t cell)
{
	m->kind = EXCHANGE;
	m->cell = cell;
	m->other = cell + 1;
	return 1;
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

/* The cell that an odd row lacks. */
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

/* Fills in the kind and what it needs. Returns 0: there is more than one answer, or none. */
static int find_mend(const struct report *r, const struct pmumap_finding *f, struct mend *m)
{
	char name[sizeof(m->name)];

	m->kind = REMOVE;
	switch ((int)f->code) {
	case PMUMAP_F_SELECTOR_REVERSED:
		return exchange(m, strcmp(f->property, RAW_ROWS) != 0);
	case PMUMAP_F_MASK_REVERSED:
		return exchange(m, 2);
	case PMUMAP_F_RANGE_REVERSED:
		return exchange(m, 0);
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
		return f->severity == PMUMAP_WARNING && are_same_rows(r, f);
	case PMUMAP_F_RANGE_OVERLAP:
	case PMUMAP_F_RAW_DUPLICATE:
		return are_same_rows(r, f);
	case PMUMAP_F_COUNTERS_EMPTY:
		return 1;
	default:
		return 0;
	}
}

/* Whether the same row is to be changed already: the first change may be all that it needs. */
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

void list_mends(struct report *r, struct mends *mends)
{
	for (uint32_t i = 0; i < r->finds; i++) {
		const struct pmumap_finding *f = &r->found[i].f;
		struct mend m = { .node = f->node, .property = f->property, .row = f->row };

		if (f->node < 0 || !find_mend(r, f, &m) || is_listed(mends, &m))
			continue;
		mends->errors += f->severity == PMUMAP_ERROR;
		mends->list = grow(mends->list, mends->count, sizeof(m));
		mends->list[mends->count++] = m;
	}
}

/* ---- the option ------------------------------------------------------------------------------ */

void put_names(const struct report *r)
{
	fputs("--- ", stdout);
	put_escaped(stdout, r->source.file.name, 0);
	fputs("\n+++ ", stdout);
	put_escaped(stdout, r->source.file.name, 0);
	fputs(" (mended)\n", stdout);
}

static int write_copy(const struct bytes *copy, const char *file)
{
	FILE *out = open_output(file);

	if (!out)
		return UNREADABLE;
	fwrite(copy->data, 1, copy->size, out);
	return close_output(out, file);
}

/* The file as it is; of a .dts the source. */
static int copy_file(const struct report *r, struct bytes *copy)
{
	const struct bytes *file = &r->source.file;

	copy->name = file->name;
	if (is_dts(file->name))
		return read_file(copy, file->name);
	copy->data = reallocate(NULL, file->size, 1);
	copy->size = file->size;
	memcpy(copy->data, file->data, file->size);
	return GOOD;
}

static void put_mended(const struct report *r, const struct mends *mends, uint32_t left,
		       const char *same_in)
{
	uint32_t renamed = 0;

	for (uint32_t i = 0; i < mends->count; i++)
		renamed += mends->list[i].kind == RENAME;
	fflush(stdout);
	fprintf(stderr, "pmumap: %s: ", r->source.file.name);
	if (mends->count)
		fprintf(stderr, "%" PRIu32 " mended, of %" PRIu32 " finding%s", mends->count - left,
			r->finds, r->finds == 1 ? "" : "s");
	else
		fprintf(stderr, "nothing to mend by --fix; %" PRIu32 " finding%s", r->finds,
			r->finds == 1 ? "" : "s");
	if (same_in)
		fprintf(stderr, "; %s is an unchanged copy", same_in);
	fprintf(stderr, "%s%s\n", renamed ? "; what was renamed is to be checked anew" : "",
		left ? "; others stand elsewhere, or have to be mended by hand" : "");
}

int fix(struct report *r, const char *output)
{
	struct mends mends = { 0 };
	struct bytes copy = { 0 };
	const char *same_in;
	uint32_t left = 0;
	int code = GOOD;

	list_mends(r, &mends);
	if (mends.count && is_dts(r->source.file.name))
		code = fix_text(r, &mends, &copy, &left);
	else if (mends.count)
		code = fix_blob(r, &mends, &copy);
	same_in = copy.data ? NULL : output;
	if (code == GOOD && same_in)
		code = copy_file(r, &copy);
	if (code == GOOD)
		put_mended(r, &mends, left, same_in);
	if (code == GOOD && output)
		code = write_copy(&copy, output);
	if (code == GOOD && (r->count[PMUMAP_ERROR] > mends.errors || (left && mends.errors)))
		code = FAULT;
	free(copy.data);
	free(mends.list);
	return code;
}
