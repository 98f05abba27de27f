/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sample.c -- the board that is used without a FILE: its three tables.
 */
#include <libfdt.h>
#include "source.h"

static const struct {
	uint32_t event, selector;
} sample_selectors[] = {
	{ 0x00003, 0x1801 }, { 0x00004, 0x0302 }, { 0x00005, 0x4000 }, { 0x00006, 0x6001 },
	{ 0x10001, 0x0202 }, { 0x10002, 0x0402 }, { 0x10009, 0x0102 }, { 0x10011, 0x2002 },
	{ 0x10019, 0x1002 }, { 0x10021, 0x0802 },
};

static const struct {
	uint32_t first, last;
} sample_ranges[] = {
	{ 0x00003, 0x00006 }, { 0x10001, 0x10002 }, { 0x10009, 0x10009 },
	{ 0x10011, 0x10011 }, { 0x10019, 0x10019 }, { 0x10021, 0x10021 },
};

static const struct {
	uint64_t select, mask;
} sample_raw[] = {
	{ 0x0, 0xfffffffffc0000ff },
	{ 0x1, 0xfffffffffff800ff },
	{ 0x2, 0xffffffffffffe0ff },
};

/* The sample has no tree, so findings have no node. */
struct listener {
	pmumap_report_fn *report;
	void *arg;
};

static void tell_of_sample(void *arg, const struct pmumap_finding *f)
{
	const struct listener *listener = arg;
	struct pmumap_finding copy = *f;

	copy.node = PMUMAP_NO_NODE;
	listener->report(listener->arg, &copy);
}

/* Findings need a tree, so the map is turned into one. */
static void check_sample(const struct pmumap *map, pmumap_report_fn *report, void *arg)
{
	struct listener listener = { report, arg };
	static uint64_t tree[256], block[512];

	if (fdt_create_empty_tree(tree, sizeof(tree)) ||
	    pmumap_fdt_emit(tree, sizeof(tree), 0, map, NULL) != PMUMAP_OK)
		return;
	(void)pmumap_fdt_check(tree, sizeof(tree), NULL, block, sizeof(block), tell_of_sample,
			       &listener);
}

int build_sample(struct source *source, pmumap_report_fn *report, void *arg)
{
	static uint64_t block[512];
	const uint32_t counters = 0x18;
	struct pmumap_builder b;
	enum pmumap_status status;

	pmumap_begin(&b, block, sizeof(block));
	for (size_t i = 0; i < LENGTH(sample_selectors); i++)
		pmumap_add_selector(&b, sample_selectors[i].event, sample_selectors[i].selector);
	for (size_t i = 0; i < LENGTH(sample_ranges); i++)
		pmumap_add_counters(&b, sample_ranges[i].first, sample_ranges[i].last, counters);
	for (size_t i = 0; i < LENGTH(sample_raw); i++)
		pmumap_add_raw(&b, sample_raw[i].select, sample_raw[i].mask, counters);
	status = pmumap_finish(&b, &source->map);
	if (status != PMUMAP_OK)
		return complain(UNREADABLE, source->file.name, "%s", pmumap_status_str(status));
	if (report)
		check_sample(source->map, report, arg);
	return GOOD;
}
