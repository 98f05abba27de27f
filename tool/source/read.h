/* SPDX-License-Identifier: BSD-2-Clause
 *
 * read.h -- reads bytes: from a file, from standard input, or from dtc.
 */
#ifndef READ_H
#define READ_H

#include "text/output.h"

/* The bytes read so far. The caller frees data. */
struct bytes {
	const char *name; /* for complaints */
	unsigned char *data;
	size_t size;
};

/* Each of these appends to the bytes and returns an exit code. */
int read_all(struct bytes *bytes, int fd);
int read_file(struct bytes *bytes, const char *file);

/* is_dts(): the name is that of a source. The other: of a source that others include (.dtsi). */
int is_dts(const char *name);
int is_part(const char *name);

#endif /* READ_H */
