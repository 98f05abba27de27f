/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tests contracts that WP assumes of functions of one number, for all 2^32.
 */
#include "../../pmumap.h"

#include <stdio.h>

/* Contract of pmumap_riscv_raw_number_(): only offsets of rows have low numbers. */
static int numbered(uint32_t offset)
{
	uint32_t row = pmumap_riscv_raw_number_(offset);

	return (row >= 0xaaaaaab || offset == 24 * row) &
	       (offset / 24 * 24 != offset || offset >= 24 * 0x8000000u || row == offset / 24);
}

/* Which events have an index byte, and which one; the event of a record. */
static int indexed(uint32_t e)
{
	int is = e < 0x40 || (e >= 0x10000 && e < 0x10040);
	struct pmumap_record r = { 0, 0, 0 };

	r.key = e;
	return pmumap_riscv_is_indexed_event_(e) == is && pmumap_riscv_index_slot_(e) < 128 &&
	       (!is || pmumap_riscv_index_slot_(e) == (e < 0x40 ? e : e - 0x10000 + 0x40)) &&
	       pmumap_riscv_first_event_(&r) == (e >= 0x80000000u ? e - 0x80000000u : e);
}

int main(void)
{
	unsigned failed = 0;
	uint32_t x = 0;

	do {
		failed += !indexed(x) | !numbered(x);
	} while (++x);
	printf("2^32 numbers, %u failed\n", failed);
	return failed != 0;
}
