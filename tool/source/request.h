/* SPDX-License-Identifier: BSD-2-Clause
 *
 * request.h -- the command line: options and arguments of a verb.
 */
#ifndef REQUEST_H
#define REQUEST_H

#include "map/events.h"
#include "source.h"

/* Name, argument or NULL, effect. Each verb lists the options that it accepts. */
#define OPTION_LIST(X)                                                                             \
	X(JSON, "json", NULL, "one JSON object per line")                                          \
	X(STRICT, "strict", NULL, "treat warnings as errors")                                      \
	X(ALL, "all", NULL, "print every finding, even if many are alike")                         \
	X(SARIF, "sarif", NULL, "print a SARIF 2.1.0 log, for CI")                                 \
	X(JOBS, "jobs", "N", "search a folder in N processes; same as -j (default: all CPUs)")     \
	X(ALLOW_NONE, "allow-none", NULL, "accept a tree without a PMU")                           \
	X(IGNORE, "ignore", "CODE|FILE",                                                           \
	  "skip findings of this code, or those that --json wrote to FILE")                        \
	X(FIX, "fix", NULL, "print the fixes as a diff; -o FILE writes a fixed copy")              \
	X(EXPLAIN, "explain", "CODE", "explain a finding; read no FILE")                           \
	X(FREE, "free", "COUNTERS", "the free counters: 0,2-6 or 0x7d (default: all but 1)")       \
	X(FEATURES, "features", "LIST", "of the hart: sscofpmf,smcntrpmf; filter: exclude modes")  \
	X(FIRMWARE, "firmware", "NAME",                                                            \
	  "opensbi-1.1 to 1.9 (default), rustsbi, pmumap or delegated")                            \
	X(LINUX, "linux", "VERSION", "5.18 to 7.2 (default), or none; write: the table's name")    \
	X(USER, "user", NULL, "answer for an ordinary user (perf_event_paranoid 2)")               \
	X(LIVE, "live", NULL, "also ask this machine's kernel whether it counts the event")        \
	X(GROUPS, "groups", NULL, "make groups that take turns, if not all events fit at once")    \
	X(EVENTS, "events", "FILE|DIR",                                                            \
	  "the core's events (perf's JSON); alone: list IMC's events")                             \
	X(UNIT, "unit", "UNIT", "IMC: only this PMU (mcs01, mcs01@c8, nest_mcs01_imc)")            \
	X(GRID, "grid", NULL, "print only the grid, with fixed counters and raw events")           \
	X(NARROW, "narrow", NULL, "draw RISC-V's grid for a screen of 400 pixels")                 \
	X(DESC, "desc", NULL, "IMC: keep descriptions in the map")                                 \
	X(NODE, "node", "PATH", "use this riscv,pmu node, not the first one")                      \
	X(HART, "hart", "N", "use the riscv,pmu node of the hart with this mhartid")               \
	X(INCLUDE, "include", "DIR",                                                               \
	  "also search here for files that a .dts includes; same as -I")                           \
	X(ALLOW_INCBIN, "allow-incbin", NULL,                                                      \
	  "trust the .dts: it may use /incbin/ and include any file")                              \
	X(AVAILABLE, "available", "GEN:VECTOR",                                                    \
	  "IMC: only the PMUs in this vector (P9:0xffff800000000000)")                             \
	X(PVR, "pvr", "PVR", "use this processor's catalog, if FILE is a container")               \
	X(AMU_ENABLES, "amu-enables", NULL, "AMU: print plat_amu_aux_enables for TF-A")            \
	X(ORDER, "order", "MPIDR,MPIDR,...", "AMU: only these CPUs, in this order")                \
	X(COUNTERS, "counters", "COUNTERS", "the counters of the core: 3-6,8 or 0x178")            \
	X(NAME, "name", "NAME", "the map's name in C (default: from FILE)")                        \
	X(BINARY, "binary", NULL, "print the image itself, little-endian")                         \
	X(BIG, "big", NULL, "make the image big-endian")                                           \
	X(LITTLE, "little", NULL, "make the image little-endian")                                  \
	X(OUTPUT, "output", "FILE", "write to FILE, not to stdout; same as -o")

enum {
#define X(id, name, argument, what) NUMBER_##id,
	OPTION_LIST(X) OPTIONS
#undef X
};

/* ISO C limits enumerators to int, which lacks the last bits. */
__extension__ enum {
#define X(id, name, argument, what) id = 1ull << NUMBER_##id,
	OPTION_LIST(X)
#undef X
};

struct request {
	uint64_t options;           /* bits: JSON | STRICT ... */
	const char *value[OPTIONS]; /* arguments of options; NULL if not given */
	struct input input;
	uint32_t counters; /* of --counters; 0 if not given */
	uint64_t jobs;     /* of --jobs; 0 if not given */
	char **args;
	int count;
};

#define VALUE(request, id) ((request)->value[NUMBER_##id])

/*
 * For a verb with one FILE. Sets *file, or to NULL if none is given. Returns an exit code: USAGE if
 * there are several.
 */
int read_file_name(const struct request *request, const char *verb, const char **file);

/*
 * Reads the files of --events. Without the option, *events stays empty and its path NULL. Returns
 * an exit code.
 */
int read_vendor(const struct request *request, struct events *events);

/*
 * For a verb with queries: returns 1 if the first argument is the FILE, otherwise 0 for the sample
 * board. Complains and returns a negative number if a later argument is a file.
 */
int count_files(const struct request *request);

/* Tells the user that the answers are about the sample board. */
void put_sample(const struct request *request, int file);

#endif /* REQUEST_H */
