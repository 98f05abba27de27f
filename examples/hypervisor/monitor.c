/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A monitor in M-mode that runs one guest in S-mode and serves it the PMU extension of SBI: device
 * tree of the machine -> map -> pmumap_server.h -> the hart's CSRs.
 *
 *	qemu-system-riscv64 -M virt -bios build/qemu/monitor-rv64.elf -icount shift=0,sleep=off \
 *		-kernel build/qemu/guest-rv64.elf -nographic [-append grant=0x7fffd]
 *
 * To QEMU the monitor is firmware and the guest a kernel, each loaded where it is linked. So the
 * guest is a program of its own, which also starts on any other firmware.
 *
 * The guest has the counters that grant= names (bit N: mhpmcounterN), memory of its own and the
 * console. It ends QEMU itself; all that the monitor has no answer for ends it with status 70.
 */
#define PMUMAP_BINDINGS PMUMAP_RISCV
#include "pmumap_fdt.h"
#include "pmumap_hw.h"
#include "pmumap_server.h"
#include "runtime.h"
#include "string.h"
#include <libfdt.h>

#define CSR_READ(name)                                                                             \
	__extension__({                                                                            \
		unsigned long value_ = 0;                                                          \
		__asm__ volatile("csrr %0, " #name : "+r"(value_) : : "memory");                   \
		value_;                                                                            \
	})
#define CSR_WRITE(name, value)                                                                     \
	__asm__ volatile("csrw " #name ", %0" : : "r"((unsigned long)(value)) : "memory")
#define CSR_SET(name, bits)                                                                        \
	__asm__ volatile("csrs " #name ", %0" : : "r"((unsigned long)(bits)) : "memory")
#define CSR_CLEAR(name, bits)                                                                      \
	__asm__ volatile("csrc " #name ", %0" : : "r"((unsigned long)(bits)) : "memory")

/* The guest's memory: all of MEMORY but what lies below GUEST, which is the monitor's. */
#define MEMORY 0x80000000u
#define MEMORY_END 0x84000000u
#define GUEST (__riscv_xlen == 64 ? 0x80200000u : 0x80400000u)
#define GUEST_TREE (MEMORY_END - 0x10000u)
#define GUEST_TREE_BYTES 0x1000u
#define CONSOLE 0x10000000u
#define FINISHER 0x100000u

/* A part of what QEMU has (0, 2 to 18), with a hole. */
#define GRANTED 0x1edu

#define FW_SET_TIMER 5 /* the firmware event that this monitor counts */

#define SBI_LEGACY_SHUTDOWN 8u
#define SBI_BASE 0x10u
#define SBI_TIME 0x54494d45u
#define SBI_SYSTEM_RESET 0x53525354u
#define SBI_VERSION 0x03000000u
#define SBI_IMPLEMENTATION 0xffffu /* of nobody who has registered one */

#define INTERRUPT (1ul << (__riscv_xlen - 1))
#define CAUSE_TIMER (INTERRUPT | 7)
#define CAUSE_ECALL 9
#define TIMER_BIT (1u << 7)       /* of mie: the monitor's timer */
#define GUEST_TIMER_BIT (1u << 5) /* of mip: the guest's */

enum { A0 = 10, A1 = 11, A6 = 16, A7 = 17 };

/* The guest while it does not run. switch.S knows where everything is. */
struct guest_state {
	unsigned long x[32];
	unsigned long pc;
	unsigned long host_sp, host_tvec;
};

void enter_guest(struct guest_state *g);
extern const char guest_tree[], guest_tree_end[];

static uint64_t block[512], granted_block[512];
static const struct pmumap *granted; /* the map that the guest is served from, and is told of */
static struct pmumap_hart hart_pmu;
static struct pmumap_pmu counters;
static struct pmumap_server_host host;
static struct pmumap_server server;
static struct guest_state guest;

static _Noreturn void give_up(const char *why, uint64_t value)
{
	put("monitor: ");
	put(why);
	put(" ");
	put_hex(value, 0);
	put("\n");
	finish(70);
}

/* ---- the counters ---------------------------------------------------------------------------- */

/* Guest-physical addresses are physical ones here, but not all of these are the guest's. */
static int guest_memory(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
			int write)
{
	void *at = (void *)(uintptr_t)low;

	(void)arg;
	if (high || low < GUEST || low > MEMORY_END || bytes > MEMORY_END - low)
		return 0;
	if (data)
		memcpy(write ? at : data, write ? data : at, (size_t)bytes);
	return 1;
}

static int guest_counts(void *arg, uint32_t code, uint64_t data)
{
	(void)arg, (void)data;
	return code == FW_SET_TIMER;
}

/* A CSR that is not there traps. */
static uint32_t find_features(void)
{
	unsigned long before = traps;
	uint32_t features = 0;

	(void)CSR_READ(0xda0); /* scountovf */
	if (traps == before)
		features |= PMUMAP_SSCOFPMF;
	before = traps;
	(void)CSR_READ(0x321); /* mcyclecfg */
	if (traps == before)
		features |= PMUMAP_SMCNTRPMF;
	return features;
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

static void need(enum pmumap_status status)
{
	if (status != PMUMAP_OK)
		give_up(pmumap_status_str(status), status);
}

static void set_up_counters(const void *fdt)
{
	const struct pmumap *map;
	struct pmumap_grant grant = { .counters = find_grant(fdt) };

	need(pmumap_fdt_build(fdt, fdt_totalsize(fdt), NULL, block, sizeof(block), &map));
	need(pmumap_restrict(map, &grant, granted_block, sizeof(granted_block), &granted));
	pmumap_hart_native(&hart_pmu);
	hart_pmu.features = find_features();
	pmumap_hart_probe(&hart_pmu);
	pmumap_hart_pmu(&hart_pmu, &counters);

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

/* The next timer interrupt of the guest; the last one is over. */
static struct pmumap_sbi_ret time_call(unsigned long function, const unsigned long *x)
{
	static volatile uint32_t *const mtimecmp = (volatile uint32_t *)0x02004000;

	if (function != 0)
		return answer(PMUMAP_SBI_NOT_SUPPORTED, 0);
	pmumap_server_count(&server, FW_SET_TIMER, 0);
	CSR_CLEAR(mip, GUEST_TIMER_BIT);
	mtimecmp[1] = 0xffffffff;
	mtimecmp[0] = (uint32_t)x[A0];
	mtimecmp[1] = __riscv_xlen == 64 ? (uint32_t)((uint64_t)x[A0] >> 32) : (uint32_t)x[A1];
	CSR_SET(mie, TIMER_BIT);
	return answer(PMUMAP_SBI_OK, 0);
}

/* Shutdown is all that this machine can, with status 1 if the guest says that it has failed. */
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

/* Both have to be powers of two, and base a multiple of bytes. */
#define PMP_ADDRESS(base, bytes) ((base) >> 2 | (((bytes) >> 3) - 1))
#define PMP_READ 1u
#define PMP_WRITE 2u
#define PMP_EXECUTE 4u
#define PMP_RANGE 0x18u

/* The first entry that fits decides; what fits none is not the guest's. */
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

/* What the guest handles itself; all that PMP refuses is the monitor's. */
static void delegate(void)
{
	const unsigned long exceptions = 1 << 0 |          /* misaligned fetch */
					 1 << 2 | 1 << 3 | /* illegal instruction, ebreak */
					 1 << 8 |          /* ecall from U-mode */
					 1 << 12 | 1 << 13 | 1 << 15; /* page faults */
	const unsigned long interrupts = 1 << 1 | 1 << 5 | 1 << 9 | /* software, timer, external */
					 1 << 13;                   /* counter overflow */

	CSR_WRITE(medeleg, exceptions);
	CSR_WRITE(mideleg, interrupts);
}

/* Its own tree, with the tables of what it may have. */
static void start_guest(unsigned long hart)
{
	const unsigned long mode = 3 << 11, supervisor = 1 << 11;

	memcpy((void *)(uintptr_t)GUEST_TREE, guest_tree, (size_t)(guest_tree_end - guest_tree));
	need(pmumap_fdt_emit((void *)(uintptr_t)GUEST_TREE, GUEST_TREE_BYTES, 0, granted, NULL));
	guest.x[A0] = hart;
	guest.x[A1] = GUEST_TREE;
	guest.pc = GUEST;
	CSR_CLEAR(mstatus, mode);
	CSR_SET(mstatus, supervisor); /* where mret goes */
	CSR_WRITE(satp, 0);
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
			put("monitor: the guest trapped at ");
			put_hex(guest.pc, 0);
			put(" with ");
			put_hex(CSR_READ(mtval), 0);
			put("\n");
			give_up("unknown cause", cause);
		}
	}
}
