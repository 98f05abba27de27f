/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_tree.c -- reports mistakes that show only when rows of different tables are compared, or
 * when property names are compared with known ones. No shipped tree is known to do any of this on
 * purpose.
 */
#include <libfdt.h>
#include "checks.h"
#include "findings.h"
#include "map/riscv.h"
#include "map/suggest.h"
#include "source/rows.h"
#include "text/text.h"

/* ---- AMU ------------------------------------------------------------------------------------- */

static int by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

/* Reports AMU views that have counters but no CPU. A tree without CPUs is not checked. */
static void check_views(const struct checker *c)
{
	const struct source *source = &c->r->source;
	const void *blob = source->file.data;
	int amus = fdt_path_offset(blob, "/cpus/amus"), cpu;
	uint32_t *used = NULL, views = 0, cells;
	struct pmumap_amu_cpu first;
	struct checker view = *c;

	/* libfdt takes the root for a child of a parent that does not exist. */
	if (amus < 0 || !source->amu || !pmumap_amu_cpu_at(source->amu, 0, &first))
		return;
	fdt_for_each_subnode(cpu, blob, fdt_path_offset(blob, "/cpus"))
	{
		const unsigned char *amu = property_cells(source, cpu, "amu", &cells);

		if (!amu || !cells)
			continue;
		used = grow(used, views, sizeof(*used));
		used[views++] = big_endian(amu);
	}
	if (views)
		qsort(used, views, sizeof(*used), by_number);
	fdt_for_each_subnode(view.node, blob, amus)
	{
		uint32_t handle = fdt_get_phandle(blob, view.node);

		if (fdt_first_subnode(blob, view.node) < 0)
			continue;
		if (!handle || !views || !bsearch(&handle, used, views, sizeof(handle), by_number))
			tell_mistake(&view, VIEW_UNUSED, PMUMAP_WARNING, NULL, PMUMAP_NO_ROW, 0);
	}
	free(used);
}

/* ---- RISC-V ---------------------------------------------------------------------------------- */

/* False for events that may legitimately share a selector, such as cycles and bus-cycles. */
static int are_distinct(uint32_t a, uint32_t b)
{
	const uint32_t general = 0x37e; /* 1 to 6, 8, 9 */

	if (a < 16 && b < 16)
		return (general >> a & general >> b & 1) != 0;
	return a >= 0x10000 && a >> 3 == b >> 3;
}

/* True if a lower event of the same kind has this selector. *other is the row of that event. */
static int is_shared(const struct checker *c, uint32_t event, uint64_t selector, uint32_t *other)
{
	struct pmumap_run line;
	uint64_t value;

	for (uint32_t e = 0; next_line(c->r->source.map, e, &line) && line.first < event;
	     e = line.last + 1) {
		if (!named(line.first) || !are_distinct(line.first, event) ||
		    !pmumap_selector(c->r->source.map, line.first, &value) || value != selector)
			continue;
		*other = row_of_event(&c->r->source, c->node, SELECTORS, line.first);
		return 1;
	}
	return 0;
}

static uint64_t exchanged(uint64_t number)
{
	return number << 32 | number >> 32;
}

static int is_matched(uint64_t selector, uint64_t select, uint64_t mask)
{
	return select && !(select & ~mask) && (selector & mask) == select;
}

/* Most masks compare the whole upper half. The halves of such a mask are not swapped. */
static uint64_t exchanged_mask(uint64_t mask)
{
	return mask >> 32 == 0xffffffff ? mask : exchanged(mask);
}

/*
 * Returns the first raw row that would match the selector if the halves of its numbers, or its two
 * numbers, were swapped. PMUMAP_NO_ROW: none would.
 */
static uint32_t exchanged_row(const struct checker *c, uint64_t selector)
{
	const struct raw_rows rows = raw_rows_of(&c->r->source, c->node);

	for (uint32_t row = 0; row < rows.count; row++) {
		uint64_t select = stored_row(&rows, row).select, mask = stored_row(&rows, row).mask;

		if (is_matched(selector, exchanged(select), mask) ||
		    is_matched(selector, select, exchanged_mask(mask)) ||
		    is_matched(selector, exchanged(select), exchanged_mask(mask)) ||
		    is_matched(selector, mask, select))
			return row;
	}
	return PMUMAP_NO_ROW;
}

/* Reports a selector that no raw row matches, together with the row that was probably meant to. */
static void tell_unmatched(const struct checker *c, uint32_t row, uint32_t event, uint64_t selector)
{
	uint32_t other = exchanged_row(c, selector);

	tell_conflict(c, SELECTOR_UNMATCHED, PMUMAP_WARNING, SELECTORS, row,
		      other == PMUMAP_NO_ROW ? NULL : RAW_ROWS, other, event);
}

/* Events 1 and 2 need a selector only on programmable counters. */
static void check_selector(const struct checker *c, uint32_t event, uint64_t selector, int raws)
{
	const struct source *source = &c->r->source;
	uint32_t row = row_of_event(source, c->node, SELECTORS, event), other;
	uint32_t counters = pmumap_counters(source->map, event) & ~FIXED_MASK;
	uint32_t raw = pmumap_raw_counters(source->map, selector);

	if (!selector) {
		if (counters || event > 2)
			tell_mistake(c, SELECTOR_ZERO, PMUMAP_WARNING, SELECTORS, row, event);
		return;
	}
	if (event <= 2 && !counters) {
		tell_mistake(c, PMUMAP_F_SELECTOR_ORPHAN, PMUMAP_WARNING, SELECTORS, row, event);
		return;
	}
	if (is_shared(c, event, selector, &other))
		tell_mistake(c, SELECTOR_SHARED, PMUMAP_WARNING, SELECTORS, row, event);
	if (!raws || !counters)
		return;
	if (!raw)
		tell_unmatched(c, row, event, selector);
	else if ((raw & ~FIXED_MASK) != counters)
		tell_mistake(c, COUNTERS_DIFFER, PMUMAP_WARNING, RANGES,
			     row_of_event(source, c->node, RANGES, event), event);
}

static void check_riscv(struct checker *c)
{
	const struct source *source = &c->r->source;
	const struct pmumap *map = source->map;
	struct pmumap_run line;
	uint64_t selector, mask;
	uint32_t counters, cells;
	int raws = pmumap_raw_at(map, 0, &selector, &mask, &counters);

	if (check_layout(c))
		return;
	for (uint32_t i = 0; i < c->r->odds; i++) /* the values of odd rows are guesses */
		raws = raws && strcmp(c->r->odd[i].property, RAW_ROWS);
	if (property_cells(source, c->node, table_name(source, c->node, SELECTORS), &cells) &&
	    cells < 3)
		tell_mistake(c, SELECTORS_EMPTY, PMUMAP_WARNING, SELECTORS, PMUMAP_NO_ROW, 0);
	for (uint32_t e = 1; next_line(map, e, &line); e = line.last + 1) {
		if (named(line.first) && pmumap_selector(map, line.first, &selector))
			check_selector(c, line.first, selector, raws);
	}
	check_rows(c);
	check_opensbi(c);
}

/* ---- names ----------------------------------------------------------------------------------- */

static int is_compatible(const void *blob, int node, const char *with)
{
	return !fdt_node_check_compatible(blob, node, with);
}

/* True if the node is an IMC unit, of any format. */
static int is_unit(const void *blob, int node)
{
	const char *word;

	for (int i = 0; (word = fdt_stringlist_get(blob, node, "compatible", i, NULL)); i++) {
		if (!strncmp(word, "ibm,imc-counters", strlen("ibm,imc-counters")) ||
		    !strncmp(word, "ibm,ima-counters", strlen("ibm,ima-counters")))
			return 1;
	}
	return 0;
}

/* True if the node has a property that only IMC units have, but no IMC compatible. */
static int is_lost_unit(const void *blob, int node)
{
	return fdt_getprop(blob, node, "events-prefix", NULL) && !is_unit(blob, node);
}

/* Property names; NULL ends the list. */
typedef const char *const *names;

/* Known property names for an IMC or AMU node. parent and grand: the nodes above; 0 is the root. */
static names known_names(const void *blob, int node, int parent, int grand)
{
	static const char *const unit[] = { "events-prefix", "unit",      "scale",   "reg",
					    "events",        "type",      "size",    "offset",
					    "cb_offset",     "base-addr", "chip-id", "compatible",
					    "phandle",       NULL };
	static const char *const event[] = { "event-name", "unit",    "scale",      "reg",
					     "desc",       "phandle", "compatible", NULL };
	static const char *const counter[] = { "enable-at-el3", "reg", "phandle", NULL };
	static const char *const cpu[] = { "amu", NULL };
	static const char *const none[] = { NULL };

	if (is_compatible(blob, node, "ibm,imc-counters"))
		return unit;
	if (fdt_getprop(blob, node, "event-name", NULL))
		return event;
	if (grand && !strcmp(fdt_get_name(blob, grand, NULL), "amus"))
		return counter;
	if (parent && !grand && !strcmp(fdt_get_name(blob, parent, NULL), "cpus"))
		return cpu;
	return none;
}

/* The known name that is most similar, unless the node already has that property. "": none is. */
static struct text like_name(const void *blob, int node, const char *name, names known)
{
	struct nearest n = nearest_to(name);

	if (*known && !strcmp(*known, "amu") && !strstr(name, "amu"))
		return brief("%s", "");
	for (; *known; known++) {
		if (!strcmp(*known, name))
			return brief("%s", "");
		if (!fdt_getprop(blob, node, *known, NULL))
			consider(&n, *known);
	}
	return brief("%s", n.best);
}

struct text like_property(const struct source *source, int node, const char *name)
{
	const void *blob = source->file.data;
	int parent = fdt_parent_offset(blob, node);
	int grand = parent > 0 ? fdt_parent_offset(blob, parent) : 0;

	return like_name(blob, node, name, known_names(blob, node, parent, grand));
}

/* An overlay's fragment lacks what its target node already has. */
static int is_fragment(const void *blob, int node)
{
	return !strcmp(fdt_get_name(blob, node, NULL), "__overlay__");
}

/*
 * Checks an IMC unit for mistakes that the headers report only for events or for the RISC-V node.
 */
static void check_unit(const struct checker *c)
{
	const void *blob = c->r->source.file.data;
	int bytes;
	const unsigned char *offset = fdt_getprop(blob, c->node, "offset", &bytes);
	const char *status;
	uint32_t lists;

	if (offset && bytes == 4 && big_endian(offset) % 8)
		tell_mistake(c, PMUMAP_F_OFFSET_ALIGN, PMUMAP_WARNING, "offset", PMUMAP_NO_ROW,
			     big_endian(offset));
	status = fdt_stringlist_get(blob, c->node, "status", 0, NULL);
	if (status && strcmp(status, "okay") && strcmp(status, "ok"))
		tell_mistake(c, PMUMAP_F_NODE_DISABLED, PMUMAP_NOTE, "status", PMUMAP_NO_ROW, 0);
	if (property_cells(&c->r->source, c->node, "events", &lists) && lists > 1)
		tell_mistake(c, LIST_EXTRA, PMUMAP_WARNING, "events", PMUMAP_NO_ROW, lists);
}

static void check_properties(const struct checker *c, names known)
{
	const void *blob = c->r->source.file.data;
	const char *name;
	int property, tables = 0;

	fdt_for_each_property_offset(property, blob, c->node)
	{
		if (!fdt_getprop_by_offset(blob, property, &name, NULL))
			continue;
		for (unsigned t = 0; t < TABLES; t++)
			tables += !strcmp(name, table_names[t]);
		if (*like_name(blob, c->node, name, known).s)
			tell_mistake(c, PROPERTY_NEAR, PMUMAP_WARNING, name, PMUMAP_NO_ROW, 0);
	}
	if (is_fragment(blob, c->node))
		return;
	if (tables && !is_compatible(blob, c->node, "riscv,pmu"))
		/* Nothing reads such a node, so this is an error, like an unused row. */
		tell_mistake(c, COMPATIBLE_MISSING, PMUMAP_ERROR, NULL, PMUMAP_NO_ROW, 0);
	if (is_compatible(blob, c->node, "ibm,imc-counters"))
		check_unit(c);
	if (is_lost_unit(blob, c->node))
		tell_mistake(c, UNIT_COMPATIBLE, PMUMAP_ERROR, NULL, PMUMAP_NO_ROW, 0);
}

/* libfdt finds a parent by walking the tree from the start. Keep the path here instead. */
static void check_names(struct checker *c)
{
	const void *blob = c->r->source.file.data;
	int above[DEPTH_LIMIT + 1], depth = 0, told = -1;

	for (c->node = 0; c->node >= 0 && depth >= 0 && depth <= DEPTH_LIMIT;
	     c->node = fdt_next_node(blob, c->node, &depth)) {
		int parent = depth > 0 ? above[depth - 1] : 0;
		int grand = depth > 1 ? above[depth - 2] : 0;

		above[depth] = c->node;
		check_properties(c, known_names(blob, c->node, parent, grand));
		if (depth > 0 && parent != told && is_unit(blob, c->node) &&
		    !is_fragment(blob, parent) &&
		    !is_compatible(blob, parent, "ibm,opal-in-memory-counters")) {
			struct checker root = *c;

			root.node = told = parent;
			tell_mistake(&root, UNIT_COMPATIBLE, PMUMAP_ERROR, NULL, PMUMAP_NO_ROW, 0);
		}
	}
}

void check_tree(struct report *r, const struct input *input, pmumap_report_fn *report)
{
	struct checker c = { r, pmu_node(&r->source, input), report };

	if (r->source.map && c.node >= 0)
		check_riscv(&c);
	check_names(&c);
	check_views(&c);
	check_imc(&c);
}
