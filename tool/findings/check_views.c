/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_views.c -- reports activity-monitor views that no CPU uses.
 */
#include <libfdt.h>
#include "checks.h"
#include "findings.h"
#include "source/rows.h"
#include "text/text.h"

static int by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

void check_views(const struct checker *c)
{
	const struct source *source = &c->r->source;
	const void *blob = source->file.data;
	int amus = fdt_path_offset(blob, "/cpus/amus"), cpu;
	uint32_t *used = NULL, views = 0, cells;
	struct pmumap_amu_cpu first;
	struct checker view = *c;

	/* libfdt takes the root for a child of a parent that does not exist. */
	if (amus < 0 || !source->amu || !pmumap_amu_cpu_at(source->amu, 0, &first))
		return;
	fdt_for_each_subnode(cpu, blob, fdt_path_offset(blob, "/cpus"))
	{
		const unsigned char *amu = property_cells(source, cpu, "amu", &cells);

		if (!amu || !cells)
			continue;
		used = grow(used, views, sizeof(*used));
		used[views++] = big_endian(amu);
	}
	if (views)
		qsort(used, views, sizeof(*used), by_number);
	fdt_for_each_subnode(view.node, blob, amus)
	{
		uint32_t handle = fdt_get_phandle(blob, view.node);

		if (fdt_first_subnode(blob, view.node) < 0)
			continue;
		if (!handle || !views || !bsearch(&handle, used, views, sizeof(handle), by_number))
			tell_mistake(&view, VIEW_UNUSED, PMUMAP_WARNING, NULL, PMUMAP_NO_ROW, 0);
	}
	free(used);
}
