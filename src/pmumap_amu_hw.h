/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_amu_hw.h 0.3.1 -- operate Arm's activity monitors: by system registers or in memory.
 *
 * QUICK START
 *	#include "pmumap_amu_hw.h"		// needs no other header
 *
 *	static struct pmumap_amu_hw amu;
 *
 *	pmumap_amu_native(&amu);		// or pmumap_amu_mapped(), for any CPU
 *	if (!pmumap_amu_probe(&amu))
 *		return;				// it has none
 *	pmumap_amu_run(&amu, 0, amu.implemented[0]);	// fails below the highest EL
 *	uint64_t cycles = pmumap_amu_read(&amu, 0, 0);
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion, no libc.
 *   Threads	use a struct pmumap_amu_hw on its own CPU only, and never twice at once.
 *   Failure	an unusable register reads 0, and is not written.
 *
 * LINKAGE
 *   As in pmumap_amu.h, and:
 *   PMUMAP_AMU_HIGHEST_EL	the program runs at the highest exception level: pmumap_amu_native()
 *				may write
 */
#include "amu/hw_api.h"
#include "amu/masks.h"
#include "amu/native.h"
#include "amu/hw.h"
