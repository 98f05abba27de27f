/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shared by the writers of trees from any bytes.
 */
#ifndef TREE_H
#define TREE_H

#include <libfdt.h>

#include "fuzz.h"

#define TREE_ROOM 16000 /* no new node after this many bytes */

/* A tree being written: its structure block so far. */
struct tree {
	struct bytes in;
	void *fdt;
	int err;
};

static inline int tree_full(const struct tree *t)
{
	return t->err || fdt_size_dt_struct(t->fdt) > TREE_ROOM;
}

static inline void write_cells(struct tree *t, const char *name, const uint32_t *cell, uint32_t n)
{
	uint32_t big[16], i;

	for (i = 0; i < n; i++)
		big[i] = cpu_to_fdt32(cell[i]);
	t->err |= fdt_property(t->fdt, name, big, (int)(4 * n));
}

static inline void put_cell(struct tree *t, const char *name, uint32_t value)
{
	write_cells(t, name, &value, 1);
}

/* A string that may be missing, empty, without NUL, or one of many. */
static inline void put_text(struct tree *t, const char *name, uint32_t how, const char *text)
{
	size_t len = strlen(text);

	if (how % 16 == 1)
		t->err |= fdt_property(t->fdt, name, "", 0);
	else if (how % 16 == 2)
		t->err |= fdt_property(t->fdt, name, "\0other", 7);
	else if (how % 16 == 3)
		t->err |= fdt_property(t->fdt, name, text, (int)len);
	else if (how % 16)
		t->err |= fdt_property(t->fdt, name, text, (int)len + 1);
}

#endif /* TREE_H */
