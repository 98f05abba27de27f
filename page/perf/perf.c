/* SPDX-License-Identifier: BSD-2-Clause
 *
 * perf.c -- replaces tool/perf/perf.c in the page, which does not offer the verb perf.
 */
#include "source/request.h"

int perf_verb(const struct request *request);
int perf_verb(const struct request *request)
{
	(void)request;
	return USAGE;
}
