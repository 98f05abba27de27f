/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Makes riscv,pmu nodes from any bytes: mostly valid rows that often collide, and groups of rows,
 * so that tables become large.
 */
#ifndef RISCV_TREE_H
#define RISCV_TREE_H

#include "tree.h"

#define TREE_ROWS 256u

/* The upper half of the first byte is the distance from SBI's codes. */
static inline uint32_t row_event(struct bytes *in)
{
	uint32_t kind = take(in, 1);

	if (kind < 0xc0)
		return (kind & 1) << 16 | (take(in, 1) & 0x3f);
	return kind < 0xf8 ? (kind & 0xf) << 16 | take(in, 2) : take(in, 4);
}

static inline uint64_t row_mask(struct bytes *in)
{
	uint32_t kind = take(in, 1);

	switch (kind >> 6) {
	case 0:
		return ~0ull;
	case 1:
		return ~0ull << (kind & 63);
	case 2:
		return 1ull << (kind & 63) | take(in, 1);
	default:
		return (uint64_t)take(in, 4) << 32 | take(in, 4);
	}
}

/* step: bits 0-1 place of counters, 0-4 shift of select, 5-7 difference of rows */
static inline void raw_group(struct bytes *in, uint32_t *out, uint32_t repeat, uint32_t step)
{
	uint64_t mask = row_mask(in);
	uint64_t select = (uint64_t)take(in, 2) << (step & 31) & (step & 32 ? ~0ull : mask);
	uint32_t i;

	for (i = 0; i < repeat; i++, out += 5) {
		uint64_t this_mask = step & 64 ? mask ^ 1ull << (i & 63) : mask;
		uint64_t this_select = step & 128 ? (select + i) & this_mask : select;

		out[0] = cpu_to_fdt32((uint32_t)(this_select >> 32));
		out[1] = cpu_to_fdt32((uint32_t)this_select);
		out[2] = cpu_to_fdt32((uint32_t)(this_mask >> 32));
		out[3] = cpu_to_fdt32((uint32_t)this_mask);
		out[4] = cpu_to_fdt32(take(in, 1) << (step & 3) * 8);
	}
}

static inline void event_group(struct bytes *in, uint32_t *out, uint32_t repeat, uint32_t step)
{
	uint32_t event = row_event(in), second = take(in, 2), i;

	for (i = 0; i < repeat; i++, out += 3, event += step) {
		out[0] = cpu_to_fdt32(event);
		/* As a range: short, or to any event. As a selector: the upper half. */
		out[1] = cpu_to_fdt32(second < 0xc000 ? event + (second & 0xff)
						      : (second & 0x1ff) << 13);
		out[2] = cpu_to_fdt32(take(in, 1) << (step & 3) * 8);
	}
}

/* Repeats rows in steps. Returns how many there are. */
static inline uint32_t put_group(struct bytes *in, uint32_t row_cells, uint32_t *out, uint32_t room)
{
	uint32_t repeat = 1 + take(in, 1) % 8, step = take(in, 1);

	repeat = repeat == 8 ? 64 : repeat;
	repeat = repeat < room ? repeat : room;
	if (row_cells == 5)
		raw_group(in, out, repeat, step);
	else
		event_group(in, out, repeat, step);
	return repeat;
}

static inline void put_table(struct tree *t, const char *name, uint32_t row_cells)
{
	static uint32_t cell[5 * TREE_ROWS + 1];
	uint32_t kind = take(&t->in, 1), groups = kind >> 3 & 15, n = 0;
	char full[64];

	if ((kind & 7) == 7)
		return;
	while (groups-- && t->in.left)
		n += put_group(&t->in, row_cells, cell + n * row_cells, TREE_ROWS - n);
	snprintf(full, sizeof(full), "%s,%s", kind & 128 ? "pmu" : "riscv", name);
	t->err |= fdt_property(t->fdt, full, cell,
			       (int)(n * row_cells * 4 + ((kind & 7) == 6 ? 3 : 0)));
}

static inline void put_pmu(struct tree *t, const char *name)
{
	static const char compatible[][20] = { "riscv,pmu", "acme,pmu\0riscv,pmu", "riscv,pmu\0x" };
	static const int length[] = { 10, 19, 12 };
	uint32_t kind = take(&t->in, 1) % 3;

	t->err |= fdt_begin_node(t->fdt, name);
	t->err |= fdt_property(t->fdt, "compatible", compatible[kind], length[kind]);
	put_table(t, "event-to-mhpmevent", 3);
	put_table(t, "event-to-mhpmcounters", 3);
	put_table(t, "raw-event-to-mhpmcounters", 5);
	t->err |= fdt_end_node(t->fdt);
}

#endif /* RISCV_TREE_H */
