/* SPDX-License-Identifier: BSD-2-Clause
 *
 * vpmu.h -- SBI's PMU extension for Bao's guests.
 */
#ifndef __ARCH_VPMU_H__
#define __ARCH_VPMU_H__

#include <bao.h>
#include <arch/sbi.h>

#define SBI_EXTID_PMU (0x504d55)

/*
 * The vcpu of this cpu starts, for the first time or again: nothing is counted. Returns the bits of
 * hcounteren that let it read its counters.
 */
unsigned long vpmu_reset(void);

/* Whether the guest is told that there is the extension. */
bool vpmu_present(void);

/* A call of the guest's vcpu. */
struct sbiret vpmu_call(unsigned long fid);

/* Any call, which may be a firmware event. */
void vpmu_count(unsigned long extid, unsigned long fid);

#endif /* __ARCH_VPMU_H__ */
