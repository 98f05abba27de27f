/* SPDX-License-Identifier: BSD-2-Clause
 *
 * limits.c -- replaces tool/text/limits.c in the page, where the linker limits memory and page.js
 * limits time.
 */
#include "text/limits.h"

void limit_memory(void)
{
}

void limit_time(void)
{
}

void lift_limits(void)
{
}
