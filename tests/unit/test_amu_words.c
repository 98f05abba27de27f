/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The smallest image with every table of AMU, written word by word. With one word changed,
 * pmumap_open() accepts it only if each number exists and each string and table ends inside.
 */
#include "amu_support.h"

/* Offsets of the parts, in words; all are even. */
enum {
	SIZE = 2, /* of the head */
	A_CPUS = 4,
	A_BY_TREE = 6,
	A_VIEWS,
	A_NAMES = 9,
	A_STRINGS = 11,
	CPUS = 14,           /* 2: affinity, view */
	BY_TREE = CPUS + 4,  /* 2 */
	VIEWS = BY_TREE + 2, /* 2: two masks of 16 bits, first name */
	NAMES = VIEWS + 4,   /* 2 */
	STRINGS = NAMES + 2, /* 7 bytes, and a 0 that is none of them */
	END = STRINGS + 2
};

#define AT(word) (4 * (uint32_t)(word))
#define TEXT(n) (AT(STRINGS) + (n))
#define A TEXT(1)
#define C TEXT(5)
#define LAST TEXT(6) /* the last 0 */
#define BEHIND TEXT(7)
#define BEFORE (AT(STRINGS) - 1)
#define NONE 0xffffffffu

struct word {
	uint32_t at, value;
};

static const struct word intact[] = {
	{ 0, PMUMAP_AMU_MAGIC },
	{ 1, PMUMAP_IMAGE_VERSION },
	{ SIZE, AT(END) },
	{ CPUS + 2, 3 },
	{ CPUS + 3, 1 },
	{ BY_TREE, 1 },
	{ VIEWS, 0x00010001 },
	{ VIEWS + 2, 0x80008000 },
	{ VIEWS + 3, 1 },
	{ NAMES, A },
	{ NAMES + 1, C },
	{ A_CPUS, AT(CPUS) },
	{ A_CPUS + 1, 2 },
	{ A_BY_TREE, AT(BY_TREE) },
	{ A_VIEWS, AT(VIEWS) },
	{ A_VIEWS + 1, 2 },
	{ A_NAMES, AT(NAMES) },
	{ A_NAMES + 1, 2 },
	{ A_STRINGS, AT(STRINGS) },
	{ A_STRINGS + 1, 7 },
};

/* Changes to make together, and whether the image is accepted. */
struct change {
	struct word words[6];
	int good;
};

static const struct change changes[] = {
	/* CPUs, views and their names */
	{ { { CPUS + 1, 1 } }, 1 },
	{ { { CPUS + 1, 2 } }, 0 },
	{ { { CPUS + 1, 3 } }, 0 },
	{ { { CPUS + 1, NONE } }, 1 },
	{ { { CPUS + 1, NONE - 1 } }, 0 },
	{ { { CPUS + 3, 2 } }, 0 },
	{ { { CPUS + 3, NONE } }, 1 },
	{ { { BY_TREE, 2 } }, 0 },
	{ { { BY_TREE, 3 } }, 0 },
	{ { { BY_TREE + 1, 1 } }, 1 },
	{ { { BY_TREE + 1, 2 } }, 0 },
	{ { { BY_TREE + 1, NONE } }, 0 },
	{ { { VIEWS, 0 } }, 1 },
	{ { { VIEWS, 0x00030003 } }, 1 },
	{ { { VIEWS, 0x00070007 } }, 0 },
	{ { { VIEWS, 0xffffffff } }, 0 },
	{ { { VIEWS + 1, 1 } }, 1 },
	{ { { VIEWS + 1, 2 } }, 0 },
	{ { { VIEWS + 1, 2 }, { VIEWS, 0 } }, 1 },
	{ { { VIEWS + 1, 3 }, { VIEWS, 0 } }, 0 },
	{ { { VIEWS + 1, NONE } }, 0 },
	{ { { VIEWS + 2, 0xc000c000 } }, 0 },
	{ { { VIEWS + 3, 0 } }, 1 },
	{ { { VIEWS + 3, 2 } }, 0 },
	{ { { VIEWS + 3, 2 }, { VIEWS + 2, 0x00030003 } }, 0 },
	{ { { A_VIEWS + 1, 1 } }, 0 },
	{ { { A_NAMES + 1, 1 } }, 0 },
	{ { { NAMES, BEFORE } }, 0 },
	{ { { NAMES, TEXT(0) } }, 1 },
	{ { { NAMES, LAST } }, 1 },
	{ { { NAMES, BEHIND } }, 0 },
	{ { { NAMES + 1, LAST } }, 1 },
	{ { { NAMES + 1, BEHIND } }, 0 },
	{ { { A_STRINGS + 1, 6 } }, 0 },
	{ { { A_STRINGS + 1, 8 } }, 1 },
	{ { { A_STRINGS + 1, 0 } }, 0 },
	{ { { A_STRINGS + 1, AT(END - STRINGS) + 1 } }, 0 },
	/* empty parts: no table has an entry, but there is the empty string */
	{ { { A_CPUS + 1, 0 }, { A_VIEWS + 1, 0 }, { A_NAMES + 1, 0 } }, 1 },
	{ { { A_CPUS + 1, 0 }, { A_VIEWS + 1, 0 }, { A_NAMES + 1, 0 }, { A_STRINGS + 1, 1 } }, 1 },
	{ { { A_CPUS + 1, 0 }, { A_VIEWS + 1, 0 }, { A_NAMES + 1, 0 }, { A_STRINGS + 1, 0 } }, 0 },
};

static void put(uint32_t *image, const struct word *words, size_t n)
{
	for (; n; n--, words++)
		image[words->at] = words->value;
}

/* In a block of its exact size. */
static uint32_t *make(void)
{
	uint32_t *image = exact(AT(END));

	memset(image, 0, AT(END));
	put(image, intact, sizeof(intact) / sizeof(intact[0]));
	memcpy(image + STRINGS, "\0a\0b\0c\0", 8);
	return image;
}

/* If it is accepted, every look-up must stay inside. */
static int opens(const uint32_t *image, size_t bytes)
{
	const struct pmumap_amu *map = NULL;
	enum pmumap_status status = pmumap_amu_open(image, bytes, &map);
	struct pmumap_amu_cpu cpu;
	uint64_t sum = 0;
	uint32_t i, k;

	CHECK((status == PMUMAP_OK) == (map != NULL));
	if (!map) {
		CHECK_EQ(status, PMUMAP_E_IMAGE_TABLE);
		return 0;
	}
	for (i = 0; i < 3; i++) {
		for (k = 0; k < 16; k++)
			if (pmumap_amu_counter_name(map, i, k))
				sum += strlen(pmumap_amu_counter_name(map, i, k));
		sum += (uint64_t)pmumap_amu_cpu_find(map, i, &cpu);
		sum += (uint64_t)pmumap_amu_cpu_at(map, i, &cpu);
	}
	CHECK(sum != ~0ull);
	return 1;
}

/* The rule for a word. */
static const char *rule_of(uint32_t word)
{
	return word < CPUS      ? "a table lies in the image, and its numbers in the tables"
	       : word < BY_TREE ? "a CPU's view exists, or it has none"
	       : word < VIEWS   ? "the order of the tree names rows that exist"
	       : word < NAMES   ? "a view has a name for each counter that it describes"
				: "a name lies in the strings";
}

static void changed(void)
{
	size_t i, k;

	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		uint32_t *image = make();

		for (k = 0; k < 6 && changes[i].words[k].at; k++)
			put(image, &changes[i].words[k], 1);
		CHECK(!BROKEN(rule_of(changes[i].words[0].at), changes[i].words[0].value,
			      opens(image, AT(END)) != changes[i].good));
		free(image);
	}
}

/* Contents of the unchanged image. */
static void answers(void)
{
	uint32_t *image = make();
	const struct pmumap_amu *map;
	struct pmumap_amu_cpu cpu;

	CHECK_EQ(pmumap_amu_open(image, AT(END), &map), PMUMAP_OK);
	CHECK(pmumap_amu_cpu_find(map, 3, &cpu) && cpu.view == 1 && cpu.described == 0x8000);
	CHECK(pmumap_amu_cpu_at(map, 0, &cpu) && cpu.mpidr == 3);
	CHECK(pmumap_amu_cpu_at(map, 1, &cpu) && cpu.mpidr == 0 && cpu.enable == 1);
	CHECK(!strcmp(pmumap_amu_counter_name(map, 1, 15), "c"));
	CHECK(!pmumap_amu_counter_name(map, 1, 14) && !pmumap_amu_counter_name(map, 2, 0));
	free(image);
}

/* Heads of other data. */
static void heads(void)
{
	static const struct {
		struct word word;
		enum pmumap_status status;
	} rows[] = {
		{ { 0, PMUMAP_MAGIC }, PMUMAP_E_IMAGE_MAGIC },
		{ { 0, 0x41554d50 }, PMUMAP_E_IMAGE_ORDER },
		{ { 1, PMUMAP_IMAGE_VERSION - 1 }, PMUMAP_E_IMAGE_VERSION },
		{ { 1, PMUMAP_IMAGE_VERSION + 1 }, PMUMAP_E_IMAGE_VERSION },
		{ { SIZE, AT(CPUS - 2) }, PMUMAP_E_IMAGE_SIZE },
		{ { SIZE, AT(END + 2) }, PMUMAP_E_IMAGE_SIZE },
		{ { SIZE, AT(END) - 4 }, PMUMAP_E_IMAGE_SIZE },
	};
	const struct pmumap_amu *map;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t *image = make();

		put(image, &rows[i].word, 1);
		CHECK_EQ(pmumap_amu_open(image, AT(END), &map), rows[i].status);
		CHECK(!map);
		free(image);
	}
	CHECK_EQ(pmumap_amu_open(NULL, 0, &map), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_amu_open(rows, 0, NULL), PMUMAP_E_ARG);
}

/* A size smaller than the block: bytes after the image are not part of it. */
static void sizes(void)
{
	uint32_t *image = make(), cut;

	for (cut = CPUS; cut <= END; cut += 2) {
		image[SIZE] = AT(cut);
		CHECK_EQ(opens(image, AT(END)), cut == END);
	}
	free(image);
}

/* Each table just fits at the end of the image; and not at a multiple of 8 from the head. */
static void moved(void)
{
	static const struct {
		uint32_t at, from, words;
	} tables[] = {
		{ A_CPUS, CPUS, 4 },
		{ A_BY_TREE, BY_TREE, 2 },
		{ A_VIEWS, VIEWS, 4 },
		{ A_NAMES, NAMES, 2 },
	};
	uint32_t *first = make(), *image, by;
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (by = 0; by < 2; by++) {
			uint32_t end = END + tables[i].words + 2 * by;

			image = exact(AT(end));
			memset(image, 0, AT(end));
			memcpy(image, first, AT(END));
			memcpy(image + END + by, image + tables[i].from, AT(tables[i].words));
			image[tables[i].at] = AT(END + by);
			image[SIZE] = AT(end);
			if (!CHECK(opens(image, AT(end)) == (by == 0)))
				printf("\tword %" PRIu32 "\n", tables[i].at);
			free(image);
		}
	}
	free(first);
}

int main(void)
{
	test_now = "words of AMU";
	changed();
	answers();
	heads();
	sizes();
	moved();
	return test_summary();
}
