/* SPDX-License-Identifier: BSD-2-Clause */
#include <libfdt.h>
#include <string.h>

#include "model.h"

const char *const model_names[2][MODEL_TABLES] = {
	{ "riscv,event-to-mhpmevent", "riscv,event-to-mhpmcounters",
	  "riscv,raw-event-to-mhpmcounters" },
	{ "pmu,event-to-mhpmevent", "pmu,event-to-mhpmcounters", "pmu,raw-event-to-mhpmcounters" },
};

void model_init(struct model *m)
{
	int i;

	memset(m, 0, sizeof(*m));
	m->node = -1;
	for (i = 0; i < MODEL_TABLES; i++)
		m->name[i] = model_names[0][i];
}

void model_free(struct model *m)
{
	free(m->selector);
	free(m->range);
	free(m->raw);
	free(m->finding);
}

void model_add_selector(struct model *m, uint32_t event, uint64_t selector)
{
	m->selector = model_grow(m->selector, m->selectors, sizeof(*m->selector));
	m->selector[m->selectors++] = (struct model_selector){ event, selector };
	m->has_selectors = 1;
}

void model_add_counters(struct model *m, uint32_t first, uint32_t last, uint32_t counters)
{
	m->range = model_grow(m->range, m->ranges, sizeof(*m->range));
	m->range[m->ranges++] = (struct model_range){ first, last, counters };
}

void model_add_raw(struct model *m, uint64_t select, uint64_t mask, uint32_t counters)
{
	m->raw = model_grow(m->raw, m->raws, sizeof(*m->raw));
	m->raw[m->raws++] = (struct model_raw){ select, mask, counters };
}

static struct model_finding *found(struct model *m, const char *code, int severity, int table,
				   uint32_t row, uint64_t value)
{
	m->finding = model_grow(m->finding, m->findings, sizeof(*m->finding));
	m->finding[m->findings] =
		(struct model_finding){ code, severity, m->node,      m->name[table],
					row,  NULL,     MODEL_NO_ROW, value };
	return &m->finding[m->findings++];
}

/* Returns whether it was found. */
static int warn(struct model *m, int holds, const char *code, int table, uint32_t row,
		uint64_t value)
{
	if (holds)
		found(m, code, MODEL_WARNING, table, row, value);
	return holds;
}

/* Sets the other row of the latest finding. */
static void with(struct model *m, int table, uint32_t row)
{
	m->finding[m->findings - 1].other_property = m->name[table];
	m->finding[m->findings - 1].other = row;
}

/* ---- look-ups -------------------------------------------------------------------------------- */

int model_valid(uint32_t event)
{
	if (event >= 1 && event <= 10)
		return 1;
	if (event < 0x10000 || event > 0x1ffff)
		return 0;
	event -= 0x10000;
	return event / 8 < 7 && event / 2 % 4 < 3;
}

static int kept(const struct model_range *r)
{
	return r->first <= r->last && r->first < MODEL_EVENTS;
}

static int covers(const struct model_range *r, uint32_t event)
{
	return kept(r) && r->first <= event && event <= r->last;
}

/* The row whose selector applies: the event's first. */
static uint32_t selector_row(const struct model *m, uint32_t event)
{
	uint32_t i;

	for (i = 0; i < m->selectors && event < MODEL_EVENTS; i++)
		if (m->selector[i].event == event)
			return i;
	return MODEL_NO_ROW;
}

int model_selector(const struct model *m, uint32_t event, uint64_t *selector)
{
	uint32_t row = selector_row(m, event);

	if (row == MODEL_NO_ROW)
		return 0;
	*selector = m->selector[row].selector;
	return 1;
}

uint32_t model_counters(const struct model *m, uint32_t event)
{
	uint32_t i, counters = 0;

	for (i = 0; i < m->ranges && event < MODEL_EVENTS; i++)
		if (covers(&m->range[i], event))
			counters |= m->range[i].counters;
	return counters;
}

uint32_t model_raw_counters(const struct model *m, uint64_t raw)
{
	uint32_t i, counters = 0;

	for (i = 0; i < m->raws; i++)
		if ((raw & m->raw[i].mask) == m->raw[i].select)
			counters |= m->raw[i].counters;
	return counters;
}

uint64_t model_data(uint32_t event, uint64_t data)
{
	uint32_t bits = event >> 16 == 2 ? 48 : event >> 16 == 3 ? 56 : 64;

	return data & UINT64_MAX >> (64 - bits);
}

int model_encode(const struct model *m, uint32_t event, uint64_t data, unsigned rule,
		 uint64_t *mhpmevent)
{
	if (event == 0x20000 || event == 0x30000) {
		*mhpmevent = model_data(event, data);
		return 1;
	}
	if (model_selector(m, event, mhpmevent))
		return 1;
	if (!model_valid(event) ||
	    (rule != MODEL_RULE_ALWAYS && (rule != MODEL_RULE_ABSENT || m->has_selectors)))
		return 0;
	*mhpmevent = event;
	return 1;
}

void model_paint(const struct model *m, struct paint *p)
{
	uint32_t i, event;

	memset(p->counters, 0, sizeof(p->counters));
	memset(p->has, 0, sizeof(p->has));
	for (i = 0; i < m->ranges; i++)
		for (event = m->range[i].first; event < MODEL_EVENTS && event <= m->range[i].last;
		     event++)
			p->counters[event] |= m->range[i].counters;
	for (i = m->selectors; i-- > 0;)
		if (m->selector[i].event < MODEL_EVENTS) {
			p->has[m->selector[i].event] = 1;
			p->selector[m->selector[i].event] = m->selector[i].selector;
		}
}

int model_same_as_next(const struct paint *p, uint32_t e)
{
	return p->counters[e] == p->counters[e + 1] && p->has[e] == p->has[e + 1] &&
	       p->selector[e] == p->selector[e + 1];
}

/* ---- picking and assigning ------------------------------------------------------------------- */

uint32_t model_candidates(const struct model *m, uint32_t event, uint64_t data, uint32_t features)
{
	uint32_t counters;

	if (event == 0x20000 || event == 0x30000)
		return model_raw_counters(m, model_data(event, data)) & ~7u;
	if (event >= 0x20000)
		return 0;
	counters = model_counters(m, event) & ~7u;
	if ((event == 1 || event == 2) &&
	    (!(features & MODEL_FILTER) || (features & MODEL_SMCNTRPMF)))
		counters |= event == 1 ? 1 : 4;
	return counters;
}

int model_best(uint32_t counters, uint32_t features)
{
	int i;

	if ((features & MODEL_CAN_INTERRUPT) && (counters & ~7u))
		counters &= ~7u;
	for (i = 0; !(counters >> i & 1); i++)
		;
	return i;
}

uint32_t model_assign(const uint32_t *candidates, uint32_t n, uint32_t free)
{
	uint32_t set, i, best = n;

	for (set = 1; set < 1u << n; set++) {
		uint32_t reach = 0, placed = n;

		for (i = 0; i < n; i++)
			if (set >> i & 1) {
				reach |= candidates[i] & free;
				placed--;
			}
		for (; reach; reach &= reach - 1)
			placed++;
		best = placed < best ? placed : best;
	}
	return best;
}

/* ---- findings about the rows ----------------------------------------------------------------- */

static void check_selector(struct model *m, uint32_t i)
{
	uint32_t event = m->selector[i].event, first = selector_row(m, event);
	uint64_t selector = m->selector[i].selector;

	if (event >= MODEL_EVENTS) {
		found(m, "event-wide", MODEL_ERROR, MODEL_SELECTOR, i, event);
		return;
	}
	if (first != i) {
		int alike = m->selector[first].selector == selector;

		found(m, "selector-duplicate", alike ? MODEL_WARNING : MODEL_ERROR, MODEL_SELECTOR,
		      i, event);
		with(m, MODEL_SELECTOR, first);
		return;
	}
	warn(m, !model_valid(event), "event-invalid", MODEL_SELECTOR, i, event);
	warn(m, event != 1 && event != 2 && !model_counters(m, event), "selector-orphan",
	     MODEL_SELECTOR, i, event);
	if (!warn(m, selector >> 56 != 0, "selector-bits", MODEL_SELECTOR, i, selector))
		warn(m, selector && !(selector & 0xffffffff), "selector-reversed", MODEL_SELECTOR,
		     i, selector);
}

static void check_events_of_range(struct model *m, uint32_t row)
{
	const struct model_range *r = &m->range[row];
	uint32_t invalid = r->first;

	if (warn(m, r->last >= 0x20000, "range-raw", MODEL_COUNTERS, row,
		 r->first > 0x20000 ? r->first : 0x20000))
		return;
	while (invalid <= r->last && model_valid(invalid))
		invalid++;
	if (invalid <= r->last)
		found(m, "event-invalid", invalid == r->first ? MODEL_WARNING : MODEL_NOTE,
		      MODEL_COUNTERS, row, invalid);
}

static int has_counters(const struct model_range *r)
{
	return kept(r) && r->counters;
}

/* The order of ranges: by first event, then as in the table. */
static int is_before(const struct model *m, uint32_t a, uint32_t b)
{
	return m->range[a].first < m->range[b].first ||
	       (m->range[a].first == m->range[b].first && a < b);
}

/* Of the rows before this one, the one that reaches furthest. */
static void check_overlap(struct model *m, uint32_t row)
{
	const struct model_range *r = m->range;
	uint32_t i, far = MODEL_NO_ROW;

	for (i = 0; i < m->ranges; i++)
		if (has_counters(&r[i]) && is_before(m, i, row) &&
		    (far == MODEL_NO_ROW || r[i].last > r[far].last ||
		     (r[i].last == r[far].last && is_before(m, i, far))))
			far = i;
	if (far == MODEL_NO_ROW || r[row].first > r[far].last)
		return;
	found(m, "range-overlap", MODEL_WARNING, MODEL_COUNTERS, row > far ? row : far,
	      r[row].first);
	with(m, MODEL_COUNTERS, row > far ? far : row);
}

/* A row without counters has no other findings. */
static void check_range(struct model *m, uint32_t row)
{
	const struct model_range *r = &m->range[row];
	uint32_t fixed =
		(r->first == 1 && r->last == 1 ? 0 : 1) | (r->first == 2 && r->last == 2 ? 0 : 4);

	if (r->first > r->last) {
		found(m, "range-reversed", MODEL_ERROR, MODEL_COUNTERS, row, r->first);
	} else if (r->first >= MODEL_EVENTS) {
		found(m, "event-wide", MODEL_ERROR, MODEL_COUNTERS, row, r->first);
	} else if (!warn(m, !r->counters, "counters-empty", MODEL_COUNTERS, row, r->first)) {
		warn(m, r->last >= MODEL_EVENTS, "event-wide", MODEL_COUNTERS, row, r->last);
		check_events_of_range(m, row);
		warn(m, (r->counters & 2) != 0, "time-bit", MODEL_COUNTERS, row, r->counters);
		warn(m, (r->counters & fixed) != 0, "fixed-bit", MODEL_COUNTERS, row, r->counters);
		check_overlap(m, row);
	}
}

/* The first range with counters that has this event. */
static uint32_t first_cover(const struct model *m, uint32_t event)
{
	uint32_t i, first = MODEL_NO_ROW;

	for (i = 0; i < m->ranges; i++)
		if (has_counters(&m->range[i]) && covers(&m->range[i], event) &&
		    (first == MODEL_NO_ROW || is_before(m, i, first)))
			first = i;
	return first;
}

/* Rows that match nothing or have no counter conflict with nothing. */
static int counts(const struct model_raw *r)
{
	return !(r->select & ~r->mask) && r->counters;
}

/* An event without a selector while others have one; row: the first that covers it. */
static void check_orphan(struct model *m, uint32_t event, uint32_t row, int again)
{
	uint32_t i, other = MODEL_NO_ROW;
	int table = MODEL_SELECTOR;

	warn(m, !again, "counters-orphan", MODEL_COUNTERS, row, event);
	for (i = m->selectors; i-- > 0;)
		if (selector_row(m, m->selector[i].event) == i && m->selector[i].selector == event)
			other = i;
	for (i = 0; i < m->raws && other == MODEL_NO_ROW; i++)
		if (counts(&m->raw[i]) && (event & m->raw[i].mask) == m->raw[i].select) {
			table = MODEL_RAW;
			other = i;
		}
	if (warn(m, other != MODEL_NO_ROW, "default-collision", MODEL_COUNTERS, row, event))
		with(m, table, other);
}

/* All hardware and cache events are among these 128 codes. */
static void check_events(struct model *m)
{
	uint32_t i, orphan = MODEL_NO_ROW;

	for (i = 0; i < 128; i++) {
		uint32_t event = (i / 64) << 16 | i % 64, row = first_cover(m, event);

		if (!model_valid(event) || row == MODEL_NO_ROW)
			continue;
		if (event <= 2 && !(model_counters(m, event) & ~7u)) {
			found(m, "fixed-only", MODEL_NOTE, MODEL_COUNTERS, row, event);
			continue;
		}
		if (m->has_selectors && selector_row(m, event) == MODEL_NO_ROW) {
			check_orphan(m, event, row, row == orphan);
			orphan = row;
		}
	}
}

int model_raw_overlap(const struct model *m, uint32_t a, uint32_t b)
{
	const struct model_raw *x = &m->raw[a], *y = &m->raw[b];

	if (!counts(x) || !counts(y) || ((x->select ^ y->select) & x->mask & y->mask))
		return 0;
	return x->select == y->select && x->mask == y->mask ? MODEL_ALIKE : MODEL_OVERLAP;
}

/* Returns whether the mask ignores raw-event bits on both sides of a bit that must be 1. */
static int wide(const struct model_raw *r)
{
	int bit, low = 0, seen = 0;

	for (bit = 0; bit < 56; bit++) {
		if (!(r->mask >> bit & 1)) {
			if (seen)
				return 1;
			low = 1;
		} else if (low && (r->select >> bit & 1)) {
			seen = 1;
		}
	}
	return 0;
}

/*
 * Returns whether exchanging the mask's cells would explain it: the upper cell has a 0 below a 1,
 * the lower one has no 0, and the exchanged mask covers each 1 in the select's lower cell.
 */
static int reversed(uint64_t select, uint64_t mask)
{
	int bit, ignored = 0;

	if ((uint32_t)mask != 0xffffffff || (uint32_t)select & ~(uint32_t)(mask >> 32))
		return 0;
	for (bit = 32; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			ignored = 1;
		else if (ignored)
			return 1;
	}
	return 0;
}

static void check_raw(struct model *m, uint32_t i)
{
	const struct model_raw *r = &m->raw[i];

	if (r->select & ~r->mask) {
		found(m, "raw-dead", MODEL_ERROR, MODEL_RAW, i, r->select);
		return;
	}
	if (warn(m, !r->counters, "counters-empty", MODEL_RAW, i, r->select))
		return;
	warn(m, (r->counters & 2) != 0, "time-bit", MODEL_RAW, i, r->counters);
	warn(m, (r->counters & 5) != 0, "fixed-bit", MODEL_RAW, i, r->counters);
	if (!warn(m, reversed(r->select, r->mask), "mask-reversed", MODEL_RAW, i, r->mask))
		warn(m, wide(r), "raw-wide", MODEL_RAW, i, r->mask);
	if (!warn(m, r->select >> 56 != 0, "raw-unreachable", MODEL_RAW, i, r->select))
		warn(m, r->select % (1ull << 32) == 0 && r->mask % (1ull << 32) & r->select >> 32,
		     "selector-reversed", MODEL_RAW, i, r->select);
}

/* Whether events 1 and 2 lack a row in a tree that describes other events. */
static void check_fixed(struct model *m)
{
	int cycles = !model_counters(m, 1), instructions = !model_counters(m, 2);

	if ((cycles || instructions) && (m->node >= 0 || m->selectors + m->ranges + m->raws))
		found(m, "fixed-missing", MODEL_WARNING, 0, MODEL_NO_ROW,
		      (uint64_t)(2 * cycles + 4 * instructions))
			->property = NULL;
}

void model_check(struct model *m)
{
	uint32_t i;

	check_fixed(m);
	for (i = 0; i < m->selectors; i++)
		check_selector(m, i);
	for (i = 0; i < m->ranges; i++)
		check_range(m, i);
	check_events(m);
	for (i = 0; i < m->raws; i++)
		check_raw(m, i);
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* Old versions of libfdt return negative lengths; treat these as missing too. */
const unsigned char *model_property(const void *fdt, int node, const char *name, uint32_t *bytes)
{
	int len = 0;
	const void *p = fdt_getprop(fdt, node, name, &len);

	*bytes = p && len > 0 ? (uint32_t)len : 0;
	return p && len >= 0 ? p : NULL;
}

const char *model_string(const void *fdt, int node, const char *name)
{
	uint32_t bytes;
	const unsigned char *p = model_property(fdt, node, name, &bytes);

	return p && memchr(p, 0, bytes) ? (const char *)p : NULL;
}

uint32_t model_address_cells(const void *fdt, int node)
{
	uint32_t bytes;
	const unsigned char *p = model_property(fdt, node, "#address-cells", &bytes);

	return bytes < 4 ? 2 : model_cell(p);
}

/* Returns whether a list of strings has this one, complete. */
static int is_listed(const char *text, const char *list, uint32_t size)
{
	uint32_t i, n = (uint32_t)strlen(text) + 1;

	for (i = 0; i + n <= size; i++)
		if ((i == 0 || !list[i - 1]) && !memcmp(list + i, text, n))
			return 1;
	return 0;
}

static int is_okay(const char *status, uint32_t size)
{
	return is_listed("okay", status, size) || is_listed("ok", status, size);
}

static int is_pmu(const void *fdt, int node)
{
	uint32_t size;
	const unsigned char *p = model_property(fdt, node, "compatible", &size);

	return p && is_listed("riscv,pmu", (const char *)p, size);
}

/* Returns whether a node has this table, by either name. */
static int has_table(const void *fdt, int node, int table)
{
	uint32_t size;

	return model_property(fdt, node, model_names[0][table], &size) ||
	       model_property(fdt, node, model_names[1][table], &size);
}

/* Returns whether a node has properties of the 2018 to 2020 drafts and no tables. */
static int is_foreign(const void *fdt, int node)
{
	int i, at, draft = 0;

	for (i = 0; i < MODEL_TABLES; i++)
		if (has_table(fdt, node, i))
			return 0;
	fdt_for_each_property_offset(at, fdt, node)
	{
		const char *name = NULL;

		if (fdt_getprop_by_offset(fdt, at, &name, NULL) && name)
			draft |= !strncmp(name, "riscv,hw-", 9) ||
				 !strncmp(name, "riscv,width-", 12);
	}
	return draft;
}

static uint32_t cell(const unsigned char *p, uint32_t i)
{
	return model_cell(p + 4 * i);
}

static uint64_t cells(const unsigned char *p, uint32_t i)
{
	return (uint64_t)cell(p, i) << 32 | cell(p, i + 1);
}

static void read_row(struct model *m, int table, int legacy, const unsigned char *p)
{
	if (table == MODEL_SELECTOR)
		model_add_selector(m, cell(p, 0), cells(p, 1));
	else if (table == MODEL_COUNTERS)
		model_add_counters(m, cell(p, 0), cell(p, 1), cell(p, 2));
	else if (legacy)
		model_add_raw(m, cells(p, 0), UINT64_MAX, cell(p, 2));
	else
		model_add_raw(m, cells(p, 0), cells(p, 2), cell(p, 4));
}

static void read_table(struct model *m, const void *fdt, int table)
{
	int legacy = 0;
	uint32_t size, at, row = 12;
	const unsigned char *p = model_property(fdt, m->node, model_names[0][table], &size);

	if (!p) {
		p = model_property(fdt, m->node, model_names[1][table], &size);
		if (!p)
			return;
		legacy = 1;
		m->name[table] = model_names[1][table];
		found(m, "legacy-prefix", MODEL_WARNING, table, MODEL_NO_ROW, 0);
	}
	if (table == MODEL_SELECTOR)
		m->has_selectors = 1;
	if (table == MODEL_RAW && !legacy)
		row = 20;
	if (table == MODEL_RAW && legacy)
		found(m, "legacy-raw3", MODEL_WARNING, table, MODEL_NO_ROW, size / row);
	if (size % row)
		found(m, "trailing-bytes", MODEL_WARNING, table, MODEL_NO_ROW, size % row);
	for (at = 0; size - at >= row; at += row)
		read_row(m, table, legacy, p + at);
}

/* A name normalised for comparison: letters after the prefix, without those that people mix up. */
static void simplify(const char *name, char *to)
{
	const char *comma;

	if (!strncmp(name, "riscv", 5))
		name += 5;
	comma = strrchr(name, ',');
	for (name = comma ? comma + 1 : name; *name; name++)
		if (!strchr("-_sS", *name))
			*to++ = (char)(*name >= 'A' && *name <= 'Z' ? *name + 32 : *name);
	*to = 0;
}

/* Returns whether replacing up to two adjacent letters makes the names equal. */
static int near_text(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), at, x, y;

	for (at = 0; at <= n && at <= m && !strncmp(a, b, at); at++)
		for (x = 0; x <= 2 && at + x <= n; x++)
			for (y = 0; y <= 2 && at + y <= m; y++)
				if (!strcmp(a + at + x, b + at + y))
					return 1;
	return 0;
}

/* The table that a misspelt name most likely means, or MODEL_TABLES. Too long names mean none. */
static int near_table(const char *name)
{
	char mine[64], its[64];
	int table;

	for (table = 0; table < MODEL_TABLES; table++)
		if (!strcmp(name, model_names[0][table]) || !strcmp(name, model_names[1][table]))
			return MODEL_TABLES;
	if (strlen(name) > 48 + (strncmp(name, "riscv", 5) ? 0 : 5))
		return MODEL_TABLES;
	simplify(name, mine);
	for (table = MODEL_TABLES - 1; table >= 0; table--) { /* "rw-event-..." is near to two */
		simplify(model_names[0][table], its);
		if (near_text(mine, its))
			return table;
	}
	return MODEL_TABLES;
}

/* Properties of the node in use that are no tables. */
static void check_properties(struct model *m, const void *fdt)
{
	int at;

	fdt_for_each_property_offset(at, fdt, m->node)
	{
		int len = 0, table, exists;
		const char *name = NULL, *value = fdt_getprop_by_offset(fdt, at, &name, &len);

		if (!value || !name)
			continue;
		table = near_table(name);
		exists = table < MODEL_TABLES && has_table(fdt, m->node, table);
		if (table < MODEL_TABLES)
			found(m, "property-unknown", exists ? MODEL_WARNING : MODEL_ERROR, 0,
			      MODEL_NO_ROW, (uint64_t)table)
				->property = name;
		else if (!strcmp(name, "status") && !is_okay(value, (uint32_t)len))
			found(m, "node-disabled", MODEL_NOTE, 0, MODEL_NO_ROW, 0)->property = name;
	}
}

static struct model_finding *node_finding(struct model *m, const char *name, int node,
					  const char *property, uint64_t value)
{
	struct model_finding *f = found(m, name, MODEL_WARNING, 0, MODEL_NO_ROW, value);

	f->node = node;
	f->property = property;
	return f;
}

/* ---- harts ----------------------------------------------------------------------------------- */

/* The phandle of the first interrupt controller that is a child of the hart; 0 if none. */
static uint32_t controller_of(const void *fdt, int hart)
{
	uint32_t size, phandle = 0;
	int node;

	fdt_for_each_subnode(node, fdt, hart)
	{
		const unsigned char *p = model_property(fdt, node, "phandle", &size);

		if (!phandle && fdt_getprop(fdt, node, "interrupt-controller", NULL) && size >= 4)
			phandle = cell(p, 0);
	}
	return phandle;
}

/* A child of /cpus that is a cpu and has a complete reg is a hart. Returns 0 for other nodes. */
static int hart_id(const void *fdt, int node, uint32_t n, uint64_t *id)
{
	uint32_t size, type;
	const char *name = fdt_get_name(fdt, node, NULL);
	const unsigned char *p = model_property(fdt, node, "reg", &size);
	const unsigned char *cpu = model_property(fdt, node, "device_type", &type);

	if (n < 1 || n > 2 || size < 4 * n)
		return 0;
	if (strcmp(name, "cpu") && strncmp(name, "cpu@", 4) && (type < 4 || memcmp(cpu, "cpu", 4)))
		return 0;
	*id = n == 2 ? cells(p, 0) : cell(p, 0);
	return 1;
}

static int is_enabled(const void *fdt, int node)
{
	uint32_t size;
	const char *p = (const char *)model_property(fdt, node, "status", &size);

	return !p || is_okay(p, size);
}

uint32_t model_harts(const void *fdt, struct model_hart **harts)
{
	int cpus, node;
	uint32_t n = 0;
	uint64_t id;

	*harts = NULL;
	fdt_for_each_subnode(cpus, fdt, 0)
	{
		const char *name = fdt_get_name(fdt, cpus, NULL);

		if (!name || strcmp(name, "cpus"))
			continue;
		fdt_for_each_subnode(node, fdt, cpus)
		{
			if (!hart_id(fdt, node, model_address_cells(fdt, cpus), &id))
				continue;
			*harts = model_grow(*harts, n, sizeof(**harts));
			(*harts)[n].id = id;
			(*harts)[n].node = node;
			(*harts)[n].phandle = controller_of(fdt, node);
			(*harts)[n++].server = -1;
		}
	}
	return n;
}

/* Whether a hart has an extension: in the list, or in the ISA string behind its single letters. */
static int has_extension(const void *fdt, int hart, const char *extension)
{
	uint32_t size, length = (uint32_t)strlen(extension), i;
	const char *list = (const char *)model_property(fdt, hart, "riscv,isa-extensions", &size);
	char text[4096] = "", *word;

	if (list)
		return is_listed(extension, list, size);
	list = (const char *)model_property(fdt, hart, "riscv,isa", &size);
	for (i = 0; list && i < size && i + 1 < sizeof(text); i++)
		text[i] = (char)(list[i] >= 'A' && list[i] <= 'Z' ? list[i] + 32 : list[i]);
	for (word = strpbrk(text, "_sxz"); word; word = strchr(word, '_')) {
		word += *word == '_';
		if (!strncmp(word, extension, length) &&
		    strchr("_0123456789", word[length])) /* or its end */
			return 1;
	}
	return 0;
}

uint32_t model_features(const void *fdt, const struct model_hart *hart)
{
	uint32_t features = 0;

	if (has_extension(fdt, hart->node, "sscofpmf"))
		features |= MODEL_SSCOFPMF;
	if (has_extension(fdt, hart->node, "smcntrpmf"))
		features |= MODEL_HART_SMCNTRPMF;
	if (has_extension(fdt, hart->node, "smcdeleg") && has_extension(fdt, hart->node, "ssccfg"))
		features |= MODEL_DELEGATED;
	return features;
}

/* The index of the entry that refers to a controller; negative if there is none. */
static int entry_of(const void *fdt, int node, uint32_t phandle)
{
	uint32_t size, i;
	const unsigned char *p = model_property(fdt, node, "interrupts-extended", &size);

	for (i = 0; phandle && p && i < size / 8; i++)
		if (cell(p, 2 * i) == phandle)
			return (int)i;
	return -1;
}

static int has_entries(const void *fdt, int node)
{
	uint32_t size;

	return model_property(fdt, node, "interrupts-extended", &size) != NULL;
}

int model_node_of(const void *fdt, const struct model_hart *hart)
{
	int node, rest = -1;

	for (node = fdt_next_node(fdt, -1, NULL); node >= 0;
	     node = fdt_next_node(fdt, node, NULL)) {
		if (!is_pmu(fdt, node) || is_foreign(fdt, node))
			continue;
		if (entry_of(fdt, node, hart->phandle) >= 0)
			return node;
		if (rest < 0 && !has_entries(fdt, node))
			rest = node;
	}
	return rest;
}

/* Which harts a node serves among those it names, i.e. where it is the first to do so. */
static void check_served(struct model *m, const void *fdt, int node, struct model_hart *harts,
			 uint32_t n)
{
	uint32_t size, row, i, known = 0;
	const unsigned char *p = model_property(fdt, node, "interrupts-extended", &size);

	for (row = 0; row < size / 8; row++) {
		uint32_t phandle = cell(p, 2 * row), before = 0;

		for (i = 0; i < n && (!phandle || harts[i].phandle != phandle); i++)
			;
		if (i == n)
			continue;
		known++;
		while (cell(p, 2 * before) != phandle)
			before++;
		/* Once for each phandle. */
		if (harts[i].server >= 0 && harts[i].server != node && before == row)
			node_finding(m, "hart-shared", node, "interrupts-extended",
				     (uint64_t)harts[i].server)
				->row = row;
		for (; i < n; i++)
			if (harts[i].phandle == phandle && harts[i].server < 0)
				harts[i].server = node;
	}
	if (!known && n)
		node_finding(m, "harts-unknown", node, "interrupts-extended", 0);
}

/* Nodes and harts that have no connection; want: the node to read, or 0. */
static void check_nodes(struct model *m, const void *fdt, int want)
{
	struct model_hart *harts;
	uint32_t all = model_harts(fdt, &harts), n = 0, i;
	int node, named = 0, rest = want > 0 && !has_entries(fdt, want) ? want : -1;

	for (i = 0; i < all; i++)
		if (is_enabled(fdt, harts[i].node))
			harts[n++] = harts[i];
	for (node = fdt_next_node(fdt, -1, NULL); node >= 0;
	     node = fdt_next_node(fdt, node, NULL)) {
		if (!is_pmu(fdt, node))
			continue;
		if (is_foreign(fdt, node)) {
			if (want <= 0 || node != want)
				node_finding(m, "foreign-node", node, NULL, 0);
		} else if (has_entries(fdt, node)) {
			named = 1;
			check_served(m, fdt, node, harts, n);
		} else if (rest < 0) {
			rest = node;
		} else if (rest != node) {
			node_finding(m, "extra-node", node, NULL, (uint64_t)rest);
		}
	}
	for (i = 0; named && rest < 0 && i < n; i++)
		if (harts[i].server < 0)
			node_finding(m, "hart-unserved", harts[i].node, NULL, 0);
	free(harts);
}

int model_read(struct model *m, const void *fdt, int want)
{
	int node, use = want > 0 ? want : -1;
	int table;

	for (node = fdt_next_node(fdt, -1, NULL); use < 0 && node >= 0;
	     node = fdt_next_node(fdt, node, NULL))
		if (is_pmu(fdt, node) && !is_foreign(fdt, node))
			use = node;
	check_nodes(m, fdt, want);
	if (use < 0)
		return 0;
	m->node = use;
	check_properties(m, fdt);
	for (table = 0; table < MODEL_TABLES; table++)
		read_table(m, fdt, table);
	return 1;
}
