/* SPDX-License-Identifier: BSD-2-Clause
 *
 * show_harts.c -- prints a tree with several riscv,pmu nodes: the map and the harts of each.
 */
#include "show.h"
#include "source/rows.h"
#include "text/json.h"
#include "text/text.h"

static struct text hart_number(uint64_t id)
{
	return id < 0x10000 ? decimal(id) : hex(id);
}

/* Prints the harts of a node: "hart 0", or "harts 0-3,0x100000000". */
static void put_harts(const struct source *source, int node)
{
	const struct pmumap_fdt_hart *harts = source->harts;
	const char *separator = "";
	size_t count = source->hart_count, of_node = 0;

	for (size_t i = 0; i < count; i++)
		of_node += harts[i].node == node;
	fputs(of_node == 1 ? "hart " : "harts ", stdout);
	for (size_t i = 0; i < count; i++) {
		size_t last = i;

		if (harts[i].node != node)
			continue;
		while (last + 1 < count && harts[last + 1].node == node &&
		       harts[last + 1].hart == harts[last].hart + 1)
			last++;
		printf("%s%s", separator, hart_number(harts[i].hart).s);
		if (last > i)
			printf("-%s", hart_number(harts[last].hart).s);
		separator = ",";
		i = last;
	}
}

static void show_node_json(struct source *source, int node, const struct events *core)
{
	json_kind("map");
	json_string("node", node_path(source, node));
	json_list("harts");
	for (size_t i = 0; i < source->hart_count; i++) {
		if (source->harts[i].node != node)
			continue;
		json_item();
		printf("\"0x%" PRIx64 "\"", source->harts[i].hart);
	}
	json_list_end();
	json_number("bytes", pmumap_size(source->map));
	json_counters(measure(source->map).counters);
	json_end();
	show_riscv_json(source->map, core);
}

static void show_node(struct source *source, int node, const struct events *core)
{
	struct extent x = measure(source->map);

	putchar('\n');
	put_escaped(stdout, node_path(source, node), 0);
	fputs(", ", stdout);
	put_harts(source, node);
	printf(": map of %zu bytes, counters %s (0x%" PRIx32 ")\n", pmumap_size(source->map),
	       counter_list(x.counters).s, x.counters);
	show_riscv(source->map, &x, core);
}

void show_harts(struct source *source, int json, const struct events *core)
{
	const struct pmumap_fdt_hart *harts = source->harts;
	size_t count = source->hart_count;

	for (size_t i = 0; i < count; i++) {
		size_t before = 0;

		while (before < i && harts[before].node != harts[i].node)
			before++;
		if (before < i || harts[i].node == PMUMAP_NO_NODE)
			continue;
		use_node(source, harts[i].node);
		if (json)
			show_node_json(source, harts[i].node, core);
		else
			show_node(source, harts[i].node, core);
	}
	for (size_t i = 0; i < count && !json; i++) {
		if (harts[i].node != PMUMAP_NO_NODE)
			continue;
		fputs("\nno node serves ", stdout);
		put_harts(source, PMUMAP_NO_NODE);
		putchar('\n');
		break;
	}
}
