/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Many units that share lists: small trees that expand to hundreds of thousands or millions of
 * names. With or without an index every answer is the same, and none is slow.
 */
#include <time.h>

#include "imc_make.h"
#include "imc_support.h"

static struct findings findings;

/* Unit u has list u % lists, reg 8 * u, and its own or the common prefix; event e is at 8 * e. */
static struct shape {
	const char *name;
	uint32_t units, lists, events, type;
	int one_prefix, one_window;
	uint64_t most_bytes; /* of the measured block */
} shapes[] = {
	{ "200,000 names", 2000, 4, 100, IMC_CORE, 0, 0, 4 << 20 },
	{ "names of 500 matches each", 2000, 4, 100, IMC_CORE, 1, 0, 4 << 20 },
	{ "a window each", 2000, 4, 100, IMC_NEST, 0, 0, 4 << 20 },
	{ "one window", 300, 4, 100, IMC_NEST, 0, 1, 4 << 20 },
	{ "35 million names", 35200, 16, 1000, IMC_CORE, 0, 0, 64 << 20 },
	{ "more names than 32 bits count", 70000, 1, 65000, IMC_CORE, 0, 0, 64 << 20 },
};

static void prefix_of(const struct shape *s, uint32_t u, char *to)
{
	sprintf(to, "PM_%u_", s->one_prefix ? 7 : (unsigned)u);
}

static void full_name(const struct shape *s, uint32_t u, uint32_t e, char *to)
{
	prefix_of(s, u, to);
	sprintf(to + strlen(to), "L%uE%u", (unsigned)(u % s->lists), (unsigned)e);
}

static uint32_t names_of(const struct shape *s)
{
	uint64_t names = (uint64_t)s->units * s->events;

	return names < ~0u ? (uint32_t)names : ~0u;
}

static unsigned char *make(const struct shape *s, size_t *size)
{
	char name[64], prefix[32];
	uint32_t l, e, u;

	start(((size_t)s->units * 300 + (size_t)s->lists * s->events * 80 + 4096));
	root("");
	for (l = 0; l < s->lists; l++) {
		list(l + 1);
		/* In descending order, so that the offsets must be sorted too. */
		for (e = s->events; e-- > 0;) {
			sprintf(name, "L%uE%u", (unsigned)l, (unsigned)e);
			event(name, 8 * e);
		}
		end();
	}
	for (u = 0; u < s->units; u++) {
		prefix_of(s, u, prefix);
		sprintf(name, "u%u@%x", (unsigned)u, (unsigned)u);
		unit(name, prefix, s->type, 8 * u, u % s->lists + 1);
		cell("offset", s->one_window ? 0 : u << 16);
		cell("size", 1 << 24);
		end();
	}
	return finish(size);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* How many earlier units have the same names. */
static uint32_t nth_of(const struct shape *s, uint32_t u)
{
	return s->one_prefix ? u / s->lists : 0;
}

static uint32_t matches(const struct shape *s, uint32_t u)
{
	return s->one_prefix ? (s->units - u % s->lists + s->lists - 1) / s->lists : 1;
}

static int is_event(const struct shape *s, const struct pmumap_imc_event *got, uint32_t u,
		    uint32_t e)
{
	char full[64], want[64];

	snprintf(full, sizeof(full), "%s%s", got->prefix, got->name);
	full_name(s, u, e, want);
	return !strcmp(full, want) && got->unit_index == u && got->offset == 8 * u + 8 * e &&
	       got->type == s->type;
}

/* One event by name, within its unit, and by offset; and two missing ones. */
static uint32_t ask(const struct shape *s, const struct pmumap_imc *map, uint32_t u, uint32_t e)
{
	char text[96], base[24];
	struct pmumap_imc_event got;
	uint32_t bad = 0;
	size_t len;

	full_name(s, u, e, text);
	len = strlen(text);
	bad += !pmumap_imc_find(map, text, len, nth_of(s, u), &got) || !is_event(s, &got, u, e);
	unasked(&got, sizeof(got));
	bad += pmumap_imc_find(map, text, len, matches(s, u), &got) ||
	       !untouched(&got, sizeof(got));
	text[len] = 'x';
	bad += pmumap_imc_find(map, text, len + 1, 0, &got) || !untouched(&got, sizeof(got));
	full_name(s, u, s->events, text);
	bad += pmumap_imc_find(map, text, strlen(text), 0, &got) || !untouched(&got, sizeof(got));
	sprintf(base, "u%u", (unsigned)u);
	bad += !pmumap_imc_at(map, base, 8 * u + 8 * e, 0, &got) || !is_event(s, &got, u, e);
	bad += (uint32_t)pmumap_imc_at(map, base, 8 * u + 8 * e, 1, &got);
	bad += (uint32_t)pmumap_imc_at(map, base, 8 * u + 8 * e + 4, 0, &got);
	sprintf(text, "u%u@%x/", (unsigned)u, (unsigned)u);
	full_name(s, u, e, text + strlen(text));
	bad += !pmumap_imc_find(map, text, strlen(text), 0, &got) || !is_event(s, &got, u, e);
	bad += (uint32_t)pmumap_imc_find(map, text, strlen(text), 1, &got);
	bad += !pmumap_imc_event_at(map, u, e, &got) || !is_event(s, &got, u, e);
	return bad;
}

static void ask_many(const struct shape *s, const struct pmumap_imc *map)
{
	struct pmumap_imc_unit unit;
	uint32_t i, bad = 0;

	for (i = 0; i < quick(2000, 50); i++)
		bad += ask(s, map, random_below(s->units), random_below(s->events));
	bad += ask(s, map, 0, 0) + ask(s, map, s->units - 1, s->events - 1);
	bad += !pmumap_imc_unit(map, s->units - 1, &unit) || unit.events != s->events;
	bad += (uint32_t)pmumap_imc_unit(map, s->units, &unit);
	CHECK_EQ(bad, 0);
}

/* Time to look up a name that this unit lacks: the fastest of several. */
static clock_t time_of(const struct shape *s, const struct pmumap_imc *map, uint32_t u)
{
	struct pmumap_imc_event got;
	clock_t least = 0;
	uint32_t round, i, bad = 0;
	char text[64];

	full_name(s, u, s->events, text);
	for (round = 0; round < 5; round++) {
		clock_t from = clock();

		for (i = 0; i < 500; i++)
			bad += (uint32_t)pmumap_imc_find(map, text, strlen(text), 0, &got);
		from = clock() - from;
		if (round == 0 || from < least)
			least = from;
	}
	CHECK_EQ(bad, 0);
	return least;
}

/* ---- building -------------------------------------------------------------------------------- */

/* The value of the last finding with this code; lower if there is none. */
static uint64_t said(const char *code, uint64_t less)
{
	uint32_t i;

	for (i = 0; i < findings.n; i++)
		if (!strcmp(findings.at[i].code, code))
			less = findings.at[i].value;
	return less;
}

static const struct pmumap_imc *build(const unsigned char *fdt, size_t size, void *block,
				      size_t bytes)
{
	struct pmumap_imc_options opt = { .check = pmumap_imc_check,
					  .report = collect,
					  .arg = &findings };
	const struct pmumap_imc *map = NULL;
	clock_t began = clock();

	findings.n = 0;
	CHECK_EQ(pmumap_imc_fdt_build(fdt, size, &opt, block, bytes, &map), PMUMAP_OK);
	CHECK(clock() - began < 2 * CLOCKS_PER_SEC);
	if (map)
		CHECK_EQ(pmumap_imc_open(map, pmumap_imc_size(map), &map), PMUMAP_OK);
	return map;
}

/* Several units use each offset except the first and the last. */
static void check_clashes(const struct shape *s)
{
	uint32_t i, clashes = 0;

	for (i = 0; i < findings.n; i++)
		clashes += !strcmp(findings.at[i].code, "offset-clash");
	CHECK_EQ(clashes, s->one_window ? s->units + s->events - 3 : 0);
}

/* With an index, if it can be built: not for names with too many matches. */
static void with_index(const struct shape *s, const unsigned char *fdt, size_t size, size_t bytes)
{
	void *block = exact(bytes);
	const struct pmumap_imc *map = build(fdt, size, block, bytes);
	int indexed = 0;

	if (map) {
		CHECK_EQ(pmumap_imc_names(map, &indexed), names_of(s));
		CHECK_EQ(indexed, said("no-index", ~0ull) == ~0ull);
		CHECK(indexed || (s->one_prefix && said("no-index", 1) == 0));
		check_clashes(s);
		ask_many(s, map);
	}
	free(block);
}

static void check_shape(const struct shape *s)
{
	size_t size, need = 0;
	unsigned char *fdt = make(s, &size);
	const struct pmumap_imc *map;
	uint64_t index = 0;
	int indexed = 1;
	void *block;

	CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	CHECK(need <= s->most_bytes);
	block = exact(need);
	map = build(fdt, size, block, need);
	if (map) {
		CHECK_EQ(pmumap_imc_names(map, &indexed), names_of(s));
		CHECK_EQ(indexed, 0);
		index = said("no-index", ~0ull);
		CHECK(index != ~0ull);
		ask_many(s, map);
		/* Independent of the number of prefixes before it. */
		CHECK(s->one_prefix || time_of(s, map, s->units - 1) <
					       4 * time_of(s, map, 0) + CLOCKS_PER_SEC / 2000);
	}
	CHECK(names_of(s) != ~0u || index == 0); /* never */
	free(block);
	if (index > 0 && index < 64 << 20)
		with_index(s, fdt, size, (size_t)index);
	free(fdt);
}

/*
 * One unit with this many events, and so many units that a slot has no room for such numbers; this
 * many of the others are equal.
 */
static void few_bits(uint32_t alike)
{
	const uint32_t units = 4096;
	struct pmumap_imc_event got;
	const struct pmumap_imc *map;
	char name[32], prefix[32];
	uint32_t i, bad = 0;
	unsigned char *fdt;
	int indexed = -1;
	void *block;
	size_t size;

	start(16 << 20);
	root("");
	list(1);
	for (i = 0; i < 65536; i++) {
		sprintf(name, "E%u", (unsigned)i);
		event(name, 8 * i);
	}
	end();
	list(2);
	event("X", 0);
	end();
	for (i = 0; i < units; i++) {
		sprintf(prefix, "PM_%u_", (unsigned)(i / alike));
		unit("core", prefix, IMC_CORE, 0, i ? 2 : 1);
		cell("size", 1 << 20);
		end();
	}
	fdt = finish(&size);
	block = exact(64 << 20);
	map = build(fdt, size, block, 64 << 20);
	for (i = 0; map && i < 2 * alike; i++) {
		sprintf(name, "PM_%u_X", (unsigned)(1 + i));
		bad += !pmumap_imc_find(map, name, strlen(name), alike - 1, &got) ||
		       got.unit_index != (2 + i) * alike - 1;
		bad += (uint32_t)pmumap_imc_find(map, name, strlen(name), alike, &got);
	}
	CHECK_EQ(bad, 0);
	CHECK(map && pmumap_imc_names(map, &indexed) == 65536 + units - 1);
	CHECK_EQ(indexed, 0);
	CHECK_EQ(said("no-index", 1), 0);
	free(block);
	free(fdt);
}

/* As many names as 16 bits can number: each is found by its offset, even the last one. */
static void full_numbers(void)
{
	struct pmumap_imc_event got;
	const struct pmumap_imc *map;
	unsigned char *fdt;
	uint32_t i, bad = 0;
	char name[32];
	void *block;
	size_t size;

	start(1 << 20);
	root("");
	list(1);
	for (i = 0; i < 256; i++) {
		sprintf(name, "E%u", (unsigned)i);
		event(name, 8 * i);
	}
	end();
	for (i = 0; i < 256; i++) {
		sprintf(name, "u%u_", (unsigned)i);
		unit("core", name, IMC_CORE, 0x800 * i, 1);
		cell("size", 1 << 20);
		end();
	}
	fdt = finish(&size);
	block = exact(8 << 20);
	map = build(fdt, size, block, 8 << 20);
	for (i = 0; map && i < 65536; i++) {
		bad += !pmumap_imc_at(map, NULL, 8 * i, 0, &got) || got.unit_index != i / 256 ||
		       got.offset != 8 * i || pmumap_imc_at(map, NULL, 8 * i, 1, &got);
		bad += (uint32_t)pmumap_imc_at(map, NULL, 8 * i + 4, 0, &got);
	}
	CHECK(map && bad == 0);
	free(block);
	free(fdt);
}

int main(void)
{
	size_t i;

	for (i = 0; i < quick(sizeof(shapes) / sizeof(shapes[0]), 2); i++) {
		test_now = shapes[i].name;
		check_shape(&shapes[i]);
	}
	test_now = "few bits for matches";
	few_bits(16);
	test_now = "as many names as numbers";
	full_numbers();
	return test_summary();
}
