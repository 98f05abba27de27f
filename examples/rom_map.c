/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rom_map.c -- firmware with a prebuilt map: it reads no device tree, builds nothing and starts
 * with the first lookup.
 *
 *	pmumap rom --name board sifive-u74.dtb >board.h	(in a folder on the -I path)
 *	cc -I. examples/rom_map.c
 *
 * board.h works with either byte order. It declares board(), which returns the map, and
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

	/* If flash may have changed, check the map once, before the first lookup. */
	if (pmumap_open(board(), board_bytes, &map) != PMUMAP_OK)
		return 1;
	printf("the image is good: %d bytes\n", (int)board_bytes);
	return 0;
}
