/* SPDX-License-Identifier: BSD-2-Clause
 *
 * amu.h -- the tool's view of Arm's activity monitors: CPUs, views, auxiliary counters, and the masks
 * that firmware enables them by.
 */
#ifndef AMU_H
#define AMU_H

#include "source.h"
#include "table.h"

#define AMU_COUNTERS 16u
#define GRID_LIMIT 32u /* beyond so many CPUs, those in a row with the same view share a line */

static int has_amu(const struct pmumap *map)
{
	struct pmumap_amu_cpu cpu;
	uint16_t described, enable;

	return pmumap_amu_cpu_at(map, 0, &cpu) || pmumap_amu_view(map, 0, &described, &enable);
}

/* As firmware writes it: all 16 bits. */
static struct text hex16(uint16_t bits)
{
	struct text number;

	snprintf(number.s, sizeof(number.s), "0x%04x", (unsigned)bits);
	return number;
}

/* "0:mpmm_gear0, 1:mpmm_gear1"; to be freed. */
static char *counter_names(const struct pmumap *map, uint32_t view)
{
	const char *separator = "";
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (uint32_t c = 0; out && c < AMU_COUNTERS; c++) {
		const char *name = pmumap_amu_counter_name(map, view, c);

		if (!name)
			continue;
		fprintf(out, "%s%" PRIu32 ":", separator, c);
		put_escaped(out, name, 0);
		separator = ", ";
	}
	if (!out || fclose(out))
		exit(complain(UNREADABLE, NULL, "out of memory"));
	return text;
}

static void counters_json(const struct pmumap *map, uint32_t view, uint16_t enable)
{
	json_key("counters");
	json_separator = "[";
	for (uint32_t c = 0; c < AMU_COUNTERS; c++) {
		const char *name = pmumap_amu_counter_name(map, view, c);

		if (!name)
			continue;
		printf("%s{\"counter\":%" PRIu32 ",\"name\":\"", json_separator, c);
		put_escaped(stdout, name, 1);
		printf("\",\"enable\":%s}", enable >> c & 1 ? "true" : "false");
		json_separator = ",";
	}
	fputs(*json_separator == '[' ? "[]" : "]", stdout);
	json_separator = ",";
}

static void cpu_json(uint32_t index, const struct pmumap_amu_cpu *cpu)
{
	json_number("cpu", index);
	json_hex("mpidr", cpu->mpidr);
	if (cpu->view != PMUMAP_AMU_NO_VIEW)
		json_number("view", cpu->view);
	json_hex("described", cpu->described);
	json_hex("enable", cpu->enable);
}

static struct text view_number(uint32_t view)
{
	return view == PMUMAP_AMU_NO_VIEW ? (struct text){ "-" } : decimal(view);
}

/* ---- show ------------------------------------------------------------------------------------ */

struct amu_sum {
	uint32_t cpus, views;
	uint16_t described; /* by any view */
};

static struct amu_sum sum_up_amu(const struct pmumap *map)
{
	struct amu_sum sum = { 0 };
	struct pmumap_amu_cpu cpu;
	uint16_t described, enable;

	while (pmumap_amu_cpu_at(map, sum.cpus, &cpu))
		sum.cpus++;
	for (; pmumap_amu_view(map, sum.views, &described, &enable); sum.views++)
		sum.described |= described;
	return sum;
}

/* Three columns for each counter shown: of a CPU what it has; cpu NULL: the numbers above. */
static struct text grid_line(uint16_t shown, const struct pmumap_amu_cpu *cpu)
{
	struct text line = { "" };
	size_t used = 0;

	for (unsigned c = 0; c < AMU_COUNTERS; c++) {
		char number[3], *cell = number;

		if (!(shown >> c & 1))
			continue;
		if (!cpu)
			snprintf(number, sizeof(number), "%u", c % 100);
		else if (cpu->enable >> c & 1)
			cell = "#";
		else
			cell = cpu->described >> c & 1 ? "o" : ".";
		used += (size_t)snprintf(line.s + used, sizeof(line.s) - used, "%*s", used ? 3 : 2,
					 cell);
	}
	return line;
}

static void cpu_row(struct table *t, uint32_t first, uint32_t last, uint64_t first_mpidr,
		    const struct pmumap_amu_cpu *cpu, uint16_t shown)
{
	char range[64];

	snprintf(range, sizeof(range), first == last ? "#%" PRIu32 : "#%" PRIu32 "-%" PRIu32, first,
		 last);
	table_cell(t, range);
	snprintf(range, sizeof(range), first == last ? "0x%" PRIx64 : "0x%" PRIx64 "-0x%" PRIx64,
		 first_mpidr, cpu->mpidr);
	table_cell(t, range);
	table_cell(t, view_number(cpu->view).s);
	table_cell(t, grid_line(shown, cpu).s);
}

/* Where there are many CPUs, the last of those behind this one that have the same view: it is *cpu. */
static uint32_t last_alike(const struct pmumap *map, const struct amu_sum *sum, uint32_t i,
			   struct pmumap_amu_cpu *cpu)
{
	struct pmumap_amu_cpu next;

	while (sum->cpus > GRID_LIMIT && pmumap_amu_cpu_at(map, i + 1, &next) &&
	       next.view == cpu->view) {
		*cpu = next;
		i++;
	}
	return i;
}

/* At most 13 + 2 + 25 + 2 + 5 + 2 + 47 columns, where there are less than 100000 CPUs. */
static void show_cpus(const struct pmumap *map, const struct amu_sum *sum)
{
	struct text counters = grid_line(sum->described, NULL);
	const char *const heads[] = { "CPU", "MPIDR", ">view", counters.s };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	struct pmumap_amu_cpu cpu;

	for (uint32_t i = 0; pmumap_amu_cpu_at(map, i, &cpu); i++) {
		uint32_t first = i;
		uint64_t mpidr = cpu.mpidr;

		i = last_alike(map, sum, i, &cpu);
		cpu_row(&t, first, i, mpidr, &cpu, sum->described);
	}
	putchar('\n');
	table_end(&t);
	if (sum->described)
		puts("\nCounters: # to be enabled at EL3, o only described, . not described");
}

static void show_views(const struct pmumap *map)
{
	static const char *const heads[] = { ">view", "described", "enable", "counters" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	uint16_t described, enable;

	for (uint32_t v = 0; pmumap_amu_view(map, v, &described, &enable); v++) {
		table_cell(&t, decimal(v).s);
		table_cell(&t, hex16(described).s);
		table_cell(&t, hex16(enable).s);
		table_add(&t, counter_names(map, v));
	}
	putchar('\n');
	table_end(&t);
}

static void amu_json(const struct pmumap *map, const struct amu_sum *sum)
{
	struct pmumap_amu_cpu cpu;
	uint16_t described, enable;

	json_key("amu");
	printf("{\"cpus\":%" PRIu32 ",\"views\":%" PRIu32 "}", sum->cpus, sum->views);
	json_end();
	for (uint32_t i = 0; pmumap_amu_cpu_at(map, i, &cpu); i++) {
		cpu_json(i, &cpu);
		json_end();
	}
	for (uint32_t v = 0; pmumap_amu_view(map, v, &described, &enable); v++) {
		json_number("view", v);
		json_hex("described", described);
		json_hex("enable", enable);
		counters_json(map, v, enable);
		json_end();
	}
}

static void show_amu(const struct pmumap *map, int json)
{
	struct amu_sum sum = sum_up_amu(map);

	if (json) {
		amu_json(map, &sum);
		return;
	}
	printf("%" PRIu32 " %s, %" PRIu32 " %s of activity monitors (AMU)\n", sum.cpus,
	       sum.cpus == 1 ? "CPU" : "CPUs", sum.views, sum.views == 1 ? "view" : "views");
	if (sum.cpus)
		show_cpus(map, &sum);
	if (sum.views)
		show_views(map);
}

/* ---- lookup ---------------------------------------------------------------------------------- */

static int is_amu_query(const char *query)
{
	return !strncmp(query, "amu:", 4);
}

/* amu:MPIDR or amu:#INDEX. Returns 0: no such CPU, or no such query. */
static int find_cpu(const struct pmumap *map, const char *query, uint32_t *index,
		    struct pmumap_amu_cpu *cpu)
{
	struct pmumap_amu_cpu other;
	uint64_t number;
	int by_index = query[4] == '#';

	if (!read_number(query + 4 + by_index, by_index ? UINT32_MAX : UINT64_MAX, &number))
		return 0;
	*index = (uint32_t)number;
	if (by_index)
		return pmumap_amu_cpu_at(map, *index, cpu);
	if (!pmumap_amu_cpu(map, number, cpu))
		return 0;
	*index = 0;
	while (pmumap_amu_cpu_at(map, *index, &other) && other.mpidr != cpu->mpidr)
		++*index;
	return 1;
}

static const char *const cpu_heads[] = { "query",     "CPU",    "MPIDR",   ">view",
					 "described", "enable", "counters" };

/* Returns whether there is such a CPU. */
static int cpu_match(const struct pmumap *map, const char *query, struct table *t)
{
	struct pmumap_amu_cpu cpu;
	uint32_t index;

	if (!find_cpu(map, query, &index, &cpu))
		return 0;
	table_cell(t, query);
	table_add(t, escaped("#", decimal(index).s));
	table_cell(t, hex(cpu.mpidr).s);
	table_cell(t, view_number(cpu.view).s);
	table_cell(t, hex16(cpu.described).s);
	table_cell(t, hex16(cpu.enable).s);
	table_add(t, counter_names(map, cpu.view));
	return 1;
}

static int cpu_match_json(const struct pmumap *map, const char *query)
{
	struct pmumap_amu_cpu cpu;
	uint32_t index;
	int found = find_cpu(map, query, &index, &cpu);

	json_string("query", query);
	if (found) {
		cpu_json(index, &cpu);
		counters_json(map, cpu.view, cpu.enable);
	}
	json_key("found");
	fputs(found ? "true" : "false", stdout);
	json_end();
	return found;
}

/* ---- check ----------------------------------------------------------------------------------- */

/* The first CPU with the affinity of this one, its sibling; or a negative number. */
static int first_cpu(const struct source *source, const struct pmumap_finding *f)
{
	const void *blob = source->data;
	int node, parent, length;

	if (!blob || f->node < 0)
		return -1;
	parent = fdt_parent_offset(blob, f->node);
	fdt_for_each_subnode(node, blob, parent)
	{
		const unsigned char *reg = fdt_getprop(blob, node, "reg", &length);
		uint64_t mpidr = 0;

		for (int i = 0; reg && i < fdt_address_cells(blob, parent) && 4 * i + 4 <= length;
		     i++)
			mpidr = mpidr << 32 | big_endian(reg + 4 * i);
		if (reg && !((mpidr ^ f->value) & PMUMAP_AMU_AFFINITY))
			return node;
	}
	return -1;
}

/* ---- rom ------------------------------------------------------------------------------------- */

/* The CPUs whose masks are wanted. */
struct order {
	struct pmumap_amu_cpu *cpus;
	uint32_t count;
};

static void add_ordered(struct order *order, const struct pmumap_amu_cpu *cpu)
{
	if (!(order->count & (order->count - 1)))
		order->cpus = reallocate(order->cpus, order->count ? 2 * (size_t)order->count : 1,
					 sizeof(*cpu));
	order->cpus[order->count++] = *cpu;
}

/* Of "0x0,0x100". */
static int read_order(const char *file, const struct pmumap *map, const char *list,
		      struct order *order)
{
	const char *all = list;

	for (;;) {
		int length = (int)strcspn(list, ",");
		struct pmumap_amu_cpu cpu;
		char number[32];
		uint64_t mpidr;

		snprintf(number, sizeof(number), "%.*s", length, list);
		if (length >= (int)sizeof(number) || !read_number(number, UINT64_MAX, &mpidr))
			return complain(USAGE, all, "not a list of MPIDRs, such as 0x0,0x100");
		if (!pmumap_amu_cpu(map, mpidr, &cpu))
			return complain(FAULT, file, "no CPU with MPIDR %s", number);
		for (uint32_t i = 0; i < order->count; i++) {
			if (order->cpus[i].mpidr == cpu.mpidr)
				return complain(FAULT, file, "--order has MPIDR %s twice", number);
		}
		add_ordered(order, &cpu);
		if (!list[length])
			return GOOD;
		list += length + 1;
	}
}

/* Within a comment of C: a label is what the tree says, and may not end the comment. */
static void put_comment_word(const char *word)
{
	for (; *word; word++)
		putchar(isalnum((unsigned char)*word) || strchr("@_,.+-", *word) ? *word : '_');
}

static void put_enable(const struct pmumap *map, const struct pmumap_amu_cpu *cpu)
{
	struct text mpidr = hex(cpu->mpidr);
	size_t column = 8 + strlen("0x0000, /* :") + strlen(mpidr.s);

	printf("\t%s, /* %s:", hex16(cpu->enable).s, mpidr.s);
	for (uint32_t c = 0; c < AMU_COUNTERS; c++) {
		const char *name = pmumap_amu_counter_name(map, cpu->view, c);

		if (!name || !(cpu->enable >> c & 1))
			continue;
		if (column + 1 + strlen(name) + strlen(" */") > LINE_WIDTH) {
			fputs("\n\t\t *", stdout);
			column = 18;
		}
		putchar(' ');
		put_comment_word(name);
		column += 1 + strlen(name);
	}
	puts(cpu->enable ? " */" : cpu->view == PMUMAP_AMU_NO_VIEW ? " no view */" : " none */");
}

/* What TF-A v2.13 and later takes from the platform. list NULL: in the order of the tree. */
static int put_amu_enables(const char *file, const struct pmumap *map, const char *list)
{
	struct order order = { 0 };
	struct pmumap_amu_cpu cpu;
	int code = GOOD;

	if (!pmumap_amu_cpu_at(map, 0, &cpu))
		return complain(FAULT, file, "no CPU with activity monitors (AMU)");
	if (list)
		code = read_order(file, map, list, &order);
	for (uint32_t i = 0; !list && pmumap_amu_cpu_at(map, i, &cpu); i++)
		add_ordered(&order, &cpu);
	if (code == GOOD) {
		printf("/* SPDX-License-Identifier: BSD-2-Clause */\n"
		       "/* %" PRIu32 " %s, in %s. */\n"
		       "#include <stdint.h>\n"
		       "#include <lib/extensions/amu.h>\n"
		       "#include <platform_def.h>\n\n"
		       "uint16_t plat_amu_aux_enables[PLATFORM_CORE_COUNT] = {\n",
		       order.count, order.count == 1 ? "CPU" : "CPUs",
		       list ? "the order that was given" : "the order of the device tree");
		for (uint32_t i = 0; i < order.count; i++)
			put_enable(map, &order.cpus[i]);
		puts("};");
	}
	free(order.cpus);
	return code;
}

#endif /* AMU_H */
