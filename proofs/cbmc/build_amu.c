/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A map of AMU, from items with any values, in a block that is as large as counted.
 */
#include "proof.h"

#define VIEWS 2
#define COUNTERS 2
#define CPUS 2

/* The head, then all tables and lists: 2 views, 2 names, their strings, 2 CPUs. */
#define ROOM (sizeof(struct pmumap_amu) + 16 + 8 + 24 + 16 + 8 + 16 + 8)

static unsigned char blob[] = "....counter@0\0.....counter@1";
static struct pmumap_amu_build_ b;
static struct {
	struct pmumap_amu m;
	uint64_t rest[(ROOM - sizeof(struct pmumap_amu)) / 8];
} block;

static void any_item(uint32_t item)
{
	b.r.id = nondet_u32();
	b.r.index = nondet_u32();
	b.r.mpidr = nondet_u64();
	b.r.flags = nondet_u32() & 15;
	b.r.w.offset = nondet_u8() & 1 ? 0 : 16; /* of the counter's name */
	pmumap_amu_fill_item_(&b.r, item);
}

/* The tables are inside, CPUs are sorted and unique, and each counter has a name. */
void amu(void)
{
	struct pmumap_amu *m = &block.m;
	const struct pmumap_amu_cpu_row_ *c;
	uint32_t i, first = nondet_u8() & 1;

	b.m = m;
	b.r.w.blob = blob;
	m->views = sizeof(*m);
	m->names = m->views + 16;
	m->strings = m->names + 8;
	m->cpus = m->strings + 24;
	m->by_tree = m->cpus + 16;
	b.ids = (uint32_t(*)[2])pmumap_amu_block_at_(&b, m->by_tree + 8);
	b.numbers = pmumap_amu_built_words_(&b, m->by_tree + 24);
	any_item(PMUMAP_AMU_VIEW_);
	if (first)
		any_item(PMUMAP_AMU_COUNTER_);
	any_item(PMUMAP_AMU_VIEW_);
	any_item(PMUMAP_AMU_COUNTER_);
	if (!first)
		any_item(PMUMAP_AMU_COUNTER_);
	for (i = 0; i < CPUS; i++)
		any_item(PMUMAP_AMU_CPU_);
	pmumap_amu_resolve_cpus_(&b);
	pmumap_amu_number_views_(&b);
	pmumap_amu_pack_(&b);

	prove(m->head.size % 8 == 0 && m->head.size <= sizeof(block));
	prove(m->view_count <= VIEWS && m->cpu_count <= CPUS && m->name_count <= COUNTERS);
	prove(pmumap_amu_open_tables_(m));
	c = pmumap_amu_cpu_rows_(m);
	prove(m->cpu_count < 2 || c[0].affinity < c[1].affinity);
	reached(m->cpu_count == CPUS && m->name_count == COUNTERS && c[0].view == 1);
	reached(m->cpu_count == 0 && m->view_count == 0);
}
