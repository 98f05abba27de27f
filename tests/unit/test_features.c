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

	start();
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

/* A node that is, or looks like, a hart; -1: without a reg. */
static void cpu(const char *name, int hart, const char *isa, size_t isa_bytes)
{
	const unsigned char reg[8] = { 0, 0, 0, 0, 0, 0, 0, (unsigned char)hart };

	begin(name);
	if (hart >= 0)
		bytes("reg", reg, 8);
	bytes("riscv,isa", isa, isa_bytes);
	end();
}

/* Truncated values; the first of two properties and of two harts counts. */
static void odd_harts(void)
{
	static const uint32_t want[] = { 0, SOF, SOF, 0, 0, SOF, 0, 0 };
	unsigned char *fdt;
	uint32_t hart;
	size_t size;

	start();
	begin("");
	begin("cpus");
	bytes("#address-cells", "\0\0\1", 3); /* no cell: 2 */
	cpu("cpu-map", -1, "rv64i_sscofpmf", 15);
	cpu("l2-cache@2", 2, "rv64i_smcntrpmf", 16);
	begin("cpu@0");
	bytes("reg", "\0\0\0\0\0\0\0", 7);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	begin("cpu@1");
	bytes("reg", "\0\0\0\0\0\0\0\1", 8);
	bytes("riscv,isa", "rv64i_sscofpmf_smcntrpm", 22);
	text("riscv,isa", "rv64i_smcntrpmf");
	end();
	cpu("cpu@1,again", 1, "rv64i_smcntrpmf", 16);
	cpu("cpu@2", 2, "rv64i_sscofpmf", 14); /* no NUL */
	begin("cpu@3");
	bytes("reg", "\0\0\0\0\0\0\0\3", 8);
	bytes("riscv,isa-extensions", "sscofpmf", 8);
	end();
	cpu("cpu@7", 7, "rv64i\0_sscofpmf", 16);
	begin("cpu@5");
	bytes("reg-names", "\0\0\0\0\0\0\0\6", 8);
	bytes("reg", "\0\0\0\0\0\0\0\5", 8);
	text("riscv,isa", "rv64i_sscofpmf");
	end();
	end();
	begin("soc");
	begin("cpus");
	end();
	cpu("cpu@6", 6, "rv64i_sscofpmf", 15); /* in no cpus, though beside one */
	end();
	begin("cpus@1");
	cpu("cpu@4", 4, "rv64i_sscofpmf", 15);
	fdt = finish(&size);
	for (hart = 0; hart < 8; hart++)
		CHECK_EQ(pmumap_fdt_features(fdt, size, hart), want[hart]);
	free(fdt);
}

/* No cells, no address. */
static void no_cells(void)
{
	unsigned char *fdt;
	size_t size;

	start();
	begin("");
	begin("cpus");
	cell("#address-cells", 0);
	cpu("cpu@0", 0, "rv64i_sscofpmf", 15);
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
