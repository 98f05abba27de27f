/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings: mistakes in a device tree */
#pragma once

#include "core/findings_api.h"
#include "imc/api.h"

/* Mistakes in a description of IMC. Codes never change. */
#define PMUMAP_IMC_FINDING_LIST(X)                                                                 \
	X(REG_MISSING, 25, "reg-missing")         /* value: 0 */                                   \
	X(REG_OVERFLOW, 26, "reg-overflow")       /* value: reg of the first event */              \
	X(NAME_MISSING, 27, "name-missing")       /* value: 0 */                                   \
	X(NAME_DUPLICATE, 28, "name-duplicate")   /* value: reg of the second event */             \
	X(UNIT_DUPLICATE, 29, "unit-duplicate")   /* value: 0 */                                   \
	X(PREFIX_MISSING, 30, "prefix-missing")   /* value: 0 */                                   \
	X(EVENTS_MISSING, 31, "events-missing")   /* value: phandle, or 0 */                       \
	X(LIST_EMPTY, 32, "list-empty")           /* value: phandle */                             \
	X(OFFSET_RANGE, 33, "offset-range")       /* value: the first offset */                    \
	X(OFFSET_ALIGN, 34, "offset-align")       /* value: reg */                                 \
	X(OFFSET_CLASH, 35, "offset-clash")       /* value: offset */                              \
	X(CONTROL_OVERLAP, 36, "control-overlap") /* value: the first offset */                    \
	X(SCALE_BAD, 37, "scale-bad")             /* value: 0 */                                   \
	X(TYPE_MISSING, 38, "type-missing")       /* value: 0 */                                   \
	X(TYPE_UNKNOWN, 39, "type-unknown")       /* value: type */                                \
	X(CHIP_MISMATCH, 40, "chip-mismatch")     /* value: number of chip ids */                  \
	X(OLD_FORMAT, 41, "old-format")           /* value: 0 */                                   \
	X(WINDOW_MISSING, 43, "window-missing")   /* value: 0 */                                   \
	X(CELL_WIDTH, 44, "cell-width")           /* value: bytes, instead of 4 */                 \
	X(CONTROL_RANGE, 45, "control-range")     /* value: cb_offset */                           \
	X(SCALE_EMPTY, 46, "scale-empty")         /* value: 0 */                                   \
	X(LIST_UNUSED, 47, "list-unused")         /* value: phandle */                             \
	X(OFFSET_ALIAS, 48, "offset-alias")       /* value: offset */

enum pmumap_imc_code {
#define PMUMAP_X_(name, number, text) PMUMAP_F_##name = number,
	PMUMAP_IMC_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/*
 * Report mistakes in a tree. row and other are numbers of PMUs; for a dropped PMU, row is the
 * number that the next one gets. For an event, row counts the events of the tree. report may be
 * called until this returns; it must not change the tree.
 *
 * mem: a block as for pmumap_imc_fdt_build(), which fills it meanwhile. Afterwards its contents are
 * undefined: build a map if you also want one.
 *
 * Returns  PMUMAP_OK; or the error of pmumap_imc_fdt_build(), and nothing is reported.
 * Cost     O(n log n) for any n bytes of blob and block.
 */
PMUMAP_API enum pmumap_status pmumap_imc_check(const void *fdt, size_t fdt_size,
					       const struct pmumap_imc_options *opt, void *mem,
					       size_t bytes, pmumap_report_fn *report, void *arg);

/*
 * Parse a scale exactly: "1.2207e-4" is 12207 * 10^-8. Returns 0 unless it is a positive decimal
 * number with digits in 64 bits and an exponent from -9999 to 9999.
 */
PMUMAP_API int pmumap_imc_scale(const char *scale, uint64_t *mantissa, int32_t *exponent);
