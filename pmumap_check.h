/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_check.h 0.3.1 -- find mistakes in a riscv,pmu node; names of events.
 *
 * QUICK START
 *	#include "pmumap_check.h"		// includes pmumap_fdt.h and pmumap.h
 *
 *	static void print(void *arg, const struct pmumap_finding *f)
 *	{
 *		(void)arg;			// "warning: riscv,event-to-mhpmcounters: fixed-bit"
 *		printf("%s: %s: %s\n", pmumap_severity_str(f->severity),
 *		       f->property ? f->property : "pmu", f->name);
 *	}
 *
 *	static uint64_t block[1024];		// or measure: pmumap_fdt_measure()
 *	enum pmumap_status status;
 *
 *	status = pmumap_fdt_check(fdt, fdt_size, NULL, block, sizeof(block), print, NULL);
 *
 * QUICK START: the names of events
 *	const char *name = pmumap_event_name(0x00004);	// "SBI_PMU_HW_CACHE_MISSES"
 *	uint32_t event;
 *	uint64_t data;
 *
 *	if (pmumap_event_parse("cache-misses", 12, &event, &data))
 *		use(event, data);		// 0x00004, 0
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Findings	a check builds no map; its block holds the rows.
 */
#include "pmumap_fdt.h"

/* ---- core/version.h: Refuse a header of another version */
/* A header left over from another release would compile, and read a struct of another layout. */
#ifndef PMUMAP_VERSION_MAJOR
#define PMUMAP_VERSION_MAJOR 0
#define PMUMAP_VERSION_MINOR 3
#define PMUMAP_VERSION_PATCH 1
#elif PMUMAP_VERSION_MAJOR != 0 || PMUMAP_VERSION_MINOR != 3 || PMUMAP_VERSION_PATCH != 1
#error "headers of two versions of pmumap meet here: take all of them from one release"
#endif

/* C has no other casts and no other null pointer. A function may have the name of a struct. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#pragma GCC diagnostic ignored "-Wshadow"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PMUMAP_CHECK_H
#define PMUMAP_CHECK_H

/* ---- riscv/check_api.h: Find mistakes in a tree */
/*
 * Report mistakes in the node that pmumap_fdt_build() reads, and in how nodes serve harts. row
 * counts from 0 in its table. report may be called until this returns; it must not change the tree.
 *
 * mem: a block as for pmumap_fdt_build(), which holds a struct pmumap_fdt_hart for each hart, and
 * then the rows. Afterwards its contents are undefined: build a map if you also want one.
 *
 * Returns  what pmumap_fdt_build() returns for the same tree and block. Findings that explain an
 *	    error have been reported before. E_NOSPACE also if the harts do not fit; then
 *	    mistakes in how nodes serve them have not been reported.
 * Cost     O(n log n) for any n bytes of blob.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_check(const void *fdt, size_t fdt_size,
					       const struct pmumap_fdt_options *opt, void *mem,
					       size_t bytes, pmumap_report_fn *report, void *arg);

/* ---- riscv/findings_api.h: Findings: mistakes in a device tree */
/* Mistakes in a RISC-V description. Codes never change. */
#define PMUMAP_FINDING_LIST(X)                                                                     \
	X(TRAILING_BYTES, 1, "trailing-bytes")          /* value: bytes after the last row */      \
	X(EVENT_WIDE, 2, "event-wide")                  /* more than 20 bits; value: event */      \
	X(EVENT_INVALID, 3, "event-invalid")            /* no SBI event; value: event */           \
	X(RANGE_REVERSED, 4, "range-reversed")          /* value: first event */                   \
	X(RANGE_OVERLAP, 5, "range-overlap")            /* value: first common event */            \
	X(RANGE_RAW, 6, "range-raw")                    /* from 0x20000 on; value: the first */    \
	X(COUNTERS_EMPTY, 7, "counters-empty")          /* value: first event, or select */        \
	X(FIXED_BIT, 8, "fixed-bit")                    /* value: counters */                      \
	X(TIME_BIT, 9, "time-bit")                      /* value: counters */                      \
	X(FIXED_ONLY, 10, "fixed-only")                 /* value: event */                         \
	X(SELECTOR_DUPLICATE, 11, "selector-duplicate") /* value: event */                         \
	X(SELECTOR_ORPHAN, 12, "selector-orphan")       /* value: event */                         \
	X(COUNTERS_ORPHAN, 13, "counters-orphan")       /* value: first such event of the row */   \
	X(DEFAULT_COLLISION, 14, "default-collision")   /* value: event */                         \
	X(RAW_DEAD, 15, "raw-dead")                     /* value: select */                        \
	X(RAW_DUPLICATE, 16, "raw-duplicate")           /* value: select */                        \
	X(RAW_OVERLAP, 17, "raw-overlap")               /* value: a raw event both match */        \
	X(RAW_WIDE, 18, "raw-wide")                     /* value: mask */                          \
	X(RAW_UNREACHABLE, 19, "raw-unreachable")       /* value: select */                        \
	X(LEGACY_PREFIX, 20, "legacy-prefix")           /* value: 0 */                             \
	X(LEGACY_RAW3, 21, "legacy-raw3")               /* value: number of rows */                \
	X(FOREIGN_NODE, 22, "foreign-node")             /* value: 0 */                             \
	X(EXTRA_NODE, 23, "extra-node")                 /* value: offset of the node that wins */  \
	X(PROPERTY_UNKNOWN, 70, "property-unknown")     /* value: the table it is like: 0 to 2 */  \
	X(SELECTOR_REVERSED, 71, "selector-reversed")   /* value: selector, or select */           \
	X(SELECTOR_BITS, 72, "selector-bits")           /* value: selector */                      \
	X(MASK_REVERSED, 73, "mask-reversed")           /* value: mask */                          \
	X(NODE_DISABLED, 74, "node-disabled")           /* value: 0 */                             \
	X(FIXED_MISSING, 75, "fixed-missing")           /* value: bits of the events, 1 and 2 */   \
	X(HART_SHARED, 76, "hart-shared")               /* value: offset of its first node */      \
	X(HART_UNSERVED, 77, "hart-unserved")           /* value: 0; the node is the hart */       \
	X(HARTS_UNKNOWN, 78, "harts-unknown")           /* value: 0 */

enum pmumap_code {
#define PMUMAP_X_(name, number, text) PMUMAP_F_##name = number,
	PMUMAP_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/* ---- riscv/names_api.h: Names of events */
/* The name of an event, such as "SBI_PMU_HW_CACHE_MISSES" or "SBI_PMU_FW_SET_TIMER"; or NULL. */
PMUMAP_API const char *pmumap_event_name(uint32_t event);

/*
 * Parse an event as people write it, in either case and with '-' or '_':
 *   cache-misses, set-timer          SBI's names, with or without their prefix
 *   L1-dcache-load-misses, branches  perf's names
 *   0x10019, 65561                   event_idx
 *   r1801, raw:0x1801, raw-v2:0x1    a raw event; above 48 bits it is a v2 event
 *   fw:5, r8000000000000005          a firmware event; bits 63 and 62 are perf's kind 2
 *   platform:0x1                     a platform event, with up to 64 bits of data; perf's kind is 3
 * text needs no NUL; with len 0 it may be NULL. Returns 1; or 0, and *event, *data are unchanged.
 */
PMUMAP_API int pmumap_event_parse(const char *text, size_t len, uint32_t *event, uint64_t *data);

#endif /* PMUMAP_CHECK_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap_check.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_CHECK_IMPLEMENTED_)
#define PMUMAP_CHECK_IMPLEMENTED_

/* ---- riscv/names.h: The names of SBI events */
/*
 * Named events in one order: general (codes 1..10), cache (7 caches x 3 operations x 2 results),
 * firmware (codes 0..21, then the platform's).
 */
#define PMUMAP_FIRST_CACHE_NAME_ 10u
#define PMUMAP_FIRST_FIRMWARE_NAME_ (PMUMAP_FIRST_CACHE_NAME_ + 7 * 3 * 2)
#define PMUMAP_PLATFORM_NAME_ (PMUMAP_FIRST_FIRMWARE_NAME_ + 22)
#define PMUMAP_EVENT_NAMES_ (PMUMAP_PLATFORM_NAME_ + 1)

static inline const char *pmumap_riscv_nth_name_(uint32_t n)
{
#define PMUMAP_CACHE_NAMES_(cache)                                                                 \
	"SBI_PMU_HW_CACHE_" cache "_READ_ACCESS\0"                                                 \
	"SBI_PMU_HW_CACHE_" cache "_READ_MISS\0"                                                   \
	"SBI_PMU_HW_CACHE_" cache "_WRITE_ACCESS\0"                                                \
	"SBI_PMU_HW_CACHE_" cache "_WRITE_MISS\0"                                                  \
	"SBI_PMU_HW_CACHE_" cache "_PREFETCH_ACCESS\0"                                             \
	"SBI_PMU_HW_CACHE_" cache "_PREFETCH_MISS\0"
	/* clang-format off */
	static const char names[] =
		"SBI_PMU_HW_CPU_CYCLES\0" "SBI_PMU_HW_INSTRUCTIONS\0"
		"SBI_PMU_HW_CACHE_REFERENCES\0" "SBI_PMU_HW_CACHE_MISSES\0"
		"SBI_PMU_HW_BRANCH_INSTRUCTIONS\0" "SBI_PMU_HW_BRANCH_MISSES\0"
		"SBI_PMU_HW_BUS_CYCLES\0" "SBI_PMU_HW_STALLED_CYCLES_FRONTEND\0"
		"SBI_PMU_HW_STALLED_CYCLES_BACKEND\0" "SBI_PMU_HW_REF_CPU_CYCLES\0"
		PMUMAP_CACHE_NAMES_("L1D") PMUMAP_CACHE_NAMES_("L1I") PMUMAP_CACHE_NAMES_("LL")
		PMUMAP_CACHE_NAMES_("DTLB") PMUMAP_CACHE_NAMES_("ITLB") PMUMAP_CACHE_NAMES_("BPU")
		PMUMAP_CACHE_NAMES_("NODE")
		"SBI_PMU_FW_MISALIGNED_LOAD\0" "SBI_PMU_FW_MISALIGNED_STORE\0"
		"SBI_PMU_FW_ACCESS_LOAD\0" "SBI_PMU_FW_ACCESS_STORE\0"
		"SBI_PMU_FW_ILLEGAL_INSN\0" "SBI_PMU_FW_SET_TIMER\0"
		"SBI_PMU_FW_IPI_SENT\0" "SBI_PMU_FW_IPI_RECEIVED\0"
		"SBI_PMU_FW_FENCE_I_SENT\0" "SBI_PMU_FW_FENCE_I_RECEIVED\0"
		"SBI_PMU_FW_SFENCE_VMA_SENT\0" "SBI_PMU_FW_SFENCE_VMA_RECEIVED\0"
		"SBI_PMU_FW_SFENCE_VMA_ASID_SENT\0" "SBI_PMU_FW_SFENCE_VMA_ASID_RECEIVED\0"
		"SBI_PMU_FW_HFENCE_GVMA_SENT\0" "SBI_PMU_FW_HFENCE_GVMA_RECEIVED\0"
		"SBI_PMU_FW_HFENCE_GVMA_VMID_SENT\0" "SBI_PMU_FW_HFENCE_GVMA_VMID_RECEIVED\0"
		"SBI_PMU_FW_HFENCE_VVMA_SENT\0" "SBI_PMU_FW_HFENCE_VVMA_RECEIVED\0"
		"SBI_PMU_FW_HFENCE_VVMA_ASID_SENT\0" "SBI_PMU_FW_HFENCE_VVMA_ASID_RECEIVED\0"
		"SBI_PMU_FW_PLATFORM";
	/* clang-format on */
#undef PMUMAP_CACHE_NAMES_

	return pmumap_nth_text_(names, n);
}

static inline uint32_t pmumap_riscv_nth_event_(uint32_t n)
{
	uint32_t cache = n - PMUMAP_FIRST_CACHE_NAME_;

	if (n < PMUMAP_FIRST_CACHE_NAME_)
		return n + 1;
	if (n < PMUMAP_FIRST_FIRMWARE_NAME_)
		return PMUMAP_EVENT_CACHE | cache / 6 << 3 | cache % 6;
	if (n < PMUMAP_PLATFORM_NAME_)
		return PMUMAP_EVENT_FIRMWARE | (n - PMUMAP_FIRST_FIRMWARE_NAME_);
	return PMUMAP_EVENT_PLATFORM_;
}

PMUMAP_DEF const char *pmumap_event_name(uint32_t event)
{
	uint32_t n;

	for (n = 0; n < PMUMAP_EVENT_NAMES_; n++) {
		if (pmumap_riscv_nth_event_(n) == event)
			return pmumap_riscv_nth_name_(n);
	}
	return 0;
}

/* ---- core/text.h: Parse numbers that people write */
#ifndef PMUMAP_HAS_CORE_TEXT_
#define PMUMAP_HAS_CORE_TEXT_
#define PMUMAP_TENTH_ 0x1999999999999999u /* a tenth of the largest 64-bit number */

/* Parse all of the text in base 10 or 16. Returns 0 if it is empty, malformed or above 64 bits. */
static inline int pmumap_parse_digits_(const char *at, const char *end, uint32_t base,
				       uint64_t *value)
{
	if (at == end)
		return 0;
	for (*value = 0; at < end; at++) {
		char c = pmumap_fold_case_(*at);
		uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
				 : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
							: 16;

		if (digit >= base || *value > (base == 16 ? ~(uint64_t)0 >> 4 : PMUMAP_TENTH_))
			return 0;
		if (digit > ~(uint64_t)0 - *value * base)
			return 0;
		*value = *value * base + digit;
	}
	return 1;
}
#endif /* PMUMAP_HAS_CORE_TEXT_ */

/* ---- riscv/parse.h: Parse events as people write them */
/* Whether the whole text is this word. */
static inline int pmumap_is_word_(const char *at, const char *end, const char *word)
{
	return pmumap_skip_word_(&at, end, word) && at == end;
}

/* Parse the whole text as a number: hexadecimal behind 0x, otherwise decimal. */
static inline int pmumap_parse_number_(const char *at, const char *end, uint64_t *value)
{
	uint32_t base = pmumap_skip_word_(&at, end, "0x") ? 16 : 10;

	return pmumap_parse_digits_(at, end, base, value);
}

/* Skip one of n words, if '-' or the end follows. Returns its index, or n. */
static inline uint32_t pmumap_skip_listed_word_(const char **at, const char *end, const char *words,
						uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++, words = pmumap_nth_text_(words, 1)) {
		const char *rest = *at;

		if (!pmumap_skip_word_(&rest, end, words) ||
		    (rest < end && pmumap_fold_case_(*rest) != '-'))
			continue;
		*at = rest;
		break;
	}
	return i;
}

/* Parse perf's cache events: a cache, then operation and result in any order, each at most once. */
static inline int pmumap_riscv_parse_cache_(const char *at, const char *end, uint32_t *event)
{
	/* clang-format off */
	static const unsigned char caches[] = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3,
						3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 6 };
	static const char cache_words[] =
		"l1-dcache\0" "l1-data\0" "l1-d\0" "l1d\0"
		"l1-icache\0" "l1-instruction\0" "l1-i\0" "l1i\0"
		"llc\0" "ll\0" "l2\0" "dtlb\0" "d-tlb\0" "data-tlb\0"
		"itlb\0" "i-tlb\0" "instruction-tlb\0"
		"branches\0" "branch\0" "bpu\0" "btb\0" "bpc\0" "node";
	static const unsigned char parts[] = { 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4 };
	static const char part_words[] =
		"load\0" "loads\0" "read\0" "store\0" "stores\0" "write\0"
		"prefetch\0" "prefetches\0" "speculative-read\0" "speculative-load\0"
		"refs\0" "reference\0" "ops\0" "access\0" "misses\0" "miss";
	/* clang-format on */
	uint32_t cache = pmumap_skip_listed_word_(&at, end, cache_words, sizeof(caches));
	uint32_t seen = 0, operation = 0, result = 0;

	if (cache == sizeof(caches))
		return 0;
	while (at < end) {
		uint32_t part, bit;

		at++; /* '-': pmumap_skip_listed_word_() stops nowhere else */
		part = pmumap_skip_listed_word_(&at, end, part_words, sizeof(parts));
		if (part == sizeof(parts))
			return 0;
		bit = parts[part] < 3 ? 1 : 2;
		if (seen & bit)
			return 0;
		seen |= bit;
		if (bit == 1)
			operation = parts[part];
		else
			result = parts[part] - 3u;
	}
	*event = PMUMAP_EVENT_CACHE | (uint32_t)caches[cache] << 3 | operation << 1 | result;
	return 1;
}

/* Parse a name of SBI's, with or without its prefix, or a name or a cache event of perf's. */
static inline int pmumap_riscv_parse_name_(const char *at, const char *end, uint32_t *event)
{
	static const unsigned char events[] = { 1, 5, 8, 9, 10 };
	const char *rest = at;
	uint32_t n;

	(void)pmumap_skip_word_(&at, end, "sbi-pmu-");
	for (n = 0; n < PMUMAP_EVENT_NAMES_; n++) {
		const char *name = pmumap_riscv_nth_name_(n) + sizeof("SBI_PMU_") - 1;

		if (pmumap_is_word_(at, end, name) ||
		    pmumap_is_word_(at, end, name + sizeof("HW_") - 1) ||
		    (n >= PMUMAP_FIRST_CACHE_NAME_ && n < PMUMAP_FIRST_FIRMWARE_NAME_ &&
		     pmumap_is_word_(at, end, name + sizeof("HW_CACHE_") - 1))) {
			*event = pmumap_riscv_nth_event_(n);
			return 1;
		}
	}
	at = rest;
	/* clang-format off */
	n = pmumap_skip_listed_word_(&rest, end,
			 "cycles\0" "branches\0" "idle-cycles-frontend\0" "idle-cycles-backend\0"
			 "ref-cycles", sizeof(events));
	/* clang-format on */
	if (n == sizeof(events) || rest < end)
		return pmumap_riscv_parse_cache_(at, end, event);
	*event = events[n];
	return 1;
}

/* Classify raw data: 48 bits, or v2 with 56. Returns 0 if it has more. */
static inline int pmumap_riscv_is_raw_data_(uint64_t data, int v2, uint32_t *event)
{
	*event = v2 || data >> 48 ? PMUMAP_EVENT_RAW_V2 : PMUMAP_EVENT_RAW;
	return data >> 56 == 0;
}

/*
 * Split perf's raw code as Linux does. Bits 62 and 63 are its kind: 0 is a raw event, 2 a firmware
 * event of 16 bits, 3 a platform event of 62 bits.
 */
static inline int pmumap_riscv_split_perf_raw_(uint32_t *event, uint64_t *data)
{
	uint64_t kind = *data >> 62, rest = *data & ~(uint64_t)0 >> 2;

	if (kind < 2)
		return pmumap_riscv_is_raw_data_(*data, 0, event);
	*event = PMUMAP_EVENT_PLATFORM_;
	if (kind == 2)
		*event = PMUMAP_EVENT_FIRMWARE | (uint32_t)rest;
	*data = kind == 2 ? 0 : rest;
	return kind == 3 || (rest >> 16 == 0 && pmumap_event_valid(*event));
}

/* Parse raw:NUMBER, raw-v2:NUMBER, or r and hexadecimal digits. A failure may change *data. */
static inline int pmumap_riscv_parse_raw_(const char *at, const char *end, uint32_t *event,
					  uint64_t *data)
{
	int v2 = pmumap_skip_word_(&at, end, "raw-v2:");

	if (v2 || pmumap_skip_word_(&at, end, "raw:")) {
		if (!pmumap_parse_number_(at, end, data))
			return 0;
		return pmumap_riscv_is_raw_data_(*data, v2, event);
	}
	return pmumap_skip_word_(&at, end, "r") && pmumap_parse_digits_(at, end, 16, data) &&
	       pmumap_riscv_split_perf_raw_(event, data);
}

PMUMAP_DEF int pmumap_event_parse(const char *text, size_t len, uint32_t *event, uint64_t *data)
{
	const char *at = text, *end = len ? text + len : text;
	uint32_t found = PMUMAP_EVENT_PLATFORM_;
	uint64_t value = 0;

	if (pmumap_parse_number_(at, end, &value)) {
		if (value >= PMUMAP_EVENT_LIMIT)
			return 0;
		found = (uint32_t)value;
		value = 0;
	} else if (pmumap_skip_word_(&at, end, "fw:")) {
		if (!pmumap_parse_number_(at, end, &value) || value > 0xffff ||
		    !pmumap_event_valid(PMUMAP_EVENT_FIRMWARE | (uint32_t)value))
			return 0;
		found = PMUMAP_EVENT_FIRMWARE | (uint32_t)value;
		value = 0;
	} else if (pmumap_skip_word_(&at, end, "platform:")) {
		if (!pmumap_parse_number_(at, end, &value))
			return 0;
	} else if (!pmumap_riscv_parse_raw_(at, end, &found, &value)) {
		value = 0;
		if (!pmumap_riscv_parse_name_(at, end, &found))
			return 0;
	}
	*event = found;
	*data = value;
	return 1;
}

/* ---- riscv/tell.h: Report a finding */
/* Where a finding is: in a table, in the node as a whole, or in another property. */
enum {
	PMUMAP_IN_SELECTORS_ = PMUMAP_TABLE_SELECTORS,
	PMUMAP_IN_RANGES_ = PMUMAP_TABLE_COUNTERS,
	PMUMAP_IN_RAW_ = PMUMAP_TABLE_RAW,
	PMUMAP_IN_NODE_ = PMUMAP_TABLES_,
	PMUMAP_IN_PROPERTY_,
	PMUMAP_PLACES_
};

/* Each finding's index in the list, and the offset of its name in all names. */
enum {
#define PMUMAP_X_(name, number, text) PMUMAP_NTH_##name##_,
	PMUMAP_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

enum {
#define PMUMAP_X_(name, number, text)                                                              \
	PMUMAP_NAME_##name##_, PMUMAP_NAME_END_##name##_ = PMUMAP_NAME_##name##_ + sizeof(text) - 1,
	PMUMAP_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/*
 * A finding in one number, because a call with four arguments would double the code. Its bytes,
 * from the lowest: index in the list, severity, place of the row, place of the other row (if it is
 * a conflict).
 */
#define PMUMAP_CONFLICT_(code, severity, place, other_place)                                       \
	((uint32_t)PMUMAP_NTH_##code##_ | (uint32_t)(severity) << 8 | (uint32_t)(place) << 16 |    \
	 (uint32_t)(other_place) << 24)
#define PMUMAP_FINDING_(code, severity, place)                                                     \
	PMUMAP_CONFLICT_(code, severity, place, PMUMAP_IN_NODE_)

struct pmumap_riscv_harts_;

/* State of a check. */
struct pmumap_checker_ {
	struct pmumap_reader_ r;
	struct pmumap_riscv_harts_ *harts;
	pmumap_report_fn *report;
	void *arg;
	const struct pmumap_builder *b;
	const struct pmumap_row_ *rows;    /* once sorted */
	const struct pmumap *m;            /* once it answers for events */
	int node;                          /* that the next finding is about */
	const char *names[PMUMAP_PLACES_]; /* of each place; NULL: the node */
};

/* Report a finding about row and other, rows of their tables, or NO_ROW. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_tell_two_(const struct pmumap_checker_ *c, uint32_t what,
						   uint32_t row, uint32_t other, uint64_t value)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) PMUMAP_NAME_##name##_,
	static const uint16_t starts[] = { PMUMAP_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char names[] = PMUMAP_FINDING_LIST(PMUMAP_X_);
#undef PMUMAP_X_
	struct pmumap_finding f;

	f.code = numbers[what & 0xff];
	f.name = names + starts[what & 0xff];
	f.severity = (enum pmumap_severity)(what >> 8 & 0xff);
	f.node = c->node;
	f.property = c->names[what >> 16 & 0xff];
	f.row = row;
	f.other_property = c->names[what >> 24];
	f.other = other;
	f.value = value;
	c->report(c->arg, &f);
}

/* Report a finding about one row; NO_ROW: about none. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_tell_(const struct pmumap_checker_ *c, uint32_t what,
					       uint32_t row, uint64_t value)
{
	pmumap_tell_two_(c, what, row, PMUMAP_NO_ROW, value);
}

#define PMUMAP_WARN_(c, code, place, row, value)                                                   \
	pmumap_tell_(c, PMUMAP_FINDING_(code, PMUMAP_WARNING, place), row, value)

/* ---- riscv/check_row.h: Probable mistakes in one row */
/* Check the counters of a range or a raw row. fixed: the fixed counters that are right there. */
static inline void pmumap_riscv_check_counters_(const struct pmumap_checker_ *c, uint32_t table,
						const struct pmumap_row_ *r, uint32_t fixed)
{
	uint32_t row = pmumap_row_number_(r);

	if (r->counters & PMUMAP_TIME_BIT_)
		PMUMAP_WARN_(c, TIME_BIT, table, row, r->counters);
	if (r->counters & (PMUMAP_CYCLE_BIT_ | PMUMAP_INSTRET_BIT_) & ~fixed)
		PMUMAP_WARN_(c, FIXED_BIT, table, row, r->counters);
}

/* Check a range. furthest: the range with the highest end among those before it, or NULL. */
static inline void pmumap_riscv_check_range_(const struct pmumap_checker_ *c,
					     const struct pmumap_row_ *r,
					     const struct pmumap_row_ *furthest)
{
	uint32_t first = pmumap_row_event_(r), last = (uint32_t)(pmumap_row_end_(r) - 1),
		 event = first, fixed = 0;

	if (last >= PMUMAP_EVENT_LIMIT)
		PMUMAP_WARN_(c, EVENT_WIDE, PMUMAP_IN_RANGES_, r->row, last);
	if (last >= PMUMAP_EVENT_RAW) {
		PMUMAP_WARN_(c, RANGE_RAW, PMUMAP_IN_RANGES_, r->row,
			     first > PMUMAP_EVENT_RAW ? first : PMUMAP_EVENT_RAW);
	} else {
		while (pmumap_riscv_is_hardware_event_(event))
			event++;
		if (event <= last)
			pmumap_tell_(c,
				     PMUMAP_FINDING_(EVENT_INVALID,
						     event == first ? PMUMAP_WARNING : PMUMAP_NOTE,
						     PMUMAP_IN_RANGES_),
				     r->row, event);
	}
	if (first == last && first == PMUMAP_EVENT_CYCLES_)
		fixed = PMUMAP_CYCLE_BIT_;
	if (first == last && first == PMUMAP_EVENT_INSTRUCTIONS_)
		fixed = PMUMAP_INSTRET_BIT_;
	pmumap_riscv_check_counters_(c, PMUMAP_IN_RANGES_, r, fixed);
	if (furthest && pmumap_row_end_(furthest) > first) {
		uint32_t row = r->row, other = furthest->row;

		pmumap_tell_two_(c,
				 PMUMAP_CONFLICT_(RANGE_OVERLAP, PMUMAP_WARNING, PMUMAP_IN_RANGES_,
						  PMUMAP_IN_RANGES_),
				 row > other ? row : other, row > other ? other : row, first);
	}
}

/* Whether only the upper cell of a number is set: the two cells are probably swapped. */
static inline int pmumap_riscv_is_reversed_number_(uint64_t number)
{
	return number != 0 && (number & 0xffffffffu) == 0;
}

/*
 * Whether a mask's cells are probably swapped: it compares all bits of the lower cell, and ignores
 * a bit of the upper one below a bit that it compares. A mask of low bits, like 48, is fine. So is
 * a mask whose swapped form would ignore bits of select.
 */
static inline int pmumap_riscv_is_reversed_mask_(uint64_t select, uint64_t mask)
{
	return (uint32_t)mask == 0xffffffff && (mask & (mask + 1)) != 0 &&
	       ((uint32_t)select & ~(uint32_t)(mask >> 32)) == 0;
}

/* Check the selector that wins for its event. */
static inline void pmumap_riscv_check_selector_(const struct pmumap_checker_ *c,
						const struct pmumap_row_ *r)
{
	uint32_t event = pmumap_row_event_(r);
	uint64_t selector = r->value;

	if (!pmumap_riscv_is_hardware_event_(event))
		PMUMAP_WARN_(c, EVENT_INVALID, PMUMAP_IN_SELECTORS_, r->row, event);
	if (event != PMUMAP_EVENT_CYCLES_ && event != PMUMAP_EVENT_INSTRUCTIONS_ &&
	    pmumap_riscv_record_of_event_(c->m, event)->counters == 0)
		PMUMAP_WARN_(c, SELECTOR_ORPHAN, PMUMAP_IN_SELECTORS_, r->row, event);
	if (selector & ~PMUMAP_RAW_V2_BITS_)
		PMUMAP_WARN_(c, SELECTOR_BITS, PMUMAP_IN_SELECTORS_, r->row, selector);
	else if (pmumap_riscv_is_reversed_number_(selector))
		PMUMAP_WARN_(c, SELECTOR_REVERSED, PMUMAP_IN_SELECTORS_, r->row, selector);
}

/*
 * Whether a mask ignores bits on both sides of a bit of select, as if it were derived from select.
 * Bits above any raw event do not matter.
 */
static inline int pmumap_riscv_is_scattered_mask_(uint64_t select, uint64_t mask)
{
	uint64_t above = select & (mask + 1); /* bits of select above the lowest ignored bit */

	above &= 0 - above;
	return above && (~mask & PMUMAP_RAW_V2_BITS_) > above;
}

/* Check select and mask of a raw row. */
static inline void pmumap_riscv_check_match_(const struct pmumap_checker_ *c,
					     const struct pmumap_row_ *r)
{
	uint64_t select = r->key, mask = r->value;
	uint32_t row = pmumap_row_number_(r);

	if (select & ~PMUMAP_RAW_V2_BITS_)
		PMUMAP_WARN_(c, RAW_UNREACHABLE, PMUMAP_IN_RAW_, row, select);
	else if (pmumap_riscv_is_reversed_number_(select) && ((uint32_t)mask & select >> 32) != 0)
		PMUMAP_WARN_(c, SELECTOR_REVERSED, PMUMAP_IN_RAW_, row, select);
	if (pmumap_riscv_is_reversed_mask_(select, mask))
		PMUMAP_WARN_(c, MASK_REVERSED, PMUMAP_IN_RAW_, row, mask);
	else if (pmumap_riscv_is_scattered_mask_(select, mask))
		PMUMAP_WARN_(c, RAW_WIDE, PMUMAP_IN_RAW_, row, mask);
}

#define PMUMAP_RAW_OVERLAPS_ 256u /* limit of comparisons per raw row */

/* Check sorted raw row i. At most one conflict is reported, with the nearest row before it. */
static inline void pmumap_riscv_check_raw_(const struct pmumap_checker_ *c,
					   const struct pmumap_row_ *r, uint32_t i)
{
	uint64_t select = r[i].key, mask = r[i].value;
	uint32_t row = pmumap_row_number_(&r[i]), j;

	pmumap_riscv_check_match_(c, &r[i]);
	pmumap_riscv_check_counters_(c, PMUMAP_IN_RAW_, &r[i], 0);
	for (j = i; j-- > 0 && i - j <= PMUMAP_RAW_OVERLAPS_;) {
		uint64_t other_select = r[j].key;
		uint64_t other_mask = r[j].value;
		uint32_t other = pmumap_row_number_(&r[j]);
		uint32_t what = r[i].counters == r[j].counters ? PMUMAP_NOTE : PMUMAP_WARNING;

		if ((select ^ other_select) & mask & other_mask)
			continue;
		what = PMUMAP_CONFLICT_(RAW_OVERLAP, what, PMUMAP_IN_RAW_, PMUMAP_IN_RAW_);
		if (mask == other_mask)
			what = PMUMAP_CONFLICT_(RAW_DUPLICATE, PMUMAP_WARNING, PMUMAP_IN_RAW_,
						PMUMAP_IN_RAW_);
		pmumap_tell_two_(c, what, row > other ? row : other, row > other ? other : row,
				 select | other_select);
		break;
	}
}

/* ---- riscv/check_rows.h: Probable mistakes in an event's rows */
/* Whether sorted row i is the selector that wins: the first for its event. */
static inline int pmumap_riscv_is_first_selector_(const struct pmumap_row_ *r, uint32_t i)
{
	if (i && pmumap_row_is_selector_(&r[i - 1]) &&
	    pmumap_row_event_(&r[i - 1]) == pmumap_row_event_(&r[i]))
		return 0;
	return pmumap_row_is_selector_(&r[i]);
}

/*
 * The row that programs this selector: the first in the table of selectors, otherwise the first raw
 * row that matches. Returns its row member, or PMUMAP_NO_ROW.
 */
static inline uint32_t pmumap_riscv_find_selecting_row_(const struct pmumap_row_ *r, uint32_t n,
							uint64_t selector)
{
	uint32_t row = PMUMAP_NO_ROW, i;

	for (i = 0; i < n; i++) {
		if (r[i].row >= row)
			continue;
		if (r[i].row & PMUMAP_RAW_ROW_) {
			if ((selector & r[i].value) == r[i].key)
				row = r[i].row;
		} else if (r[i].value == selector && pmumap_riscv_is_first_selector_(r, i)) {
			row = r[i].row;
		}
	}
	return row;
}

/* Report an event with counters and no selector, and another row that its number would select. */
static inline void pmumap_riscv_check_orphan_(const struct pmumap_checker_ *c,
					      const struct pmumap_row_ *range, uint32_t event,
					      int again)
{
	uint32_t row = pmumap_riscv_find_selecting_row_(c->rows, c->b->kept, event);

	if (!again)
		PMUMAP_WARN_(c, COUNTERS_ORPHAN, PMUMAP_IN_RANGES_, range->row, event);
	if (row != PMUMAP_NO_ROW)
		pmumap_tell_two_(c,
				 PMUMAP_CONFLICT_(DEFAULT_COLLISION, PMUMAP_WARNING,
						  PMUMAP_IN_RANGES_,
						  row & PMUMAP_RAW_ROW_ ? PMUMAP_IN_RAW_
									: PMUMAP_IN_SELECTORS_),
				 range->row, row & ~PMUMAP_RAW_ROW_, event);
}

/*
 * Report events 1 and 2 with fixed counters only, and events without a selector; 1 and 2 are among
 * those if programmable counters are named. The first range that covers an event never precedes
 * that of a lower event, so one pass over the rows is enough.
 */
static inline void pmumap_riscv_check_events_(const struct pmumap_checker_ *c)
{
	const struct pmumap_row_ *range = c->rows, *orphan = 0;
	const struct pmumap_row_ *end = range + (c->b->kept - c->b->raw_kept);
	const struct pmumap_record *record;
	uint32_t slot, event;

	for (slot = 0; slot < PMUMAP_INDEXED_EVENTS_; slot++) {
		event = pmumap_riscv_slot_event_(slot);
		while (range < end &&
		       (pmumap_row_is_selector_(range) || pmumap_row_end_(range) <= event))
			range++;
		if (range == end || pmumap_row_event_(range) > event ||
		    !pmumap_riscv_is_hardware_event_(event))
			continue;
		record = pmumap_riscv_record_of_event_(c->m, event);
		if (event <= PMUMAP_EVENT_INSTRUCTIONS_ &&
		    (record->counters & ~PMUMAP_FIXED_COUNTERS_) == 0) {
			pmumap_tell_(c, PMUMAP_FINDING_(FIXED_ONLY, PMUMAP_NOTE, PMUMAP_IN_RANGES_),
				     range->row, event);
		} else if ((c->m->head.flags & PMUMAP_HAS_SELECTORS) &&
			   !(record->key & PMUMAP_RECORD_HAS_SELECTOR_)) {
			pmumap_riscv_check_orphan_(c, range, event, range == orphan);
			orphan = range;
		}
	}
}

/* Report which of events 1 and 2 no row names. */
static inline void pmumap_riscv_check_fixed_(const struct pmumap_checker_ *c)
{
	uint32_t event, missing = 0;

	for (event = PMUMAP_EVENT_CYCLES_; event <= PMUMAP_EVENT_INSTRUCTIONS_; event++) {
		if (!pmumap_riscv_record_of_event_(c->m, event)->counters)
			missing |= 1u << event;
	}
	if (missing)
		pmumap_tell_(c, PMUMAP_FINDING_(FIXED_MISSING, PMUMAP_WARNING, PMUMAP_IN_NODE_),
			     PMUMAP_NO_ROW, missing);
}

/* Check the sorted rows, with a map that already answers for events. */
static inline PMUMAP_COLD_ void pmumap_riscv_check_rows_(const struct pmumap_checker_ *c)
{
	const struct pmumap_row_ *r = c->rows, *furthest = 0, *selector = r;
	uint32_t events = c->b->kept - c->b->raw_kept, i;

	for (i = 0; i < events; i++) {
		if (!pmumap_row_is_selector_(&r[i])) {
			pmumap_riscv_check_range_(c, &r[i], furthest);
			if (!furthest || pmumap_row_end_(furthest) < pmumap_row_end_(&r[i]))
				furthest = &r[i];
		} else if (pmumap_riscv_is_first_selector_(r, i)) {
			selector = &r[i];
			pmumap_riscv_check_selector_(c, selector);
		} else {
			int same = r[i].value == selector->value;

			pmumap_tell_two_(c,
					 PMUMAP_CONFLICT_(SELECTOR_DUPLICATE,
							  same ? PMUMAP_WARNING : PMUMAP_ERROR,
							  PMUMAP_IN_SELECTORS_,
							  PMUMAP_IN_SELECTORS_),
					 r[i].row, selector->row, pmumap_row_event_(&r[i]));
		}
	}
	for (i = 0; i < c->b->raw_kept; i++)
		pmumap_riscv_check_raw_(c, r + events, i);
	pmumap_riscv_check_events_(c);
	pmumap_riscv_check_fixed_(c);
}

/* ---- riscv/check_harts.h: Which harts each node serves */
/* The harts of a tree; of each, features is the last node that was told to share it. */
struct pmumap_riscv_harts_ {
	struct pmumap_riscv_list_ list;
	int named; /* whether any node names harts */
	int rest;  /* the wanted node, if it serves all harts that no node names; else NO_NODE */
};

/* Whether a status enables its node. A missing status does. */
static inline int pmumap_riscv_is_enabled_(const unsigned char *status, uint32_t bytes)
{
	return !status || pmumap_fdt_match_list_(status, bytes, "okay", 0) ||
	       pmumap_fdt_match_list_(status, bytes, "ok", 0);
}

/*
 * Validate a blob and list its enabled harts in the block, before that holds rows. Without room for
 * all, none is checked.
 */
static inline enum pmumap_status pmumap_riscv_list_harts_(struct pmumap_riscv_harts_ *h,
							  const void *fdt, size_t fdt_size,
							  uint32_t wanted)
{
	struct pmumap_riscv_list_ *l = &h->list;
	const struct pmumap_fdt_cursor_ *w = &l->r.w;
	enum pmumap_status status =
		pmumap_riscv_begin_list_(l, fdt, fdt_size, PMUMAP_RISCV_HART_PROPERTIES_);
	const unsigned char *value;
	uint32_t bytes;
	int more = 0;

	h->named = 0;
	h->rest = PMUMAP_NO_NODE;
	while (status == PMUMAP_OK && (more = pmumap_riscv_next_(&l->r)) > 0) {
		if (wanted && w->offset == wanted && !w->found[PMUMAP_RISCV_HART_SERVED_])
			h->rest = (int)wanted;
		value = pmumap_fdt_value_(w, PMUMAP_RISCV_HART_STATUS_, &bytes);
		if (pmumap_riscv_list_hart_(l) && !pmumap_riscv_is_enabled_(value, bytes)) {
			l->count--;
			l->place = PMUMAP_RISCV_IN_CPUS_;
		}
	}
	if (more < 0)
		return PMUMAP_E_FDT_STRUCT;
	if (l->count > l->room) {
		l->count = 0;
		return PMUMAP_E_NOSPACE;
	}
	pmumap_riscv_sort_harts_(l->harts, l->count, PMUMAP_RISCV_BY_PHANDLE_);
	return status;
}

/*
 * Record that the current node serves the harts with this phandle. Returns 0 if there are none.
 * Report that they are another node's once, so that hostile trees get few findings.
 */
static inline int pmumap_riscv_check_hart_(struct pmumap_checker_ *c, uint32_t row,
					   uint32_t phandle)
{
	struct pmumap_fdt_hart *h =
		pmumap_riscv_serve_harts_(&c->harts->list, phandle, (uint32_t)c->node);

	if (h && h->node != c->node && h->features != (uint32_t)c->node) {
		h->features = (uint32_t)c->node;
		PMUMAP_WARN_(c, HART_SHARED, PMUMAP_IN_PROPERTY_, row, (uint64_t)h->node);
	}
	return h != 0;
}

/*
 * Check which harts the current riscv,pmu node serves. A node without interrupts-extended serves
 * all harts that no node names. If two nodes do, the wanted one wins, otherwise the first.
 */
static inline void pmumap_riscv_check_served_(struct pmumap_checker_ *c)
{
	struct pmumap_riscv_harts_ *h = c->harts;
	uint32_t bytes, row;
	int known = h->list.count == 0;
	const unsigned char *p = pmumap_fdt_value_(&c->r.w, PMUMAP_RISCV_PROPERTY_HARTS_, &bytes);

	if (!p) {
		if (h->rest == PMUMAP_NO_NODE)
			h->rest = c->node;
		else if (h->rest != c->node)
			PMUMAP_WARN_(c, EXTRA_NODE, PMUMAP_IN_NODE_, PMUMAP_NO_ROW,
				     (uint64_t)h->rest);
		return;
	}
	h->named = 1;
	for (row = 0; row < bytes / 8; row++)
		known |= pmumap_riscv_check_hart_(c, row, pmumap_load_be32_(p + 8 * (size_t)row));
	if (!known)
		PMUMAP_WARN_(c, HARTS_UNKNOWN, PMUMAP_IN_PROPERTY_, PMUMAP_NO_ROW, 0);
}

/* After all nodes, report the harts that no node serves. */
static inline void pmumap_riscv_check_unserved_(struct pmumap_checker_ *c)
{
	const struct pmumap_riscv_harts_ *h = c->harts;
	const struct pmumap_riscv_list_ *l = &h->list;
	size_t i;

	if (!h->named || h->rest != PMUMAP_NO_NODE)
		return;
	pmumap_riscv_sort_harts_(l->harts, l->count, PMUMAP_RISCV_BY_HART_);
	for (i = 0; i < l->count; i++) {
		if (l->harts[i].node != PMUMAP_NO_NODE)
			continue;
		c->node = (int)l->harts[i].cpu;
		PMUMAP_WARN_(c, HART_UNSERVED, PMUMAP_IN_NODE_, PMUMAP_NO_ROW, 0);
	}
}

/* Choose a node of a valid blob. Check how nodes serve harts, and report drafts. */
static inline enum pmumap_status pmumap_riscv_check_nodes_(struct pmumap_checker_ *c,
							   const void *fdt, size_t fdt_size,
							   uint32_t wanted)
{
	int pmu, chosen = 0;

	(void)pmumap_riscv_begin_nodes_(&c->r, fdt, fdt_size, PMUMAP_RISCV_PROPERTIES_);
	while (pmumap_riscv_next_(&c->r) > 0) {
		if (!chosen && pmumap_riscv_fits_(&c->r, wanted)) {
			pmumap_riscv_use_node_(&c->r);
			chosen = 1;
		}
		pmu = pmumap_riscv_is_pmu_node_(&c->r.w);
		c->node = (int)c->r.w.offset;
		if (pmu > 0)
			pmumap_riscv_check_served_(c);
		else if (pmu < 0 && (!wanted || wanted != c->r.w.offset))
			PMUMAP_WARN_(c, FOREIGN_NODE, PMUMAP_IN_NODE_, PMUMAP_NO_ROW, 0);
	}
	pmumap_riscv_check_unserved_(c);
	if (!chosen)
		return wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return PMUMAP_OK;
}

/* ---- riscv/check_node.h: Mistakes in the chosen node */
#define PMUMAP_NAME_LETTERS_ 48u /* longer names resemble no table's */
#define PMUMAP_NAME_EDITS_ 2u    /* differing letters that still resemble it, in one place */

/*
 * The letters of a name behind its prefix, in lower case, without '-' and '_'. All 's' are dropped
 * because people mix up plurals. Returns how many; 0 if the name is too long for any table.
 */
static inline uint32_t pmumap_riscv_name_letters_(const unsigned char *name, char *letters)
{
	uint32_t n = 0, i;
	char c;

	for (i = 0; name[i]; i++) {
		c = pmumap_fold_case_((char)name[i]);
		if (i == PMUMAP_NAME_LETTERS_)
			return 0;
		if (c == ',')
			n = 0;
		else if (c != '-' && c != 's')
			letters[n++] = c;
	}
	return n;
}

/* Whether n letters equal a text except for a few in one place. */
static inline int pmumap_riscv_is_near_text_(const char *letters, uint32_t n, const char *text)
{
	uint32_t same = 0, end = 0, len = 0, less;

	while (text[len]) {
		len++;
		PMUMAP_NO_LIBCALL_();
	}
	less = n < len ? n : len;
	while (same < less && letters[same] == text[same])
		same++;
	while (same + end < less && letters[n - 1 - end] == text[len - 1 - end])
		end++;
	return (n > len ? n : len) - same - end <= PMUMAP_NAME_EDITS_;
}

/*
 * The table with a similar name, or PMUMAP_TABLES_, in bounded time. Start with the last table:
 * with "raw" misspelt, a name also resembles that of ranges.
 */
static inline uint32_t pmumap_riscv_near_table_(const unsigned char *name)
{
	static const char texts[PMUMAP_TABLES_][22] = { "eventtomhpmevent", "eventtomhpmcounter",
							"raweventtomhpmcounter" };
	char letters[PMUMAP_NAME_LETTERS_];
	uint32_t n, table = PMUMAP_TABLES_;

	if (pmumap_fdt_match_string_(name, "riscv", 1))
		name += 5; /* the comma may be misspelt too */
	n = pmumap_riscv_name_letters_(name, letters);
	while (table-- > 0) {
		if (pmumap_riscv_is_near_text_(letters, n, texts[table]))
			return table;
	}
	return PMUMAP_TABLES_;
}

/* Check a property of the chosen node that is not a table. */
static inline void pmumap_riscv_check_property_(struct pmumap_checker_ *c,
						const unsigned char *name,
						const unsigned char *value, uint32_t bytes)
{
	uint32_t table;

	c->names[PMUMAP_IN_PROPERTY_] = (const char *)name;
	if (pmumap_fdt_match_string_(name, "status", 0)) {
		if (!pmumap_riscv_is_enabled_(value, bytes))
			pmumap_tell_(
				c, PMUMAP_FINDING_(NODE_DISABLED, PMUMAP_NOTE, PMUMAP_IN_PROPERTY_),
				PMUMAP_NO_ROW, 0);
	} else if (!pmumap_riscv_is_table_name_(name)) {
		table = pmumap_riscv_near_table_(name);
		if (table < PMUMAP_TABLES_)
			pmumap_tell_(
				c,
				PMUMAP_FINDING_(PROPERTY_UNKNOWN,
						c->r.tables[table] ? PMUMAP_WARNING : PMUMAP_ERROR,
						PMUMAP_IN_PROPERTY_),
				PMUMAP_NO_ROW, table);
	}
}

/* Check a row by itself, from its cells. */
static inline void pmumap_riscv_check_cells_(const struct pmumap_checker_ *c, uint32_t table,
					     uint32_t row, const uint32_t *cells, uint32_t count)
{
	uint64_t select, mask, value = cells[0];
	uint32_t what = 0, counters;

	if (table == PMUMAP_TABLE_SELECTORS) {
		if (cells[0] >= PMUMAP_EVENT_LIMIT)
			what = PMUMAP_FINDING_(EVENT_WIDE, PMUMAP_ERROR, PMUMAP_IN_SELECTORS_);
	} else if (table == PMUMAP_TABLE_COUNTERS) {
		if (cells[0] > cells[1])
			what = PMUMAP_FINDING_(RANGE_REVERSED, PMUMAP_ERROR, PMUMAP_IN_RANGES_);
		else if (cells[0] >= PMUMAP_EVENT_LIMIT)
			what = PMUMAP_FINDING_(EVENT_WIDE, PMUMAP_ERROR, PMUMAP_IN_RANGES_);
		else if (cells[2] == 0)
			what = PMUMAP_FINDING_(COUNTERS_EMPTY, PMUMAP_WARNING, PMUMAP_IN_RANGES_);
	} else {
		pmumap_riscv_load_raw_(cells, count, &select, &mask, &counters);
		value = select;
		if (select & ~mask)
			what = PMUMAP_FINDING_(RAW_DEAD, PMUMAP_ERROR, PMUMAP_IN_RAW_);
		else if (counters == 0)
			what = PMUMAP_FINDING_(COUNTERS_EMPTY, PMUMAP_WARNING, PMUMAP_IN_RAW_);
	}
	if (what)
		pmumap_tell_(c, what, row, value);
}

/* Check the rows of the chosen node's table. Returns how many; *left: bytes behind the last row. */
static inline uint32_t pmumap_riscv_check_table_(const struct pmumap_checker_ *c, uint32_t table,
						 uint32_t *left)
{
	const unsigned char *value = c->r.w.blob + c->r.tables[table];
	struct pmumap_riscv_rest_ rest;
	uint32_t cells[5], row;

	pmumap_riscv_begin_rows_(&rest, pmumap_riscv_form_(&c->r, table), value,
				 pmumap_load_be32_(value - 8));
	for (row = 0; pmumap_riscv_next_row_(&rest, cells); row++)
		pmumap_riscv_check_cells_(c, table, row, cells, rest.cells);
	*left = (uint32_t)rest.bytes;
	return row;
}

/* Check the chosen node's tables: first their rows, then their names and sizes. */
static inline void pmumap_riscv_check_tables_(struct pmumap_checker_ *c)
{
	uint32_t table, old, rows[PMUMAP_TABLES_], left[PMUMAP_TABLES_];

	for (table = 0; table < PMUMAP_TABLES_; table++) {
		old = c->r.old >> table & 1;
		c->names[table] = pmumap_riscv_table_name_(old ? table + PMUMAP_TABLES_ : table);
		if (c->r.tables[table])
			rows[table] = pmumap_riscv_check_table_(c, table, &left[table]);
	}
	for (table = 0; table < PMUMAP_TABLES_; table++) {
		if (!c->r.tables[table])
			continue;
		old = c->r.old >> table & 1;
		if (old)
			PMUMAP_WARN_(c, LEGACY_PREFIX, table, PMUMAP_NO_ROW, 0);
		if (old && table == PMUMAP_TABLE_RAW)
			PMUMAP_WARN_(c, LEGACY_RAW3, table, PMUMAP_NO_ROW, rows[table]);
		if (left[table])
			PMUMAP_WARN_(c, TRAILING_BYTES, table, PMUMAP_NO_ROW, left[table]);
	}
}

/* Check the chosen node after the walk. */
static inline void pmumap_riscv_check_node_(struct pmumap_checker_ *c)
{
	const struct pmumap_fdt_cursor_ *w = &c->r.w;
	const unsigned char *tag = w->blob + w->start + c->r.chosen;

	c->node = (int)c->r.chosen;
	pmumap_riscv_check_tables_(c);
	while ((tag = pmumap_fdt_next_property_(tag)) != 0)
		pmumap_riscv_check_property_(c, w->blob + w->names + pmumap_load_be32_(tag + 8),
					     tag + PMUMAP_FDT_PROPERTY_HEAD_,
					     pmumap_load_be32_(tag + 4));
}

/* ---- riscv/check.h: All checks of a tree */
PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_fdt_check(const void *fdt, size_t fdt_size,
							    const struct pmumap_fdt_options *opt,
							    void *mem, size_t bytes,
							    pmumap_report_fn *report, void *arg)
{
	struct pmumap_riscv_harts_ harts;
	struct pmumap_checker_ c;
	struct pmumap_builder b;
	enum pmumap_status listed, status;
	struct pmumap *m = 0;

	if (!report || !pmumap_riscv_begin_tree_(&b, fdt, fdt_size, mem, bytes))
		return PMUMAP_E_ARG;
	c.report = report;
	c.arg = arg;
	c.b = &b;
	c.harts = &harts;
	c.names[PMUMAP_IN_NODE_] = 0;
	c.names[PMUMAP_IN_PROPERTY_] = "interrupts-extended";
	harts.list.harts = (struct pmumap_fdt_hart *)mem;
	harts.list.room = b.room; /* in rows, which are not smaller; 0 if mem is misaligned */
	listed = pmumap_riscv_list_harts_(&harts, fdt, fdt_size, opt ? (uint32_t)opt->node : 0);
	if (listed != PMUMAP_OK && listed != PMUMAP_E_NOSPACE)
		return listed;
	status = pmumap_riscv_check_nodes_(&c, fdt, fdt_size, opt ? (uint32_t)opt->node : 0);
	if (status != PMUMAP_OK)
		return status;
	pmumap_riscv_check_node_(&c);
	pmumap_riscv_read_tables_(&c.r, &b);
	status = pmumap_begin_map_(&b, &m);
	if (!m)
		return status;
	c.rows = pmumap_builder_rows_(&b);
	c.m = m;
	pmumap_riscv_check_rows_(&c);
	return listed;
}

#endif /* PMUMAP_CHECK_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
