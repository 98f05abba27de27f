/* SPDX-License-Identifier: BSD-2-Clause */
/* Types of units */
#pragma once

#include "imc/api.h"

static inline int pmumap_imc_is_type_(uint32_t type)
{
	return type == PMUMAP_IMC_NEST || type == PMUMAP_IMC_CORE || type == PMUMAP_IMC_THREAD ||
	       type == PMUMAP_IMC_TRACE;
}
