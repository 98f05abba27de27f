/* SPDX-License-Identifier: BSD-2-Clause
 *
 * show.h -- what the verb show prints of each kind of PMU.
 */
#ifndef SHOW_H
#define SHOW_H

#include "map/events.h"
#include "map/riscv.h"
#include "source/rows.h"
#include "source/request.h"

struct view {
	int json, grid;
	int available;    /* only units that the machine has */
	int events;       /* list them */
	const char *unit; /* in any spelling; NULL: all units */
};

/*
 * RISC-V: the tables, then a grid of events and counters; or the lines of JSON. core: the core's
 * own names of events; may be empty.
 */
void show_riscv(const struct pmumap *map, const struct extent *x, const struct events *core);
void show_riscv_json(const struct pmumap *map, const struct events *core);

/*
 * For a tree whose harts use different nodes: prints the map of each node and its harts. Afterwards
 * source holds one of these maps.
 */
void show_harts(struct source *source, int json, const struct events *core);

/* Prints the grid. all: includes raw events, and events that only fixed counters count. */
void show_grid(const struct pmumap *map, const struct extent *x, int all);

/* IMC: the totals and the units. */
void show_imc(const struct pmumap_imc *map, const struct view *view);

/* IMC: the units that match view->unit, with all their events. Returns an exit code. */
int show_unit(const char *file, const struct pmumap_imc *map, const struct view *view);

/* AMU: the CPUs and the views. */
void show_amu(const struct pmumap_amu *map, int json);

#endif /* SHOW_H */
