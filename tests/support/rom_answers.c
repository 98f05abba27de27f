/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Prints a hash of each map's answers, one line each. It is of values, so the same maps give the
 * same lines on every target.
 *
 *	rom_answers			maps in the program, from the file MAPS
 *	rom_answers NAME		the memory image of one of them
 *	rom_answers NAME=FILE...	with -DBUILT: maps built from device trees, with
 *					descriptions if NAME contains "desc"
 *
 * With -DBARE it is a program for examples/firmware/runtime.
 */
#ifdef BARE
#include "pmumap.h"
#include "pmumap_amu.h"
#include "pmumap_imc.h"
#include "runtime.h"
#else
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef BUILT
#include "pmumap_fdt.h"
#include "pmumap_amu_check.h"
#else
#include "pmumap.h"
#include "pmumap_amu.h"
#endif
#include "pmumap_imc.h"
#endif

static uint64_t hash;

static void add(uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15;
	hash ^= hash >> 29;
}

static void add_text(const char *text)
{
	add(text != 0);
	for (; text && *text; text++)
		add((unsigned char)*text);
}

/* ---- RISC-V ---------------------------------------------------------------------------------- */

static void ask_event(const struct pmumap *map, uint32_t event)
{
	uint64_t value = 1;

	add(event);
	add(pmumap_counters(map, event));
	add((uint64_t)pmumap_selector(map, event, &value));
	add(value);
}

static void ask_riscv(const struct pmumap *map)
{
	struct pmumap_run run;
	uint64_t select, mask;
	uint32_t i, counters;

	for (i = 0; pmumap_event_next(map, i, &run); i = run.last + 1) {
		ask_event(map, run.first - 1);
		ask_event(map, run.first);
		ask_event(map, run.last);
		ask_event(map, run.last + 1);
	}
	for (i = 0; pmumap_raw_at(map, i, &select, &mask, &counters); i++) {
		add(select);
		add(mask);
		add(counters);
		add(pmumap_raw_counters(map, select | (0x5555555555555555 & ~mask)));
		add(pmumap_raw_counters(map, select ^ 1));
	}
}

/* ---- IMC ------------------------------------------------------------------------------------- */

static size_t join(char *to, size_t used, const char *text)
{
	while (*text && used < 511)
		to[used++] = *text++;
	to[used] = 0;
	return used;
}

static void ask_imc_event(const struct pmumap_imc *map, const struct pmumap_imc_event *event)
{
	char name[512];
	size_t length = join(name, join(name, 0, event->prefix), event->name);
	uint64_t phys = 1;
	uint32_t nth, found = 0;

	add_text(name);
	add_text(event->scale);
	add_text(event->measure);
	add_text(event->desc);
	add((uint64_t)event->type << 32 | event->offset);
	for (nth = 0; nth < 4; nth++) {
		add((uint64_t)pmumap_imc_find_name(map, name, length, nth, &found));
		add(found);
		add((uint64_t)pmumap_imc_find_offset(map, PMUMAP_IMC_ALL, event->offset, nth,
						     &found));
		add(found);
	}
	name[length / 2] = '?';
	add((uint64_t)pmumap_imc_find_name(map, name, length, 0, &found));
	length = join(name, join(name, join(name, 0, event->unit), "/"), event->name);
	add((uint64_t)pmumap_imc_find_name(map, name, length, 0, &found));
	add((uint64_t)pmumap_imc_find_offset(map, event->unit_index, event->offset + 8, 0, &found));
	add((uint64_t)pmumap_imc_address(map, event, 0, &phys) + found);
	add(phys);
}

static void ask_imc(const struct pmumap_imc *map)
{
	struct pmumap_imc_event event;
	struct pmumap_imc_unit unit;
	uint32_t i;

	for (i = 0; pmumap_imc_unit_at(map, i, &unit); i++) {
		add_text(unit.name);
		add((uint64_t)unit.size << 32 | unit.offset);
		add((uint64_t)unit.control << 32 | unit.events);
	}
	for (i = 0; pmumap_imc_event(map, i, &event); i++)
		ask_imc_event(map, &event);
}

/* ---- AMU ------------------------------------------------------------------------------------- */

static void ask_amu(const struct pmumap_amu *map)
{
	struct pmumap_amu_cpu cpu;
	uint16_t described = 0, enable = 0;
	uint32_t i, c;

	for (i = 0; pmumap_amu_cpu_at(map, i, &cpu); i++) {
		add((uint64_t)pmumap_amu_cpu_find(map, cpu.mpidr | 0x80000000, &cpu));
		add(cpu.mpidr);
		add(cpu.view);
		add((uint64_t)pmumap_amu_cpu_find(map, cpu.mpidr ^ 0x40, &cpu));
	}
	for (i = 0; pmumap_amu_view_at(map, i, &described, &enable); i++) {
		add((uint64_t)described << 16 | enable);
		for (c = 0; c < 17; c++)
			add_text(pmumap_amu_counter_name(map, i, c));
	}
}

/* ---- the program ------------------------------------------------------------------------------ */

/* A map of any kind. */
static void put_line(const char *name, const void *map, size_t bytes)
{
	const struct pmumap *riscv;
	const struct pmumap_imc *imc = NULL;
	const struct pmumap_amu *amu = NULL;
	unsigned status = (unsigned)pmumap_open(map, bytes, &riscv);

	if (status == PMUMAP_E_IMAGE_MAGIC)
		status = (unsigned)pmumap_imc_open(map, bytes, &imc);
	if (status == PMUMAP_E_IMAGE_MAGIC)
		status = (unsigned)pmumap_amu_open(map, bytes, &amu);
	hash = 0;
	if (riscv)
		ask_riscv(riscv);
	else if (imc)
		ask_imc(imc);
	else if (amu)
		ask_amu(amu);
#ifdef BARE
	put(name);
	put(" ");
	put_decimal(status, 0);
	put(" ");
	put_hex(hash, 0);
	put("\n");
#else
	printf("%s %u 0x%" PRIx64 "\n", name, status, hash);
#endif
}

#ifdef BUILT
static uint64_t tree[1 << 20], block[1 << 20];

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char *file = strchr(argv[i], '=');
		FILE *in = file ? fopen(file + 1, "rb") : NULL;
		struct pmumap_imc_options options = { 0 };
		const struct pmumap *riscv = NULL;
		const struct pmumap_imc *imc = NULL;
		const struct pmumap_amu_options named = { 0, pmumap_amu_labels };
		const struct pmumap_amu *amu = NULL;
		size_t bytes;

		if (!in)
			return 1;
		*file = '\0';
		if (strstr(argv[i], "desc"))
			options.flags |= PMUMAP_DESC;
		bytes = fread(tree, 1, sizeof(tree), in);
		fclose(in);
		if (!pmumap_fdt_build(tree, bytes, NULL, block, sizeof(block), &riscv))
			put_line(argv[i], riscv, pmumap_size(riscv));
		else if (!pmumap_imc_fdt_build(tree, bytes, &options, block, sizeof(block), &imc))
			put_line(argv[i], imc, pmumap_imc_size(imc));
		else if (!pmumap_amu_fdt_build(tree, bytes, &named, block, sizeof(block), &amu))
			put_line(argv[i], amu, pmumap_amu_size(amu));
		else
			return 1;
	}
	return 0;
}
#else
/* MAPS includes the generated files and expands X(name) for each map. */
#include MAPS

#define X(name)                                                                                    \
	static const void *get_##name(void)                                                        \
	{                                                                                          \
		return name();                                                                     \
	}
ALL_MAPS
#undef X

static const struct {
	const char *name;
	const void *(*map)(void);
	size_t bytes;
} maps[] = {
#define X(name) { #name, get_##name, name##_bytes },
	ALL_MAPS
#undef X
};
#define MAP_COUNT (sizeof(maps) / sizeof(maps[0]))

#ifdef BARE
int main(unsigned long hart, const void *fdt)
{
	(void)hart;
	(void)fdt;
	for (unsigned i = 0; i < MAP_COUNT; i++)
		put_line(maps[i].name, maps[i].map(), maps[i].bytes);
	return 0;
}
#else
int main(int argc, char **argv)
{
	for (unsigned i = 0; i < MAP_COUNT; i++) {
		if (argc == 1)
			put_line(maps[i].name, maps[i].map(), maps[i].bytes);
		else if (!strcmp(maps[i].name, argv[1]))
			fwrite(maps[i].map(), 1, maps[i].bytes, stdout);
	}
	return 0;
}
#endif
#endif
