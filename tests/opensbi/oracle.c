/* SPDX-License-Identifier: BSD-2-Clause
 *
 * oracle.c -- asks OpenSBI's own code, linked in, about each event of trees, and compares the
 * answer with the rows of the tree. Prints a line for each difference:
 *
 *	class	tree	event	data	counters and info, and the expected ones
 *
 * class: kind of event, and whether counters are missing (fewer) or too many (more), or
 * EVENT_GET_INFO is wrong (no or yes). The last line has the number of answers.
 *
 *	oracle TREE.dtb... [-- RANDOM]	RANDOM: number of additional random trees
 *	oracle --ask TREE.dtb EVENT DATA	counters of an event, and the value for mhpmevent
 *	oracle --hand-on TREE.dtb	writes the tree for the next stage to stdout
 */
#include <inttypes.h>
#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/machine.h"

#define RAW 0x20000u
#define FIRMWARE 0xf0000u
#define ROWS 256

struct row {
	uint64_t select, mask;
	uint32_t first, last, counters;
};

static struct row tables[3][ROWS]; /* selectors, ranges, raw */
static int rows_of[3];
static char buffer[1 << 20];
static const char *name;
static uint64_t answers;
static uint32_t state = 1;

static const char *const properties[3] = { "riscv,event-to-mhpmevent",
					   "riscv,event-to-mhpmcounters",
					   "riscv,raw-event-to-mhpmcounters" };

static uint32_t random_below(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(state >> 4) * n >> 28);
}

/* ---- what the rows say: a reader apart, that reads each row for itself --------------------------- */

static uint64_t two_cells(const fdt32_t *cell)
{
	return (uint64_t)fdt32_to_cpu(cell[0]) << 32 | fdt32_to_cpu(cell[1]);
}

static void read_rows(const void *fdt)
{
	int node = fdt_node_offset_by_compatible(fdt, -1, "riscv,pmu");
	int table, i, bytes, cells;

	for (table = 0; table < 3; table++) {
		const fdt32_t *cell = fdt_getprop(fdt, node, properties[table], &bytes);

		cells = table == 2 ? 5 : 3;
		rows_of[table] = cell ? bytes / 4 / cells : 0;
		for (i = 0; i < rows_of[table] && i < ROWS; i++, cell += cells) {
			struct row *r = &tables[table][i];

			r->first = fdt32_to_cpu(cell[0]);
			r->last = fdt32_to_cpu(cell[1]);
			r->select = two_cells(table ? cell : cell + 1);
			r->mask = table == 2 ? two_cells(cell + 2) : 0;
			r->counters = fdt32_to_cpu(cell[cells - 1]);
		}
	}
}

/* The tree's first selector; without any selector, the event's number. */
static uint64_t selector_of(uint32_t event)
{
	int i;

	for (i = 0; i < rows_of[0]; i++) {
		if (tables[0][i].first == event)
			return tables[0][i].select;
	}
	return rows_of[0] ? 0 : event;
}

static uint64_t counters_of(uint32_t event, uint64_t data)
{
	int i, raw = event == RAW || event == 0x30000;
	uint32_t counters = 0;

	if (raw)
		data &= ~(uint64_t)0 >> (event == RAW ? 16 : 8);
	for (i = 0; i < rows_of[1 + raw]; i++) {
		const struct row *r = &tables[1 + raw][i];

		if (raw ? r->select == (data & r->mask)
			: r->first <= event && event <= r->last && r->last < RAW)
			counters |= r->counters;
	}
	counters &= MACHINE_PROGRAMMABLE;
	if (raw ? !data : !selector_of(event)) /* 0 in mhpmevent means "no event" */
		counters = 0;
	return counters | (event == 1 ? 1u : 0) | (event == 2 ? 4u : 0);
}

/* ---- questions ----------------------------------------------------------------------------------- */

static void differ(const char *kind, const char *how, uint32_t event, uint64_t data, uint64_t is,
		   uint64_t right)
{
	printf("%s-%s\t%s\t0x%" PRIx32 "\t0x%" PRIx64 "\t0x%" PRIx64 "\t0x%" PRIx64 "\n", kind, how,
	       name, event, data, is, right);
}

static void ask(uint32_t event, uint64_t data)
{
	const char *kind = event >= FIRMWARE ? "firmware"
			   : event >= RAW    ? "raw"
			   : event <= 2      ? "fixed"
					     : "range";
	uint64_t is, right;
	int info = machine_info(event, data);

	answers++;
	if (event >= FIRMWARE) {
		right = 1;
	} else {
		is = machine_take_all(event, data);
		right = counters_of(event, data);
		if (is & ~right)
			differ(kind, "more", event, data, is, right);
		if (right & ~is)
			differ(kind, "fewer", event, data, is, right);
	}
	if (info != (right != 0))
		differ(kind, info ? "info-yes" : "info-no", event, data, (uint64_t)info,
		       right != 0);
}

static void ask_all(void)
{
	uint32_t event, i;

	for (event = 1; event <= 10; event++)
		ask(event, 0);
	for (event = 0x10000; event < 0x10038; event++) {
		if ((event >> 1 & 3) < 3)
			ask(event, 0);
	}
	for (i = 0; i < (uint32_t)rows_of[2]; i++) {
		const struct row *r = &tables[2][i];
		uint64_t other = (uint64_t)random_below(1u << 28) << 28 | random_below(1u << 28);

		ask(RAW, r->select & 0xffffffffffff);
		ask(0x30000, r->select & 0xffffffffffffff);
		ask(RAW, (r->select | (other & ~r->mask)) & 0xffffffffffff);
		ask(RAW, random_below(64));
	}
	ask(RAW, 0xabcdef);
	ask(FIRMWARE, 0);
	ask(FIRMWARE + 21, 0);
}

static void ask_tree(const void *fdt)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		read_rows(fdt);
		if (machine_start(fdt))
			printf("fails\t%s\n", name);
		ask_all();
		printf("answers\t%" PRIu64 "\n", answers);
		fflush(stdout);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0 || status)
		printf("crashes\t%s\n", name);
}

/* ---- random trees -------------------------------------------------------------------------------- */

static void put_table(void *fdt, int table, int rows)
{
	fdt32_t cell[5 * 32];
	uint32_t first, mask, value[5];
	int i, j, n = 0, cells = table == 2 ? 5 : 3;

	for (i = 0; i < rows; i++) {
		first = random_below(2) ? 1 + random_below(10) : 0x10000 + random_below(0x38);
		mask = random_below(64);
		value[0] = table == 2 ? 0 : first;
		value[1] = table == 2 ? mask & random_below(64)
			   : table    ? first + random_below(4)
				      : 0;
		value[2] = table == 2 ? 0 - random_below(2)
			   : table    ? random_below(0x1000) << 3
				      : random_below(8);
		value[3] = value[2] | mask;
		value[4] = random_below(0x1000) << 3;
		for (j = 0; j < cells; j++)
			cell[n++] = cpu_to_fdt32(value[j]);
	}
	fdt_property(fdt, properties[table], cell, n * 4);
}

static void random_tree(void *fdt, int bytes)
{
	int table;

	fdt_create(fdt, bytes);
	fdt_finish_reservemap(fdt);
	fdt_begin_node(fdt, "");
	fdt_begin_node(fdt, "pmu");
	fdt_property_string(fdt, "compatible", "riscv,pmu");
	for (table = 0; table < 3; table++) {
		if (random_below(4))
			put_table(fdt, table, (int)random_below(9));
	}
	fdt_end_node(fdt);
	fdt_end_node(fdt);
	fdt_finish(fdt);
}

/* ---- one event of a tree ------------------------------------------------------------------------- */

static int read_tree(const char *file)
{
	FILE *f = fopen(file, "rb");

	if (!f || !fread(buffer, 1, sizeof(buffer), f)) {
		printf("unreadable\t%s\n", file);
		return 0;
	}
	fclose(f);
	name = file;
	return 1;
}

/* Returns whether the tree's harts list an extension, in the current or the old property. */
static int is_listed(const void *fdt, const char *extension)
{
	int cpu, bytes;

	fdt_for_each_subnode(cpu, fdt, fdt_path_offset(fdt, "/cpus"))
	{
		const char *isa = fdt_getprop(fdt, cpu, "riscv,isa", &bytes);

		if (fdt_stringlist_search(fdt, cpu, "riscv,isa-extensions", extension) >= 0 ||
		    (isa && strstr(isa, extension)))
			return 1;
	}
	return 0;
}

static int ask_one(const char *event, const char *data)
{
	uint32_t e = (uint32_t)strtoul(event, NULL, 0);
	uint64_t d = strtoull(data, NULL, 0), counters;

	if (is_listed(buffer, "sscofpmf") && !is_listed(buffer, "smcntrpmf"))
		machine_be(1, 0, 0, MACHINE_PROGRAMMABLE);
	machine_start(buffer);
	counters = machine_take_all(e, d);
	printf("0x%" PRIx64 " 0x%" PRIx64 "\n", counters, machine_selector(e, d));
	return 0;
}

static int hand_on(void)
{
	int status = machine_start(buffer) || machine_hand_on(buffer);

	fwrite(buffer, 1, fdt_totalsize(buffer), stdout);
	return status;
}

int main(int argc, char **argv)
{
	char number[32];
	int i, n;

	if (argc == 5 && !strcmp(argv[1], "--ask"))
		return !read_tree(argv[2]) || ask_one(argv[3], argv[4]);
	if (argc == 3 && !strcmp(argv[1], "--hand-on"))
		return !read_tree(argv[2]) || hand_on();
	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (!read_tree(argv[i]))
			return 1;
		ask_tree(buffer);
	}
	n = i + 1 < argc ? atoi(argv[i + 1]) : 0;
	for (i = 0; i < n; i++) {
		snprintf(number, sizeof(number), "random-%d", i);
		name = number;
		random_tree(buffer, sizeof(buffer));
		ask_tree(buffer);
	}
	return 0;
}
