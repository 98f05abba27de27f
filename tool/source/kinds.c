/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kinds.c -- the kinds of maps, and the functions of all headers, compiled once for the whole tool.
 * A new kind needs its header and a row in kinds[]; then code to show its map: source.h, map/map.h.
 */
#define PMUMAP_IMPLEMENTATION
#include "source.h"
#include "text/text.h"

/* ---- RISC-V ---------------------------------------------------------------------------------- */

int first_node(const struct source *source)
{
	struct pmumap_reader_ r;

	return pmumap_riscv_choose_node_(&r, source->file.data, source->file.size, NULL) ==
			       PMUMAP_OK
		       ? (int)r.chosen
		       : PMUMAP_NO_NODE;
}

/* If the tree has no map, its findings may explain why. */
static enum pmumap_status build_riscv(struct source *source, void **memory,
				      const struct input *input, pmumap_report_fn *report,
				      void *arg)
{
	struct pmumap_fdt_options options = { .node = input->offset };
	const void *blob = source->file.data;
	size_t size = source->file.size, bytes = 0, harts;
	enum pmumap_status status = pmumap_fdt_measure(blob, size, &options, &bytes);
	void *block;

	if (status == PMUMAP_OK) {
		*memory = reallocate(NULL, bytes, 1);
		status = pmumap_fdt_build(blob, size, &options, *memory, bytes, &source->map);
	}
	if (report) {
		harts = source->hart_count * sizeof(*source->harts) + 8;
		bytes = bytes > harts ? bytes : harts;
		block = reallocate(NULL, bytes, 1);
		(void)pmumap_fdt_check(blob, size, &options, block, bytes, report, arg);
		free(block);
	}
	return status == PMUMAP_E_NODE && input->for_hart ? PMUMAP_E_NOTFOUND : status;
}

static enum pmumap_status open_riscv(struct source *source)
{
	return pmumap_open(source->file.data, source->file.size, &source->map);
}

/* ---- IMC ------------------------------------------------------------------------------------- */

static enum pmumap_status build_imc(struct source *source, void **memory, const struct input *input,
				    pmumap_report_fn *report, void *arg)
{
	struct pmumap_imc_options options = { .flags = input->desc ? PMUMAP_DESC : 0,
					      .wanted = pmumap_imc_wanted,
					      .generation = input->generation,
					      .available = input->available };
	const void *blob = source->file.data;
	size_t size = source->file.size, bytes;
	enum pmumap_status status = pmumap_imc_fdt_measure(blob, size, &options, &bytes);
	void *block;

	if (status != PMUMAP_OK)
		return status;
	*memory = reallocate(NULL, bytes, 1);
	status = pmumap_imc_fdt_build(blob, size, &options, *memory, bytes, &source->imc);
	if (report) {
		block = reallocate(NULL, bytes, 1);
		status = pmumap_imc_check(blob, size, &options, block, bytes, report, arg);
		free(block);
	}
	return status;
}

static enum pmumap_status open_imc(struct source *source)
{
	return pmumap_imc_open(source->file.data, source->file.size, &source->imc);
}

/* ---- AMU ------------------------------------------------------------------------------------- */

static enum pmumap_status build_amu(struct source *source, void **memory, const struct input *input,
				    pmumap_report_fn *report, void *arg)
{
	struct pmumap_amu_options options = { .labels = pmumap_amu_labels };
	const void *blob = source->file.data;
	size_t size = source->file.size, bytes;
	enum pmumap_status status = pmumap_amu_fdt_measure(blob, size, &options, &bytes);
	void *block;

	(void)input;
	if (status != PMUMAP_OK)
		return status;
	*memory = reallocate(NULL, bytes, 1);
	status = pmumap_amu_fdt_build(blob, size, &options, *memory, bytes, &source->amu);
	if (report) {
		block = reallocate(NULL, bytes, 1);
		status = pmumap_amu_check(blob, size, &options, block, bytes, report, arg);
		free(block);
	}
	return status;
}

static enum pmumap_status open_amu(struct source *source)
{
	return pmumap_amu_open(source->file.data, source->file.size, &source->amu);
}

/* ---------------------------------------------------------------------------------------------- */

const struct kind kinds[KINDS + 1] = {
	{ "no riscv,pmu", build_riscv, open_riscv },
	{ "no ibm,opal-in-memory-counters", build_imc, open_imc },
	{ "no AMU in /cpus", build_amu, open_amu },
};
