/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Maps of any kind: built, opened, and asked everything.
 */
#ifndef ANY_MAP_H
#define ANY_MAP_H

#include "pmumap_amu_check.h"
#include "pmumap_imc_check.h"
#include "pmumap_imc_hw.h"
#include "support.h"

enum { RISCV, IMC, AMU, KINDS };

static const struct pmumap_amu_options any_labels = { .labels = pmumap_amu_labels };

static inline enum pmumap_status any_measure(int kind, const void *fdt, size_t size, size_t *need)
{
	return kind == AMU   ? pmumap_amu_fdt_measure(fdt, size, &any_labels, need)
	       : kind == IMC ? pmumap_imc_fdt_measure(fdt, size, NULL, need)
			     : pmumap_fdt_measure(fdt, size, NULL, need);
}

static inline enum pmumap_status any_build(int kind, const void *fdt, size_t size, void *mem,
					   size_t bytes, const void **map)
{
	const struct pmumap *riscv = *map;
	const struct pmumap_imc *imc = *map;
	const struct pmumap_amu *amu = *map;
	enum pmumap_status status;

	if (kind == AMU) {
		status = pmumap_amu_fdt_build(fdt, size, &any_labels, mem, bytes, &amu);
		*map = amu;
	} else if (kind == IMC) {
		status = pmumap_imc_fdt_build(fdt, size, NULL, mem, bytes, &imc);
		*map = imc;
	} else {
		status = pmumap_fdt_build(fdt, size, NULL, mem, bytes, &riscv);
		*map = riscv;
	}
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
	const struct pmumap *riscv = *map;
	const struct pmumap_imc *imc = *map;
	const struct pmumap_amu *amu = *map;
	enum pmumap_status status;

	if (kind == AMU) {
		status = pmumap_amu_open(image, size, &amu);
		*map = amu;
	} else if (kind == IMC) {
		status = pmumap_imc_open(image, size, &imc);
		*map = imc;
	} else {
		status = pmumap_open(image, size, &riscv);
		*map = riscv;
	}
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

/* The whole string must be inside. */
static inline uint64_t text_length(const char *s)
{
	return s ? strlen(s) : 0;
}

/* Looks up a name, alone and behind its unit, and the offset. lost: what is not found. */
static inline void ask_imc_event(const struct pmumap_imc *m, uint32_t unit, uint32_t at,
				 uint32_t *lost)
{
	struct pmumap_imc_event e;
	uint32_t nth, found = 0;
	uint64_t base = 0;
	char text[128];
	const char *name = text;
	size_t n;

	if (!pmumap_imc_event(m, at, &e)) {
		++*lost;
		return;
	}
	answers += text_length(e.scale) + text_length(e.measure) + text_length(e.desc) + e.offset +
		   text_length(e.prefix) + text_length(e.name);
	answers += (uint64_t)pmumap_imc_address(m, &e, 0, &base);
	*lost += e.unit_index != unit;
	*lost += !pmumap_imc_find_offset(m, PMUMAP_IMC_ALL, e.offset, 0, &found);
	*lost += !pmumap_imc_find_offset(m, unit, e.offset, 0, &found) || found > at;
	n = (size_t)snprintf(text, sizeof(text), "%s/%s%s", e.unit, e.prefix, e.name);
	if (n >= sizeof(text))
		return;
	name += strlen(e.unit) + 1;
	*lost += !pmumap_imc_find_name(m, name, strlen(name), 0, &found);
	for (nth = 0; nth < 3; nth++) {
		answers += (uint64_t)pmumap_imc_find_name(m, text, n, nth == 2 ? ~0u : nth, &found);
		answers += (uint64_t)pmumap_imc_find_offset(m, unit, e.offset, nth, &found);
	}
}

/* most: rows of each table */
static inline void ask_imc(const struct pmumap_imc *m, uint32_t most, uint32_t *lost)
{
	static const char *const others[] = {
		"", "/", "A", "PM_", "mcs0/PM_A", "core_imc/CPM_INST/"
	};
	struct pmumap_imc_event e = { 0 };
	struct pmumap_imc_unit unit;
	uint32_t u, i, chip = 0, at = 0;
	uint64_t base = 0;

	for (u = 0; u < most && pmumap_imc_unit_at(m, u, &unit); u++) {
		answers += text_length(unit.name) + text_length(unit.prefix) +
			   text_length(unit.scale) + text_length(unit.measure);
		e.unit_index = u;
		for (i = 0; i < most && pmumap_imc_chip_at(m, u, i, &chip, &base); i++) {
			answers += (uint64_t)pmumap_imc_control_address(m, u, chip, &base) + base;
			answers += (uint64_t)pmumap_imc_address(m, &e, chip, &base) + base;
		}
		for (i = 0; i < most && pmumap_imc_event_at(m, u, i, &at); i++)
			ask_imc_event(m, u, at, lost);
		if (pmumap_imc_event_at(m, u, unit.events - 1, &at))
			ask_imc_event(m, u, at, lost);
	}
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		answers += (uint64_t)pmumap_imc_find_name(m, others[i], strlen(others[i]), 0, &at);
	answers += (uint64_t)pmumap_imc_find_offset(m, 0, ~0u, 0, &at);
	answers += (uint64_t)pmumap_imc_find_offset(m, PMUMAP_IMC_ALL, 0, ~0u, &at);
	answers += (uint64_t)pmumap_imc_event_at(m, ~0u, ~0u, &at) + pmumap_imc_names(m);
}

static inline void ask_amu(const struct pmumap_amu *m, uint32_t most, uint32_t *lost)
{
	static const uint64_t mpidrs[] = { 0, 0x100, 0x10000, 0xffffff, 0xff00ffffff, ~0ull };
	struct pmumap_amu_cpu c = { 0, 0, 0, 0 }, same;
	uint16_t described = 0, enable = 0;
	uint32_t i, k;

	for (i = 0; i < sizeof(mpidrs) / sizeof(mpidrs[0]); i++)
		if (pmumap_amu_cpu_find(m, mpidrs[i], &c))
			answers += c.mpidr + c.view + c.described + c.enable;
	for (i = 0; i < most && pmumap_amu_cpu_at(m, i, &c); i++) {
		*lost += !pmumap_amu_cpu_find(m, c.mpidr, &same) || same.view != c.view;
		*lost += (c.enable & ~c.described) != 0;
		for (k = 0; k < 17; k++)
			answers += text_length(pmumap_amu_counter_name(m, c.view, k));
	}
	for (i = 0; i < most && pmumap_amu_view_at(m, i, &described, &enable); i++)
		for (k = 0; k < 17; k++)
			answers += text_length(pmumap_amu_counter_name(m, i, k)) + described;
}

/*
 * Returns how many answers a map that was built would not give. In a foreign image only the runs of
 * RISC-V's events have to be right.
 */
static inline uint32_t any_ask(int kind, const void *map, uint32_t most)
{
	uint32_t lost = 0;

	if (kind == AMU)
		ask_amu(map, most, &lost);
	else if (kind == IMC)
		ask_imc(map, most, &lost);
	else
		answers += ask_map(map, &lost);
	return lost;
}

#endif /* ANY_MAP_H */
