/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rom.h -- the two kinds of C source that the verb rom writes.
 */
#ifndef ROM_H
#define ROM_H

#include "rom_layout.h"
#include "source/request.h"

/* Writes a constant of all parts, and a function of that name that returns the map. */
void put_source(FILE *out, const struct source *source, const struct input *input,
		const struct image *image, const struct parts *parts, const char *name);

/* Writes a word of a C comment. What is no letter or digit, nor one of the others, becomes '_'. */
void put_word(FILE *out, const char *word, const char *others);

/*
 * AMU: prints what TF-A v2.13 and later takes from the platform. list: the MPIDRs in their order;
 * NULL: in the order of the tree. implemented: the counters that may be enabled. Returns an exit
 * code.
 */
int put_amu_enables(const char *file, const struct pmumap_amu *map, const char *list,
		    uint32_t implemented);

#endif /* ROM_H */
