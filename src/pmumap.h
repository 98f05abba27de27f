/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap.h 0.2.1 -- what a PMU can count, where, and by which selector: one small immutable map.
 *
 * QUICK START
 *	#include "pmumap.h"			// nothing else to define, nothing to link
 *
 *	static uint64_t block[PMUMAP_BLOCK(1, 1, 1) / 8];	// for so many rows of each kind
 *	const struct pmumap *map;	// where there is malloc(), measure first: pmumap_begin(&b,
 *	struct pmumap_builder b;	// 0, 0), the rows, pmumap_need(&b); then begin again
 *	struct pmumap_job job;
 *	enum pmumap_status status;
 *
 *	pmumap_begin(&b, block, sizeof(block));	// or pmumap_fdt_build() of pmumap_fdt.h
 *	pmumap_add_selector(&b, 0x00004, 0x302);	// cache-misses: mhpmevent = 0x302 ...
 *	pmumap_add_counters(&b, 0x00003, 0x00006, 0x18);	// ... on mhpmcounter3 or 4
 *	pmumap_add_raw(&b, 0x1, 0xfffffffffff800ff, 0x18);	// raw event class 1, likewise
 *	status = pmumap_finish(&b, &map);
 *	if (status != PMUMAP_OK) {
 *		puts(pmumap_status_str(status));	// the block is too small, ...
 *		return;
 *	}
 *	uint32_t mine = 0x1d;			// the hart's own counters: 0, 2, 3 and 4
 *	// counter 3, and in job.selector what to write to mhpmevent3: 0x302
 *	int counter = pmumap_plan(map, 0x00004, 0, mine, 0, PMUMAP_RULE_ABSENT, &job);	// 3
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in one block of yours, and stays
 *		there.
 *   Image	the map has only offsets inside. So you may copy it, put it into ROM, share it,
 *		store it, and open it again (pmumap_open) on a CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written. Any number of harts read it without a lock.
 *   Life	build a map, which may fail and reports findings; then look things up, which
 *		cannot fail and writes nothing to the map.
 *   Input	every row, image and argument may be hostile. Only pointers have to be valid; one
 *		that comes with a length may be NULL if that is 0.
 *   Overlap	a block never shares a byte with what its map is made from: a tree, another map,
 *		strings. Trees and maps are checked for it, and refused.
 *   Failure	a build that fails yields no map. "Not found" is told apart from an answer of 0.
 *
 * LINKAGE (one mode for the whole program)
 *   default			every function is static inline. What you do not call is not linked
 *				(without optimisation, a few small functions are)
 *   PMUMAP_EXTERN		declarations only, in every file; and in exactly one file also
 *   PMUMAP_IMPLEMENTATION	the definitions
 *   PMUMAP_BINDINGS		the bindings that you use: PMUMAP_RISCV, PMUMAP_IMC, PMUMAP_AMU, or
 *				several with |; default: all. The others are left out
 *   PMUMAP_NO_STDINT		do not include <stdint.h> and <stddef.h>: uint8_t .. uint64_t,
 *				int32_t and size_t are already defined
 *
 * The file in order: first all declarations (status codes, findings and the image; the builder;
 * RISC-V; IMC; AMU), then all definitions, in the same rooms (core, builder, riscv, imc, amu), and
 * last what knows every binding (map). Device trees are in pmumap_fdt.h, registers in pmumap_hw.h,
 * the SBI PMU extension for guests in pmumap_server.h.
 */
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

#ifndef PMUMAP_H
#define PMUMAP_H

#include "core/linkage.h" /* bindings, and how functions are linked */

#ifdef __cplusplus
/* pmumap_imc_unit() fills a struct pmumap_imc_unit, as stat() does a struct stat. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
extern "C" {
#endif

#include "core/api.h"    /* status codes, findings, and the image */
#include "builder/api.h" /* the builder: from rows to a map */
#if PMUMAP_BINDINGS & PMUMAP_RISCV
#include "riscv/api.h" /* RISC-V: rows in, look-ups, event names */
#include "riscv/pmu.h" /* RISC-V: picking counters, and what a counter shall count */
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
#include "imc/api.h" /* IMC: names, units, offsets, addresses */
#endif
#if PMUMAP_BINDINGS & PMUMAP_AMU
#include "amu/api.h" /* AMU: the activity monitors of each CPU */
#endif

#ifdef __cplusplus
}
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
#endif

#endif /* PMUMAP_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_IMPLEMENTED_)
#define PMUMAP_IMPLEMENTED_

#ifdef __cplusplus
extern "C" {
#endif

#include "core/compiler.h"   /* what keeps compilers from calling libc */
#include "core/status.h"     /* the texts of status codes and findings */
#include "core/bits.h"       /* bits, and words of memory */
#include "core/text.h"       /* texts that people write: numbers and words */
#include "core/image.h"      /* what lies inside of an image */
#include "builder/rows.h"    /* the rows of RISC-V, which wait at the end of the block */
#include "builder/report.h"  /* report a finding */
#include "builder/entries.h" /* the entries of other bindings, which wait there too */
#include "builder/sort.h"    /* merge sort of rows */
#if PMUMAP_HAS_ENTRIES_
#include "pool/text.h" /* the order and the hash of strings */
#include "pool/sort.h" /* merge sort and heap sort of numbers */
#include "pool/pool.h" /* tables and strings while a map grows */
#endif
#if PMUMAP_BINDINGS & PMUMAP_RISCV
#include "riscv/tables.h"       /* the tables of events and of raw rows */
#include "riscv/open.h"         /* check them in a foreign image */
#include "riscv/lookup.h"       /* event to selector, event to counters, raw event to counters */
#include "riscv/list.h"         /* list a map */
#include "riscv/names.h"        /* the names of SBI events */
#include "riscv/parse.h"        /* events as people write them */
#include "riscv/pick.h"         /* counters for one event, and for many at once */
#include "riscv/add.h"          /* take a row */
#include "riscv/build_events.h" /* rows to records of events */
#include "riscv/build_raw.h"    /* raw rows to a hash index, or to bit vectors */
#include "riscv/build.h"        /* all of that, in order */
#include "riscv/lint_row.h"     /* what is legal, but probably unintended: in one row */
#include "riscv/lint.h"         /* the same in an event, and all of these checks in order */
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
#include "imc/tables.h"       /* the tables of units, lists, events and strings */
#include "imc/hash.h"         /* the hash of names, and where its index has them */
#include "imc/text.h"         /* the text that is looked for in it */
#include "imc/open.h"         /* check them in a foreign image */
#include "imc/unit_name.h"    /* how a unit may be spelled */
#include "imc/search.h"       /* find a name without the index */
#include "imc/find.h"         /* find a name */
#include "imc/offset.h"       /* find an offset */
#include "imc/list.h"         /* lists, addresses */
#include "imc/words.h"        /* scales, counters, trace words */
#include "imc/available.h"    /* which nest units a machine has */
#include "imc/catalog.h"      /* the right part of a catalog image */
#include "imc/entries.h"      /* what waits for the builder, and what it works on */
#include "imc/build_lists.h"  /* entries to lists of events, and strings */
#include "imc/build_units.h"  /* entries to units, classes and chips */
#include "imc/build_slots.h"  /* names to buckets, and buckets to slots */
#include "imc/build_index.h"  /* the index of names */
#include "imc/build_orders.h" /* the orders that stand for it where there is no room */
#include "imc/lint.h"         /* what is legal, but probably unintended */
#include "imc/build.h"        /* all of that, in order */
#include "imc/add.h"          /* take an event, a unit, a chip */
#endif
#if PMUMAP_BINDINGS & PMUMAP_AMU
#include "amu/tables.h"  /* the tables of CPUs, views and names */
#include "amu/open.h"    /* check them in a foreign image */
#include "amu/lookup.h"  /* CPU to counters */
#include "amu/entries.h" /* what waits for the builder, and what it works on */
#include "amu/lint.h"    /* what is wrong with a counter or a CPU */
#include "amu/labels.h"  /* the labels of counters */
#include "amu/build.h"   /* entries to views, names and CPUs */
#include "amu/add.h"     /* take a view, a counter, a CPU */
#endif
#include "map/open.h"   /* open a foreign image */
#include "map/finish.h" /* how much a map needs, and the map itself */
#if PMUMAP_BINDINGS & PMUMAP_RISCV
#include "map/restrict.h" /* a part of a map, for a guest */
#endif

#ifdef __cplusplus
}
#endif

#endif /* PMUMAP_IMPLEMENTED_ */

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
