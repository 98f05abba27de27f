/* SPDX-License-Identifier: BSD-2-Clause
 *
 * riscv_asm.h -- in the place of OpenSBI's: a hart whose CSRs are an array, on any machine.
 */
#ifndef MODEL_RISCV_ASM_H
#define MODEL_RISCV_ASM_H

#include <sbi/riscv_encoding.h>
#include <sbi/sbi_types.h>

extern unsigned long model_csr[4096];

#define csr_read(csr) (model_csr[csr])
#define csr_read_relaxed(csr) (model_csr[csr])
#define csr_write(csr, value) ((void)(model_csr[csr] = (value)))
#define csr_set(csr, value) ((void)(model_csr[csr] |= (value)))
#define csr_clear(csr, value) ((void)(model_csr[csr] &= ~(unsigned long)(value)))
#define csr_read_num(csr) (model_csr[csr])
#define csr_write_num(csr, value) ((void)(model_csr[csr] = (value)))
#define current_hartid() 0

#endif
