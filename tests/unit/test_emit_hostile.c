/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Unchecked and large trees: rejected unchanged, or changed within their buffer and readable again.
 */
#include <time.h>

#include "emit_trees.h"

static struct pmumap *rich; /* a map with all kinds of rows */
static uint32_t hostile_calls, hostile_changed, hostile_bad;

/* A status and nothing written, or a readable tree. */
static void survive(const unsigned char *fdt, size_t size, const struct emission *e)
{
	size_t bytes = size + 700, need = 77, again;
	unsigned char *copy = room(fdt, size, bytes);
	enum pmumap_status status = e ? pmumap_fdt_emit(copy, bytes, e->parent, e->map, &need)
				      : pmumap_fdt_fixup(copy, bytes);

	hostile_calls++;
	if (status != PMUMAP_OK) {
		hostile_bad += memcmp(copy, fdt, size) != 0;
		hostile_bad += (need != 77) != (status == PMUMAP_E_NOSPACE);
	} else {
		enum pmumap_status after = pmumap_fdt_measure(copy, bytes, NULL, &again);

		hostile_changed++;
		hostile_bad += e && after != PMUMAP_OK && after != PMUMAP_E_NOTFOUND;
		hostile_bad += pmumap_status_str(after) == NULL;
	}
	for (again = status == PMUMAP_OK && e ? larger(need, size) : size; again < bytes; again++)
		hostile_bad += copy[again] != 0x5a;
	free(copy);
}

static void hostile(const unsigned char *fdt, size_t size)
{
	struct emission e = { 0, rich };

	for (; e.parent < 64; e.parent += 4)
		survive(fdt, size, &e);
	survive(fdt, size, NULL);
}

static void ruin(unsigned char *fdt, size_t size)
{
	struct emission e = { 0, rich };
	size_t at;
	uint32_t step = quick(1, 16), value;

	for (at = 0; at < size; at++) {
		survive(fdt, at, &e);
		survive(fdt, at, NULL);
	}
	for (at = 0; at < size; at++) {
		for (value = 1; value < 256; value += step) {
			fdt[at] ^= (unsigned char)value;
			survive(fdt, size, &e);
			survive(fdt, size, NULL);
			fdt[at] ^= (unsigned char)value;
		}
	}
}

/* Changes several words at once, mostly to plausible offsets, sizes or tags. */
static void mix(unsigned char *fdt, size_t size, uint32_t rounds)
{
	struct emission e = { 0, rich };
	uint32_t i, k;

	for (i = 0; i < rounds; i++) {
		unsigned char *copy = exact_copy(fdt, size);

		for (k = random_below(3) + 1; k; k--) {
			size_t at = 4 * (random_below(2) ? random_below(10)
							 : random_below((uint32_t)size / 4));
			uint32_t value = random_below(4) ? random_below((uint32_t)size + 4)
							 : random_below(16);

			fdt32_st(copy + at, random_below(16) ? value : (uint32_t)random64());
		}
		fdt32_st(copy, FDT_MAGIC);
		e.parent = (int)random_below(4) * 8;
		survive(copy, size, &e);
		survive(copy, size, NULL);
		free(copy);
	}
}

static void check_hostile(void)
{
	unsigned char *fdt;
	size_t size;

	rich = map_of(ALL);
	each_file("../shared/corpus/hostile/*.dtb", hostile);
	each_file("build/trees/*.dtb", hostile);
	fdt = make_tree(1, &size);
	ruin(fdt, size);
	mix(fdt, size, quick(50000, 2000));
	free(fdt);
	start(1024);
	begin("");
	begin("pmu");
	text("compatible", "riscv,pmu");
	bytes(tables[1], "\0\0\0\3\0\0\0\4\0\0\0\x18", 12);
	end();
	end();
	fdt = finish(&size);
	ruin(fdt, size);
	mix(fdt, size, quick(50000, 2000));
	free(fdt);
	CHECK(hostile_calls > 1000 && hostile_changed > 100);
	CHECK(hostile_calls - hostile_changed > 1000);
	CHECK_EQ(hostile_bad, 0);
	free(rich);
}

/* Ten megabytes of properties, every other one of which is removed. */
static void check_time(void)
{
	uint32_t i, n = quick(100000, 10000);
	unsigned char *fdt, *copy, rows[96] = { 0 };
	struct pmumap *map = map_of(ALL);
	size_t size, need = 0, over;
	clock_t before;

	start(n * 120 + 4096);
	begin("");
	begin("pmu");
	text("compatible", "riscv,pmu");
	for (i = 0; i < n; i++)
		bytes(i & 1 ? tables[i / 2 % 3] : "status", rows, 90);
	end();
	end();
	fdt = finish(&size);
	over = overhead(fdt);
	before = clock();
	CHECK_EQ(pmumap_fdt_emit(fdt, size, 0, map, &need), PMUMAP_OK);
	CHECK(need < size - n / 2 * 90);
	CHECK_EQ(fdt_totalsize(fdt), size);
	CHECK_EQ(pmumap_fdt_fixup(fdt, size), PMUMAP_OK);
	CHECK(clock() - before < 3 * CLOCKS_PER_SEC);
	copy = opened(fdt, 64);
	CHECK_EQ(packed(copy) + over, need);
	CHECK(properties(fdt, fdt_path_offset(fdt, "/pmu")) == n / 2 + 1);
	free(copy);
	free(map);
	free(fdt);
}

int main(void)
{
	check_hostile();
	check_time();
	return test_summary();
}
