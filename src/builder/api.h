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
struct pmumap_imc_unit;
struct pmumap_imc_event;

/* The part of a builder that serves IMC, called only if there is any. */
struct pmumap_imc_builder_ {
	void (*finish)(struct pmumap_builder *b, struct pmumap *m);
	void (*lint)(struct pmumap_imc_build_ *w, const struct pmumap_row_ *list, uint32_t n);
	uint32_t events, units; /* added so far, for the findings */
	uint32_t entries;       /* of both, those that are kept */
	uint32_t chips;         /* kind of the rows that chips become; 0: before the first unit */
};

/* One per build, on the stack. After pmumap_begin() flags may be set; the rest is its own. */
struct pmumap_builder {
	uint32_t flags; /* PMUMAP_STRICT, PMUMAP_DESC, PMUMAP_NO_INDEX */
	int node;
	pmumap_report_fn *report;
	void *arg;
	void (*lint)(struct pmumap_builder *b, const struct pmumap *m, const struct pmumap_row_ *r);
	unsigned char *mem;
	size_t bytes;
	enum pmumap_status status;
	const char *names[4];         /* of the tables; the last one is NULL */
	const unsigned char *rows[3]; /* of the tables in a device tree, or NULL */
	uint32_t errors;              /* 0: no finding of that severity */
	uint32_t map_flags;
	uint32_t selector_rows, counter_rows, raw_rows; /* added so far, for the findings */
	size_t room;                                    /* for rows at the end of the block */
	uint32_t staged, raw_staged;                    /* RISC-V rows there */
	uint32_t sorted_bound;                          /* records of the sorted run at most */
	uint32_t later;                                 /* rows there of the other bindings */
	uint32_t mixed; /* 1: not all of these came before the RISC-V rows */
	uint64_t extra; /* bytes that they and their tables need at most */
	void (*amu_finish)(struct pmumap_builder *b, struct pmumap *m);
	struct pmumap_imc_builder_ imc;
};

/* mem: 8-byte aligned, or NULL to measure only: add all rows, then ask pmumap_need(). */
PMUMAP_API void pmumap_begin(struct pmumap_builder *b, void *mem, size_t bytes);

/*
 * Report every finding from here on; report may be NULL. What is legal but hardly meant is looked
 * for only then: a program without this call does not carry that code.
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
