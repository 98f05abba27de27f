/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names without an index: few names, prefixes and unit names, so that all meet; lists that are
 * shared, and windows that leave events out. Each match is compared with a walk over all units. Then
 * images whose orders are any numbers: what is found there has the name, too.
 */
#include "support.h"

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

/* All of it in so many bytes, of which *need says how many it takes. NULL: they are too few. */
static struct pmumap *build_in(uint32_t flags, size_t bytes, pmumap_report_fn *report, size_t *need)
{
	struct pmumap_builder b;
	const struct pmumap *map = NULL;
	struct pmumap_imc_event e;
	struct pmumap_imc_unit u;
	void *block = exact(bytes);
	uint32_t i, k;

	pmumap_begin(&b, block, bytes);
	b.flags = flags;
	if (report)
		pmumap_listen(&b, report, NULL);
	memset(&e, 0, sizeof(e));
	memset(&u, 0, sizeof(u));
	for (i = 0; i < LISTS; i++) {
		pmumap_add_imc_list(&b, i + 1);
		for (k = 0; k < EVENTS; k++) {
			e.name = events[i][k].name;
			e.offset = events[i][k].reg;
			pmumap_add_imc_event(&b, &e);
		}
	}
	for (i = 0; i < UNITS; i++) {
		u.name = units[i].name;
		u.prefix = units[i].prefix;
		u.type = PMUMAP_IMC_NEST;
		u.reg = units[i].reg;
		u.size = units[i].size;
		u.control = 0x1000;
		pmumap_add_imc_unit(&b, units[i].list + 1, &u);
	}
	*need = pmumap_need(&b);
	CHECK_EQ(pmumap_finish(&b, &map), map ? PMUMAP_OK : PMUMAP_E_NOSPACE);
	if (!map)
		free(block);
	return (struct pmumap *)(uintptr_t)map;
}

static struct pmumap *build(uint32_t flags)
{
	size_t need, bytes = 1 << 14;
	struct pmumap *map = build_in(flags, bytes, NULL, &need);

	CHECK(map != NULL && need <= bytes);
	return map;
}

static const uint32_t *part_of(const struct pmumap *map)
{
	return (const uint32_t *)(const void *)((const char *)map + map->imc);
}

/* Of what a builder is told there is no node, but for those that the caller names. */
static void listen(void *arg, const struct pmumap_finding *f)
{
	(void)arg;
	CHECK(f->node == PMUMAP_NO_NODE);
}

/*
 * With what pmumap_need() says all is there; with less there is no map. In whatever room, it is the
 * same map if somebody listens.
 */
static void little_room(uint32_t flags)
{
	size_t need, all, bytes;
	struct pmumap *map = build_in(flags, 1 << 14, NULL, &all), *told;
	uint32_t ordered = !(flags & PMUMAP_NO_OFFSETS);

	if (!map)
		return;
	CHECK(pmumap_size(map) <= all);
	CHECK_EQ(part_of(map)[24] != 0, ordered);
	free(map);
	for (bytes = all; bytes > 64; bytes -= 8) {
		map = build_in(flags, bytes, NULL, &need);
		told = build_in(flags, bytes, listen, &need);
		CHECK_EQ(told != NULL, map != NULL);
		if (!map || !told)
			break;
		CHECK(pmumap_size(map) <= bytes && pmumap_size(told) == pmumap_size(map));
		CHECK(memcmp(told, map, pmumap_size(map)) == 0);
		free(told);
		CHECK(bytes < all || (part_of(map)[24] != 0) == (ordered != 0));
		free(map);
	}
	CHECK(bytes < all);
}

/* 17 units share 270 events, in so many bytes; and of how many there is need. */
static struct pmumap *shared_list(size_t *bytes, pmumap_report_fn *report)
{
	struct pmumap_imc_unit u = { .name = "u", .type = PMUMAP_IMC_NEST, .offset = 8 };
	struct pmumap_imc_event e = { .name = "A" };
	const struct pmumap *map = NULL;
	struct pmumap_builder b;
	void *block = *bytes ? exact(*bytes) : NULL;
	uint32_t k;

	pmumap_begin(&b, block, *bytes);
	b.flags = PMUMAP_NO_INDEX | PMUMAP_NO_OFFSETS;
	if (report)
		pmumap_listen(&b, report, NULL);
	pmumap_add_imc_list(&b, 1);
	for (k = 0; k < 270; k++, e.offset += 8)
		pmumap_add_imc_event(&b, &e);
	for (k = 0; k < 17; k++)
		pmumap_add_imc_unit(&b, 1, &u);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	*bytes = pmumap_need(&b);
	return (struct pmumap *)(uintptr_t)map;
}

/*
 * To compare all places of that many names takes more room than their entries had. Where there is
 * just as much, or less, that changes nothing in the map.
 */
static void told_alike(void)
{
	struct pmumap *map, *told;
	size_t need = 0, more, bytes;

	test_now = "a listener";
	(void)shared_list(&need, NULL);
	for (more = 0; more <= 1024; more += 4) {
		bytes = need + more;
		map = shared_list(&bytes, NULL);
		bytes = need + more;
		told = shared_list(&bytes, listen);
		CHECK(map && told && pmumap_size(map) == pmumap_size(told) &&
		      memcmp(map, told, pmumap_size(map)) == 0);
		free(map);
		free(told);
	}
}

/*
 * As many names as there is an order of offsets for, and of strings as little as can be, in no more
 * bytes than a map without an index needs: nothing is written behind them.
 */
static void most_names(uint32_t n_units, uint32_t n_events)
{
	enum { GUARD = 4096 };
	struct pmumap_imc_unit u = { .name = "u", .type = PMUMAP_IMC_CORE };
	struct pmumap_imc_event e = { .name = "A" };
	const struct pmumap *map = NULL;
	unsigned char *block = NULL;
	size_t bytes = 0, i;
	uint32_t k;

	for (;;) {
		struct pmumap_builder b;

		pmumap_begin(&b, block, bytes);
		b.flags = PMUMAP_NO_INDEX;
		pmumap_add_imc_list(&b, 1);
		for (k = 0; k < n_events; k++, e.offset += 8)
			pmumap_add_imc_event(&b, &e);
		for (k = 0; k < n_units; k++)
			pmumap_add_imc_unit(&b, 1, &u);
		CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
		if (block)
			break;
		bytes = pmumap_need(&b);
		block = memset(exact(bytes + GUARD), 0xa5, bytes + GUARD);
	}
	CHECK(map && part_of(map)[24]);
	for (i = bytes; i < bytes + GUARD && block[i] == 0xa5;)
		i++;
	CHECK_EQ(i, bytes + GUARD);
	free(block);
}

/* Whether a unit may be spelled so; the spellings of Linux are the business of other tests. */
static int spelled(const char *node, const char *unit)
{
	return !unit || !strcmp(node, unit) ||
	       (!strncmp(node, unit, strlen(unit)) && node[strlen(unit)] == '@');
}

/*
 * The nth match of a name: longer prefixes first, then units, then offsets. Returns the unit, or
 * UNITS; and its offset.
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

static void ask(const struct pmumap *map, const char *unit, const char *name)
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

static void ask_all(const struct pmumap *map)
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

/* Offsets by the same walk: all of one offset are counted, unit by unit. */
static void ask_offsets(const struct pmumap *map)
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

/* Whether a unit has an event of this name, as a string of the map. */
static int has_event(const struct pmumap *map, const struct pmumap_imc_event *e)
{
	struct pmumap_imc_event own;
	uint32_t i;

	for (i = 0; pmumap_imc_event_at(map, e->unit_index, i, &own); i++)
		if (own.name == e->name && own.offset == e->offset)
			return 1;
	return 0;
}

/*
 * Any numbers in the orders, and in the rows: nothing is read outside, and a name is that name, of an
 * event that the unit has. One of the orders is the last in its image, which ends with the block.
 */
static void any_orders(const struct pmumap *from, uint32_t last)
{
	const uint32_t *old = part_of(from), size = (uint32_t)pmumap_size(from);
	uint32_t bytes = 4 * old[last == 22 ? 5 : 1], names = 0, i, k;
	struct pmumap *map = exact(size + bytes);
	uint32_t *part = (uint32_t *)(void *)((char *)map + from->imc);
	uint32_t *by_prefix, *chain, *by_name, *unit, *event;
	const struct pmumap *opened;
	struct pmumap_imc_event e;

	CHECK_EQ(bytes % 8, 0);
	memcpy(map, from, size);
	map->head.size += bytes;
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
	CHECK_EQ(pmumap_open(map, pmumap_size(map), &opened), PMUMAP_OK);
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

/* Any order of offsets, and any of them: nothing is read outside, and an offset is that offset. */
static void any_places(struct pmumap *map)
{
	uint32_t *part = (uint32_t *)(void *)((char *)map + map->imc), i, k;
	uint16_t *numbers = (uint16_t *)(void *)((char *)map + part[24]);
	uint16_t *starts = (uint16_t *)(void *)((char *)map + part[25]);
	struct pmumap_imc_event e;
	const struct pmumap *opened;

	if (!part[24])
		return;
	CHECK(part[19] <= 16);
	for (i = 0; i < part[12]; i++)
		numbers[i] = numbers[random_below(part[12])];
	for (i = 0; i < part[12] / 8 + 2; i++)
		starts[i] = (uint16_t)random_below(part[12] + 1);
	CHECK_EQ(pmumap_open(map, pmumap_size(map), &opened), PMUMAP_OK);
	for (i = 0; i < 9; i++)
		for (k = 0; k < 20; k++) {
			if (pmumap_imc_at(map, NULL, 8 * i, k, &e))
				CHECK_EQ(e.offset, 8 * i);
			if (pmumap_imc_at(map, "u", 8 * i, k, &e))
				CHECK(e.offset == 8 * i && spelled(e.unit, "u"));
		}
}

/* An order of no names, at the end of an image: it finds nothing. Takes the map. */
static void no_places(struct pmumap *map)
{
	uint32_t *part = (uint32_t *)(void *)((char *)map + map->imc), i;
	uint32_t *unit = (uint32_t *)(void *)((char *)map + part[0]);
	const struct pmumap *opened;
	struct pmumap *image;
	struct pmumap_imc_event e;

	if (!part[24]) {
		free(map);
		return;
	}
	for (i = 0; i < part[1]; i++)
		unit[6 * i + 4] = 0;
	part[12] = 0;
	part[24] = map->head.size;
	memset((char *)map + part[25], 0, 8);
	image = exact_copy(map, map->head.size);
	CHECK_EQ(pmumap_open(image, image->head.size, &opened), PMUMAP_OK);
	CHECK(!pmumap_imc_at(image, NULL, 8, 0, &e) && !pmumap_imc_at(image, "u", 8, 0, &e));
	free(image);
	free(map);
}

/* A text as a name: so many bytes of it are the prefix, and so many the rest. */
static struct pmumap *one_name(const char *text, uint32_t prefix, uint32_t rest)
{
	char first[16] = "", second[32] = "";
	const struct pmumap *map = NULL;
	struct pmumap_imc_event e;
	struct pmumap_imc_unit u;
	struct pmumap_builder b;

	memcpy(first, text, prefix);
	memcpy(second, text + prefix, rest);
	memset(&e, 0, sizeof(e));
	memset(&u, 0, sizeof(u));
	pmumap_begin(&b, exact(1 << 12), 1 << 12);
	pmumap_add_imc_list(&b, 1);
	e.name = second;
	pmumap_add_imc_event(&b, &e);
	u.name = "u";
	u.prefix = first;
	u.type = PMUMAP_IMC_CORE;
	pmumap_add_imc_unit(&b, 1, &u);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	return (struct pmumap *)(uintptr_t)map;
}

/* The index leads to an event that has the bits of the hash, but another byte in its name. */
static void other_bytes(void)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyz";
	const struct pmumap *opened;
	struct pmumap_imc_event e;
	uint32_t prefix, rest, i;

	test_now = "other bytes";
	for (prefix = 0; prefix < 10; prefix++)
		for (rest = 1; rest < 17; rest++) {
			struct pmumap *map = one_name(name, prefix, rest);

			CHECK(pmumap_imc_find(map, name, prefix + rest, 0, &e));
			for (i = 0; i < prefix + rest; i++) {
				const char *at = i < prefix ? e.prefix + i : e.name + i - prefix;
				char *byte = (char *)map + (at - (const char *)map);

				*byte ^= 1;
				CHECK_EQ(pmumap_open(map, pmumap_size(map), &opened), PMUMAP_OK);
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
		little_room((i & 1 ? PMUMAP_NO_INDEX : 0) | (i & 2 ? PMUMAP_NO_OFFSETS : 0));
	}
	told_alike();
	test_now = "most names";
	for (i = 1; i < 100; i++)
		for (round = 1; i * round / 4 <= i + round && round < 100; round++)
			most_names(i, round);
	for (round = 0; round < quick(400, 100); round++) {
		struct pmumap *map, *indexed, *searched;

		test_now = "few names";
		choose();
		map = build(PMUMAP_NO_INDEX);
		indexed = build(0);
		searched = build(PMUMAP_NO_INDEX | PMUMAP_NO_OFFSETS);
		if (!map || !indexed || !searched)
			return test_summary();
		ask_all(map);
		ask_all(indexed);
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
		no_places(searched);
	}
	return test_summary();
}
