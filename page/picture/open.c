/* SPDX-License-Identifier: BSD-2-Clause
 *
 * open.c -- stands for tool/picture/open.c in the page, where nothing can start a program: the page shows
 * the picture itself, and never asks for --open.
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
	return complain(UNREADABLE, file, "nothing here opens it");
}
