/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Makes IMC trees from any bytes. Names are combined from few pieces, so that they often clash. A
 * byte for each node and property selects what is wrong with it.
 */
#ifndef IMC_TREE_H
#define IMC_TREE_H

#include "tree.h"

#define TREE_LISTS 8u

/* 0: missing; 1: too short; 2: one cell; otherwise two cells, as in most trees. */
static inline void put_reg(struct tree *t, uint32_t how, uint32_t value)
{
	uint32_t cell[2] = { value, 8 };

	how %= 16;
	if (how == 1)
		t->err |= fdt_property(t->fdt, "reg", "\0\1", 2);
	else if (how)
		write_cells(t, "reg", cell, how == 2 ? 1 : 2);
}

static inline const char *scale_text(uint32_t how)
{
	static const char *const texts[] = {
		"",      "1",  "256",     "1.50",   "1.2e-4", "18446744073709551616",
		"-1",    "0",  "1e99999", "0x10",   " 1",     "00000000000000000000000002.",
		".5e+3", "1e", "1..2",    "1E-9999"
	};

	return texts[how % 16];
}

/* A piece of a name; n: which of its kind. */
static inline void name_text(char *to, size_t size, uint32_t how, uint32_t n)
{
	static const char *const pieces[] = {
		"A",        "",   "PM_",      "PM_A",
		"CPM_",     "b/", "C.3",      "PM_MCS01_64B_RD_DISP_PORT",
		"X_",       "AA", "core/PM_", "1",
		"\xc3\xa9", "a@b"
	};
	uint32_t kinds = sizeof(pieces) / sizeof(pieces[0]);

	if (how % 16 < kinds)
		snprintf(to, size, "%s%.*u", pieces[how % 16], how & 16 ? 0 : 1, how & 16 ? 0 : n);
	else
		snprintf(to, size, "%0*u", how % 16 == kinds ? 254 : 300, n);
}

/* A run of events a step apart; one byte each for name and mistakes. */
static inline void put_events(struct tree *t)
{
	uint32_t kind = take(&t->in, 1), name = take(&t->in, 1), reg = take(&t->in, 2);
	uint32_t n = 1 + kind % 8, step = kind & 8 ? 8 : take(&t->in, 1), how = 0, i;
	char text[320];

	n = n == 8 ? 100 : n;
	if (kind & 16)
		how = take(&t->in, 3);
	for (i = 0; i < n && !tree_full(t); i++, reg += step) {
		t->err |= fdt_begin_node(t->fdt, how & 1 << 23 ? "" : "event");
		name_text(text, sizeof(text), name, name & 32 ? i : kind >> 5);
		put_text(t, "event-name", how & 15 ? how : 4, text);
		put_reg(t, how >> 4 & 15 ? (how >> 4) - 1 : 3,
			how & 1 << 22 ? reg << 16 | 0xfff8 : reg);
		if (how >> 8 & 15)
			put_text(t, "scale", how >> 8, scale_text(how >> 12));
		if (how >> 16 & 3)
			put_text(t, "unit", how >> 16 & 3, "MiB");
		if (how & 1 << 18)
			put_text(t, "desc", how >> 19 & 7, "What it counts");
		t->err |= fdt_end_node(t->fdt);
	}
}

static inline void put_phandle(struct tree *t, uint32_t how, uint32_t phandle)
{
	if (how % 8 != 1)
		put_cell(t, how % 8 == 2 ? "linux,phandle" : "phandle", how % 8 == 3 ? 0 : phandle);
}

static inline void put_list(struct tree *t, uint32_t phandle)
{
	uint32_t kind = take(&t->in, 1), groups = kind % 8;

	t->err |= fdt_begin_node(t->fdt, "events");
	put_phandle(t, kind >> 3 & 7, phandle);
	while (groups-- && t->in.left)
		put_events(t);
	if (kind & 64) { /* a node that is no event */
		t->err |= fdt_begin_node(t->fdt, "x");
		t->err |= fdt_end_node(t->fdt);
	}
	t->err |= fdt_end_node(t->fdt);
}

static inline void put_chips(struct tree *t, uint32_t how)
{
	static const uint32_t base[] = { 0x1ff,      0xd0000000, 0x3f,       0xfd800000, 0,
					 0xffffffff, 0xffffffff, 0xffff0000, 0,          0 };
	static const uint32_t chip[4] = { 0, 8, 0, 16 };
	uint32_t n = how & 3, off = how >> 4 & 1;

	if (how & 4)
		write_cells(t, how & 64 ? "base_addr" : "base-addr", base + 2 * (how >> 3 & 1),
			    2 * n + off);
	if (how & 128 || how & 4)
		write_cells(t, how & 32 ? "chipids" : "chip-id", chip, n);
}

static inline void put_type(struct tree *t, uint32_t how)
{
	static const uint32_t types[] = { 0x10, 0x10, 0x4, 0x1, 0x2, 0x33 };

	if (how % 8 < 6)
		put_cell(t, "type", types[how % 8]);
	else if (how % 8 == 6)
		t->err |= fdt_property(t->fdt, "type", "\0\0", 2);
}

static inline void put_window(struct tree *t, uint32_t how)
{
	static const uint32_t sizes[] = { 0, 0x40000, 0x2000, 0x800, 7, 0xffffffff, 8 };

	if (how % 8 < 7)
		put_cell(t, "size", sizes[how % 8]);
	if (how & 8)
		put_cell(t, "offset", how & 16 ? 0xfffffff8 : 0x180000);
	if (how & 32)
		put_cell(t, "cb_offset", how & 64 ? 0x100 : 0xffffffe0);
}

/* Properties through which a unit finds its events, or the events themselves. */
static inline void put_unit_events(struct tree *t, uint32_t how)
{
	if (how % 16 < TREE_LISTS + 2)
		put_cell(t, "events", how % 16);
	else if (how % 16 == 14)
		t->err |= fdt_property(t->fdt, "events", "\0", 1);
	else if (how % 16 == 15)
		put_cell(t, "events", 0xffffffff);
	else
		put_events(t);
}

static inline void put_unit(struct tree *t, uint32_t number)
{
	static const char *const names[] = { "mcs01@c8", "mcs01", "mcs0@8",  "core@18",
					     "thread@0", "trace", "xlink%u", "u%u@%u",
					     "a/b",      "",      "@1",      "nest_mcs01_imc",
					     "core_imc", "nx",    "a@b@c",   "phb%u_1" };
	static const char compatible[][32] = { "ibm,imc-counters",
					       "ibm,imc-counters-nest",
					       "ibm,imc-counters-core",
					       "ibm,imc-counters-thread",
					       "x\0ibm,imc-counters",
					       "ibm,imc-counters-x",
					       "ibm,imc",
					       "" };
	static const int length[] = { 17, 22, 22, 24, 19, 19, 8, 0 };
	uint32_t kind = take(&t->in, 1), how = take(&t->in, 1), events = take(&t->in, 1);
	uint32_t prefix = take(&t->in, 1), odd = kind & 128 ? take(&t->in, 4) : 0;
	char text[320];

	snprintf(text, sizeof(text), names[kind % 16], number, number);
	t->err |= fdt_begin_node(t->fdt, text);
	t->err |= fdt_property(t->fdt, "compatible", compatible[odd & 7], length[odd & 7]);
	put_type(t, kind >> 4);
	put_reg(t, odd >> 3 & 15 ? (odd >> 3) - 1 : 3,
		odd & 128   ? 0xffffff00
		: how & 128 ? 0x11c
			    : how >> 5 << 3);
	put_window(t, how);
	if (prefix >> 4) {
		name_text(text, sizeof(text), prefix | 16, number);
		put_text(t, "events-prefix", prefix >> 4 > 3 ? 4 : prefix >> 4, text);
	}
	if (odd >> 8 & 15)
		put_text(t, "scale", odd >> 8, scale_text(odd >> 12));
	if (odd >> 16 & 3)
		put_text(t, "unit", odd >> 16 & 3, "MiB");
	if (odd & 1 << 18)
		put_phandle(t, 0, 1 + (odd >> 19 & 7));
	put_chips(t, odd >> 24);
	put_unit_events(t, events);
	t->err |= fdt_end_node(t->fdt);
}

/* Properties of a root and, in old formats, of the window. */
static inline void put_root(struct tree *t, uint32_t how)
{
	t->err |= fdt_property_string(t->fdt, "compatible", "ibm,opal-in-memory-counters");
	if (how & 1)
		put_cell(t, "imc-nest-offset", 0x320000);
	if (how & 1)
		put_cell(t, "imc-nest-size", 0x30000);
}

/* Lists and units, in the order of the bytes. */
static inline void put_units(struct tree *t)
{
	uint32_t n = 1 + take(&t->in, 1) % 64, lists = 0, units = 0;

	while (n-- && t->in.left && !tree_full(t)) {
		uint32_t next = take(&t->in, 1), repeat = next % 4 == 3 ? 1 + next / 4 : 1;
		struct bytes again = t->in;

		if (next % 4 == 0) {
			put_list(t, 1 + lists++ % TREE_LISTS);
			continue;
		}
		while (repeat-- && !tree_full(t)) {
			t->in = again;
			put_unit(t, units++);
		}
	}
}

#endif
