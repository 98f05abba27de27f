/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_server.h 0.1.0 -- the PMU extension of SBI v3.0 (EID 0x504D55), served from a map: for
 * firmware, hypervisors and emulators.
 *
 * QUICK START
 *	#include "pmumap_server.h"	// and with it pmumap.h
 *
 *	static struct pmumap_server pmu; // one for each hart, or virtual hart; your memory
 *
 *	pmu.map = map;			// pmumap_fdt_build(), pmumap_finish() or pmumap_open()
 *	pmu.pmu = &counters;		// pmumap_hart_pmu(), pmumap_sbi_pmu(), or your functions
 *	pmu.xlen = 64;
 *	pmu.granted = hart.counters;
 *	pmu.width = hart.width;
 *	pmu.features = hart.features;
 *	pmu.rule = PMUMAP_RULE_ABSENT;
 *	pmu.inhibit = PMUMAP_INHIBIT_M;
 *	pmu.firmware = 1 << 5;		// all other fields may stay 0
 *	pmumap_server_init(&pmu);
 *
 *	// in the trap handler: an ecall with a7 == PMUMAP_SBI_EID; x: the guest's registers
 *	struct pmumap_sbi_ret r = pmumap_server_call(&pmu, (uint32_t)x[16], &x[10]);
 *	x[10] = (uint64_t)r.error, x[11] = r.value;
 *
 *	// where the firmware event happens; costs one load and one branch while nobody counts it
 *	pmumap_server_count(&pmu, 5, 0);	// SBI_PMU_FW_SET_TIMER
 *
 * An emulator writes these five functions for its counters, and nothing else:
 *	struct pmumap_pmu counters = { my_set, my_start, my_stop, my_read, my_overflowed, my_hart };
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Needs	only pmumap.h, with PMUMAP_RISCV among PMUMAP_BINDINGS.
 *   Memory	no heap, no globals, no recursion; under 512 bytes of state; optimised, under
 *		512 of stack besides that of your functions.
 *   Libc	none, and no function of the compiler's library, at any optimisation level.
 *   Threads	a state is for one hart: pmumap_server_call() and pmumap_server_count() must not run
 *		at the same time.
 *   Guest	function, arguments and shared memory may be hostile. They are cut to xlen bits and
 *		checked before they index; a word of shared memory is read once. A call costs at
 *		most the counters there are (48), or the entries of EVENT_GET_INFO, which the guest
 *		chooses within its own memory: let memory() refuse more than you would wait for.
 *   Host	the fields of struct pmumap_server and the map are trusted.
 *
 * WHAT THE GUEST SEES
 *   Counters	hardware counter N is counter N (CSR 0xc00 + N), up to the highest one granted; in
 *		between are holes. Then 16 firmware counters of 64 bits.
 *   Match	the map decides: pmumap_pick() among the free counters of the set, the selector from
 *		pmumap_encode(). Holes in a set of CONFIG_MATCHING are no candidates and no error.
 *		A configured counter is busy, started or not, until STOP with RESET. EVENT_GET_INFO
 *		answers what CONFIG_MATCHING would if all counters were free.
 *   Skip	SKIP_MATCH takes the lowest counter of the set, if it can count the event and is not
 *		started.
 *   Sets	a member above the highest counter, however far: INVALID_PARAM, and nothing is done.
 *		Else all is done that can be, and the result tells what could not:
 *		START: INVALID_PARAM for a member that is not configured, else ALREADY_STARTED.
 *		STOP: ALREADY_STOPPED for one that did not run and was not released either.
 *		An empty set is no error, but no counter of it can count anything.
 *   Firmware	a firmware counter is 0 until it is configured and after it was released.
 */
#include "pmumap.h"

#ifndef PMUMAP_SERVER_H
#define PMUMAP_SERVER_H

#if !(PMUMAP_BINDINGS & PMUMAP_RISCV)
#error "pmumap_server.h needs PMUMAP_RISCV among PMUMAP_BINDINGS"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#include "server/api.h" /* one hart's server, and the calls of its guest */

#ifdef __cplusplus
}
#endif

#endif /* PMUMAP_SERVER_H */

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_SERVER_IMPLEMENTED_)
#define PMUMAP_SERVER_IMPLEMENTED_

#ifdef __cplusplus
extern "C" {
#endif

#include "server/guest.h"    /* words and registers of the guest, and results of its calls */
#include "server/counters.h" /* the states of counters, and to start and stop one */
#include "server/match.h"    /* CONFIG_MATCHING: a counter for an event */
#include "server/snapshot.h" /* shared memory: SNAPSHOT_SET_SHMEM, and a counter put there */
#include "server/sets.h"     /* START and STOP of a set of counters */
#include "server/info.h"     /* GET_INFO and EVENT_GET_INFO */
#include "server/calls.h"    /* each call to its function; init, count and reset */

#ifdef __cplusplus
}
#endif

#endif /* PMUMAP_SERVER_IMPLEMENTED_ */
