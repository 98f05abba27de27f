/* SPDX-License-Identifier: BSD-2-Clause */
/* Which nest units a machine has, by any spelling */
#pragma once

#include "imc/unit_name.h"
#include "imc/vector.h"

PMUMAP_DEF int pmumap_imc_available(unsigned generation, uint64_t vector, const char *unit)
{
	size_t len = pmumap_imc_base_name_bytes_(unit);

	(void)pmumap_imc_strip_linux_name_(&unit, &len, 1);
	return pmumap_imc_has_unit_(generation, vector, unit, len);
}
