/* SPDX-License-Identifier: BSD-2-Clause
 *
 * machine.c -- what OpenSBI's PMU needs of the rest of it: one hart with counters 3 to 18, Sscofpmf
 * and Smcntrpmf, a heap that only grows, a platform that reads a tree.
 */
#include <sbi/riscv_asm.h>
#include <sbi/sbi_domain.h>
#include <sbi/sbi_ecall_interface.h>
#include <sbi/sbi_error.h>
#include <sbi/sbi_hart.h>
#include <sbi/sbi_heap.h>
#include <sbi/sbi_platform.h>
#include <sbi/sbi_pmu.h>
#include <sbi/sbi_scratch.h>
#include <sbi/sbi_sse.h>
#include <sbi/sbi_trap.h>
#include <sbi/sbi_unpriv.h>
#include <sbi_utils/fdt/fdt_pmu.h>
#ifdef PMU_MAP
#include <sbi/sbi_pmu_map.h>
#endif
#include "inside.h"
#include "machine.h"

unsigned long model_csr[4096];
struct machine machine = {
	.extensions = 1ul << SBI_HART_EXT_SSCOFPMF | 1ul << SBI_HART_EXT_SMCNTRPMF,
	.low = ~0ul,
};

static unsigned long scratch_area[512];
static unsigned long heap[1 << 17];
static unsigned long used;
static const void *tree;
static struct sbi_domain other;
static uint32_t own_hart;
static uint32_t programmable_counters = MACHINE_PROGRAMMABLE;

static void *take(unsigned long bytes)
{
	void *p = &heap[used];

	used += (bytes + 63) / 64 * 8;
	return bytes && used <= sizeof(heap) / sizeof(heap[0]) ? p : NULL;
}

struct sbi_heap_control {
	int none;
} global_hpctrl;

void *sbi_malloc_from(struct sbi_heap_control *hpctrl, size_t size)
{
	return take(size);
}

void *sbi_zalloc_from(struct sbi_heap_control *hpctrl, size_t size)
{
	return take(size);
}

void sbi_free_from(struct sbi_heap_control *hpctrl, void *ptr)
{
}

/* Under their names of some versions or of others. */
int sbi_sse_add_event(uint32_t event_id, const struct sbi_sse_cb_ops *cb_ops)
{
	machine.event = cb_ops;
	return 0;
}

int sbi_sse_set_cb_ops(uint32_t event_id, const struct sbi_sse_cb_ops *cb_ops)
{
	return sbi_sse_add_event(event_id, cb_ops);
}

/* OpenSBI as it is opens a window to the supervisor's memory. */
int sbi_hart_protection_map_range(unsigned long base, unsigned long size)
{
	return 0;
}

int sbi_hart_protection_unmap_range(unsigned long base, unsigned long size)
{
	return 0;
}

int sbi_hart_map_saddr(unsigned long base, unsigned long size)
{
	return 0;
}

int sbi_hart_unmap_saddr(void)
{
	return 0;
}

/* What is reached with the supervisor's rights; no address may be translated. */
static void reach(const volatile void *at, unsigned long bytes, struct sbi_trap_info *trap)
{
	const unsigned long base = (unsigned long)at;

	trap->cause = 0;
	machine.translated += model_csr[CSR_SATP] != 0;
	if (base < machine.low)
		machine.low = base;
	if (base + bytes > machine.high)
		machine.high = base + bytes;
}

u64 sbi_load_u64(const u64 *addr, struct sbi_trap_info *trap)
{
	reach(addr, 8, trap);
	return *addr;
}

u32 sbi_load_u32(const u32 *addr, struct sbi_trap_info *trap)
{
	reach(addr, 4, trap);
	return *addr;
}

void sbi_store_u32(u32 *addr, u32 val, struct sbi_trap_info *trap)
{
	reach(addr, 4, trap);
	*addr = val;
}

/* One hart, whose number is 0. */
u32 hartindex_to_hartid_table[SBI_HARTMASK_MAX_BITS];
struct sbi_scratch *hartindex_to_scratch_table[SBI_HARTMASK_MAX_BITS];
#if OPENSBI_VERSION >= (1 << 16 | 7)
u32 sbi_scratch_hart_count = 1;
#else
u32 last_hartindex_having_scratch;
#endif

unsigned long sbi_scratch_alloc_offset(unsigned long size)
{
	static unsigned long last = sizeof(struct sbi_scratch) + 64;

	return last += 64;
}

unsigned int sbi_hart_mhpm_mask(struct sbi_scratch *scratch)
{
	return programmable_counters;
}

unsigned int sbi_hart_mhpm_bits(struct sbi_scratch *scratch)
{
	return 64;
}

int sbi_hart_priv_version(struct sbi_scratch *scratch)
{
	return SBI_HART_PRIV_VER_1_12;
}

bool sbi_hart_has_extension(struct sbi_scratch *scratch, enum sbi_hart_extensions ext)
{
	return machine.extensions >> ext & 1;
}

int sbi_printf(const char *format, ...)
{
	return 0;
}

int sbi_dprintf(const char *format, ...)
{
	return 0;
}

bool sbi_domain_check_addr_range(const struct sbi_domain *dom, unsigned long addr,
				 unsigned long size, unsigned long mode, unsigned long access_flags)
{
	return dom != &other;
}

struct sbi_domain *sbi_hartindex_to_domain(u32 hartindex)
{
	return machine.elsewhere ? &other : NULL;
}

int sbi_sse_inject_event(uint32_t event_id)
{
	machine.injected++;
	return 0;
}

void *sbi_memcpy(void *dest, const void *src, size_t count)
{
	return __builtin_memcpy(dest, src, count);
}

void *sbi_memset(void *s, int c, size_t count)
{
	return __builtin_memset(s, c, count);
}

#if defined(SERIES) || defined(PMU_MAP)
const void *fdt_getprop(const void *fdt, int node, const char *property, int *bytes);

int fdt_parse_hart_id(const void *fdt, int cpu_offset, u32 *hartid)
{
	int bytes;
	const unsigned char *reg = fdt_getprop(fdt, cpu_offset, "reg", &bytes);

	if (!reg || bytes < 4)
		return SBI_EINVAL;
	reg += bytes - 4;
	*hartid = (u32)reg[0] << 24 | (u32)reg[1] << 16 | (u32)reg[2] << 8 | reg[3];
	return 0;
}

/* All others have no index. */
u32 sbi_hartid_to_hartindex(u32 hartid)
{
	return hartid == own_hart ? 0 : ~0u;
}
#endif

static int read_tree(void)
{
	return fdt_pmu_setup(tree);
}

/* As the generic platform does it: an event without a selector is its own. */
static uint64_t encode(uint32_t event_idx, uint64_t data)
{
#if defined(SERIES) || defined(PMU_MAP)
	return sbi_pmu_get_select_value(event_idx, data);
#else
	uint64_t value;

	if (event_idx >= SBI_PMU_EVENT_RAW_IDX)
		return data;
	value = fdt_pmu_get_select_value(event_idx);
	return value ? value : event_idx;
#endif
}

int machine_start_platform(const struct sbi_platform_operations *ops)
{
	static struct sbi_platform platform;
	struct sbi_scratch *scratch = (void *)scratch_area;

	platform.platform_ops_addr = (unsigned long)ops;
	scratch->platform_addr = (unsigned long)&platform;
	hartindex_to_scratch_table[0] = scratch;
	model_csr[CSR_MSCRATCH] = (unsigned long)scratch;
	model_csr[CSR_MCOUNTINHIBIT] = ~0ul << 3;
	return sbi_pmu_init(scratch, true);
}

int machine_start(const void *fdt)
{
	static const struct sbi_platform_operations ops = {
		.pmu_init = read_tree,
		.pmu_xlate_to_mhpmevent = encode,
	};

	tree = fdt;
	return machine_start_platform(&ops);
}

void machine_be(int sscofpmf, int smcntrpmf, int xandespmu, uint32_t programmable)
{
	machine.extensions = (unsigned long)sscofpmf << SBI_HART_EXT_SSCOFPMF |
			     (unsigned long)smcntrpmf << SBI_HART_EXT_SMCNTRPMF |
			     (unsigned long)xandespmu << SBI_HART_EXT_XANDESPMU;
	programmable_counters = programmable;
}

void machine_be_hart(uint32_t id)
{
	own_hart = id;
}

int machine_hand_on(void *fdt)
{
	return fdt_pmu_fixup(fdt);
}

/* Linux asks for all counters but time. */
static unsigned long all_counters(void)
{
	return ((1ul << (sbi_pmu_num_ctr() - 1)) - 1) & ~2ul;
}

uint64_t machine_selector(uint32_t event, uint64_t data)
{
	const unsigned long all = all_counters();
	int counter = sbi_pmu_ctr_cfg_match(0, all, 0, event, data);
	uint64_t value = 0;

	if (counter < 0)
		return 0;
	if (counter >= 3)
		value = model_csr[CSR_MHPMEVENT3 + counter - 3] << 8 >> 8;
	sbi_pmu_ctr_stop(0, 1ul << counter, SBI_PMU_STOP_FLAG_RESET);
	return value;
}

uint64_t machine_take_all(uint32_t event, uint64_t data)
{
	const unsigned long all = all_counters();
	uint64_t taken = 0;
	int counter;

	for (;;) {
		counter = sbi_pmu_ctr_cfg_match(0, all, 0, event, data);
		if (counter < 0 || taken >> counter & 1)
			break;
		taken |= (uint64_t)1 << counter;
	}
	sbi_pmu_ctr_stop(0, taken, SBI_PMU_STOP_FLAG_RESET);
	return taken;
}

int machine_info(uint32_t event, uint64_t data)
{
	static struct sbi_pmu_event_info entry[1] __attribute__((aligned(16)));

	entry[0].event_idx = event;
	entry[0].output = 77;
	entry[0].event_data = data;
	sbi_pmu_event_get_info((unsigned long)entry, 0, 1, 0);
	return (int)entry[0].output;
}
