/* SPDX-License-Identifier: BSD-2-Clause
 *
 * imc_firmware.c -- what firmware does with the counters of a POWER9 chip: it keeps the PMUs that the
 * chip has, runs the nest by its control block, and a core by its SCOMs. The machine is a small
 * array; a real one has memory and XSCOM instead.
 *
 *	imc_firmware live.dtb
 */
#include <inttypes.h>
#include <stdio.h>
#include "pmumap_imc_hw.h"

struct machine {
	uint64_t control; /* address of the chip's control block */
	uint64_t word[PMUMAP_IMC_CB_BYTES / 8];
};

static unsigned char fdt[1 << 20];
static uint64_t block[1 << 15];

static uint64_t load(void *arg, uint64_t phys)
{
	const struct machine *m = arg;

	return m->word[(phys - m->control) / 8];
}

/* Microcode obeys at once. */
static void store(void *arg, uint64_t phys, uint64_t value)
{
	struct machine *m = arg;

	m->word[(phys - m->control) / 8] = value;
	if (phys - m->control == PMUMAP_IMC_CB_COMMAND)
		m->word[PMUMAP_IMC_CB_STATUS / 8] =
			value == PMUMAP_IMC_PAUSE ? PMUMAP_IMC_PAUSED : PMUMAP_IMC_RUNNING;
}

static int put(const char *what, enum pmumap_imc_chiplet chiplet, uint32_t core, uint32_t address,
	       uint64_t value)
{
	printf("%s %s of core %" PRIu32 ": SCOM 0x%" PRIx32 " = 0x%" PRIx64 "\n", what,
	       chiplet == PMUMAP_IMC_CORE_CHIPLET ? "chiplet" : "quad", core, address, value);
	return 1;
}

static int scom(void *arg, enum pmumap_imc_chiplet chiplet, uint32_t core, uint32_t address,
		uint64_t value)
{
	(void)arg;
	return put("write", chiplet, core, address, value);
}

/* The self-restore code writes it again when the core wakes up. */
static int save(void *arg, enum pmumap_imc_chiplet chiplet, uint32_t core, uint32_t address,
		uint64_t value)
{
	(void)arg;
	return put("save", chiplet, core, address, value);
}

/* All nest PMUs of a chip share its control block, so the first one starts them all. */
static int start_nest(const struct pmumap_imc *map, struct pmumap_imc_hw *power, uint32_t chip)
{
	uint64_t status;
	uint32_t unit = 0;
	struct pmumap_imc_unit about;

	while (pmumap_imc_unit_at(map, unit, &about) &&
	       !pmumap_imc_control_store(map, power, unit, chip, PMUMAP_IMC_CB_SPEED,
					 PMUMAP_IMC_1MS))
		unit++;
	if (!pmumap_imc_control_store(map, power, unit, chip, PMUMAP_IMC_CB_COMMAND,
				      PMUMAP_IMC_RESTART) ||
	    !pmumap_imc_control_load(map, power, unit, chip, PMUMAP_IMC_CB_STATUS, &status))
		return 0;
	printf("nest of chip %" PRIu32 ": %s\n", chip,
	       status == PMUMAP_IMC_RUNNING ? "running" : "stopped");
	return 1;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	size_t size = file ? fread(fdt, 1, sizeof(fdt), file) : 0;
	const uint64_t base = 0x1ffd0000000; /* HOMER memory of chip 0, as in live.dtb */
	struct machine machine = { base + PMUMAP_IMC_CONTROL,
				   { PMUMAP_IMC_PAUSED, 0, 0, 0xffff800000000000 } };
	struct pmumap_imc_hw power = { load, store, scom, &machine, save };
	const struct pmumap_imc_trace_scom trace = { 1, 0xfffff, 0x7f, 2, 0 };
	struct pmumap_imc_options options = { 0 };
	const struct pmumap_imc *map;

	options.wanted = pmumap_imc_wanted;
	options.generation = PMUMAP_IMC_P9;
	options.available = pmumap_imc_vector(&power, base);
	if (pmumap_imc_fdt_build(fdt, size, &options, block, sizeof(block), &map) != PMUMAP_OK ||
	    !start_nest(map, &power, 0) ||
	    !pmumap_imc_core_init(&power, PMUMAP_IMC_P9, 4, 0x200000) ||
	    !pmumap_imc_core_run(&power, PMUMAP_IMC_P9, 4, 1) ||
	    !pmumap_imc_trace_init(&power, PMUMAP_IMC_P9, 4, &trace)) {
		puts("no counters");
		return 1;
	}
	return 0;
}
