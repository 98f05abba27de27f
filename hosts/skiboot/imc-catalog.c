/* SPDX-License-Identifier: BSD-2-Clause
 *
 * imc-catalog.c -- prepares a catalog of In-Memory Collection counters before it is expanded.
 */
#define pr_fmt(fmt) "IMC: " fmt
#include <skiboot.h>
#include <chip.h>
#include <cpu.h>
#include <imc.h>
#include <imc-catalog.h>

#include "pmumap_imc.h"

/* The units that this chip reports for all chips; 0 if any chip's microcode is not running. */
static uint64_t available_units(struct imc_chip_cb *(*control)(uint32_t chip_id))
{
	struct proc_chip *chip;

	for_each_chip(chip) if (!control(chip->id)) return 0;
	return be64_to_cpu(control(this_cpu()->chip_id)->imc_chip_avl_vector);
}

bool imc_fix_catalog(void *blob, size_t bytes, struct imc_chip_cb *(*control)(uint32_t chip_id))
{
	const int count = nr_chips();
	struct pmumap_imc_chips chips = { 0 };
	uint32_t *ids = zalloc(count * sizeof(*ids));
	uint64_t *bases = zalloc(count * sizeof(*bases));
	enum pmumap_status status = PMUMAP_E_NOSPACE;
	struct proc_chip *chip;
	size_t need;

	chips.chips = ids;
	chips.bases = bases;
	chips.generation = proc_gen == proc_gen_p9 ? PMUMAP_IMC_P9 : PMUMAP_IMC_P10;
	chips.available = available_units(control);
	if (ids && bases) {
		for_each_chip(chip)
		{
			ids[chips.count] = chip->id;
			bases[chips.count++] = chip->homer_base;
		}
		status = pmumap_imc_fdt_fixup(blob, bytes, &chips, &need);
	}
	if (status != PMUMAP_OK)
		prerror("catalog: %s\n", pmumap_status_str(status));
	free(ids);
	free(bases);
	return status == PMUMAP_OK;
}
