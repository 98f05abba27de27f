/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Properties of every AMU map. built: the builder made it, so every listed CPU is also found.
 */
#ifndef FUZZ_AMU_H
#define FUZZ_AMU_H

#include "fuzz.h"
#include "pmumap_amu_check.h"

static inline void amu_views(const struct pmumap_amu *m, int built)
{
	const char *start = (const char *)(const void *)m, *end = start + pmumap_amu_size(m), *name;
	uint16_t described, enable;
	uint32_t view, i;

	for (view = 0; pmumap_amu_view_at(m, view, &described, &enable); view++) {
		MUST(view < pmumap_amu_size(m));
		MUST(!built || !(enable & ~described));
		for (i = 0; i < 18; i++) {
			name = pmumap_amu_counter_name(m, view, i);
			MUST(!built || (name != NULL) == (described >> i & 1));
			MUST(!name ||
			     (name > start && name < end && memchr(name, 0, (size_t)(end - name))));
		}
		MUST(!pmumap_amu_counter_name(m, view, ~0u));
	}
	MUST(!pmumap_amu_view_at(m, ~0u, &described, &enable));
	MUST(!pmumap_amu_counter_name(m, view, 0) && !pmumap_amu_counter_name(m, ~0u, 0));
}

static inline void amu_same(const struct pmumap_amu_cpu *a, const struct pmumap_amu_cpu *b)
{
	MUST(a->mpidr == b->mpidr && a->view == b->view);
	MUST(a->described == b->described && a->enable == b->enable);
}

/* All look-ups. */
static inline void fuzz_amu(const struct pmumap_amu *m, int built)
{
	struct pmumap_amu_cpu cpu, found;
	uint16_t described, enable;
	uint32_t i;

	amu_views(m, built);
	for (i = 0; pmumap_amu_cpu_at(m, i, &cpu); i++) {
		MUST(i < pmumap_amu_size(m) && !(cpu.mpidr & ~PMUMAP_AMU_AFFINITY && built));
		if (pmumap_amu_view_at(m, cpu.view, &described, &enable))
			MUST(cpu.described == described && cpu.enable == enable);
		else
			MUST(!cpu.described && !cpu.enable &&
			     (!built || cpu.view == PMUMAP_AMU_NO_VIEW));
		if (pmumap_amu_cpu_find(m, cpu.mpidr | (fuzz_random() & ~PMUMAP_AMU_AFFINITY),
					&found))
			MUST(!built || found.mpidr == cpu.mpidr);
		else
			MUST(!built);
		if (built)
			amu_same(&found, &cpu);
		found = cpu;
		if (!pmumap_amu_cpu_find(m, cpu.mpidr ^ 1ull << (fuzz_random() & 63), &found))
			amu_same(&found, &cpu);
	}
	MUST(!pmumap_amu_cpu_at(m, ~0u, &cpu));
}

#endif
