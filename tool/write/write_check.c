/* SPDX-License-Identifier: BSD-2-Clause
 *
 * write_check.c -- runs check on the node that write produces.
 */
#include <libfdt.h>
#include "findings/checks.h"
#include "findings/findings.h"
#include "findings/report.h"
#include "source/rows.h"
#include "write.h"

/* The cells of one property, in the byte order of device trees. */
struct cells {
	unsigned char *bytes;
	size_t count;
};

static void add_cell(struct cells *c, uint32_t value)
{
	unsigned char *at;

	c->bytes = grow(c->bytes, c->count, 4);
	at = c->bytes + 4 * c->count++;
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void add_number(struct cells *c, uint64_t value)
{
	add_cell(c, (uint32_t)(value >> 32));
	add_cell(c, (uint32_t)value);
}

static int put_cells(void *blob, const char *name, struct cells *c)
{
	int code = c->count ? fdt_property(blob, name, c->bytes, (int)(4 * c->count)) : 0;

	free(c->bytes);
	return code;
}

/* Writes the three tables of the node. Returns 0 or libfdt's error. */
static int put_tables(void *blob, const struct node *n)
{
	struct cells selectors = { 0 }, ranges = { 0 }, raws = { 0 };
	int code;

	for (size_t i = 0; i < n->d.event_count; i++) {
		const struct described_event *e = &n->d.events[i];

		add_cell(&ranges, e->first);
		add_cell(&ranges, e->last);
		add_cell(&ranges, e->counters);
		if (!e->has_selector)
			continue;
		add_cell(&selectors, e->first);
		add_number(&selectors, e->selector);
	}
	for (size_t i = 0; i < n->raw_count; i++) {
		add_number(&raws, n->raws[i].select);
		add_number(&raws, n->raws[i].mask);
		add_cell(&raws, n->raws[i].counters);
	}
	code = put_cells(blob, SELECTORS, &selectors);
	code |= put_cells(blob, RANGES, &ranges);
	return code | put_cells(blob, RAW_ROWS, &raws);
}

static int put_tree(void *blob, size_t size, const struct node *n)
{
	static const char compatible[] = "riscv,pmu";

	return fdt_create(blob, (int)size) || fdt_finish_reservemap(blob) ||
	       fdt_begin_node(blob, "") || fdt_begin_node(blob, "pmu") ||
	       fdt_property(blob, "compatible", compatible, sizeof(compatible)) ||
	       put_tables(blob, n) || fdt_end_node(blob) || fdt_end_node(blob) || fdt_finish(blob);
}

/* Collects findings. The report must come first: check_tree() passes on its address. */
struct finds {
	struct report report;
	uint32_t errors, warnings;
	unsigned char found[CODES]; /* by code */
};

static void on_finding(void *arg, const struct pmumap_finding *f)
{
	struct finds *finds = arg;

	if (f->severity == PMUMAP_NOTE || f->code == PMUMAP_F_FIXED_MISSING)
		return;
	finds->errors += f->severity == PMUMAP_ERROR;
	finds->warnings += f->severity == PMUMAP_WARNING;
	finds->found[f->code] = 1;
}

static void put_count(FILE *out, uint32_t count, const char *what)
{
	if (count)
		fprintf(out, "%s%" PRIu32 " %s%s", ftell(out) ? ", " : "", count, what,
			count == 1 ? "" : "s");
}

/* Prints, for example, "1 error, 2 warnings about the output (rows-lost, selector-unmatched)". */
static void put_finds(const struct finds *finds, const char *about)
{
	const char *separator = " about the output (";
	char *text;
	size_t size;
	FILE *out = open_text(&text, &size);

	put_count(out, finds->errors, "error");
	put_count(out, finds->warnings, "warning");
	for (unsigned code = 0; code < LENGTH(finds->found); code++) {
		if (!finds->found[code])
			continue;
		fprintf(out, "%s%s", separator, code_text((uint32_t)code));
		separator = ", ";
	}
	close_text(out);
	complain(GOOD, about, "%s): run pmumap check on it", text);
	free(text);
	if (finds->found[SELECTOR_UNMATCHED])
		complain(GOOD, about,
			 "An EVENT line makes no raw row. List each code as raw:CODE too, or pass "
			 "--events.");
}

int check_node(const struct node *n, const char *about)
{
	static const struct input input = { .tree = 1 };
	struct finds finds = { .report.firmware = NEWEST_OPENSBI };
	struct bytes *file = &finds.report.source.file;

	file->name = about;
	file->size = 4096 + 32 * (n->d.event_count + n->raw_count);
	file->data = reallocate(NULL, file->size, 1);
	if (!put_tree(file->data, file->size, n) &&
	    understand(&finds.report.source, &input, on_finding, &finds) == GOOD)
		check_tree(&finds.report, &input, on_finding);
	if (finds.errors || finds.warnings)
		put_finds(&finds, about);
	unload_reading(&finds.report.reading);
	unload(&finds.report.source);
	if (n->ranges + n->raw_count > OPENSBI_ROWS_LIMIT)
		complain(GOOD, about, "%zu rows, but OpenSBI reads at most %u",
			 n->ranges + n->raw_count, OPENSBI_ROWS_LIMIT);
	return finds.errors ? FAULT : GOOD;
}
