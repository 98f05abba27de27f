/* SPDX-License-Identifier: BSD-2-Clause
 *
 * zephyr.c -- Zephyr's PMU functions of hosts/zephyr on two CPUs with registers of our own, for M-mode
 * and S-mode, or on firmware of our own. The argument says which.
 */
#include "check.h"
#include "firmware.h"
#include <errno.h>
#include <string.h>
#include <zephyr/arch/pmu.h>

#define CYCLES 0x1u
#define INSTRUCTIONS 0x2u
#define MISSES 0x10019u
#define RAW 0x80000000u
#define OVERFLOW (1ull << 63)

/* A hart with counters 0, 2, 3 and 4. In S-mode it owns only those that are delegated. */
static struct {
	uint64_t value[32], event[32];
	uint32_t inhibit, owned, stray;
} harts[2];
static struct cpu cpus[2] = { { 0 }, { 1 } };
static unsigned now, locks, unlocked;
static bool by_firmware;

struct cpu *arch_curr_cpu(void)
{
	return &cpus[now];
}

unsigned int arch_irq_lock(void)
{
	locks++;
	return 0x1880;
}

void arch_irq_unlock(unsigned int key)
{
	IS(key, 0x1880);
	locks--;
}

static uint64_t *storage(uint32_t csr)
{
	static uint64_t none;
	uint32_t n = csr & 31;

	unlocked += locks != 1;
	none = 0;
	if (csr - n == 0xb00 && harts[now].owned >> n & 1)
		return &harts[now].value[n];
	if (csr - n == 0x320 && n > 2 && harts[now].owned >> n & 1)
		return &harts[now].event[n];
	harts[now].stray += csr - n != 0xb00 && (csr - n != 0x320 || n < 3);
	return &none;
}

static uint64_t csr_read(void *arg, uint32_t csr)
{
	uint32_t n, overflows = 0;

	(void)arg;
	if (csr == 0x320)
		return harts[now].inhibit;
	if (csr == 0xda0) {
		for (n = 3; n < 32; n++)
			overflows |= (uint32_t)(harts[now].event[n] >> 63) << n;
		return overflows;
	}
	return *storage(csr);
}

static void csr_write(void *arg, uint32_t csr, uint64_t value)
{
	(void)arg;
	if (csr == 0x320)
		harts[now].inhibit = (uint32_t)value & harts[now].owned;
	else
		*storage(csr) = value;
}

static void hart_access(struct pmumap_hart *h)
{
	h->read = csr_read;
	h->write = csr_write;
	h->xlen = 64;
}

void pmumap_hart_native(struct pmumap_hart *h)
{
	hart_access(h);
}

void pmumap_hart_delegated(struct pmumap_hart *h)
{
	hart_access(h);
	h->below = 1;
}

/* A running counter counts 1, and wraps as a whole. */
static void work(uint64_t count)
{
	uint32_t n;

	if (by_firmware)
		below_run(count);
	for (n = 0; n < 32; n++) {
		uint64_t *value = &harts[now].value[n];

		if (harts[now].inhibit >> n & 1 || !(harts[now].owned >> n & 1))
			continue;
		if (n > 2 && !harts[now].event[n])
			continue;
		*value += count;
		if (*value < count && n > 2)
			harts[now].event[n] |= OVERFLOW;
	}
	if (by_firmware)
		below.value[0] += below.running & 1 ? 0 : count; /* cycle runs from reset on */
}

/* Nothing works before pmu_init(), and nothing crashes. */
static void check_before(void)
{
	pmu_info_t info;

	IS(pmu_num_counters(), 0);
	IS(pmu_counter_config(0, MISSES), -ENODEV);
	IS(pmu_counter_write32(0, 1), -ENODEV);
	pmu_counter_enable(0);
	pmu_start();
	work(5);
	IS(pmu_counter_read(0), 0);
	IS(pmu_counter_overflow(0), 0);
	IS(pmu_cycle_count(), 0);
	pmu_stop();
	pmu_get_info(&info);
	IS(info.idcode, 0);
}

/* counters: the hart's; mcycle is not handed out. */
static void check_init(uint32_t counters, uint32_t total)
{
	pmu_info_t info;

	IS(pmu_init(), 0);
	IS(pmu_init(), 0);
	IS(pmu_num_counters(), total);
	pmu_get_info(&info);
	IS(info.idcode, counters);
	IS(pmu_counter_config(total, MISSES), -EINVAL);
	IS(pmu_counter_write32(total, 1), -EINVAL);
	IS(pmu_counter_read(total), 0);
	IS(pmu_counter_overflow(total), 0);
}

/* A counter counts while it is enabled and the PMU runs, from 0. */
static void check_count(void)
{
	IS(pmu_counter_config(0, MISSES), 0);
	work(3);
	pmu_counter_enable(0);
	work(3);
	IS(pmu_counter_read(0), 0);
	pmu_start();
	work(10);
	IS(pmu_counter_read(0), 10);
	pmu_start(); /* it runs already */
	work(10);
	pmu_counter_enable(0);
	IS(pmu_counter_read(0), 20);
	pmu_stop();
	pmu_stop();
	work(100);
	IS(pmu_counter_read(0), 20);
	pmu_start();
	work(1);
	pmu_counter_disable(0);
	work(50);
	IS(pmu_counter_read(0), 21);
	pmu_counter_enable(0);
	work(2);
	IS(pmu_counter_read(0), 23);
	pmu_counter_reset(0);
	work(4);
	IS(pmu_counter_read(0), 4);
	pmu_stop();
	pmu_counter_reset_all();
	IS(pmu_counter_read(0), 0);
}

/* A second event gets a counter of its own; an event keeps its counter until another one comes. */
static void check_plan(bool raw)
{
	IS(pmu_counter_config(1, INSTRUCTIONS), 0);
	pmu_counter_disable_all();
	pmu_counter_enable(1);
	pmu_start();
	work(7);
	IS(pmu_counter_read(0), 0);
	IS(pmu_counter_read(1), 7);
	IS(pmu_counter_config(1, 0x10000), -ENOTSUP); /* no row */
	work(7);
	IS(pmu_counter_read(1), 0);
	IS(pmu_counter_config(1, RAW | 0x777), raw ? 0 : -ENOTSUP);
	work(7);
	IS(pmu_counter_read(1), raw ? 7 : 0);
	pmu_stop();
}

/* Cycles count while the PMU runs, and nobody else's mcycle is stopped or written. */
static void check_cycles(uint64_t *mcycle)
{
	uint64_t before = *mcycle;

	pmu_cycle_reset();
	work(9);
	IS(pmu_cycle_count(), 0);
	pmu_start();
	work(9);
	IS(pmu_cycle_count(), 9);
	pmu_stop();
	work(9);
	IS(pmu_cycle_count(), 9);
	pmu_start();
	work(1);
	IS(pmu_cycle_count(), 10);
	pmu_cycle_reset();
	work(2);
	IS(pmu_cycle_count(), 2);
	pmu_counter_disable_all();
	pmu_counter_reset_all();
	pmu_stop();
	IS(*mcycle - before, 30);
}

/* A counter overflows once its 32 bits do; that lasts until it is cleared, and through a stop. */
static void check_overflow(void)
{
	IS(pmu_counter_config(0, MISSES), 0);
	pmu_counter_enable_all();
	IS(pmu_counter_write32(0, 0xfffffff0u), 0);
	pmu_start();
	work(15);
	IS(pmu_counter_overflow(0), 0);
	work(2);
	IS(pmu_counter_overflow(0), 1);
	IS(pmu_counter_read(0), 1);
	pmu_counter_clear_overflow(0);
	IS(pmu_counter_overflow(0), 0);
	work(1);
	IS(pmu_counter_read(0), 2);
	IS(pmu_counter_write32(0, 0xffffffffu), 0);
	work(1);
	pmu_stop();
	IS(pmu_counter_overflow(0), 1);
	IS(pmu_counter_overflow(1), 0);
	IS(pmu_counter_config(0, MISSES), 0);
	IS(pmu_counter_overflow(0), 0);
}

/* The other CPU has a PMU of its own. */
static void check_other(void)
{
	now = 1;
	IS(pmu_num_counters(), 0);
	IS(pmu_init(), 0);
	IS(pmu_counter_config(0, MISSES), 0);
	pmu_counter_enable(0);
	pmu_start();
	work(6);
	IS(pmu_counter_read(0), 6);
	now = 0;
	IS(pmu_counter_read(0), 0);
	now = 1;
	pmu_stop();
	now = 0;
}

/* More events than counters: the last one gets a counter when another is given up. */
static void check_busy(uint32_t total)
{
	uint32_t i;

	for (i = 0; i < total; i++)
		IS(pmu_counter_config(i, MISSES), i < total - 1 ? 0 : -EBUSY);
	IS(pmu_counter_config(0, 0x10000), -ENOTSUP);
	IS(pmu_counter_config(total - 1, MISSES), 0);
}

static void registers(uint32_t owned)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		memset(&harts[i], 0, sizeof(harts[i]));
		harts[i].owned = owned;
		harts[i].value[3] = 0x5555; /* of somebody else */
	}
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	by_firmware = !strcmp(way, "sbi") || !strcmp(way, "kept");
	registers(by_firmware ? 0 : 0x1d);
	check_before();
	if (by_firmware) {
		now = 1;
		IS(pmu_init(), -ENOTSUP); /* no firmware */
		IS(pmu_init(), -ENOTSUP);
		IS(pmu_num_counters(), 0);
		now = 0;
		below_begin();
	}
	check_init(by_firmware ? 0x7d : 0x1d, by_firmware ? 5 : 3);
	check_count();
	check_plan(!by_firmware);
	check_cycles(by_firmware ? &below.value[0] : &harts[0].value[0]);
	if (!by_firmware) {
		check_overflow();
		check_other();
		check_busy(3);
		IS(harts[0].stray + harts[1].stray, 0);
	}
	IS(unlocked, 0);
	IS(locks, 0);
	return finish();
}
