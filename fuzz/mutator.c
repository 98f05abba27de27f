/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Mutates device trees and keeps them well-formed: removes, duplicates, moves, grows and renames
 * nodes and properties, mixes in those of another tree, changes cells, and fixes offsets and sizes.
 * Sometimes it leaves a mistake.
 *
 * Input that is no blob of version 17 is left to the engine. The object file is a library for
 * AFL_CUSTOM_MUTATOR_LIBRARY, and with FUZZ_LIBFUZZER part of a harness. It checks every length
 * itself, because it reads hostile blobs.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0xd00dfeedu
#define HEAD 40u
#define MAX_ITEMS 4096u
#define MAX_TEXT (1u << 17) /* limit of one round of changes */
#define MAX_BYTES (1u << 18)

enum { BEGIN = 1, END = 2, PROPERTY = 3, NOP = 4, LAST = 9 };

/* A tag. name: of a node or property; value: of a property. Both may point into the input. */
struct item {
	uint32_t tag, size;
	const char *name;
	const uint8_t *value;
};

/* A parsed tree. The first item is the root; the final tag is not an item. */
struct parts {
	struct item item[MAX_ITEMS + 1];
	uint32_t items, version, boot_cpu, reserved_bytes;
	const uint8_t *reserved;
};

static struct parts tree, other;
static uint8_t text[MAX_TEXT], written[MAX_BYTES];
static uint32_t texts;
static uint64_t state = 1;

static uint32_t below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state * 0x2545f4914f6cdd1du) >> 33) % (n ? n : 1);
}

static uint32_t load(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 24);
	p[1] = (uint8_t)(value >> 16);
	p[2] = (uint8_t)(value >> 8);
	p[3] = (uint8_t)value;
}

/* ---- apart and together ---------------------------------------------------------------------- */

/* The string at p, if it has a NUL before end; otherwise "". */
static const char *string(const uint8_t *p, const uint8_t *end)
{
	return p < end && memchr(p, 0, (size_t)(end - p)) ? (const char *)p : "";
}

/* Reads the next tag, if valid. Returns what follows it, or NULL. */
static const uint8_t *take_item(struct item *it, const uint8_t *p, const uint8_t *end,
				const uint8_t *names, const uint8_t *names_end)
{
	uint32_t place;

	if (end - p < 4)
		return NULL;
	it->tag = load(p);
	it->size = 0;
	p += 4;
	if (it->tag == BEGIN) {
		it->name = string(p, end);
		if (p == end || !memchr(p, 0, (size_t)(end - p)))
			return NULL;
		it->size = (uint32_t)strlen(it->name) + 1;
	} else if (it->tag == PROPERTY) {
		if (end - p < 8)
			return NULL;
		it->size = load(p);
		place = load(p + 4);
		it->name =
			place < (size_t)(names_end - names) ? string(names + place, names_end) : "";
		it->value = p += 8;
	} else if (it->tag != END && it->tag != NOP) {
		return NULL;
	}
	if (it->size > (size_t)(end - p))
		return NULL;
	place = (it->size + 3) & ~3u;
	return place < (size_t)(end - p) ? p + place : end;
}

/* Returns 0 if it is no blob; for a truncated one, keeps the items before the end. */
static int apart(struct parts *t, const uint8_t *data, size_t size)
{
	const uint8_t *p, *end, *names;
	uint32_t depth = 0, tags, strings, reserved;

	t->items = 0;
	if (size < HEAD || size > MAX_BYTES || load(data) != MAGIC)
		return 0;
	tags = load(data + 8);
	strings = load(data + 12);
	reserved = load(data + 16);
	if (tags >= size || strings > size || reserved < HEAD || reserved > tags)
		return 0;
	t->version = load(data + 20);
	t->boot_cpu = load(data + 28);
	t->reserved = data + reserved;
	t->reserved_bytes = tags - reserved;
	p = data + tags;
	end = load(data + 36) < size - tags ? p + load(data + 36) : data + size;
	names = data + strings;
	while (p && t->items < MAX_ITEMS) {
		struct item *it = &t->item[t->items];

		p = take_item(it, p, end, names, data + size);
		if (!p || (t->items == 0 && it->tag != BEGIN))
			break;
		depth += it->tag == BEGIN;
		depth -= it->tag == END;
		t->items++;
		if (it->tag == END && depth == 0)
			break;
	}
	for (; depth && t->items && t->items < MAX_ITEMS; depth--)
		t->item[t->items++].tag = END;
	return t->items > 1;
}

/* Offset of a name in the strings; adds it if needed. */
static uint32_t place_of(const char *name, uint8_t *strings, uint32_t *bytes)
{
	uint32_t at, len = (uint32_t)strlen(name) + 1;

	for (at = 0; at < *bytes; at += (uint32_t)strlen((char *)strings + at) + 1)
		if (!strcmp((char *)strings + at, name))
			return at;
	if (*bytes + len > MAX_TEXT)
		return 0;
	memcpy(strings + *bytes, name, len);
	*bytes += len;
	return at;
}

static uint8_t *put_item(uint8_t *p, const struct item *it, uint8_t *strings, uint32_t *bytes)
{
	uint32_t padded = (it->size + 3) & ~3u;

	store(p, it->tag);
	p += 4;
	if (it->tag != BEGIN && it->tag != PROPERTY)
		return p;
	if (it->tag == PROPERTY) {
		store(p, it->size);
		store(p + 4, place_of(it->name, strings, bytes));
		p += 8;
	}
	memset(p, 0, padded);
	if (it->size)
		memcpy(p, it->tag == BEGIN ? (const void *)it->name : it->value, it->size);
	return p + padded;
}

/* Writes all tags and the final one. Returns their end, or NULL if there is no room. */
static uint8_t *put_items(uint8_t *p, const struct parts *t, uint8_t *strings, uint32_t *bytes)
{
	const uint8_t *end = written + MAX_BYTES / 2;
	uint32_t i;

	for (i = 0; i < t->items; i++) {
		if (t->item[i].size > MAX_BYTES / 2 || t->item[i].size + 32 > (uint32_t)(end - p))
			return NULL;
		p = put_item(p, &t->item[i], strings, bytes);
	}
	store(p, LAST);
	return p + 4;
}

/*
 * Writes the blob, with the strings last, or first so that nothing follows the tags. Returns its
 * size, 0 if it is too large.
 */
static size_t together(const struct parts *t, size_t room, int strings_last)
{
	static uint8_t strings[MAX_TEXT];
	uint32_t tags = HEAD + ((t->reserved_bytes + 7) & ~7u), bytes = 0, at, length;
	uint8_t *end;

	if (tags > MAX_BYTES / 4)
		return 0;
	memset(written, 0, tags);
	if (t->reserved_bytes)
		memcpy(written + HEAD, t->reserved, t->reserved_bytes);
	end = put_items(written + tags, t, strings, &bytes);
	if (!end)
		return 0;
	length = (uint32_t)(end - written) - tags;
	at = strings_last ? tags + length : tags;
	if (tags + length + bytes + 4 > room)
		return 0;
	if (!strings_last) {
		tags += (bytes + 3) & ~3u;
		memmove(written + tags, written + at, length);
	}
	memcpy(written + at, strings, bytes);
	store(written, MAGIC);
	store(written + 4, strings_last ? at + bytes : tags + length);
	store(written + 8, tags);
	store(written + 12, at);
	store(written + 16, HEAD);
	store(written + 20, t->version);
	store(written + 24, 16);
	store(written + 28, t->boot_cpu);
	store(written + 32, bytes);
	store(written + 36, length);
	return strings_last ? at + bytes : tags + length;
}

/* ---- choices --------------------------------------------------------------------------------- */

/* A random item with this tag; items if there is none. */
static uint32_t any(const struct parts *t, uint32_t tag)
{
	uint32_t from = below(t->items), i;

	for (i = 0; i < t->items; i++)
		if (t->item[(from + i) % t->items].tag == tag)
			return (from + i) % t->items;
	return t->items;
}

/* Number of items that belong to the node or other tag here. */
static uint32_t extent(const struct parts *t, uint32_t at)
{
	uint32_t depth = 0, i;

	for (i = at; i < t->items; i++) {
		depth += t->item[i].tag == BEGIN;
		depth -= t->item[i].tag == END;
		if (depth == 0 || depth > t->items)
			return i + 1 - at;
	}
	return i - at;
}

/* A modifiable copy of the value with room for more bytes; NULL if there is no memory left. */
static uint8_t *own(struct item *it, uint32_t more)
{
	uint8_t *p = text + texts;

	if (it->size > MAX_TEXT || more > MAX_TEXT - it->size || it->size + more > MAX_TEXT - texts)
		return NULL;
	if (it->size)
		memcpy(p, it->value, it->size);
	it->value = p;
	texts += it->size + more;
	return p;
}

static uint32_t interesting(void)
{
	static const uint32_t values[] = {
		0,          1,          2,          3,          4,          8,
		15,         16,         0x1f,       0x3f,       0x40,       0xff,
		0x100,      0xffff,     0x10000,    0x1003f,    0x10040,    0x1ffff,
		0x20000,    0x2ffff,    0x30000,    0xf0000,    0xfffff,    0x100000,
		0x7fffffff, 0x80000000, 0xfffffff4, 0xfffffff8, 0xffffffff,
	};

	return values[below(sizeof(values) / sizeof(values[0]))];
}

/* A value from either tree, so that rows and phandles combine. */
static uint32_t some_cell(void)
{
	const struct parts *t = other.items && below(3) == 0 ? &other : &tree;
	uint32_t at = any(t, PROPERTY);

	if (at == t->items || t->item[at].size < 4)
		return interesting();
	return load(t->item[at].value + 4 * below(t->item[at].size / 4));
}

/* ---- changes --------------------------------------------------------------------------------- */

static void change_cell(void)
{
	uint32_t at = any(&tree, PROPERTY), value;
	uint8_t *p;

	if (at == tree.items || tree.item[at].size < 4)
		return;
	p = own(&tree.item[at], 0);
	if (!p)
		return;
	p += 4 * below(tree.item[at].size / 4);
	value = load(p);
	switch (below(6)) {
	case 0:
		value = interesting();
		break;
	case 1:
		value += below(17) - 8;
		break;
	case 2:
		value ^= 1u << below(32);
		break;
	case 3:
		value = (uint32_t)below(0x10000) << below(17);
		break;
	default:
		value = some_cell() + (below(4) ? 0 : below(3) - 1);
		break;
	}
	store(p, value);
}

/* Removes, adds or duplicates rows of 1, 3 or 5 cells, or single bytes. */
static void change_size(void)
{
	static const uint32_t units[] = { 4, 4, 8, 12, 12, 12, 20, 20, 1, 3 };
	uint32_t unit = units[below(10)], n = unit * (1 + below(below(4) ? 2 : 40)), at, from, i;
	struct item *it = &tree.item[any(&tree, PROPERTY)];
	uint8_t *p;

	if (it == &tree.item[tree.items])
		return;
	at = below(it->size / unit + 1) * unit;
	if (below(3) == 0) { /* shorter */
		p = own(it, 0);
		n = n < it->size - at ? n : it->size - at;
		if (p)
			memmove(p + at, p + at + n, it->size - at - n);
		it->size -= p ? n : 0;
		return;
	}
	p = own(it, n);
	if (!p)
		return;
	memmove(p + at + n, p + at, it->size - at);
	from = at >= unit && below(4) ? at - unit : at + n;
	for (i = 0; i < n; i++)
		p[at + i] = it->size ? p[(from + i % unit) % (it->size + n)] : (uint8_t)below(256);
	it->size += n;
}

static void remove_items(uint32_t at, uint32_t n)
{
	if (at == 0 || at + n >= tree.items) /* not the root */
		return;
	memmove(&tree.item[at], &tree.item[at + n], (tree.items - at - n) * sizeof(tree.item[0]));
	tree.items -= n;
}

static void insert_items(uint32_t at, const struct item *items, uint32_t n)
{
	static struct item copy[MAX_ITEMS];

	if (n > MAX_ITEMS - tree.items)
		return;
	memcpy(copy, items, n * sizeof(copy[0])); /* they may belong to the tree */
	memmove(&tree.item[at + n], &tree.item[at], (tree.items - at) * sizeof(copy[0]));
	memcpy(&tree.item[at], copy, n * sizeof(copy[0]));
	tree.items += n;
}

/* A place in a node for a property, or for another node. */
static uint32_t place_in(uint32_t tag)
{
	uint32_t at = any(&tree, BEGIN) + 1;

	while (at < tree.items && tree.item[at].tag == PROPERTY && below(4))
		at++;
	if (tag == BEGIN)
		while (at < tree.items && tree.item[at].tag == PROPERTY)
			at++;
	return at < tree.items ? at : 1;
}

/* Removes, duplicates or moves a property or a whole node. */
static void change_place(void)
{
	uint32_t tag = below(3) ? PROPERTY : BEGIN, at = any(&tree, tag), n, how = below(5);

	if (at == tree.items)
		return;
	n = extent(&tree, at);
	if (how == 0)
		remove_items(at, n);
	else if (how == 1)
		insert_items(at, &tree.item[at], n);
	else if (how == 2)
		insert_items(place_in(tag), &tree.item[at], n);
	else if (at && how == 3 && at + n < tree.items) {
		insert_items(at + n + extent(&tree, at + n), &tree.item[at], n);
		remove_items(at, n);
	} else if (at) {
		uint32_t to = place_in(tag);

		if (to > at && to < at + n)
			return;
		insert_items(to, &tree.item[at], n);
		remove_items(to <= at ? at + n : at, n);
	}
}

/* From the other tree: a value, a property, a node. */
static void meet(void)
{
	uint32_t tag = below(3) ? PROPERTY : BEGIN, from = any(&other, tag), to = any(&tree, tag);

	if (!other.items || from == other.items)
		return;
	if (tag == PROPERTY && to != tree.items && below(2)) {
		tree.item[to].value = other.item[from].value;
		tree.item[to].size = other.item[from].size;
		return;
	}
	insert_items(place_in(tag), &other.item[from], extent(&other, from));
}

static const char *const properties[] = {
	"compatible",
	"riscv,event-to-mhpmevent",
	"riscv,event-to-mhpmcounters",
	"phandle",
	"riscv,raw-event-to-mhpmcounters",
	"pmu,event-to-mhpmevent",
	"linux,phandle",
	"pmu,event-to-mhpmcounters",
	"pmu,raw-event-to-mhpmcounters",
	"#address-cells",
	"reg",
	"type",
	"size",
	"offset",
	"events",
	"events-prefix",
	"event-name",
	"scale",
	"unit",
	"desc",
	"cb_offset",
	"base-addr",
	"chip-id",
	"base_addr",
	"chipids",
	"ibm,chip-id",
	"amu",
	"enable-at-el3",
	"device_type",
	"imc-nest-offset",
	"imc-nest-size",
	"ima-nest-offset",
	"status",
	"riscv,hw-event-map",
};

static const char *const nodes[] = {
	"pmu",         "cpus",      "amus",    "amu-0",           "counter@0",
	"counter@1",   "counter@f", "cpu@0",   "cpu0@100",        "event",
	"events",      "mcs01@c8",  "core@18", "trace",           "imc-counters",
	"__symbols__", "",          "a/b",     "reserved-memory", "ibm,homer-image@20",
};

static const char *const values[] = {
	"riscv,pmu",
	"ibm,opal-in-memory-counters",
	"ibm,imc-counters",
	"ibm,imc-counters-nest",
	"ibm,ima-counters-core",
	"PM_",
	"PM_MCS01_",
	"1.2e-4",
	"256",
	"MiB",
	"cpu",
	"okay",
	"disabled",
	"/cpus/amus/amu-0/counter@0",
	"",
	"\xc3\xa9",
};

#define ONE_OF(list) ((list)[below((uint32_t)(sizeof(list) / sizeof((list)[0])))])

static void change_name(void)
{
	struct item *it = &tree.item[any(&tree, below(3) ? PROPERTY : BEGIN)];
	const char *value = ONE_OF(values);

	if (it == &tree.item[tree.items] || it == tree.item)
		return;
	if (it->tag == BEGIN) {
		it->name = ONE_OF(nodes);
		it->size = (uint32_t)strlen(it->name) + 1;
	} else if (below(2)) {
		it->name = ONE_OF(properties);
	} else {
		it->value = (const uint8_t *)value;
		it->size = (uint32_t)strlen(value) + (below(8) != 0);
	}
}

/* Adds a property with the value of another one, or with a few cells. */
static void add_property(void)
{
	struct item it = { PROPERTY, 0, ONE_OF(properties), text };
	uint8_t *p = own(&it, 20);
	uint32_t i;

	if (!p)
		return;
	it.size = 4 * below(6);
	for (i = 0; i < 5; i++)
		store(p + 4 * i, some_cell());
	insert_items(place_in(PROPERTY), &it, 1);
}

/* Adds what no valid tree has, or a NOP, which must not matter. */
static void spoil(void)
{
	static const uint32_t tags[] = { NOP, NOP, NOP, NOP, BEGIN, END, LAST, 5, 0xffffffff };
	struct item it = { ONE_OF(tags), 1, "", text };

	if (below(4) == 0)
		tree.version = below(20);
	insert_items(1 + below(tree.items - 1), &it, 1);
}

static void change(void)
{
	switch (below(16)) {
	case 0:
	case 1:
	case 2:
	case 3:
	case 4:
		change_cell();
		break;
	case 5:
	case 6:
	case 7:
		change_size();
		break;
	case 8:
	case 9:
		change_place();
		break;
	case 10:
	case 11:
		meet();
		break;
	case 12:
		change_name();
		break;
	case 13:
		add_property();
		break;
	default:
		if (below(8) == 0)
			spoil();
		else
			change_cell();
		break;
	}
}

/* Writes a mutated blob of at most room bytes; returns 0 on failure. */
static size_t mutate(const uint8_t *data, size_t size, const uint8_t *more, size_t more_bytes,
		     size_t room)
{
	uint32_t n = 1 + below(below(4) ? 4 : 24);
	size_t bytes;

	texts = 0;
	if (!apart(&tree, data, size))
		return 0;
	if (!more || !apart(&other, more, more_bytes))
		other.items = 0;
	while (n--)
		change();
	bytes = together(&tree, room, below(4) != 0);
	if (bytes && below(32) == 0)
		store(written + 4 * below(HEAD / 4), interesting());
	if (bytes && below(32) == 0)
		written[below((uint32_t)bytes)] = (uint8_t)below(256);
	return bytes;
}

#ifdef FUZZ_LIBFUZZER

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *more,
				 size_t more_bytes, uint8_t *out, size_t room, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
	size_t bytes;

	state = seed | 1ull << 32;
	bytes = below(4) ? mutate(data, size, NULL, 0, room) : 0;
	if (!bytes)
		return LLVMFuzzerMutate(data, size, room);
	memcpy(data, written, bytes);
	return bytes;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *more,
				 size_t more_bytes, uint8_t *out, size_t room, unsigned seed)
{
	size_t bytes;

	state = seed | 1ull << 32;
	bytes = mutate(data, size, more, more_bytes, room);
	if (bytes)
		memcpy(out, written, bytes);
	return bytes;
}

#else

void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(void *self, uint8_t *data, size_t size, uint8_t **out, uint8_t *more,
		       size_t more_bytes, size_t room);
void afl_custom_deinit(void *self);

void *afl_custom_init(void *afl, unsigned seed)
{
	(void)afl;
	state = seed | 1ull << 32;
	return &tree;
}

size_t afl_custom_fuzz(void *self, uint8_t *data, size_t size, uint8_t **out, uint8_t *more,
		       size_t more_bytes, size_t room)
{
	size_t bytes = mutate(data, size, more, more_bytes, room);

	(void)self;
	*out = bytes ? written : data;
	return bytes;
}

void afl_custom_deinit(void *self)
{
	(void)self;
}

#endif
