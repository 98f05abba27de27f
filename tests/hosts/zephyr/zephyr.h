/* SPDX-License-Identifier: BSD-2-Clause */
/* What hosts/zephyr needs of Zephyr, and the registers and the firmware that its test makes up. */
#ifndef ZEPHYR_H
#define ZEPHYR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONFIG_MP_MAX_NUM_CPUS 2
#define PMU_MAX_COUNTERS 8
#define EBUSY 16
#define ENODEV 19
#define EINVAL 22
#define ENOTSUP 134

/* 1 if an option is defined as 1, like Zephyr's. */
#define IS_ENABLED(option) IS_ENABLED_1(option)
#define IS_ENABLED_1(value) IS_ENABLED_2(ONE_##value)
#define IS_ENABLED_2(comma) IS_ENABLED_3(comma 1, 0)
#define IS_ENABLED_3(ignored, value, ...) value
#define ONE_1 0,

struct cpu {
	uint8_t id;
};

struct cpu *arch_curr_cpu(void);
unsigned int arch_irq_lock(void);
void arch_irq_unlock(unsigned int key);

typedef uint32_t pmu_evt_t;
typedef struct {
	uint32_t implementer, idcode;
} pmu_info_t;

int pmu_init(void);
uint32_t pmu_num_counters(void);
void pmu_get_info(pmu_info_t *info);
int pmu_counter_config(uint32_t i, pmu_evt_t event);
void pmu_counter_enable(uint32_t i);
void pmu_counter_disable(uint32_t i);
void pmu_counter_enable_all(void);
void pmu_counter_disable_all(void);
uint64_t pmu_counter_read(uint32_t i);
void pmu_counter_reset(uint32_t i);
void pmu_counter_reset_all(void);
uint64_t pmu_cycle_count(void);
void pmu_cycle_reset(void);
void pmu_start(void);
void pmu_stop(void);
bool pmu_counter_overflow(uint32_t i);
void pmu_counter_clear_overflow(uint32_t i);
int pmu_counter_write32(uint32_t i, uint32_t value);

#ifndef __riscv
struct pmumap_hart;
struct pmumap_sbi;
void pmumap_hart_native(struct pmumap_hart *h);
void pmumap_hart_delegated(struct pmumap_hart *h);
void pmumap_sbi_native(struct pmumap_sbi *s);
#endif

#endif /* ZEPHYR_H */
