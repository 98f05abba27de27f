/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_imc_hw.h 0.3.1 -- IMC on a POWER machine: which PMUs it has, its counters, control blocks
 *	and SCOMs; catalogs in firmware.
 *
 * QUICK START: control blocks and SCOMs
 *	#include "pmumap_imc_hw.h"		// includes pmumap_imc.h
 *
 *	struct pmumap_imc_hw power = { my_load, my_store, my_scom, 0, 0 };
 *	uint64_t state;
 *
 *	if (!pmumap_imc_control_load(map, &power, unit, chip, PMUMAP_IMC_CB_STATUS, &state))
 *		return;				// the PMU has no control block on this chip
 *	if (pmumap_imc_core_init(&power, PMUMAP_IMC_P9, core, page))
 *		pmumap_imc_core_run(&power, PMUMAP_IMC_P9, core, 1);
 *
 * QUICK START: this machine's PMUs
 *	static uint64_t block[8192];		// or measure: pmumap_imc_fdt_measure()
 *	static struct pmumap_imc_options options;
 *	const struct pmumap_imc *map;
 *	enum pmumap_status status;
 *
 *	options.wanted = pmumap_imc_wanted;
 *	options.generation = PMUMAP_IMC_P9;
 *	options.available = pmumap_imc_vector(&power, base);
 *	status = pmumap_imc_fdt_build(fdt, fdt_size, &options, block, sizeof(block), &map);
 *
 * CONTRACT
 *   As in pmumap_imc.h. A register operation that is refused returns 0.
 */
#include "pmumap_imc.h"
#include "imc/machine_api.h"
#include "imc/hw_api.h"
#include "imc/fixup_api.h"
#include "imc/vector.h"
#include "imc/catalog.h"
#include "imc/fixup.h"
#include "imc/hw.h"
