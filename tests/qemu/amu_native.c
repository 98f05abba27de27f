/* SPDX-License-Identifier: BSD-2-Clause
 *
 * AMU system registers of AArch64 or AArch32 on a CPU without AMU: each access traps, and the
 * handler forwards it to the model of a CPU. Built and run by amu_registers.sh.
 */
#define _GNU_SOURCE
#ifdef __arm__
#define AMU_CPU_AARCH32 1
#endif
#include "tests/support/amu_registers.h"
#include <signal.h>
#include <stddef.h>
#include <ucontext.h>

#ifdef PMUMAP_AMU_HIGHEST_EL
enum { HIGHEST = 1 };
#else
enum { HIGHEST = 0 };
#endif
enum { EL = HIGHEST ? 3 : 1 };

/* A decoded access, with its register's AArch64 encoding. */
struct access {
	int known, write;
	uint32_t crm, op2;
	uint32_t low, high; /* general registers */
};

static uint32_t strange; /* instructions that access no AMU register */

#ifdef __aarch64__
enum { WIDTH = 64, ID_SHIFT = 44 };

/*
 * MRS and MSR. User programs may read the ID register, so the script replaces it by S3_3_C13_C0_0,
 * which no CPU has.
 */
static struct access decode(uint32_t word)
{
	struct access a = { 0, !(word >> 21 & 1), word >> 8 & 15, word >> 5 & 7, word & 31, 31 };

	/* S3_4 has only the offsets; S3_3 has the rest of AMU. */
	a.known = (word & 0xffdff000) ==
		  (amu_cpu_reg(a.crm, a.op2).kind == AMU_OFFSET ? 0xd51cd000 : 0xd51bd000);
	return a;
}

static uint32_t instruction(const ucontext_t *u)
{
	return *(const uint32_t *)u->uc_mcontext.pc;
}

static uint64_t general(const ucontext_t *u, uint32_t n)
{
	return n < 31 ? u->uc_mcontext.regs[n] : 0;
}

static void set_general(ucontext_t *u, uint32_t n, uint64_t value)
{
	if (n < 31)
		u->uc_mcontext.regs[n] = value;
}

static void skip(ucontext_t *u)
{
	u->uc_mcontext.pc += 4;
}
#else
enum { WIDTH = 32, ID_SHIFT = 20 };

/* MRC and MCR for 32-bit registers, MRRC and MCRR for counters. */
static struct access decode(uint32_t word)
{
	static const uint32_t counters[] = { 4, 5, 0, 0, 12, 13 };
	struct access a = { 0, !(word >> 20 & 1), word & 15, word >> 5 & 7, word >> 12 & 15, 16 };

	a.known = (word & 0xffef0f10) == 0xee0d0f10;
	if ((word & 0xffff0fff) == 0xee100f11) {
		a.known = 1;
		a.crm = a.op2 = 0;
	}
	if ((word & 0xffe00f00) == 0xec400f00) {
		a.known = a.crm < 6 && (word >> 4 & 15) < 8;
		a.crm = a.crm < 6 ? counters[a.crm] : 0;
		a.op2 = word >> 4 & 15;
		a.high = word >> 16 & 15;
	}
	return a;
}

enum { THUMB = 0x20 };

static uint32_t instruction(const ucontext_t *u)
{
	const uint16_t *half = (const uint16_t *)u->uc_mcontext.arm_pc;

	if (u->uc_mcontext.arm_cpsr & THUMB)
		return (uint32_t)half[0] << 16 | half[1];
	return (uint32_t)half[1] << 16 | half[0];
}

static unsigned long *general_at(ucontext_t *u, uint32_t n)
{
	char *r = (char *)&u->uc_mcontext + offsetof(mcontext_t, arm_r0);

	return (unsigned long *)(void *)r + n;
}

static uint64_t general(ucontext_t *u, uint32_t n)
{
	return n < 15 ? *general_at(u, n) : 0;
}

static void set_general(ucontext_t *u, uint32_t n, uint64_t value)
{
	if (n < 15)
		*general_at(u, n) = (uint32_t)value;
}

static void skip(ucontext_t *u)
{
	u->uc_mcontext.arm_pc += 4;
}
#endif

static void trap(int number, siginfo_t *info, void *context)
{
	ucontext_t *u = (ucontext_t *)context;
	struct access a = decode(instruction(u));
	int counter = amu_cpu_reg(a.crm, a.op2).kind == AMU_COUNT;
	uint64_t value;

	(void)number;
	(void)info;
	/* In AArch32 only counters have two halves. */
	strange += !a.known || (WIDTH == 32 && counter != (a.high != 16));
	if (!a.known)
		fprintf(stderr, "strange instruction %08" PRIx32 "\n", instruction(u));
	if (strange > 100)
		abort();
	if (a.known && a.write) {
		value = general(u, a.low);
		if (WIDTH == 32)
			value |= general(u, a.high) << 32;
		amu_cpu_write(&cpu, a.crm << 3 | a.op2, value);
	}
	if (a.known && !a.write) {
		value = amu_cpu_read(&cpu, a.crm << 3 | a.op2);
		if (amu_cpu_reg(a.crm, a.op2).kind == AMU_ID)
			value = ~((15 ^ value) << ID_SHIFT);
		set_general(u, a.low, value);
		if (WIDTH == 32)
			set_general(u, a.high, value >> 32);
	}
	skip(u);
}

static void attach(struct pmumap_amu_hw *hw)
{
	memset(hw, 0xa5, sizeof(*hw));
	pmumap_amu_native(hw);
	amu_cpu_forget(&cpu);
	cpu.el = EL;
	CHECK(!hw->read && !hw->write && !hw->write_offset);
}

int main(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = trap;
	action.sa_flags = SA_SIGINFO | SA_NODEFER;
	CHECK(sigaction(SIGILL, &action, NULL) == 0);
	probing();
	group0();
	if (HIGHEST)
		cpus();
	if (!HIGHEST)
		locked();
	CHECK_EQ(strange, 0);
	return test_summary();
}
