/* SPDX-License-Identifier: BSD-2-Clause */
#include "verbs.h"

/* Each verb has a folder of its own. These return the exit code; no header declares them. */
int show_verb(const struct request *request);
int lookup_verb(const struct request *request);
int check_verb(const struct request *request);
int perf_verb(const struct request *request);
int assign_verb(const struct request *request);
int rom_verb(const struct request *request);
int picture_verb(const struct request *request);
int write_verb(const struct request *request);

#define TREE                                                                                       \
	(INCLUDE | ALLOW_INCBIN | NODE | HART | AVAILABLE | PVR) /* what of a FILE is to be read */

const struct verb verbs[] = {
	{ "show", "[FILE]", "the tables, and a grid of events and counters", show_verb,
	  JSON | EVENTS | GRID | UNIT | DESC | TREE,
	  HELP_ONLY("The grid has a row for each event and a # under each counter that can count\n"
		    "it. If harts have different riscv,pmu nodes, show prints the map of each\n"
		    "node. For IBM's in-memory counters (IMC) it lists the PMUs; --events or\n"
		    "--unit adds their events. For a container of catalogs it lists the catalogs.\n"
		    "For Arm's activity monitors (AMU) it lists the CPUs with their auxiliary\n"
		    "counters."),
	  HELP_ONLY("pmumap show board.dtb\n"
		    "         pmumap show --unit mcs01 power9.dtb\n"
		    "         pmumap show tc2.dtb") },
	{ "lookup", "[FILE] QUERY...", "the counters and the selector of each event", lookup_verb,
	  JSON | EVENTS | TREE,
	  HELP_ONLY("A QUERY is an SBI name (SBI_PMU_HW_CACHE_MISSES, cache-misses), a perf name\n"
		    "(dTLB-load-misses, cycles:u, cpu/event=0x5/), a RISC-V International name\n"
		    "that means the same (TLB.L1D.LOAD.MISS), a number (0x10019), a raw\n"
		    "event (r1801, raw:0x1801; raw-v2:0x1801 for 56 bits), a firmware event\n"
		    "(fw:5, set-timer) or a platform event (platform:0x1). If nothing counts the\n"
		    "event, lookup prints the reason. Any other QUERY is a case-insensitive\n"
		    "substring or glob (misses, L1-*). It finds all events with such a name that\n"
		    "are counted.\n"
		    "\n"
		    "For IBM's in-memory counters (IMC) a QUERY is a full name\n"
		    "(PM_MCS01_64B_RD_DISP_PORT01), a name in one PMU (mcs01/PM_...,\n"
		    "mcs01@c8/PM_..., nest_mcs01_imc/PM_...), an offset (imc:0x450, or in one\n"
		    "PMU imc:mcs01:0xc8), an address on a chip (imc:0x1ffd0180160), a substring\n"
		    "or a glob (PM_MCS01*, mba0/*BYTES).\n"
		    "\n"
		    "For Arm's activity monitors (AMU) a QUERY is a CPU's MPIDR (amu:0x100, of\n"
		    "which only the affinity matters) or its number in the tree (amu:#3)."),
	  HELP_ONLY("pmumap lookup board.dtb cache-misses L1-dcache-load-misses 0x10019 r1801 "
		    "raw:0x1801\n"
		    "         pmumap lookup board.dtb '*TLB*'\n"
		    "         pmumap lookup power9.dtb PM_MCS01_64B_RD_DISP_PORT01 imc:0x450\n"
		    "         pmumap lookup tc2.dtb amu:0x100 amu:#3") },
	{ "check", "FILE|DIR...", "each problem, its effect on firmware, and its fix", check_verb,
	  JSON | STRICT | ALL | SARIF | JOBS | ALLOW_NONE | IGNORE | FIX | OUTPUT | EXPLAIN |
		  FIRMWARE | EVENTS | COUNTERS | TREE,
	  HELP_ONLY(
		  "Error: the row is not used. Warning: this is probably a mistake.\n"
		  "Note: the row is right, but worth knowing about. Rows count from 0 in their\n"
		  "property. For IBM's in-memory counters (IMC) PMUs and events are counted,\n"
		  "for Arm's activity monitors (AMU) CPUs and counters. For a .dts, check also\n"
		  "prints the line. For a folder it checks every .dts, .dtso, .dtb and .dtbo in\n"
		  "and below it and accepts those without a PMU. It checks a .dtsi alone only\n"
		  "if you name it. With --counters it finds rows that name other counters, with\n"
		  "--events selectors that are other events in the core's file (perf's JSON).\n"
		  "\n"
		  "A FILE may also be perf's JSON, and a DIR may have such files. Those of one\n"
		  "folder are one core. Beside one tree, check also compares them with its rows.\n"
		  "\n"
		  "In a source tree of Linux or U-Boot, check finds the include folders itself.\n"
		  "It passes -D NAME, -D NAME=VALUE and -include FILE to the preprocessor, as\n"
		  "the tree's own build does.\n"
		  "\n"
		  "The comment \"pmumap: ignore CODE\" in a source silences a finding on its "
		  "line\n"
		  "and the next. To see only new findings, save today's with check --json DIR\n"
		  ">known, and later run check --ignore known DIR."),
	  HELP_ONLY("pmumap check --strict board.dts\n"
		    "         pmumap check --counters 3-8 board.dts\n"
		    "         pmumap check --sarif board.dts >pmumap.sarif\n"
		    "         pmumap check arch/riscv/boot/dts\n"
		    "         pmumap check tools/perf/pmu-events/arch/riscv/thead/c900-legacy "
		    "board.dts\n"
		    "         pmumap check --explain raw-dead\n"
		    "         pmumap check --pvr 0x4e1202 ima_catalog.bin") },
	{ "perf", "FILE [EVENT...]", "what perf will count on a board, and on which counters",
	  perf_verb,
	  JSON | FIRMWARE | LINUX | USER | LIVE | COUNTERS | EVENTS | INCLUDE | ALLOW_INCBIN |
		  NODE | HART,
	  HELP_ONLY("For each generic event of perf, or for each EVENT, it answers yes, no, or\n"
		    "wrong: perf then prints the count of something else, or of the event's own\n"
		    "number. It also tells whether perf record gets samples, on which counters\n"
		    "the event is counted, what firmware writes to mhpmevent, and why.\n"
		    "Modifiers (cycles:u) are answered too. --events adds the core's own events.\n"
		    "The harts' extensions come from the tree; --hart chooses one. Use --counters\n"
		    "if the tree names counters that the harts lack.\n"
		    "\n"
		    "With --live, on Linux on RISC-V, it also counts each event for a moment, as\n"
		    "this user and for this kernel's version, and names those where kernel and\n"
		    "model differ. The default FILE is then /sys/firmware/fdt, which OpenSBI\n"
		    "leaves no tables, so there is no model.\n"
		    "\n"
		    "The exit status is 1 if an EVENT that you name is not counted or wrong, or,\n"
		    "if you name none, if one is wrong."),
	  HELP_ONLY("pmumap perf board.dtb\n"
		    "         pmumap perf --firmware rustsbi board.dtb cycles cache-misses r1801\n"
		    "         pmumap perf --linux 6.12 --user board.dtb cycles:u\n"
		    "         pmumap perf --live --firmware opensbi-1.6 board.dtb\n"
		    "         pmumap perf --json --events riscv/sifive/u74 board.dtb") },
	{ "assign", "[FILE] EVENT...", "counters for as many events at once as possible",
	  assign_verb, JSON | FREE | FEATURES | GROUPS | EVENTS | TREE,
	  HELP_ONLY("An EVENT is a RISC-V event as in lookup. EVENT@N already runs on counter N\n"
		    "and stays there. The hart's features come from the tree, or from --features.\n"
		    "With Sscofpmf programmable counters can interrupt. With Smcntrpmf fixed\n"
		    "counters can exclude modes, as cycles:u needs. If not all events fit,\n"
		    "--groups makes the fewest groups: perf's {...},{...}."),
	  HELP_ONLY("pmumap assign board.dtb cycles instructions cache-misses branch-misses\n"
		    "         pmumap assign --free 3,4 --features sscofpmf board.dtb cycles "
		    "cache-misses@4\n"
		    "         pmumap assign --groups board.dtb cache-misses branch-misses "
		    "dTLB-load-misses") },
	{ "rom", "[FILE]", "the map as C source, for firmware that reads no device tree", rom_verb,
	  NAME | BINARY | BIG | LITTLE | OUTPUT | AMU_ENABLES | ORDER | COUNTERS | DESC | TREE,
	  HELP_ONLY("The source suits any byte order. The image (--binary) has one; pmumap_open()\n"
		    "reads it.\n"
		    "\n"
		    "--amu-enables prints what a platform of TF-A v2.13 and later defines instead\n"
		    "of the nodes that v2.12 reads: for each core position, the mask of auxiliary\n"
		    "counters (AMU) to enable. The CPUs are in the order of the tree, unless\n"
		    "--order gives another one. --counters leaves out counters that the cores\n"
		    "lack."),
	  HELP_ONLY(
		  "pmumap rom -o board_map.h board.dtb\n"
		  "         pmumap rom --name board -o board_map.h board.dtb\n"
		  "         pmumap rom --binary --big -o board.map board.dtb\n"
		  "         pmumap rom --amu-enables --order 0x100,0x0 --counters 0-2 board.dts") },
	{ "picture", "[FILE]", "the grid as an SVG image", picture_verb,
	  UNIT | NARROW | OUTPUT | TREE,
	  HELP_ONLY("For RISC-V it shows events, raw events and counters; for IBM's in-memory\n"
		    "counters (IMC) a map of each window; for Arm's activity monitors (AMU) CPUs\n"
		    "and counters."),
	  HELP_ONLY("pmumap picture -o board.svg board.dtb") },
	{ "write", "[TABLE|BOARD]", "a riscv,pmu node as source, from a table or a core's events",
	  write_verb, JSON | EVENTS | COUNTERS | LINUX | OUTPUT,
	  HELP_ONLY("A line of the TABLE (- is standard input) is EVENT SELECTOR COUNTERS. #\n"
		    "begins a comment. The EVENT is one that lookup accepts, a range\n"
		    "(0x10000-0x10003) or raw:SELECT/MASK. The SELECTOR is a number, names from\n"
		    "--events joined by |, or - for none. The COUNTERS are 3-6,8 or 0x178. With\n"
		    "--events, write describes all raw events of the core. A line without\n"
		    "COUNTERS has those of the CounterIDMask in --events, otherwise those of\n"
		    "--counters; write rejects lines that name others.\n"
		    "\n"
		    "Raw rows are disjoint, and as few as write can find. They match what is\n"
		    "listed and nothing else; on SiFive's cores also ORed events of one class.\n"
		    "List cycles and instructions too: without a row, firmware may report them as\n"
		    "unsupported.\n"
		    "\n"
		    "With --json, write prints the files of --events as one, with a CounterIDMask\n"
		    "in each event: the counters that the tree BOARD has for it. Linux up to 7.2\n"
		    "ignores it; the patches for delegated counters (v8, July 2026) read it.\n"
		    "With --linux NAME, write prints the tables of generic events that these\n"
		    "patches need in the driver, as C."),
	  HELP_ONLY("pmumap write -o board.dts board.txt\n"
		    "         pmumap write --events riscv/thead/c900-legacy --counters 3-18\n"
		    "         pmumap write --json --events cache.json -o new.json board.dtb\n"
		    "         pmumap write --linux acme_x1 board.dtb") },
	{ 0 },
};

const struct verb *find_verb(const char *name)
{
	for (const struct verb *v = verbs; v->name; v++) {
		if (!strcmp(v->name, name))
			return v;
	}
	return NULL;
}
