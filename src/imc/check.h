/* SPDX-License-Identifier: BSD-2-Clause */
/* Mistakes in a tree */
#pragma once

#include "imc/check_units.h"

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
