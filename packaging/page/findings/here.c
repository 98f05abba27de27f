/* SPDX-License-Identifier: BSD-2-Clause
 *
 * here.c -- replaces tool/findings/here.c in the page, which has no --firmware option.
 */
#include "findings/checks.h"

char *here(struct report *r, const struct pmumap_finding *f)
{
	char *text;
	size_t size;

	(void)r;
	(void)f;
	close_text(open_text(&text, &size));
	return text;
}

int is_lost_here(struct report *r, const struct pmumap_finding *f)
{
	(void)r;
	(void)f;
	return 0;
}
