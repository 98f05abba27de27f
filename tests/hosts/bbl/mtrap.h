/* SPDX-License-Identifier: BSD-2-Clause */
/* As much of bbl as hosts/bbl needs, and a hart whose CSRs are an array. */
#ifndef _RISCV_MTRAP_H
#define _RISCV_MTRAP_H

#include <stddef.h>
#include <stdint.h>

#define MAX_HARTS 8

extern uintptr_t mem_size;
extern uintptr_t mem_start;
#define MEM_START mem_start

void printm(const char *s, ...);

uintptr_t csr_by_name(const char *name);
void csr_set_by_name(const char *name, uintptr_t value, int also);
#define read_csr(reg) csr_by_name(#reg)
#define write_csr(reg, value) csr_set_by_name(#reg, value, 0)
#define set_csr(reg, bits) csr_set_by_name(#reg, bits, 1)

#ifndef __riscv
void pmumap_hart_native(struct pmumap_hart *h);
#endif

#endif
