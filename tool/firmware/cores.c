/* SPDX-License-Identifier: BSD-2-Clause */
#include <libfdt.h>
#include "firmware.h"
#include "text/text.h"

#define CPUS 4096 /* at most this many children of /cpus are read */

/* The text property, or "". A blob may lack the 0 at its end. */
static const char *text_of(const void *blob, int node, const char *property)
{
	int bytes;
	const char *text = fdt_getprop(blob, node, property, &bytes);

	return text && bytes > 0 && !text[bytes - 1] ? text : "";
}

static int has_extension(const void *blob, int cpu, const char *name)
{
	const char *isa = text_of(blob, cpu, "riscv,isa"), *at = isa;
	size_t length = strlen(name);

	if (fdt_stringlist_search(blob, cpu, "riscv,isa-extensions", name) >= 0)
		return 1;
	while ((at = strstr(at, name)) != NULL) {
		if (at > isa && at[-1] == '_' && (!at[length] || at[length] == '_'))
			return 1;
		at++;
	}
	return 0;
}

static int is_riscv(const void *blob, int cpu)
{
	return fdt_stringlist_search(blob, cpu, "compatible", "riscv") >= 0 ||
	       fdt_getprop(blob, cpu, "riscv,isa", NULL) ||
	       fdt_getprop(blob, cpu, "riscv,isa-base", NULL);
}

static int is_thead(const void *blob, int cpu)
{
	return !strncmp(text_of(blob, cpu, "compatible"), "thead,c9", 8);
}

/* How many CPUs there are, and how many of them have something. Linux ignores disabled ones. */
struct census {
	int cpus, riscv, sscofpmf, andes;
	int thead; /* the first is T-Head's */
};

static struct census count_cpus(const struct source *source)
{
	const void *blob = source->file.data;
	int cpus = blob ? fdt_path_offset(blob, "/cpus") : -1, node;
	struct census c = { 0 };

	if (cpus < 0)
		return c;
	fdt_for_each_subnode(node, blob, cpus)
	{
		const char *status = text_of(blob, node, "status");

		if (!fdt_getprop(blob, node, "reg", NULL) || c.cpus == CPUS ||
		    (*status && strcmp(status, "okay") != 0 && strcmp(status, "ok") != 0))
			continue;
		if (!c.cpus++)
			c.thead = is_thead(blob, node);
		c.riscv += is_riscv(blob, node);
		c.sscofpmf += has_extension(blob, node, "sscofpmf");
		c.andes += has_extension(blob, node, "xandespmu");
	}
	return c;
}

struct cores cores_of(const struct source *source)
{
	struct census c = count_cpus(source);

	return (struct cores){ .guessed = !c.cpus,
			       .overflow = !c.cpus                ? OVERFLOW_NONE
					   : c.sscofpmf == c.cpus ? OVERFLOW_SSCOFPMF
					   : c.thead              ? OVERFLOW_THEAD
					   : c.andes == c.cpus    ? OVERFLOW_ANDES
								  : OVERFLOW_NONE };
}

int is_qemu(const struct source *source)
{
	return source->file.data &&
	       fdt_stringlist_search(source->file.data, 0, "compatible", "riscv-virtio") >= 0;
}

enum tree tree_of(const struct source *source)
{
	const void *blob = source->file.data;
	struct census c = count_cpus(source);

	if (is_overlay(blob))
		return TREE_OVERLAY;
	if (fdt_node_offset_by_compatible(blob, -1, "riscv,pmu") >= 0 || c.riscv)
		return TREE_WHOLE;
	return c.cpus ? TREE_FOREIGN : TREE_FRAGMENT;
}
