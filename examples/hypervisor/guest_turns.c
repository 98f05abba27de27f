/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One of the two guests of turns.c. The first loads from pages, the second stores to pages. Each
 * also counts the other's event, which must stay near 0, and checks that its counters never go
 * backwards.
 */
#include "guest.h"
#include "runtime.h"
#include "workload.h"

#define SBI_RESET 0x53525354

#define PAGES 256u
#define ROUNDS 200u
#define COUNT (PAGES * ROUNDS)
#define INSTRUCTIONS LOAD_INSTRUCTIONS(COUNT) /* stores take equally many */

/* Tolerance: misses of the guest's other pages after each switch. */
#define STRAY (COUNT / 8)

/* Initial counter values, far apart so that a lost or foreign value shows. */
#define BASE(hart) ((uint64_t)(hart + 1) << 33)

enum { LOADED, STORED, RETIRED, KINDS };

/* QEMU 7.2 answers only the first read of a stopped instruction counter, and RV32 needs three. */
#define COUNTED (__riscv_xlen == 64 ? KINDS : RETIRED)

static const uint32_t events[KINDS] = { LOAD_MISSES, STORE_MISSES, 2 };

/* QEMU 7.2 cannot filter fixed counters, so they include the monitor's work. */
static const struct {
	uint64_t least, most;
} expected[2][KINDS] = {
	{ { COUNT, COUNT + STRAY }, { 0, STRAY }, { INSTRUCTIONS, INSTRUCTIONS * 3 / 2 } },
	{ { 0, STRAY }, { COUNT, COUNT + STRAY }, { INSTRUCTIONS, INSTRUCTIONS * 3 / 2 } },
};

static uint8_t pages[PAGES][PAGE] __attribute__((aligned(4096)));
static struct guest guest;

static int work(struct pmumap_sbi *s, unsigned long hart, const uint32_t *counter)
{
	uint64_t last[KINDS] = { BASE(hart), BASE(hart), BASE(hart) }, now;
	uint32_t i, kind;
	int good = 1;

	for (i = 0; i < ROUNDS; i++) {
		flush_tlb();
		if (hart == 0)
			load_pages(pages[0], PAGES);
		else
			store_pages(pages[0], PAGES);
		for (kind = 0; kind < COUNTED; kind++) {
			now = pmumap_sbi_read(s, counter[kind]);
			good &= now >= last[kind];
			last[kind] = now;
		}
	}
	return good;
}

int main(unsigned long hart, const void *fdt)
{
	struct pmumap_sbi *s = &guest.sbi;
	uint32_t counter[KINDS], kind;
	uint64_t n;
	int good;

	(void)fdt;
	pmumap_sbi_init(s);
	good = pmumap_sbi_probe(s) != 0;
	for (kind = 0; kind < COUNTED; kind++) {
		struct pmumap_sbi_ret r = pmumap_sbi_match(s, 0, s->counters,
							   PMUMAP_SBI_CLEAR_VALUE, events[kind], 0);

		good &= r.error == 0;
		counter[kind] = (uint32_t)r.value;
		r = pmumap_sbi_start_set(s, r.value, 1, PMUMAP_SBI_SET_INIT_VALUE, BASE(hart));
		good &= r.error == 0;
	}
	good &= work(s, hart, counter);
	for (kind = 0; kind < COUNTED; kind++) {
		good &= pmumap_sbi_stop_set(s, counter[kind], 1, 0).error == 0;
		n = pmumap_sbi_read(s, counter[kind]) - BASE(hart);
		good &= n >= expected[hart][kind].least && n <= expected[hart][kind].most;
	}
	sbi_call(SBI_RESET, 0, 0, !good);
	return 1;
}
