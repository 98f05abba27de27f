/* SPDX-License-Identifier: BSD-2-Clause
 *
 * opensbi.c -- OpenSBI 1.1 to 1.9. It reads ranges, then selectors, then raw rows. From 1.2 on it
 * stops at the first row that it rejects: earlier rows are kept, later ones are lost.
 */
#include "firmware.h"
#include "text/text.h"

#define SELECTORS_LIMIT 512u /* with more, OpenSBI 1.6 writes past the end of its array */
#define FIRMWARE_EVENTS 22u
#define CALLER (~(uint32_t)2) /* the counters that Linux asks for: all but time */

/* ---- reading --------------------------------------------------------------------------------- */

/* Until 1.5 a range may contain raw events, but not begin or end at the first kind's number. */
static int is_beyond(enum firmware firmware, const struct kept_row *row)
{
	return firmware >= OPENSBI_1_6
		       ? row->last >= PMUMAP_EVENT_RAW
		       : row->first == PMUMAP_EVENT_RAW || row->last == PMUMAP_EVENT_RAW;
}

/* Why it rejects the row, or NULL. */
static const char *refusal(const struct reading *r, const struct kept_row *row, int raw)
{
	if (r->kept == OPENSBI_ROWS_LIMIT)
		return "there are 255 already";
	if (!raw && row->first > row->last)
		return "the range ends before it begins";
	if (!raw && is_beyond(r->firmware, row))
		return "the range reaches 0x20000";
	if (row->first > 2 && row->counters & FIXED_MASK)
		return "counters 0 to 2 belong to events 1 and 2";
	for (uint32_t i = 0; i < r->kept; i++) {
		const struct kept_row *other = &r->rows[i];

		/* A raw row is also compared with ranges, whose select and mask are 0. */
		if (raw && other->select == row->select && other->mask == row->mask)
			return other->raw ? "an earlier row has this select and mask"
					  : "it looks like a range";
		if (!raw && other->first <= row->last && row->first <= other->last)
			return "an earlier range overlaps it";
	}
	return NULL;
}

static void read_rows(struct reading *r, const char *property)
{
	int raw = !strcmp(property, RAW_ROWS);
	uint32_t cells, row = 0, width = row_width(property), rows;
	const unsigned char *cell = property_cells(r->source, r->node, property, &cells);

	rows = cells / width;
	for (; !r->stop && row < rows; row++, cell += 4 * width) {
		struct kept_row new = row_at(cell, raw);

		r->property = property;
		r->row = row;
		r->why = refusal(r, &new, raw);
		if (!r->why)
			keep_row(r, &new);
		else if (r->firmware == OPENSBI_1_1)
			r->lost++;
		else
			r->stop = r->kept == OPENSBI_ROWS_LIMIT ? STOP_FULL : STOP_ROW;
	}
	if (r->stop)
		r->lost += rows - (strcmp(property, r->property) ? 0 : r->row);
}

static void read_selectors(struct reading *r)
{
	uint32_t cells, rows;
	const unsigned char *cell = property_cells(r->source, r->node, SELECTORS, &cells);

	rows = cells / row_width(SELECTORS);
	if (r->stop) {
		r->lost += rows;
		return;
	}
	r->selectors = rows;
	if (r->firmware <= OPENSBI_1_6) {
		r->selectors = rows < SELECTORS_LIMIT ? rows : SELECTORS_LIMIT;
	} else if (cell && !rows) {
		r->stop = STOP_EMPTY;
		r->property = SELECTORS;
		r->row = 0;
	}
}

/* 1.1 needs the first two tables. */
static void require(struct reading *r, const char *property)
{
	uint32_t cells;

	if (r->firmware > OPENSBI_1_1 || r->stop)
		return;
	if (!property_cells(r->source, r->node, property, &cells) || cells < 2) {
		r->stop = STOP_EMPTY;
		r->property = property;
		r->row = 0;
	}
}

void read_opensbi(struct reading *r)
{
	require(r, RANGES);
	read_rows(r, RANGES);
	require(r, SELECTORS);
	read_selectors(r);
	read_rows(r, RAW_ROWS);
	if (!r->stop)
		r->property = NULL;
}

/* ---- answers --------------------------------------------------------------------------------- */

/*
 * The counter that OpenSBI picks, or a negative number. It scans every row of the event, but
 * continues in each row at the bit where it left the row before. Since 1.8 that is the counter it
 * found, the lowest. Until 1.7 it continues after the last counter, so only the first row matters
 * and its highest counter wins. It shifts the caller's counters with it.
 */
static int find_counter(const struct reading *r, uint32_t event, uint64_t data, uint32_t busy)
{
	int found = -1;
	uint32_t from = CALLER;

	for (uint32_t i = 0; i < r->kept; i++) {
		uint32_t counters = r->rows[i].counters & ~FIXED_MASK & r->hart & ~busy & from;
		int low = 0;

		if (!has_event(&r->rows[i], event, data))
			continue;
		from = 0;
		if (!counters)
			continue;
		while (!(counters >> low & 1))
			low++;
		found = low;
		if (r->firmware <= OPENSBI_1_7) {
			for (; low < 32; low++)
				found = counters >> low & 1 ? low : found;
		} else {
			from = CALLER << low;
		}
	}
	return found;
}

static uint32_t take_all(const struct reading *r, uint32_t event, uint64_t data)
{
	uint32_t taken = 0;
	int counter;

	while ((counter = find_counter(r, event, data, taken)) >= 0)
		taken |= (uint32_t)1 << counter;
	return taken;
}

/* The value for mhpmevent. *by_number: there is no selector, so it is the event's number. */
static uint64_t value_of(const struct reading *r, uint32_t event, uint64_t data, int *by_number)
{
	uint64_t value = data;

	*by_number = 0;
	if (!is_raw_event(event) && (!find_selector(r, event, &value) || !value)) {
		value = event;
		*by_number = 1;
	}
	return value;
}

int opensbi_lists(const struct reading *r, uint32_t event, uint64_t data)
{
	for (uint32_t i = 0; i < r->kept; i++) {
		const struct kept_row *row = &r->rows[i];

		/* It ignores whether the row is a range, so a range lists every raw event. */
		if (is_raw_event(event) ? row->select == (data & row->mask)
					: has_event(row, event, data))
			return 1;
	}
	return 0;
}

static struct verdict judge_firmware_event(uint32_t event)
{
	int counts = event - PMUMAP_EVENT_FIRMWARE < FIRMWARE_EVENTS;

	return (struct verdict){ .counts = counts,
				 .reason = counts ? REASON_BY_FIRMWARE : REASON_FIRMWARE };
}

/* True if a programmable counter is taken for cycles and instructions, if there is one. */
static int prefers_programmable(const struct reading *r)
{
	return r->features & PMUMAP_CAN_FILTER ||
	       (r->cores.overflow == OVERFLOW_ANDES && r->firmware >= OPENSBI_1_7);
}

/* Sscofpmf's own bits, which are cleared in a selector. */
static uint64_t selector_bits(const struct reading *r)
{
	if (!(r->features & PMUMAP_CAN_FILTER))
		return ~(uint64_t)0;
	return ~(uint64_t)0 >> (r->firmware < OPENSBI_1_5 ? 16 : 8);
}

struct verdict judge_opensbi(const struct reading *r, uint32_t event, uint64_t data)
{
	uint32_t fixed = fixed_of(event);
	struct verdict v = { 0 };
	int by_number = 0;

	if (event >= PMUMAP_EVENT_FIRMWARE)
		return judge_firmware_event(event);
	if (event == PMUMAP_EVENT_RAW_V2 && r->firmware < OPENSBI_1_6)
		return v;
	if (!fixed || prefers_programmable(r))
		v.counters = take_all(r, event, data);
	if (v.counters) {
		v.value = value_of(r, event, data, &by_number);
		v.has_value = 1;
		if (!v.value) /* rejected */
			v.counters = 0;
		v.value &= selector_bits(r);
		if (!v.value)
			v.reason = REASON_ZERO;
		else if (by_number)
			v.reason = REASON_BY_NUMBER;
	}
	if (!denies_fixed(r))
		v.counters |= fixed;
	v.counts = v.counters && v.reason != REASON_ZERO;
	if (v.counts && has_sbi_3(r->firmware) && !is_raw_event(event) &&
	    !opensbi_lists(r, event, data))
		v.reason = REASON_UNLISTED;
	return v;
}
