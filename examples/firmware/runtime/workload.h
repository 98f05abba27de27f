/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Work with known counts, in assembly so that no compiler changes them. It uses no stack.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdint.h>

#define PAGE 4096u

/* Instructions of n rounds, minus those of 0 rounds. */
#define SPIN_INSTRUCTIONS(n) (3ul * (n))
#define LOAD_INSTRUCTIONS(n) (5ul * (n))
#define STORE_INSTRUCTIONS(n) (5ul * (n))
#define CALL_INSTRUCTIONS(n) (6ul * (n))

void spin(unsigned long rounds);

/* One load, one store, or one call of an empty function, at the start of each of n pages. */
void load_pages(const void *first, unsigned long n);
void store_pages(void *first, unsigned long n);
void call_pages(const void *first, unsigned long n);

/* Write empty functions to the start of n pages. */
void make_callable(void *first, unsigned long n);

/* Flush all translations: the next access to any page misses the TLB. */
void flush_tlb(void);

/* All of these in sequence: this much, or none. */
#define WORK_LOADS 256u
#define WORK_STORES 100u
#define WORK_CALLS 64u
#define WORK_PAGES (WORK_LOADS + WORK_STORES + WORK_CALLS)
#define WORK_INSTRUCTIONS(rounds)                                                                  \
	(SPIN_INSTRUCTIONS(rounds) + LOAD_INSTRUCTIONS(WORK_LOADS) +                               \
	 STORE_INSTRUCTIONS(WORK_STORES) + CALL_INSTRUCTIONS(WORK_CALLS))

struct work {
	uint32_t rounds, loads, stores, calls;
};

static inline void do_work(const struct work *w, uint8_t (*pages)[PAGE])
{
	spin(w->rounds);
	load_pages(pages[0], w->loads);
	store_pages(pages[WORK_LOADS], w->stores);
	call_pages(pages[WORK_LOADS + WORK_STORES], w->calls);
}

/* Before the first work. */
static inline void prepare_pages(uint8_t (*pages)[PAGE])
{
	make_callable(pages[WORK_LOADS + WORK_STORES], WORK_CALLS);
}

#endif /* WORKLOAD_H */
