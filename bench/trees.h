/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trees for the benches, from files or written by libfdt in any size, and their maps.
 */
#ifndef TREES_H
#define TREES_H

#include <libfdt.h>

#include "pmumap_amu_check.h"
#include "pmumap_check.h"
#include "pmumap_imc_check.h"
#include "bench.h"

struct tree {
	char name[48];
	void *fdt;
	size_t size;
};

static inline void load_tree(struct tree *t, const char *path)
{
	FILE *f = fopen(path, "rb");

	if (!f)
		die("cannot open", path);
	t->fdt = need_memory(1 << 20);
	t->size = fread(t->fdt, 1, 1 << 20, f);
	fclose(f);
	if (t->size < 40 || fdt_check_header(t->fdt))
		die("no device tree", path);
	name_of(path, t->name, sizeof(t->name));
}

/* The kinds of maps. A tree has one kind. */
enum kind { RISCV, IMC, AMU, NO_KIND };

static inline enum kind measure_kind(const void *fdt, size_t size, size_t *bytes)
{
	if (!pmumap_fdt_measure(fdt, size, NULL, bytes))
		return RISCV;
	if (!pmumap_imc_fdt_measure(fdt, size, NULL, bytes))
		return IMC;
	return pmumap_amu_fdt_measure(fdt, size, NULL, bytes) ? NO_KIND : AMU;
}

static inline const struct pmumap *build_map(const struct tree *t)
{
	const struct pmumap *map;
	size_t bytes;
	void *mem;

	if (pmumap_fdt_measure(t->fdt, t->size, NULL, &bytes))
		die("cannot measure", t->name);
	mem = need_memory(bytes);
	if (pmumap_fdt_build(t->fdt, t->size, NULL, mem, bytes, &map))
		die("cannot build", t->name);
	return map;
}

static inline const struct pmumap_imc *build_imc_map(const struct tree *t)
{
	const struct pmumap_imc *map;
	size_t bytes;
	void *mem;

	if (pmumap_imc_fdt_measure(t->fdt, t->size, NULL, &bytes))
		die("cannot measure", t->name);
	mem = need_memory(bytes);
	if (pmumap_imc_fdt_build(t->fdt, t->size, NULL, mem, bytes, &map))
		die("cannot build", t->name);
	return map;
}

static inline const struct pmumap_amu *build_amu_map(const struct tree *t)
{
	const struct pmumap_amu *map;
	size_t bytes;
	void *mem;

	if (pmumap_amu_fdt_measure(t->fdt, t->size, NULL, &bytes))
		die("cannot measure", t->name);
	mem = need_memory(bytes);
	if (pmumap_amu_fdt_build(t->fdt, t->size, NULL, mem, bytes, &map))
		die("cannot build", t->name);
	return map;
}

static inline int begin_tree(struct tree *t, const char *name, size_t bytes)
{
	snprintf(t->name, sizeof(t->name), "%s", name);
	t->fdt = need_memory(bytes);
	return fdt_create(t->fdt, (int)bytes) | fdt_finish_reservemap(t->fdt) |
	       fdt_begin_node(t->fdt, "");
}

static inline void end_tree(struct tree *t, int err)
{
	err |= fdt_end_node(t->fdt);
	err |= fdt_finish(t->fdt);
	if (err)
		die("cannot write the tree", t->name);
	t->size = fdt_totalsize(t->fdt);
}

static inline int begin_node(void *fdt, const char *name, uint32_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%s@%x", name, number);
	return fdt_begin_node(fdt, text);
}

/* ---- RISC-V ---- */

/* A table as libfdt reads it, cell by cell. */
static inline fdt32_t *new_cells(uint32_t rows, uint32_t cells)
{
	return need_memory((size_t)rows * cells * sizeof(fdt32_t));
}

/*
 * SBI defines 52 codes, used in the order of their numbers. Other codes are above all of its types.
 */
static inline uint32_t sbi_event(uint32_t n)
{
	return n < 10 ? 1 + n : PMUMAP_EVENT_CACHE + ((n - 10) / 6 << 3) + (n - 10) % 6;
}

static inline uint32_t other_event(uint32_t row, uint32_t rows)
{
	return 0x40000 + (uint32_t)((uint64_t)row * 0xb0000 / rows);
}

static inline int put_events(void *fdt, uint32_t rows, int sbi)
{
	fdt32_t *selector = new_cells(rows, 3), *range = new_cells(rows, 3);
	uint32_t i, first;
	int err;

	for (i = 0; i < rows; i++) {
		first = sbi ? sbi_event(i * 52 / rows) : other_event(i, rows);
		selector[3 * i] = range[3 * i] = cpu_to_fdt32(first);
		selector[3 * i + 2] = cpu_to_fdt32(1 + below(~0u));
		range[3 * i + 1] = cpu_to_fdt32(sbi ? first : first + 0x58000 / rows);
		range[3 * i + 2] = cpu_to_fdt32(8u << below(28));
	}
	err = fdt_property(fdt, "riscv,event-to-mhpmevent", selector, (int)(rows * 12));
	err |= fdt_property(fdt, "riscv,event-to-mhpmcounters", range, (int)(rows * 12));
	free(selector);
	free(range);
	return err;
}

/* loose: disjoint masks; otherwise ~0. */
static inline int put_raws(void *fdt, uint32_t rows, int loose)
{
	fdt32_t *cell = new_cells(rows, 5), *p = cell;
	uint32_t i;
	int err;

	for (i = 0; i < rows; i++, p += 5) {
		uint64_t mask = loose ? rng() & 0xffffffffffffff : ~0ull;
		uint64_t select = rng() >> 16 & mask;

		p[0] = cpu_to_fdt32((uint32_t)(select >> 32));
		p[1] = cpu_to_fdt32((uint32_t)select);
		p[2] = cpu_to_fdt32((uint32_t)(mask >> 32));
		p[3] = cpu_to_fdt32((uint32_t)mask);
		p[4] = cpu_to_fdt32(8u << below(28));
	}
	err = fdt_property(fdt, "riscv,raw-event-to-mhpmcounters", cell, (int)(rows * 20));
	free(cell);
	return err;
}

enum { SBI = 1, LOOSE = 2 };

static inline void riscv_tree(struct tree *t, const char *name, uint32_t events, uint32_t raws,
			      int how)
{
	int err = begin_tree(t, name, (size_t)events * 24 + (size_t)raws * 20 + 4096);

	err |= fdt_property_string(t->fdt, "compatible", "riscv,pmu");
	if (events)
		err |= put_events(t->fdt, events, how & SBI);
	if (raws)
		err |= put_raws(t->fdt, raws, how & LOOSE);
	end_tree(t, err);
}

/* Harts, each with an interrupt controller, and nodes, which share them. */
static inline void harts_tree(struct tree *t, const char *name, uint32_t harts, uint32_t nodes)
{
	fdt32_t *entry = new_cells(harts, 2);
	int err = begin_tree(t, name, (size_t)harts * 512 + (size_t)nodes * 512);
	uint32_t i, k, n;

	err |= fdt_begin_node(t->fdt, "cpus");
	err |= fdt_property_u32(t->fdt, "#address-cells", 1);
	for (i = 0; i < harts; i++) {
		err |= begin_node(t->fdt, "cpu", i);
		err |= fdt_property_string(t->fdt, "device_type", "cpu");
		err |= fdt_property_u32(t->fdt, "reg", i);
		err |= fdt_property_string(t->fdt, "status", "okay");
		err |= fdt_property_string(t->fdt, "compatible", "riscv");
		err |= fdt_property_string(t->fdt, "riscv,isa",
					   "rv64imafdch_zicntr_zihpm_sscofpmf_sstc");
		err |= fdt_begin_node(t->fdt, "interrupt-controller");
		err |= fdt_property_u32(t->fdt, "#interrupt-cells", 1);
		err |= fdt_property(t->fdt, "interrupt-controller", NULL, 0);
		err |= fdt_property_u32(t->fdt, "phandle", i + 1);
		err |= fdt_end_node(t->fdt) | fdt_end_node(t->fdt);
	}
	err |= fdt_end_node(t->fdt);
	for (k = 0; k < nodes; k++) {
		for (i = k, n = 0; i < harts; i += nodes, n += 2) {
			entry[n] = cpu_to_fdt32(i + 1);
			entry[n + 1] = cpu_to_fdt32(13);
		}
		err |= begin_node(t->fdt, "pmu", k);
		err |= fdt_property_string(t->fdt, "compatible", "riscv,pmu");
		err |= fdt_property(t->fdt, "interrupts-extended", entry, (int)(4 * n));
		err |= put_events(t->fdt, 7, SBI) | put_raws(t->fdt, 1, 0) | fdt_end_node(t->fdt);
	}
	free(entry);
	end_tree(t, err);
}

/* ---- IMC ---- */

static inline int put_text(void *fdt, const char *name, const char *text)
{
	return fdt_property(fdt, name, text, (int)strlen(text) + 1);
}

static inline int put_event(void *fdt, uint32_t list, uint32_t event, uint32_t desc)
{
	static char text[256];
	char name[48];
	int err;

	if (!*text)
		memset(text, 'd', sizeof(text) - 1);
	snprintf(name, sizeof(name), "event@%x", event * 8);
	err = fdt_begin_node(fdt, name);
	snprintf(name, sizeof(name), "L%u_DISP_PORT%u_CYC", list, event);
	err |= put_text(fdt, "event-name", name);
	err |= fdt_property_u64(fdt, "reg", (uint64_t)event << 35 | 8);
	if (desc)
		err |= put_text(fdt, "desc", text + sizeof(text) - 1 - desc);
	return err | fdt_end_node(fdt);
}

static inline int put_unit(void *fdt, uint32_t unit, uint32_t lists)
{
	char name[32];
	int err;

	snprintf(name, sizeof(name), "u%u@%x", unit, unit * 8);
	err = fdt_begin_node(fdt, name);
	err |= fdt_property_string(fdt, "compatible", "ibm,imc-counters");
	snprintf(name, sizeof(name), "PM_U%u_", unit);
	err |= put_text(fdt, "events-prefix", name);
	err |= fdt_property_string(fdt, "scale", "256");
	err |= fdt_property_string(fdt, "unit", "MiB");
	err |= fdt_property_u64(fdt, "reg", (uint64_t)unit << 35 | 8);
	err |= fdt_property_u32(fdt, "events", 1 + unit % lists);
	err |= fdt_property_u32(fdt, "type", PMUMAP_IMC_NEST);
	err |= fdt_property_u32(fdt, "size", 0x4000000);
	err |= fdt_property_u32(fdt, "offset", 0x180000 + unit % 8);
	err |= fdt_property_u32(fdt, "cb_offset", 0x3ffff00);
	return err | fdt_end_node(fdt);
}

/* Lists of this many events, then units that share them; desc: bytes of each description. */
static inline void imc_tree(struct tree *t, const char *name, uint32_t units, uint32_t lists,
			    uint32_t events, uint32_t desc)
{
	size_t bytes = units * (size_t)320 + lists * (size_t)events * (128 + desc) + 65536;
	int err = begin_tree(t, name, bytes);
	char node[32];
	uint32_t i, event;

	err |= fdt_property_string(t->fdt, "compatible", "ibm,opal-in-memory-counters");
	for (i = 0; i < lists; i++) {
		snprintf(node, sizeof(node), "list%u", i);
		err |= fdt_begin_node(t->fdt, node);
		err |= fdt_property_u32(t->fdt, "phandle", i + 1);
		for (event = 0; event < events; event++)
			err |= put_event(t->fdt, i, event, desc);
		err |= fdt_end_node(t->fdt);
	}
	for (i = 0; i < units; i++)
		err |= put_unit(t->fdt, i, lists);
	end_tree(t, err);
}

/* ---- AMU ---- */

static inline int put_view(void *fdt, uint32_t view, uint32_t counters)
{
	uint32_t i;
	int err = begin_node(fdt, "amu", view);

	err |= fdt_property_u32(fdt, "phandle", view + 1);
	err |= fdt_property_u32(fdt, "#address-cells", 1);
	err |= fdt_property_u32(fdt, "#size-cells", 0);
	for (i = 0; i < counters; i++) {
		err |= begin_node(fdt, "counter", i);
		err |= fdt_property_u32(fdt, "reg", i);
		if ((view + i) % 3)
			err |= fdt_property(fdt, "enable-at-el3", NULL, 0);
		err |= fdt_end_node(fdt);
	}
	return err | fdt_end_node(fdt);
}

/* CPUs in clusters of eight, unsorted. */
static inline uint32_t amu_affinity(uint32_t cpu, uint32_t cpus)
{
	uint32_t n = (uint32_t)(((uint64_t)cpu * 40503u + 12345u) % 65537u % 65536u);

	if (cpus <= 16)
		n = cpu;
	return n / 8 << 8 | n % 8;
}

static inline void amu_tree(struct tree *t, const char *name, uint32_t cpus, uint32_t views,
			    uint32_t counters)
{
	size_t bytes = cpus * (size_t)96 + views * (size_t)(counters + 2) * 72 + 4096;
	int err = begin_tree(t, name, bytes);
	uint32_t i;

	err |= fdt_begin_node(t->fdt, "cpus");
	err |= fdt_property_u32(t->fdt, "#address-cells", 1);
	err |= fdt_property_u32(t->fdt, "#size-cells", 0);
	err |= fdt_begin_node(t->fdt, "amus");
	for (i = 0; i < views; i++)
		err |= put_view(t->fdt, i, counters);
	err |= fdt_end_node(t->fdt);
	for (i = 0; i < cpus; i++) {
		uint32_t affinity = amu_affinity(i, cpus);

		err |= begin_node(t->fdt, "cpu", affinity);
		err |= fdt_property_u32(t->fdt, "reg", affinity);
		err |= fdt_property_u32(t->fdt, "amu", 1 + i % views);
		err |= fdt_end_node(t->fdt);
	}
	err |= fdt_end_node(t->fdt);
	end_tree(t, err);
}

#endif
