/* SPDX-License-Identifier: BSD-2-Clause */
#include "map/suggest.h"
#include "firmware.h"
#include "text/text.h"

#define OLDEST LINUX_VERSION(5, 18)
#define NEWEST LINUX_VERSION(7, 2)

int read_driver(const char *text, struct driver *driver)
{
	unsigned major, minor;

	driver->version = NEWEST;
	if (!text)
		return GOOD;
	if (!strcmp(text, "none")) {
		driver->version = 0;
		return GOOD;
	}
	if (sscanf(text, "%3u.%3u", &major, &minor) != 2 || LINUX_VERSION(major, minor) < OLDEST)
		return complain(USAGE, text, "not a version of Linux from 5.18 on, such as 6.12");
	driver->version = LINUX_VERSION(major, minor);
	return GOOD;
}

/* True if Linux gets overflow interrupts. Without them it offers no filters either. */
static int has_interrupt(const struct driver *d, const struct reading *r)
{
	switch (r->cores.overflow) {
	case OVERFLOW_SSCOFPMF:
		return 1;
	case OVERFLOW_THEAD:
		return d->version >= LINUX_VERSION(6, 2);
	case OVERFLOW_ANDES:
		return d->version >= LINUX_VERSION(6, 10);
	default:
		return 0;
	}
}

/* From 6.18 on, Linux uses what SBI 3.0 offers. */
static int uses_sbi_3(const struct driver *d, const struct reading *r)
{
	return d->version >= LINUX_VERSION(6, 18) && has_sbi_3(r->firmware);
}

/* True if firmware excludes the modes on the counter that it gives first. */
static int can_filter(const struct reading *r, const struct verdict *v)
{
	if (r->firmware == RUSTSBI || v->event >= PMUMAP_EVENT_FIRMWARE)
		return 0;
	if (r->cores.overflow == OVERFLOW_ANDES)
		return r->firmware >= OPENSBI_1_4 && is_opensbi(r->firmware);
	if (v->counters & ~FIXED_MASK)
		return (r->features & PMUMAP_CAN_FILTER) != 0;
	return r->features & PMUMAP_SMCNTRPMF && r->firmware >= OPENSBI_1_4;
}

/*
 * T-Head's and Andes' fixed counters interrupt, too. RustSBI never clears OF in mhpmevent when it
 * starts a counter again, so only the first overflow interrupts.
 */
static int can_interrupt(const struct reading *r, const struct verdict *v)
{
	if (r->firmware == RUSTSBI || v->event >= PMUMAP_EVENT_FIRMWARE)
		return 0;
	if (r->cores.overflow != OVERFLOW_SSCOFPMF)
		return is_opensbi(r->firmware);
	return (v->counters & ~FIXED_MASK) != 0;
}

/* What Linux refuses, and why. */
static enum reason refusal(const struct driver *d, const struct reading *r, const struct verdict *v,
			   unsigned excluded)
{
	int is_standard = v->event < PMUMAP_EVENT_RAW;

	if (is_raw_event(v->event) && v->data >> (uses_sbi_3(d, r) ? 56 : 48))
		return REASON_TOO_WIDE;
	if (d->user && !(excluded & EXCLUDE_KERNEL))
		return REASON_NOT_PERMITTED;
	if (excluded && !has_interrupt(d, r))
		return REASON_NO_FILTER;
	if (uses_sbi_3(d, r) && is_opensbi(r->firmware) && is_standard &&
	    !opensbi_lists(r, v->event, v->data))
		return r->tables == TABLES_TAKEN ? REASON_TABLES_TAKEN : REASON_UNLISTED;
	return REASON_NONE;
}

static int is_wrong(enum reason reason)
{
	return reason >= REASON_SELECTOR;
}

static struct verdict refuse(struct verdict v, enum reason reason)
{
	v.counts = 0;
	v.counters = 0;
	v.has_value = 0;
	v.reason = reason;
	return v;
}

struct verdict ask_driver(const struct driver *d, const struct reading *r, uint32_t event,
			  uint64_t data, unsigned excluded)
{
	struct verdict v;
	enum reason reason = REASON_NONE;

	if (d->version && is_raw_event(event))
		event = uses_sbi_3(d, r) ? PMUMAP_EVENT_RAW_V2 : PMUMAP_EVENT_RAW;
	/* perf retries for an ordinary user, and then counts user mode alone. */
	if (d->user && !(excluded & (EXCLUDE_KERNEL | EXCLUDE_USER)))
		excluded |= EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR;
	v = ask_firmware(r, event, data);
	if (d->version && (v.counts || is_raw_event(event)))
		reason = refusal(d, r, &v, excluded);
	if (reason != REASON_NONE)
		return refuse(v, reason);
	if (!v.counts)
		return v;
	if (d->version && !is_wrong(v.reason) && excluded) {
		if (excluded & EXCLUDE_USER && excluded & EXCLUDE_KERNEL)
			v.reason = REASON_GUESTS;
		else if (!can_filter(r, &v))
			v.reason = REASON_ALL_MODES;
	}
	v.answer = is_wrong(v.reason) ? ANSWER_WRONG : ANSWER_YES;
	v.samples = d->version && has_interrupt(d, r) && can_interrupt(r, &v);
	if (v.reason == REASON_NONE && has_interrupt(d, r) && !v.samples)
		v.reason = REASON_NO_INTERRUPT;
	return v;
}
