/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the annotations admit about bits, for all numbers that it is said of; where these are 64 bits
 * wide, for those with one or two runs of ones, which hold every pattern of borrows and carries.
 */
#include <stdint.h>
#include <stdio.h>

static uint32_t ones(uint32_t x)
{
	uint32_t n = 0, i;

	for (i = 0; i < 32; i++)
		n += x >> i & 1;
	return n;
}

/* The lowest bit taken off is one bit less, and a smaller number. */
static int clears(uint32_t x)
{
	return ones(x) == 1 + ones(x & (x - 1)) && (x & (x - 1)) < x;
}

/* Of a set bit, fewer bits lie below it than there are. */
static int ranks(uint32_t x, uint32_t bit)
{
	uint32_t below = x & ((1u << bit) - 1);

	return !(x >> bit & 1) || (below < 0x10000 && ones(below) < ones(x));
}

int main(void)
{
	unsigned passed = 0, failed = 0;
	uint32_t x, bit, shift;
	uint64_t hits;

	for (x = 1; x < 0x10000; x++) {
		for (bit = 0; bit < 16; bit++) {
			if (!ranks(x, bit))
				failed++;
		}
		if (!clears(x))
			failed++;
		passed += 17;
	}
	for (shift = 14; shift < 32; shift++, passed++) {
		if (~(uint32_t)0 >> shift >= 1u << (32 - shift) || 1u << (32 - shift) < 2 ||
		    1u << (32 - shift) > 0x40000)
			failed++;
	}
	for (x = 0; x < 64; x++) {
		for (bit = x; bit < 64; bit++, passed++) {
			hits = (uint64_t)1 << x | (uint64_t)1 << bit;
			if ((hits & (hits - 1)) >= hits)
				failed++;
		}
	}
	printf("%u passed, %u failed\n", passed - failed, failed);
	return failed != 0;
}
