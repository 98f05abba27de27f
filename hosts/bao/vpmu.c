/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * vpmu.c -- SBI's PMU extension for Bao's guests.
 *
 * The firmware below runs the counters and knows the events. A vcpu never leaves its cpu, so a
 * hart's counter belongs to its guest for good, and the guest reads it directly. If the firmware
 * can filter modes (CPU_EXT_SSCOFPMF), Bao's own work is not counted. Guests get no overflow
 * interrupt, because it cannot be delegated without AIA.
 */
#include <arch/vpmu.h>
#include <config.h>
#include <cpu.h>
#include <mem.h>
#include <platform.h>
#include <string.h>
#include <vm.h>

#include "pmumap.h"

#define ALL_BUT_VIRTUAL (PMUMAP_INHIBIT_M | PMUMAP_INHIBIT_S | PMUMAP_INHIBIT_U)

static struct vpmu {
    uint64_t block[PMUMAP_BLOCK(0, 52, 0) / 8];
    struct pmumap_sbi sbi;
    struct pmumap_pmu counters;
    struct pmumap_server server;
    bool tried;
} vpmus[PLAT_CPU_NUM];

static struct vpmu* this_vpmu(void)
{
    return &vpmus[cpu()->id];
}

/* Whether these bytes lie in one memory region of the virtual machine. */
static bool is_guest_memory(const struct vm* vm, uint64_t low, uint64_t bytes)
{
    for (size_t i = 0; i < vm->config->platform.region_num; i++) {
        const struct vm_mem_region* region = &vm->config->platform.regions[i];

        if (low >= region->base && low - region->base <= region->size &&
            bytes <= region->size - (low - region->base)) {
            return true;
        }
    }
    return false;
}

/* Map, copy and unmap one page at a time. */
static int access_guest(void* arg, uint64_t low, uint64_t high, void* data, uint64_t bytes,
    int write)
{
    struct vm* vm = cpu()->vcpu->vm;
    uint8_t* to = data;

    UNUSED_ARG(arg);
    if (high != 0 || !is_guest_memory(vm, low, bytes)) {
        return 0;
    }
    while (data != NULL && bytes > 0) {
        const size_t offset = (size_t)(low & (PAGE_SIZE - 1));
        const size_t now = bytes < PAGE_SIZE - offset ? (size_t)bytes : PAGE_SIZE - offset;
        const vaddr_t page =
            mem_map_cpy(&vm->as, &cpu()->as, SEC_HYP_PRIVATE, (vaddr_t)low - offset, INVALID_VA, 1);

        if (page == INVALID_VA) {
            return 0;
        }
        if (write) {
            memcpy((void*)(page + offset), to, now);
        } else {
            memcpy(to, (void*)(page + offset), now);
        }
        mem_unmap(&cpu()->as, page, 1, MEM_DONT_FREE_PAGES);
        low += now;
        bytes -= now;
        to += now;
    }
    return 1;
}

/* Ask the firmware, once for each cpu: harts may differ. */
static void ask_firmware(struct vpmu* v)
{
    static const struct pmumap_server_host host = { access_guest, pmumap_server_counts_calls, NULL };
    struct pmumap_builder builder;
    const struct pmumap* map = NULL;

    v->tried = true;
    pmumap_sbi_init(&v->sbi);
    pmumap_begin(&builder, v->block, sizeof(v->block));
    if (pmumap_sbi_probe(&v->sbi) == 0 || pmumap_add_sbi(&builder, &v->sbi) != PMUMAP_OK ||
        pmumap_finish(&builder, &map) != PMUMAP_OK) {
        return;
    }
    pmumap_sbi_as_pmu(&v->sbi, &v->counters);
    v->server.map = map;
    v->server.pmu = &v->counters;
    v->server.host = &host;
    v->server.xlen = v->sbi.xlen;
    v->server.granted = v->sbi.counters;
    v->server.features = CPU_HAS_EXTENSION(CPU_EXT_SSCOFPMF) ? PMUMAP_CAN_FILTER : 0;
    v->server.rule = PMUMAP_RULE_ALWAYS;
    v->server.inhibit = ALL_BUT_VIRTUAL;
    v->server.width = v->sbi.width;
    v->server.for_vs = 1;
    pmumap_server_init(&v->server);
}

unsigned long vpmu_reset(void)
{
    struct vpmu* v = this_vpmu();

    if (!v->tried) {
        ask_firmware(v);
    } else if (vpmu_present()) {
        pmumap_server_reset(&v->server);
    }
    return v->server.granted;
}

bool vpmu_present(void)
{
    return this_vpmu()->server.map != NULL;
}

struct sbiret vpmu_call(unsigned long fid)
{
    struct pmumap_sbi_ret ret;
    uint64_t args[6];

    if (!vpmu_present()) {
        return (struct sbiret){ SBI_ERR_NOT_SUPPORTED, 0 };
    }
    for (unsigned long i = 0; i < 6; i++) {
        args[i] = vcpu_readreg(cpu()->vcpu, REG_A0 + i);
    }
    ret = pmumap_server_call(&this_vpmu()->server, (uint32_t)fid, args);
    return (struct sbiret){ ret.error, (long)ret.value };
}

void vpmu_count(unsigned long extid, unsigned long fid)
{
    if (vpmu_present()) {
        pmumap_server_firmware_event(&this_vpmu()->server, pmumap_server_event_of(extid, fid), 0);
    }
}
