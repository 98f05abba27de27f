/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_amu.h 0.3.1 -- Arm's activity monitors: each CPU's counters, by device tree. Mistakes and
 *	labels are in pmumap_amu_check.h, registers in pmumap_amu_hw.h.
 *
 * QUICK START
 *	#include "pmumap_amu.h"			// nothing else to copy, nothing to link
 *
 *	static uint64_t block[PMUMAP_AMU_BLOCK(128, 16) / 8];	// 128 CPUs, 16 counters
 *	const struct pmumap_amu *map;
 *	struct pmumap_amu_cpu cpu;
 *	enum pmumap_status status;
 *
 *	status = pmumap_amu_fdt_build(fdt, fdt_size, 0, block, sizeof(block), &map);
 *	if (status != PMUMAP_OK)
 *		puts(pmumap_status_str(status));	// no activity monitors, a bad blob, ...
 *	else if (pmumap_amu_cpu_find(map, mpidr, &cpu))
 *		use(cpu.described, cpu.enable);	// 16-bit masks of auxiliary counters
 *
 * WHAT IS READ
 *   The CPUs in /cpus, the views that their property amu names, and the counters in these. Views
 *   are nodes in /cpus/amus. Elsewhere, a view at most seven levels deep is read too, without the
 *   counters that follow a nested view.
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in your block, and stays there. It
 *		has offsets, no pointers: copy it, store it, open it again (pmumap_amu_open()) on a
 *		CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written: any number of CPUs read it without a lock.
 *   Input	any tree, image or argument is safe, and any address of a tree. Pointers must be
 *		valid, or NULL if their length is 0. The block must not overlap the tree: E_ARG.
 *
 * LINKAGE (one mode for the whole program)
 *   default			every function is static inline; unused functions are not linked
 *				(without optimisation, a few small functions are)
 *   PMUMAP_EXTERN		declarations only, in every file; and in exactly one file also
 *   PMUMAP_IMPLEMENTATION	the definitions of all pmumap headers that the program uses
 *   PMUMAP_NO_STDINT		do not include <stdint.h> and <stddef.h>: you have defined uint8_t,
 *				uint16_t, uint32_t, uint64_t, int32_t and size_t
 */
#include "amu/api.h"
#include "amu/map.h"
#include "amu/build.h"
#include "core/status.h"
