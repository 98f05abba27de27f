/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_hw.h 0.3.1 -- operate counters: by CSRs in M-mode or S-mode, or by SBI calls.
 *
 * QUICK START: a hart's counters through its CSRs, in M-mode
 *	#include "pmumap_hw.h"			// includes pmumap.h
 *
 *	static struct pmumap_hart hart;
 *	struct pmumap_job job;
 *
 *	pmumap_hart_init_machine(&hart);		// or set read, write, arg and xlen
 *	pmumap_hart_probe(&hart);		// your trap handler must skip missing CSRs
 *	int counter = pmumap_plan(map, 0x10019, 0, hart.counters, hart.features,
 *				  PMUMAP_RULE_ABSENT, &job);	// dTLB read misses
 *	if (counter < 0)
 *		return;				// no counter of this hart can count it
 *	job.clear = 1;				// from 0
 *	if (pmumap_hart_set(&hart, (uint32_t)counter, &job))
 *		pmumap_hart_start(&hart, (uint32_t)counter, 0);
 *	uint64_t count = pmumap_hart_read(&hart, (uint32_t)counter);
 *
 * QUICK START: delegated counters in S-mode (Smcdeleg, Ssccfg)
 *	static struct pmumap_hart hart;		// M-mode has called pmumap_hart_delegate()
 *	struct pmumap_job job;
 *
 *	pmumap_hart_init_supervisor(&hart);
 *	hart.features = features | PMUMAP_MCOUNTINHIBIT | PMUMAP_TOLD; // from pmumap_fdt_harts()
 *	pmumap_hart_probe(&hart);		// told all features, it causes no trap
 *	int counter = pmumap_plan(map, 0x10019, 0, hart.counters, hart.features,
 *				  PMUMAP_RULE_ABSENT, &job);	// then as above
 *
 * QUICK START: the same through SBI firmware, in S-mode or VS-mode
 *	static uint64_t block[PMUMAP_BLOCK(0, 52, 0) / 8];	// or measure: see pmumap.h
 *	static struct pmumap_sbi sbi;
 *	struct pmumap_builder b;
 *	const struct pmumap *map;
 *	struct pmumap_job job;
 *
 *	pmumap_sbi_init(&sbi);		// or set call, read, arg and xlen
 *	pmumap_sbi_probe(&sbi);
 *	pmumap_begin(&b, block, sizeof(block));	// a map of the firmware's answers
 *	enum pmumap_status status = pmumap_add_sbi(&b, &sbi);
 *	if (status == PMUMAP_OK)
 *		status = pmumap_finish(&b, &map);
 *	if (status != PMUMAP_OK) {
 *		puts(pmumap_status_str(status));	// no PMU extension, ...
 *		return;
 *	}
 *	int counter = pmumap_plan(map, 0x10019, 0, sbi.counters, sbi.features,
 *				  PMUMAP_RULE_ALWAYS, &job);
 *	if (counter < 0 || !pmumap_sbi_set(&sbi, (uint32_t)counter, &job))
 *		return;				// the firmware cannot count it
 *	pmumap_sbi_start(&sbi, (uint32_t)counter, 0);
 *	uint64_t count = pmumap_sbi_read(&sbi, (uint32_t)counter);
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Access	by functions in a struct. pmumap_..._native() and _delegated() set those of this
 *		CPU. If you set all yourself, you may define PMUMAP_NO_NATIVE, for less code.
 *   Threads	use a struct on its own hart only, and never twice at once.
 *   Failure	a refused operation returns 0, and writes nothing unless its comment says otherwise.
 *		A missing counter reads 0.
 *
 * pmumap_hart_as_pmu() and pmumap_sbi_as_pmu() make a struct pmumap_pmu (pmumap.h): code that uses
 * it, such as pmumap_server.h, works with either.
 */
#include "pmumap.h"

/* ---- core/version.h: Refuse a header of another version */
/* A header left over from another release would compile, and read a struct of another layout. */
#ifndef PMUMAP_VERSION_MAJOR
#define PMUMAP_VERSION_MAJOR 0
#define PMUMAP_VERSION_MINOR 3
#define PMUMAP_VERSION_PATCH 1
#elif PMUMAP_VERSION_MAJOR != 0 || PMUMAP_VERSION_MINOR != 3 || PMUMAP_VERSION_PATCH != 1
#error "headers of two versions of pmumap meet here: take all of them from one release"
#endif

/* C has no other casts and no other null pointer. A function may have the name of a struct. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#pragma GCC diagnostic ignored "-Wshadow"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PMUMAP_HW_H
#define PMUMAP_HW_H

/* ---- hw/riscv_api.h: A hart's counters, by CSRs or by SBI */
/* More features. */
#define PMUMAP_MCOUNTINHIBIT 8u /* counters can be stopped */
#define PMUMAP_TOLD 64u         /* features are complete: pmumap_hart_probe() tests for no others */

/*
 * One hart's counters by CSRs: in M-mode, or in S-mode if they are delegated. First zero it. Then
 * call pmumap_hart_init_machine() or pmumap_hart_init_supervisor(), or set read, write, arg and
 * xlen. Then call pmumap_hart_probe(), or set counters, width and features. Once a counter was set,
 * only pmumap_hart_probe() may change them. read and write always get M-mode's CSR numbers.
 *
 * In S-mode, AIA drivers use siselect too. Each function restores it, but no handler may change it
 * meanwhile: disable interrupts, or let handlers restore it.
 */
struct pmumap_hart {
	uint64_t (*read)(void *arg, uint32_t csr); /* xlen bits */
	void (*write)(void *arg, uint32_t csr, uint64_t value);
	void *arg;
	uint32_t xlen;     /* 32 or 64 */
	uint32_t features; /* CAN_FILTER, CAN_INTERRUPT, SMCNTRPMF, MCOUNTINHIBIT */
	uint32_t below;    /* 1: in S-mode */
	uint32_t counters; /* bit N: mhpmcounterN exists */
	uint32_t width;    /* bits of the narrowest programmable counter */

	/* The members below are private. */
	uint64_t selector[32]; /* for mhpmevent at each start: a suspend may have lost it */
	uint64_t own, modes;   /* bits of programmable counters' mhpmevent: selector, modes */
	uint32_t direct;       /* 1: this hart's own CSRs; then no calls are needed for ... */
	signed char place[32]; /* ... each counter that was set, if it can be stopped */
	uint32_t whole;        /* bit N: programmable counter N has a place */
	uint32_t secret;       /* bit N: counter N has a value of a virtual CPU that left */
};

/*
 * Find counters by writing to them. Programmable counters are then 0 and stopped; mcycle and
 * minstret go on. Features found are added to yours: Sscofpmf, Smcntrpmf, mcountinhibit. S-mode
 * touches delegated counters only.
 *
 * A missing CSR may trap: your handler must skip the instruction (4 bytes) and keep the registers.
 * To avoid traps, set all features of the hart, PMUMAP_TOLD and PMUMAP_MCOUNTINHIBIT; then the
 * counters are those that can be stopped.
 *
 * Returns  counters.
 */
PMUMAP_API uint32_t pmumap_hart_probe(struct pmumap_hart *h);

/*
 * As in struct pmumap_pmu. set returns 0, and writes nothing, for a missing counter, for time, and
 * for an event that counters 0 and 2 cannot count; on RV32 without mhpmeventh, also for a selector
 * above 32 bits. RV32 accesses values whole even while the counter runs.
 *
 * start rewrites the event and clears the overflow, unless the counter runs. Without mcountinhibit,
 * fixed counters never stop; others stop by counting no event.
 */
PMUMAP_API int pmumap_hart_set(struct pmumap_hart *h, uint32_t counter,
			       const struct pmumap_job *job);
PMUMAP_API void pmumap_hart_start(struct pmumap_hart *h, uint32_t counter, const uint64_t *value);
PMUMAP_API void pmumap_hart_stop(struct pmumap_hart *h, uint32_t counter, int release);
PMUMAP_API uint64_t pmumap_hart_read(struct pmumap_hart *h, uint32_t counter);
PMUMAP_API int pmumap_hart_overflowed(struct pmumap_hart *h, uint32_t counter);
PMUMAP_API void pmumap_hart_as_pmu(struct pmumap_hart *h, struct pmumap_pmu *pmu);

/*
 * Add functions that move sets of counters, for pmumap_vpmu_restore_sets(). They take a few
 * instructions per counter.
 */
PMUMAP_API void pmumap_hart_sets(struct pmumap_hart *h, struct pmumap_pmu_sets *sets);

/*
 * Delegate these counters, and no others, from M-mode to S-mode: menvcfg, mstateen0, mcounteren,
 * and mideleg for their interrupt. Bit 0 is mcycle, bit 2 minstret. S-mode cannot read the others.
 * Call it only if the tree names Smcdeleg (PMUMAP_DELEGATED). A missing CSR may trap, as in
 * pmumap_hart_probe().
 * Returns  the counters that S-mode now owns: do not touch them. 0: the hart cannot delegate.
 */
PMUMAP_API uint32_t pmumap_hart_delegate(struct pmumap_hart *h, uint32_t counters);

/* Let lower modes read these counters, and no others (mcounteren). */
PMUMAP_API void pmumap_hart_permit(struct pmumap_hart *h, uint32_t counters);

/*
 * One hart's counters by SBI firmware, in S- or VS-mode. Set features; then call
 * pmumap_sbi_init(), or set call, read, arg and xlen; then call pmumap_sbi_probe().
 */
struct pmumap_sbi {
	struct pmumap_sbi_ret (*call)(void *arg, uint32_t function, const uint64_t *a); /* a0..a5 */
	uint64_t (*read)(void *arg, uint32_t csr);
	void *arg;
	uint32_t xlen;
	uint32_t features;  /* PMUMAP_CAN_INTERRUPT with Sscofpmf: scountovf exists */
	uint32_t counters;  /* hardware counters that the firmware grants */
	uint32_t width;     /* bits of the narrowest of them */
	uint32_t total;     /* number of SBI counters, including firmware ones */
	uint16_t index[32]; /* SBI's number for each counter */

	/* For pmumap_add_sbi() only: 16 bytes, aligned to 16; or 0 for both. */
	void *shared;
	uint64_t shared_address; /* their physical address */

	/* The members below are private. */
	void *snapshot;     /* the page of pmumap_sbi_share(), or NULL */
	uint32_t used;      /* bit N: counter N has a job */
	uint32_t readable;  /* bit N: counter N shows its count; otherwise it has counted 0 */
	uint32_t secret;    /* bit N: counter N has the value of another owner ... */
	uint32_t event[32]; /* ... which can be wiped with this last event */
	uint64_t data[32];
	unsigned char flags[32];
};

/* Query all counters. Returns counters; 0 without the PMU extension. */
PMUMAP_API uint32_t pmumap_sbi_probe(struct pmumap_sbi *s);

/*
 * As in struct pmumap_pmu. If the firmware refuses set, or configures another counter than the one
 * asked for, the counter is released. If it refuses a start at a value, the counter reads 0.
 */
PMUMAP_API int pmumap_sbi_set(struct pmumap_sbi *s, uint32_t counter, const struct pmumap_job *job);
PMUMAP_API void pmumap_sbi_start(struct pmumap_sbi *s, uint32_t counter, const uint64_t *value);
PMUMAP_API void pmumap_sbi_stop(struct pmumap_sbi *s, uint32_t counter, int release);
PMUMAP_API uint64_t pmumap_sbi_read(struct pmumap_sbi *s, uint32_t counter);
PMUMAP_API int pmumap_sbi_overflowed(struct pmumap_sbi *s, uint32_t counter);
PMUMAP_API void pmumap_sbi_as_pmu(struct pmumap_sbi *s, struct pmumap_pmu *pmu);

/*
 * Add functions that move sets of counters. A turn of k counters takes 2k + 1 calls: one STOP, and
 * a CONFIG_MATCHING and a START each; after pmumap_sbi_share(), k + 2. Wiping k counters that the
 * next virtual CPU leaves unused takes k + 2 calls.
 */
PMUMAP_API void pmumap_sbi_sets(struct pmumap_sbi *s, struct pmumap_pmu_sets *sets);

/*
 * Share a snapshot page with the firmware, after pmumap_sbi_probe(): 4,096 bytes, aligned to 4,096,
 * at this physical address. The firmware keeps it until the hart stops; then share it again.
 * Returns 1; or 0 if the firmware has no snapshots.
 */
PMUMAP_API int pmumap_sbi_share(struct pmumap_sbi *s, void *page, uint64_t address);

/*
 * Add rows for the events that the firmware can count: firmware hides its tables from S-mode. Call
 * it after pmumap_sbi_probe(), before anything counts. PMUMAP_BLOCK(0, 52, 0) is always enough.
 *
 * EVENT_GET_INFO tells which of SBI's 52 hardware and cache events exist, if you share memory.
 * CONFIG_MATCHING then tries each counter, without starting it, and releases it. Counters in use
 * get no row.
 *
 * The map has no raw events, which are too many to try, and no selectors: plan with
 * PMUMAP_RULE_ALWAYS and with free counters of s->counters only. If the firmware does not count
 * cycles on counter 0, or instructions on counter 2, that counter is no longer in s->counters,
 * because it can count nothing else: pmumap_plan() would offer it even without a row.
 *
 * Errors   E_NOTFOUND: no PMU extension; and those of pmumap_add_counters().
 * Cost     at most 52 calls for the events, and two per event and counter.
 */
PMUMAP_API enum pmumap_status pmumap_add_sbi(struct pmumap_builder *b, struct pmumap_sbi *s);

/*
 * The calls themselves, with SBI's counter numbers; a set is base and mask. On RV32 they split
 * 64-bit arguments into two registers, and fw_read returns all 64 bits.
 */
PMUMAP_API struct pmumap_sbi_ret pmumap_sbi_match(struct pmumap_sbi *s, uint64_t base,
						  uint64_t mask, uint64_t flags, uint32_t event,
						  uint64_t data);
PMUMAP_API struct pmumap_sbi_ret pmumap_sbi_start_set(struct pmumap_sbi *s, uint64_t base,
						      uint64_t mask, uint64_t flags,
						      uint64_t value);
PMUMAP_API struct pmumap_sbi_ret pmumap_sbi_stop_set(struct pmumap_sbi *s, uint64_t base,
						     uint64_t mask, uint64_t flags);
PMUMAP_API struct pmumap_sbi_ret pmumap_sbi_fw_read(struct pmumap_sbi *s, uint64_t index);

#if defined(__riscv) && !defined(PMUMAP_NO_NATIVE)
/* Use this machine's own CSRs, in M-mode or in S-mode; or its own ecall and user counters. */
PMUMAP_API void pmumap_hart_init_machine(struct pmumap_hart *h);
PMUMAP_API void pmumap_hart_init_supervisor(struct pmumap_hart *h);
PMUMAP_API void pmumap_sbi_init(struct pmumap_sbi *s);
#endif

#endif /* PMUMAP_HW_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap_hw.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_HW_IMPLEMENTED_)
#define PMUMAP_HW_IMPLEMENTED_

/* ---- hw/csr.h: CSR numbers, whole counters, and CSR instructions */
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

/* ---- hw/straight.h: Direct access to a counter of this hart */
#ifdef PMUMAP_NATIVE_
/*
 * The place of a counter that was set and can be stopped. 0: access by calls. Negative: in S-mode,
 * through siselect. NO_EVENT: it has no event register; NO_HIGH: no upper half of it, on RV32.
 */
#define PMUMAP_IN_M_ 1
#define PMUMAP_IN_S_ (-8)
#define PMUMAP_NO_EVENT_ 2
#define PMUMAP_NO_HIGH_ 4

#define PMUMAP_LIKELY_(x) __builtin_expect((x) != 0, 1)

/* On RV32, 0 goes to the lower half first, as in a table. */
#define PMUMAP_CSR_PUT_VALUE_(x, csr, up)                                                          \
	do {                                                                                       \
		if (__riscv_xlen == 32) {                                                          \
			PMUMAP_CSR_PUT_(0ul, csr);                                                 \
			PMUMAP_CSR_PUT_(PMUMAP_HIGH_(x), (csr) + (up));                            \
		}                                                                                  \
		PMUMAP_CSR_PUT_((unsigned long)(x), csr);                                          \
	} while (0)

/* Write the event of a stopped programmable counter, and its value if write is not 0. */
PMUMAP_ALWAYS_INLINE_ void pmumap_straight_set_(int place, unsigned long n, uint64_t event,
						uint64_t value, uint32_t write)
{
	unsigned long select = PMUMAP_ISELECT_COUNTER_ + n;

	if (PMUMAP_LIKELY_(place > 0)) {
		PMUMAP_CSR_PUT_BOTH_(value, event, n, place & PMUMAP_NO_HIGH_, write);
		return;
	}
	PMUMAP_CSR_SWAP_(select, PMUMAP_CSR_SISELECT_);
	if (__riscv_xlen == 32 && !(place & PMUMAP_NO_HIGH_))
		PMUMAP_CSR_PUT_(PMUMAP_HIGH_(event), PMUMAP_CSR_SIREG_ + 5);
	PMUMAP_CSR_PUT_((unsigned long)event, PMUMAP_CSR_SIREG_ + 1);
	if (write)
		PMUMAP_CSR_PUT_VALUE_(value, PMUMAP_CSR_SIREG_, 4);
	PMUMAP_CSR_PUT_(select, PMUMAP_CSR_SISELECT_);
}

/* One by one. The upper half is up above csr. */
#define PMUMAP_STRAIGHT_WRITE_(csr, up, event_csr, eventh_csr)                                     \
	do {                                                                                       \
		if (value)                                                                         \
			PMUMAP_CSR_PUT_VALUE_(*value, csr, up);                                    \
		if (!(place & PMUMAP_NO_EVENT_))                                                   \
			PMUMAP_CSR_GET_(event, event_csr);                                         \
		if (__riscv_xlen == 32 && !(place & PMUMAP_NO_HIGH_))                              \
			PMUMAP_CSR_GET_(high, eventh_csr);                                         \
	} while (0)

/* Write a counter, unless value is NULL. Returns its event, or 0 without an event register. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_straight_write_(int place, unsigned long n,
						      const uint64_t *value)
{
	unsigned long high = 0, event = 0, select = PMUMAP_ISELECT_COUNTER_ + n;

	if (!PMUMAP_LIKELY_(place > 0)) {
		PMUMAP_CSR_SWAP_(select, PMUMAP_CSR_SISELECT_);
		PMUMAP_STRAIGHT_WRITE_(PMUMAP_CSR_SIREG_, 4, PMUMAP_CSR_SIREG_ + 1,
				       PMUMAP_CSR_SIREG_ + 5);
		PMUMAP_CSR_PUT_(select, PMUMAP_CSR_SISELECT_);
	} else if (n > 2) {
		PMUMAP_CSR_PUT_GET_(value ? *value : 0, high, event, n, place & PMUMAP_NO_HIGH_,
				    value);
	} else if (n) {
		PMUMAP_STRAIGHT_WRITE_(PMUMAP_CSR_MHPMCOUNTER_ + 2, PMUMAP_CSR_COUNTER_HIGH_,
				       PMUMAP_CSR_MHPMEVENT_ + 2, PMUMAP_CSR_MHPMEVENTH_ + 2);
	} else {
		PMUMAP_STRAIGHT_WRITE_(PMUMAP_CSR_MHPMCOUNTER_, PMUMAP_CSR_COUNTER_HIGH_,
				       PMUMAP_CSR_MHPMEVENT_ + 1, PMUMAP_CSR_MHPMEVENTH_ + 1);
	}
	return PMUMAP_WHOLE_(high, event);
}

/* On RV32, the upper half before and after shows whether the lower half wrapped. 0 if missing. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_straight_read_(int place, unsigned long n)
{
	unsigned long high = 0, low = 0, again = 0, select = PMUMAP_ISELECT_COUNTER_ + n;

	if (PMUMAP_LIKELY_(place > 0)) {
		do
			PMUMAP_CSR_READ_(high, low, again, n);
		while (__riscv_xlen == 32 && again != high);
		return PMUMAP_WHOLE_(high, low);
	}
	PMUMAP_CSR_SWAP_(select, PMUMAP_CSR_SISELECT_);
	do {
		if (__riscv_xlen == 32)
			PMUMAP_CSR_GET_(high, PMUMAP_CSR_SIREG_ + 4);
		PMUMAP_CSR_GET_(low, PMUMAP_CSR_SIREG_);
		if (__riscv_xlen == 32)
			PMUMAP_CSR_GET_(again, PMUMAP_CSR_SIREG_ + 4);
	} while (again != high);
	PMUMAP_CSR_PUT_(select, PMUMAP_CSR_SISELECT_);
	return PMUMAP_WHOLE_(high, low);
}

/* CLEAR starts these counters, SET stops them. */
#define PMUMAP_STRAIGHT_INHIBIT_(access, place, counters)                                          \
	do {                                                                                       \
		if (PMUMAP_LIKELY_((place) > 0))                                                   \
			access(counters, PMUMAP_CSR_MCOUNTINHIBIT_);                               \
		else                                                                               \
			access(counters, PMUMAP_CSR_SCOUNTINHIBIT_);                               \
	} while (0)
#define PMUMAP_BY_CALLS_ PMUMAP_OUTLINE_ /* so that the direct path needs no stack frame */
#else
#define PMUMAP_BY_CALLS_ static inline
#endif

/* ---- hw/pmu.h: The functions of struct pmumap_pmu for one backend */
#define PMUMAP_PMU_FUNCTIONS_(kind)                                                                \
	static inline int pmumap_##kind##_pmu_set_(void *arg, uint32_t counter,                    \
						   const struct pmumap_job *job)                   \
	{                                                                                          \
		return pmumap_##kind##_set((struct pmumap_##kind *)arg, counter, job);             \
	}                                                                                          \
	static inline void pmumap_##kind##_pmu_start_(void *arg, uint32_t counter,                 \
						      const uint64_t *value)                       \
	{                                                                                          \
		pmumap_##kind##_start((struct pmumap_##kind *)arg, counter, value);                \
	}                                                                                          \
	static inline void pmumap_##kind##_pmu_stop_(void *arg, uint32_t counter, int release)     \
	{                                                                                          \
		pmumap_##kind##_stop((struct pmumap_##kind *)arg, counter, release);               \
	}                                                                                          \
	static inline uint64_t pmumap_##kind##_pmu_read_(void *arg, uint32_t counter)              \
	{                                                                                          \
		return pmumap_##kind##_read((struct pmumap_##kind *)arg, counter);                 \
	}                                                                                          \
	static inline int pmumap_##kind##_pmu_overflowed_(void *arg, uint32_t counter)             \
	{                                                                                          \
		return pmumap_##kind##_overflowed((struct pmumap_##kind *)arg, counter);           \
	}

/* ---- hw/hart.h: Counters through CSRs */
#define PMUMAP_OVERFLOW_BIT_ 63 /* bit of mhpmevent: has overflowed */
#define PMUMAP_INHIBIT_BIT_ 58  /* the lowest of its bits that inhibit counting in a mode */

static inline int pmumap_hart_has_counter_(const struct pmumap_hart *h, uint32_t counter)
{
	return counter < 32 && counter != 1 && (h->counters >> counter & 1);
}

static inline int pmumap_hart_has_filter_(const struct pmumap_hart *h, uint32_t counter)
{
	return (h->features & (counter < 3 ? PMUMAP_SMCNTRPMF : PMUMAP_CAN_FILTER)) != 0;
}

/* Whether the event has bits for modes or overflow above it: on RV32, mhpmeventh exists. */
static inline int pmumap_hart_has_high_bits_(const struct pmumap_hart *h, uint32_t counter)
{
	return (h->features & (counter < 3 ? PMUMAP_SMCNTRPMF : PMUMAP_SSCOFPMF)) != 0;
}

static inline uint64_t pmumap_hart_read_value_(const struct pmumap_hart *h, uint32_t counter)
{
	return pmumap_csr_read_counter_(h->read, h->arg, h->xlen,
					PMUMAP_CSR_MHPMCOUNTER_ + counter);
}

/* Whether the counter has an event register, even if only for modes. */
static inline int pmumap_hart_has_event_(const struct pmumap_hart *h, uint32_t counter)
{
	return counter > 2 || pmumap_hart_has_filter_(h, counter);
}

/* The overflow bit of programmable counters; 0 without Sscofpmf. */
static inline uint64_t pmumap_hart_overflow_bit_(const struct pmumap_hart *h)
{
	return (uint64_t)(h->features & PMUMAP_CAN_INTERRUPT) << PMUMAP_OVERFLOW_BIT_;
}

static inline uint64_t pmumap_hart_read_event_(const struct pmumap_hart *h, uint32_t counter)
{
	uint32_t n = counter ? counter : 1;
	uint64_t high = 0;

	if (h->xlen == 32 && pmumap_hart_has_high_bits_(h, counter))
		high = h->read(h->arg, PMUMAP_CSR_MHPMEVENTH_ + n) << 32;
	return high | h->read(h->arg, PMUMAP_CSR_MHPMEVENT_ + n);
}

/* Write the lower half last: the counter may start with that write. */
static inline void pmumap_hart_write_event_(const struct pmumap_hart *h, uint32_t counter,
					    uint64_t value)
{
	uint32_t n = counter ? counter : 1;

	if (h->xlen == 32) {
		if (pmumap_hart_has_high_bits_(h, counter))
			h->write(h->arg, PMUMAP_CSR_MHPMEVENTH_ + n, value >> 32);
		value &= 0xffffffffu;
	}
	h->write(h->arg, PMUMAP_CSR_MHPMEVENT_ + n, value);
}

/* Write 0 first, so that a running counter cannot carry between the two halves. */
static inline void pmumap_hart_write_value_(const struct pmumap_hart *h, uint32_t counter,
					    uint64_t value)
{
	uint32_t csr = PMUMAP_CSR_MHPMCOUNTER_ + counter;

	if (h->xlen == 32) {
		h->write(h->arg, csr, 0);
		h->write(h->arg, csr + PMUMAP_CSR_COUNTER_HIGH_, value >> 32);
		value &= 0xffffffffu;
	}
	h->write(h->arg, csr, value);
}

static inline uint32_t pmumap_hart_read_inhibit_(const struct pmumap_hart *h)
{
	return (uint32_t)h->read(h->arg, PMUMAP_CSR_MCOUNTINHIBIT_);
}

static inline void pmumap_hart_write_inhibit_(const struct pmumap_hart *h, uint32_t counters)
{
	h->write(h->arg, PMUMAP_CSR_MCOUNTINHIBIT_, counters);
}

/* The bits of an event register that its selector decides. Others below bit 63 are its modes. */
static inline uint64_t pmumap_hart_own_bits_(const struct pmumap_hart *h, uint32_t counter)
{
	if (counter < 3 || pmumap_hart_has_filter_(h, counter))
		return counter < 3 ? 0 : ~(uint64_t)0 >> (64 - PMUMAP_INHIBIT_BIT_);
	return ~pmumap_hart_overflow_bit_(h);
}

/* The value of mhpmevent for a job. */
static inline uint64_t pmumap_hart_event_of_job_(const struct pmumap_job *job, uint64_t own,
						 uint64_t modes)
{
	return (job->selector & own) | ((uint64_t)job->inhibit << PMUMAP_INHIBIT_BIT_ & modes);
}

PMUMAP_BY_CALLS_ int pmumap_hart_call_set_(struct pmumap_hart *h, uint32_t counter,
					   const struct pmumap_job *job)
{
	uint64_t event = 0, own = pmumap_hart_own_bits_(h, counter), modes = ~own << 1 >> 1;

	if (!pmumap_hart_has_counter_(h, counter) ||
	    (counter < 3 && job->event != (counter == 0 ? 1u : 2u)))
		return 0;
	if (pmumap_hart_has_event_(h, counter))
		event = pmumap_hart_event_of_job_(job, own, modes);
	if (h->xlen == 32 && event >> 32 && !pmumap_hart_has_high_bits_(h, counter))
		return 0;
	pmumap_hart_stop(h, counter, 0);
#ifdef PMUMAP_NATIVE_
	/* A counter that can be stopped gets a place. Remember what its features mean. */
	if (h->direct && (h->features & PMUMAP_MCOUNTINHIBIT)) {
		int place = h->below ? PMUMAP_IN_S_ : PMUMAP_IN_M_;

		place |= pmumap_hart_has_event_(h, counter) ? 0 : PMUMAP_NO_EVENT_;
		place |= h->xlen == 64 || pmumap_hart_has_high_bits_(h, counter) ? 0
										 : PMUMAP_NO_HIGH_;
		h->place[(int)counter] = (signed char)place;
		if (counter > 2) {
			h->whole |= (uint32_t)1 << counter;
			h->own = own;
			h->modes = modes;
		}
	}
#endif
	h->selector[counter] = event;
	if (counter < 3 ? pmumap_hart_has_filter_(h, counter)
			: (h->features & PMUMAP_MCOUNTINHIBIT) != 0)
		pmumap_hart_write_event_(h, counter, event);
	if (job->clear)
		pmumap_hart_write_value_(h, counter, 0);
	return 1;
}

/* The direct path is for programmable counters that were set before. */
PMUMAP_DEF int pmumap_hart_set(struct pmumap_hart *h, uint32_t counter,
			       const struct pmumap_job *job)
{
#ifdef PMUMAP_NATIVE_
	int place = counter - 3 < 29 ? h->place[(int)counter] : 0;

	if (PMUMAP_LIKELY_(place)) {
		uint64_t event = pmumap_hart_event_of_job_(job, h->own, h->modes);

		if ((place & PMUMAP_NO_HIGH_) && event >> 32)
			return 0;
		PMUMAP_STRAIGHT_INHIBIT_(PMUMAP_CSR_SET_, place, 1ul << counter);
		h->selector[(int)counter] = event;
		pmumap_straight_set_(place, (unsigned long)(int)counter, event, 0, job->clear);
		return 1;
	}
#endif
	return pmumap_hart_call_set_(h, counter, job);
}

/*
 * Write a programmable counter's event again, because a suspend may have lost it. Leave it alone if
 * it is right already. A running counter keeps its overflow.
 */
static inline void pmumap_hart_renew_event_(struct pmumap_hart *h, uint32_t counter)
{
	uint64_t event = pmumap_hart_read_event_(h, counter);
	uint64_t overflowed = event & pmumap_hart_overflow_bit_(h);

	event -= overflowed;
	if (event == 0 ||
	    ((h->features & PMUMAP_MCOUNTINHIBIT) && (pmumap_hart_read_inhibit_(h) >> counter & 1)))
		overflowed = 0;
	else if (event == h->selector[counter])
		return;
	pmumap_hart_write_event_(h, counter, h->selector[counter] | overflowed);
}

PMUMAP_BY_CALLS_ void pmumap_hart_call_start_(struct pmumap_hart *h, uint32_t counter,
					      const uint64_t *value)
{
	if (!pmumap_hart_has_counter_(h, counter))
		return;
	if (value)
		pmumap_hart_write_value_(h, counter, *value);
	if (counter > 2)
		pmumap_hart_renew_event_(h, counter);
	else if (pmumap_hart_has_filter_(h, counter))
		pmumap_hart_write_event_(h, counter, h->selector[counter]);
	if (h->features & PMUMAP_MCOUNTINHIBIT)
		pmumap_hart_write_inhibit_(h, pmumap_hart_read_inhibit_(h) & ~(1u << counter));
}

PMUMAP_DEF void pmumap_hart_start(struct pmumap_hart *h, uint32_t counter, const uint64_t *value)
{
#ifdef PMUMAP_NATIVE_
	int place = counter < 32 ? h->place[(int)counter] : 0;

	if (PMUMAP_LIKELY_(place)) {
		if (pmumap_straight_write_(place, (unsigned long)(int)counter, value) ==
		    h->selector[(int)counter]) {
			PMUMAP_STRAIGHT_INHIBIT_(PMUMAP_CSR_CLEAR_, place, 1ul << counter);
			return;
		}
		value = 0; /* a suspend has lost the event, or the counter has overflowed */
	}
#endif
	pmumap_hart_call_start_(h, counter, value);
}

PMUMAP_DEF void pmumap_hart_stop(struct pmumap_hart *h, uint32_t counter, int release)
{
#ifdef PMUMAP_NATIVE_
	if (counter < 32 && h->place[(int)counter] && !release) {
		PMUMAP_STRAIGHT_INHIBIT_(PMUMAP_CSR_SET_, h->place[(int)counter], 1ul << counter);
		return;
	}
#endif
	if (!pmumap_hart_has_counter_(h, counter))
		return;
	if (h->features & PMUMAP_MCOUNTINHIBIT)
		pmumap_hart_write_inhibit_(h, pmumap_hart_read_inhibit_(h) | 1u << counter);
	if (release && pmumap_hart_has_event_(h, counter))
		pmumap_hart_write_event_(h, counter, 0);
	else if (counter > 2 && !(h->features & PMUMAP_MCOUNTINHIBIT))
		pmumap_hart_write_event_(h, counter,
					 (uint64_t)pmumap_hart_overflowed(h, counter)
						 << PMUMAP_OVERFLOW_BIT_);
	if (release)
		h->selector[counter] = 0;
}

PMUMAP_DEF uint64_t pmumap_hart_read(struct pmumap_hart *h, uint32_t counter)
{
#ifdef PMUMAP_NATIVE_
	int place = counter < 32 ? h->place[(int)counter] : 0;

	if (PMUMAP_LIKELY_(place))
		return pmumap_straight_read_(place, (unsigned long)(int)counter);
#endif
	return pmumap_hart_has_counter_(h, counter) ? pmumap_hart_read_value_(h, counter) : 0;
}

PMUMAP_DEF int pmumap_hart_overflowed(struct pmumap_hart *h, uint32_t counter)
{
	return pmumap_hart_has_counter_(h, counter) && counter > 2 &&
	       (pmumap_hart_read_event_(h, counter) & pmumap_hart_overflow_bit_(h)) != 0;
}

PMUMAP_DEF void pmumap_hart_permit(struct pmumap_hart *h, uint32_t counters)
{
	uint32_t time = (uint32_t)h->read(h->arg, PMUMAP_CSR_MCOUNTEREN_) & 2;

	h->write(h->arg, PMUMAP_CSR_MCOUNTEREN_, (counters & h->counters & ~2u) | time);
}

PMUMAP_PMU_FUNCTIONS_(hart)

PMUMAP_DEF void pmumap_hart_as_pmu(struct pmumap_hart *h, struct pmumap_pmu *pmu)
{
	pmu->set = pmumap_hart_pmu_set_;
	pmu->start = pmumap_hart_pmu_start_;
	pmu->stop = pmumap_hart_pmu_stop_;
	pmu->read = pmumap_hart_pmu_read_;
	pmu->overflowed = pmumap_hart_pmu_overflowed_;
	pmu->arg = h;
}

/* ---- hw/hart_sets.h: Save and restore sets of counters through CSRs */
/* The slow path of release: stop counters one by one and save running values. */
PMUMAP_OUTLINE_ uint32_t pmumap_hart_take_each_(struct pmumap_hart *h, uint32_t touched,
						uint32_t loaded, uint32_t running, uint64_t *value,
						uint32_t *overflowed)
{
	h->secret |= touched;
	for (; loaded; loaded &= loaded - 1)
		pmumap_hart_stop(h, pmumap_lowest_bit_(loaded), 0);
	for (; running; running &= running - 1) {
		uint32_t n = pmumap_lowest_bit_(running);

		value[n] = pmumap_hart_read(h, n);
		*overflowed |= (uint32_t)pmumap_hart_overflowed(h, n) << n;
	}
	return 0;
}

/* The slow path: wipe secrets, then load and start counters one by one. Returns those refused. */
PMUMAP_OUTLINE_ uint32_t pmumap_hart_load_each_(struct pmumap_hart *h, uint32_t counters,
						const struct pmumap_job *job, const uint64_t *value)
{
	uint32_t n, refused = 0;

	for (; h->secret; h->secret &= h->secret - 1) {
		n = pmumap_lowest_bit_(h->secret);
		pmumap_hart_stop(h, n, 1);
		pmumap_hart_write_value_(h, n, 0);
	}
	for (; counters; counters &= counters - 1) {
		n = pmumap_lowest_bit_(counters);
		if (pmumap_hart_set(h, n, &job[n]))
			pmumap_hart_start(h, n, &value[n]);
		else
			refused |= counters & (0 - counters);
	}
	return refused;
}

#ifdef PMUMAP_NATIVE_
/* The fast path for counters with a place: stop them all at once, then save the running values. */
static inline uint32_t pmumap_hart_take_whole_(struct pmumap_hart *h, int place,
					       unsigned long loaded, unsigned long running,
					       uint64_t *value, uint32_t *overflowed)
{
	unsigned long n = 3, events = 0, shown = 0, left;

	PMUMAP_STRAIGHT_INHIBIT_(PMUMAP_CSR_SET_, place, loaded);
	for (left = running >> n; left; left >>= 1, n++) {
		unsigned long event = 0, count = 0;

		if (!(left & 1))
			continue;
		if (__riscv_xlen == 64 && place > 0) {
			PMUMAP_CSR_GET_BOTH_(count, event, n);
			value[n] = count;
		} else {
			value[n] = pmumap_straight_read_(place, n);
			if (place > 0 && (h->features & PMUMAP_CAN_INTERRUPT))
				PMUMAP_CSR_GET_NTH_(event, PMUMAP_CSR_MHPMEVENTH_, n);
		}
		events |= event;
	}
	if (place < 0 && (h->features & PMUMAP_CAN_INTERRUPT)) {
		PMUMAP_CSR_GET_(shown, PMUMAP_CSR_SCOUNTOVF_);
		*overflowed |= (uint32_t)(shown & running);
	}
	if (events >> (__riscv_xlen - 1)) /* rare: find out which overflowed */
		(void)pmumap_hart_take_each_(h, 0, 0, (uint32_t)running, value, overflowed);
	return 0;
}

/* The fast path: load stopped counters with a place, then start all at once. */
static inline uint32_t pmumap_hart_load_whole_(struct pmumap_hart *h, int place, uint32_t counters,
					       const struct pmumap_job *job, const uint64_t *value)
{
	unsigned long n = 3, left;
	uint64_t own = h->own, modes = h->modes;

	place |= __riscv_xlen == 64 || pmumap_hart_has_high_bits_(h, 3) ? 0 : PMUMAP_NO_HIGH_;
	for (left = counters >> n; left; left >>= 1, n++) {
		uint64_t event = pmumap_hart_event_of_job_(&job[n], own, modes);

		if (!(left & 1))
			continue;
		if ((place & PMUMAP_NO_HIGH_) && event >> 32)
			return pmumap_hart_load_each_(h, counters, job, value);
		h->selector[n] = event;
		pmumap_straight_set_(place, n, event, value[n], 1);
	}
	PMUMAP_STRAIGHT_INHIBIT_(PMUMAP_CSR_CLEAR_, place, (unsigned long)counters);
	h->secret = 0;
	return 0;
}
#endif

/*
 * The functions of struct pmumap_pmu_sets. A virtual CPU's values are wiped only when the next one
 * arrives, because most are overwritten anyway. The fast path is for the CSRs of this very hart.
 * Only counters with a place tell that, so an empty set takes the slow path.
 */
static inline uint32_t pmumap_hart_sets_release_(void *arg, uint32_t touched, uint32_t loaded,
						 uint32_t running, uint64_t *value,
						 uint32_t *overflowed)
{
	struct pmumap_hart *h = (struct pmumap_hart *)arg;

#ifdef PMUMAP_NATIVE_
	if (loaded && !(loaded & ~h->whole)) {
		h->secret |= touched;
		return h->below ? pmumap_hart_take_whole_(h, PMUMAP_IN_S_, loaded, running, value,
							  overflowed)
				: pmumap_hart_take_whole_(h, PMUMAP_IN_M_, loaded, running, value,
							  overflowed);
	}
#endif
	return pmumap_hart_take_each_(h, touched, loaded, running, value, overflowed);
}

static inline uint32_t pmumap_hart_sets_load_(void *arg, uint32_t counters,
					      const struct pmumap_job *job, const uint64_t *value)
{
	struct pmumap_hart *h = (struct pmumap_hart *)arg;

#ifdef PMUMAP_NATIVE_
	if (counters && !((h->secret & ~counters) | (counters & ~h->whole)))
		return h->below ? pmumap_hart_load_whole_(h, PMUMAP_IN_S_, counters, job, value)
				: pmumap_hart_load_whole_(h, PMUMAP_IN_M_, counters, job, value);
#endif
	return pmumap_hart_load_each_(h, counters, job, value);
}

/* Setting a counter overwrites its secret value. */
static inline int pmumap_hart_sets_set_(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	struct pmumap_hart *h = (struct pmumap_hart *)arg;
	int done = pmumap_hart_set(h, counter, job);

	if (done)
		h->secret &= ~((uint32_t)1 << counter);
	return done;
}

PMUMAP_DEF void pmumap_hart_sets(struct pmumap_hart *h, struct pmumap_pmu_sets *sets)
{
	pmumap_hart_as_pmu(h, &sets->one);
	sets->one.set = pmumap_hart_sets_set_;
	sets->release = pmumap_hart_sets_release_;
	sets->load = pmumap_hart_sets_load_;
}

/* ---- hw/probe.h: Find a hart's counters and features */
/*
 * Whether scountovf reports a stopped counter's overflow. Only that proves Sscofpmf: the OF bit
 * alone may be writable without it. The event is 0 afterwards.
 */
static inline int pmumap_hart_shows_overflow_(struct pmumap_hart *h, uint32_t counter)
{
	uint64_t permitted = h->read(h->arg, PMUMAP_CSR_MCOUNTEREN_), shown;

	h->write(h->arg, PMUMAP_CSR_MCOUNTEREN_, 0xffffffffu);
	pmumap_hart_write_event_(h, counter, (uint64_t)1 << PMUMAP_OVERFLOW_BIT_);
	shown = h->read(h->arg, PMUMAP_CSR_SCOUNTOVF_);
	pmumap_hart_write_event_(h, counter, 0);
	h->write(h->arg, PMUMAP_CSR_MCOUNTEREN_, permitted);
	return (int)((uint32_t)shown >> counter & 1);
}

/*
 * Whether mcyclecfg or minstretcfg exists and keeps a mode bit. S-mode can set all but the highest.
 * Its value is restored.
 */
static inline int pmumap_hart_keeps_modes_(struct pmumap_hart *h, uint32_t counter)
{
	uint64_t bits = (uint64_t)31 << PMUMAP_INHIBIT_BIT_, event, before;

	before = pmumap_hart_read_event_(h, counter);
	pmumap_hart_write_event_(h, counter, before | bits);
	event = pmumap_hart_read_event_(h, counter);
	pmumap_hart_write_event_(h, counter, before);
	return (event & bits) != 0;
}

/* The width of a counter; 0 if it does not exist. It is 0 afterwards. */
static inline uint32_t pmumap_hart_measure_width_(struct pmumap_hart *h, uint32_t counter)
{
	uint64_t ones;

	pmumap_hart_write_event_(h, counter, 0);
	pmumap_hart_write_value_(h, counter, ~(uint64_t)0);
	ones = pmumap_hart_read_value_(h, counter);
	pmumap_hart_write_value_(h, counter, 0);
	return pmumap_bit_width_(ones);
}

/*
 * Whether mcycle or minstret keeps a written bit. In S-mode only a delegated counter does, but QEMU
 * always has scountinhibit. The counter loses the cycles of this test.
 */
static inline int pmumap_hart_keeps_value_(struct pmumap_hart *h, uint32_t counter)
{
	uint64_t before = pmumap_hart_read_value_(h, counter), after;

	pmumap_hart_write_value_(h, counter, before ^ (uint64_t)1 << 63);
	after = pmumap_hart_read_value_(h, counter);
	pmumap_hart_write_value_(h, counter, before);
	return (int)((before ^ after) >> 63);
}

/*
 * Test for a feature with the first counter that would show it. The test needs registers that exist
 * only with the feature, so assume it meanwhile.
 */
static inline void pmumap_hart_try_feature_(struct pmumap_hart *h, uint32_t feature,
					    uint32_t counter)
{
	uint32_t known = h->features;

	if (known & PMUMAP_TOLD)
		return;
	h->features |= feature;
	if (!(feature == PMUMAP_SMCNTRPMF ? pmumap_hart_keeps_modes_(h, counter)
					  : pmumap_hart_shows_overflow_(h, counter)))
		h->features = known;
}

/*
 * Stop all programmable counters. Returns the counters that may exist: where mcountinhibit tells
 * (in S-mode, or with TOLD) its bits, otherwise all.
 */
static inline uint32_t pmumap_hart_halt_(struct pmumap_hart *h)
{
	uint32_t running, there, told = h->features & PMUMAP_TOLD;

	if (told && !(h->features & PMUMAP_MCOUNTINHIBIT))
		return ~(uint32_t)0;
	running = pmumap_hart_read_inhibit_(h) & PMUMAP_FIXED_COUNTERS_;
	h->features &= ~PMUMAP_MCOUNTINHIBIT;
	h->write(h->arg, PMUMAP_CSR_MCOUNTINHIBIT_, 0xffffffffu);
	there = pmumap_hart_read_inhibit_(h);
	if (there) {
		h->features |= PMUMAP_MCOUNTINHIBIT;
		h->write(h->arg, PMUMAP_CSR_MCOUNTINHIBIT_,
			 (uint32_t)~PMUMAP_FIXED_COUNTERS_ | running);
	}
	return h->below || told ? there : ~(uint32_t)0;
}

PMUMAP_DEF uint32_t pmumap_hart_probe(struct pmumap_hart *h)
{
	uint32_t counter, there = pmumap_hart_halt_(h), bits;

	h->width = 64;
	h->counters = h->whole = 0;
	for (counter = 0; counter < 32; counter++) {
		h->place[(int)counter] = 0;
		if (counter == 1 || !(there >> counter & 1))
			continue;
		bits = counter > 2 ? pmumap_hart_measure_width_(h, counter)
		       : h->below && !pmumap_hart_keeps_value_(h, counter) ? 0
									   : 64;
		if (bits == 0)
			continue;
		/* The first counter of each kind decides for all. */
		if (!(h->counters &
		      (counter < 3 ? PMUMAP_FIXED_COUNTERS_ : ~PMUMAP_FIXED_COUNTERS_)))
			pmumap_hart_try_feature_(
				h, counter < 3 ? PMUMAP_SMCNTRPMF : PMUMAP_SSCOFPMF, counter);
		h->counters |= (uint32_t)1 << counter;
		h->width = bits < h->width ? bits : h->width;
	}
	return h->counters;
}

/* ---- hw/delegate.h: Delegate counters to S-mode */
/* Bits of the upper halves of menvcfg and mstateen0, and the interrupt's bit in mideleg. */
#define PMUMAP_ENVCFG_CDE_ 0x10000000u     /* counters are delegated */
#define PMUMAP_STATEEN_CSRIND_ 0x10000000u /* siselect and sireg may be used */
#define PMUMAP_STATEEN_SE_ 0x80000000u     /* implemented if and only if mstateen0 is */
#define PMUMAP_OVERFLOW_INTERRUPT_ 13

/* Set a bit in the upper half of a 64-bit CSR. Returns 0 if the CSR does not keep it. */
static inline int pmumap_hart_enable_(struct pmumap_hart *h, uint32_t csr, uint32_t bit)
{
	uint64_t mask = h->xlen == 32 ? bit : (uint64_t)bit << 32;

	csr += h->xlen == 32 ? PMUMAP_CSR_UPPER_ : 0;
	h->write(h->arg, csr, h->read(h->arg, csr) | mask);
	return (h->read(h->arg, csr) & mask) != 0;
}

/* Let S-mode use siselect. Without Smstateen mstateen0 reads 0, and S-mode may use it anyway. */
static inline int pmumap_hart_opens_select_(struct pmumap_hart *h)
{
	return pmumap_hart_enable_(h, PMUMAP_CSR_MSTATEEN0_, PMUMAP_STATEEN_CSRIND_) ||
	       !pmumap_hart_enable_(h, PMUMAP_CSR_MSTATEEN0_, PMUMAP_STATEEN_SE_);
}

PMUMAP_DEF uint32_t pmumap_hart_delegate(struct pmumap_hart *h, uint32_t counters)
{
	pmumap_hart_permit(h, 0);
	if (!pmumap_hart_enable_(h, PMUMAP_CSR_MENVCFG_, PMUMAP_ENVCFG_CDE_) ||
	    !pmumap_hart_opens_select_(h))
		return 0;
	pmumap_hart_permit(h, counters);
	if (h->features & PMUMAP_CAN_INTERRUPT)
		h->write(h->arg, PMUMAP_CSR_MIDELEG_,
			 h->read(h->arg, PMUMAP_CSR_MIDELEG_) | 1u << PMUMAP_OVERFLOW_INTERRUPT_);
	return (uint32_t)h->read(h->arg, PMUMAP_CSR_MCOUNTEREN_) & ~2u;
}

/* ---- hw/sbi.h: Counters by SBI firmware */
/* A call with three arguments of one register each. */
static inline struct pmumap_sbi_ret pmumap_sbi_call_function_(struct pmumap_sbi *s,
							      uint32_t function, uint64_t a0,
							      uint64_t a1, uint64_t a2)
{
	const uint64_t a[6] = { a0, a1, a2, 0, 0, 0 };

	return s->call(s->arg, function, a);
}

/* A 64-bit argument takes one register, or two on RV32. */
static inline uint64_t pmumap_sbi_low_(const struct pmumap_sbi *s, uint64_t value)
{
	return s->xlen == 32 ? value & 0xffffffffu : value;
}

static inline uint64_t pmumap_sbi_high_(const struct pmumap_sbi *s, uint64_t value)
{
	return s->xlen == 32 ? value >> 32 : 0;
}

PMUMAP_DEF uint32_t pmumap_sbi_probe(struct pmumap_sbi *s)
{
	struct pmumap_sbi_ret r = pmumap_sbi_call_function_(s, PMUMAP_SBI_NUM_COUNTERS, 0, 0, 0);
	uint32_t i;

	s->counters = 0;
	s->snapshot = 0;
	s->secret = 0;
	s->used = 0;
	for (i = 0; i < 32; i++) {
		s->event[i] = 0;
		PMUMAP_NO_LIBCALL_();
	}
	s->width = 64;
	s->total = r.error ? 0 : r.value < 0xffff ? (uint32_t)r.value : 0xffff;
	for (i = 0; i < s->total; i++) {
		uint32_t counter, width;

		r = pmumap_sbi_call_function_(s, PMUMAP_SBI_GET_INFO, i, 0, 0);
		if (r.error || ((s->xlen == 32 ? r.value >> 31 : r.value >> 63) & 1))
			continue;
		counter = ((uint32_t)r.value & 0xfff) - PMUMAP_CSR_HPMCOUNTER_;
		width = ((uint32_t)r.value >> 12 & 63) + 1;
		if (counter >= 32 || counter == 1)
			continue;
		s->counters |= 1u << counter;
		s->index[counter] = (uint16_t)i;
		if (width < s->width)
			s->width = width;
	}
	s->readable = s->counters;
	return s->counters;
}

static inline int pmumap_sbi_has_counter_(const struct pmumap_sbi *s, uint32_t counter)
{
	return counter < 32 && (s->counters >> counter & 1);
}

PMUMAP_DEF struct pmumap_sbi_ret pmumap_sbi_match(struct pmumap_sbi *s, uint64_t base,
						  uint64_t mask, uint64_t flags, uint32_t event,
						  uint64_t data)
{
	const uint64_t a[6] = {
		base, mask, flags, event, pmumap_sbi_low_(s, data), pmumap_sbi_high_(s, data)
	};

	return s->call(s->arg, PMUMAP_SBI_CONFIG_MATCHING, a);
}

PMUMAP_DEF struct pmumap_sbi_ret pmumap_sbi_start_set(struct pmumap_sbi *s, uint64_t base,
						      uint64_t mask, uint64_t flags, uint64_t value)
{
	const uint64_t a[6] = {
		base, mask, flags, pmumap_sbi_low_(s, value), pmumap_sbi_high_(s, value), 0
	};

	return s->call(s->arg, PMUMAP_SBI_START, a);
}

PMUMAP_DEF struct pmumap_sbi_ret pmumap_sbi_stop_set(struct pmumap_sbi *s, uint64_t base,
						     uint64_t mask, uint64_t flags)
{
	return pmumap_sbi_call_function_(s, PMUMAP_SBI_STOP, base, mask, flags);
}

/* On RV32, rereading the upper half shows whether the lower half wrapped. */
PMUMAP_DEF struct pmumap_sbi_ret pmumap_sbi_fw_read(struct pmumap_sbi *s, uint64_t index)
{
	struct pmumap_sbi_ret high, low, again;

	low = pmumap_sbi_call_function_(s, PMUMAP_SBI_FW_READ, index, 0, 0);
	if (s->xlen != 32 || low.error)
		return low;
	high = pmumap_sbi_call_function_(s, PMUMAP_SBI_FW_READ_HI, index, 0, 0);
	low = pmumap_sbi_call_function_(s, PMUMAP_SBI_FW_READ, index, 0, 0);
	again = pmumap_sbi_call_function_(s, PMUMAP_SBI_FW_READ_HI, index, 0, 0);
	if (again.value != high.value)
		low = pmumap_sbi_call_function_(s, PMUMAP_SBI_FW_READ, index, 0, 0);
	low.value |= again.value << 32;
	return low;
}

/*
 * Start a counter at a value. The firmware writes none into a running counter: stop that first.
 * Returns 0 if the firmware refuses.
 */
static inline int pmumap_sbi_try_start_(struct pmumap_sbi *s, uint32_t counter, uint64_t value)
{
	const uint64_t flags = PMUMAP_SBI_SET_INIT_VALUE, index = s->index[counter];
	int32_t error = pmumap_sbi_start_set(s, index, 1, flags, value).error;

	if (error == PMUMAP_SBI_ALREADY_STARTED) {
		(void)pmumap_sbi_stop_set(s, index, 1, 0);
		error = pmumap_sbi_start_set(s, index, 1, flags, value).error;
	}
	return error == 0;
}

/* Stop counters. Returns 0 if the firmware refuses. */
static inline int pmumap_sbi_try_stop_(struct pmumap_sbi *s, uint64_t base, uint64_t mask,
				       uint64_t flags)
{
	int32_t error = pmumap_sbi_stop_set(s, base, mask, flags).error;

	return error == 0 || error == PMUMAP_SBI_ALREADY_STOPPED;
}

/*
 * The firmware configured another counter than the one asked for. Release it, or give it back its
 * own job, because its modes may have changed. A number that is none of ours is not touched.
 */
static inline void pmumap_sbi_give_back_(struct pmumap_sbi *s, uint64_t index)
{
	uint32_t left;

	for (left = s->counters; left; left &= left - 1) {
		uint32_t n = pmumap_lowest_bit_(left);

		if (s->index[n] != index)
			continue;
		if (s->used >> n & 1)
			(void)pmumap_sbi_match(s, index, 1, s->flags[n], s->event[n], s->data[n]);
		else
			pmumap_sbi_stop(s, n, 1);
	}
}

/* CONFIG_MATCHING for one counter. Returns 0 unless the firmware configured just that one. */
static inline int pmumap_sbi_try_match_(struct pmumap_sbi *s, uint32_t counter, uint64_t flags,
					uint32_t event, uint64_t data)
{
	struct pmumap_sbi_ret r = pmumap_sbi_match(s, s->index[counter], 1, flags, event, data);

	if (r.error)
		return 0;
	if (r.value == s->index[counter])
		return 1;
	pmumap_sbi_give_back_(s, r.value);
	return 0;
}

/*
 * Configure a released counter, and remember its event for wiping. If the firmware refuses, the
 * counter's old value is secret from now on. Never pass CLEAR_VALUE: OpenSBI before 1.9 ignores it
 * for cache and raw events, and the firmware would clear a counter that it chose itself.
 */
static inline int pmumap_sbi_configure_(struct pmumap_sbi *s, uint32_t counter,
					const struct pmumap_job *job)
{
	uint32_t flags = (job->inhibit & 31) << PMUMAP_SBI_INHIBIT_SHIFT;
	uint32_t bit = (uint32_t)1 << counter;

	if (!pmumap_sbi_try_match_(s, counter, flags, job->event, job->data)) {
		if (s->event[counter])
			s->secret |= bit;
		return 0;
	}
	s->used |= bit;
	s->flags[counter] = (unsigned char)flags;
	s->event[counter] = job->event;
	s->data[counter] = job->data;
	return 1;
}

PMUMAP_DEF int pmumap_sbi_set(struct pmumap_sbi *s, uint32_t counter, const struct pmumap_job *job)
{
	uint32_t bit = (uint32_t)1 << (counter & 31);

	if (!pmumap_sbi_has_counter_(s, counter))
		return 0;
	pmumap_sbi_stop(s, counter, 1);
	if (!pmumap_sbi_configure_(s, counter, job))
		return 0;
	if (!job->clear)
		return 1;
	/* It may count until it stops: the next start writes 0 again. */
	s->readable &= ~bit;
	if (pmumap_sbi_try_start_(s, counter, 0) &&
	    pmumap_sbi_try_stop_(s, s->index[counter], 1, 0)) {
		s->secret &= ~bit;
		return 1;
	}
	pmumap_sbi_stop(s, counter, 1);
	s->secret |= bit; /* it counts on if that was refused too */
	return 0;
}

PMUMAP_DEF void pmumap_sbi_start(struct pmumap_sbi *s, uint32_t counter, const uint64_t *value)
{
	uint32_t bit = (uint32_t)1 << (counter & 31);

	if (!pmumap_sbi_has_counter_(s, counter))
		return;
	if (!value && (s->readable & bit)) {
		(void)pmumap_sbi_start_set(s, s->index[counter], 1, 0, 0);
		return;
	}
	s->readable &= ~bit;
	if (pmumap_sbi_try_start_(s, counter, value ? *value : 0)) {
		s->readable |= bit;
		s->secret &= ~bit;
	}
}

PMUMAP_DEF void pmumap_sbi_stop(struct pmumap_sbi *s, uint32_t counter, int release)
{
	if (!pmumap_sbi_has_counter_(s, counter))
		return;
	if (release)
		s->used &= ~((uint32_t)1 << counter);
	(void)pmumap_sbi_stop_set(s, s->index[counter], 1, release ? PMUMAP_SBI_RESET : 0);
}

PMUMAP_DEF uint64_t pmumap_sbi_read(struct pmumap_sbi *s, uint32_t counter)
{
	if (counter > 31 || !(s->readable >> counter & 1))
		return 0;
	return pmumap_csr_read_counter_(s->read, s->arg, s->xlen, PMUMAP_CSR_HPMCOUNTER_ + counter);
}

/* scountovf, or 0 without it. */
static inline uint32_t pmumap_sbi_read_overflows_(struct pmumap_sbi *s)
{
	if (!(s->features & PMUMAP_CAN_INTERRUPT))
		return 0;
	return (uint32_t)s->read(s->arg, PMUMAP_CSR_SCOUNTOVF_);
}

PMUMAP_DEF int pmumap_sbi_overflowed(struct pmumap_sbi *s, uint32_t counter)
{
	return pmumap_sbi_has_counter_(s, counter) &&
	       (pmumap_sbi_read_overflows_(s) >> counter & 1);
}

PMUMAP_PMU_FUNCTIONS_(sbi)

PMUMAP_DEF void pmumap_sbi_as_pmu(struct pmumap_sbi *s, struct pmumap_pmu *pmu)
{
	pmu->set = pmumap_sbi_pmu_set_;
	pmu->start = pmumap_sbi_pmu_start_;
	pmu->stop = pmumap_sbi_pmu_stop_;
	pmu->read = pmumap_sbi_pmu_read_;
	pmu->overflowed = pmumap_sbi_pmu_overflowed_;
	pmu->arg = s;
}

/* ---- hw/sbi_sets.h: Save and restore sets of counters in few SBI calls */
#define PMUMAP_SBI_SET_BITS_ 32u /* of a mask: RV32 has no more, and wider shifts need libgcc */

/*
 * Choose the counters that one call can reach, from the lowest SBI number on, and that call's base
 * and mask. counters is not 0.
 */
static inline uint32_t pmumap_sbi_find_group_(const struct pmumap_sbi *s, uint32_t counters,
					      uint64_t *base, uint64_t *mask)
{
	uint32_t left, first = 0xffff, bits = 0, group = 0;

	for (left = counters; left; left &= left - 1) {
		uint32_t index = s->index[pmumap_lowest_bit_(left)];

		first = index < first ? index : first;
	}
	for (left = counters; left; left &= left - 1) {
		uint32_t place = s->index[pmumap_lowest_bit_(left)] - first;

		if (place >= PMUMAP_SBI_SET_BITS_)
			continue;
		bits |= (uint32_t)1 << place;
		group |= left & (0 - left);
	}
	*base = first;
	*mask = bits;
	return group;
}

/*
 * Stop and release counters. Retry a refused set one by one, so that one counter does not block the
 * others. Returns those refused.
 */
static inline uint32_t pmumap_sbi_release_counters_(struct pmumap_sbi *s, uint32_t counters)
{
	uint32_t group, left, refused = 0;
	uint64_t base, mask;

	s->used &= ~counters;
	for (; counters; counters &= ~group) {
		group = pmumap_sbi_find_group_(s, counters, &base, &mask);
		if (pmumap_sbi_try_stop_(s, base, mask, PMUMAP_SBI_RESET))
			continue;
		for (left = group; left; left &= left - 1) {
			if (!pmumap_sbi_try_stop_(s, s->index[pmumap_lowest_bit_(left)], 1,
						  PMUMAP_SBI_RESET))
				refused |= left & (0 - left);
		}
	}
	return refused;
}

/*
 * Configure a counter that should be free. If a STOP failed, or somebody left the counter
 * configured, release it first and retry.
 */
static inline int pmumap_sbi_take_counter_(struct pmumap_sbi *s, uint32_t counter,
					   const struct pmumap_job *job)
{
	if (pmumap_sbi_configure_(s, counter, job))
		return 1;
	pmumap_sbi_stop(s, counter, 1);
	return pmumap_sbi_configure_(s, counter, job);
}

/*
 * Wipe secret values of free counters: configure each with its event in no mode, and let a START
 * write 0. Values that the firmware refuses to wipe stay secret until next time.
 */
static inline void pmumap_sbi_wipe_counters_(struct pmumap_sbi *s)
{
	uint32_t left, group, wiped = 0;
	uint64_t base, mask;
	struct pmumap_job job;

	job.inhibit = 31;
	for (left = s->secret & ~s->used; left; left &= left - 1) {
		uint32_t counter = pmumap_lowest_bit_(left);

		job.event = s->event[counter];
		job.data = s->data[counter];
		if (pmumap_sbi_take_counter_(s, counter, &job))
			wiped |= left & (0 - left);
	}
	for (left = wiped; left; left &= ~group) {
		group = pmumap_sbi_find_group_(s, left, &base, &mask);
		if (!pmumap_sbi_start_set(s, base, mask, PMUMAP_SBI_SET_INIT_VALUE, 0).error)
			s->secret &= ~group;
	}
	s->secret |= pmumap_sbi_release_counters_(s, wiped);
}

/* Store a value in the page, little-endian. place: the counter's index in the set. */
static inline void pmumap_sbi_put_value_(const struct pmumap_sbi *s, uint32_t place, uint64_t value)
{
	volatile unsigned char *to = (volatile unsigned char *)s->snapshot + 8 + 8 * (size_t)place;
	uint32_t i;

	for (i = 0; i < 8; i++, value >>= 8)
		to[i] = (unsigned char)(value & 0xff);
}

/* Start a set by one call. Returns 0 if that failed; some may have wrong values. */
static inline int pmumap_sbi_start_group_(struct pmumap_sbi *s, uint32_t group, uint64_t base,
					  uint64_t mask, const uint64_t *value)
{
	if (!s->snapshot)
		return 0;
	for (; group; group &= group - 1) {
		uint32_t counter = pmumap_lowest_bit_(group);

		pmumap_sbi_put_value_(s, s->index[counter] - (uint32_t)base, value[counter]);
	}
	if (!pmumap_sbi_start_set(s, base, mask, PMUMAP_SBI_INIT_SNAPSHOT, 0).error)
		return 1;
	(void)pmumap_sbi_stop_set(s, base, mask, 0);
	return 0;
}

/* Start counters at their values. Returns those that the firmware refuses; it may release them. */
static inline uint32_t pmumap_sbi_start_values_(struct pmumap_sbi *s, uint32_t counters,
						const uint64_t *value)
{
	uint32_t group, left, refused = 0;
	uint64_t base, mask;

	s->readable |= counters;
	s->secret &= ~counters;
	for (; counters; counters &= ~group) {
		group = pmumap_sbi_find_group_(s, counters, &base, &mask);
		if (pmumap_sbi_start_group_(s, group, base, mask, value))
			continue;
		for (left = group; left; left &= left - 1) {
			uint32_t counter = pmumap_lowest_bit_(left);

			if (!pmumap_sbi_try_start_(s, counter, value[counter]))
				refused |= left & (0 - left);
		}
	}
	return refused;
}

/*
 * The functions of struct pmumap_pmu_sets. Read values before stopping, because after the release
 * the counters are not ours; counts in between are lost. If a counter wraps meanwhile, reread it,
 * so that its value and its overflow match.
 */
static inline uint32_t pmumap_sbi_sets_release_(void *arg, uint32_t touched, uint32_t loaded,
						uint32_t running, uint64_t *value,
						uint32_t *overflowed)
{
	struct pmumap_sbi *s = (struct pmumap_sbi *)arg;
	uint32_t left, before, wrapped = pmumap_sbi_read_overflows_(s);

	left = running;
	do {
		for (; left; left &= left - 1) {
			uint32_t counter = pmumap_lowest_bit_(left);

			value[counter] = pmumap_sbi_read(s, counter);
		}
		before = wrapped;
		wrapped |= pmumap_sbi_read_overflows_(s);
		left = running & wrapped & ~before;
	} while (left);
	*overflowed |= running & wrapped;
	s->secret |= touched;
	return pmumap_sbi_release_counters_(s, loaded);
}

static inline uint32_t pmumap_sbi_sets_load_(void *arg, uint32_t counters,
					     const struct pmumap_job *job, const uint64_t *value)
{
	struct pmumap_sbi *s = (struct pmumap_sbi *)arg;
	uint32_t left, refused, taken = 0, lost = s->secret & s->used;

	/* Counters that are loaded, but refused to be wiped or to take their value. */
	(void)pmumap_sbi_release_counters_(s, lost);
	for (left = counters & s->counters; left; left &= left - 1) {
		uint32_t counter = pmumap_lowest_bit_(left);

		if (pmumap_sbi_take_counter_(s, counter, &job[counter]))
			taken |= left & (0 - left);
	}
	/* Wipe first: it takes time, in which nothing should count yet. */
	pmumap_sbi_wipe_counters_(s);
	refused = pmumap_sbi_start_values_(s, taken, value);
	(void)pmumap_sbi_release_counters_(s, refused);
	s->secret |= refused;
	return (counters & ~taken) | lost | s->secret;
}

PMUMAP_DEF void pmumap_sbi_sets(struct pmumap_sbi *s, struct pmumap_pmu_sets *sets)
{
	pmumap_sbi_as_pmu(s, &sets->one);
	sets->release = pmumap_sbi_sets_release_;
	sets->load = pmumap_sbi_sets_load_;
}

PMUMAP_DEF int pmumap_sbi_share(struct pmumap_sbi *s, void *page, uint64_t address)
{
	if (pmumap_sbi_call_function_(s, PMUMAP_SBI_SNAPSHOT_SET_SHMEM, pmumap_sbi_low_(s, address),
				      pmumap_sbi_high_(s, address), 0)
		    .error)
		return 0;
	s->snapshot = page;
	return 1;
}

/* ---- hw/sbi_events.h: Find out which events the firmware counts, as rows */
/* EVENT_GET_INFO for one event. 1: it can be counted; 0: it cannot; -1: no answer. */
static inline int pmumap_sbi_ask_event_(struct pmumap_sbi *s, uint32_t event)
{
	volatile unsigned char *entry = (volatile unsigned char *)s->shared;
	uint32_t i;

	if (!entry)
		return -1;
	for (i = 0; i < 16; i++) /* little-endian; no data, no answer yet */
		entry[i] = (unsigned char)(i < 4 ? event >> 8 * i & 0xff : 0);
	if (pmumap_sbi_call_function_(s, PMUMAP_SBI_EVENT_GET_INFO,
				      pmumap_sbi_low_(s, s->shared_address),
				      pmumap_sbi_high_(s, s->shared_address), 1)
		    .error)
		return -1;
	return entry[4] & 1;
}

/* Try each counter for an event, and release it at once. Returns those that can count it. */
static inline uint32_t pmumap_sbi_try_counters_(struct pmumap_sbi *s, uint32_t event)
{
	uint32_t left = ~PMUMAP_FIXED_COUNTERS_ | pmumap_riscv_own_counter_(event);
	uint32_t counters = 0;

	for (left &= s->counters & ~s->used; left; left &= left - 1) {
		uint32_t counter = pmumap_lowest_bit_(left);

		if (!pmumap_sbi_try_match_(s, counter, 0, event, 0))
			continue;
		pmumap_sbi_stop(s, counter, 1);
		counters |= 1u << counter;
	}
	return counters;
}

PMUMAP_DEF enum pmumap_status pmumap_add_sbi(struct pmumap_builder *b, struct pmumap_sbi *s)
{
	enum pmumap_status status = s->counters ? PMUMAP_OK : PMUMAP_E_NOTFOUND;
	uint32_t slot;
	int answer = 0;

	for (slot = 0; slot < PMUMAP_INDEXED_EVENTS_ && status == PMUMAP_OK; slot++) {
		uint32_t event = pmumap_riscv_slot_event_(slot), counters;

		if (!pmumap_riscv_is_hardware_event_(event))
			continue;
		if (answer >= 0)
			answer = pmumap_sbi_ask_event_(s, event);
		/*
		 * Firmware reports cycles and instructions as unsupported without a row, yet counts
		 * them.
		 */
		if (answer == 0 && event > PMUMAP_EVENT_INSTRUCTIONS_)
			continue;
		counters = pmumap_sbi_try_counters_(s, event);
		/* A fixed counter that cannot count its own event counts nothing. */
		s->counters &= ~pmumap_riscv_own_counter_(event) | counters | s->used;
		if (counters)
			status = pmumap_add_counters(b, event, event, counters);
	}
	return status;
}

/* ---- hw/riscv_native.h: This hart's own CSRs and ecall */
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

#endif /* PMUMAP_HW_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
