/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmu.h -- SBI's PMU extension for bbl, and the base extension that announces it.
 */
#ifndef _RISCV_PMU_H
#define _RISCV_PMU_H

#include <stdint.h>

/* Read the tree and print its mistakes. Call once, before any hart starts. */
void pmu_read_tree(uintptr_t dtb);

/* Call once on each hart before it leaves machine mode. */
void pmu_init_hart(void);

/* Remove the PMU tables from the payload's tree. */
void pmu_filter_tree(uintptr_t dtb);

/* Serve an SBI call; regs are x0 to x31. Returns 1 if x10 and x11 hold the answer. */
int pmu_call(uintptr_t *regs);

#endif
