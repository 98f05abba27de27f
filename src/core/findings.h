/* SPDX-License-Identifier: BSD-2-Clause */
/* The texts of findings */
#pragma once

#include "core/findings_api.h"
#include "core/status.h"

PMUMAP_DEF const char *pmumap_severity_str(enum pmumap_severity severity)
{
	return severity == PMUMAP_ERROR ? "error" : severity == PMUMAP_WARNING ? "warning" : "note";
}
