/* SPDX-License-Identifier: BSD-2-Clause
 *
 * from_fdt.c -- device tree -> map -> a counter for one event, as firmware does at boot.
 *
 *	from_fdt board.dtb
 */
#include <inttypes.h>
#include <stdio.h>
#include "pmumap_check.h"

static unsigned char fdt[1 << 20]; /* any alignment, any content: pmumap validates it first */
static uint64_t block[PMUMAP_BLOCK(64, 64, 64) / 8];

static void report(void *arg, const struct pmumap_finding *f)
{
	(void)arg;
	printf("%s %s: %s", pmumap_severity_str(f->severity), f->name,
	       f->property ? f->property : "the node");
	if (f->row != PMUMAP_NO_ROW)
		printf(" row %" PRIu32, f->row);
	putchar('\n');
}

int main(int argc, char **argv)
{
	const uint32_t event = 0x00004; /* cache misses */
	const struct pmumap *map;
	enum pmumap_status status;
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	size_t size = file ? fread(fdt, 1, sizeof(fdt), file) : 0;
	const uint32_t counters = 0x7fd; /* the hart's: 0, 2, and 3 to 10 */
	struct pmumap_fdt_hart harts[64];
	struct pmumap_job job;
	uint32_t features = 0;
	size_t count;
	int counter;

	(void)pmumap_fdt_check(fdt, size, NULL, block, sizeof(block), report, NULL);
	status = pmumap_fdt_build(fdt, size, NULL, block, sizeof(block), &map);
	if (status != PMUMAP_OK) {
		printf("no map: %s\n", pmumap_status_str(status));
		return 1;
	}
	if (pmumap_fdt_harts(fdt, size, harts, 64, &count) == PMUMAP_OK && count)
		features = harts[0].features;
	counter = pmumap_plan(map, event, 0, counters, features, PMUMAP_RULE_ABSENT, &job);
	if (counter < 0) {
		printf("%s: not here\n", pmumap_event_name(event));
		return 1;
	}
	printf("%s: mhpmevent%d = 0x%" PRIx64 "\n", pmumap_event_name(event), counter,
	       job.selector);
	return 0;
}
