/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Builds trees with libfdt's sequential-write functions.
 */
#ifndef MAKE_H
#define MAKE_H

#include <libfdt.h>

#include "support.h"

static unsigned char *tree;
static uint32_t tree_depth; /* open nodes */

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
	tree_depth = 0;
}

static inline void begin(const char *name)
{
	must(fdt_begin_node(tree, name));
	tree_depth++;
}

static inline void end(void)
{
	must(fdt_end_node(tree));
	tree_depth--;
}

static inline void cell(const char *name, uint32_t value)
{
	must(fdt_property_u32(tree, name, value));
}

static inline void text(const char *name, const char *value)
{
	must(fdt_property(tree, name, value, (int)strlen(value) + 1));
}

/* A string without its NUL, or other bytes that are no complete value. */
static inline void bytes(const char *name, const void *value, size_t n)
{
	must(fdt_property(tree, name, value, (int)n));
}

/* The tree in a block of its exact size. Ends what is open. */
static inline unsigned char *finish(size_t *size)
{
	unsigned char *fdt;

	while (tree_depth)
		end();
	must(fdt_finish(tree));
	*size = fdt_totalsize(tree);
	fdt = exact_copy(tree, *size);
	free(tree);
	return fdt;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static inline void put_cells(unsigned char **to, const uint32_t *cells, uint32_t n)
{
	while (n--) {
		*(*to)++ = (unsigned char)(*cells >> 24);
		*(*to)++ = (unsigned char)(*cells >> 16);
		*(*to)++ = (unsigned char)(*cells >> 8);
		*(*to)++ = (unsigned char)*cells++;
	}
}

/* A table of n rows; NULL if n is 0, which means "no table" to the builder. */
static inline unsigned char *table_of(const char *name, uint32_t n, uint32_t cells)
{
	void *value = NULL;

	if (n)
		must(fdt_property_placeholder(tree, name, (int)(4 * cells * n), &value));
	return value;
}

/* A model's rows as a tree with one node. */
static inline unsigned char *tree_of_rows(const struct model *m, size_t *size)
{
	unsigned char *to;
	uint32_t i;

	start(1024 + 12 * m->selectors + 12 * m->ranges + 20 * m->raws);
	begin("");
	begin("pmu");
	text("compatible", "riscv,pmu");
	to = table_of("riscv,event-to-mhpmevent", m->selectors, 3);
	for (i = 0; i < m->selectors; i++)
		put_cells(&to,
			  (uint32_t[]){ m->selector[i].event,
					(uint32_t)(m->selector[i].selector >> 32),
					(uint32_t)m->selector[i].selector },
			  3);
	to = table_of("riscv,event-to-mhpmcounters", m->ranges, 3);
	for (i = 0; i < m->ranges; i++)
		put_cells(&to,
			  (uint32_t[]){ m->range[i].first, m->range[i].last, m->range[i].counters },
			  3);
	to = table_of("riscv,raw-event-to-mhpmcounters", m->raws, 5);
	for (i = 0; i < m->raws; i++)
		put_cells(&to,
			  (uint32_t[]){ (uint32_t)(m->raw[i].select >> 32),
					(uint32_t)m->raw[i].select,
					(uint32_t)(m->raw[i].mask >> 32), (uint32_t)m->raw[i].mask,
					m->raw[i].counters },
			  5);
	return finish(size);
}

/*
 * Compares findings in such a tree with the model's, except the model's own findings about rows.
 * Its map must equal the builder's.
 */
static inline void findings_of_rows(const struct model *m, struct findings *f, struct model *again)
{
	enum pmumap_status status;
	struct pmumap *map, *built = build_rows(m);
	unsigned char *fdt;
	size_t size;

	fdt = tree_of_rows(m, &size);
	map = build_tree(fdt, size, 0, f, &status);
	CHECK(status == PMUMAP_OK && same_image(map, built));
	model_init(again);
	CHECK(model_read(again, fdt, 0));
	free(fdt);
	free(map);
	free(built);
}

#endif /* MAKE_H */
