/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Time as a promise: for n bytes no call takes more than c * n * log2(n) steps and a constant, nor
 * FUZZ_STEPS milliseconds of CPU. Steps are the basic blocks that the headers' functions enter;
 * without FUZZ_STEPS nothing counts them.
 *
 * Each sixteenth of the bound has a branch of its own, at each call: a fuzzer that looks for new
 * branches looks for inputs that take longer.
 */
#ifndef STEPS_H
#define STEPS_H

#include <stddef.h>
#include <stdint.h>

enum steps_call {
	STEPS_MEASURE,
	STEPS_BUILD,
	STEPS_OPEN,
	STEPS_FEATURES,
	STEPS_FIND,
	STEPS_AT,
	STEPS_ADD_MAP,
	STEPS_RESTRICT,
	STEPS_EMIT,
	STEPS_FIXUP,
	STEPS_IMC_FIXUP,
	STEPS_CALLS
};

#ifdef FUZZ_STEPS

void steps_begin(enum steps_call call, size_t bytes);

/* Returns which sixteenth of the bound was reached. Above it the program ends before. */
unsigned steps_end(void);

/* A line for each call: the most so far, in percent of its bound. */
void steps_report(void);

/* The text differs, so that the compiler keeps them apart. */
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
