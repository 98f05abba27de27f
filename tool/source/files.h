/* SPDX-License-Identifier: BSD-2-Clause
 *
 * files.h -- the files that a verb is given, folders among them.
 */
#ifndef FILES_H
#define FILES_H

#include "text/output.h"

/* To be zeroed before, and freed at the end. */
struct files {
	char **names;
	size_t count;
	int folder; /* some come from a folder: not each of them needs to describe a PMU */
};

/*
 * Adds what is named: a file as it is, of a folder each .dts, .dtso,
 * .dtb and .dtbo in it and below it, by name.
 * Returns an exit code, not GOOD for a folder that has none.
 */
int add_files(struct files *files, const char *name);

void free_files(struct files *files);

#endif /* FILES_H */
