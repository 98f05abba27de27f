/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as choices of a tree writer: well-formed trees of all three kinds, with many rows,
 * units, views and CPUs that are almost right. pmumap must match the tests' models in every answer
 * and finding.
 *
 * The first byte may be IMC_BYTE or AMU_BYTE; the next (or else the first) is the shape.
 */
#include "fdt_check.h"

#include "amu_tree.h"
#include "imc_tree.h"
#include "riscv_tree.h"

#define IMC_BYTE 'I'
#define AMU_BYTE 'A'

/* shape: bit 0 the node is deeper, 1 there are two, 2 AMU too, 3 it is the root */
static void put_riscv_tree(struct tree *t, uint32_t shape)
{
	if (shape & 8) {
		put_pmu(t, "");
		return;
	}
	t->err |= fdt_begin_node(t->fdt, "");
	if (shape & 1)
		t->err |= fdt_begin_node(t->fdt, "soc");
	put_pmu(t, "pmu");
	if (shape & 1)
		t->err |= fdt_end_node(t->fdt);
	if (shape & 2)
		put_pmu(t, "pmu@1");
	if (shape & 4)
		put_amu(t);
	t->err |= fdt_end_node(t->fdt);
}

static void put_deeper(struct tree *t, const char *name, uint32_t format)
{
	t->err |= fdt_begin_node(t->fdt, name);
	put_root(t, format);
	put_units(t);
	t->err |= fdt_end_node(t->fdt);
}

/*
 * shape: bit 0 the IMC root is the tree's root; otherwise bit 1 there are two; bit 2 AMU, 3
 * riscv,pmu, 5 to 7 the format.
 */
static void put_imc_tree(struct tree *t, uint32_t shape)
{
	t->err |= fdt_begin_node(t->fdt, "");
	if (shape & 1)
		put_root(t, shape >> 5);
	if (shape & 8)
		put_pmu(t, "pmu");
	if (shape & 4)
		put_amu(t);
	if (shape & 1)
		put_units(t);
	else
		put_deeper(t, "imc-counters", shape >> 5);
	if ((shape & 3) == 2)
		put_deeper(t, "soc", shape >> 6);
	t->err |= fdt_end_node(t->fdt);
}

/* shape: bit 0 riscv,pmu before, bit 1 after */
static void put_amu_tree(struct tree *t, uint32_t shape)
{
	t->err |= fdt_begin_node(t->fdt, "");
	if (shape & 1)
		put_pmu(t, "pmu");
	put_amu(t);
	if (shape & 2)
		put_pmu(t, "pmu@1");
	t->err |= fdt_end_node(t->fdt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint64_t block[1 << 13];
	uint32_t kind = size ? data[0] : 0, named = kind == IMC_BYTE || kind == AMU_BYTE;
	struct tree t = { { data + named, size - named }, block, fdt_create(block, sizeof(block)) };
	uint32_t shape = take(&t.in, 1);
	enum pmumap_status status;
	uint8_t *fdt;

	fuzz_seed(data, size);
	t.err |= fdt_finish_reservemap(t.fdt);
	if (kind == IMC_BYTE)
		put_imc_tree(&t, shape);
	else if (kind == AMU_BYTE)
		put_amu_tree(&t, shape);
	else
		put_riscv_tree(&t, shape);
	t.err |= fdt_finish(t.fdt);
	MUST(!t.err);
	size = fdt_totalsize(block);
	fdt = fuzz_copy(block, size);
	status = check_fdt(fdt, size, 0);
	MUST(status == PMUMAP_OK || (status == PMUMAP_E_NOTFOUND && named));
	status = check_fdt_imc(fdt, size);
	MUST(status == PMUMAP_OK || (status == PMUMAP_E_NOTFOUND && kind != IMC_BYTE));
	status = check_fdt_amu(fdt, size);
	MUST(status == PMUMAP_OK || status == PMUMAP_E_NOTFOUND);
	MUST(!memcmp(fdt, block, size));
	free(fdt);
	return 0;
}
