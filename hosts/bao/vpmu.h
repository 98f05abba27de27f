/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * vpmu.h -- SBI's PMU extension for Bao's guests.
 */
#ifndef __ARCH_VPMU_H__
#define __ARCH_VPMU_H__

#include <bao.h>
#include <arch/sbi.h>

#define SBI_EXTID_PMU (0x504d55)

/*
 * Stop all counting, because this cpu's vcpu starts or restarts. Returns the bits of hcounteren
 * that let the guest read its counters.
 */
unsigned long vpmu_reset(void);

/* Whether to announce the extension to the guest. */
bool vpmu_present(void);

/* Serve a PMU call of this cpu's vcpu. */
struct sbiret vpmu_call(unsigned long fid);

/* Count any SBI call that is a firmware event. */
void vpmu_count(unsigned long extid, unsigned long fid);

#endif /* __ARCH_VPMU_H__ */
