/* SPDX-License-Identifier: BSD-2-Clause */
/* As much of semu's hart as hosts/semu needs. */
#ifndef RISCV_H
#define RISCV_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { ERR_NONE, ERR_EXCEPTION, ERR_USER } vm_error_t;

typedef struct __hart_internal hart_t;

struct __hart_internal {
	uint32_t x_regs[32];
	uint64_t instret;
	vm_error_t error;
	uint32_t exc_cause;
	uint32_t *ram_base;
	uint32_t ram_size;
	bool s_mode;
	uint32_t sip;
	uint32_t scounteren;
	struct semu_pmu *pmu;
};

void vm_set_exception(hart_t *vm, uint32_t cause, uint32_t val);

#endif /* RISCV_H */
