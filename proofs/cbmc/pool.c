/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory for a map's tables. It ends at the last byte that a build may write.
 */
#include "proof.h"

#define BYTES 3  /* bytes of the earlier strings, and of the next one with its NUL */
#define PLACES 2 /* slots in the table of strings */

static struct {
	struct pmumap_amu m;
	char before[BYTES], next[BYTES];
	char behind[8]; /* word-wise reading may touch it */
} image;

static uint32_t table[PLACES];

/* For pmumap_hash_text_(): any hash. */
uint64_t any_hash(const unsigned char *p, size_t len, uint64_t key)
{
	prove(__CPROVER_r_ok(p, len) && key == PMUMAP_POOL_KEY_);
	return nondet_u64();
}

/* For pmumap_differ_(), proved by WP: bytes reported equal are equal. */
uint64_t differ(const unsigned char *a, const unsigned char *b, size_t n)
{
	size_t i;

	prove(n < BYTES);
	for (i = 0; i < n; i++) {
		if (a[i] != b[i])
			return 1;
	}
	return nondet_u8() & 1;
}

/*
 * A text of up to 2 characters is in the map afterwards, where it was or next. The table finds it
 * again, or an equal one in its place. Nothing before it changes.
 */
void keep(void)
{
	const char *found = image.before;
	struct pmumap_pool_ p;
	char text[BYTES], before[BYTES];
	uint32_t at, i, bytes, size = sizeof(image.m) + BYTES;

	for (i = 0; i < BYTES; i++) {
		before[i] = image.before[i] = (char)nondet_u8();
		text[i] = (char)nondet_u8();
	}
	assume(!image.before[BYTES - 1] && !text[BYTES - 1]);
	for (bytes = 0; text[bytes]; bytes++)
		;
	image.m.head.size = size;
	p.m = &image.m.head;
	p.empty = nondet_u32();
	p.table = table;
	p.table_size = PLACES;
	for (i = 0; i < PLACES; i++)
		table[i] = nondet_u8() & 1 ? sizeof(image.m) + nondet_u8() % BYTES : 0;
	assume(!table[0] || !table[1]); /* twice as many as strings */
	at = pmumap_pool_keep_text_(&p, text);
	for (i = 0; i < BYTES; i++)
		prove(image.before[i] == before[i]);
	prove(bytes || at == p.empty);
	prove(image.m.head.size == (bytes && at == size ? size + bytes + 1 : size));
	prove(!bytes || (at >= sizeof(image.m) && at <= size));
	for (i = 0; i <= bytes && bytes; i++)
		prove(found[at - sizeof(image.m) + i] == text[i]);
	reached(bytes == 2 && at == size);
	reached(bytes == 1 && at < size);
}

/* Each table begins at a multiple of 8, one after the other, and padding is 0. */
void append(void)
{
	static struct {
		struct pmumap_amu m;
		unsigned char bytes[24];
	} block;
	uint32_t bytes = nondet_u8(), offset, size, i;
	unsigned char *to;

	for (i = 0; i < 24; i++)
		block.bytes[i] = nondet_u8();
	assume(bytes <= 16);
	size = block.m.head.size = nondet_u8() & 1 ? sizeof(block.m) : sizeof(block.m) + 8;
	to = (unsigned char *)pmumap_append_table_(&block.m, &offset, bytes);
	prove(to == (unsigned char *)&block + size && offset == size);
	prove(block.m.head.size % 8 == 0 && block.m.head.size >= size + bytes &&
	      block.m.head.size < size + bytes + 8);
	for (i = size + bytes; i < block.m.head.size; i++)
		prove(((unsigned char *)&block)[i] == 0);
	reached(bytes == 15);
	block.m.head.size = sizeof(block.m) + bytes;
	pmumap_pad_image_(&block.m);
	prove(block.m.head.size == ((sizeof(block.m) + bytes + 7) & ~7u));
}
