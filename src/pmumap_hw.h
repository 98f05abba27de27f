/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_hw.h 0.2.1 -- optional register backends: run the counters that a map names.
 *
 * QUICK START: a hart's counters through its CSRs, in M-mode
 *	#include "pmumap_hw.h"			// and with it pmumap.h
 *
 *	static struct pmumap_hart hart;
 *	struct pmumap_job job;
 *
 *	pmumap_hart_native(&hart);		// or your own read, write, arg and xlen
 *	pmumap_hart_probe(&hart);		// a trap handler skips CSRs that are not there
 *	int counter = pmumap_plan(map, 0x10019, 0, hart.counters, hart.features,
 *				  PMUMAP_RULE_ABSENT, &job);	// dTLB read misses
 *	if (counter < 0)
 *		return;				// no counter of this hart counts it
 *	job.clear = 1;				// from 0 on
 *	if (pmumap_hart_set(&hart, (uint32_t)counter, &job))
 *		pmumap_hart_start(&hart, (uint32_t)counter, 0);
 *	uint64_t count = pmumap_hart_read(&hart, (uint32_t)counter);
 *
 * QUICK START: the same through SBI firmware, in S-mode or VS-mode
 *	static uint64_t block[PMUMAP_BLOCK(0, 52, 0) / 8];	// or measured: see pmumap.h
 *	static struct pmumap_sbi sbi;
 *	struct pmumap_builder b;
 *	const struct pmumap *map;
 *	struct pmumap_job job;
 *
 *	pmumap_sbi_native(&sbi);		// or your own call, read, arg and xlen
 *	pmumap_sbi_probe(&sbi);
 *	pmumap_begin(&b, block, sizeof(block));	// a map of what the firmware answers
 *	enum pmumap_status status = pmumap_add_sbi(&b, &sbi);
 *	if (status == PMUMAP_OK)
 *		status = pmumap_finish(&b, &map);
 *	if (status != PMUMAP_OK) {
 *		puts(pmumap_status_str(status));	// no PMU extension, ...
 *		return;
 *	}
 *	int counter = pmumap_plan(map, 0x10019, 0, sbi.counters, sbi.features,
 *				  PMUMAP_RULE_ALWAYS, &job);
 *	if (counter < 0 || !pmumap_sbi_set(&sbi, (uint32_t)counter, &job))
 *		return;				// the firmware does not count it
 *	pmumap_sbi_start(&sbi, (uint32_t)counter, 0);
 *	uint64_t count = pmumap_sbi_read(&sbi, (uint32_t)counter);
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Access	registers and firmware are accessed by functions that you put into a struct, in the
 *		order that the specifications ask for. ..._native() and ..._delegated() fill in
 *		instructions of this CPU where the compiler builds for one. A program that fills
 *		in all functions itself may define PMUMAP_NO_NATIVE, and is smaller without them.
 *   Threads	a struct of a hart is used on that one only, and never twice at once.
 *   Failure	what cannot be done is refused as a whole: 0 is returned, and nothing was written
 *		unless the function says otherwise. A counter that is not there reads 0.
 *
 * pmumap_hart_pmu() makes a struct pmumap_pmu (pmumap.h) from a hart, pmumap_sbi_pmu() from SBI
 * firmware: code that runs counters through it, as pmumap_server.h does, need not know which.
 */
#include "pmumap.h"
#include "hw/riscv_api.h"
#include "hw/csr.h"
#include "hw/straight.h"
#include "hw/pmu.h"
#include "hw/hart.h"
#include "hw/hart_sets.h"
#include "hw/probe.h"
#include "hw/delegate.h"
#include "hw/sbi.h"
#include "hw/sbi_sets.h"
#include "hw/sbi_events.h"
#include "hw/riscv_native.h"
