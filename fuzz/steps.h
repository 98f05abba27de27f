/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A limit on time: for n bytes no call takes more than a constant plus c * n * log2(n) steps, nor
 * FUZZ_STEPS milliseconds of CPU time. Steps are basic blocks entered in the headers' functions;
 * without FUZZ_STEPS nothing counts them.
 *
 * Each sixteenth of the limit has its own branch in each call. So a fuzzer that looks for new
 * branches looks for slower inputs.
 */
#ifndef STEPS_H
#define STEPS_H

#include <stddef.h>
#include <stdint.h>

enum steps_call {
	STEPS_MEASURE,
	STEPS_BUILD,
	STEPS_OPEN,
	STEPS_HARTS,
	STEPS_FIND,
	STEPS_AT,
	STEPS_ADD_MAP,
	STEPS_RESTRICT,
	STEPS_EMIT,
	STEPS_FIXUP,
	STEPS_IMC_FIXUP,
	STEPS_LOOKUPS, /* some 200 of a map, and its listing */
	STEPS_ECALL,   /* of a guest */
	STEPS_TURN,    /* a virtual CPU leaves or arrives; a probe */
	STEPS_CALLS
};

/* The size that stands for a guest's work, which depends on no input: at most 300 entries. */
#define STEPS_GUEST 4096u

#ifdef FUZZ_STEPS

void steps_begin(enum steps_call call, size_t bytes);

/*
 * Returns which sixteenth of the limit was reached. Above the limit the program has already ended.
 */
unsigned steps_end(void);

/* Prints a line for each call: its maximum, in percent of the limit. */
void steps_report(void);

/* Different texts keep the compiler from merging the branches. */
#define STEPS_BRANCH(n)                                                                            \
	case n:                                                                                    \
		__asm__ volatile("" ::"i"(n));                                                     \
		break;

#define STEPS(call, bytes, statement)                                                              \
	do {                                                                                       \
		steps_begin(STEPS_##call, bytes);                                                  \
		statement;                                                                         \
		switch (steps_end()) {                                                             \
			STEPS_BRANCH(1)                                                            \
			STEPS_BRANCH(2)                                                            \
			STEPS_BRANCH(3)                                                            \
			STEPS_BRANCH(4)                                                            \
			STEPS_BRANCH(5)                                                            \
			STEPS_BRANCH(6)                                                            \
			STEPS_BRANCH(7)                                                            \
			STEPS_BRANCH(8)                                                            \
			STEPS_BRANCH(9)                                                            \
			STEPS_BRANCH(10)                                                           \
			STEPS_BRANCH(11)                                                           \
			STEPS_BRANCH(12)                                                           \
			STEPS_BRANCH(13)                                                           \
			STEPS_BRANCH(14)                                                           \
			STEPS_BRANCH(15)                                                           \
		default:                                                                           \
			break;                                                                     \
		}                                                                                  \
	} while (0)

#else

#define STEPS(call, bytes, statement)                                                              \
	do {                                                                                       \
		statement;                                                                         \
	} while (0)

#endif

#endif /* STEPS_H */
