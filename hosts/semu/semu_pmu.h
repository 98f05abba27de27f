/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * semu_pmu.h -- performance counters for semu: SBI's PMU extension and
 * Sscofpmf.
 */
#ifndef SEMU_PMU_H
#define SEMU_PMU_H

#include <stdbool.h>
#include <stdint.h>

struct __hart_internal;
struct semu_pmu;

#define SEMU_PMU_EID 0x504d55
#define SEMU_PMU_LCOFI_BIT \
    (1 << 13) /* local counter overflow interrupt in sie and sip */

/* Call once mhartid, ram_base and ram_size are set. Returns false if memory is
 * exhausted. */
bool semu_pmu_init(struct __hart_internal *vm);

/*
 * Count an SBI call of any extension if it is a firmware event. Serves calls
 * of the PMU extension and returns true for these.
 */
bool semu_pmu_ecall(struct __hart_internal *vm);

/*
 * Read a CSR. Returns true for a counter or scountovf, with *value or an
 * exception set.
 */
bool semu_pmu_csr(struct __hart_internal *vm, uint32_t addr, uint32_t *value);

/* How many of these steps to run so that no counter overflows earlier: at
 * least 1. */
int semu_pmu_steps(const struct __hart_internal *vm, int steps);

/* Bring the counters up to date. Call before the mode changes and after
 * running steps. */
void semu_pmu_sync(struct __hart_internal *vm);

#endif /* SEMU_PMU_H */
