/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Chips written into IMC catalogs: libfdt, told by the model which units exist, makes the same tree
 * of the same size; and the tree reads back with these chips.
 */

#include "emit_support.h"
#include "imc_support.h"

static uint32_t chip_ids[64];
static uint64_t chip_bases[64], chip_vectors[64];

static enum pmumap_status fix(void *fdt, size_t bytes, const void *arg, size_t *need)
{
	return pmumap_imc_fdt_fixup(fdt, bytes, arg, need);
}

/* ---- the same by libfdt ---------------------------------------------------------------------- */

static int is_compatible(const void *fdt, int node, const char *what)
{
	return fdt_stringlist_search(fdt, node, "compatible", what) >= 0;
}

/* 1: the property has one cell. 0: it is missing. -1: it has another size. */
static int one_cell(const void *fdt, int node, const char *name, uint32_t *value)
{
	int len;
	const fdt32_t *p = fdt_getprop(fdt, node, name, &len);

	*value = p && len == 4 ? fdt32_ld(p) : 0;
	return p ? len == 4 ? 1 : -1 : 0;
}

static uint32_t type_of(const void *fdt, int node)
{
	uint32_t type;

	return one_cell(fdt, node, "type", &type) == 1 ? type : 0;
}

static int is_nest(const void *fdt, int node)
{
	return is_compatible(fdt, node, "ibm,imc-counters") && type_of(fdt, node) == 0x10;
}

/* Mistakes in a unit's node that keep it from being handed on. */
static int is_bad(const void *fdt, int node)
{
	uint32_t type = type_of(fdt, node), size, value;
	int has_size = one_cell(fdt, node, "size", &size), len = 0;

	if (type != 1 && type != 2 && type != 4 && type != 0x10)
		return 1;
	if (has_size < 0 || (type == 0x10 && size == 0))
		return 1;
	if (type == 0x10 && (one_cell(fdt, node, "offset", &value) != 1 ||
			     one_cell(fdt, node, "cb_offset", &value) < 0))
		return 1;
	return fdt_getprop(fdt, node, "events", NULL) &&
	       (!fdt_getprop(fdt, node, "reg", &len) || len < 4);
}

/* Removes all properties of that name; a new one may take their bytes. */
static void replace(void *fdt, int node, const char *name, const void *value, uint32_t bytes)
{
	while (fdt_nop_property(fdt, node, name) == 0)
		;
	must(fdt_setprop(fdt, node, name, value, (int)bytes));
}

/* Whether the nest unit of this name exists, by the vector of a chip, or by the common one. */
static int has_unit(const struct pmumap_imc_chips *chips, uint32_t chip, const char *name)
{
	unsigned generation = chips->generation & 0xff;
	uint64_t vector = chips->available;

	if (chips->vectors && chips->count)
		vector = chips->vectors[chip];
	return (generation != 9 && generation != 10) ||
	       imc_model_node_available(generation, vector, name);
}

static int has_unit_anywhere(const struct pmumap_imc_chips *chips, const char *name)
{
	uint32_t i;
	int found = has_unit(chips, 0, name);

	for (i = 1; i < chips->count; i++)
		found |= has_unit(chips, i, name);
	return found;
}

static void set_chips(void *fdt, int node, const struct pmumap_imc_chips *chips)
{
	fdt64_t bases[64];
	fdt32_t ids[64];
	uint32_t i, n = 0;

	for (i = 0; i < chips->count; i++) {
		if (!has_unit(chips, i, fdt_get_name(fdt, node, NULL)))
			continue;
		bases[n] = cpu_to_fdt64(chips->bases[i]);
		ids[n++] = cpu_to_fdt32(chips->chips[i]);
	}
	replace(fdt, node, "base-addr", bases, 8 * n);
	replace(fdt, node, "chip-id", ids, 4 * n);
}

/* The first unit that is bad or absent, or the end; in other generations all are present. */
static int absent_unit(const void *fdt, int root, const struct pmumap_imc_chips *chips)
{
	int node;

	fdt_for_each_subnode(node, fdt, root)
	{
		if (!is_compatible(fdt, node, "ibm,imc-counters"))
			continue;
		if (is_bad(fdt, node) || ((chips->generation & 0x100) && type_of(fdt, node) == 2))
			break;
		if (is_nest(fdt, node) && !has_unit_anywhere(chips, fdt_get_name(fdt, node, NULL)))
			break;
	}
	return node;
}

static void fix_root(void *fdt, int root, const struct pmumap_imc_chips *chips)
{
	int node;

	while ((node = absent_unit(fdt, root, chips)) >= 0)
		must(fdt_nop_node(fdt, node));
	fdt_for_each_subnode(node, fdt, root)
	{
		if (is_nest(fdt, node))
			set_chips(fdt, node, chips);
	}
}

/* Outermost catalogs; one inside of another does not count. */
static unsigned char *by_libfdt(const void *fdt, const struct pmumap_imc_chips *chips, size_t more)
{
	unsigned char *copy = opened(fdt, more);
	int node = -1, depth = 0, inside = 0;

	for (node = fdt_next_node(copy, -1, &depth); node >= 0;
	     node = fdt_next_node(copy, node, &depth)) {
		if (inside && depth >= inside)
			continue;
		inside = 0;
		if (!is_compatible(copy, node, "ibm,opal-in-memory-counters"))
			continue;
		inside = depth + 1;
		fix_root(copy, node, chips);
	}
	return copy;
}

/* ---- one tree -------------------------------------------------------------------------------- */

/* Each readable nest unit has exactly these chips, and the model's addresses. */
static void check_read(const void *fdt, size_t size, const void *want,
		       const struct pmumap_imc_chips *chips)
{
	struct pmumap_imc_options opt = { 0 };
	struct imc_model m;
	struct pmumap_imc_unit unit;
	enum pmumap_status status;
	struct pmumap_imc *map = imc_build(fdt, size, &opt, &status);
	uint32_t i, k, n, bad = 0;

	CHECK_EQ(status, PMUMAP_OK);
	if (!imc_model_read(&m, want, 0, 0) || !map)
		return;
	check_imc_listing(map, &m, 0);
	check_addresses(map, &m);
	for (i = 0; pmumap_imc_unit_at(map, i, &unit); i++) {
		if (unit.type != PMUMAP_IMC_NEST || !is_nest(want, m.unit[i].node))
			continue;
		for (k = n = 0; k < chips->count; k++) {
			uint32_t chip = 0;
			uint64_t base = 0;

			if (!has_unit(chips, k, unit.name))
				continue;
			bad += !pmumap_imc_chip_at(map, i, n++, &chip, &base) ||
			       chip != chips->chips[k] || base != chips->bases[k];
		}
		bad += unit.chips != n;
	}
	CHECK_EQ(bad, 0);
	imc_model_free(&m);
	free(map);
}

/* Returns whether the bytes after the last tag are unchanged. */
static int same_end(const void *fixed, const void *fdt)
{
	const void *both[2] = { fixed, fdt };
	int behind[2], i;

	for (i = 0; i < 2; i++) {
		int at, tag, next = 0;

		do {
			at = next;
			tag = (int)fdt_next_tag(both[i], at, &next);
		} while (tag != FDT_END && next > 0);
		behind[i] = (int)fdt_size_dt_struct(both[i]) - next;
	}
	return behind[0] == behind[1];
}

static void check_chips(const unsigned char *fdt, size_t size, const struct pmumap_imc_chips *chips,
			size_t step)
{
	enum pmumap_status status;
	size_t need;
	unsigned char *fixed = changed(fdt, size, fix, chips, step, &need, &status);
	unsigned char *want = by_libfdt(fdt, chips, need + 4096);

	CHECK_EQ(status, PMUMAP_OK);
	if (fixed) {
		CHECK_EQ(fdt_check_full(fixed, fdt_totalsize(fixed)), 0);
		CHECK(same_trees(fixed, want));
		CHECK(same_end(fixed, fdt));
		CHECK_EQ(need, packed(want) + overhead(fdt));
		check_read(fixed, fdt_totalsize(fixed), want, chips);
	}
	free(want);
	free(fixed);
}

/* ---- catalogs -------------------------------------------------------------------------------- */

static const struct {
	uint32_t count;
	unsigned generation;
	uint64_t available;
} cases[] = {
	{ 0, 0, 0 },
	{ 1, 0, 0 },
	{ 2, 9, 0 },
	{ 32, 10, ~0ull },
	{ 1, 9, ~0ull },
	{ 2, 9, 0xffff000000000000 },
	{ 2, 9, 0x00ff00ff0000ffff },
	{ 1, 10, 1 },
	{ 2, 10, 0xaaaaaaaaaaaaaaaa },
	{ 2, 10, 0x5555555555555555 },
	{ 1, 11, 0x8000000000000000 },
	{ 1, 0x100, 0 },
	{ 2, 0x109, 0xffff000000000000 },
	{ 2, 0x10a, 0 },
};

static struct pmumap_imc_chips chips_of(uint32_t count, unsigned generation, uint64_t available)
{
	struct pmumap_imc_chips chips = {
		chip_ids, chip_bases, count, generation, available, NULL
	};
	uint32_t i;

	for (i = 0; i < count; i++) {
		chip_ids[i] = i ? (uint32_t)random64() : 0;
		chip_bases[i] = random64();
		chip_vectors[i] = i == 1 ? 0 : random64();
	}
	return chips;
}

/* The same with a vector for each chip; the second chip has no unit. */
static struct pmumap_imc_chips different_chips(uint32_t count, unsigned generation)
{
	struct pmumap_imc_chips chips = chips_of(count, generation, ~0ull);

	chips.vectors = chip_vectors;
	return chips;
}

static void catalog(const unsigned char *fdt, size_t size)
{
	size_t i, step = size > 8000 ? 7001 : 97, each = size > 8000 ? quick(1, 4) : 1;
	struct pmumap_imc_chips chips;

	if (fdt_check_full(fdt, size))
		return;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i += each) {
		chips = chips_of(cases[i].count, cases[i].generation, cases[i].available);
		check_chips(fdt, size, &chips, step);
	}
	chips = chips_of(3, 9 + random_below(2), random64());
	check_chips(fdt, size, &chips, step);
	for (i = 0; i < 4; i += each) {
		chips = different_chips((uint32_t)i + (i == 0), 9 + random_below(2));
		check_chips(fdt, size, &chips, step);
	}
	chips = different_chips(4, 9 + random_below(2));
	for (i = 1; i < 4; i++)
		chip_vectors[i] = chip_vectors[0];
	check_chips(fdt, size, &chips, step);
	chips.count = 0; /* so the common vector counts */
	check_chips(fdt, size, &chips, step);
	chips.available = 0;
	check_chips(fdt, size, &chips, step);
}

/* ---- trees of our own ------------------------------------------------------------------------ */

#define ROOT " { compatible=\"ibm,opal-in-memory-counters\" "
#define UNIT " { compatible=\"ibm,imc-counters\" events-prefix=\"PM_\" reg=<8> events=<1> "
#define NEST UNIT "type=<10> size=<40000> offset=<180000> } "

/* A unit with one mistake or none, by number 0 to 23. */
static void bad_unit(unsigned what)
{
	static const unsigned types[] = { 0x10, 4, 1, 2 };
	static const char *const rest[] = {
		"size=<40> offset=<0>", "size=<10 10> offset=<0>",  "offset=<0>",
		"size=<0> offset=<0>",  "size=<40> offset=[0 0 0]", "size=<40>",
	};

	blob_format(&tree, "bad%u { compatible=\"ibm,imc-counters\" type=<%x> %s }", what,
		    types[what / 6], rest[what % 6]);
}

static void check_untouched(unsigned char *fdt, size_t size)
{
	struct pmumap_imc_chips chips = chips_of(2, 0, 0);
	unsigned char *before = exact_copy(fdt, size);

	CHECK_EQ(pmumap_imc_fdt_fixup(fdt, size, &chips, NULL), PMUMAP_OK);
	CHECK(memcmp(fdt, before, size) == 0);
	free(before);
	free(fdt);
}

/* The root itself is no unit. */
static void check_no_units(void)
{
	unsigned char *fdt;
	size_t size;

	test_now = "the root is no unit";
	fdt = make("compatible=\"ibm,imc-counters\" type=<10>", &size);
	check_untouched(fdt, size);
}

/* Units and other nodes: by type, place and "compatible"; more mistakes. */
static const char strange[] =
	"cb" UNIT "type=<10> size=<40000> offset=<0> cb_offset=[0 0 0 0 0 3 fc 0] } "
	"core-cb" UNIT "type=<4> cb_offset } "
	"no-reg { compatible=\"ibm,imc-counters\" type=<4> size=<40> events=<1> } "
	"short-reg { compatible=\"ibm,imc-counters\" type=<4> size=<40> events=<1> reg=[0 0 0] } "
	"trace { compatible=\"ibm,imc-counters\" type=<2> size=<40> events=<1> reg=<0> } "
	"phb0@8" UNIT "type=<10> chip-id=<1> base-addr=<2> chip-id=<3> cb_offset=<3> size=<8> "
	"offset=<8> inside { mcs23@18" NEST "} too-deep" NEST "} "
	"no-type { compatible=\"ibm,imc-counters\" } "
	"two-cells { compatible=\"ibm,imc-counters\" type=<10 10> } "
	"above-nest { compatible=\"ibm,imc-counters\" type=<11> } "
	"no-unit { compatible-too=\"ibm,imc-counters\" type=<10> } "
	"no-type-either { compatible=\"ibm,imc-counters\" type-too=<10> } "
	"other { compatible=\"ibm,imc-counters-nest\" type=<10> } "
	"second { compatible=\"x|ibm,imc-counters\" type=<10> type=<4> size=<8> size=<0> "
	"offset=<0> } "
	"root-in-root" ROOT "mcs45" NEST "} mcs7" NEST "pb@8" NEST "last" NEST "} "
	"behind" NEST "box { as-deep-as-units" NEST "deeper" ROOT "mcs67@8" NEST "} "
	"as-deep-as-the-root" NEST "} again" ROOT "xlink0@0" NEST "} "
	"case { deeper" ROOT "mcs67@18" NEST "} } at-once" ROOT "xlink1@0" NEST "} ";

static unsigned char *make_strange(size_t *size)
{
	unsigned i;

	start();
	blob_text(&tree, "{ outside" NEST "imc { compatible=\"x|ibm,opal-in-memory-counters\" "
			 "list { phandle=<1> event { event-name=\"E\" reg=<8> } } mcs01@8" NEST
			 "core@8" UNIT "type=<4> }");
	for (i = 0; i < 24; i++)
		bad_unit(i);
	blob_text(&tree, strange);
	return finish(size);
}

static void check_strange(void)
{
	size_t size, laid, i, l;
	unsigned char *fdt = make_strange(&size), *other;

	for (l = 0; l < LAYOUTS; l++) {
		struct pmumap_imc_chips chips = chips_of(2, 0, 0);

		test_now = layouts[l].name;
		other = lay_out(&layouts[l], fdt, &laid);
		if (!layouts[l].grows) {
			CHECK_EQ(pmumap_imc_fdt_fixup(other, laid, &chips, NULL),
				 PMUMAP_E_FDT_LAYOUT);
			free(other);
			continue;
		}
		for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			chips = chips_of(cases[i].count, cases[i].generation, cases[i].available);
			check_chips(other, laid, &chips, l || i != 1 ? quick(11, 61) : quick(1, 7));
		}
		free(other);
	}
	test_now = "";
	free(fdt);
}

static void check_refused(void)
{
	struct pmumap_imc_chips chips = chips_of(1, 0, 0);
	size_t size, need = 77;
	unsigned char *fdt = make_strange(&size), *copy = room(fdt, size, 2 * size);

	CHECK_EQ(pmumap_imc_fdt_fixup(NULL, size, &chips, &need), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_imc_fdt_fixup(copy, size, NULL, &need), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_imc_fdt_fixup(copy, size - 1, &chips, &need), PMUMAP_E_FDT_SIZE);
	CHECK_EQ(need, 77);
	chips.count = 0x7fffffff;
	CHECK_EQ(pmumap_imc_fdt_fixup(copy, 2 * size, &chips, &need), PMUMAP_E_LIMIT);
	chips.count = 0x7ffffff; /* each unit less than 2 GiB, not all of them */
	CHECK_EQ(pmumap_imc_fdt_fixup(copy, 2 * size, &chips, &need), PMUMAP_E_LIMIT);
	CHECK_EQ(need, 77);
	chips.count = 1000000;
	CHECK_EQ(pmumap_imc_fdt_fixup(copy, 2 * size, &chips, &need), PMUMAP_E_NOSPACE);
	CHECK(need > 12000000);
	CHECK(memcmp(copy, fdt, size) == 0);
	free(copy);
	free(fdt);
	fdt = make("compatible=\"ibm,opal-in-memory-counters\" alone" NEST, &size);
	chips.count = 0x7ffffff; /* as above, but this is all */
	CHECK_EQ(pmumap_imc_fdt_fixup(fdt, size, &chips, &need), PMUMAP_E_NOSPACE);
	CHECK_EQ(need, size + 24 + 12 * 0x7ffffff + sizeof("base-addr") + sizeof("chip-id"));
	free(fdt);
}

/* ---- hostile trees --------------------------------------------------------------------------- */

static void hostile(const unsigned char *fdt, size_t size)
{
	struct pmumap_imc_chips chips = chips_of(2, 9, 0xfff0000000000000);

	survive(fdt, size, fix, &chips);
}

static void check_hostile(void)
{
	struct pmumap_imc_chips chips = chips_of(2, 9, 1);
	size_t size;
	unsigned char *fdt =
		make("compatible=\"ibm,opal-in-memory-counters\" mcs01@8" NEST "phb0" NEST, &size);

	ruin(fdt, size, fix, &chips);
	free(fdt);
	each_file("../shared/corpus/hostile/*.dtb", hostile);
	CHECK_EQ(survived.bad, 0);
}

/* ---- many units ------------------------------------------------------------------------------ */

static void check_many(void)
{
	struct pmumap_imc_chips chips = chips_of(32, 0, 0);
	size_t size, need = 0;
	unsigned char *fdt, *copy;
	const uint32_t units = quick(35200, 3520);
	uint32_t i;
	int node, len = 0;

	start();
	blob_text(&tree, ROOT);
	for (i = 0; i < units; i++)
		blob_format(&tree, "u%u@%x" NEST, (unsigned)i, (unsigned)i);
	fdt = finish(&size);
	CHECK_EQ(pmumap_imc_fdt_fixup(fdt, size, &chips, &need), PMUMAP_E_NOSPACE);
	copy = room(fdt, size, need);
	CHECK_EQ(pmumap_imc_fdt_fixup(copy, need, &chips, &need), PMUMAP_OK);
	CHECK_EQ(need, size + units * (24 + 12 * 32) + 18);
	node = fdt_next_subnode(copy, fdt_first_subnode(copy, 0));
	CHECK(fdt_getprop(copy, node, "base-addr", &len) && len == 256);
	free(copy);
	free(fdt);
}

int main(void)
{
	check_strange();
	check_no_units();
	check_refused();
	CHECK(each_file("build/boards/imc-*.dtb", catalog) >= 10);
	each_file("build/corpus-imc/*.dtb", catalog);
	check_hostile();
	check_many();
	return test_summary();
}
