/* SPDX-License-Identifier: BSD-2-Clause
 *
 * explain_code.c -- replaces tool/findings/explain_code.c in the page, which has no --explain
 * option.
 */
#include "findings/findings.h"
#include "text/output.h"

int explain_code(const char *code, int json)
{
	(void)code;
	(void)json;
	return USAGE;
}
