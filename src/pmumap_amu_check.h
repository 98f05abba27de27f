/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_amu_check.h 0.3.1 -- find mistakes in a tree's activity monitors; labels of counters.
 *
 * QUICK START
 *	#include "pmumap_amu_check.h"		// includes pmumap_amu.h
 *
 *	static void print(void *arg, const struct pmumap_finding *f)
 *	{
 *		(void)arg;			// "warning: reg: unit-mismatch"
 *		printf("%s: %s: %s\n", pmumap_severity_str(f->severity),
 *		       f->property ? f->property : "amu", f->name);
 *	}
 *
 *	enum pmumap_status status;
 *
 *	status = pmumap_amu_check(fdt, fdt_size, 0, block, sizeof(block), print, 0);
 *
 * CONTRACT
 *   As in pmumap_amu.h.
 */
#include "pmumap_amu.h"
#include "amu/findings_api.h"
#include "amu/labels.h"
#include "amu/check.h"
