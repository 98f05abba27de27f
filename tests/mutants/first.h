/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Replaces tests/support/test.h through its include guard: a program ends with its first failure.
 */
#ifndef TEST_H
#define TEST_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *test_now = "", *test_input = "";
static unsigned test_passed, test_failed;

static inline int test_count(int good, const char *file, int line, const char *what)
{
	if (good) {
		test_passed++;
		return 1;
	}
	test_failed++;
	printf("%s:%d: [%s%s] %s\n", file, line, test_now, test_input, what);
	exit(1);
}

#define BROKEN(rule, value, broken) ((uint32_t)((void)(value), !!(broken)))
#define CHECK(condition) test_count(!!(condition), __FILE__, __LINE__, #condition)
#define CHECK_EQ(got, want)                                                                        \
	test_count((uint64_t)(got) == (uint64_t)(want), __FILE__, __LINE__, #got " == " #want)

static inline int test_summary(void)
{
	printf("%u passed, %u failed\n", test_passed, test_failed);
	return test_failed != 0 || test_passed == 0;
}

#endif /* TEST_H */
