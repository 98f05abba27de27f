/* SPDX-License-Identifier: BSD-2-Clause */
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

#include "amu_model.h"

#define AFFINITY 0xff00ffffffu

static void found(struct amu_model *m, const char *code, int severity, int node,
		  const char *property, uint32_t row, uint32_t other, uint64_t value)
{
	m->finding = model_grow(m->finding, m->findings, sizeof(*m->finding));
	m->finding[m->findings++] =
		(struct model_finding){ code,     severity, node,
					property, row,      other == MODEL_NO_ROW ? NULL : property,
					other,    value };
}

/* ---- properties ------------------------------------------------------------------------------ */

/* The first child with this name; negative if there is none. */
static int child_named(const void *fdt, int parent, const char *name)
{
	int node;

	for (node = fdt_first_subnode(fdt, parent); node >= 0; node = fdt_next_subnode(fdt, node))
		if (!strcmp(fdt_get_name(fdt, node, NULL), name))
			break;
	return node;
}

static int is_counter(const void *fdt, int node)
{
	return !strncmp(fdt_get_name(fdt, node, NULL), "counter@", 8);
}

static int has_counters(const void *fdt, int node)
{
	int child;

	for (child = fdt_first_subnode(fdt, node); child >= 0; child = fdt_next_subnode(fdt, child))
		if (is_counter(fdt, child))
			return 1;
	return 0;
}

/* ---- views ----------------------------------------------------------------------------------- */

/* The index of a counter, ~0 if it exceeds 32 bits. Returns 0 if reg is malformed. */
static int counter_index(const void *fdt, int node, uint32_t cells, uint32_t *index)
{
	uint32_t bytes, used, i;
	const unsigned char *reg = model_property(fdt, node, "reg", &bytes);

	*index = 0;
	if (bytes < 4 || bytes % 4)
		return 0;
	used = cells && cells <= bytes / 4 ? cells : bytes / 4;
	*index = model_cell(reg + 4 * (used - 1));
	for (i = 0; i + 1 < used; i++)
		if (model_cell(reg + 4 * i))
			*index = ~0u;
	return 1;
}

/* Returns whether the name's unit address is this number in hexadecimal. */
static int addressed(const char *name, uint32_t index)
{
	const char *digits = strchr(name, '@') + 1;
	size_t n = strspn(digits, "0123456789abcdefABCDEF");

	return n && !digits[n] && strtoull(digits, NULL, 16) == index;
}

/* Returns whether a path finds this node: an earlier node of the same name would hide it. */
static int first_of_name(const void *fdt, int node)
{
	return child_named(fdt, fdt_parent_offset(fdt, node), fdt_get_name(fdt, node, NULL)) ==
	       node;
}

/*
 * The counter's label: the first one in a view of /cpus/amus that is not too long, or else the node
 * name. Avoids fdt_get_path(), which returns wrong paths after a node with a slash in its name.
 */
static const char *counter_name(const void *fdt, int view, int node, int listed)
{
	int symbols = child_named(fdt, 0, "__symbols__"), at, bytes, room;
	char path[256]; /* longer ones are ignored */

	room = snprintf(path, sizeof(path), "/cpus/amus/%s/%s", fdt_get_name(fdt, view, NULL),
			fdt_get_name(fdt, node, NULL));
	if (listed && first_of_name(fdt, view) && first_of_name(fdt, node) && symbols >= 0 &&
	    room < (int)sizeof(path))
		fdt_for_each_property_offset(at, fdt, symbols)
		{
			const char *label;
			const char *value = fdt_getprop_by_offset(fdt, at, &label, &bytes);

			if (bytes && bytes <= 256 && !value[bytes - 1] && !strcmp(value, path) &&
			    strlen(label) < 64)
				return label;
		}
	return fdt_get_name(fdt, node, NULL);
}

/*
 * Sets a bit for every matching node, even a second one for the same counter, like TF-A's getter.
 */
static void enables(struct amu_model *m, struct amu_model_view *v, int node, uint32_t index)
{
	uint32_t bytes;

	if (!model_property(m->fdt, node, "enable-at-el3", &bytes))
		return;
	v->enable |= (uint16_t)(1u << index);
	if (bytes)
		found(m, "enable-value", MODEL_WARNING, node, "enable-at-el3", MODEL_NO_ROW,
		      MODEL_NO_ROW, index);
}

static void read_counter(struct amu_model *m, struct amu_model_view *v, int node, uint32_t cells,
			 int listed)
{
	const char *name = fdt_get_name(m->fdt, node, NULL), *code = NULL;
	uint32_t index;
	int good = counter_index(m->fdt, node, cells, &index);

	if (!is_counter(m->fdt, node)) {
		found(m, "counter-name", MODEL_WARNING, node, NULL, MODEL_NO_ROW, MODEL_NO_ROW,
		      index);
		return;
	}
	if (!good)
		code = "counter-reg";
	else if (index >= AMU_COUNTERS)
		code = "counter-range";
	else if (v->name[index])
		code = "counter-duplicate";
	if (code)
		found(m, code, MODEL_ERROR, node, "reg", MODEL_NO_ROW, MODEL_NO_ROW, index);
	if (!good || index >= AMU_COUNTERS)
		return;
	enables(m, v, node, index);
	if (code)
		return;
	if (!addressed(name, index))
		found(m, "unit-mismatch", MODEL_WARNING, node, "reg", MODEL_NO_ROW, MODEL_NO_ROW,
		      index);
	v->name[index] = counter_name(m->fdt, v->node, node, listed);
	v->described |= (uint16_t)(1u << index);
}

/* A view elsewhere contributes only its counters; it is also a node of its own. */
static void read_view(struct amu_model *m, int node, int listed)
{
	struct amu_model_view v = { .node = node };
	uint32_t cells = model_address_cells(m->fdt, node), n = 0;
	int child;

	for (child = fdt_first_subnode(m->fdt, node); child >= 0;
	     child = fdt_next_subnode(m->fdt, child)) {
		if (!listed && !is_counter(m->fdt, child))
			continue;
		n++;
		read_counter(m, &v, child, cells, listed);
	}
	if (n && cells != 1)
		found(m, "cells", MODEL_WARNING, node, "#address-cells", MODEL_NO_ROW, MODEL_NO_ROW,
		      cells);
	if (!listed)
		found(m, "view-foreign", MODEL_WARNING, node, NULL, MODEL_NO_ROW, MODEL_NO_ROW, 0);
	m->view = model_grow(m->view, m->views, sizeof(v));
	m->view[m->views++] = v;
}

/* ---- CPUs ------------------------------------------------------------------------------------ */

/* 0: no CPU. 1: usual name. 2: another name. */
static int cpu_name(const void *fdt, int node)
{
	const char *name = fdt_get_name(fdt, node, NULL),
		   *type = model_string(fdt, node, "device_type");
	size_t digits;

	if (!strncmp(name, "cpu@", 4))
		return 1;
	digits = strncmp(name, "cpu", 3) ? 0 : strspn(name + 3, "0123456789");
	return (digits && name[3 + digits] == '@') || (type && !strcmp(type, "cpu")) ? 2 : 0;
}

static int cpu_mpidr(const void *fdt, int node, uint32_t cells, uint64_t *mpidr)
{
	uint32_t bytes;
	const unsigned char *reg = model_property(fdt, node, "reg", &bytes);

	*mpidr = 0;
	if ((cells != 1 && cells != 2) || bytes < 4 * cells)
		return 0;
	*mpidr = cells == 2 ? (uint64_t)model_cell(reg) << 32 | model_cell(reg + 4)
			    : model_cell(reg);
	return 1;
}

uint32_t amu_model_cpu(const struct amu_model *m, uint64_t mpidr)
{
	uint32_t i;

	for (i = 0; i < m->cpus; i++)
		if (((m->cpu[i].mpidr ^ mpidr) & AFFINITY) == 0)
			return i;
	return MODEL_NO_ROW;
}

/* The node that the first cell of amu refers to; negative if there is none. */
static int named_view(const void *fdt, int node, uint32_t *phandle)
{
	uint32_t bytes;
	const unsigned char *p = model_property(fdt, node, "amu", &bytes);

	*phandle = bytes < 4 ? 0 : model_cell(p);
	return fdt_node_offset_by_phandle(fdt, *phandle);
}

/* A CPU has the number that it has, or would have, in the map. Its view still counts as a node. */
static void read_cpu(struct amu_model *m, int node, uint32_t cells, int usual)
{
	struct amu_model_cpu c = { .node = node };
	const char *status = model_string(m->fdt, node, "status");
	uint32_t other, row = m->cpus, bytes;
	uint64_t mpidr;

	if (!cpu_mpidr(m->fdt, node, cells, &mpidr)) {
		found(m, "cpu-reg", MODEL_ERROR, node, "reg", row, MODEL_NO_ROW, 0);
		return;
	}
	other = amu_model_cpu(m, mpidr);
	if (other != MODEL_NO_ROW) {
		found(m, "cpu-duplicate", MODEL_ERROR, node, "reg", row, other, mpidr);
		return;
	}
	if (mpidr & ~(uint64_t)AFFINITY)
		found(m, "cpu-reg", MODEL_WARNING, node, "reg", row, MODEL_NO_ROW, mpidr);
	if (!usual)
		found(m, "cpu-name", MODEL_WARNING, node, NULL, row, MODEL_NO_ROW, 0);
	if (status && strcmp(status, "okay") != 0 && strcmp(status, "ok") != 0)
		found(m, "cpu-disabled", MODEL_NOTE, node, "status", row, MODEL_NO_ROW, 0);
	model_property(m->fdt, node, "amu", &bytes);
	if (bytes / 4 > 1)
		found(m, "view-extra", MODEL_WARNING, node, "amu", row, MODEL_NO_ROW,
		      bytes / 4 < 0xffff ? bytes / 4 : 0xffff);
	c.mpidr = mpidr & AFFINITY;
	m->cpu = model_grow(m->cpu, m->cpus, sizeof(c));
	m->cpu[m->cpus++] = c;
}

/* Returns whether a counted CPU refers to this node. */
static int is_named(const struct amu_model *m, int node)
{
	uint32_t i, phandle;

	for (i = 0; i < m->cpus; i++)
		if (named_view(m->fdt, m->cpu[i].node, &phandle) == node)
			return 1;
	return 0;
}

static void join(struct amu_model *m, struct amu_model_cpu *c)
{
	uint32_t phandle, bytes, i;
	int view = named_view(m->fdt, c->node, &phandle);

	c->view = MODEL_NO_ROW;
	for (i = 0; i < m->views && view >= 0; i++)
		if (m->view[i].node == view) {
			c->view = i;
			c->described = m->view[i].described;
			c->enable = m->view[i].enable;
		}
	if (c->view == MODEL_NO_ROW && model_property(m->fdt, c->node, "amu", &bytes))
		found(m, "view-missing", MODEL_ERROR, c->node, "amu", (uint32_t)(c - m->cpu),
		      MODEL_NO_ROW, phandle);
}

/* Children of /cpus/amus, and views elsewhere that a CPU refers to, unless they are too deep. */
static void read_views(struct amu_model *m, int amus)
{
	enum { DEEP = 7 };
	int node, depth = 0, amus_depth = -1;

	for (node = fdt_next_node(m->fdt, 0, &depth); node >= 0 && depth > 0;
	     node = fdt_next_node(m->fdt, node, &depth)) {
		if (depth <= amus_depth)
			amus_depth = -1;
		if (node == amus)
			amus_depth = depth;
		else if (depth == amus_depth + 1 && amus_depth >= 0)
			read_view(m, node, 1);
		else if (amus_depth < 0 && depth < DEEP && has_counters(m->fdt, node) &&
			 is_named(m, node))
			read_view(m, node, 0);
	}
}

int amu_model_read(struct amu_model *m, const void *fdt)
{
	int cpus = child_named(fdt, 0, "cpus"), amus, node, seen, usual;
	uint32_t i, bytes;

	memset(m, 0, sizeof(*m));
	m->fdt = fdt;
	if (cpus < 0)
		return 0;
	amus = child_named(fdt, cpus, "amus");
	seen = amus >= 0;
	for (node = fdt_first_subnode(fdt, cpus); node >= 0; node = fdt_next_subnode(fdt, node)) {
		usual = node == amus ? 0 : cpu_name(fdt, node);
		if (!usual)
			continue;
		seen |= model_property(fdt, node, "amu", &bytes) != NULL;
		read_cpu(m, node, model_address_cells(fdt, cpus), usual == 1);
	}
	if (!seen) {
		amu_model_free(m);
		return 0;
	}
	read_views(m, amus);
	for (i = 0; i < m->cpus; i++)
		join(m, &m->cpu[i]);
	return 1;
}

void amu_model_free(struct amu_model *m)
{
	free(m->cpu);
	free(m->view);
	free(m->finding);
	memset(m, 0, sizeof(*m));
}

/* ---- masks ----------------------------------------------------------------------------------- */

int amu_model_reconcile(unsigned described, unsigned enable, unsigned implemented,
			unsigned readable, int *why)
{
	int i;

	for (i = 0; i < AMU_COUNTERS; i++) {
		int d = described >> i & 1, e = enable >> i & 1, there = implemented >> i & 1;

		*why = e && !d ? 1 : (e || d) && !there ? 2 : e && !(readable >> i & 1) ? 3 : 0;
		if (*why)
			return i;
	}
	return -1;
}

/* ---- TF-A: what it makes of the tree, with libfdt --------------------------------------------- */

/* The first address of reg: at most two cells, whatever #address-cells says. */
static int read_reg(struct tfa *t, const void *fdt, int node, uint64_t *value)
{
	int parent = fdt_parent_offset(fdt, node), bytes;
	int cells = fdt_address_cells(fdt, parent), size = fdt_size_cells(fdt, parent);
	const unsigned char *reg = fdt_getprop(fdt, node, "reg", &bytes);

	if (!reg)
		return -FDT_ERR_NOTFOUND;
	if ((cells + size) * 4 > bytes)
		return -FDT_ERR_BADVALUE;
	if (cells < 1 || cells > 2 || bytes % 4)
		t->doubts |= TFA_PART;
	if (bytes < 4) {
		t->doubts |= TFA_UNDEFINED;
		return 0;
	}
	*value =
		cells > 1 ? (uint64_t)model_cell(reg) << 32 | model_cell(reg + 4) : model_cell(reg);
	return 0;
}

/* A counter of a view. A shift by a too large index does what real machines do. */
static int enable_counter(struct tfa *t, const void *fdt, int node, uint16_t *enable)
{
	uint64_t index = 0;
	int error = read_reg(t, fdt, node, &index);

	if (error)
		return error;
	if (!fdt_getprop(fdt, node, "enable-at-el3", NULL))
		return 0;
	if (index >= AMU_COUNTERS)
		t->doubts |= index < 31 ? TFA_LOST : TFA_UNDEFINED;
	*enable |= (uint16_t)(1u << index % 32);
	return 0;
}

static uint16_t *core_of(struct tfa *t, uint64_t mpidr)
{
	uint32_t i;

	for (i = 0; i < t->cpus; i++)
		if (t->mpidr[i] == (mpidr & AFFINITY)) {
			t->doubts |= TFA_MERGED;
			return &t->enable[i];
		}
	t->mpidr = model_grow(t->mpidr, t->cpus, sizeof(*t->mpidr));
	t->enable = model_grow(t->enable, t->cpus, sizeof(*t->enable));
	t->mpidr[t->cpus] = mpidr & AFFINITY;
	t->enable[t->cpus] = 0;
	return &t->enable[t->cpus++];
}

static int populate_cpu(struct tfa *t, const void *fdt, int node, uint16_t *enable)
{
	int bytes, view, child, error;
	const unsigned char *p = fdt_getprop(fdt, node, "amu", &bytes);

	if (!p)
		return 0;
	if (bytes < 4)
		return -FDT_ERR_BADVALUE;
	view = fdt_node_offset_by_phandle(fdt, model_cell(p));
	if (view < 0)
		return view;
	fdt_for_each_subnode(child, fdt, view)
	{
		if (strncmp(fdt_get_name(fdt, child, NULL), "counter@", 8) != 0)
			continue;
		error = enable_counter(t, fdt, child, enable);
		if (error)
			return error;
	}
	return 0;
}

static int populate(struct tfa *t, const void *fdt)
{
	int cpus = child_named(fdt, 0, "cpus"), node, error;
	uint64_t mpidr;

	if (cpus < 0)
		return -FDT_ERR_NOTFOUND;
	fdt_for_each_subnode(node, fdt, cpus)
	{
		if (strncmp(fdt_get_name(fdt, node, NULL), "cpu@", 4) != 0) {
			if (fdt_getprop(fdt, node, "amu", NULL))
				t->doubts |= TFA_SKIPPED;
			continue;
		}
		mpidr = 0;
		error = read_reg(t, fdt, node, &mpidr);
		if (!error)
			error = populate_cpu(t, fdt, node, core_of(t, mpidr));
		if (error)
			return error;
	}
	return 0;
}

void tfa_read(struct tfa *t, const void *fdt)
{
	memset(t, 0, sizeof(*t));
	t->error = populate(t, fdt);
	if (t->error)
		t->doubts |= TFA_PANIC;
}

void tfa_free(struct tfa *t)
{
	free(t->mpidr);
	free(t->enable);
	memset(t, 0, sizeof(*t));
}

unsigned tfa_enable(const struct tfa *t, uint64_t mpidr)
{
	uint32_t i;

	for (i = 0; i < t->cpus; i++)
		if (t->mpidr[i] == (mpidr & AFFINITY))
			return t->enable[i];
	return 0;
}
