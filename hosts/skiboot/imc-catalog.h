/* SPDX-License-Identifier: BSD-2-Clause
 *
 * imc-catalog.h -- prepares a catalog of In-Memory Collection counters before it is expanded.
 */
#ifndef __IMC_CATALOG_H
#define __IMC_CATALOG_H

#include <skiboot.h>
#include <imc.h>

/*
 * Give the units of the catalog at blob, in a buffer of so many bytes, the chips that they are on,
 * and take out those that are not there. control finds a chip's control block; NULL: its microcode
 * does not run, and then no nest unit is there. Returns false, and says why, if the catalog is no
 * good; then it is as it was.
 */
bool imc_fix_catalog(void *blob, size_t bytes, struct imc_chip_cb *(*control)(uint32_t chip_id));

#endif /* __IMC_CATALOG_H */
