/* SPDX-License-Identifier: BSD-2-Clause
 *
 * models.c -- what models share; and models that read every good row, so the map answers for them:
 * firmware that implements SBI with pmumap_server.h, and Linux with delegated counters (patches v8,
 * July 2026).
 */
#include <libfdt.h>
#include "firmware.h"
#include "map/riscv.h"
#include "text/text.h"

/* ---- the tree -------------------------------------------------------------------------------- */

#define CPUS 4096 /* at most this many children of /cpus are read */

/* The text property, or "". A blob may lack the 0 at its end. */
static const char *text_of(const void *blob, int node, const char *property)
{
	int bytes;
	const char *text = fdt_getprop(blob, node, property, &bytes);

	return text && bytes > 0 && !text[bytes - 1] ? text : "";
}

static int has_extension(const void *blob, int cpu, const char *name)
{
	const char *isa = text_of(blob, cpu, "riscv,isa"), *at = isa;
	size_t length = strlen(name);

	if (fdt_stringlist_search(blob, cpu, "riscv,isa-extensions", name) >= 0)
		return 1;
	while ((at = strstr(at, name)) != NULL) {
		if (at > isa && at[-1] == '_' && (!at[length] || at[length] == '_'))
			return 1;
		at++;
	}
	return 0;
}

static int is_riscv(const void *blob, int cpu)
{
	return fdt_stringlist_search(blob, cpu, "compatible", "riscv") >= 0 ||
	       fdt_getprop(blob, cpu, "riscv,isa", NULL) ||
	       fdt_getprop(blob, cpu, "riscv,isa-base", NULL);
}

static int is_thead(const void *blob, int cpu)
{
	return !strncmp(text_of(blob, cpu, "compatible"), "thead,c9", 8);
}

/* How many CPUs there are, and how many of them have something. Linux ignores disabled ones. */
struct census {
	int cpus, riscv, sscofpmf, andes, delegated;
	int thead; /* the first is T-Head's */
};

static struct census count_cpus(const struct source *source)
{
	const void *blob = source->file.data;
	int cpus = blob ? fdt_path_offset(blob, "/cpus") : -1, node;
	struct census c = { 0 };

	if (cpus < 0)
		return c;
	fdt_for_each_subnode(node, blob, cpus)
	{
		const char *status = text_of(blob, node, "status");

		if (!fdt_getprop(blob, node, "reg", NULL) || c.cpus == CPUS ||
		    (*status && strcmp(status, "okay") != 0 && strcmp(status, "ok") != 0))
			continue;
		if (!c.cpus++)
			c.thead = is_thead(blob, node);
		c.riscv += is_riscv(blob, node);
		c.sscofpmf += has_extension(blob, node, "sscofpmf");
		c.andes += has_extension(blob, node, "xandespmu");
		c.delegated += has_extension(blob, node, "smcdeleg") &&
			       has_extension(blob, node, "ssccfg");
	}
	return c;
}

struct cores cores_of(const struct source *source)
{
	struct census c = count_cpus(source);

	return (struct cores){ .guessed = !c.cpus,
			       .delegated = c.cpus && c.delegated == c.cpus,
			       .overflow = !c.cpus                ? OVERFLOW_NONE
					   : c.sscofpmf == c.cpus ? OVERFLOW_SSCOFPMF
					   : c.thead              ? OVERFLOW_THEAD
					   : c.andes == c.cpus    ? OVERFLOW_ANDES
								  : OVERFLOW_NONE };
}

int is_qemu(const struct source *source)
{
	return source->file.data &&
	       fdt_stringlist_search(source->file.data, 0, "compatible", "riscv-virtio") >= 0;
}

enum tree tree_of(const struct source *source)
{
	const void *blob = source->file.data;
	struct census c = count_cpus(source);

	if (is_overlay(blob))
		return TREE_OVERLAY;
	if (fdt_node_offset_by_compatible(blob, -1, "riscv,pmu") >= 0 || c.riscv)
		return TREE_WHOLE;
	return c.cpus ? TREE_FOREIGN : TREE_FRAGMENT;
}

/* ---- models that answer from the map --------------------------------------------------------- */

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

/* The programmable counters of the hart. Without --counters, those that the tree names. */
static uint32_t programmable(const struct reading *r)
{
	uint32_t named = r->source->map ? measure(r->source->map).counters & ~FIXED_MASK : 0;

	return (named && r->hart == UINT32_MAX ? named : r->hart) & ~FIXED_MASK;
}

/* Linux checks no raw event: one without a mask gets any programmable counter. */
struct verdict judge_delegated(const struct reading *r, uint32_t event, uint64_t data)
{
	const struct pmumap *map = r->source->map;
	struct verdict v = { .value = data };
	int raw = is_raw_event(event), has_selector = 1;

	if (event >= PMUMAP_EVENT_FIRMWARE)
		return judge_own(r, event, data);
	v.counters = programmable(r);
	if (!raw)
		v.counters &= map ? pmumap_counters(map, event) : 0;
	if (!raw && v.counters)
		has_selector = pmumap_selector(map, event, &v.value);
	if (v.counters && has_selector && !v.value)
		v.reason = REASON_ZERO;
	v.counts = v.has_value = v.counters && v.value && has_selector;
	v.counters = v.counts ? v.counters : 0;
	return v;
}

int is_opensbi(enum firmware firmware)
{
	return firmware <= NEWEST_OPENSBI;
}

int is_raw_event(uint32_t event)
{
	return event == PMUMAP_EVENT_RAW || event == PMUMAP_EVENT_RAW_V2;
}

int has_event(const struct kept_row *row, uint32_t event, uint64_t data)
{
	return row->first <= event && event <= row->last &&
	       (!is_raw_event(event) || row->select == (data & row->mask));
}

struct kept_row row_at(const unsigned char *cell, int raw)
{
	if (raw)
		return (struct kept_row){ .raw = 1,
					  .first = PMUMAP_EVENT_RAW,
					  .last = PMUMAP_EVENT_RAW_V2,
					  .counters = big_endian(cell + 16),
					  .select = two_cells(cell),
					  .mask = two_cells(cell + 8) };
	return (struct kept_row){ .first = big_endian(cell),
				  .last = big_endian(cell + 4),
				  .counters = big_endian(cell + 8) };
}

void keep_row(struct reading *r, const struct kept_row *row)
{
	r->rows = grow(r->rows, r->kept, sizeof(*row));
	r->rows[r->kept++] = *row;
}

int find_selector(const struct reading *r, uint32_t event, uint64_t *value)
{
	uint32_t cells;
	const unsigned char *cell = property_cells(r->source, r->node, SELECTORS, &cells);

	for (uint32_t row = 0; row < r->selectors; row++, cell += 12) {
		if (big_endian(cell) == event) {
			*value = two_cells(cell + 4);
			return 1;
		}
	}
	return 0;
}

uint32_t fixed_of(uint32_t event)
{
	return event == 1 ? 1u : event == 2 ? 4u : 0;
}

int has_sbi_3(enum firmware firmware)
{
	return firmware >= OWN || (firmware >= OPENSBI_1_7 && is_opensbi(firmware));
}

int denies_fixed(const struct reading *r)
{
	return r->features == PMUMAP_SSCOFPMF && (r->firmware == OPENSBI_1_9 || r->firmware == OWN);
}
