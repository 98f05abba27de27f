/* SPDX-License-Identifier: BSD-2-Clause
 *
 * open.c -- replaces tool/picture/open.c in the page, which cannot start a program. The page shows
 * the picture itself and never passes --open.
 */
#include "picture/open.h"

int name_picture(char *name, size_t room)
{
	(void)room;
	*name = 0;
	return GOOD;
}

int open_picture(const char *file)
{
	return complain(UNREADABLE, file, "the page opens no viewer");
}
