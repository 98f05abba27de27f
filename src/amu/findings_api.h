/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings: mistakes in a device tree; labels */
#pragma once

#include "core/findings_api.h"
#include "amu/api.h"

/* Mistakes in a description of activity monitors. Codes never change. */
#define PMUMAP_AMU_FINDING_LIST(X)                                                                 \
	X(VIEW_MISSING, 50, "view-missing")           /* value: phandle */                         \
	X(VIEW_FOREIGN, 51, "view-foreign")           /* value: 0 */                               \
	X(VIEW_EXTRA, 52, "view-extra")               /* value: cells, at most 65535 */            \
	X(CELLS, 53, "cells")                         /* value: #address-cells */                  \
	X(COUNTER_REG, 54, "counter-reg")             /* value: 0 */                               \
	X(COUNTER_RANGE, 55, "counter-range")         /* value: index, at most 2^32 - 1 */         \
	X(COUNTER_DUPLICATE, 56, "counter-duplicate") /* value: index */                           \
	X(COUNTER_NAME, 57, "counter-name")           /* value: index */                           \
	X(UNIT_MISMATCH, 58, "unit-mismatch")         /* value: index */                           \
	X(ENABLE_VALUE, 59, "enable-value")           /* value: index */                           \
	X(CPU_REG, 60, "cpu-reg")                     /* value: MPIDR */                           \
	X(CPU_DUPLICATE, 61, "cpu-duplicate")         /* value: MPIDR */                           \
	X(CPU_DISABLED, 62, "cpu-disabled")           /* value: 0 */                               \
	X(CPU_NAME, 63, "cpu-name")                   /* value: 0 */

enum pmumap_amu_code {
#define PMUMAP_X_(name, number, text) PMUMAP_F_##name = number,
	PMUMAP_AMU_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/*
 * Report mistakes in a tree, in the order of its views, then of its CPUs. row and other are numbers
 * of CPUs. For a dropped CPU, row is the number that the next one gets.
 *
 * mem: a block as for pmumap_amu_fdt_build(). Afterwards, build a map there if you want one.
 *
 * Returns  PMUMAP_OK; or the error of pmumap_amu_fdt_build(), and nothing is reported.
 * Cost     four walks, and O(n log n) for n CPUs and views.
 */
PMUMAP_API enum pmumap_status pmumap_amu_check(const void *fdt, size_t fdt_size,
					       const struct pmumap_amu_options *opt, void *mem,
					       size_t bytes, pmumap_report_fn *report, void *arg);

/* For options.labels: name the counters of views in /cpus/amus by labels of up to 63 bytes. */
PMUMAP_API void pmumap_amu_labels(struct pmumap_amu_build_ *b);
