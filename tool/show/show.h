/* SPDX-License-Identifier: BSD-2-Clause
 *
 * show.h -- what the verb show prints of each kind of PMU.
 */
#ifndef SHOW_H
#define SHOW_H

#include "map/events.h"
#include "map/riscv.h"
#include "source/harts.h"
#include "source/request.h"

struct view {
	int json, grid;
	int available;    /* only units that a machine has */
	int events;       /* list them */
	const char *unit; /* in any spelling; NULL: all */
};

/*
 * RISC-V: the tables, and a grid of events and counters; the lines of JSON. core: what the core
 * calls its events; may be empty.
 */
void show_riscv(const struct pmumap *map, const struct extent *x, const struct events *core);
void show_riscv_json(const struct pmumap *map, const struct events *core);

/*
 * Of a tree whose harts read different nodes: the map of each node, and its harts. It leaves the
 * source with one of these maps.
 */
void show_harts(struct source *source, const struct hart *harts, uint32_t count, int json,
		const struct events *core);

/* Its grid; all: also what fixed counters count, and raw events. */
void show_grid(const struct pmumap *map, const struct extent *x, int all);

/* IMC: how much there is, and the units. */
void show_imc(const struct pmumap_imc *map, const struct view *view);

/* IMC: the units that view->unit means, with all of their events. Returns an exit code. */
int show_unit(const char *file, const struct pmumap_imc *map, const struct view *view);

/* AMU: CPUs and views. */
void show_amu(const struct pmumap_amu *map, int json);

#endif /* SHOW_H */
