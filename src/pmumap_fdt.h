/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_fdt.h 0.2.1 -- a map from a flattened device tree that nobody has checked.
 *
 * QUICK START
 *	#include "pmumap_fdt.h"			// and with it pmumap.h
 *
 *	static uint64_t block[PMUMAP_BLOCK(64, 64, 64) / 8];	// for so many rows of each table
 *	size_t fdt_size = pmumap_fdt_size(fdt), need;
 *	const struct pmumap *map;
 *	struct pmumap_job job;
 *	enum pmumap_status status;
 *
 *	status = pmumap_fdt_build(fdt, fdt_size, 0, block, sizeof(block), &map);
 *	if (status == PMUMAP_E_NOSPACE) {	// more rows: measure first, if there is a heap
 *		status = pmumap_fdt_measure(fdt, fdt_size, 0, &need);
 *		if (status == PMUMAP_OK)
 *			status = pmumap_fdt_build(fdt, fdt_size, 0, malloc(need), need, &map);
 *	}
 *	if (status != PMUMAP_OK) {
 *		puts(pmumap_status_str(status));	// no PMU, or a bad blob, or the block ...
 *		return;
 *	}
 *	// dTLB read misses, on one of counters: those that the hart has, less what is taken
 *	uint32_t features = pmumap_fdt_features(fdt, fdt_size, hart);
 *	int counter = pmumap_plan(map, 0x10019, 0, counters, features, PMUMAP_RULE_ABSENT, &job);
 *
 * WHAT IS READ
 *   A tree may have several of these. All are read into one map.
 *
 *   RISC-V	The first node that is compatible with "riscv,pmu", wherever it is; opt->node names
 *		another one. It has up to three tables:
 *	riscv,event-to-mhpmevent	<event selector-hi selector-lo>
 *	riscv,event-to-mhpmcounters	<first-event last-event counters>
 *	riscv,raw-event-to-mhpmcounters	<select-hi select-lo mask-hi mask-lo counters>
 *		Names and rows of 2021 are read where today's are absent: "pmu," as prefix, raw rows
 *		without a mask. Nodes of the drafts of 2018-2020, which have the same compatible,
 *		are only reported.
 *
 *   IMC	Every node that is compatible with "ibm,opal-in-memory-counters": the root of a
 *		catalog, or /imc-counters of a running system. Its children are units
 *		("ibm,imc-counters") and lists of events, joined by phandle in either order. Formats
 *		before June 2017 have the events inside their units, which are compatible with
 *		"ibm,imc-counters-nest" and the like, or "ibm,ima-...". Chips come from base-addr
 *		and chip-id, from base_addr and chipids, or from ibm,homer-image nodes.
 *
 *   AMU	The CPUs of /cpus, the views that their property amu names, and the counters in
 *		these; labels come from /__symbols__. Views are nodes in /cpus/amus. A view
 *		elsewhere is read if it is at most seven levels deep, and then only its counters
 *		before any view inside of it.
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Blob	any bytes at any address; a tree is of version 17, and at most 64 levels deep. It is
 *		validated in one pass before a row is used, by this header alone: libfdt is not
 *		needed. Only the three functions at the end write to it.
 *   Offsets	of nodes, in and out, are libfdt's: fdt_get_path() and the like take them.
 */
#include "pmumap.h"

#include "core/version.h" /* refuses a header of another version */

/* C has no other casts and no other null pointer. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#ifndef PMUMAP_FDT_H
#define PMUMAP_FDT_H

#ifdef __cplusplus
extern "C" {
#endif

#include "fdt/api.h" /* trees in and out */

#ifdef __cplusplus
}
#endif

#endif /* PMUMAP_FDT_H */

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_FDT_IMPLEMENTED_)
#define PMUMAP_FDT_IMPLEMENTED_

#ifdef __cplusplus
extern "C" {
#endif

#include "fdt/blob.h"     /* cells and strings of a blob that may be anything */
#include "fdt/walk.h"     /* one pass over its tags */
#include "fdt/property.h" /* the properties of the node at hand */
#if PMUMAP_HAS_ENTRIES_
#include "pool/property.h" /* a property that is a text */
#endif
#if PMUMAP_BINDINGS & PMUMAP_RISCV
#include "riscv/features.h" /* what extensions a hart has */
#include "riscv/fdt.h"      /* the nodes of riscv,pmu */
#include "riscv/lint_fdt.h" /* what is probably unintended in the node in use */
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
#include "imc/fdt_unit.h" /* a unit of a catalog or of /imc-counters: type, window, chips */
#include "imc/fdt.h"      /* and the nodes around it: lists, events, roots */
#endif
#if PMUMAP_BINDINGS & PMUMAP_AMU
#include "amu/fdt.h" /* CPUs and their views */
#endif
#include "map/read.h" /* all of a tree into one map */
#include "fdt/edit.h" /* change a tree in place */
#if PMUMAP_BINDINGS & PMUMAP_RISCV
#include "riscv/emit.h" /* write a riscv,pmu node; take its tables out */
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
#include "imc/fixup.h" /* give nest units their chips */
#endif

#ifdef __cplusplus
}
#endif

#endif /* PMUMAP_FDT_IMPLEMENTED_ */

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
