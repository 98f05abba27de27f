/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Builds IMC trees.
 */
#ifndef IMC_MAKE_H
#define IMC_MAKE_H

#include "make.h"

static inline void root(const char *name)
{
	begin(name);
	text("compatible", "ibm,opal-in-memory-counters");
}

static inline void event(const char *name, uint32_t reg)
{
	begin("event");
	text("event-name", name);
	cell("reg", reg);
	end();
}

static inline void unit(const char *name, const char *prefix, uint32_t type, uint32_t reg,
			uint32_t list)
{
	begin(name);
	text("compatible", "ibm,imc-counters");
	text("events-prefix", prefix);
	cell("type", type);
	cell("reg", reg);
	cell("events", list);
}

static inline void list(uint32_t phandle)
{
	begin("list");
	cell("phandle", phandle);
}

/* Adds a child with libfdt and returns its node. */
static inline int child(unsigned char *fdt, int parent, const char *name)
{
	int node = fdt_add_subnode(fdt, parent, name);

	must(node < 0 ? node : 0);
	return node;
}

static inline void child_text(unsigned char *fdt, int node, const char *name, const char *value)
{
	must(fdt_setprop(fdt, node, name, value, (int)strlen(value) + 1));
}

/*
 * A catalog with one more unit, whose only event has a name that is too long for an index. So all
 * names are searched, whatever the size of the block.
 */
static inline unsigned char *with_long_name(const unsigned char *fdt, size_t *size)
{
	int room = (int)*size + 2048, top, node;
	unsigned char *copy = exact(*size + 2048);
	char name[200];

	memset(name, 'L', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	must(fdt_open_into(fdt, copy, room));
	top = fdt_node_offset_by_compatible(copy, -1, "ibm,opal-in-memory-counters");
	node = child(copy, top, "long-events");
	must(fdt_setprop_u32(copy, node, "phandle", 0x7ffffff0));
	node = child(copy, node, "event@0");
	child_text(copy, node, "event-name", name);
	must(fdt_setprop_u32(copy, node, "reg", 0));
	node = child(copy, top, "long");
	child_text(copy, node, "compatible", "ibm,imc-counters");
	child_text(copy, node, "events-prefix", "");
	must(fdt_setprop_u32(copy, node, "type", 0x4));
	must(fdt_setprop_u32(copy, node, "size", 0x1000));
	must(fdt_setprop_u32(copy, node, "reg", 0));
	must(fdt_setprop_u32(copy, node, "events", 0x7ffffff0));
	must(fdt_pack(copy));
	*size = fdt_totalsize(copy);
	return copy;
}

#endif /* IMC_MAKE_H */
