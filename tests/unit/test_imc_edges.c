/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Edge cases that few maps, images and texts of IMC show: places with few counters in any order,
 * bytes below the digits, tables that end after an image, names chosen to collide.
 */
#include "imc_calls.h"

static struct findings findings;

enum { MOST_UNITS = 6, ROOM = 1 << 17 };

static uint32_t units_made;
static struct {
	char name[24], prefix[24];
	uint32_t window;
	const char *events[4]; /* a list of its own, from offset reg on; up to a NULL */
	uint32_t reg;
} made[MOST_UNITS];

enum { NO_INDEX = 1, FOUND = 2 };

/*
 * Nest units in a block of ROOM bytes, each with its own list. NO_INDEX: names are searched. FOUND:
 * findings for the same units as a tree.
 */
static struct pmumap_imc *build(int how)
{
	struct pmumap_imc_unit u = { .type = IMC_NEST, .size = 0x100 };
	struct pmumap_imc_event e = { 0 };
	const struct pmumap_imc *map = NULL;
	struct pmumap_imc_builder b;
	uint32_t i, k;

	pmumap_imc_begin(&b, exact(ROOM), ROOM);
	imc_forget();
	for (i = 0; i < units_made; i++) {
		call_list(&b, i + 1);
		for (k = 0; k < 4 && made[i].events[k]; k++) {
			e.name = made[i].events[k];
			e.offset = made[i].reg + 8 * k;
			call_event(&b, &e);
		}
		u.name = made[i].name;
		u.prefix = made[i].prefix;
		u.offset = made[i].window;
		call_unit(&b, i + 1, &u);
	}
	if (how & FOUND)
		CHECK_EQ(findings_of_calls(&findings, ROOM), PMUMAP_OK);
	if (how & NO_INDEX)
		add_long_name(&b);
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
	if (how & NO_INDEX)
		drop_index((struct pmumap_imc *)(uintptr_t)map);
	return (struct pmumap_imc *)(uintptr_t)map;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Expected finding about the place of unit i: the other unit, or NO_ROW. *clash: names differ. */
static uint32_t shared_with(uint32_t i, int *clash)
{
	uint32_t k, other = MODEL_NO_ROW;

	*clash = 0;
	for (k = 0; k < units_made; k++) {
		if (made[k].window != made[i].window || made[k].reg != made[i].reg || k == i)
			continue;
		if (k < i)
			return MODEL_NO_ROW; /* the first one of a place counts */
		if (strcmp(made[k].events[0], made[i].events[0]) && !*clash) {
			*clash = 1;
			other = k;
		}
		if (other == MODEL_NO_ROW)
			other = k;
	}
	return other;
}

/* One event in each unit: which of them share a place, in any order. */
static void check_places(void)
{
	uint32_t i, k, other, said = 0, want = 0, found = 0;
	int clash;

	free(build(FOUND));
	for (k = 0; k < findings.n; k++)
		said += !strncmp(findings.at[k].code, "offset-", 7);
	for (i = 0; i < units_made; i++) {
		other = shared_with(i, &clash);
		if (other == MODEL_NO_ROW)
			continue;
		want++;
		for (k = 0; k < findings.n; k++)
			found += !strcmp(findings.at[k].code,
					 clash ? "offset-clash" : "offset-alias") &&
				 findings.at[k].row == other && findings.at[k].other == i &&
				 findings.at[k].value == made[i].reg;
	}
	CHECK(said == want && found == want);
}

static void place(uint32_t i, uint32_t kind)
{
	made[i].events[0] = kind & 1 ? "B" : "A";
	made[i].events[1] = NULL;
	made[i].window = kind & 2 ? 0x1000 : 0x2000;
	made[i].reg = 8 * (kind >> 2);
}

static void places(void)
{
	uint32_t i, k, kinds;

	test_now = "places";
	for (i = 0; i < MOST_UNITS; i++) {
		snprintf(made[i].name, sizeof(made[i].name), "u%u", (unsigned)i);
		made[i].prefix[0] = 0;
	}
	units_made = 3;
	for (k = 0; k < 12 * 12 * 12; k++) {
		for (i = 0, kinds = k; i < 3; i++, kinds /= 12)
			place(i, kinds % 12);
		check_places();
	}
	for (k = 0; k < 1000; k++) {
		units_made = 4 + k % 3;
		for (i = 0; i < units_made; i++)
			place(i, random_below(12));
		check_places();
	}
}

/* The same name at one place in two units: an alias of any length, because the string is shared. */
static void long_alias(void)
{
	char name[400];
	uint32_t bytes, k, aliases;

	test_now = "a long alias";
	memset(made, 0, sizeof(made));
	units_made = 2;
	for (bytes = 250; bytes < 400; bytes += 5) {
		memset(name, 'A', bytes);
		name[bytes] = 0;
		for (k = 0; k < 2; k++) {
			place(k, 0);
			made[k].name[0] = (char)('u' + k);
			made[k].events[0] = name;
		}
		free(build(FOUND));
		for (k = aliases = 0; k < findings.n; k++)
			aliases += !strcmp(findings.at[k].code, "offset-alias");
		CHECK_EQ(aliases, 1);
	}
}

/* ---- texts ----------------------------------------------------------------------------------- */

/*
 * UNIT/NAME with bytes that are neither digits nor letters; and missing texts, compared to their
 * end.
 */
static void texts(void)
{
	static const int bytes[] = { '!', '/' + 1, 'x', 0x7f, 0x80, 0xa0, 0xaf, 0xb0, 0xff };
	char name[16], text[40], *copy;
	struct pmumap_imc_event e;
	uint32_t i, unit, n;
	size_t len;

	test_now = "texts";
	units_made = 1;
	made[0].prefix[0] = 0;
	made[0].events[0] = name;
	made[0].events[1] = NULL;
	for (i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
		for (unit = 1; unit < 12; unit++)
			for (n = 1; n < 12; n++) {
				struct pmumap_imc *map;

				memset(made[0].name, bytes[i], unit);
				memset(name, bytes[i], n);
				made[0].name[unit] = name[n] = 0;
				map = build(0);
				len = (size_t)sprintf(text, "%s/%s", made[0].name, name);
				copy = exact_copy(text, len);
				CHECK(pmumap_imc_find(map, copy, len, 0, &e));
				CHECK(!pmumap_imc_find(map, copy, len, 1, &e));
				free(copy);
				memset(text, 'z', sizeof(text));
				copy = exact_copy(text, unit + n);
				CHECK(!pmumap_imc_find(map, copy, unit + n, 0, &e));
				free(copy);
				free(map);
			}
}

/* Names that differ only after a word that begins with byte 1, in descending order. */
static void words_of_one(void)
{
	static const char *const names[] = { "\1 words_C", "\1 words_B", "\1 words_A" };
	struct pmumap_imc_event e;
	struct pmumap_imc *map;
	uint32_t i;

	test_now = "words of one";
	memset(made, 0, sizeof(made));
	units_made = 1;
	strcpy(made[0].name, "u");
	for (i = 0; i < 3; i++)
		made[0].events[i] = names[i];
	map = build(NO_INDEX);
	for (i = 0; i < 3; i++) {
		CHECK(pmumap_imc_find(map, names[i], 8, 0, &e) == 0);
		CHECK(pmumap_imc_find(map, names[i], 9, 0, &e) && e.offset == 8 * i);
	}
	free(map);
}

/* ---- images ---------------------------------------------------------------------------------- */

/* Two units with one event and four, so some event numbers exist only in the second. */
static struct pmumap_imc *two_units(void)
{
	memset(made, 0, sizeof(made));
	units_made = 2;
	strcpy(made[0].name, "u");
	strcpy(made[1].name, "v");
	made[0].events[0] = made[1].events[0] = "A";
	made[1].events[1] = "B";
	made[1].events[2] = "C";
	made[1].events[3] = "D";
	return build(0);
}

/* Names that would share a home: with every key that is in one factor only, or with a known key. */
enum { CHOSEN = 120 };
static char chosen[CHOSEN][17];

/* The key of a map in which each has a slot. */
static uint64_t key_of_chosen(void)
{
	struct pmumap_imc_event e = { 0 };
	const struct pmumap_imc_unit u = { .name = "u", .type = IMC_CORE };
	const struct pmumap_imc *map = NULL;
	struct pmumap_imc_builder b;
	void *block = exact(1 << 16);
	uint64_t key = 0;
	uint32_t i;

	pmumap_imc_begin(&b, block, 1 << 16);
	CHECK_EQ(pmumap_imc_add_list(&b, 1), PMUMAP_OK);
	for (i = 0; i < CHOSEN; i++) {
		e.name = chosen[i];
		e.offset = 8 * i;
		CHECK_EQ(pmumap_imc_add_event(&b, &e), PMUMAP_OK);
	}
	CHECK_EQ(pmumap_imc_add_unit(&b, 1, &u), PMUMAP_OK);
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
	for (i = 0; map && i < CHOSEN; i++)
		CHECK(pmumap_imc_find(map, chosen[i], strlen(chosen[i]), 0, &e) &&
		      e.offset == 8 * i);
	CHECK(map && imc_tables(map)[13] && !imc_tables(map)[20]);
	if (map)
		memcpy(&key, imc_tables(map) + 14, sizeof(key));
	free(block);
	return key;
}

static void chosen_names(void)
{
	uint64_t key;
	uint32_t i, k, round;

	test_now = "chosen names";
	for (i = 0; i < CHOSEN; i++) {
		memset(chosen[i], 1, 14);
		chosen[i][0] = (char)(2 * i + 2);
		chosen[i][14] = (char)0x8f;
	}
	for (round = 0; round < 8; round++) {
		key = key_of_chosen();
		for (i = 0; i < CHOSEN; i++) {
			put_key(chosen[i], key * (1 + i % 8)); /* and other tries */
			for (k = 0; k < 8; k++) {
				if (!chosen[i][k])
					chosen[i][k] = 1;
			}
			snprintf(chosen[i] + 8, 9, "%08x", (unsigned)i);
		}
	}
}

/* Returns whether a string of so many bytes ends inside the strings: words 10 and 11. */
static int ends_inside(const struct pmumap_imc *map, uint32_t at, uint32_t bytes)
{
	const uint32_t *imc = imc_tables(map);

	return at - imc[10] + bytes < imc[11] && ((const char *)map)[at + bytes] == 0;
}

/*
 * Strings at the end of an image: whatever the length in a slot, nothing past them is read, and a
 * slot is accepted if its name can end there.
 */
static void each_length(void)
{
	struct pmumap_imc *map = two_units();
	const uint32_t *old = imc_tables(map);
	uint32_t size = (uint32_t)pmumap_imc_size(map), by = size - old[10], i, bytes;
	uint32_t all = size + old[11];
	struct pmumap_imc *image = memset(exact(all), 0, all);
	uint32_t *imc = imc_tables(image);
	uint32_t *unit = (uint32_t *)(void *)((char *)image + old[0]);
	uint32_t *event = (uint32_t *)(void *)((char *)image + old[4]);
	uint32_t *slots = (uint32_t *)(void *)((char *)image + old[13]);
	const struct pmumap_imc *opened;
	uint32_t seen = 0;

	test_now = "each length";
	CHECK_EQ(all % 8, 0);
	memcpy(image, map, size);
	memcpy((char *)image + size, (char *)map + old[10], old[11]);
	imc_head(image)[IMC_SIZE] = all;
	imc[10] = size;
	for (i = 0; i < 2; i++) {
		unit[6 * i] += by;
		unit[6 * i + 1] += by;
	}
	for (i = 0; i < imc[5]; i++)
		event[2 * i] += by;
	CHECK_EQ(pmumap_imc_open(image, all, &opened), PMUMAP_OK);
	for (i = 0; i < imc[16] + 7; i++) {
		uint32_t slot = slots[i], number = slot >> 12;
		uint32_t of = unit[6 * (number >> imc[18]) + 3] + (number & imc[23]);

		seen += slot != 0;
		for (bytes = 0; slot && bytes < 128; bytes++) {
			slots[i] = (slot & ~127u) | bytes;
			CHECK_EQ(pmumap_imc_open(image, all, &opened) == PMUMAP_OK,
				 bytes == 0 || ends_inside(image, event[2 * of], bytes));
		}
		slots[i] = slot;
	}
	CHECK_EQ(seen, 5);
	free(image);
	free(map);
}

/* Order of offsets (word 24) and index (word 13) must name events that their units have. */
static void events_of_units(void)
{
	struct pmumap_imc *map = two_units();
	uint32_t *imc = imc_tables(map), event;
	uint16_t *places = (uint16_t *)(void *)((char *)map + imc[24]);
	uint32_t *slots = (uint32_t *)(void *)((char *)map + imc[13]);
	const struct pmumap_imc *opened;

	test_now = "events of units";
	CHECK(imc[13] && imc[24] && imc[18] == 2 && imc[23] == 3);
	for (event = 0; event < 4; event++) {
		uint16_t place = places[0];
		uint32_t slot = slots[0];

		places[0] = (uint16_t)event; /* of unit 0 */
		CHECK_EQ(pmumap_imc_open(map, pmumap_imc_size(map), &opened),
			 event ? PMUMAP_E_IMAGE_TABLE : PMUMAP_OK);
		places[0] = place;
		slots[0] = event << 12 | 1; /* of unit 0, with one letter */
		CHECK_EQ(pmumap_imc_open(map, pmumap_imc_size(map), &opened),
			 event ? PMUMAP_E_IMAGE_TABLE : PMUMAP_OK);
		slots[0] = slot;
	}
	free(map);
}

/* Strings (words 10 and 11) that end with the image: a prefix is not read past it. */
static void prefix_at_end(void)
{
	struct pmumap_imc *map = two_units();
	uint32_t size = (uint32_t)pmumap_imc_size(map), bytes;
	unsigned char *image = exact_copy(map, size);
	uint32_t *imc = imc_tables((void *)image);
	uint32_t *unit = (uint32_t *)(void *)(image + imc[0]);
	const struct pmumap_imc *opened;

	test_now = "a prefix at the end";
	imc[10] = size - 8;
	imc[11] = 8;
	image[size - 1] = 0;
	unit[0] = unit[1] = size - 1;
	for (bytes = 0; bytes < 255; bytes++) {
		unit[5] = (unit[5] & ~0xffu) | bytes;
		CHECK_EQ(pmumap_imc_open(image, size, &opened), PMUMAP_E_IMAGE_TABLE);
	}
	free(image);
	free(map);
}

/* ---- size ------------------------------------------------------------------------------------ */

/* The order of offsets takes 4 bytes per name if 2 do not suffice, plus an eighth. */
static void wide_order(void)
{
	enum { EVENTS = 300, UNITS = 300, NAMES = EVENTS + UNITS };
	struct pmumap_imc_unit u = { .name = "u", .type = IMC_CORE };
	struct pmumap_imc_event e = { .name = "A" }, found;
	const struct pmumap_imc *map = NULL;
	struct pmumap_imc_builder b;
	void *block = exact(ROOM);
	uint32_t i, round;
	size_t size;

	test_now = "a wide order of offsets";
	pmumap_imc_begin(&b, block, ROOM);
	add_long_name(&b);
	pmumap_imc_add_list(&b, 1);
	for (i = 0; i < EVENTS; i++, e.offset += 8)
		pmumap_imc_add_event(&b, &e);
	pmumap_imc_add_list(&b, 2);
	pmumap_imc_add_event(&b, &e);
	for (i = 0; i <= UNITS; i++)
		pmumap_imc_add_unit(&b, i ? 2 : 1, &u);
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
	for (round = 0; map && round < 2; round++) {
		for (i = 0; i < EVENTS; i++)
			CHECK(pmumap_imc_at(map, NULL, 8 * i, 0, &found) && found.unit_index == 1 &&
			      found.offset == 8 * i);
		if (round)
			break;
		/*
		 * Buckets, then the order, which is the last table: no byte of it may be missing.
		 */
		size = pmumap_imc_size(map);
		i = (uint32_t)size - imc_tables(map)[25];
		CHECK(i > (NAMES + 1) * 4 && i <= (NAMES + 1 + NAMES / 8 + 2) * 4 + 16);
		imc_head(map)[IMC_SIZE] -= 8;
		CHECK_EQ(pmumap_imc_open(block, size - 8, &map), PMUMAP_E_IMAGE_TABLE);
		map = block;
		imc_head(map)[IMC_SIZE] += 8;
		drop_offsets(block);
		CHECK_EQ(pmumap_imc_open(block, size, &map), PMUMAP_OK);
	}
	free(block);
}

/*
 * So many units, and so many events in one, that 32 bits cannot number both: offsets are searched.
 */
static void no_numbers(void)
{
	enum { MANY = 0x8001 };
	struct pmumap_imc_unit u = { .name = "u", .type = IMC_CORE };
	struct pmumap_imc_event e = { .name = "A" };
	const struct pmumap_imc *map = NULL;
	struct pmumap_imc_builder b;
	void *block = exact(1 << 24);
	uint32_t i, bad = 0;

	test_now = "no numbers";
	pmumap_imc_begin(&b, block, 1 << 24);
	pmumap_imc_add_list(&b, 1);
	for (i = 0; i < MANY; i++, e.offset += 8)
		pmumap_imc_add_event(&b, &e);
	pmumap_imc_add_list(&b, 2);
	e.offset = 8;
	pmumap_imc_add_event(&b, &e);
	for (i = 0; i <= MANY; i++)
		pmumap_imc_add_unit(&b, i ? 2 : 1, &u);
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
	for (i = 0; map && i < MANY; i++)
		bad += !pmumap_imc_at(map, NULL, 8 * i, 0, &e) || e.unit_index || e.offset != 8 * i;
	for (i = 0; map && i < MANY; i += 101)
		bad += !pmumap_imc_at(map, NULL, 8, i, &e) || e.unit_index != i || e.offset != 8;
	CHECK_EQ(bad, 0);
	free(block);
}

int main(void)
{
	places();
	long_alias();
	texts();
	words_of_one();
	chosen_names();
	each_length();
	events_of_units();
	prefix_at_end();
	wide_order();
	no_numbers();
	return test_summary();
}
