/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tables.h -- tells whether a riscv,pmu node has its tables, or firmware has deleted them.
 */
#ifndef TABLES_H
#define TABLES_H

#include "source.h"

/* /sys/firmware/fdt has no tables: OpenSBI deletes them before it starts Linux. */
enum tables { TABLES_PRESENT, TABLES_MISSING, TABLES_TAKEN };
enum tables tables_of(const struct source *source, int node);

#endif /* TABLES_H */
