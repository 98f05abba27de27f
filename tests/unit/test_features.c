/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The facts about a hart in a tree, and the size of a tree.
 */
#include "make.h"

#define SOF PMUMAP_SSCOFPMF
#define SMC PMUMAP_SMCNTRPMF

/* The features of a hart; 0 if the tree is malformed, or has no such hart. */
static uint32_t features_of(const void *fdt, size_t size, uint64_t hart)
{
	struct pmumap_fdt_hart harts[64];
	const struct pmumap_fdt_hart *h;
	size_t count;

	(void)pmumap_fdt_harts(fdt, size, harts, 64, &count);
	h = pmumap_fdt_hart_find(harts, count, hart);
	return h ? h->features : 0;
}

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
	const char *upper = cells == 1 ? "" : "0 ";
	uint32_t i;

	start();
	blob_text(&tree, "{");
	if (cells == 1)
		cell("#address-cells", 2); /* not that of /cpus */
	begin("cpus");
	if (cells)
		cell("#address-cells", cells);
	for (i = 0; i < CPUS; i++) {
		const unsigned number = first + i;

		blob_format(&tree, "cpu@%x { reg=<%s%x>", number, upper, number);
		if (cpus[i].isa)
			text("riscv,isa", cpus[i].isa);
		if (cpus[i].extensions)
			blob_format(&tree, "riscv,isa-extensions=\"%s\"", cpus[i].extensions);
		blob_format(&tree,
			    "interrupt-controller { reg=<%s%x> "
			    "riscv,isa=\"rv64i_sscofpmf_smcntrpmf\" cpu@62 { reg=<%s62> "
			    "riscv,isa=\"rv64i_sscofpmf\" } } }",
			    upper, number, upper);
	}
	blob_text(&tree, "} soc { cpu@63 { reg=<63> riscv,isa=\"rv64i_sscofpmf\"");
	return finish(size);
}

static void features(void)
{
	uint32_t cells, i;
	unsigned char *fdt;
	size_t size, cut;

	for (cells = 0; cells <= 2; cells++) {
		fdt = harts(cells, 5, &size);
		for (i = 0; i < CPUS; i++) {
			test_now = cpus[i].isa ? cpus[i].isa : "no riscv,isa";
			test_input = cpus[i].extensions ? cpus[i].extensions : "";
			CHECK_EQ(features_of(fdt, size, 5 + i), cpus[i].want);
		}
		test_now = test_input = "";
		CHECK_EQ(features_of(fdt, size, 4), 0);
		CHECK_EQ(features_of(fdt, size, 0x62), 0);
		CHECK_EQ(features_of(fdt, size, 0x63), 0);
		CHECK_EQ(features_of(fdt, size, (1ull << 32) + 7), 0);
		CHECK_EQ(pmumap_fdt_size(fdt), size);
		for (cut = 0; cut < size; cut++) {
			unsigned char *part = exact_copy(fdt, cut);

			CHECK_EQ(features_of(part, cut, 7), 0);
			free(part);
		}
		free(fdt);
	}
	fdt = harts(2, 5, &size);
	fdt[size - fdt_size_dt_strings(fdt) - 1] = 0; /* the last tag: FDT_END no more */
	CHECK_EQ(features_of(fdt, size, 7), 0);
	free(fdt);
	fdt = harts(3, 5, &size);
	CHECK_EQ(features_of(fdt, size, 7), 0);
	free(fdt);
}

/* Truncated values; the first of two properties and of two harts counts. */
static void odd_harts(void)
{
	static const uint32_t want[] = { 0, SOF, SOF, 0, 0, SOF, 0, 0 };
	size_t size;
	unsigned char *fdt = make(
		"cpus { #address-cells=[0 0 1] " /* no cell: 2 */
		"cpu-map { riscv,isa=\"rv64i_sscofpmf\" } "
		"l2-cache@2 { reg=<0 2> riscv,isa=\"rv64i_smcntrpmf\" } "
		"cpu@0 { reg=[0 0 0 0 0 0 0] riscv,isa=\"rv64i_sscofpmf\" } "
		"cpu@1 { reg=<0 1> riscv,isa='rv64i_sscofpmf_smcntrp' riscv,isa=\"rv64i_smcntrpmf\" } "
		"cpu@1,again { reg=<0 1> riscv,isa=\"rv64i_smcntrpmf\" } "
		"cpu@2 { reg=<0 2> riscv,isa='rv64i_sscofpmf' } "
		"cpu@3 { reg=<0 3> riscv,isa-extensions='sscofpmf' } "
		"cpu@7 { reg=<0 7> riscv,isa='rv64i|_sscofpmf|' } "
		"cpu@5 { reg-names=<0 6> reg=<0 5> riscv,isa=\"rv64i_sscofpmf\" } } "
		"soc { cpus { } cpu@6 { reg=<0 6> riscv,isa=\"rv64i_sscofpmf\" } } " /* in no cpus */
		"cpus@1 { cpu@4 { reg=<0 4> riscv,isa=\"rv64i_sscofpmf\" } }",
		&size);
	uint32_t hart;

	for (hart = 0; hart < 8; hart++)
		CHECK_EQ(features_of(fdt, size, hart), want[hart]);
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
	sizes();
	return test_summary();
}
