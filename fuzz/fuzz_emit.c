/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as rows, and as a tree to write their map into; or a blob. The written tree reads back
 * as the same map, takes exactly the reported size, and is otherwise unchanged. The same for
 * removing tables and for adding chips to IMC catalogs.
 */
#include "emit_support.h"
#include "fuzz_rows.h"
#include "imc_model.h"
#include "imc_tree.h"
#include "pmumap_imc_hw.h"
#include "steps.h"

#define HEAD 40u /* bytes */
#define MAX_CHIPS 5u
#define MAX_DEPTH 50u /* well below what pmumap refuses */

/* ---- the tree -------------------------------------------------------------------------------- */

static void put_compatible(struct tree *t)
{
	static const char list[] = "x\0riscv,pmu\0riscv,pmu\0y\0riscv,pmux";
	static const uint8_t from[] = { 2, 0, 12, 24, 2, 2 }, size[] = { 10, 12, 12, 11, 9, 22 };
	uint32_t kind = take(&t->in, 1) % 6;

	t->err |= fdt_property(t->fdt, "compatible", list + from[kind], size[kind]);
}

static void put_property(struct tree *t)
{
	static const char *const names[] = { "status", "x-compatible",
					     "not-riscv,event-to-mhpmevent",
					     "riscv,event-to-mhpmcountersx", "e" };
	static const uint8_t rows[255];
	uint32_t kind = take(&t->in, 1), bytes_of = take(&t->in, 1);
	const char *name = names[kind % 5];

	if (kind & 0x80)
		name = model_names[!(kind & 0x40)][kind % 3];
	t->err |= fdt_property(t->fdt, name, rows, (int)bytes_of);
}

/*
 * Contents of a node: properties, nodes, or a catalog, one per byte. After the first child no
 * property follows.
 */
static void put_nodes(struct tree *t)
{
	static const char *const names[] = { "pmu", "pmu@0", "soc", "pmux", "p", "cpus" };
	uint32_t depth = 0, closed = 0, format;

	while (t->in.left && !tree_full(t)) {
		uint32_t kind = take(&t->in, 1);

		if ((kind & 7) == 0 && depth < MAX_DEPTH) {
			t->err |= fdt_begin_node(t->fdt, names[(kind >> 3) % 6]);
			depth++;
			closed = 0;
		} else if ((kind & 7) == 1) {
			t->err |= depth ? fdt_end_node(t->fdt) : 0;
			depth -= depth != 0;
			closed = 1;
		} else if (kind >= 0xfa && kind < 0xff) {
			format = take(&t->in, 1);
			t->err |= fdt_begin_node(t->fdt, "imc-counters");
			put_root(t, format);
			put_units(t);
			t->err |= fdt_end_node(t->fdt);
			closed = 1;
		} else if (kind == 0xff) {
			break;
		} else if (!closed && (kind & 7) < 4) {
			put_compatible(t);
		} else if (!closed) {
			put_property(t);
		}
	}
	while (depth--)
		t->err |= fdt_end_node(t->fdt);
}

static void *put_host(struct bytes *in, size_t *size)
{
	static uint64_t block[1 << 13];
	struct tree t = { *in, block, fdt_create(block, sizeof(block)) };
	uint32_t shape = take(&t.in, 1), i;

	for (i = 0; i < (shape & 3); i++)
		t.err |= fdt_add_reservemap_entry(t.fdt, i, 0x1000);
	t.err |= fdt_finish_reservemap(t.fdt);
	t.err |= fdt_begin_node(t.fdt, "");
	put_nodes(&t);
	t.err |= fdt_end_node(t.fdt);
	t.err |= fdt_finish(t.fdt);
	MUST(!t.err);
	*in = t.in;
	if (shape & 0x80 && fdt_subnode_offset(block, 0, "p") >= 0)
		MUST(!fdt_nop_node(block, fdt_subnode_offset(block, 0, "p")));
	return lay_out(&layouts[(shape >> 2 & 31) % 7], block, size);
}

/* ---- what libfdt finds ----------------------------------------------------------------------- */

static int ours(const char *name)
{
	uint32_t i;

	for (i = 0; i < 3; i++)
		if (!strcmp(name, model_names[0][i]) || !strcmp(name, model_names[1][i]))
			return 1;
	return 0;
}

/* The next property that is not part of what is written; negative if there is none. */
static int foreign(const void *fdt, int at)
{
	const char *name;

	for (; at >= 0; at = fdt_next_property_offset(fdt, at)) {
		MUST(fdt_getprop_by_offset(fdt, at, &name, NULL));
		if (strcmp(name, "compatible") != 0 && !ours(name))
			break;
	}
	return at;
}

/* All properties except compatible and tables, in the same order. */
static void same_others(const void *a, int at, const void *b, int bt)
{
	at = foreign(a, fdt_first_property_offset(a, at));
	bt = foreign(b, fdt_first_property_offset(b, bt));
	while (at >= 0 && bt >= 0) {
		const char *names[2];
		int len[2];
		const void *p = fdt_getprop_by_offset(a, at, &names[0], &len[0]);
		const void *q = fdt_getprop_by_offset(b, bt, &names[1], &len[1]);

		MUST(p && q && len[0] == len[1] && !strcmp(names[0], names[1]));
		MUST(!memcmp(p, q, (size_t)len[0]));
		at = foreign(a, fdt_next_property_offset(a, at));
		bt = foreign(b, fdt_next_property_offset(b, bt));
	}
	MUST(at < 0 && bt < 0);
}

/* b equals a, except for the properties of its pmu node, which a may lack. */
static void same_but(const void *a, const void *b, int pmu, int is_new)
{
	int at = -1, bt = -1, depths[2] = { 0, 0 };

	/* Reserved memory is neither checked nor changed. */
	MUST(fdt_off_dt_struct(a) == fdt_off_dt_struct(b) && fdt_off_dt_struct(a) >= HEAD);
	MUST(!memcmp((const char *)a + HEAD, (const char *)b + HEAD, fdt_off_dt_struct(a) - HEAD));
	MUST(fdt_boot_cpuid_phys(a) == fdt_boot_cpuid_phys(b));
	for (;;) {
		at = fdt_next_node(a, at, &depths[0]);
		bt = fdt_next_node(b, bt, &depths[1]);
		if (bt == pmu && is_new)
			bt = fdt_next_node(b, bt, &depths[1]);
		if (at < 0 || bt < 0)
			break;
		MUST(depths[0] == depths[1]);
		MUST(!strcmp(fdt_get_name(a, at, NULL), fdt_get_name(b, bt, NULL)));
		if (bt == pmu)
			same_others(a, at, b, bt);
		else
			MUST(same_properties(a, at, b, bt));
	}
	MUST(at < 0 && bt < 0);
}

/* ---- what is promised ------------------------------------------------------------------------ */

static enum pmumap_status put(void *fdt, size_t bytes_of, const void *arg, size_t *need)
{
	enum pmumap_status status;

	STEPS(EMIT, bytes_of, status = emit(fdt, bytes_of, arg, need));
	return status;
}

static void check_emit(const uint8_t *fdt, size_t size, int parent, const struct pmumap *map,
		       int good)
{
	struct emission e = { parent, map };
	enum pmumap_status status;
	size_t need, step = 1 + size / 2, ignored;
	unsigned char *emitted = changed(fdt, size, put, &e, step, &need, &status);
	struct pmumap *again;
	int pmu;

	MUST(!test_failed && (!good || (parent >= 0) == (status == PMUMAP_OK)));
	if (!emitted)
		return;
	pmu = child_pmu(emitted, parent);
	MUST(pmu > 0 && !fdt_node_check_compatible(emitted, pmu, "riscv,pmu"));
	same_but(fdt, emitted, pmu, child_pmu(fdt, parent) < 0);
	again = build_tree(emitted, fdt_totalsize(emitted), pmu, NULL, &status);
	MUST(again && same_image(again, map));
	free(again);
	if (pmumap_fdt_measure(fdt, size, NULL, &ignored) == PMUMAP_E_NOTFOUND) {
		again = build_tree(emitted, fdt_totalsize(emitted), 0, NULL, &status);
		MUST(again && same_image(again, map));
		free(again);
	}
	free(emitted);
}

/* libfdt removes the tables in place. */
static void check_fixup(const uint8_t *fdt, size_t size, int good)
{
	struct buffer b = buffer_of(fdt, size, size + 32);
	unsigned char *want = exact_copy(fdt, size);
	enum pmumap_status status;
	int node, i;

	STEPS(FIXUP, size, status = pmumap_fdt_fixup(b.fdt, b.bytes));
	MUST(written_at_most(&b, status == PMUMAP_OK ? size : 0));
	MUST(!good || status == PMUMAP_OK);
	for (node = good ? 0 : -1; node >= 0; node = fdt_next_node(want, node, NULL)) {
		if (fdt_stringlist_search(want, node, "compatible", "riscv,pmu") < 0)
			continue;
		for (i = 0; i < 6; i++)
			while (!fdt_nop_property(want, node, model_names[i % 2][i / 2]))
				;
	}
	MUST(!good || !memcmp(b.fdt, want, size));
	free(want);
	drop(&b);
}

static enum pmumap_status fix(void *fdt, size_t bytes_of, const void *arg, size_t *need)
{
	enum pmumap_status status;

	STEPS(IMC_FIXUP, bytes_of, status = pmumap_imc_fdt_fixup(fdt, bytes_of, arg, need));
	return status;
}

static void check_unit(const void *fdt, int node, const struct pmumap_imc_chips *chips)
{
	int bases, ids;
	const unsigned char *base = fdt_getprop(fdt, node, "base-addr", &bases);
	const unsigned char *id = fdt_getprop(fdt, node, "chip-id", &ids);
	uint32_t i, n = 0;

	MUST(base && id && bases == 2 * ids);
	for (i = 0; i < chips->count; i++) {
		if (chips->vectors &&
		    !imc_model_node_available(chips->generation & 0xff, chips->vectors[i],
					      fdt_get_name(fdt, node, NULL)))
			continue;
		MUST(4 * (int)n < ids);
		MUST(fdt64_ld((const fdt64_t *)(const void *)(base + 8 * n)) == chips->bases[i]);
		MUST(fdt32_ld((const fdt32_t *)(const void *)(id + 4 * n)) == chips->chips[i]);
		n++;
	}
	MUST(4 * (int)n == ids);
}

/*
 * Nest units of a catalog at this node, if it is one. With chips: they have these, every unit has a
 * type of one cell, and every nest unit has a window.
 */
static uint32_t each_unit(const void *fdt, int root, const struct pmumap_imc_chips *chips)
{
	uint32_t n = 0;
	int node, len;

	fdt_for_each_subnode(node, fdt, root)
	{
		const unsigned char *type = fdt_getprop(fdt, node, "type", &len);

		if (fdt_stringlist_search(fdt, node, "compatible", "ibm,imc-counters") < 0)
			continue;
		MUST(!chips || (type && len == 4));
		if (!type || len != 4 || memcmp(type, "\0\0\0\x10", 4) != 0)
			continue;
		n++;
		if (!chips)
			continue;
		MUST(fdt_getprop(fdt, node, "size", &len) && len == 4);
		MUST(fdt_getprop(fdt, node, "offset", &len) && len == 4);
		check_unit(fdt, node, chips);
	}
	return n;
}

/* For every catalog; a catalog inside of another does not count. */
static uint32_t each_catalog(const void *fdt, const struct pmumap_imc_chips *chips)
{
	int node, depth = 0, inside = 0;
	uint32_t n = 0;

	for (node = fdt_next_node(fdt, -1, &depth); node >= 0;
	     node = fdt_next_node(fdt, node, &depth)) {
		if (inside && depth >= inside)
			continue;
		inside = 0;
		if (fdt_stringlist_search(fdt, node, "compatible", "ibm,opal-in-memory-counters") <
		    0)
			continue;
		inside = depth + 1;
		n += each_unit(fdt, node, chips);
	}
	return n;
}

static void check_imc_fixup(const uint8_t *fdt, size_t size, const struct pmumap_imc_chips *chips,
			    int good)
{
	size_t need, ignored;
	enum pmumap_status status, after;
	unsigned char *fixed = changed(fdt, size, fix, chips, 1 + size / 2, &need, &status);

	MUST(!test_failed && (!good || status == PMUMAP_OK));
	if (!fixed)
		return;
	after = pmumap_imc_fdt_measure(fixed, fdt_totalsize(fixed), NULL, &ignored);
	MUST(after == PMUMAP_OK || after == PMUMAP_E_NOTFOUND || after == PMUMAP_E_LIMIT);
	if (good) {
		uint32_t before = each_catalog(fdt, NULL), units = each_catalog(fixed, chips);

		MUST(units <= before);
		MUST(units == 0 || chips->available || chips->vectors || !chips->generation ||
		     chips->generation > PMUMAP_IMC_P10);
	}
	free(fixed);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int take_parent(struct bytes *in, const void *fdt)
{
	uint32_t n = take(in, 1), i;
	int node = 0;

	if (n > 0xf0)
		return -(int)(n & 3) - 1;
	for (i = 0; i < n && node >= 0; i++)
		node = fdt_next_node(fdt, node, NULL);
	return node < 0 ? 0 : node;
}

static void check_all(const uint8_t *fdt, size_t size, int parent, const struct pmumap *map,
		      int good)
{
	static const unsigned generations[] = { 0, 9, 10, PMUMAP_IMC_NO_TRACE };
	static uint32_t ids[MAX_CHIPS];
	static uint64_t bases[MAX_CHIPS], vectors[MAX_CHIPS];
	struct pmumap_imc_chips chips = { ids, bases, 0, 0, 0, NULL };
	uint32_t i;

	chips.count = (uint32_t)fuzz_random() % MAX_CHIPS;
	chips.generation = generations[fuzz_random() & 3];
	chips.available = fuzz_random() & 1 ? fuzz_random() : 0;
	for (i = 0; i < chips.count; i++) {
		ids[i] = (uint32_t)fuzz_random();
		bases[i] = fuzz_random();
		vectors[i] = fuzz_random() & 3 ? fuzz_random() : 0;
	}
	if (chips.count && (fuzz_random() & 1))
		chips.vectors = vectors;
	check_emit(fdt, size, parent, map, good);
	check_fixup(fdt, size, good);
	check_imc_fixup(fdt, size, &chips, good);
}

/* Bytes after a tree's end have no effect. */
static size_t cut(const uint8_t *fdt, size_t size)
{
	return size >= 8 && fdt_totalsize(fdt) >= HEAD && fdt_totalsize(fdt) < size
		       ? fdt_totalsize(fdt)
		       : size;
}

static void check_bytes(struct bytes *in)
{
	uint32_t shape = take(in, 1), patches = 0;
	struct pmumap *map;
	struct model rows;
	size_t size;
	uint8_t *fdt;
	int parent;

	model_init(&rows);
	take_rows(in, &rows);
	map = build_rows(&rows);
	model_free(&rows);
	fdt = put_host(in, &size);
	parent = take_parent(in, fdt);
	for (; shape & 1 && in->left >= 3 && patches < 4; patches++) {
		uint32_t at = take(in, 2);

		fdt[at % size] = (uint8_t)take(in, 1);
	}
	check_all(fdt, patches ? cut(fdt, size) : size, parent, map, !patches);
	free(map);
	free(fdt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes in = { data, size };

	fuzz_seed(data, size);
	random_state = fuzz_random() | 1;
	if (size > 8 && data[0] == FDT_MAGIC >> 24) {
		struct pmumap *map = map_of((int)(fuzz_random() % KINDS));
		uint8_t *fdt = exact_copy(data, size);

		check_all(fdt, cut(fdt, size), (int)(fuzz_random() % 16) * 4, map, 0);
		free(fdt);
		free(map);
	} else {
		check_bytes(&in);
	}
	MUST(!test_failed);
	return 0;
}
