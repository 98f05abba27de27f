/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rom_amu.c -- prints as C source the masks with which firmware enables activity monitors.
 */
#include "map/amu.h"
#include "rom.h"
#include "text/table.h"

/* The CPUs whose masks are printed, in this order. */
struct order {
	struct pmumap_amu_cpu *cpus;
	uint32_t count;
};

static void add_ordered(struct order *order, const struct pmumap_amu_cpu *cpu)
{
	order->cpus = grow(order->cpus, order->count, sizeof(*cpu));
	order->cpus[order->count++] = *cpu;
}

/* Reads a list such as "0x0,0x100". */
static int read_order(const char *file, const struct pmumap_amu *map, const char *list,
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
		if (!pmumap_amu_cpu_find(map, mpidr, &cpu))
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

static void put_enable(const struct pmumap_amu *map, const struct pmumap_amu_cpu *cpu,
		       uint16_t enable)
{
	struct text mpidr = hex(cpu->mpidr);
	size_t column = 8 + strlen("0x0000, /* :") + strlen(mpidr.s);

	printf("\t%s, /* %s:", hex16(enable).s, mpidr.s);
	for (uint32_t c = 0; c < AMU_COUNTERS; c++) {
		const char *name = pmumap_amu_counter_name(map, cpu->view, c);

		if (!name || !(enable >> c & 1))
			continue;
		if (column + 1 + strlen(name) + strlen(" */") > LINE_WIDTH) {
			fputs("\n\t\t *", stdout);
			column = 18;
		}
		putchar(' ');
		put_word(stdout, name, "@_,.+-");
		column += 1 + strlen(name);
	}
	puts(enable ? " */" : cpu->view == PMUMAP_AMU_NO_VIEW ? " no view */" : " none */");
}

int put_amu_enables(const char *file, const struct pmumap_amu *map, const char *list,
		    uint32_t implemented)
{
	struct order order = { 0 };
	struct pmumap_amu_cpu cpu;
	uint32_t left_out = 0;
	int code = GOOD;

	if (!map || !pmumap_amu_cpu_at(map, 0, &cpu))
		return complain(FAULT, file, "no CPU with activity monitors (AMU)");
	if (list)
		code = read_order(file, map, list, &order);
	for (uint32_t i = 0; !list && pmumap_amu_cpu_at(map, i, &cpu); i++)
		add_ordered(&order, &cpu);
	for (uint32_t i = 0; i < order.count; i++)
		left_out |= order.cpus[i].enable & ~implemented;
	if (code == GOOD && left_out)
		complain(GOOD, file, "%s is left out because --counters does not name it",
			 hex16((uint16_t)left_out).s);
	if (code == GOOD) {
		printf("/* SPDX-License-Identifier: BSD-2-Clause */\n"
		       "/* %" PRIu32 " %s, in %s. */\n"
		       "#include <stdint.h>\n"
		       "#include <lib/extensions/amu.h>\n"
		       "#include <platform_def.h>\n\n"
		       "uint16_t plat_amu_aux_enables[PLATFORM_CORE_COUNT] = {\n",
		       order.count, order.count == 1 ? "CPU" : "CPUs",
		       list ? "the given order" : "the order of the device tree");
		for (uint32_t i = 0; i < order.count; i++)
			put_enable(map, &order.cpus[i],
				   (uint16_t)(order.cpus[i].enable & implemented));
		puts("};");
	}
	free(order.cpus);
	return code;
}
