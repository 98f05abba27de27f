/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rom.h -- what the files of the verb rom share.
 */
#ifndef ROM_H
#define ROM_H

#include "rom_layout.h"
#include "source/request.h"

/*
 * AMU: prints what TF-A v2.13 and later expects from the platform. list: MPIDRs in the platform's
 * order; NULL: tree order. implemented: the counters that may be enabled. Returns an exit code.
 */
int put_amu_enables(const char *file, const struct pmumap_amu *map, const char *list,
		    uint32_t implemented);

#endif /* ROM_H */
