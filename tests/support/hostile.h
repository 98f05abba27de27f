/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trees in which many nodes share one large part, at any size.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include "blob.h"

static inline int is_full(const struct blob *t, size_t bytes)
{
	return t->tag_bytes + t->name_bytes >= bytes;
}

/* A long name that ends in six digits. Valid until the next call. */
static inline char *letters(size_t n, unsigned number)
{
	static char *text;
	static size_t room;

	text = blob_grow(text, &room, n + 8);
	memset(text, 'a', n);
	snprintf(text + n, 8, "%06u", number % 1000000);
	return text;
}

/* Repeats a text up to a size. Its numbers, at most three, are n, n + 1... Returns the next one. */
static inline unsigned fill(struct blob *t, size_t bytes, const char *text, unsigned n)
{
	for (; !is_full(t, bytes); n++)
		blob_format(t, text, n, n, n);
	return n;
}

/* ---- AMU ---- */

#define AMU_ROOT "{ cpus { #address-cells=<1> amus { "
#define VIEW "%s { #address-cells=<1> phandle=<%x> "
#define COUNTER "counter@%x { reg=<%x> } "
#define CPU "cpu@%x { reg=<%x> amu=<%x> } "

static inline void counters(struct blob *t, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		blob_format(t, COUNTER, i, i);
}

/* Properties of /__symbols__ whose names are different ends of one long string. */
static inline void label_ends(struct blob *t, size_t size)
{
	unsigned views = (unsigned)(size / 4 / (16 * 44)) + 1, v, at, i;
	char path[64];

	blob_text(t, AMU_ROOT);
	for (v = 0; v < views; v++) {
		blob_format(t, "v%u { #address-cells=<1> phandle=<%x>", v, v + 1);
		counters(t, 16);
		blob_end(t);
	}
	blob_text(t, "} cpu@0 { reg=<0> amu=<1> } } __symbols__ {");
	at = blob_name(t, letters(size / 4, 0), size / 4 + 6);
	for (i = 0; !is_full(t, size); i++) {
		snprintf(path, sizeof(path), "/cpus/amus/v%u/counter@%x", i / 16 % views, i % 16);
		blob_property(t, at + i, path, strlen(path) + 1);
	}
}

/* No AMU except the labels, all with one name. */
static inline void labels_only(struct blob *t, size_t size)
{
	unsigned at = blob_name(t, letters(size / 2, 0), size / 2 + 6);

	blob_text(t, "{ pmu { compatible=\"riscv,pmu\" } __symbols__ {");
	while (!is_full(t, size))
		blob_property(t, at, "/cpus/amus/a/b", 15);
}

/* One view with all counters, and a label for each counter, last ones first. */
static inline void one_view(struct blob *t, size_t size)
{
	unsigned n = (unsigned)(size / 112);

	blob_text(t, AMU_ROOT "v { #address-cells=<1> phandle=<1>");
	counters(t, n);
	blob_text(t, "} } cpu@0 { reg=<0> amu=<1> } } __symbols__ {");
	while (n-- > 0)
		blob_format(t, "reg=\"/cpus/amus/v/counter@%x\"", n);
}

/* Views, with counters in one of them, whose long names differ only at the end. */
static inline void long_nodes(struct blob *t, size_t size)
{
	unsigned i;

	blob_text(t, AMU_ROOT);
	for (i = 64; i-- > 0;)
		blob_format(t, VIEW COUNTER "}", letters(size / 192, i), i + 1, i, i);
	blob_format(t, VIEW, "v", 65u);
	for (i = 64; i-- > 0;)
		blob_format(t, "%s { }", letters(size / 192, i));
	blob_text(t, "} }");
	fill(t, size, "cpu@%x { reg=<%x> amu=<41> }", ~0u);
}

/*
 * CPUs with the same view and the same affinity take half of the tree; its counters take the rest.
 */
static inline void same_cpus(struct blob *t, size_t size)
{
	unsigned i, n;

	blob_text(t, AMU_ROOT);
	for (i = 0; i < 16; i++) {
		blob_format(t, VIEW, "v", 1u);
		while (!is_full(t, (i + 1) * (size / 32))) {
			n = (unsigned)(t->tag_bytes / 4 % 16);
			blob_format(t, COUNTER, n, n);
		}
		blob_end(t);
	}
	blob_end(t);
	fill(t, size, "cpu@7 { reg=<7> amu=<1> }", 0);
}

/* ---- IMC ---- */

#define IMC_ROOT "{ compatible=\"ibm,opal-in-memory-counters\" "
#define LIST "l { phandle=<%x> "
#define EVENT "e { event-name=\"%s\" reg=<%x> } "
#define LIST_1 "l { phandle=<1> e { event-name=\"A\" reg=<0> } } "
#define UNIT "u { compatible=\"ibm,imc-counters\" "
#define CORE_1 UNIT "events-prefix=\"%s\" type=<4> reg=<0> events=<1> } "
#define NEST UNIT "events-prefix=\"%s\" type=<10> reg=<0> events=<%x> size=<%x> offset=<0> } "

/* Texts that differ only at the end: events at one offset, units, prefixes, scales. */
static inline void alike_texts(struct blob *t, size_t size)
{
	unsigned i;

	blob_text(t, IMC_ROOT);
	for (i = 64; i-- > 0;) {
		const char *text = letters(size / 256, i);

		blob_format(t,
			    "%s { compatible=\"ibm,imc-counters\" type=<4> reg=<0> events=<1> "
			    "events-prefix=\"%s\" unit=\"%s\" }",
			    text, text, text);
	}
	blob_format(t, LIST, 1u);
	for (i = 64; i-- > 0;)
		blob_format(t, EVENT, letters(size / 256, i), 0u);
}

/* Names with the same hash, so that each string is compared with others. */
static inline void one_hash(struct blob *t, size_t size)
{
	static const char key[] = "\x9e\x37\x79\xb9\x7f\x4a\x7c\x15"; /* so the product is 0 */
	size_t bytes = size / 64 / 8 * 8;
	unsigned n;

	blob_format(t, IMC_ROOT LIST, 1u);
	for (n = 0; !is_full(t, size); n++) {
		char *text = letters(bytes + 10, n);

		memcpy(text + bytes, key, 8);
		blob_format(t, "e { reg=<%x>", 8 * n);
		blob_property(t, blob_name(t, "event-name", 10), text, bytes + 17);
		blob_end(t);
	}
	blob_end(t);
	blob_format(t, CORE_1, "P");
}

/* Chips shared by all nest units, and units with long lists of chips. */
static inline void chip_lists(struct blob *t, size_t size)
{
	static const unsigned char chips[8 * 64];
	unsigned i;

	blob_text(t, "{ reserved-memory { #address-cells=<1>");
	fill(t, size / 4, "ibm,homer-image { ibm,chip-id=<3> reg=<1000> }", 0);
	blob_text(t, "}" IMC_ROOT LIST_1);
	while (!is_full(t, size / 2))
		blob_format(t, NEST, "", 1u, 8u);
	for (i = 0; !is_full(t, size); i++) {
		blob_text(t, UNIT "type=<10> reg=<0> events=<1>");
		blob_property(t, blob_name(t, "base-addr", 9), chips, 8 * (64 - i % 2));
		blob_property(t, blob_name(t, "chip-id", 7), chips, 4 * (64 - i % 2));
		blob_end(t);
	}
}

/* Lists with the same phandle, and units that refer to it. */
static inline void one_phandle(struct blob *t, size_t size)
{
	blob_text(t, IMC_ROOT);
	fill(t, size / 2, LIST_1, 0);
	while (!is_full(t, size))
		blob_format(t, CORE_1, "");
}

/* Units that share a list; it is so small that all counters are compared. */
static inline void places(struct blob *t, size_t size)
{
	unsigned i;

	blob_format(t, IMC_ROOT LIST, 1u);
	for (i = 15; i-- > 0;)
		blob_format(t, EVENT, "X", 8 * i);
	blob_end(t);
	while (!is_full(t, size))
		blob_format(t, NEST, "", 1u, 0x1000u);
}

/* Long numbers in the same unit's texts. */
static inline void scales(struct blob *t, size_t size)
{
	blob_format(t, IMC_ROOT LIST EVENT "}", 1u, "A", 16u);
	while (!is_full(t, size)) {
		blob_format(t, CORE_1, "P");
		blob_again(t);
		blob_format(t, "scale=\"1%0*u\" }", (int)(size / 32), 0u);
	}
}

/* ---- all ---- */

/* Nodes with long "compatible" lists, and nodes with nothing. */
static inline void compatible_lists(struct blob *t, size_t size)
{
	char list[4096];
	size_t i;

	for (i = 0; i < sizeof(list); i++)
		list[i] = "ibm,imc-countersX\0riscv,pmX\0ibm,opal-in-memory-counterX"[i % 56];
	list[sizeof(list) - 1] = 0;
	blob_format(t, IMC_ROOT LIST_1 CORE_1, "");
	while (!is_full(t, size / 2)) {
		blob_begin(t, "n", 1);
		blob_property(t, blob_name(t, "compatible", 10), list, sizeof(list));
		blob_end(t);
	}
	fill(t, size, "{ }", 0);
}

/* A node that repeats the same properties. */
static inline void same_properties_again(struct blob *t, size_t size)
{
	blob_format(t, IMC_ROOT LIST, 1u);
	fill(t, size,
	     "reg=<1> event-name=<2> compatible=<3> events=<4> type=<5> status=<6> amu=<7> "
	     "statuss=<8> riscv,event-to-mhpmevent=<9> riscv,event-to-mhpmcountert=<a> "
	     "#address-cells=<b>",
	     0);
}

/* 0: equal rows. 1: overlapping ranges and disjoint masks. 2: nested ranges and masks of a bit. */
static inline void rows(struct blob *t, size_t size, uint32_t kind)
{
	static const char *const names[] = { "riscv,event-to-mhpmevent",
					     "riscv,event-to-mhpmcounters",
					     "riscv,raw-event-to-mhpmcounters" };
	unsigned char *value = (unsigned char *)letters(size, 0);
	uint32_t table, i, k, cells, random = 1;

	blob_text(t, "{ pmu { compatible=\"riscv,pmu\"");
	for (table = 0; table < 3; table++) {
		cells = table == 2 ? 5 : 3;
		for (i = 0; 4 * cells * (i + 1) <= size / 3; i++) {
			unsigned char *row = value + 4 * cells * i;

			for (k = 0; k < cells; k++) {
				random = random * 1664525 + 1013904223;
				put32(row + 4 * k, kind ? random >> 8 : 8);
			}
			put32(row, kind == 0 ? 8 : table == 2 ? random >> 16 : random >> 12);
			if (table == 1)
				put32(row + 4, kind ? (random >> 12) + i : 8);
			put32(row + 4 * (cells - 1), 0xf8);
			if (table == 1 && kind == 2) {
				put32(row, i % 0x80000);
				put32(row + 4, 0xfffff - i % 0x80000);
			}
			for (k = 2; table == 2 && kind == 2 && k < 4; k++)
				put32(row + 4 * k, k == 3 ? 1u << i % 32 : 0);
			for (k = 0; table == 2 && kind && k < 8; k++) /* select within mask */
				row[k] &= row[8 + k];
		}
		blob_property(t, blob_name(t, names[table], strlen(names[table])), value,
			      (size_t)i * 4 * cells);
	}
}

#define ROWS(name, kind)                                                                           \
	static inline void name(struct blob *t, size_t size)                                       \
	{                                                                                          \
		rows(t, size, kind);                                                               \
	}
ROWS(equal_rows, 0)
ROWS(loose_rows, 1)
ROWS(nested_rows, 2)

#define PMU "pmu { compatible=\"riscv,pmu\" "
#define ONE_ROW "riscv,event-to-mhpmcounters=<1 1 8> "

/* Many PMUs, and one with many tables. */
static inline void many_pmus(struct blob *t, size_t size)
{
	blob_text(t, "{");
	fill(t, size / 2, PMU ONE_ROW "}", 0);
	blob_text(t, PMU);
	fill(t, size, ONE_ROW, 0);
}

/* As many levels as there may be, a long name of a node, and tags without meaning. */
static inline void structure(struct blob *t, size_t size)
{
	uint32_t i;

	blob_text(t, "{ " PMU "}");
	while (!is_full(t, size / 2)) {
		for (i = 0; i < 63; i++)
			blob_begin(t, "l", 1);
		for (i = 0; i < 63; i++)
			blob_end(t);
	}
	blob_format(t, "%s { }", letters(size / 4, 0));
	while (!is_full(t, size))
		blob_cell(t, 4);
}

/*
 * Properties whose names end one long name, in a node that is read. It repeats names that are
 * searched for.
 */
static inline void name_ends(struct blob *t, size_t until)
{
	static const char like[] = "riscv,event-to-mhpmcountersregriscv,raw-event-to-mhpmcounters";
	size_t n = until / 8, i;
	char *name = letters(n, 0);
	uint32_t at = t->begun, bytes;

	for (i = 0; i < n; i++)
		name[i] = like[i % (sizeof(like) - 1)];
	if (!at)
		at = blob_name(t, name, n);
	bytes = (uint32_t)strlen(t->names + at);
	for (i = 0; !is_full(t, until); i++)
		blob_property(t, at + (uint32_t)i % (bytes + !bytes), "", 0);
}

static inline void names_of_pmu(struct blob *t, size_t size)
{
	blob_text(t, "{ " PMU ONE_ROW);
	name_ends(t, size);
}

static inline void names_of_imc(struct blob *t, size_t size)
{
	blob_text(t, IMC_ROOT LIST_1);
	blob_again(t);
	blob_again(t);
	name_ends(t, size / 2);
	blob_format(t, "} }" CORE_1, "");
	blob_again(t);
	name_ends(t, size);
}

static inline void names_of_amu(struct blob *t, size_t size)
{
	blob_format(t, AMU_ROOT VIEW, "v", 1u);
	name_ends(t, size / 2);
	blob_text(t, "counter@0 { reg=<0> } } } cpu@0 { reg=<0> amu=<1>");
	name_ends(t, size / 4 * 3);
	blob_text(t, "} } __symbols__ {");
	name_ends(t, size);
}

/* CPUs in front of what they refer to, with descending phandles; half of it is missing. */
static inline void cpus_backwards(struct blob *t, size_t size)
{
	unsigned i;

	blob_text(t, "{ cpus { #address-cells=<1>");
	for (i = 2; !is_full(t, size); i += 2)
		blob_format(t, CPU CPU "amus { " VIEW "counter@1 { reg=<1> } } }", i, i, ~i, ~i, ~i,
			    i, "v", ~i - 2);
}

/* Half of the tree are harts, many with one phandle, which the nodes name repeatedly. */
static inline void many_harts(struct blob *t, size_t size)
{
	unsigned char entries[4096] = { 0 };
	unsigned i;

	for (i = 0; i < sizeof(entries); i += 8)
		entries[i] = 1;
	blob_text(t, "{ cpus { #address-cells=<1>");
	for (i = 0; !is_full(t, size / 2); i++)
		blob_format(t,
			    "cpu { reg=<%x> interrupt-controller { interrupt-controller "
			    "phandle=<%x> } }",
			    i * 0x9e3779b1u, i % 2 ? 0x1000000 : i + 1);
	blob_end(t);
	while (!is_full(t, size)) {
		blob_text(t, PMU);
		blob_property(t, blob_name(t, "interrupts-extended", 19), entries, sizeof(entries));
		blob_end(t);
	}
}

/* ---- benign, and large ---- */

/* Lists of 20 events, each used by three units, as in a real catalog. */
static inline void catalog(struct blob *t, size_t size)
{
	char text[64];
	unsigned i, k;

	blob_text(t, IMC_ROOT);
	for (i = 0; !is_full(t, size); i++) {
		blob_format(t, LIST, i + 1);
		for (k = 0; k < 20; k++)
			blob_format(t, "e { event-name=\"64B_RD_DISP_PORT%02u_%u\" reg=<%x> }", k,
				    i, 8 * k);
		blob_end(t);
		for (k = 0; k < 3; k++) {
			snprintf(text, sizeof(text), "PM_MCS%u_%u_", i, k);
			blob_format(t, NEST, text, i + 1, 0x40000u);
		}
	}
}

/* Units that share few lists, unlike a real catalog: too many names for the block. */
static inline void many_units(struct blob *t, size_t size)
{
	char text[64];
	unsigned i, k;

	blob_text(t, IMC_ROOT);
	for (i = 0; i < 16; i++) {
		blob_format(t, LIST, i + 1);
		for (k = 0; k < size / 4096; k++)
			blob_format(t, "e { event-name=\"L%u_DISP_PORT%u_CYC\" reg=<%x> }", i, k,
				    8 * k);
		blob_end(t);
	}
	for (i = 0; !is_full(t, size); i++) {
		snprintf(text, sizeof(text), "PM_U%u_", i);
		blob_format(t, NEST, text, i % 16 + 1, 0x4000000u);
	}
}

static inline void many_cpus(struct blob *t, size_t size)
{
	unsigned i, k;

	blob_text(t, AMU_ROOT);
	for (i = 0; !is_full(t, size / 2); i++) {
		blob_format(t, "amu@%x { #address-cells=<1> phandle=<%x>", i, i + 1);
		counters(t, 16);
		blob_end(t);
	}
	blob_end(t);
	for (k = 0; !is_full(t, size); k++)
		blob_format(t, CPU, k * 40503 % 65536, k * 40503 % 65536, k % i + 1);
}

static const struct hostile_kind {
	const char *name;
	void (*make)(struct blob *t, size_t size);
	const char *find[3]; /* a NULL name ends the list */
} hostile_kinds[] = {
	{ "labels-only", labels_only, { 0 } },
	{ "label-ends", label_ends, { 0 } },
	{ "one-view", one_view, { 0 } },
	{ "long-nodes", long_nodes, { 0 } },
	{ "one-cpu", same_cpus, { 0 } },
	{ "alike", alike_texts, { "aaaa", "a", "u/a" } },
	{ "one-hash", one_hash, { "Paaaa", "X", "u/Pa" } },
	{ "chips", chip_lists, { "A", "B", "u/A" } },
	{ "one-phandle", one_phandle, { "A", "B", "u/A" } },
	{ "places", places, { "X", "Y", "u/X" } },
	{ "compatible", compatible_lists, { "A", 0 } },
	{ "properties", same_properties_again, { "A", 0 } },
	{ "equal-rows", equal_rows, { 0 } },
	{ "loose-rows", loose_rows, { 0 } },
	{ "nested-rows", nested_rows, { 0 } },
	{ "many-pmus", many_pmus, { 0 } },
	{ "structure", structure, { 0 } },
	{ "names-of-pmu", names_of_pmu, { 0 } },
	{ "names-of-imc", names_of_imc, { "A", "B", "u/A" } },
	{ "names-of-amu", names_of_amu, { 0 } },
	{ "cpus-backwards", cpus_backwards, { 0 } },
	{ "scales", scales, { "PA", "B", "u/PA" } },
	{ "many-harts", many_harts, { 0 } },
	{ "catalog",
	  catalog,
	  { "PM_MCS7_1_64B_RD_DISP_PORT03_7", "PM_MCS7_1_64B_RD_DISP_PORT03_8", "u/PM_X" } },
	{ "many-units", many_units, { "PM_U5_L5_DISP_PORT3_CYC", "PM_U5_L4_X", "u/PM_X" } },
	{ "many-cpus", many_cpus, { 0 } },
};

#define HOSTILE_KINDS (sizeof(hostile_kinds) / sizeof(hostile_kinds[0]))

/* A tree of about this size; the caller frees it. */
static inline struct blob hostile_make(const struct hostile_kind *kind, size_t size)
{
	struct blob t;

	memset(&t, 0, sizeof(t));
	kind->make(&t, size);
	blob_finish(&t);
	return t;
}

#endif /* HOSTILE_H */
