/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_amu.h 0.2.1 -- Arm's activity monitors: what a device tree says each CPU has.
 *
 * QUICK START: a tree
 *	#include "pmumap_amu.h"			// nothing else to copy, nothing to link
 *
 *	static uint64_t block[1024];		// or measured: pmumap_amu_fdt_measure()
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
 *		use(cpu.described, cpu.enable);	// auxiliary counters, as 16-bit masks
 *
 * QUICK START: activity monitors of this CPU
 *	static struct pmumap_amu_hw amu;
 *
 *	pmumap_amu_native(&amu);		// or pmumap_amu_mapped() at the view of any CPU
 *	if (!pmumap_amu_probe(&amu))
 *		return;				// there are none
 *	pmumap_amu_run(&amu, 0, amu.implemented[0]);	// 0: only the highest EL may
 *	uint64_t cycles = pmumap_amu_count(&amu, 0, 0);
 *
 * WHAT IS READ
 *   The CPUs of /cpus, the views that their property amu names, and the counters in these. Labels
 *   come from /__symbols__. Views are nodes in /cpus/amus. A view elsewhere is read if it is at
 *   most seven levels deep, and then only its counters before any view inside of it.
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in one block of yours, and stays
 *		there. It has only offsets inside: copy it, store it, open it again
 *		(pmumap_amu_open()) on a CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written: any number of CPUs read it without a lock. A
 *		struct pmumap_amu_hw is used on its own CPU only, and never twice at once.
 *   Input	a tree, an image and every argument may be hostile. Only pointers have to be valid;
 *		one that comes with a length may be NULL if that is 0. The block must not overlap
 *		the tree: that is E_ARG.
 *   Failure	a build that fails yields no map. A register that cannot be used reads 0, and is
 *		not written.
 *
 * LINKAGE (one mode for the whole program)
 *   default			every function is static inline. What you do not call is not linked
 *				(without optimisation, a few small functions are)
 *   PMUMAP_EXTERN		declarations only, in every file; and in exactly one file also
 *   PMUMAP_IMPLEMENTATION	the definitions of all headers of pmumap that the program uses
 *   PMUMAP_NO_STDINT		do not include <stdint.h> and <stddef.h>: uint8_t .. uint64_t,
 *				int32_t and size_t are already defined
 *   PMUMAP_AMU_HIGHEST_EL	this runs at the highest exception level: pmumap_amu_native() may
 *				write
 *   PMUMAP_AMU_EL2		this runs at EL2 below EL3: it may write offsets
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
