/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trees with as much sharing as possible, up to 256 KiB: names, lists, views, labels. The first
 * byte selects what is shared, the next two the size; then each six bytes change a cell. No call
 * exceeds its step limit, the map does not depend on the block, and look-ups stay inside. No
 * models: they read shared parts once for each user.
 */
#include "pmumap_check.h"

#include "fuzz_amu.h"
#include "fuzz_imc.h"
#include "hostile.h"
#include "steps.h"

#define MOST_BYTES (1u << 18)

static void ignore(void *arg, const struct pmumap_finding *f)
{
	*(uint32_t *)arg += f->code != 0;
}

/* where: 24 bits, enough for each cell of the largest tree */
static void change(struct blob *t, struct bytes *in)
{
	while (in->left >= 6) {
		uint32_t where = take(in, 3), how = take(in, 1), value = take(in, 2);
		unsigned char *cell = t->fdt + where % (t->size / 4) * 4;

		if (how & 1) /* another cell of the same tree */
			memcpy(cell, t->fdt + (value << (how >> 4)) % (t->size / 4) * 4, 4);
		else
			put32(cell, how & 2 ? value << (how >> 4) : ~value);
	}
}

static void look_up(const struct pmumap_imc *m, const struct hostile_kind *kind)
{
	uint32_t e;
	size_t i;

	for (i = 0; i < 3 && kind->find[i]; i++)
		STEPS(FIND, pmumap_imc_size(m),
		      (void)pmumap_imc_find_name(m, kind->find[i], strlen(kind->find[i]),
						 (uint32_t)fuzz_random() >> (fuzz_random() & 31),
						 &e));
	for (i = 0; i < 4; i++)
		STEPS(AT, pmumap_imc_size(m),
		      (void)pmumap_imc_find_offset(m, i & 1 ? 0 : PMUMAP_IMC_ALL,
						   (uint32_t)fuzz_random() & 0xfff8,
						   (uint32_t)fuzz_random() & 0xff, &e));
}

static size_t bytes_of_harts(const struct blob *t)
{
	size_t count;

	(void)pmumap_fdt_harts(t->fdt, t->size, NULL, 0, &count);
	return count * sizeof(struct pmumap_fdt_hart);
}

static void check_harts(const struct blob *t)
{
	size_t bytes = bytes_of_harts(t), count;
	struct pmumap_fdt_hart *harts = malloc(bytes + 1);

	MUST(harts);
	STEPS(HARTS, t->size,
	      (void)pmumap_fdt_harts(t->fdt, t->size, harts, bytes / sizeof(*harts), &count));
	MUST(count <= bytes / sizeof(*harts));
	free(harts);
}

static void check_map(const struct blob *t)
{
	uint32_t found = 0;
	const struct pmumap *map = NULL, *opened;
	enum pmumap_status status, again;
	size_t bytes = 0, room;
	void *block;

	STEPS(MEASURE, t->size, status = pmumap_fdt_measure(t->fdt, t->size, NULL, &bytes));
	if (status != PMUMAP_OK)
		return;
	room = bytes + bytes_of_harts(t);
	block = malloc(room);
	MUST(block);
	STEPS(BUILD, t->size,
	      again = pmumap_fdt_check(t->fdt, t->size, NULL, block, room, ignore, &found));
	MUST(again == PMUMAP_OK);
	STEPS(BUILD, t->size, again = pmumap_fdt_build(t->fdt, t->size, NULL, block, bytes, &map));
	MUST(again == PMUMAP_OK && map == block);
	STEPS(OPEN, pmumap_size(map), again = pmumap_open(map, pmumap_size(map), &opened));
	MUST(again == PMUMAP_OK && opened == map);
	fuzz_questions(map, 4);
	free(block);
}

static void check_imc_map(const struct blob *t, const struct hostile_kind *kind)
{
	uint32_t found = 0;
	struct pmumap_imc_options opt = { 0 };
	const struct pmumap_imc *map = NULL, *opened;
	enum pmumap_status status, again;
	size_t bytes = 0;
	void *block;

	opt.flags = fuzz_random() & 1 ? PMUMAP_DESC : 0;
	STEPS(MEASURE, t->size, status = pmumap_imc_fdt_measure(t->fdt, t->size, &opt, &bytes));
	if (status != PMUMAP_OK)
		return;
	block = malloc(bytes);
	MUST(block);
	STEPS(BUILD, t->size + bytes,
	      again = pmumap_imc_check(t->fdt, t->size, &opt, block, bytes, ignore, &found));
	MUST(again == PMUMAP_OK);
	STEPS(BUILD, t->size + bytes,
	      again = pmumap_imc_fdt_build(t->fdt, t->size, &opt, block, bytes, &map));
	MUST(again == PMUMAP_OK && map == block);
	STEPS(OPEN, pmumap_imc_size(map),
	      again = pmumap_imc_open(map, pmumap_imc_size(map), &opened));
	MUST(again == PMUMAP_OK && opened == map);
	look_up(map, kind);
	free(block);
}

static void check_amu_map(const struct blob *t)
{
	struct pmumap_amu_options opt = { 0, pmumap_amu_labels };
	uint32_t found = 0;
	const struct pmumap_amu *map = NULL, *opened;
	enum pmumap_status status, again;
	size_t bytes = 0;
	void *block;

	STEPS(MEASURE, t->size, status = pmumap_amu_fdt_measure(t->fdt, t->size, &opt, &bytes));
	if (status != PMUMAP_OK)
		return;
	block = malloc(bytes);
	MUST(block);
	STEPS(BUILD, t->size,
	      again = pmumap_amu_check(t->fdt, t->size, &opt, block, bytes, ignore, &found));
	MUST(again == PMUMAP_OK);
	STEPS(BUILD, t->size,
	      again = pmumap_amu_fdt_build(t->fdt, t->size, &opt, block, bytes, &map));
	MUST(again == PMUMAP_OK && map == block);
	STEPS(OPEN, pmumap_amu_size(map),
	      again = pmumap_amu_open(map, pmumap_amu_size(map), &opened));
	MUST(again == PMUMAP_OK && opened == map);
	free(block);
}

static void check_changes(const struct blob *t)
{
	static const uint32_t chips[2] = { 0, 8 };
	static const uint64_t bases[2] = { 0x1000, 0x2000 };
	const struct pmumap_imc_chips all = { chips, bases, 2, 0, 0, NULL };
	size_t bytes = 3 * t->size + 4096, need;
	uint8_t *copy = malloc(bytes);

	MUST(copy);
	memcpy(copy, t->fdt, t->size);
	STEPS(FIXUP, t->size, (void)pmumap_fdt_fixup(copy, bytes));
	memcpy(copy, t->fdt, t->size);
	STEPS(IMC_FIXUP, t->size, (void)pmumap_imc_fdt_fixup(copy, bytes, &all, &need));
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes in = { data, size };
	const struct hostile_kind *kind = &hostile_kinds[take(&in, 1) % HOSTILE_KINDS];
	uint32_t bytes = 256 + take(&in, 2) * 4 % (MOST_BYTES - 1024);
	struct blob t = hostile_make(kind, bytes);

	fuzz_seed(data, size);
	change(&t, &in);
	check_map(&t);
	check_imc_map(&t, kind);
	check_amu_map(&t);
	check_changes(&t);
	check_harts(&t);
	free(t.fdt);
	return 0;
}
