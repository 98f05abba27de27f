/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Naive model: the expected answer of every look-up and the findings of every check, by plain loops
 * over the raw rows. It shares no code with the library, so that both cannot have the same bug.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define MODEL_NO_ROW 0xffffffffu
#define MODEL_EVENTS 0x100000u

enum { MODEL_NOTE = 1, MODEL_WARNING, MODEL_ERROR };
enum { MODEL_SELECTOR, MODEL_COUNTERS, MODEL_RAW, MODEL_TABLES };
enum { MODEL_RULE_NONE, MODEL_RULE_ABSENT, MODEL_RULE_ALWAYS };
enum { MODEL_CAN_INTERRUPT = 1, MODEL_SMCNTRPMF = 2, MODEL_FILTER = 4 };

extern const char *const model_names[2][MODEL_TABLES]; /* of properties: today's, and older */

struct model_selector {
	uint32_t event;
	uint64_t selector;
};

struct model_range {
	uint32_t first, last, counters;
};

struct model_raw {
	uint64_t select, mask;
	uint32_t counters;
};

struct model_finding {
	const char *code;
	int severity, node;
	const char *property;
	uint32_t row;
	const char *other_property;
	uint32_t other;
	uint64_t value;
};

/* Rows in tree order, valid or not. */
struct model {
	struct model_selector *selector;
	struct model_range *range;
	struct model_raw *raw;
	struct model_finding *finding;
	uint32_t selectors, ranges, raws, findings;
	int has_selectors;              /* the table exists, maybe empty */
	int node;                       /* libfdt's offset; -1 without a tree */
	const char *name[MODEL_TABLES]; /* properties that were read */
};

/* A hart of a tree. */
struct model_hart {
	uint64_t id;
	uint32_t phandle; /* phandle of its interrupt controller; 0 if none */
	int node, server; /* the first node that names it; negative if none */
};

enum { MODEL_SSCOFPMF = 1, MODEL_HART_SMCNTRPMF = 2, MODEL_DELEGATED = 4 };

/* Makes room for one more element: doubles the array when it is full. */
static inline void *model_grow(void *array, uint32_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	array = realloc(array, (count ? 2 * (size_t)count : 1) * size);
	if (!array)
		abort();
	return array;
}

/* A cell of a tree. */
static inline uint32_t model_cell(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* ---- what all models read of a tree ---------------------------------------------------------- */

/* The bytes of a property; NULL if it is missing. */
const unsigned char *model_property(const void *fdt, int node, const char *name, uint32_t *bytes);

/* The first string of a property; NULL if the string has no end. */
const char *model_string(const void *fdt, int node, const char *name);

/* #address-cells that apply to a node's children. */
uint32_t model_address_cells(const void *fdt, int node);

/* ---- RISC-V ---------------------------------------------------------------------------------- */

void model_init(struct model *m);
void model_free(struct model *m);

void model_add_selector(struct model *m, uint32_t event, uint64_t selector);
void model_add_counters(struct model *m, uint32_t first, uint32_t last, uint32_t counters);
void model_add_raw(struct model *m, uint64_t select, uint64_t mask, uint32_t counters);

/*
 * Reads a well-formed tree; node as in struct pmumap_fdt_options. Returns 0 if it has no such node.
 * In either case findings about nodes and properties are appended.
 */
int model_read(struct model *m, const void *fdt, int node);

/* The harts of a tree, in its order, in memory for the caller to free; returns their number. */
uint32_t model_harts(const void *fdt, struct model_hart **harts);

/* The node that serves a hart; negative if there is none. */
int model_node_of(const void *fdt, const struct model_hart *hart);

/* The extensions of a hart: MODEL_SSCOFPMF and so on. */
uint32_t model_features(const void *fdt, const struct model_hart *hart);

/*
 * Appends the findings about rows. Call it once, after all rows. Pairs of raw rows are left out:
 * the library may choose which of many pairs it reports.
 */
void model_check(struct model *m);

/* How two raw rows with counters match a common value: 0, MODEL_OVERLAP or MODEL_ALIKE. */
enum { MODEL_OVERLAP = 1, MODEL_ALIKE };
int model_raw_overlap(const struct model *m, uint32_t a, uint32_t b);

int model_valid(uint32_t event); /* a hardware or cache event of the SBI specification */
int model_selector(const struct model *m, uint32_t event, uint64_t *selector);
uint32_t model_counters(const struct model *m, uint32_t event);
uint32_t model_raw_counters(const struct model *m, uint64_t raw);
uint64_t model_data(uint32_t event, uint64_t data); /* the bits that count */
int model_encode(const struct model *m, uint32_t event, uint64_t data, unsigned rule,
		 uint64_t *mhpmevent);

/* The same two answers for all events. */
struct paint {
	uint32_t counters[MODEL_EVENTS];
	uint64_t selector[MODEL_EVENTS];
	uint8_t has[MODEL_EVENTS];
};

void model_paint(const struct model *m, struct paint *p);

int model_same_as_next(const struct paint *p, uint32_t event);

uint32_t model_candidates(const struct model *m, uint32_t event, uint64_t data, uint32_t features);
int model_best(uint32_t counters, uint32_t features); /* of these, which are not 0 */

/*
 * How many of n events, up to 16, can have a counter at the same time. By Hall's theorem: without an
 * assignment.
 */
uint32_t model_assign(const uint32_t *candidates, uint32_t n, uint32_t free);

#endif /* MODEL_H */
