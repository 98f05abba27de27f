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

/* A folder's path and a name in it. The caller frees it. */
char *path_below(const char *folder, const char *name);

/* is_dts(): the name is that of a source. The other: of a source that others include (.dtsi). */
int is_dts(const char *name);
int is_part(const char *name);

/* ---- files that a source names --------------------------------------------------------------- */

/*
 * Trusts a folder or a file, in addition to the folder of the source and the current folder. Others
 * are not read: an untrusted source must not make the tool print the user's files.
 */
void trust_folder(const char *folder);

/* Trusts the sources: they may include any file, and use /incbin/. */
void trust_all(void);
int trusts_all(void);

#define MISSING (-1) /* there is no such file; nobody has complained */

/*
 * Reads the file bytes->name for a source. Returns an exit code, or MISSING. It opens what it has
 * checked: no folder on the way may become a link in between.
 */
int read_included(struct bytes *bytes, const char *source);

/* ---- files that a verb works on, including those of named folders ---------------------------- */

/* Zero it before use and free it at the end. */
struct files {
	char **names;
	size_t count;
	int folder; /* some come from a folder, so a file without a PMU is not an error */
};

/*
 * Adds a file as it is. For a folder, adds every .dts, .dtso, .dtb and .dtbo in it and below, and
 * every .json with events, sorted by name. Returns an exit code, not GOOD if the folder has none.
 */
int add_files(struct files *files, const char *name);

void free_files(struct files *files);

#endif /* READ_H */
