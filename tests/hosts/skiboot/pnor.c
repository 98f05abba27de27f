/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pnor.c -- makes a flash that has nothing but a partition IMA_CATALOG.
 *
 *	pnor OUT PVR CATALOG.xz
 *
 * PVR is that of the chip without its minor version, in hexadecimal.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 0x1000u
#define BLOCKS 64u

static unsigned char flash[BLOCKS * BLOCK];

static void put(size_t at, uint32_t value)
{
	flash[at] = (unsigned char)(value >> 24);
	flash[at + 1] = (unsigned char)(value >> 16);
	flash[at + 2] = (unsigned char)(value >> 8);
	flash[at + 3] = (unsigned char)value;
}

/* The words from at on, and behind them what makes all of them together 0. */
static void put_words(size_t at, const uint32_t *words, size_t count)
{
	uint32_t sum = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		put(at + 4 * i, words[i]);
		sum ^= words[i];
	}
	put(at + 4 * count, sum);
}

/* Entry number i of the table of partitions, of so many blocks from base on. */
static void put_entry(uint32_t i, const char *name, uint32_t base, uint32_t blocks, uint32_t type)
{
	uint32_t words[31] = { 0 };
	size_t n, length = strlen(name);

	for (n = 0; n < length; n++)
		words[n / 4] |= (uint32_t)(unsigned char)name[n] << (24 - 8 * (n % 4));
	words[4] = base;
	words[5] = blocks;
	words[6] = 0xffffffff; /* in no other partition */
	words[7] = i + 1;
	words[8] = type;
	words[10] = blocks * BLOCK;
	put_words(48 + 128 * (size_t)i, words, 31);
}

int main(int argc, char **argv)
{
	const uint32_t head[11] = { 0x50415254, 1, 1, 128, 2, BLOCK, BLOCKS };
	FILE *in = argc == 4 ? fopen(argv[3], "rb") : NULL;
	FILE *out = in ? fopen(argv[1], "wb") : NULL;
	size_t size;

	if (!out)
		return 2;
	put_words(0, head, 11);
	put_entry(0, "part", 0, 1, 3);
	put_entry(1, "IMA_CATALOG", 1, BLOCKS - 1, 1);

	/* The partition has a table of contents, of one catalog, and that one block behind. */
	size = fread(flash + 2 * BLOCK, 1, sizeof(flash) - 2 * BLOCK, in);
	put(BLOCK, 0x494d4343);
	put(BLOCK + 4, 1);
	put(BLOCK + 8, (uint32_t)strtoul(argv[2], NULL, 16));
	put(BLOCK + 12, BLOCK);
	put(BLOCK + 16, (uint32_t)(size + 15) & ~15u);
	return size == 0 || fwrite(flash, 1, sizeof(flash), out) != sizeof(flash) || fclose(out);
}
