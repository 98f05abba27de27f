/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * pmu.c -- a U-Boot command for RISC-V that lists the events of the control device tree, and counts
 * one while a command runs. For cmd/; see U_BOOT_CMD at the end.
 */
#include <command.h>
#include <stdio.h>
#include <string.h>
#include <asm/global_data.h>
#include <linux/libfdt.h>
#include <linux/types.h>

#define PMUMAP_NO_STDINT
#include <pmumap.h>

DECLARE_GLOBAL_DATA_PTR;

static const struct {
	enum pmumap_table table;
	const char *property;
} tables[] = {
	{ PMUMAP_TABLE_SELECTORS, "riscv,event-to-mhpmevent" },
	{ PMUMAP_TABLE_COUNTERS, "riscv,event-to-mhpmcounters" },
	{ PMUMAP_TABLE_RAW, "riscv,raw-event-to-mhpmcounters" },
};

/* libfdt reads the node, so there is no second reader. */
static const struct pmumap *build(void)
{
	static u64 block[1024];
	struct pmumap_builder b;
	const struct pmumap *map;
	enum pmumap_status status = PMUMAP_E_NOTFOUND;
	const void *cells;
	int node, length;
	u32 i;

	node = fdt_node_offset_by_compatible(gd->fdt_blob, -1, "riscv,pmu");
	if (node >= 0) {
		pmumap_begin(&b, block, sizeof(block));
		for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
			cells = fdt_getprop(gd->fdt_blob, node, tables[i].property, &length);
			pmumap_add_table(&b, tables[i].table, cells, length);
		}
		status = pmumap_finish(&b, &map);
	}
	if (status == PMUMAP_OK)
		return map;
	printf("pmu: %s\n", pmumap_status_str(status));
	return NULL;
}

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

static int do_pmu(struct cmd_tbl *cmdtp, int flag, int argc, char *const argv[])
{
	const struct pmumap *map;

	if (argc != 1 && (argc != 4 || strcmp(argv[1], "count")))
		return CMD_RET_USAGE;
	map = build();
	if (!map)
		return CMD_RET_FAILURE;
	if (argc == 4)
		return count_event(map, argv[2], argv[3]);
	list_events(map);
	return CMD_RET_SUCCESS;
}

U_BOOT_CMD(pmu, 4, 0, do_pmu, "performance counters",
	   "- list the device tree's events and counters\n"
	   "pmu count EVENT COMMAND - count EVENT while COMMAND runs");
