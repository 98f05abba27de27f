/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fix.c -- stands for tool/fix/fix.c in the page, which mends no file.
 */
#include "fix/fix.h"

int fix(struct report *r, const char *output)
{
	(void)r;
	(void)output;
	return complain(USAGE, NULL, "the page mends no file");
}
