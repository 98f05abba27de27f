/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checkout.h -- the source tree of Linux or U-Boot that a file lies in: where its includes lie.
 */
#ifndef CHECKOUT_H
#define CHECKOUT_H

#include "read.h"

#define CHECKOUT_FOLDERS 6

struct checkout {
	const char *folders[CHECKOUT_FOLDERS];
	size_t count;
	int unconfigured; /* its build defines macros CONFIG_..., but has not run */
};

/* Looks for the tree in the folders above the file. Without one there are no folders. */
void find_checkout(const char *file);

/* What the last call has found. */
const struct checkout *checkout(void);

/*
 * Macros of a configuration that is not there have no values. A PMU needs none: in what cpp wrote,
 * they become 0. Returns whether there were some.
 */
int clear_config(struct bytes *text);

#endif /* CHECKOUT_H */
