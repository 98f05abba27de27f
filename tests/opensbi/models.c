/* SPDX-License-Identifier: BSD-2-Clause
 *
 * models.c -- compares the code of OpenSBI or RustSBI, linked in, with the tool's model of it, for
 * each event of trees, on harts with and without Sscofpmf and Smcntrpmf. Prints a line for each
 * difference:
 *
 *	class	tree	extensions	event	data	answer of the code, and of the model
 *
 * class: counters, selector, or info (EVENT_GET_INFO). The last line has the number of answers.
 *
 *	models FIRMWARE TREE.dtb... [-- RANDOM]	RANDOM: number of additional random trees
 *
 * FIRMWARE: a name of the tool, or "series" (hosts/opensbi/series.sh), which must answer as pmumap.
 */
#include <libfdt.h>
#include <sys/wait.h>
#include <unistd.h>
#include "firmware/firmware.h"
#include "model/machine.h"

#define ANDES 0x80000000u /* Xandespmu, beside the features of pmumap.h */

static unsigned char buffer[1 << 20];
static uint64_t memory[1 << 16]; /* a map's block */
static char name[256];
static enum firmware firmware;
static int series; /* OpenSBI with hosts/opensbi/series.sh, which answers as pmumap does */
static uint64_t answers;
static uint32_t state = 1;

static uint32_t random_below(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(state >> 4) * n >> 28);
}

static int rarely(uint32_t n)
{
	return random_below(n) == 0;
}

/* ---- questions ----------------------------------------------------------------------------------- */

static void compare(const char *class, const struct reading *r, uint32_t event, uint64_t data,
		    uint64_t is, uint64_t model)
{
	answers++;
	if (is != model)
		printf("%s\t%s\t%#x\t%#x\t%#" PRIx64 "\t%#" PRIx64 "\t%#" PRIx64 "\n", class, name,
		       r->features, event, data, is, model);
}

/* OpenSBI gives cycles and instructions no other counter than the fixed ones without Sscofpmf. */
static struct verdict expect(const struct reading *r, uint32_t event, uint64_t data)
{
	struct verdict v = ask_firmware(r, event, data);

	if (series && (event == 1 || event == 2) && !(r->features & PMUMAP_CAN_INTERRUPT))
		v.counters &= FIXED_MASK;
	return v;
}

static void ask(const struct reading *r, uint32_t event, uint64_t data)
{
	struct verdict v = expect(r, event, data);
	uint64_t taken = machine_take_all(event, data), value = 0;
	/* Returns whether the first counter given is programmable. */
	int programmable = v.counters & ~FIXED_MASK &&
			   (!(v.counters & FIXED_MASK) ||
			    (firmware != RUSTSBI && r->features & PMUMAP_CAN_INTERRUPT) ||
			    r->cores.overflow == OVERFLOW_ANDES);

	if (event >= PMUMAP_EVENT_FIRMWARE) {
		compare("counters", r, event, data, taken != 0, (uint64_t)v.counts);
		return;
	}
	compare("counters", r, event, data, taken, v.counters);
	if (programmable)
		value = v.value & ~(uint64_t)0 >> 8;
	compare("selector", r, event, data, machine_selector(event, data), value);
	if (series)
		compare("info", r, event, data, (uint64_t)machine_info(event, data),
			(uint64_t)v.counts);
	if (is_opensbi(firmware))
		compare("info", r, event, data, (uint64_t)machine_info(event, data),
			(uint64_t)opensbi_lists(r, event, data));
}

static void ask_raw(const struct reading *r, uint64_t data)
{
	ask(r, PMUMAP_EVENT_RAW, data & ~(uint64_t)0 >> 16);
	ask(r, PMUMAP_EVENT_RAW_V2, data & ~(uint64_t)0 >> 8);
}

static void ask_all(const struct reading *r)
{
	uint32_t event, cells;
	const unsigned char *cell = property_cells(r->source, r->node, RAW_ROWS, &cells);

	for (event = 1; event < 0x10038; event = event == 10 ? 0x10000 : event + 1) {
		if (event < 0x10000 || (event >> 1 & 3) < 3)
			ask(r, event, 0);
	}
	for (; cells >= WIDEST; cells -= WIDEST, cell += 4 * WIDEST) {
		uint64_t select = two_cells(cell), mask = two_cells(cell + 8);
		uint64_t other = (uint64_t)random_below(1u << 28) << 28 | random_below(1u << 28);

		ask_raw(r, select);
		ask_raw(r, select | (other & ~mask));
	}
	/* With bits above the 48 or 56 that SBI defines. */
	for (event = 0; series && event < 400; event++) {
		uint64_t data =
			(uint64_t)random_below(1u << 28) << random_below(44) | random_below(64);

		ask(r, PMUMAP_EVENT_RAW, data);
		ask(r, PMUMAP_EVENT_RAW_V2, data);
	}
	ask_raw(r, 0);
	ask_raw(r, random_below(64));
	ask_raw(r, 0xabcdef);
	for (event = PMUMAP_EVENT_FIRMWARE; event < PMUMAP_EVENT_FIRMWARE + 22; event++)
		ask(r, event, 0);
}

static const fdt32_t *table_of(int node, const char *property, uint32_t *rows)
{
	int bytes = 0;
	const fdt32_t *cell = fdt_getprop(buffer, node, property, &bytes);

	*rows = cell ? (uint32_t)bytes / 4 / row_width(property) : 0;
	return cell;
}

/* Why OpenSBI does not read a node as pmumap does, or NULL. */
static const char *old_binding(int node)
{
	int first = fdt_node_offset_by_compatible(buffer, -1, "riscv,pmu");

	if (fdt_getprop(buffer, first, "riscv,hw-event-map", NULL))
		return "a node of another binding comes first";
	if (fdt_getprop(buffer, node, "pmu,event-to-mhpmevent", NULL) ||
	    fdt_getprop(buffer, node, "pmu,event-to-mhpmcounters", NULL))
		return "property names of 2021";
	return NULL;
}

/* Why OpenSBI with the series reads a node otherwise than pmumap, or NULL. */
static const char *other_reading(int node)
{
	uint32_t rows, i;
	const fdt32_t *cell = table_of(node, table_names[0], &rows);

	if (cell && !rows)
		return "a table of selectors without a row";
	for (i = 0; i < rows; i++, cell += 3) {
		uint32_t event = fdt32_to_cpu(cell[0]);

		if ((event == 1 || event == 2) && !cell[1] && !cell[2])
			return "selector 0 for cycles or instructions, which keep their fixed counter";
	}
	cell = table_of(node, table_names[1], &rows);
	for (i = 0; i < rows; i++, cell += 3) {
		if (fdt32_to_cpu(cell[0]) <= fdt32_to_cpu(cell[1]) &&
		    fdt32_to_cpu(cell[1]) >= PMUMAP_EVENT_RAW)
			return "a range that reaches the raw events";
	}
	table_of(node, table_names[2], &rows);
	return rows > 256 ? "more than 256 raw rows" : NULL;
}

static const uint32_t harts[] = { MACHINE_PROGRAMMABLE, 0x1f8, 0xfffffff8, 0x18, 0x2a8 };

/* Returns the node that firmware uses; for the series, of the hart's number in the tree. */
static int choose_node(const struct source *source, uint32_t number)
{
	static const struct input first;
	const char *why = NULL;
	size_t i;
	int node;

	if (!series) {
		node = node_for(firmware, source, &first);
	} else if (number < source->hart_count) {
		node = source->harts[number].node;
		machine_be_hart((uint32_t)source->harts[number].hart);
	} else {
		node = pmu_node(source, &first);
	}
	for (i = 0; series && i < source->hart_count; i++) {
		if (source->harts[i].hart >> 32)
			why = "hart numbers of more than 32 bits";
	}
	if (node >= 0 && !why && firmware == OWN)
		why = old_binding(node);
	if (node >= 0 && !why && series)
		why = other_reading(node);
	if (why)
		printf("known\t%s\t%s\n", name, why);
	return why ? -1 : node;
}

/* In a child process, because OpenSBI initialises only once. */
static void ask_hart(uint32_t features, uint32_t hart, uint32_t number)
{
	static const struct input first;
	static struct source source;
	struct pmumap_fdt_options options = { 0 };
	struct reading r;
	int node;

	source.file.data = buffer;
	source.file.size = fdt_totalsize(buffer);
	if (series)
		read_harts(&source);
	node = choose_node(&source, number);
	if (node < 0)
		return;
	if (node != pmu_node(&source, &first))
		options.node =
			node; /* otherwise the header chooses and skips nodes that are no PMU */
	if (firmware == OWN && pmumap_fdt_build(buffer, source.file.size, &options, memory,
						sizeof(memory), &source.map))
		return;
	r = read_as(firmware, &source, node, hart, NULL);
	if (r.node < 0)
		return;
	r.features = features & ~ANDES;
	r.cores.overflow = features & ANDES ? OVERFLOW_ANDES : OVERFLOW_NONE;
	machine_be(features & PMUMAP_CAN_FILTER ? 1 : 0, features & PMUMAP_SMCNTRPMF ? 1 : 0,
		   features & ANDES ? 1 : 0, hart);
	machine_start(buffer);
	ask_all(&r);
	printf("answers\t%" PRIu64 "\n", answers);
	fflush(stdout);
}

/* The series has a map for each kind of hart: asks for each hart, but not for more than these. */
static uint32_t numbers(void)
{
	struct source source = { .file = { .data = buffer, .size = fdt_totalsize(buffer) } };

	if (!series)
		return 1;
	read_harts(&source);
	return source.hart_count < 1 ? 1 : source.hart_count > 6 ? 6 : (uint32_t)source.hart_count;
}

static void ask_tree(uint32_t hart)
{
	static const uint32_t features[] = { 0, PMUMAP_SSCOFPMF, PMUMAP_SSCOFPMF | PMUMAP_SMCNTRPMF,
					     ANDES };
	int status;

	fflush(stdout);
	for (size_t i = 0; i < LENGTH(features) * numbers(); i++) {
		uint32_t kind = features[i % LENGTH(features)];
		pid_t child;

		if (kind == ANDES && !is_opensbi(firmware))
			continue; /* the server does not know Andes' extension */
		child = fork();

		if (child == 0) {
			ask_hart(kind, hart, (uint32_t)(i / LENGTH(features)));
			fflush(stdout);
			_exit(0);
		}
		if (child < 0 || waitpid(child, &status, 0) < 0 || status)
			printf("crashes\t%s\n", name);
	}
}

/* ---- random trees -------------------------------------------------------------------------------- */

static uint32_t random_event(void)
{
	return random_below(2) ? random_below(11) : 0x10000 + random_below(0x38);
}

static void random_selector(uint32_t *cell)
{
	cell[0] = random_event();
	cell[1] = rarely(8) ? random_below(1u << 28) << 4 : 0;
	cell[2] = rarely(12) ? 0 : random_below(0x4000);
	if (rarely(40))
		cell[1] = cell[2] = 0xff000000;
}

/* Mistakes are rare, so that most tables are read to their end. */
static void random_range(uint32_t *cell, int mistakes)
{
	cell[0] = random_event();
	cell[1] = cell[0] + random_below(3);
	cell[2] = random_below(1u << 28) << 3;
	if (cell[0] && cell[0] <= 2)
		cell[2] |= random_below(8);
	if (mistakes && rarely(20))
		cell[1] = cell[0] - 1;
	if (mistakes && rarely(30))
		cell[1] = 0x20000 + random_below(2);
	if (mistakes && rarely(20))
		cell[2] |= random_below(8);
	if (mistakes && rarely(20))
		cell[2] = 0;
}

static void random_raw(uint32_t *cell, int mistakes)
{
	uint32_t mask = random_below(64);

	cell[0] = 0;
	cell[1] = mask & random_below(64);
	cell[2] = rarely(4) ? 0 : ~(uint32_t)0;
	cell[3] = rarely(3) ? mask : ~(uint32_t)0 << 6 | mask;
	cell[4] = random_below(1u << 28) << 3;
	if (mistakes && rarely(20))
		cell[4] |= random_below(8);
	if (mistakes && rarely(20))
		cell[1] |= random_below(64);
	if (mistakes && rarely(30))
		cell[0] = cell[1] = cell[2] = cell[3] = 0;
}

/* Random ranges soon overlap. The second of two is left out, except as a deliberate mistake. */
static int is_clash(const uint32_t *table, uint32_t rows)
{
	for (uint32_t i = 0; i < rows; i++) {
		if (table[3 * i] <= table[3 * rows + 1] && table[3 * rows] <= table[3 * i + 1])
			return 1;
	}
	return 0;
}

static void put_table(void *fdt, int table, uint32_t rows, int mistakes)
{
	static uint32_t cell[WIDEST * 320];
	uint32_t n = 0, width = row_width(table_names[table]);

	for (uint32_t i = 0; i < rows; i++) {
		uint32_t *row = cell + n * width;

		if (table == 0)
			random_selector(row);
		else if (table == 1)
			random_range(row, mistakes);
		else
			random_raw(row, mistakes);
		n += table != 1 || !is_clash(cell, n) || (mistakes && rarely(6));
	}
	for (uint32_t i = 0; i < n * width; i++)
		cell[i] = cpu_to_fdt32(cell[i]);
	n *= 4 * width;
	if (n && mistakes && rarely(6))
		n -= 1 + random_below(n);
	fdt_property(fdt, table_names[table], cell, (int)n);
}

static void random_tree(void *fdt, int bytes)
{
	int mistakes = rarely(2), order = (int)random_below(3);

	fdt_create(fdt, bytes);
	fdt_finish_reservemap(fdt);
	fdt_begin_node(fdt, "");
	fdt_begin_node(fdt, "pmu");
	fdt_property_string(fdt, "compatible", "riscv,pmu");
	for (int i = 0; i < 3; i++) {
		int table = (order + i) % 3;

		if (random_below(5))
			put_table(fdt, table, rarely(150) && table ? 300 : random_below(16),
				  mistakes);
	}
	fdt_end_node(fdt);
	fdt_end_node(fdt);
	fdt_finish(fdt);
}

int main(int argc, char **argv)
{
	int i;

	series = argc >= 3 && !strcmp(argv[1], "series");
	if (argc < 3 || read_firmware(series ? "pmumap" : argv[1], &firmware))
		return 1;
	for (i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
		FILE *f = fopen(argv[i], "rb");

		if (!f || !fread(buffer, 1, sizeof(buffer), f))
			return 1;
		fclose(f);
		snprintf(name, sizeof(name), "%s", argv[i]);
		ask_tree(MACHINE_PROGRAMMABLE);
		ask_tree(0xfffffff8);
	}
	for (int n = 0; i + 1 < argc && n < atoi(argv[i + 1]); n++) {
		snprintf(name, sizeof(name), "random-%d", n);
		random_tree(buffer, sizeof(buffer));
		ask_tree(harts[random_below(LENGTH(harts))]);
	}
	return 0;
}
