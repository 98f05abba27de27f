/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checkout.c -- as tool/source/checkout.c, where there are no source trees.
 */
#include "source/checkout.h"

void find_checkout(const char *file)
{
	(void)file;
}

const struct checkout *checkout(void)
{
	return NULL;
}

int clear_config(struct bytes *text)
{
	(void)text;
	return 0;
}
