/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Raw rows as the builder keeps and sorts them: a look-up returns the union of the matching rows.
 */
#include "proof.h"

#define PLACES 4u

static struct {
	struct pmumap m;
	struct pmumap_raw_row rows[N + 1];
	uint16_t index[PLACES];
} image;

uint32_t __CPROVER_uninterpreted_place(uint64_t bits);

/* Any function of the bits that all rows compare, for pmumap_riscv_raw_place_(). */
uint32_t any_place(const struct pmumap *m, uint64_t raw)
{
	return __CPROVER_uninterpreted_place(raw & m->raw_common) % PLACES;
}

/* For pmumap_riscv_find_raw_hash_(): accepts what pmumap_riscv_try_raw_hash_() accepts. */
int any_hash(struct pmumap *m, uint16_t *index, const struct pmumap_row_ *r, uint32_t n)
{
	m->raw_shift = 30;
	assume(pmumap_riscv_try_raw_hash_(m, index, r, n, PMUMAP_RAW_CHAIN_));
	return 1;
}

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

/* For any event, look-up and rows agree, and the tables fill the map. */
static uint32_t answers(struct pmumap *m, uint32_t bytes)
{
	struct pmumap_row_ rows[N];
	uint64_t data = nondet_u64();
	uint32_t want = 0, i;

	add(rows, N);
	m->head.size = sizeof(*m);
	pmumap_riscv_build_raw_(m, rows, N);
	for (i = 0; i < N; i++)
		want |= (data & rows[i].value) == rows[i].key ? rows[i].counters : 0;
	prove(pmumap_raw_counters(m, data) == want);
	prove(m->head.size == bytes);
	return want;
}

/* With an index, by any hash. */
void indexed(void)
{
	uint32_t want = answers(&image.m, sizeof(image));

	reached(image.rows[1].more && want);
}

static struct {
	struct pmumap m;
	struct pmumap_raw_row rows[N + 1];
} bare;

int no_hash(struct pmumap *m, uint16_t *index, const struct pmumap_row_ *r, uint32_t n)
{
	return 0;
}

/* Without an index. */
void plain(void)
{
	uint32_t want = answers(&bare.m, sizeof(bare));

	reached(want == 0x18);
}
