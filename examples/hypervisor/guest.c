/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A guest in S-mode that tests the SBI firmware's counters: monitor.c's, or any other firmware's.
 *
 *	qemu-system-riscv64 -M virt -bios build/qemu/monitor-rv64.elf -icount shift=0,sleep=off \
 *		-kernel build/qemu/guest-rv64.elf -nographic
 *	... -bios default ...
 *
 * It ends QEMU with status 0 if the firmware counts events and assigns and releases counters
 * correctly, otherwise 1. The log also records what the specification leaves to the firmware.
 */
#include "guest.h"
#include "runtime.h"
#include <libfdt.h>

#define SBI_BASE 0x10
#define SBI_RESET 0x53525354

static struct guest guest;

static void put_arg(const char *name, uint64_t value)
{
	put(name);
	put_hex(value, 0);
}

static void put_error(int32_t error)
{
	put(" -> error ");
	put_signed(error, 0);
	put("\n");
}

void put_result(struct pmumap_sbi_ret r)
{
	if (r.error) {
		put_error(r.error);
		return;
	}
	put_arg(" -> ", r.value);
	put("\n");
}

void put_checked(struct guest *g, uint64_t value, int good)
{
	put(" -> ");
	put_decimal(value, 0);
	put(good ? " ok\n" : " FAILED\n");
	g->failed += !good;
}

static void put_counter(const struct guest *g, struct pmumap_sbi_ret r)
{
	if (r.error) {
		put_error(r.error);
		return;
	}
	put(" -> counter ");
	put_decimal(r.value, 0);
	put(r.value >= g->firmware       ? " firmware\n"
	    : r.value >= g->programmable ? " programmable\n"
					 : " fixed\n");
}

/*
 * The set of numbers [first, end), with base 0 if a register can hold it: OpenSBI 1.6 confuses
 * firmware counters if the base is not 0 and then reads beyond its tables.
 */
static struct set range(const struct guest *g, uint32_t first, uint32_t end)
{
	struct set set = { 0, 0 };

	if (end > g->sbi.xlen) {
		set.base = first;
		end -= first;
		first = 0;
	}
	if (end > first)
		set.mask = NONE >> (64 - (end - first)) << first;
	return set;
}

struct set set_for(const struct guest *g, uint32_t event)
{
	return event >= PMUMAP_EVENT_FIRMWARE && event < PMUMAP_EVENT_LIMIT
		       ? range(g, g->firmware, g->sbi.total)
		       : range(g, 0, g->firmware);
}

struct set set_of(const struct guest *g, uint32_t number)
{
	return range(g, number, number + 1);
}

static void put_set(const char *name, uint64_t base, uint64_t mask, uint64_t flags)
{
	put_arg(name, base);
	put_arg(" mask ", mask);
	put_arg(" flags ", flags);
}

struct pmumap_sbi_ret try_match(struct guest *g, uint64_t base, uint64_t mask, uint64_t flags,
				uint32_t event, uint64_t data)
{
	struct pmumap_sbi_ret r = pmumap_sbi_match(&g->sbi, base, mask, flags, event, data);

	put_set("match base ", base, mask, flags);
	put_arg(" event ", event);
	put_arg(" data ", data);
	put_counter(g, r);
	return r;
}

struct pmumap_sbi_ret try_start(struct guest *g, uint64_t base, uint64_t mask, uint64_t flags)
{
	struct pmumap_sbi_ret r = pmumap_sbi_start_set(&g->sbi, base, mask, flags, 0);

	put_set("start base ", base, mask, flags);
	put_result(r);
	return r;
}

struct pmumap_sbi_ret try_stop(struct guest *g, uint64_t base, uint64_t mask, uint64_t flags)
{
	struct pmumap_sbi_ret r = pmumap_sbi_stop_set(&g->sbi, base, mask, flags);

	put_set("stop base ", base, mask, flags);
	put_result(r);
	return r;
}

struct pmumap_sbi_ret try_call(struct guest *g, uint32_t function, const char *name, uint64_t a0,
			       uint64_t a1, uint64_t a2, uint64_t a3)
{
	const uint64_t a[6] = { a0, a1, a2, a3, 0, 0 };
	struct pmumap_sbi_ret r = g->sbi.call(g->sbi.arg, function, a);

	put(name);
	put_result(r);
	return r;
}

struct pmumap_sbi_ret event_info(struct guest *g, uint32_t event, uint64_t data)
{
	static volatile uint32_t entry[4] __attribute__((aligned(16)));
	const uint64_t a[6] = { (uintptr_t)entry, 0, 1, 0, 0, 0 };
	struct pmumap_sbi_ret r;

	entry[0] = event;
	entry[1] = 0x55555555;
	entry[2] = (uint32_t)data;
	entry[3] = (uint32_t)(data >> 32);
	r = g->sbi.call(g->sbi.arg, PMUMAP_SBI_EVENT_GET_INFO, a);
	r.value = entry[1];
	return r;
}

/* Lines that begin with '#' may differ between firmwares. */
static void put_tree(const void *fdt)
{
	int node = fdt_node_offset_by_compatible(fdt, -1, "riscv,pmu"), bytes, i;
	const fdt32_t *row = fdt_getprop(fdt, node, "riscv,event-to-mhpmcounters", &bytes);

	put(node < 0 ? "tree -> no riscv,pmu\n" : "tree -> riscv,pmu\n");
	for (i = 0; row && i < bytes / 12; i++, row += 3) {
		put_arg("# tree: events ", fdt32_ld(row));
		put_arg(" to ", fdt32_ld(row + 1));
		put_arg(" on counters ", fdt32_ld(row + 2));
		put("\n");
	}
}

static void put_firmware(const void *fdt)
{
	uint64_t spec = sbi_call(SBI_BASE, 0, 0, 0).value;

	put("# SBI ");
	put_decimal(spec >> 24, 0);
	put(".");
	put_decimal(spec & 0xffffff, 0);
	put_arg(" implementation ", sbi_call(SBI_BASE, 1, 0, 0).value);
	put_arg(" version ", sbi_call(SBI_BASE, 2, 0, 0).value);
	put("\n");
	put_tree(fdt);
	put("extension PMU");
	put_result(sbi_call(SBI_BASE, 3, PMUMAP_SBI_EID, 0));
	put("extension 0x1234567");
	put_result(sbi_call(SBI_BASE, 3, 0x1234567, 0));
	put("call of extension 0x1234567");
	put_result(sbi_call(0x1234567, 0, 0, 0));
}

int main(unsigned long hart, const void *fdt)
{
	struct guest *g = &guest;

	(void)hart;
	put_firmware(fdt);
	pmumap_sbi_init(&g->sbi);
	if (pmumap_sbi_probe(&g->sbi) == 0) {
		put("no hardware counter\n");
		return 1;
	}
	probe_counters(g);
	probe_events(g);
	count_events(g);
	count_firmware(g);
	count_snapshots(g);
	probe_busy(g);
	probe_calls(g);
	put(g->failed ? "FAILED\n" : "passed\n");
	if (g->failed)
		return 1;
	sbi_call(SBI_RESET, 0, 0, 0);
	return 0;
}
