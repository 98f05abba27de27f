/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Peers of pmumap's IMC part: a reader like others on top of libfdt, which looks up each unit's
 * list by phandle and writes out every full name; and ways to search for a name: a walk over all
 * names, a binary search, perf's, and one that knows the right name and only compares it.
 */
#ifndef IMC_PEERS_H
#define IMC_PEERS_H

#include <libfdt.h>

#include <strings.h>

#include "bench.h"

#define NO_OFFSET (~(uint64_t)0)

struct peer_name {
	char *text;
	uint32_t len, prefix; /* bytes of both */
	uint32_t unit, offset;
	const char *scale, *measure, *desc;
};

struct peer_names {
	struct peer_name *at;
	uint32_t n, room, units;
};

static inline uint32_t peer_cell(const void *fdt, int node, const char *name)
{
	int len = 0;
	const fdt32_t *p = (const fdt32_t *)fdt_getprop(fdt, node, name, &len);

	return p && len >= 4 ? fdt32_to_cpu(*p) : 0;
}

static inline void peer_add(struct peer_names *all, const char *prefix, const char *name,
			    uint32_t offset)
{
	size_t before = strlen(prefix), after = strlen(name);
	struct peer_name *to;

	if (all->n == all->room) {
		all->room = all->room ? 2 * all->room : 256;
		all->at = (struct peer_name *)realloc(all->at, all->room * sizeof(*all->at));
	}
	to = all->at ? &all->at[all->n++] : NULL;
	if (!to || !(to->text = (char *)malloc(before + after + 1)))
		die("no memory", "names");
	memcpy(to->text, prefix, before);
	memcpy(to->text + before, name, after + 1);
	to->len = (uint32_t)(before + after);
	to->prefix = (uint32_t)before;
	to->unit = all->units;
	to->offset = offset;
}

static inline void peer_read_unit(struct peer_names *all, const void *fdt, int unit)
{
	const char *prefix = (const char *)fdt_getprop(fdt, unit, "events-prefix", NULL);
	const char *scale = (const char *)fdt_getprop(fdt, unit, "scale", NULL);
	const char *measure = (const char *)fdt_getprop(fdt, unit, "unit", NULL);
	int list = fdt_node_offset_by_phandle(fdt, peer_cell(fdt, unit, "events")), event;
	uint32_t reg = peer_cell(fdt, unit, "reg");

	fdt_for_each_subnode(event, fdt, list)
	{
		const char *name = (const char *)fdt_getprop(fdt, event, "event-name", NULL);
		const char *own = (const char *)fdt_getprop(fdt, event, "scale", NULL);
		const char *own_measure = (const char *)fdt_getprop(fdt, event, "unit", NULL);

		if (!name || !prefix)
			continue;
		peer_add(all, prefix, name, reg + peer_cell(fdt, event, "reg"));
		all->at[all->n - 1].scale = own ? own : scale;
		all->at[all->n - 1].measure = own_measure ? own_measure : measure;
		all->at[all->n - 1].desc = (const char *)fdt_getprop(fdt, event, "desc", NULL);
	}
	all->units++;
}

/* Only formats with "ibm,imc-counters". */
static inline void peer_read(struct peer_names *all, const void *fdt)
{
	int unit = -1;

	memset(all, 0, sizeof(*all));
	while ((unit = fdt_node_offset_by_compatible(fdt, unit, "ibm,imc-counters")) >= 0)
		peer_read_unit(all, fdt, unit);
}

static inline void peer_free(struct peer_names *all)
{
	while (all->n)
		free(all->at[--all->n].text);
	free(all->at);
}

/* Visits every property once, with libfdt's iterators. */
static inline uint64_t peer_walk(const void *fdt)
{
	uint64_t sum = 0;
	int node, at, len;

	for (node = 0; node >= 0; node = fdt_next_node(fdt, node, NULL)) {
		fdt_for_each_property_offset(at, fdt, node)
		{
			const char *name;
			const void *value = fdt_getprop_by_offset(fdt, at, &name, &len);

			sum += (uint64_t)len + (uint64_t)*name + (value != NULL);
		}
	}
	return sum;
}

/* By name; equal names in pmumap's order. */
static inline int peer_order(const void *a, const void *b)
{
	const struct peer_name *x = (const struct peer_name *)a, *y = (const struct peer_name *)b;
	int names = strcmp(x->text, y->text);

	if (names)
		return names;
	if (x->prefix != y->prefix)
		return x->prefix > y->prefix ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Only the first of each name. */
static inline void peer_sort(struct peer_names *all)
{
	uint32_t i, n = 0;

	qsort(all->at, all->n, sizeof(*all->at), peer_order);
	for (i = 0; i < all->n; i++) {
		if (n && !strcmp(all->at[n - 1].text, all->at[i].text))
			free(all->at[i].text);
		else
			all->at[n++] = all->at[i];
	}
	all->n = n;
}

/* Shared by the three searches: 16 bytes for each name. */
struct peer_slot {
	const char *text;
	uint32_t len, offset;
};

static inline uint64_t peer_linear(const struct peer_slot *slot, uint32_t n, const char *text)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (!strcmp(slot[i].text, text))
			return slot[i].offset;
	}
	return NO_OFFSET;
}

static inline int peer_compare(const void *text, const void *slot)
{
	return strcmp((const char *)text, ((const struct peer_slot *)slot)->text);
}

static inline uint64_t peer_bsearch(const struct peer_slot *slot, uint32_t n, const char *text)
{
	const struct peer_slot *found =
		(const struct peer_slot *)bsearch(text, slot, n, sizeof(*slot), peer_compare);

	return found ? found->offset : NO_OFFSET;
}

/*
 * Like perf: each event has one run of strings, and an array of run starts in the order of the
 * names. Every step of its binary search unpacks all strings of one event.
 */
enum {
	PERF_NAME,
	PERF_TOPIC,
	PERF_DESC,
	PERF_EVENT,
	PERF_SCALE,
	PERF_MEASURE,
	PERF_LONG,
	PERF_ALL
};

struct peer_perf {
	char *text;
	uint32_t *begin;
	uint64_t *offset;
	uint32_t n;
};

static inline char *peer_perf_put(char *to, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	if (n)
		memcpy(to, text, n);
	to[n] = 0;
	return to + n + 1;
}

/* perf ignores case, which changes the order. */
static inline int peer_perf_order(const void *a, const void *b)
{
	return strcasecmp(((const struct peer_name *)a)->text, ((const struct peer_name *)b)->text);
}

/* Leaves the names in perf's order. */
static inline void peer_perf_make(struct peer_perf *p, struct peer_names *all)
{
	char *to, event[16];
	uint32_t i;

	qsort(all->at, all->n, sizeof(*all->at), peer_perf_order);
	p->n = all->n;
	p->text = to = need_memory(all->n * (size_t)2048);
	p->begin = need_memory(all->n * sizeof(*p->begin));
	p->offset = need_memory(all->n * sizeof(*p->offset));
	for (i = 0; i < all->n; i++) {
		const struct peer_name *from = &all->at[i];

		snprintf(event, sizeof(event), "event=0x%x", from->offset);
		p->begin[i] = (uint32_t)(to - p->text);
		p->offset[i] = from->offset;
		to = peer_perf_put(to, from->text);
		to = peer_perf_put(to, "imc");
		to = peer_perf_put(to, from->desc && strlen(from->desc) < 1500 ? from->desc : "");
		to = peer_perf_put(to, event);
		to = peer_perf_put(to, from->scale);
		to = peer_perf_put(to, from->measure);
		to = peer_perf_put(to, "");
	}
}

static inline uint64_t peer_perf(const struct peer_perf *p, const char *text)
{
	uint32_t low = 0, high = p->n;

	while (low < high) {
		uint32_t half = low + (high - low) / 2;
		const char *part[PERF_ALL], *at = p->text + p->begin[half];
		int i, order;

		for (i = 0; i < PERF_ALL; i++) {
			part[i] = at;
			while (*at++)
				;
		}
		order = strcasecmp(part[PERF_NAME], text);
		if (!order)
			return p->offset[half];
		if (order < 0)
			low = half + 1;
		else
			high = half;
	}
	return NO_OFFSET;
}

static inline uint64_t peer_word(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/* Lower bound: no search; compares the one possible name in steps of 16 bytes. */
static inline uint64_t peer_known(const struct peer_slot *slot, const char *text, uint32_t len)
{
	const char *s = slot->text;
	uint32_t i;

	if (slot->len != len)
		return NO_OFFSET;
	for (i = 0; i + 16 <= len; i += 16) {
		if ((peer_word(s + i) ^ peer_word(text + i)) |
		    (peer_word(s + i + 8) ^ peer_word(text + i + 8)))
			return NO_OFFSET;
	}
	if (len >= 16)
		return (peer_word(s + len - 16) ^ peer_word(text + len - 16)) |
				       (peer_word(s + len - 8) ^ peer_word(text + len - 8))
			       ? NO_OFFSET
			       : slot->offset;
	for (; i < len; i++) {
		if (s[i] != text[i])
			return NO_OFFSET;
	}
	return slot->offset;
}

#endif
