/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Makes /cpus with AMU views and counters from any bytes. One byte for each node selects its
 * properties and which of its values are wrong.
 */
#ifndef AMU_TREE_H
#define AMU_TREE_H

#include "tree.h"

#define AMU_MANY 64u

/* Appends a counter's or CPU's number in this many cells, for reg. */
static inline void put_amu_reg(struct tree *t, uint32_t cells, uint32_t number, uint32_t how)
{
	uint32_t cell[6] = { 0 }, n = cells < 1 || cells > 4 ? 1 : cells;

	cell[n - 1] = how == 1 ? number | 0x80000000 : number;
	if (how == 2)
		cell[0] |= 0x81;
	if (how == 3)
		t->err |= fdt_property(t->fdt, "reg", "\0\0\0\0\1", 5);
	else if (how == 4)
		t->err |= fdt_property(t->fdt, "reg", "\0\0\1", 3);
	else if (how == 5)
		t->err |= fdt_property(t->fdt, "reg", "", 0);
	else if (how != 6)
		write_cells(t, "reg", cell, how == 7 ? n + 1 : n);
}

/* kind: bits 0-4 index, 5 enabled, 6-7 unusual: then a byte for name and reg */
static inline void put_amu_counter(struct tree *t, uint32_t cells)
{
	static const char *const names[] = { "counter@%x",   "counter@0%x",  "counter@%X",
					     "counter@%x,0", "counter%x",    "ctr@%x",
					     "counter@",     "counter@1%08x" };
	uint32_t kind = take(&t->in, 1), odd = kind >> 6 == 3 ? take(&t->in, 1) : 0;
	uint32_t index = kind >> 6 == 2 ? take(&t->in, 4) : kind >> 6 ? kind & 31 : kind & 15;
	char name[32];

	snprintf(name, sizeof(name), names[odd & 7], odd & 8 ? index + 1 : index);
	t->err |= fdt_begin_node(t->fdt, name);
	put_amu_reg(t, cells, index, odd >> 4 & 7);
	if (kind & 32)
		t->err |= fdt_property(t->fdt, "enable-at-el3", "\0\0\0\1", odd & 128 ? 4 : 0);
	if (odd == 0xff) {
		t->err |= fdt_begin_node(t->fdt, "counter@1");
		put_cell(t, "reg", 1);
		t->err |= fdt_end_node(t->fdt);
	}
	t->err |= fdt_end_node(t->fdt);
}

/* kind: bits 0-2 number of counters, 3-5 oddity, 6 no phandle, 7 its own #address-cells */
static inline void put_amu_view(struct tree *t, const char *name, uint32_t phandle)
{
	uint32_t kind = take(&t->in, 1), cells = kind & 128 ? take(&t->in, 1) : 1, n = kind & 7;

	t->err |= fdt_begin_node(t->fdt, name);
	if (!(kind & 64))
		put_cell(t, (kind >> 3 & 7) == 1 ? "linux,phandle" : "phandle",
			 (kind >> 3 & 7) == 2 ? 1 : phandle);
	if ((kind >> 3 & 7) == 3)
		t->err |= fdt_property(t->fdt, "#address-cells", "\0\0\1", 3);
	else if (cells == 2 && kind & 8)
		cells = 2; /* the default */
	else
		put_cell(t, "#address-cells", cells);
	put_cell(t, "#size-cells", 0);
	for (n = n == 7 ? 18 : n; n && !tree_full(t); n--)
		put_amu_counter(t, cells);
	t->err |= fdt_end_node(t->fdt);
}

static inline void put_amu_views(struct tree *t, uint32_t views)
{
	char name[16];
	uint32_t i;

	t->err |= fdt_begin_node(t->fdt, "amus");
	for (i = 0; i < views && !tree_full(t); i++) {
		snprintf(name, sizeof(name), "amu-%u", i == 3 ? 0 : i);
		put_amu_view(t, name, 1 + i);
	}
	t->err |= fdt_end_node(t->fdt);
}

/*
 * how: bits 0-2 view, 3 no amu; 4-7 unusual: then a byte with bits 0-2 name, 3-5 reg, 6-7 amu. Its
 * number follows from its place; some CPUs have the same significant bits.
 */
static inline void put_amu_cpu(struct tree *t, uint32_t cells, uint32_t i, uint32_t how)
{
	static const char *const names[] = { "cpu@%x", "cpu@%x",  "cpu0@%x", "core@%x",
					     "cpu-%x", "cpux@%x", "cpu",     "cpu12@%x" };
	static const char *const states[] = { "okay", "ok", "disabled", "fail" };
	uint32_t odd = how >> 4 == 15 ? take(&t->in, 1) : 0, amu[3] = { 1 + (how & 7), 1, 0 };
	char name[32];

	snprintf(name, sizeof(name), names[odd & 7], i);
	t->err |= fdt_begin_node(t->fdt, name);
	if (odd & 4)
		put_text(t, "device_type", 4, odd & 8 ? "cpu" : "memory");
	put_amu_reg(t, cells, how >> 4 == 14 ? 0x100 : i << (how & 16 ? 8 : 0), odd >> 3 & 7);
	if (how >> 4 == 13)
		put_text(t, "status", 4 - (how & 1), states[how >> 1 & 3]);
	if (odd >> 6 == 1)
		t->err |= fdt_property(t->fdt, "amu", "\0\0", 2);
	else if (odd >> 6 == 2)
		write_cells(t, "amu", amu, 3);
	else if (!(how & 8))
		write_cells(t, "amu", amu, 1);
	t->err |= fdt_end_node(t->fdt);
}

static inline void put_amu_cpus(struct tree *t, uint32_t cells)
{
	uint32_t n = take(&t->in, 1), i, how = 0;

	/* A few CPUs with a byte each, or many equal ones. */
	for (i = 0; i < (n < 0xf0 ? n % 16 : AMU_MANY) && !tree_full(t); i++) {
		how = n < 0xf0 || i % 16 == 0 ? take(&t->in, 1) : how;
		put_amu_cpu(t, cells, i, how);
	}
}

/* Labels of counters, some with paths that do not exist. */
static inline void put_amu_labels(struct tree *t)
{
	uint32_t n = take(&t->in, 1) % 16, i;
	char label[16], path[48];

	t->err |= fdt_begin_node(t->fdt, "__symbols__");
	for (i = 0; i < n; i++) {
		uint32_t kind = take(&t->in, 1);

		snprintf(label, sizeof(label), "label%u", i);
		snprintf(path, sizeof(path),
			 kind == 0xff ? "/cpus/amus/%u/%x" : "/cpus/amus/amu-%u/counter@%x",
			 kind >> 4 & 3, kind & 15);
		put_text(t, label, 4 - (kind >> 6 == 3), path);
	}
	t->err |= fdt_end_node(t->fdt);
}

/*
 * Everything. shape: bits 0-1 views, 2 views after the CPUs, 3 #address-cells, 4 labels, 5 a view
 * elsewhere, 6 that one is deeper, 7 no amus.
 */
static inline void put_amu(struct tree *t)
{
	uint32_t shape = take(&t->in, 1), views = shape & 3, cells = shape & 8 ? 2 : 1;

	if (shape & 16)
		put_amu_labels(t);
	t->err |= fdt_begin_node(t->fdt, "cpus");
	put_cell(t, "#address-cells", shape == 0xf8 ? 3 : cells);
	put_cell(t, "#size-cells", 0);
	if (!(shape & 128) && !(shape & 4))
		put_amu_views(t, views + 1);
	put_amu_cpus(t, cells);
	if (!(shape & 128) && shape & 4)
		put_amu_views(t, views + 1);
	t->err |= fdt_end_node(t->fdt);
	if (!(shape & 32))
		return;
	if (shape & 64)
		t->err |= fdt_begin_node(t->fdt, "soc");
	put_amu_view(t, "view", views + 2);
	if (shape & 64)
		t->err |= fdt_end_node(t->fdt);
}

#endif /* AMU_TREE_H */
