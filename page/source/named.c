/* SPDX-License-Identifier: BSD-2-Clause
 *
 * named.c -- stands for tool/source/named.c in the page: no file is a source there, and what is only
 * done for sources is not linked. page.js tells who drops one.
 */
#include "source/read.h"

int is_dts(const char *name)
{
	(void)name;
	return 0;
}

int is_part(const char *name)
{
	(void)name;
	return 0;
}
