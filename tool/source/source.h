/* SPDX-License-Identifier: BSD-2-Clause
 *
 * source.h -- where a verb's map comes from: the sample, a .dtb, a .dts, a container of catalogs, a
 * map image, or the standard input.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "map/map.h"
#include "read.h"

/* What of a file is to be read, and how. */
struct input {
	const char *node; /* the path of the riscv,pmu node; NULL: the first one */
	int offset;       /* of that node, once it is found */
	uint32_t pvr;     /* chooses a catalog of a container; 0: none */
	int tree;         /* nodes and rows are asked for: an image will not do */
	int allow_none;   /* a tree that describes no PMU is no fault: all maps are NULL */
	int desc;         /* IMC: with the descriptions of events */
	int for_hart;     /* RISC-V: the node that serves the hart */
	uint64_t hart;
	int all_harts;       /* RISC-V: the caller asks for the map of each */
	unsigned generation; /* IMC: as in struct pmumap_imc_options */
	uint64_t available;
};

struct place;

#define KINDS 8 /* of maps, at most: kinds.c has them */

/* To be zeroed before, and unloaded at the end, whether it was loaded or not. */
struct source {
	struct bytes file;            /* its blob; without data: the sample */
	void *memory[KINDS];          /* that its maps were built in */
	const struct pmumap *map;     /* RISC-V; of nothing where there is only another kind */
	const struct pmumap_imc *imc; /* NULL: nothing of IMC */
	const struct pmumap_amu *amu; /* NULL: nothing of AMU */
	struct place *places;         /* of its nodes, for nodes.c; NULL: not asked for yet */
	uint32_t nodes;
	char *path; /* of the node that was asked for last */
};

/* How much is wrong with a tree: what a listener counts. */
struct doubts {
	uint32_t errors, warnings;
};
void count_doubts(void *doubts, const struct pmumap_finding *f);

/* Says what this means to those who read the map; head begins each line. */
void put_doubts(FILE *out, const struct doubts *doubts, const char *head);

/* The same on stderr, with the name of the file, behind all that was printed. */
void complain_of_doubts(const struct source *source, const struct doubts *doubts);

/*
 * Reads the file and builds or opens its map. file NULL: the sample; "-": the standard input.
 * report gets the findings when the map is there already; it may be NULL. Returns an exit code.
 */
int load(struct source *source, const char *file, const struct input *input,
	 pmumap_report_fn *report, void *arg);

/* The two steps of load(): the bytes, and the map that they make. */
int fetch(struct source *source, const char *file);
int understand(struct source *source, const struct input *input, pmumap_report_fn *report,
	       void *arg);

void unload(struct source *source);

/* The map of the sample board, SiFive's U74. Returns an exit code. */
int build_sample(struct source *source, pmumap_report_fn *report, void *arg);

#endif /* SOURCE_H */
