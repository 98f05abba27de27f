/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Foreign IMC images: rejected with the right status, or safe for all look-ups. Each is in a heap
 * block of its exact size, so that a sanitizer sees accesses outside.
 */
#include "image_support.h"
#include "imc_support.h"

/* Words of the head. */
enum {
	SIZE = 2,
	UNITS = 4,
	UNIT_COUNT,
	CHIPS,
	CHIP_COUNT,
	ROWS,
	NAMES,
	STRINGS,
	STRING_BYTES,
	BY_NAME,
	NAME_STARTS,
	BY_OFFSET,
	OFFSET_STARTS,
	BISECT = 18, /* of 64 bits, like the two words before */
	LOWEST = 20,
	SHIFT,
	HEAD = 88 /* bytes */
};

static uint32_t owned; /* images whose events have strings of their own */
/* Returns the part of an image at the offset in a word of its head. */
static void *part(void *image, uint32_t word)
{
	return (char *)image + ((const uint32_t *)image)[word];
}

/* Words of the head: tables that end in the image, and limits. */
static void words(void *image)
{
	static const struct {
		unsigned char table, count;
	} tables[] = { { UNITS, UNIT_COUNT }, { ROWS, NAMES },          { BY_NAME, NAMES },
		       { BY_OFFSET, NAMES },  { NAME_STARTS, 0 },       { OFFSET_STARTS, 0 },
		       { CHIPS, CHIP_COUNT }, { STRINGS, STRING_BYTES } };
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
	WITH(*(uint64_t *)(void *)(head + BISECT), 8, 0);
	WITH(*(uint64_t *)(void *)(head + BISECT), ~0ull, 1);
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
	uint32_t *unit = part(image, UNITS), *last = unit + 13 * (head[UNIT_COUNT] - 1), i;
	uint16_t *prefix = (uint16_t *)(void *)(unit + 12);
	uint8_t *type = (uint8_t *)(prefix + 1), *own = type + 1;

	if (!head[UNIT_COUNT])
		return;
	for (i = 0; i < 4; i++)
		string(image, &unit[i], i >= 2);
	WITH(unit[8], unit[8] + 1, 0);
	WITH(unit[9], head[NAMES] - unit[8] + 1, 0);
	WITH(unit[9], head[NAMES] - unit[8], unit[9] == head[NAMES]);
	WITH(unit[10], head[CHIP_COUNT] + 1, 0);
	WITH(unit[11], head[CHIP_COUNT] - unit[10] + 1, 0);
	WITH(*type, 8, 0);
	WITH(*type, IMC_TRACE, 1);
	owned += *own;
	WITH(*own, 1, 1);
	if (unit[9])
		WITH(*prefix, 4096, 0);
	WITH(last[9], last[9] + 1, 0);
	WITH(last[11], head[CHIP_COUNT] - last[10] + 1, 0);
	if (last[9])
		WITH(last[9], last[9] - 1, 0); /* a row of no unit */
	if (last[8])
		WITH(last[8], last[8] - 1, 0);
}

/* The last row, entry, place and start. */
static void rows(void *image)
{
	const uint32_t *head = image;
	uint32_t n = head[NAMES], *row = (uint32_t *)part(image, ROWS) + 3 * (n - 1), i;
	uint32_t end = head[STRINGS] + head[STRING_BYTES];
	uint16_t *unit = (uint16_t *)(void *)(row + 2), *entry = part(image, BY_NAME);
	uint16_t *place = part(image, BY_OFFSET), *start = part(image, NAME_STARTS);

	if (!n)
		return;
	WITH(row[0], row[0] + 4, 0);
	WITH(row[0], head[STRINGS] - 8, 0);
	WITH(row[0], end, 0);
	WITH(row[0], end - 8, 0);
	WITH(row[0], head[STRINGS], 1);
	WITH(unit[0], head[UNIT_COUNT], 0);
	if (unit[0]) /* a row of another unit */
		WITH(unit[0], 0, 0);
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

static void image_with(const unsigned char *fdt, size_t fdt_size, uint32_t flags)
{
	struct pmumap_imc_options opt = { .flags = flags };
	enum pmumap_status status;
	struct pmumap_imc *map = imc_build(fdt, fdt_size, &opt, &status);
	void *copy;

	if (!CHECK(map))
		return;
	foreign_images(map, HEAD);
	CHECK_EQ(pmumap_imc_open(map, pmumap_imc_size(map), NULL), PMUMAP_E_ARG);
	copy = exact_copy(map, pmumap_imc_size(map));
	words(copy);
	units(copy);
	rows(copy);
	CHECK(same_image(copy, map));
	free(copy);
	free(map);
}

static void image(const unsigned char *fdt, size_t fdt_size)
{
	image_with(fdt, fdt_size, 0);
	image_with(fdt, fdt_size, PMUMAP_DESC);
}

static void every_change(const unsigned char *fdt, size_t fdt_size)
{
	enum pmumap_status status;
	struct pmumap_imc *map = imc_build(fdt, fdt_size, NULL, &status);

	if (CHECK(map))
		changes(map, 0, quick(1, 29), 1);
	free(map);
}

int main(void)
{
	image_kind = IMC;
	CHECK_EQ(each_file("build/boards/imc-*.dtb", image), 16);
	CHECK_EQ(each_file("build/boards/imc-same-name.dtb", every_change), 1);
	CHECK_EQ(each_file("build/boards/imc-doc-names.dtb", every_change), 1);
	CHECK(answers != 0 && owned > 0);
	return test_summary();
}
