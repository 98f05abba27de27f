/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap.h 0.3.1 -- which events a RISC-V PMU counts, on which counters, by which selectors.
 *
 * QUICK START
 *	#include "pmumap.h"			// nothing to define, nothing to link
 *
 *	static uint64_t block[PMUMAP_BLOCK(1, 1, 1) / 8];	// rows of each kind
 *	const struct pmumap *map;	// with malloc(), measure first: pmumap_begin(&b, 0, 0),
 *	struct pmumap_builder b;	// add the rows, pmumap_need(&b); then begin again
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
 *	uint32_t mine = 0x1d;			// the hart's counters: 0, 2, 3 and 4
 *	// counter 3; write job.selector (0x302) to mhpmevent3
 *	int counter = pmumap_plan(map, 0x00004, 0, mine, 0, PMUMAP_RULE_ABSENT, &job);	// 3
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in your block, and stays there.
 *   Image	a map has offsets, no pointers: copy it, store it, put it into ROM, open it again
 *		(pmumap_open()) on a CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written: any number of harts read it without a lock.
 *   Life	building can fail. Looking up cannot, and writes nothing to the map.
 *   Input	any row, image or argument is safe. Only pointers must be valid; a pointer with a
 *		length may be NULL if the length is 0.
 *   Overlap	a block must not overlap the tree, map or strings that its map is built from. Trees
 *		and maps are checked: E_ARG.
 *   Failure	a failed build yields no map. "Not found" is never confused with the answer 0.
 *
 * LINKAGE (one mode for the whole program)
 *   default			every function is static inline; unused functions are not linked
 *				(without optimisation, a few small functions are)
 *   PMUMAP_EXTERN		declarations only, in every file; and in exactly one file also
 *   PMUMAP_IMPLEMENTATION	the definitions of all pmumap headers that the program uses
 *   PMUMAP_NO_STDINT		do not include <stdint.h> and <stddef.h>: you have defined uint8_t,
 *				uint16_t, uint32_t, uint64_t, int32_t and size_t
 *
 * More headers: pmumap_fdt.h reads device trees, pmumap_check.h finds mistakes in them and names
 * events, pmumap_hw.h accesses registers, pmumap_server.h serves the SBI PMU extension to guests.
 */
#include "riscv/api.h"
#include "riscv/pmu_api.h"
#include "core/findings.h"
#include "riscv/open.h"
#include "riscv/lookup.h"
#include "riscv/list.h"
#include "riscv/pick.h"
#include "riscv/add.h"
#include "riscv/add_table.h"
#include "riscv/finish.h"
#include "riscv/restrict.h"
