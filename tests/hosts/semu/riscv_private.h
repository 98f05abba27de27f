/* SPDX-License-Identifier: BSD-2-Clause */
/* As many of semu's numbers as hosts/semu needs. */
#pragma once

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
