/* SPDX-License-Identifier: BSD-2-Clause */
/* Measure a tree */
#pragma once

#include "imc/read.h"

#define PMUMAP_IMC_LISTS_ 128u

/* A list of events; the first node with its phandle. */
struct pmumap_imc_list_ {
	uint32_t phandle;
	uint32_t node;   /* its offset; NONE_: units refer to it, but the walk has not come to it */
	uint32_t events; /* that have a name and an offset */
	uint32_t users;  /* units that are kept */
	uint32_t bytes;  /* that its events take for each user, without prefixes */
	uint32_t once;   /* and once for all users */
	uint32_t owns;   /* events with own strings */
	uint32_t first;  /* its first event in the scratch memory */
	uint16_t longest_name, longest_prefix;
};

/* The state of a build. */
struct pmumap_imc_build_ {
	struct pmumap_imc_reader_ r;
	struct pmumap_imc *m; /* NULL: measure */
	uint64_t need;        /* bytes of the block */
	uint32_t scratch;     /* offset of the scratch memory, at the end of the block */
	uint32_t units, chips;
	uint32_t names;  /* including those that are dropped later: outside of their unit */
	uint32_t events; /* of lists that are used */
	uint32_t owns;   /* and those of them that have own strings */
	uint32_t list_count;
	struct pmumap_imc_list_ *list; /* that the next events belong to, or NULL */
	struct pmumap_imc_list_ lists[PMUMAP_IMC_LISTS_];
};

static inline uint32_t pmumap_imc_text_bytes_(const char *text)
{
	uint32_t n = 0;

	for (; text[n]; n++)
		PMUMAP_NO_LIBCALL_();
	return n;
}

/* The bytes that a string takes in the map at most: it is padded with 0. */
static inline uint32_t pmumap_imc_string_bytes_(const char *text)
{
	return text && *text ? pmumap_imc_text_bytes_(text) + 8 : 0;
}

/* The list with a phandle, a new one if there is none. NULL: there are too many. */
static inline struct pmumap_imc_list_ *pmumap_imc_list_of_(struct pmumap_imc_build_ *b,
							   uint32_t phandle)
{
	struct pmumap_imc_list_ *list = b->lists;
	uint32_t i;

	for (i = 0; i < b->list_count; i++, list++) {
		if (list->phandle == phandle)
			return list;
	}
	if (i == PMUMAP_IMC_LISTS_)
		return 0;
	pmumap_zero_words_(list, sizeof(*list));
	list->phandle = phandle;
	list->node = PMUMAP_IMC_NONE_;
	b->list_count++;
	return list;
}

/* The list that the current unit refers to. Returns 0 if there are too many; *list may be NULL. */
static inline int pmumap_imc_list_of_unit_(struct pmumap_imc_build_ *b,
					   struct pmumap_imc_list_ **list)
{
	uint32_t phandle = 0;

	*list = 0;
	if (!pmumap_fdt_cell_(&b->r.w, PMUMAP_IMC_PROPERTY_EVENTS_, &phandle) || phandle == 0 ||
	    phandle == 0xffffffffu)
		return 1;
	*list = pmumap_imc_list_of_(b, phandle);
	return *list != 0;
}

/* Count the current unit, which is kept. Returns 0 if there are too many, or too many lists. */
static inline int pmumap_imc_count_unit_(struct pmumap_imc_build_ *b,
					 const struct pmumap_imc_unit *u)
{
	struct pmumap_imc_list_ *list;
	uint32_t prefix = u->prefix ? pmumap_imc_text_bytes_(u->prefix) : 0;

	if (++b->units > PMUMAP_IMC_MOST_ || !pmumap_imc_list_of_unit_(b, &list))
		return 0;
	b->chips += u->chips;
	b->need += pmumap_imc_text_bytes_(u->name) + 8 + pmumap_imc_string_bytes_(u->prefix) +
		   pmumap_imc_string_bytes_(u->scale) + pmumap_imc_string_bytes_(u->measure);
	if (list) {
		list->users++;
		prefix = prefix <= PMUMAP_IMC_LONGEST_ ? prefix : PMUMAP_IMC_LONGEST_ + 1;
		if (list->longest_prefix < prefix)
			list->longest_prefix = (uint16_t)prefix;
	}
	return 1;
}

/* Begin the list at the current child, unless it has no phandle, or an earlier one has the same. */
static inline int pmumap_imc_begin_list_(struct pmumap_imc_build_ *b)
{
	uint32_t phandle = pmumap_fdt_phandle_(&b->r.w, PMUMAP_IMC_PROPERTY_PHANDLE_,
					       PMUMAP_IMC_PROPERTY_LINUX_PHANDLE_);
	struct pmumap_imc_list_ *list;

	if (phandle == 0)
		return 1;
	list = pmumap_imc_list_of_(b, phandle);
	if (!list)
		return 0;
	if (b->m ? list->node == b->r.w.offset : list->node == PMUMAP_IMC_NONE_) {
		list->node = b->r.w.offset;
		b->list = list;
	}
	return 1;
}

/* Whether the current node is an event. Fills in what is read of it; own strings may be NULL. */
static inline int pmumap_imc_read_event_(const struct pmumap_imc_build_ *b,
					 struct pmumap_imc_event *e)
{
	const struct pmumap_fdt_cursor_ *w = &b->r.w;

	e->name = pmumap_fdt_text_(w, PMUMAP_IMC_PROPERTY_EVENT_NAME_);
	e->scale = pmumap_fdt_text_(w, PMUMAP_IMC_PROPERTY_SCALE_);
	e->measure = pmumap_fdt_text_(w, PMUMAP_IMC_PROPERTY_UNIT_);
	e->desc = b->r.opt && (b->r.opt->flags & PMUMAP_DESC)
			  ? pmumap_fdt_text_(w, PMUMAP_IMC_PROPERTY_DESC_)
			  : 0;
	return e->name && pmumap_fdt_cell_(w, PMUMAP_IMC_PROPERTY_REG_, &e->offset);
}

static inline void pmumap_imc_count_event_(struct pmumap_imc_list_ *list,
					   const struct pmumap_imc_event *e)
{
	uint32_t once = pmumap_imc_string_bytes_(e->scale) + pmumap_imc_string_bytes_(e->measure) +
			pmumap_imc_string_bytes_(e->desc);
	uint32_t name = pmumap_imc_text_bytes_(e->name);

	list->events++;
	list->bytes += name + 8 + (once ? (uint32_t)sizeof(struct pmumap_imc_own_) : 0);
	list->once += once;
	list->owns += once != 0;
	name = name <= PMUMAP_IMC_LONGEST_ ? name : PMUMAP_IMC_LONGEST_ + 1;
	if (list->longest_name < name)
		list->longest_name = (uint16_t)name;
}

/* Count the events of the lists that are used. Returns 0 if there are too many, or too long. */
static inline int pmumap_imc_count_lists_(struct pmumap_imc_build_ *b)
{
	const struct pmumap_imc_list_ *list = b->lists;
	uint64_t names = 0;
	uint32_t i;

	for (i = 0; i < b->list_count; i++, list++) {
		if (list->users == 0 || list->events == 0)
			continue;
		if (list->longest_name + list->longest_prefix > PMUMAP_IMC_LONGEST_)
			return 0;
		names += (uint64_t)list->users * list->events;
		b->events += list->events;
		b->owns += list->owns;
		b->need += list->once +
			   (uint64_t)list->users *
				   (list->bytes + (uint64_t)list->events * list->longest_prefix);
	}
	b->names = (uint32_t)names;
	return names <= PMUMAP_IMC_MOST_;
}

/*
 * Add up the block: the map, then scratch memory, where the lists are collected first, and the
 * index is sorted afterwards.
 */
static inline enum pmumap_status pmumap_imc_add_up_(struct pmumap_imc_build_ *b)
{
	uint32_t most = b->names < b->units ? b->units : b->names, scratch = 8 * most + 64;
	uint32_t collected =
		8 * b->events + (uint32_t)sizeof(struct pmumap_imc_own_) * (b->owns + 1);

	scratch = scratch < collected ? collected : scratch;
	b->need += sizeof(struct pmumap_imc) +
		   (uint64_t)b->units * sizeof(struct pmumap_imc_unit_row_) +
		   (uint64_t)b->chips * sizeof(struct pmumap_imc_chip_row_) +
		   b->names * (sizeof(struct pmumap_imc_row_) + 14) + 2 * 6 + 7 * 8 + 2 * 8;
	b->need = (b->need + 7) / 8 * 8;
	if (b->need + scratch > PMUMAP_MAX_BYTES_)
		return PMUMAP_E_LIMIT;
	b->scratch = (uint32_t)b->need;
	b->need += scratch;
	return PMUMAP_OK;
}

/* Walk over the tree and count. */
static inline enum pmumap_status pmumap_imc_count_(struct pmumap_imc_build_ *b, const void *fdt,
						   size_t fdt_size,
						   const struct pmumap_imc_options *opt)
{
	struct pmumap_imc_chip_cells_ chips;
	enum pmumap_status status = pmumap_imc_begin_(&b->r, fdt, fdt_size, opt);
	struct pmumap_imc_unit u;
	struct pmumap_imc_event e;
	int more = 0, good = 1;

	b->m = 0;
	b->need = 0;
	b->units = b->chips = b->events = b->owns = b->list_count = 0;
	while (status == PMUMAP_OK && (more = pmumap_imc_next_(&b->r)) > 0) {
		int format;

		if (more == PMUMAP_IMC_EVENT_) {
			if (b->list && pmumap_imc_read_event_(b, &e))
				pmumap_imc_count_event_(b->list, &e);
			continue;
		}
		b->list = 0;
		format = pmumap_imc_format_(&b->r, &u.type);
		if (format == PMUMAP_IMC_NO_UNIT_)
			good &= pmumap_imc_begin_list_(b);
		else if (format != PMUMAP_IMC_UNREAD_ &&
			 pmumap_imc_describe_unit_(&b->r, format, u.type, &u, &chips) ==
				 PMUMAP_IMC_KEPT_)
			good &= pmumap_imc_count_unit_(b, &u);
	}
	if (status == PMUMAP_OK)
		status = pmumap_imc_end_(&b->r, more);
	if (status == PMUMAP_OK && good)
		good = pmumap_imc_count_lists_(b);
	if (status == PMUMAP_OK && !good)
		status = PMUMAP_E_LIMIT;
	return status == PMUMAP_OK ? pmumap_imc_add_up_(b) : status;
}
