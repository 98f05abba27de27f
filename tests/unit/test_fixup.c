/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Removes the tables from a device tree, like libfdt, in place. Unchecked trees: rejected
 * unchanged, or changed within their buffer and readable again.
 */
#include "emit_support.h"

/* ---- as libfdt ------------------------------------------------------------------------------- */

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
		start();
		begin("");
		begin("pmu0");
		bytes(tables[0], rows, 13);
		text("compatible", "riscv,pmu");
		bytes(tables[1], rows, 12);
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

	start();
	begin("");
	wild();
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

/* ---- unchecked trees ------------------------------------------------------------------------- */

static struct pmumap *rich; /* a map with all kinds of rows */
static uint32_t hostile_calls, hostile_changed, hostile_bad;

/* A status and nothing written, or a readable tree. */
static void survive(const unsigned char *fdt, size_t size, const struct emission *e)
{
	size_t bytes = size + 700, need = 77, again;
	unsigned char *copy = room(fdt, size, bytes);
	enum pmumap_status status = e ? pmumap_fdt_emit(copy, bytes, e->parent, e->map, &need)
				      : pmumap_fdt_fixup(copy, bytes);

	hostile_calls++;
	if (status != PMUMAP_OK) {
		hostile_bad += memcmp(copy, fdt, size) != 0;
		hostile_bad += (need != 77) != (status == PMUMAP_E_NOSPACE);
	} else {
		enum pmumap_status after = pmumap_fdt_measure(copy, bytes, NULL, &again);

		hostile_changed++;
		hostile_bad += e && after != PMUMAP_OK && after != PMUMAP_E_NOTFOUND;
		hostile_bad += pmumap_status_str(after) == NULL;
	}
	for (again = status == PMUMAP_OK && e ? larger(need, size) : size; again < bytes; again++)
		hostile_bad += copy[again] != 0x5a;
	free(copy);
}

static void hostile(const unsigned char *fdt, size_t size)
{
	struct emission e = { 0, rich };

	for (; e.parent < 64; e.parent += 4)
		survive(fdt, size, &e);
	survive(fdt, size, NULL);
}

static void ruin(unsigned char *fdt, size_t size)
{
	struct emission e = { 0, rich };
	size_t at;
	uint32_t step = quick(1, 16), value;

	for (at = 0; at < size; at++) {
		survive(fdt, at, &e);
		survive(fdt, at, NULL);
	}
	for (at = 0; at < size; at++) {
		for (value = 1; value < 256; value += step) {
			fdt[at] ^= (unsigned char)value;
			survive(fdt, size, &e);
			survive(fdt, size, NULL);
			fdt[at] ^= (unsigned char)value;
		}
	}
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
		survive(copy, size, &e);
		survive(copy, size, NULL);
		free(copy);
	}
}

static void check_hostile(void)
{
	unsigned char *fdt;
	size_t size;

	rich = map_of(ALL);
	each_file("../shared/corpus/hostile/*.dtb", hostile);
	each_file("build/trees/*.dtb", hostile);
	fdt = make_tree(1, &size);
	ruin(fdt, size);
	mix(fdt, size, quick(50000, 2000));
	free(fdt);
	start();
	begin("");
	begin("pmu");
	text("compatible", "riscv,pmu");
	bytes(tables[1], "\0\0\0\3\0\0\0\4\0\0\0\x18", 12);
	fdt = finish(&size);
	ruin(fdt, size);
	mix(fdt, size, quick(50000, 2000));
	free(fdt);
	CHECK(hostile_calls > 1000 && hostile_changed > 100);
	CHECK(hostile_calls - hostile_changed > 1000);
	CHECK_EQ(hostile_bad, 0);
	free(rich);
}

int main(void)
{
	check_fixups();
	check_padding();
	check_hostile();
	return test_summary();
}
