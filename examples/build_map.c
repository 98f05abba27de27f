/* SPDX-License-Identifier: BSD-2-Clause
 *
 * build_map.c -- builds a map from your own tables, without a device tree, and queries it.
 *
 *	build_map [FILE]	also writes the map to FILE, for pmumap_open() or "pmumap show FILE"
 */
#include <inttypes.h>
#include <stdio.h>
#include "pmumap_check.h" /* for the names of events */

static uint64_t block[PMUMAP_BLOCK(2, 1, 1) / 8]; /* room for so many rows of each kind */

int main(int argc, char **argv)
{
	const struct pmumap *map;
	struct pmumap_builder b;
	enum pmumap_status status;
	struct pmumap_job job;
	uint32_t event;
	uint64_t selector, data;
	FILE *file;

	pmumap_begin(&b, block, sizeof(block));
	pmumap_add_selector(&b, 0x00003, 0x1801);
	pmumap_add_selector(&b, 0x00004, 0x0302);
	pmumap_add_counters(&b, 0x00003, 0x00004, 0x18);
	pmumap_add_raw(&b, 0x1, 0xfffffffffff800ff, 0x18);
	status = pmumap_finish(&b, &map);
	if (status != PMUMAP_OK) {
		printf("no map: %s\n", pmumap_status_str(status));
		return 1;
	}
	printf("a map of %zu bytes\n", pmumap_size(map));

	if (pmumap_event_parse("cache-misses", 12, &event, &data) &&
	    pmumap_selector(map, event, &selector))
		printf("%s: selector 0x%" PRIx64 ", counters 0x%" PRIx32 "\n",
		       pmumap_event_name(event), selector, pmumap_counters(map, event));
	printf("raw event 0x1801: counters 0x%" PRIx32 "\n", pmumap_raw_counters(map, 0x1801));

	/* This hart has counters 0, 2, 3 and 4. "Busy" means: try again later. */
	printf("with counters 3 and 4 free: %d\n",
	       pmumap_plan(map, 0x00003, 0, 0x1d, 0, PMUMAP_RULE_ABSENT, &job));
	printf("with counter 4 free: %d\n",
	       pmumap_plan(map, 0x00004, 0, 0x15, 0, PMUMAP_RULE_ABSENT, &job));
	printf("with none free: %s\n",
	       pmumap_plan(map, 0x00004, 0, 0x05, 0, PMUMAP_RULE_ABSENT, &job) == PMUMAP_BUSY
		       ? "busy"
		       : "unsupported");

	file = argc == 2 ? fopen(argv[1], "wb") : NULL;
	if (file)
		fwrite(map, 1, pmumap_size(map), file);
	return file && fclose(file) ? 1 : 0;
}
