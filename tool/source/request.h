/* SPDX-License-Identifier: BSD-2-Clause
 *
 * request.h -- what the command line asks for: the options, and a verb's arguments.
 */
#ifndef REQUEST_H
#define REQUEST_H

#include "map/events.h"
#include "source.h"

/* Name, its argument or NULL, what it does. A verb names those it takes; no other is accepted. */
#define OPTION_LIST(X)                                                                             \
	X(JSON, "json", NULL, "one JSON object per line")                                          \
	X(STRICT, "strict", NULL, "warnings count as errors")                                      \
	X(ALL, "all", NULL, "each finding, however many are alike")                                \
	X(SARIF, "sarif", NULL, "a SARIF 2.1.0 log, for a CI")                                     \
	X(ALLOW_NONE, "allow-none", NULL, "a tree without a PMU is right, too")                    \
	X(IGNORE, "ignore", "CODE|FILE",                                                           \
	  "neither tell nor count it; FILE: as --json printed them")                               \
	X(FIX, "fix", NULL, "a mended copy of FILE: what differs, and with -o FILE the copy")      \
	X(EXPLAIN, "explain", "CODE", "what a finding means; no FILE is read")                     \
	X(FREE, "free", "COUNTERS", "the counters that are free: 0,2-6 or 0x7d (all, but 1)")      \
	X(FEATURES, "features", "LIST", "of the hart: sscofpmf,smcntrpmf; filter: modes matter")   \
	X(FIRMWARE, "firmware", "NAME",                                                            \
	  "opensbi-1.6, -1.8, -1.9 (if none is named), rustsbi or pmumap")                         \
	X(GROUPS, "groups", NULL, "groups that take turns, where not all fit at once")             \
	X(EVENTS, "events", "FILE|DIR", "the core's events (perf's JSON); alone: those of IMC")    \
	X(UNIT, "unit", "UNIT", "IMC: this unit only (mcs01, mcs01@c8, nest_mcs01_imc)")           \
	X(GRID, "grid", NULL, "the grid alone, with fixed counters and raw events")                \
	X(OPEN, "open", NULL, "look at the picture, with what opens files here")                   \
	X(DESC, "desc", NULL, "IMC: keep descriptions in the map")                                 \
	X(NODE, "node", "PATH", "this riscv,pmu node, not the first one")                          \
	X(HART, "hart", "N", "the riscv,pmu node of this hart, by its mhartid")                    \
	X(INCLUDE, "include", "DIR",                                                               \
	  "here, too, look for what a .dts includes; -I DIR is the same")                          \
	X(ALLOW_INCBIN, "allow-incbin", NULL,                                                      \
	  "a .dts you trust: it may contain /incbin/, and include any file")                       \
	X(AVAILABLE, "available", "GEN:VECTOR",                                                    \
	  "IMC: units of this vector only (P9:0xffff800000000000)")                                \
	X(PVR, "pvr", "PVR", "the catalog for this processor, where FILE is a container")          \
	X(AMU_ENABLES, "amu-enables", NULL, "AMU: plat_amu_aux_enables of TF-A")                   \
	X(ORDER, "order", "MPIDR,MPIDR,...", "AMU: these CPUs only, in this order")                \
	X(COUNTERS, "counters", "COUNTERS", "those that the core has: 3-6,8 or 0x178")             \
	X(NAME, "name", "NAME", "of the map in C; otherwise it is named after FILE")               \
	X(BINARY, "binary", NULL, "the image itself, little-endian")                               \
	X(BIG, "big", NULL, "the image big-endian")                                                \
	X(LITTLE, "little", NULL, "the image little-endian")                                       \
	X(OUTPUT, "output", "FILE", "write there, not to stdout; -o FILE is the same")

enum {
#define X(id, name, argument, what) NUMBER_##id,
	OPTION_LIST(X) OPTIONS
#undef X
};

enum {
#define X(id, name, argument, what) id = 1 << NUMBER_##id,
	OPTION_LIST(X)
#undef X
};

struct request {
	unsigned options;           /* JSON | STRICT ... */
	const char *value[OPTIONS]; /* the arguments of options; NULL: not given */
	struct input input;
	uint32_t counters; /* that --counters names; 0: it is not given */
	char **args;
	int count;
};

#define VALUE(request, id) ((request)->value[NUMBER_##id])

/*
 * Of a verb that takes one FILE: *file, or NULL if none is named. Returns an exit code, USAGE if
 * there is more than one.
 */
int read_file_name(const struct request *request, const char *verb, const char **file);

/*
 * Reads the files that --events names. Without it, *events stays empty and its path NULL. Returns
 * an exit code.
 */
int read_vendor(const struct request *request, struct events *events);

/*
 * Of a verb with queries: whether the first argument is the FILE. Without one it is the sample that
 * answers, which nobody means who names a file further behind: that is refused, and the answer is
 * negative.
 */
int count_files(const struct request *request);

/* Tells people, before the answers, that it is the sample that answers. */
void put_sample(const struct request *request, int file);

#endif /* REQUEST_H */
