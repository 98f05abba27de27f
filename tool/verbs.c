/* SPDX-License-Identifier: BSD-2-Clause */
#include "verbs.h"

/* Each lies in a folder of its own, and returns the exit code. No header has them. */
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
	  "The grid has a row for each event, and a # under each counter that can count it.\n"
	  "Where harts have different riscv,pmu nodes, it shows the map of each.\n"
	  "For IBM's in-memory counters (IMC) it lists the units, and with --events or --unit\n"
	  "what they count. For a container of catalogs it lists what is in it. "
	  "For Arm's activity\n"
	  "monitors (AMU) it lists the CPUs, with the auxiliary counters that each has.",
	  "pmumap show board.dtb\n"
	  "         pmumap show --unit mcs01 power9.dtb\n"
	  "         pmumap show tc2.dtb" },
	{ "lookup", "[FILE] QUERY...", "the counters and the selector of each event", lookup_verb,
	  JSON | EVENTS | TREE,
	  "A QUERY is a name of SBI (SBI_PMU_HW_CACHE_MISSES, cache-misses) or of perf\n"
	  "(dTLB-load-misses), a number (0x10019), a raw event (r1801, raw:0x1801; raw-v2:0x1801\n"
	  "for 56 bits), a firmware event (fw:5, "
	  "set-timer) or one of the platform (platform:0x1).\n"
	  "Where nothing counts it, the reason follows. perf's spellings (cycles:u, "
	  "cpu/event=0x5/) do\n"
	  "as well. What is none of these is a part of names, or a pattern (misses, L1-*), in any\n"
	  "case: all events of such names that are counted are printed.\n"
	  "\n"
	  "For IBM's in-memory counters (IMC) it is a full name "
	  "(PM_MCS01_64B_RD_DISP_PORT01), that\n"
	  "of one unit (mcs01/PM_..., mcs01@c8/PM_..., "
	  "nest_mcs01_imc/PM_...), an offset (imc:0x450)\n"
	  "or that of one unit (imc:mcs01:0xc8); a part or a pattern "
	  "here, too (PM_MCS01*, mba0/*BYTES).\n"
	  "\n"
	  "For Arm's activity monitors (AMU) it is a CPU, "
	  "by its MPIDR (amu:0x100; only the affinity\n"
	  "in it counts) or by its number in the tree (amu:#3).",
	  "pmumap lookup board.dtb cache-misses L1-dcache-load-misses 0x10019 r1801 raw:0x1801\n"
	  "         pmumap lookup board.dtb '*TLB*'\n"
	  "         pmumap lookup power9.dtb PM_MCS01_64B_RD_DISP_PORT01 imc:0x450\n"
	  "         pmumap lookup tc2.dtb amu:0x100 amu:#3" },
	{ "check", "FILE|DIR...", "each problem, what firmware makes of it, how to fix it",
	  check_verb,
	  JSON | STRICT | ALL | SARIF | ALLOW_NONE | IGNORE | FIX | OUTPUT | EXPLAIN | FIRMWARE |
		  EVENTS | COUNTERS | TREE,
	  "An error: the row is not used. A warning: it is used, but probably was not meant so.\n"
	  "A note: it is right, and worth knowing. Rows count from 0 in their property. In IBM's\n"
	  "in-memory counters (IMC) units and events are counted instead, in Arm's activity\n"
	  "monitors (AMU) CPUs and counters. For a .dts, check also tells the line. A folder\n"
	  "stands for each .dts, .dtso, .dtb and .dtbo in it "
	  "and below it; those without a PMU are\n"
	  "right. A .dtsi is checked alone where it is named. "
	  "With --counters rows that name others\n"
	  "are found.\n"
	  "\n"
	  "In a source tree of Linux or U-Boot, the folders of its includes are found. -D NAME,\n"
	  "-D NAME=VALUE and -include FILE go to the preprocessor, as in the tree's own build.\n"
	  "\n"
	  "The comment \"pmumap: ignore CODE\" in a source "
	  "silences a finding on its line and on the\n"
	  "next one. check --json DIR >known lists what is there "
	  "today, and check --ignore known DIR\n"
	  "tells what is new.",
	  "pmumap check --strict board.dts\n"
	  "         pmumap check --counters 3-8 board.dts\n"
	  "         pmumap check --sarif board.dts >pmumap.sarif\n"
	  "         pmumap check arch/riscv/boot/dts\n"
	  "         pmumap check --explain raw-dead\n"
	  "         pmumap check --pvr 0x4e1202 ima_catalog.bin" },
	{ "perf", "FILE [EVENT...]", "what perf will count on a board, and on which counters",
	  perf_verb, JSON | FIRMWARE | COUNTERS | EVENTS | INCLUDE | ALLOW_INCBIN | NODE,
	  "For each event that perf has for every processor, or for those named: whether this\n"
	  "firmware counts it, on which counters, what it writes to mhpmevent, and if it does not\n"
	  "count it, why. (perf list prints every event, whatever the board has.) With --events\n"
	  "also for the core's own events. The harts' extensions are read from the tree.\n"
	  "--counters are those of the harts, if the tree names more.\n"
	  "\n"
	  "The exit status is 1 if an EVENT that is named is not counted.",
	  "pmumap perf board.dtb\n"
	  "         pmumap perf --firmware rustsbi board.dtb cycles cache-misses r1801\n"
	  "         pmumap perf --json --events riscv/sifive/u74 board.dtb" },
	{ "assign", "[FILE] EVENT...", "counters for several events at once, as many as can be",
	  assign_verb, JSON | FREE | FEATURES | GROUPS | EVENTS | TREE,
	  "An EVENT is one of RISC-V, as lookup takes it. EVENT@N runs on counter N already, and\n"
	  "stays there. The hart has Sscofpmf if programmable "
	  "counters can interrupt (features), and\n"
	  "Smcntrpmf if the fixed ones can leave out modes. To cycles:u modes matter.\n"
	  "Where not all fit at once, --groups makes the fewest "
	  "groups that do: perf's {...},{...}.",
	  "pmumap assign board.dtb cycles instructions cache-misses branch-misses\n"
	  "         pmumap assign --free 3,4 --features sscofpmf board.dtb cycles cache-misses@4\n"
	  "         pmumap assign --groups board.dtb cache-misses branch-misses dTLB-load-misses" },
	{ "rom", "[FILE]", "the map as C source, for firmware that reads no device tree", rom_verb,
	  NAME | BINARY | BIG | LITTLE | OUTPUT | AMU_ENABLES | ORDER | COUNTERS | DESC | TREE,
	  "The source suits any byte order; the image "
	  "(--binary) has one, and pmumap_open() takes it.\n"
	  "\n"
	  "--amu-enables is what a platform of TF-A v2.13 "
	  "and later has to define instead of the nodes\n"
	  "that v2.12 reads: for each core position the "
	  "mask of the auxiliary counters (AMU) to be\n"
	  "enabled. The CPUs come in the order of the tree, unless --order gives another one.\n"
	  "--counters leaves out those that the cores do not implement.",
	  "pmumap rom -o board_map.h board.dtb\n"
	  "         pmumap rom --name board -o board_map.h board.dtb\n"
	  "         pmumap rom --binary --big -o board.map board.dtb\n"
	  "         pmumap rom --amu-enables --order 0x100,0x0 --counters 0-2 board.dts" },
	{ "picture", "[FILE]", "the grid as an SVG image", picture_verb,
	  UNIT | OPEN | OUTPUT | TREE,
	  "For RISC-V it has events, raw events and counters, for IBM's in-memory counters (IMC)\n"
	  "a map of each window, for Arm's activity monitors (AMU) CPUs and counters.",
	  "pmumap picture -o board.svg board.dtb" },
	{ "write", "[TABLE]", "a riscv,pmu node as source, from a table or a core's events",
	  write_verb, EVENTS | COUNTERS | OUTPUT,
	  "A line of the TABLE (- is the standard input) "
	  "is EVENT SELECTOR COUNTERS. The EVENT is what\n"
	  "lookup takes, a range (0x10000-0x10003) "
	  "or raw:SELECT/MASK; the SELECTOR a number, names of\n"
	  "--events with | between them, or - for none; "
	  "the COUNTERS are as 3-6,8 or 0x178. # begins a\n"
	  "comment. With --events all raw events of the core are "
	  "described. --counters are those of\n"
	  "a line without any; a line that names others is refused.\n"
	  "\n"
	  "Raw rows are disjoint, and as few as can be found; "
	  "they accept what is listed, and nothing\n"
	  "else. On SiFive's cores they also accept events of one class that are ORed.\n"
	  "The TABLE should name cycles and instructions too: "
	  "without a row, firmware may deny them.",
	  "pmumap write -o board.dts board.txt\n"
	  "         pmumap write --events riscv/thead/c900-legacy --counters 3-18" },
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
