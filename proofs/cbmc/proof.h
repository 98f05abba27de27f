/* SPDX-License-Identifier: BSD-2-Clause
 *
 * For all harnesses. A value is arbitrary; a claim is proved for all values.
 */
#ifndef PROOF_H
#define PROOF_H

#include "pmumap_amu_check.h"
#include "pmumap_amu_hw.h"
#include "pmumap_check.h"
#include "pmumap_imc_hw.h"

uint8_t nondet_u8(void);
uint16_t nondet_u16(void);
uint32_t nondet_u32(void);
uint64_t nondet_u64(void);

#define assume(x) __CPROVER_assume(x)
#define prove(x) __CPROVER_assert(x, #x)

/* Must be reachable: run.sh expects this to fail, or else the assumptions contradict each other. */
#define reached(x) __CPROVER_assert(!(x), "REACHED " #x)

/* 32 or 64 bits, as pmumap_lowest_bit_() takes them. */
typedef __typeof__(_Generic(&pmumap_lowest_bit_, uint32_t (*)(uint32_t)
			    : (uint32_t)0, default
			    : (uint64_t)0)) lowest_bits;

/*
 * Stub for pmumap_lowest_bit_() with the properties that pure.c proves; the real one is hard for
 * solvers.
 */
uint32_t lowest(lowest_bits bits)
{
	uint32_t n = nondet_u32();

	assume(n < 8 * sizeof(bits));
	assume(!bits || ((bits >> n & 1) && !(bits & (((lowest_bits)1 << n) - 1))));
	return n;
}

#endif /* PROOF_H */
