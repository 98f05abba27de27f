/* SPDX-License-Identifier: BSD-2-Clause */
/* As much of semu as hosts/semu needs. */
#pragma once

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

/* The numbers. */
enum { RV_R_A0 = 10, RV_R_A6 = 16, RV_R_A7 = 17 };
enum { RV_EXC_ILLEGAL_INSN = 2 };

#define SBI_EID_TIMER 0x54494D45
#define SBI_TIMER__SET_TIMER 0
#define SBI_EID_HSM 0x48534D
#define SBI_HSM__HART_STOP 1
#define SBI_EID_IPI 0x735049
#define SBI_IPI__SEND_IPI 0
#define SBI_EID_RFENCE 0x52464E43
#define SBI_RFENCE__I 0
#define SBI_RFENCE__VMA 1
#define SBI_RFENCE__VMA_ASID 2
