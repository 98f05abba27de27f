/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_server.h 0.3.1 -- serve the PMU extension of SBI v3.0 (EID 0x504D55) from a map: for
 * firmware, hypervisors and emulators.
 *
 * QUICK START
 *	#include "pmumap_server.h"	// includes pmumap.h
 *
 *	static struct pmumap_server pmu; // one per hart or virtual hart
 *	static const struct pmumap_server_host host = { my_access, my_counts, 0 };
 *
 *	pmu.map = map;			// pmumap_fdt_build(), pmumap_finish() or pmumap_open()
 *	pmu.pmu = &counters;		// pmumap_hart_as_pmu(), pmumap_sbi_as_pmu(), or your own
 *	pmu.host = &host;		// guest memory and firmware events
 *	pmu.xlen = 64;
 *	pmu.granted = hart.counters;
 *	pmu.width = hart.width;
 *	pmu.features = hart.features;
 *	pmu.rule = PMUMAP_RULE_ABSENT;
 *	pmu.inhibit = PMUMAP_INHIBIT_M; // other members may stay 0
 *	pmumap_server_init(&pmu);
 *
 *	// in the trap handler, for an ecall with a7 == PMUMAP_SBI_EID; x: guest registers
 *	pmumap_server_ecall(&pmu, &x[10]);
 *
 *	// where a firmware event happens; cheap while nobody counts it
 *	pmumap_server_firmware_event(&pmu, 5, 0);	// SBI_PMU_FW_SET_TIMER
 *
 * Whole programs are in doc/server.md (firmware) and examples/server.md. An emulator writes only
 * these five functions for its counters:
 *	struct pmumap_pmu counters = { my_set, my_start, my_stop, my_read, my_overflowed, my_hart };
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Memory	no heap, no globals, no recursion. A state has at most 416 bytes with 16 firmware
 *		counters. Optimised code needs less than 640 bytes of stack besides your functions;
 *		256 of them are entries of EVENT_GET_INFO.
 *   Libc	none; on CPUs with multiplication no libgcc, at any optimisation level.
 *   Threads	a state belongs to one hart: pmumap_server_call() and pmumap_server_firmware_event()
 *		must not run at the same time.
 *   Guest	any function, argument or memory is safe. Arguments are cut to xlen bits and checked
 *		before they are used as an index. Memory is read once, and only after access() has
 *		permitted all of it. The cost of a call grows with the counters that it acts on, at
 *		most 64, however wide its mask is; or with the entries of EVENT_GET_INFO. More than
 *		PMUMAP_SERVER_INFO_ENTRIES (4096) are INVALID_PARAM.
 *   Host	the members of struct pmumap_server and the map are trusted; answers of callbacks
 *		are not. If they refuse or lie, the guest gets an error or a wrong count, and the
 *		state stays consistent. Only access() may longjmp away, and the guest may call
 *		again; for other callbacks that do not return see doc/server.md.
 *   Harts	before a hart stops, save virtual CPUs or reset the server, or counts are lost.
 *		Between calls you may copy or move a state.
 *
 * WHAT THE GUEST SEES
 *   Counters	hardware counter N is counter N (CSR 0xc00 + N), up to the highest one granted, with
 *		holes. The firmware counters follow; they have 64 bits.
 *   Match	the map chooses among the free counters of the set, like pmumap_plan(). A configured
 *		counter is busy, started or not, until STOP with RESET. EVENT_GET_INFO answers as
 *		CONFIG_MATCHING would with all counters free.
 *   Filters	if counters can filter modes, cycles and instructions never go to a fixed counter
 *		that cannot. If none can, the guest's filters are hints, as SBI says.
 *		PMUMAP_MUST_FILTER in your features makes them mandatory.
 *   Sets	an empty set, or a member above the highest counter, is INVALID_PARAM, and so is
 *		START of a counter that is not configured; then nothing changes. A counter that
 *		already runs (or is stopped) does not keep the others from starting (or stopping).
 *   Skipping	SKIP_MATCH takes the first counter of the set. It must be configured already; fixed
 *		counters always are. If it runs, it is NOT_SUPPORTED, and the counter goes on.
 *   Firmware	FW_READ of a firmware counter that is not configured is INVALID_PARAM.
 *   Snapshots	with Sscofpmf, overflow bits outside the set stay; without, all are 0.
 *
 * DEVIATIONS FROM SBI 3.0, AND WHAT IT LEAVES OPEN
 *   doc/server.md has the reasons. tests/unit/test_sbi_pmu.c tests each by its name.
 *   D1	CONFIG_MATCHING ignores holes in its set.
 *   D2	STOP of a hole or a counter that is not configured is ALREADY_STOPPED.
 *   D4	SKIP_MATCH is NOT_SUPPORTED if the counter runs, or cannot count the event.
 *   D5	EVENT_GET_INFO answers 0 for events of types 4 to 14.
 *   D6	GET_INFO reports 64 bits for firmware counters.
 *   D7	If snapshot memory is no longer the guest's, START and STOP return NO_SHMEM: counters do not
 *	start from it, but they stop and are released.
 *   D9	Raw events are cut to 48 or 56 bits. Events above 20 bits, and data of events that have
 *	none, are INVALID_PARAM.
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
#include "server/host.h"
#include "server/vpmu.h"
