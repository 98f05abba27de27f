/* SPDX-License-Identifier: BSD-2-Clause
 *
 * findings.h -- what each finding means to people: what is wrong, what the firmware of today makes
 * of it, how to mend it. Each sentence fits one line of 100 columns behind its label.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "pmumap.h"

/* What pmumap_finding.value is. */
enum value_kind { VALUE_NONE, VALUE_EVENT, VALUE_KEY, VALUE_HEX, VALUE_NUMBER, VALUE_NODE };

struct explanation {
	enum value_kind kind; /* VALUE_KEY: of a raw row its select, else an event */
	const char *label;    /* before a VALUE_HEX, after a VALUE_NUMBER */
	const char *wrong, *today, *mend;
};

/* clang-format off */
static const struct explanation explanations[] = {
	[PMUMAP_F_TRAILING_BYTES] = { VALUE_NUMBER, "bytes left over",
		"These bytes after the last whole row are ignored.",
		"OpenSBI ignores them too, RustSBI panics or drops the whole PMU.",
		"A row has 3 cells, a raw row 5. Remove the rest (QEMU up to 8.0 wrote zeros)." },
	[PMUMAP_F_EVENT_WIDE] = { VALUE_EVENT, "",
		"Event numbers have 20 bits. This one has more, so nobody can ask for it.",
		"OpenSBI refuses such a range, and reads nothing after it, nor any raw row.",
		"Bits 16-19 are the type, bits 0-15 the code: 0x10019 is code 0x19 of type 1." },
	[PMUMAP_F_EVENT_INVALID] = { VALUE_EVENT, "",
		"SBI defines no event of this number, so no supervisor asks for it.",
		"OpenSBI and RustSBI keep the row; it is never used for this event.",
		"Hardware: 1-10. Cache: 0x10000 + 8 x cache + 2 x operation + result." },
	[PMUMAP_F_RANGE_REVERSED] = { VALUE_EVENT, "",
		"The first event is above the last: the row covers nothing.",
		"OpenSBI reads nothing after this row, nor any raw row; RustSBI never uses it.",
		"Exchange the first two cells." },
	[PMUMAP_F_RANGE_OVERLAP] = { VALUE_EVENT, "both from",
		"Two ranges cover the same events; pmumap takes the counters of both.",
		"OpenSBI stops at the later row, and reads no raw rows; RustSBI drops that row.",
		"Make the ranges disjoint, with all counters of the common events in one row." },
	[PMUMAP_F_RANGE_RAW] = { VALUE_EVENT, "",
		"The range covers numbers of raw events, which have a table of their own.",
		"OpenSBI refuses the row, and reads nothing after it, nor any raw row.",
		"Describe raw events in riscv,raw-event-to-mhpmcounters only." },
	[PMUMAP_F_COUNTERS_EMPTY] = { VALUE_KEY, "",
		"The row names no counter, so nothing can be counted by it.",
		"OpenSBI keeps the row, and answers \"not supported\" for its events.",
		"Set bit N of the last cell for mhpmcounterN, or remove the row." },
	[PMUMAP_F_FIXED_BIT] = { VALUE_HEX, "counters",
		"Bit 0 is mcycle, bit 2 minstret: they count events 1 and 2, and nothing else.",
		"OpenSBI reads nothing after the row, if it is a raw row or begins above event 2.",
		"Clear bit 0, except in a row of event 1 only; bit 2, except of event 2 only." },
	[PMUMAP_F_TIME_BIT] = { VALUE_HEX, "counters",
		"Bit 1 is the time CSR, which counts no event.",
		"OpenSBI ignores the bit in rows of events 1 and 2, and stops reading at others.",
		"Clear bit 1. Where minstret was meant, set bit 2 (0x4)." },
	[PMUMAP_F_FIXED_ONLY] = { VALUE_EVENT, "",
		"Only the fixed counter counts this event.",
		"OpenSBI: \"not supported\", where the hart has Sscofpmf and not Smcntrpmf.",
		"If the core can count it in programmable counters too, add their bits." },
	[PMUMAP_F_SELECTOR_DUPLICATE] = { VALUE_EVENT, "",
		"The event has two selectors; the first one counts.",
		"OpenSBI and RustSBI take the first one too.",
		"Remove the wrong one." },
	[PMUMAP_F_SELECTOR_ORPHAN] = { VALUE_EVENT, "",
		"The event has a selector, but no counter that it could be written for.",
		"OpenSBI and RustSBI answer \"not supported\" for it.",
		"Add the event to riscv,event-to-mhpmcounters, or remove its selector." },
	[PMUMAP_F_COUNTERS_ORPHAN] = { VALUE_EVENT, "first",
		"The row covers events that have counters, but no selector.",
		"OpenSBI selects by the event's number instead; RustSBI: \"not supported\".",
		"Add the selectors, or cut these events out of the range." },
	[PMUMAP_F_DEFAULT_COLLISION] = { VALUE_EVENT, "",
		"The event has no selector, and its number, the default, selects something else.",
		"OpenSBI counts that under this event's name: wrong but plausible numbers.",
		"Add the selector, or cut the event out of the range." },
	[PMUMAP_F_RAW_DEAD] = { VALUE_HEX, "select",
		"The select has bits that the mask ignores: no raw event can match.",
		"OpenSBI keeps the row silently, and answers \"not supported\" for its events.",
		"A mask bit of 1 means: compare. Are the two exchanged, or is it inverted?" },
	[PMUMAP_F_RAW_DUPLICATE] = { VALUE_HEX, "select",
		"Two rows have the same select and mask; pmumap takes the counters of both.",
		"OpenSBI reads nothing after the second row; RustSBI drops that row.",
		"Make one row of the two." },
	[PMUMAP_F_RAW_OVERLAP] = { VALUE_HEX, "both match",
		"Two rows match the same raw event; pmumap takes the counters of both.",
		"OpenSBI misses some of the counters; RustSBI takes the first row only.",
		"Compare more bits in one of the masks, or give both rows all the counters." },
	[PMUMAP_F_RAW_WIDE] = { VALUE_HEX, "mask",
		"The mask ignores bits below and above a bit that must be 1: stray events match.",
		"OpenSBI programs every one of them, documented or not.",
		"Compare all bits of the event's number (mask ~0), in one row for each event." },
	[PMUMAP_F_RAW_UNREACHABLE] = { VALUE_HEX, "select",
		"SBI's raw events have 48 or 56 bits, and this needs more: nothing matches.",
		"OpenSBI keeps the row; Linux refuses to ask for such an event.",
		"Clear bits 56 to 63. The firmware itself sets the bits for modes and overflow." },
	[PMUMAP_F_LEGACY_PREFIX] = { VALUE_NONE, "",
		"The property has its name of 2021, before \"pmu,\" became \"riscv,\".",
		"OpenSBI has not read it since the end of 2021.",
		"Rename it to \"riscv,...\"." },
	[PMUMAP_F_LEGACY_RAW3] = { VALUE_NUMBER, "rows",
		"The rows have 3 cells, as in 2021: no mask, so all 64 bits are compared.",
		"OpenSBI has not read it since the end of 2021. Renamed only, it would be misread.",
		"Rename it to \"riscv,...\"; after each select, add 0xffffffff 0xffffffff." },
	[PMUMAP_F_FOREIGN_NODE] = { VALUE_NONE, "",
		"The node follows a draft of 2018-2020 that had the same compatible string.",
		"OpenSBI takes the first such node, and finds no table in it.",
		"Remove the node, or write its tables anew." },
	[PMUMAP_F_EXTRA_NODE] = { VALUE_NODE, "in use:",
		"The tree has more than one PMU node, and only one is in use.",
		"OpenSBI uses the first one for all harts, RustSBI the last one.",
		"Keep one. Until then, --node PATH shows and checks this one." },
	[PMUMAP_F_NO_SPACE] = { VALUE_NUMBER, "bytes needed",
		"The block of memory is too small for the map.",
		"OpenSBI has fixed tables and reads nothing after the 255th row.",
		"Measure first." },
};
/* clang-format on */

#endif /* FINDINGS_H */
