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

#define VIEWS "{ cpus { #address-cells=<1> amus { "
#define CATALOG "{ compatible=\"ibm,opal-in-memory-counters\" "
#define NAMED "u { compatible=\"ibm,imc-counters\" reg=<0> events-prefix="
#define UNIT NAMED "\"\" events="
#define LIST "l { phandle=<1> "
#define LIST_A LIST "e { event-name=\"A\" reg=<0> } } "
#define PMU "pmu { compatible=\"riscv,pmu\" "
#define ROW "riscv,event-to-mhpmcounters=<1 1 8> "

#define COUNTER "counter@%x { reg=<%x> } "

/* Properties of /__symbols__ whose names are different ends of one long string. */
static inline void label_ends(struct blob *t, size_t size)
{
	unsigned views = (unsigned)(size / 4 / (16 * 44)) + 1, v, at, i;
	char path[64];

	blob_text(t, VIEWS);
	for (v = 0; v < views; v++) {
		blob_format(t, "v%u { #address-cells=<1> phandle=<%x>", v, v + 1);
		for (i = 0; i < 16; i++)
			blob_format(t, COUNTER, i, i);
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

/*
 * CPUs with the same view and the same affinity take half of the tree; its counters take the rest.
 */
static inline void same_cpus(struct blob *t, size_t size)
{
	unsigned i, n;

	blob_text(t, VIEWS);
	for (i = 0; i < 16; i++) {
		blob_text(t, "v { #address-cells=<1> phandle=<1>");
		while (!is_full(t, (i + 1) * (size / 32))) {
			n = (unsigned)(t->tag_bytes / 4 % 16);
			blob_format(t, COUNTER, n, n);
		}
		blob_end(t);
	}
	blob_end(t);
	while (!is_full(t, size))
		blob_text(t, "cpu@7 { reg=<7> amu=<1> }");
}

/* 0: equal rows. 1: overlapping ranges and disjoint masks. 2: nested ranges and masks of a bit. */
static inline void rows(struct blob *t, size_t size, uint32_t kind)
{
	static const char *const names[] = { "riscv,event-to-mhpmevent",
					     "riscv,event-to-mhpmcounters",
					     "riscv,raw-event-to-mhpmcounters" };
	unsigned char *value = (unsigned char *)letters(size, 0);
	uint32_t table, i, k, cells, random = 1;

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

/* CPUs in front of what they refer to, with descending phandles; half of it is missing. */
static inline void cpus_backwards(struct blob *t, size_t size)
{
	unsigned i;

	blob_text(t, "{ cpus { #address-cells=<1>");
	for (i = 2; !is_full(t, size); i += 2)
		blob_format(t,
			    "cpu@%x { reg=<%x> amu=<%x> } cpu@%x { reg=<%x> amu=<%x> } amus "
			    "{ v { #address-cells=<1> phandle=<%x> counter@1 { reg=<1> } } }",
			    i, i, ~i, ~i, ~i, i, ~i - 2);
}

/* ---- scripts --------------------------------------------------------------------------------- */

static struct {
	char *text;
	size_t bytes, room;
} pending; /* not appended yet */

static inline void pend(const char *text, size_t n)
{
	pending.text = blob_grow(pending.text, &pending.room, pending.bytes + n + 1);
	memcpy(pending.text + pending.bytes, text, n);
	pending.bytes += n;
	pending.text[pending.bytes] = 0;
}

static inline void append(struct blob *t)
{
	if (pending.bytes)
		blob_text(t, pending.text);
	pending.bytes = 0;
}

static inline const char *repeat(struct blob *t, size_t size, const char *at, unsigned outer);

/*
 * A text as for blob_text(), with repetitions. *16(...) repeats what is inside 16 times, *:112(...)
 * as many times as a 112th of the size says, *-16(...) with falling numbers, and %8(...) until the
 * tree has 8/16 of the size. Inside, & is the number of the turn, from 0 on, ^ that of the turn
 * around it, &+ the next number and &8 eight times it, all hexadecimal. $192 is a name of a 192nd of
 * the size with the number. !8 adds properties until 8/16 of the size, as in name_ends(), ?2 tables
 * as in rows(), ~ a NOP.
 */
static inline void script(struct blob *t, size_t size, const char *at, unsigned number,
			  unsigned outer)
{
	for (;;) {
		size_t n = strcspn(at, "*%!?~&^$)");
		const char sign = at[n];
		char word[16], *next, *name;
		unsigned value = sign == '&' ? number : outer;

		pend(at, n);
		at += n + 1;
		switch (sign) {
		case '*':
		case '%':
			at = repeat(t, size, at - 1, number);
			break;
		case '!':
			append(t);
			name_ends(t, size * strtoul(at, &next, 10) / 16);
			at = next;
			break;
		case '?':
			append(t);
			rows(t, size, (uint32_t)strtoul(at, &next, 10));
			at = next;
			break;
		case '~':
			append(t);
			blob_cell(t, 4);
			break;
		case '$':
			name = letters(size / strtoul(at, &next, 10), number);
			pend(name, strlen(name));
			at = next;
			break;
		case '&':
		case '^':
			value = *at == '+' ? value + 1 : *at == '8' ? 8 * value : value;
			pend(word, (size_t)snprintf(word, sizeof(word), "%x", value));
			at += *at == '+' || *at == '8';
			break;
		default:
			return;
		}
	}
}

/* Returns what follows the repetition. */
static inline const char *repeat(struct blob *t, size_t size, const char *at, unsigned outer)
{
	const int until = *at == '%', falls = at[1] == '-', shares = at[1 + falls] == ':';
	char *next;
	size_t n = strtoul(at + 1 + falls + shares, &next, 10), depth = 1, i;

	n = until ? size * n / 16 : shares ? size / n : n;
	for (at = next + 1; depth; next++)
		depth += (next[1] == '(') - (size_t)(next[1] == ')');
	if (until)
		append(t);
	for (i = 0; until ? !is_full(t, n) : i < n; i++) {
		script(t, size, at, (unsigned)(falls ? n - 1 - i : i), outer);
		if (until)
			append(t);
	}
	return next + 1;
}

static const struct hostile_kind {
	const char *name, *text, *find[3];         /* a NULL name ends the list */
	void (*make)(struct blob *t, size_t size); /* without a text */
} hostile_kinds[] = {
	{ .name = "labels-only", .make = labels_only },
	{ .name = "label-ends", .make = label_ends },
	/* One view with all counters, and a label for each counter, last ones first. */
	{ .name = "one-view",
	  VIEWS
	  "v { #address-cells=<1> phandle=<1> *:112(counter@& { reg=<&> } ) } } "
	  "cpu@0 { reg=<0> amu=<1> } } __symbols__ { *-:112(reg=\"/cpus/amus/v/counter@&\" )" },
	/* Views, with counters in one of them, whose long names differ only at the end. */
	{ .name = "long-nodes",
	  VIEWS "*-64($192 { #address-cells=<1> phandle=<&+> counter@& { reg=<&> } } ) "
		"v { #address-cells=<1> phandle=<41> *-64($192 { } ) } } "
		"%16(cpu@& { reg=<&> amu=<41> } )" },
	{ .name = "one-cpu", .make = same_cpus },
	/* Texts that differ only at the end: events at one offset, units, prefixes, scales. */
	{ .name = "alike",
	  CATALOG "*-64($256 { compatible=\"ibm,imc-counters\" type=<4> reg=<0> events=<1> "
		  "events-prefix=\"$256\" unit=\"$256\" } ) " LIST
		  "*-64(e { event-name=\"$256\" reg=<0> } )",
	  .find = { "aaaa", "a", "u/a" } },
	/* Names with both ends in common. */
	{ .name = "one-hash",
	  CATALOG LIST "*-64(e { event-name=\"$64SIXTEEN_AT_ENDS_\" reg=<&8> } ) } " NAMED
		       "\"P\" events=<1> type=<4> }",
	  .find = { "Paaaa", "X", "u/Pa" } },
	/* Chips shared by all nest units, and units with long lists of chips. */
	{ .name = "chips",
	  "{ reserved-memory { #address-cells=<1> "
	  "%4(ibm,homer-image { ibm,chip-id=<3> reg=<1000> } ) } " CATALOG LIST_A "%8(" UNIT
	  "<1> type=<10> size=<8> offset=<0> } ) %16(" UNIT
	  "<1> type=<10> base-addr=<*64(0 0 )> chip-id=<*64(0 )> } " UNIT
	  "<1> type=<10> base-addr=<*63(0 0 )> chip-id=<*63(0 )> } )",
	  .find = { "A", "B", "u/A" } },
	/* Lists with the same phandle, and units that refer to it. */
	{ .name = "one-phandle",
	  CATALOG "%8(" LIST_A ") %16(" UNIT "<1> type=<4> } )",
	  .find = { "A", "B", "u/A" } },
	/* Units that share a list; it is so small that all counters are compared. */
	{ .name = "places",
	  CATALOG LIST "*-15(e { event-name=\"X\" reg=<&8> } ) } %16(" UNIT
		       "<1> type=<10> size=<1000> offset=<0> } )",
	  .find = { "X", "Y", "u/X" } },
	/* Nodes with long "compatible" lists, and nodes with nothing. */
	{ .name = "compatible",
	  CATALOG LIST_A UNIT "<1> type=<4> } %8(n { compatible=\""
			      "*73(ibm,imc-countersX|riscv,pmX|ibm,opal-in-memory-counterX|)\" } ) "
			      "%16({ } )",
	  .find = { "A", 0 } },
	/* A node that repeats the same properties. */
	{ .name = "properties",
	  CATALOG LIST "%16(reg=<1> event-name=<2> compatible=<3> events=<4> type=<5> status=<6> "
		       "amu=<7> statuss=<8> riscv,event-to-mhpmevent=<9> "
		       "riscv,event-to-mhpmcountert=<a> #address-cells=<b> )",
	  .find = { "A", 0 } },
	{ .name = "equal-rows", "{ " PMU "?0" },
	{ .name = "loose-rows", "{ " PMU "?1" },
	{ .name = "nested-rows", "{ " PMU "?2" },
	/* Many PMUs, and one with many tables. */
	{ .name = "many-pmus", "{ %8(" PMU ROW "} ) " PMU "%16(" ROW ")" },
	/* As many levels as there may be, a long name of a node, and tags without meaning. */
	{ .name = "structure", "{ " PMU "} %8(*63(l { ) *63(} ) ) $4 { } %16(~)" },
	{ .name = "names-of-pmu", "{ " PMU ROW "!16" },
	{ .name = "names-of-imc",
	  CATALOG LIST "e { event-name=\"A\" reg=<0> !8 } } " UNIT "<1> type=<4> !16",
	  .find = { "A", "B", "u/A" } },
	{ .name = "names-of-amu",
	  VIEWS "v { #address-cells=<1> phandle=<1> !8 counter@0 { reg=<0> } } } "
		"cpu@0 { reg=<0> amu=<1> !12 } } __symbols__ { !16" },
	{ .name = "cpus-backwards", .make = cpus_backwards },
	/* Long numbers in the same unit's texts. */
	{ .name = "scales",
	  CATALOG LIST "e { event-name=\"A\" reg=<10> } } %16(" NAMED
		       "\"P\" events=<1> type=<4> scale=\"1*:32(0)\" } )",
	  .find = { "PA", "B", "u/PA" } },
	/* Half of the tree are harts, many with one phandle, which the nodes name repeatedly. */
	{ .name = "many-harts",
	  "{ cpus { #address-cells=<1> %8(*8(cpu { reg=<&^> interrupt-controller { "
	  "interrupt-controller phandle=<1000000> } } cpu { reg=<8&^> interrupt-controller { "
	  "interrupt-controller phandle=<1^&> } } )) } "
	  "%16(" PMU "interrupts-extended=<*512(1000000 0 )> } )" },
	/* Benign, and large. Lists of 20 events, each used by three units, as in a real catalog. */
	{ .name = "catalog",
	  CATALOG "%16(l { phandle=<&+> *20(e { event-name=\"64B_RD_DISP_PORT&_^\" reg=<&8> } ) } "
		  "*3(" NAMED "\"PM_MCS^_&_\" events=<^+> type=<10> size=<40000> offset=<0> } ))",
	  .find = { "PM_MCS7_1_64B_RD_DISP_PORT3_7", "PM_MCS7_1_64B_RD_DISP_PORT3_8", "u/PM_X" } },
	/* Units that share few lists, unlike a real catalog: too many names for the block. */
	{ .name = "many-units",
	  CATALOG
	  "*16(l { phandle=<&+> *:4096(e { event-name=\"L^_DISP_PORT&_CYC\" reg=<&8> } ) } ) "
	  "%16(*16(" NAMED "\"PM_U^&_\" events=<&+> type=<10> size=<4000000> offset=<0> } ))",
	  .find = { "PM_U05_L5_DISP_PORT3_CYC", "PM_U05_L4_X", "u/PM_X" } },
	{ .name = "many-cpus",
	  VIEWS "%8(amu@& { #address-cells=<1> phandle=<&+> *16(counter@& { reg=<&> } ) } ) } "
		"%16(*16(cpu@&^ { reg=<&^> amu=<^+> } ))" },
};

#define HOSTILE_KINDS (sizeof(hostile_kinds) / sizeof(hostile_kinds[0]))

/* A tree of about this size; the caller frees it. */
static inline struct blob hostile_make(const struct hostile_kind *kind, size_t size)
{
	struct blob t;

	memset(&t, 0, sizeof(t));
	if (kind->text) {
		script(&t, size, kind->text, 0, 0);
		append(&t);
	} else {
		kind->make(&t, size);
	}
	blob_finish(&t);
	return t;
}

#endif /* HOSTILE_H */
