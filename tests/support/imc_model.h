/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The naive model of IMC: every unit's every counter written out, by straight loops over the tree.
 * Like the model of RISC-V events it shares nothing with the library.
 */
#ifndef IMC_MODEL_H
#define IMC_MODEL_H

#include "model.h"

enum { IMC_THREAD = 0x1, IMC_TRACE = 0x2, IMC_CORE = 0x4, IMC_NEST = 0x10 };

/* Strings point into the tree; NULL is absent. */
struct imc_model_event {
	const char *name, *scale, *measure, *desc;
	uint32_t reg, place; /* place: among all events, in the order of the tree */
	int node;
};

/* Whatever lies directly below an IMC root, a unit or not. */
struct imc_model_list {
	uint32_t phandle; /* 0: none */
	int node;
	uint32_t first, events;
};

struct imc_model_unit {
	const char *name, *prefix, *scale, *measure;
	uint32_t type, reg, size, offset, control;
	uint32_t *chip;
	uint64_t *base;
	uint32_t chips;
	uint32_t list; /* MODEL_NO_ROW: none */
	uint32_t first, counters;
	int node;
};

/* An event of one unit. */
struct imc_model_counter {
	uint32_t unit, offset;
	const char *prefix, *name, *scale, *measure, *desc;
	char *full;
	size_t full_len;
	uint32_t place;
};

/* Units in the order of the tree, the counters of each by offset and name. */
struct imc_model {
	const void *fdt;
	struct imc_model_event *event;
	struct imc_model_list *list;
	struct imc_model_unit *unit;
	struct imc_model_counter *counter;
	struct model_finding *finding;
	uint32_t events, lists, units, counters, findings, roots;
	int old;      /* a unit of an old format was met */
	int left_out; /* units that are in the tree alone */
	unsigned generation;
	uint64_t vector;
};

/*
 * Read a tree that is known to be well formed and to outlive the model, with the units that are
 * there by the vector of a generation (0: all). Returns 0 if it has no IMC root.
 *
 * The findings have no properties; row and other are set where they name units.
 */
int imc_model_read(struct imc_model *m, const void *fdt, unsigned generation, uint64_t vector);
void imc_model_free(struct imc_model *m);

/* Whether a finding of the library is the one that is wanted; which of many units clash is free. */
int imc_model_same_finding(const struct imc_model *m, const struct model_finding *got,
			   const struct model_finding *want);

/* Whether a unit may be called so. */
int imc_model_spelled(const struct imc_model *m, uint32_t unit, const char *text, size_t len);

/*
 * The matches of NAME or, where there is none, of UNIT/NAME or UNIT/NAME/, in their order. Returns
 * how many there are.
 */
uint32_t imc_model_find(const struct imc_model *m, const char *text, size_t len, uint32_t *match,
			uint32_t max);

/* The counters at an offset, of the units of this name, or of all (NULL). */
uint32_t imc_model_at(const struct imc_model *m, const char *unit, uint32_t offset, uint32_t *match,
		      uint32_t max);

int imc_model_address(const struct imc_model *m, uint32_t counter, uint32_t chip, uint64_t *phys);
int imc_model_control(const struct imc_model *m, uint32_t unit, uint32_t chip, uint64_t *phys);
int imc_model_scale(const char *scale, uint64_t *mantissa, int32_t *exponent);
int imc_model_available(unsigned generation, uint64_t vector, const char *unit);

#endif /* IMC_MODEL_H */
