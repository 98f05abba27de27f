/* SPDX-License-Identifier: BSD-2-Clause */
/* This hart's own CSRs and ecall */
#pragma once

#include "hw/riscv_api.h"

#ifdef __riscv
/*
 * A CSR's number is part of the instruction, here spelled so that no assembler asks for Zicsr. One
 * that traps and is skipped reads 0.
 */
/* clang-format off */
#define PMUMAP_CSR_NUMBER_(csr) "i"((csr) < 0x800 ? (int)(csr) : (int)(csr) - 0x1000)
#define PMUMAP_CSR_READ_(csr)                                                                      \
	case csr:                                                                                  \
		__asm__ __volatile__(".insn i 0x73, 2, %0, x0, %1"                                 \
				     : "+r"(value) : PMUMAP_CSR_NUMBER_(csr) : "memory");          \
		break;
#define PMUMAP_CSR_WRITE_(csr)                                                                     \
	case csr:                                                                                  \
		__asm__ __volatile__(".insn i 0x73, 1, x0, %0, %1"                                 \
				     : : "r"(bits), PMUMAP_CSR_NUMBER_(csr) : "memory");           \
		break;
#define PMUMAP_CSR_8_(X, csr)                                                                      \
	X((csr)) X((csr) + 1) X((csr) + 2) X((csr) + 3)                                            \
	X((csr) + 4) X((csr) + 5) X((csr) + 6) X((csr) + 7)
#define PMUMAP_CSR_32_(X, csr)                                                                     \
	PMUMAP_CSR_8_(X, csr) PMUMAP_CSR_8_(X, (csr) + 8)                                          \
	PMUMAP_CSR_8_(X, (csr) + 16) PMUMAP_CSR_8_(X, (csr) + 24)
#if __riscv_xlen == 32
#define PMUMAP_CSR_MACHINE_(X)                                                                     \
	X(0x306) PMUMAP_CSR_32_(X, 0x320) PMUMAP_CSR_32_(X, 0x720)                                 \
	PMUMAP_CSR_32_(X, 0xb00) PMUMAP_CSR_32_(X, 0xb80)
#define PMUMAP_CSR_USER_(X) PMUMAP_CSR_32_(X, 0xc00) PMUMAP_CSR_32_(X, 0xc80) X(0xda0)
#else
#define PMUMAP_CSR_MACHINE_(X) X(0x306) PMUMAP_CSR_32_(X, 0x320) PMUMAP_CSR_32_(X, 0xb00)
#define PMUMAP_CSR_USER_(X) PMUMAP_CSR_32_(X, 0xc00) X(0xda0)
#endif
/* clang-format on */

static inline uint64_t pmumap_hart_native_read_(void *arg, uint32_t csr)
{
	unsigned long value = 0;

	(void)arg;
	switch (csr) {
		PMUMAP_CSR_MACHINE_(PMUMAP_CSR_READ_)
		PMUMAP_CSR_READ_(0xda0)
	default:
		break;
	}
	return value;
}

static inline void pmumap_hart_native_write_(void *arg, uint32_t csr, uint64_t value)
{
	unsigned long bits = (unsigned long)value;

	(void)arg;
	switch (csr) {
		PMUMAP_CSR_MACHINE_(PMUMAP_CSR_WRITE_)
	default:
		break;
	}
}

PMUMAP_DEF void pmumap_hart_native(struct pmumap_hart *h)
{
	h->read = pmumap_hart_native_read_;
	h->write = pmumap_hart_native_write_;
	h->arg = 0;
	h->xlen = __riscv_xlen;
}

static inline uint64_t pmumap_sbi_native_read_(void *arg, uint32_t csr)
{
	unsigned long value = 0;

	(void)arg;
	switch (csr) {
		PMUMAP_CSR_USER_(PMUMAP_CSR_READ_)
	default:
		break;
	}
	return value;
}

static inline struct pmumap_sbi_ret pmumap_sbi_native_call_(void *arg, uint32_t function,
							    const uint64_t *a)
{
	register unsigned long a0 __asm__("a0") = (unsigned long)a[0];
	register unsigned long a1 __asm__("a1") = (unsigned long)a[1];
	register unsigned long a2 __asm__("a2") = (unsigned long)a[2];
	register unsigned long a3 __asm__("a3") = (unsigned long)a[3];
	register unsigned long a4 __asm__("a4") = (unsigned long)a[4];
	register unsigned long a5 __asm__("a5") = (unsigned long)a[5];
	register unsigned long a6 __asm__("a6") = function;
	register unsigned long a7 __asm__("a7") = PMUMAP_SBI_EID;
	struct pmumap_sbi_ret r;

	(void)arg;
	__asm__ __volatile__("ecall"
			     : "+r"(a0), "+r"(a1)
			     : "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a6), "r"(a7)
			     : "memory");
	r.error = (int32_t)a0;
	r.value = a1;
	return r;
}

PMUMAP_DEF void pmumap_sbi_native(struct pmumap_sbi *s)
{
	s->call = pmumap_sbi_native_call_;
	s->read = pmumap_sbi_native_read_;
	s->arg = 0;
	s->xlen = __riscv_xlen;
}
#endif
