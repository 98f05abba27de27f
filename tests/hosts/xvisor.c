/* SPDX-License-Identifier: BSD-2-Clause
 *
 * xvisor.c -- two vcpus of Xvisor that take turns on two host cpus, for hosts/xvisor. The cpus
 * have the same counters: those of firmware of our own.
 */
#include "attack.h"
#include "check.h"
#include "firmware.h"
#include <stdlib.h>
#include <string.h>

/* stdlib.h has size_t and NULL already. */
#define size_t xvisor_size_t
#undef NULL
#include "xvisor.h"
#undef size_t
#include "cpu_vcpu_pmu.h"

#define GUEST 0x80000000u

extern const struct cpu_vcpu_sbi_extension vcpu_sbi_pmu;

int this_host_cpu;

static struct vmm_guest guest;
static struct riscv_priv privs[2] = { { 64, 0, { 0, 0 } }, { 64, 0, { 0, 0 } } };
static struct vmm_vcpu vcpus[2] = { { &guest, &privs[0] }, { &guest, &privs[1] } };
static unsigned char ram[0x2000];
static unsigned long hcounteren, value, allocated;

void write_csr(int csr, unsigned long bits)
{
	IS(csr, CSR_HCOUNTEREN);
	hcounteren = bits;
}

void *vmm_zalloc(unsigned long bytes)
{
	allocated++;
	return calloc(1, bytes);
}

void vmm_free(void *p)
{
	allocated -= p != 0;
	free(p);
}

/* Two pages of RAM, each mapped elsewhere; and a device behind them. */
int vmm_guest_physical_map(struct vmm_guest *g, physical_addr_t at, physical_size_t bytes,
			   physical_addr_t *to, physical_size_t *size, u32 *flags)
{
	(void)g, (void)bytes;
	if (at < GUEST || at >= GUEST + 0x3000)
		return -1;
	*to = at;
	*size = 0x1000 - at % 0x1000;
	*flags = at < GUEST + sizeof(ram) ? VMM_REGION_ISRAM : 0;
	return 0;
}

u32 vmm_guest_memory_read(struct vmm_guest *g, physical_addr_t at, void *to, u32 bytes, bool cached)
{
	(void)g, (void)cached;
	memcpy(to, ram + (at - GUEST), bytes);
	return bytes;
}

u32 vmm_guest_memory_write(struct vmm_guest *g, physical_addr_t at, void *from, u32 bytes,
			   bool cached)
{
	(void)g, (void)cached;
	IS(bytes == 4 && at % 16 == 4, 1); /* only outputs of EVENT_GET_INFO */
	memcpy(ram + (at - GUEST), from, bytes);
	return bytes;
}

/* A call with 4 arguments; its error. value is what else it answers. */
static int call(int vcpu, unsigned long function, unsigned long a0, unsigned long a1,
		unsigned long a2, unsigned long a3)
{
	unsigned long args[6] = { a0, a1, a2, a3, 0, 0 };
	struct cpu_vcpu_sbi_return out = { 0, 0 };
	int error = vcpu_sbi_pmu.handle(&vcpus[vcpu], SBI_EXT_PMU, function, args, &out);

	value = out.value;
	return error;
}

/* Each counts what happens in its own turns, wherever it is. */
static void check_turns(void)
{
	int i, turn;

	for (turn = 0; turn < 8; turn++) {
		i = turn & 1;
		this_host_cpu = turn >> 2;
		cpu_vcpu_pmu_restore(&vcpus[i]);
		if (turn < 2) {
			IS(hcounteren, 0x7a);
			IS(call(i, PMUMAP_SBI_CONFIG_MATCHING, 0, 0x78, 6, 0x10019), 0);
			IS(value, 3);
			IS(below.job[3].inhibit,
			   PMUMAP_INHIBIT_M | PMUMAP_INHIBIT_S | PMUMAP_INHIBIT_U);
		}
		below_run(i ? 100 : 7);
		cpu_vcpu_pmu_save(&vcpus[i]);
		IS(below.running, 0);
	}
	for (i = 0; i < 2; i++) {
		cpu_vcpu_pmu_restore(&vcpus[i]);
		IS(below.value[3], i ? 400 : 28);
		cpu_vcpu_pmu_save(&vcpus[i]);
	}
}

/*
 * A vcpu finds nothing of another one in the counters that it may read: neither one that leaves them
 * unused, nor one without PMU state, nor a nested guest. A counter that cannot be wiped is withdrawn.
 */
static void check_secrets(void)
{
	struct riscv_priv plain = { 64, 0, { 0, 0 } };
	struct vmm_vcpu other = { &guest, &plain };

	this_host_cpu = 1;
	cpu_vcpu_pmu_restore(&vcpus[0]);
	IS(call(0, PMUMAP_SBI_STOP, 3, 1, PMUMAP_SBI_RESET, 0), 0);
	IS(call(0, PMUMAP_SBI_CONFIG_MATCHING, 0, 0x40, 6, 0x10019), 0);
	below_run(77);
	cpu_vcpu_pmu_save(&vcpus[0]);
	hcounteren = ~0ul;
	cpu_vcpu_pmu_restore(&other);
	IS(hcounteren, 2);
	cpu_vcpu_pmu_save(&other);
	below.refuses = 1;
	cpu_vcpu_pmu_restore(&vcpus[1]);
	IS(hcounteren & 0x40, 0);
	cpu_vcpu_pmu_save(&vcpus[1]);
	below.refuses = 0;
	privs[1].nested.virt = 1;
	cpu_vcpu_pmu_restore(&vcpus[1]);
	IS(hcounteren, 2);
	IS(privs[1].nested.hcounteren, 0x7a);
	IS(below.value[6], 0);
	cpu_vcpu_pmu_save(&vcpus[1]);
	privs[1].nested.virt = 0;
	cpu_vcpu_pmu_restore(&vcpus[0]);
	IS(below.value[6], 77);
	IS(call(0, PMUMAP_SBI_STOP, 6, 1, PMUMAP_SBI_RESET, 0), 0);
	cpu_vcpu_pmu_save(&vcpus[0]);
}

static void check_firmware(void)
{
	unsigned long counter;

	cpu_vcpu_pmu_restore(&vcpus[0]);
	IS(call(0, PMUMAP_SBI_CONFIG_MATCHING, 7, 0xffff, 6, 0xf0005), 0);
	counter = value;
	cpu_vcpu_pmu_count(&vcpus[0], SBI_EXT_TIME, 0);
	cpu_vcpu_pmu_count(&vcpus[0], SBI_EXT_0_1_SET_TIMER, 0);
	cpu_vcpu_pmu_count(&vcpus[0], SBI_EXT_IPI, 0);
	cpu_vcpu_pmu_count(&vcpus[1], SBI_EXT_TIME, 0);
	IS(call(0, PMUMAP_SBI_FW_READ, counter, 0, 0, 0), 0);
	IS(value, 2);
}

/* An entry on two pages; devices, and what is nothing, are refused. */
static void check_memory(void)
{
	const uint32_t entry[2] = { 0x10019, 0x5555 };
	uint32_t answer;

	memcpy(ram + 0xff0, entry, sizeof(entry));
	memcpy(ram + 0x1000, entry, sizeof(entry));
	IS(call(0, PMUMAP_SBI_EVENT_GET_INFO, GUEST + 0xff0, 0, 2, 0), 0);
	memcpy(&answer, ram + 0x1004, 4);
	IS(answer, 1);
	IS(call(0, PMUMAP_SBI_EVENT_GET_INFO, GUEST + 0x1ff0, 0, 2, 0), -5);
	IS(call(0, PMUMAP_SBI_EVENT_GET_INFO, GUEST - 16, 0, 1, 0), -5);
	IS(call(0, PMUMAP_SBI_EVENT_GET_INFO, GUEST, 1, 1, 0), -5);
	IS(call(0, PMUMAP_SBI_EVENT_GET_INFO, ~0ul & ~15ul, 0, 1, 0), -5);
	/* No snapshots: Linux would lose samples. */
	IS(call(0, PMUMAP_SBI_SNAPSHOT_SET_SHMEM, GUEST, 0, 0, 0), -2);
}

static int attack_call(unsigned long function, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3)
{
	return call(0, function, a0, a1, a2, a3);
}

int main(void)
{
	this_host_cpu = 2; /* there is no PMU below yet */
	IS(vcpu_sbi_pmu.probe(&vcpus[0]), 0);
	cpu_vcpu_pmu_restore(&vcpus[0]);
	cpu_vcpu_pmu_count(&vcpus[0], SBI_EXT_TIME, 0);
	cpu_vcpu_pmu_reset(&vcpus[0]);
	cpu_vcpu_pmu_save(&vcpus[0]);
	IS(allocated, 0);

	below_begin();
	this_host_cpu = 1;
	IS(vcpu_sbi_pmu.probe(&vcpus[0]), 1);
	IS(vcpu_sbi_pmu.probe(&vcpus[1]), 1);
	check_turns();
	check_secrets();
	this_host_cpu = 1;
	check_firmware();
	check_memory();
	attack(attack_call, GUEST, ram, sizeof(ram), 7, ~0ull);
	cpu_vcpu_pmu_reset(&vcpus[0]); /* the guest reboots */
	IS(call(0, PMUMAP_SBI_START, 3, 1, 0, 0), -3);
	cpu_vcpu_pmu_deinit(&vcpus[0]);
	cpu_vcpu_pmu_deinit(&vcpus[1]);
	IS(allocated, 0);
	return finish();
}
