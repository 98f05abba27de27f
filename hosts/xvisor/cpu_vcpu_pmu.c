/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * cpu_vcpu_pmu.c -- SBI's PMU extension for Xvisor's guests.
 *
 * The firmware below runs each hart's counters. The hart that creates the first vcpu asks it for
 * the events, once. A counter that another hart lacks does not count while the vcpu runs there. If
 * the hart can filter modes, guests count only their own work (VS and VU). They get no overflow
 * interrupt.
 */
#include <vmm_error.h>
#include <vmm_guest_aspace.h>
#include <vmm_heap.h>
#include <vmm_manager.h>
#include <vmm_percpu.h>
#include <cpu_hwcap.h>
#include <cpu_vcpu_pmu.h>
#include <cpu_vcpu_sbi.h>
#include <riscv_csr.h>
#include <riscv_sbi.h>

/* Here the compiler's <stdint.h> would be a libc's. */
typedef u8 uint8_t;
typedef u16 uint16_t;
typedef s32 int32_t;
typedef u32 uint32_t;
typedef s64 int64_t;
typedef u64 uint64_t;
typedef unsigned long uintptr_t;

#define PMUMAP_NO_STDINT
#include "pmumap.h"

#define ALL_BUT_VIRTUAL (PMUMAP_INHIBIT_M | PMUMAP_INHIBIT_S | PMUMAP_INHIBIT_U)
#define TIME 2ul /* in hcounteren */

/* The counters of a host cpu. */
struct host_pmu {
	struct pmumap_sbi sbi;
	struct pmumap_pmu_sets counters;
	bool probed;
};

static DEFINE_PER_CPU(struct host_pmu, host_pmus);
static u64 block[PMUMAP_BLOCK(0, 52, 0) / sizeof(u64)];
static const struct pmumap *map;
static u32 map_counters; /* those that the firmware grants for the events of the map */

struct vcpu_pmu {
	struct pmumap_vpmu vpmu;
	struct pmumap_pmu counters;
	struct pmumap_server_host host;
	struct pmumap_server server;
};

static struct vcpu_pmu *pmu_of(struct vmm_vcpu *vcpu)
{
	return riscv_priv(vcpu)->pmu_priv;
}

/* The counters of this host cpu, or NULL. */
static struct host_pmu *host_pmu(void)
{
	struct host_pmu *host = &this_cpu(host_pmus);

	if (!host->probed) {
		host->probed = TRUE;
		pmumap_sbi_init(&host->sbi);
		pmumap_sbi_probe(&host->sbi);
		pmumap_sbi_sets(&host->sbi, &host->counters);
	}
	return host->sbi.counters ? host : NULL;
}

static const struct pmumap *host_map(struct host_pmu *host)
{
	struct pmumap_builder builder;

	if (map)
		return map;
	pmumap_begin(&builder, block, sizeof(block));
	if (pmumap_add_sbi(&builder, &host->sbi) != PMUMAP_OK ||
	    pmumap_finish(&builder, &map) != PMUMAP_OK)
		return NULL;
	map_counters = host->sbi.counters;
	return map;
}

/* Whether all these bytes are the guest's RAM. */
static bool is_guest_ram(struct vmm_guest *guest, u64 address, u64 bytes)
{
	physical_addr_t host;
	physical_size_t size;
	u32 flags;

	while (bytes) {
		if (vmm_guest_physical_map(guest, address, bytes, &host, &size, &flags) || !size ||
		    !(flags & VMM_REGION_ISRAM))
			return FALSE;
		size = size < bytes ? size : bytes;
		address += size;
		bytes -= size;
	}
	return TRUE;
}

static int access_guest(void *arg, u64 low, u64 high, void *data, u64 bytes, int write)
{
	struct vmm_guest *guest = ((struct vmm_vcpu *)arg)->guest;

	if (high || low + bytes < low || !is_guest_ram(guest, low, bytes))
		return 0;
	if (!data)
		return 1;
	return (write ? vmm_guest_memory_write(guest, low, data, (u32)bytes, TRUE)
		      : vmm_guest_memory_read(guest, low, data, (u32)bytes, TRUE)) == bytes;
}

/* Allocate the vcpu's state. Returns whether it gets the extension. It runs on no host cpu yet. */
static unsigned long probe(struct vmm_vcpu *vcpu)
{
	struct host_pmu *host = host_pmu();
	struct vcpu_pmu *p;

	if (!host || !host_map(host))
		return 0;
	p = vmm_zalloc(sizeof(*p));
	if (!p)
		return 0;
	pmumap_vpmu_init(&p->vpmu);
	pmumap_vpmu_as_pmu(&p->vpmu, &p->counters);
	p->host.access = access_guest;
	p->host.counts = pmumap_server_counts_calls;
	p->host.arg = vcpu;
	p->server.map = map;
	p->server.pmu = &p->counters;
	p->server.host = &p->host;
	p->server.xlen = (u32)riscv_priv(vcpu)->xlen;
	p->server.granted = map_counters;
	if (riscv_isa_extension_available(NULL, SSCOFPMF))
		p->server.features = PMUMAP_CAN_FILTER;
	p->server.rule = PMUMAP_RULE_ALWAYS;
	p->server.inhibit = ALL_BUT_VIRTUAL;
	p->server.width = host->sbi.width;
	p->server.for_vs = 1;
	/* With snapshots Linux takes only one sample. */
	p->server.flags = PMUMAP_SERVER_NO_SNAPSHOT;
	pmumap_server_init(&p->server);
	riscv_priv(vcpu)->pmu_priv = p;
	return 1;
}

static int handle(struct vmm_vcpu *vcpu, unsigned long ext_id, unsigned long func_id,
		  unsigned long *args, struct cpu_vcpu_sbi_return *out)
{
	const u64 a[6] = { args[0], args[1], args[2], args[3], args[4], args[5] };
	struct pmumap_sbi_ret ret;

	ret = pmumap_server_call(&pmu_of(vcpu)->server, (u32)func_id, a);
	out->value = (unsigned long)ret.value;
	return ret.error;
}

const struct cpu_vcpu_sbi_extension vcpu_sbi_pmu = {
	.name = "pmu",
	.extid_start = SBI_EXT_PMU,
	.extid_end = SBI_EXT_PMU,
	.handle = handle,
	.probe = probe,
};

/*
 * A counter that refuses to stop stays secret: the next restore on this host cpu stops and wipes it,
 * or returns it.
 */
void cpu_vcpu_pmu_save(struct vmm_vcpu *vcpu)
{
	if (pmu_of(vcpu) && pmu_of(vcpu)->vpmu.hart)
		(void)pmumap_vpmu_save(&pmu_of(vcpu)->vpmu);
}

/*
 * Every vcpu gets its own hcounteren: without PMU state it reads no counter, with it none that this
 * host cpu refused to load or wipe. A nested guest reads time alone; while it runs, the vcpu's own
 * hcounteren waits in its nested state.
 */
void cpu_vcpu_pmu_restore(struct vmm_vcpu *vcpu)
{
	struct host_pmu *host = host_pmu();
	struct vcpu_pmu *p = pmu_of(vcpu);
	unsigned long readable = TIME;

	if (p && host)
		readable |= p->server.granted & host->sbi.counters &
			    ~pmumap_vpmu_restore_sets(&p->vpmu, &host->counters);
	if (riscv_nested_virt(vcpu)) {
		riscv_nested_priv(vcpu)->hcounteren = readable;
		readable = TIME;
	}
	csr_write(CSR_HCOUNTEREN, readable);
}

void cpu_vcpu_pmu_reset(struct vmm_vcpu *vcpu)
{
	if (pmu_of(vcpu))
		pmumap_server_reset(&pmu_of(vcpu)->server);
}

void cpu_vcpu_pmu_deinit(struct vmm_vcpu *vcpu)
{
	vmm_free(pmu_of(vcpu));
	riscv_priv(vcpu)->pmu_priv = NULL;
}

void cpu_vcpu_pmu_count(struct vmm_vcpu *vcpu, unsigned long ext_id, unsigned long func_id)
{
	if (pmu_of(vcpu))
		pmumap_server_firmware_event(&pmu_of(vcpu)->server,
					     pmumap_server_event_of(ext_id, func_id), 0);
}
