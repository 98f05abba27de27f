/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hooks.c -- tests OpenSBI's PMU besides counting, linked with OpenSBI's own code or the server's:
 * hooks of a platform's device, the overflow event of SSE, access to shared memory, a hart that
 * changes its domain. Prints the state after each call. Two builds behave the same if they print
 * the same.
 *
 *	hooks device|filter|event
 *
 * device: T-Head's, with its own interrupts. filter: Andes', which also filters and has an
 * extension but no bit. event: Sscofpmf, no device. All have Smepmp.
 */
#include <sbi/riscv_asm.h>
#include <sbi/sbi_ecall_interface.h>
#include <sbi/sbi_error.h>
#include <sbi/sbi_hart.h>
#include <sbi/sbi_platform.h>
#include <sbi/sbi_pmu.h>
#include <sbi/sbi_sse.h>
#include <sbi/sbi_version.h>
#include "model/inside.h"

#define MISSES 3 /* an event that counters 3 to 6 count */
#define RAW_DATA 0x42
#define COUNTER 4
#define DEVICE_BIT 17

int printf(const char *format, ...);
int strcmp(const char *a, const char *b);

static unsigned long interrupts; /* counters whose interrupt the device enables */
static unsigned long filters[32], filtered;

static void enable(uint32_t counter)
{
	interrupts |= 1ul << counter;
}

static void disable(uint32_t counter)
{
	interrupts &= ~(1ul << counter);
}

static void filter(unsigned long flags, int counter)
{
	/* Modes that the hardware can exclude: VS, VU, S and U. */
	filters[counter] = flags & 0xf8;
	filtered |= 1ul << counter;
}

/* A number in some versions, a mask in others. */
static int bit(void)
{
#if OPENSBI_VERSION >= (1 << 16 | 7)
	return DEVICE_BIT;
#else
	return 1 << DEVICE_BIT;
#endif
}

static const struct sbi_pmu_device with_bit = {
	.name = "bit",
	.hw_counter_enable_irq = enable,
	.hw_counter_disable_irq = disable,
	.hw_counter_irq_bit = bit,
};
static const struct sbi_pmu_device with_filter = {
	.name = "filter",
	.hw_counter_enable_irq = enable,
	.hw_counter_disable_irq = disable,
	.hw_counter_filter_mode = filter,
};
static const struct sbi_pmu_device *device;

static int add_rows(void)
{
	sbi_pmu_set_device(device);
	return sbi_pmu_add_hw_event_counter_map(MISSES, MISSES, 0x78) ||
	       sbi_pmu_add_raw_event_counter_map(RAW_DATA, ~0ull, 0x78);
}

static uint64_t encode(uint32_t event, uint64_t data)
{
	return event == SBI_PMU_EVENT_RAW_IDX ? data : event;
}

/* The value written. The overflow status of a stopped counter is undefined. */
static unsigned long selector(void)
{
	const unsigned long stands = csr_read(CSR_MCOUNTINHIBIT) >> COUNTER & 1;

	return csr_read(CSR_MHPMEVENT3 + COUNTER - 3) & ~(stands << 63);
}

static void show(const char *what, long result)
{
	printf("%s = %ld: interrupts 0x%lx, filters 0x%lx 0x%lx of 0x%lx, mhpmevent 0x%lx, "
	       "mie 0x%lx, mideleg 0x%lx, mip 0x%lx, irq %d, injected %d, satp 0x%lx\n",
	       what, result, interrupts, filters[COUNTER], filters[0], filtered, selector(),
	       csr_read(CSR_MIE), csr_read(CSR_MIDELEG), csr_read(CSR_MIP), sbi_pmu_irq_bit(),
	       machine.injected, csr_read(CSR_SATP));
}

static long match(unsigned long counter, unsigned long flags, unsigned long event, uint64_t data)
{
	return sbi_pmu_ctr_cfg_match(counter, 1, flags, event, data);
}

static void count_one(unsigned long flags, unsigned long event, uint64_t data)
{
	show("match", match(COUNTER, flags, event, data));
	show("start", sbi_pmu_ctr_start(COUNTER, 1, SBI_PMU_START_FLAG_SET_INIT_VALUE, 100));
	show("start again", sbi_pmu_ctr_start(COUNTER, 1, 0, 0));
	show("stop", sbi_pmu_ctr_stop(COUNTER, 1, 0));
	show("stop again", sbi_pmu_ctr_stop(COUNTER, 1, 0));
	show("start at once", sbi_pmu_ctr_start(COUNTER, 1, 0, 0));
	show("stop and reset", sbi_pmu_ctr_stop(COUNTER, 1, SBI_PMU_STOP_FLAG_RESET));
}

#define SHOWN(call)                                                                                \
	do {                                                                                       \
		if (machine.event->call)                                                           \
			machine.event->call(0);                                                    \
		show(#call, 0);                                                                    \
	} while (0)

static void overflow(void)
{
	if (!machine.event) {
		show("no event", 0);
		return;
	}
	csr_write(CSR_MIDELEG, ~0ul);
	SHOWN(register_cb);
	SHOWN(enable_cb);
	show("match", match(COUNTER, 0, MISSES, 0));
	show("start", sbi_pmu_ctr_start(COUNTER, 1, 0, 0));
	csr_write(CSR_MIP, ~0ul);
	sbi_pmu_ovf_irq();
	show("overflow", 0);
	show("stop", sbi_pmu_ctr_stop(COUNTER, 1, 0));
	show("start", sbi_pmu_ctr_start(COUNTER, 1, 0, 0));
	SHOWN(complete_cb);
	csr_write(CSR_MIP, ~0ul);
	SHOWN(disable_cb);
	SHOWN(unregister_cb);
	csr_write(CSR_MIP, ~0ul);
	show("stop and reset", sbi_pmu_ctr_stop(COUNTER, 1, SBI_PMU_STOP_FLAG_RESET));
}

/* Accesses only what was requested; physical addresses are not translated. */
static void share(void)
{
	static struct sbi_pmu_event_info entry[3] __attribute__((aligned(16)));
	const unsigned long base = (unsigned long)entry;
	int i;

	for (i = 0; i < 3; i++) {
		entry[i].event_idx = MISSES;
		entry[i].output = 2;
	}
	show("info", sbi_pmu_event_get_info(base, 0, 3, 0));
	printf("translated %d, begin %d, end %d, outputs %d %d %d\n", machine.translated,
	       machine.low == base, machine.high <= base + sizeof(entry), (int)entry[0].output,
	       (int)entry[1].output, (int)entry[2].output);
}

/*
 * To another domain and back: the hart's counters keep running, and memory is as each domain has
 * it.
 */
static void change_domain(void)
{
	show("match here", match(COUNTER, 0, MISSES, 0));
	show("start here", sbi_pmu_ctr_start(COUNTER, 1, 0, 0));
	share();
	machine.elsewhere = true;
	show("start there", sbi_pmu_ctr_start(COUNTER, 1, 0, 0));
	show("match there", match(COUNTER, 0, MISSES, 0));
	share();
	show("stop there", sbi_pmu_ctr_stop(COUNTER, 1, 0));
	machine.elsewhere = false;
	show("start again here", sbi_pmu_ctr_start(COUNTER, 1, 0, 0));
	share();
	show("stop and reset here", sbi_pmu_ctr_stop(COUNTER, 1, SBI_PMU_STOP_FLAG_RESET));
}

int main(int argc, char **argv)
{
	static const struct sbi_platform_operations ops = {
		.pmu_init = add_rows,
		.pmu_xlate_to_mhpmevent = encode,
	};
	const unsigned long user = SBI_PMU_CFG_FLAG_SET_SINH | SBI_PMU_CFG_FLAG_SET_VUINH;

	if (argc != 2)
		return 2;
	if (!strcmp(argv[1], "device")) {
		device = &with_bit;
		machine.extensions = 0;
	} else if (!strcmp(argv[1], "filter")) {
		device = &with_filter;
		machine.extensions = 1ul << SBI_HART_EXT_XANDESPMU;
	}
	machine.extensions |= 1ul << SBI_HART_EXT_SMEPMP;
	csr_write(CSR_SATP, 8ul << 60 | 0x80000);
	show("init", machine_start_platform(&ops));
	count_one(0, MISSES, 0);
	count_one(user, SBI_PMU_EVENT_RAW_IDX, RAW_DATA);
	if (!device || device == &with_filter)
		show("cycles of a mode", match(0, user, SBI_PMU_HW_CPU_CYCLES, 0));
	change_domain();
	overflow();
	share();
	return 0;
}
