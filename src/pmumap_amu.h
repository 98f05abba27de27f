/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_amu.h 0.3.1 -- Arm's activity monitors: each CPU's counters, by device tree and register.
 *
 * QUICK START: a tree
 *	#include "pmumap_amu.h"			// nothing else to copy, nothing to link
 *
 *	static uint64_t block[1024];		// or measure: pmumap_amu_fdt_measure()
 *	const struct pmumap_amu *map;
 *	struct pmumap_amu_cpu cpu;
 *	enum pmumap_status status;
 *
 *	status = pmumap_amu_fdt_build(fdt, fdt_size, 0, block, sizeof(block), &map);
 *	if (status != PMUMAP_OK) {
 *		puts(pmumap_status_str(status));	// no activity monitors, a bad blob, ...
 *		return;
 *	}
 *	if (pmumap_amu_cpu(map, mpidr, &cpu))
 *		use(cpu.described, cpu.enable);	// 16-bit masks of auxiliary counters
 *
 * QUICK START: activity monitors of this CPU
 *	static struct pmumap_amu_hw amu;
 *
 *	pmumap_amu_native(&amu);		// or pmumap_amu_mapped(), for any CPU
 *	if (!pmumap_amu_probe(&amu))
 *		return;				// it has none
 *	pmumap_amu_run(&amu, 0, amu.implemented[0]);	// fails below the highest EL
 *	uint64_t cycles = pmumap_amu_count(&amu, 0, 0);
 *
 * WHAT IS READ
 *   The CPUs in /cpus, the views that their property amu names, and the counters in these. Labels
 *   come from /__symbols__. Views are nodes in /cpus/amus. Elsewhere, a view at most seven levels
 *   deep is read too, without the counters that follow a nested view.
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in your block, and stays there. It
 *		has offsets, no pointers: copy it, store it, open it again (pmumap_amu_open()) on a
 *		CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written: any number of CPUs read it without a lock. Use a
 *		struct pmumap_amu_hw on its own CPU only, and never twice at once.
 *   Input	any tree, image or argument is safe. Only pointers must be valid; a pointer with a
 *		length may be NULL if the length is 0. The block must not overlap the tree: E_ARG.
 *   Failure	a failed build yields no map. An unusable register reads 0, and is not written.
 *
 * LINKAGE (one mode for the whole program)
 *   default			every function is static inline; unused functions are not linked
 *				(without optimisation, a few small functions are)
 *   PMUMAP_EXTERN		declarations only, in every file; and in exactly one file also
 *   PMUMAP_IMPLEMENTATION	the definitions of all pmumap headers that the program uses
 *   PMUMAP_NO_STDINT		do not include <stdint.h> and <stddef.h>: you have defined uint8_t,
 *				uint16_t, uint32_t, uint64_t, int32_t and size_t
 *   PMUMAP_AMU_HIGHEST_EL	the program runs at the highest exception level: pmumap_amu_native()
 *				may write
 *   PMUMAP_AMU_EL2		it runs at EL2, below EL3: pmumap_amu_native() may write offsets
 */
#include "amu/api.h"
#include "amu/findings_api.h"
#include "amu/hw_api.h"
#include "amu/map.h"
#include "amu/build.h"
#include "amu/read.h"
#include "amu/check.h"
#include "amu/hw.h"
#include "amu/native.h"
