/* SPDX-License-Identifier: BSD-2-Clause
 *
 * source.h -- where a verb gets its map: the sample, a .dtb, a .dts, a container of catalogs, a map
 * image, or standard input.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "map/map.h"
#include "read.h"

/* What to read from a file, and how. */
struct input {
	const char *node; /* path of the riscv,pmu node; NULL: the first */
	int offset;       /* of that node or of the hart's, once found */
	uint32_t pvr;     /* selects a catalog of a container; 0: none */
	int tree;         /* the caller needs nodes and rows, so reject an image */
	int allow_none;   /* accept a tree without a PMU: all maps are NULL */
	int desc;         /* IMC: keep descriptions of events */
	int for_hart;     /* RISC-V: use the node that serves the hart */
	uint64_t hart;
	int all_harts;       /* RISC-V: the caller handles each hart's map */
	unsigned generation; /* IMC: as in struct pmumap_imc_options */
	uint64_t available;
};

struct place;

#define KINDS 8 /* kinds of maps, at most; kinds.c lists them */

/* Zero it before use. Unload it at the end, even if loading failed. */
struct source {
	struct bytes file;             /* the blob; no data: the sample */
	void *memory[KINDS];           /* blocks that hold the maps */
	const struct pmumap *map;      /* RISC-V; empty if there is only another kind */
	const struct pmumap_imc *imc;  /* NULL: no IMC */
	const struct pmumap_amu *amu;  /* NULL: no AMU */
	struct pmumap_fdt_hart *harts; /* of the tree, by read_harts() */
	size_t hart_count;
	struct place *places; /* of its nodes, owned by nodes.c; NULL: not built yet */
	uint32_t nodes;
	char *path; /* of the node that was asked for last */
};

/* The number of errors and warnings in a tree. A listener counts them. */
struct doubts {
	uint32_t errors, warnings;
};
void count_doubts(void *doubts, const struct pmumap_finding *f);

/* Tells readers of the map what this means. head begins each line. */
void put_doubts(FILE *out, const struct doubts *doubts, const char *head);

/* The same on stderr, with the file's name, after all output so far. */
void complain_of_doubts(const struct source *source, const struct doubts *doubts);

/*
 * Reads the file, then builds or opens its map. file: NULL for the sample, "-" for standard input.
 * report receives findings once the map exists; it may be NULL. Returns an exit code.
 */
int load(struct source *source, const char *file, const struct input *input,
	 pmumap_report_fn *report, void *arg);

/* The two steps of load(): read the bytes, build the map. */
int fetch(struct source *source, const char *file);
int understand(struct source *source, const struct input *input, pmumap_report_fn *report,
	       void *arg);

/* Complains about a tree or an image that has no map. Returns an exit code. */
int refuse_source(const struct source *source, const struct input *input,
		  enum pmumap_status status);

void unload(struct source *source);

/* True if the blob is an overlay for another tree. */
int is_overlay(const void *blob);

/* Builds the map of the sample board, SiFive's U74. Returns an exit code. */
int build_sample(struct source *source, pmumap_report_fn *report, void *arg);

/* Turns a file into a map of each kind. */

struct kind {
	const char *lacks; /* for the message about a tree without this kind: "no riscv,pmu" */
	/*
	 * Builds the map of a tree in *block, which unload() frees. With a report it builds a
	 * second time, so that the map can resolve names while findings arrive.
	 */
	enum pmumap_status (*build)(struct source *source, void **block, const struct input *input,
				    pmumap_report_fn *report, void *arg);
	enum pmumap_status (*open)(struct source *source); /* a map image */
};

/* RISC-V: the node that is read if none is asked for, or PMUMAP_NO_NODE. */
int first_node(const struct source *source);

/* RISC-V comes first. The last entry has no lacks text and ends the list. */
extern const struct kind kinds[KINDS + 1];

/* ---- IMA_CATALOG partitions ------------------------------------------------------------------ */

/*
 * True if the data is one: a table of contents, and a compressed tree for each processor. Built
 * with PMUMAP_TOOL_LZMA, the tool unpacks a tree with liblzma.
 */
int is_container(const unsigned char *data, size_t size);

/* Prints its table of contents. */
void list_catalogs(const char *name, const unsigned char *data, size_t size, int json);

/* Replaces the container by the tree for this processor. Returns an exit code. */
int choose_catalog(const char *name, uint32_t pvr, unsigned char **data, size_t *size);

#endif /* SOURCE_H */
