/* SPDX-License-Identifier: BSD-2-Clause
 *
 * help.c -- replaces tool/help.c in the page, which has no command line.
 */
#include "verbs.h"

void help(const struct verb *verb)
{
	(void)verb;
}
