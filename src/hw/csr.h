/* SPDX-License-Identifier: BSD-2-Clause */
/* CSR numbers, whole counters, and CSR instructions */
#pragma once

#include "core/linkage.h"

/* Those of counter n are n above these. */
#define PMUMAP_CSR_MIDELEG_ 0x303u
#define PMUMAP_CSR_MCOUNTEREN_ 0x306u
#define PMUMAP_CSR_MENVCFG_ 0x30au   /* bit 60: S-mode has the counters of mcounteren */
#define PMUMAP_CSR_MSTATEEN0_ 0x30cu /* bit 60: S-mode may use siselect */
#define PMUMAP_CSR_UPPER_ 0x10u      /* above these two: their upper half, on RV32 */
#define PMUMAP_CSR_MCOUNTINHIBIT_ 0x320u
#define PMUMAP_CSR_MHPMEVENT_ 0x320u /* 0x321 is mcyclecfg, of counter 0; 0x322 minstretcfg */
#define PMUMAP_CSR_MHPMEVENTH_ 0x720u
#define PMUMAP_CSR_MHPMCOUNTER_ 0xb00u
#define PMUMAP_CSR_HPMCOUNTER_ 0xc00u
#define PMUMAP_CSR_COUNTER_HIGH_ 0x80u /* above a counter: its upper half, on RV32 */
#define PMUMAP_CSR_SCOUNTOVF_ 0xda0u
#define PMUMAP_CSR_SCOUNTEREN_ 0x106u
#define PMUMAP_CSR_SCOUNTINHIBIT_ 0x120u

/* sireg is the counter that siselect selects, the next CSR its event; 4 above: upper halves. */
#define PMUMAP_CSR_SISELECT_ 0x150u
#define PMUMAP_CSR_SIREG_ 0x151u
#define PMUMAP_ISELECT_COUNTER_ 0x40u

typedef uint64_t pmumap_csr_read_fn_(void *arg, uint32_t csr);

/* Read a counter whole. On RV32, rereading the upper half shows whether the lower half wrapped. */
static inline uint64_t pmumap_csr_read_counter_(pmumap_csr_read_fn_ *read, void *arg, uint32_t xlen,
						uint32_t csr)
{
	uint64_t high, low, again;

	if (xlen != 32)
		return read(arg, csr);
	high = read(arg, csr + PMUMAP_CSR_COUNTER_HIGH_);
	low = read(arg, csr);
	again = read(arg, csr + PMUMAP_CSR_COUNTER_HIGH_);
	if (again != high)
		low = read(arg, csr);
	return again << 32 | low;
}

#if defined(__riscv) && !defined(PMUMAP_NO_NATIVE)
#define PMUMAP_NATIVE_ 1
/*
 * The CSR number is part of the instruction. .insn avoids requiring Zicsr of the assembler. If the
 * instruction traps and is skipped, x keeps its value.
 */
#define PMUMAP_CSR_(csr) "i"((csr) < 0x800 ? (int)(csr) : (int)(csr)-0x1000)
#define PMUMAP_CSR_GET_(x, csr)                                                                    \
	__asm__ __volatile__(".insn i 0x73, 2, %0, x0, %1" : "+r"(x) : PMUMAP_CSR_(csr) : "memory")
#define PMUMAP_CSR_PUT_(x, csr)                                                                    \
	__asm__ __volatile__(".insn i 0x73, 1, x0, %0, %1" : : "r"(x), PMUMAP_CSR_(csr) : "memory")
#define PMUMAP_CSR_SWAP_(x, csr)                                                                   \
	__asm__ __volatile__(".insn i 0x73, 1, %0, %0, %1" : "+r"(x) : PMUMAP_CSR_(csr) : "memory")
#define PMUMAP_CSR_SET_(x, csr)                                                                    \
	__asm__ __volatile__(".insn i 0x73, 2, x0, %0, %1" : : "r"(x), PMUMAP_CSR_(csr) : "memory")
#define PMUMAP_CSR_CLEAR_(x, csr)                                                                  \
	__asm__ __volatile__(".insn i 0x73, 3, x0, %0, %1" : : "r"(x), PMUMAP_CSR_(csr) : "memory")

/*
 * The same for CSR csr + n, n below 32: jump into a table, here with 8 bytes an entry. The jump
 * goes by t2 because landing pads (Zicfilp) do not apply to it.
 */
#define PMUMAP_CSR_TABLE_(skip, numbers, insns)                                                    \
	".option push\n.option norvc\n"                                                            \
	"auipc t2, 0\nadd t2, t2, %[at]\njalr x0, 12-" skip "(t2)\n"                               \
	".irp n, " numbers "3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, "     \
	"21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n" insns "\n.endr\n1:\n.option pop"
#define PMUMAP_CSR_NTH_(insns) PMUMAP_CSR_TABLE_("0", "0, 1, 2, ", insns)
#define PMUMAP_CSR_GET_NTH_(x, csr, n)                                                             \
	__asm__ __volatile__(PMUMAP_CSR_NTH_(".insn i 0x73, 2, %0, x0, %[a]+\\n\nj 1f")            \
			     : "+r"(x)                                                             \
			     : [at] "r"((n)*8ul), [a] PMUMAP_CSR_(csr)                             \
			     : "t2", "memory")
#define PMUMAP_CSR_PUT_NTH_(x, csr, n)                                                             \
	__asm__ __volatile__(PMUMAP_CSR_NTH_(".insn i 0x73, 1, x0, %0, %[a]+\\n\nj 1f")            \
			     :                                                                     \
			     : "r"(x), [at] "r"((n)*8ul), [a] PMUMAP_CSR_(csr)                     \
			     : "t2", "memory")

/*
 * The same for a counter's CSRs at once: READ the value; of programmable counters also GET (on
 * RV64) or PUT event and value, or put the value and get the event. Without write the value stays.
 * RV32 reads the upper half twice. It writes 0 to the lower half first, so that a running counter
 * cannot carry. no_high: it has no mhpmeventh.
 */
#define PMUMAP_HIGH_(x) ((unsigned long)((__riscv_xlen == 32 ? (x) : 0) >> 32))
#define PMUMAP_WHOLE_(high, low) (__riscv_xlen == 32 ? (uint64_t)(high) << 32 | (low) : (low))
#define PMUMAP_CSR_VALUE_(value)                                                                   \
	[x] "i"(__riscv_xlen), [h] "rJ"(PMUMAP_HIGH_(value)), [l] "rJ"((unsigned long)(value))
#define PMUMAP_CSR_BOTH_(before, after)                                                            \
	PMUMAP_CSR_TABLE_("3*1024/%[x]", "",                                                       \
			  before ".if %[x] == 32\n.insn i 0x73, 1, x0, x0, -0x500+\\n\n"           \
				 ".insn i 0x73, 1, x0, %z[h], -0x480+\\n\n.endif\n"                \
				 ".insn i 0x73, 1, x0, %z[l], -0x500+\\n\n" after)
#define PMUMAP_CSR_READ_(high, low, again, n)                                                      \
	__asm__ __volatile__(                                                                      \
		".if %[x] == 32\nli %0, 0\nli %2, 0\n.endif\n" PMUMAP_CSR_NTH_(                    \
			".if %[x] == 32\n.insn i 0x73, 2, %0, x0, -0x480+\\n\n.endif\n"            \
			".insn i 0x73, 2, %1, x0, -0x500+\\n\n.if %[x] == 32\n"                    \
			".insn i 0x73, 2, %2, x0, -0x480+\\n\n.endif\nj 1f")                       \
		: "=&r"(high), "=&r"(low), "=&r"(again)                                            \
		: [x] "i"(__riscv_xlen), [at] "r"((n) * (512ul / __riscv_xlen))                    \
		: "t2", "memory")
#define PMUMAP_CSR_GET_BOTH_(value, event, n)                                                      \
	__asm__ __volatile__(PMUMAP_CSR_TABLE_("3*16", "",                                         \
					       ".insn i 0x73, 2, %0, x0, -0x500+\\n\n"             \
					       ".insn i 0x73, 2, %1, x0, 0x320+\\n\nj 1f\nnop")    \
			     : "=&r"(value), "=r"(event)                                           \
			     : [at] "r"((n)*16ul)                                                  \
			     : "t2", "memory")
#define PMUMAP_CSR_PUT_GET_(value, eventh, event, n, no_high, write)                               \
	__asm__ __volatile__(                                                                      \
		PMUMAP_CSR_BOTH_("",                                                               \
				 ".insn i 0x73, 2, %1, x0, 0x320+\\n\n.if %[x] == 32\nli %0, 0\n"  \
				 "bnez %z[no], 1f\n.insn i 0x73, 2, %0, x0, 0x720+\\n\nj 1f\n"     \
				 ".else\nj 1f\nnop\n.endif")                                       \
		: "=&r"(eventh), "=&r"(event)                                                      \
		: PMUMAP_CSR_VALUE_(value), [no] "rJ"(no_high),                                    \
		  [at] "r"((n) * (1024ul / __riscv_xlen) +                                         \
			   !(write) * (__riscv_xlen == 32 ? 12ul : 4ul))                           \
		: "t2", "memory")
#define PMUMAP_CSR_PUT_BOTH_(value, event, n, no_high, write)                                      \
	__asm__ __volatile__(                                                                      \
		PMUMAP_CSR_BOTH_(".if %[x] == 32\nbnez %z[no], 2f\n"                               \
				 ".insn i 0x73, 1, x0, %z[f], 0x720+\\n\n2:\n.endif\n"             \
				 ".insn i 0x73, 1, x0, %z[e], 0x320+\\n\nbeqz %z[w], 1f\n",        \
				 "j 1f")                                                           \
		:                                                                                  \
		: PMUMAP_CSR_VALUE_(value), [f] "rJ"(PMUMAP_HIGH_(event)),                         \
		  [e] "rJ"((unsigned long)(event)), [no] "rJ"(no_high), [w] "r"(write),            \
		  [at] "r"((n) * (1024ul / __riscv_xlen))                                          \
		: "t2", "memory")
#endif
