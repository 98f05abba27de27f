/* SPDX-License-Identifier: BSD-2-Clause
 *
 * own.c -- replaces tool/firmware/own.c in the page, which models OpenSBI only.
 */
#include "firmware/models.h"

struct verdict judge_own(const struct reading *r, uint32_t event, uint64_t data)
{
	(void)r;
	(void)event;
	(void)data;
	return (struct verdict){ 0 };
}
