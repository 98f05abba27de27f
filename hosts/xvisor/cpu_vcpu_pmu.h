/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * cpu_vcpu_pmu.h -- SBI's PMU extension for Xvisor's guests.
 */
#ifndef _CPU_VCPU_PMU_H__
#define _CPU_VCPU_PMU_H__

#include <vmm_types.h>

struct vmm_vcpu;

/* Call when the vcpu leaves this host cpu, or arrives. */
void cpu_vcpu_pmu_save(struct vmm_vcpu *vcpu);
void cpu_vcpu_pmu_restore(struct vmm_vcpu *vcpu);

/* Stop all counting, because the vcpu restarts. */
void cpu_vcpu_pmu_reset(struct vmm_vcpu *vcpu);

void cpu_vcpu_pmu_deinit(struct vmm_vcpu *vcpu);

/* Count any SBI call of the vcpu that is a firmware event. */
void cpu_vcpu_pmu_count(struct vmm_vcpu *vcpu, unsigned long ext_id, unsigned long func_id);

#endif
