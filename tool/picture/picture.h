/* SPDX-License-Identifier: BSD-2-Clause
 *
 * picture.h -- what the verb picture draws of each kind of PMU.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "map/imc.h"
#include "source/request.h"
#include "svg.h"

/* Events that have a finding, in the order of the findings; the last one about an event counts. */
struct mark {
	uint64_t event;
	const char *finding;
};
struct marks {
	struct mark *list;
	uint32_t used;
};

/* Grids of events and counters, and of raw events. Rows of marked events are red. */
void draw_riscv(struct canvas *c, const struct pmumap *map, const struct marks *marks);

/* A map of each window that counters lie in. spelling: of the units to be drawn; NULL: all. */
void draw_imc(struct canvas *c, const struct pmumap_imc *map, const char *spelling);

/* A grid of CPUs and counters, and the counters of each view. */
void draw_amu(struct canvas *c, const struct pmumap_amu *map);

/* ---- parts of draw_imc() --------------------------------------------------------------------- */

/* A unit in a picture: units that count in the same memory come together, lowest counter first. */
struct imc_row {
	struct pmumap_imc_unit unit;
	uint32_t index, first;
	unsigned type;    /* in imc_types */
	uint32_t windows; /* of nest units: where the window lies */
};

/* What the windows of a picture have in common. */
struct imc_drawing {
	struct canvas *canvas;
	const struct pmumap_imc *map;
	double left;              /* where the windows begin */
	uint32_t dots;            /* counters, drawn or not */
	uint32_t kind[64], kinds; /* of units that have a colour */
};

#define DOTS_LIMIT 65536u /* counters drawn in all windows */

/* The number of a unit's kind: mcs01@c8 and mcs23@48 look alike, otl0_0 and otl3_1. */
uint32_t kind_number(struct imc_drawing *d, const char *name);

/* Draws the window of these rows, count of them. */
void draw_window(struct imc_drawing *d, const struct imc_row *rows, uint32_t count);

#endif /* PICTURE_H */
