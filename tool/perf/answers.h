/* SPDX-License-Identifier: BSD-2-Clause
 *
 * answers.h -- the answers of a firmware's model and of the kernel, printed as a table or as JSON.
 */
#ifndef ANSWERS_H
#define ANSWERS_H

#include "kernel.h"
#include "text/table.h"

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
