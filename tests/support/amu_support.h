/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the tests of AMU share: maps of it, and their comparison with the models.
 */
#ifndef AMU_SUPPORT_H
#define AMU_SUPPORT_H

#include "support.h"
#include "amu_model.h"

static struct findings amu_findings;

/* A map in a heap block of its own size, built in one of exactly the measured size; or NULL. */
static inline struct pmumap *amu_build(const void *fdt, size_t size, uint32_t flags,
				       enum pmumap_status *status)
{
	struct pmumap *map = build_tree(fdt, size, 0, flags, &amu_findings, status), *copy = NULL;

	if (map)
		copy = exact_copy(map, pmumap_size(map));
	free(map);
	return copy;
}

/* ---- look-ups -------------------------------------------------------------------------------- */

static inline int same_cpu(const struct pmumap_amu_cpu *got, const struct amu_model *m, uint32_t i)
{
	const struct amu_model_cpu *c = &m->cpu[i];

	return got->mpidr == c->mpidr && got->described == c->described &&
	       got->enable == c->enable &&
	       got->view == (c->view == MODEL_NO_ROW ? PMUMAP_AMU_NO_VIEW : c->view);
}

/* A CPU by its affinity, whatever the bits that do not count. Returns whether the answer is bad. */
static inline uint32_t ask_cpu(const struct pmumap *map, const struct amu_model *m, uint64_t mpidr)
{
	uint32_t want = amu_model_cpu(m, mpidr);
	struct pmumap_amu_cpu c;

	unasked(&c, sizeof(c));
	if (want == MODEL_NO_ROW)
		return pmumap_amu_cpu(map, mpidr, &c) || !untouched(&c, sizeof(c));
	return pmumap_amu_cpu(map, mpidr, &c) != 1 || !same_cpu(&c, m, want);
}

static inline void check_cpus(const struct pmumap *map, const struct amu_model *m)
{
	static const uint64_t others[] = {
		0, 1, 0x80000000, 0xffffffff, 0x100000000, 0xff00ffffff, 0xffffffffff, ~0ull
	};
	struct pmumap_amu_cpu c;
	uint32_t i, bit, bad = 0;

	for (i = 0; i < m->cpus; i++) {
		uint64_t mpidr = m->cpu[i].mpidr;

		unasked(&c, sizeof(c));
		bad += pmumap_amu_cpu_at(map, i, &c) != 1 || !same_cpu(&c, m, i);
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

static inline void check_views(const struct pmumap *map, const struct amu_model *m)
{
	uint16_t described = 0x5a5a, enable = 0xa5a5;
	uint32_t i, k, bad = 0;

	bad += pmumap_amu_view(map, m->views, &described, &enable) != 0;
	bad += pmumap_amu_view(map, PMUMAP_AMU_NO_VIEW, &described, &enable) != 0;
	bad += described != 0x5a5a || enable != 0xa5a5;
	for (i = 0; i < m->views; i++) {
		const struct amu_model_view *v = &m->view[i];

		described = (uint16_t)~v->described;
		enable = (uint16_t)~v->enable;
		bad += pmumap_amu_view(map, i, &described, &enable) != 1;
		bad += described != v->described || enable != v->enable;
		for (k = 0; k < AMU_COUNTERS; k++)
			bad += !same_text(pmumap_amu_counter_name(map, i, k), v->name[k]);
		bad += pmumap_amu_counter_name(map, i, k) || pmumap_amu_counter_name(map, i, ~0u);
		bad += pmumap_amu_counter_name(map, i, 32) != NULL;
	}
	bad += pmumap_amu_counter_name(map, m->views, 0) != NULL;
	bad += pmumap_amu_counter_name(map, PMUMAP_AMU_NO_VIEW, 0) != NULL;
	CHECK_EQ(bad, 0);
}

static inline void check_amu(const struct pmumap *map, const struct amu_model *m)
{
	check_cpus(map, m);
	check_views(map, m);
}

/* ---- findings -------------------------------------------------------------------------------- */

static inline int of_amu(const char *code)
{
	static const char *const codes[] = {
		"view-missing",  "view-foreign",  "view-extra",        "cells",
		"counter-reg",   "counter-range", "counter-duplicate", "counter-name",
		"unit-mismatch", "enable-value",  "cpu-reg",           "cpu-duplicate",
		"cpu-disabled",  "cpu-name"
	};
	size_t i;

	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (!strcmp(codes[i], code))
			return 1;
	return 0;
}

static inline int of_amu_only(const struct model_finding *f)
{
	return of_amu(f->code);
}

/* Those of other bindings aside. */
static inline void check_amu_findings(const struct findings *got, struct amu_model *m)
{
	match_findings(got, m->finding, m->findings, of_amu_only, same_in_all, NULL);
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* Where TF-A reads a tree as it is meant, it enables what the map says. Returns its doubts. */
static inline unsigned check_tfa(const struct pmumap *map, const void *fdt)
{
	struct pmumap_amu_cpu c;
	unsigned doubts;
	uint32_t i, bad = 0;
	struct tfa t;

	tfa_read(&t, fdt);
	for (i = 0; !t.doubts && map && pmumap_amu_cpu_at(map, i, &c); i++)
		bad += c.enable != tfa_enable(&t, c.mpidr);
	for (i = 0; !t.doubts && i < t.cpus; i++)
		bad += t.enable[i] && !(map && pmumap_amu_cpu(map, t.mpidr[i], &c));
	CHECK_EQ(bad, 0);
	doubts = t.doubts;
	tfa_free(&t);
	return doubts;
}

/* Everything about one tree. Returns whether it has something of AMU. */
static inline int check_amu_tree(const void *fdt, size_t size, unsigned *doubts)
{
	unsigned char *before = exact_copy(fdt, size);
	enum pmumap_status status;
	struct amu_model m;
	struct pmumap *map = amu_build(fdt, size, 0, &status);
	int amu = amu_model_read(&m, fdt);

	CHECK(memcmp(fdt, before, size) == 0);
	free(before);
	CHECK(status == PMUMAP_OK || (status == PMUMAP_E_NOTFOUND && !amu));
	if (map)
		check_amu(map, &m);
	check_amu_findings(&amu_findings, &m);
	*doubts = check_tfa(map, fdt);
	amu_model_free(&m);
	free(map);
	return amu;
}

#endif /* AMU_SUPPORT_H */
