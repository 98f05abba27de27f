/* SPDX-License-Identifier: BSD-2-Clause */
/* Find mistakes in a tree */
#pragma once

#include "riscv/fdt_api.h"

/*
 * Report mistakes in the node that pmumap_fdt_build() reads, and in how nodes serve harts. row
 * counts from 0 in its table. report may be called until this returns; it must not change the tree.
 *
 * mem: a block as for pmumap_fdt_build(), which holds a struct pmumap_fdt_hart for each hart, and
 * then the rows. Afterwards its contents are undefined: build a map if you also want one.
 *
 * Returns  what pmumap_fdt_build() returns for the same tree and block. Findings that explain an
 *	    error have been reported before. E_NOSPACE also if the harts do not fit; then
 *	    mistakes in how nodes serve them have not been reported.
 * Cost     O(n log n) for any n bytes of blob.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_check(const void *fdt, size_t fdt_size,
					       const struct pmumap_fdt_options *opt, void *mem,
					       size_t bytes, pmumap_report_fn *report, void *arg);
