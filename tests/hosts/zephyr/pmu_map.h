/* SPDX-License-Identifier: BSD-2-Clause */
/* Stands for the output of pmumap rom: counters 3 and 4 count three events and any raw one. */
static inline const struct pmumap *pmu_map(void)
{
	static uint64_t block[PMUMAP_BLOCK(2, 2, 1) / 8];
	static const struct pmumap *map;
	struct pmumap_builder b;

	if (!map) {
		pmumap_begin(&b, block, sizeof(block));
		pmumap_add_selector(&b, 2, 0x702);
		pmumap_add_selector(&b, 0x10019, 0x719);
		pmumap_add_counters(&b, 2, 2, 0x18);
		pmumap_add_counters(&b, 0x10019, 0x10019, 0x18);
		pmumap_add_raw(&b, 0, 0, 0x18);
		pmumap_finish(&b, &map);
	}
	return map;
}
