/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trees in the making: libfdt writes them one tag after another.
 */
#ifndef MAKE_H
#define MAKE_H

#include <libfdt.h>

#include "support.h"

static unsigned char *tree;

static inline void must(int error)
{
	if (error) {
		printf("libfdt: %s\n", fdt_strerror(error));
		exit(1);
	}
}

static inline void start(size_t bytes)
{
	tree = exact(bytes);
	must(fdt_create(tree, (int)bytes));
	must(fdt_finish_reservemap(tree));
}

static inline void begin(const char *name)
{
	must(fdt_begin_node(tree, name));
}

static inline void end(void)
{
	must(fdt_end_node(tree));
}

static inline void cell(const char *name, uint32_t value)
{
	must(fdt_property_u32(tree, name, value));
}

static inline void text(const char *name, const char *value)
{
	must(fdt_property(tree, name, value, (int)strlen(value) + 1));
}

/* The bytes of a string without its NUL, and other bytes that are no whole value. */
static inline void bytes(const char *name, const void *value, size_t n)
{
	must(fdt_property(tree, name, value, (int)n));
}

/* The tree, in a block of its size. */
static inline unsigned char *finish(size_t *size)
{
	unsigned char *fdt;

	must(fdt_finish(tree));
	*size = fdt_totalsize(tree);
	fdt = exact_copy(tree, *size);
	free(tree);
	return fdt;
}

#endif /* MAKE_H */
