/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * pmu.c -- a U-Boot command that lists the performance counters of the control device tree, and
 * counts an event while a command runs. For cmd/; see U_BOOT_CMD at the end.
 */
#include <command.h>
#include <stdio.h>
#include <string.h>
#include <asm/global_data.h>
#include <linux/libfdt.h>
#include <linux/types.h>

#define PMUMAP_NO_STDINT
#include <pmumap_check.h>
#include <pmumap_hw.h>
#include <pmumap_amu_check.h>
#include <pmumap_amu_hw.h>

DECLARE_GLOBAL_DATA_PTR;

static u64 block[1024];

static void report(void *arg, const struct pmumap_finding *f)
{
	char path[80];

	if (fdt_get_path(gd->fdt_blob, f->node, path, sizeof(path)))
		strcpy(path, "?");
	printf("%s %s: %s", pmumap_severity_str(f->severity), f->name, path);
	if (f->row != PMUMAP_NO_ROW)
		printf(" row %u", f->row);
	printf(", 0x%llx\n", (unsigned long long)f->value);
}

static const struct pmumap *build(pmumap_report_fn *report)
{
	u32 size = fdt_totalsize(gd->fdt_blob);
	const struct pmumap *map;
	enum pmumap_status status;

	if (report)
		pmumap_fdt_check(gd->fdt_blob, size, NULL, block, sizeof(block), report, NULL);
	status = pmumap_fdt_build(gd->fdt_blob, size, NULL, block, sizeof(block), &map);
	if (status != PMUMAP_OK && status != PMUMAP_E_NOTFOUND)
		printf("pmu: %s\n", pmumap_status_str(status));
	return map;
}

/* The map of Arm's activity monitors reuses the block. */
static const struct pmumap_amu *build_amu(void)
{
	static const struct pmumap_amu_options options = { .labels = pmumap_amu_labels };
	const struct pmumap_amu *map;
	u32 size = fdt_totalsize(gd->fdt_blob);

	pmumap_amu_check(gd->fdt_blob, size, &options, block, sizeof(block), report, NULL);
	pmumap_amu_fdt_build(gd->fdt_blob, size, &options, block, sizeof(block), &map);
	return map;
}

/* ---- RISC-V --------------------------------------------------------------------------------- */

static void list_events(const struct pmumap *map)
{
	struct pmumap_run run;
	u64 select, mask;
	const char *name;
	u32 i, from, counters;

	for (from = 0; pmumap_event_next(map, from, &run); from = run.last + 1) {
		name = pmumap_event_name(run.first);
		printf("0x%05x-0x%05x counters 0x%08x", run.first, run.last, run.counters);
		if (run.has_selector)
			printf(" selector 0x%llx", (unsigned long long)run.selector);
		printf(" %s\n", name ? name : "");
	}
	for (i = 0; pmumap_raw_at(map, i, &select, &mask, &counters); i++)
		printf("raw 0x%llx mask 0x%llx counters 0x%08x\n", (unsigned long long)select,
		       (unsigned long long)mask, counters);
}

#ifdef __riscv
#ifdef CONFIG_RISCV_SMODE
static u32 open_pmu(const struct pmumap *map, struct pmumap_pmu *pmu)
{
	static struct pmumap_sbi sbi;

	pmumap_sbi_init(&sbi);
	sbi.features = 0;
	pmumap_sbi_as_pmu(&sbi, pmu);
	return pmumap_sbi_probe(&sbi);
}
#else
/* Do not probe: U-Boot cannot recover from a trap. */
static u32 open_pmu(const struct pmumap *map, struct pmumap_pmu *pmu)
{
	static struct pmumap_hart hart;

	pmumap_hart_init_machine(&hart);
	hart.features = 0;
	hart.counters = 0xffffffff;
	hart.width = 64;
	pmumap_hart_as_pmu(&hart, pmu);
	return hart.counters;
}
#endif

static int count_event(const struct pmumap *map, const char *name, const char *command)
{
	struct pmumap_job job;
	struct pmumap_pmu pmu;
	u64 before = 0, data;
	u32 free, event;
	int counter;

	if (!pmumap_event_parse(name, strlen(name), &event, &data))
		return CMD_RET_USAGE;
	free = open_pmu(map, &pmu);
	counter = pmumap_plan(map, event, data, free, 0, PMUMAP_RULE_ABSENT, &job);
	job.clear = 1;
	if (counter < 0 || !pmu.set(pmu.arg, counter, &job)) {
		printf("pmu: %s cannot be counted here\n", name);
		return CMD_RET_FAILURE;
	}
	pmu.start(pmu.arg, counter, &before);
	run_command(command, 0);
	pmu.stop(pmu.arg, counter, 0);
	printf("%s on counter %d: %llu\n", name, counter,
	       (unsigned long long)pmu.read(pmu.arg, counter));
	pmu.stop(pmu.arg, counter, 1);
	return CMD_RET_SUCCESS;
}
#endif

/* ---- Arm ------------------------------------------------------------------------------------ */

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

static int do_pmu(struct cmd_tbl *cmdtp, int flag, int argc, char *const argv[])
{
	const struct pmumap *map = build(argc == 1 ? report : NULL);
	const struct pmumap_amu *monitors;

#ifdef __riscv
	if (map && argc == 4 && !strcmp(argv[1], "count"))
		return count_event(map, argv[2], argv[3]);
#endif
	if (argc != 1)
		return CMD_RET_USAGE;
	if (map)
		list_events(map);
	monitors = build_amu();
	if (monitors)
		list_monitors(monitors);
	if (!map && !monitors) {
		printf("pmu: %s\n", pmumap_status_str(PMUMAP_E_NOTFOUND));
		return CMD_RET_FAILURE;
	}
#ifdef __aarch64__
	read_monitors();
#endif
	return CMD_RET_SUCCESS;
}

U_BOOT_CMD(pmu, 4, 0, do_pmu, "performance counters",
	   "- list the device tree's counters and this CPU's activity monitors\n"
	   "pmu count EVENT COMMAND - count EVENT while COMMAND runs, on RISC-V");
