/* SPDX-License-Identifier: BSD-2-Clause */
/* Look up selectors and counters */
#pragma once

#include "core/compiler.h"
#include "riscv/tables.h"

/* Get a record's selector. Returns 1; or 0, and *selector is unchanged. */
static inline int pmumap_riscv_take_selector_(const struct pmumap_record *r, uint64_t *selector)
{
	uint64_t value = r->selector;
	uint32_t found = r->key >> 31;

	PMUMAP_LOADED_(value);
	if (found)
		*selector = value;
	return (int)found;
}

/* pmumap_selector() for an event without an index byte. */
PMUMAP_OUTLINE_ int pmumap_riscv_search_selector_(const struct pmumap *m, uint32_t event,
						  uint64_t *selector)
{
	const struct pmumap_record *r = pmumap_riscv_search_record_(m, event);
	uint64_t unused, *to = r->key & PMUMAP_RECORD_HAS_SELECTOR_ ? selector : &unused;

	*to = r->selector;
	return (int)(r->key >> 31);
}

PMUMAP_DEF int pmumap_selector(const struct pmumap *m, uint32_t event, uint64_t *selector)
{
	if (!pmumap_riscv_is_indexed_event_(event))
		return pmumap_riscv_search_selector_(m, event, selector);
	return pmumap_riscv_take_selector_(pmumap_riscv_indexed_record_(m, event), selector);
}

/* pmumap_counters() for an event without an index byte. */
PMUMAP_OUTLINE_ uint32_t pmumap_riscv_search_counters_(const struct pmumap *m, uint32_t event)
{
	return pmumap_riscv_search_record_(m, event)->counters;
}

PMUMAP_DEF uint32_t pmumap_counters(const struct pmumap *m, uint32_t event)
{
	if (!pmumap_riscv_is_indexed_event_(event))
		return pmumap_riscv_search_counters_(m, event);
	return pmumap_riscv_indexed_record_(m, event)->counters;
}

/* The counters of rows that match, from this one on to the last of its place. */
PMUMAP_OUTLINE_ uint32_t pmumap_riscv_more_raw_(const struct pmumap *m, uint64_t raw, size_t more)
{
	uint32_t counters = 0;

	do {
		const struct pmumap_raw_row *r = pmumap_riscv_raw_row_(m, more);

		if ((raw & r->mask) == r->select)
			counters |= r->counters;
		more = r->more;
	} while (more);
	return counters;
}

/* A place's first row has the counters of all rows that match with it. */
PMUMAP_ALWAYS_INLINE_ uint32_t pmumap_riscv_find_raw_(const struct pmumap *m, uint64_t raw)
{
	size_t place = (size_t)raw & m->raw_low;
	size_t first = (size_t)pmumap_riscv_raw_index_(m)[place] << 3;
	const struct pmumap_raw_row *r = pmumap_riscv_raw_row_(m, first);

	if ((raw & r->mask) != r->select) {
		size_t more = r->more;

		if (more)
			return pmumap_riscv_more_raw_(m, raw, more);
		PMUMAP_LOADED_(first); /* keeps the two returns apart: an instruction less */
		return 0;
	}
	return r->counters;
}

PMUMAP_DEF uint32_t pmumap_raw_counters(const struct pmumap *m, uint64_t raw)
{
	return pmumap_riscv_find_raw_(m, raw);
}

/* Whether the rule makes an event its own selector, if the map has none for it. */
static inline int pmumap_riscv_is_own_selector_(const struct pmumap *m, uint32_t event,
						unsigned rule)
{
	return pmumap_riscv_is_hardware_event_(event) &&
	       (rule == PMUMAP_RULE_ALWAYS ||
		(rule == PMUMAP_RULE_ABSENT && !(m->head.flags & PMUMAP_HAS_SELECTORS)));
}

PMUMAP_DEF int pmumap_encode(const struct pmumap *m, uint32_t event, uint64_t data, unsigned rule,
			     uint64_t *mhpmevent)
{
	uint64_t bits = pmumap_riscv_raw_bits_(event);

	if (bits)
		*mhpmevent = data & bits;
	else if (pmumap_selector(m, event, mhpmevent))
		return 1;
	else if (!pmumap_riscv_is_own_selector_(m, event, rule))
		return 0;
	else
		*mhpmevent = event;
	return 1;
}

PMUMAP_DEF int pmumap_event_valid(uint32_t event)
{
	if (event >= PMUMAP_EVENT_FIRMWARE)
		return event - PMUMAP_EVENT_FIRMWARE < 22 ||
		       (event >= PMUMAP_EVENT_FIRMWARE + 256 && event <= PMUMAP_EVENT_PLATFORM_);
	return pmumap_riscv_is_hardware_event_(event) || event == PMUMAP_EVENT_RAW ||
	       event == PMUMAP_EVENT_RAW_V2;
}
