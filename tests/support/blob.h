/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Writes device trees tag by tag, well-formed or not: nodes and properties one by one, or as text.
 */
#ifndef BLOB_H
#define BLOB_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct blob {
	unsigned char *fdt; /* NULL until complete */
	size_t size;
	unsigned char *tags;
	size_t tag_bytes, tag_room;
	char *names;
	size_t name_bytes, name_room;
	uint32_t begun; /* offset of the first long name, from which on no name is shared; or 0 */
	uint32_t depth; /* open nodes */
	uint32_t reserved; /* entries of reserved memory */
};

static inline void *blob_grow(void *block, size_t *room, size_t bytes)
{
	if (bytes <= *room)
		return block;
	*room = 2 * bytes + 4096;
	block = realloc(block, *room);
	if (!block)
		abort();
	return block;
}

static inline void put32(unsigned char *to, uint32_t cell)
{
	to[0] = (unsigned char)(cell >> 24);
	to[1] = (unsigned char)(cell >> 16);
	to[2] = (unsigned char)(cell >> 8);
	to[3] = (unsigned char)cell;
}

/* Appends bytes to the tags. */
static inline void blob_bytes(struct blob *t, const void *bytes, size_t n)
{
	t->tags = blob_grow(t->tags, &t->tag_room, t->tag_bytes + n + 4);
	if (n)
		memcpy(t->tags + t->tag_bytes, bytes, n);
	t->tag_bytes += n;
}

static inline void blob_pad(struct blob *t)
{
	while (t->tag_bytes % 4)
		blob_bytes(t, "", 1);
}

static inline void blob_cell(struct blob *t, uint32_t cell)
{
	unsigned char bytes[4];

	put32(bytes, cell);
	blob_bytes(t, bytes, 4);
}

static inline void blob_begin(struct blob *t, const char *name, size_t n)
{
	blob_cell(t, 1);
	blob_bytes(t, name, n);
	blob_bytes(t, "", 1);
	blob_pad(t);
	t->depth++;
}

static inline void blob_end(struct blob *t)
{
	blob_cell(t, 2);
	t->depth--;
}

/* The offset of a name in the strings; adds it if needed. */
static inline uint32_t blob_name(struct blob *t, const char *name, size_t n)
{
	size_t at, end = t->begun ? t->begun : t->name_bytes;

	for (at = 0; at < end; at += strlen(t->names + at) + 1)
		if (strlen(t->names + at) == n && !memcmp(t->names + at, name, n))
			return (uint32_t)at;
	at = t->name_bytes;
	if (t->begun == 0 && n > 64)
		t->begun = (uint32_t)at;
	t->names = blob_grow(t->names, &t->name_room, at + n + 1);
	memcpy(t->names + at, name, n);
	t->names[at + n] = 0;
	t->name_bytes += n + 1;
	return (uint32_t)at;
}

/* A property whose name has this offset. */
static inline void blob_property(struct blob *t, uint32_t name, const void *value, size_t n)
{
	blob_cell(t, 3);
	blob_cell(t, (uint32_t)n);
	blob_cell(t, name);
	blob_bytes(t, value, n);
	blob_pad(t);
}

/* Appends a value as the text has it. Returns the rest of the text. */
static inline const char *blob_value(struct blob *t, const char *at)
{
	const char open = *at++, close = open == '<' ? '>' : open == '[' ? ']' : open;
	const char *end = strchr(at, close);
	unsigned char cell[4];

	for (; close == open && at < end; at++)
		blob_bytes(t, *at == '|' ? "" : at, 1);
	while (at < end) {
		char *next;

		put32(cell, (uint32_t)strtoul(at, &next, 16));
		blob_bytes(t, open == '<' ? cell : cell + 3, open == '<' ? 4 : 1);
		at = next + (*next == ' ');
	}
	if (open == '"')
		blob_bytes(t, "", 1);
	return end + 1;
}

/*
 * Appends nodes and properties, as in the source of a device tree without ';'. All numbers are
 * hexadecimal. In strings '|' stands for the NUL between two of a list; '...' has none at its end.
 */
static inline void blob_text(struct blob *t, const char *at)
{
	size_t n, head;

	for (at += strspn(at, " "); *at; at += strspn(at, " ")) {
		const char *brace;

		n = strcspn(at, "= {");
		brace = at + n + (n && at[n] == ' '); /* a node may have no name */
		if (*at == '}') {
			blob_end(t);
			at++;
		} else if (*brace == '{') {
			blob_begin(t, at, n);
			at = brace + 1;
		} else {
			blob_property(t, blob_name(t, at, n), NULL, 0);
			head = t->tag_bytes;
			at = at[n] == '=' ? blob_value(t, at + n + 1) : at + n;
			put32(t->tags + head - 8, (uint32_t)(t->tag_bytes - head));
			blob_pad(t);
		}
	}
}

__attribute__((format(printf, 2, 3))) static inline void blob_format(struct blob *t,
								     const char *format, ...)
{
	static char text[1 << 18];
	va_list arguments;

	va_start(arguments, format);
	if (vsnprintf(text, sizeof(text), format, arguments) >= (int)sizeof(text))
		abort();
	va_end(arguments);
	blob_text(t, text);
}

/* Header, reserved memory, tags and strings, as they are. */
static inline void blob_assemble(struct blob *t)
{
	uint32_t tags = 56 + 16 * t->reserved, strings = tags + (uint32_t)t->tag_bytes, i;
	uint32_t names = (uint32_t)t->name_bytes;
	const uint32_t head[] = { 0xd00dfeed, strings + names, tags,          strings, 40, 17, 16,
				  0,          names,           strings - tags };

	t->size = head[1];
	t->fdt = calloc(1, t->size);
	if (!t->fdt)
		abort();
	for (i = 0; i < 10; i++)
		put32(t->fdt + 4 * i, head[i]);
	for (i = 0; i < t->reserved; i++) {
		put32(t->fdt + 44 + 16 * i, 0x80000000u + i);
		put32(t->fdt + 52 + 16 * i, 0x1000);
	}
	if (t->tag_bytes)
		memcpy(t->fdt + tags, t->tags, t->tag_bytes);
	if (t->name_bytes)
		memcpy(t->fdt + strings, t->names, t->name_bytes);
	free(t->tags);
	free(t->names);
}

/* Ends the open nodes first. */
static inline void blob_finish(struct blob *t)
{
	while (t->depth)
		blob_end(t);
	blob_cell(t, 9);
	blob_assemble(t);
}

#endif /* BLOB_H */
