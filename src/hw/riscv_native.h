/* SPDX-License-Identifier: BSD-2-Clause */
/* This hart's own CSRs and ecall */
#pragma once

#include "hw/csr.h"
#include "hw/riscv_api.h"

#ifdef PMUMAP_NATIVE_
#define PMUMAP_READ_CASE_(csr)                                                                     \
	case csr:                                                                                  \
		PMUMAP_CSR_GET_NTH_(value, csr, n);                                                \
		break;
#define PMUMAP_WRITE_CASE_(csr)                                                                    \
	case csr:                                                                                  \
		PMUMAP_CSR_PUT_NTH_(bits, csr, n);                                                 \
		break;

/* Blocks of 32 CSRs: control, events, counters; on RV32 also their upper halves. */
#if __riscv_xlen == 32
#define PMUMAP_CSR_BLOCKS_(X) X(0x300) X(0x320) X(0xb00) X(0x720) X(0xb80)
#define PMUMAP_CSR_USER_BLOCKS_(X) X(0xc00) X(0xc80) X(0xda0)
#else
#define PMUMAP_CSR_BLOCKS_(X) X(0x300) X(0x320) X(0xb00)
#define PMUMAP_CSR_USER_BLOCKS_(X) X(0xc00) X(0xda0)
#endif

static inline uint64_t pmumap_hart_machine_read_(void *arg, uint32_t csr)
{
	unsigned long value = 0, n = csr & 31;

	(void)arg;
	switch (csr - n) {
		PMUMAP_CSR_BLOCKS_(PMUMAP_READ_CASE_)
	default:
		PMUMAP_CSR_GET_(value, PMUMAP_CSR_SCOUNTOVF_);
		break;
	}
	return value;
}

static inline void pmumap_hart_machine_write_(void *arg, uint32_t csr, uint64_t value)
{
	unsigned long bits = (unsigned long)value, n = csr & 31;

	(void)arg;
	switch (csr - n) {
		PMUMAP_CSR_BLOCKS_(PMUMAP_WRITE_CASE_)
	default:
		break;
	}
}

PMUMAP_DEF void pmumap_hart_init_machine(struct pmumap_hart *h)
{
	h->read = pmumap_hart_machine_read_;
	h->write = pmumap_hart_machine_write_;
	h->arg = 0;
	h->xlen = __riscv_xlen;
	h->direct = 1;
}

#define PMUMAP_CSR_ACCESS_(csr)                                                                    \
	do {                                                                                       \
		if (write)                                                                         \
			PMUMAP_CSR_PUT_(value, csr);                                               \
		else                                                                               \
			PMUMAP_CSR_GET_(value, csr);                                               \
	} while (0)

/* Access to M-mode's CSRs, by their numbers, from S-mode. The event of mcycle is 0x321. */
static inline unsigned long pmumap_hart_supervisor_csr_(uint32_t csr, unsigned long value,
							int write)
{
	unsigned long n = csr & 31, select = PMUMAP_ISELECT_COUNTER_ + (n == 1 ? 0 : n);

	if (csr == PMUMAP_CSR_MCOUNTINHIBIT_) {
		PMUMAP_CSR_ACCESS_(PMUMAP_CSR_SCOUNTINHIBIT_);
	} else if (csr == PMUMAP_CSR_MCOUNTEREN_) {
		PMUMAP_CSR_ACCESS_(PMUMAP_CSR_SCOUNTEREN_);
	} else if (csr == PMUMAP_CSR_SCOUNTOVF_) {
		PMUMAP_CSR_GET_(value, PMUMAP_CSR_SCOUNTOVF_);
	} else {
		PMUMAP_CSR_SWAP_(select, PMUMAP_CSR_SISELECT_);
		if (csr < PMUMAP_CSR_MHPMEVENTH_)
			PMUMAP_CSR_ACCESS_(PMUMAP_CSR_SIREG_ + 1);
		else if (csr < PMUMAP_CSR_MHPMCOUNTER_)
			PMUMAP_CSR_ACCESS_(PMUMAP_CSR_SIREG_ + 5);
		else if (csr < PMUMAP_CSR_MHPMCOUNTER_ + PMUMAP_CSR_COUNTER_HIGH_)
			PMUMAP_CSR_ACCESS_(PMUMAP_CSR_SIREG_);
		else
			PMUMAP_CSR_ACCESS_(PMUMAP_CSR_SIREG_ + 4);
		PMUMAP_CSR_PUT_(select, PMUMAP_CSR_SISELECT_);
	}
	return value;
}

static inline uint64_t pmumap_hart_supervisor_read_(void *arg, uint32_t csr)
{
	(void)arg;
	return pmumap_hart_supervisor_csr_(csr, 0, 0);
}

static inline void pmumap_hart_supervisor_write_(void *arg, uint32_t csr, uint64_t value)
{
	(void)arg;
	(void)pmumap_hart_supervisor_csr_(csr, (unsigned long)value, 1);
}

PMUMAP_DEF void pmumap_hart_init_supervisor(struct pmumap_hart *h)
{
	h->read = pmumap_hart_supervisor_read_;
	h->write = pmumap_hart_supervisor_write_;
	h->arg = 0;
	h->xlen = __riscv_xlen;
	h->direct = 1;
	h->below = 1;
}

static inline uint64_t pmumap_sbi_own_read_(void *arg, uint32_t csr)
{
	unsigned long value = 0, n = csr & 31;

	(void)arg;
	switch (csr - n) {
		PMUMAP_CSR_USER_BLOCKS_(PMUMAP_READ_CASE_)
	default:
		break;
	}
	return value;
}

static inline struct pmumap_sbi_ret pmumap_sbi_own_call_(void *arg, uint32_t function,
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

PMUMAP_DEF void pmumap_sbi_init(struct pmumap_sbi *s)
{
	s->call = pmumap_sbi_own_call_;
	s->read = pmumap_sbi_own_read_;
	s->arg = 0;
	s->xlen = __riscv_xlen;
}
#endif
