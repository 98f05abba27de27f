/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Work with known counts. In assembly, so that no compiler changes them; none of it uses the stack.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#define PAGE 4096u

/* Instructions that each takes for n rounds, more than it takes for none. */
#define SPIN_INSTRUCTIONS(n) (3ul * (n))
#define LOAD_INSTRUCTIONS(n) (5ul * (n))
#define STORE_INSTRUCTIONS(n) (5ul * (n))
#define CALL_INSTRUCTIONS(n) (6ul * (n))

void spin(unsigned long rounds);

/* One load, one store, or one call of a function that returns at once, at the start of n pages. */
void load_pages(const void *first, unsigned long n);
void store_pages(void *first, unsigned long n);
void call_pages(const void *first, unsigned long n);

/* Put such functions there. */
void make_callable(void *first, unsigned long n);

/* Forget all translations: the next access to any page misses the TLB. */
void flush_tlb(void);

#endif /* WORKLOAD_H */
