/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Checks that continue after a failure, and the summary lines that the Makefile reads.
 *
 * Failures are counted per case. A case is test_now, for example a row of a table; if that is
 * empty, the checking function. A loop over many inputs is one case, whose BROKEN() names the rule.
 * The number of checks is printed separately. Of each case the first three failures are shown.
 */
#ifndef TEST_H
#define TEST_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *test_now = "";   /* the case, compared by address, so it must stay valid */
static const char *test_input = ""; /* the current input, for messages: a file, a number */
static unsigned test_checks, test_failed;
static int test_shown;        /* whether the last check has failed and is printed */
static const char *test_rule; /* the first rule broken since the last failure, and what broke it */
static uint64_t test_value;

static struct test_case {
	const char *name;
	unsigned failed;
} test_cases[1024];

static inline struct test_case *test_case(const char *name)
{
	struct test_case *c = test_cases;

	while (c->name && c->name != name)
		if (++c == test_cases + sizeof(test_cases) / sizeof(test_cases[0]) - 1)
			abort();
	c->name = name;
	return c;
}

static inline int test_count(int good, const char *function)
{
	struct test_case *c = test_case(*test_now ? test_now : function);

	test_checks++;
	test_failed += !good;
	c->failed += !good;
	test_shown = !good && c->failed <= 3;
	return good;
}

static inline int test_check(int good, const char *function, const char *file, int line,
			     const char *what)
{
	test_count(good, function);
	if (test_shown)
		printf("%s:%d: [%s%s%s] ", file, line, *test_now ? test_now : function,
		       *test_input ? ", " : "", test_input);
	if (test_shown && test_rule)
		printf("0x%" PRIx64 " breaks the rule: %s: ", test_value, test_rule);
	if (test_shown)
		printf("%s\n", what);
	if (!good)
		test_rule = NULL;
	return good;
}

/* Whether a rule is broken: 1 or 0, for a sum that is checked. value: the question. */
static inline uint32_t test_broken(int broken, const char *rule, uint64_t value)
{
	if (broken && !test_rule) {
		test_rule = rule;
		test_value = value;
	}
	return broken != 0;
}

#define BROKEN(rule, value, broken) test_broken(!!(broken), rule, value)

#define CHECK(condition) test_check(!!(condition), __func__, __FILE__, __LINE__, #condition)

#define CHECK_EQ(got, want)                                                                        \
	do {                                                                                       \
		uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want);                         \
		test_check(got_ == want_, __func__, __FILE__, __LINE__, #got " == " #want);        \
		if (test_shown)                                                                    \
			printf("\tgot 0x%" PRIx64 ", want 0x%" PRIx64 "\n", got_, want_);          \
	} while (0)

static inline int test_summary(void)
{
	const struct test_case *c = test_cases;
	unsigned passed = 0, failed = 0;

	for (; c->name; c++) {
		passed += !c->failed;
		failed += c->failed != 0;
		if (c->failed > 3)
			printf("%s: %u failures, the first 3 shown\n", c->name, c->failed);
	}
	printf("%u checks\n%u passed, %u failed\n", test_checks, passed, failed);
	return failed != 0 || passed == 0;
}

#endif /* TEST_H */
