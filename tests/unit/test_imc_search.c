/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names without an index: few names, prefixes and unit names, so that all combine; shared lists,
 * and windows that leave events out. Each match is compared with a walk over all units. Then images
 * with arbitrary orders: a match must still have the right name.
 */
#include "imc_calls.h"

enum { LISTS = 4, EVENTS = 6, UNITS = 12 };

static const char *const letters[] = { "", "A", "AA", "AB", "B", "BA", "ABA" };
static const char *const nodes[] = { "u", "u@1", "v", "uv", "c@2", "@3" };

static struct {
	const char *name, *prefix;
	uint32_t list, reg, size; /* list: LISTS is none */
} units[UNITS];

static struct {
	const char *name;
	uint32_t reg;
} events[LISTS][EVENTS];

static void choose(void)
{
	uint32_t i, k;

	for (i = 0; i < LISTS; i++)
		for (k = 0; k < EVENTS; k++) {
			events[i][k].name = letters[1 + random_below(6)];
			events[i][k].reg = 8 * random_below(6);
		}
	for (i = 0; i < UNITS; i++) {
		units[i].name = nodes[random_below(6)];
		units[i].prefix = letters[random_below(4)];
		units[i].list = random_below(LISTS + 1);
		units[i].reg = random_below(3) ? 0 : 8;
		units[i].size = random_below(3) ? 8 * random_below(8) : 0;
	}
}

enum { NO_INDEX = 1, BOTH };

static struct findings findings;

/* Everything in this many bytes; *need is the required size. NULL if they are too few. */
static struct pmumap_imc *build_in(int how, size_t bytes, size_t *need)
{
	struct pmumap_imc_builder b;
	const struct pmumap_imc *map = NULL;
	struct pmumap_imc_event e;
	struct pmumap_imc_unit u;
	void *block = exact(bytes);
	uint32_t i, k;

	pmumap_imc_begin(&b, block, bytes);
	imc_forget();
	memset(&e, 0, sizeof(e));
	memset(&u, 0, sizeof(u));
	for (i = 0; i < LISTS; i++) {
		call_list(&b, i + 1);
		for (k = 0; k < EVENTS; k++) {
			e.name = events[i][k].name;
			e.offset = events[i][k].reg;
			call_event(&b, &e);
		}
	}
	for (i = 0; i < UNITS; i++) {
		u.name = units[i].name;
		u.prefix = units[i].prefix;
		u.type = PMUMAP_IMC_NEST;
		u.reg = units[i].reg;
		u.size = units[i].size;
		u.control = 0x1000;
		call_unit(&b, units[i].list + 1, &u);
	}
	if (how) {
		/* And an even number of each, like the tables whose ends any_orders() moves. */
		add_long_name(&b);
		e.name = "L";
		e.offset = 0x7f000008;
		pmumap_imc_add_event(&b, &e);
		pmumap_imc_add_unit(&b, 0, &u);
	}
	*need = pmumap_imc_need(&b);
	CHECK_EQ(pmumap_imc_finish(&b, &map), map ? PMUMAP_OK : PMUMAP_E_NOSPACE);
	if (!map)
		free(block);
	else if (how == NO_INDEX)
		drop_index(block);
	return (struct pmumap_imc *)(uintptr_t)map;
}

static struct pmumap_imc *build(int how)
{
	size_t need, bytes = 1 << 14;
	struct pmumap_imc *map = build_in(how, bytes, &need);

	CHECK(map != NULL && need <= bytes);
	return map;
}

/* A map of the calls' tree in this many bytes, with or without findings; or NULL. */
static struct pmumap_imc *tree_in(const unsigned char *fdt, size_t size, size_t bytes, int checked)
{
	struct pmumap_imc_options opt = { .check = checked ? pmumap_imc_check : NULL,
					  .report = collect,
					  .arg = &findings };
	const struct pmumap_imc *map = NULL;
	void *block = exact(bytes);

	findings.n = 0;
	if (pmumap_imc_fdt_build(fdt, size, &opt, block, bytes, &map) != PMUMAP_OK)
		free(block);
	return (struct pmumap_imc *)(uintptr_t)map;
}

/*
 * pmumap_imc_need() bytes suffice for everything, fewer give no map. Requesting findings does not
 * change the map, in a block of any size.
 */
static void little_room(int how)
{
	size_t need, all, bytes, size;
	struct pmumap_imc *map = build_in(how, 1 << 14, &all), *told;
	unsigned char *fdt;

	if (!map)
		return;
	CHECK(pmumap_imc_size(map) <= all && imc_tables(map)[24]);
	free(map);
	for (bytes = all; bytes > 64; bytes -= 8) {
		map = build_in(how, bytes, &need);
		if (!map)
			break;
		CHECK(pmumap_imc_size(map) <= bytes);
		CHECK(bytes < all || imc_tables(map)[24]);
		free(map);
	}
	CHECK(bytes < all);
	fdt = tree_of_calls(&size);
	for (bytes = all + 4096; bytes > 64; bytes -= 8) {
		map = tree_in(fdt, size, bytes, 0);
		told = tree_in(fdt, size, bytes, 1);
		CHECK_EQ(told != NULL, map != NULL);
		if (!map || !told)
			break;
		CHECK(same_imc_image(map, told));
		free(told);
		free(map);
	}
	free(fdt);
}

/*
 * 17 units share 270 events. Comparing all places of that many names takes more room than their
 * entries had. A block with just that room, or less, does not change the map.
 */
static void told_alike(void)
{
	struct pmumap_imc *map, *told;
	size_t need = 0, more, size;
	unsigned char *fdt;
	uint32_t k;

	test_now = "findings in little room";
	start(1 << 16);
	begin("");
	root("imc");
	list(1);
	for (k = 0; k < 270; k++)
		event("A", 8 * k);
	end();
	for (k = 0; k < 17; k++) {
		unit("u", "", PMUMAP_IMC_NEST, 0, 1);
		cell("offset", 8);
		end();
	}
	fdt = finish(&size);
	need = imc_least_block(fdt, size, NULL);
	for (more = 0; more <= 16384; more += more < 1024 ? 4 : 64) {
		map = tree_in(fdt, size, need + more, 0);
		told = tree_in(fdt, size, need + more, 1);
		CHECK(map && told && same_imc_image(map, told));
		free(map);
		free(told);
	}
	free(fdt);
}

/*
 * As many names as an order of offsets can have, with minimal strings, in exactly the needed bytes:
 * nothing is written past them.
 */
static void most_names(uint32_t n_units, uint32_t n_events)
{
	enum { GUARD = 4096 };
	struct pmumap_imc_unit u = { .name = "u", .type = PMUMAP_IMC_CORE };
	struct pmumap_imc_event e = { .name = "A" };
	const struct pmumap_imc *map = NULL;
	unsigned char *block = NULL;
	size_t bytes = 0, i;
	uint32_t k;

	for (;;) {
		struct pmumap_imc_builder b;

		pmumap_imc_begin(&b, block, bytes);
		pmumap_imc_add_list(&b, 1);
		for (k = 0; k < n_events; k++, e.offset += 8)
			pmumap_imc_add_event(&b, &e);
		for (k = 0; k < n_units; k++)
			pmumap_imc_add_unit(&b, 1, &u);
		CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
		if (block)
			break;
		bytes = pmumap_imc_need(&b);
		block = memset(exact(bytes + GUARD), 0xa5, bytes + GUARD);
	}
	CHECK(map && imc_tables(map)[24]);
	for (i = bytes; i < bytes + GUARD && block[i] == 0xa5;)
		i++;
	CHECK_EQ(i, bytes + GUARD);
	free(block);
}

/* Returns whether a unit may be spelled so; other tests cover Linux's spellings. */
static int spelled(const char *node, const char *unit)
{
	return !unit || !strcmp(node, unit) ||
	       (!strncmp(node, unit, strlen(unit)) && node[strlen(unit)] == '@');
}

/*
 * The nth match of a name: longer prefixes first, then units, then offsets. Returns the unit or
 * UNITS, and its offset.
 */
static uint32_t expect(const char *unit, const char *name, uint32_t nth, uint32_t *offset)
{
	size_t prefix;
	uint32_t i, k, reg;

	for (prefix = 4; prefix-- > 0;)
		for (i = 0; i < UNITS; i++) {
			if (strlen(units[i].prefix) != prefix || units[i].list == LISTS ||
			    strncmp(name, units[i].prefix, prefix) || !spelled(units[i].name, unit))
				continue;
			for (reg = 0; reg < 48; reg += 8)
				for (k = 0; k < EVENTS; k++) {
					*offset = units[i].reg + reg;
					if (events[units[i].list][k].reg == reg &&
					    !strcmp(events[units[i].list][k].name, name + prefix) &&
					    (!units[i].size || *offset + 8 <= units[i].size) &&
					    nth-- == 0)
						return i;
				}
		}
	return UNITS;
}

static void ask(const struct pmumap_imc *map, const char *unit, const char *name)
{
	struct pmumap_imc_event e;
	uint32_t nth, want = 0, offset = 0;
	char text[32];
	int found;

	snprintf(text, sizeof(text), "%s%s%s", unit ? unit : "", unit ? "/" : "", name);
	for (nth = 0; nth == 0 || want < UNITS; nth++) {
		want = expect(unit, name, nth, &offset);
		found = pmumap_imc_find(map, text, strlen(text), nth, &e);
		CHECK_EQ(found, want < UNITS);
		if (found && want < UNITS)
			CHECK(e.unit_index == want && e.offset == offset &&
			      !strcmp(e.prefix, units[want].prefix));
	}
	CHECK(!pmumap_imc_find(map, text, strlen(text), nth + 1, &e));
	CHECK(!pmumap_imc_find(map, text, strlen(text), 0xffffffff, &e));
}

static void ask_all(const struct pmumap_imc *map)
{
	static const char *const spellings[] = { NULL, "u", "u@1", "v", "w" };
	char name[16];
	size_t i, k, n;

	for (n = 0; n < 5; n++)
		for (i = 0; i < 4; i++)
			for (k = 1; k < 7; k++) {
				snprintf(name, sizeof(name), "%s%s", letters[i], letters[k]);
				ask(map, spellings[n], name);
			}
	ask(map, NULL, "C");
	ask(map, "u", "");
}

/* Offsets by the same walk: counts all matches of an offset, unit by unit. */
static void ask_offsets(const struct pmumap_imc *map)
{
	static const char *const spellings[] = { NULL, "u", "c", "" };
	struct pmumap_imc_event e;
	uint32_t i, k, offset, nth;
	size_t n;

	for (n = 0; n < 4; n++)
		for (offset = 0; offset < 64; offset += 4) {
			for (nth = i = 0; i < UNITS; i++)
				for (k = 0; k < EVENTS; k++) {
					if (units[i].list == LISTS || offset < units[i].reg ||
					    events[units[i].list][k].reg != offset - units[i].reg ||
					    (units[i].size && offset + 8 > units[i].size) ||
					    !spelled(units[i].name, spellings[n]))
						continue;
					CHECK(pmumap_imc_at(map, spellings[n], offset, nth++, &e) &&
					      e.unit_index == i && e.offset == offset);
				}
			CHECK(!pmumap_imc_at(map, spellings[n], offset, nth, &e));
		}
}

/* Returns whether a unit has an event with this name, as a string of the map. */
static int has_event(const struct pmumap_imc *map, const struct pmumap_imc_event *e)
{
	struct pmumap_imc_event own;
	uint32_t i;

	for (i = 0; pmumap_imc_event_at(map, e->unit_index, i, &own); i++)
		if (own.name == e->name && own.offset == e->offset)
			return 1;
	return 0;
}

/*
 * Arbitrary numbers in orders and rows: nothing outside is read, and a match has the right name and
 * an event of its unit. One of the orders is last in the image, which ends with the block.
 */
static void any_orders(const struct pmumap_imc *from, uint32_t last)
{
	const uint32_t *old = imc_tables(from), size = (uint32_t)pmumap_imc_size(from);
	uint32_t bytes = 4 * old[last == 22 ? 5 : 1], names = 0, i, k;
	struct pmumap_imc *map = exact(size + bytes);
	uint32_t *part = imc_tables(map);
	uint32_t *by_prefix, *chain, *by_name, *unit, *event;
	const struct pmumap_imc *opened;
	struct pmumap_imc_event e;

	CHECK_EQ(bytes % 8, 0);
	memcpy(map, from, size);
	imc_head(map)[IMC_SIZE] += bytes;
	part[last] = size;
	unit = (uint32_t *)(void *)((char *)map + part[0]);
	event = (uint32_t *)(void *)((char *)map + part[4]);
	by_prefix = (uint32_t *)(void *)((char *)map + part[20]);
	chain = (uint32_t *)(void *)((char *)map + part[21]);
	by_name = (uint32_t *)(void *)((char *)map + part[22]);
	for (i = 0; i < part[1]; i++) {
		by_prefix[i] = random_below(part[1]);
		chain[i] = i && random_below(4)
				   ? (random_below(i) | (random_below(2) ? 0x80000000 : 0))
				   : 0xffffffff;
		unit[6 * i + 3] = random_below(part[5] + 1);
		unit[6 * i + 4] = random_below(part[5] - unit[6 * i + 3] + 1);
		names += unit[6 * i + 4];
	}
	for (i = 0; i < part[5]; i++) {
		by_name[i] = random_below(part[5]);
		event[2 * i + 1] = 8 * random_below(6);
	}
	part[12] = names;
	CHECK_EQ(pmumap_imc_open(map, pmumap_imc_size(map), &opened), PMUMAP_OK);
	for (i = 0; opened && i < 7; i++)
		for (k = 0; k < 20; k++) {
			if (pmumap_imc_find(map, letters[i], strlen(letters[i]), k, &e))
				CHECK(!strncmp(letters[i], e.prefix, strlen(e.prefix)) &&
				      !strcmp(letters[i] + strlen(e.prefix), e.name) &&
				      has_event(map, &e));
			if (pmumap_imc_at(map, NULL, 8 * i, k, &e))
				CHECK_EQ(e.offset, 8 * i);
		}
	free(map);
}

/* An arbitrary order of offsets: nothing outside is read, and a match has the right offset. */
static void any_places(struct pmumap_imc *map)
{
	uint32_t *part = imc_tables(map), i, k;
	uint16_t *numbers = (uint16_t *)(void *)((char *)map + part[24]);
	uint16_t *starts = (uint16_t *)(void *)((char *)map + part[25]);
	struct pmumap_imc_event e;
	const struct pmumap_imc *opened;

	if (!part[24])
		return;
	CHECK(part[19] <= 16);
	for (i = 0; i < part[12]; i++)
		numbers[i] = numbers[random_below(part[12])];
	for (i = 0; i < part[12] / 8 + 2; i++)
		starts[i] = (uint16_t)random_below(part[12] + 1);
	CHECK_EQ(pmumap_imc_open(map, pmumap_imc_size(map), &opened), PMUMAP_OK);
	for (i = 0; i < 9; i++)
		for (k = 0; k < 20; k++) {
			if (pmumap_imc_at(map, NULL, 8 * i, k, &e))
				CHECK_EQ(e.offset, 8 * i);
			if (pmumap_imc_at(map, "u", 8 * i, k, &e))
				CHECK(e.offset == 8 * i && spelled(e.unit, "u"));
		}
}

/* An empty order at the end of an image finds nothing. Frees the map. */
static void no_places(struct pmumap_imc *map)
{
	uint32_t *part = imc_tables(map), i;
	uint32_t *unit = (uint32_t *)(void *)((char *)map + part[0]);
	const struct pmumap_imc *opened;
	struct pmumap_imc *image;
	struct pmumap_imc_event e;

	if (!part[24]) {
		free(map);
		return;
	}
	for (i = 0; i < part[1]; i++)
		unit[6 * i + 4] = 0;
	part[12] = 0;
	part[24] = imc_head(map)[IMC_SIZE];
	memset((char *)map + part[25], 0, 8);
	image = exact_copy(map, pmumap_imc_size(map));
	CHECK_EQ(pmumap_imc_open(image, pmumap_imc_size(image), &opened), PMUMAP_OK);
	CHECK(!pmumap_imc_at(image, NULL, 8, 0, &e) && !pmumap_imc_at(image, "u", 8, 0, &e));
	free(image);
	free(map);
}

/* Splits a text into a name: this many bytes of prefix, and the rest. */
static struct pmumap_imc *one_name(const char *text, uint32_t prefix, uint32_t rest)
{
	char first[16] = "", second[32] = "";
	const struct pmumap_imc *map = NULL;
	struct pmumap_imc_event e;
	struct pmumap_imc_unit u;
	struct pmumap_imc_builder b;

	memcpy(first, text, prefix);
	memcpy(second, text + prefix, rest);
	memset(&e, 0, sizeof(e));
	memset(&u, 0, sizeof(u));
	pmumap_imc_begin(&b, exact(1 << 12), 1 << 12);
	pmumap_imc_add_list(&b, 1);
	e.name = second;
	pmumap_imc_add_event(&b, &e);
	u.name = "u";
	u.prefix = first;
	u.type = PMUMAP_IMC_CORE;
	pmumap_imc_add_unit(&b, 1, &u);
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
	return (struct pmumap_imc *)(uintptr_t)map;
}

/* The index leads to an event with the same hash bits but another byte in its name. */
static void other_bytes(void)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyz";
	const struct pmumap_imc *opened;
	struct pmumap_imc_event e;
	uint32_t prefix, rest, i;

	test_now = "other bytes";
	for (prefix = 0; prefix < 10; prefix++)
		for (rest = 1; rest < 17; rest++) {
			struct pmumap_imc *map = one_name(name, prefix, rest);

			CHECK(pmumap_imc_find(map, name, prefix + rest, 0, &e));
			for (i = 0; i < prefix + rest; i++) {
				const char *at = i < prefix ? e.prefix + i : e.name + i - prefix;
				char *byte = (char *)map + (at - (const char *)map);

				*byte ^= 1;
				CHECK_EQ(pmumap_imc_open(map, pmumap_imc_size(map), &opened),
					 PMUMAP_OK);
				CHECK(!pmumap_imc_find(map, name, prefix + rest, 0, &e));
				*byte ^= 1;
			}
			free(map);
		}
}

int main(void)
{
	uint32_t round, i;

	other_bytes();

	test_now = "little room";
	for (i = 0; i < 4; i++) {
		choose();
		little_room(i & 1 ? NO_INDEX : 0);
	}
	told_alike();
	test_now = "most names";
	for (i = 1; i < 100; i++)
		for (round = 1; i * round / 2 <= i + round && round < 100; round++)
			most_names(i, round);
	for (round = 0; round < quick(400, 100); round++) {
		struct pmumap_imc *map, *indexed, *searched, *both;

		test_now = "few names";
		choose();
		map = build(NO_INDEX);
		indexed = build(0);
		searched = build(NO_INDEX);
		both = build(BOTH);
		if (!map || !indexed || !searched || !both)
			return test_summary();
		CHECK(!imc_tables(map)[13]);
		drop_offsets(searched);
		ask_all(map);
		ask_all(indexed);
		ask_all(both);
		ask_offsets(map);
		ask_offsets(indexed);
		ask_offsets(searched);
		test_now = "any orders";
		for (i = 0; i < 20; i++) {
			any_orders(searched, 20 + i % 3);
			any_places(i & 1 ? map : indexed);
		}
		free(map);
		free(indexed);
		free(both);
		no_places(searched);
	}
	return test_summary();
}
