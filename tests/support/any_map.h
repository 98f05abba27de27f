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

static uint64_t answers; /* maps that were asked */

/* built: the builder made it, so what it lists is also found. most: names to look up. */
static inline void any_ask(int kind, const void *map, uint32_t most, int built)
{
	answers++;
	if (kind == AMU)
		fuzz_amu(map, built);
	else if (kind == IMC)
		(void)fuzz_imc_some(map, built, most);
	else
		fuzz_look_up(map, 1);
}

#endif /* ANY_MAP_H */
