/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The readers of device trees, on a node in the state that the walk leaves (WP proves that for
 * every blob): properties are anywhere in the blob and have any value.
 */
#include "proof.h"

#define HEAD 12 /* a tag, a length and a name precede a value */

static unsigned char blob[BYTES];
static struct pmumap_fdt_cursor_ walk;
static uint32_t found[PMUMAP_AMU_PROPERTIES_]; /* of the walk's current node */
static struct pmumap_amu_reader_ amu;

static void fill(void)
{
	uint32_t i;

	for (i = 0; i < BYTES; i++)
		blob[i] = nondet_u8();
}

/* A value's offset and length, both inside the blob. */
static uint32_t property(void)
{
	uint32_t at = nondet_u8();

	assume(at >= HEAD && at <= BYTES && pmumap_load_be32_(blob + at - 8) <= BYTES - at);
	return at;
}

/* Any of the properties may be missing; the node's name ends inside the blob. */
static void node(const uint32_t *used, uint32_t count)
{
	uint32_t i;

	fill();
	for (i = 0; i < count; i++) {
		if (nondet_u8() & 1)
			found[used[i]] = property();
	}
	walk.blob = blob;
	walk.found = found;
	walk.offset = nondet_u8();
	assume(walk.offset + 4 < BYTES);
	assume(blob[BYTES - 1] == 0);
}

static uint32_t visits, visited; /* how many items, and the last one */

static void visit(struct pmumap_amu_reader_ *r, uint32_t item)
{
	(void)r;
	visits++;
	visited = item;
}

/* The reader has the walk of node(). */
static void begin_amu(void)
{
	uint32_t i;

	amu.w = walk;
	amu.w.found = amu.found;
	for (i = 0; i < PMUMAP_AMU_PROPERTIES_; i++)
		amu.found[i] = found[i];
	amu.visit = visit;
}

void amu_cpu(void)
{
	static const uint32_t used[] = { PMUMAP_AMU_PROPERTY_REG_, PMUMAP_AMU_PROPERTY_DEVICE_TYPE_,
					 PMUMAP_AMU_PROPERTY_STATUS_, PMUMAP_AMU_PROPERTY_AMU_ };

	node(used, sizeof(used) / sizeof(used[0]));
	begin_amu();
	amu.cpus_cells = nondet_u32();
	pmumap_amu_read_cpu_(&amu);
	prove(visits <= 1);
	prove(!visits || (visited == PMUMAP_AMU_CPU_ && amu.node == walk.offset));
	reached(visits && amu.seen && amu.cpus_cells == 2 && !amu.flags);
}

/* A view and its counter. */
void amu_counter(void)
{
	static const uint32_t used[] = { PMUMAP_AMU_PROPERTY_REG_, PMUMAP_AMU_PROPERTY_PHANDLE_,
					 PMUMAP_AMU_PROPERTY_LINUX_PHANDLE_,
					 PMUMAP_AMU_PROPERTY_ADDRESS_CELLS_,
					 PMUMAP_AMU_PROPERTY_ENABLE_ };

	node(used, sizeof(used) / sizeof(used[0]));
	begin_amu();
	amu.w.depth = 3;
	amu.in_amus = nondet_u8() & 1;
	pmumap_amu_note_view_(&amu);
	amu.w.depth = 4;
	pmumap_amu_read_counter_(&amu);
	prove(visits == 2 && visited == PMUMAP_AMU_COUNTER_);
	prove(amu.flags || amu.index < 16);
	reached(amu.index == 15 && !(amu.flags & PMUMAP_AMU_BAD_REG_));
}

/* A RISC-V table of any length: one call for each row, with any values. */
static void rows(enum pmumap_table table, uint32_t cells)
{
	struct pmumap_builder b;
	uint32_t bytes, n;

	fill();
	bytes = pmumap_load_be32_(blob + 4);
	assume(bytes <= BYTES - HEAD);
	pmumap_begin(&b, 0, 0);
	(void)pmumap_add_table(&b, table, blob + HEAD, bytes);
	n = bytes / (4 * cells);
	prove((table == PMUMAP_TABLE_SELECTORS  ? b.selector_rows
	       : table == PMUMAP_TABLE_COUNTERS ? b.counter_rows
						: b.raw_rows) == n);
	prove(b.kept <= n);
	reached(b.kept == (BYTES - HEAD) / (4 * cells));
	reached(b.kept == 1 && bytes % 4 == 3);
}

void selectors(void)
{
	rows(PMUMAP_TABLE_SELECTORS, 3);
}

void counters(void)
{
	rows(PMUMAP_TABLE_COUNTERS, 3);
}

void raw(void)
{
	rows(PMUMAP_TABLE_RAW, 5);
}

void raw_old(void)
{
	rows(PMUMAP_TABLE_RAW_2021, 3);
}
