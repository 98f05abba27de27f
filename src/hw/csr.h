/* SPDX-License-Identifier: BSD-2-Clause */
/* The numbers of CSRs, and a counter whole */
#pragma once

#include "core/linkage.h"

/* CSRs of counter n are n above these. */
#define PMUMAP_CSR_MCOUNTEREN_ 0x306u
#define PMUMAP_CSR_MCOUNTINHIBIT_ 0x320u
#define PMUMAP_CSR_MHPMEVENT_ 0x320u
#define PMUMAP_CSR_MHPMEVENTH_ 0x720u
#define PMUMAP_CSR_MHPMCOUNTER_ 0xb00u
#define PMUMAP_CSR_HPMCOUNTER_ 0xc00u
#define PMUMAP_CSR_COUNTER_HIGH_ 0x80u /* above a counter: its upper half, on RV32 */
#define PMUMAP_CSR_SCOUNTOVF_ 0xda0u

typedef uint64_t pmumap_csr_read_fn_(void *arg, uint32_t csr);

/* A counter whole. On RV32 its upper half, read again, says whether the lower one has wrapped. */
static inline uint64_t pmumap_csr_read_counter_(pmumap_csr_read_fn_ *read, void *arg, uint32_t xlen,
						uint32_t csr)
{
	uint64_t high, low, again;

	if (xlen != 32)
		return read(arg, csr);
	high = read(arg, csr + PMUMAP_CSR_COUNTER_HIGH_);
	low = read(arg, csr);
	again = read(arg, csr + PMUMAP_CSR_COUNTER_HIGH_);
	if (again != high)
		low = read(arg, csr);
	return again << 32 | low;
}
