/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/api.h"

/* flags */
#define PMUMAP_STRICT 1u   /* any finding of severity error fails the build */
#define PMUMAP_DESC 2u     /* IMC: keep the descriptions of events */
#define PMUMAP_NO_INDEX 4u /* IMC: no name index */

struct pmumap_builder;
struct pmumap_row_;
struct pmumap_imc_build_;

/* How the part of a binding is made. NULL: the tree has nothing of it, and none of it is linked. */
struct pmumap_binding_ {
	void (*finish)(struct pmumap_builder *b, struct pmumap *m);
};

/* Whose chips the next ones are. */
enum pmumap_imc_chips_of_ {
	PMUMAP_IMC_CHIPS_OF_ALL_,  /* no unit has come yet: of every nest unit without its own */
	PMUMAP_IMC_CHIPS_OF_UNIT_, /* the last unit's */
	PMUMAP_IMC_CHIPS_DROPPED_  /* a unit's that was dropped */
};

/* What is known of IMC while entries come in; the checks are there only if somebody listens. */
struct pmumap_imc_adding_ {
	struct pmumap_binding_ part;
	void (*lint_list)(struct pmumap_imc_build_ *w, uint32_t list, uint32_t n);
	void (*lint_units)(struct pmumap_imc_build_ *w);
	uint32_t events, units; /* added so far, for the findings */
	uint32_t names;         /* of both, those that are kept */
	enum pmumap_imc_chips_of_ chips_of;
};

/* What a builder knows, for its own functions only. */
struct pmumap_builder_own_ {
	pmumap_report_fn *report;
	void *arg;
	int node;                     /* what findings are about */
	uint32_t errors;              /* 0: no finding of that severity */
	const char *properties[4];    /* where the tables come from; the last one is NULL */
	const char (*places)[16];     /* the other properties that findings are about */
	const unsigned char *rows[3]; /* of the tables in a device tree, or NULL */
	unsigned char *mem;
	size_t bytes, room; /* room: for rows at the end of the block */
	enum pmumap_status status;
	uint32_t map_flags;

	/* RISC-V; rows at the end of the block are "kept" */
	void (*lint_rows)(struct pmumap_builder *b, const struct pmumap *m,
			  const struct pmumap_row_ *r);
	uint32_t selector_rows, counter_rows, raw_rows; /* added so far, for the findings */
	uint32_t kept, raw_kept;
	uint32_t sorted_bound; /* records of the sorted run at most */

	/* entries of the other bindings */
	uint32_t entries;
	uint32_t interleaved; /* 1: not all of them came before the RISC-V rows */
	uint64_t entry_bytes; /* that they and their tables need at most */
	struct pmumap_binding_ amu;
	struct pmumap_imc_adding_ imc;
};

/* One per build, on the stack. After pmumap_begin() flags may be set. */
struct pmumap_builder {
	uint32_t flags; /* PMUMAP_STRICT, PMUMAP_DESC, PMUMAP_NO_INDEX */
	struct pmumap_builder_own_ own;
};

/* mem: 8-byte aligned, or NULL to measure only: add all rows, then ask pmumap_need(). */
PMUMAP_API void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes);

/*
 * Report every finding from here on; report may be NULL. Only then are rows checked for what is
 * legal, but probably unintended: a program without this call does not carry that code.
 */
PMUMAP_API void pmumap_listen(struct pmumap_builder *b, pmumap_report_fn *report, void *arg);

/*
 * The block that the rows added so far need; constant for a given set of rows, whatever the block
 * in use. The finished map is smaller: pmumap_size() bytes at its start, the rest is free again.
 *
 * For IMC it includes the name index for up to 4 names for each unit and event. In a block with
 * less room the map is built without an index, and no-index says what it would take.
 */
PMUMAP_API size_t pmumap_need(const struct pmumap_builder *b);

/*
 * Build the map at the start of the block.
 *
 * Returns  PMUMAP_OK and the map (NULL when only measuring); on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_STRICT.
 * Cost     O(n log n) for n rows, whatever they say; the same map for any order of the rows, except
 *          that the first of two selectors for one event counts.
 */
PMUMAP_API enum pmumap_status pmumap_finish(struct pmumap_builder *b, const struct pmumap **map);
