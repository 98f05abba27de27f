/* SPDX-License-Identifier: BSD-2-Clause
 *
 * semu.c -- a hart of semu that runs nothing but the number of its instructions, for hosts/semu.
 */
#include "attack.h"
#include "check.h"
#include "riscv.h"
#include "riscv_private.h"
#include "semu_pmu.h"

static uint32_t ram[1024];
static hart_t hart;

void vm_set_exception(hart_t *vm, uint32_t cause, uint32_t val)
{
	(void)val;
	vm->error = ERR_EXCEPTION;
	vm->exc_cause = cause;
}

/* As semu's loop: some steps, then a look at the counters. */
static void run(int steps)
{
	while (steps > 0) {
		int now = semu_pmu_steps(&hart, steps);

		hart.instret += (uint64_t)now;
		semu_pmu_sync(&hart);
		steps -= now;
	}
}

static void mode(bool supervisor)
{
	semu_pmu_sync(&hart);
	hart.s_mode = supervisor;
}

/* A call with 5 arguments; its error. */
static uint32_t call(uint32_t extension, uint32_t function, uint32_t a0, uint32_t a1, uint32_t a2,
		     uint32_t a3, uint32_t a4)
{
	const uint32_t a[5] = { a0, a1, a2, a3, a4 };
	int i;

	for (i = 0; i < 5; i++)
		hart.x_regs[RV_R_A0 + i] = a[i];
	hart.x_regs[RV_R_A6] = function;
	hart.x_regs[RV_R_A7] = extension;
	IS(semu_pmu_ecall(&hart), extension == SEMU_PMU_EID);
	return hart.x_regs[RV_R_A0];
}

static uint32_t csr(uint32_t number)
{
	uint32_t value = 0xdead;

	hart.error = ERR_NONE;
	IS(semu_pmu_csr(&hart, number, &value), 1);
	return hart.error ? ~0u : value;
}

/* Before a guest asks for anything, cycle and instret count, and nothing else is there. */
static void check_start(void)
{
	uint32_t value;

	run(1000);
	IS(csr(0xc00), 1000);
	IS(csr(0xc02), 1000);
	IS(csr(0xc82), 0);
	IS(csr(0xc03), 0);
	IS(csr(0xda0), 0);
	IS(semu_pmu_csr(&hart, 0xc01, &value), 0);
	IS(semu_pmu_csr(&hart, 0xc07, &value), 0);
	IS(semu_pmu_csr(&hart, 0x100, &value), 0);
	mode(false);
	IS(csr(0xc02), ~0u);
	IS(hart.exc_cause, RV_EXC_ILLEGAL_INSN);
	hart.scounteren = 4;
	IS(csr(0xc02), 1000);
	mode(true);
}

/* Instructions of user mode alone, a thousand before the counter wraps. */
static void check_sampling(void)
{
	IS(call(SEMU_PMU_EID, 0, 0, 0, 0, 0, 0), 0);
	IS(hart.x_regs[RV_R_A0 + 1], 7 + 16);
	IS(call(SEMU_PMU_EID, 2, 0, 0x78, 0x2 | 0x10 << 2, 2, 0), 0);
	IS(hart.x_regs[RV_R_A0 + 1], 3);
	IS(call(SEMU_PMU_EID, 3, 3, 1, 1, -1000u, ~0u), 0);
	run(5000);
	IS(csr(0xc03), -1000u);
	mode(false);
	run(999);
	IS(hart.sip, 0);
	run(1);
	IS(hart.sip, SEMU_PMU_LCOFI_BIT);
	run(70000);
	mode(true);
	IS(csr(0xc03), 70000);
	IS(csr(0xc83), 0);
	IS(csr(0xda0), 8);
	hart.sip = 0;
	IS(call(SEMU_PMU_EID, 4, 3, 1, 0, 0, 0), 0);
	IS(call(SEMU_PMU_EID, 3, 3, 1, 1, ~0u, ~0u), 0);
	IS(csr(0xda0), 0);
	IS(call(SEMU_PMU_EID, 4, 3, 1, 1, 0, 0), 0);
}

/* It never steps over the wrap of a counter, however many steps it may take. */
static void check_steps(void)
{
	IS(call(SEMU_PMU_EID, 2, 0, 0x78, 0x2, 1, 0), 0);
	IS(call(SEMU_PMU_EID, 3, 3, 1, 1, -7u, ~0u), 0);
	IS(semu_pmu_steps(&hart, 100), 7);
	run(7);
	IS(hart.sip, SEMU_PMU_LCOFI_BIT);
	IS(semu_pmu_steps(&hart, 100), 100);
	IS(call(SEMU_PMU_EID, 4, 3, 1, 1, 0, 0), 0);
}

/* Timers are counted on a firmware counter, until the hart stops. */
static void check_firmware(void)
{
	uint32_t counter;

	IS(call(SEMU_PMU_EID, 2, 7, 0xffff, 6, 0xf0005, 0), 0);
	counter = hart.x_regs[RV_R_A0 + 1];
	call(SBI_EID_TIMER, 0, 0, 0, 0, 0, 0);
	call(SBI_EID_TIMER, 1, 0, 0, 0, 0, 0);
	call(SBI_EID_IPI, 0, 0, 0, 0, 0, 0);
	IS(call(SEMU_PMU_EID, 5, counter, 0, 0, 0, 0), 0);
	IS(hart.x_regs[RV_R_A0 + 1], 1);
	IS(call(SEMU_PMU_EID, 2, 7, 0xffff, 6, 0xf0000, 0), (uint32_t)-2);
	call(SBI_EID_HSM, SBI_HSM__HART_STOP, 0, 0, 0, 0, 0);
	IS(call(SEMU_PMU_EID, 3, counter, 1, 0, 0, 0), (uint32_t)-3);
}

/* EVENT_GET_INFO reads and writes the guest's memory, up to its last byte and no further. */
static void check_memory(void)
{
	ram[1020] = 2;
	ram[1021] = 0x5555;
	IS(call(SEMU_PMU_EID, 8, 4080, 0, 1, 0, 0), 0);
	IS(ram[1021], 1);
	IS(call(SEMU_PMU_EID, 8, 4096, 0, 1, 0, 0), (uint32_t)-5);
	IS(call(SEMU_PMU_EID, 8, 0, 1, 1, 0, 0), (uint32_t)-5);
	/* No snapshots: Linux would lose samples. */
	IS(call(SEMU_PMU_EID, 7, 0, 0, 0, 0, 0), (uint32_t)-2);
}

static int attack_call(unsigned long function, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3)
{
	return (int)call(SEMU_PMU_EID, (uint32_t)function, (uint32_t)a0, (uint32_t)a1, (uint32_t)a2,
			 (uint32_t)a3, 0);
}

int main(void)
{
	hart.ram_base = ram;
	hart.ram_size = sizeof(ram);
	hart.s_mode = true;
	IS(semu_pmu_init(&hart), 1);
	check_start();
	check_sampling();
	check_steps();
	check_firmware();
	check_memory();
	attack(attack_call, 0, ram, sizeof(ram), 7, 0xffffffff);
	return finish();
}
