/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Maps of any kind: built, opened, and asked everything.
 */
#ifndef ANY_MAP_H
#define ANY_MAP_H

#include "fuzz/fuzz_amu.h"
#include "fuzz/fuzz_imc.h"
#include "support.h"

enum { RISCV, IMC, AMU, KINDS };

static const struct pmumap_amu_options any_labels = { .labels = pmumap_amu_labels };

static inline enum pmumap_status any_measure(int kind, const void *fdt, size_t size, size_t *need)
{
	return kind == AMU   ? pmumap_amu_fdt_measure(fdt, size, &any_labels, need)
	       : kind == IMC ? pmumap_imc_fdt_measure(fdt, size, NULL, need)
			     : pmumap_fdt_measure(fdt, size, NULL, need);
}

/* A pointer to a map of any kind. */
union any_map {
	const void *any;
	const struct pmumap *riscv;
	const struct pmumap_imc *imc;
	const struct pmumap_amu *amu;
};

static inline enum pmumap_status any_build(int kind, const void *fdt, size_t size, void *mem,
					   size_t bytes, const void **map)
{
	union any_map m = { *map };
	enum pmumap_status status =
		kind == AMU   ? pmumap_amu_fdt_build(fdt, size, &any_labels, mem, bytes, &m.amu)
		: kind == IMC ? pmumap_imc_fdt_build(fdt, size, NULL, mem, bytes, &m.imc)
			      : pmumap_fdt_build(fdt, size, NULL, mem, bytes, &m.riscv);

	*map = m.any;
	return status;
}

static inline enum pmumap_status any_check(int kind, const void *fdt, size_t size, void *mem,
					   size_t bytes, struct findings *to)
{
	to->n = 0;
	return kind == AMU   ? pmumap_amu_check(fdt, size, &any_labels, mem, bytes, collect, to)
	       : kind == IMC ? pmumap_imc_check(fdt, size, NULL, mem, bytes, collect, to)
			     : pmumap_fdt_check(fdt, size, NULL, mem, bytes, collect, to);
}

static inline enum pmumap_status any_open(int kind, const void *image, size_t size,
					  const void **map)
{
	union any_map m = { *map };
	enum pmumap_status status = kind == AMU   ? pmumap_amu_open(image, size, &m.amu)
				    : kind == IMC ? pmumap_imc_open(image, size, &m.imc)
						  : pmumap_open(image, size, &m.riscv);

	*map = m.any;
	return status;
}

static inline size_t any_size(int kind, const void *map)
{
	return kind == AMU   ? pmumap_amu_size(map)
	       : kind == IMC ? pmumap_imc_size(map)
			     : pmumap_size(map);
}

/* ---- every look-up --------------------------------------------------------------------------- */

static volatile uint64_t answers; /* so that the compiler keeps the calls */

/* Every kind of look-up, except those of lists. */
static inline uint64_t ask_map(const struct pmumap *map)
{
	static const uint32_t events[] = { 0,       1,       3,       0xa,      0x3f,
					   0x40,    0xffff,  0x10000, 0x10019,  0x1003f,
					   0x10040, 0x20000, 0xfffff, 0x100000, 0xffffffff };
	struct pmumap_want want[4] = { { 0, 1, 0, 0, 0 },
				       { 0, 3, 0, 0, 0 },
				       { 1, 0x20000, 0, 0, 0 },
				       { 0, 0x10019, 1, 40, 0 } };
	struct pmumap_job jobs[4];
	uint64_t sum = pmumap_size(map), value = 0;
	uint32_t i;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		sum += (uint64_t)pmumap_selector(map, events[i], &value);
		sum += pmumap_counters(map, events[i]);
		sum += (uint64_t)pmumap_encode(map, events[i], ~0ull, i % 3, &value) + value;
		sum += (uint64_t)pmumap_plan(map, events[i], events[i], ~0u, i % 8, i % 3,
					     &jobs[0]);
	}
	for (i = 0; i < 128; i++)
		sum += pmumap_counters(map, i / 64 << 16 | i % 64);
	for (i = 0; i < 16; i++)
		sum += pmumap_raw_counters(map, i < 8 ? i : random64());
	return sum + (uint64_t)pmumap_plan_all(map, want, 4, ~0u, 0, PMUMAP_RULE_ALWAYS, jobs);
}

/* built: the builder made it, so what it lists is also found. most: names to look up. */
static inline void any_ask(int kind, const void *map, uint32_t most, int built)
{
	if (kind == AMU)
		fuzz_amu(map, built);
	else if (kind == IMC)
		answers += fuzz_imc_some(map, built, most);
	else
		answers += ask_map(map) + fuzz_list(map);
}

#endif /* ANY_MAP_H */
