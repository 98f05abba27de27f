/* SPDX-License-Identifier: BSD-2-Clause */
/* What a machine has: PMUs, catalogs */
#pragma once

#include "imc/api.h"

/*
 * Processor generations with an availability vector, for options.generation. Add NO_TRACE to leave
 * out the trace PMU, or use it alone.
 */
enum { PMUMAP_IMC_P9 = 9, PMUMAP_IMC_P10 = 10 /* and POWER11 */, PMUMAP_IMC_NO_TRACE = 0x100 };

/*
 * Whether a nest PMU, in any spelling, exists by its generation's availability vector, whose bit 0
 * is the highest; P10's links have three bits each. PMUs without a bit exist, except those of debug
 * modes (mcs0 to mcs7). A combined PMU (mcs01) exists if either half does. With vector 0 no
 * microcode counts, so no PMU exists. For any other generation, 0 included, every PMU exists.
 */
PMUMAP_API int pmumap_imc_available(unsigned generation, uint64_t vector, const char *unit);

/*
 * Write Linux's name of a PMU: nest_mcs01_imc, core_imc. It is cut to bytes, and terminated unless
 * that is 0. Returns the length of the whole name; 0 for a wrong PMU.
 */
PMUMAP_API size_t pmumap_imc_linux_name(const struct pmumap_imc *m, uint32_t unit, char *text,
					size_t bytes);

/*
 * For options.wanted: leave out nest PMUs that do not exist, by options.generation and available,
 * and trace PMUs with NO_TRACE. unit: the name of its node.
 */
PMUMAP_API int pmumap_imc_wanted(const struct pmumap_imc_options *opt, uint32_t type,
				 const char *unit);

/*
 * Find a processor's part of an IMA_CATALOG image: an xz-compressed tree. skiboot's signed header
 * of 4096 bytes may come first; it is skipped unchecked, but offset includes it. The magic is IMCC,
 * or IMAC before mid-2017.
 * Returns  1; or 0: the image is invalid or truncated, or has no part for this PVR.
 */
PMUMAP_API int pmumap_imc_catalog(const void *image, size_t bytes, uint32_t pvr, size_t *offset,
				  size_t *size);
