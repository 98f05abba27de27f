/* SPDX-License-Identifier: BSD-2-Clause
 *
 * compare.c -- prints how two device trees differ, a line for each node or property.
 *
 *	compare STOCK.dtb OURS.dtb
 *
 *	stock PATH		only the first has that node, or PATH PROPERTY that property
 *	ours PATH ...		only the second
 *	both PATH PROPERTY	they have other values
 *
 * Numbers of nodes (phandles) are compared by the nodes that they name, as properties named below.
 */
#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *trees[2];
static const char *const only[2] = { "stock", "ours" };
static int found;

static void *load(const char *name)
{
	FILE *file = fopen(name, "rb");
	char *fdt = malloc(1 << 22);

	if (!file || !fdt || !fread(fdt, 1, 1 << 22, file) || fdt_check_header(fdt) ||
	    fdt_totalsize(fdt) > 1 << 22) {
		fprintf(stderr, "%s: no device tree\n", name);
		exit(2);
	}
	fclose(file);
	return fdt;
}

static void say(const char *what, const char *path, const char *property)
{
	printf("%s %s%s%s\n", what, path, *property ? " " : "", property);
	found++;
}

static int is_number(const char *property)
{
	return !strcmp(property, "phandle") || !strcmp(property, "linux,phandle");
}

static int is_reference(const char *property)
{
	return !strcmp(property, "events") || !strcmp(property, "interrupt-parent") ||
	       !strcmp(property, "next-level-cache") || !strcmp(property, "l2-cache");
}

/* Whether two cells are the numbers of nodes with the same path. */
static int same_node(const void *a, const void *b)
{
	char path[2][512];
	int i;

	for (i = 0; i < 2; i++) {
		uint32_t number = fdt32_ld((const fdt32_t *)(i ? b : a));
		int node = fdt_node_offset_by_phandle(trees[i], number);

		if (node < 0 || fdt_get_path(trees[i], node, path[i], sizeof(path[i])))
			return 0;
	}
	return !strcmp(path[0], path[1]);
}

/* The properties of nodes a and b that differ; those that only one has, if it is the first. */
static void compare_properties(int first, int a, int b, const char *path)
{
	int at, la, lb;

	fdt_for_each_property_offset(at, trees[first], a)
	{
		const char *name;
		const void *mine = fdt_getprop_by_offset(trees[first], at, &name, &la);
		const void *its = fdt_getprop(trees[1 - first], b, name, &lb);

		if (!its)
			say(only[first], path, name);
		else if (first == 1 || is_number(name))
			continue;
		else if (is_reference(name) && la == 4 && lb == 4
				 ? !same_node(mine, its)
				 : la != lb || memcmp(mine, its, (size_t)la))
			say("both", path, name);
	}
}

int main(int argc, char **argv)
{
	char path[512];
	int i, node, other;

	if (argc != 3)
		return 2;
	trees[0] = load(argv[1]);
	trees[1] = load(argv[2]);
	for (i = 0; i < 2; i++)
		for (node = 0; node >= 0; node = fdt_next_node(trees[i], node, NULL)) {
			if (fdt_get_path(trees[i], node, path, sizeof(path)))
				return 2;
			other = fdt_path_offset(trees[1 - i], path);
			if (other < 0)
				say(only[i], path, "");
			else
				compare_properties(i, node, other, path);
		}
	fprintf(stderr, "%d differences\n", found);
	return 0;
}
