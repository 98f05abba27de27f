/* SPDX-License-Identifier: BSD-2-Clause
 *
 * amu.h -- Arm's activity monitors in a map, for several verbs: CPUs, views, auxiliary counters.
 */
#ifndef AMU_H
#define AMU_H

#include "map.h"
#include "text/text.h"

#define AMU_COUNTERS 16u
#define GRID_LIMIT 32u /* beyond so many CPUs, those in a row with the same view share a line */

/* map may be NULL. */
int has_amu(const struct pmumap_amu *map);

struct amu_sum {
	uint32_t cpus, views;
	uint16_t described; /* by any view */
};

struct amu_sum sum_up_amu(const struct pmumap_amu *map);

/* CPUs that share a line: their numbers and MPIDRs, and what they have in common. */
struct cpu_line {
	uint32_t last;
	struct text numbers, mpidrs; /* "#0-3", "0x0-0x300" */
	struct pmumap_amu_cpu cpu;
};

/* The line that begins with CPU number first. Returns 0: there is no such CPU. */
int next_cpu_line(const struct pmumap_amu *map, const struct amu_sum *sum, uint32_t first,
		  struct cpu_line *line);

/* Its number, or "-" where the CPU has none. */
struct text view_number(uint32_t view);

/* "0:mpmm_gear0, 1:mpmm_gear1"; to be freed. */
char *counter_names(const struct pmumap_amu *map, uint32_t view);

/* Members of a JSON object: a CPU; the counters of a view. */
void cpu_json(uint32_t index, const struct pmumap_amu_cpu *cpu);
void counters_json(const struct pmumap_amu *map, uint32_t view, uint16_t enable);

#endif /* AMU_H */
