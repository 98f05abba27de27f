/* SPDX-License-Identifier: BSD-2-Clause
 *
 * own.c -- models that answer from the map, because they read every valid row: firmware that
 * implements SBI with pmumap_server.h, and Linux with delegated counters (patches v8, July 2026).
 */
#include "firmware.h"

struct verdict judge_own(const struct reading *r, uint32_t event, uint64_t data)
{
	struct pmumap_want want = { .event = event, .data = data };
	struct pmumap_job job;
	uint32_t features = r->features;
	struct verdict v = { 0 };
	uint64_t value;

	if (event == (PMUMAP_EVENT_FIRMWARE | 0xffff)) /* no host of hosts/ has events of its own */
		return (struct verdict){ .reason = REASON_FIRMWARE };
	if (event >= PMUMAP_EVENT_FIRMWARE)
		return (struct verdict){ .counts = 1, .reason = REASON_BY_FIRMWARE };
	if (!r->source->map)
		return v;
	if (features & PMUMAP_CAN_FILTER) /* the server sets it too */
		features |= PMUMAP_MUST_FILTER;
	pmumap_plan_all(r->source->map, &want, 1, ~(uint32_t)0, features, PMUMAP_RULE_ABSENT, &job);
	v.counters = want.counters & (r->hart | FIXED_MASK);
	if (!(v.counters & ~FIXED_MASK)) {
		v.counts = v.counters != 0;
		return v;
	}
	v.has_value = 1;
	pmumap_encode(r->source->map, event, data, PMUMAP_RULE_ABSENT, &v.value);
	if (!v.value) { /* rejected, unless a fixed counter comes first */
		v.counters &= features & PMUMAP_CAN_INTERRUPT ? 0 : FIXED_MASK;
		v.has_value = 0;
	}
	v.counts = v.counters != 0;
	if (!v.counts)
		v.reason = REASON_ZERO;
	else if (v.has_value && !is_raw_event(event) &&
		 !pmumap_selector(r->source->map, event, &value))
		v.reason = REASON_BY_NUMBER;
	return v;
}

/* Linux checks no raw event: one without a mask gets any programmable counter. */
struct verdict judge_delegated(const struct reading *r, uint32_t event, uint64_t data)
{
	const struct pmumap *map = r->source->map;
	struct verdict v = { .value = data };
	int raw = is_raw_event(event), has_selector = 1;

	if (event >= PMUMAP_EVENT_FIRMWARE)
		return judge_own(r, event, data);
	v.counters = raw ? ~(uint32_t)0 : map ? pmumap_counters(map, event) : 0;
	v.counters &= r->hart & ~FIXED_MASK;
	if (!raw && v.counters)
		has_selector = pmumap_selector(map, event, &v.value);
	if (v.counters && has_selector && !v.value)
		v.reason = REASON_ZERO;
	v.counts = v.has_value = v.counters && v.value && has_selector;
	v.counters = v.counts ? v.counters : 0;
	return v;
}
