/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Counts and limits steps. This file is compiled without the counter.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "steps.h"

/*
 * About twice the maximum seen for hostile trees. once: a fixed part; a build tries several places
 * for its indexes.
 */
static struct {
	const char *name;
	uint32_t c, once;
	uint64_t most; /* thousandths of the limit, so far */
} calls[STEPS_CALLS] = {
	{ "measure", 2, 20000, 0 }, { "build", 10, 1000000, 0 },    { "open", 2, 20000, 0 },
	{ "harts", 2, 20000, 0 },   { "find", 2, 20000, 0 },        { "at", 2, 20000, 0 },
	{ "add-map", 2, 20000, 0 }, { "restrict", 10, 1000000, 0 }, { "emit", 2, 20000, 0 },
	{ "fixup", 4, 20000, 0 },   { "imc-fixup", 2, 40000, 0 },   { "lookups", 4, 60000, 0 },
	{ "ecall", 1, 0, 0 },       { "turn", 1, 20000, 0 },
};

/* The current call. */
static struct {
	enum steps_call call;
	size_t bytes;
	clock_t began;
	uint64_t bound;
} now;
static volatile uint64_t taken, limit = ~(uint64_t)0;

static void refuse(const char *what)
{
	fprintf(stderr, "%s of %zu bytes takes more than %s\n", calls[now.call].name, now.bytes,
		what);
	abort();
}

void __wrap___sanitizer_cov_trace_pc(void);

/*
 * With --wrap=__sanitizer_cov_trace_pc, called at each basic block of the headers. So no loop
 * exceeds the limit.
 */
void __wrap___sanitizer_cov_trace_pc(void)
{
	if (++taken > limit)
		refuse("n log n steps");
}

void steps_begin(enum steps_call call, size_t bytes)
{
	size_t left;

	now.call = call;
	now.bytes = bytes;
	now.bound = calls[call].once;
	for (left = bytes; left > 1; left /= 2)
		now.bound += (uint64_t)calls[call].c * bytes;
	now.began = clock();
	taken = 0;
	limit = now.bound;
}

unsigned steps_end(void)
{
	uint64_t share = 1000 * taken / now.bound;

	limit = ~(uint64_t)0;
	if (clock() - now.began > FUZZ_STEPS * (CLOCKS_PER_SEC / 1000))
		refuse("its milliseconds");
	if (share > calls[now.call].most)
		calls[now.call].most = share;
	return (unsigned)(share * 16 / 1000);
}

void steps_report(void)
{
	unsigned call;

	for (call = 0; call < STEPS_CALLS; call++)
		if (calls[call].most)
			printf("%-10s %5.1f %% of its bound\n", calls[call].name,
			       (double)calls[call].most / 10);
}
