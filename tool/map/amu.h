/* SPDX-License-Identifier: BSD-2-Clause
 *
 * amu.h -- Arm's activity monitors in a map, for several verbs: CPUs, views, auxiliary counters.
 */
#ifndef AMU_H
#define AMU_H

#include "map.h"
#include "text/text.h"

#define AMU_COUNTERS 16u
#define GRID_LIMIT 32u /* on a larger system, adjacent CPUs with the same view share a line */

/* map may be NULL. */
int has_amu(const struct pmumap_amu *map);

struct amu_sum {
	uint32_t cpus, views;
	uint16_t described; /* counters that any view describes */
};

struct amu_sum sum_up_amu(const struct pmumap_amu *map);

/* CPUs that share a line: their numbers, their MPIDRs, and their common properties. */
struct cpu_line {
	uint32_t last;
	struct text numbers, mpidrs; /* "#0-3", "0x0-0x300" */
	struct pmumap_amu_cpu cpu;
};

/* The line that starts with CPU number first. Returns 0 if there is no such CPU. */
int next_cpu_line(const struct pmumap_amu *map, const struct amu_sum *sum, uint32_t first,
		  struct cpu_line *line);

/* The view's number, or "-" for a CPU without a view. */
struct text view_number(uint32_t view);

/* For example "0:mpmm_gear0, 1:mpmm_gear1". The caller frees it. */
char *counter_names(const struct pmumap_amu *map, uint32_t view);

/* Members of a JSON object: of a CPU, and of a view's counters. */
void cpu_json(uint32_t index, const struct pmumap_amu_cpu *cpu);
void counters_json(const struct pmumap_amu *map, uint32_t view, uint16_t enable);

#endif /* AMU_H */
