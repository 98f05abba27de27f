/* SPDX-License-Identifier: BSD-2-Clause
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
    (1 << 13) /* of sie and sip: the local counter overflow interrupt */

/* A hart that has mhartid, ram_base and ram_size. Returns false without memory.
 */
bool semu_pmu_init(struct __hart_internal *vm);

/*
 * An SBI call, of any extension: counts it if it is a firmware event. Returns
 * true if it was one of the PMU extension, which is answered then.
 */
bool semu_pmu_ecall(struct __hart_internal *vm);

/*
 * A read of a CSR. Returns true if it is one of the counters' or scountovf;
 * then *value is set, or an exception.
 */
bool semu_pmu_csr(struct __hart_internal *vm, uint32_t addr, uint32_t *value);

/* The instructions that may run, of so many, until a counter overflows: at
 * least 1. */
int semu_pmu_steps(const struct __hart_internal *vm, int steps);

/* Count what has run. To be called before the mode changes, and after those
 * steps. */
void semu_pmu_sync(struct __hart_internal *vm);

#endif /* SEMU_PMU_H */
