/* SPDX-License-Identifier: BSD-2-Clause */
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

#include "imc_model.h"

static void found(struct imc_model *m, const char *code, int severity, int node, uint32_t row,
		  uint32_t other, uint64_t value)
{
	m->finding = model_grow(m->finding, m->findings, sizeof(*m->finding));
	m->finding[m->findings++] =
		(struct model_finding){ code, severity, node, NULL, row, NULL, other, value };
}

static void error(struct imc_model *m, const char *code, int node, uint64_t value)
{
	found(m, code, MODEL_ERROR, node, MODEL_NO_ROW, MODEL_NO_ROW, value);
}

static void warning(struct imc_model *m, const char *code, int node, uint64_t value)
{
	found(m, code, MODEL_WARNING, node, MODEL_NO_ROW, MODEL_NO_ROW, value);
}

/* ---- properties ------------------------------------------------------------------------------ */

/* The first cell of a property. Returns 0 if there is none. */
static int cell(const void *fdt, int node, const char *name, uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = model_property(fdt, node, name, &bytes);

	if (bytes >= 4)
		*value = model_cell(p);
	return bytes >= 4;
}

static const char *text(const void *fdt, int node, const char *name)
{
	const char *s = model_string(fdt, node, name);

	return s && *s ? s : NULL;
}

/*
 * The rest of the first string in "compatible" that starts with this prefix; exact: nothing
 * follows.
 */
static const char *compatible(const void *fdt, int node, const char *beginning, int exact)
{
	size_t n = strlen(beginning);
	int bytes = 0;
	const char *s = fdt_getprop(fdt, node, "compatible", &bytes), *end = s ? s + bytes : s;

	while (s && s < end && memchr(s, 0, (size_t)(end - s))) {
		if (!strncmp(s, beginning, n) && (!exact || !s[n]))
			return s + n;
		s += strlen(s) + 1;
	}
	return NULL;
}

/* A scale's text is present, but empty. */
static void empty_texts(struct imc_model *m, int node)
{
	static const char *const names[] = { "scale", "unit" };
	int i;

	for (i = 0; i < 2; i++) {
		const char *s = model_string(m->fdt, node, names[i]);

		if (s && !*s)
			warning(m, "scale-empty", node, 0);
	}
}

/* 1: the property has one cell. 0: it is missing. -1: it has another size. */
static int one_cell(struct imc_model *m, int node, const char *name, uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = model_property(m->fdt, node, name, &bytes);

	if (p && bytes != 4) {
		error(m, "cell-width", node, bytes);
		return -1;
	}
	if (p)
		*value = model_cell(p);
	return p != NULL;
}

/* ---- lists of events ------------------------------------------------------------------------- */

static void read_event(struct imc_model *m, int node)
{
	const void *fdt = m->fdt;
	struct imc_model_event e = { model_string(fdt, node, "event-name"),
				     text(fdt, node, "scale"),
				     text(fdt, node, "unit"),
				     text(fdt, node, "desc"),
				     0,
				     m->events,
				     node };
	uint64_t mantissa;
	int32_t exponent;

	empty_texts(m, node);
	if (!e.name) {
		error(m, "name-missing", node, 0);
		return;
	}
	if (!*e.name)
		warning(m, "name-missing", node, 0);
	if (!cell(fdt, node, "reg", &e.reg)) {
		error(m, "reg-missing", node, 0);
		return;
	}
	if (e.scale && !imc_model_scale(e.scale, &mantissa, &exponent))
		warning(m, "scale-bad", node, 0);
	m->event = model_grow(m->event, m->events, sizeof(e));
	m->event[m->events++] = e;
}

static int event_order(const void *a, const void *b)
{
	const struct imc_model_event *x = a, *y = b;

	if (x->reg != y->reg)
		return x->reg < y->reg ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static void read_list(struct imc_model *m, int node)
{
	const void *fdt = m->fdt;
	struct imc_model_list l = { 0, node, m->events, 0 };
	int child;

	if (!cell(fdt, node, "phandle", &l.phandle))
		cell(fdt, node, "linux,phandle", &l.phandle);
	if (l.phandle == ~0u)
		l.phandle = 0; /* libfdt rejects it */
	for (child = fdt_first_subnode(fdt, node); child >= 0;
	     child = fdt_next_subnode(fdt, child)) {
		if (!fdt_getprop(fdt, child, "event-name", NULL) &&
		    !fdt_getprop(fdt, child, "reg", NULL))
			continue;
		read_event(m, child);
	}
	l.events = m->events - l.first;
	if (l.events)
		qsort(m->event + l.first, l.events, sizeof(*m->event), event_order);
	m->list = model_grow(m->list, m->lists, sizeof(l));
	m->list[m->lists++] = l;
}

/* ---- units ----------------------------------------------------------------------------------- */

static int unit_type(struct imc_model *m, int node, const char *suffix, uint32_t *type)
{
	int found_type;

	*type = !strcmp(suffix, "-nest")     ? IMC_NEST
		: !strcmp(suffix, "-core")   ? IMC_CORE
		: !strcmp(suffix, "-thread") ? IMC_THREAD
					     : 0;
	found_type = one_cell(m, node, "type", type);
	if (found_type < 0)
		return 0;
	if (!found_type && !*type) {
		error(m, "type-missing", node, 0);
		return 0;
	}
	if (*type == IMC_NEST || *type == IMC_CORE || *type == IMC_THREAD || *type == IMC_TRACE)
		return 1;
	error(m, "type-unknown", node, *type);
	return 0;
}

static void add_chip(struct imc_model_unit *u, uint32_t chip, uint64_t base)
{
	u->chip = model_grow(u->chip, u->chips, sizeof(*u->chip));
	u->base = model_grow(u->base, u->chips, sizeof(*u->base));
	u->chip[u->chips] = chip;
	u->base[u->chips++] = base;
}

/* The property with either name. */
static const unsigned char *either(const void *fdt, int node, const char *name, const char *other,
				   uint32_t *bytes)
{
	const unsigned char *p = model_property(fdt, node, name, bytes);

	return p ? p : model_property(fdt, node, other, bytes);
}

static void read_chips(struct imc_model *m, struct imc_model_unit *u, int node)
{
	uint32_t k, bases, ids;
	const unsigned char *base = either(m->fdt, node, "base-addr", "base_addr", &bases);
	const unsigned char *id = either(m->fdt, node, "chip-id", "chipids", &ids);

	if (!base && !id)
		return;
	if (bases % 8 || ids % 4 || bases / 8 != ids / 4)
		warning(m, "chip-mismatch", node, ids / 4);
	for (k = 0; k < bases / 8 && k < ids / 4; k++)
		add_chip(u, model_cell(id + 4 * k),
			 (uint64_t)model_cell(base + 8 * k) << 32 | model_cell(base + 8 * k + 4));
}

/* A one-cell property of the root in old formats. */
static int root_cell(const void *fdt, int root, const char *name, uint32_t *value)
{
	uint32_t bytes;

	model_property(fdt, root, name, &bytes);
	return bytes == 4 && cell(fdt, root, name, value);
}

/*
 * root: root of an old format, which may apply to all nest units; negative for the current format.
 */
static void read_nest(struct imc_model *m, struct imc_model_unit *u, int node, int root)
{
	uint32_t size = 0, offset = 0;
	int all = root >= 0 && root_cell(m->fdt, root, "imc-nest-offset", &offset) &&
		  root_cell(m->fdt, root, "imc-nest-size", &size);
	int has_size, has_offset, has_control;

	u->offset = all ? offset : 0;
	u->size = all ? size : 0;
	has_size = one_cell(m, node, "size", &u->size);
	has_offset = one_cell(m, node, "offset", &u->offset);
	u->control = 0x3fc00;
	has_control = one_cell(m, node, "cb_offset", &u->control);
	if (has_control < 0)
		u->control = ~0u;
	if (has_size < 0 || has_offset < 0 || u->size == 0 || !(has_offset || all)) {
		if (has_size >= 0 && has_offset >= 0)
			error(m, "window-missing", node, 0);
		u->size = 0;
		return; /* without chips there are no addresses */
	}
	if (has_control > 0 && (uint64_t)u->control + 40 > u->size)
		warning(m, "control-range", node, u->control);
	read_chips(m, u, node);
}

static void read_unit(struct imc_model *m, int root, int node, const char *suffix)
{
	const void *fdt = m->fdt;
	struct imc_model_unit u = { .name = fdt_get_name(fdt, node, NULL), .node = node };
	uint64_t mantissa;
	int32_t exponent;
	int shared = fdt_getprop(fdt, node, "events", NULL) != NULL;

	if (*suffix && !m->old++)
		found(m, "old-format", MODEL_WARNING, node, MODEL_NO_ROW, MODEL_NO_ROW, 0);
	m->left_out++;
	if (!unit_type(m, node, suffix, &u.type))
		return;
	if (u.type == IMC_TRACE && (m->generation & 0x100))
		return;
	if (u.type == IMC_NEST && (m->generation & 0xff) &&
	    !imc_model_node_available(m->generation & 0xff, m->vector, u.name))
		return;
	if (!cell(fdt, node, "reg", &u.reg) && shared) {
		error(m, "reg-missing", node, 0);
		return;
	}
	/* A catalog has all units and no chips. Firmware removes units but keeps the lists. */
	if (fdt_parent_offset(fdt, root) < 0 && !fdt_getprop(fdt, node, "base-addr", NULL) &&
	    !fdt_getprop(fdt, node, "base_addr", NULL) &&
	    !fdt_getprop(fdt, node, "chip-id", NULL) && !fdt_getprop(fdt, node, "chipids", NULL))
		m->left_out--;
	empty_texts(m, node);
	u.prefix = model_string(fdt, node, "events-prefix");
	if (!u.prefix && shared)
		warning(m, "prefix-missing", node, 0);
	u.prefix = u.prefix ? u.prefix : "";
	u.scale = text(fdt, node, "scale");
	if (u.scale && !imc_model_scale(u.scale, &mantissa, &exponent))
		warning(m, "scale-bad", node, 0);
	u.measure = text(fdt, node, "unit");
	if (u.type == IMC_NEST)
		read_nest(m, &u, node, *suffix ? root : -1);
	else if (!one_cell(m, node, "size", &u.size) && !*suffix)
		warning(m, "window-missing", node, 0);
	m->unit = model_grow(m->unit, m->units, sizeof(u));
	m->unit[m->units++] = u;
}

/* Resolves each unit's list, after all lists are known. */
static void resolve(struct imc_model *m, struct imc_model_unit *u)
{
	uint32_t i, phandle = 0;

	u->list = MODEL_NO_ROW;
	cell(m->fdt, u->node, "events", &phandle);
	for (i = 0; i < m->lists && u->list == MODEL_NO_ROW; i++)
		if (phandle && m->list[i].phandle == phandle)
			u->list = i;
	if (u->list == MODEL_NO_ROW)
		warning(m, "events-missing", u->node, phandle);
}

/* A list in use. counted: by a unit other than a trace unit. */
static void check_list(struct imc_model *m, const struct imc_model_list *l, int counted)
{
	uint32_t i, j, end = l->first + l->events;

	if (!l->events)
		error(m, "list-empty", l->node, l->phandle);
	for (i = l->first; i < end; i++) {
		const struct imc_model_event *e = &m->event[i];

		if (counted && e->reg % 8)
			warning(m, "offset-align", e->node, e->reg);
		for (j = l->first; j < i && strcmp(e->name, m->event[j].name) != 0; j++)
			;
		if (j < i)
			warning(m, "name-duplicate", l->node, e->reg);
	}
}

static void check_lists(struct imc_model *m)
{
	uint32_t i, k;

	for (i = 0; i < m->lists; i++) {
		int used = 0, counted = 0;

		for (k = 0; k < m->units; k++) {
			used |= m->unit[k].list == i;
			counted |= m->unit[k].list == i && m->unit[k].type != IMC_TRACE;
		}
		if (used)
			check_list(m, &m->list[i], counted);
		else if (m->list[i].events && !m->left_out)
			warning(m, "list-unused", m->list[i].node, m->list[i].phandle);
	}
}

/* ---- counters -------------------------------------------------------------------------------- */

/* 1: counts. 0: dropped, with one finding per kind and unit. */
static int inside(struct imc_model *m, const struct imc_model_unit *u, uint32_t reg, int *overflow,
		  int *range)
{
	uint64_t offset = (uint64_t)u->reg + reg;

	if (offset > 0xffffffff) {
		if (!(*overflow)++)
			error(m, "reg-overflow", u->node, reg);
		return 0;
	}
	if (u->size && u->type != IMC_TRACE && offset + 8 > u->size) {
		if (!(*range)++)
			error(m, "offset-range", u->node, offset);
		return 0;
	}
	return 1;
}

static void add_counter(struct imc_model *m, uint32_t unit, const struct imc_model_event *e)
{
	const struct imc_model_unit *u = &m->unit[unit];
	struct imc_model_counter c = { unit,
				       u->reg + e->reg,
				       u->prefix,
				       e->name,
				       e->scale ? e->scale : u->scale,
				       e->measure ? e->measure : u->measure,
				       e->desc,
				       malloc(strlen(u->prefix) + strlen(e->name) + 1),
				       strlen(u->prefix) + strlen(e->name),
				       e->place };

	if (!c.full)
		abort();
	strcpy(c.full, u->prefix);
	strcat(c.full, e->name);
	m->counter = model_grow(m->counter, m->counters, sizeof(c));
	m->counter[m->counters++] = c;
}

static void expand(struct imc_model *m, uint32_t unit)
{
	struct imc_model_unit *u = &m->unit[unit];
	const struct imc_model_list *l = u->list == MODEL_NO_ROW ? NULL : &m->list[u->list];
	uint32_t i;
	int overflow = 0, range = 0, control = 0;

	u->first = m->counters;
	for (i = 0; l && i < l->events; i++) {
		const struct imc_model_event *e = &m->event[l->first + i];
		uint64_t at = (uint64_t)u->reg + e->reg;

		if (!inside(m, u, e->reg, &overflow, &range))
			continue;
		add_counter(m, unit, e);
		if (u->type == IMC_NEST && at + 8 > u->control && at < (uint64_t)u->control + 40 &&
		    !control++)
			warning(m, "control-overlap", u->node, at);
	}
	u->counters = m->counters - u->first;
}

/* ---- findings about all units together ------------------------------------------------------- */

static size_t base_length(const char *name)
{
	return strcspn(name, "@");
}

/* Two units that Linux would give the same name. */
static int alike(const struct imc_model *m, uint32_t a, uint32_t b)
{
	const struct imc_model_unit *u = &m->unit[a], *v = &m->unit[b];
	size_t n = base_length(u->name);

	return (u->type == IMC_NEST) == (v->type == IMC_NEST) && base_length(v->name) == n &&
	       strncmp(u->name, v->name, n) == 0;
}

static void check_units(struct imc_model *m)
{
	uint32_t i, j;

	for (i = 0; i < m->units; i++) {
		const struct imc_model_unit *u = &m->unit[i];

		if (u->type != IMC_TRACE && u->reg % 8)
			warning(m, "offset-align", u->node, u->reg);
		for (j = 0; j < i && !alike(m, i, j); j++)
			;
		if (j < i)
			found(m, "unit-duplicate", MODEL_WARNING, u->node, i, j, 0);
	}
}

/* An offset in the memory of a window or of one unit. */
struct place {
	uint64_t memory;
	uint32_t offset, counter;
};

static int place_order(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->memory != y->memory)
		return x->memory < y->memory ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->counter < y->counter ? -1 : x->counter > y->counter;
}

static uint64_t memory(const struct imc_model *m, uint32_t unit)
{
	const struct imc_model_unit *u = &m->unit[unit];

	return u->type == IMC_NEST && (u->size || u->offset) ? u->offset : 1ull << 32 | unit;
}

/* For n counters of one place: do any two names differ? If not, do two units share it? */
static void check_place(struct imc_model *m, const struct place *at, uint32_t n)
{
	const struct imc_model_counter *first = &m->counter[at->counter], *c;
	uint32_t i, other = 0, alias = 0;

	for (i = 1; i < n; i++) {
		c = &m->counter[at[i].counter];
		if (!other && strcmp(c->full, first->full) != 0)
			other = i;
		if (!alias && c->unit != first->unit)
			alias = i;
	}
	if (!other && !alias)
		return;
	c = &m->counter[at[other ? other : alias].counter];
	found(m, other ? "offset-clash" : "offset-alias", other ? MODEL_WARNING : MODEL_NOTE,
	      m->unit[c->unit].node, c->unit, first->unit, at->offset);
}

static void check_clashes(struct imc_model *m)
{
	struct place *all = malloc((m->counters + 1) * sizeof(*all));
	uint32_t i, k, n = 0;

	if (!all)
		abort();
	for (i = 0; i < m->counters; i++) {
		const struct imc_model_counter *c = &m->counter[i];

		if (m->unit[c->unit].type != IMC_TRACE)
			all[n++] = (struct place){ memory(m, c->unit), c->offset, i };
	}
	qsort(all, n, sizeof(*all), place_order);
	for (i = 0; i < n; i = k) {
		for (k = i + 1;
		     k < n && all[k].memory == all[i].memory && all[k].offset == all[i].offset;)
			k++;
		check_place(m, all + i, k - i);
	}
	free(all);
}

static int uses(const struct imc_model *m, uint32_t unit, uint64_t offset)
{
	uint32_t i, n = 0;

	for (i = 0; unit < m->units && i < m->unit[unit].counters; i++)
		n += m->counter[m->unit[unit].first + i].offset == offset;
	return (int)n;
}

int imc_model_same_finding(const void *model, const struct model_finding *got,
			   const struct model_finding *want)
{
	const struct imc_model *m = model;

	if (strcmp(got->code, want->code) != 0 || got->severity != want->severity ||
	    got->value != want->value)
		return 0;
	if (!strcmp(want->code, "offset-clash") || !strcmp(want->code, "offset-alias"))
		return uses(m, got->row, got->value) && uses(m, got->other, got->value) &&
		       (got->row != got->other || uses(m, got->row, got->value) > 1) &&
		       memory(m, got->row) == memory(m, want->row) &&
		       memory(m, got->other) == memory(m, want->row) &&
		       got->node == m->unit[got->row].node;
	if (!strcmp(want->code, "unit-duplicate") &&
	    (got->row != want->row || got->other >= got->row || !alike(m, got->row, got->other)))
		return 0;
	return got->node == want->node;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_root(struct imc_model *m, int root)
{
	int node;

	for (node = fdt_first_subnode(m->fdt, root); node >= 0;
	     node = fdt_next_subnode(m->fdt, node)) {
		const char *suffix = compatible(m->fdt, node, "ibm,imc-counters", 0);

		if (suffix)
			read_unit(m, root, node, suffix);
		else if (!compatible(m->fdt, node, "ibm,ima-counters", 0))
			read_list(m, node);
		else if (!m->old++) /* of 2016: not read */
			error(m, "old-format", node, 0);
	}
}

int imc_model_read(struct imc_model *m, const void *fdt, unsigned generation, uint64_t vector)
{
	uint32_t i;
	int node, depth = 0, root = -1;

	*m = (struct imc_model){ .fdt = fdt, .generation = generation, .vector = vector };
	for (node = 0; node >= 0 && depth >= 0; node = fdt_next_node(fdt, node, &depth)) {
		if (depth <= root)
			root = -1;
		if (root >= 0 || !compatible(fdt, node, "ibm,opal-in-memory-counters", 1))
			continue;
		root = depth; /* a node below is a list or a unit, whatever its properties say */
		m->roots++;
		read_root(m, node);
	}
	for (i = 0; i < m->units; i++)
		resolve(m, &m->unit[i]);
	check_lists(m);
	for (i = 0; i < m->units; i++)
		expand(m, i);
	check_units(m);
	check_clashes(m);
	return m->roots != 0;
}

void imc_model_free(struct imc_model *m)
{
	uint32_t i;

	for (i = 0; i < m->units; i++) {
		free(m->unit[i].chip);
		free(m->unit[i].base);
	}
	for (i = 0; i < m->counters; i++)
		free(m->counter[i].full);
	free(m->event);
	free(m->list);
	free(m->unit);
	free(m->counter);
	free(m->finding);
}

/* ---- look-ups -------------------------------------------------------------------------------- */

int imc_model_spelled(const struct imc_model *m, uint32_t unit, const char *text, size_t len)
{
	const struct imc_model_unit *u = &m->unit[unit];
	const char *before = u->type == IMC_NEST ? "nest_" : "";
	size_t n = strlen(before), base = base_length(u->name);

	if (len == strlen(u->name) && !memcmp(text, u->name, len))
		return 1;
	if (len == base && !memcmp(text, u->name, len))
		return 1;
	return len == n + base + 4 && !memcmp(text, before, n) &&
	       !memcmp(text + n, u->name, base) && !memcmp(text + n + base, "_imc", 4);
}

/* For two matches in unit order: whether the earlier one comes later. */
static int after(const struct imc_model *m, uint32_t a, uint32_t b)
{
	const struct imc_model_counter *x = &m->counter[a], *y = &m->counter[b];

	return strlen(x->prefix) < strlen(y->prefix);
}

/* Matches of a full name, limited to units with this name if given. */
static uint32_t find_name(const struct imc_model *m, const char *unit, size_t unit_len,
			  const char *name, size_t len, uint32_t *match, uint32_t max)
{
	uint32_t i, k, n = 0;

	for (i = 0; i < m->counters; i++) {
		if (m->counter[i].full_len != len || memcmp(m->counter[i].full, name, len) != 0)
			continue;
		if (unit && !imc_model_spelled(m, m->counter[i].unit, unit, unit_len))
			continue;
		for (k = n++; k && after(m, match[(k < max ? k : max) - 1], i); k--)
			if (k < max)
				match[k] = match[k - 1];
		if (k < max)
			match[k] = i;
	}
	return n;
}

uint32_t imc_model_find(const struct imc_model *m, const char *text, size_t len, uint32_t *match,
			uint32_t max)
{
	const char *slash = memchr(text, '/', len), *name;
	uint32_t n = find_name(m, NULL, 0, text, len, match, max);

	if (n || !slash)
		return n;
	name = slash + 1;
	len -= (size_t)(name - text);
	n = find_name(m, text, (size_t)(slash - text), name, len, match, max);
	if (n || !len || name[len - 1] != '/')
		return n;
	len--;
	return find_name(m, text, (size_t)(slash - text), name, len, match, max);
}

uint32_t imc_model_at(const struct imc_model *m, uint32_t unit, uint32_t offset, uint32_t *match,
		      uint32_t max)
{
	uint32_t i, n = 0;

	for (i = 0; i < m->counters; i++) {
		if (m->counter[i].offset != offset ||
		    (unit != MODEL_NO_ROW && m->counter[i].unit != unit))
			continue;
		if (n < max)
			match[n] = i;
		n++;
	}
	return n;
}

static int on_chip(const struct imc_model *m, uint32_t unit, uint32_t chip, uint64_t offset,
		   uint32_t bytes, uint64_t *phys)
{
	const struct imc_model_unit *u = &m->unit[unit];
	uint32_t i;

	if (u->type != IMC_NEST || (u->size && offset + bytes > u->size))
		return 0;
	for (i = 0; i < u->chips; i++) {
		uint64_t add = u->offset + offset;

		if (u->chip[i] != chip)
			continue;
		/* The last byte must have a valid address too. */
		if (u->base[i] > ~0ull - (add + bytes - 1))
			return 0;
		*phys = u->base[i] + add;
		return 1;
	}
	return 0;
}

int imc_model_address(const struct imc_model *m, uint32_t counter, uint32_t chip, uint64_t *phys)
{
	return on_chip(m, m->counter[counter].unit, chip, m->counter[counter].offset, 8, phys);
}

int imc_model_control(const struct imc_model *m, uint32_t unit, uint32_t chip, uint64_t *phys)
{
	return on_chip(m, unit, chip, m->unit[unit].control, 40, phys);
}

/* ---- scale ----------------------------------------------------------------------------------- */

/* Appends decimal digits to a number. Returns how many, or -1 on overflow. */
static int digits(const char **s, uint64_t *number)
{
	int n = 0;

	for (; **s >= '0' && **s <= '9'; n++, (*s)++) {
		uint64_t digit = (uint64_t)(**s - '0');

		if (*number > (~0ull - digit) / 10)
			return -1;
		*number = *number * 10 + digit;
	}
	return n;
}

int imc_model_scale(const char *scale, uint64_t *mantissa, int32_t *exponent)
{
	uint64_t number = 0, power = 0;
	int whole, part = 0, minus = 0;
	long e;

	whole = digits(&scale, &number);
	if (*scale == '.') {
		scale++;
		part = digits(&scale, &number);
	}
	if (whole < 0 || part < 0 || whole + part == 0)
		return 0;
	if (*scale == 'e' || *scale == 'E') {
		scale++;
		minus = *scale == '-';
		scale += *scale == '-' || *scale == '+';
		if (digits(&scale, &power) <= 0 || power > 100000000)
			return 0;
	}
	e = (minus ? -(long)power : (long)power) - part;
	if (*scale || !number || e < -9999 || e > 9999)
		return 0;
	*mantissa = number;
	*exponent = (int32_t)e;
	return 1;
}

/* ---- availability ---------------------------------------------------------------------------- */

/*
 * Units with consecutive numbers: their bits from the first on, or the first two of them; or the
 * value of each one's three bits; or none, because microcode never has them.
 */
static const struct {
	unsigned generation; /* 0: both */
	const char *name;
	uint32_t units;
	enum { BIT, EITHER, LINK, NEVER } how;
	uint32_t first; /* bit, or value */
} named[] = {
	{ 0, "mcs%u", 8, NEVER, 0 },   { 0, "mcs01", 1, EITHER, 1 },
	{ 0, "mcs23", 1, EITHER, 3 },  { 0, "mcs45", 1, EITHER, 5 },
	{ 0, "mcs67", 1, EITHER, 7 },  { 9, "powerbus%u", 1, BIT, 0 },
	{ 9, "mba%u", 8, BIT, 9 },     { 9, "centaur%u", 8, BIT, 17 },
	{ 9, "xlink%u", 3, BIT, 25 },  { 9, "mcd%u", 2, BIT, 28 },
	{ 9, "phb%u", 6, BIT, 30 },    { 9, "nx", 1, BIT, 36 },
	{ 9, "capp%u", 2, BIT, 37 },   { 9, "vas", 1, BIT, 39 },
	{ 9, "int", 1, BIT, 40 },      { 9, "alink%u", 4, BIT, 41 },
	{ 9, "nvlink%u", 6, BIT, 45 }, { 10, "pb", 1, BIT, 0 },
	{ 10, "pec%u", 2, BIT, 9 },    { 10, "phb%u", 6, BIT, 35 },
	{ 10, "phb%u_0", 6, BIT, 35 }, { 10, "phb%u_1", 6, BIT, 35 },
	{ 10, "phb%u_2", 6, BIT, 35 }, { 10, "ocmb%u", 16, BIT, 41 },
	{ 10, "nx", 1, BIT, 57 },      { 10, "xlink%u", 8, LINK, 5 },
	{ 10, "alink%u", 8, LINK, 6 }, { 10, "otl%u_0", 8, LINK, 7 },
	{ 10, "otl%u_1", 8, LINK, 7 },
};

static uint64_t bits_of(uint64_t vector, uint32_t last, uint64_t mask)
{
	return vector >> (63 - last) & mask;
}

static int base_available(unsigned generation, uint64_t vector, const char *base)
{
	char name[32];
	uint32_t n;
	size_t i;

	for (i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		for (n = 0; n < named[i].units; n++) {
			uint32_t first = named[i].first;

			if ((named[i].generation && named[i].generation != generation) ||
			    *named[i].name != *base) /* for speed: printing is slow */
				break;
			snprintf(name, sizeof(name), named[i].name, n);
			if (strcmp(name, base) != 0)
				continue;
			if (named[i].how == BIT)
				return (int)bits_of(vector, first + n, 1);
			if (named[i].how == EITHER)
				return bits_of(vector, first + 1, 3) != 0;
			return named[i].how == LINK && bits_of(vector, 13 + 3 * n, 7) == first;
		}
	return 1;
}

static int text_available(unsigned generation, uint64_t vector, const char *text, size_t n)
{
	char base[64];

	if (generation != 9 && generation != 10)
		return 1;
	if (vector == 0)
		return 0;
	if (n >= sizeof(base))
		return 1;
	memcpy(base, text, n);
	base[n] = 0;
	return base_available(generation, vector, base);
}

int imc_model_node_available(unsigned generation, uint64_t vector, const char *node)
{
	return text_available(generation, vector, node, base_length(node));
}

int imc_model_available(unsigned generation, uint64_t vector, const char *unit)
{
	size_t n = strlen(unit);

	if (n > 9 && !strncmp(unit, "nest_", 5) && !strcmp(unit + n - 4, "_imc"))
		return text_available(generation, vector, unit + 5, n - 9);
	return imc_model_node_available(generation, vector, unit);
}
