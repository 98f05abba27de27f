/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef GUEST_H
#define GUEST_H

#include "pmumap_hw.h"

#define LOAD_MISSES 0x10019u  /* data TLB, loads */
#define STORE_MISSES 0x1001bu /* data TLB, stores */
#define FETCH_MISSES 0x10021u
#define NOT_COUNTED 0x10000u /* L1D accesses: QEMU has no cache */
#define SET_TIMER 0xf0005u   /* a firmware event */

#define NONE (~(uint64_t)0)

/* The firmware's counters. Numbers below firmware are hardware counters. */
struct guest {
	struct pmumap_sbi sbi;
	uint32_t firmware;     /* the number of the first firmware counter */
	uint32_t programmable; /* the number of the first programmable counter */
	uint32_t failed;
};

/*
 * Every line of the log is "WHAT -> RESULT". WHAT does not depend on any result, so that logs can
 * be compared line by line. A result is a counter and its kind, a value, or "error" and its
 * number.
 */
void put_result(struct pmumap_sbi_ret r);
void put_checked(struct guest *g, uint64_t value, int good);

/* Bit i of the mask: the counter with the number base + i. */
struct set {
	uint64_t base, mask;
};

/* All counters of the event's kind (hardware or firmware); and a single counter. */
struct set set_for(const struct guest *g, uint32_t event);
struct set set_of(const struct guest *g, uint32_t number);

/* SBI calls that print a line each. */
struct pmumap_sbi_ret try_match(struct guest *g, uint64_t base, uint64_t mask, uint64_t flags,
				uint32_t event, uint64_t data);
struct pmumap_sbi_ret try_start(struct guest *g, uint64_t base, uint64_t mask, uint64_t flags);
struct pmumap_sbi_ret try_stop(struct guest *g, uint64_t base, uint64_t mask, uint64_t flags);
struct pmumap_sbi_ret try_call(struct guest *g, uint32_t function, const char *name, uint64_t a0,
			       uint64_t a1, uint64_t a2, uint64_t a3);

/* Any other SBI call. */
struct pmumap_sbi_ret sbi_call(unsigned long extension, unsigned long function, unsigned long a0,
			       unsigned long a1);
void set_timer(void);

/* EVENT_GET_INFO's answer for one event: 1 supported, 0 not, or an error. */
struct pmumap_sbi_ret event_info(struct guest *g, uint32_t event, uint64_t data);

/* The parts of the log. */
void probe_counters(struct guest *g);
void probe_events(struct guest *g);
void probe_calls(struct guest *g);
void probe_busy(struct guest *g);
void count_events(struct guest *g);
void count_firmware(struct guest *g);
void count_snapshots(struct guest *g);

#endif /* GUEST_H */
