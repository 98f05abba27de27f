/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shared by the tests that write device trees: buffers that reveal stray writes, and a comparison
 * of two trees as libfdt reads them.
 */
#ifndef EMIT_SUPPORT_H
#define EMIT_SUPPORT_H

#include "make.h"
#include "pmumap_imc.h"

/* ---- buffers --------------------------------------------------------------------------------- */

enum { GUARD = 64 };

/* A tree at the start of a buffer of this size, with guard bytes around the buffer. */
struct buffer {
	unsigned char *block, *fdt, *before;
	size_t bytes;
};

static inline struct buffer buffer_of(const void *fdt, size_t size, size_t bytes)
{
	struct buffer b;

	b.bytes = bytes;
	b.block = exact(bytes + 2 * GUARD);
	memset(b.block, 0xa5, bytes + 2 * GUARD);
	b.fdt = b.block + GUARD;
	memcpy(b.fdt, fdt, size);
	b.before = exact_copy(b.block, bytes + 2 * GUARD);
	return b;
}

/* Returns whether at most the first bytes of the buffer were written. */
static inline int written_at_most(const struct buffer *b, size_t bytes)
{
	size_t behind = GUARD + bytes;

	return memcmp(b->block, b->before, GUARD) == 0 &&
	       memcmp(b->block + behind, b->before + behind, b->bytes + GUARD - bytes) == 0;
}

static inline void drop(struct buffer *b)
{
	free(b->block);
	free(b->before);
}

/* The same bytes at the end of a heap block, for sanitizers. */
static inline unsigned char *room(const void *fdt, size_t size, size_t bytes)
{
	unsigned char *copy = exact(bytes);

	memset(copy, 0x5a, bytes);
	return memcpy(copy, fdt, size);
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* Counts a node's properties with this name and value, or all. */
static inline int times(const void *fdt, int node, const char *name, const void *value, int bytes)
{
	int n = 0, at, len;

	fdt_for_each_property_offset(at, fdt, node)
	{
		const char *other;
		const void *p = fdt_getprop_by_offset(fdt, at, &other, &len);

		n += !name || (p && len == bytes && !strcmp(name, other) &&
			       memcmp(value, p, (size_t)len) == 0);
	}
	return n;
}

/* Compares properties in any order. */
static inline int same_properties(const void *a, int at, const void *b, int bt)
{
	int property, len, good = times(a, at, NULL, NULL, 0) == times(b, bt, NULL, NULL, 0);

	fdt_for_each_property_offset(property, a, at)
	{
		const char *name;
		const void *value = fdt_getprop_by_offset(a, property, &name, &len);

		good = good && value &&
		       times(a, at, name, value, len) == times(b, bt, name, value, len);
	}
	return good;
}

/* Compares nodes in order, and everything else in the trees. */
static inline int same_trees(const void *a, const void *b)
{
	int at = -1, bt = -1, depths[2] = { 0, 0 }, n = fdt_num_mem_rsv(a);
	int good = n >= 0 && n == fdt_num_mem_rsv(b) &&
		   fdt_boot_cpuid_phys(a) == fdt_boot_cpuid_phys(b) &&
		   memcmp((const char *)a + fdt_off_mem_rsvmap(a),
			  (const char *)b + fdt_off_mem_rsvmap(b), 16 * (size_t)n) == 0;

	while (good) {
		at = fdt_next_node(a, at, &depths[0]);
		bt = fdt_next_node(b, bt, &depths[1]);
		if (at < 0 || bt < 0)
			return at == -FDT_ERR_NOTFOUND && bt == -FDT_ERR_NOTFOUND;
		good = depths[0] == depths[1] &&
		       !strcmp(fdt_get_name(a, at, NULL), fdt_get_name(b, bt, NULL)) &&
		       same_properties(a, at, b, bt);
	}
	if (at >= 0)
		printf("\tthey differ at %s\n", fdt_get_name(a, at, NULL));
	return 0;
}

/* A copy that libfdt can edit, and its final size. */
static inline unsigned char *opened(const void *fdt, size_t more)
{
	size_t bytes = fdt_totalsize(fdt) + more;
	unsigned char *copy = exact(bytes);

	must(fdt_open_into(fdt, copy, (int)bytes));
	return copy;
}

static inline size_t packed(void *fdt)
{
	must(fdt_pack(fdt));
	return fdt_totalsize(fdt);
}

/* Gaps and unused strings stay; libfdt would remove gaps. */
static inline size_t overhead(const void *fdt)
{
	unsigned char *copy = opened(fdt, 64);
	size_t bytes = fdt_off_dt_strings(fdt) + fdt_size_dt_strings(fdt) - packed(copy);

	free(copy);
	return bytes;
}

static inline size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* ---- other layouts of the same tree ---------------------------------------------------------- */

/* Parts in the order of their offsets, each after a gap; tail: bytes after the last part. */
enum { RESERVED, TAGS, STRINGS, PARTS };
struct layout {
	const char *name;
	uint8_t order[PARTS];
	uint8_t gap[PARTS];
	uint32_t tail;
	uint32_t junk; /* at the end of the strings, without NUL */
	int grows;     /* whether this is possible */
};

static const struct layout layouts[] = {
	{ "as usual", { RESERVED, TAGS, STRINGS }, { 0, 0, 0 }, 0, 0, 1 },
	{ "slack behind", { RESERVED, TAGS, STRINGS }, { 0, 0, 0 }, 100, 0, 1 },
	{ "much slack behind", { RESERVED, TAGS, STRINGS }, { 0, 0, 0 }, 8000, 0, 1 },
	{ "gaps", { RESERVED, TAGS, STRINGS }, { 8, 20, 7 }, 3, 0, 1 },
	{ "a gap before the tags", { RESERVED, TAGS, STRINGS }, { 0, 4, 0 }, 0, 0, 1 },
	{ "odd strings", { RESERVED, TAGS, STRINGS }, { 0, 0, 1 }, 0, 0, 1 },
	{ "strings that do not end", { RESERVED, TAGS, STRINGS }, { 0, 0, 0 }, 0, 5, 1 },
	{ "strings first", { STRINGS, RESERVED, TAGS }, { 0, 8, 0 }, 0, 0, 0 },
	{ "strings before tags", { RESERVED, STRINGS, TAGS }, { 0, 0, 4 }, 0, 0, 0 },
	{ "reserved behind tags", { TAGS, RESERVED, STRINGS }, { 0, 8, 0 }, 0, 0, 0 },
	{ "reserved last", { TAGS, STRINGS, RESERVED }, { 0, 0, 8 }, 0, 0, 0 },
};
#define LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

static inline unsigned char *lay_out(const struct layout *l, const void *fdt, size_t *size)
{
	uint32_t from[PARTS] = { fdt_off_mem_rsvmap(fdt), fdt_off_dt_struct(fdt),
				 fdt_off_dt_strings(fdt) };
	uint32_t bytes[PARTS] = { 16 * (uint32_t)fdt_num_mem_rsv(fdt) + 16, fdt_size_dt_struct(fdt),
				  fdt_size_dt_strings(fdt) };
	uint32_t to[PARTS], at = 40, i;
	unsigned char *new = exact(fdt_totalsize(fdt) + l->tail + l->junk + 300);

	memset(new, 0xee, fdt_totalsize(fdt) + l->tail + l->junk + 300);
	memcpy(new, fdt, 40);
	for (i = 0; i < PARTS; i++) {
		uint32_t part = l->order[i], align = part == RESERVED ? 7 : part == TAGS ? 3 : 0;

		at = (at + l->gap[i] + align) & ~align;
		to[part] = at;
		memcpy(new + at, (const unsigned char *)fdt + from[part], bytes[part]);
		at += bytes[part] + (part == STRINGS ? l->junk : 0);
	}
	fdt_set_off_mem_rsvmap(new, to[RESERVED]);
	fdt_set_off_dt_struct(new, to[TAGS]);
	fdt_set_off_dt_strings(new, to[STRINGS]);
	fdt_set_size_dt_strings(new, bytes[STRINGS] + l->junk);
	fdt_set_totalsize(new, at + l->tail);
	*size = at + l->tail;
	return new;
}

/* ---- all sizes of a buffer ------------------------------------------------------------------- */

typedef enum pmumap_status change_fn(void *fdt, size_t bytes, const void *arg, size_t *need);

/*
 * Changes the tree in a buffer of exactly the needed size. Before that, every smaller size from the
 * tree's own on must be refused with the right need. Returns NULL if it is refused with another
 * status.
 */
static inline unsigned char *changed(const void *fdt, size_t size, change_fn *change,
				     const void *arg, size_t step, size_t *need,
				     enum pmumap_status *status)
{
	struct buffer b = buffer_of(fdt, size, size);
	unsigned char *copy = NULL;
	size_t give, all, at_first = 7;
	uint32_t bad = 0;

	*status = change(b.fdt, size, arg, &at_first);
	all = larger(at_first, size);
	CHECK(written_at_most(&b, *status == PMUMAP_OK ? all : 0));
	CHECK(*status == PMUMAP_OK || *status == PMUMAP_E_NOSPACE ? at_first > 7 : at_first == 7);
	drop(&b);
	*need = at_first;
	if (*status != PMUMAP_OK && *status != PMUMAP_E_NOSPACE)
		return NULL;
	CHECK((*status == PMUMAP_OK) == (at_first <= size));
	/* In steps, and the last one that is too small. */
	for (give = size; give < at_first;
	     give = give + step < at_first ? give + step : larger(give + 1, at_first - 1)) {
		size_t again = 1;

		b = buffer_of(fdt, size, give);
		bad += change(b.fdt, give, arg, &again) != PMUMAP_E_NOSPACE || again != at_first;
		bad += !written_at_most(&b, 0);
		drop(&b);
	}
	CHECK_EQ(bad, 0);
	/* A larger buffer or an odd address must make no difference. */
	b = buffer_of(fdt, size, all + 333);
	*status = change(b.fdt, b.bytes, arg, need);
	CHECK_EQ(*status, PMUMAP_OK);
	CHECK_EQ(*need, at_first);
	CHECK(written_at_most(&b, all));
	copy = room(fdt, size, all);
	CHECK_EQ(change(copy, all, arg, NULL), PMUMAP_OK);
	CHECK(memcmp(copy, b.fdt, all) == 0);
	CHECK_EQ(fdt_totalsize(copy), all);
	drop(&b);
	return copy;
}

/* ---- trees that nobody has checked ----------------------------------------------------------- */

static struct {
	uint32_t calls, changed, bad;
} survived;

/* A status and nothing written, or a tree that can be read. */
static inline void survive(const void *fdt, size_t size, change_fn *change, const void *arg)
{
	size_t bytes = size + 700, need = 77, at = size, again;
	unsigned char *copy = room(fdt, size, bytes);
	enum pmumap_status status = change(copy, bytes, arg, &need);

	survived.calls++;
	if (status != PMUMAP_OK) {
		survived.bad += memcmp(copy, fdt, size) != 0;
		survived.bad += (need != 77) != (status == PMUMAP_E_NOSPACE);
	} else {
		survived.changed++;
		survived.bad += is_of_blob(pmumap_fdt_measure(copy, bytes, NULL, &again));
		survived.bad += is_of_blob(pmumap_imc_fdt_measure(copy, bytes, NULL, &again));
		at = need == 77 ? size : larger(need, size);
	}
	while (at < bytes)
		survived.bad += copy[at++] != 0x5a;
	free(copy);
}

/* Cut off anywhere, and with another value of each byte. */
static inline void ruin(unsigned char *fdt, size_t size, change_fn *change, const void *arg)
{
	uint32_t step = quick(1, 16), value;
	size_t at;

	for (at = 0; at < size; at++) {
		survive(fdt, at, change, arg);
		for (value = 1; value < 256; value += step) {
			fdt[at] ^= (unsigned char)value;
			survive(fdt, size, change, arg);
			fdt[at] ^= (unsigned char)value;
		}
	}
}

/* ---- emit ------------------------------------------------------------------------------------ */

struct emission {
	int parent;
	const struct pmumap *map;
};

static inline enum pmumap_status emit(void *fdt, size_t bytes, const void *arg, size_t *need)
{
	const struct emission *e = arg;

	return pmumap_fdt_emit(fdt, bytes, e->parent, e->map, need);
}

/* ---- trees ----------------------------------------------------------------------------------- */

#define ZEROS "0 0 0 0 0 0 0 0 0 0 "
#define PLAIN "model=\"board\" soc { #address-cells=<1> }"
#define WITH_TABLES                                                                                \
	"pmus { } pmu { riscv,event-to-mhpmevent=<0 0 0 0 0 0> riscv,event-to-mhpmevent=<0 0 0> "  \
	"status=\"okay\" riscv,event-to-mhpmcounters=<" ZEROS ZEROS ZEROS ZEROS ZEROS              \
	"> riscv,raw-event-to-mhpmcounters=[0 0 0 0 0 0 0] riscv,raw-event-to-mhpmcounters "       \
	"compatible=\"riscv,pmu\" compatible=\"riscv,pmu\" label=\"second\" "                      \
	"child { riscv,event-to-mhpmcounters=<0 0 0> } }"

enum { DEEP = 10 };

static const struct {
	const char *name;
	uint32_t reserved;
	int nops;
	const char *nodes;
} trees[] = {
	{ "plain", 0, 0, PLAIN },
	{ "reserved memory", 3, 0, PLAIN },
	{ "no strings", 0, 0, "" },
	{ "a pmu of another kind", 1, 0,
	  "cpus { } pmu { phandle=<1> compatible=\"arm,pmu\" interrupts=<7> "
	  "pmu { compatible=\"riscv,pmu\" } } pmu@1 { compatible=\"x,pmu\" }" },
	{ "tables that are there", 0, 0, WITH_TABLES },
	{ "more than will be", 0, 0,
	  "pmu { riscv,event-to-mhpmcounters=<" ZEROS ZEROS ZEROS
	  "> compatible=\"a long list of other things that it is compatible with\" }" },
	{ "old tables", 0, 0,
	  "pmu { compatible=\"riscv,pmu\" pmu,event-to-mhpmevent=<3 4 8> "
	  "pmu,event-to-mhpmcounters=<3 4 8> pmu,raw-event-to-mhpmcounters=<3 4 8> }" },
	{ "a draft", 0, 0, "pmu { compatible=\"riscv,pmu\" riscv,width-base-cntr=<3f> }" },
	{ "names that end alike", 0, 0,
	  "not-compatible=\"x\" x-riscv,event-to-mhpmevent=<1> "
	  "riscv,event-to-mhpmcounters-x=<2> not-riscv,raw-event-to-mhpmcounters=<2>" },
	{ "doubled", 2, 0, "cells=<1> cells=<2> cells=<1> a { } a { cells=<3> }" },
	{ "deep", 0, 0, "" }, /* 62 nodes */
	{ "nops", 0, 1, PLAIN },
	{ "nops in a pmu", 0, 1, WITH_TABLES },
};
#define TREES (sizeof(trees) / sizeof(trees[0]))

/* Replaces a node and properties by NOPs, before, between and after others. */
static inline void nop_some(unsigned char *fdt)
{
	int pmu = fdt_path_offset(fdt, "/pmu"), soc = fdt_path_offset(fdt, "/soc");

	if (pmu >= 0) {
		must(fdt_nop_property(fdt, pmu, "status"));
		must(fdt_nop_property(fdt, pmu, "label"));
		must(fdt_nop_node(fdt, fdt_path_offset(fdt, "/pmus")));
	} else {
		must(fdt_nop_property(fdt, soc, "#address-cells"));
		must(fdt_nop_property(fdt, 0, "model"));
	}
}

static inline unsigned char *make_tree(size_t t, size_t *size)
{
	unsigned char *fdt;
	uint32_t i;

	start();
	tree.reserved = trees[t].reserved;
	begin("");
	blob_text(&tree, trees[t].nodes);
	for (i = 0; t == DEEP && i < 62; i++) {
		begin("pmu@0");
		cell("depth", i);
	}
	fdt = finish(size);
	fdt_set_boot_cpuid_phys(fdt, 5);
	if (trees[t].nops)
		nop_some(fdt);
	return fdt;
}

/* Maps from empty to large, and one with an empty table of selectors. */
enum { NOTHING, ONLY_RAW, ONLY_SELECTORS, ONLY_COUNTERS, ALL, NO_SELECTOR, KINDS };

#define RAWS                                                                                       \
	"riscv,raw-event-to-mhpmcounters=<0 2 ffffffff ffffffff 8 12345678 9abc0000 ffffffff "     \
	"ffff0000 fffffff8> "
#define SELECTORS "riscv,event-to-mhpmevent=<3 fedcba98 76543210 4 0 0 12345 0 7> "
#define COUNTERS "riscv,event-to-mhpmcounters=<3 fffff 80000001> "

static inline struct pmumap *map_of(int kind)
{
	static const char all[] = SELECTORS COUNTERS RAWS;
	static const char none[] = "riscv,event-to-mhpmevent " COUNTERS;
	const char *const texts[KINDS] = { "", RAWS, SELECTORS, COUNTERS, all, none };
	struct pmumap *map;
	enum pmumap_status status;
	unsigned char *fdt;
	size_t size;

	start();
	blob_format(&tree, "{ compatible=\"riscv,pmu\" %s", texts[kind]);
	fdt = finish(&size);
	map = build_tree(fdt, size, 0, NULL, &status);
	free(fdt);
	return map;
}

/* The node with exactly this name, without an address. */
static inline int child_pmu(const void *fdt, int parent)
{
	int node;

	fdt_for_each_subnode(node, fdt, parent)
	{
		if (!strcmp(fdt_get_name(fdt, node, NULL), "pmu"))
			break;
	}
	return node;
}

#endif /* EMIT_SUPPORT_H */
