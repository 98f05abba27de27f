/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rom_map.c -- a firmware's view of a map that was made beforehand: no device tree is read, nothing is
 * built, and the first look-up is the first thing that happens.
 *
 *	pmumap rom --name board sifive-u74.dtb >board.h	(anywhere that -I names)
 *	cc -I. examples/rom_map.c
 *
 * board.h is the same for targets of either byte order. What it declares: board(), the map, and
 * board_bytes, its size.
 */
#include <inttypes.h>
#include <stdio.h>
#include "board.h"

int main(void)
{
	const struct pmumap *map;
	struct pmumap_job job;
	uint64_t selector;

	if (pmumap_selector(board(), 0x00004, &selector))
		printf("cache misses: selector 0x%" PRIx64 ", counters 0x%" PRIx32 "\n", selector,
		       pmumap_counters(board(), 0x00004));
	printf("raw event 0x1801: counters 0x%" PRIx32 "\n", pmumap_raw_counters(board(), 0x1801));
	printf("counter for cache misses: %d\n",
	       pmumap_plan(board(), 0x00004, 0, 0x1d, 0, PMUMAP_RULE_ABSENT, &job));

	/* Flash that may have changed since is checked once, before the first look-up. */
	if (pmumap_open(board(), board_bytes, &map) != PMUMAP_OK)
		return 1;
	printf("the image is good: %d bytes\n", (int)board_bytes);
	return 0;
}
