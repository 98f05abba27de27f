/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Checks that go on after a failure, and the line of summary that the Makefile reads.
 */
#ifndef TEST_H
#define TEST_H

#include <inttypes.h>
#include <stdio.h>

static const char *test_now = ""; /* the case that failures belong to */
static unsigned test_passed, test_failed;

static inline int test_count(int good, const char *file, int line, const char *what)
{
	if (good) {
		test_passed++;
		return 1;
	}
	test_failed++;
	printf("%s:%d: [%s] %s\n", file, line, test_now, what);
	return 0;
}

#define CHECK(condition) test_count(!!(condition), __FILE__, __LINE__, #condition)

#define CHECK_EQ(got, want)                                                                        \
	do {                                                                                       \
		uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want);                         \
		if (!test_count(got_ == want_, __FILE__, __LINE__, #got " == " #want))             \
			printf("\tgot 0x%" PRIx64 ", want 0x%" PRIx64 "\n", got_, want_);          \
	} while (0)

static inline int test_summary(void)
{
	printf("%u passed, %u failed\n", test_passed, test_failed);
	return test_failed != 0 || test_passed == 0;
}

#endif /* TEST_H */
