/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_hw.h 0.3.1 -- operate counters: by CSRs in M-mode or S-mode, or by SBI calls.
 *
 * QUICK START: a hart's counters through its CSRs, in M-mode
 *	#include "pmumap_hw.h"			// includes pmumap.h
 *
 *	static struct pmumap_hart hart;
 *	struct pmumap_job job;
 *
 *	pmumap_hart_init_machine(&hart);		// or set read, write, arg and xlen
 *	pmumap_hart_probe(&hart);		// your trap handler must skip missing CSRs
 *	int counter = pmumap_plan(map, 0x10019, 0, hart.counters, hart.features,
 *				  PMUMAP_RULE_ABSENT, &job);	// dTLB read misses
 *	if (counter < 0)
 *		return;				// no counter of this hart can count it
 *	job.clear = 1;				// from 0
 *	if (pmumap_hart_set(&hart, (uint32_t)counter, &job))
 *		pmumap_hart_start(&hart, (uint32_t)counter, 0);
 *	uint64_t count = pmumap_hart_read(&hart, (uint32_t)counter);
 *
 * QUICK START: delegated counters in S-mode (Smcdeleg, Ssccfg)
 *	static struct pmumap_hart hart;		// M-mode has called pmumap_hart_delegate()
 *	struct pmumap_job job;
 *
 *	pmumap_hart_init_supervisor(&hart);
 *	hart.features = features | PMUMAP_MCOUNTINHIBIT | PMUMAP_TOLD; // from pmumap_fdt_harts()
 *	pmumap_hart_probe(&hart);		// told all features, it causes no trap
 *	int counter = pmumap_plan(map, 0x10019, 0, hart.counters, hart.features,
 *				  PMUMAP_RULE_ABSENT, &job);	// then as above
 *
 * QUICK START: the same through SBI firmware, in S-mode or VS-mode
 *	static uint64_t block[PMUMAP_BLOCK(0, 52, 0) / 8];	// or measure: see pmumap.h
 *	static struct pmumap_sbi sbi;
 *	struct pmumap_builder b;
 *	const struct pmumap *map;
 *	struct pmumap_job job;
 *
 *	pmumap_sbi_init(&sbi);		// or set call, read, arg and xlen
 *	pmumap_sbi_probe(&sbi);
 *	pmumap_begin(&b, block, sizeof(block));	// a map of the firmware's answers
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
 *		return;				// the firmware cannot count it
 *	pmumap_sbi_start(&sbi, (uint32_t)counter, 0);
 *	uint64_t count = pmumap_sbi_read(&sbi, (uint32_t)counter);
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Access	by functions in a struct. pmumap_..._native() and _delegated() set those of this
 *		CPU. If you set all yourself, you may define PMUMAP_NO_NATIVE, for less code.
 *   Threads	use a struct on its own hart only, and never twice at once.
 *   Failure	a refused operation returns 0, and writes nothing unless its comment says otherwise.
 *		A missing counter reads 0.
 *
 * pmumap_hart_as_pmu() and pmumap_sbi_as_pmu() make a struct pmumap_pmu (pmumap.h): code that uses
 * it, such as pmumap_server.h, works with either.
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
