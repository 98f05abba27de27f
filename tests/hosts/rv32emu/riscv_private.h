/* SPDX-License-Identifier: BSD-2-Clause */
/* As much of rv32emu's hart as hosts/rv32emu needs. */
#pragma once

#include "riscv.h"

struct riscv_internal {
	void *data;
	uint64_t csr_cycle;
};

#define PRIV(rv) ((vm_attr_t *)(rv)->data)
