/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Foreign IMC images: rejected with the right status, or safe for all look-ups. Each is in a heap
 * block of its exact size, so that a sanitizer sees accesses outside.
 */
#include "imc_make.h"
#include "imc_support.h"

/* Words of the head. */
enum {
	SIZE = 2,
	UNITS = 4,
	UNIT_COUNT,
	ROWS,
	NAMES,
	BY_NAME,
	NAME_STARTS,
	BY_OFFSET,
	OFFSET_STARTS,
	OWNS,
	OWN_COUNT,
	CHIPS,
	CHIP_COUNT,
	STRINGS,
	STRING_BYTES,
	BISECT = 20, /* of 64 bits, like the two words before */
	SHIFT = 22,
	LOWEST,
	HEAD = 96 /* bytes */
};

static uint32_t owned;         /* images whose events have strings of their own */
static char imc_names[8][128]; /* of the intact map */

/* The whole string must be inside. */
static uint64_t read_text(const char *s)
{
	return s ? strlen(s) : 0;
}

static uint64_t read_event(const struct pmumap_imc_event *e)
{
	return read_text(e->unit) + read_text(e->prefix) + read_text(e->name) +
	       read_text(e->scale) + read_text(e->measure) + read_text(e->desc) + e->offset;
}

/* Reads an event if its number was found. */
static uint64_t read_number(const struct pmumap_imc *map, int found, uint32_t number)
{
	struct pmumap_imc_event e;

	return found && pmumap_imc_event(map, number, &e) ? read_event(&e) : 1;
}

static uint64_t ask_imc_names(const struct pmumap_imc *map)
{
	static const char *const others[] = {
		"", "/", "A", "PM_", "mcs0/PM_A", "core_imc/CPM_INST/"
	};
	uint64_t sum = 0;
	uint32_t i, nth, e = 0;

	for (i = 0; i < 14; i++) {
		const char *name = i < 8 ? imc_names[i] : others[i - 8];
		const char *bare = strchr(name, '/');

		for (nth = 0; nth < 3; nth++) {
			uint32_t n = nth == 2 ? ~0u : nth;

			sum += read_number(map,
					   pmumap_imc_find_name(map, name, strlen(name), n, &e), e);
			if (bare)
				sum += read_number(map,
						   pmumap_imc_find_name(map, bare + 1,
									strlen(bare + 1), n, &e),
						   e);
		}
	}
	return sum;
}

static uint64_t ask_imc_unit(const struct pmumap_imc *map, uint32_t i)
{
	struct pmumap_imc_unit unit = { 0 };
	struct pmumap_imc_event e = { 0 };
	uint64_t sum = 0, base = 0, phys = 0;
	uint32_t k, chip = 0, n = 0;

	if (pmumap_imc_unit_at(map, i, &unit))
		sum += read_text(unit.name) + read_text(unit.prefix) + read_text(unit.scale) +
		       read_text(unit.measure) + unit.events;
	for (k = 0; k < 6; k++) {
		if (pmumap_imc_chip_at(map, i, k, &chip, &base))
			sum += base;
		sum += (uint64_t)pmumap_imc_control_address(map, i, chip, &phys);
		e.unit_index = i;
		if (pmumap_imc_event_at(map, i, k == 5 ? unit.events - 1 : k, &n) &&
		    pmumap_imc_event(map, n, &e))
			sum += read_event(&e);
		e.unit_index = i;
		sum += (uint64_t)pmumap_imc_address(map, &e, chip, &phys) + phys;
		sum += read_number(map,
				   pmumap_imc_find_offset(map, PMUMAP_IMC_ALL, e.offset, k, &n), n);
		sum += read_number(map, pmumap_imc_find_offset(map, i, e.offset, k, &n), n);
	}
	return sum;
}

static uint64_t ask_imc(const struct pmumap_imc *map)
{
	uint64_t sum = ask_imc_names(map);
	uint32_t i, count = 0, n;

	while (count < 5 && pmumap_imc_event_at(map, count, 0, &n))
		count++;
	for (i = 0; i < count; i++)
		sum += ask_imc_unit(map, i);
	sum += (uint64_t)pmumap_imc_find_offset(map, 0, ~0u, 0, &n);
	sum += (uint64_t)pmumap_imc_find_offset(map, PMUMAP_IMC_ALL, 0, ~0u, &n);
	sum += (uint64_t)pmumap_imc_event_at(map, ~0u, ~0u, &n);
	return sum + pmumap_imc_names(map);
}

/* Some names to look up, as UNIT/NAME. */
static void take_names(const struct pmumap_imc *map)
{
	struct pmumap_imc_event e;
	uint32_t i, n = pmumap_imc_names(map);

	memset(imc_names, 0, sizeof(imc_names));
	for (i = 0; i < 8 && n; i++)
		if (pmumap_imc_event(map, random_below(n), &e))
			snprintf(imc_names[i], sizeof(imc_names[0]), "%s/%s%s", e.unit, e.prefix,
				 e.name);
}

static uint64_t ask(const struct pmumap_imc *map)
{
	return pmumap_imc_size(map) + ask_imc(map);
}

static uint64_t answers;

/* Returns whether it is rejected; then *map is NULL. The image is never written. */
static int refused(const void *image, size_t size, enum pmumap_status *status)
{
	const struct pmumap_imc *map = image;

	*status = pmumap_imc_open(image, size, &map);
	if (*status != PMUMAP_OK) {
		if (map)
			CHECK(!map);
		return 1;
	}
	answers += ask(map);
	return 0;
}

static void truncations(const struct pmumap_imc *map)
{
	size_t size = pmumap_imc_size(map), cut;
	uint32_t bad = 0;
	enum pmumap_status status;

	for (cut = 0; cut < size; cut++) {
		void *image = exact_copy(map, cut);

		bad += !refused(image, cut, &status) || status != PMUMAP_E_IMAGE_SIZE;
		free(image);
	}
	CHECK_EQ(bad, 0);
}

/* Bytes after the image are not read. */
static void longer(const struct pmumap_imc *map)
{
	size_t size = pmumap_imc_size(map);
	unsigned char *image = exact(size + 9);
	const struct pmumap_imc *opened = NULL;

	memcpy(image, map, size);
	memset(image + size, 0xff, 9);
	CHECK_EQ(pmumap_imc_open(image, size + 9, &opened), PMUMAP_OK);
	CHECK(opened && pmumap_imc_size(opened) == size && same_imc_image(opened, map));
	free(image);
}

static void changes(const struct pmumap_imc *map, size_t step)
{
	static const unsigned char flips[] = { 0x01, 0x80, 0xff, 0x08, 0x7f, 0x10 };
	size_t size = pmumap_imc_size(map), at, i;
	unsigned char *image = exact_copy(map, size);
	uint32_t bad = 0, opened = 0;
	enum pmumap_status status;

	for (at = 0; at < size; at += at < HEAD ? 1 : step) {
		unsigned char before = image[at];

		for (i = 0; i < sizeof(flips); i++) {
			image[at] = before ^ flips[i];
			opened += !refused(image, size, &status);
			bad += !is_status_of_open(status);
		}
		image[at] = 0;
		(void)refused(image, size, &status);
		image[at] = before;
	}
	CHECK_EQ(bad, 0);
	CHECK(opened > 0 && memcmp(image, map, size) == 0);
	free(image);
}

/* Changes several words at once, mostly sizes and offsets. */
static void scramble(const struct pmumap_imc *map, uint32_t n)
{
	size_t size = pmumap_imc_size(map);
	uint32_t *image = exact_copy(map, size), i, k, bad = 0;
	enum pmumap_status status;

	for (i = 0; i < n; i++) {
		for (k = random_below(3) + 1; k; k--) {
			uint32_t at = 2 + random_below(i & 1 ? 20 : (uint32_t)size / 4 - 2);
			uint32_t with = image[random_below((uint32_t)size / 4)];

			image[at] = random_below(2)   ? with
				    : random_below(2) ? (uint32_t)random64() >> random_below(32)
						      : image[at] + random_below(17) - 8;
		}
		(void)refused(image, size, &status);
		bad += !is_status_of_open(status);
		memcpy(image, map, size);
	}
	CHECK_EQ(bad, 0);
	free(image);
}

/* Returns the part of an image at the offset in a word of its head. */
static void *part(void *image, uint32_t word)
{
	return (char *)image + ((const uint32_t *)image)[word];
}

/* Whether an image with another value of a number of so many bytes is accepted. */
static void with(void *image, void *number, size_t bytes, uint64_t value, int good)
{
	uint64_t before = 0;
	enum pmumap_status status;

	memcpy(&before, number, bytes);
	if (bytes == 2)
		*(uint16_t *)number = (uint16_t)value;
	else if (bytes == 4)
		*(uint32_t *)number = (uint32_t)value;
	else
		*(uint64_t *)number = value;
	CHECK_EQ(refused(image, imc_head(image)[SIZE], &status), !good);
	CHECK(good || status == PMUMAP_E_IMAGE_TABLE);
	memcpy(number, &before, bytes);
}

#define WITH(number, value, good) with(image, &(number), sizeof(number), value, good)

/* Words of the head: tables that end in the image, and limits. */
static void words(void *image)
{
	static const struct {
		unsigned char table, count;
	} tables[] = { { UNITS, UNIT_COUNT }, { ROWS, NAMES },       { BY_NAME, NAMES },
		       { BY_OFFSET, NAMES },  { NAME_STARTS, 0 },    { OFFSET_STARTS, 0 },
		       { OWNS, OWN_COUNT },   { CHIPS, CHIP_COUNT }, { STRINGS, STRING_BYTES } };
	uint32_t *head = image, size = head[SIZE], i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		int empty = tables[i].count && head[tables[i].count] == 0;

		WITH(head[tables[i].table], size, empty);
		WITH(head[tables[i].table], size + 8, 0);
		WITH(head[tables[i].table], head[tables[i].table] + 4, 0);
		WITH(head[tables[i].table], HEAD - 8, 0);
		if (tables[i].count)
			WITH(head[tables[i].count], 0x10000000, 0);
	}
	WITH(head[NAMES], head[NAMES] + 1, 0);
	WITH(head[NAMES], 65536, 0);
	WITH(head[UNIT_COUNT], 65536, 0);
	WITH(head[STRING_BYTES], head[STRING_BYTES] - 4, 0);
	WITH(head[STRING_BYTES], 0, 0);
	WITH(head[SHIFT], 47, 0);
	WITH(head[SHIFT], 64, 0);
	WITH(head[LOWEST], 0, 1);
	WITH(head[LOWEST], 256, 1);
	WITH(*(uint64_t *)(void *)(head + BISECT), 15, 0);
	WITH(*(uint64_t *)(void *)(head + BISECT), ~0ull, 1);
	if (head[OWN_COUNT])
		WITH(head[OWN_COUNT], 0, 1);
}

/* Strings are in their table. 0 is absent where that is legal. */
static void string(void *image, uint32_t *word, int absent)
{
	const uint32_t *head = image;

	WITH(*word, 0, absent);
	WITH(*word, head[STRINGS] - 1, 0);
	WITH(*word, head[STRINGS], 1);
	WITH(*word, head[STRINGS] + head[STRING_BYTES] - 1, 1);
	WITH(*word, head[STRINGS] + head[STRING_BYTES], 0);
}

static void units(void *image)
{
	const uint32_t *head = image;
	uint32_t *unit = part(image, UNITS), i;
	uint16_t *type = (uint16_t *)(void *)(unit + 12);

	if (!head[UNIT_COUNT])
		return;
	for (i = 0; i < 4; i++)
		string(image, &unit[i], i >= 2);
	WITH(unit[8], head[NAMES] + 1, 0);
	WITH(unit[9], head[NAMES] - unit[8] + 1, 0);
	WITH(unit[9], head[NAMES] - unit[8], 1);
	WITH(unit[10], head[CHIP_COUNT] + 1, 0);
	WITH(unit[11], head[CHIP_COUNT] - unit[10] + 1, 0);
	WITH(type[0], 8, 0);
	WITH(type[0], IMC_TRACE, 1);
	if (unit[9])
		WITH(type[1], 4096, 0);
}

/* The last row, entry, place and start, and own strings. */
static void rows(void *image)
{
	const uint32_t *head = image;
	uint32_t n = head[NAMES], *row = (uint32_t *)part(image, ROWS) + 3 * (n - 1), i;
	uint32_t end = head[STRINGS] + head[STRING_BYTES], *own = part(image, OWNS);
	uint16_t *unit = (uint16_t *)(void *)(row + 2), *entry = part(image, BY_NAME);
	uint16_t *place = part(image, BY_OFFSET), *start = part(image, NAME_STARTS);

	for (i = 0; i < head[OWN_COUNT]; i += head[OWN_COUNT] / 8 + 1) {
		string(image, &own[4 * i + 1], 1);
		string(image, &own[4 * i + 3], 1);
		WITH(own[4 * i], ~0u, 1);
	}
	owned += head[OWN_COUNT] != 0;
	if (!n)
		return;
	WITH(row[0], row[0] + 4, 0);
	WITH(row[0], head[STRINGS] - 8, 0);
	WITH(row[0], end, 0);
	WITH(row[0], end - 8, 0);
	WITH(row[0], head[STRINGS], 1);
	WITH(unit[0], head[UNIT_COUNT], 0);
	if (end - row[0] - 7 <= 0xffff)
		WITH(unit[1], end - row[0] - 7, 0);
	if (end - row[0] - 8 <= 0xffff)
		WITH(unit[1], end - row[0] - 8, 1);
	WITH(entry[2 * n - 1], n, 0);
	WITH(entry[2 * n - 2], 0xffff, 1);
	WITH(place[n - 1], n, 0);
	for (i = 0; i < 1u << (64 - head[SHIFT]) && start[i + 1] == 0; i++)
		;
	WITH(start[0], start[i + 1] + 1, 0);
	WITH(start[1u << (64 - head[SHIFT])], n + 1, 0);
	start = part(image, OFFSET_STARTS);
	WITH(start[n + 1], n + 1, 0);
	WITH(start[0], n + 1, 0);
}

/*
 * Data with other first words is no image, or one of another kind. 8 bytes suffice to report that.
 */
static void heads(void)
{
	const uint32_t good = PMUMAP_IMC_MAGIC;
	uint32_t swapped = good << 24 | (good & 0xff00) << 8 | (good >> 8 & 0xff00) | good >> 24;
	const struct {
		uint32_t magic, version;
		enum pmumap_status status;
	} rows[] = {
		{ good, PMUMAP_IMAGE_VERSION, PMUMAP_E_IMAGE_SIZE },
		{ good, 0, PMUMAP_E_IMAGE_VERSION },
		{ good, PMUMAP_IMAGE_VERSION + 1, PMUMAP_E_IMAGE_VERSION },
		{ good, ~0u, PMUMAP_E_IMAGE_VERSION },
		{ swapped, PMUMAP_IMAGE_VERSION, PMUMAP_E_IMAGE_ORDER },
		{ swapped, 0, PMUMAP_E_IMAGE_ORDER },
		{ 0, PMUMAP_IMAGE_VERSION, PMUMAP_E_IMAGE_MAGIC },
		{ ~0u, PMUMAP_IMAGE_VERSION, PMUMAP_E_IMAGE_MAGIC },
		{ good - 1, PMUMAP_IMAGE_VERSION, PMUMAP_E_IMAGE_MAGIC },
		{ good + 1, PMUMAP_IMAGE_VERSION, PMUMAP_E_IMAGE_MAGIC },
		{ swapped - 1, PMUMAP_IMAGE_VERSION, PMUMAP_E_IMAGE_MAGIC },
		{ swapped + 1, PMUMAP_IMAGE_VERSION, PMUMAP_E_IMAGE_MAGIC },
	};
	size_t bytes, i;
	enum pmumap_status status;

	for (bytes = 0; bytes < 20; bytes++) {
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			uint32_t head[5] = { rows[i].magic, rows[i].version, HEAD, 0, 1 };
			void *image = exact_copy(head, bytes);

			CHECK(refused(image, bytes, &status));
			CHECK_EQ(status, bytes < 8 ? PMUMAP_E_IMAGE_SIZE : rows[i].status);
			free(image);
		}
	}
}

static void statuses(const struct pmumap_imc *map)
{
	size_t size = pmumap_imc_size(map);
	struct pmumap_imc *image = exact_copy(map, size);
	uint32_t *head = imc_head(image);
	const struct pmumap_imc *opened;
	unsigned char *bytes = exact(size + 8);
	uint32_t i;
	enum pmumap_status status;

	head[0] ^= 1;
	CHECK(refused(image, size, &status));
	CHECK_EQ(status, PMUMAP_E_IMAGE_MAGIC);
	for (i = 0; i < 4; i++)
		((unsigned char *)image)[i] = ((const unsigned char *)map)[3 - i];
	CHECK(refused(image, size, &status));
	CHECK_EQ(status, PMUMAP_E_IMAGE_ORDER);
	head[0] = PMUMAP_IMC_MAGIC;
	head[1]++;
	CHECK(refused(image, size, &status));
	CHECK_EQ(status, PMUMAP_E_IMAGE_VERSION);
	head[1] = PMUMAP_IMAGE_VERSION;
	head[SIZE] += 8;
	CHECK(refused(image, size, &status));
	CHECK_EQ(status, PMUMAP_E_IMAGE_SIZE);
	for (i = 0; i < HEAD; i += 8) {
		head[SIZE] = i ? i : (uint32_t)size - 1;
		CHECK(refused(image, size, &status));
		CHECK_EQ(status, PMUMAP_E_IMAGE_SIZE);
	}
	free(image);

	for (i = 1; i < 8; i++) {
		memcpy(bytes + i, map, size);
		CHECK_EQ(pmumap_imc_open(bytes + i, size, &opened), PMUMAP_E_ARG);
		CHECK(!opened);
	}
	CHECK_EQ(pmumap_imc_open(NULL, size, &opened), PMUMAP_E_ARG);
	CHECK(!opened);
	CHECK_EQ(pmumap_imc_open(map, size, NULL), PMUMAP_E_ARG);
	free(bytes);
}

static void image_with(const unsigned char *fdt, size_t fdt_size, uint32_t flags)
{
	struct pmumap_imc_options opt = { .flags = flags };
	enum pmumap_status status;
	struct pmumap_imc *map = imc_build(fdt, fdt_size, &opt, &status);
	void *copy;
	int small;

	if (!CHECK(map))
		return;
	small = pmumap_imc_size(map) < 1024;
	take_names(map);
	CHECK(!refused(map, pmumap_imc_size(map), &status));
	truncations(map);
	longer(map);
	changes(map, quick(small ? 1 : 5, 37));
	scramble(map, quick(small ? 10000 : 5000, 300));
	statuses(map);
	copy = exact_copy(map, pmumap_imc_size(map));
	words(copy);
	units(copy);
	rows(copy);
	CHECK(same_imc_image(copy, map));
	free(copy);
	free(map);
}

static void image(const unsigned char *fdt, size_t fdt_size)
{
	image_with(fdt, fdt_size, 0);
	image_with(fdt, fdt_size, PMUMAP_DESC);
}

/* Every value of every byte. */
static void every_change(const unsigned char *fdt, size_t fdt_size)
{
	enum pmumap_status status;
	struct pmumap_imc *map = imc_build(fdt, fdt_size, NULL, &status);
	size_t size = map ? pmumap_imc_size(map) : 0, at;
	unsigned char *image = exact_copy(map, size);
	uint32_t bad = 0, opened = 0, value;

	for (at = 0; at < size; at += quick(1, 29)) {
		for (value = 1; value < 256; value++) {
			image[at] ^= (unsigned char)value;
			opened += !refused(image, size, &status);
			bad += !is_status_of_open(status);
			image[at] ^= (unsigned char)value;
		}
	}
	CHECK(size > 0 && !memcmp(image, map, size));
	free(image);
	free(map);
	CHECK_EQ(bad, 0);
	CHECK(opened > 0);
}

/* The map of a root without units is the smallest image, and has no answers. */
static void nothing(void)
{
	const struct pmumap_imc *opened = NULL;
	enum pmumap_status status;
	struct pmumap_imc *map;
	struct pmumap_imc_unit unit;
	struct pmumap_imc_event e = { 0 };
	uint64_t value = 7;
	uint32_t chip = 7, n;
	unsigned char *fdt;
	size_t size;

	test_now = "nothing";
	start();
	root("");
	fdt = finish(&size);
	map = imc_build(fdt, size, NULL, &status);
	if (!CHECK(map && pmumap_imc_open(map, pmumap_imc_size(map), &opened) == PMUMAP_OK))
		return;
	answers += ask(opened);
	CHECK(!pmumap_imc_unit_at(opened, 0, &unit) && !pmumap_imc_event_at(opened, 0, 0, &n));
	CHECK(!pmumap_imc_find_name(opened, "A", 1, 0, &n) &&
	      !pmumap_imc_find_name(opened, "NAME_OF_MORE_THAN_16_BYTES", 26, 0, &n) &&
	      !pmumap_imc_find_offset(opened, PMUMAP_IMC_ALL, 0, 0, &n));
	CHECK(!pmumap_imc_chip_at(opened, 0, 0, &chip, &value) && value == 7 && chip == 7);
	CHECK(!pmumap_imc_control_address(opened, 0, 0, &value) && value == 7);
	CHECK(!pmumap_imc_address(opened, &e, 0, &value) && value == 7);
	CHECK_EQ(pmumap_imc_names(opened), 0);
	free(map);
	free(fdt);
}

int main(void)
{
	CHECK_EQ(each_file("build/boards/imc-*.dtb", image), 16);
	CHECK_EQ(each_file("build/boards/imc-same-name.dtb", every_change), 1);
	CHECK_EQ(each_file("build/boards/imc-doc-names.dtb", every_change), 1);
	test_now = "heads";
	heads();
	nothing();
	CHECK(answers != 0 && owned > 0);
	return test_summary();
}
