/* SPDX-License-Identifier: BSD-2-Clause
 *
 * As much of OpenSBI as examples/opensbi/fdt_pmu.c needs: every header that it includes is this one.
 */
#ifndef OPENSBI_H
#define OPENSBI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SBI_EFAIL (-1)
#define SBI_EINVAL (-3)
#define SBI_EDENIED (-4)
#define SBI_ENOENT (-1006)

#define SBI_PMU_HW_CPU_CYCLES 1
#define SBI_PMU_HW_INSTRUCTIONS 2
#define SBI_HART_EXT_SSCOFPMF 1

#define array_size(x) (sizeof(x) / sizeof((x)[0]))

struct sbi_scratch;

struct sbi_scratch *sbi_scratch_thishart_ptr(void);
unsigned int sbi_hart_mhpm_mask(struct sbi_scratch *scratch);
bool sbi_hart_has_extension(struct sbi_scratch *scratch, int extension);
int sbi_pmu_add_hw_event_counter_map(uint32_t first, uint32_t last, uint32_t counters);
int sbi_pmu_add_raw_event_counter_map(uint64_t select, uint64_t mask, uint32_t counters);
int sbi_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
