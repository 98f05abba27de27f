/* SPDX-License-Identifier: BSD-2-Clause
 *
 * answers.h -- asks the kernel of this machine whether it counts an event; prints its answers and
 * those of a firmware's model as a table or as JSON.
 */
#ifndef ANSWERS_H
#define ANSWERS_H

#include "firmware/firmware.h"
#include "text/table.h"

enum outcome {
	KERNEL_COUNTS,
	KERNEL_STILL,      /* a counter ran, but stayed 0 */
	KERNEL_NO_COUNTER, /* the kernel accepts the event, but never gets a counter for it */
	KERNEL_REFUSES     /* perf_event_open() fails */
};

struct answer {
	enum outcome outcome;
	int error;         /* errno, if it refuses */
	int samples;       /* it makes samples; negative: it would, but none came */
	unsigned excluded; /* as asked, or more if user_only */
	int user_only;     /* the kernel does not let this user count in kernel mode */
};

/* True on Linux on RISC-V. Elsewhere ask_kernel() refuses every event. */
int has_kernel(void);

/* Its version, and whether this user is an ordinary one. */
struct driver this_driver(void);

/* Counts the event while this program works. excluded: as for ask_driver(). */
struct answer ask_kernel(uint32_t event, uint64_t data, unsigned excluded);

/* The answer in words. */
const char *answer_text(const struct answer *a);

/* True if the answer is about the event, not about this user's rights or this kernel. */
int is_about_event(const struct answer *a);

/* Zero it before use, and free its names in the end. */
struct answers {
	struct reading reading;
	struct driver driver;
	int json, live;
	int no_model; /* with live: the tree cannot tell what firmware does */
	struct table table;
	uint32_t asked, right, wrong; /* answers; with live, right: the kernel counts them */
	uint32_t differ;
	char *names; /* of events that kernel and model do not agree about */
};

/* v: what the model says; NULL: no such event. kernel: NULL unless live. */
void put_answer(struct answers *all, const char *name, const struct verdict *v,
		const struct answer *kernel);

void put_summary(struct answers *all);

#endif /* ANSWERS_H */
