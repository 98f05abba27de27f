/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_check.h 0.3.1 -- find mistakes in a riscv,pmu node; names of events.
 *
 * QUICK START
 *	#include "pmumap_check.h"		// includes pmumap_fdt.h and pmumap.h
 *
 *	static void print(void *arg, const struct pmumap_finding *f)
 *	{
 *		(void)arg;			// "warning: riscv,event-to-mhpmcounters: fixed-bit"
 *		printf("%s: %s: %s\n", pmumap_severity_str(f->severity),
 *		       f->property ? f->property : "pmu", f->name);
 *	}
 *
 *	static uint64_t block[1024];		// or measure: pmumap_fdt_measure()
 *	enum pmumap_status status;
 *
 *	status = pmumap_fdt_check(fdt, fdt_size, NULL, block, sizeof(block), print, NULL);
 *
 * QUICK START: the names of events
 *	const char *name = pmumap_event_name(0x00004);	// "SBI_PMU_HW_CACHE_MISSES"
 *	uint32_t event;
 *	uint64_t data;
 *
 *	if (pmumap_event_parse("cache-misses", 12, &event, &data))
 *		use(event, data);		// 0x00004, 0
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Findings	a check builds no map; its block holds the rows.
 */
#include "pmumap_fdt.h"
#include "riscv/check_api.h"
#include "riscv/findings_api.h"
#include "riscv/names_api.h"
#include "riscv/names.h"
#include "riscv/parse.h"
#include "riscv/check.h"
