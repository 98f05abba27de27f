/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bao.c -- a guest's calls on two cpus of Bao, on firmware of our own, for hosts/bao.
 */
#include "attack.h"
#include "check.h"
#include "firmware.h"
#include <arch/vpmu.h>
#include <string.h>

#define GUEST 0x90000000u

static struct vm_mem_region region = { GUEST, 0x2000 };
static struct vm_config config = { { 1, &region } };
static struct vm machine = { &config, { 0 } };
static struct vcpu vcpus[2] = { { &machine, { 0 } }, { &machine, { 0 } } };
static struct cpu cpus[2] = { { 0, { 1 }, &vcpus[0] }, { 1, { 1 }, &vcpus[1] } };
static struct cpu *now = &cpus[0];
static unsigned char memory[0x2000] __attribute__((aligned(0x1000)));
static int mapped;

struct cpu *cpu(void)
{
	return now;
}

unsigned long vcpu_readreg(struct vcpu *vcpu, unsigned long reg)
{
	return vcpu->x[reg];
}

vaddr_t mem_map_cpy(struct addr_space *ass, struct addr_space *asd, as_sec_t asd_section,
		    vaddr_t vas, vaddr_t vad, size_t num_pages)
{
	(void)asd_section, (void)vad;
	IS(ass == &machine.as && asd == &now->as, 1);
	IS(vas >= GUEST && vas + num_pages * PAGE_SIZE <= GUEST + sizeof(memory), 1);
	IS(vas % PAGE_SIZE, 0);
	mapped++;
	return (vaddr_t)memory + (vas - GUEST);
}

void mem_unmap(struct addr_space *as, vaddr_t at, size_t num_pages, bool free_ppages)
{
	(void)at, (void)num_pages;
	IS(as == &now->as && !free_ppages, 1);
	mapped--;
}

static struct sbiret call(unsigned long fid, unsigned long a0, unsigned long a1, unsigned long a2,
			  unsigned long a3)
{
	const unsigned long a[4] = { a0, a1, a2, a3 };

	memset(now->vcpu->x, 0, sizeof(now->vcpu->x));
	memcpy(&now->vcpu->x[REG_A0], a, sizeof(a));
	vpmu_count(SBI_EXTID_PMU, fid);
	return vpmu_call(fid);
}

/* A counter of the guest does not see what Bao does, and leaves out what the guest says. */
static void check_counter(void)
{
	struct sbiret ret = call(PMUMAP_SBI_CONFIG_MATCHING, 0, 0x78,
				 2 | PMUMAP_INHIBIT_U << PMUMAP_SBI_INHIBIT_SHIFT, 0x10019);

	IS(ret.error, 0);
	IS(ret.value, 3);
	IS(call(PMUMAP_SBI_START, 3, 1, 0, 0).error, 0);
	IS(below.job[3].event, 0x10019);
	IS(below.job[3].inhibit,
	   PMUMAP_INHIBIT_M | PMUMAP_INHIBIT_S | PMUMAP_INHIBIT_U | PMUMAP_INHIBIT_VU);
	below_run(100);
	IS(below.value[3], 100); /* what the guest reads by itself */
	IS(call(PMUMAP_SBI_STOP, 3, 1, 0, 0).error, 0);
	IS(call(PMUMAP_SBI_CONFIG_MATCHING, 0, 0x78, 0, 0x10000).error, -2);
}

/* Timers, and calls that are no events. */
static void check_firmware(void)
{
	struct sbiret ret = call(PMUMAP_SBI_CONFIG_MATCHING, 7, 0xffff, 6, 0xf0005);

	IS(ret.error, 0);
	vpmu_count(0x54494D45, 0);
	vpmu_count(0x54494D45, 1);
	vpmu_count(0x735049, 0);
	IS(call(PMUMAP_SBI_FW_READ, (unsigned long)ret.value, 0, 0, 0).value, 1);
}

/* An entry that lies on two pages, and those that are not the guest's. */
static void check_memory(void)
{
	uint32_t entry[2] = { 0x10019, 0x5555 };

	memcpy(memory + 0xff0, entry, sizeof(entry));
	memcpy(memory + 0x1000, entry, sizeof(entry));
	IS(call(PMUMAP_SBI_EVENT_GET_INFO, GUEST + 0xff0, 0, 2, 0).error, 0);
	memcpy(entry, memory + 0x1000, sizeof(entry));
	IS(entry[1], 1);
	IS(call(PMUMAP_SBI_EVENT_GET_INFO, GUEST + 0x1ff0, 0, 2, 0).error, -5);
	IS(call(PMUMAP_SBI_EVENT_GET_INFO, GUEST - 16, 0, 1, 0).error, -5);
	IS(call(PMUMAP_SBI_EVENT_GET_INFO, GUEST, 1, 1, 0).error, -5);
	IS(mapped, 0);
}

static int attack_call(unsigned long function, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3)
{
	return (int)call(function, a0, a1, a2, a3).error;
}

int main(void)
{
	uint32_t calls;

	IS(vpmu_present(), 0);
	IS(vpmu_reset(), 0); /* no PMU below: total is 0 */
	IS(vpmu_present(), 0);
	IS(call(PMUMAP_SBI_NUM_COUNTERS, 0, 0, 0, 0).error, -2);

	below_begin();
	now = &cpus[1];
	IS(vpmu_reset(), 0x78);
	IS(vpmu_present(), 1);
	IS(call(PMUMAP_SBI_NUM_COUNTERS, 0, 0, 0, 0).value, 7 + 16);
	check_counter();
	check_firmware();
	check_memory();
	attack(attack_call, GUEST, memory, sizeof(memory), 7, ~0ull);
	IS(mapped, 0);
	calls = below.calls;
	IS(vpmu_reset(), 0x78); /* the vcpu starts again */
	IS(below.calls - calls < 10, 1);
	IS(call(PMUMAP_SBI_START, 3, 1, 0, 0).error, -3);
	return finish();
}
