/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmu.h -- SBI's PMU extension for bbl, and as much of its base extension as tells of it.
 */
#ifndef _RISCV_PMU_H
#define _RISCV_PMU_H

#include <stdint.h>

/* Once, before any hart starts: what the tree says of counters. Mistakes are printed. */
void pmu_read_tree(uintptr_t dtb);

/* Once on each hart that is going to leave machine mode. */
void pmu_init_hart(void);

/* Take the tables of counters out of the tree that the payload gets. */
void pmu_filter_tree(uintptr_t dtb);

/* An SBI call; regs are x0 to x31. Returns 1 if it is answered, in x10 and x11. */
int pmu_call(uintptr_t *regs);

#endif
