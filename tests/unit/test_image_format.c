/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reads images by the rules of their format alone. Images are stored, so one of a version must mean
 * the same to every reader of that version. Written again from these rules: the byte of an event, the
 * row of a raw event, the places of a name and of an offset.
 */
#include "make.h"
#include "hostile.h"
#include "imc_support.h"

static uint32_t places, repeated; /* maps with raw rows; names of several events */

/* ---- events and raw events ------------------------------------------------------------------- */

static const void *part(const void *map, uint32_t offset)
{
	return (const char *)map + offset;
}

/* Events 0 to 63 and 65536 to 65599 have a byte each: a record number; the key is one bit. */
static void events(const struct pmumap *map)
{
	uint32_t i, bad = 0;

	for (i = 0; i < 128; i++) {
		uint32_t event = i < 64 ? i : 0x10000 + i - 64;
		const struct pmumap_record *r = map->record;
		uint64_t selector = 0;
		int found = pmumap_selector(map, event, &selector);

		r += map->event_index[i];
		bad += pmumap_counters(map, event) != r->counters;
		bad += found != (int)(r->key >> 31) || (found && selector != r->selector);
		bad += (r->key & 0x7fffffff) != 0;
	}
	CHECK_EQ(bad, 0);
}

/* Offsets in the raw index and in rows count from here. */
#define RAW_NONE 48u

/* From the row in the index on, "more" leads to each row that can match in its place. */
static void raw_index(const struct pmumap *map)
{
	const struct pmumap_raw_row *rows = part(map, map->raw_rows), *row;
	const uint16_t *index = part(map, 216);
	uint32_t i, place, bad = 0;

	for (place = 0; place <= map->raw_low; place++)
		for (i = 0; i < map->raw_count; i++) {
			if ((rows[i].select ^ place) & rows[i].mask & map->raw_low)
				continue;
			row = part(map, RAW_NONE + 8u * index[place]);
			while (row->more &&
			       (row->select != rows[i].select || row->mask != rows[i].mask))
				row = part(map, RAW_NONE + row->more);
			bad += row->select != rows[i].select || row->mask != rows[i].mask;
			bad += (row->counters & rows[i].counters) != rows[i].counters;
		}
	places++;
	CHECK_EQ(bad, 0);
}

/* ---- names and offsets of IMC ---------------------------------------------------------------- */

/* Words of the head. */
enum { ROWS = 8, NAMES, BY_NAME = 12, NAME_STARTS, BY_OFFSET, OFFSET_STARTS };
enum { WHOLE = 18, SHIFT = 21 };

/* Of 16 bytes from each end, or fewer; of a name shorter than whole, then those between. */
static uint64_t hash_of(const char *name, uint32_t len, uint32_t whole)
{
	const uint64_t multiplier = 0x9e3779b97f4a7c15;
	uint64_t hash = 0, last = len;
	uint32_t i;

	for (i = 0; i < len && len <= 8; i++)
		hash = hash << 8 | (unsigned char)name[i];
	if (len <= 8)
		return hash * multiplier;
	hash = (fdt64_ld(part(name, 0)) ^ fdt64_ld(part(name, len < 16 ? len - 8 : 8))) *
	       multiplier;
	if (len >= 16)
		last = fdt64_ld(part(name, len - 8)) ^ fdt64_ld(part(name, len - 16));
	hash = (hash << 32 | hash >> 32) ^ last;
	for (i = 16; len < whole && i + 16 < len; i += 16) {
		hash *= multiplier;
		hash = (hash << 32 | hash >> 32) ^ fdt64_ld(part(name, i)) ^
		       fdt64_ld(part(name, i + 8));
	}
	return hash * multiplier;
}

/* Every row is in the bucket of its name, and in that of its offset. */
static void names(const struct pmumap_imc *map)
{
	const uint32_t *head = imc_head(map), *row = part(map, head[ROWS]);
	const uint16_t *entry = part(map, head[BY_NAME]), *place = part(map, head[BY_OFFSET]);
	const uint16_t *start = part(map, head[NAME_STARTS]);
	const uint16_t *offset_start = part(map, head[OFFSET_STARTS]);
	uint32_t n = head[NAMES], whole = head[WHOLE] | head[WHOLE + 1], i, k, bad = 0;

	for (i = 0; i < n; i++, row += 3) {
		const char *name = part(map, row[0]);
		uint64_t hash = hash_of(name, (uint32_t)strlen(name), whole);
		uint32_t bucket = (uint32_t)(hash >> head[SHIFT]), before = 77;

		bad += row[0] % 8 != 0 || start[bucket + 1] - start[bucket] > 16;
		for (k = start[bucket]; k < start[bucket + 1] && entry[2 * k + 1] != i; k++)
			before = entry[2 * k];
		bad += k == start[bucket + 1] || entry[2 * k] != (hash >> 32 & 0xffff);
		repeated += k < start[bucket + 1] && before == entry[2 * k];
		bucket = (uint32_t)((uint64_t)(row[1] * 0x9e3779b1u) * (n + 1) >> 32);
		for (k = offset_start[bucket]; k < offset_start[bucket + 1] && place[k] != i; k++)
			;
		bad += k == offset_start[bucket + 1];
	}
	CHECK_EQ(bad, 0);
}

static void look(const struct pmumap *map)
{
	events(map);
	if (map->raw_count)
		raw_index(map);
}

static void board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, 0, NULL, &status);

	if (map)
		look(map);
	free(map);
}

static void imc_board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap_imc *map = imc_build(fdt, size, NULL, &status);

	if (map)
		names(map);
	free(map);
}

/* Names of two units with both ends in common, which are hashed whole. */
static void chosen(void)
{
	unsigned char *fdt;
	size_t size;
	unsigned i;

	start();
	blob_text(&tree, CATALOG UNIT "<1> type=<4> } " UNIT "<1> type=<4> } " LIST);
	for (i = 0; i < 128; i++)
		blob_format(&tree,
			    "e { event-name=\"SIXTEEN_BYTES_AT%08uTWO_ENDS_OF_NAME\" reg=<%x> }", i,
			    8 * i);
	fdt = finish(&size);
	imc_board(fdt, size);
	free(fdt);
}

/* Raw rows with little in common, or with little that distinguishes them. */
static void raws(uint32_t n, uint64_t mask)
{
	struct pmumap *map;
	struct model m;
	uint32_t i;

	model_init(&m);
	for (i = 0; i < 10; i++)
		model_add_counters(&m, i * 5, i * 7, 8u << i);
	for (i = 0; i < n; i++) {
		uint64_t own = mask ? mask : random64() & random64();

		model_add_raw(&m, random64() & own, own, 8u << i % 29);
	}
	map = build_rows(&m);
	look(map);
	free(map);
	model_free(&m);
}

int main(void)
{
	static const uint32_t sizes[] = { 1, 2, 5, 16, 17, 63, 64, 65, 128, 129, 200 };
	size_t k;

	CHECK(each_file(riscv_boards, board) >= 16);
	CHECK(each_file("build/boards/imc-*.dtb", imc_board) >= 16);
	chosen();
	test_now = "raw rows";
	for (k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		raws(sizes[k], 0);
		raws(sizes[k], 0xffffff);
		raws(sizes[k], 0xff);
	}
	CHECK(places > 0 && repeated > 0);
	return test_summary();
}
