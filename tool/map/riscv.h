/* SPDX-License-Identifier: BSD-2-Clause
 *
 * riscv.h -- RISC-V in a map, for several verbs: lines of events, and how much there is.
 */
#ifndef RISCV_H
#define RISCV_H

#include "map.h"

#define NO_SELECTORS "There are no selectors, so firmware writes the event's number."

/* Whether the event has a name of SBI. */
int named(uint32_t event);

/* As pmumap_event_next(), but an event that has a name comes alone. */
int next_line(const struct pmumap *map, uint32_t from, struct pmumap_run *line);

/* The name of its first event, or "(no SBI event)". */
const char *line_name(const struct pmumap_run *line);

/* The counter that counts the event whatever the map says, or a negative number. */
int fixed_counter(const struct pmumap *map, uint32_t event, uint64_t data);

int has_riscv(const struct pmumap *map);

struct extent {
	int code, name; /* widths */
	uint32_t lines, raw_rows;
	uint32_t counters; /* the union of all */
	int by_number;     /* what has no selector is selected by its number */
};

struct extent measure(const struct pmumap *map);

/* The raw rows by select and mask, which the map has in another order; to be freed. */
struct map_row {
	uint64_t select, mask;
	uint32_t counters;
};
struct map_row *list_raw_rows(const struct pmumap *map, uint32_t *count);

/* Whether it is a firmware event of SBI: firmware counts it, on no hardware counter. */
int is_firmware_event(uint32_t event);

#endif /* RISCV_H */
