/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What main.c and rules.c share: calls of SBI, what was learned, and a rule.
 */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <stdint.h>

typedef unsigned long reg;
#define ONES (~(reg)0)
#define RV64 (__riscv_xlen == 64)

struct ret {
	long error;
	reg value;
};

struct ret sbi(reg extension, reg function, reg a0, reg a1, reg a2, reg a3, reg a4, reg a5);

/* The PMU extension, its functions and flags. */
#define PMU 0x504d55
enum { NUM, INFO, MATCH, START, STOP, FW_READ, FW_READ_HI, SHMEM, EVENTS };
enum { SKIP = 1, CLEAR = 2, AUTO = 4, HINTS = 0xf8 }; /* of MATCH */
enum { VALUE = 1, FROM_SNAPSHOT = 2 };                /* of START */
enum { RESET = 1, SNAPSHOT = 2 };                     /* of STOP */

#define CYCLES 1
#define SET_TIMER 0xf0005
#define IPI_SENT 0xf0006

/* The extension that sends interrupts. */
#define IPI 0x735049

/*
 * What a rule answers: an error of SBI, which is 0 or below; or whether something is so. start.S
 * knows the last two.
 */
enum {
	OK = 0,
	FAILED = -1,
	NOT_SUPPORTED = -2,
	INVALID = -3,
	ADDRESS = -5,
	STARTED = -7,
	STOPPED = -8,
	NO_SHMEM = -9,
	YES = 1,
	NO = 2,
	TRAPPED = 3,
	HANGS = 4
};

/* Answers that a rule wants: a set. */
#define W(answer) (1u << ((answer) + 16))
#define ANY (W(OK) | ERROR)
#define ERROR (W(NOT_SUPPORTED) | W(INVALID) | W(FAILED) | W(ADDRESS))
#define REFUSED (W(ADDRESS) | W(FAILED))

/* What a rule needs. */
enum {
	HW = 1,      /* a programmable counter and an event for it */
	HW2 = 2,     /* two of these */
	FIXED = 4,   /* counters 0 and 2 are mcycle and minstret */
	FW = 8,      /* a firmware counter and an event for it */
	TIMER = 16,  /* that event is SET_TIMER */
	COUNTS = 32, /* a counter for cycles or instructions */
	SNAP = 64,   /* shared memory for snapshots */
	LIST = 128,  /* EVENT_GET_INFO */
	HOLE = 256,  /* a number without a counter */
	V2 = 512,    /* version 2.0 of SBI */
	WALL = 1024, /* memory that S-mode cannot read */
	VOID = 2048, /* nothing that S-mode can read at 0 */
	IS64 = 4096,
	IS32 = 8192,
	IRQ = 16384 /* the interrupt of a counter that overflows reaches S-mode */
};

struct known {
	reg total, version;
	reg all;           /* all numbers, as far as a mask goes */
	reg set;           /* of these, hardware counters */
	uint64_t hw, fw;   /* numbers of hardware and firmware counters */
	reg first_fw;      /* the lowest number of a firmware counter */
	reg a, b, event;   /* two programmable counters, a below b, and an event for both */
	reg c, count;      /* a counter, and what it counts: cycles or instructions */
	reg f, fw_event;   /* a firmware counter, and what it counts */
	reg hole, nothing; /* a number without counter; an event that nothing counts */
	reg wall;          /* an address that S-mode cannot read, a multiple of 4096 */
	unsigned has;
};
extern struct known k;

/* Put everything back: no counter is started or configured, and no memory is shared. */
void reset(void);

struct ret pmu(reg function, reg a0, reg a1, reg a2, reg a3, reg a4);
long match(reg base, reg mask, reg flags, reg event);
extern reg matched; /* the counter that the last match gave */
void set_timer(uint64_t ticks);
reg read_counter(reg n);
int interrupt_pending(void);
void clear_interrupt(void);

enum severity { MUST, LINUX, OPEN };

struct rule {
	const char *name, *place;
	long (*ask)(void);
	enum severity severity;
	unsigned needs, wants;
};
extern const struct rule rules[];
extern const unsigned rules_count;

#endif /* CONFORMANCE_H */
