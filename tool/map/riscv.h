/* SPDX-License-Identifier: BSD-2-Clause
 *
 * riscv.h -- RISC-V in a map, for several verbs: lines of events, and the extent of the map.
 */
#ifndef RISCV_H
#define RISCV_H

#include "map.h"

#define NO_SELECTORS "There are no selectors, so firmware writes the event's number."

/* True if SBI names the event. */
int named(uint32_t event);

/* Like pmumap_event_next(), but every named event gets a line of its own. */
int next_line(const struct pmumap *map, uint32_t from, struct pmumap_run *line);

/* The name of the line's first event, or "(no SBI event)". */
const char *line_name(const struct pmumap_run *line);

/* The counter that counts the event even without a row, or a negative number. */
int fixed_counter(const struct pmumap *map, uint32_t event, uint64_t data);

int has_riscv(const struct pmumap *map);

struct extent {
	int code, name; /* column widths */
	uint32_t lines, raw_rows;
	uint32_t counters; /* all counters of the map */
	int by_number;     /* events without a selector are selected by their number */
};

struct extent measure(const struct pmumap *map);

/* The raw rows sorted by select and mask; the map keeps another order. The caller frees them. */
struct map_row {
	uint64_t select, mask;
	uint32_t counters;
};
struct map_row *list_raw_rows(const struct pmumap *map, uint32_t *count);

/* True for SBI's firmware events, which firmware counts without a hardware counter. */
int is_firmware_event(uint32_t event);

#endif /* RISCV_H */
