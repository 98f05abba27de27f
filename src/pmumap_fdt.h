/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_fdt.h 0.3.1 -- build a map from an untrusted flattened device tree.
 *
 * QUICK START
 *	#include "pmumap_fdt.h"			// includes pmumap.h
 *
 *	static uint64_t block[PMUMAP_BLOCK(64, 64, 64) / 8];	// rows of each table
 *	size_t fdt_size = pmumap_fdt_size(fdt), need;
 *	const struct pmumap *map;
 *	struct pmumap_job job;
 *	enum pmumap_status status;
 *
 *	status = pmumap_fdt_build(fdt, fdt_size, 0, block, sizeof(block), &map);
 *	if (status == PMUMAP_E_NOSPACE) {	// more rows: measure first, with a heap
 *		status = pmumap_fdt_measure(fdt, fdt_size, 0, &need);
 *		if (status == PMUMAP_OK)
 *			status = pmumap_fdt_build(fdt, fdt_size, 0, malloc(need), need, &map);
 *	}
 *	if (status != PMUMAP_OK) {
 *		puts(pmumap_status_str(status));	// no PMU, a bad blob, ...
 *		return;
 *	}
 *	// dTLB read misses; counters: the hart's unused ones; features: see pmumap_fdt_harts()
 *	int counter = pmumap_plan(map, 0x10019, 0, counters, features, PMUMAP_RULE_ABSENT, &job);
 *
 * WHAT IS READ
 *   The first node that is compatible with "riscv,pmu", wherever it is. opt->node selects another,
 *   such as that of a hart. It has up to three tables:
 *	riscv,event-to-mhpmevent	<event selector-hi selector-lo>
 *	riscv,event-to-mhpmcounters	<first-event last-event counters>
 *	riscv,raw-event-to-mhpmcounters	<select-hi select-lo mask-hi mask-lo counters>
 *   If a table is missing, its form of 2021 is read: the prefix is "pmu,", and raw rows have no
 *   mask. Nodes of the drafts of 2018-2020, which have the same compatible, are skipped.
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Blob	any bytes at any address are safe. A tree has version 17 and at most 64 levels. It
 *		is validated in one pass before any row is used; libfdt is not needed. Only
 *		pmumap_fdt_emit() and pmumap_fdt_fixup() write to it.
 *   Offsets	of nodes are libfdt's, in and out: pass them to fdt_get_path() and so on.
 */
#include "pmumap.h"
#include "riscv/fdt_api.h"
#include "fdt/size.h"
#include "riscv/read.h"
#include "riscv/harts.h"
#include "riscv/emit.h"
