/* SPDX-License-Identifier: BSD-2-Clause */
/* Which units a machine has, by any spelling or by options; Linux's spelling */
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

PMUMAP_DEF size_t pmumap_imc_linux_name(const struct pmumap_imc *m, uint32_t unit, char *text,
					size_t bytes)
{
	struct pmumap_imc_unit u;
	const char *part[3];
	size_t n = 0, i;

	if (!pmumap_imc_unit_at(m, unit, &u))
		return 0;
	part[0] = u.type == PMUMAP_IMC_NEST ? "nest_" : "";
	part[1] = u.name;
	part[2] = "_imc";
	for (i = 0; i < 3; i++) {
		for (; *part[i] && *part[i] != '@'; part[i]++, n++) {
			if (n + 1 < bytes)
				text[n] = *part[i];
		}
	}
	if (bytes)
		text[n < bytes ? n : bytes - 1] = 0;
	return n;
}
