/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_imc_check.h 0.3.1 -- find mistakes in a description of IMC; numbers from scales.
 *
 * QUICK START
 *	#include "pmumap_imc_check.h"		// includes pmumap_imc.h
 *
 *	static void print(void *arg, const struct pmumap_finding *f)
 *	{
 *		(void)arg;			// "warning: events: events-missing"
 *		printf("%s: %s: %s\n", pmumap_severity_str(f->severity),
 *		       f->property ? f->property : "imc", f->name);
 *	}
 *
 *	enum pmumap_status status = pmumap_imc_check(fdt, fdt_size, 0, block, sizeof(block), print,
 *						     0);
 *
 * CONTRACT
 *   As in pmumap_imc.h. The block is as large as for a build; it is free again afterwards.
 */
#include "pmumap_imc.h"
#include "imc/findings_api.h"
#include "imc/scale.h"
#include "imc/check.h"
