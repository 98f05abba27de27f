/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Counts steps instead of seconds. The compiler calls a function at each basic block
 * (-fsanitize-coverage=trace-pc), so work in loops counts, also in future ones. For a tree of
 * double size, no call may take more than 2.3 times the steps, as n log n grows. Steps per byte of the tree
 * are limited, and so is the block.
 */
#undef PMUMAP_EXTERN /* compile this file's functions with the flag */

#include "support.h"
#include "pmumap_amu_check.h"
#include "imc_support.h"
#include "hostile.h"

static volatile uint64_t steps; /* keeps these calls out of the optimiser's sight */

#if defined(__clang__)
__attribute__((no_sanitize("coverage")))
#elif defined(__GNUC__) && __GNUC__ >= 12
__attribute__((no_sanitize_coverage))
#endif
void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
	steps++;
}

static uint64_t since(uint64_t *before)
{
	uint64_t taken = steps - *before;

	*before = steps;
	return taken;
}

/* Measured for each tree. */
enum {
	MEASURE,
	BUILD,
	FINDINGS, /* a check */
	OPEN,
	HARTS,
	FIXUP,
	IMC_FIXUP,
	FIND, /* names: the slowest one */
	AT,   /* offsets */
	EMIT, /* writing a node into the tree */
	RESTRICT,
	CALLS
};

/* Maximum steps per byte of the tree. Builds walk, sort, and fill an index. */
static const struct {
	const char *name;
	uint32_t most;
} calls[CALLS] = {
	{ "measure", 12 }, { "build", 50 }, { "findings", 90 },  { "open", 2 },
	{ "harts", 11 },   { "fixup", 35 }, { "imc-fixup", 12 }, { "find", 4 },
	{ "at", 1 },       { "emit", 70 },  { "restrict", 40 },
};

static const struct pmumap nothing; /* an empty map */

static void ignore(void *arg, const struct pmumap_finding *f)
{
	*(uint32_t *)arg += f->code != 0;
}

/* The slowest look-up of a name: with few matches, with all, and with more than all. */
static uint64_t most_of_names(const struct pmumap_imc *map, const struct hostile_kind *kind)
{
	static const uint32_t nths[] = { 0, 1, 1000, 0x7fffffff };
	uint64_t most = 0, before, taken;
	uint32_t e;
	size_t i, k;

	for (i = 0; i < 3 && kind->find[i]; i++) {
		for (k = 0; k < 4; k++) {
			before = steps;
			(void)pmumap_imc_find_name(map, kind->find[i], strlen(kind->find[i]),
						   nths[k], &e);
			taken = since(&before);
			most = taken > most ? taken : most;
		}
	}
	return most;
}

static uint64_t most_of_offsets(const struct pmumap_imc *map)
{
	static const uint32_t nths[] = { 0, 1, 1000, 0x7fffffff };
	static const uint32_t offsets[] = { 0, 8, 0x10000, 0xffffffff };
	uint64_t most = 0, before, taken;
	uint32_t e;
	size_t i, k;

	for (i = 0; i < 32; i++) {
		k = i / 8;
		before = steps;
		(void)pmumap_imc_find_offset(map, i & 1 ? 0 : PMUMAP_IMC_ALL, offsets[k],
					     nths[i / 2 % 4], &e);
		taken = since(&before);
		most = taken > most ? taken : most;
	}
	return most;
}

static void emitted(const struct blob *t, const struct pmumap *map, uint64_t *taken)
{
	size_t bytes = 4 * t->size + 65536;
	unsigned char *copy = exact(bytes);
	uint64_t before;

	memcpy(copy, t->fdt, t->size);
	before = steps;
	CHECK_EQ(pmumap_fdt_emit(copy, bytes, 0, map, NULL), PMUMAP_OK);
	taken[EMIT] = since(&before);
	free(copy);
}

/* Operations on any tree. */
static void edited(const struct blob *t, const struct pmumap *map, uint64_t *taken)
{
	static const uint32_t chips[2] = { 0, 8 };
	static const uint64_t bases[2] = { 0x1000, 0x2000 };
	struct pmumap_imc_chips all = { chips, bases, 2, 0, 0, NULL };
	size_t bytes = 3 * t->size, room;
	unsigned char *copy = exact(bytes);
	uint64_t before;

	memcpy(copy, t->fdt, t->size);
	before = steps;
	CHECK_EQ(pmumap_fdt_fixup(copy, bytes), PMUMAP_OK);
	taken[FIXUP] = since(&before);
	memcpy(copy, t->fdt, t->size);
	before = steps;
	CHECK_EQ(pmumap_imc_fdt_fixup(copy, bytes, &all, NULL), PMUMAP_OK);
	taken[IMC_FIXUP] = since(&before);
	memcpy(copy, t->fdt, t->size);
	all.count = 100000; /* alike, so their number costs nothing until they are written */
	before = steps;
	(void)pmumap_imc_fdt_fixup(copy, t->size, &all, NULL);
	CHECK(since(&before) <= taken[IMC_FIXUP]);
	room = bytes_to_check(t->fdt, t->size, 0);
	before = steps;
	(void)pmumap_fdt_harts(t->fdt, t->size, (struct pmumap_fdt_hart *)(void *)copy,
			       room / sizeof(struct pmumap_fdt_hart), &room);
	taken[HARTS] = since(&before);
	free(copy);
	emitted(t, map, taken);
}

static void restricted(const struct pmumap *map, uint64_t *taken)
{
	static const struct pmumap_range ranges[] = { { 1, 0xffff }, { 0x10000, 0xfffff } };
	const struct pmumap_grant grant = { 0xf8, 2, ranges };
	const struct pmumap *small;
	struct pmumap_builder b;
	uint64_t before = steps;
	size_t bytes;
	void *block;

	pmumap_begin(&b, NULL, 0);
	CHECK_EQ(pmumap_add_map(&b, map, &grant), PMUMAP_OK);
	bytes = pmumap_need(&b);
	block = exact(bytes);
	CHECK_EQ(pmumap_restrict(map, &grant, block, bytes, &small), PMUMAP_OK);
	taken[RESTRICT] = since(&before);
	free(block);
}

/*
 * An image that nobody built: an empty record and a sorted run of one more, with a selector from an
 * event up to the limit. If pmumap_open() accepts it, restricting it to 16 ranges takes few steps.
 */
static void foreign(void)
{
	static const uint32_t keys[] = { 0x8000003f, 0x80000040, 0x8000ffff, 0x800fffff };
	static uint64_t block[1 << 14];
	const struct pmumap *image, *part;
	struct pmumap_range ranges[16];
	struct pmumap_grant grant = { ~0u, 16, ranges };
	struct pmumap_builder b;
	struct pmumap_record *r;
	uint64_t before, taken;
	struct pmumap *made;
	size_t bytes, i;

	test_now = "foreign images";
	for (i = 0; i < 16; i++) {
		ranges[i].first = (uint32_t)i;
		ranges[i].last = ~0u;
	}
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		pmumap_begin(&b, block, sizeof(block));
		CHECK_EQ(pmumap_add_counters(&b, 0x40, 0x40, 8), PMUMAP_OK);
		CHECK_EQ(pmumap_finish(&b, &image), PMUMAP_OK);
		made = (struct pmumap *)(uintptr_t)image;
		made->sorted_count = 2;
		r = made->record;
		r += made->sorted;
		r[1].key = keys[i];
		bytes = pmumap_size(made);
		if (pmumap_open(made, bytes, &image) != PMUMAP_OK)
			continue;
		before = steps;
		pmumap_begin(&b, NULL, 0);
		CHECK_EQ(pmumap_add_map(&b, image, &grant), PMUMAP_OK);
		taken = since(&before);
		CHECK(taken < 16 * 40 * bytes);
		(void)pmumap_restrict(image, &grant, block + (1 << 13), sizeof(block) / 2, &part);
		CHECK(since(&before) < 16 * 80 * bytes);
	}
}

/* The same for AMU; returns whether the tree has any. */
static int run_amu(const struct blob *t, uint64_t *taken)
{
	uint32_t found = 0;
	struct pmumap_amu_options opt = { .labels = pmumap_amu_labels };
	const struct pmumap_amu *map = NULL, *opened;
	uint64_t before = steps;
	size_t bytes = 0;
	void *block;

	if (pmumap_amu_fdt_measure(t->fdt, t->size, &opt, &bytes) != PMUMAP_OK)
		return 0;
	memset(taken, 0, CALLS * sizeof(*taken));
	taken[MEASURE] = since(&before);
	CHECK(bytes < 12 * t->size + 4096);
	block = exact(bytes);
	before = steps;
	CHECK_EQ(pmumap_amu_fdt_build(t->fdt, t->size, &opt, block, bytes, &map), PMUMAP_OK);
	taken[BUILD] = since(&before);
	CHECK_EQ(pmumap_amu_check(t->fdt, t->size, &opt, block, bytes, ignore, &found), PMUMAP_OK);
	taken[FINDINGS] = since(&before);
	CHECK_EQ(pmumap_amu_fdt_build(t->fdt, t->size, &opt, block, bytes, &map), PMUMAP_OK);
	before = steps;
	CHECK_EQ(pmumap_amu_open(map, pmumap_amu_size(map), &opened), PMUMAP_OK);
	taken[OPEN] = since(&before);
	edited(t, &nothing, taken);
	free(block);
	return 1;
}

/* The same for IMC. Units may share a list, so *all includes the block. */
static int run_imc(const struct blob *t, const struct hostile_kind *kind, uint64_t *taken,
		   size_t *all)
{
	uint32_t found = 0;
	const struct pmumap_imc *map = NULL, *opened;
	uint64_t before = steps;
	size_t bytes = 0;
	enum pmumap_status status = pmumap_imc_fdt_measure(t->fdt, t->size, NULL, &bytes);
	void *block;

	if (status != PMUMAP_OK && status != PMUMAP_E_LIMIT)
		return 0;
	memset(taken, 0, CALLS * sizeof(*taken));
	if (status == PMUMAP_E_LIMIT) { /* it is only measured */
		CHECK(since(&before) <= (uint64_t)calls[MEASURE].most * t->size);
		return 1;
	}
	taken[MEASURE] = since(&before);
	*all += bytes;
	block = exact(bytes);
	before = steps;
	CHECK_EQ(pmumap_imc_check(t->fdt, t->size, NULL, block, bytes, ignore, &found), PMUMAP_OK);
	taken[FINDINGS] = since(&before);
	CHECK_EQ(pmumap_imc_fdt_build(t->fdt, t->size, NULL, block, bytes, &map), PMUMAP_OK);
	taken[BUILD] = since(&before);
	CHECK_EQ(pmumap_imc_open(map, pmumap_imc_size(map), &opened), PMUMAP_OK);
	taken[OPEN] = since(&before);
	taken[FIND] = most_of_names(map, kind);
	taken[AT] = most_of_offsets(map);
	edited(t, &nothing, taken);
	free(block);
	return 1;
}

static void run_riscv(const struct blob *t, uint64_t *taken)
{
	uint32_t found = 0;
	const struct pmumap *map = NULL, *opened;
	uint64_t before = steps;
	size_t bytes = 0, room;
	void *block, *other;

	memset(taken, 0, CALLS * sizeof(*taken));
	CHECK_EQ(pmumap_fdt_measure(t->fdt, t->size, NULL, &bytes), PMUMAP_OK);
	taken[MEASURE] = since(&before);
	CHECK(bytes < 12 * t->size + 4096);
	block = exact(bytes);
	room = bytes_to_check(t->fdt, t->size, bytes);
	other = exact(room);
	before = steps;
	CHECK_EQ(pmumap_fdt_build(t->fdt, t->size, NULL, block, bytes, &map), PMUMAP_OK);
	taken[BUILD] = since(&before);
	CHECK_EQ(pmumap_fdt_check(t->fdt, t->size, NULL, other, room, ignore, &found), PMUMAP_OK);
	taken[FINDINGS] = since(&before);
	before = steps;
	CHECK_EQ(pmumap_open(map, pmumap_size(map), &opened), PMUMAP_OK);
	taken[OPEN] = since(&before);
	edited(t, map, taken);
	restricted(map, taken);
	free(other);
	free(block);
}

/* A tree has one kind. */
static void run(const struct hostile_kind *kind, size_t size, uint64_t *taken, size_t *bytes)
{
	struct blob t = hostile_make(kind, size);

	*bytes = t.size;
	if (!run_amu(&t, taken) && !run_imc(&t, kind, taken, bytes))
		run_riscv(&t, taken);
	free(t.fdt);
}

int main(int argc, char **argv)
{
	size_t largest = quick(1024, 256) << 10, size, bytes, k, fewer = 1;
	uint64_t before[CALLS], now[CALLS];
	int counted, call, verbose = argc > 1;

	run(&hostile_kinds[0], 4096, now, &bytes);
	counted = steps != 0;
	if (!counted)
		printf("SKIP steps: this compiler does not count them\n");
	foreign();
	for (k = 0; k < HOSTILE_KINDS; k++) {
		test_now = hostile_kinds[k].name;
		if (verbose && strcmp(argv[1], "all") && strcmp(argv[1], test_now))
			continue;
		memset(before, 0, sizeof(before));
		for (size = 64 << 10; size <= (counted ? largest : 64 << 10); size *= 2) {
			run(&hostile_kinds[k], size, now, &bytes);
			for (call = 0; counted && call < CALLS; call++) {
				/* As if the bytes had doubled. */
				double growth = before[call] ? 2.0 * (double)now[call] /
								       (double)before[call] *
								       (double)fewer / (double)bytes
							     : 0;

				if (verbose)
					printf("%-14s %-10s %8zu: %10" PRIu64
					       " steps, %6.2f a byte, %5.2f times\n",
					       test_now, calls[call].name, bytes, now[call],
					       (double)now[call] / (double)bytes, growth);
				/* With few steps, fixed costs dominate; or a larger block has room
				 * for an index. */
				if (!CHECK(growth <= 2.3 || now[call] < bytes / 4 ||
					   (calls[call].most >= 30 && now[call] < 17 * bytes)))
					printf("\t%s: %zu bytes take %.2f times\n",
					       calls[call].name, bytes, growth);
				if (!CHECK(now[call] <= (uint64_t)calls[call].most * bytes + 4096))
					printf("\t%s: %.1f a byte\n", calls[call].name,
					       (double)now[call] / (double)bytes);
			}
			memcpy(before, now, sizeof(before));
			fewer = bytes;
		}
	}
	return test_summary();
}
