/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * imc-catalog.c -- prepares a catalog of In-Memory Collection counters before it is expanded.
 */
#define pr_fmt(fmt) "IMC: " fmt
#include <skiboot.h>
#include <chip.h>
#include <cpu.h>
#include <imc.h>
#include <imc-catalog.h>

#include "pmumap.h"

bool imc_fix_catalog(void *blob, size_t bytes, struct imc_chip_cb *(*control)(uint32_t chip_id))
{
	const int count = nr_chips();
	struct pmumap_imc_chips chips = { 0 };
	uint64_t *bases = zalloc(count * (sizeof(*bases) + sizeof(uint32_t)));
	uint32_t *ids = (uint32_t *)(bases + count);
	enum pmumap_status status = PMUMAP_E_NOSPACE;
	const struct imc_chip_cb *block;
	struct proc_chip *chip;
	bool running = true;

	chips.chips = ids;
	chips.bases = bases;
	chips.generation = proc_gen == proc_gen_p9 ? PMUMAP_IMC_P9 : PMUMAP_IMC_P10;
	if (bases) {
		for_each_chip(chip)
		{
			ids[chips.count] = chip->id;
			bases[chips.count++] = chip->homer_base;
			block = control(chip->id);
			if (!block)
				running = false;
			else if (chip->id == this_cpu()->chip_id)
				chips.available = be64_to_cpu(block->imc_chip_avl_vector);
		}
		if (!running) /* on any chip: then no unit counts */
			chips.available = 0;
		status = pmumap_imc_fdt_fixup(blob, bytes, &chips, NULL);
	}
	if (status != PMUMAP_OK)
		prerror("catalog: rc %d\n", (int)status);
	free(bases);
	return status == PMUMAP_OK;
}
