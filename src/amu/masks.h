/* SPDX-License-Identifier: BSD-2-Clause */
/* Which counters exist, and who can read them */
#pragma once

#include "amu/hw_api.h"

PMUMAP_DEF int pmumap_amu_reconcile(uint16_t described, uint16_t enable, uint16_t implemented,
				    uint16_t readable, enum pmumap_amu_mismatch *why)
{
	uint32_t i;

	for (i = 0; i < 16; i++) {
		uint32_t bit = 1u << i;

		if ((enable & bit) && !(described & bit))
			*why = PMUMAP_AMU_NOT_DESCRIBED;
		else if (((enable | described) & bit) && !(implemented & bit))
			*why = PMUMAP_AMU_NOT_IMPLEMENTED;
		else if ((enable & bit) && !(readable & bit))
			*why = PMUMAP_AMU_NOT_READABLE;
		else
			continue;
		return (int)i;
	}
	*why = PMUMAP_AMU_FITS;
	return -1;
}

PMUMAP_DEF uint16_t pmumap_amu_implemented(uint64_t amcfgr, uint64_t amcgcr, int v1p1,
					   uint64_t amcg1idr)
{
	uint32_t n = (uint32_t)amcgcr >> 8 & 0xff;

	if (((uint32_t)amcfgr >> 28 & 0xf) == 0)
		return 0;
	return (uint16_t)(v1p1 ? amcg1idr : n < 16 ? (1u << n) - 1 : 0xffff);
}

PMUMAP_DEF uint16_t pmumap_amu_readable(const struct pmumap_amu_access *access, uint32_t group,
					uint16_t implemented)
{
	uint32_t traps = (uint32_t)(group ? access->hafgrtr_el2 >> 18 : access->hafgrtr_el2 >> 1);
	uint32_t n, trapped = 0;

	if ((access->el < 3 && (access->cptr_el3 & PMUMAP_AMU_TAM)) ||
	    (access->el < 2 && (access->cptr_el2 & PMUMAP_AMU_TAM)) ||
	    (access->el < 1 && !(access->amuserenr & 1)) ||
	    (group && access->el < access->highest_el && (access->amcr & PMUMAP_AMU_CG1RZ)))
		return 0;
	for (n = 0; n < 16 && access->el < 2; n++) {
		trapped |= (traps & 1) << n;
		traps >>= group ? 2 : 1;
	}
	return (uint16_t)(implemented & ~trapped);
}
