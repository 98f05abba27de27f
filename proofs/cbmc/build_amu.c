/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A map of AMU, from entries with any values.
 */
#include "proof.h"

#define COUNTERS 2
#define CPUS 2

/* Bytes that the calls need: fixed parts; a view; counters with names; CPUs. */
#define ROOM ((sizeof(struct pmumap_amu) + 128 + 16 + COUNTERS * (4 + 11) + CPUS * 16) & ~(size_t)7)

static struct pmumap_amu_view_entry_ view;
static struct pmumap_amu_counter_entry_ counter[COUNTERS];
static struct pmumap_amu_cpu_entry_ cpu[CPUS];

static void *const entries[] = { &view, &counter[0], &counter[1], &cpu[0], &cpu[1] };
static const uint32_t kinds[] = { PMUMAP_AMU_VIEW_, PMUMAP_AMU_COUNTER_, PMUMAP_AMU_COUNTER_,
				  PMUMAP_AMU_CPU_, PMUMAP_AMU_CPU_ };
#define BUILDER pmumap_amu_builder
#include "memory.h"

/* After the head: a view, kept apart; then names. */
static struct {
	struct pmumap_amu m;
	uint32_t apart[2], names[COUNTERS];
} image;
static struct pmumap_amu_view_row_ view_row;
static struct pmumap_amu_cpu_row_ cpu_rows[CPUS];
static uint32_t by_tree[CPUS];

/* For pmumap_append_table_(): tables are objects of their exact size. */
void *table(void *map, uint32_t *offset, uint32_t bytes)
{
	append(map, offset, bytes);
	if (offset == &image.m.views)
		return &view_row;
	if (offset == &image.m.cpus)
		return cpu_rows + CPUS - bytes / sizeof(cpu_rows[0]);
	prove(offset == &image.m.by_tree);
	return by_tree + CPUS - bytes / sizeof(by_tree[0]);
}

static uint32_t any_flags(uint32_t flags)
{
	return nondet_u32() & flags;
}

/* The counted need is enough, and the tables are inside of it. */
void amu(void)
{
	struct pmumap_amu *m = &image.m;
	const struct pmumap_amu_cpu_row_ *c;
	uint32_t i;

	(void)pmumap_amu_add_view_entry_(&builder, nondet_u32(), 0, nondet_u32(),
					 PMUMAP_AMU_VIEW_LISTED_);
	for (i = 0; i < COUNTERS; i++)
		(void)pmumap_amu_add_counter_entry_(&builder, nondet_u32(), "ab", any_flags(31));
	for (i = 0; i < CPUS; i++)
		(void)pmumap_amu_add_cpu_entry_(&builder, nondet_u64(), nondet_u32(),
						any_flags(15));
	m->head.size = sizeof(*m);
	prove((pmumap_amu_map_need_(&builder) & ~7u) ==
	      ROOM + ENTRIES * sizeof(struct pmumap_pool_entry_));
	pmumap_amu_build_(&builder, m);

	prove(m->head.size % 8 == 0 && m->view_count == 1 && m->cpu_count <= CPUS);
	c = cpu_rows + CPUS - m->cpu_count;
	for (i = 0; i < m->cpu_count; i++) {
		prove(c[i].view == 0 || c[i].view == PMUMAP_AMU_NO_VIEW);
		prove(by_tree[CPUS - m->cpu_count + i] < m->cpu_count);
		prove(i == 0 || c[0].affinity < c[1].affinity);
	}
	prove(view_row.first == 0 && m->name_count <= COUNTERS);
	for (i = 0; i < m->name_count; i++)
		prove(image.names[i] >= m->strings &&
		      image.names[i] < m->strings + m->string_bytes);
	reached(m->cpu_count == CPUS && m->name_count == COUNTERS);
	reached(m->cpu_count == 0 && m->name_count == 0);
}
