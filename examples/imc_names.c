/* SPDX-License-Identifier: BSD-2-Clause
 *
 * imc_names.c -- device tree -> map -> the memory addresses of an event's counters.
 *
 *	imc_names live.dtb PM_MCS01_128B_RD_DISP_PORT01
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "pmumap_imc_hw.h"

static unsigned char fdt[1 << 20];
static uint64_t block[1 << 15]; /* building a POWER9 catalog takes half of it; the map, 16 KiB */

/* Several units may have an event of this name, and several chips a unit. */
static uint32_t show(const struct pmumap_imc *map, const char *name)
{
	struct pmumap_imc_event event;
	uint64_t base, address;
	uint32_t n, i, chip, number;

	for (n = 0; pmumap_imc_find_name(map, name, strlen(name), n, &number) &&
		    pmumap_imc_event(map, number, &event);
	     n++) {
		printf("%s: offset 0x%" PRIx32, event.unit, event.offset);
		if (event.scale)
			printf(", times %s", event.scale);
		for (i = 0; pmumap_imc_chip_at(map, event.unit_index, i, &chip, &base); i++) {
			if (pmumap_imc_address(map, &event, chip, &address))
				printf(", chip %" PRIu32 ": 0x%" PRIx64, chip, address);
		}
		putchar('\n');
	}
	return n;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
	size_t size = file ? fread(fdt, 1, sizeof(fdt), file) : 0;
	const struct pmumap_imc *map;
	enum pmumap_status status;

	status = pmumap_imc_fdt_build(fdt, size, NULL, block, sizeof(block), &map);
	if (status != PMUMAP_OK) {
		printf("no map: %s\n", pmumap_status_str(status));
		return 1;
	}
	return show(map, argv[2]) ? 0 : 1;
}
