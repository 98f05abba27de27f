/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A monitor in M-mode that runs two S-mode guests on one hart in turns. Each has its own server
 * and struct pmumap_vpmu, so it may use all of the hart's counters and counts only its own work.
 *
 *	qemu-system-riscv64 -M virt -bios build/qemu/turns-rv64.elf -icount shift=0,sleep=off \
 *		-device loader,file=build/qemu/turns-guest0-rv64.elf \
 *		-device loader,file=build/qemu/turns-guest1-rv64.elf -nographic
 *
 * The timer ends a turn anywhere in the guest. A guest ends with SYSTEM_RESET, which reports
 * whether it failed, and the monitor prints its counters. After both, QEMU exits with status 0, or
 * 1 if one failed.
 */
#include "pmumap_fdt.h"
#include "pmumap_hw.h"
#include "pmumap_server.h"
#include "machine.h"
#include "runtime.h"
#include <libfdt.h>

#define CPUS 2u
#define CPU_MEMORY 0x81000000u /* of the first CPU; the next one's follows */
#define CPU_BYTES 0x1000000u
#define TURN 100u /* of the clock, which ticks every 100 instructions */

/* The CSRs of S-mode. */
#define CSRS(X)                                                                                    \
	X(sstatus)                                                                                 \
	X(sie) X(stvec) X(sscratch) X(sepc) X(scause) X(stval) X(satp) X(scounteren)
#define ONE(name) +1

struct virtual_cpu {
	struct guest_state state;
	unsigned long csr[0 CSRS(ONE)];
	uint64_t memory;
	struct pmumap_vpmu vpmu;
	struct pmumap_pmu pmu;
	struct pmumap_server_host host;
	struct pmumap_server server;
	uint32_t number, turns;
	int over;
};

static uint64_t block[512];
static struct pmumap_hart hart_pmu;
static struct pmumap_pmu hart_counters;
static struct virtual_cpu cpus[CPUS];

static int guest_memory(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
			int write)
{
	const struct virtual_cpu *c = (const struct virtual_cpu *)arg;
	void *at = (void *)(uintptr_t)low;

	if (high || low < c->memory || low - c->memory > CPU_BYTES ||
	    bytes > CPU_BYTES - (low - c->memory))
		return 0;
	if (data)
		move_words(write ? at : data, write ? data : at, bytes);
	return 1;
}

static void set_up_cpu(struct virtual_cpu *c, uint32_t number, const struct pmumap *map)
{
	c->number = number;
	c->memory = CPU_MEMORY + number * CPU_BYTES;
	c->state.pc = (unsigned long)c->memory;
	c->state.x[A0] = number;
	c->csr[0] = CSR_READ(sstatus);
	pmumap_vpmu_init(&c->vpmu);
	pmumap_vpmu_as_pmu(&c->vpmu, &c->pmu);
	c->host.access = guest_memory;
	c->host.arg = c;
	c->server.map = map;
	c->server.pmu = &c->pmu;
	c->server.host = &c->host;
	c->server.xlen = __riscv_xlen;
	c->server.granted = hart_pmu.counters;
	c->server.features = hart_pmu.features;
	c->server.rule = PMUMAP_RULE_ABSENT;
	c->server.inhibit = PMUMAP_INHIBIT_M;
	c->server.width = hart_pmu.width;
	pmumap_server_init(&c->server);
	pmumap_hart_permit(&hart_pmu, c->server.granted);
}

/* Switch the virtual CPU in. Start its counters last. */
static void come(struct virtual_cpu *c)
{
	unsigned i = 0;
	uint32_t missing;

#define LOAD_CSR(name) CSR_WRITE(name, c->csr[i++]);
	CSRS(LOAD_CSR)
	CSR_WRITE(pmpaddr0, PMP_ADDRESS(c->memory, CPU_BYTES));
	CSR_WRITE(pmpcfg0, PMP_RANGE | PMP_READ | PMP_WRITE | PMP_EXECUTE);
	__asm__ volatile("sfence.vma" : : : "memory");
	c->turns++;
	missing = pmumap_vpmu_restore(&c->vpmu, &hart_counters);
	if (missing)
		give_up("the hart has lost counters", missing);
}

/* Switch the virtual CPU out. Stop its counters first. */
static void leave(struct virtual_cpu *c)
{
	unsigned i = 0;
	uint32_t refused = pmumap_vpmu_save(&c->vpmu);

	if (refused)
		give_up("the next guest could read", refused);
#define KEEP_CSR(name) c->csr[i++] = CSR_READ(name);
	CSRS(KEEP_CSR)
}

static void put_counts(const struct virtual_cpu *c)
{
	uint32_t n;

	for (n = 0; n < 32; n++) {
		if (!(c->vpmu.configured >> n & 1))
			continue;
		put("guest ");
		put_decimal(c->number, 0);
		put(" event ");
		put_hex(c->vpmu.job[n].event, 0);
		put(" -> ");
		put_decimal(c->pmu.read(c->pmu.arg, n), 0);
		put("\n");
	}
	put("guest ");
	put_decimal(c->number, 0);
	put(c->state.x[A1] ? " failed after " : " passed after ");
	put_decimal(c->turns, 0);
	put(" turns\n");
}

static void ecall(struct virtual_cpu *c)
{
	unsigned long *x = c->state.x;

	c->state.pc += 4;
	if (x[A7] == PMUMAP_SBI_EID) {
		pmumap_server_ecall(&c->server, &x[A0]);
	} else if (x[A7] == SBI_SYSTEM_RESET && x[A6] == 0) {
		c->over = 1;
	} else {
		x[A0] = (unsigned long)PMUMAP_SBI_NOT_SUPPORTED;
		x[A1] = 0;
	}
}

static void take_turn(struct virtual_cpu *c)
{
	unsigned long cause;

	come(c);
	do {
		enter_guest(&c->state);
		cause = CSR_READ(mcause);
		if (cause == CAUSE_ECALL)
			ecall(c);
		else if (cause != CAUSE_TIMER)
			give_up_trap(&c->state, cause);
	} while (cause != CAUSE_TIMER && !c->over);
	leave(c);
	if (c->over)
		put_counts(c);
}

static uint64_t now(void)
{
	static volatile uint32_t *const mtime = (volatile uint32_t *)0x0200bff8;
	uint32_t high, low;

	do {
		high = mtime[1];
		low = mtime[0];
	} while (high != mtime[1]);
	return (uint64_t)high << 32 | low;
}

int main(unsigned long hart, const void *fdt)
{
	const struct pmumap *map;
	uint32_t i, left;
	int failed = 0;

	(void)hart;
	need(pmumap_fdt_build(fdt, fdt_totalsize(fdt), NULL, block, sizeof(block), &map));
	pmumap_hart_init_machine(&hart_pmu);
	pmumap_hart_probe(&hart_pmu);
	pmumap_hart_as_pmu(&hart_pmu, &hart_counters);
	delegate();
	choose_supervisor();
	for (i = 0; i < CPUS; i++)
		set_up_cpu(&cpus[i], i, map);
	for (i = 0, left = CPUS; left; i = (i + 1) % CPUS) {
		struct virtual_cpu *c = &cpus[i];

		if (c->over)
			continue;
		set_monitor_timer(now() + TURN);
		take_turn(c);
		failed |= c->over && c->state.x[A1];
		left -= c->over != 0;
	}
	put(failed ? "FAILED\n" : "passed\n");
	return failed;
}
