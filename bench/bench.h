/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shared by the benches.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

enum { THROUGHPUT, LATENCY, MODES };

static const char *const mode_name[] = { "throughput", "latency" };

static inline void die(const char *what, const char *which)
{
	fprintf(stderr, "bench: %s: %s\n", which, what);
	exit(1);
}

static inline void *need_memory(size_t bytes)
{
	void *p = calloc(1, bytes + 8);

	if (!p)
		die("no memory", "calloc");
	return p;
}

static inline uint64_t rng(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15;
	uint64_t x = state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

static inline uint32_t below(uint32_t n)
{
	return (uint32_t)((rng() >> 32) * n >> 32);
}

static inline double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

/* Volatile, so that the compiler neither knows that it is 0 nor drops what is added to it. */
static volatile uint64_t opaque_zero, opaque_sum;

static inline int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The file's base name without suffix. */
static inline void name_of(const char *path, char *name, size_t size)
{
	const char *base = strrchr(path, '/');

	snprintf(name, size, "%s", base ? base + 1 : path);
	if (strchr(name, '.'))
		*strchr(name, '.') = 0;
}

#endif
