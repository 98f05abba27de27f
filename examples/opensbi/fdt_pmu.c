/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fdt_pmu.c -- for OpenSBI, in the place of lib/utils/fdt/fdt_pmu.c: see README.md.
 *
 * sbi_pmu.c goes on to choose counters, by scanning rows. It gets rows here that its scan and its
 * checks cannot get wrong: each event is in one range only, and of raw rows the first one that
 * matches has all the counters.
 */
#include <libfdt.h>
#include <sbi/sbi_console.h>
#include <sbi/sbi_error.h>
#include <sbi/sbi_hart.h>
#include <sbi/sbi_pmu.h>
#include <sbi/sbi_scratch.h>
#include <sbi_utils/fdt/fdt_pmu.h>

#define PMUMAP_NO_STDINT
#define PMUMAP_BINDINGS PMUMAP_RISCV
#include <sbi_utils/fdt/pmumap_fdt.h>

#ifndef FDT_PMU_BLOCK
#define FDT_PMU_BLOCK 8192 /* bytes; the largest board known takes 6800 */
#endif
#ifndef FDT_PMU_FINDINGS
#define FDT_PMU_FINDINGS 16 /* that are printed; 0 leaves their code out */
#endif

#define FIXED_COUNTERS 0x7u

/* sbi_pmu.c has room for 255 rows. These are kept for ranges. */
#define RANGES 63
#define RAW_ROWS (255 - RANGES)

struct raw_row {
	uint64_t select, mask;
	uint32_t counters;
};

static uint64_t block[FDT_PMU_BLOCK / 8];
static const struct pmumap *map; /* in block, for good; NULL: there is none */
static bool left_out;

#if FDT_PMU_FINDINGS
static uint32_t findings;

static void print_finding(void *arg, const struct pmumap_finding *f)
{
	if (findings++ >= FDT_PMU_FINDINGS)
		return;
	sbi_printf("PMU: %s %s: %s", pmumap_severity_str(f->severity), pmumap_code_str(f->code),
		   f->property ? f->property : "the node");
	if (f->row != PMUMAP_NO_ROW)
		sbi_printf(" row %u", f->row);
	sbi_printf(", 0x%llx\n", (unsigned long long)f->value);
}

static const struct pmumap_fdt_options listening = { .report = print_finding };
static const struct pmumap_fdt_options *const options = &listening;
#else
static const struct pmumap_fdt_options *const options = NULL;
#endif

/* The programmable counters of the hart at hand that may count an event; 0: it cannot be counted. */
static uint32_t programmable(uint32_t event, uint32_t present)
{
	uint64_t value;

	/* In mhpmevent 0 is "no event". */
	if (!pmumap_encode(map, event, 0, PMUMAP_RULE_ABSENT, &value) || !value)
		return 0;
	return pmumap_counters(map, event) & present;
}

/* Whether no event has a selector, and so each is its own: as pmumap_encode() does it. */
static bool own_numbers(void)
{
	uint64_t value;

	return !pmumap_selector(map, SBI_PMU_HW_CPU_CYCLES, &value) &&
	       pmumap_encode(map, SBI_PMU_HW_CPU_CYCLES, 0, PMUMAP_RULE_ABSENT, &value);
}

static void hand_range(uint32_t first, uint32_t last, uint32_t counters)
{
	if (counters && sbi_pmu_add_hw_event_counter_map(first, last, counters))
		left_out = true;
}

/* Neighbouring runs with the same counters become one row: selectors are no matter here. */
static void hand_ranges(uint32_t present)
{
	uint32_t first = 0, last = SBI_PMU_HW_INSTRUCTIONS, counters = 0, c;
	const bool own = own_numbers();
	struct pmumap_run run;

	/* A row each, if only for the fixed counter: what has no row is "not supported". */
	hand_range(SBI_PMU_HW_CPU_CYCLES, SBI_PMU_HW_CPU_CYCLES,
		   programmable(SBI_PMU_HW_CPU_CYCLES, present) | 0x1);
	hand_range(SBI_PMU_HW_INSTRUCTIONS, SBI_PMU_HW_INSTRUCTIONS,
		   programmable(SBI_PMU_HW_INSTRUCTIONS, present) | 0x4);

	while (pmumap_event_next(map, last + 1, &run) && run.first < PMUMAP_EVENT_RAW) {
		c = (run.has_selector ? run.selector != 0 : own) ? run.counters & present : 0;
		if (run.first != last + 1 || c != counters) {
			hand_range(first, last, counters);
			first = run.first;
			counters = c;
		}
		last = run.last < PMUMAP_EVENT_RAW ? run.last : PMUMAP_EVENT_RAW - 1;
	}
	hand_range(first, last, counters);
}

/* Whether all events of row a are events of row b, and whether they have one in common. */
static bool inside(const struct raw_row *a, const struct raw_row *b)
{
	return !(b->mask & ~a->mask) && !((a->select ^ b->select) & b->mask);
}

static bool meet(const struct raw_row *a, const struct raw_row *b)
{
	return !((a->select ^ b->select) & a->mask & b->mask);
}

/* Add a row, unless there is one with the same events: then that one gets its counters. */
static uint32_t add_row(struct raw_row *rows, uint32_t n, uint32_t room, const struct raw_row *row)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (rows[i].select == row->select && rows[i].mask == row->mask) {
			rows[i].counters |= row->counters;
			return n;
		}
	}
	if (n == room) {
		left_out = true;
		return n;
	}
	rows[n] = *row;
	return n + 1;
}

static uint32_t read_raw(struct raw_row *rows, uint32_t room, uint32_t present)
{
	struct raw_row row;
	uint32_t i, n = 0;

	for (i = 0; pmumap_raw_at(map, i, &row.select, &row.mask, &row.counters); i++) {
		row.counters &= present;
		if (row.counters)
			n = add_row(rows, n, room, &row);
	}
	return n;
}

/*
 * The scan of sbi_pmu.c is right for the first row that matches an event, and only for that one.
 * So rows that meet get a row for what they have in common, each row gets the counters of the rows
 * that it lies inside, and goes before these: its mask is the greater number.
 */
static void hand_raw(struct raw_row *rows, uint32_t room, uint32_t present)
{
	uint32_t i, j, n = read_raw(rows, room, present);
	struct raw_row common = { .counters = 0 }, *best;

	for (i = 1; i < n; i++) {
		for (j = 0; j < i; j++) {
			if (!meet(&rows[i], &rows[j]))
				continue;
			common.select = rows[i].select | rows[j].select;
			common.mask = rows[i].mask | rows[j].mask;
			n = add_row(rows, n, room, &common);
		}
	}
	for (i = 0; i < n; i++) {
		for (j = 0; j < n; j++) {
			if (inside(&rows[i], &rows[j]))
				rows[i].counters |= rows[j].counters;
		}
	}
	for (; n; *best = rows[--n]) {
		best = rows;
		for (i = 1; i < n; i++) {
			if (rows[i].mask > best->mask)
				best = &rows[i];
		}
		if (sbi_pmu_add_raw_event_counter_map(best->select, best->mask, best->counters))
			left_out = true;
	}
}

static void hand_rows(void)
{
	const uint32_t present = sbi_hart_mhpm_mask(sbi_scratch_thishart_ptr()) & ~FIXED_COUNTERS;
	const size_t used = pmumap_size(map);
	const size_t left = (sizeof(block) - used) / sizeof(struct raw_row);

	/* Raw rows come first: after a range, one that matches every event passes for a duplicate. */
	hand_raw((struct raw_row *)(block + used / 8), left < RAW_ROWS ? left : RAW_ROWS, present);
	hand_ranges(present);
	if (left_out)
		sbi_printf("PMU: too many rows, or too many that meet\n");
}

int fdt_pmu_setup(const void *fdt)
{
	enum pmumap_status status;

	if (!fdt)
		return SBI_EINVAL;
	status = pmumap_fdt_build(fdt, fdt_totalsize(fdt), options, block, sizeof(block), &map);
#if FDT_PMU_FINDINGS
	if (findings > FDT_PMU_FINDINGS)
		sbi_printf("PMU: %u findings more\n", findings - FDT_PMU_FINDINGS);
#endif
	if (status == PMUMAP_E_NOTFOUND)
		return SBI_ENOENT;
	if (status != PMUMAP_OK) {
		sbi_printf("PMU: %s\n", pmumap_status_str(status));
		return SBI_EINVAL;
	}
	hand_rows();
	return 0;
}

/* Tables are for firmware; and without Sscofpmf no counter interrupts. */
int fdt_pmu_fixup(void *fdt)
{
	static const char *const names[] = {
		"riscv,event-to-mhpmevent",        "riscv,event-to-mhpmcounters",
		"riscv,raw-event-to-mhpmcounters", "pmu,event-to-mhpmevent",
		"pmu,event-to-mhpmcounters",       "pmu,raw-event-to-mhpmcounters",
	};
	struct sbi_scratch *scratch = sbi_scratch_thishart_ptr();
	int node, found = SBI_ENOENT;
	unsigned int i;

	if (!fdt)
		return SBI_EINVAL;
	for (node = fdt_node_offset_by_compatible(fdt, -1, "riscv,pmu"); node >= 0;
	     node = fdt_node_offset_by_compatible(fdt, node, "riscv,pmu")) {
		for (i = 0; i < array_size(names); i++)
			fdt_delprop(fdt, node, names[i]);
		if (!sbi_hart_has_extension(scratch, SBI_HART_EXT_SSCOFPMF))
			fdt_delprop(fdt, node, "interrupts-extended");
		found = 0;
	}
	return found;
}

uint64_t fdt_pmu_get_select_value(uint32_t event_idx)
{
	uint64_t selector;

	return map && pmumap_selector(map, event_idx, &selector) ? selector : 0;
}

uint64_t fdt_pmu_xlate_to_mhpmevent(uint32_t event_idx, uint64_t data)
{
	uint64_t value;

	return map && pmumap_encode(map, event_idx, data, PMUMAP_RULE_ABSENT, &value) ? value : 0;
}
