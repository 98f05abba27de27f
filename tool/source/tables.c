/* SPDX-License-Identifier: BSD-2-Clause */
#include <libfdt.h>
#include "tables.h"

/* True if the node has a table, including a misspelt one or one of the 2021 draft. */
static int has_table(const void *blob, int node)
{
	const char *name;
	int property;

	fdt_for_each_property_offset(property, blob, node)
	{
		if (fdt_getprop_by_offset(blob, property, &name, NULL) &&
		    (!strncmp(name, "riscv,", 6) || strstr(name, "event") || strstr(name, "mhpm")))
			return 1;
	}
	return 0;
}

/* True if OpenSBI prepared this blob: it deletes the tables when it reserves its own memory. */
static int is_handed_on(const void *blob)
{
	int node, memory = fdt_path_offset(blob, "/reserved-memory");

	if (memory < 0)
		return 0;
	fdt_for_each_subnode(node, blob, memory)
	{
		if (!strncmp(fdt_get_name(blob, node, NULL), "mmode_resv", 10))
			return 1;
	}
	return 0;
}

enum tables tables_of(const struct source *source, int node)
{
	const void *blob = source->file.data;

	if (!blob || node < 0 || has_table(blob, node))
		return TABLES_PRESENT;
	return is_handed_on(blob) ? TABLES_TAKEN : TABLES_MISSING;
}
