/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rom_layout.h -- lists the tables of a map image and their fields.
 *
 * A map consists of numbers of 1, 2, 4 or 8 bytes. Hashes and positions are computed from values,
 * never from bytes in memory. So reversing the bytes of each number turns an image into one of the
 * other byte order, and C source made of these numbers suits both.
 */
#ifndef ROM_LAYOUT_H
#define ROM_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#define PARTS_LIMIT 64
#define FIELDS_LIMIT 30 /* fields per row */

struct pmumap;
struct pmumap_imc;
struct pmumap_amu;

struct field {
	const char *name; /* "": the row is a single number */
	unsigned bytes;
};

struct row_layout {
	const struct field *fields;
	unsigned count;
	unsigned bytes;
};

struct part {
	const char *name; /* NULL: padding, all 0 */
	const struct row_layout *rows;
	uint32_t offset, count;
	int text; /* the bytes are strings */
};

struct parts {
	struct part part[PARTS_LIMIT];
	unsigned used;
};

/* A map of any kind as an image. */
struct image {
	const unsigned char *at;
	size_t bytes;
	const char *header, *type; /* for example "pmumap.h", "struct pmumap" */
};

/*
 * Lists all parts of a map in order, and the gaps between them. Uses amu or imc if not NULL,
 * otherwise riscv. Returns 0 if two parts overlap, which an untrusted image can cause.
 */
int list_parts(struct parts *p, struct image *image, const struct pmumap *riscv,
	       const struct pmumap_imc *imc, const struct pmumap_amu *amu);

/* Reads a number of the image in this machine's byte order. */
uint64_t read_field(const unsigned char *at, unsigned bytes);

#endif /* ROM_LAYOUT_H */
