/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any BYTES bytes as an image. If pmumap_open() accepts it, no look-up leaves it, and events get
 * the record that a walk over the table finds. CBMC's own checks are most of the claim. The tables
 * come first after the head; they may overlap.
 */
#include "proof.h"

static struct {
	struct pmumap m;
	uint64_t rest[(BYTES - sizeof(struct pmumap)) / 8];
} image;

static const struct pmumap *opened(uint32_t raw)
{
	const struct pmumap *m = 0;
	enum pmumap_status status;
	uint32_t i;

	image.m.head.magic = nondet_u32();
	image.m.head.version = nondet_u32();
	image.m.head.size = nondet_u32();
	image.m.head.flags = nondet_u32();
	image.m.records = nondet_u32();
	image.m.sorted = nondet_u32();
	image.m.sorted_count = nondet_u32();
	image.m.raw_rows = raw ? raw : nondet_u32();
	image.m.raw_count = raw ? nondet_u32() : 0;
	image.m.raw_copies = raw ? nondet_u32() : 0;
	image.m.raw_low = nondet_u32();
	image.m.reserved = nondet_u32();
	image.m.raw_none.select = raw ? nondet_u64() : 0;
	image.m.raw_none.mask = raw ? nondet_u64() : 0;
	image.m.raw_none.counters = raw ? nondet_u32() : 0;
	image.m.raw_none.more = nondet_u32();
	for (i = 0; i < 128; i++)
		image.m.event_index[i] = nondet_u8();
	image.m.record[0].selector = nondet_u64();
	image.m.record[0].counters = nondet_u32();
	image.m.record[0].key = nondet_u32();
	image.m.record[1].selector = nondet_u64();
	image.m.record[1].counters = nondet_u32();
	image.m.record[1].key = nondet_u32();
	for (i = 0; i < sizeof(image.rest) / 8; i++)
		image.rest[i] = nondet_u64();
	status = pmumap_open(&image, BYTES, &m);
	prove((status == PMUMAP_OK) == (m != 0));
	prove(!m || m == &image.m);
	assume(status == PMUMAP_OK);
	return &image.m;
}

void events(void)
{
	const struct pmumap *m = opened(0);
	const struct pmumap_record *record = m->record, *found = record;
	uint32_t event = nondet_u32(), i;
	uint64_t selector = 77;
	int has = pmumap_selector(m, event, &selector);

	for (i = 0; i < m->sorted_count; i++) {
		if ((record[m->sorted + i].key & 0x7fffffff) <= event)
			found = record + m->sorted + i;
	}
	if (event >= PMUMAP_EVENT_LIMIT)
		found = record;
	else if (event < 0x40)
		found = record + m->event_index[event];
	else if (event >= 0x10000 && event < 0x10040)
		found = record + m->event_index[event - 0x10000 + 64];
	prove(pmumap_counters(m, event) == found->counters);
	prove(!has == !(found->key >> 31));
	prove(selector == (has ? found->selector : 77));
	reached(has && m->sorted_count > 2 && event >= 0x40 && found == record + m->sorted + 1);
	reached(has && event == 0x10001);
}

void raw(void)
{
	const struct pmumap *m = opened(sizeof(*m));
	uint64_t select, mask;
	uint32_t counters;

	assume(m->raw_count);
	counters = pmumap_raw_counters(m, nondet_u64());
	reached(counters == 0x18);
	if (pmumap_raw_at(m, nondet_u32(), &select, &mask, &counters))
		reached(mask == 5);
}

void no_raw(void)
{
	const struct pmumap *m = opened(0);
	uint64_t select, mask;
	uint32_t counters;

	prove(pmumap_raw_counters(m, nondet_u64()) == 0);
	prove(!pmumap_raw_at(m, nondet_u32(), &select, &mask, &counters));
	reached(m->sorted_count > 1);
}

void amu(void)
{
	static struct {
		struct pmumap_amu m;
		uint64_t rest[(BYTES - sizeof(struct pmumap_amu)) / 8];
	} amu;
	uint32_t *word = (uint32_t *)&amu, i;
	const struct pmumap_amu *m = 0;
	struct pmumap_amu_cpu cpu;
	uint16_t described, enable;
	enum pmumap_status status;
	const char *name;

	for (i = 0; i < BYTES / 4; i++)
		word[i] = nondet_u32();
	status = pmumap_amu_open(&amu, BYTES, &m);
	prove((status == PMUMAP_OK) == (m != 0));
	prove(!m || m == &amu.m);
	assume(status == PMUMAP_OK);
	if (pmumap_amu_cpu_find(m, nondet_u64(), &cpu)) {
		prove(!(cpu.mpidr & ~PMUMAP_AMU_AFFINITY));
		reached(cpu.mpidr == 5);
	}
	if (pmumap_amu_cpu_at(m, nondet_u32(), &cpu))
		reached(cpu.view == PMUMAP_AMU_NO_VIEW);
	if (pmumap_amu_view_at(m, nondet_u32(), &described, &enable))
		reached(enable);
	name = pmumap_amu_counter_name(m, nondet_u32(), nondet_u32());
	if (name) {
		prove(name >= (const char *)&amu && name < (const char *)&amu + BYTES);
		reached(*name);
	}
}
