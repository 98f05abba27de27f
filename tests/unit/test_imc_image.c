/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Foreign IMC images: rejected with the right status, or safe for all look-ups. Each is in a heap
 * block of its exact size, so that a sanitizer sees accesses outside.
 */
#include "imc_make.h"
#include "imc_support.h"

enum { HEAD = 120 }; /* bytes of the smallest image */

static uint32_t owned;         /* images whose events have strings of their own */
static uint32_t searched;      /* images without an index */
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

static uint64_t ask_imc_names(const struct pmumap_imc *map)
{
	static const char *const others[] = {
		"", "/", "A", "PM_", "mcs0/PM_A", "core_imc/CPM_INST/"
	};
	struct pmumap_imc_event e;
	uint64_t sum = 0;
	uint32_t i, nth;

	for (i = 0; i < 14; i++) {
		const char *name = i < 8 ? imc_names[i] : others[i - 8];
		const char *bare = strchr(name, '/');

		for (nth = 0; nth < 3; nth++) {
			uint32_t n = nth == 2 ? ~0u : nth;

			if (pmumap_imc_find(map, name, strlen(name), n, &e))
				sum += read_event(&e);
			if (bare && pmumap_imc_find(map, bare + 1, strlen(bare + 1), n, &e))
				sum += read_event(&e);
		}
	}
	return sum;
}

static uint64_t ask_imc_unit(const struct pmumap_imc *map, uint32_t i)
{
	struct pmumap_imc_unit unit = { 0 };
	struct pmumap_imc_event e = { 0 };
	uint64_t sum = 0, base = 0, phys = 0;
	uint32_t k, chip = 0;

	if (pmumap_imc_unit(map, i, &unit))
		sum += read_text(unit.name) + read_text(unit.prefix) + read_text(unit.scale) +
		       read_text(unit.measure) + unit.events;
	for (k = 0; k < 6; k++) {
		if (pmumap_imc_chip(map, i, k, &chip, &base))
			sum += base;
		sum += (uint64_t)pmumap_imc_control(map, i, chip, &phys);
		e.unit_index = i;
		if (pmumap_imc_event_at(map, i, k == 5 ? unit.events - 1 : k, &e))
			sum += read_event(&e);
		sum += (uint64_t)pmumap_imc_address(map, &e, chip, &phys) + phys;
		if (pmumap_imc_at(map, NULL, e.offset, k, &e))
			sum += read_event(&e);
		if (unit.name && pmumap_imc_at(map, unit.name, e.offset, k, &e))
			sum += read_event(&e);
	}
	return sum;
}

static uint64_t ask_imc(const struct pmumap_imc *map)
{
	struct pmumap_imc_event e;
	uint64_t sum = ask_imc_names(map);
	uint32_t i, count = 0;

	while (count < 5 && pmumap_imc_event_at(map, count, 0, &e))
		count++;
	for (i = 0; i < count; i++)
		sum += ask_imc_unit(map, i);
	sum += (uint64_t)pmumap_imc_at(map, "core", ~0u, 0, &e);
	sum += (uint64_t)pmumap_imc_at(map, "", 0, ~0u, &e);
	sum += (uint64_t)pmumap_imc_event_at(map, ~0u, ~0u, &e);
	return sum + pmumap_imc_names(map, &(int){ 0 });
}

/* Some names to look up, as UNIT/NAME. */
static void take_names(const struct pmumap_imc *map)
{
	struct pmumap_imc_event e;
	uint32_t unit, k, n = 0;

	memset(imc_names, 0, sizeof(imc_names));
	for (k = 0; k < 8; k++)
		for (unit = 0; unit < 8 && n < 8; unit++)
			if (pmumap_imc_event_at(map, unit, k, &e))
				snprintf(imc_names[n++], sizeof(imc_names[0]), "%s/%s%s", e.unit,
					 e.prefix, e.name);
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

/* Returns whether an image with another value in a word is accepted. */
static void with(struct pmumap_imc *image, uint32_t *word, uint32_t value, int good)
{
	uint32_t before = *word;
	enum pmumap_status status;

	*word = value;
	CHECK_EQ(refused(image, imc_head(image)[IMC_SIZE], &status), !good);
	CHECK(good || status == PMUMAP_E_IMAGE_TABLE);
	*word = before;
}

/* If events have strings of their own, there is a table of them: word 7 is its length. */
static void owns(const struct pmumap_imc *map)
{
	struct pmumap_imc *image = exact_copy(map, pmumap_imc_size(map));
	uint32_t *imc = imc_tables(image);

	if (imc[7]) {
		owned++;
		with(image, &imc[7], 0, 0);
	}
	free(image);
}

/* Words 0 to 11 are six tables with lengths; each must end within the image. */
static void ends(const struct pmumap_imc *map)
{
	struct pmumap_imc *image = exact_copy(map, pmumap_imc_size(map));
	uint32_t *imc = imc_tables(image), k;

	for (k = 0; k < 12; k += 2)
		with(image, &imc[k], imc_head(image)[IMC_SIZE], imc[k + 1] == 0);
	free(image);
}

/*
 * An index (word 13) relies on the length of prefixes, where 255 means unknown. It is in the last
 * of six words of a unit; word 0 locates the units, word 1 counts them.
 */
static void prefixes(const struct pmumap_imc *map)
{
	struct pmumap_imc *image = exact_copy(map, pmumap_imc_size(map));
	const uint32_t *imc = imc_tables(image);

	if (imc[1]) {
		uint32_t *unit = (void *)((char *)image + imc[0]);

		with(image, &unit[5], unit[5] | 0xff, imc[13] == 0 || unit[4] == 0);
	}
	free(image);
}

/* Every string ends within the strings, which words 10 and 11 locate; word 0 locates the units. */
static void strings(const struct pmumap_imc *map)
{
	static const struct {
		int from_end, by, good;
	} names[] = { { 0, 0, 1 }, { 0, -1, 0 }, { 1, -1, 1 }, { 1, 0, 0 }, { 1, 8, 0 } };
	size_t size = pmumap_imc_size(map), i;
	unsigned char *image = exact_copy(map, size);
	const uint32_t *imc = imc_tables((void *)image);
	uint32_t *name = (void *)(image + imc[0]), *prefix = name + 1, *kind = name + 5;
	unsigned char *last = image + imc[10] + imc[11] - 1;
	enum pmumap_status status;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		with((void *)image, name,
		     imc[10] + (names[i].from_end ? imc[11] : 0) + (uint32_t)names[i].by,
		     names[i].good);
	*prefix = imc[10] - 1; /* whose byte 1, the first of the strings, is a 0 */
	*kind = (*kind & ~0xffu) | 1;
	CHECK(refused(image, size, &status));
	memcpy(name, (const unsigned char *)map + imc[0], 24);
	*last = 'x';
	CHECK(refused(image, size, &status));
	*last = 0;
	CHECK(!refused(image, size, &status));
	free(image);
}

/* Tables longer than the image, and a unit whose events or class are outside of their tables. */
static void lengths(const struct pmumap_imc *map)
{
	struct pmumap_imc *image = exact_copy(map, pmumap_imc_size(map));
	uint32_t *imc = imc_tables(image), i;

	for (i = 1; i < 13; i += i < 11 ? 2 : 1)
		with(image, &imc[i], i == 12 ? imc[i] + 1 : 0x10000000, 0); /* names are counted */
	if (imc[1]) {
		uint32_t *unit = (void *)((char *)image + imc[0]);

		with(image, &unit[3], imc[5] + 1, 0);
		with(image, &unit[3], ~0u, 0);
		with(image, &unit[4], imc[5] - unit[3] + 1, 0);
		with(image, &unit[5], imc[3] << 8 | (unit[5] & 0xff), 0);
	}
	free(image);
}

/*
 * Words 20 to 22, if there, are tables of unit and event numbers; words 1 and 5 count units
 * and events. A chain leads to earlier prefixes.
 */
static void numbers(const struct pmumap_imc *map)
{
	struct pmumap_imc *image = exact_copy(map, pmumap_imc_size(map));
	const uint32_t *imc = imc_tables(image);
	uint32_t *number[3], i;

	if (imc[20] && imc[1] && imc[5]) {
		for (i = 0; i < 3; i++)
			number[i] = (void *)((char *)image + imc[20 + i]);
		with(image, number[0], imc[1] - 1, 1);
		with(image, number[0], imc[1], 0);
		with(image, number[1], ~0u, 1);
		with(image, number[1], 0, 0);
		with(image, number[1], 0x80000000, 0);
		with(image, number[2], imc[5] - 1, 1);
		with(image, number[2], imc[5], 0);
	}
	free(image);
}

/*
 * Words 16 and 18: the index has homes, and its slots are in bounds; units begin at a bit. A slot
 * names an event that there is, or nothing.
 */
static void index_bits(const struct pmumap_imc *map)
{
	struct pmumap_imc *image = exact_copy(map, pmumap_imc_size(map));
	uint32_t *imc = imc_tables(image), *slots = (void *)((char *)image + imc[13]), i;

	if (imc[13]) {
		with(image, &imc[16], 0, 0);
		with(image, &imc[16], ~0u, 0);
		with(image, &imc[16], ~0u - 6, 0);
		with(image, &imc[16], 0x20000000, 0);
		with(image, &imc[18], 32, 0);
		with(image, &imc[18], ~0u, 0);
		for (i = 0; i < imc[16] + 7; i++) {
			if (slots[i] % 128 == 0)
				continue;
			with(image, &slots[i], slots[i] | 0xfffff000, 0);
			with(image, &slots[i], slots[i] & ~127u, 1);
		}
	}
	free(image);
}

/* Equal tags do not make equal names: with any tags, no other text is found. */
static void tags(const struct pmumap_imc *map)
{
	char text[128];
	size_t size = pmumap_imc_size(map), len;
	unsigned char *image = exact_copy(map, size);
	uint32_t *imc = imc_tables((void *)image), *slots, i, round, found = 0;
	const struct pmumap_imc *opened;
	struct pmumap_imc_event e;

	if (imc[13]) {
		slots = (void *)(image + imc[13]);
		memset(text, 1, sizeof(text));
		for (round = 0; round < 32; round++) {
			for (i = 0; i < imc[16] + 7; i++)
				slots[i] = (slots[i] & ~(31u << 7)) | round << 7;
			CHECK_EQ(pmumap_imc_open(image, size, &opened), PMUMAP_OK);
			for (len = 0; len <= sizeof(text); len++)
				found += (uint32_t)pmumap_imc_find((void *)image, text, len, 0, &e);
		}
		CHECK_EQ(found, 0);
	}
	free(image);
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
			uint32_t words[5] = { rows[i].magic, rows[i].version, HEAD, 0, 1 };
			void *image = exact_copy(words, bytes);

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
	head[IMC_SIZE] += 8;
	CHECK(refused(image, size, &status));
	CHECK_EQ(status, PMUMAP_E_IMAGE_SIZE);
	for (i = 0; i < HEAD; i += 8) {
		head[IMC_SIZE] = i ? i : (uint32_t)size - 1;
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

/* A tree's map with its index of names, or with a name too long for an index. */
static struct pmumap_imc *map_of(const unsigned char *fdt, size_t size, uint32_t flags,
				 int no_index)
{
	struct pmumap_imc_options opt = { .flags = flags };
	enum pmumap_status status;
	unsigned char *other;
	struct pmumap_imc *map;

	if (!no_index)
		return imc_build(fdt, size, &opt, &status);
	other = with_long_name(fdt, &size);
	map = imc_build(other, size, &opt, &status);
	free(other);
	if (map)
		drop_index(map);
	return map;
}

static void image_with(const unsigned char *fdt, size_t fdt_size, uint32_t flags, int no_index)
{
	struct pmumap_imc *map = map_of(fdt, fdt_size, flags, no_index);
	enum pmumap_status status;
	int small;

	if (!CHECK(map))
		return;
	small = pmumap_imc_size(map) < 1024;
	searched += !imc_tables(map)[13];
	CHECK_EQ(imc_tables(map)[13] == 0, no_index);
	take_names(map);
	CHECK(!refused(map, pmumap_imc_size(map), &status));
	truncations(map);
	longer(map);
	changes(map, quick(small ? 1 : 5, 37));
	scramble(map, quick(small ? 10000 : 5000, 300));
	owns(map);
	strings(map);
	numbers(map);
	lengths(map);
	index_bits(map);
	prefixes(map);
	tags(map);
	ends(map);
	statuses(map);
	free(map);
}

static void image(const unsigned char *fdt, size_t fdt_size)
{
	image_with(fdt, fdt_size, 0, 0);
	image_with(fdt, fdt_size, PMUMAP_DESC, 1);
}

/* Every value of every byte. */
static void every_change(const unsigned char *fdt, size_t fdt_size)
{
	uint32_t no_index, bad = 0, opened = 0, value;
	enum pmumap_status status;

	for (no_index = 0; no_index < 2; no_index++) {
		struct pmumap_imc *map = map_of(fdt, fdt_size, 0, (int)no_index);
		size_t size = map ? pmumap_imc_size(map) : 0, at;
		unsigned char *image = exact_copy(map, size);

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
	}
	CHECK_EQ(bad, 0);
	CHECK(opened > 0);
}

/* An empty map is the smallest image and has no answers. */
static void nothing(void)
{
	struct pmumap_imc_builder b;
	const struct pmumap_imc *map = NULL, *opened = NULL;
	struct pmumap_imc_unit unit;
	struct pmumap_imc_event e = { 0 };
	static uint64_t block[64];
	uint64_t value = 7;
	uint32_t chip = 7;
	void *image;

	test_now = "nothing";
	pmumap_imc_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
	if (!CHECK(map))
		return;
	image = exact_copy(map, pmumap_imc_size(map));
	CHECK_EQ(pmumap_imc_open(image, pmumap_imc_size(map), &opened), PMUMAP_OK);
	answers += ask(opened);
	CHECK(!pmumap_imc_unit(opened, 0, &unit) && !pmumap_imc_event_at(opened, 0, 0, &e));
	CHECK(!pmumap_imc_find(opened, "A", 1, 0, &e) && !pmumap_imc_at(opened, NULL, 0, 0, &e));
	CHECK(!pmumap_imc_chip(opened, 0, 0, &chip, &value) && value == 7 && chip == 7);
	CHECK(!pmumap_imc_control(opened, 0, 0, &value) && value == 7);
	CHECK(!pmumap_imc_address(opened, &e, 0, &value) && value == 7);
	CHECK_EQ(pmumap_imc_names(opened, &(int){ 7 }), 0);
	free(image);
}

int main(void)
{
	CHECK_EQ(each_file("build/boards/imc-*.dtb", image), 19);
	CHECK_EQ(each_file("build/boards/imc-same-name.dtb", every_change), 1);
	CHECK_EQ(each_file("build/boards/imc-doc-names.dtb", every_change), 1);
	test_now = "heads";
	heads();
	nothing();
	CHECK(answers != 0 && owned > 0 && searched > 0);
	return test_summary();
}
