/* SPDX-License-Identifier: BSD-2-Clause
 *
 * models.h -- functions that several firmware models share.
 */
#ifndef MODELS_H
#define MODELS_H

#include "firmware.h"

/* True for raw events of either kind. */
int is_raw_event(uint32_t event);

/* True if the row covers the event. */
int has_event(const struct kept_row *row, uint32_t event, uint64_t data);

/* Row number row of a table, read as a range or as a raw row. */
struct kept_row row_at(const unsigned char *cell, int raw);

void keep_row(struct reading *r, const struct kept_row *row);

/* True if the table of selectors has a row for the event. *value: the selector of the first. */
int find_selector(const struct reading *r, uint32_t event, uint64_t *value);

/* The bit of mcycle for cycles, of minstret for instructions; 0 for other events. */
uint32_t fixed_of(uint32_t event);

void read_opensbi(struct reading *r);
struct verdict judge_opensbi(const struct reading *r, uint32_t event, uint64_t data);

void read_rustsbi(struct reading *r);
struct verdict judge_rustsbi(const struct reading *r, uint32_t event, uint64_t data);

/* Firmware on pmumap_server.h answers from the source's map. */
struct verdict judge_own(const struct reading *r, uint32_t event, uint64_t data);

/* So does Linux where it owns the counters, if write --linux made its tables from this tree. */
struct verdict judge_delegated(const struct reading *r, uint32_t event, uint64_t data);

#endif /* MODELS_H */
