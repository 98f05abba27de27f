/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bbl.c -- a payload's calls on a hart whose CSRs are an array, for hosts/bbl. The tree is that of
 * tests/trees/boards/sifive-u74.dts.
 *
 *	bbl TREE.dtb
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "pmumap_hw.h"
#include "attack.h"
#include "check.h"
#include "mtrap.h"
#include "pmu.h"

uintptr_t mem_size, mem_start;
char pmu_skip[4], _ftext;

static uint64_t csr[4096];
static uintptr_t mideleg, mtvec = 0x1000, mscratch = 0x2000;
static int messages;

void printm(const char *s, ...)
{
	(void)s;
	messages++;
}

uintptr_t csr_by_name(const char *name)
{
	return !strcmp(name, "mtvec")       ? mtvec
	       : !strcmp(name, "mscratch")  ? mscratch
	       : !strcmp(name, "mvendorid") ? 0x489
					    : 0; /* mhartid, and others */
}

void csr_set_by_name(const char *name, uintptr_t value, int also)
{
	uintptr_t *to = !strcmp(name, "mtvec")      ? &mtvec
			: !strcmp(name, "mscratch") ? &mscratch
						    : &mideleg;

	*to = also ? *to | value : value;
}

/* Counters 3 and 4 of 40 bits, with Sscofpmf. What is not there may be touched in a probe only. */
static uint64_t read_register(void *arg, uint32_t number)
{
	(void)arg;
	if (number == 0xda0)
		return (csr[0x323] >> 63) << 3 | (csr[0x324] >> 63) << 4;
	return csr[number];
}

static void write_register(void *arg, uint32_t number, uint64_t value)
{
	(void)arg;
	if ((number > 0xb04 && number < 0xb20) || number == 0x321) {
		IS(mtvec == (uintptr_t)pmu_skip, 1);
		return;
	}
	if (number == 0xb03 || number == 0xb04)
		value &= 0xffffffffff;
	csr[number] = value;
}

void pmumap_hart_native(struct pmumap_hart *h)
{
	h->read = read_register;
	h->write = write_register;
	h->xlen = 64;
}

/* A call with 4 arguments; its error. regs[11] is the value. */
static uintptr_t regs[32];

static uintptr_t call(uintptr_t extension, uintptr_t function, uintptr_t a0, uintptr_t a1,
		      uintptr_t a2, uintptr_t a3)
{
	regs[10] = a0;
	regs[11] = a1;
	regs[12] = a2;
	regs[13] = a3;
	regs[14] = regs[15] = 0;
	regs[16] = function;
	regs[17] = extension;
	IS(pmu_call(regs), extension == PMUMAP_SBI_EID || extension == 0x10);
	return regs[10];
}

static void check_base(void)
{
	IS(call(0x10, 0, 0, 0, 0, 0), 0);
	IS(regs[11], 3);
	IS(call(0x10, 3, PMUMAP_SBI_EID, 0, 0, 0), 0);
	IS(regs[11], 1);
	IS(call(0x10, 3, 8, 0, 0, 0), 0);
	IS(regs[11], 1);
	IS(call(0x10, 3, 9, 0, 0, 0), 0);
	IS(regs[11], 0);
	IS(call(0x10, 4, 0, 0, 0, 0), 0);
	IS(regs[11], 0x489);
	IS(call(0x10, 7, 0, 0, 0, 0), (uintptr_t)-2);
}

/* DTLB misses of reads on the first of two counters, by the selector of the tree. */
static void check_counter(void)
{
	IS(call(PMUMAP_SBI_EID, 2, 0, 0x18, 2, 0x10019), 0);
	IS(regs[11], 3);
	IS(call(PMUMAP_SBI_EID, 3, 3, 1, 0, 0), 0);
	IS(csr[0x323] & 0xffffffff, 0x1002);
	IS(csr[0x323] >> 62, 1); /* not in M-mode */
	IS(call(PMUMAP_SBI_EID, 4, 3, 1, 1, 0), 0);
	IS(call(PMUMAP_SBI_EID, 2, 0, 0x18, 2, 0x10000), (uintptr_t)-2);
}

/* Timers are old calls; memory is the payload's, and not that of bbl. */
static void check_firmware(void)
{
	uint32_t *entry = (uint32_t *)mem_start;
	uintptr_t counter;

	IS(call(PMUMAP_SBI_EID, 2, 0, 0xffff << 5, 6, 0xf0005), 0);
	counter = regs[11];
	call(0, 0, 0, 0, 0, 0);
	call(4, 0, 0, 0, 0, 0);
	IS(call(PMUMAP_SBI_EID, 5, counter, 0, 0, 0), 0);
	IS(regs[11], 1);
	entry[0] = 0x10019;
	IS(call(PMUMAP_SBI_EID, 8, mem_start, 0, 1, 0), 0);
	IS(entry[1], 1);
	IS(call(PMUMAP_SBI_EID, 8, mem_start + mem_size, 0, 1, 0), (uintptr_t)-5);
	mem_start = ((uintptr_t)&_ftext & ~(uintptr_t)15) + 16; /* as if that were in this memory */
	IS(call(PMUMAP_SBI_EID, 8, mem_start, 0, 1, 0), (uintptr_t)-5);
	mem_start = (uintptr_t)entry;
}

static int attack_call(unsigned long function, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3)
{
	return (int)call(PMUMAP_SBI_EID, function, a0, a1, a2, a3);
}

int main(int argc, char **argv)
{
	FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
	char *memory = aligned_alloc(16, 1 << 20);

	if (!file || !memory || !fread(memory + 4096, 1, (1 << 20) - 4096, file))
		return 2;
	fclose(file);
	mem_start = (uintptr_t)memory;
	mem_size = 1 << 20;
	pmu_read_tree(mem_start + 4096);
	IS(messages, 0);
	pmu_init_hart();
	IS(mtvec, 0x1000);
	IS(mscratch, 0x2000);
	IS(mideleg, 1 << 13);
	IS(csr[0x306], 0x1d);
	check_base();
	check_counter();
	check_firmware();
	attack(attack_call, mem_start, memory, mem_size, 5, ~0ull);
	pmu_filter_tree(mem_start + 4096);
	pmu_read_tree(mem_start + 4096); /* has no rows now */
	pmu_init_hart();
	IS(call(PMUMAP_SBI_EID, 2, 0, 0x18, 2, 0x10019), (uintptr_t)-2);
	pmu_read_tree(mem_start); /* no tree */
	pmu_init_hart();
	IS(messages > 0, 1);
	IS(call(PMUMAP_SBI_EID, 2, 0, 0x1f, 2, 1), (uintptr_t)-2);
	free(memory);
	return finish();
}
