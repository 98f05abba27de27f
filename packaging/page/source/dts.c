/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dts.c -- replaces tool/source/dts.c in the page, which cannot start dtc.
 */
#include "source/dts.h"
#include "source/included.h"

int pass_to_cpp(const char *option, const char *value)
{
	(void)option;
	(void)value;
	return GOOD;
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
