/* SPDX-License-Identifier: BSD-2-Clause */
/* All of that, in order */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "builder/api.h"
#include "core/bits.h"
#include "builder/report.h"
#include "builder/rows.h"
#include "pool/pool.h"
#include "imc/tables.h"
#include "imc/entries.h"
#include "imc/build_lists.h"
#include "imc/build_units.h"
#include "imc/build_index.h"
#include "imc/build_orders.h"

/*
 * Free the place of the rows and entries, which are not needed any more. The table of units still
 * is: it moves to the end of the block.
 */
static inline void pmumap_imc_release_rows_(struct pmumap_imc_build_ *w)
{
	uint32_t i, *nodes;

	w->pool.top = w->b->own.mem + (w->b->own.bytes & ~(size_t)7);
	nodes = pmumap_pool_scratch_(&w->pool, w->c->unit_count);
	for (i = w->c->unit_count; i-- > 0;)
		nodes[i] = w->nodes[i]; /* upwards, and perhaps over each other */
	w->nodes = nodes;
}

/* Build the IMC part, behind what the map has already. It is the last part: the entries go. */
static inline void pmumap_imc_finish_part_(struct pmumap_builder *b, struct pmumap *m)
{
	struct pmumap_imc_build_ w;
	uint64_t need;

	w.b = b;
	w.m = m;
	w.list_count = w.text_count = w.clashes_unchecked = 0;
	pmumap_pool_init_(&w.pool, m, pmumap_builder_rows_(b));
	w.c = (struct pmumap_imc *)pmumap_append_table_(m, &m->imc, sizeof(struct pmumap_imc));
	pmumap_zero_words_(w.c, sizeof(struct pmumap_imc));
	pmumap_imc_place_scratch_(&w, pmumap_imc_count_entries_(&w));
	pmumap_imc_resolve_lists_(&w);
	pmumap_imc_build_strings_(&w);
	pmumap_imc_build_lists_(&w);
	pmumap_imc_build_chips_(&w);
	pmumap_imc_build_units_(&w);
	pmumap_imc_choose_slot_bits_(&w);
	pmumap_imc_release_rows_(&w);
	need = m->head.size + (uint64_t)w.c->unit_count * sizeof(uint32_t) +
	       pmumap_imc_index_bytes_(w.c->names, w.c->event_count) + 8;
	if (b->own.imc.lint_units)
		b->own.imc.lint_units(&w);
	if ((!(b->flags & PMUMAP_NO_INDEX) && !pmumap_imc_build_index_(&w) && w.c->names) ||
	    w.clashes_unchecked) {
		b->own.node = PMUMAP_NO_NODE;
		pmumap_report_row_(b, PMUMAP_FINDING_(NO_INDEX, PMUMAP_NOTE, PMUMAP_IN_NODE_),
				   PMUMAP_NO_ROW, w.c->nth_bit && need > b->own.bytes ? need : 0);
	}
	if (!w.c->slots)
		pmumap_imc_build_orders_(&w);
	if (!(b->flags & PMUMAP_NO_OFFSETS))
		pmumap_imc_build_offsets_(&w);
}
