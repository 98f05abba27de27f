/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory for RISC-V's tables */
#pragma once

#include "riscv/build_events.h"
#include "riscv/build_raw.h"

#define PMUMAP_MAX_ROWS_ 0x3fffffffu /* of all tables: row numbers have 30 bits */

/*
 * Bytes besides the head, for tables and waiting rows. A row makes at most two records: where its
 * counters begin, and where they end. At most 128 records are indexed. Raw rows have as many copies
 * and some more. Above PMUMAP_MAX_ROWS_ it asks for more than 2 GiB, so that
 * pmumap_finish() returns E_LIMIT.
 */
static inline uint64_t pmumap_riscv_need_(const struct pmumap_builder *b)
{
	uint64_t n = b->raw_kept, indexed = 2 * ((uint64_t)b->kept - n);
	uint64_t records = (indexed < PMUMAP_INDEXED_EVENTS_ ? indexed : PMUMAP_INDEXED_EVENTS_) +
			   b->sorted_bound + 1;
	uint64_t rows = b->selector_rows + b->counter_rows + b->raw_rows;
	uint64_t bytes = PMUMAP_SWEEP_BYTES_;

	if (n)
		bytes += (2 * n + PMUMAP_RAW_SPARE_) * sizeof(struct pmumap_raw_row) +
			 pmumap_riscv_most_places_(n) * sizeof(uint16_t);
	if (rows > PMUMAP_MAX_ROWS_)
		bytes += PMUMAP_MAX_BYTES_;
	return bytes + records * sizeof(struct pmumap_record) +
	       b->kept * sizeof(struct pmumap_row_);
}
