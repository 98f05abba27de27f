/* SPDX-License-Identifier: BSD-2-Clause
 *
 * opensbi.h -- what OpenSBI makes of a riscv,pmu node: how far it reads, and what it leaves of the
 * node for Linux. tests/check/oracle.sh asks OpenSBI's own code the same.
 */
#ifndef OPENSBI_H
#define OPENSBI_H

#include "source.h"

#define OPENSBI_ROWS 255u /* ranges and raw rows together; the next one is refused */

/* Whether a node has tables. Firmware may have deleted them: /sys/firmware/fdt has none. */
enum tables { TABLES_PRESENT, TABLES_MISSING, TABLES_TAKEN };
enum tables tables_of(const struct source *source, int node);

/* OpenSBI reads ranges, selectors and raw rows, in this order, and stops at a row it refuses. */
struct opensbi {
	const struct source *source; /* NULL: not asked yet */
	int node;
	enum tables tables;
	uint32_t ranges, selectors, raws; /* rows that it keeps, from the first on */
	const char *property;             /* where it stops; NULL: it reads all */
	uint32_t row;
	uint32_t lost; /* rows that it does not keep, in all three tables */
	int full;      /* it stops because it has OPENSBI_ROWS */
	/*
	 * Some hart lists Sscofpmf and not Smcntrpmf: its fixed counters cannot leave out modes, so
	 * OpenSBI from 1.9 on does not hand them out.
	 */
	int lacks_fixed;
};
struct opensbi ask_opensbi(const struct source *source, int node);

/* Whether OpenSBI keeps a row for the event; data: of a raw event. */
int opensbi_keeps(const struct opensbi *o, uint32_t event, uint64_t data);

#endif /* OPENSBI_H */
