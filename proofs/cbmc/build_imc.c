/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A map of IMC, step by step: two units and a list of two events, from entries with any values.
 */
#include "proof.h"

static struct pmumap_imc_list_entry_ list;
static struct pmumap_imc_event_entry_ event[2];
static struct pmumap_imc_text_entry_ text[2];
static struct pmumap_imc_unit_entries_ unit[2];
static struct pmumap_imc_chip_entry_ chip[3];

#ifdef LISTS
static void *const entries[] = { &list,         &event[0],       &text[0],      &event[1],
				 &unit[0].unit, &unit[0].prefix, &unit[0].chips };
static const uint32_t kinds[] = { PMUMAP_IMC_LIST_,  PMUMAP_IMC_EVENT_, PMUMAP_IMC_SCALE_,
				  PMUMAP_IMC_EVENT_, PMUMAP_IMC_UNIT_,  PMUMAP_IMC_PREFIX_,
				  PMUMAP_IMC_CHIPS_ };
#else
static void *const entries[] = { &chip[0], &unit[0].unit, &unit[0].prefix, &unit[0].chips, &text[1],
				 &chip[1], &unit[1].unit, &unit[1].prefix, &unit[1].chips, &chip[2],
				 &list };
static const uint32_t kinds[] = { PMUMAP_IMC_HOMER_, PMUMAP_IMC_UNIT_,    PMUMAP_IMC_PREFIX_,
				  PMUMAP_IMC_CHIPS_, PMUMAP_IMC_MEASURE_, PMUMAP_IMC_CHIP_,
				  PMUMAP_IMC_UNIT_,  PMUMAP_IMC_PREFIX_,  PMUMAP_IMC_CHIPS_,
				  PMUMAP_IMC_CHIP_,  PMUMAP_IMC_LIST_ };
#endif

/* Bytes that the calls need: fixed parts; a list; two events, one override; a unit; five texts. */
#define ROOM                                                                                       \
	((sizeof(struct pmumap_imc) + 256 + 8 + 2 * (8 + 8) + 16 + (24 + 32 + 16) + 5 * 10) &      \
	 ~(size_t)7)
#define BUILDER pmumap_imc_builder
#include "memory.h"

static struct pmumap_imc_build_ w;

/* Each step works on a map of two units. */
static void begin(struct pmumap_imc *m)
{
	m->unit_count = 2;
	w.m = m;
}

/* For pmumap_imc_compare_strings_(), where the result does not matter. */
int any_order(const struct pmumap_imc *m, uint32_t a, uint32_t b)
{
	prove(pmumap_imc_is_string_(m, a) && pmumap_imc_is_string_(m, b));
	return (int)nondet_u32();
}

static struct pmumap_imc made;
static struct pmumap_imc_event_row_ event_rows[2];
static struct pmumap_imc_override_ overrides[1];

/* For pmumap_append_table_(), for lists. */
void *table(void *map, uint32_t *offset, uint32_t bytes)
{
	append(map, offset, bytes);
	if (offset == &made.events)
		return event_rows + 2 - bytes / sizeof(event_rows[0]);
	prove(!offset && bytes == sizeof(overrides[0]));
	prove(made.override_count == 0);
	return overrides;
}

/* A program's calls, with any values except texts and types. */
static void add(void)
{
	struct pmumap_imc_event e = { 0 };
	struct pmumap_imc_unit u = { 0 };

	(void)pmumap_imc_add_list(&builder, nondet_u32());
	e.name = "a";
	e.scale = "1";
	e.offset = nondet_u32();
	(void)pmumap_imc_add_event(&builder, &e);
	e.scale = 0;
	e.offset = nondet_u32();
	(void)pmumap_imc_add_event(&builder, &e);
	u.name = "n";
	u.prefix = "p";
	u.type = PMUMAP_IMC_NEST;
	u.reg = nondet_u32();
	u.size = nondet_u32();
	(void)pmumap_imc_add_unit(&builder, nondet_u32(), &u);
}

/* Added entries are counted; lists and their strings. */
void lists(void)
{
	uint32_t i, events;

	add();
	prove(builder.entries.count == ENTRIES);
	prove((pmumap_imc_map_need_(&builder) & ~7u) ==
	      ROOM + ENTRIES * sizeof(struct pmumap_pool_entry_));
	made.head.size = sizeof(made);
	w.b = &builder;
	w.m = &made;
	w.pool.m = &made.head;
	w.pool.top = room + ROOM;
	events = pmumap_imc_count_entries_(&w);
	prove(events == 2 && made.unit_count == 1 && w.list_count == 1);
	pmumap_imc_place_scratch_(&w, events);
	pmumap_imc_resolve_lists_(&w);
	pmumap_imc_build_strings_(&w);
	pmumap_imc_build_lists_(&w);
	prove(made.event_count == (list.kind & PMUMAP_IMC_LIST_USED_ ? 2 : 0));
	prove(made.override_count == made.event_count / 2); /* only the first has a scale */
	for (i = 0; i < made.event_count; i++)
		prove(pmumap_imc_is_string_(&made, event_rows[i].name & ~PMUMAP_IMC_HAS_OVERRIDE_));
	prove(made.event_count == 0 || event_rows[0].reg <= event_rows[1].reg);
	for (i = 0; i < made.override_count; i++) {
		prove(overrides[i].event < 2 && pmumap_imc_is_string_(&made, overrides[i].scale));
		prove(event_rows[overrides[i].event].name & PMUMAP_IMC_HAS_OVERRIDE_);
	}
	reached(made.override_count == 1 && overrides[0].event == 1);
	reached(made.event_count == 0);
}

static struct {
	struct pmumap_imc m;
	struct pmumap_imc_chip_row_ chips[3];
} with_chips;

/* Chips are in their table, those of a unit in one run; the next unit shares equal ones. */
void chips(void)
{
	struct pmumap_imc *m = &with_chips.m;
	uint32_t i;

	builder.entries.count = ENTRIES;
	for (i = 0; i < 3; i++) {
		chip[i].base = nondet_u64();
		chip[i].chip = nondet_u32();
	}
	for (i = 0; i < 2; i++)
		unit[i].unit.kind = PMUMAP_IMC_UNIT_ | (nondet_u32() & PMUMAP_POOL_ENTRY_FLAGS_);
	m->head.size = sizeof(*m);
	w.b = &builder;
	w.m = m;
	pmumap_imc_build_chips_(&w);
	prove(m->chips == sizeof(*m));
	prove(m->head.size == sizeof(*m) + m->chip_count * sizeof(with_chips.chips[0]));
	for (i = 0; i < 2; i++) {
		prove(unit[i].chips.count == 1 && unit[i].chips.first < m->chip_count);
		prove(with_chips.chips[unit[i].chips.first].chip == chip[i + 1].chip);
		prove(with_chips.chips[unit[i].chips.first].base == chip[i + 1].base);
	}
	reached(m->chip_count == 2);
	reached(m->chip_count == 3);
}

static struct {
	struct pmumap_imc m;
	struct pmumap_imc_event_row_ events[2];
	char strings[8];
	struct pmumap_imc_unit_row_ units[2];
	struct pmumap_imc_unit_class_ classes[2];
} with_units;

/* Each unit's part of the list is inside the list and in the window; its class exists. */
void units(void)
{
	struct pmumap_imc *m = &with_units.m;
	uint32_t i;

	builder.entries.count = ENTRIES;
	begin(m);
	m->head.size = sizeof(*m) + 2 * sizeof(with_units.events[0]) + 8;
	m->events = sizeof(*m);
	m->event_count = 2;
	m->strings = m->events + 16;
	m->string_bytes = 8;
	m->chip_count = nondet_u32();
	for (i = 0; i < 7; i++)
		with_units.strings[i] = (char)nondet_u8();
	for (i = 0; i < 2; i++) {
		with_units.events[i].name = nondet_u32();
		with_units.events[i].reg = nondet_u32();
	}
	assume(with_units.events[0].reg <= with_units.events[1].reg);
	list.first = 0;
	list.events = 2;
	text[1].text = nondet_u32();
	for (i = 0; i < 2; i++) {
		unit[i].unit.name = nondet_u32();
		unit[i].unit.reg = nondet_u32();
		unit[i].chips.list = nondet_u8() & 1 ? PMUMAP_NO_ENTRY_ : ENTRIES - 1;
		unit[i].unit.kind = PMUMAP_IMC_UNIT_ | (nondet_u32() & PMUMAP_POOL_ENTRY_FLAGS_);
		unit[i].prefix.prefix = m->strings + (nondet_u32() & 7);
		unit[i].prefix.size = nondet_u32();
		unit[i].prefix.offset = nondet_u32();
		unit[i].prefix.control = nondet_u32();
		unit[i].chips.first = nondet_u32();
		unit[i].chips.count = nondet_u32();
	}
	w.b = &builder;
	pmumap_imc_build_units_(&w);
	for (i = 0; i < 2; i++) {
		const struct pmumap_imc_unit_row_ *u = &with_units.units[i];
		const struct pmumap_imc_unit_class_ *k = &with_units.classes[u->kind >> 8];

		prove(u->kind >> 8 < m->unit_class_count);
		prove(u->first <= 2 && u->events <= 2 - u->first);
		prove(k->size == unit[i].prefix.size && k->offset == unit[i].prefix.offset);
		prove(k->control == unit[i].prefix.control && k->chips == unit[i].chips.first);
		prove(k->measure == (i ? 0 : (uint32_t)text[1].text));
		prove(!u->events ||
		      (uint64_t)u->reg + with_units.events[u->events - 1].reg <= 0xffffffff);
		prove(!u->events || !k->size || k->type == PMUMAP_IMC_TRACE ||
		      u->reg + with_units.events[u->events - 1].reg <= k->size - 8);
	}
	prove(m->head.size ==
	      sizeof(with_units) - (2 - m->unit_class_count) * sizeof(with_units.classes[0]));
	prove(m->names == with_units.units[0].events + with_units.units[1].events);
	reached(m->unit_class_count == 1 && m->names == 2);
	reached(with_units.units[0].events == 1);
}

#define NAMES 2
static struct {
	struct pmumap_imc m;
	struct pmumap_imc_unit_row_ units[2];
	struct pmumap_imc_event_row_ events[2];
	uint32_t buckets[2];
	uint32_t numbers[NAMES], sorted[NAMES], starts[2];
} with_offsets;

uint32_t __CPROVER_uninterpreted_key(uint32_t offset);
uint32_t __CPROVER_uninterpreted_scale(uint32_t x);

/* For pmumap_imc_offset_key_() */
uint32_t any_key(uint32_t offset)
{
	return __CPROVER_uninterpreted_key(offset);
}

/* For pmumap_scale_to_() */
uint32_t any_bucket(uint32_t x, uint32_t n)
{
	uint32_t bucket = __CPROVER_uninterpreted_scale(x);

	if (n == 1)
		return 0;
	assume(bucket < n);
	return bucket;
}

/* The order of offsets has every name once, sorted by key, and the buckets say where they begin. */
static void offsets(uint32_t number_bits)
{
	struct pmumap_imc *m = &with_offsets.m;
	uint32_t i, number[NAMES], key[NAMES], wide;

	begin(m);
	m->units = sizeof(*m);
	m->events = m->units + sizeof(with_offsets.units);
	m->head.size = m->events + sizeof(with_offsets.events);
	m->names = NAMES;
	m->event_count = 2;
	m->slots = nondet_u32();
	m->unit_bit = 1;
	m->number_bits = number_bits;
	for (i = 0; i < 2; i++) {
		with_offsets.units[i].first = i;
		with_offsets.units[i].events = 1;
		with_offsets.units[i].reg = nondet_u32();
		with_offsets.events[i].reg = nondet_u32();
		assume(with_offsets.events[i].reg <= ~with_offsets.units[i].reg);
	}
	builder.names = 4;
	w.b = &builder;
	pmumap_imc_build_offsets_(&w);
	wide = pmumap_imc_has_wide_numbers_(m);
	prove(m->offset_buckets + 8 == m->by_offset);
	prove(m->head.size == m->by_offset + 8);
	for (i = 0; i < NAMES; i++) {
		number[i] = pmumap_imc_number_at_(m, m->by_offset, i, (int)wide);
		prove(number[i] == 0 || number[i] == 2);
		key[i] = any_key(with_offsets.units[number[i] / 2].reg +
				 with_offsets.events[number[i] / 2].reg);
	}
	prove(number[0] != number[1] && key[0] <= key[1]);
	prove(pmumap_imc_number_at_(m, m->offset_buckets, 0, (int)wide) == 0);
	prove(pmumap_imc_number_at_(m, m->offset_buckets, 1, (int)wide) == NAMES);
	reached(number[0] == 2);
}

void offsets_narrow(void)
{
	offsets(2);
}

void offsets_wide(void)
{
	offsets(17);
}

static struct {
	struct pmumap_imc m;
	struct pmumap_imc_event_row_ events[2];
	char strings[8];
	struct pmumap_imc_unit_row_ units[2];
	uint32_t by_prefix[2], chain[2], by_name[2];
	uint32_t spare[2];
} with_orders;

/* For pmumap_prefix_length_(): any answer about two texts. */
size_t any_length(const char *s, const unsigned char *text, size_t len)
{
	prove(__CPROVER_r_ok(s, 1) && __CPROVER_r_ok(text, 1));
	return nondet_u32();
}

/* Both orders have everything once; a chain of prefixes leads only downwards. */
void orders(void)
{
	struct pmumap_imc *m = &with_orders.m;
	uint32_t i;

	begin(m);
	m->events = sizeof(*m);
	m->strings = m->events + sizeof(with_orders.events);
	m->string_bytes = 8;
	m->units = m->strings + 8;
	m->head.size = m->units + sizeof(with_orders.units);
	m->event_count = 2;
	for (i = 0; i < 2; i++) {
		with_orders.units[i].prefix = m->strings + (nondet_u32() & 7);
		with_orders.units[i].kind = nondet_u8();
		assume(with_orders.units[i].kind != PMUMAP_IMC_LONG_PREFIX_);
		with_orders.units[i].first = nondet_u8();
		with_orders.units[i].events = nondet_u8();
		with_orders.events[i].name = (m->strings + (nondet_u32() & 7)) |
					     (nondet_u32() & PMUMAP_IMC_HAS_OVERRIDE_);
	}
	w.b = &builder;
	w.pool.m = &m->head;
	w.pool.top = (unsigned char *)(&with_orders + 1);
	pmumap_imc_build_orders_(&w);
	prove(m->by_prefix == m->units + sizeof(with_orders.units));
	prove(m->head.size == sizeof(with_orders) - sizeof(with_orders.spare));
	prove(with_orders.by_prefix[0] + with_orders.by_prefix[1] == 1 &&
	      with_orders.by_prefix[0] < 2);
	prove(with_orders.by_name[0] + with_orders.by_name[1] == 1 && with_orders.by_name[0] < 2);
	prove(with_orders.chain[0] == PMUMAP_IMC_NO_PREFIX_);
	prove(with_orders.chain[1] == PMUMAP_IMC_NO_PREFIX_ ||
	      (with_orders.chain[1] & ~PMUMAP_IMC_SAME_PREFIX_) == 0);
	reached(with_orders.chain[1] == PMUMAP_IMC_SAME_PREFIX_ && with_orders.by_prefix[0] == 1);
	reached(with_orders.chain[1] == 0 && with_orders.by_name[0] == 1);
}
