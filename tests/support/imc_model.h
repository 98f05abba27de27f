/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Naive model of IMC: lists every counter of every unit, by plain loops over the tree. It shares no
 * code with the library, like the model of RISC-V events.
 */
#ifndef IMC_MODEL_H
#define IMC_MODEL_H

#include "model.h"

enum { IMC_THREAD = 0x1, IMC_TRACE = 0x2, IMC_CORE = 0x4, IMC_NEST = 0x10 };

/* Strings point into the tree; NULL if missing. */
struct imc_model_event {
	const char *name, *scale, *measure, *desc;
	uint32_t reg, place; /* place: position among all events in tree order */
	int node;
};

/* A node directly below an IMC root that is no unit. */
struct imc_model_list {
	uint32_t phandle; /* 0 if none */
	int node;
	uint32_t first, events;
};

struct imc_model_unit {
	const char *name, *prefix, *scale, *measure;
	uint32_t type, reg, size, offset, control;
	uint32_t *chip;
	uint64_t *base;
	uint32_t chips;
	uint32_t list; /* or MODEL_NO_ROW */
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

/* Units in tree order, each with its counters by offset. */
struct imc_model {
	const void *fdt;
	struct imc_model_event *event;
	struct imc_model_list *list;
	struct imc_model_unit *unit;
	struct imc_model_counter *counter;
	struct model_finding *finding;
	uint32_t events, lists, units, counters, findings, roots;
	int old;      /* it has a unit of an old format */
	int left_out; /* units only the tree has */
	unsigned generation;
	uint64_t vector;
};

/*
 * Reads a well-formed tree that must outlive the model, with the units that the availability vector
 * of a generation enables (0: all). Returns 0 if it has no IMC root.
 *
 * Findings have no properties; row and other are set if they identify units.
 */
int imc_model_read(struct imc_model *m, const void *fdt, unsigned generation, uint64_t vector);
void imc_model_free(struct imc_model *m);

/*
 * Returns whether a finding matches the expected one. Which of several clashing units it names is
 * free.
 */
int imc_model_same_finding(const void *model, const struct model_finding *got,
			   const struct model_finding *want);

/* Returns whether a unit answers to this name. */
int imc_model_spelled(const struct imc_model *m, uint32_t unit, const char *text, size_t len);

/*
 * Finds the matches of NAME or, if there are none, of UNIT/NAME or, if there are none either, of
 * UNIT/NAME/, in order. Returns their number.
 */
uint32_t imc_model_find(const struct imc_model *m, const char *text, size_t len, uint32_t *match,
			uint32_t max);

/* Counters at an offset, of one unit, or of all (MODEL_NO_ROW). */
uint32_t imc_model_at(const struct imc_model *m, uint32_t unit, uint32_t offset, uint32_t *match,
		      uint32_t max);

int imc_model_address(const struct imc_model *m, uint32_t counter, uint32_t chip, uint64_t *phys);
int imc_model_control(const struct imc_model *m, uint32_t unit, uint32_t chip, uint64_t *phys);
int imc_model_scale(const char *scale, uint64_t *mantissa, int32_t *exponent);
/* By the name of a node, and by any spelling of a PMU. */
int imc_model_node_available(unsigned generation, uint64_t vector, const char *node);
int imc_model_available(unsigned generation, uint64_t vector, const char *unit);

#endif /* IMC_MODEL_H */
