/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Removes the tables from a device tree, like libfdt, in place.
 */
#include "emit_trees.h"

static void wild(void)
{
	unsigned char rows[20] = { 0 };
	int i;

	text("compatible", "riscv,pmu");
	bytes(tables[0], rows, 12);
	begin("soc");
	begin("pmu@0");
	text("riscv,event-to-mhpmeventx", "stays");
	text("riscv,event-to-mhpm", "stays");
	text("priscv,event-to-mhpmevent", "stays");
	text("event-to-mhpmevent", "stays");
	text("riscv,ible", "stays"); /* as "compatible" ends */
	text("pmu,ible", "stays");
	text("riscv,pmu,event-to-mhpmevent", "stays");
	bytes("compatible", "riscv,other\0riscv,pmu", 22);
	for (i = 0; i < 6; i++) {
		bytes(i % 2 ? tables[i / 2] : old_tables[i / 2], rows, (size_t)(i * 3));
		bytes(i % 2 ? tables[i / 2] : old_tables[i / 2], rows, 4);
	}
	text("status", "okay");
	begin("inside");
	text("compatible", "riscv,pmu");
	bytes(old_tables[1], rows, 12);
	cell("riscv,width-base-cntr", 63);
	end();
	end();
	begin("other");
	bytes("compatible", "riscv,pmu", 9);
	bytes(tables[0], rows, 12);
	end();
	begin("another");
	bytes("compatible", "riscv,pmux\0xriscv,pmu", 22);
	bytes(tables[0], rows, 12);
	end();
	begin("first");
	text("compatible", "x");
	text("compatible", "riscv,pmu");
	bytes(tables[0], rows, 12);
	end();
	begin("none");
	bytes(tables[0], rows, 12);
	end();
	begin("last");
	bytes(tables[2], rows, 20);
	text("compatible", "riscv,pmu");
	end();
	end();
}

/* libfdt's result in place: the size is the same. */
static void nop_tables(void *fdt)
{
	int node, i;

	for (node = fdt_next_node(fdt, -1, NULL); node >= 0;
	     node = fdt_next_node(fdt, node, NULL)) {
		if (fdt_stringlist_search(fdt, node, "compatible", "riscv,pmu") < 0)
			continue;
		for (i = 0; i < 3; i++) {
			while (fdt_nop_property(fdt, node, tables[i]) == 0)
				;
			while (fdt_nop_property(fdt, node, old_tables[i]) == 0)
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
	unsigned char rows[13] = { 0 }, *fdt, *at;
	size_t size, i;

	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		start(1 << 12);
		begin("");
		begin("pmu0");
		bytes(tables[0], rows, 13);
		text("compatible", "riscv,pmu");
		bytes(tables[1], rows, 12);
		end();
		end();
		fdt = finish(&size);
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

	start(1 << 16);
	begin("");
	wild();
	end();
	fdt = finish(&size);
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

int main(void)
{
	check_fixups();
	check_padding();
	return test_summary();
}
