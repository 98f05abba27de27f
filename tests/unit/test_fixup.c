/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Removes the tables from a device tree, like libfdt, in place. Unchecked trees: rejected
 * unchanged, or changed within their buffer and readable again.
 */
#include "emit_support.h"

/* ---- as libfdt ------------------------------------------------------------------------------- */

/* Nodes that are, or look like, PMUs. */
static const char wild[] =
	"compatible=\"riscv,pmu\" riscv,event-to-mhpmevent=<0 0 0> soc { "
	"pmu@0 { riscv,event-to-mhpmeventx=\"stays\" riscv,event-to-mhpm=\"stays\" "
	"priscv,event-to-mhpmevent=\"stays\" event-to-mhpmevent=\"stays\" "
	"riscv,ible=\"stays\" pmu,ible=\"stays\" " /* as "compatible" ends */
	"riscv,pmu,event-to-mhpmevent=\"stays\" compatible=\"riscv,other|riscv,pmu\" "
	"pmu,event-to-mhpmevent pmu,event-to-mhpmevent=<0> "
	"riscv,event-to-mhpmevent=[0 0 0] riscv,event-to-mhpmevent=<0> "
	"pmu,event-to-mhpmcounters=[0 0 0 0 0 0] pmu,event-to-mhpmcounters=<0> "
	"riscv,event-to-mhpmcounters=[0 0 0 0 0 0 0 0 0] riscv,event-to-mhpmcounters=<0> "
	"pmu,raw-event-to-mhpmcounters=<0 0 0> pmu,raw-event-to-mhpmcounters=<0> "
	"riscv,raw-event-to-mhpmcounters=[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0] "
	"riscv,raw-event-to-mhpmcounters=<0> status=\"okay\" "
	"inside { compatible=\"riscv,pmu\" pmu,event-to-mhpmcounters=<0 0 0> "
	"riscv,width-base-cntr=<3f> } } "
	"other { compatible='riscv,pmu' riscv,event-to-mhpmevent=<0 0 0> } "
	"another { compatible=\"riscv,pmux|xriscv,pmu\" riscv,event-to-mhpmevent=<0 0 0> } "
	"first { compatible=\"x\" compatible=\"riscv,pmu\" riscv,event-to-mhpmevent=<0 0 0> } "
	"none { riscv,event-to-mhpmevent=<0 0 0> } "
	"last { riscv,raw-event-to-mhpmcounters=<0 0 0 0 0> compatible=\"riscv,pmu\" } }";

/* libfdt's result in place: the size is the same. */
static void nop_tables(void *fdt)
{
	int node, i;

	for (node = fdt_next_node(fdt, -1, NULL); node >= 0;
	     node = fdt_next_node(fdt, node, NULL)) {
		if (fdt_stringlist_search(fdt, node, "compatible", "riscv,pmu") < 0)
			continue;
		for (i = 0; i < 3; i++) {
			while (fdt_nop_property(fdt, node, model_names[0][i]) == 0)
				;
			while (fdt_nop_property(fdt, node, model_names[1][i]) == 0)
				;
		}
	}
}

static void check_fixup(const unsigned char *fdt, size_t size)
{
	struct buffer b = buffer_of(fdt, size, size + 32), c;
	unsigned char *want = exact_copy(fdt, size), *copy = exact_copy(fdt, size);

	if (fdt_check_full(fdt, size)) {
		CHECK(pmumap_fdt_fixup(copy, size) <= PMUMAP_E_FDT_LAYOUT);
	} else {
		nop_tables(want);
		dirty_stack();
		CHECK_EQ(pmumap_fdt_fixup(b.fdt, b.bytes), PMUMAP_OK);
		CHECK(written_at_most(&b, size));
		CHECK(memcmp(b.fdt, fdt, 40) == 0);
		CHECK(memcmp(b.fdt, want, size) == 0 && same_trees(b.fdt, want));
		CHECK_EQ(pmumap_fdt_fixup(copy, size), PMUMAP_OK);
		CHECK(memcmp(copy, b.fdt, size) == 0);
		c = buffer_of(b.fdt, size, size);
		CHECK_EQ(pmumap_fdt_fixup(c.fdt, size), PMUMAP_OK);
		CHECK(written_at_most(&c, 0));
		drop(&c);
	}
	drop(&b);
	free(copy);
	free(want);
}

/* Padding of names and values may have any value, even that of a tag. */
static void check_padding(void)
{
	static const uint32_t tags[] = { FDT_BEGIN_NODE, FDT_END_NODE, FDT_PROP, FDT_NOP, FDT_END };
	unsigned char *fdt, *at;
	size_t size, i;

	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		fdt = make("pmu0 { riscv,event-to-mhpmevent=[0 0 0 0 0 0 0 0 0 0 0 0 0] "
			   "compatible=\"riscv,pmu\" riscv,event-to-mhpmcounters=<0 0 0> }",
			   &size);
		at = fdt + fdt_off_dt_struct(fdt) + 8 + 8;
		CHECK(memcmp(at - 4, "pmu0\0\0\0\0\0\0\0\3", 12) == 0);
		fdt32_st(at, tags[i]);
		fdt32_st(at + 4 + 12 + 12, tags[i]);
		check_fixup(fdt, size);
		free(fdt);
	}
}

static void check_fixups(void)
{
	unsigned char *fdt, *other;
	size_t size, laid, t, l;

	fdt = make(wild, &size);
	for (l = 0; l < LAYOUTS; l++) {
		test_now = layouts[l].name;
		other = lay_out(&layouts[l], fdt, &laid);
		if (fdt_check_full(other, laid) == 0) {
			check_fixup(other, laid);
		} else {
			CHECK_EQ(pmumap_fdt_fixup(other, laid), PMUMAP_OK);
		}
		free(other);
	}
	free(fdt);
	for (t = 0; t < TREES; t++) {
		test_now = trees[t].name;
		fdt = make_tree(t, &size);
		check_fixup(fdt, size);
		free(fdt);
	}
	test_now = "";
	each_file("build/boards/*.dtb", check_fixup);
	each_file("build/trees/*.dtb", check_fixup);
	each_file("build/corpus/*.dtb", check_fixup);
}

/* ---- unchecked trees ------------------------------------------------------------------------- */

static struct pmumap *rich; /* a map with all kinds of rows */

static enum pmumap_status fix(void *fdt, size_t bytes, const void *arg, size_t *need)
{
	(void)arg, (void)need;
	return pmumap_fdt_fixup(fdt, bytes);
}

static void hostile(const unsigned char *fdt, size_t size)
{
	struct emission e = { 0, rich };

	for (; e.parent < 64; e.parent += 4)
		survive(fdt, size, emit, &e);
	survive(fdt, size, fix, NULL);
}

/* Changes several words at once, mostly to plausible offsets, sizes or tags. */
static void mix(unsigned char *fdt, size_t size, uint32_t rounds)
{
	struct emission e = { 0, rich };
	uint32_t i, k;

	for (i = 0; i < rounds; i++) {
		unsigned char *copy = exact_copy(fdt, size);

		for (k = random_below(3) + 1; k; k--) {
			size_t at = 4 * (random_below(2) ? random_below(10)
							 : random_below((uint32_t)size / 4));
			uint32_t value = random_below(4) ? random_below((uint32_t)size + 4)
							 : random_below(16);

			fdt32_st(copy + at, random_below(16) ? value : (uint32_t)random64());
		}
		fdt32_st(copy, FDT_MAGIC);
		e.parent = (int)random_below(4) * 8;
		survive(copy, size, emit, &e);
		survive(copy, size, fix, NULL);
		free(copy);
	}
}

static void check_hostile(void)
{
	struct emission e;
	size_t size;
	uint32_t i;

	rich = map_of(ALL);
	each_file("../shared/corpus/hostile/*.dtb", hostile);
	each_file("build/trees/*.dtb", hostile);
	for (i = 0; i < 2; i++) {
		unsigned char *fdt = i ? make_tree(1, &size)
				       : make("pmu { compatible=\"riscv,pmu\" "
					      "riscv,event-to-mhpmcounters=<3 4 18> }",
					      &size);

		e = (struct emission){ 0, rich };
		ruin(fdt, size, emit, &e);
		ruin(fdt, size, fix, NULL);
		mix(fdt, size, quick(50000, 2000));
		free(fdt);
	}
	CHECK(survived.changed > 100 && survived.calls - survived.changed > 1000);
	CHECK_EQ(survived.bad, 0);
	free(rich);
}

int main(void)
{
	check_fixups();
	check_padding();
	check_hostile();
	return test_summary();
}
