/* SPDX-License-Identifier: BSD-2-Clause */
/* What is wrong with a tree */
#pragma once

#include "riscv/fdt_api.h"

/*
 * For options.check: builds the map, and reports what is wrong with the node in use, or probably
 * unintended. In a finding, a row counts from 0 within its table.
 */
PMUMAP_API enum pmumap_status pmumap_check(const void *fdt, size_t fdt_size,
					   const struct pmumap_fdt_options *opt, void *mem,
					   size_t bytes, const struct pmumap **map);
