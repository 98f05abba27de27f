/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmu.c -- Zephyr's PMU functions for RISC-V: in M-mode through CSRs; in S-mode through delegated
 * counters (Smcdeleg, Ssccfg) or, if it has none, through SBI firmware.
 */
#include <errno.h>
#include <zephyr/kernel.h>
#if __has_include(<zephyr/arch/pmu.h>)
#include <zephyr/arch/pmu.h>
#else
#include <zephyr/pmu.h>
#endif
#include <pmumap_hw.h>
#if __has_include("pmu_map.h")
#include "pmu_map.h" /* the map of the board's tree, from pmumap rom */
#else
#define pmu_map() NULL
#endif

#define CYCLE_BIT 1u
#define RAW_BIT 0x80000000u /* of pmu_evt_t: the other bits are a raw event */

/* What Kconfig says of the hart. Zephyr's trap handler skips no instruction, so nothing is tried. */
#define FEATURES                                                                                   \
	(PMUMAP_TOLD | PMUMAP_MCOUNTINHIBIT |                                                      \
	 (IS_ENABLED(CONFIG_PMUMAP_PMU_SSCOFPMF) ? PMUMAP_SSCOFPMF : 0) |                          \
	 (IS_ENABLED(CONFIG_PMUMAP_PMU_SMCNTRPMF) ? PMUMAP_SMCNTRPMF : 0))

/* A counter of Zephyr's, and the hart's counter behind it. */
struct event_counter {
	struct pmumap_job job;
	uint64_t value; /* while it does not count */
	int number;     /* of the hart's counter; -1: none */
	bool enabled, overflowed;
};

static struct cpu_pmu {
	struct event_counter counter[PMU_MAX_COUNTERS];
	struct pmumap_hart hart;
	struct pmumap_sbi sbi;
	struct pmumap_pmu ops;
	const struct pmumap *map;
	uint64_t block[PMUMAP_BLOCK(0, 52, 0) / 8]; /* of a map from SBI's answers */
	uint64_t cycles, since;                     /* counted until then; mcycle at that time */
	uint32_t counters, free, features, rule, total;
	bool tried, running;
} pmus[CONFIG_MP_MAX_NUM_CPUS];

static struct cpu_pmu *this_pmu(void)
{
	return &pmus[arch_curr_cpu()->id];
}

/* NULL if this CPU lacks that counter. */
static struct event_counter *counter_at(uint32_t i)
{
	struct cpu_pmu *p = this_pmu();

	return i < p->total ? &p->counter[i] : NULL;
}

static bool is_counting(const struct event_counter *c)
{
	return this_pmu()->running && c->enabled && c->number >= 0;
}

static void resume(const struct event_counter *c)
{
	struct pmumap_pmu *ops = &this_pmu()->ops;

	if (is_counting(c)) {
		ops->start(ops->arg, (uint32_t)c->number, &c->value);
	}
}

/* Stop, and keep value and overflow: a start clears the hart's. */
static void pause(struct event_counter *c)
{
	struct pmumap_pmu *ops = &this_pmu()->ops;

	if (is_counting(c)) {
		ops->stop(ops->arg, (uint32_t)c->number, 0);
		c->value = ops->read(ops->arg, (uint32_t)c->number);
		c->overflowed |= ops->overflowed(ops->arg, (uint32_t)c->number) != 0;
	}
}

static uint64_t read_mcycle(void)
{
	struct pmumap_pmu *ops = &this_pmu()->ops;

	return ops->read(ops->arg, 0);
}

#ifdef CONFIG_RISCV_S_MODE
/* Firmware hides its tables, so ask it which events it counts. */
static bool use_firmware(struct cpu_pmu *p)
{
	struct pmumap_builder b;

	p->sbi.features = FEATURES & PMUMAP_CAN_INTERRUPT;
	pmumap_sbi_native(&p->sbi);
	pmumap_begin(&b, p->block, sizeof(p->block));
	p->counters = pmumap_sbi_probe(&p->sbi);
	if (pmumap_add_sbi(&b, &p->sbi) != PMUMAP_OK || pmumap_finish(&b, &p->map) != PMUMAP_OK) {
		return false;
	}
	p->features = p->sbi.features;
	p->rule = PMUMAP_RULE_ALWAYS;
	pmumap_sbi_pmu(&p->sbi, &p->ops);
	return true;
}
#endif

/* Find the counters of this CPU, by its own registers if it may use them. */
static bool find_counters(struct cpu_pmu *p)
{
	p->map = pmu_map();
	p->rule = PMUMAP_RULE_ABSENT;
#if !defined(CONFIG_RISCV_S_MODE)
	pmumap_hart_native(&p->hart);
#elif defined(CONFIG_PMUMAP_PMU_DELEGATED)
	pmumap_hart_delegated(&p->hart);
#else
	return use_firmware(p);
#endif
#if !defined(CONFIG_RISCV_S_MODE) || defined(CONFIG_PMUMAP_PMU_DELEGATED)
	p->hart.features = FEATURES;
	p->counters = pmumap_hart_probe(&p->hart);
	p->features = p->hart.features;
	pmumap_hart_pmu(&p->hart, &p->ops);
#ifdef CONFIG_RISCV_S_MODE
	if (p->counters == 0) {
		return use_firmware(p);
	}
#endif
	return true;
#endif
}

/* An empty map plans cycles and instructions alone. */
static bool have_map(struct cpu_pmu *p)
{
	struct pmumap_builder b;

	if (p->map == NULL) {
		pmumap_begin(&b, p->block, sizeof(p->block));
		(void)pmumap_finish(&b, &p->map);
	}
	return p->map != NULL;
}

int pmu_init(void)
{
	struct cpu_pmu *p = this_pmu();
	unsigned int key = arch_irq_lock();
	uint32_t left;

	if (!p->tried) {
		p->tried = true;
		if (find_counters(p) && have_map(p)) {
			/* Nothing stops or writes mcycle: threads read it as the time. */
			p->free = p->counters & ~CYCLE_BIT;
		}
		for (left = p->free; left != 0 && p->total < PMU_MAX_COUNTERS; left &= left - 1) {
			p->counter[p->total++].number = -1;
		}
	}
	arch_irq_unlock(key);
	return p->total != 0 ? 0 : -ENOTSUP;
}

uint32_t pmu_num_counters(void)
{
	return this_pmu()->total;
}

/* implementer is 0; idcode is the set of the hart's counters: bit N for hpmcounterN. */
void pmu_get_info(pmu_info_t *info)
{
	info->implementer = 0;
	info->idcode = this_pmu()->counters;
}

static void release(struct cpu_pmu *p, struct event_counter *c)
{
	if (c->number >= 0) {
		p->ops.stop(p->ops.arg, (uint32_t)c->number, 1);
		p->free |= 1u << c->number;
		c->number = -1;
	}
}

/* Give a counter to an event. Returns 0, or an errno: then the counter has no event. */
static int configure(struct cpu_pmu *p, struct event_counter *c, pmu_evt_t event)
{
	uint64_t data = 0;
	int number;

	release(p, c);
	c->value = 0;
	c->overflowed = false;
	if (event & RAW_BIT) {
		data = event & ~RAW_BIT;
		event = PMUMAP_EVENT_RAW;
	}
	number = pmumap_plan(p->map, event, data, p->free, p->features, p->rule, &c->job);
	if (number < 0) {
		return number == PMUMAP_BUSY ? -EBUSY : -ENOTSUP;
	}
	c->job.clear = 1;
	if (!p->ops.set(p->ops.arg, (uint32_t)number, &c->job)) {
		return -ENOTSUP;
	}
	p->free &= ~(1u << number);
	c->number = number;
	resume(c);
	return 0;
}

int pmu_counter_config(uint32_t i, pmu_evt_t event)
{
	struct event_counter *c = counter_at(i);
	unsigned int key;
	int status;

	if (c == NULL) {
		return pmu_num_counters() != 0 ? -EINVAL : -ENODEV;
	}
	key = arch_irq_lock();
	status = configure(this_pmu(), c, event);
	arch_irq_unlock(key);
	return status;
}

/* Pause a counter, change it, and let it go on if it may. */
#define CHANGE(i, change)                                                                          \
	do {                                                                                       \
		struct event_counter *c = counter_at(i);                                           \
		unsigned int key = arch_irq_lock();                                                \
                                                                                                   \
		if (c != NULL) {                                                                   \
			pause(c);                                                                  \
			change;                                                                    \
			resume(c);                                                                 \
		}                                                                                  \
		arch_irq_unlock(key);                                                              \
	} while (0)

void pmu_counter_enable(uint32_t i)
{
	CHANGE(i, c->enabled = true);
}

void pmu_counter_disable(uint32_t i)
{
	CHANGE(i, c->enabled = false);
}

void pmu_counter_reset(uint32_t i)
{
	CHANGE(i, c->value = 0);
}

void pmu_counter_clear_overflow(uint32_t i)
{
	CHANGE(i, c->overflowed = false);
}

/* All upper bits are 1, so that the counter overflows when these 32 bits do. */
int pmu_counter_write32(uint32_t i, uint32_t value)
{
	if (counter_at(i) == NULL) {
		return pmu_num_counters() != 0 ? -EINVAL : -ENODEV;
	}
	CHANGE(i, c->value = ~(uint64_t)0 << 32 | value);
	return 0;
}

void pmu_counter_enable_all(void)
{
	uint32_t i;

	for (i = 0; i < pmu_num_counters(); i++) {
		pmu_counter_enable(i);
	}
}

void pmu_counter_disable_all(void)
{
	uint32_t i;

	for (i = 0; i < pmu_num_counters(); i++) {
		pmu_counter_disable(i);
	}
}

void pmu_counter_reset_all(void)
{
	uint32_t i;

	for (i = 0; i < pmu_num_counters(); i++) {
		pmu_counter_reset(i);
	}
}

uint64_t pmu_counter_read(uint32_t i)
{
	struct event_counter *c = counter_at(i);
	unsigned int key = arch_irq_lock();
	uint64_t value = c != NULL ? c->value : 0;

	if (c != NULL && is_counting(c)) {
		value = this_pmu()->ops.read(this_pmu()->ops.arg, (uint32_t)c->number);
	}
	arch_irq_unlock(key);
	return value;
}

bool pmu_counter_overflow(uint32_t i)
{
	struct event_counter *c = counter_at(i);
	struct pmumap_pmu *ops = &this_pmu()->ops;
	unsigned int key = arch_irq_lock();
	bool overflowed = c != NULL &&
			  (c->overflowed ||
			   (is_counting(c) && ops->overflowed(ops->arg, (uint32_t)c->number) != 0));

	arch_irq_unlock(key);
	return overflowed;
}

uint64_t pmu_cycle_count(void)
{
	struct cpu_pmu *p = this_pmu();
	unsigned int key = arch_irq_lock();
	uint64_t cycles = p->running ? p->cycles + (read_mcycle() - p->since) : p->cycles;

	arch_irq_unlock(key);
	return cycles;
}

void pmu_cycle_reset(void)
{
	struct cpu_pmu *p = this_pmu();
	unsigned int key = arch_irq_lock();

	p->cycles = 0;
	if (p->running) {
		p->since = read_mcycle();
	}
	arch_irq_unlock(key);
}

void pmu_start(void)
{
	struct cpu_pmu *p = this_pmu();
	unsigned int key = arch_irq_lock();
	uint32_t i;

	if (!p->running && p->total != 0) {
		p->running = true;
		p->since = read_mcycle();
		for (i = 0; i < p->total; i++) {
			resume(&p->counter[i]);
		}
	}
	arch_irq_unlock(key);
}

void pmu_stop(void)
{
	struct cpu_pmu *p = this_pmu();
	unsigned int key = arch_irq_lock();
	uint32_t i;

	if (p->running) {
		for (i = 0; i < p->total; i++) {
			pause(&p->counter[i]);
		}
		p->cycles += read_mcycle() - p->since;
		p->running = false;
	}
	arch_irq_unlock(key);
}
