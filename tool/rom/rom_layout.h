/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rom_layout.h -- what a map image consists of, as a list of its tables and their fields.
 *
 * All of a map is numbers of 1, 2, 4 or 8 bytes. What is computed from names and raw events
 * (places, hashes) is computed from values, never from bytes in memory. So an image of
 * one byte order is that of the other with the bytes of each number reversed, and C source of these
 * numbers suits both.
 */
#ifndef ROM_LAYOUT_H
#define ROM_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#define PARTS_LIMIT 64
#define FIELDS_LIMIT 30 /* of a row */

struct pmumap;
struct pmumap_imc;
struct pmumap_amu;

struct field {
	const char *name; /* "": the row is this number alone */
	unsigned bytes;
};

struct row_layout {
	const struct field *fields;
	unsigned count;
	unsigned bytes;
};

struct part {
	const char *name; /* NULL: nothing reads it, all 0 */
	const struct row_layout *rows;
	uint32_t offset, count;
	int text; /* its bytes are strings */
};

struct parts {
	struct part part[PARTS_LIMIT];
	unsigned used;
};

/* A map of any kind, as an image. */
struct image {
	const unsigned char *at;
	size_t bytes;
	const char *header, *type; /* "pmumap.h", "struct pmumap" */
};

/*
 * Lists all parts of a map in their order, and what lies between them: those of amu or imc, unless
 * they are NULL, else those of riscv. Returns 0 if two share bytes: those of a foreign image may.
 */
int list_parts(struct parts *p, struct image *image, const struct pmumap *riscv,
	       const struct pmumap_imc *imc, const struct pmumap_amu *amu);

/* A number of the image, in the byte order of this machine. */
uint64_t read_field(const unsigned char *at, unsigned bytes);

#endif /* ROM_LAYOUT_H */
