/* SPDX-License-Identifier: BSD-2-Clause */
/* As much of rv32emu as hosts/rv32emu needs. */
#pragma once

#include <stdint.h>

typedef struct riscv_internal riscv_t;

typedef struct {
	uint8_t *mem_base;
	uint64_t mem_size;
} memory_t;

typedef struct {
	memory_t *mem;
} vm_attr_t;

enum { rv_reg_a0 = 10, rv_reg_a1, rv_reg_a6 = 16 };

uint32_t rv_get_reg(riscv_t *rv, uint32_t reg);
void rv_set_reg(riscv_t *rv, uint32_t reg, uint32_t in);

struct riscv_internal {
	void *data;
	uint64_t csr_cycle;
};

#define PRIV(rv) ((vm_attr_t *)(rv)->data)
