/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shared by the tests of AMU: builds maps and compares them with the models.
 */
#ifndef AMU_SUPPORT_H
#define AMU_SUPPORT_H

#include "pmumap_amu_check.h"
#include "pmumap_amu_hw.h"
#include "support.h"
#include "amu_model.h"

static struct findings amu_findings;

/*
 * A map in a heap block of its exact size, built with findings in a block of exactly the measured
 * size; or NULL. node: the only node to read, or 0.
 */
static inline struct pmumap_amu *amu_build(const void *fdt, size_t size, int node,
					   enum pmumap_status *status)
{
	struct pmumap_amu_options opt = { .node = node, .labels = pmumap_amu_labels };
	const struct pmumap_amu *map = NULL;
	size_t bytes = 0;
	void *block;

	amu_findings.n = 0;
	*status = pmumap_amu_fdt_measure(fdt, size, &opt, &bytes);
	block = exact(bytes);
	CHECK_EQ(pmumap_amu_check(fdt, size, &opt, block, bytes, collect, &amu_findings), *status);
	CHECK_EQ(pmumap_amu_fdt_build(fdt, size, &opt, block, bytes, &map), *status);
	CHECK((map != NULL) == (*status == PMUMAP_OK) && (!map || (const void *)map == block));
	CHECK(!map || pmumap_amu_size(map) <= bytes);
	if (map)
		return realloc(block, pmumap_amu_size(map));
	free(block);
	return NULL;
}

/* ---- look-ups -------------------------------------------------------------------------------- */

/* Returns how many rules the answer for a CPU breaks. */
static inline uint32_t cpu_bad(const struct pmumap_amu_cpu *got, const struct amu_model *m,
			       uint32_t i)
{
	const struct amu_model_cpu *c = &m->cpu[i];

	return BROKEN("a CPU's number is its affinity, Aff3 to Aff0", c->mpidr,
		      got->mpidr != c->mpidr) +
	       BROKEN("a CPU has the counters that its view describes", c->mpidr,
		      got->described != c->described) +
	       BROKEN("a CPU enables what its view does, in any node of a counter", c->mpidr,
		      got->enable != c->enable) +
	       BROKEN("a CPU has the view that its amu names", c->mpidr,
		      got->view != (c->view == MODEL_NO_ROW ? PMUMAP_AMU_NO_VIEW : c->view));
}

/*
 * Looks up a CPU by affinity, ignoring the bits that do not count. Returns whether the answer is
 * wrong.
 */
static inline uint32_t ask_cpu(const struct pmumap_amu *map, const struct amu_model *m,
			       uint64_t mpidr)
{
	uint32_t want = amu_model_cpu(m, mpidr);
	struct pmumap_amu_cpu c;

	unasked(&c, sizeof(c));
	if (want == MODEL_NO_ROW)
		return BROKEN("a CPU that the tree lacks is not found", mpidr,
			      pmumap_amu_cpu_find(map, mpidr, &c) || !untouched(&c, sizeof(c)));
	return BROKEN("a CPU is found by its affinity; other bits do not count", mpidr,
		      pmumap_amu_cpu_find(map, mpidr, &c) != 1 || cpu_bad(&c, m, want));
}

static inline void check_cpus(const struct pmumap_amu *map, const struct amu_model *m)
{
	static const uint64_t others[] = {
		0, 1, 0x80000000, 0xffffffff, 0x100000000, 0xff00ffffff, 0xffffffffff, ~0ull
	};
	struct pmumap_amu_cpu c;
	uint32_t i, bit, bad = 0;

	for (i = 0; i < m->cpus; i++) {
		uint64_t mpidr = m->cpu[i].mpidr;

		unasked(&c, sizeof(c));
		bad += BROKEN("CPUs are in the order of the tree", i,
			      pmumap_amu_cpu_at(map, i, &c) != 1 || cpu_bad(&c, m, i));
		bad += ask_cpu(map, m, mpidr);
		bad += ask_cpu(map, m, mpidr | (random64() & ~PMUMAP_AMU_AFFINITY));
		bad += ask_cpu(map, m, mpidr | ~PMUMAP_AMU_AFFINITY);
		bad += ask_cpu(map, m, mpidr + 1);
		for (bit = random_below(8); bit < 64; bit += m->cpus < 64 ? 1 : 8)
			bad += ask_cpu(map, m, mpidr ^ 1ull << bit);
	}
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		bad += ask_cpu(map, m, others[i]);
	unasked(&c, sizeof(c));
	bad += pmumap_amu_cpu_at(map, m->cpus, &c) || pmumap_amu_cpu_at(map, ~0u, &c);
	bad += !untouched(&c, sizeof(c));
	CHECK_EQ(bad, 0);
}

static inline void check_views(const struct pmumap_amu *map, const struct amu_model *m)
{
	uint16_t described = 0x5a5a, enable = 0xa5a5;
	uint32_t i, k, bad = 0;

	bad += pmumap_amu_view_at(map, m->views, &described, &enable) != 0;
	bad += pmumap_amu_view_at(map, PMUMAP_AMU_NO_VIEW, &described, &enable) != 0;
	bad += described != 0x5a5a || enable != 0xa5a5;
	for (i = 0; i < m->views; i++) {
		const struct amu_model_view *v = &m->view[i];

		described = (uint16_t)~v->described;
		enable = (uint16_t)~v->enable;
		bad += pmumap_amu_view_at(map, i, &described, &enable) != 1;
		bad += BROKEN("a view enables in any node of a counter what it describes", i,
			      described != v->described || enable != v->enable);
		for (k = 0; k < AMU_COUNTERS; k++)
			bad += BROKEN("a counter's name is its first label, else its node's", k,
				      !same_text(pmumap_amu_counter_name(map, i, k), v->name[k]));
		bad += pmumap_amu_counter_name(map, i, k) || pmumap_amu_counter_name(map, i, ~0u);
		bad += pmumap_amu_counter_name(map, i, 32) != NULL;
	}
	bad += pmumap_amu_counter_name(map, m->views, 0) != NULL;
	bad += pmumap_amu_counter_name(map, PMUMAP_AMU_NO_VIEW, 0) != NULL;
	CHECK_EQ(bad, 0);
}

static inline void check_amu(const struct pmumap_amu *map, const struct amu_model *m)
{
	check_cpus(map, m);
	check_views(map, m);
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* If TF-A understands the tree, it must enable the map's counters. Returns TF-A's deviations. */
static inline unsigned check_tfa(const struct pmumap_amu *map, const void *fdt)
{
	struct pmumap_amu_cpu c;
	unsigned doubts;
	uint32_t i, bad = 0;
	struct tfa t;

	tfa_read(&t, fdt);
	for (i = 0; !t.doubts && map && pmumap_amu_cpu_at(map, i, &c); i++)
		bad += BROKEN("a CPU enables what TF-A's getter would", c.mpidr,
			      c.enable != tfa_enable(&t, c.mpidr));
	for (i = 0; !t.doubts && i < t.cpus; i++)
		bad += t.enable[i] && !(map && pmumap_amu_cpu_find(map, t.mpidr[i], &c));
	CHECK_EQ(bad, 0);
	doubts = t.doubts;
	tfa_free(&t);
	return doubts;
}

/* Tests everything about one tree. Returns whether it has AMU. */
static inline int check_amu_tree(const void *fdt, size_t size, unsigned *doubts)
{
	unsigned char *before = exact_copy(fdt, size);
	enum pmumap_status status;
	struct amu_model m;
	struct pmumap_amu *map = amu_build(fdt, size, 0, &status);
	int amu = amu_model_read(&m, fdt);

	CHECK(memcmp(fdt, before, size) == 0);
	free(before);
	CHECK(status == PMUMAP_OK || (status == PMUMAP_E_NOTFOUND && !amu));
	if (map)
		check_amu(map, &m);
	match_findings(&amu_findings, m.finding, map ? m.findings : 0, NULL, same_in_all, NULL);
	*doubts = check_tfa(map, fdt);
	amu_model_free(&m);
	free(map);
	return amu;
}

#endif /* AMU_SUPPORT_H */
