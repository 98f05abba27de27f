/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_check.h 0.2.1 -- what is wrong with a riscv,pmu node, and the names of events.
 *
 * QUICK START
 *	#include "pmumap_check.h"		// and with it pmumap_fdt.h and pmumap.h
 *
 *	static void print(void *arg, const struct pmumap_finding *f)
 *	{
 *		(void)arg;			// "warning: riscv,event-to-mhpmcounters: fixed-bit"
 *		printf("%s: %s: %s\n", pmumap_severity_str(f->severity),
 *		       f->property ? f->property : "pmu", f->name);
 *	}
 *
 *	static struct pmumap_fdt_options options;
 *	enum pmumap_status status;
 *
 *	options.check = pmumap_check;
 *	options.report = print;
 *	status = pmumap_fdt_build(fdt, fdt_size, &options, block, sizeof(block), &map);
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
 *   Findings	Without options.check nobody asks for them: then a program links nothing of this
 *		header, and a build takes no time for it.
 */
#include "pmumap_fdt.h"
#include "riscv/check_api.h"
#include "riscv/findings_api.h"
#include "riscv/names_api.h"
#include "riscv/names.h"
#include "riscv/parse.h"
#include "riscv/check.h"
