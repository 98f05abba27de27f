/* SPDX-License-Identifier: BSD-2-Clause
 *
 * read.h -- bytes: of a file, of the standard input, of what dtc makes of a source.
 */
#ifndef READ_H
#define READ_H

#include "text/output.h"

/* What was read; data is to be freed. */
struct bytes {
	const char *name; /* for complaints */
	unsigned char *data;
	size_t size;
};

/* Each of these appends to the bytes, and returns an exit code. */
int read_all(struct bytes *bytes, int fd);
int read_file(struct bytes *bytes, const char *file);

/* Whether the file is named as a source is; and as one that others include (.dtsi). */
int is_dts(const char *name);
int is_part(const char *name);

#endif /* READ_H */
