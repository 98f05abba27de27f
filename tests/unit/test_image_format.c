/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reads images by the rules of their format alone. Images are stored, so one of a version must mean
 * the same to every reader of that version. Written again from these rules: the byte of an event, the
 * row of a raw event, the slot of a name. Also an index with one slot for all names, which must
 * return only the right one.
 */
#include "imc_support.h"

static uint32_t indexed, hashed, repeated; /* maps of each kind; names of several events */

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

/* The upper half of a 64-bit product, without its lowest bits. */
static uint32_t place_of(const struct pmumap *map, uint64_t raw)
{
	uint64_t product = (raw & map->raw_common) * map->raw_multiplier;

	return (uint32_t)(product >> 32) >> map->raw_shift;
}

/* From the row in the index on, each row flagged "more" continues with the next. */
static void raw_index(const struct pmumap *map)
{
	const struct pmumap_raw_row *rows = part(map, map->raw_rows);
	const uint16_t *index = part(map, map->raw_index);
	uint32_t i, row, bad = !(rows[0].select & ~rows[0].mask); /* it matches nothing */

	for (i = 1; i <= map->raw_count; i++) {
		row = index[place_of(map, rows[i].select)];
		while (row != i && row <= map->raw_count && rows[row].more)
			row++;
		bad += row != i || rows[i].more > 1;
	}
	hashed++;
	CHECK_EQ(bad, 0);
}

/* ---- names ------------------------------------------------------------------------------------- */

/* Words of the IMC part. */
enum {
	UNITS,
	UNIT_COUNT,
	CLASSES,
	CLASS_COUNT,
	EVENTS,
	EVENT_COUNT,
	STRINGS = 10,
	STRING_BYTES,
	NAME_COUNT,
	SLOTS,
	KEY, /* two words */
	HOMES = 16,
	UNIT_BIT = 18,
	EVENT_BITS = 23,
	WORDS = 26
};

/* Scales the upper half of the 64-bit hash to a number below n. */
static uint32_t scaled(uint64_t hash, uint32_t n)
{
	return (uint32_t)((hash >> 32) * n >> 32);
}

/* The key, from two words in the machine's order. */
static uint64_t key_of(const uint32_t *imc)
{
	uint64_t key;

	memcpy(&key, imc + KEY, sizeof(key));
	return key;
}

/* Whether a unit's event is the nth match of a name: one of the eight slots from home on. */
static int has_slot(const struct pmumap_imc *map, const char *name, uint32_t nth, uint32_t number)
{
	const uint32_t *imc = imc_tables(map), *slots = part(map, imc[SLOTS]);
	uint64_t hash = hash_name(key_of(imc), name, strlen(name)) + nth * 0x9e3779b97f4a7c01u;
	uint32_t home = scaled(hash, imc[HOMES]), i;

	for (i = 0; i < 8 && slots[home + i]; i++)
		if (slots[home + i] ==
		    (number << 12 | ((uint32_t)hash & 31) << 7 | (uint32_t)strlen(name)))
			return 1;
	return 0;
}

/* Every event of every unit is one of the matches of its full name. */
static void names(const struct pmumap_imc *map)
{
	const uint32_t *imc = imc_tables(map), *unit = part(map, imc[UNITS]);
	const uint32_t *event = part(map, imc[EVENTS]);
	uint32_t i, k, nth, bad = 0;
	char name[256];

	indexed++;
	CHECK_EQ(imc[EVENT_BITS], (1u << imc[UNIT_BIT]) - 1);
	for (i = 0; i < imc[UNIT_COUNT]; i++, unit += 6) {
		for (k = 0; k < unit[4]; k++) {
			const char *rest = part(map, event[2 * (unit[3] + k)] & 0x7fffffff);

			snprintf(name, sizeof(name), "%s%s", (const char *)part(map, unit[1]),
				 rest);
			for (nth = 0;
			     nth < 16 && !has_slot(map, name, nth, i << imc[UNIT_BIT] | k);)
				nth++;
			bad += nth == 16 && !imc[20]; /* or it is left out */
			repeated += nth > 0;
		}
	}
	CHECK_EQ(bad, 0);
}

static void look(const struct pmumap *map)
{
	events(map);
	if (map->raw_index)
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

	if (map && imc_tables(map)[SLOTS])
		names(map);
	free(map);
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

/* ---- an index of one slot ---------------------------------------------------------------------- */

enum {
	HEAD = 16,
	UNIT = HEAD + 4 * WORDS,
	CLASS = UNIT + 24,
	EVENT = CLASS + 32,
	SLOT = EVENT + 8,
	TEXTS = SLOT + 32
};

/*
 * One unit with one event, and one home for all names. Seven slots with its length have each of
 * 7 tags, the last one its own. Strings: the empty one, the prefix, the event's name, and the given
 * bytes after it.
 */
static struct pmumap_imc *one_slot(const char *prefix, size_t prefix_bytes, const void *rest,
				   size_t rest_bytes, size_t name_bytes)
{
	size_t texts = 1 + prefix_bytes + 1 + rest_bytes + 1;
	size_t size = (TEXTS + texts + 7) & ~7u;
	unsigned char *image = exact(size);
	uint32_t *unit = (void *)(image + UNIT), *class = (void *)(image + CLASS);
	uint32_t *event = (void *)(image + EVENT), *imc = (void *)(image + HEAD);
	struct pmumap_imc *map;
	const struct pmumap_imc *opened;
	uint32_t tag, i;
	char name[256];

	memset(image, 0, size);
	map = (void *)image;
	imc_head(map)[0] = PMUMAP_IMC_MAGIC;
	imc_head(map)[1] = PMUMAP_IMAGE_VERSION;
	imc_head(map)[IMC_SIZE] = (uint32_t)size;
	memcpy(image + TEXTS + 1, prefix, prefix_bytes);
	memcpy(image + TEXTS + 1 + prefix_bytes + 1, rest, rest_bytes);
	imc[UNITS] = UNIT;
	imc[CLASSES] = CLASS;
	imc[EVENTS] = EVENT;
	imc[6] = imc[8] = EVENT; /* no strings of events, no chips */
	imc[UNIT_COUNT] = imc[CLASS_COUNT] = imc[EVENT_COUNT] = imc[NAME_COUNT] = 1;
	imc[STRINGS] = TEXTS;
	imc[STRING_BYTES] = (uint32_t)(size - TEXTS);
	imc[SLOTS] = SLOT;
	imc[HOMES] = 1;
	imc[KEY] = imc[KEY + 1] = 5;
	unit[0] = TEXTS;
	unit[1] = TEXTS + 1;
	unit[4] = 1;
	unit[5] = (uint32_t)prefix_bytes;
	class[2] = PMUMAP_IMC_CORE;
	event[0] = TEXTS + 1 + (uint32_t)prefix_bytes + 1;
	memcpy(name, prefix, prefix_bytes);
	memcpy(name + prefix_bytes, rest, name_bytes);
	tag = (uint32_t)hash_name(key_of(imc), name, prefix_bytes + name_bytes);
	for (i = 0; i < 8; i++)
		event[2 + i] = ((tag + 16 + i) & 31) << 7 | (uint32_t)(prefix_bytes + name_bytes);
	event[9] = (tag & 31) << 7 | (uint32_t)(prefix_bytes + name_bytes);
	CHECK_EQ(pmumap_imc_open(image, size, &opened), PMUMAP_OK);
	return map;
}

/* The first two matches. */
static uint32_t found(const struct pmumap_imc *map, const void *text, size_t len)
{
	struct pmumap_imc_event e;

	return (uint32_t)(pmumap_imc_find(map, text, len, 0, &e) |
			  pmumap_imc_find(map, text, len, 1, &e) << 1);
}

/* A name of any bytes except 0 and '/', none of them twice in a row. */
static void letters(unsigned char *to, size_t n)
{
	static const unsigned char odd[] = { 1, 0x80, 0xff, 2, 0x7f, 0x81, 0x2e, 0x30 };
	size_t i;

	for (i = 0; i < n; i++)
		to[i] = i % 3 ? (unsigned char)('A' + (i * 7 + n) % 50) : odd[(i / 3 + n) % 8];
}

/* A name that differs in one byte or in length is another name. */
static void others(size_t prefix, size_t len)
{
	unsigned char name[64], other[64];
	struct pmumap_imc *map;
	uint32_t bad = 0, value, n, *slot;
	size_t i;

	letters(name, len);
	name[len] = 'x';
	map = one_slot((const char *)name, prefix, name + prefix, len - prefix, len - prefix);
	CHECK_EQ(found(map, name, len), 1);
	for (i = 0; i < len; i++) {
		memcpy(other, name, len);
		for (value = 1; value < 256; value += i % 5 ? 13 : 1) {
			other[i] = name[i] ^ (unsigned char)value;
			bad += found(map, other, len);
		}
		bad += found(map, name, i);
	}
	for (n = 1; n < 8; n++) {
		memcpy(other + n, name, len);
		memset(other, name[0], n);
		bad += found(map, other, len + n) + (len > n ? found(map, name + n, len - n) : 0);
	}
	bad += found(map, name, len + 1);
	memset(other, 1, sizeof(other));
	bad += found(map, other, sizeof(other));
	CHECK_EQ(bad, 0);
	slot = (void *)((char *)map + SLOT);
	slot[6] = (slot[7] & ~(31u << 7)) | ((slot[7] + (1u << 7)) & 31u << 7);
	CHECK_EQ(found(map, name, len), 3); /* a second match */
	free(map);
}

/* No name contains 0, even if the bytes of two adjacent strings equal the text. */
static void zeros(size_t at, size_t len)
{
	unsigned char text[64];
	struct pmumap_imc *map;

	letters(text, len);
	text[at] = 0;
	map = one_slot("", 0, text, len, at);
	CHECK_EQ(found(map, text, len), 0);
	CHECK_EQ(found(map, text, at), 1);
	free(map);
}

/* A text longer than the whole image must not be compared past its end. */
static void longer(void)
{
	struct pmumap_imc *map = one_slot("P_", 2, "NAME", 4, 4);
	size_t size = pmumap_imc_size(map), len;
	char *text = exact(2 * size);
	uint32_t bad = 0;

	memset(text, 'N', 2 * size);
	memcpy(text, "P_NAME", 6);
	for (len = 7; len <= 2 * size; len++)
		bad += found(map, text, len);
	CHECK_EQ(bad, 0);
	free(text);
	free(map);
}

int main(void)
{
	static const uint32_t sizes[] = { 1, 2, 5, 16, 17, 63, 64, 65, 128, 129, 200 };
	size_t len, k;

	CHECK(each_riscv_board(board) >= 16);
	CHECK(each_file("build/boards/imc-*.dtb", imc_board) >= 19);
	test_now = "raw rows";
	for (k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		raws(sizes[k], 0);
		raws(sizes[k], 0xffffff);
		raws(sizes[k], 0xff);
	}
	test_now = "one slot";
	for (len = 1; len <= 40; len++) {
		for (k = 0; k <= len; k += k < 10 ? 1 : 7)
			others(k, len);
		for (k = 1; k < len; k++)
			zeros(k, len);
	}
	longer();
	CHECK(indexed > 0 && hashed > 0 && repeated > 0);
	return test_summary();
}
