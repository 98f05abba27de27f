/* SPDX-License-Identifier: BSD-2-Clause */
#include <libfdt.h>
#include "harts.h"
#include "kinds.h"
#include "text/text.h"

int node_of_hart(const struct source *source, uint64_t id)
{
	const struct pmumap_fdt_options options = { .flags = PMUMAP_FOR_HART, .hart = id };
	int node;

	(void)pmumap_fdt_node(source->file.data, source->file.size, &options, &node);
	return node;
}

/* As pmumap_fdt.h: by device_type, or by name. */
static int is_cpu(const void *blob, int node)
{
	int bytes = 0, length = 0;
	const char *type = fdt_getprop(blob, node, "device_type", &bytes);
	const char *name = fdt_get_name(blob, node, &length);

	return (type && bytes >= 4 && !memcmp(type, "cpu", 4)) ||
	       (length >= 3 && !strncmp(name, "cpu", 3) && (length == 3 || name[3] == '@'));
}

uint32_t list_harts(const struct source *source, struct hart *harts)
{
	const void *blob = source->file.data;
	int cpus = blob ? fdt_path_offset(blob, "/cpus") : -1, cells, bytes, node;
	uint32_t count = 0;

	if (cpus < 0)
		return 0;
	cells = fdt_address_cells(blob, cpus);
	fdt_for_each_subnode(node, blob, cpus)
	{
		const unsigned char *reg = fdt_getprop(blob, node, "reg", &bytes);
		uint64_t id = 0;

		if (!reg || cells <= 0 || bytes / 4 < cells || !is_cpu(blob, node))
			continue;
		for (int i = 0; i < cells; i++)
			id = id << 32 | big_endian(reg + 4 * i);
		harts[count++].id = id;
		if (count == HARTS)
			break;
	}
	return count;
}

static uint32_t features_of_hart(const struct source *source, uint64_t id)
{
	return pmumap_fdt_features(source->file.data, source->file.size, id) &
	       (PMUMAP_SSCOFPMF | PMUMAP_SMCNTRPMF);
}

uint32_t features_in_tree(const struct source *source, const uint64_t *id)
{
	struct hart harts[HARTS];
	uint32_t count, first = 0;

	if (id)
		return features_of_hart(source, *id);
	count = list_harts(source, harts);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t features = features_of_hart(source, harts[i].id);

		if (i == 0 || features == PMUMAP_SSCOFPMF)
			first = features;
		if (features == PMUMAP_SSCOFPMF)
			break;
	}
	return first;
}

int has_hart(const struct source *source, uint64_t id)
{
	struct hart harts[HARTS];
	uint32_t count = list_harts(source, harts), i = 0;

	while (i < count && harts[i].id != id)
		i++;
	return i < count;
}

uint32_t list_mixed_harts(const struct source *source, struct hart *harts)
{
	uint32_t count, mixed = 0;

	/* A tree usually has one node; then all harts use it. */
	if (!source->file.data ||
	    fdt_node_offset_by_compatible(
		    source->file.data,
		    fdt_node_offset_by_compatible(source->file.data, -1, "riscv,pmu"),
		    "riscv,pmu") < 0)
		return 0;
	count = list_harts(source, harts);
	for (uint32_t i = 0; i < count; i++) {
		harts[i].node = node_of_hart(source, harts[i].id);
		mixed |= harts[i].node != harts[0].node;
	}
	return mixed ? count : 0;
}

void use_node(struct source *source, int node)
{
	const struct input input = { .offset = node };

	free(source->memory[0]);
	source->memory[0] = NULL;
	(void)kinds[0].build(source, &source->memory[0], &input, NULL, NULL);
}
