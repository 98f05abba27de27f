/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * amu.c -- a U-Boot command for Arm that lists the activity monitors of the control device tree, and
 * reads those of this CPU. For cmd/.
 */
#include <command.h>
#include <stdio.h>
#include <asm/global_data.h>
#include <linux/libfdt.h>
#include <linux/types.h>

#define PMUMAP_NO_STDINT
#include <pmumap.h>

DECLARE_GLOBAL_DATA_PTR;

static void list_monitors(const struct pmumap_amu *map)
{
	struct pmumap_amu_cpu cpu;
	u32 i, n;

	for (i = 0; pmumap_amu_cpu_at(map, i, &cpu); i++) {
		printf("CPU 0x%llx:", (unsigned long long)cpu.mpidr);
		for (n = 0; n < 16; n++) {
			if (cpu.described >> n & 1)
				printf(" %s%s", pmumap_amu_counter_name(map, cpu.view, n),
				       cpu.enable >> n & 1 ? "" : " (off)");
		}
		printf("\n");
	}
}

#ifdef __aarch64__
/* Of this CPU, if firmware permits it. */
static void read_monitors(void)
{
	struct pmumap_amu_hw hw;
	u32 group, n;

	pmumap_amu_native(&hw);
	if (!pmumap_amu_probe(&hw))
		return;
	for (group = 0; group < 2; group++) {
		for (n = 0; n < 16; n++) {
			if (hw.implemented[group] >> n & 1)
				printf("group %u counter %u, event 0x%x: %llu\n", group, n,
				       pmumap_amu_event(&hw, group, n),
				       (unsigned long long)pmumap_amu_read(&hw, group, n));
		}
	}
}
#endif

static int do_amu(struct cmd_tbl *cmdtp, int flag, int argc, char *const argv[])
{
	static u64 block[1024];
	const struct pmumap_amu *map;
	enum pmumap_status status;

	status = pmumap_amu_fdt_build(gd->fdt_blob, fdt_totalsize(gd->fdt_blob), NULL, block,
				      sizeof(block), &map);
	if (status == PMUMAP_OK)
		list_monitors(map);
	else
		printf("amu: %s\n", pmumap_status_str(status));
#ifdef __aarch64__
	read_monitors();
#endif
	return status == PMUMAP_OK ? CMD_RET_SUCCESS : CMD_RET_FAILURE;
}

U_BOOT_CMD(amu, 1, 0, do_amu, "activity monitors", "- list the device tree's, and read this CPU's");
