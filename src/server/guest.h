/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "riscv/pmu.h"
#include "server/api.h"

/* The result of a call. */
static inline struct pmumap_sbi_ret pmumap_server_make_ret_(int error, uint64_t value)
{
	struct pmumap_sbi_ret r;

	r.error = error;
	r.value = value;
	return r;
}

/* A 32-bit word of the guest to a number and back. */
static inline uint32_t pmumap_server_swap_word_(uint32_t x)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = x >> 24 | (x >> 8 & 0xff00) | (x & 0xff00) << 8 | x << 24;
#endif
	return x;
}

/* A 64-bit number of the guest, each half of which is read once. */
static inline uint64_t pmumap_server_load_value_(const volatile pmumap_server_word *p)
{
	uint32_t low = pmumap_server_swap_word_(p[0]);

	return low | (uint64_t)pmumap_server_swap_word_(p[1]) << 32;
}

/* All bits of a register of the guest. */
static inline uint64_t pmumap_server_register_mask_(const struct pmumap_server *s)
{
	return s->xlen == 32 ? 0xffffffffu : ~(uint64_t)0;
}

/* A 64-bit argument, which takes two registers on RV32. */
static inline uint64_t pmumap_server_join_argument_(const struct pmumap_server *s,
						    const uint64_t *a)
{
	return s->xlen == 32 ? a[0] | a[1] << 32 : a[0];
}
