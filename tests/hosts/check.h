/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts what is as it should be; main() of a driver returns finish(). */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int passed, failed;

/* A value, and what it has to be. */
#define IS(value, expected)                                                                        \
	is(#value, (unsigned long long)(value), (unsigned long long)(expected), __LINE__)

static void is(const char *what, unsigned long long value, unsigned long long expected, int line)
{
	if (value == expected) {
		passed++;
		return;
	}
	failed++;
	printf("line %d: %s is 0x%llx, not 0x%llx\n", line, what, value, expected);
}

static int finish(void)
{
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}

#endif /* CHECK_H */
