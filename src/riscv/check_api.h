/* SPDX-License-Identifier: BSD-2-Clause */
/* Find mistakes in a tree */
#pragma once

#include "riscv/fdt_api.h"

/* For options.check: build the map, report mistakes in the node. row counts from 0 in its table. */
PMUMAP_API enum pmumap_status pmumap_check(const void *fdt, size_t fdt_size,
					   const struct pmumap_fdt_options *opt, void *mem,
					   size_t bytes, const struct pmumap **map);
