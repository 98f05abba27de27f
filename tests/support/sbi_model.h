/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The naive model of the SBI PMU extension: what every call has to answer, and what the counters
 * and the guest's memory are afterwards. Plain arrays by SBI's numbers of counters, and the rows
 * that the map was built from; it shares nothing with the server, nor with the library.
 */
#ifndef SBI_MODEL_H
#define SBI_MODEL_H

#include "model.h"

#define SBI_MODEL_FIRMWARE 16u
#define SBI_MODEL_TOTAL (32u + SBI_MODEL_FIRMWARE)

/* A hardware counter counts this much more until it stands; once released its value is garbage. */
#define SBI_MODEL_SKID 3u
#define SBI_MODEL_GARBAGE 0x5bd1e995a3c59ac3u

struct sbi_model_counter {
	uint64_t value;
	uint64_t data, selector; /* of the event; of raw events as many bits as they have */
	uint32_t event, inhibit;
	uint8_t owned, started, overflowed, selects;
};

struct sbi_model {
	const struct model *rows;
	uint32_t xlen, granted, features, rule, inhibit, width, virtual_, delegated, no_snapshot;
	uint32_t refuse; /* bit n: hardware counter n cannot be set */
	/*
	 * The guest's memory, of which the model has its own copy, as long as it is the guest's; and
	 * the firmware events that the host counts. Either may be NULL.
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
	uint64_t value; /* 0 with an error */
};

/* Numbers of hardware counters, holes included; of all counters. */
uint32_t sbi_model_hardware(const struct sbi_model *m);
uint32_t sbi_model_total(const struct sbi_model *m);
int sbi_model_hole(const struct sbi_model *m, uint32_t index);

/* args: as many bits of each as the guest has; those above are not looked at. */
struct sbi_model_ret sbi_model_call(struct sbi_model *m, uint32_t function, const uint64_t *args);
void sbi_model_count(struct sbi_model *m, uint32_t code, uint64_t data);
void sbi_model_reset(struct sbi_model *m);

/* Time goes by: every running hardware counter counts this much. */
void sbi_model_tick(struct sbi_model *m, uint64_t amount);

#endif /* SBI_MODEL_H */
