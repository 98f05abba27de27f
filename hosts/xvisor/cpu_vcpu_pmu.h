/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cpu_vcpu_pmu.h -- SBI's PMU extension for Xvisor's guests.
 */
#ifndef _CPU_VCPU_PMU_H__
#define _CPU_VCPU_PMU_H__

#include <vmm_types.h>

struct vmm_vcpu;

/* The vcpu leaves this host cpu, or comes to it. */
void cpu_vcpu_pmu_save(struct vmm_vcpu *vcpu);
void cpu_vcpu_pmu_restore(struct vmm_vcpu *vcpu);

/* The vcpu begins again: nothing is counted. */
void cpu_vcpu_pmu_reset(struct vmm_vcpu *vcpu);

void cpu_vcpu_pmu_deinit(struct vmm_vcpu *vcpu);

/* Any SBI call of the vcpu, which may be a firmware event. */
void cpu_vcpu_pmu_count(struct vmm_vcpu *vcpu, unsigned long ext_id, unsigned long func_id);

#endif
