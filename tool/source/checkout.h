/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checkout.h -- finds the source tree of Linux or U-Boot that contains a file, and its include
 * folders.
 */
#ifndef CHECKOUT_H
#define CHECKOUT_H

#include "read.h"

#define CHECKOUT_FOLDERS 4

struct checkout {
	const char *folders[CHECKOUT_FOLDERS];
	size_t count;
	int unconfigured; /* the build defines CONFIG_... macros, but has not run */
};

/* Searches the folders above the file. Without a known tree, the list of folders is empty. */
void find_checkout(const char *file);

/* The result of the last find_checkout(). */
const struct checkout *checkout(void);

/*
 * CONFIG_... macros without a configuration have no value. A PMU node needs none, so they become 0
 * in cpp's output.
 */
void clear_config(struct bytes *text);

#endif /* CHECKOUT_H */
