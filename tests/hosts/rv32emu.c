/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rv32emu.c -- a hart of rv32emu that runs nothing but its cycle counter, for hosts/rv32emu.
 */
#include "attack.h"
#include "check.h"
#include "riscv.h"
#include "riscv_private.h"
#include "sbi_pmu.h"

static uint32_t ram[1024], registers[32];
static memory_t memory = { (uint8_t *)ram, sizeof(ram) };
static vm_attr_t attr = { &memory };
static riscv_t hart = { &attr, 0 };
static struct sbi_pmu *pmu;

uint32_t rv_get_reg(riscv_t *rv, uint32_t reg)
{
	(void)rv;
	return registers[reg];
}

void rv_set_reg(riscv_t *rv, uint32_t reg, uint32_t in)
{
	(void)rv;
	registers[reg] = in;
}

/* A call with 5 arguments; its error. */
static uint32_t call(uint32_t function, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3,
		     uint32_t a4)
{
	const uint32_t a[5] = { a0, a1, a2, a3, a4 };
	uint32_t i;

	for (i = 0; i < 5; i++)
		registers[rv_reg_a0 + i] = a[i];
	registers[rv_reg_a6] = function;
	sbi_pmu_call(pmu);
	return registers[rv_reg_a0];
}

static uint32_t csr(uint32_t number)
{
	uint32_t *value = sbi_pmu_csr(pmu, number);

	return value ? *value : 0xdead;
}

/* Before a guest asks for anything, cycle and instret count. A write changes a copy. */
static void check_start(void)
{
	hart.csr_cycle = 0x100000005;
	IS(csr(0xc00), 5);
	IS(csr(0xc80), 1);
	IS(csr(0xc02), 5);
	IS(csr(0xc03), 0);
	IS(csr(0xc01), 0xdead);
	IS(csr(0xc81), 0xdead);
	IS(csr(0xc07), 0xdead);
	IS(csr(0xb00), 0xdead);
	IS(csr(0xca0), 0xdead);
	*sbi_pmu_csr(pmu, 0xc00) = 77;
	IS(csr(0xc00), 5);
}

/* Counters start at any value, and keep it while they stand still. */
static void check_counting(void)
{
	IS(call(0, 0, 0, 0, 0, 0), 0);
	IS(registers[rv_reg_a1], 7 + 16);
	IS(call(2, 0, 0x78, 0x2, 2, 0), 0);
	IS(registers[rv_reg_a1], 3);
	IS(call(3, 3, 1, 1, 0xfffffff0, 1), 0);
	hart.csr_cycle += 0x20;
	IS(csr(0xc03), 0x10);
	IS(csr(0xc83), 2);
	IS(call(4, 3, 1, 0, 0, 0), 0);
	hart.csr_cycle += 1000;
	IS(csr(0xc03), 0x10);
	IS(call(3, 3, 1, 0, 0, 0), 0);
	hart.csr_cycle += 1;
	IS(csr(0xc03), 0x11);
	IS(call(4, 3, 1, 1, 0, 0), 0);
	/* Without CLEAR_VALUE the next event begins where the last one ended. */
	IS(call(2, 3, 1, 0x4, 1, 0), 0);
	hart.csr_cycle += 2;
	IS(csr(0xc03), 0x13);
	IS(call(4, 3, 1, 1, 0, 0), 0);
	/* instret stands still until it is started; cycle goes on. */
	IS(call(2, 2, 1, 0, 2, 0), 0);
	hart.csr_cycle += 3;
	IS(csr(0xc02) + 3, csr(0xc00));
	IS(call(2, 0, 0x78, 0x2, 3, 0), (uint32_t)-2);
}

static void check_firmware(void)
{
	uint32_t counter;

	IS(call(2, 7, 0xffff, 6, 0xf0005, 0), 0);
	counter = registers[rv_reg_a1];
	sbi_pmu_set_timer(pmu);
	IS(call(5, counter, 0, 0, 0, 0), 0);
	IS(registers[rv_reg_a1], 1);
	IS(call(2, 7, 0xffff, 6, 0xf0006, 0), (uint32_t)-2);
}

/* EVENT_GET_INFO reads and writes the guest's memory, up to its last byte and no further. */
static void check_memory(void)
{
	ram[1020] = 2;
	ram[1021] = 0x5555;
	IS(call(8, 4080, 0, 1, 0, 0), 0);
	IS(ram[1021], 1);
	IS(call(8, 4096, 0, 1, 0, 0), (uint32_t)-5);
	IS(call(8, 0, 1, 1, 0, 0), (uint32_t)-5);
}

static int attack_call(unsigned long function, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3)
{
	return (int)call((uint32_t)function, (uint32_t)a0, (uint32_t)a1, (uint32_t)a2, (uint32_t)a3,
			 0);
}

int main(void)
{
	pmu = sbi_pmu_new(&hart);
	IS(pmu != NULL, 1);
	check_start();
	check_counting();
	check_firmware();
	check_memory();
	attack(attack_call, 0, ram, sizeof(ram), 7, 0xffffffff);
	sbi_pmu_delete(pmu);
	return finish();
}
