/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rom_amu.c -- replaces tool/rom/rom_amu.c in the page, which has no --amu-enables option.
 */
#include "rom/rom.h"

int put_amu_enables(const char *file, const struct pmumap_amu *map, const char *list,
		    uint32_t implemented)
{
	(void)map;
	(void)list;
	(void)implemented;
	return complain(USAGE, file, "the page has no --amu-enables");
}
