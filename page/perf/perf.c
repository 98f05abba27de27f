/* SPDX-License-Identifier: BSD-2-Clause
 *
 * perf.c -- stands for tool/perf/perf.c in the page, which does not ask what perf counts.
 */
#include "source/request.h"

int perf_verb(const struct request *request);
int perf_verb(const struct request *request)
{
	(void)request;
	return USAGE;
}
