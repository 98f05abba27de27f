/* SPDX-License-Identifier: BSD-2-Clause */
/* Parse events as people write them */
#pragma once

#include "core/text.h"
#include "riscv/lookup.h"
#include "riscv/names.h"

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
