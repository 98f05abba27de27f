/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of struct pmumap_pmu for one backend */
#pragma once

#include "hw/riscv_api.h"

#define PMUMAP_PMU_FUNCTIONS_(kind)                                                                \
	static inline int pmumap_##kind##_pmu_set_(void *arg, uint32_t counter,                    \
						   const struct pmumap_job *job)                   \
	{                                                                                          \
		return pmumap_##kind##_set((struct pmumap_##kind *)arg, counter, job);             \
	}                                                                                          \
	static inline void pmumap_##kind##_pmu_start_(void *arg, uint32_t counter,                 \
						      const uint64_t *value)                       \
	{                                                                                          \
		pmumap_##kind##_start((struct pmumap_##kind *)arg, counter, value);                \
	}                                                                                          \
	static inline void pmumap_##kind##_pmu_stop_(void *arg, uint32_t counter, int release)     \
	{                                                                                          \
		pmumap_##kind##_stop((struct pmumap_##kind *)arg, counter, release);               \
	}                                                                                          \
	static inline uint64_t pmumap_##kind##_pmu_read_(void *arg, uint32_t counter)              \
	{                                                                                          \
		return pmumap_##kind##_read((struct pmumap_##kind *)arg, counter);                 \
	}                                                                                          \
	static inline int pmumap_##kind##_pmu_overflowed_(void *arg, uint32_t counter)             \
	{                                                                                          \
		return pmumap_##kind##_overflowed((struct pmumap_##kind *)arg, counter);           \
	}
