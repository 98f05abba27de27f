/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rustsbi.c -- replaces tool/firmware/rustsbi.c in the page, which models OpenSBI only.
 */
#include "firmware/models.h"

void read_rustsbi(struct reading *r)
{
	(void)r;
}

struct verdict judge_rustsbi(const struct reading *r, uint32_t event, uint64_t data)
{
	(void)r;
	(void)event;
	(void)data;
	return (struct verdict){ 0 };
}
