/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Planning and encoding for any tables: their look-ups are arbitrary functions.
 */
#include "proof.h"

uint32_t __CPROVER_uninterpreted_counters(uint32_t event);
uint32_t __CPROVER_uninterpreted_raw(uint64_t raw);
uint64_t __CPROVER_uninterpreted_selector(uint32_t event);
_Bool __CPROVER_uninterpreted_has(uint32_t event);

const struct pmumap_record *any_record(const struct pmumap *m, uint32_t event)
{
	static struct pmumap_record record;

	record.counters = __CPROVER_uninterpreted_counters(event);
	record.selector = __CPROVER_uninterpreted_selector(event);
	record.key = __CPROVER_uninterpreted_has(event) ? 0x80000000u : 0;
	return &record;
}

uint32_t any_raw(const struct pmumap *m, uint64_t raw)
{
	return __CPROVER_uninterpreted_raw(raw);
}

int any_selector(const struct pmumap *m, uint32_t event, uint64_t *selector)
{
	if (!__CPROVER_uninterpreted_has(event))
		return 0;
	*selector = __CPROVER_uninterpreted_selector(event);
	return 1;
}

/* Returns whether an event without a selector is its own selector. */
static int is_own(const struct pmumap *m, uint32_t event, uint32_t rule)
{
	return pmumap_riscv_is_hardware_event_(event) &&
	       (rule == PMUMAP_RULE_ALWAYS ||
		(rule == PMUMAP_RULE_ABSENT && !(m->head.flags & PMUMAP_HAS_SELECTORS)));
}

/* Counters that an event may have, the free one that is taken, and its selector. */
void plan(void)
{
	uint32_t event = nondet_u32(), free = nondet_u32(), features = nondet_u32();
	uint32_t type = event / 0x10000, may = 0, rest, programmable;
	uint32_t rule = nondet_u32();
	uint64_t data = nondet_u64(), selector = event;
	struct pmumap_job job;
	struct pmumap m;
	int got;

	m.head.flags = nondet_u32();
	got = pmumap_plan(&m, event, data, free, features, rule, &job);

	if (event == 0x20000)
		may = __CPROVER_uninterpreted_raw(data % (1ull << 48)) & ~7u;
	else if (event == 0x30000)
		may = __CPROVER_uninterpreted_raw(data % (1ull << 56)) & ~7u;
	else if (type < 2 && (__CPROVER_uninterpreted_has(event) || is_own(&m, event, rule)))
		may = __CPROVER_uninterpreted_counters(event) & ~7u;
	if (event == 1 && !((features & PMUMAP_MUST_FILTER) && !(features & PMUMAP_SMCNTRPMF)))
		may |= 1;
	if (event == 2 && !((features & PMUMAP_MUST_FILTER) && !(features & PMUMAP_SMCNTRPMF)))
		may |= 4;
	rest = may & free;
	programmable = rest & ~7u;
	if ((features & PMUMAP_CAN_INTERRUPT) && programmable)
		rest = programmable;

	prove((got == PMUMAP_UNSUPPORTED) == !may);
	prove((got == PMUMAP_BUSY) == (may && !(may & free)));
	prove(got >= -2 && got < 32);
	if (got >= 0)
		prove((rest >> got & 1) && !(rest & ((1u << got) - 1)));
	if (event == 0x20000)
		selector = data % (1ull << 48);
	else if (event == 0x30000)
		selector = data % (1ull << 56);
	else if (__CPROVER_uninterpreted_has(event))
		selector = __CPROVER_uninterpreted_selector(event);
	prove(job.selector == (got < 3 ? 0 : selector));
	prove(job.event == event && job.data == data && !job.inhibit && !job.clear);
	reached(got == 0 && programmable);
	reached(got == 31 && event == 2);
	reached(got == 5 && event == 0x30000);
}

void encode(void)
{
	uint32_t event = nondet_u32(), rule = nondet_u32();
	uint64_t data = nondet_u64(), got = 77, want = 77;
	struct pmumap m;
	int found, wanted = 1;

	m.head.flags = nondet_u32();
	found = pmumap_encode(&m, event, data, rule, &got);
	if (event == 0x20000)
		want = data % (1ull << 48);
	else if (event == 0x30000)
		want = data % (1ull << 56);
	else if (__CPROVER_uninterpreted_has(event))
		want = __CPROVER_uninterpreted_selector(event);
	else if (is_own(&m, event, rule))
		want = event;
	else
		wanted = 0;
	prove(!found == !wanted && got == want);
	reached(found && got == 0x1002a && rule == PMUMAP_RULE_ABSENT);
	reached(!found && rule == PMUMAP_RULE_ALWAYS);
}
