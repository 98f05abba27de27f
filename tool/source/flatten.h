/* SPDX-License-Identifier: BSD-2-Clause
 *
 * flatten.h -- what flat.c, flat_cpp.c and flat_dtc.c share.
 */
#ifndef FLATTEN_H
#define FLATTEN_H

#include "flat.h"
#include "included.h"
#include "tokens.h"

/* A file that is being read, and the one that includes it. */
struct frame {
	const struct frame *outer;
	const char *file;
	unsigned depth;
};

/* The name of an included file. */
struct name {
	const char *at;
	size_t length;
	int beside; /* search beside the file that includes it first */
};

struct flat {
	/* Adds a file, with all that it includes. */
	int (*add)(struct flat *x, const struct bytes *text, const struct frame *f);
	const struct search_path *path;
	const char *source;
	int for_cpp;
	FILE *out;
	size_t size, files;
};

/* Adds a text that includes nothing more. */
void put_piece(struct flat *x, const char *at, const char *end);

/* Tells cpp and dtc where the next line comes from. */
void put_line(struct flat *x, const char *file, uint32_t line);

/* The path of a name in a folder of this length. The caller frees it. */
char *path_in(const char *folder, size_t length, const struct name *name);

/* Searches for a file and adds it. Returns MISSING if there is none. */
int include(struct flat *x, const struct frame *f, const struct name *name);

/* Replaces comments by blanks: lines and columns stay. */
void blank_comments(char *at, const char *end, int for_cpp);

/* Adds the files first[] and then the text, which is replaced. */
int flatten(struct flat *x, struct bytes *text, const char *const *first, size_t firsts);

#endif /* FLATTEN_H */
