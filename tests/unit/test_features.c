/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The facts about a hart in a tree, and the size of a tree.
 */
#include "make.h"

#define SOF PMUMAP_SSCOFPMF
#define SMC PMUMAP_SMCNTRPMF

struct cpu {
	const char *isa, *extensions; /* of the latter "|" stands for the NUL between two */
	uint32_t want;
};

static const struct cpu cpus[] = {
	{ NULL, NULL, 0 },
	{ "rv64imafdc", NULL, 0 },
	{ "rv64imafdc_sscofpmf", NULL, SOF },
	{ "rv64imafdch_zicntr_sscofpmf_smcntrpmf", NULL, SOF | SMC },
	{ "RV64GC_SSCOFPMF1p0_Smcntrpmf", NULL, SOF | SMC },
	{ "rv64imafdc_sscofpmfx_xsmcntrpmf", NULL, 0 },
	{ "rv64imafdcsscofpmf", NULL, SOF },
	{ "RV64IMACSmcntrpmf1p0_sscofpmf", NULL, SOF | SMC },
	{ "rv64i_sscofpmf0p9_smcntrpmf9", NULL, SOF | SMC },
	{ "rv64imafdcxsscofpmf", NULL, 0 },
	{ "rv64imafdczicsr_xsmcntrpmf", NULL, 0 },
	{ "rv64imafdcsu_sscofpmf", NULL, SOF },
	{ "rv64i_m_smcntrpmfsscofpmf", NULL, 0 },
	{ "rv64i_smcntrpm", NULL, 0 },
	{ "rv64i_sscofpmf.1", NULL, 0 },
	{ NULL, "i|m|sscofpmf", SOF },
	{ NULL, "smcntrpmf", SMC },
	{ NULL, "i|sscofpmf2|smcntrpmf", SMC },
	{ "rv64i_sscofpmf_smcntrpmf", "i|smcntrpmf", SMC },
	{ "rv64i_sscofpmf", "i", 0 },
	{ "rv64i_sscofpmf", "", 0 },
	{ "rv64iysscofpmf", NULL, SOF }, /* y is a letter as others are */
	{ "rv64izsscofpmf", NULL, 0 },   /* one word */
	{ "rv64ixsscofpmf", NULL, 0 },
	{ "rv64i__x", NULL, 0 },
	{ "rv64i_", NULL, 0 },
	{ "rv64i_smcdeleg_ssccfg_sscsrind", NULL, PMUMAP_DELEGATED },
	{ "rv64i_smcdeleg", NULL, 0 },
	{ "rv64i_ssccfg", NULL, 0 },
	{ NULL, "i|ssccfg|smcdeleg|sscofpmf", SOF | PMUMAP_DELEGATED },
};

#define CPUS (sizeof(cpus) / sizeof(cpus[0]))

/*
 * All of them in one tree, numbered from first; cells of an address: 1 or 2, or 0 for unspecified.
 */
static unsigned char *harts(uint32_t cells, uint32_t first, size_t *size)
{
	uint32_t i, at;

	start(8192);
	begin("");
	if (cells == 1)
		cell("#address-cells", 2); /* not that of /cpus */
	begin("cpus");
	if (cells)
		cell("#address-cells", cells);
	for (i = 0; i < CPUS; i++) {
		unsigned char reg[8] = { 0 }, list[64];
		char name[16];

		snprintf(name, sizeof(name), "cpu@%x", (unsigned)(first + i));
		begin(name);
		reg[cells == 1 ? 3 : 7] = (unsigned char)(first + i);
		bytes("reg", reg, cells == 1 ? 4 : 8);
		if (cpus[i].isa)
			text("riscv,isa", cpus[i].isa);
		for (at = 0; cpus[i].extensions && cpus[i].extensions[at]; at++)
			list[at] = cpus[i].extensions[at] == '|'
					   ? 0
					   : (unsigned char)cpus[i].extensions[at];
		list[at] = 0;
		if (cpus[i].extensions)
			bytes("riscv,isa-extensions", list, at + 1);
		begin("interrupt-controller");
		bytes("reg", reg, cells == 1 ? 4 : 8);
		text("riscv,isa", "rv64i_sscofpmf_smcntrpmf");
		begin("cpu@62");
		reg[cells == 1 ? 3 : 7] = 0x62;
		bytes("reg", reg, cells == 1 ? 4 : 8);
		text("riscv,isa", "rv64i_sscofpmf");
		end();
		end();
		end();
	}
	end();
	begin("soc");
	begin("cpu@63");
	cell("reg", 0x63);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	end();
	end();
	return finish(size);
}

static void features(void)
{
	uint32_t cells, i;
	unsigned char *fdt;
	size_t size, cut;

	for (cells = 0; cells <= 2; cells++) {
		fdt = harts(cells, 5, &size);
		for (i = 0; i < CPUS; i++)
			CHECK_EQ(pmumap_fdt_features(fdt, size, 5 + i), cpus[i].want);
		CHECK_EQ(pmumap_fdt_features(fdt, size, 4), 0);
		CHECK_EQ(pmumap_fdt_features(fdt, size, 0x62), 0);
		CHECK_EQ(pmumap_fdt_features(fdt, size, 0x63), 0);
		CHECK_EQ(pmumap_fdt_features(fdt, size, (1ull << 32) + 7), 0);
		CHECK_EQ(pmumap_fdt_size(fdt), size);
		for (cut = 0; cut < size; cut++) {
			unsigned char *part = exact_copy(fdt, cut);

			CHECK_EQ(pmumap_fdt_features(part, cut, 7), 0);
			free(part);
		}
		free(fdt);
	}
	fdt = harts(2, 5, &size);
	fdt[size - fdt_size_dt_strings(fdt) - 1] = 0; /* the last tag: FDT_END no more */
	CHECK_EQ(pmumap_fdt_features(fdt, size, 7), 0);
	free(fdt);
	fdt = harts(3, 5, &size);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 7), 0);
	free(fdt);
	CHECK_EQ(pmumap_fdt_features(NULL, 0, 0), 0);
}

/* Truncated values; the first of two properties and of two harts counts. */
static void odd_harts(void)
{
	unsigned char *fdt;
	size_t size;

	start(4096);
	begin("");
	begin("cpus");
	bytes("#address-cells", "\0\0\1", 3); /* no cell: 2 */
	begin("cpu-map");
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	begin("l2-cache@2");
	bytes("reg", "\0\0\0\0\0\0\0\2", 8);
	text("riscv,isa", "rv64i_smcntrpmf");
	end();
	begin("cpu@0");
	bytes("reg", "\0\0\0\0\0\0\0", 7);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	begin("cpu@1");
	bytes("reg", "\0\0\0\0\0\0\0\1", 8);
	bytes("riscv,isa", "rv64i_sscofpmf_smcntrpm", 22);
	text("riscv,isa", "rv64i_smcntrpmf");
	end();
	begin("cpu@1,again");
	bytes("reg", "\0\0\0\0\0\0\0\1", 8);
	text("riscv,isa", "rv64i_smcntrpmf");
	end();
	begin("cpu@2");
	bytes("reg", "\0\0\0\0\0\0\0\2", 8);
	bytes("riscv,isa", "rv64i_sscofpmf", 14); /* no NUL */
	end();
	begin("cpu@3");
	bytes("reg", "\0\0\0\0\0\0\0\3", 8);
	bytes("riscv,isa-extensions", "sscofpmf", 8);
	end();
	begin("cpu@7");
	bytes("reg", "\0\0\0\0\0\0\0\7", 8);
	bytes("riscv,isa", "rv64i\0_sscofpmf", 16);
	end();
	begin("cpu@5");
	bytes("reg-names", "\0\0\0\0\0\0\0\6", 8);
	bytes("reg", "\0\0\0\0\0\0\0\5", 8);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	end();
	begin("soc");
	begin("cpus");
	end();
	begin("cpu@6"); /* in no cpus, though beside one */
	bytes("reg", "\0\0\0\0\0\0\0\6", 8);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	end();
	begin("cpus@1");
	begin("cpu@4");
	bytes("reg", "\0\0\0\0\0\0\0\4", 8);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	end();
	end();
	fdt = finish(&size);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 0), 0);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 1), SOF);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 2), SOF);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 3), 0);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 4), 0);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 5), SOF);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 6), 0);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 7), 0);
	free(fdt);
}

/* No cells, no address. */
static void no_cells(void)
{
	unsigned char *fdt;
	size_t size;

	start(4096);
	begin("");
	begin("cpus");
	cell("#address-cells", 0);
	begin("cpu@0");
	bytes("reg", "\0\0\0\0\0\0\0\0", 8);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	end();
	end();
	fdt = finish(&size);
	CHECK_EQ(pmumap_fdt_features(fdt, size, 0), 0);
	free(fdt);
}

static void sizes(void)
{
	static const struct {
		unsigned char head[8];
		uint32_t want;
	} rows[] = {
		{ { 0xd0, 0x0d, 0xfe, 0xed, 0, 0, 0x12, 0x34 }, 0x1234 },
		{ { 0xd0, 0x0d, 0xfe, 0xed, 0xff, 0xff, 0xff, 0xff }, 0xffffffffu },
		{ { 0xd0, 0x0d, 0xfe, 0xed, 0, 0, 0, 40 }, 40 },
		{ { 0xd0, 0x0d, 0xfe, 0xed, 0, 0, 0, 39 }, 0 },
		{ { 0xed, 0xfe, 0x0d, 0xd0, 0, 0, 0x12, 0x34 }, 0 },
		{ { 0, 0, 0, 0, 0, 0, 0x12, 0x34 }, 0 },
	};
	uint32_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		void *head = exact_copy(rows[i].head, 8);

		CHECK_EQ(pmumap_fdt_size(head), rows[i].want);
		free(head);
	}
	CHECK_EQ(pmumap_fdt_size(NULL), 0);
}

int main(void)
{
	features();
	odd_harts();
	no_cells();
	sizes();
	return test_summary();
}
