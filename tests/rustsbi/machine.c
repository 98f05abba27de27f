/* SPDX-License-Identifier: BSD-2-Clause
 *
 * machine.c -- tests/opensbi/machine.h for RustSBI: reads the rows of a tree as its platform code
 * does, for tests/rustsbi/oracle.rs.
 */
#include <inttypes.h>
#include <libfdt.h>
#include "model/machine.h"

void rustsbi_begin(uint32_t programmable);
void rustsbi_selector(uint32_t event, uint64_t value);
void rustsbi_range(uint32_t first, uint32_t last, uint32_t counters);
void rustsbi_raw(uint64_t select, uint64_t mask, uint32_t counters);
void rustsbi_stop_all(void);
uint64_t rustsbi_take_all(uint64_t event, uint64_t data, uint64_t *value);

static uint32_t hart;
static int panics;

void machine_be(int sscofpmf, int smcntrpmf, int xandespmu, uint32_t programmable)
{
	(void)sscofpmf, (void)smcntrpmf, (void)xandespmu;
	hart = programmable;
}

static void put_selector(const fdt32_t *row)
{
	rustsbi_selector(fdt32_ld(row), fdt64_ld((const fdt64_t *)(row + 1)));
}

static void put_range(const fdt32_t *row)
{
	rustsbi_range(fdt32_ld(row), fdt32_ld(row + 1), fdt32_ld(row + 2));
}

static void put_raw(const fdt32_t *row)
{
	rustsbi_raw(fdt64_ld((const fdt64_t *)row), fdt64_ld((const fdt64_t *)(row + 2)),
		    fdt32_ld(row + 4));
}

/* RustSBI panics if a table ends inside a row. */
static void read_table(const void *fdt, int node, const char *property, int cells,
		       void (*put)(const fdt32_t *row))
{
	int bytes = 0, row = 4 * cells;
	const fdt32_t *cell = fdt_getprop(fdt, node, property, &bytes);

	for (; cell && bytes >= row; bytes -= row, cell += cells)
		put(cell);
	panics |= cell && bytes;
}

int machine_start(const void *fdt)
{
	int node, last = -1;

	for (node = 0; node >= 0; node = fdt_next_node(fdt, node, NULL)) {
		if (fdt_stringlist_search(fdt, node, "compatible", "riscv,pmu") >= 0)
			last = node;
	}
	rustsbi_begin(hart);
	read_table(fdt, last, "riscv,event-to-mhpmevent", 3, put_selector);
	read_table(fdt, last, "riscv,event-to-mhpmcounters", 3, put_range);
	read_table(fdt, last, "riscv,raw-event-to-mhpmcounters", 5, put_raw);
	rustsbi_stop_all();
	return 0;
}

uint64_t machine_take_all(uint32_t event, uint64_t data)
{
	uint64_t value;

	return panics ? 0 : rustsbi_take_all(event, data, &value);
}

uint64_t machine_selector(uint32_t event, uint64_t data)
{
	uint64_t value = 0;

	if (!panics)
		rustsbi_take_all(event, data, &value);
	return value & ~(uint64_t)0 >> 8;
}

int machine_info(uint32_t event, uint64_t data)
{
	(void)event, (void)data;
	return 0;
}
