/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A monitor in M-mode that runs one guest in S-mode and serves it the PMU extension of SBI: device
 * tree of the machine -> map -> pmumap_server.h -> the hart's CSRs.
 *
 *	qemu-system-riscv64 -M virt -bios build/qemu/monitor-rv64.elf -icount shift=0,sleep=off \
 *		-kernel build/qemu/guest-rv64.elf -nographic [-append grant=0x7fffd]
 *
 * QEMU loads the monitor as firmware and the guest as a kernel, so the guest also runs on any
 * other firmware.
 *
 * The guest gets the counters that grant= names (bit N: mhpmcounterN), its own memory and the
 * console. It exits QEMU itself. If the monitor cannot handle a trap, QEMU exits with status 70.
 */
#include "pmumap_fdt.h"
#include "pmumap_hw.h"
#include "pmumap_server.h"
#include "machine.h"
#include "runtime.h"
#include "string.h"
#include <libfdt.h>

#define GUEST_TREE (MEMORY_END - 0x10000u)
#define GUEST_TREE_BYTES 0x1000u

/* Some of QEMU's counters (0, 2 to 18), with a gap. */
#define GRANTED 0x1edu

#define FW_SET_TIMER 5 /* the firmware event that this monitor counts */

#define SBI_LEGACY_SHUTDOWN 8u
#define SBI_BASE 0x10u
#define SBI_VERSION 0x03000000u
#define SBI_IMPLEMENTATION 0xffffu /* not a registered implementation id */

#define GUEST_TIMER_BIT (1u << 5) /* mip: the guest's timer */

extern const char guest_tree[], guest_tree_end[];

static uint64_t block[1024], granted_block[1024];
static const struct pmumap *granted; /* the guest's map */
static struct pmumap_hart hart_pmu;
static struct pmumap_pmu counters;
static struct pmumap_server_host host;
static struct pmumap_server server;
static struct guest_state guest;

/* ---- the counters ---------------------------------------------------------------------------- */

/* Guest addresses are physical here, but the guest owns only part of memory. */
static int guest_memory(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
			int write)
{
	void *at = (void *)(uintptr_t)low;

	(void)arg;
	if (high || low < GUEST || low > MEMORY_END || bytes > MEMORY_END - low)
		return 0;
	if (data)
		move_words(write ? at : data, write ? data : at, bytes);
	return 1;
}

static int guest_counts(void *arg, uint32_t code, uint64_t data)
{
	(void)arg, (void)data;
	return code == FW_SET_TIMER;
}

/* The hexadecimal number after "grant=0x" at the start of the command line, else the default. */
static uint32_t find_grant(const void *fdt)
{
	static const char option[] = "grant=0x";
	const int length = (int)sizeof(option) - 1;
	int bytes, i;
	const char *args = fdt_getprop(fdt, fdt_path_offset(fdt, "/chosen"), "bootargs", &bytes);
	uint32_t value = 0;

	if (!args || bytes < length || memcmp(args, option, (size_t)length))
		return GRANTED;
	for (i = length; i < bytes; i++) {
		const char *digits = "0123456789abcdef", *digit = strchr(digits, args[i]);

		if (!digit || !*digit)
			break;
		value = value << 4 | (uint32_t)(digit - digits);
	}
	return value;
}

static void set_up_counters(const void *fdt)
{
	const struct pmumap *map;
	struct pmumap_grant grant = { .counters = find_grant(fdt) };

	need(pmumap_fdt_build(fdt, fdt_totalsize(fdt), NULL, block, sizeof(block), &map));
	need(pmumap_restrict(map, &grant, granted_block, sizeof(granted_block), &granted));
	pmumap_hart_init_machine(&hart_pmu);
	pmumap_hart_probe(&hart_pmu);
	pmumap_hart_as_pmu(&hart_pmu, &counters);

	host.access = guest_memory;
	host.counts = guest_counts;
	server.map = granted;
	server.pmu = &counters;
	server.host = &host;
	server.xlen = __riscv_xlen;
	server.granted = grant.counters & hart_pmu.counters;
	server.features = hart_pmu.features;
	server.rule = PMUMAP_RULE_ABSENT;
	server.inhibit = PMUMAP_INHIBIT_M;
	server.width = hart_pmu.width;
	pmumap_server_init(&server);
	pmumap_hart_permit(&hart_pmu, server.granted);
}

/* ---- the guest's calls ----------------------------------------------------------------------- */

static struct pmumap_sbi_ret answer(int32_t error, uint64_t value)
{
	struct pmumap_sbi_ret r = { error, value };

	return r;
}

static struct pmumap_sbi_ret base_call(unsigned long function, unsigned long extension)
{
	switch (function) {
	case 0:
		return answer(PMUMAP_SBI_OK, SBI_VERSION);
	case 1:
		return answer(PMUMAP_SBI_OK, SBI_IMPLEMENTATION);
	case 2:
		return answer(PMUMAP_SBI_OK, PMUMAP_VERSION_MAJOR << 16 |
						     PMUMAP_VERSION_MINOR << 8 |
						     PMUMAP_VERSION_PATCH);
	case 3:
		return answer(PMUMAP_SBI_OK, extension == SBI_BASE || extension == SBI_TIME ||
						     extension == SBI_SYSTEM_RESET ||
						     extension == SBI_LEGACY_SHUTDOWN ||
						     extension == PMUMAP_SBI_EID);
	case 4:
		return answer(PMUMAP_SBI_OK, CSR_READ(mvendorid));
	case 5:
		return answer(PMUMAP_SBI_OK, CSR_READ(marchid));
	case 6:
		return answer(PMUMAP_SBI_OK, CSR_READ(mimpid));
	default:
		return answer(PMUMAP_SBI_NOT_SUPPORTED, 0);
	}
}

/* Clear the guest's timer interrupt and set the next one. */
static struct pmumap_sbi_ret time_call(unsigned long function, const unsigned long *x)
{
	if (function != 0)
		return answer(PMUMAP_SBI_NOT_SUPPORTED, 0);
	pmumap_server_firmware_event(&server, FW_SET_TIMER, 0);
	CSR_CLEAR(mip, GUEST_TIMER_BIT);
	set_monitor_timer(__riscv_xlen == 64 ? x[A0] : x[A0] | (uint64_t)x[A1] << 32);
	return answer(PMUMAP_SBI_OK, 0);
}

/* This machine supports only shutdown. The guest's failure gives status 1. */
static struct pmumap_sbi_ret reset_call(unsigned long function, const unsigned long *x)
{
	if (function != 0)
		return answer(PMUMAP_SBI_NOT_SUPPORTED, 0);
	if (x[A0] > 2 || x[A1] > 1)
		return answer(PMUMAP_SBI_INVALID_PARAM, 0);
	if (x[A0] != 0)
		return answer(PMUMAP_SBI_NOT_SUPPORTED, 0);
	finish((int)x[A1]);
}

static void ecall(struct guest_state *g)
{
	unsigned long extension = g->x[A7], function = g->x[A6];
	struct pmumap_sbi_ret r;

	g->pc += 4;
	switch (extension) {
	case SBI_LEGACY_SHUTDOWN:
		finish(0);
	case SBI_BASE:
		r = base_call(function, g->x[A0]);
		break;
	case SBI_TIME:
		r = time_call(function, g->x);
		break;
	case SBI_SYSTEM_RESET:
		r = reset_call(function, g->x);
		break;
	case PMUMAP_SBI_EID:
		pmumap_server_ecall(&server, &g->x[A0]);
		return;
	default:
		r = answer(PMUMAP_SBI_NOT_SUPPORTED, 0);
	}
	g->x[A0] = (unsigned long)(long)r.error;
	g->x[A1] = (unsigned long)r.value;
}

/* ---- the guest ------------------------------------------------------------------------------- */

/* The first matching entry decides. The guest cannot access anything else. */
static void protect(void)
{
	CSR_WRITE(pmpaddr0, PMP_ADDRESS(MEMORY, GUEST - MEMORY));
	CSR_WRITE(pmpaddr1, PMP_ADDRESS(MEMORY, MEMORY_END - MEMORY));
	CSR_WRITE(pmpaddr2, PMP_ADDRESS(CONSOLE, 4096));
	CSR_WRITE(pmpaddr3, PMP_ADDRESS(FINISHER, 4096));
	CSR_WRITE(pmpcfg0, PMP_RANGE | (PMP_RANGE | PMP_READ | PMP_WRITE | PMP_EXECUTE) << 8 |
				   (PMP_RANGE | PMP_READ | PMP_WRITE) << 16 |
				   (PMP_RANGE | PMP_READ | PMP_WRITE) << 24);
}

/* Give the guest its own tree, with the tables of its counters. */
static void start_guest(unsigned long hart)
{
	memcpy((void *)(uintptr_t)GUEST_TREE, guest_tree, (size_t)(guest_tree_end - guest_tree));
	need(pmumap_fdt_emit((void *)(uintptr_t)GUEST_TREE, GUEST_TREE_BYTES, 0, granted, NULL));
	guest.x[A0] = hart;
	guest.x[A1] = GUEST_TREE;
	guest.pc = GUEST;
	choose_supervisor();
}

int main(unsigned long hart, const void *fdt)
{
	set_up_counters(fdt);
	protect();
	delegate();
	start_guest(hart);
	for (;;) {
		unsigned long cause;

		enter_guest(&guest);
		cause = CSR_READ(mcause);
		if (cause == CAUSE_ECALL) {
			ecall(&guest);
		} else if (cause == CAUSE_TIMER) {
			CSR_CLEAR(mie, TIMER_BIT);
			CSR_SET(mip, GUEST_TIMER_BIT);
		} else {
			give_up_trap(&guest, cause);
		}
	}
}
