/* SPDX-License-Identifier: BSD-2-Clause */
#include <libfdt.h>
#include "fix.h"
#include "source/rows.h"
#include "text/text.h"

static void put_row(char sign, const unsigned char *cell, uint32_t count)
{
	printf("%c<", sign);
	for (uint32_t i = 0; i < count; i++)
		printf("%s%s", i ? " " : "", hex(big_endian(cell + 4 * i)).s);
	puts(">");
}

static void put_head(struct report *r, const struct mend *m)
{
	fputs("@@ ", stdout);
	put_escaped(stdout, node_path(&r->source, m->node), 0);
	if (m->kind == RENAME || m->kind == REWORD) {
		puts(" @@");
		return;
	}
	putchar(' ');
	put_escaped(stdout, m->property, 0);
	printf(" row %" PRIu32 " @@\n", m->row);
}

/* Prints a line of the difference: the property's name, and its only string or NULL. */
static void put_line(char sign, const char *name, const char *string)
{
	putchar(sign);
	put_escaped(stdout, name, 0);
	if (string) {
		fputs(" = \"", stdout);
		put_escaped(stdout, string, 0);
		putchar('"');
	}
	putchar('\n');
}

static void exchange_cells(unsigned char *row, const struct mend *m)
{
	unsigned char cell[4];

	memcpy(cell, row + 4 * m->cell, 4);
	memcpy(row + 4 * m->cell, row + 4 * m->other, 4);
	memcpy(row + 4 * m->other, cell, 4);
}

/* Applies all changes to the row. Returns the number of cells that remain. */
static uint32_t mend_row(struct report *r, const struct mends *mends, const struct mend *of,
			 uint32_t number, unsigned char *row)
{
	uint32_t width = row_width(of->property), changes = 0;

	for (uint32_t i = 0; i < mends->count; i++) {
		const struct mend *m = &mends->list[i];

		if (m->kind == RENAME || m->kind == REWORD || m->node != of->node ||
		    m->row != number || !same(m->property, of->property))
			continue;
		if (!changes++) {
			put_head(r, m);
			put_row('-', row, width);
		}
		if (m->kind == REMOVE)
			return 0;
		exchange_cells(row, m);
	}
	if (changes)
		put_row('+', row, width);
	return width;
}

/* Applies all changes to one property. */
static unsigned char *mend_rows(struct report *r, const struct mends *mends, const struct mend *of,
				uint32_t *bytes)
{
	uint32_t width = row_width(of->property), cells, used = 0, at = 0;
	const unsigned char *old = property_cells(&r->source, of->node, of->property, &cells);
	unsigned char *rows = reallocate(NULL, cells + 1, 4);

	for (; at + width <= cells; at += width) {
		memcpy(rows + 4 * (size_t)used, old + 4 * (size_t)at, 4 * (size_t)width);
		used += mend_row(r, mends, of, at / width, rows + 4 * (size_t)used);
	}
	memcpy(rows + 4 * (size_t)used, old + 4 * (size_t)at, 4 * (size_t)(cells - at));
	*bytes = 4 * (used + cells - at);
	return rows;
}

/* True if an earlier change of the list already included this one. */
static int is_done(const struct mends *mends, uint32_t i)
{
	for (uint32_t j = 0; j < i; j++) {
		if (mends->list[j].kind != RENAME && mends->list[j].node == mends->list[i].node &&
		    same(mends->list[j].property, mends->list[i].property))
			return 1;
	}
	return 0;
}

/* Replaces one string of a list. The new string may be longer. */
static int reword(struct report *r, const struct mend *m, void *blob, int node)
{
	int length, code = fdt_setprop(blob, node, m->property, NULL, 0);
	const char *list = fdt_getprop(r->source.file.data, m->node, m->property, &length);

	put_head(r, m);
	put_line('-', m->property, m->old);
	put_line('+', m->property, m->name);
	for (const char *at = list; code == 0 && at < list + length; at += strlen(at) + 1) {
		const char *now = strcmp(at, m->old) ? at : m->name;

		code = fdt_appendprop(blob, node, m->property, now, (int)strlen(now) + 1);
	}
	return code;
}

/* Renames a property and corrects its rows at the same time. */
static int rename_property(struct report *r, const struct mend *m, void *blob, int node)
{
	int length, code;
	const void *value = fdt_getprop(blob, node, m->property, &length);
	void *now = value ? reallocate(NULL, (size_t)length + 1, 1) : NULL;

	if (!now)
		return length;
	put_head(r, m);
	put_line('-', m->property, NULL);
	put_line('+', m->name, NULL);
	memcpy(now, value, (size_t)length);
	code = fdt_setprop(blob, node, m->name, now, length);
	free(now);
	return code ? code : fdt_delprop(blob, node, m->property);
}

/* Finds the node by its path, because offsets differ in the copy. */
static int mend_property(struct report *r, const struct mends *mends, uint32_t i, void *blob)
{
	const struct mend *m = &mends->list[i];
	int node = fdt_path_offset(blob, node_path(&r->source, m->node));
	unsigned char *rows;
	uint32_t bytes;
	int code;

	if (m->kind == RENAME)
		return rename_property(r, m, blob, node);
	if (m->kind == REWORD)
		return reword(r, m, blob, node);
	if (is_done(mends, i))
		return 0;
	rows = mend_rows(r, mends, m, &bytes);
	code = fdt_setprop(blob, node, m->property, rows, (int)bytes);
	free(rows);
	return code;
}

int fix_blob(struct report *r, const struct mends *mends, struct bytes *copy)
{
	size_t size = 2 * r->source.file.size + 4096;
	int code;

	copy->data = reallocate(NULL, size, 1);
	code = fdt_open_into(r->source.file.data, copy->data, (int)size);
	put_names(r);
	for (int renames = 0; renames < 2; renames++) {
		for (uint32_t i = 0; code == 0 && i < mends->count; i++) {
			if ((mends->list[i].kind == RENAME) == renames)
				code = mend_property(r, mends, i, copy->data);
		}
	}
	if (code == 0)
		code = fdt_pack(copy->data);
	if (code)
		return complain(UNREADABLE, r->source.file.name, "%s", fdt_strerror(code));
	copy->size = fdt_totalsize(copy->data);
	return GOOD;
}
