/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checkout.c -- replaces tool/source/checkout.c in the page, which has no file system to search for
 * source trees.
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
