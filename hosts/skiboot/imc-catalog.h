/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * imc-catalog.h -- prepares a catalog of In-Memory Collection counters before it is expanded.
 */
#ifndef __IMC_CATALOG_H
#define __IMC_CATALOG_H

#include <skiboot.h>
#include <imc.h>

/*
 * Add to each unit of the catalog at blob, a buffer of so many bytes, the chips that have it, and
 * remove missing units. control finds a chip's control block; NULL means that the microcode is not
 * running, and all nest units are removed. Returns false, prints pmumap's status and leaves the catalog
 * unchanged if the catalog is unusable.
 */
bool imc_fix_catalog(void *blob, size_t bytes, struct imc_chip_cb *(*control)(uint32_t chip_id));

#endif /* __IMC_CATALOG_H */
