/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_server.h 0.2.1 -- the PMU extension of SBI v3.0 (EID 0x504D55), served from a map: for
 * firmware, hypervisors and emulators.
 *
 * QUICK START
 *	#include "pmumap_server.h"	// and with it pmumap.h
 *
 *	static struct pmumap_server pmu; // one for each hart, or virtual hart; your memory
 *	static const struct pmumap_server_host host = { my_access, my_counts, 0 };
 *
 *	pmu.map = map;			// pmumap_fdt_build(), pmumap_finish() or pmumap_open()
 *	pmu.pmu = &counters;		// pmumap_hart_pmu(), pmumap_sbi_pmu(), or your functions
 *	pmu.host = &host;		// the guest's memory, and firmware events
 *	pmu.xlen = 64;
 *	pmu.granted = hart.counters;
 *	pmu.width = hart.width;
 *	pmu.features = hart.features;
 *	pmu.rule = PMUMAP_RULE_ABSENT;
 *	pmu.inhibit = PMUMAP_INHIBIT_M; // all other fields may stay 0
 *	pmumap_server_init(&pmu);
 *
 *	// in the trap handler: an ecall with a7 == PMUMAP_SBI_EID; x: the guest's registers
 *	pmumap_server_ecall(&pmu, &x[10]);
 *
 *	// where the firmware event happens; cheap while nobody counts it
 *	pmumap_server_count(&pmu, 5, 0);	// SBI_PMU_FW_SET_TIMER
 *
 * Whole programs, of firmware, a hypervisor and an emulator, and what stays yours: doc/server.md.
 * An emulator writes these five functions for its counters, and nothing else:
 *	struct pmumap_pmu counters = { my_set, my_start, my_stop, my_read, my_overflowed, my_hart };
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Needs	only pmumap.h.
 *   Memory	no heap, no globals, no recursion; at most 416 bytes of state with 16 firmware
 *		counters; optimised, under 640 of stack besides that of your functions, of which 256
 *		are entries of EVENT_GET_INFO.
 *   Libc	none, and no function of the compiler's library, at any optimisation level.
 *   Threads	a state is for one hart: pmumap_server_call() and pmumap_server_count() must not run
 *		at the same time.
 *   Guest	function, arguments and memory may be hostile. They are cut to xlen bits and checked
 *		before they index; what is read of its memory is read once, and only after access()
 *		was asked about all of it. A call costs at most the counters that it does something
 *		with (at most 64), however wide its mask is; or the entries of EVENT_GET_INFO, at
 *		most PMUMAP_SERVER_INFO_ENTRIES (4096): more are INVALID_PARAM.
 *   Host	the fields of struct pmumap_server and the map are trusted. What callbacks answer is
 *		not: they may be slow, refuse or lie. Then the guest waits, gets an error or a wrong
 *		count, but the state stays in order. Each has to return; only access() may be left
 *		by a jump, and then the guest may call again.
 *   Harts	save virtual CPUs, or reset the server, before a hart stops: what it counts after
 *		that is lost. Between two calls a state may be copied and go on elsewhere.
 *
 * WHAT THE GUEST SEES
 *   Counters	hardware counter N is counter N (CSR 0xc00 + N), up to the highest one granted; in
 *		between are holes. Then the firmware counters, 64 bits wide.
 *   Match	the map decides, as pmumap_plan() does, among the free counters of the set.
 *		A configured counter is busy, started or not, until STOP with RESET. EVENT_GET_INFO
 *		answers what CONFIG_MATCHING would if all counters were free.
 *   Filters	where counters can filter modes, cycles and instructions never go to a fixed one
 *		that cannot. Where none can, the guest's filters are the hints that SBI calls them;
 *		PMUMAP_FILTER among your features says that they have to hold.
 *   Sets	an empty one, or a member above the highest counter: INVALID_PARAM. So is START of a
 *		counter that is not configured. Then nothing is done. A counter that runs already
 *		(or is stopped) does not keep the others from being started (or stopped).
 *   Skipping	SKIP_MATCH takes the first counter of the set. It has to be configured already;
 *		fixed counters always are. If it runs, it is stopped.
 *   Firmware	a firmware counter that is not configured has no value: INVALID_PARAM.
 *   Snapshots	with Sscofpmf the bits of counters outside the set stay; without, all bits are 0.
 *
 * WHERE SBI 3.0 IS NOT FOLLOWED TO THE LETTER, OR LEAVES IT OPEN
 *   doc/server.md says why, and who notices. tests/unit/test_sbi_pmu.c has tests of these names.
 *   D1	CONFIG_MATCHING passes over holes in its set.
 *   D2	STOP answers ALREADY_STOPPED for a hole or a counter that is not configured.
 *   D4	SKIP_MATCH of an event that this counter cannot count: NOT_SUPPORTED.
 *   D5	EVENT_GET_INFO answers 0 for events of the types 4 to 14, and writes entries back whole.
 *   D6	GET_INFO says that firmware counters have 64 bits.
 *   D7	NO_SHMEM where memory that was set for snapshots is not the guest's any more: no counter is
 *	started from it; counters are stopped and released.
 *   D9	Raw events are cut to 48 or 56 bits. Events of more than 20 bits, and data of events that
 *	have none: INVALID_PARAM.
 */
#include "pmumap.h"
#include "server/api.h"
#include "server/vpmu_api.h"
#include "server/guest.h"
#include "server/counters.h"
#include "server/match.h"
#include "server/snapshot.h"
#include "server/sets.h"
#include "server/info.h"
#include "server/calls.h"
#include "server/vpmu.h"
