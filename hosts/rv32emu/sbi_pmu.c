/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * sbi_pmu.c -- SBI's PMU extension for rv32emu's guests.
 *
 * An instruction takes one cycle, so each counter is a difference to csr_cycle.
 * Counting adds no work to an instruction. Counters 0 and 2 run from reset, as
 * on hardware; 3 to 6 count cycles or instructions too.
 */
#include "sbi_pmu.h"

#include <stdlib.h>
#include <string.h>

#include "riscv.h"
#include "riscv_private.h"

#include "pmumap/pmumap.h"

#define COUNTERS 7u
#define FIXED 0x05u
#define PROGRAMMABLE 0x78u

struct sbi_pmu {
    riscv_t *rv;
    struct pmumap_server server;
    struct pmumap_pmu counters;
    struct pmumap_server_host host;
    uint64_t map[PMUMAP_BLOCK(0, 1, 0) / 8];
    uint64_t value[COUNTERS]; /* if it runs: minus csr_cycle at its start */
    uint32_t running;
    uint32_t csr;
};

static uint64_t read_counter(void *arg, uint32_t n)
{
    const struct sbi_pmu *p = arg;

    if (n >= COUNTERS)
        return 0;
    return p->value[n] + (p->running >> n & 1 ? p->rv->csr_cycle : 0);
}

static void write_counter(struct sbi_pmu *p,
                          uint32_t n,
                          uint64_t value,
                          int run)
{
    p->value[n] = value - (run ? p->rv->csr_cycle : 0);
    p->running = (p->running & ~(1u << n)) | (uint32_t) run << n;
}

static int set_job(void *arg, uint32_t n, const struct pmumap_job *job)
{
    if (!((FIXED | PROGRAMMABLE) >> n & 1))
        return 0;
    write_counter(arg, n, job->clear ? 0 : read_counter(arg, n), 0);
    return 1;
}

static void start(void *arg, uint32_t n, const uint64_t *value)
{
    write_counter(arg, n, value ? *value : read_counter(arg, n), 1);
}

static void stop(void *arg, uint32_t n, int release)
{
    (void) release;
    write_counter(arg, n, read_counter(arg, n), 0);
}

/* No overflow interrupts, so nobody asks. */
static int overflowed(void *arg, uint32_t n)
{
    (void) arg, (void) n;
    return 0;
}

static int access_ram(void *arg,
                      uint64_t low,
                      uint64_t high,
                      void *data,
                      uint64_t bytes,
                      int write)
{
    const struct sbi_pmu *p = arg;
    const memory_t *mem = PRIV(p->rv)->mem;

    if (high || low > mem->mem_size || bytes > mem->mem_size - low)
        return 0;
    if (data && write)
        memcpy(mem->mem_base + low, data, bytes);
    else if (data)
        memcpy(data, mem->mem_base + low, bytes);
    return 1;
}

/* The only firmware event: rv32emu has no IPI and no remote fence. */
static int counts(void *arg, uint32_t code, uint64_t data)
{
    (void) arg, (void) data;
    return code == 5;
}

void sbi_pmu_set_timer(struct sbi_pmu *p)
{
    pmumap_server_firmware_event(&p->server, 5, 0);
}

void sbi_pmu_call(struct sbi_pmu *p)
{
    uint64_t args[6];
    struct pmumap_sbi_ret ret;
    uint32_t n;

    for (n = 0; n < 6; n++)
        args[n] = rv_get_reg(p->rv, rv_reg_a0 + n);
    ret = pmumap_server_call(&p->server, rv_get_reg(p->rv, rv_reg_a6), args);
    rv_set_reg(p->rv, rv_reg_a0, (uint32_t) ret.error);
    rv_set_reg(p->rv, rv_reg_a1, (uint32_t) ret.value);
}

uint32_t *sbi_pmu_csr(struct sbi_pmu *p, uint32_t csr)
{
    const uint32_t n = csr & 31, high = (csr & 0xfe0) == 0xc80;

    if (((csr & 0xfe0) != 0xc00 && !high) || !((FIXED | PROGRAMMABLE) >> n & 1))
        return NULL;
    p->csr = (uint32_t) (read_counter(p, n) >> (high ? 32 : 0));
    return &p->csr;
}

struct sbi_pmu *sbi_pmu_new(riscv_t *rv)
{
    struct sbi_pmu *p = calloc(1, sizeof(*p));
    const struct pmumap_pmu counters = {
        set_job, start, stop, read_counter, overflowed, p,
    };
    struct pmumap_builder builder;

    if (!p)
        return NULL;
    pmumap_begin(&builder, p->map, sizeof(p->map));
    pmumap_add_counters(&builder, 1, 2, PROGRAMMABLE);
    if (pmumap_finish(&builder, &p->server.map)) {
        free(p);
        return NULL;
    }
    p->rv = rv;
    p->running = FIXED;
    p->counters = counters;
    p->host.access = access_ram;
    p->host.counts = counts;
    p->host.arg = p;
    p->server.pmu = &p->counters;
    p->server.host = &p->host;
    p->server.xlen = 32;
    p->server.granted = FIXED | PROGRAMMABLE;
    p->server.rule = PMUMAP_RULE_ABSENT;
    p->server.width = 64;
    pmumap_server_init(&p->server);
    return p;
}

void sbi_pmu_delete(struct sbi_pmu *p)
{
    free(p);
}
