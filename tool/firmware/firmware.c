/* SPDX-License-Identifier: BSD-2-Clause */
#include <libfdt.h>
#include "map/suggest.h"
#include "firmware.h"
#include "source/rows.h"
#include "text/text.h"

static const struct {
	const char *name, *text;
} firmwares[] = {
#define X(id, name, text) { name, text },
	FIRMWARE_LIST(X)
#undef X
};

int read_firmware(const char *name, enum firmware *firmware)
{
	char full[32];

	*firmware = NEWEST_OPENSBI;
	if (!name || !strcmp(name, "opensbi"))
		return GOOD;
	snprintf(full, sizeof(full), "%s%s", *name == '1' ? "opensbi-" : "", name);
	if (!strncmp(full, "opensbi-1.", 10) && full[11] == '.')
		full[11] = '\0'; /* a patch release has the PMU code of its version */
	for (int i = 0; i < FIRMWARES; i++) {
		if (!strcmp(full, firmwares[i].name)) {
			*firmware = (enum firmware)i;
			return GOOD;
		}
	}
	return complain(USAGE, name,
			"no such firmware; give opensbi-1.1 to 1.9, rustsbi, pmumap or delegated");
}

const char *firmware_name(enum firmware firmware)
{
	return firmwares[firmware].name;
}

const char *firmware_text(enum firmware firmware)
{
	return firmwares[firmware].text;
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* OpenSBI takes the first node, even an old draft; RustSBI the last one. */
static int node_by_compatible(const void *blob, int last)
{
	int node = -1, taken;

	do {
		taken = node;
		node = fdt_node_offset_by_compatible(blob, node, "riscv,pmu");
	} while (node >= 0 && (last || taken < 0));
	return taken;
}

int node_for(enum firmware firmware, const struct source *source, const struct input *input)
{
	int node = pmu_node(source, input), own = -1;

	if (node < 0 || input->node || input->for_hart)
		return node;
	if (firmware < OWN)
		return node_by_compatible(source->file.data, firmware == RUSTSBI);
	for (size_t i = 0; i < source->hart_count && own < 0; i++)
		own = source->harts[i].node;
	return own >= 0 ? own : node;
}

/* Until 1.3, OpenSBI looks for counters from 3 on, and stops at the first that is missing. */
static uint32_t counters_found(enum firmware firmware, uint32_t counters)
{
	uint32_t from_3 = counters >> 3;

	if (!is_opensbi(firmware) || firmware > OPENSBI_1_3)
		return counters;
	return (counters & FIXED_MASK) | (from_3 & ~(from_3 + 1)) << 3;
}

struct reading read_as(enum firmware firmware, const struct source *source, int node,
		       uint32_t counters, const uint64_t *id)
{
	struct reading r = { .source = source,
			     .firmware = firmware,
			     .node = node,
			     .hart = counters_found(firmware, counters ? counters : ~(uint32_t)0),
			     .id = id };

	if (!source->file.data)
		return r;
	r.features = features_in_tree(source, id);
	r.cores = cores_of(source);
	if (r.node < 0)
		return r;
	r.tables = tables_of(source, r.node);
	if (is_opensbi(firmware))
		read_opensbi(&r);
	else if (firmware == RUSTSBI)
		read_rustsbi(&r);
	return r;
}

void unload_reading(struct reading *r)
{
	free(r->rows);
	r->rows = NULL;
	r->kept = 0;
}

/* ---- reasons --------------------------------------------------------------------------------- */

/* True if the tree has a row for the event, whether the firmware keeps it or not. */
static int is_in_tree(const struct reading *r, uint32_t event, uint64_t data)
{
	const char *property = is_raw_event(event) ? RAW_ROWS : RANGES;
	uint32_t cells, width = row_width(property);
	const unsigned char *cell = property_cells(r->source, r->node, property, &cells);

	for (uint32_t row = 0; row < cells / width; row++, cell += 4 * width) {
		struct kept_row kept = row_at(cell, is_raw_event(event));

		if (has_event(&kept, event, data))
			return 1;
	}
	return 0;
}

static enum reason own_reason(const struct reading *r, uint32_t event, uint64_t data)
{
	if (pmumap_counters(r->source->map, event) & ~FIXED_MASK)
		return REASON_NO_SELECTOR;
	return is_in_tree(r, event, data) ? REASON_NO_COUNTER : REASON_NO_ROW;
}

/* Explains why nothing counts the event, if the model gave no reason. */
static enum reason reason_of(const struct reading *r, uint32_t event, uint64_t data)
{
	int kept = 0;

	if (r->stop == STOP_PANIC)
		return REASON_PANIC;
	if (r->node < 0)
		return fixed_of(event) && denies_fixed(r) ? REASON_DENIED : REASON_NO_NODE;
	if (r->tables != TABLES_PRESENT && !(fixed_of(event) && denies_fixed(r)))
		return r->tables == TABLES_TAKEN ? REASON_TABLES_TAKEN : REASON_NO_TABLES;
	for (uint32_t i = 0; i < r->kept && !kept; i++)
		kept = has_event(&r->rows[i], event, data);
	if (!kept && r->firmware < OWN && is_in_tree(r, event, data))
		return r->stop ? REASON_NOT_READ : REASON_DROPPED;
	if (fixed_of(event) && denies_fixed(r))
		return REASON_DENIED;
	if (r->firmware >= OWN)
		return own_reason(r, event, data);
	return kept ? REASON_NO_COUNTER : REASON_NO_ROW;
}

/* The first event with this selector; 0: none. */
static uint32_t event_of(const struct pmumap *map, uint64_t selector)
{
	struct pmumap_run run;

	for (uint32_t e = 0; map && pmumap_event_next(map, e, &run); e = run.last + 1) {
		if (run.has_selector && run.selector == selector)
			return run.first;
	}
	return 0;
}

struct verdict ask_firmware(const struct reading *r, uint32_t event, uint64_t data)
{
	struct verdict v = { .reason = REASON_NO_EVENT };

	if (!pmumap_event_valid(event))
		return v;
	v = is_opensbi(r->firmware)  ? judge_opensbi(r, event, data)
	    : r->firmware == RUSTSBI ? judge_rustsbi(r, event, data)
	    : r->firmware == OWN     ? judge_own(r, event, data)
				     : judge_delegated(r, event, data);
	if (!v.counts && v.reason == REASON_NONE)
		v.reason = reason_of(r, event, data);
	else if (v.reason == REASON_BY_NUMBER && r->stop &&
		 row_of_event(r->source, r->node, SELECTORS, event) != PMUMAP_NO_ROW)
		v.reason = REASON_SELECTOR;
	else if (v.reason == REASON_BY_NUMBER && is_qemu(r->source))
		v.reason = REASON_NONE;
	else if (v.reason == REASON_BY_NUMBER && event_of(r->source->map, v.value))
		v.reason = REASON_OTHER_EVENT;
	v.event = event;
	v.data = data;
	return v;
}

const char *const reason_codes[REASONS] = {
#define X(name, code) code,
	REASON_LIST(X)
#undef X
};

/* For REASON_DROPPED and REASON_FIRMWARE, the firmware's name is printed first. */
static const char *const reasons[REASONS] = {
	[REASON_NONE] = "",
	[REASON_NO_EVENT] = "SBI has no such event",
	[REASON_NOT_PERF] = "perf cannot parse this name",
	[REASON_NO_NODE] = "the tree has no riscv,pmu node",
	[REASON_NO_TABLES] = "the riscv,pmu node has no tables",
	[REASON_TABLES_TAKEN] = "firmware removed the tables; use the board's own .dtb or .dts",
	[REASON_DROPPED] = "drops its row, which overlaps an earlier one",
	[REASON_NO_COUNTER] = "its row names no counter that can count it",
	[REASON_DENIED] = "fixed counters cannot filter modes: Sscofpmf without Smcntrpmf",
	[REASON_NO_SELECTOR] = "it has counters, but no selector",
	[REASON_ZERO] = "its selector is 0, which counts nothing",
	[REASON_FIRMWARE] = "does not count this firmware event",
	[REASON_BY_FIRMWARE] = "firmware counts it itself",
	[REASON_TOO_WIDE] =
		"Linux passes on fewer bits of a raw event here: 48, or 56 with SBI 3.0",
	[REASON_NO_FILTER] = "Linux cannot exclude modes without an overflow interrupt (Sscofpmf)",
	[REASON_NOT_PERMITTED] = "an ordinary user may count user mode only",
	[REASON_NO_INTERRUPT] = "its counter raises no overflow interrupt: no samples",
	[REASON_SOFTWARE] = COUNTED_BY_LINUX,
	[REASON_ALL_MODES] = "its counter cannot exclude modes, so it counts in all",
	[REASON_GUESTS] = "there is no hypervisor mode to count in: it counts guests instead",
};

static void put_stop(FILE *out, const struct reading *r, const char *what)
{
	fprintf(out, "%s does not read its %s: it stops at ", firmware_text(r->firmware), what);
	if (r->stop == STOP_EMPTY)
		fprintf(out, "%s, which is empty or missing", r->property);
	else
		fprintf(out, "%s row %" PRIu32, r->property, r->row);
}

static void put_by_number(FILE *out, const struct reading *r, const struct verdict *v)
{
	uint32_t other = event_of(r->source->map, v->value);
	const char *name = pmumap_event_name(other);

	fputs("no selector: firmware writes the event's number, which ", out);
	if (v->reason == REASON_BY_NUMBER)
		fputs("is right for few cores", out);
	else if (name)
		fprintf(out, "selects %s", name);
	else
		fprintf(out, "selects event 0x%" PRIx32, other);
}

/* Without "riscv,", because the text is long. */
static void put_no_row(FILE *out, const struct reading *r, const struct verdict *v)
{
	int raw = is_raw_event(v->event);

	if (r->node < 0)
		fputs("the tree has no riscv,pmu node", out);
	else
		fprintf(out, "no row of %s %s 0x%" PRIx64,
			(raw ? RAW_ROWS : RANGES) + strlen("riscv,"), raw ? "matches" : "has",
			raw ? v->data : v->event);
	if (v->reason == REASON_UNLISTED)
		fputs(", so EVENT_GET_INFO denies it: Linux uses it only before 6.18", out);
}

void put_verdict(FILE *out, const struct reading *r, const struct verdict *v)
{
	const char *who = firmware_text(r->firmware);

	if (v->reason == REASON_NO_NODE && r->id)
		fputs("no riscv,pmu node serves this hart", out);
	else if (v->reason == REASON_PANIC)
		fprintf(out, "%s panics: %s is not a whole number of rows", who, r->property);
	else if (v->reason == REASON_NOT_READ)
		put_stop(out, r, "row");
	else if (v->reason == REASON_SELECTOR)
		put_stop(out, r, "selector");
	else if (v->reason == REASON_NO_ROW || v->reason == REASON_UNLISTED)
		put_no_row(out, r, v);
	else if (v->reason == REASON_BY_NUMBER || v->reason == REASON_OTHER_EVENT)
		put_by_number(out, r, v);
	else if (v->reason == REASON_NO_INTERRUPT && r->firmware == RUSTSBI &&
		 v->counters & ~FIXED_MASK)
		fprintf(out, "%s never clears the overflow bit, so a counter interrupts only once",
			who);
	else if (v->reason == REASON_ANY_COUNTER)
		fprintf(out, "Linux may use %s, which the raw row lacks: add CounterIDMask",
			counter_list(v->counters & ~pmumap_raw_counters(r->source->map, v->data))
				.s);
	else if (v->reason == REASON_DROPPED || v->reason == REASON_FIRMWARE)
		fprintf(out, "%s %s", who, reasons[v->reason]);
	else
		fputs(reasons[v->reason], out);
}
