/* SPDX-License-Identifier: BSD-2-Clause */
#include "fix.h"

void put_names(const struct report *r)
{
	fputs("--- ", stdout);
	put_escaped(stdout, r->source.file.name, 0);
	fputs("\n+++ ", stdout);
	put_escaped(stdout, r->source.file.name, 0);
	fputs(" (fixed)\n", stdout);
}
