/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fix.c -- replaces tool/fix/fix.c in the page, which cannot write files.
 */
#include "fix/fix.h"

int fix(struct report *r, const char *output)
{
	(void)r;
	(void)output;
	return complain(USAGE, NULL, "the page writes no files");
}
