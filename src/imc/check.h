/* SPDX-License-Identifier: BSD-2-Clause */
/* Check lists and units: names, offsets, and counters in one place */
#pragma once

#include "imc/check_node.h"
#include "imc/build.h"

/* Pairs to sort, where a build would put the tables of the map. */
static inline uint32_t (*pmumap_imc_check_pairs_(const struct pmumap_imc_checker_ *c))[2]
{
	return (uint32_t(*)[2])(void *)((char *)c->b.m + c->b.m->head.size);
}

/* The name of the event at a place among the pairs. */
static inline const unsigned char *pmumap_imc_name_at_(const struct pmumap_imc_build_ *b,
						       uint32_t place)
{
	return b->w.blob + PMUMAP_IMC_EVENTS_(b)[PMUMAP_IMC_PAIRS_(b)[place][1]][0];
}

/* Compare two strings, up to their end or this byte. */
static inline int pmumap_imc_compare_texts_(const unsigned char *s, const unsigned char *t,
					    unsigned char end)
{
	for (; *s == *t && *s && *s != end; s++)
		t++;
	return (*s == end ? 0 : *s) - (*t == end ? 0 : *t);
}

static inline int pmumap_imc_compare_names_(const void *context, uint32_t x, uint32_t y)
{
	const struct pmumap_imc_build_ *b = (const struct pmumap_imc_build_ *)context;

	return pmumap_imc_compare_texts_(pmumap_imc_name_at_(b, x), pmumap_imc_name_at_(b, y), 0);
}

/* Report names that a list has twice. */
static inline void pmumap_imc_check_names_(struct pmumap_imc_checker_ *c,
					   const struct pmumap_imc_list_ *list)
{
	uint32_t(*pairs)[2] = pmumap_imc_check_pairs_(c), i;

	for (i = 0; i < list->events; i++) {
		pairs[i][0] = 0;
		pairs[i][1] = list->first + i;
	}
	pmumap_sort_pairs_(pairs, list->events, pmumap_imc_compare_names_, &c->b);
	c->node = list->node;
	for (i = 1; i < list->events; i++) {
		if (!pmumap_imc_compare_names_(&c->b, pairs[i - 1][1], pairs[i][1]))
			PMUMAP_IMC_TELL_(c, NAME_DUPLICATE, WARNING, "event-name", PMUMAP_NO_ROW,
					 PMUMAP_IMC_PAIRS_(&c->b)[pairs[i][1]][0]);
	}
}

static inline uint32_t pmumap_imc_node_of_unit_(const struct pmumap_imc_checker_ *c, uint32_t unit)
{
	/* Behind the tag of a node is its name. */
	return PMUMAP_IMC_UNITS_(c->b.m)[unit].name - 4 - c->b.w.start;
}

/* The offset of a unit's nth event. */
static inline uint32_t pmumap_imc_offset_of_(const struct pmumap_imc_build_ *b,
					     const struct pmumap_imc_unit_row_ *u, uint32_t n)
{
	return u->reg + PMUMAP_IMC_PAIRS_(b)[u->first + n][0];
}

/* Check the offsets of a unit, and count the events that it keeps. */
static inline void pmumap_imc_check_offsets_(struct pmumap_imc_checker_ *c, uint32_t unit)
{
	struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(c->b.m) + unit;
	uint32_t(*pairs)[2] = PMUMAP_IMC_PAIRS_(&c->b);
	uint32_t events = c->b.lists[u->first].events, n = 0;

	u->first = c->b.lists[u->first].first;
	while (n < events && pmumap_imc_is_kept_(u, pairs[u->first + n][0]))
		n++;
	u->events = n;
	while (n < events && pairs[u->first + n][0] <= ~u->reg)
		n++;
	if (n < events)
		PMUMAP_IMC_TELL_(c, REG_OVERFLOW, ERROR, "reg", unit, pairs[u->first + n][0]);
	if (u->events < n)
		PMUMAP_IMC_TELL_(c, OFFSET_RANGE, ERROR, "reg", unit,
				 pmumap_imc_offset_of_(&c->b, u, u->events));
	if (u->type != PMUMAP_IMC_TRACE && u->reg % PMUMAP_IMC_COUNTER_BYTES_)
		PMUMAP_IMC_TELL_(c, OFFSET_ALIGN, WARNING, "reg", unit, u->reg);
}

/* Report a nest unit that has a counter in its control block. */
static inline void pmumap_imc_check_control_(const struct pmumap_imc_checker_ *c, uint32_t unit)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(c->b.m) + unit;
	uint64_t begin = u->control, at = 0;
	uint32_t n = 0;

	while (n < u->events &&
	       (at = pmumap_imc_offset_of_(&c->b, u, n)) + PMUMAP_IMC_COUNTER_BYTES_ <= begin)
		n++;
	if (u->type == PMUMAP_IMC_NEST && n < u->events && at < begin + PMUMAP_IMC_CONTROL_BYTES_)
		PMUMAP_IMC_TELL_(c, CONTROL_OVERLAP, WARNING, "reg", unit, at);
}

/* Compare the names of units without the address. */
static inline int pmumap_imc_compare_units_(const void *context, uint32_t x, uint32_t y)
{
	const struct pmumap_imc_build_ *b = (const struct pmumap_imc_build_ *)context;

	return pmumap_imc_compare_texts_(b->w.blob + PMUMAP_IMC_UNITS_(b->m)[x].name,
					 b->w.blob + PMUMAP_IMC_UNITS_(b->m)[y].name, '@');
}

/* Report units with the same name: Linux cannot tell their events apart. */
static inline void pmumap_imc_check_unit_names_(struct pmumap_imc_checker_ *c)
{
	uint32_t(*pairs)[2] = pmumap_imc_check_pairs_(c), i, first = 0;

	for (i = 0; i < c->units; i++) {
		pairs[i][0] = PMUMAP_IMC_UNITS_(c->b.m)[i].type == PMUMAP_IMC_NEST;
		pairs[i][1] = i;
	}
	pmumap_sort_pairs_(pairs, c->units, pmumap_imc_compare_units_, &c->b);
	for (i = 1; i < c->units; i++) {
		if (pairs[first][0] != pairs[i][0] ||
		    pmumap_imc_compare_units_(&c->b, pairs[first][1], pairs[i][1])) {
			first = i;
			continue;
		}
		c->node = pmumap_imc_node_of_unit_(c, pairs[i][1]);
		pmumap_imc_tell_(c, PMUMAP_F_UNIT_DUPLICATE, PMUMAP_WARNING, 0, pairs[i][1],
				 pairs[first][1], 0);
	}
}

/* Whether a unit shares its memory: nest units with one window do, unless it is unknown. */
static inline int pmumap_imc_shares_window_(const struct pmumap_imc_unit_row_ *u)
{
	return u->type == PMUMAP_IMC_NEST && (u->size || u->offset);
}

/* A counter as a number: its unit in the upper 16 bits, and which of the unit's events. */
#define PMUMAP_IMC_UNIT_OF_(counter) ((counter) >> 16)

/* Compare the memory of two counters. */
static inline int pmumap_imc_compare_memories_(const void *context, uint32_t x, uint32_t y)
{
	const struct pmumap_imc_build_ *b = (const struct pmumap_imc_build_ *)context;
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(b->m) + PMUMAP_IMC_UNIT_OF_(x);
	const struct pmumap_imc_unit_row_ *v = PMUMAP_IMC_UNITS_(b->m) + PMUMAP_IMC_UNIT_OF_(y);
	int shared = pmumap_imc_shares_window_(u);

	if (shared != pmumap_imc_shares_window_(v))
		return shared ? -1 : 1;
	x = shared ? u->offset : PMUMAP_IMC_UNIT_OF_(x);
	y = shared ? v->offset : PMUMAP_IMC_UNIT_OF_(y);
	return x < y ? -1 : x > y;
}

/* A byte of a counter's full name, its unit's prefix and its own name; 0 at the end. */
static inline unsigned char pmumap_imc_name_byte_(const struct pmumap_imc_build_ *b,
						  uint32_t counter, uint32_t i)
{
	const struct pmumap_imc_unit_row_ *u =
		PMUMAP_IMC_UNITS_(b->m) + PMUMAP_IMC_UNIT_OF_(counter);

	if (i < u->prefix_bytes)
		return b->w.blob[u->prefix + i];
	return pmumap_imc_name_at_(b, u->first + (counter & 0xffff))[i - u->prefix_bytes];
}

static inline int pmumap_imc_is_same_name_(const struct pmumap_imc_build_ *b, uint32_t x,
					   uint32_t y)
{
	unsigned char byte;
	uint32_t i = 0;

	do {
		byte = pmumap_imc_name_byte_(b, x, i);
		if (byte != pmumap_imc_name_byte_(b, y, i++))
			return 0;
	} while (byte);
	return 1;
}

/*
 * Report a place that n counters share: two with different names, otherwise two units with the same
 * name. The same name twice in one unit is reported as name-duplicate.
 */
static inline void pmumap_imc_check_place_(struct pmumap_imc_checker_ *c, uint32_t (*counters)[2],
					   uint32_t n)
{
	uint32_t first = counters[0][1], other = first, clash = 0, i;

	for (i = 1; i < n && !clash; i++) {
		clash = !pmumap_imc_is_same_name_(&c->b, first, counters[i][1]);
		if (clash || PMUMAP_IMC_UNIT_OF_(other) == PMUMAP_IMC_UNIT_OF_(first))
			other = counters[i][1];
	}
	if (!clash && PMUMAP_IMC_UNIT_OF_(other) == PMUMAP_IMC_UNIT_OF_(first))
		return;
	c->node = pmumap_imc_node_of_unit_(c, PMUMAP_IMC_UNIT_OF_(other));
	pmumap_imc_tell_(c, clash ? PMUMAP_F_OFFSET_CLASH : PMUMAP_F_OFFSET_ALIAS,
			 clash ? PMUMAP_WARNING : PMUMAP_NOTE, "reg", PMUMAP_IMC_UNIT_OF_(other),
			 PMUMAP_IMC_UNIT_OF_(first), counters[0][0]);
}

/* Report places that several counters share, each place once. */
static inline void pmumap_imc_check_places_(struct pmumap_imc_checker_ *c)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(c->b.m);
	uint32_t(*counters)[2] = pmumap_imc_check_pairs_(c), i, k, n = 0;

	for (i = 0; i < c->units; i++, u++) {
		for (k = 0; u->type != PMUMAP_IMC_TRACE && k < u->events; k++, n++) {
			counters[n][0] = pmumap_imc_offset_of_(&c->b, u, k);
			counters[n][1] = i << 16 | k;
		}
	}
	pmumap_sort_pairs_(counters, n, pmumap_imc_compare_memories_, &c->b);
	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n && counters[k][0] == counters[i][0]; k++) {
			if (pmumap_imc_compare_memories_(&c->b, counters[k][1], counters[i][1]))
				break;
		}
		pmumap_imc_check_place_(c, counters + i, k - i);
	}
}

static inline void pmumap_imc_check_units_(struct pmumap_imc_checker_ *c)
{
	uint32_t i;

	for (i = 0; i < c->units; i++) {
		c->node = pmumap_imc_node_of_unit_(c, i);
		pmumap_imc_check_offsets_(c, i);
		pmumap_imc_check_control_(c, i);
	}
	pmumap_imc_check_unit_names_(c);
	pmumap_imc_check_places_(c);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_imc_check(const void *fdt, size_t fdt_size,
							    const struct pmumap_imc_options *opt,
							    void *mem, size_t bytes,
							    pmumap_report_fn *report, void *arg)
{
	struct pmumap_imc_checker_ c;
	enum pmumap_status status =
		report ? pmumap_imc_collect_tree_(&c.b, fdt, fdt_size, opt, mem, bytes)
		       : PMUMAP_E_ARG;
	uint32_t i;

	if (status != PMUMAP_OK)
		return status;
	c.left_out = c.in_unit = 0;
	pmumap_zero_words_(c.counted, sizeof(c.counted));
	c.report = 0;
	pmumap_imc_check_nodes_(&c); /* to learn whether units were dropped */
	c.report = report;
	c.arg = arg;
	pmumap_imc_check_nodes_(&c);
	for (i = 0; i < c.b.list_count; i++) {
		if (c.b.lists[i].users)
			pmumap_imc_check_names_(&c, &c.b.lists[i]);
	}
	pmumap_imc_check_units_(&c);
	return PMUMAP_OK;
}
