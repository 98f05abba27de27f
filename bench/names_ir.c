/* SPDX-License-Identifier: BSD-2-Clause
 *
 * names_ir.c -- looks up each name of a list once, so that names_ir.sh can count instructions.
 *
 * usage: names-ir MAP LIST none|pmumap|gperf hit|miss
 */
#include <stdio.h>
#include <string.h>
#include "pmumap_imc.h"

struct slot {
	const char *name;
	unsigned len, offset;
};
const struct slot *gperf_find(const char *text, size_t len);

enum { NAMES = 4096, LONGEST = 100 };
static uint64_t image[1 << 15];
static struct {
	char text[LONGEST];
	size_t len;
} key[NAMES];

/* Replaces one character by a digit, so that no event has the name. */
static void make_miss(const struct pmumap_imc *map, uint32_t i)
{
	char *at = key[i].text + 7 * i % key[i].len;
	uint32_t event;

	for (*at = '0'; pmumap_imc_find_name(map, key[i].text, key[i].len, 0, &event);)
		++*at;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 5 ? fopen(argv[1], "rb") : NULL;
	size_t bytes = file ? fread(image, 1, sizeof(image), file) : 0;
	const struct pmumap_imc *map;
	uint32_t n = 0, i, found = 0, event;
	volatile uint32_t offset = 0; /* so that the look-ups are not optimised away */

	if (!bytes || pmumap_imc_open(image, bytes, &map) != PMUMAP_OK ||
	    !freopen(argv[2], "r", file))
		return 2;
	for (; n < NAMES && fscanf(file, " %99[^,]%*[^\n]", key[n].text) == 1; n++) {
		key[n].len = strlen(key[n].text);
		if (*argv[4] == 'm')
			make_miss(map, n);
	}
	if (*argv[3] == 'p') {
		for (i = 0; i < n; i++) {
			if (pmumap_imc_find_name(map, key[i].text, key[i].len, 0, &event)) {
				found++;
				offset = event;
			}
		}
	} else if (*argv[3] == 'g') {
		for (i = 0; i < n; i++) {
			const struct slot *slot = gperf_find(key[i].text, key[i].len);

			if (slot) {
				found++;
				offset = slot->offset;
			}
		}
	}
	return *argv[3] != 'n' && found != (*argv[4] == 'h' ? n : 0);
}
