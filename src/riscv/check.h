/* SPDX-License-Identifier: BSD-2-Clause */
/* All checks of a tree */
#pragma once

#include "riscv/check_api.h"
#include "riscv/read.h"
#include "riscv/check_rows.h"
#include "riscv/check_node.h"

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_fdt_check(const void *fdt, size_t fdt_size,
							    const struct pmumap_fdt_options *opt,
							    void *mem, size_t bytes,
							    pmumap_report_fn *report, void *arg)
{
	struct pmumap_riscv_harts_ harts;
	struct pmumap_checker_ c;
	struct pmumap_builder b;
	enum pmumap_status listed, status;
	struct pmumap *m = 0;

	if (!report || !pmumap_riscv_begin_tree_(&b, fdt, fdt_size, mem, bytes))
		return PMUMAP_E_ARG;
	c.report = report;
	c.arg = arg;
	c.b = &b;
	c.harts = &harts;
	c.names[PMUMAP_IN_NODE_] = 0;
	c.names[PMUMAP_IN_PROPERTY_] = "interrupts-extended";
	harts.list.harts = (struct pmumap_fdt_hart *)mem;
	harts.list.room = b.room; /* in rows, which are not smaller; 0 if mem is misaligned */
	listed = pmumap_riscv_list_harts_(&harts, fdt, fdt_size, opt ? (uint32_t)opt->node : 0);
	if (listed != PMUMAP_OK && listed != PMUMAP_E_NOSPACE)
		return listed;
	status = pmumap_riscv_check_nodes_(&c, fdt, fdt_size, opt ? (uint32_t)opt->node : 0);
	if (status != PMUMAP_OK)
		return status;
	pmumap_riscv_check_node_(&c);
	pmumap_riscv_read_tables_(&c.r, &b);
	status = pmumap_begin_map_(&b, &m);
	if (!m)
		return status;
	c.rows = pmumap_builder_rows_(&b);
	c.m = m;
	pmumap_riscv_check_rows_(&c);
	return listed;
}
