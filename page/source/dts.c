/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dts.c -- stands for tool/source/dts.c in the page, where nothing can start dtc: no file is a source
 * there, and what is only done for sources is not linked. page.js tells who drops one.
 */
#include "source/dts.h"
#include "source/included.h"

int is_dts(const char *name)
{
	(void)name;
	return 0;
}

int search_in(const char *folder)
{
	(void)folder;
	return GOOD;
}

void allow_incbin(void)
{
}

void trust_folder(const char *folder)
{
	(void)folder;
}

int run_dtc(struct bytes *bytes, const char *file, int annotate)
{
	(void)annotate;
	return complain(UNREADABLE, bytes->name, "%s is a source", file);
}

int is_source(const struct bytes *text)
{
	(void)text;
	return 0;
}

int compile_source(struct bytes *bytes)
{
	return complain(UNREADABLE, bytes->name, "a source");
}
