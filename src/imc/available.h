/* SPDX-License-Identifier: BSD-2-Clause */
/* Which units a machine has, by any spelling or by options */
#pragma once

#include "imc/list.h"
#include "imc/vector.h"

PMUMAP_DEF int pmumap_imc_available(unsigned generation, uint64_t vector, const char *unit)
{
	size_t len = pmumap_imc_base_name_bytes_(unit);

	(void)pmumap_imc_strip_linux_name_(&unit, &len, 1);
	return pmumap_imc_has_unit_(generation, vector, unit, len);
}

PMUMAP_DEF int pmumap_imc_wanted(const struct pmumap_imc_options *opt, uint32_t type,
				 const char *unit)
{
	return pmumap_imc_is_wanted_(opt->generation, opt->available, type, unit);
}
