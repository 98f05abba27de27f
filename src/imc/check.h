/* SPDX-License-Identifier: BSD-2-Clause */
/* Mistakes in a tree */
#pragma once

#include "imc/check_units.h"

/* Note which lists have counters, not only traces. */
static inline void pmumap_imc_note_counted_(struct pmumap_imc_checker_ *c)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_BUILT_(&c->b);
	uint32_t i;

	for (i = 0; i < PMUMAP_IMC_LISTS_; i++) {
		c->counted[i] = 0;
		PMUMAP_NO_LIBCALL_();
	}
	for (i = 0; i < c->b.units; i++, u++) {
		if (u->type != PMUMAP_IMC_TRACE && u->first != PMUMAP_IMC_NONE_)
			c->counted[u->first] = 1;
	}
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
	pmumap_imc_note_counted_(&c);
	c.left_out = c.in_unit = 0;
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
