/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shared by main.c and rules.c: SBI calls, learned facts, and the type of a rule.
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

#define IPI_RECEIVED 0xf0007

/* The extension that sends inter-processor interrupts, and the one that starts harts. */
#define IPI 0x735049
#define HSM 0x48534d

/*
 * The answer of a rule: an SBI error (0 or negative), or yes or no. start.S knows the last two
 * values.
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

/* Sets of acceptable answers. */
#define W(answer) (1u << ((answer) + 16))
#define ANY (W(OK) | ERROR)
#define ERROR (W(NOT_SUPPORTED) | W(INVALID) | W(FAILED) | W(ADDRESS))
#define REFUSED (W(ADDRESS) | W(FAILED))

/* Requirements of a rule. */
enum {
	HW = 1,      /* a programmable counter and an event for it */
	HW2 = 2,     /* two of them */
	FIXED = 4,   /* counters 0 and 2 are mcycle and minstret */
	FW = 8,      /* a firmware counter and an event for it */
	TIMER = 16,  /* the event is SET_TIMER */
	COUNTS = 32, /* a counter for cycles or instructions */
	SNAP = 64,   /* shared memory for snapshots */
	LIST = 128,  /* EVENT_GET_INFO */
	HOLE = 256,  /* a number without a counter */
	V2 = 512,    /* version 2.0 of SBI */
	WALL = 1024, /* memory that S-mode cannot read */
	VOID = 2048, /* S-mode cannot read address 0 */
	IS64 = 4096,
	IS32 = 8192,
	IRQ = 16384, /* the overflow interrupt reaches S-mode */
	HART = 32768 /* a second hart, which is stopped */
};

struct known {
	reg total, version;
	reg all;           /* all counter numbers that fit into a mask */
	reg set;           /* the hardware counters among them */
	uint64_t hw, fw;   /* numbers of hardware and firmware counters */
	reg first_fw;      /* lowest number of a firmware counter */
	reg a, b, event;   /* two programmable counters, a below b, and an event for both */
	reg c, count;      /* a counter, and its event: cycles or instructions */
	reg f, fw_event;   /* a firmware counter, and its event */
	reg hole, nothing; /* a number without counter; an event that nothing counts */
	reg wall;          /* an address that S-mode cannot read, a multiple of 4096 */
	reg hart;          /* a second hart */
	unsigned has;
};
extern struct known k;

/* Cleans up: stops and releases all counters, and shares no memory. */
void reset(void);

struct ret pmu(reg function, reg a0, reg a1, reg a2, reg a3, reg a4);
long match(reg base, reg mask, reg flags, reg event);
extern reg matched; /* the counter from the last match */
/* Timeout of a rule: 5 s at 10 MHz. */
#define LIMIT 50000000u
void set_timer(uint64_t ticks);
uint64_t now(void);
reg read_counter(reg n);
int interrupt_pending(void);
void clear_interrupt(void);

/* Asks on the second hart, at the same time. Both harts wait for steps that the other one takes. */
void begin_on_hart(long (*ask)(void));
long answer_of_hart(void);
void take_step(int n);
void await_step(int n);

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
