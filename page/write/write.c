/* SPDX-License-Identifier: BSD-2-Clause
 *
 * write.c -- replaces tool/write/write.c in the page, which has no table, so that code for the verb write
 * is not linked.
 */
#include "write/write.h"

int write_verb(const struct request *request)
{
	(void)request;
	return complain(USAGE, NULL, "the page writes no files");
}
