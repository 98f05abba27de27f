/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of SBI events */
#pragma once

#include "riscv/names_api.h"
#include "core/status.h"
#include "riscv/tables.h"

/*
 * Named events in one order: general (codes 1..10), cache (7 caches x 3 operations x 2 results),
 * firmware (codes 0..21, then the platform's).
 */
#define PMUMAP_FIRST_CACHE_NAME_ 10u
#define PMUMAP_FIRST_FIRMWARE_NAME_ (PMUMAP_FIRST_CACHE_NAME_ + 7 * 3 * 2)
#define PMUMAP_PLATFORM_NAME_ (PMUMAP_FIRST_FIRMWARE_NAME_ + 22)
#define PMUMAP_EVENT_NAMES_ (PMUMAP_PLATFORM_NAME_ + 1)

static inline const char *pmumap_riscv_nth_name_(uint32_t n)
{
#define PMUMAP_CACHE_NAMES_(cache)                                                                 \
	"SBI_PMU_HW_CACHE_" cache "_READ_ACCESS\0"                                                 \
	"SBI_PMU_HW_CACHE_" cache "_READ_MISS\0"                                                   \
	"SBI_PMU_HW_CACHE_" cache "_WRITE_ACCESS\0"                                                \
	"SBI_PMU_HW_CACHE_" cache "_WRITE_MISS\0"                                                  \
	"SBI_PMU_HW_CACHE_" cache "_PREFETCH_ACCESS\0"                                             \
	"SBI_PMU_HW_CACHE_" cache "_PREFETCH_MISS\0"
	/* clang-format off */
	static const char names[] =
		"SBI_PMU_HW_CPU_CYCLES\0" "SBI_PMU_HW_INSTRUCTIONS\0"
		"SBI_PMU_HW_CACHE_REFERENCES\0" "SBI_PMU_HW_CACHE_MISSES\0"
		"SBI_PMU_HW_BRANCH_INSTRUCTIONS\0" "SBI_PMU_HW_BRANCH_MISSES\0"
		"SBI_PMU_HW_BUS_CYCLES\0" "SBI_PMU_HW_STALLED_CYCLES_FRONTEND\0"
		"SBI_PMU_HW_STALLED_CYCLES_BACKEND\0" "SBI_PMU_HW_REF_CPU_CYCLES\0"
		PMUMAP_CACHE_NAMES_("L1D") PMUMAP_CACHE_NAMES_("L1I") PMUMAP_CACHE_NAMES_("LL")
		PMUMAP_CACHE_NAMES_("DTLB") PMUMAP_CACHE_NAMES_("ITLB") PMUMAP_CACHE_NAMES_("BPU")
		PMUMAP_CACHE_NAMES_("NODE")
		"SBI_PMU_FW_MISALIGNED_LOAD\0" "SBI_PMU_FW_MISALIGNED_STORE\0"
		"SBI_PMU_FW_ACCESS_LOAD\0" "SBI_PMU_FW_ACCESS_STORE\0"
		"SBI_PMU_FW_ILLEGAL_INSN\0" "SBI_PMU_FW_SET_TIMER\0"
		"SBI_PMU_FW_IPI_SENT\0" "SBI_PMU_FW_IPI_RECEIVED\0"
		"SBI_PMU_FW_FENCE_I_SENT\0" "SBI_PMU_FW_FENCE_I_RECEIVED\0"
		"SBI_PMU_FW_SFENCE_VMA_SENT\0" "SBI_PMU_FW_SFENCE_VMA_RECEIVED\0"
		"SBI_PMU_FW_SFENCE_VMA_ASID_SENT\0" "SBI_PMU_FW_SFENCE_VMA_ASID_RECEIVED\0"
		"SBI_PMU_FW_HFENCE_GVMA_SENT\0" "SBI_PMU_FW_HFENCE_GVMA_RECEIVED\0"
		"SBI_PMU_FW_HFENCE_GVMA_VMID_SENT\0" "SBI_PMU_FW_HFENCE_GVMA_VMID_RECEIVED\0"
		"SBI_PMU_FW_HFENCE_VVMA_SENT\0" "SBI_PMU_FW_HFENCE_VVMA_RECEIVED\0"
		"SBI_PMU_FW_HFENCE_VVMA_ASID_SENT\0" "SBI_PMU_FW_HFENCE_VVMA_ASID_RECEIVED\0"
		"SBI_PMU_FW_PLATFORM";
	/* clang-format on */
#undef PMUMAP_CACHE_NAMES_

	return pmumap_nth_text_(names, n);
}

static inline uint32_t pmumap_riscv_nth_event_(uint32_t n)
{
	uint32_t cache = n - PMUMAP_FIRST_CACHE_NAME_;

	if (n < PMUMAP_FIRST_CACHE_NAME_)
		return n + 1;
	if (n < PMUMAP_FIRST_FIRMWARE_NAME_)
		return PMUMAP_EVENT_CACHE | cache / 6 << 3 | cache % 6;
	if (n < PMUMAP_PLATFORM_NAME_)
		return PMUMAP_EVENT_FIRMWARE | (n - PMUMAP_FIRST_FIRMWARE_NAME_);
	return PMUMAP_EVENT_PLATFORM_;
}

PMUMAP_DEF const char *pmumap_event_name(uint32_t event)
{
	uint32_t n;

	for (n = 0; n < PMUMAP_EVENT_NAMES_; n++) {
		if (pmumap_riscv_nth_event_(n) == event)
			return pmumap_riscv_nth_name_(n);
	}
	return 0;
}
