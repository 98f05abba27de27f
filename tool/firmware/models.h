/* SPDX-License-Identifier: BSD-2-Clause
 *
 * models.h -- the parts of a model: how it reads, how it answers.
 */
#ifndef MODELS_H
#define MODELS_H

#include "firmware.h"

/* Whether the event is a raw one, of either kind. */
int is_raw_event(uint32_t event);

/* Whether a row has the event. */
int has_event(const struct kept_row *row, uint32_t event, uint64_t data);

/* The row number of a table, as a range or as a raw row. */
struct kept_row row_at(const unsigned char *cell, int raw);

/* Keeps a row. */
void keep_row(struct reading *r, const struct kept_row *row);

/* Whether the table of selectors has a row for the event; *value: that of the first. */
int find_selector(const struct reading *r, uint32_t event, uint64_t *value);

/* mcycle for cycles, minstret for instructions, as a bit; 0 for others. */
uint32_t fixed_of(uint32_t event);

void read_opensbi(struct reading *r);
struct verdict judge_opensbi(const struct reading *r, uint32_t event, uint64_t data);

void read_rustsbi(struct reading *r);
struct verdict judge_rustsbi(const struct reading *r, uint32_t event, uint64_t data);

/* pmumap reads a tree into the source's map. */
struct verdict judge_own(const struct reading *r, uint32_t event, uint64_t data);

#endif /* MODELS_H */
