/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Foreign images: rejected with the right status, or safe for all look-ups. Each is in a heap block
 * of its exact size, so that a sanitizer sees accesses outside.
 */
#include "image_support.h"

/* A row leads to an earlier one, or to none; the index and the head to any row. */
static void chains(const struct pmumap *map)
{
	struct pmumap *image = exact_copy(map, pmumap_size(map));
	struct pmumap_raw_row *row = (void *)((char *)image + image->raw_rows);
	uint16_t *index = (void *)&image->record[1], first = index[image->raw_low];
	const uint32_t rows = image->raw_count + image->raw_copies, each = sizeof(*row);
	const uint32_t at = image->raw_rows - (uint32_t)offsetof(struct pmumap, raw_none);
	uint32_t i;

	for (i = 0; i < rows; i += i < 8 ? 1 : rows / 8) {
		uint32_t low[] = { at - each, at - 8, at + i * each, at + i * each + each };

		WITH(row[i].more, at + i * each - each, i > 0);
		WITH(row[i].more, at, i > 0);
		for (uint32_t k = 0; k < 4; k++)
			WITH(row[i].more, low[k], 0);
		for (uint32_t k = 1; k < each; k++)
			WITH(row[i].more, at + k, 0);
	}
	WITH(image->raw_none.more, at, rows > 0);
	WITH(image->raw_none.more, at + (rows - 1) * each, rows > 0);
	WITH(image->raw_none.more, at + rows * each, 0);
	WITH(image->raw_none.more, 8, 0);
	for (i = 0; i < 4; i++) {
		static const uint32_t bytes[] = { 0, 8, 16, 24 };

		index[image->raw_low] = (uint16_t)((at + bytes[i]) / 8);
		WITH(image->raw_none.counters, 0, rows > bytes[i] / each && i % 3 == 0);
	}
	index[image->raw_low] = first;
	free(image);
}

/* As many records as fit (the head has two), and raw rows that end with the image. */
static void rooms(const struct pmumap *map)
{
	static const uint32_t counts[] = { 1, 2, 63, 64, 65, 127, 128, 129 };
	const uint32_t rest = 129 * sizeof(struct pmumap_raw_row);
	size_t size = pmumap_size(map), i;
	struct pmumap *image = exact_copy(map, size);
	uint32_t records = (uint32_t)((size - sizeof(*map)) / sizeof(*map->record)) + 2;

	WITH(image->records, records, 1);
	WITH(image->records, records + 1, 0);
	WITH(image->raw_count, ~0u, 0);
	for (i = 1; i < 24; i++) { /* sizes that are small in 32 bits */
		WITH(image->records, (uint32_t)(((uint64_t)i << 32) / 24 + 1), 0);
		WITH(image->raw_count, (uint32_t)(((uint64_t)i << 32) / 24), 0);
	}
	WITH(image->raw_copies, ~0u, 0);
	WITH(image->raw_copies, ~0u - image->raw_count + 1, map->raw_count == 0);
	free(image);
	image = exact(size + rest);
	memcpy(image, map, size);
	memset((char *)image + size, 0, rest);
	memset(&image->record[1], 0, (map->raw_low + 8) / 8 * sizeof(image->record[1]));
	image->head.size = (uint32_t)size + rest;
	image->raw_copies = 0;
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		uint32_t rows = counts[i] * (uint32_t)sizeof(struct pmumap_raw_row);

		image->raw_count = counts[i];
		WITH(image->raw_rows, sizeof(*map) - 8, 0);
		WITH(image->raw_rows, image->head.size - rows, 1);
		WITH(image->raw_rows, image->head.size - rows + 8, 0);
	}
	free(image);
}

/*
 * Record 0, for events that no row names, has neither counters nor selector. A sorted run has a
 * first record.
 */
static void no_record(const struct pmumap *map)
{
	struct pmumap *image = exact_copy(map, pmumap_size(map));
	uint32_t bit;

	WITH(image->record[0].counters, 8, 0);
	WITH(image->record[0].key, 1, 0);
	WITH(image->record[0].key, 0x80000000, 0);
	WITH(image->sorted_count, 0, 0);
	for (bit = 0; bit < 64; bit += 21) {
		image->record[0].selector = 1ull << bit;
		CHECK_EQ(status_of(image, pmumap_size(map)), PMUMAP_E_IMAGE_TABLE);
	}
	free(image);
}

static void image(const unsigned char *fdt, size_t fdt_size)
{
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, fdt_size, 0, NULL, &status);

	CHECK_EQ(status, PMUMAP_OK);
	if (!map)
		return;
	foreign_images(map, sizeof(*map));
	chains(map);
	rooms(map);
	no_record(map);
	CHECK_EQ(pmumap_open(map, pmumap_size(map), NULL), PMUMAP_E_ARG);
	free(map);
}

static void every_change(const unsigned char *fdt, size_t fdt_size)
{
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, fdt_size, 0, NULL, &status);

	if (CHECK(map))
		changes(map, 0, quick(1, 29), 1);
	free(map);
}

/* Rows with little in common and hundreds of rows, so that every kind of table exists. */
static void made(uint32_t raws, uint64_t mask, const char *what)
{
	struct pmumap *map;
	struct model m;
	uint32_t i;

	test_now = what;
	model_init(&m);
	for (i = 0; i < 40; i++) {
		model_add_selector(&m, i * 77 + (i & 1) * 0x10000, i);
		model_add_counters(&m, i * 55, i * 60, 8u << i % 29);
	}
	for (i = 0; i < raws; i++) {
		uint64_t m1 = mask ? mask : random64() & random64();

		model_add_raw(&m, random64() & m1, m1, 8u << i % 29);
	}
	map = build_rows(&m);
	longer(map);
	truncations(map);
	rooms(map);
	chains(map);
	changes(map, sizeof(*map), 61, 0);
	scramble(map, quick(10000, 300));
	free(map);
	model_free(&m);
}

/*
 * The sorted run begins with event 0 and increases, below the limit of events; a selector belongs
 * to one event. map 0 starts at 0, 0x40, 0x41, 0x50, 0x51; map 1 at 0, 0xffff (a selector),
 * 0x10040.
 */
static void orders(void)
{
	static const struct {
		uint32_t map, at, key;
		int good;
	} keys[] = {
		{ 0, 0, 0, 1 },          { 0, 0, 1, 0 },          { 0, 1, 0x3f, 1 },
		{ 0, 1, 0, 0 },          { 0, 2, 0x40, 0 },       { 0, 2, 0x3f, 0 },
		{ 0, 2, 0x42, 1 },       { 0, 2, 0x50, 0 },       { 0, 4, 0xfffff, 1 },
		{ 0, 4, 0x800fffff, 1 }, { 0, 4, 0x100000, 0 },   { 0, 4, 0x7fffffff, 0 },
		{ 0, 4, 0x50, 0 },       { 0, 4, 0x80000050, 0 }, { 0, 3, 0x80000041, 0 },
		{ 0, 3, 0x80000050, 1 }, { 0, 1, 0x80000040, 1 }, { 0, 1, 0x8000003f, 0 },
		{ 0, 2, 0x80000041, 0 }, { 0, 4, 0x80000051, 0 }, { 0, 4, 0x8000ffff, 0 },
		{ 0, 4, 0x800ffffe, 0 }, { 1, 2, 0x10040, 1 },    { 1, 2, 0x10000, 0 },
		{ 1, 2, 0x1003f, 0 },    { 1, 2, 0x10041, 0 },    { 1, 1, 0x8000fffe, 0 },
		{ 1, 1, 0xfffe, 1 },
	};
	struct pmumap *images[2], *image;
	struct model m;
	size_t i;

	test_now = "order of events";
	model_init(&m);
	model_add_selector(&m, 0xffff, 1);
	images[1] = build_rows(&m);
	model_free(&m);
	model_init(&m);
	model_add_counters(&m, 0x40, 0x40, 8);
	model_add_counters(&m, 0x50, 0x50, 8);
	images[0] = image = build_rows(&m);
	model_free(&m);
	CHECK(image->sorted_count == 5 && images[1]->sorted_count == 3);
	for (i = 0; i < 128; i++) {
		image->event_index[i] = (uint8_t)image->records;
		CHECK(status_of(image, pmumap_size(image)) != PMUMAP_OK);
		image->event_index[i] = 0;
	}
	CHECK(memcmp(image->record + image->sorted, image->record, sizeof(*image->record)) == 0);
	WITH(image->records, image->records - 1, 0);
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct pmumap_record *r = images[keys[i].map]->record;

		r += images[keys[i].map]->sorted + keys[i].at;
		with(images[keys[i].map], &r->key, sizeof(r->key), keys[i].key, keys[i].good);
	}
	free(images[0]);
	free(images[1]);
}

/* An index of another size, each place of which names the one raw row: it is found, and no other. */
static void lows(void)
{
	static const struct {
		uint32_t low;
		int good;
	} sizes[] = { { 0, 1 },   { 1, 1 },    { 2, 0 },   { 3, 1 },      { 5, 0 },   { 7, 1 },
		      { 8, 0 },   { 15, 1 },   { 255, 1 }, { 256, 0 },    { 511, 1 }, { 512, 0 },
		      { 510, 0 }, { 1023, 0 }, { ~0u, 0 }, { ~0u / 2, 0 } };
	struct pmumap_raw_row *row;
	struct pmumap *image;
	uint16_t *index;
	uint32_t i, k;

	test_now = "index of raw rows";
	image = exact(sizeof(*image) + 1024 + sizeof(*row));
	memset(image, 0, sizeof(*image) + 1024);
	index = (void *)&image->record[1];
	image->head.magic = PMUMAP_MAGIC;
	image->head.version = PMUMAP_IMAGE_VERSION;
	image->head.size = sizeof(*image) + 1024 + sizeof(*row);
	image->records = 66;
	image->sorted_count = image->raw_count = 1;
	image->raw_rows = sizeof(*image) + 1024;
	row = (void *)((char *)image + image->raw_rows);
	row->select = 0x123456789abcd;
	row->mask = ~0ull;
	row->counters = 8;
	row->more = 0;
	for (k = 0; k < 512; k++)
		index[k] = (uint16_t)((image->raw_rows - offsetof(struct pmumap, raw_none)) / 8);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint32_t records = 1 + (sizes[i].low + 8) / 8;

		image->raw_low = sizes[i].low;
		CHECK_EQ(status_of(image, image->head.size) == PMUMAP_OK, sizes[i].good);
		if (!sizes[i].good)
			continue;
		CHECK_EQ(pmumap_raw_counters(image, 0x123456789abcd), 8);
		CHECK_EQ(pmumap_raw_counters(image, 0x123456789abce), 0);
		WITH(image->records, records, 1);
		WITH(image->records, records - 1, 0);
	}
	image->raw_low = 0;
	for (i = 1; i < 8; i++) { /* tables are aligned */
		image->raw_rows -= 1;
		CHECK(status_of(image, image->head.size) != PMUMAP_OK);
	}
	free(image);
}

static void zeroed(void)
{
	struct pmumap *nothing = calloc(1, sizeof(*nothing));
	uint32_t event, i, n = 0;
	uint64_t value = 7;
	struct pmumap_job job;
	struct pmumap_run run;

	test_now = "zeroed";
	for (event = 0; event < MODEL_EVENTS; event++)
		n += pmumap_counters(nothing, event) != 0 ||
		     pmumap_selector(nothing, event, &value);
	for (i = 0; i < 1000; i++)
		n += pmumap_raw_counters(nothing, i < 64 ? 1ull << i : random64()) != 0;
	CHECK_EQ(n, 0);
	CHECK_EQ(pmumap_raw_counters(nothing, 0), 0);
	CHECK_EQ(value, 7);
	CHECK_EQ(pmumap_size(nothing), 0);
	CHECK(!pmumap_event_next(nothing, 0, &run));
	CHECK(!pmumap_raw_at(nothing, 0, &value, &value, &i));
	CHECK(!pmumap_encode(nothing, 3, 0, PMUMAP_RULE_NONE, &value) && value == 7);
	CHECK_EQ(pmumap_plan(nothing, 3, 0, ~0u, 0, PMUMAP_RULE_ALWAYS, &job), PMUMAP_UNSUPPORTED);
	CHECK_EQ(pmumap_plan(nothing, 0x20000, 3, ~0u, 0, PMUMAP_RULE_ALWAYS, &job),
		 PMUMAP_UNSUPPORTED);
	free(nothing);
}

int main(void)
{
	CHECK(each_file(riscv_boards, image) >= 16);
	CHECK_EQ(each_file("build/boards/sifive-u74.dtb", every_change), 1);
	made(0, 0, "many ranges");
	made(200, 0xffffff, "one mask");
	made(200, 0, "200 masks");
	made(7, 0, "7 masks");
	orders();
	lows();
	zeroed();
	CHECK(answers != 0);
	return test_summary();
}
