/* SPDX-License-Identifier: BSD-2-Clause
 *
 * read.h -- bytes: of a file, of the standard input, of what dtc makes of a source.
 */
#ifndef READ_H
#define READ_H

#include "output.h"

/* What was read; data is to be freed. */
struct bytes {
	const char *name; /* for complaints */
	unsigned char *data;
	size_t size;
};

/* Each of these appends to the bytes, and returns an exit code. */
int read_all(struct bytes *bytes, int fd);
int read_file(struct bytes *bytes, const char *file);

/* What dtc makes of the file: a blob, or with annotate its source with places in comments. */
int run_dtc(struct bytes *bytes, const char *file, int annotate);

/* Whether the file is named as a source is. */
int is_dts(const char *name);

#endif /* READ_H */
