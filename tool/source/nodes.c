/* SPDX-License-Identifier: BSD-2-Clause */
#include <libfdt.h>
#include "rows.h"
#include "text/text.h"

/* A node, and the index of its parent in the array of all nodes. */
struct place {
	int offset;
	uint32_t parent;
};

static void list_nodes(struct source *source)
{
	uint32_t above[DEPTH_LIMIT + 1] = { 0 };
	int offset = -1, depth = -1;
	size_t room = 0;

	while ((offset = fdt_next_node(source->file.data, offset, &depth)) >= 0 && depth >= 0 &&
	       depth <= DEPTH_LIMIT) {
		if (source->nodes == room) {
			room = room ? 2 * room : 64;
			source->places = reallocate(source->places, room, sizeof(struct place));
		}
		above[depth] = source->nodes;
		source->places[source->nodes].offset = offset;
		source->places[source->nodes++].parent = depth ? above[depth - 1] : 0;
	}
	/* A path is never longer than the blob, which contains every name on it. */
	source->path = reallocate(NULL, source->file.size, 1);
}

void forget_nodes(struct source *source)
{
	free(source->places);
	free(source->path);
	source->places = NULL;
	source->path = NULL;
	source->nodes = 0;
}

static int by_offset(const void *left, const void *right)
{
	return ((const struct place *)left)->offset - ((const struct place *)right)->offset;
}

const char *node_path(struct source *source, int node)
{
	struct place key = { .offset = node };
	const struct place *place;
	char *end;

	if (!source->file.data || node < 0)
		return NULL;
	if (!source->path)
		list_nodes(source);
	place = bsearch(&key, source->places, source->nodes, sizeof(key), by_offset);
	if (!place)
		return NULL;
	/* A node knows only its parent, so build the path from its end. */
	end = source->path + source->file.size - 1;
	*end = '\0';
	for (; place != source->places; place = &source->places[place->parent]) {
		int length = 0;
		const char *name = fdt_get_name(source->file.data, place->offset, &length);

		if (!name || length >= end - source->path)
			return NULL;
		end -= length;
		memcpy(end, name, (size_t)length);
		*--end = '/';
	}
	return *end ? end : "/";
}

const char *property_text(const struct source *source, int node, const char *property)
{
	int length = 0;
	const char *text;

	if (!source->file.data || node < 0 || !property)
		return NULL;
	text = fdt_getprop(source->file.data, node, property, &length);
	return text && length > 0 && memchr(text, 0, (size_t)length) ? text : NULL;
}

const char *event_name(const struct source *source, int list, uint64_t reg)
{
	int node, length = 0;

	if (!source->file.data || list < 0)
		return NULL;
	fdt_for_each_subnode(node, source->file.data, list)
	{
		const unsigned char *cell = fdt_getprop(source->file.data, node, "reg", &length);

		if (cell && length >= 4 && big_endian(cell) == reg)
			return property_text(source, node, "event-name");
	}
	return NULL;
}

int first_cpu(const struct source *source, const struct pmumap_finding *f)
{
	const void *blob = source->file.data;
	int node, parent, length;

	if (!blob || f->node < 0)
		return -1;
	parent = fdt_parent_offset(blob, f->node);
	fdt_for_each_subnode(node, blob, parent)
	{
		const unsigned char *reg = fdt_getprop(blob, node, "reg", &length);
		uint64_t mpidr = 0;

		for (int i = 0; reg && i < fdt_address_cells(blob, parent) && 4 * i + 4 <= length;
		     i++)
			mpidr = mpidr << 32 | big_endian(reg + 4 * i);
		if (reg && !((mpidr ^ f->value) & PMUMAP_AMU_AFFINITY))
			return node;
	}
	return -1;
}

int pmu_node(const struct source *source, const struct input *input)
{
	if (!source->file.data)
		return PMUMAP_NO_NODE;
	if (input->node)
		return fdt_path_offset(source->file.data, input->node);
	return input->for_hart ? node_of_hart(source, input->hart) : first_node(source);
}

static const void *property_data(const struct source *source, int node, const char *property,
				 uint32_t *bytes)
{
	int length = 0;
	const void *data = NULL;

	if (source->file.data && node >= 0)
		data = fdt_getprop(source->file.data, node, property, &length);
	*bytes = data ? (uint32_t)length : 0;
	return data;
}

const unsigned char *property_cells(const struct source *source, int node, const char *property,
				    uint32_t *cells)
{
	const void *data = property_data(source, node, property, cells);

	*cells /= 4;
	return data;
}

uint32_t property_bytes(const struct source *source, int node, const char *property)
{
	uint32_t bytes;

	property_data(source, node, property, &bytes);
	return bytes;
}

/* ---- harts ----------------------------------------------------------------------------------- */

void read_harts(struct source *source)
{
	const void *blob = source->file.data;
	size_t size = source->file.size, room;

	(void)pmumap_fdt_harts(blob, size, NULL, 0, &room);
	source->harts = reallocate(source->harts, room + 1, sizeof(*source->harts));
	(void)pmumap_fdt_harts(blob, size, source->harts, room, &source->hart_count);
}

const struct pmumap_fdt_hart *find_hart(const struct source *source, uint64_t id)
{
	return pmumap_fdt_hart_find(source->harts, source->hart_count, id);
}

int node_of_hart(const struct source *source, uint64_t id)
{
	const struct pmumap_fdt_hart *hart = find_hart(source, id);

	return hart ? hart->node : PMUMAP_NO_NODE;
}

static uint32_t features_of(const struct pmumap_fdt_hart *hart)
{
	return hart->features & (PMUMAP_SSCOFPMF | PMUMAP_SMCNTRPMF);
}

uint32_t features_in_tree(const struct source *source, const uint64_t *id)
{
	const struct pmumap_fdt_hart *hart = id ? find_hart(source, *id) : source->harts;
	size_t i;

	for (i = 0; !id && i < source->hart_count; i++) {
		if (features_of(&source->harts[i]) == PMUMAP_SSCOFPMF)
			hart = &source->harts[i];
	}
	return hart && source->hart_count ? features_of(hart) : 0;
}

int has_mixed_harts(const struct source *source)
{
	const void *blob = source->file.data;
	int first = blob ? fdt_node_offset_by_compatible(blob, -1, "riscv,pmu") : -1;
	size_t i = 0;

	/* A tree usually has one node; then all harts use it. */
	if (first < 0 || fdt_node_offset_by_compatible(blob, first, "riscv,pmu") < 0)
		return 0;
	while (i < source->hart_count && source->harts[i].node == source->harts[0].node)
		i++;
	return i < source->hart_count;
}

void use_node(struct source *source, int node)
{
	const struct input input = { .offset = node };

	free(source->memory[0]);
	source->memory[0] = NULL;
	(void)kinds[0].build(source, &source->memory[0], &input, NULL, NULL);
}
