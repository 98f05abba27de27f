/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rustsbi.c -- RustSBI's prototyper, commit 621dd697 of August 2026. It drops single rows and
 * continues. It panics if a table's size is not a multiple of the row size.
 */
#include "firmware.h"
#include "text/text.h"

#define ROWS_LIMIT 4096u /* RustSBI has no limit; this one bounds the model's run time */

/* Firmware events that it counts, of 0 to 21. */
#define FIRMWARE_EVENTS 0x3ff3u

/* RustSBI's own overlap rule. It misses some overlaps with a reversed range. */
static int is_apart(const struct kept_row *a, const struct kept_row *b)
{
	return (a->last < b->first && a->last < b->last) ||
	       (a->first > b->first && a->first > b->last);
}

static int is_dropped(const struct reading *r, const struct kept_row *row, int raw)
{
	for (uint32_t i = 0; i < r->kept; i++) {
		const struct kept_row *other = &r->rows[i];

		if (other->raw != raw)
			continue;
		if (raw ? other->select == row->select && other->mask == row->mask
			: !is_apart(other, row))
			return 1;
	}
	return 0;
}

static void read_rows(struct reading *r, const char *property)
{
	int raw = !strcmp(property, RAW_ROWS);
	uint32_t cells, row = 0, width = row_width(property);
	const unsigned char *cell = property_cells(r->source, r->node, property, &cells);

	if (!r->stop && property_bytes(r->source, r->node, property) % (4 * width)) {
		r->stop = STOP_PANIC;
		r->property = property;
	}
	if (!strcmp(property, SELECTORS)) {
		r->selectors = cells / width;
		return;
	}
	for (; row < cells / width && r->kept < ROWS_LIMIT; row++, cell += 4 * width) {
		struct kept_row new = row_at(cell, raw);

		if (is_dropped(r, &new, raw))
			r->lost++;
		else
			keep_row(r, &new);
	}
}

void read_rustsbi(struct reading *r)
{
	read_rows(r, RANGES);
	read_rows(r, SELECTORS);
	read_rows(r, RAW_ROWS);
}

static struct verdict judge_firmware_event(uint32_t event)
{
	uint32_t code = event - PMUMAP_EVENT_FIRMWARE;
	int counts = code < 32 && FIRMWARE_EVENTS >> code & 1;

	return (struct verdict){ .counts = counts,
				 .reason = counts ? REASON_BY_FIRMWARE : REASON_FIRMWARE };
}

struct verdict judge_rustsbi(const struct reading *r, uint32_t event, uint64_t data)
{
	struct verdict v = { 0 };
	uint32_t counters = 0;

	if (event >= PMUMAP_EVENT_FIRMWARE)
		return r->node < 0 || r->stop ? v : judge_firmware_event(event);
	if (r->stop)
		return v;
	for (uint32_t i = 0; i < r->kept; i++) {
		if (r->rows[i].raw == is_raw_event(event) &&
		    has_event(&r->rows[i], event, data)) { /* later rows are ignored */
			counters = r->rows[i].counters & (r->hart | FIXED_MASK);
			break;
		}
	}
	/*
	 * mcycle comes first if a row names it, and needs no selector. RustSBI starts it and
	 * minstret, and gives no running counter. Linux stops all counters at boot, but RustSBI
	 * refuses at the second one, so minstret runs on.
	 */
	v.counters = event == 1 ? counters & 1 : 0;
	v.counts = v.counters != 0;
	counters &= ~FIXED_MASK;
	if (!counters)
		return v;
	v.value = data;
	v.has_value = is_raw_event(event) || find_selector(r, event, &v.value);
	if (!v.has_value && !r->selectors) {
		v.value = event;
		v.has_value = 1;
		v.reason = REASON_BY_NUMBER;
	}
	if (!v.has_value) {
		v.reason = v.counts ? REASON_NONE : REASON_NO_SELECTOR;
		return v;
	}
	v.counters |= counters;
	if (v.value)
		v.counts = 1;
	else if (!v.counts)
		v.reason = REASON_ZERO;
	return v;
}
