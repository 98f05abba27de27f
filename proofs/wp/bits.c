/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tests the facts about bits that annotations admit or assume, for all numbers of their range. For
 * 64-bit numbers: those with one or two runs of ones, which cover every pattern of borrows and
 * carries.
 */
#include "../../pmumap.h"

#include <stdio.h>

static uint32_t ones(uint32_t x)
{
	uint32_t n = 0, i;

	for (i = 0; i < 32; i++)
		n += x >> i & 1;
	return n;
}

/* Removing the lowest bit leaves one bit less and a smaller number. */
static int clears(uint32_t x)
{
	return ones(x) == 1 + ones(x & (x - 1)) && (x & (x - 1)) < x && ones(x) <= 16;
}

/* Fewer bits are below a set bit than there are in total. */
static int ranks(uint32_t x, uint32_t bit)
{
	uint32_t below = x & ((1u << bit) - 1);

	return !(x >> bit & 1) || (below < 0x10000 && ones(below) < ones(x));
}

/*
 * Contracts of pmumap_riscv_first_event_() and pmumap_riscv_index_slot_(), shifts, and the highest
 * bit.
 */
static int bounded(uint32_t x)
{
	struct pmumap_record r = { 0, 0, 0 };
	uint32_t y = x * 0x9e3779b1u;

	r.key = x;
	return (pmumap_riscv_first_event_(&r) == x - (x >= 0x80000000u ? 0x80000000u : 0)) &
	       (pmumap_riscv_index_slot_(x) < 128) & ((x & 15) <= 15) & ((x & 0xff) < 0x100) &
	       (x >> 31 == (x >= 0x80000000u)) &
	       ((((x ^ y) & PMUMAP_RAW_ROW_) != 0) == (x / 0x80000000u != y / 0x80000000u)) &
	       (x >> 8 == x / 256) & (((x & PMUMAP_RECORD_HAS_SELECTOR_) != 0) == x >> 31) &
	       (x >> 1 <= 0x7fffffff) & ((x >> 30 == 0) == (x < 0x40000000u)) & (x >> 3 == x / 8) &
	       ((x & 31) <= 31) & (!x || (x & (x - 1)) < x) &
	       ((uint32_t)(0 - x) == (x ? 0x100000000u - x : 0));
}

static int has(uint32_t x, uint32_t c)
{
	return c < 32 && (x >> c & 1);
}

/* How shifts and unions of sets of counters change their members. */
static int members(uint32_t x, uint32_t y)
{
	uint32_t c, d;

	for (c = 0; c < 34; c++) {
		if (has(x | y, c) != (has(x, c) || has(y, c)) || has(x >> 1, c) != has(x, c + 1) ||
		    has(x & y, c) != (has(x, c) && has(y, c)) || has(~(uint32_t)0, c) != (c < 32))
			return 0;
		for (d = 0; d < 2; d++) {
			if (has(x | (y & (0u - d)), c) != (has(x, c) || (d && has(y, c))))
				return 0;
		}
		for (d = 0; d < 32; d++) {
			if (has(x | 1u << d, c) != (has(x, c) || c == d))
				return 0;
		}
	}
	return (x & 1) == (uint32_t)has(x, 0);
}

/* Whether a row selects no bit that its mask ignores. A guard does. */
static int proper(uint64_t select, uint64_t mask)
{
	return !(select & ~mask);
}

/*
 * Places of raw rows with low bits of an index: a raw event that matches a row fits its place; the
 * places of a row in order; and rows that match together.
 */
static int placed(uint64_t raw, uint64_t mask, uint64_t select, uint64_t other, uint32_t low)
{
	uint32_t any = low & ~(uint32_t)mask, more = (uint32_t)raw & any, p, q;
	uint32_t next = (more - any) & any;
	uint64_t with = select & other;

	select &= mask;
	p = ((uint32_t)select & low) | more;
	if (p > low || ((p ^ select) & mask & low) || (p & any) != more || (next & any) != next ||
	    !proper(with, other))
		return 0;
	for (q = 0; q <= low; q++) {
		if ((q ^ select) & mask & low)
			continue;
		if ((q & any) == more ? q != p : (q & any) > more && (!next || (q & any) < next))
			return 0;
	}
	raw = (raw & ~mask) | select;
	return !(((raw & low) ^ select) & mask & low) &&
	       (((select ^ with) & mask & other) ? (raw & other) != with
		: other & ~mask                  ? 1
						 : (raw & other) == with);
}

/* Contract of pmumap_riscv_raw_number_(): only offsets of rows have low numbers. */
static int numbered(uint32_t offset)
{
	uint32_t row = pmumap_riscv_raw_number_(offset);

	return (row >= 0xaaaaaab || offset == 24 * row) &
	       (offset / 24 * 24 != offset || offset >= 24 * 0x8000000u || row == offset / 24);
}

/* Which events have an index byte, and which one; keys of records and rows. */
static int indexed(uint32_t e)
{
	int is = e < 0x40 || (e >= 0x10000 && e < 0x10040);

	return pmumap_riscv_is_indexed_event_(e) == is &&
	       (!is || pmumap_riscv_index_slot_(e) == (e < 0x40 ? e : e - 0x10000 + 0x40)) &&
	       (e >= 0x80000000u || (e | 0x80000000u) == e + 0x80000000u) &&
	       ((e & PMUMAP_RECORD_HAS_SELECTOR_) != 0) == (e >= 0x80000000u);
}

/* Keys of rows: x is their upper half. An event and a kind make one, which says both. */
static int keys(uint32_t x)
{
	uint32_t low = x * 0x9e3779b1u, event = x >> 1, kind = x & 1;
	struct pmumap_row_ r = { 0, 0, 0, 0 };
	int same;

	r.key = (uint64_t)x << 32 | low;
	same = pmumap_row_event_(&r) == r.key / 0x200000000u &&
	       (uint32_t)pmumap_row_is_selector_(&r) == r.key / 0x100000000u % 2 &&
	       (x | PMUMAP_RAW_ROW_) == (x < 0x80000000u ? x + 0x80000000u : x);
	return same && (event >= PMUMAP_EVENT_LIMIT ||
			((event << 1 | kind) == 2 * event + kind &&
			 pmumap_row_key_(event, kind, low) ==
				 0x100000000u * (uint64_t)(2 * event + kind) + low));
}

int main(void)
{
	unsigned passed = 0, failed = ones(0) != 0;
	uint32_t x, bit;
	uint64_t hits, random[4] = { 1, 2, 3, 4 };

	for (x = 0; x != 0xffffffffu; x++)
		failed += !bounded(x) | !indexed(x) | !keys(x) | !numbered(x);
	failed += !bounded(x) | !indexed(x) | !keys(x);
	failed += proper(1, 0);
	for (x = 1; x < 0x10000; x++) {
		for (bit = 0; bit < 16; bit++) {
			if (!ranks(x, bit))
				failed++;
		}
		if (!clears(x))
			failed++;
		passed += 17;
	}
	/* Each bit by itself, beside any other. */
	for (x = 0; x < 0x10000; x++, passed++) {
		failed += !members(x, 0x5a5aff00u ^ x * 0x10001u);
		failed += !members(x << 16, x * 0x9e3779b1u);
	}
	/* Random bits; some masks are sparse, and some have most bits. */
	for (x = 0; x < 0x40000; x++, passed++) {
		for (bit = 0; bit < 4; bit++)
			random[bit] = (random[bit] + x) * 0x9e3779b97f4a7c15u ^ random[bit] >> 29;
		failed += !placed(random[0], x & 1 ? random[1] & random[2] : random[1] | random[2],
				  random[3], x & 2 ? random[2] & random[1] : random[2] & random[3],
				  (1u << x % 10) - 1);
	}
	for (x = 0; x < 64; x++) {
		for (bit = x; bit < 64; bit++, passed++) {
			hits = (uint64_t)1 << x | (uint64_t)1 << bit;
			if ((hits & (hits - 1)) >= hits || hits >> 32 << 32 > hits)
				failed++;
		}
	}
	printf("%u passed, %u failed\n", passed - failed, failed);
	return failed != 0;
}
