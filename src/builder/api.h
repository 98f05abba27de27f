/* SPDX-License-Identifier: BSD-2-Clause */
/* The builder: from rows to a map */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"

/* flags */
#define PMUMAP_STRICT 1u     /* any finding of severity error fails the build */
#define PMUMAP_DESC 2u       /* IMC: keep the descriptions of events */
#define PMUMAP_NO_INDEX 4u   /* IMC: no name index */
#define PMUMAP_NO_OFFSETS 8u /* IMC: no order of offsets, which takes 2 or 4 bytes a name */

struct pmumap_builder;
struct pmumap_row_;
struct pmumap_imc_build_;

/*
 * What makes the part of IMC in pmumap_finish(). NULL: nothing of it was added. A
 * program that never adds anything of it does not link the function.
 */
typedef void pmumap_finish_part_fn_(struct pmumap_builder *b, struct pmumap *m);

/* To which units the next chips belong. */
enum pmumap_imc_chips_of_ {
	PMUMAP_IMC_CHIPS_OF_ALL_,  /* before the first unit: all nest units without their own */
	PMUMAP_IMC_CHIPS_OF_UNIT_, /* the last unit */
	PMUMAP_IMC_CHIPS_DROPPED_  /* a unit that was dropped */
};

/* What is known of IMC while entries come in. The two checks are set by pmumap_listen(). */
struct pmumap_imc_adding_ {
	pmumap_finish_part_fn_ *finish;
	void (*lint_list)(struct pmumap_imc_build_ *w, uint32_t list, uint32_t n);
	void (*lint_units)(struct pmumap_imc_build_ *w);
	uint32_t events, units; /* added so far, for the findings */
	uint32_t names;         /* how many of both are kept */
	uint32_t left_out;      /* 1: there is, or was, a unit that is not in the map */
	enum pmumap_imc_chips_of_ chips_of;
};

/* The state of a builder, for its own functions only. */
struct pmumap_builder_own_ {
	pmumap_report_fn *report;
	void *arg;
	void (*tell)(struct pmumap_builder *b, uint32_t what, uint32_t row, uint32_t other,
		     uint64_t value); /* pmumap_tell_finding_(), or NULL: nobody listens */
	int node;                     /* the node that findings are about */
	uint32_t errors;              /* 1: there was a finding of that severity */
	const char *properties[3];    /* names of the tables: as in the tree, or today's */
	const unsigned char *rows[3]; /* of the tables in a device tree, or NULL */
	unsigned char *mem;
	size_t bytes, room; /* of the block; how many rows and entries fit into it */
	enum pmumap_status status;
	uint32_t map_flags;

	/* RISC-V; the rows that wait at the end of the block are "kept" */
	void (*lint_rows)(struct pmumap_builder *b, const struct pmumap *m,
			  const struct pmumap_row_ *r);
	uint64_t selector_rows, counter_rows, raw_rows; /* added so far, also those dropped */
	uint32_t kept, raw_kept;
	uint32_t sorted_bound; /* the sorted run has at most so many records */

	/* entries of the other bindings */
	uint32_t entries;
	uint32_t interleaved; /* 1: not all of them came before the RISC-V rows */
	uint64_t entry_bytes; /* at most so many are needed for them and their tables */
	struct pmumap_imc_adding_ imc;
};

/* One for each build, usually on the stack. You may set flags after pmumap_begin(). */
struct pmumap_builder {
	uint32_t flags; /* PMUMAP_STRICT, PMUMAP_DESC, PMUMAP_NO_INDEX, PMUMAP_NO_OFFSETS */
	struct pmumap_builder_own_ own;
};

/*
 * Begin a map in a block of your memory.
 *
 * mem: 8-byte aligned; or NULL, to measure only, whatever bytes is: add all rows, then ask
 * pmumap_need(). The block belongs to the builder until pmumap_finish(): what is added (strings, a
 * tree, a map) lies outside of it.
 */
PMUMAP_API void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes);

/*
 * Report every finding from now on; report may be NULL. Only then are rows also checked for what is
 * legal, but probably unintended. A program without this call does not link that code. See
 * pmumap_report_fn for what report must not do.
 */
PMUMAP_API void pmumap_listen(struct pmumap_builder *b, pmumap_report_fn *report, void *arg);

/*
 * Bytes of the block that the rows added so far need. The same rows need the same, whatever block
 * is in use. The finished map is smaller: it takes pmumap_size() bytes at the start of the block,
 * and the rest is free again.
 *
 * For IMC this includes an index of names and an order of offsets, for up to 4 names for each unit
 * and event. In a smaller block the map is built without them, and the finding no-index says what
 * the index would take.
 */
PMUMAP_API size_t pmumap_need(const struct pmumap_builder *b);

/*
 * Build the map at the start of the block. After that the builder is used up: it writes nothing any
 * more, and its functions return E_ARG, until pmumap_begin() is called again.
 *
 * Returns  PMUMAP_OK and the map (NULL when only measuring); on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_STRICT. E_LIMIT also from 2^30 rows on, dropped ones
 *          included, so that no count wraps.
 * Cost     O(n log n) for n rows, whatever they say; the index of names of IMC takes as much again
 *          for each name that the block has room for. The order of the rows does not change the
 *          map, except that the first of two selectors for one event wins.
 */
PMUMAP_API enum pmumap_status pmumap_finish(struct pmumap_builder *b, const struct pmumap **map);
