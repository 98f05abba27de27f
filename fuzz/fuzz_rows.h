/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Makes rows from any bytes, for the builder and the tests' model.
 */
#ifndef FUZZ_ROWS_H
#define FUZZ_ROWS_H

#include "support.h"
#include "fuzz.h"

/* Numbers: small ones take one byte; large ones have their ones at one end, or anywhere. */
static inline uint64_t take_number(struct bytes *in)
{
	uint32_t kind = take(in, 1);
	uint64_t high;

	if (kind < 0xa0)
		return kind;
	if (kind < 0xc0)
		return (uint64_t)take(in, 2) << 2 * (kind & 31);
	if (kind < 0xe0)
		return ~((uint64_t)take(in, 1) << 2 * (kind & 31));
	if (kind < 0xf0)
		return (1ull << 4 * (kind & 15)) - take(in, 1);
	high = take(in, 4);
	return high << 32 | take(in, 4);
}

static inline uint32_t take_counters(struct bytes *in)
{
	uint32_t kind = take(in, 1);

	if (kind < 0x20)
		return 1u << kind;
	if (kind < 0xc0)
		return (kind & 0x1f) << (kind >> 5) * 4;
	return kind < 0xf8 ? ~0u << (kind & 31) : take(in, 4);
}

static inline uint32_t take_event(struct bytes *in)
{
	uint32_t kind = take(in, 1);

	if (kind < 0x40)
		return kind;
	if (kind < 0x80)
		return 0x10000 | (kind & 0x3f);
	if (kind < 0xa0)
		return 0xf0000 | (kind & 0x1f);
	return (kind & 15) << 16 | take(in, 2);
}

static inline void take_rows(struct bytes *in, struct model *m)
{
	uint32_t i, shape = take(in, 2);

	for (i = shape & 15; i; i--) {
		uint32_t event = take_event(in);

		model_add_selector(m, event, take_number(in));
	}
	for (i = shape >> 4 & 15; i; i--) {
		uint32_t first = take_event(in), more = (uint32_t)take_number(in);

		model_add_counters(m, first, first + more, take_counters(in));
	}
	for (i = shape >> 8 & 7; i; i--) {
		uint64_t mask = ~take_number(in), select = take_number(in);

		model_add_raw(m, shape & 0x800 ? select : select & mask, mask, take_counters(in));
	}
}

/* Few rows that often meet, overlap, or have a mistake. */
static inline void random_rows(struct model *m)
{
	uint8_t data[192];
	struct bytes in = { data, sizeof(data) };
	size_t i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(random_below(3) ? random_below(12) : random64());
	model_init(m);
	take_rows(&in, m);
}

#endif /* FUZZ_ROWS_H */
