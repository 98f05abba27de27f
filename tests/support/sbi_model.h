/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Naive model of the SBI PMU extension: the answer of every call, and the counters and guest memory
 * after it. Plain arrays indexed by SBI counter numbers, and the rows of the map. It shares no code
 * with the server or the library.
 */
#ifndef SBI_MODEL_H
#define SBI_MODEL_H

#include "model.h"

#define SBI_MODEL_FIRMWARE 16u
#define SBI_MODEL_TOTAL (32u + SBI_MODEL_FIRMWARE)

/* A hardware counter adds this until it stops. After release its value is undefined. */
#define SBI_MODEL_SKID 3u
#define SBI_MODEL_GARBAGE 0x5bd1e995a3c59ac3u

struct sbi_model_counter {
	uint64_t value;
	uint64_t data, selector; /* event data; raw events have limited bits */
	uint32_t event, inhibit;
	uint8_t owned, started, overflowed, selects;
};

/* A hardware counter counts. */
static inline void sbi_counter_add(struct sbi_model_counter *c, uint64_t amount)
{
	if (!c->started)
		return;
	c->value += amount;
	c->overflowed |= c->value < amount;
}

static inline void sbi_counter_stop(struct sbi_model_counter *c)
{
	sbi_counter_add(c, SBI_MODEL_SKID);
	c->started = 0;
}

static inline void sbi_counter_release(struct sbi_model_counter *c)
{
	c->value ^= c->owned ? SBI_MODEL_GARBAGE : 0;
	c->owned = 0;
}

struct sbi_model {
	const struct model *rows;
	uint32_t xlen, granted, features, rule, inhibit, width, for_vs, delegated, no_snapshot;
	uint32_t refuse; /* bit n: hardware counter n refuses to be set */
	/*
	 * The model's copy of guest memory, as long as the guest owns it, and the host's firmware
	 * events. Either may be NULL.
	 */
	unsigned char *(*memory)(void *arg, uint64_t low, uint64_t high, uint64_t bytes);
	int (*counts)(void *arg, uint32_t code, uint64_t data);
	void *arg;

	struct sbi_model_counter counter[SBI_MODEL_TOTAL];
	int shares;         /* snapshots go ... */
	uint64_t shared[2]; /* ... there: the halves of an address */
};

struct sbi_model_ret {
	int64_t error;
	uint64_t value; /* 0 after an error */
};

/* Numbers of hardware counters including holes; of all counters. */
uint32_t sbi_model_hardware(const struct sbi_model *m);
uint32_t sbi_model_total(const struct sbi_model *m);
int sbi_model_hole(const struct sbi_model *m, uint32_t index);

/* args: only as many bits as the guest's registers have; higher ones are ignored. */
struct sbi_model_ret sbi_model_call(struct sbi_model *m, uint32_t function, const uint64_t *args);
void sbi_model_count(struct sbi_model *m, uint32_t code, uint64_t data);
void sbi_model_reset(struct sbi_model *m);

#endif /* SBI_MODEL_H */
