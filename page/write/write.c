/* SPDX-License-Identifier: BSD-2-Clause
 *
 * write.c -- stands for tool/write/write.c in the page, which has no table to ask for: what only
 * the verb write needs is not linked.
 */
#include "write/write.h"

int write_verb(const struct request *request)
{
	(void)request;
	return complain(USAGE, NULL, "the page writes no nodes");
}
