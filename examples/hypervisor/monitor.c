/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A monitor in M-mode that runs one guest in S-mode and serves it the PMU extension of SBI: device
 * tree of the machine -> map -> pmumap_server.h -> the hart's CSRs. With -smp 2 the guest may start
 * hart 1 (HSM), which has its own server.
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

/* The firmware events that this monitor counts. */
enum { FW_SET_TIMER = 5, FW_IPI_SENT, FW_IPI_RECEIVED };

#define SBI_LEGACY_SHUTDOWN 8u
#define SBI_BASE 0x10u
#define SBI_IPI 0x735049u
#define SBI_HSM 0x48534du
#define SBI_VERSION 0x03000000u
#define SBI_ALREADY_AVAILABLE (-6)
#define SBI_IMPLEMENTATION 0xffffu /* not a registered implementation id */

#define GUEST_SOFTWARE_BIT (1u << 1) /* mip: an inter-processor interrupt for the guest */
#define GUEST_TIMER_BIT (1u << 5)    /* mip: the guest's timer */
#define SOFTWARE_BIT (1u << 3)       /* mie: the monitor's own */
#define CAUSE_SOFTWARE (INTERRUPT | 3)
#define HARTS 2u

extern const char guest_tree[], guest_tree_end[];

static uint64_t block[1024], granted_block[1024];
static const struct pmumap *granted; /* the guest's map */
static uint32_t grant;
volatile uint32_t no_map = 1; /* hart 1 waits: it is in .data, because .bss is cleared late */

static struct own {
	struct pmumap_hart pmu;
	struct pmumap_pmu counters;
	struct pmumap_server server;
	struct guest_state guest;
	volatile enum { ABSENT, STOPPED, STARTING, STARTED } state;
	volatile int interrupted; /* another hart has sent an interrupt to the guest */
} harts[HARTS];

static volatile uint32_t *const software_interrupt = (volatile uint32_t *)0x02000000;

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
	return code >= FW_SET_TIMER && code <= FW_IPI_RECEIVED;
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

static void build_maps(const void *fdt)
{
	const struct pmumap *map;
	struct pmumap_grant some = { .counters = find_grant(fdt) };

	grant = some.counters;
	need(pmumap_fdt_build(fdt, fdt_totalsize(fdt), NULL, block, sizeof(block), &map));
	need(pmumap_restrict(map, &some, granted_block, sizeof(granted_block), &granted));
}

/* The counters of the hart that calls, and a server for them. */
static void set_up_counters(struct own *o)
{
	static const struct pmumap_server_host host = { .access = guest_memory,
							.counts = guest_counts };

	pmumap_hart_init_machine(&o->pmu);
	pmumap_hart_probe(&o->pmu);
	pmumap_hart_as_pmu(&o->pmu, &o->counters);
	o->server.map = granted;
	o->server.pmu = &o->counters;
	o->server.host = &host;
	o->server.xlen = __riscv_xlen;
	o->server.granted = grant & o->pmu.counters;
	o->server.features = o->pmu.features;
	o->server.rule = PMUMAP_RULE_ABSENT;
	o->server.inhibit = PMUMAP_INHIBIT_M;
	o->server.width = o->pmu.width;
	pmumap_server_init(&o->server);
	pmumap_hart_permit(&o->pmu, o->server.granted);
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
						     extension == SBI_IPI || extension == SBI_HSM ||
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

/* Each hart has its own timer. */
static void set_timer_of(const struct own *o, uint64_t time)
{
	volatile uint32_t *mtimecmp = (volatile uint32_t *)0x02004000 + 2 * (o - harts);

	mtimecmp[1] = 0xffffffff;
	mtimecmp[0] = (uint32_t)time;
	mtimecmp[1] = (uint32_t)(time >> 32);
	CSR_SET(mie, TIMER_BIT);
}

/* Clear the guest's timer interrupt and set the next one. */
static struct pmumap_sbi_ret time_call(struct own *o, unsigned long function,
				       const unsigned long *x)
{
	if (function != 0)
		return answer(PMUMAP_SBI_NOT_SUPPORTED, 0);
	pmumap_server_firmware_event(&o->server, FW_SET_TIMER, 0);
	CSR_CLEAR(mip, GUEST_TIMER_BIT);
	set_timer_of(o, __riscv_xlen == 64 ? x[A0] : x[A0] | (uint64_t)x[A1] << 32);
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

/* Interrupt the guest on the harts of a mask. */
static struct pmumap_sbi_ret ipi_call(struct own *o, unsigned long function, unsigned long mask,
				      unsigned long base)
{
	unsigned long h;

	if (function != 0)
		return answer(PMUMAP_SBI_NOT_SUPPORTED, 0);
	for (h = 0; h < HARTS; h++) {
		int named = base == ~0ul || (h >= base && mask >> (h - base) & 1);

		if (!named || harts[h].state != STARTED)
			continue;
		pmumap_server_firmware_event(&o->server, FW_IPI_SENT, 0);
		harts[h].interrupted = 1;
		__atomic_thread_fence(__ATOMIC_RELEASE);
		software_interrupt[h] = 1;
	}
	return answer(PMUMAP_SBI_OK, 0);
}

static void take_interrupt(struct own *o)
{
	software_interrupt[o - harts] = 0;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (o->interrupted) {
		o->interrupted = 0;
		pmumap_server_firmware_event(&o->server, FW_IPI_RECEIVED, 0);
		CSR_SET(mip, GUEST_SOFTWARE_BIT);
	}
}

/* The calling hart waits until another starts the guest on it. */
static void stop_hart(struct own *o)
{
	pmumap_server_reset(&o->server);
	CSR_CLEAR(mie, TIMER_BIT);
	o->state = STOPPED;
	while (o->state != STARTING)
		__asm__ volatile("wfi");
	take_interrupt(o);
	CSR_CLEAR(mip, GUEST_TIMER_BIT | GUEST_SOFTWARE_BIT);
	CSR_CLEAR(mstatus, 1u << 1); /* no interrupts in S-mode */
	choose_supervisor();
	o->state = STARTED;
}

static struct pmumap_sbi_ret hart_call(struct own *o, unsigned long function,
				       const unsigned long *x)
{
	static const uint8_t status[] = { [STARTED] = 0, [STOPPED] = 1, [STARTING] = 2 };
	struct own *other = x[A0] < HARTS ? &harts[x[A0]] : 0;

	if (function == 1) {
		stop_hart(o);
		return answer((int32_t)o->guest.x[A0], o->guest.x[A1]);
	}
	if (function != 0 && function != 2)
		return answer(PMUMAP_SBI_NOT_SUPPORTED, 0);
	if (!other || other->state == ABSENT)
		return answer(PMUMAP_SBI_INVALID_PARAM, 0);
	if (function == 2)
		return answer(PMUMAP_SBI_OK, status[other->state]);
	if (other->state != STOPPED)
		return answer(SBI_ALREADY_AVAILABLE, 0);
	other->guest.x[A0] = x[A0];
	other->guest.x[A1] = x[A1 + 1];
	other->guest.pc = x[A1];
	__atomic_thread_fence(__ATOMIC_RELEASE);
	other->state = STARTING;
	software_interrupt[x[A0]] = 1;
	return answer(PMUMAP_SBI_OK, 0);
}

static void ecall(struct own *o)
{
	struct guest_state *g = &o->guest;
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
		r = time_call(o, function, g->x);
		break;
	case SBI_IPI:
		r = ipi_call(o, function, g->x[A0], g->x[A1]);
		break;
	case SBI_HSM:
		r = hart_call(o, function, g->x);
		break;
	case SBI_SYSTEM_RESET:
		r = reset_call(function, g->x);
		break;
	case PMUMAP_SBI_EID:
		pmumap_server_ecall(&o->server, &g->x[A0]);
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

static _Noreturn void run(struct own *o)
{
	for (;;) {
		unsigned long cause;

		enter_guest(&o->guest);
		cause = CSR_READ(mcause);
		if (cause == CAUSE_ECALL) {
			ecall(o);
		} else if (cause == CAUSE_TIMER) {
			CSR_CLEAR(mie, TIMER_BIT);
			CSR_SET(mip, GUEST_TIMER_BIT);
		} else if (cause == CAUSE_SOFTWARE) {
			take_interrupt(o);
		} else {
			give_up_trap(&o->guest, cause);
		}
	}
}

static void set_up_hart(struct own *o)
{
	set_up_counters(o);
	protect();
	delegate();
	CSR_SET(mie, SOFTWARE_BIT);
}

_Noreturn void run_hart_1(void)
{
	set_up_hart(&harts[1]);
	stop_hart(&harts[1]);
	run(&harts[1]);
}

/* Give the guest its own tree, with the tables of its counters. It names hart 0 only. */
static void start_guest(struct own *o, unsigned long hart)
{
	memcpy((void *)(uintptr_t)GUEST_TREE, guest_tree, (size_t)(guest_tree_end - guest_tree));
	need(pmumap_fdt_emit((void *)(uintptr_t)GUEST_TREE, GUEST_TREE_BYTES, 0, granted, NULL));
	o->guest.x[A0] = hart;
	o->guest.x[A1] = GUEST_TREE;
	o->guest.pc = GUEST;
	o->state = STARTED;
	choose_supervisor();
}

int main(unsigned long hart, const void *fdt)
{
	build_maps(fdt);
	set_up_hart(&harts[0]);
	start_guest(&harts[0], hart);
	__atomic_store_n(&no_map, 0, __ATOMIC_RELEASE);
	while (fdt_path_offset(fdt, "/cpus/cpu@1") >= 0 && harts[1].state == ABSENT)
		;
	run(&harts[0]);
}
