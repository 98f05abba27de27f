/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rom_layout.c -- the layout of an image: the tables, and the fields of each kind of row. This is
 * the only file of the tool that uses the headers' private tables. It therefore compiles its own
 * static copies of their functions, separate from those in source/kinds.c.
 */
#include "pmumap.h"
#include "pmumap_amu.h"
#include "pmumap_imc.h"
#include "rom_layout.h"
#include "text/output.h"

/* The header of every image. */
#define HEAD_FIELDS(F, S)                                                                          \
	F##_IN(S, head, magic), F##_IN(S, head, version), F##_IN(S, head, size),                   \
		F##_IN(S, head, flags)
#define RISCV_FIELDS(F, S)                                                                         \
	HEAD_FIELDS(F, S), F(S, records), F(S, sorted), F(S, sorted_count), F(S, raw_rows),        \
		F(S, raw_count), F(S, raw_copies), F(S, raw_low), F(S, reserved)
#define RECORD_FIELDS(F, S) F(S, selector), F(S, counters), F(S, key)
#define RAW_FIELDS(F, S) F(S, select), F(S, mask), F(S, counters), F(S, more)
#define IMC_FIELDS(F, S)                                                                           \
	HEAD_FIELDS(F, S), F(S, units), F(S, unit_count), F(S, chips), F(S, chip_count),           \
		F(S, rows), F(S, names), F(S, strings), F(S, string_bytes), F(S, by_name),         \
		F(S, name_starts), F(S, by_offset), F(S, offset_starts), F(S, multiplier),         \
		F(S, whole), F(S, lowest), F(S, shift)
#define UNIT_FIELDS(F, S)                                                                          \
	F(S, name), F(S, prefix), F(S, scale), F(S, measure), F(S, reg), F(S, size), F(S, offset), \
		F(S, control), F(S, first), F(S, events), F(S, chips), F(S, chip_count),           \
		F(S, prefix_bytes), F(S, type), F(S, own)
#define ROW_FIELDS(F, S) F(S, name), F(S, offset), F(S, unit), F(S, length)
#define ENTRY_FIELDS(F, S) F(S, tag), F(S, event)
#define CHIP_FIELDS(F, S) F(S, base), F(S, chip), F(S, unused)
#define AMU_FIELDS(F, S)                                                                           \
	HEAD_FIELDS(F, S), F(S, cpus), F(S, cpu_count), F(S, by_tree), F(S, views),                \
		F(S, view_count), F(S, names), F(S, name_count), F(S, strings),                    \
		F(S, string_bytes), F(S, unused)
#define CPU_FIELDS(F, S) F(S, affinity), F(S, view)
#define VIEW_FIELDS(F, S) F(S, described), F(S, enable), F(S, first)

/* A row lists all its fields: their sizes must add up to the size of the row. */
#define NAMED(name, bytes)                                                                         \
	{                                                                                          \
		name, bytes                                                                        \
	}
#define FIELD(type, field) NAMED(#field, sizeof(((type *)0)->field))
#define FIELD_BYTES(type, field) field[sizeof(((type *)0)->field)]
/* A field of a nested struct. Only the field's own name is used. */
#define FIELD_IN(type, part, field) NAMED(#field, sizeof(((type *)0)->part.field))
#define FIELD_BYTES_IN(type, part, field) field[sizeof(((type *)0)->part.field)]
#define ROW_LAYOUT(layout, FIELDS, type, size)                                                     \
	static const struct field layout##_fields[] = { FIELDS(FIELD, type) };                     \
	static const struct row_layout layout = { layout##_fields, LENGTH(layout##_fields),        \
						  size };                                          \
	struct layout##_bytes {                                                                    \
		char FIELDS(FIELD_BYTES, type);                                                    \
	};                                                                                         \
	_Static_assert(sizeof(struct layout##_bytes) == (size), #layout)

#define ROWS(layout, FIELDS, type) ROW_LAYOUT(layout, FIELDS, type, sizeof(type))

ROW_LAYOUT(riscv_layout, RISCV_FIELDS, struct pmumap, offsetof(struct pmumap, raw_none));
ROWS(record_layout, RECORD_FIELDS, struct pmumap_record);
ROWS(raw_layout, RAW_FIELDS, struct pmumap_raw_row);
ROWS(imc_layout, IMC_FIELDS, struct pmumap_imc);
ROWS(unit_layout, UNIT_FIELDS, struct pmumap_imc_unit_row_);
ROWS(event_layout, ROW_FIELDS, struct pmumap_imc_row_);
ROWS(entry_layout, ENTRY_FIELDS, struct pmumap_imc_entry_);
ROWS(chip_layout, CHIP_FIELDS, struct pmumap_imc_chip_row_);
ROWS(amu_layout, AMU_FIELDS, struct pmumap_amu);
ROWS(cpu_layout, CPU_FIELDS, struct pmumap_amu_cpu_row_);
ROWS(view_layout, VIEW_FIELDS, struct pmumap_amu_view_row_);

static const struct field number_fields[] = { { "", 1 }, { "", 2 }, { "", 4 } };
static const struct row_layout bytes_layout = { &number_fields[0], 1, 1 };
static const struct row_layout u16_layout = { &number_fields[1], 1, 2 };
static const struct row_layout u32_layout = { &number_fields[2], 1, 4 };

static struct part *add_part(struct parts *p, const char *name, const struct row_layout *rows,
			     uint32_t offset, uint32_t count)
{
	struct part *part = &p->part[p->used];

	part->name = name;
	part->rows = rows;
	part->offset = offset;
	part->count = count;
	part->text = 0;
	p->used += count > 0;
	return part;
}

static void list_imc(struct parts *p, const struct pmumap_imc *m)
{
	add_part(p, "head", &imc_layout, 0, 1);
	add_part(p, "unit", &unit_layout, m->units, m->unit_count);
	add_part(p, "chip", &chip_layout, m->chips, m->chip_count);
	add_part(p, "row", &event_layout, m->rows, m->names);
	add_part(p, "string", &bytes_layout, m->strings, m->string_bytes)->text = 1;
	add_part(p, "by_name", &entry_layout, m->by_name, m->names);
	add_part(p, "name_start", &u16_layout, m->name_starts, (1u << (64 - m->shift)) + 1);
	add_part(p, "by_offset", &u16_layout, m->by_offset, m->names);
	add_part(p, "offset_start", &u16_layout, m->offset_starts, m->names + 2);
}

static void list_riscv(struct parts *p, const struct pmumap *m)
{
	const uint32_t index = offsetof(struct pmumap, record[1]), row = sizeof(m->record[0]);
	const uint32_t behind = 1 + pmumap_riscv_raw_records_(m);

	add_part(p, "head", &riscv_layout, 0, 1);
	add_part(p, "raw_none", &raw_layout, offsetof(struct pmumap, raw_none), 1);
	add_part(p, "event_index", &bytes_layout, offsetof(struct pmumap, event_index),
		 sizeof(m->event_index));
	add_part(p, "absent", &record_layout, offsetof(struct pmumap, record), 1);
	add_part(p, "raw_index", &u16_layout, index, (behind - 1) * (row / 2));
	add_part(p, "record", &record_layout, index + (behind - 1) * row, m->records - behind);
	add_part(p, "raw_row", &raw_layout, m->raw_rows, m->raw_count + m->raw_copies);
}

static void list_amu(struct parts *p, const struct pmumap_amu *m)
{
	add_part(p, "head", &amu_layout, 0, 1);
	add_part(p, "cpu", &cpu_layout, m->cpus, m->cpu_count);
	add_part(p, "by_tree", &u32_layout, m->by_tree, m->cpu_count);
	add_part(p, "view", &view_layout, m->views, m->view_count);
	add_part(p, "name", &u32_layout, m->names, m->name_count);
	add_part(p, "string", &bytes_layout, m->strings, m->string_bytes)->text = 1;
}

static int by_place(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

int list_parts(struct parts *p, struct image *image, const struct pmumap *riscv,
	       const struct pmumap_imc *imc, const struct pmumap_amu *amu)
{
	const struct pmumap_head_ *head = amu ? &amu->head : imc ? &imc->head : &riscv->head;
	unsigned i, count;
	uint64_t end = 0;

	image->at = (const unsigned char *)head;
	image->bytes = head->size;
	image->header = amu ? "pmumap_amu.h" : imc ? "pmumap_imc.h" : "pmumap.h";
	image->type = amu ? "struct pmumap_amu" : imc ? "struct pmumap_imc" : "struct pmumap";
	p->used = 0;
	if (amu)
		list_amu(p, amu);
	else if (imc)
		list_imc(p, imc);
	else
		list_riscv(p, riscv);
	count = p->used;
	qsort(p->part, count, sizeof(p->part[0]), by_place);
	for (i = 0; i <= count; i++) {
		uint32_t next = i < count ? p->part[i].offset : head->size;

		if (next < end)
			return 0;
		add_part(p, NULL, &bytes_layout, (uint32_t)end, (uint32_t)(next - end));
		if (i < count)
			end = (uint64_t)next + (uint64_t)p->part[i].count * p->part[i].rows->bytes;
	}
	qsort(p->part, p->used, sizeof(p->part[0]), by_place);
	return 1;
}

uint64_t read_field(const unsigned char *at, unsigned bytes)
{
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	if (bytes == 2)
		return memcpy(&two, at, 2), two;
	if (bytes == 4)
		return memcpy(&four, at, 4), four;
	if (bytes == 8)
		return memcpy(&eight, at, 8), eight;
	return *at;
}
