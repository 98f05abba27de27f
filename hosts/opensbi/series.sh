#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/opensbi/series.sh CHECKOUT [LAST]
#
# Makes commits in a checkout of OpenSBI 1.9 or later, up to number LAST (8 without the optional
# two; default 10). They give OpenSBI the answers of pmumap without its code. series.md has the
# reasons and the cost. "git format-patch -s" in the checkout writes the mails.
. "$(dirname "$0")/../edit.sh"
. "$host/edits.sh"

until=${2:-10}
doc=docs/pmu_support.md
tests=lib/sbi/tests/sbi_pmu_test.c

# document: adds standard input to the list that commit 4 begins in OpenSBI's page
document() {
	line $doc '^### Example 1$'
	insert $doc $((line - 2))
}

# add_case NAME: adds a test, from standard input, to OpenSBI's own
add_case() {
	before $tests '^static struct sbiunit_test_case '
	before $tests 'SBIUNIT_END_CASE' <<END
	SBIUNIT_TEST_CASE($1),
END
}

# ---- four defects -------------------------------------------------------------------------------

add_tests() {
	cat >"$edited/.tests" <<'END'
/*
 * SPDX-License-Identifier: BSD-2-Clause
 */

#include <sbi/riscv_asm.h>
#include <sbi/sbi_ecall_interface.h>
#include <sbi/sbi_error.h>
#include <sbi/sbi_hart.h>
#include <sbi/sbi_pmu.h>
#include <sbi/sbi_scratch.h>
#include <sbi/sbi_unit_test.h>

#define EVENT(type, code) \
	(SBI_PMU_EVENT_TYPE_##type << SBI_PMU_EVENT_IDX_TYPE_OFFSET | (code))
/* Does not happen during the tests */
#define FW_EVENT	EVENT(FW, SBI_PMU_FW_HFENCE_VVMA_ASID_RCVD)

static struct sbiunit_test_case pmu_test_cases[] = {
	SBIUNIT_END_CASE,
};

SBIUNIT_TEST_SUITE(pmu_test_suite, pmu_test_cases);
END
	add "$edited/.tests" $tests
	rm "$edited/.tests"
	after lib/sbi/tests/objects.mk ' tests/sbi_bitmap_test\.o$' <<'END'

carray-sbi_unit_tests-$(CONFIG_SBIUNIT) += pmu_test_suite
libsbi-objs-$(CONFIG_SBIUNIT) += tests/sbi_pmu_test.o
END
}

commit_1() {
	edit_skip_match
	add_tests
	add_case skip_match_test <<'END'
static void skip_match_test(struct sbiunit_test_case *test)
{
	const unsigned long fw_ctr = sbi_pmu_num_ctr() - SBI_PMU_FW_CTR_MAX;
	const unsigned long skip = SBI_PMU_CFG_FLAG_SKIP_MATCH;
	uint64_t value = 0;

	/* The counter must be of the event's kind */
	SBIUNIT_EXPECT_EQ(test, sbi_pmu_ctr_cfg_match(0, 1, skip, FW_EVENT, 0),
			  SBI_EINVAL);
	SBIUNIT_EXPECT_EQ(test, sbi_pmu_ctr_cfg_match(fw_ctr, 1, 0, FW_EVENT, 0),
			  fw_ctr);
	SBIUNIT_EXPECT_EQ(test,
			  sbi_pmu_ctr_cfg_match(fw_ctr, 1, skip,
						SBI_PMU_HW_CPU_CYCLES, 0),
			  SBI_EINVAL);

	/* A running counter keeps its value */
	SBIUNIT_EXPECT_EQ(test,
			  sbi_pmu_ctr_start(fw_ctr, 1,
					    SBI_PMU_START_FLAG_SET_INIT_VALUE, 7),
			  0);
	SBIUNIT_EXPECT_EQ(test,
			  sbi_pmu_ctr_cfg_match(fw_ctr, 1,
						skip | SBI_PMU_CFG_FLAG_CLEAR_VALUE,
						FW_EVENT, 0),
			  SBI_ENOTSUPP);
	SBIUNIT_EXPECT_EQ(test, sbi_pmu_ctr_fw_read(fw_ctr, &value, false), 0);
	SBIUNIT_EXPECT_EQ(test, value, 7);

	sbi_pmu_ctr_stop(fw_ctr, 1, SBI_PMU_STOP_FLAG_RESET);
}

END
	finish "lib: sbi_pmu: Check the counter that SKIP_MATCH names

sbi_pmu_ctr_cfg_match() uses the first counter of the caller's set without a
look at its kind. A firmware event on hardware counter 0 makes the index into
fw_counters_data negative, and with CLEAR_VALUE M-mode writes there. For any
other event on a firmware counter M-mode writes a CSR by the counter's number,
which may not exist; then the hart is lost. S-mode needs one or two calls.

CLEAR_VALUE also clears a running counter under its user. According to the
SBI specification (sbi_pmu_counter_config_matching) this function configures
a counter \"which is not started\", so answer NOT_SUPPORTED. Leave out the
fixed counters: Linux skips to them while they run (perf_user_access 2)."
}

commit_2() {
	edit_start_running
	set -- $pmu pmu_update_hw_mhpmevent
	take_out $1 $2 '^	/\* Update the inhibit flags' '^		pmu_update_inhibit_flags'
	in_body $1 $2 1 '^				 MHPMEVENT_MINH \| MHPMEVENT_OF;' 'a\
		pmu_update_inhibit_flags(flags, \&mhpmevent_val);\
	}'
	line $pmu '^		mhpmevent_val = \(mhpmevent_val'
	sed "$((line - 1))s/\$/ {/" "$edited/$pmu" >"$edited/.new"
	cat "$edited/.new" >"$edited/$pmu"
	add_case start_running_test <<'END'
/* Does not count on any platform that we know of */
#define RAW_DATA	0x5b1b5b1b5b1bULL

static void start_running_test(struct sbiunit_test_case *test)
{
	const int csr = __riscv_xlen == 32 ? CSR_MHPMEVENT3H : CSR_MHPMEVENT3;
	struct sbi_scratch *scratch = sbi_scratch_thishart_ptr();
	unsigned long value;

	sbi_pmu_add_raw_event_counter_map(RAW_DATA, ~0ULL, BIT(3));
	if (!sbi_hart_has_extension(scratch, SBI_HART_EXT_SSCOFPMF) ||
	    sbi_pmu_ctr_cfg_match(3, 1, 0, EVENT(HW_RAW, 0), RAW_DATA) != 3)
		return;

	/* The overflow interrupt stays enabled */
	SBIUNIT_EXPECT_EQ(test, sbi_pmu_ctr_start(3, 1, 0, 0), 0);
	value = csr_read_num(csr);
	SBIUNIT_EXPECT_EQ(test, sbi_pmu_ctr_start(3, 1, 0, 0),
			  SBI_EALREADY_STARTED);
	SBIUNIT_EXPECT_EQ(test, csr_read_num(csr), value);

	sbi_pmu_ctr_stop(3, 1, SBI_PMU_STOP_FLAG_RESET);
}

END
	finish "lib: sbi_pmu: Leave mhpmevent of a running counter alone

START writes mhpmevent again, because a suspend may have lost it. For a
running counter it does so, too, and sets OF, before it answers
ALREADY_STARTED. That answer is right, but from then on the overflows of the
counter do not interrupt, since OF is set already. Linux starts running
counters when it ends throttling: with perf_event_max_sample_rate 250, perf
record -e dTLB-load-misses -c 1000 on QEMU took 90 samples instead of 2,750.
Write mhpmevent only after the check.

Ask for Sscofpmf once instead of twice while there, so that START costs no
more instructions than before."
}

commit_3() {
	limit_entries
	add_case event_info_size_test <<'END'
static void event_info_size_test(struct sbiunit_test_case *test)
{
	/* The first one has a size of 0 */
	SBIUNIT_EXPECT_EQ(test,
			  sbi_pmu_event_get_info(0, 0, 1UL << (BITS_PER_LONG - 4),
						 0),
			  SBI_ERR_INVALID_PARAM);
	SBIUNIT_EXPECT_EQ(test, sbi_pmu_event_get_info(0, 0, 4097, 0),
			  SBI_ERR_INVALID_PARAM);
}

END
	finish "lib: sbi_pmu: Limit the entries of one EVENT_GET_INFO call

The caller chooses the number of entries. 16 times that number can wrap: with
2^60 entries shmem_size is 0, sbi_domain_check_addr_range() accepts an empty
range at any address, and the loop writes into all memory from there on, the
firmware included. Also, the hart answers no IPI until the call returns.
Linux asks for 52 entries; allow 4096."
}

commit_4() {
	after $fdt '<libfdt\.h>' <<'END'
#include <sbi/sbi_console.h>
END
	edit_empty_selectors
	take_out $fdt fdt_pmu_setup '^	event_ctr_map = fdt_getprop' '^	}$'
	insert $fdt $((from - 1)) <<'END'
	fdt_pmu_add_rows(fdt, pmu_offset, "riscv,event-to-mhpmcounters", 3,
			 fdt_pmu_add_counters);
END
	take_out $fdt fdt_pmu_setup '^				"riscv,raw-event-to-mhpmcounters"' '^	}$'
	delete $fdt $((from - 1))
	insert $fdt $((from - 2)) <<'END'
	fdt_pmu_add_rows(fdt, pmu_offset, "riscv,raw-event-to-mhpmcounters", 5,
			 fdt_pmu_add_raw);
END
	in_body $fdt fdt_pmu_setup 3 '^	(const u32 \*event_ctr_map|uint64_t raw_selector|u32 event_idx_start)' d
	in_body $fdt fdt_pmu_setup 1 ', len, result;' 's/, result//'
	before_function $fdt fdt_pmu_setup <<'END'
static uint64_t fdt_pmu_read_u64(const fdt32_t *cell)
{
	return (uint64_t)fdt32_to_cpu(cell[0]) << 32 | fdt32_to_cpu(cell[1]);
}

/* Call add() for each row of a table. A refused row does not stop the others. */
static void fdt_pmu_add_rows(const void *fdt, int node, const char *name,
			     int cells, int (*add)(const fdt32_t *row))
{
	int i, len, rc;
	const fdt32_t *row = fdt_getprop(fdt, node, name, &len);

	for (i = 0; row && i < len / (cells * (int)sizeof(*row)); i++) {
		rc = add(row + i * cells);
		if (rc)
			sbi_printf("PMU: %s: row %d refused (error %d)\n",
				   name, i, rc);
	}
}

static int fdt_pmu_add_counters(const fdt32_t *row)
{
	return sbi_pmu_add_hw_event_counter_map(fdt32_to_cpu(row[0]),
						fdt32_to_cpu(row[1]),
						fdt32_to_cpu(row[2]));
}

static int fdt_pmu_add_raw(const fdt32_t *row)
{
	return sbi_pmu_add_raw_event_counter_map(fdt_pmu_read_u64(row),
						 fdt_pmu_read_u64(row + 2),
						 fdt32_to_cpu(row[4]));
}

END
	before $doc '^### Example 1$' <<'END'
### How OpenSBI uses the tables

* OpenSBI prints a row that it can not use, and skips it. All other rows are used.

END
	finish "lib: utils/fdt_pmu: Skip rows that can not be used

fdt_pmu_setup() returns at the first row that sbi_pmu.c refuses, and only a
debug build says so. All later rows are lost, and the tables behind: a range
that names a fixed counter (an easy mistake, as counter 0 is bit 0) costs the
guest all raw events. An empty riscv,event-to-mhpmevent has the same effect,
because sbi_calloc() of no rows returns NULL. Read both tables of counters in
one loop, print refused rows, and go on."
}

# ---- one place that finds counters --------------------------------------------------------------

commit_5() {
	edit_find_hw
	edit_event_info
	drop_event_argument
	add_case raw_rows_test <<'END'
/* Two rows match the event; the set begins with a counter of the second one */
static void raw_rows_test(struct sbiunit_test_case *test)
{
	const u32 mask = sbi_hart_mhpm_mask(sbi_scratch_thishart_ptr());

	sbi_pmu_add_raw_event_counter_map(RAW_DATA & ~1ULL, ~1ULL, BIT(4) | BIT(5));
	if (!(mask & BIT(4)) || !(mask & BIT(5)))
		return;

	SBIUNIT_EXPECT_EQ(test, sbi_pmu_ctr_cfg_match(4, 3, 0, EVENT(HW_RAW, 0),
						      RAW_DATA), 4);
	SBIUNIT_EXPECT_EQ(test, sbi_pmu_ctr_cfg_match(4, 3, 0, EVENT(HW_RAW, 0),
						      RAW_DATA), 5);
	sbi_pmu_ctr_stop(4, 3, SBI_PMU_STOP_FLAG_RESET);
}

END
	finish "lib: sbi_pmu: Find the counters of an event in one function

CONFIG_MATCHING and EVENT_GET_INFO search the same rows, each in its own way,
and both ways are wrong:

pmu_ctr_find_hw() uses cbase itself as the loop variable. For the second row
that matches an event, the caller's mask is shifted by the counter at which
the first search ended. The guest gets a counter that it did not offer, or
none although one is free.

EVENT_GET_INFO takes any range for a raw row, and then reports every raw event
as supported. It finds no firmware event, and cycles and instructions only if
they have a row. Linux 6.18 and later believes these answers, and perf stat -e
cycles fails on boards whose trees have no such row.

Collect the counters of all rows in one function, and let both ask it."
}

commit_6() {
	change $pmu '^/\*\* Information about hardware counters \*/' 's/hardware counters/raw events/'
	change $pmu '^struct sbi_pmu_hw_event \{' 's/hw_event/raw_event/'
	drop $pmu '^	uint32_t start_idx;$'
	drop $pmu '^	uint32_t end_idx;$'
	before $pmu '^/\*\* Information about raw events \*/' <<'END'
/** Information about a general or cache event */
struct sbi_pmu_hw_event {
	/* Value for mhpmevent; 0: none, then it is the event idx */
	uint64_t select;
	uint32_t counters;
};

END
	before $pmu '^/\* Mapping between event range' <<'END'
/* General and cache events by type and code; SBI defines fewer codes of both */
#define HW_EVENT_CODES 64
static struct sbi_pmu_hw_event hw_events[SBI_PMU_EVENT_TYPE_HW_CACHE + 1]
					[HW_EVENT_CODES];

END
	change $pmu '^/\* Mapping between event range' 's/event range/raw events/'
	change $pmu '^static struct sbi_pmu_hw_event \*hw_event_map' 's/hw_event/raw_event/g'
	change $pmu '^/\* Maximum number of hardware events' 's/hardware/raw/'
	change $pmu '^static uint32_t num_hw_events' 's/hw/raw/'
	in_body $pmu sbi_pmu_init 3 'hw_event_map' 's/hw_event_map/raw_event_map/g'

	drop_row_list
	before_function $pmu pmu_event_validate <<'END'
/* The entry of a general or cache event, or NULL */
static struct sbi_pmu_hw_event *pmu_hw_event(unsigned long event_idx)
{
	uint32_t type = get_cidx_type(event_idx);
	uint32_t code = get_cidx_code(event_idx);

	if (type > SBI_PMU_EVENT_TYPE_HW_CACHE || code >= HW_EVENT_CODES)
		return NULL;

	return &hw_events[type][code];
}

/* Those of the counters that this hart has */
static uint32_t pmu_available(u32 cmap)
{
	return cmap & sbi_hart_mhpm_mask(sbi_scratch_thishart_ptr());
}

END
	rewrite $pmu sbi_pmu_add_hw_event_counter_map <<'END'
	u32 type, code, eidx;

	if (eidx_start > eidx_end || eidx_end >= SBI_PMU_EVENT_RAW_IDX)
		return SBI_EINVAL;

	for (type = 0; type <= SBI_PMU_EVENT_TYPE_HW_CACHE; type++) {
		for (code = 0; code < HW_EVENT_CODES; code++) {
			eidx = type << SBI_PMU_EVENT_IDX_TYPE_OFFSET | code;
			/* Event 0 is no event */
			if (eidx && eidx_start <= eidx && eidx <= eidx_end)
				hw_events[type][code].counters |= pmu_available(cmap);
		}
	}

	return 0;
END
	before_function $pmu sbi_pmu_add_raw_event_counter_map <<'END'
int sbi_pmu_add_hw_event_select(u32 eidx, uint64_t select)
{
	struct sbi_pmu_hw_event *event = pmu_hw_event(eidx);

	if (!event)
		return SBI_EINVAL;
	/* The first one wins */
	if (!event->select)
		event->select = select;

	return 0;
}

END
	rewrite $pmu sbi_pmu_add_raw_event_counter_map <<'END'
	struct sbi_pmu_raw_event *event = &raw_event_map[num_raw_events];

	if (num_raw_events >= SBI_PMU_HW_EVENT_MAX)
		return SBI_ENOSPC;

	event->select = select;
	event->select_mask = select_mask;
	event->counters = pmu_available(cmap);
	num_raw_events++;

	return 0;
END
	before_function $pmu sbi_pmu_ovf_irq <<'END'
/* SBI defines 48 bits of data for a raw event, and 56 for one of version 2 */
static uint64_t pmu_raw_bits(unsigned long event_idx, uint64_t data)
{
	return data & (~0ULL >> (event_idx == SBI_PMU_EVENT_RAW_IDX ? 16 : 8));
}

uint64_t sbi_pmu_get_select_value(u32 event_idx, uint64_t data)
{
	const struct sbi_pmu_hw_event *event = pmu_hw_event(event_idx);

	if (!event)
		return pmu_raw_bits(event_idx, data);

	return event->select ? event->select : event_idx;
}

END
	change $pmu '^/\* The counters of all rows that match' 's/all rows that match an event/an event/'
	rewrite $pmu pmu_event_counters <<'END'
	const struct sbi_pmu_hw_event *event = pmu_hw_event(event_idx);
	const struct sbi_pmu_raw_event *raw = raw_event_map;
	const struct sbi_pmu_raw_event *end = raw + num_raw_events;
	uint32_t counters = 0;

	if (event)
		return event->counters;

	/* With 0 in mhpmevent, a counter counts nothing */
	data = pmu_raw_bits(event_idx, data);
	for (; data && raw < end; raw++) {
		if (raw->select == (data & raw->select_mask))
			counters |= raw->counters;
	}

	return counters;
END
	before $header '^ \* Add the raw hardware event selector' <<'END'
 * Add the value for mhpmevent of a general or cache event, for platform code.
 * Without it, the value is the event idx.
 * @param eidx   Event idx
 * @param select Value for mhpmevent
 * @return 0 or an error
 */
int sbi_pmu_add_hw_event_select(u32 eidx, uint64_t select);

/**
 * Get the value for mhpmevent from what the platform code has added
 * @param event_idx Event idx
 * @param data      Data of a raw event
 * @return the value, or 0 if there is none
 */
uint64_t sbi_pmu_get_select_value(u32 event_idx, uint64_t data);

/**
END
	commit_6_reader
	add_case overlap_test <<'END'
/* Two ranges overlap; each adds its counters */
static void overlap_test(struct sbiunit_test_case *test)
{
	/* Misses of prefetching on another node, the last cache event of SBI */
	const u32 event = EVENT(HW_CACHE, 0x35);
	const u32 mask = sbi_hart_mhpm_mask(sbi_scratch_thishart_ptr());

	SBIUNIT_EXPECT_EQ(test, sbi_pmu_add_hw_event_counter_map(event, event, BIT(3)),
			  0);
	SBIUNIT_EXPECT_EQ(test, sbi_pmu_add_hw_event_counter_map(event, event, BIT(4)),
			  0);
	if (!(mask & BIT(3)) || !(mask & BIT(4)) ||
	    !sbi_pmu_get_select_value(event, 0))
		return;

	SBIUNIT_EXPECT_EQ(test, sbi_pmu_ctr_cfg_match(3, 3, 0, event, 0), 3);
	SBIUNIT_EXPECT_EQ(test, sbi_pmu_ctr_cfg_match(3, 3, 0, event, 0), 4);
	sbi_pmu_ctr_stop(3, 3, SBI_PMU_STOP_FLAG_RESET);
}

END
	document <<'END'
* If several rows match an event, any counter of these rows can count it. Counters
0 to 2 are fixed, so their bits have no effect. At most 256 raw rows are used.
* If riscv,event-to-mhpmevent lists an event twice, the first row is used.
END
	finish "lib: sbi_pmu: Index events instead of searching a list of ranges

SBI defines 10 general and 42 cache events, and all of their codes are below
64. Replace the list of ranges by an array with the counters of each event and
its value for mhpmevent. The list of selectors in fdt_pmu.c becomes part of it.
What remains a list are raw events.

Ranges may now overlap: both give their counters. Until now the second one was
refused, though the binding in docs/pmu_support.md calls the mapping
\"MANY-to-MANY\". Bits of fixed counters in a row are ignored, not a reason to
refuse it.

The data of raw events is cut to the 48 and 56 bits that SBI gives it, so that
S-mode can not set bits of mhpmevent that Sscofpmf or a vendor uses.

The rows and the index take 8 KB; the rows alone took 10 KB."
}

# The selectors of the tree go to sbi_pmu.c.
commit_6_reader() {
	drop $fdt '<sbi/sbi_heap\.h>'
	drop $fdt '^static struct fdt_pmu_hw_event_select_map'
	cut_out $fdt '^static uint32_t hw_event_count;'
	take_out $fdt fdt_pmu_setup '^	event_val = fdt_getprop' '^	}$'
	delete $fdt $((from - 1)),$from
	insert $fdt $((from - 2)) <<'END'
	fdt_pmu_add_rows(fdt, pmu_offset, "riscv,event-to-mhpmevent", 3,
			 fdt_pmu_add_select);
END
	in_body $fdt fdt_pmu_setup 2 '^	(const u32 \*event_val|struct fdt_pmu_hw_event_select_map)' d
	in_body $fdt fdt_pmu_setup 1 'int i, pmu_offset, len;' 's/i, pmu_offset, len/pmu_offset/'
	before_function $fdt fdt_pmu_add_raw <<'END'
static int fdt_pmu_add_select(const fdt32_t *row)
{
	return sbi_pmu_add_hw_event_select(fdt32_to_cpu(row[0]),
					   fdt_pmu_read_u64(row + 1));
}

END
	drop_select_list
	after $generic '<sbi/sbi_platform\.h>' <<'END'
#include <sbi/sbi_pmu.h>
END
	rewrite $generic generic_pmu_xlate_to_mhpmevent <<'END'
	return sbi_pmu_get_select_value(event_idx, data);
END
}

commit_7() {
	! grep -q '<sbi/sbi_hart_protection\.h>' "$src/$pmu" || drop $pmu '<sbi/sbi_hart_protection\.h>'
	after $pmu '<sbi/sbi_sse\.h>' <<'END'
#include <sbi/sbi_unpriv.h>
END
	set -- $pmu sbi_pmu_event_get_info
	in_body $1 $2 1 '(_map_saddr|protection_map_range)\(' '{N;d;}'
	in_body $1 $2 1 '(_unmap_saddr|protection_unmap_range)\(' '{N;d;}'
	in_body $1 $2 1 '^	int i;' 'a\
	uint32_t event_idx;\
	uint64_t data;\
	unsigned long satp;\
	struct sbi_trap_info trap = { 0 };'
	in_body $1 $2 1 'einfo = \(struct' 'i\
	/* Physical addresses, but with the rights of S-mode */\
	satp = csr_swap(CSR_SATP, 0);'
	take_out $1 $2 '^	for \(i = 0; i < num_events' ';$'
	insert $pmu $((from - 1)) <<'END'
	for (i = 0; i < num_events && !trap.cause; i++) {
		data = 0;
		event_idx = sbi_load_u32(&einfo[i].event_idx, &trap);
		/* General and cache events have no data */
		if (!trap.cause &&
		    get_cidx_type(event_idx) > SBI_PMU_EVENT_TYPE_HW_CACHE)
			data = sbi_load_u64(&einfo[i].event_data, &trap);
		if (!trap.cause)
			sbi_store_u32(&einfo[i].output,
				      pmu_event_is_countable(phs, event_idx, data),
				      &trap);
	}
	csr_write(CSR_SATP, satp);
END
	in_body $1 $2 1 '^	return 0;' 's/0/trap.cause ? SBI_ERR_INVALID_ADDRESS : 0/'
	finish "lib: sbi_pmu: Access EVENT_GET_INFO's memory with S-mode's rights

A domain's region may be larger than the memory in it. If S-mode passes an
address where no memory is, the access traps in M-mode, and the hart is lost.
The SBI specification wants INVALID_ADDRESS, and says in its section on shared
memory that the implementation must check whether S-mode may access the range.

Use sbi_load_u32(), sbi_load_u64() and sbi_store_u32() with satp 0. PMP then
treats the access as one of S-mode, a trap becomes an error, and no window has
to be opened with Smepmp. Changing satp.MODE to Bare and back needs no
SFENCE.VMA (privileged specification, satp). The emulation of misaligned
accesses uses these functions, too."
}

commit_8() {
	change $pmu '^	/\* Value for mhpmevent; 0: none, then' 's/; 0.*idx/, if the platform has added one/'
	line $pmu '^	/\* Value for mhpmevent, if'
	insert $pmu $((line + 1)) <<'END'
	bool has_select;
END
	before $pmu '^/\* Mapping between raw events' <<'END'
/* Whether the platform has selectors; if not, an event is its own selector */
static bool have_selects;

END
	set -- $pmu sbi_pmu_add_hw_event_select
	in_body $1 $2 1 'if \(!event\)' 'i\
	have_selects = true;'
	in_body $1 $2 1 'if \(!event->select\)' 's/select/has_&/'
	in_body $1 $2 1 'event->select = select;' 'a\
	event->has_select = true;'
	in_body $pmu sbi_pmu_get_select_value 1 'return event->select' 's/event->select \?/have_selects ?/'
	in_body $pmu pmu_event_counters 1 'return event->counters;' \
		's/event->counters/have_selects \&\& !event->select ? 0 : &/'
	change $header '^ \* Without it, the value is the event idx\.' \
		's/Without.*/Without any call, an event is its own value; after one, events without a/'
	after $header '^ \* Without any call, an event' <<'END'
 * value are not supported.
END
	line $doc '^as the expected value for hardware cache/generic events'
	insert $doc $((line + 1)) <<'END'
If the device tree has riscv,event-to-mhpmevent, events that are not listed there
have no value, and are not supported.
END
	finish "lib: sbi_pmu: Refuse events without a selector where others have one

The SBI specification recommends the event idx as value for mhpmevent if the
platform does not define one. On a hart that has selectors, this number selects
some other event. Linux's tree of SG2044 gives counters to ref-cycles (0xa), but
no selector: perf stat -e ref-cycles then counts LSU_SPEC_FAIL, event 0xa of
these cores (perf's thead/c900-legacy), and nothing warns the user.
Example 1 in docs/pmu_support.md has 48 such events.

If the platform has at least one selector, do not support events that have none.
A platform that relies on the old way can list them with the event idx as
selector."
}

# ---- optional -----------------------------------------------------------------------------------

commit_9() {
	before $header '^struct sbi_scratch;' <<'END'
struct sbi_hartmask;
END
	line $header '^unsigned long sbi_pmu_irq_mask\('
	insert $header $line <<'END'

/**
 * Begin a map of events, to which the functions below add. Platform code needs
 * this only if harts differ.
 * @param harts Harts of the map; NULL: all harts that no other map names
 * @return 0 or an error
 */
int sbi_pmu_new_event_map(const struct sbi_hartmask *harts);
END
	after $pmu '<sbi/sbi_hart\.h>' <<'END'
#include <sbi/sbi_hartmask.h>
END
	# The tables move into a structure.
	cut_out $pmu '^#define HW_EVENT_CODES' '^$'
	cut_out $pmu '^static bool have_selects;'
	cut_out $pmu '^static uint32_t num_raw_events;'
	change $pmu '^static struct sbi_pmu_raw_event \*raw_event_map' \
		's/raw_event \*raw_event_map/event_map *event_maps/'
	change $pmu '^/\* Mapping between raw events' 's/Mapping.*/All maps, the newest first; the platform adds to that *\//'
	before $pmu '^/\* Information about PMU counters' <<'END'
/* SBI defines fewer codes of general and of cache events */
#define HW_EVENT_CODES 64

/** What the platform says about the events of some harts */
struct sbi_pmu_event_map {
	struct sbi_pmu_event_map *next;
	struct sbi_hartmask harts;
	/* Whether it is for all harts that no other map names */
	bool is_default;
	/* Whether there are selectors; if not, an event is its own selector */
	bool have_selects;
	uint32_t num_raw_events;
	/* General and cache events by type and code */
	struct sbi_pmu_hw_event hw_events[SBI_PMU_EVENT_TYPE_HW_CACHE + 1]
					 [HW_EVENT_CODES];
	struct sbi_pmu_raw_event raw_events[SBI_PMU_HW_EVENT_MAX];
};

END
	after $pmu '^	struct sbi_pmu_hw_event_config hw_counters_cfg' <<'END'
	/* Available programmable counters */
	uint32_t hpm_mask;
	/* Counters and mhpmevent values of events, or NULL */
	struct sbi_pmu_event_map *map;
END
	change $pmu '^static struct sbi_pmu_hw_event \*pmu_hw_event\(' \
		's/unsigned/struct sbi_pmu_event_map *map,\
					     &/'
	in_body $pmu pmu_hw_event 1 '&hw_events' 's/hw_events/map->&/'
	cut_out $pmu '^static uint32_t pmu_available\(' '^}'
	before_function $pmu pmu_event_validate <<'END'
int sbi_pmu_new_event_map(const struct sbi_hartmask *harts)
{
	struct sbi_pmu_event_map *map = sbi_zalloc(sizeof(*map));

	if (!map)
		return SBI_ENOMEM;

	if (harts)
		map->harts = *harts;
	map->is_default = !harts;
	map->next = event_maps;
	event_maps = map;

	return 0;
}

/* The first map that names this hart, or else the first default */
static struct sbi_pmu_event_map *pmu_find_event_map(void)
{
	struct sbi_pmu_event_map *map, *named = NULL, *other = NULL;

	for (map = event_maps; map; map = map->next) {
		if (sbi_hartmask_test_hartindex(current_hartindex(), &map->harts))
			named = map;
		else if (map->is_default)
			other = map;
	}

	return named ? named : other;
}

END
	set -- $pmu sbi_pmu_add_hw_event_counter_map
	in_body $1 $2 1 'return SBI_EINVAL;' 'a\
	if (!event_maps \&\& sbi_pmu_new_event_map(NULL))\
		return SBI_ENOMEM;'
	in_body $1 $2 1 'pmu_available\(cmap\)' 's/hw_events(.*)pmu_available\(cmap\)/event_maps->hw_events\1cmap/'
	set -- $pmu sbi_pmu_add_hw_event_select
	in_body $1 $2 1 'event = pmu_hw_event' 's/ = .*/;/'
	in_body $1 $2 1 'have_selects = true;' 'c\
	if (!event_maps \&\& sbi_pmu_new_event_map(NULL))\
		return SBI_ENOMEM;\
\
	event_maps->have_selects = true;\
	event = pmu_hw_event(event_maps, eidx);'
	rewrite $pmu sbi_pmu_add_raw_event_counter_map <<'END'
	struct sbi_pmu_raw_event *event;

	if (!event_maps && sbi_pmu_new_event_map(NULL))
		return SBI_ENOMEM;
	if (event_maps->num_raw_events >= SBI_PMU_HW_EVENT_MAX)
		return SBI_ENOSPC;

	event = &event_maps->raw_events[event_maps->num_raw_events++];
	event->select = select;
	event->select_mask = select_mask;
	event->counters = cmap;

	return 0;
END
	rewrite $pmu sbi_pmu_get_select_value <<'END'
	struct sbi_pmu_hart_state *phs = pmu_thishart_state_ptr();
	const struct sbi_pmu_hw_event *event;

	if (!phs || !phs->map)
		return 0;

	event = pmu_hw_event(phs->map, event_idx);
	if (!event)
		return pmu_raw_bits(event_idx, data);

	return phs->map->have_selects ? event->select : event_idx;
END
	change $pmu '^static uint32_t pmu_event_counters\(' \
		's/unsigned/struct sbi_pmu_hart_state *phs,\
				   &/'
	rewrite $pmu pmu_event_counters <<'END'
	const struct sbi_pmu_hw_event *event;
	const struct sbi_pmu_raw_event *raw, *end;
	uint32_t counters = 0;

	if (!phs->map)
		return 0;

	event = pmu_hw_event(phs->map, event_idx);
	if (event && phs->map->have_selects && !event->select)
		return 0;
	if (event)
		return event->counters & phs->hpm_mask;

	/* With 0 in mhpmevent, a counter counts nothing */
	data = pmu_raw_bits(event_idx, data);
	raw = phs->map->raw_events;
	end = raw + phs->map->num_raw_events;
	for (; data && raw < end; raw++) {
		if (raw->select == (data & raw->select_mask))
			counters |= raw->counters;
	}

	return counters & phs->hpm_mask;
END
	for caller in pmu_ctr_find_hw pmu_event_is_countable; do
		in_body $pmu $caller 1 'pmu_event_counters\(' 's/pmu_event_counters\(/&phs, /'
	done
	drop_row_block raw_event_map
	in_body $pmu sbi_pmu_init 1 'phs->hartid = ' 'a\
		phs->hpm_mask = sbi_hart_mhpm_mask(scratch);\
		phs->map = pmu_find_event_map();'
	commit_9_reader
	document <<'END'
* If harts differ, each kind has a node. The property interrupts-extended of the node
names its harts. A node without it is for all harts that no other node names.
END
	finish "lib: sbi_pmu: Give each kind of hart its own map of events

fdt_pmu_setup() reads the first riscv,pmu node only, and all harts use it. On
a board with two kinds of cores, half of the harts then get the other cores'
mhpmevent values and counters. fdt_pmu_fixup(), too, leaves the tables of all
other nodes in the tree of the next stage.

The binding already says which harts a node is for: interrupts-extended names
their interrupt controllers. Read all nodes, one map for each, and give each
hart the map that names it."
}

commit_9_reader() {
	after $fdt '<sbi/sbi_hart\.h>' <<'END'
#include <sbi/sbi_hartmask.h>
END
	fix_up_all_nodes
	set -- $fdt fdt_pmu_setup
	in_body $1 $2 6 '^	+ ?fdt_pmu_add' 's/^/	/'
	in_body $1 $2 1 'int pmu_offset;' 's/;/, rc;/'
	in_body $1 $2 1 '"riscv,event-to-mhpmcounters"' 'i\
	do {\
		rc = fdt_pmu_begin_node(fdt, pmu_offset);\
		if (rc)\
			return rc;'
	in_body $1 $2 1 '	 fdt_pmu_add_raw\);' 'a\
		pmu_offset = fdt_node_offset_by_compatible(fdt, pmu_offset,\
							   "riscv,pmu");\
	} while (pmu_offset >= 0);'
	before_function $fdt fdt_pmu_setup <<END
/* Begin the map of a node, for the harts that interrupts-extended names */
static int fdt_pmu_begin_node(const void *fdt, int node)
{
	int i, len, cpus, cpu, intc;
	u32 hartid, phandle;
	struct sbi_hartmask harts = { 0 };
	const fdt32_t *cell = fdt_getprop(fdt, node, "interrupts-extended", &len);

	if (!cell)
		return sbi_pmu_new_event_map(NULL);

$fdt_harts

	return sbi_pmu_new_event_map(&harts);
}

END
}

commit_10() {
	line $pmu '^	struct sbi_pmu_raw_event raw_events\[SBI_PMU_HW_EVENT_MAX\];'
	insert $pmu $((line - 1)) <<'END'
	/* Bits that all raw events compare */
	uint64_t raw_common;
	/* By hash of these bits: the first raw event plus 1, or 0 */
	uint16_t raw_buckets[64];
END
	line $pmu '^struct sbi_pmu_raw_event \{'
	line=$(sed -n "$line,\$ { /uint32_t counters;/ { =; q; } }" "$edited/$pmu")
	insert $pmu "$line" <<'END'
	/* The next one in the same bucket plus 1, or 0 */
	uint32_t next;
END
	before_function $pmu sbi_pmu_add_raw_event_counter_map <<'END'
static uint32_t pmu_raw_bucket(const struct sbi_pmu_event_map *map, uint64_t data)
{
	return (data & map->raw_common) * 0x9e3779b97f4a7c15ULL >> 58;
}

/* Sort the raw events of a map into buckets */
static void pmu_fill_raw_buckets(struct sbi_pmu_event_map *map)
{
	struct sbi_pmu_raw_event *raw = map->raw_events;
	uint32_t i, bucket;

	sbi_memset(map->raw_buckets, 0, sizeof(map->raw_buckets));
	for (i = 0; i < map->num_raw_events; i++) {
		bucket = pmu_raw_bucket(map, raw[i].select);
		raw[i].next = map->raw_buckets[bucket];
		map->raw_buckets[bucket] = i + 1;
	}
}

END
	in_body $pmu sbi_pmu_new_event_map 1 'map->next = ' 'i\
	map->raw_common = ~0ULL;'
	in_body $pmu sbi_pmu_add_raw_event_counter_map 1 'event->counters = ' 'a\
	event_maps->raw_common \&= select_mask;\
	pmu_fill_raw_buckets(event_maps);'
	set -- $pmu pmu_event_counters
	in_body $1 $2 1 'sbi_pmu_raw_event \*raw, ' 's/, .*/;/'
	in_body $1 $2 1 'uint32_t counters = 0' 's/counters/i, &/'
	in_body $1 $2 1 '^	raw = phs' 'c\
	if (!data)\
		return 0;'
	in_body $1 $2 1 '^	end = raw' 'c\
	i = phs->map->raw_buckets[pmu_raw_bucket(phs->map, data)];'
	in_body $1 $2 1 '^	for \(; data' 'c\
	for (; i; i = raw->next) {\
		raw = \&phs->map->raw_events[i - 1];'
	finish "lib: sbi_pmu: Find raw events by hash

Example 3 in docs/pmu_support.md has 52 rows of raw events, and CONFIG_MATCHING
compares each. All of them compare the low bits of the data, so hash the bits
that all rows have in common. The buckets are filled anew for each row, which
is some 20,000 instructions at boot. If the rows have no bit in common, there is
one bucket, which is the list again."
}

case $until in
[1-9] | 10) ;;
*) give_up "there is no commit $until" ;;
esac
# 1.9 rejects fixed counters that cannot filter.
mentions $pmu pmu_ctr_find_hw SBI_HART_EXT_SMCNTRPMF || give_up "$src is older than OpenSBI 1.9"
for number in 1 2 3 4 5 6 7 8 9 10; do
	rm -rf "$edited"
	mkdir "$edited"
	[ "$number" -gt "$until" ] || commit_$number
done
