/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * sbi_pmu.h -- SBI's PMU extension for rv32emu's guests.
 */
#pragma once

#include <stdint.h>

struct riscv_internal;
struct sbi_pmu;

/* Call once the guest's memory is there; NULL: host memory is exhausted. */
struct sbi_pmu *sbi_pmu_new(struct riscv_internal *rv);

void sbi_pmu_delete(struct sbi_pmu *pmu);

/* Serve a call of the extension. */
void sbi_pmu_call(struct sbi_pmu *pmu);

/* Count a firmware event: the guest sets its timer. */
void sbi_pmu_set_timer(struct sbi_pmu *pmu);

/* A copy of the counter or half of a counter that a CSR reads, or NULL if the
 * CSR is no counter here. rv->csr_cycle must be up to date. */
uint32_t *sbi_pmu_csr(struct sbi_pmu *pmu, uint32_t csr);
