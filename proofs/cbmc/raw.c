/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Raw rows as the builder keeps and sorts them, without an index: a look-up returns the union of the
 * matching rows. With an index, WP proves it.
 */
#include "proof.h"

static struct {
	struct pmumap m;
	struct pmumap_raw_row rows[3 * N];
} image;

static void add(struct pmumap_row_ *rows, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		rows[i].key = nondet_u64();
		rows[i].value = nondet_u64();
		rows[i].counters = nondet_u32();
		assume((rows[i].key & ~rows[i].value) == 0 && rows[i].counters);
	}
}

/* For pmumap_riscv_is_raw_far_() */
int far(const struct pmumap *m)
{
	(void)m;
	return 1;
}

/* For any raw event, look-up and rows agree, and the tables stay in the block. */
void plain(void)
{
	struct pmumap *m = &image.m;
	struct pmumap_row_ rows[N];
	uint64_t data = nondet_u64();
	uint32_t want = 0, i;

	add(rows, N);
	m->head.size = sizeof(*m);
	pmumap_riscv_build_raw_(m, rows, N);
	for (i = 0; i < N; i++)
		want |= (data & rows[i].value) == rows[i].key ? rows[i].counters : 0;
	prove(pmumap_raw_counters(m, data) == want);
	prove(m->head.size <= sizeof(image));
	reached(want == 0x18);
}
