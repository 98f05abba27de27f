/* SPDX-License-Identifier: BSD-2-Clause
 *
 * write.c -- replaces tool/write/write.c in the page, which takes no table. The linker then drops
 * the code of the verb write.
 */
#include "write/write.h"

int write_verb(const struct request *request)
{
	(void)request;
	return complain(USAGE, NULL, "the page writes no files");
}
