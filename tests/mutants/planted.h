/* SPDX-License-Identifier: BSD-2-Clause
 *
 * For tests/mutants/mutants_check.sh: functions whose test is good, and one that nobody checks.
 */
#ifndef PLANTED_H
#define PLANTED_H

/* The comment a < b is no code, nor is the text below. */
static inline int planted_sign(int a)
{
	const char *text = "1 + 1 < 3";

	if (a < 0)
		return -1;
	return a > 0 ? text[4] - '0' : 0;
}

static inline unsigned planted_bits(unsigned a)
{
	unsigned n = 0;

	while (a) {
		n += a & 1;
		a >>= 1;
	}
	return n;
}

#ifdef PLANTED_ELSEWHERE
static inline int planted_elsewhere(int a)
{
	return a + 1;
}
#endif

/* One element too many is seen by a sanitizer alone: here if the loop goes on to n ... */
static inline int planted_find(const int *a, unsigned n, int x)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		if (a[i] == x)
			return 1;
	}
	return 0;
}

/* ... and here if n is not looked at. */
static inline int planted_ends(const int *a, unsigned long n)
{
	return n && a[n - 1] == 7;
}

/* How long it takes is nothing that a test can see. */
static inline int planted_busy(int a)
{
	volatile int i;

	for (i = 0; i < 5; i++)
		;
	return a;
}

static inline int planted_unseen(int a, int b)
{
	return a < b ? a + b : a - b;
}

#endif
