/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Builds the tree of a test.
 */
#ifndef MAKE_H
#define MAKE_H

#include <libfdt.h>

#include "blob.h"
#include "support.h"

static struct blob tree;

static inline void must(int error)
{
	if (error) {
		printf("libfdt: %s\n", fdt_strerror(error));
		exit(1);
	}
}

static inline void start(void)
{
	memset(&tree, 0, sizeof(tree));
}

static inline void begin(const char *name)
{
	blob_begin(&tree, name, strlen(name));
}

static inline void end(void)
{
	blob_end(&tree);
}

static inline void bytes(const char *name, const void *value, size_t n)
{
	blob_property(&tree, blob_name(&tree, name, strlen(name)), value, n);
}

static inline void cell(const char *name, uint32_t value)
{
	unsigned char four[4];

	put32(four, value);
	bytes(name, four, 4);
}

static inline void text(const char *name, const char *value)
{
	bytes(name, value, strlen(value) + 1);
}

/* The tree in a block of its exact size. Ends what is open. */
static inline unsigned char *finish(size_t *size)
{
	blob_finish(&tree);
	*size = tree.size;
	return tree.fdt;
}

/* A tree as text, as in blob_text(). */
static inline unsigned char *make(const char *nodes, size_t *size)
{
	start();
	begin("");
	blob_text(&tree, nodes);
	return finish(size);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static inline void put_cells(const uint32_t *cells, uint32_t n)
{
	while (n--)
		blob_cell(&tree, *cells++);
}

#define CELLS(n, ...) put_cells((uint32_t[]){ __VA_ARGS__ }, n)
#define PAIR(value) (uint32_t)((value) >> 32), (uint32_t)(value)

/* Begins a table of n rows, which put_cells() appends. Without rows there is none. */
static inline void table_of(const char *name, uint32_t n, uint32_t cells)
{
	if (!n)
		return;
	bytes(name, NULL, 0);
	put32(tree.tags + tree.tag_bytes - 8, 4 * cells * n);
}

/*
 * A model's rows as a tree with one node: collects its findings, and lets the model read it again.
 * Its map must equal the builder's.
 */
static inline void findings_of_rows(const struct model *m, struct findings *f, struct model *again)
{
	enum pmumap_status status;
	struct pmumap *map, *built = build_rows(m);
	unsigned char *fdt;
	size_t size;
	uint32_t i;

	start();
	blob_text(&tree, "{ pmu { compatible=\"riscv,pmu\"");
	table_of(model_names[0][MODEL_SELECTOR], m->selectors, 3);
	for (i = 0; i < m->selectors; i++)
		CELLS(3, m->selector[i].event, PAIR(m->selector[i].selector));
	table_of(model_names[0][MODEL_COUNTERS], m->ranges, 3);
	for (i = 0; i < m->ranges; i++)
		CELLS(3, m->range[i].first, m->range[i].last, m->range[i].counters);
	table_of(model_names[0][MODEL_RAW], m->raws, 5);
	for (i = 0; i < m->raws; i++)
		CELLS(5, PAIR(m->raw[i].select), PAIR(m->raw[i].mask), m->raw[i].counters);
	fdt = finish(&size);
	map = build_tree(fdt, size, 0, f, &status);
	CHECK(status == PMUMAP_OK && same_image(map, built));
	model_init(again);
	CHECK(model_read(again, fdt, 0));
	free(fdt);
	free(map);
	free(built);
}

#endif /* MAKE_H */
