/* SPDX-License-Identifier: BSD-2-Clause
 *
 * picture.h -- what the verb picture draws for each kind of PMU.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "map/imc.h"
#include "source/request.h"
#include "svg.h"

/* Events with a finding, in the order of findings. The last finding about an event counts. */
struct mark {
	uint64_t event;
	const char *finding;
};
struct marks {
	struct mark *list;
	uint32_t used;
};

/* Draws grids of events and raw events against counters. Rows of marked events are red. */
void draw_riscv(struct canvas *c, const struct pmumap *map, const struct marks *marks);

/* Draws a map of each window that contains counters. spelling: the units to draw; NULL: all. */
void draw_imc(struct canvas *c, const struct pmumap_imc *map, const char *spelling);

/* Draws a grid of CPUs and counters, and the counters of each view. */
void draw_amu(struct canvas *c, const struct pmumap_amu *map);

/* ---- parts of draw_imc() --------------------------------------------------------------------- */

/* A unit in a picture. Units in the same memory are adjacent, sorted by their lowest counter. */
struct imc_row {
	struct pmumap_imc_unit unit;
	uint32_t index, first;
	unsigned type;    /* index into imc_types */
	uint32_t windows; /* of a nest unit: identifies where its window is */
};

/* Shared by all windows of a picture. */
struct imc_drawing {
	struct canvas *canvas;
	const struct pmumap_imc *map;
	double left;              /* x where the windows begin */
	uint32_t dots;            /* counters so far, drawn or not */
	uint32_t kind[64], kinds; /* kinds of units that have a colour */
};

#define DOTS_LIMIT 65536u /* at most this many counters drawn in all windows */

/* The number of a unit's kind. mcs01@c8 and mcs23@48 share a kind; so do otl0_0 and otl3_1. */
uint32_t kind_number(struct imc_drawing *d, const char *name);

/* Draws the window of these count rows. */
void draw_window(struct imc_drawing *d, const struct imc_row *rows, uint32_t count);

#endif /* PICTURE_H */
