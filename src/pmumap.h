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
 *   Life	build a map, which may fail; then look things up, which cannot fail and writes
 *		nothing to the map.
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
 *   PMUMAP_IMPLEMENTATION	the definitions of all headers of pmumap that the program uses
 *   PMUMAP_NO_STDINT		do not include <stdint.h> and <stddef.h>: uint8_t .. uint64_t,
 *				int32_t and size_t are already defined
 *
 * Device trees are in pmumap_fdt.h, what is wrong with them and the names of events in
 * pmumap_check.h, registers in pmumap_hw.h, the SBI PMU extension for guests in pmumap_server.h.
 */
#include "riscv/api.h"
#include "riscv/pmu_api.h"
#include "core/status.h"
#include "riscv/open.h"
#include "riscv/lookup.h"
#include "riscv/list.h"
#include "riscv/pick.h"
#include "riscv/add.h"
#include "riscv/finish.h"
#include "riscv/restrict.h"
