/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * semu_pmu.c -- performance counters for semu: SBI's PMU extension and
 * Sscofpmf.
 *
 * An instruction takes one cycle. Counters 0 and 2 run from reset, as on
 * hardware. Counters 3 to 6 count cycles or instructions too and interrupt when
 * they overflow. All have mode filters. Counting adds no work to an
 * instruction: counters are brought up to date when they are accessed, before
 * the mode changes, and when one of them is about to overflow.
 */
#include "semu_pmu.h"
#include <stdlib.h>
#include <string.h>
#include "riscv.h"
#include "riscv_private.h"

#include "pmumap/pmumap.h"

#define COUNTERS 7u
#define FIXED 0x05u
#define INTERRUPTING 0x78u
#define CSR_SCOUNTOVF 0xda0u

struct semu_pmu {
    struct pmumap_server server;
    struct pmumap_pmu counters;
    struct pmumap_server_host host;
    uint64_t value[COUNTERS];
    uint64_t since; /* value of instret at the last update */
    uint32_t inhibit[COUNTERS];
    uint32_t running, overflowed;
};

/* The counters of a set that count in the hart's mode. */
static uint32_t active(const hart_t *vm, uint32_t set)
{
    const uint32_t mode = vm->s_mode ? PMUMAP_INHIBIT_S : PMUMAP_INHIBIT_U;
    uint32_t n, all = 0;

    for (n = 0; n < COUNTERS; n++)
        if (!(vm->pmu->inhibit[n] & mode))
            all |= 1u << n;
    return set & vm->pmu->running & all;
}

void semu_pmu_sync(hart_t *vm)
{
    struct semu_pmu *p = vm->pmu;
    const uint64_t passed = vm->instret - p->since;
    uint32_t n, set = active(vm, ~0u);

    p->since = vm->instret;
    for (n = 0; n < COUNTERS; n++) {
        if (!(set >> n & 1))
            continue;
        p->value[n] += passed;
        if (p->value[n] >= passed || !(INTERRUPTING >> n & 1))
            continue;
        if (!(p->overflowed >> n & 1))
            vm->sip |= SEMU_PMU_LCOFI_BIT;
        p->overflowed |= 1u << n;
    }
}

int semu_pmu_steps(const hart_t *vm, int steps)
{
    const struct semu_pmu *p = vm->pmu;
    uint32_t n, set = active(vm, INTERRUPTING & ~p->overflowed);

    for (n = 3; set >> n; n++) {
        const uint64_t left = 0 - p->value[n];

        if (set >> n & 1 && left && left < (uint64_t) steps)
            steps = (int) left;
    }
    return steps;
}

static int set_job(void *arg, uint32_t n, const struct pmumap_job *job)
{
    hart_t *vm = arg;

    if (n >= COUNTERS || n == 1)
        return 0;
    semu_pmu_sync(vm);
    vm->pmu->running &= ~(1u << n);
    vm->pmu->inhibit[n] = job->inhibit;
    if (job->clear)
        vm->pmu->value[n] = 0;
    return 1;
}

static void start(void *arg, uint32_t n, const uint64_t *value)
{
    hart_t *vm = arg;

    semu_pmu_sync(vm);
    if (value)
        vm->pmu->value[n] = *value;
    vm->pmu->running |= 1u << n;
    vm->pmu->overflowed &= ~(1u << n);
}

static void stop(void *arg, uint32_t n, int release)
{
    hart_t *vm = arg;

    (void) release;
    semu_pmu_sync(vm);
    vm->pmu->running &= ~(1u << n);
}

static uint64_t read_counter(void *arg, uint32_t n)
{
    hart_t *vm = arg;

    if (n >= COUNTERS)
        return 0;
    semu_pmu_sync(vm);
    return vm->pmu->value[n];
}

static int overflowed(void *arg, uint32_t n)
{
    const hart_t *vm = arg;

    return vm->pmu->overflowed >> n & 1;
}

static int access_ram(void *arg,
                      uint64_t low,
                      uint64_t high,
                      void *data,
                      uint64_t bytes,
                      int write)
{
    const hart_t *vm = arg;
    uint8_t *ram = (uint8_t *) vm->ram_base;

    if (high || low > vm->ram_size || bytes > vm->ram_size - low)
        return 0;
    if (data && write)
        memcpy(ram + low, data, bytes);
    else if (data)
        memcpy(data, ram + low, bytes);
    return 1;
}

bool semu_pmu_ecall(hart_t *vm)
{
    struct pmumap_server *server = &vm->pmu->server;
    const uint32_t *a = &vm->x_regs[RV_R_A0];
    const uint64_t args[6] = {a[0], a[1], a[2], a[3], a[4], a[5]};
    const uint32_t function = vm->x_regs[RV_R_A6];
    const uint32_t extension = vm->x_regs[RV_R_A7];
    struct pmumap_sbi_ret ret;

    if (extension == SEMU_PMU_EID) {
        ret = pmumap_server_call(server, function, args);
        vm->x_regs[RV_R_A0] = (uint32_t) ret.error;
        vm->x_regs[RV_R_A0 + 1] = (uint32_t) ret.value;
        vm->error = ERR_NONE;
        return true;
    }
    pmumap_server_firmware_event(
        server, pmumap_server_event_of(extension, function), 0);
    if (extension == SBI_EID_HSM && function == SBI_HSM__HART_STOP)
        pmumap_server_reset(server);
    return false;
}

bool semu_pmu_csr(hart_t *vm, uint32_t addr, uint32_t *value)
{
    const uint32_t n = addr & 31, high = (addr & 0xfe0) == 0xc80;

    if (addr == CSR_SCOUNTOVF && vm->s_mode) {
        *value = vm->pmu->overflowed;
        return true;
    }
    if (((addr & 0xfe0) != 0xc00 && !high) ||
        !((FIXED | INTERRUPTING) >> n & 1))
        return false;
    if (vm->s_mode || vm->scounteren >> n & 1)
        *value = (uint32_t) (read_counter(vm, n) >> (high ? 32 : 0));
    else
        vm_set_exception(vm, RV_EXC_ILLEGAL_INSN, 0);
    return true;
}

/* The map of all harts: cycles and instructions on any counter but time. */
static const struct pmumap *build_map(void)
{
    static uint64_t block[PMUMAP_BLOCK(0, 1, 0) / 8];
    static const struct pmumap *map;
    struct pmumap_builder builder;

    if (map)
        return map;
    pmumap_begin(&builder, block, sizeof(block));
    pmumap_add_counters(&builder, 1, 2, INTERRUPTING);
    return pmumap_finish(&builder, &map) == PMUMAP_OK ? map : NULL;
}

bool semu_pmu_init(hart_t *vm)
{
    const struct pmumap_pmu counters = {
        set_job, start, stop, read_counter, overflowed, vm,
    };
    struct semu_pmu *p = calloc(1, sizeof(*p));

    if (!p)
        return false;
    p->counters = counters;
    p->host.access = access_ram;
    p->host.counts = pmumap_server_counts_calls;
    p->host.arg = vm;
    p->running = FIXED;
    p->server.map = build_map();
    p->server.pmu = &p->counters;
    p->server.host = &p->host;
    p->server.xlen = 32;
    p->server.granted = FIXED | INTERRUPTING;
    p->server.features = PMUMAP_SSCOFPMF | PMUMAP_SMCNTRPMF;
    p->server.rule = PMUMAP_RULE_ABSENT;
    p->server.width = 64;
    /* With snapshots Linux takes only one sample. */
    p->server.flags = PMUMAP_SERVER_NO_SNAPSHOT;
    pmumap_server_init(&p->server);
    vm->pmu = p;
    return p->server.map != NULL;
}
