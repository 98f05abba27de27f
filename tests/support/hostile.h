/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trees in which many nodes share one large part, at any size. They are written byte by byte,
 * because no library writes names that overlap.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hostile {
	unsigned char *blob; /* NULL until complete */
	size_t size;
	unsigned char *tags;
	size_t tag_bytes, tag_room;
	char *names;
	size_t name_bytes, name_room;
	uint32_t begun; /* offset of the name after the usual ones, or 0 */
	uint32_t depth; /* open nodes */
};

static inline void *hostile_grow(void *block, size_t *room, size_t bytes)
{
	if (bytes <= *room)
		return block;
	*room = 2 * bytes + 4096;
	block = realloc(block, *room);
	if (!block)
		abort();
	return block;
}

static inline void hostile_put(unsigned char *to, uint32_t cell)
{
	to[0] = (unsigned char)(cell >> 24);
	to[1] = (unsigned char)(cell >> 16);
	to[2] = (unsigned char)(cell >> 8);
	to[3] = (unsigned char)cell;
}

/* Appends a tag, padded to a cell. */
static inline void hostile_bytes(struct hostile *t, const void *bytes, size_t n)
{
	t->tags = (unsigned char *)hostile_grow(t->tags, &t->tag_room, t->tag_bytes + n + 4);
	if (n)
		memcpy(t->tags + t->tag_bytes, bytes, n);
	memset(t->tags + t->tag_bytes + n, 0, 4);
	t->tag_bytes += (n + 3) & ~(size_t)3;
}

static inline void hostile_cell(struct hostile *t, uint32_t cell)
{
	unsigned char bytes[4];

	hostile_put(bytes, cell);
	hostile_bytes(t, bytes, 4);
}

static inline void hostile_begin(struct hostile *t, const char *name)
{
	hostile_cell(t, 1);
	hostile_bytes(t, name, strlen(name) + 1);
	t->depth++;
}

static inline void hostile_end(struct hostile *t)
{
	hostile_cell(t, 2);
	t->depth--;
}

/* Goes on with the node that has just ended. */
static inline void hostile_again(struct hostile *t)
{
	t->tag_bytes -= 4;
	t->depth++;
}

/* The offset of a name in the strings; adds it if needed. */
static inline uint32_t hostile_name(struct hostile *t, const char *name)
{
	size_t at, bytes = strlen(name) + 1, end = t->begun ? t->begun : t->name_bytes;

	for (at = 0; at < end; at += strlen(t->names + at) + 1)
		if (!strcmp(t->names + at, name))
			return (uint32_t)at;
	at = t->name_bytes;
	if (t->begun == 0 && bytes > 32)
		t->begun = (uint32_t)at; /* end of the usual names */
	t->names = (char *)hostile_grow(t->names, &t->name_room, at + bytes);
	memcpy(t->names + at, name, bytes);
	t->name_bytes += bytes;
	return (uint32_t)at;
}

static inline void hostile_property_at(struct hostile *t, uint32_t name, const void *value,
				       size_t bytes)
{
	hostile_cell(t, 3);
	hostile_cell(t, (uint32_t)bytes);
	hostile_cell(t, name);
	hostile_bytes(t, value, bytes);
}

static inline void hostile_text(struct hostile *t, const char *name, const char *value)
{
	hostile_property_at(t, hostile_name(t, name), value, strlen(value) + 1);
}

static inline void hostile_number(struct hostile *t, const char *name, uint32_t value)
{
	unsigned char bytes[4];

	hostile_put(bytes, value);
	hostile_property_at(t, hostile_name(t, name), bytes, 4);
}

/* Ends the open nodes and assembles the blob. */
static inline void hostile_finish(struct hostile *t)
{
	uint32_t head[10] = { 0xd00dfeed, 0, 56, 0, 40, 17, 16, 0, 0, 0 };
	size_t i;

	while (t->depth)
		hostile_end(t);
	hostile_cell(t, 9);
	head[1] = (uint32_t)(56 + t->tag_bytes + t->name_bytes);
	head[3] = (uint32_t)(56 + t->tag_bytes);
	head[8] = (uint32_t)t->name_bytes;
	head[9] = (uint32_t)t->tag_bytes;
	t->size = head[1];
	t->blob = (unsigned char *)calloc(1, t->size);
	if (!t->blob)
		abort();
	for (i = 0; i < 10; i++)
		hostile_put(t->blob + 4 * i, head[i]);
	memcpy(t->blob + 56, t->tags, t->tag_bytes);
	if (t->name_bytes)
		memcpy(t->blob + 56 + t->tag_bytes, t->names, t->name_bytes);
	free(t->tags);
	free(t->names);
}

static inline int hostile_full(const struct hostile *t, size_t bytes)
{
	return t->tag_bytes + t->name_bytes >= bytes;
}

/* A long name that ends in six digits. Valid until the next call. */
static inline const char *hostile_letters(size_t n, uint32_t number)
{
	static char *text;
	static size_t room;

	text = (char *)hostile_grow(text, &room, n + 8);
	memset(text, 'a', n);
	snprintf(text + n, 8, "%06u", (unsigned)(number % 1000000));
	return text;
}

/* ---- AMU ---- */

static inline void hostile_counter(struct hostile *t, uint32_t number)
{
	char name[32];

	snprintf(name, sizeof(name), "counter@%x", (unsigned)number);
	hostile_begin(t, name);
	hostile_number(t, "reg", number);
	hostile_end(t);
}

static inline void hostile_amus(struct hostile *t)
{
	hostile_begin(t, "");
	hostile_begin(t, "cpus");
	hostile_number(t, "#address-cells", 1);
	hostile_begin(t, "amus");
}

static inline void hostile_view(struct hostile *t, const char *name, uint32_t phandle)
{
	hostile_begin(t, name);
	hostile_number(t, "#address-cells", 1);
	hostile_number(t, "phandle", phandle);
}

static inline void hostile_cpu(struct hostile *t, uint32_t reg, uint32_t view)
{
	char name[32];

	snprintf(name, sizeof(name), "cpu@%x", (unsigned)reg);
	hostile_begin(t, name);
	hostile_number(t, "reg", reg);
	hostile_number(t, "amu", view);
	hostile_end(t);
}

/*
 * Properties of /__symbols__ whose names share one long string: all of it, or different suffixes.
 */
static inline void hostile_shared_labels(struct hostile *t, size_t size, int differ)
{
	uint32_t views = (uint32_t)(size / 4 / (16 * 44)) + 1, v, k, at;
	size_t i = 0;
	char path[64];

	hostile_amus(t);
	for (v = 0; v < views; v++) {
		snprintf(path, sizeof(path), "v%u", (unsigned)v);
		hostile_view(t, path, v + 1);
		for (k = 0; k < 16; k++)
			hostile_counter(t, k);
		hostile_end(t);
	}
	hostile_end(t);
	hostile_cpu(t, 0, 1);
	hostile_end(t);
	at = hostile_name(t, hostile_letters(size / 4, 0));
	hostile_begin(t, "__symbols__");
	for (i = 0; !hostile_full(t, size); i++) {
		snprintf(path, sizeof(path), "/cpus/amus/v%u/counter@%x",
			 (unsigned)(i / 16 % views), (unsigned)(i % 16));
		hostile_property_at(t, at + (uint32_t)(differ ? i : 0), path, strlen(path) + 1);
	}
}

static inline void hostile_one_label(struct hostile *t, size_t size)
{
	hostile_shared_labels(t, size, 0);
}

static inline void hostile_label_ends(struct hostile *t, size_t size)
{
	hostile_shared_labels(t, size, 1);
}

/* No AMU except the labels. */
static inline void hostile_labels_only(struct hostile *t, size_t size)
{
	uint32_t at;

	hostile_begin(t, "");
	hostile_begin(t, "pmu");
	hostile_text(t, "compatible", "riscv,pmu");
	hostile_end(t);
	at = hostile_name(t, hostile_letters(size / 2, 0));
	hostile_begin(t, "__symbols__");
	while (!hostile_full(t, size))
		hostile_property_at(t, at, "/cpus/amus/a/b", 15);
}

/* One view with all counters, and a label for each counter, last ones first. */
static inline void hostile_one_view(struct hostile *t, size_t size)
{
	uint32_t n = (uint32_t)(size / 112), i;
	char path[64];

	hostile_amus(t);
	hostile_view(t, "v", 1);
	for (i = 0; i < n; i++)
		hostile_counter(t, i);
	hostile_end(t);
	hostile_end(t);
	hostile_cpu(t, 0, 1);
	hostile_end(t);
	hostile_begin(t, "__symbols__");
	for (i = n; i-- > 0;) {
		snprintf(path, sizeof(path), "/cpus/amus/v/counter@%x", (unsigned)i);
		hostile_property_at(t, hostile_name(t, "reg"), path, strlen(path) + 1);
	}
}

/* Views, with counters in one of them, whose long names differ only at the end. */
static inline void hostile_long_nodes(struct hostile *t, size_t size)
{
	uint32_t i;

	hostile_amus(t);
	for (i = 64; i-- > 0;) {
		hostile_view(t, hostile_letters(size / 192, i), i + 1);
		hostile_counter(t, i);
		hostile_end(t);
	}
	hostile_view(t, "v", 65);
	for (i = 64; i-- > 0;) {
		hostile_begin(t, hostile_letters(size / 192, i));
		hostile_end(t);
	}
	hostile_end(t);
	hostile_end(t);
	while (!hostile_full(t, size))
		hostile_cpu(t, i++, 65);
}

/*
 * CPUs with the same view and the same affinity take half of the tree; its counters take the rest.
 */
static inline void hostile_one_cpu(struct hostile *t, size_t size)
{
	uint32_t i = 0;

	hostile_amus(t);
	for (i = 0; i < 16; i++) {
		hostile_view(t, "v", 1);
		while (!hostile_full(t, (i + 1) * (size / 32)))
			hostile_counter(t, (uint32_t)(t->tag_bytes / 4 % 16));
		hostile_end(t);
	}
	hostile_end(t);
	while (!hostile_full(t, size))
		hostile_cpu(t, 7, 1);
}

/* ---- IMC ---- */

static inline void hostile_imc(struct hostile *t)
{
	hostile_begin(t, "");
	hostile_text(t, "compatible", "ibm,opal-in-memory-counters");
}

static inline void hostile_event(struct hostile *t, const char *name, uint32_t reg)
{
	hostile_begin(t, "e");
	hostile_text(t, "event-name", name);
	hostile_number(t, "reg", reg);
	hostile_end(t);
}

static inline void hostile_list(struct hostile *t, uint32_t phandle)
{
	hostile_begin(t, "l");
	hostile_number(t, "phandle", phandle);
}

static inline void hostile_one_event(struct hostile *t, uint32_t list, const char *name,
				     uint32_t reg)
{
	hostile_list(t, list);
	hostile_event(t, name, reg);
	hostile_end(t);
}

/* window: 0 for a core unit without one. */
static inline void hostile_unit(struct hostile *t, const char *prefix, uint32_t list,
				uint32_t window)
{
	hostile_begin(t, "u");
	hostile_text(t, "compatible", "ibm,imc-counters");
	hostile_number(t, "type", window ? 0x10 : 4);
	hostile_number(t, "reg", 0);
	hostile_number(t, "events", list);
	hostile_text(t, "events-prefix", prefix);
	if (window) {
		hostile_number(t, "size", window);
		hostile_number(t, "offset", 0);
	}
	hostile_end(t);
}

/* A name that is too long for the index. */
static inline void hostile_no_index(struct hostile *t)
{
	hostile_unit(t, hostile_letters(250, 0), 0, 0);
}

/* Three events, each with a name of an eighth of the tree, and units that share them. */
static inline void hostile_long_names(struct hostile *t, size_t size)
{
	char prefix[16];
	uint32_t i;

	hostile_imc(t);
	hostile_list(t, 1);
	for (i = 0; i < 3; i++)
		hostile_event(t, hostile_letters(size / 8, i), 8 * i);
	hostile_end(t);
	for (i = 0; !hostile_full(t, size); i++) {
		snprintf(prefix, sizeof(prefix), "%u_", (unsigned)i);
		hostile_unit(t, prefix, 1, 0);
	}
}

/* An event with a name of half the tree, or the longest for an index; groups of 8 equal units. */
static inline void hostile_groups(struct hostile *t, size_t size, size_t letters)
{
	char prefix[16];
	uint32_t i;

	hostile_imc(t);
	hostile_one_event(t, 1, hostile_letters(letters, 0), 0);
	for (i = 0; !hostile_full(t, size); i++) {
		snprintf(prefix, sizeof(prefix), "%u_", (unsigned)(i / 8));
		hostile_unit(t, prefix, 1, 0);
	}
}

static inline void hostile_one_name(struct hostile *t, size_t size)
{
	hostile_groups(t, size, size / 2);
}

static inline void hostile_bound_groups(struct hostile *t, size_t size)
{
	hostile_groups(t, size, 114);
}

/* Four events with the longest names for an index, and units that share them. */
static inline void hostile_bound(struct hostile *t, size_t size)
{
	char prefix[16];
	uint32_t i;

	hostile_imc(t);
	hostile_list(t, 1);
	for (i = 0; i < 4; i++)
		hostile_event(t, hostile_letters(114, i), 8 * i);
	hostile_end(t);
	for (i = 0; !hostile_full(t, size); i++) {
		snprintf(prefix, sizeof(prefix), "%u_", (unsigned)i);
		hostile_unit(t, prefix, 1, 0);
	}
}

/* 30 units that make the same full name with different prefixes. */
static inline void hostile_splits(struct hostile *t, size_t size)
{
	char text[512];
	uint32_t i, at;

	hostile_imc(t);
	for (i = 0; !hostile_full(t, size); i++) {
		snprintf(text, sizeof(text), "%u_", (unsigned)(i / 30));
		strcat(text, hostile_letters(230, 0));
		at = 8 + i % 30 * 7;
		hostile_one_event(t, i + 1, text + at, 0);
		text[at] = 0;
		hostile_unit(t, text, i + 1, 0);
	}
}

/* A list of which only the first unit has all events in its window: X is outside of the others. */
static inline void hostile_list_outside(struct hostile *t, size_t size, uint32_t windows)
{
	uint32_t i;

	hostile_imc(t);
	hostile_no_index(t);
	hostile_list(t, 1);
	hostile_event(t, "A", 0);
	for (i = 1; !hostile_full(t, size / 2); i++)
		hostile_event(t, windows && i % 2 ? "Y" : "X", 0x10000 + 8 * i);
	hostile_end(t);
	for (i = 0; !hostile_full(t, size - 128); i++)
		hostile_unit(t, "", 1, windows ? 0x10000 + 8 * (i % windows) : 8);
	if (windows)
		hostile_unit(t, "", 1, 0x7fffffff);
}

static inline void hostile_outside(struct hostile *t, size_t size)
{
	hostile_list_outside(t, size, 0);
}

static inline void hostile_windows(struct hostile *t, size_t size)
{
	hostile_list_outside(t, size, 1000);
}

/* Units without a prefix, each with its own list that contains X. */
static inline void hostile_own_lists(struct hostile *t, size_t size)
{
	uint32_t i;

	hostile_imc(t);
	hostile_no_index(t);
	for (i = 1; !hostile_full(t, size); i++) {
		hostile_one_event(t, i, i % 3 ? "X" : "Z", 0);
		hostile_unit(t, "", i, 0);
	}
}

/* As many prefixes of each other as fit. */
static inline void hostile_chain(struct hostile *t, size_t size)
{
	uint32_t i;

	hostile_imc(t);
	hostile_list(t, 1);
	while (!hostile_full(t, size / 4))
		hostile_event(t, hostile_letters(4, (uint32_t)t->tag_bytes), 0);
	hostile_end(t);
	for (i = 0; !hostile_full(t, size); i++) {
		char *prefix = strdup(hostile_letters(i, 0));

		prefix[i] = 0;
		hostile_unit(t, prefix, 1, 0);
		free(prefix);
	}
}

/* Many events at one offset, and units that share them. */
static inline void hostile_one_place(struct hostile *t, size_t size)
{
	hostile_imc(t);
	hostile_list(t, 1);
	while (!hostile_full(t, size / 2))
		hostile_event(t, "X", 0);
	hostile_end(t);
	while (!hostile_full(t, size))
		hostile_unit(t, "", 1, 0);
}

/* Texts that differ only at the end: events at one offset, units, prefixes, scales. */
static inline void hostile_alike(struct hostile *t, size_t size)
{
	uint32_t i;

	hostile_imc(t);
	for (i = 64; i-- > 0;) {
		hostile_begin(t, hostile_letters(size / 256, i));
		hostile_text(t, "compatible", "ibm,imc-counters");
		hostile_number(t, "type", 4);
		hostile_number(t, "reg", 0);
		hostile_number(t, "events", 1);
		hostile_text(t, "events-prefix", hostile_letters(size / 256, i));
		hostile_text(t, "unit", hostile_letters(size / 256, i));
		hostile_end(t);
	}
	hostile_list(t, 1);
	for (i = 64; i-- > 0;)
		hostile_event(t, hostile_letters(size / 256, i), 0);
}

/* Names with the same hash, so that each string is compared with others. */
static inline void hostile_one_hash(struct hostile *t, size_t size)
{
	const uint64_t key = 0x9e3779b97f4a7c15u; /* as a factor's first word: the product is 0 */
	size_t bytes = size / 64 / 8 * 8, i;
	char *text = (char *)calloc(1, bytes + 17);
	uint32_t n, word;

	if (!text)
		abort();
	hostile_imc(t);
	hostile_list(t, 1);
	memset(text, 'a', bytes);
	for (i = 0; i < 8; i++)
		text[bytes + i] = (char)(key >> (56 - 8 * i) & 0xff);
	for (n = 0; !hostile_full(t, size); n++) {
		for (word = n, i = 0; i < 8; i++, word /= 10)
			text[bytes + 8 + i] = (char)('0' + word % 10);
		hostile_event(t, text, 8 * n);
	}
	hostile_end(t);
	hostile_unit(t, "P", 1, 0);
	free(text);
}

/* Chips shared by all nest units, and units with long lists of chips. */
static inline void hostile_chips(struct hostile *t, size_t size)
{
	static const unsigned char chips[8 * 64];
	uint32_t i;

	hostile_begin(t, "");
	hostile_begin(t, "reserved-memory");
	hostile_number(t, "#address-cells", 1);
	while (!hostile_full(t, size / 4)) {
		hostile_begin(t, "ibm,homer-image");
		hostile_number(t, "ibm,chip-id", 3);
		hostile_number(t, "reg", 0x1000);
		hostile_end(t);
	}
	hostile_end(t);
	hostile_imc(t);
	hostile_one_event(t, 1, "A", 0);
	while (!hostile_full(t, size / 2))
		hostile_unit(t, "", 1, 8);
	for (i = 0; !hostile_full(t, size); i++) {
		hostile_begin(t, "u");
		hostile_text(t, "compatible", "ibm,imc-counters");
		hostile_number(t, "type", 0x10);
		hostile_number(t, "reg", 0);
		hostile_number(t, "events", 1);
		hostile_property_at(t, hostile_name(t, "base-addr"), chips, 8 * (64 - i % 2));
		hostile_property_at(t, hostile_name(t, "chip-id"), chips, 4 * (64 - i % 2));
		hostile_end(t);
	}
}

/* Lists with the same phandle, and units that refer to it. */
static inline void hostile_one_phandle(struct hostile *t, size_t size)
{
	hostile_imc(t);
	while (!hostile_full(t, size / 2)) {
		hostile_one_event(t, 1, "A", 0);
	}
	while (!hostile_full(t, size))
		hostile_unit(t, "", 1, 0);
}

/* Units that share a list; it is so small that all counters are compared. */
static inline void hostile_places(struct hostile *t, size_t size)
{
	uint32_t i;

	hostile_imc(t);
	hostile_list(t, 1);
	for (i = 15; i-- > 0;)
		hostile_event(t, "X", 8 * i);
	hostile_end(t);
	while (!hostile_full(t, size))
		hostile_unit(t, "", 1, 0x1000);
}

/* ---- all ---- */

/* Nodes with long "compatible" lists, and nodes with nothing. */
static inline void hostile_compatible(struct hostile *t, size_t size)
{
	char list[4096];
	size_t i;

	for (i = 0; i < sizeof(list); i++)
		list[i] = "ibm,imc-countersX\0riscv,pmX\0ibm,opal-in-memory-counterX"[i % 56];
	list[sizeof(list) - 1] = 0;
	hostile_imc(t);
	hostile_one_event(t, 1, "A", 0);
	hostile_unit(t, "", 1, 0);
	while (!hostile_full(t, size / 2)) {
		hostile_begin(t, "n");
		hostile_property_at(t, hostile_name(t, "compatible"), list, sizeof(list));
		hostile_end(t);
	}
	while (!hostile_full(t, size)) {
		hostile_begin(t, "");
		hostile_end(t);
	}
}

/* A node that repeats the same properties. */
static inline void hostile_properties(struct hostile *t, size_t size)
{
	static const char *const names[] = { "reg",
					     "event-name",
					     "compatible",
					     "events",
					     "type",
					     "status",
					     "amu",
					     "statuss",
					     "riscv,event-to-mhpmevent",
					     "riscv,event-to-mhpmcountert",
					     "#address-cells" };
	uint32_t i;

	hostile_imc(t);
	hostile_list(t, 1);
	for (i = 0; !hostile_full(t, size); i++)
		hostile_number(t, names[i % 11], i);
}

/* 0: equal rows. 1: overlapping ranges and disjoint masks. 2: nested ranges and masks of a bit. */
static inline void hostile_rows(struct hostile *t, size_t size, uint32_t kind)
{
	static const char *const tables[] = { "riscv,event-to-mhpmevent",
					      "riscv,event-to-mhpmcounters",
					      "riscv,raw-event-to-mhpmcounters" };
	unsigned char *value = (unsigned char *)malloc(size);
	uint32_t table, i, k, cells, random = 1;

	if (!value)
		abort();
	hostile_begin(t, "");
	hostile_begin(t, "pmu");
	hostile_text(t, "compatible", "riscv,pmu");
	for (table = 0; table < 3; table++) {
		cells = table == 2 ? 5 : 3;
		for (i = 0; 4 * cells * (i + 1) <= size / 3; i++) {
			unsigned char *row = value + 4 * cells * i;

			for (k = 0; k < cells; k++) {
				random = random * 1664525 + 1013904223;
				hostile_put(row + 4 * k, kind ? random >> 8 : 8);
			}
			hostile_put(row, kind == 0 ? 8 : table == 2 ? random >> 16 : random >> 12);
			if (table == 1)
				hostile_put(row + 4, kind ? (random >> 12) + i : 8);
			hostile_put(row + 4 * (cells - 1), 0xf8);
			if (table == 1 && kind == 2) {
				hostile_put(row, i % 0x80000);
				hostile_put(row + 4, 0xfffff - i % 0x80000);
			}
			for (k = 2; table == 2 && kind == 2 && k < 4; k++)
				hostile_put(row + 4 * k, k == 3 ? 1u << i % 32 : 0);
			for (k = 0; table == 2 && kind && k < 8; k++) /* select within mask */
				row[k] &= row[8 + k];
		}
		hostile_property_at(t, hostile_name(t, tables[table]), value,
				    (size_t)i * 4 * cells);
	}
	free(value);
}

static inline void hostile_equal_rows(struct hostile *t, size_t size)
{
	hostile_rows(t, size, 0);
}

static inline void hostile_loose_rows(struct hostile *t, size_t size)
{
	hostile_rows(t, size, 1);
}

static inline void hostile_nested_rows(struct hostile *t, size_t size)
{
	hostile_rows(t, size, 2);
}

static inline void hostile_pmu(struct hostile *t)
{
	hostile_begin(t, "pmu");
	hostile_text(t, "compatible", "riscv,pmu");
}

static inline void hostile_one_row(struct hostile *t)
{
	hostile_property_at(t, hostile_name(t, "riscv,event-to-mhpmcounters"),
			    "\0\0\0\1\0\0\0\1\0\0\0\x8", 12);
}

/* Many PMUs, and one with many tables. */
static inline void hostile_many_pmus(struct hostile *t, size_t size)
{
	hostile_begin(t, "");
	while (!hostile_full(t, size / 2)) {
		hostile_pmu(t);
		hostile_one_row(t);
		hostile_end(t);
	}
	hostile_pmu(t);
	while (!hostile_full(t, size))
		hostile_one_row(t);
}

/* As many levels as there may be, a long name of a node, and tags without meaning. */
static inline void hostile_structure(struct hostile *t, size_t size)
{
	uint32_t i;

	hostile_begin(t, "");
	hostile_pmu(t);
	hostile_end(t);
	while (!hostile_full(t, size / 2)) {
		for (i = 0; i < 63; i++)
			hostile_begin(t, "l");
		for (i = 0; i < 63; i++)
			hostile_end(t);
	}
	hostile_begin(t, hostile_letters(size / 4, 0));
	hostile_end(t);
	while (!hostile_full(t, size))
		hostile_cell(t, 4);
}

/*
 * Properties whose names end one long name, in a node that is read. It repeats names that are
 * searched for.
 */
static inline void hostile_names(struct hostile *t, size_t until)
{
	static const char like[] = "riscv,event-to-mhpmcountersregriscv,raw-event-to-mhpmcounters";
	char *name = strdup(hostile_letters(until / 8, 0));
	uint32_t i, at, bytes;

	for (i = 0; i < until / 8; i++)
		name[i] = like[i % (sizeof(like) - 1)];
	at = t->begun ? t->begun : hostile_name(t, name);
	bytes = (uint32_t)strlen(t->names + at);
	for (i = 0; !hostile_full(t, until); i++)
		hostile_property_at(t, at + i % bytes, "", 0);
	free(name);
}

static inline void hostile_names_of_pmu(struct hostile *t, size_t size)
{
	hostile_begin(t, "");
	hostile_pmu(t);
	hostile_one_row(t);
	hostile_names(t, size);
}

static inline void hostile_names_of_imc(struct hostile *t, size_t size)
{
	hostile_imc(t);
	hostile_list(t, 1);
	hostile_begin(t, "e");
	hostile_text(t, "event-name", "A");
	hostile_number(t, "reg", 0);
	hostile_names(t, size / 2);
	hostile_end(t);
	hostile_end(t);
	hostile_unit(t, "", 1, 0);
	hostile_again(t);
	hostile_names(t, size);
}

static inline void hostile_names_of_amu(struct hostile *t, size_t size)
{
	hostile_amus(t);
	hostile_view(t, "v", 1);
	hostile_names(t, size / 2);
	hostile_counter(t, 0);
	hostile_end(t);
	hostile_end(t);
	hostile_cpu(t, 0, 1);
	hostile_again(t);
	hostile_names(t, size / 4 * 3);
	hostile_end(t);
	hostile_end(t);
	hostile_begin(t, "__symbols__");
	hostile_names(t, size);
}

/* Units and CPUs in front of what they refer to, with descending phandles; half of it is missing. */
static inline void hostile_backwards(struct hostile *t, size_t size)
{
	uint32_t i;

	hostile_imc(t);
	for (i = 2; !hostile_full(t, size); i += 2) {
		hostile_unit(t, "P_", ~i, 0);
		hostile_unit(t, "P_", i, 0);
		hostile_one_event(t, ~i - 2, "A", 8 * i);
	}
}

static inline void hostile_cpus_backwards(struct hostile *t, size_t size)
{
	uint32_t i;

	hostile_begin(t, "");
	hostile_begin(t, "cpus");
	hostile_number(t, "#address-cells", 1);
	for (i = 2; !hostile_full(t, size); i += 2) {
		hostile_cpu(t, i, ~i);
		hostile_cpu(t, ~i, i);
		hostile_begin(t, "amus");
		hostile_view(t, "v", ~i - 2);
		hostile_counter(t, 1);
		hostile_end(t);
		hostile_end(t);
	}
}

/* Long numbers in the same unit's texts. */
static inline void hostile_scales(struct hostile *t, size_t size)
{
	char *scale = strdup(hostile_letters(size / 32, 0));

	memset(scale, '0', size / 32);
	scale[0] = '1';
	hostile_imc(t);
	hostile_one_event(t, 1, "A", 16);
	while (!hostile_full(t, size)) {
		hostile_unit(t, "P", 1, 0);
		hostile_again(t);
		hostile_text(t, "scale", scale);
		hostile_end(t);
	}
	free(scale);
}

/* As many harts as pmumap examines, and nodes that refer to other things repeatedly. */
static inline void hostile_many_harts(struct hostile *t, size_t size)
{
	unsigned char entries[4096] = { 0 };
	uint32_t i;

	for (i = 0; i < sizeof(entries); i += 8)
		entries[i] = 1;
	hostile_begin(t, "");
	hostile_begin(t, "cpus");
	hostile_number(t, "#address-cells", 1);
	for (i = 0; i < 128; i++) {
		hostile_begin(t, "cpu");
		hostile_number(t, "reg", i);
		hostile_begin(t, "interrupt-controller");
		hostile_number(t, "phandle", i + 1);
		hostile_end(t);
		hostile_end(t);
	}
	hostile_end(t);
	while (!hostile_full(t, size)) {
		hostile_begin(t, "pmu");
		hostile_text(t, "compatible", "riscv,pmu");
		hostile_property_at(t, hostile_name(t, "interrupts-extended"), entries,
				    sizeof(entries));
		hostile_end(t);
	}
}

/* ---- benign, and large ---- */

/* Lists of 20 events, each used by three units, as in a real catalog. */
static inline void hostile_catalog(struct hostile *t, size_t size)
{
	char text[64];
	uint32_t i, k;

	hostile_imc(t);
	for (i = 0; !hostile_full(t, size); i++) {
		hostile_list(t, i + 1);
		for (k = 0; k < 20; k++) {
			snprintf(text, sizeof(text), "64B_RD_DISP_PORT%02u_%u", (unsigned)k,
				 (unsigned)i);
			hostile_event(t, text, 8 * k);
		}
		hostile_end(t);
		for (k = 0; k < 3; k++) {
			snprintf(text, sizeof(text), "PM_MCS%u_%u_", (unsigned)i, (unsigned)k);
			hostile_unit(t, text, i + 1, 0x40000);
		}
	}
}

/* Units that share few lists, unlike a real catalog: too many names for the block. */
static inline void hostile_many_units(struct hostile *t, size_t size)
{
	char text[64];
	uint32_t i, k;

	hostile_imc(t);
	for (i = 0; i < 16; i++) {
		hostile_list(t, i + 1);
		for (k = 0; k < size / 4096; k++) {
			snprintf(text, sizeof(text), "L%u_DISP_PORT%u_CYC", (unsigned)i,
				 (unsigned)k);
			hostile_event(t, text, 8 * k);
		}
		hostile_end(t);
	}
	for (i = 0; !hostile_full(t, size); i++) {
		snprintf(text, sizeof(text), "PM_U%u_", (unsigned)i);
		hostile_unit(t, text, i % 16 + 1, 0x4000000);
	}
}

static inline void hostile_many_cpus(struct hostile *t, size_t size)
{
	char text[32];
	uint32_t i, k;

	hostile_amus(t);
	for (i = 0; !hostile_full(t, size / 2); i++) {
		snprintf(text, sizeof(text), "amu@%x", (unsigned)i);
		hostile_view(t, text, i + 1);
		for (k = 0; k < 16; k++)
			hostile_counter(t, k);
		hostile_end(t);
	}
	hostile_end(t);
	for (k = 0; !hostile_full(t, size); k++)
		hostile_cpu(t, k * 40503u % 65536u, k % i + 1);
}

static const struct hostile_kind {
	const char *name;
	void (*make)(struct hostile *t, size_t size);
	const char *find[3]; /* a NULL name ends the list */
} hostile_kinds[] = {
	{ "labels-only", hostile_labels_only, { 0 } },
	{ "one-label", hostile_one_label, { 0 } },
	{ "label-ends", hostile_label_ends, { 0 } },
	{ "one-view", hostile_one_view, { 0 } },
	{ "long-nodes", hostile_long_nodes, { 0 } },
	{ "one-cpu", hostile_one_cpu, { 0 } },
	{ "long-names", hostile_long_names, { "7_aaaaaaaaaaaaaaaaaaaaaaaaa", "u/7_a", 0 } },
	{ "one-name", hostile_one_name, { "7_aaaaaaaaaaaaaaaaaaaaaaaaa", "u/7_a", 0 } },
	{ "bound-groups", hostile_bound_groups, { "7_aaaaaaaaaaaaaaaaaaaaaaaaa", "u/7_a", 0 } },
	{ "bound", hostile_bound, { "7_aaaaaaaaaaaaaaaaaaaaaaaaa", "u/7_a", 0 } },
	{ "splits", hostile_splits, { "7_aaaaaaaaaaaaaaaaaaaaaaaaa", "u/7_a", 0 } },
	{ "outside", hostile_outside, { "X", "A", "u/X" } },
	{ "windows", hostile_windows, { "X", "Y", "u/X" } },
	{ "own-lists", hostile_own_lists, { "X", "Y", "u/X" } },
	{ "chain", hostile_chain, { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaa000001", "u/aaaa" } },
	{ "one-place", hostile_one_place, { "X", "Y", "u/X" } },
	{ "alike", hostile_alike, { "aaaa", "a", "u/a" } },
	{ "one-hash", hostile_one_hash, { "Paaaa", "X", "u/Pa" } },
	{ "chips", hostile_chips, { "A", "B", "u/A" } },
	{ "one-phandle", hostile_one_phandle, { "A", "B", "u/A" } },
	{ "places", hostile_places, { "X", "Y", "u/X" } },
	{ "compatible", hostile_compatible, { "A", 0 } },
	{ "properties", hostile_properties, { "A", 0 } },
	{ "equal-rows", hostile_equal_rows, { 0 } },
	{ "loose-rows", hostile_loose_rows, { 0 } },
	{ "nested-rows", hostile_nested_rows, { 0 } },
	{ "many-pmus", hostile_many_pmus, { 0 } },
	{ "structure", hostile_structure, { 0 } },
	{ "names-of-pmu", hostile_names_of_pmu, { 0 } },
	{ "names-of-imc", hostile_names_of_imc, { "A", "B", "u/A" } },
	{ "names-of-amu", hostile_names_of_amu, { 0 } },
	{ "backwards", hostile_backwards, { "P_A", "A", "u/P_A" } },
	{ "cpus-backwards", hostile_cpus_backwards, { 0 } },
	{ "scales", hostile_scales, { "PA", "B", "u/PA" } },
	{ "many-harts", hostile_many_harts, { 0 } },
	{ "catalog",
	  hostile_catalog,
	  { "PM_MCS7_1_64B_RD_DISP_PORT03_7", "PM_MCS7_1_64B_RD_DISP_PORT03_8", "u/PM_X" } },
	{ "many-units", hostile_many_units, { "PM_U5_L5_DISP_PORT3_CYC", "PM_U5_L4_X", "u/PM_X" } },
	{ "many-cpus", hostile_many_cpus, { 0 } },
};

#define HOSTILE_KINDS (sizeof(hostile_kinds) / sizeof(hostile_kinds[0]))

/* A tree of about this size; the caller frees its blob. */
static inline struct hostile hostile_make(const struct hostile_kind *kind, size_t size)
{
	struct hostile t;

	memset(&t, 0, sizeof(t));
	kind->make(&t, size);
	hostile_finish(&t);
	return t;
}

#endif /* HOSTILE_H */
