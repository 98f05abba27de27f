/* SPDX-License-Identifier: BSD-2-Clause */
#include "read.h"

static int ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), tail = strlen(end);

	return length > tail && !strcmp(name + length - tail, end);
}

int is_part(const char *name)
{
	return ends_with(name, ".dtsi");
}

int is_dts(const char *name)
{
	return ends_with(name, ".dts") || ends_with(name, ".dtso") || is_part(name);
}
