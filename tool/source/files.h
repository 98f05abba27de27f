/* SPDX-License-Identifier: BSD-2-Clause
 *
 * files.h -- the files that a verb works on, including those of named folders.
 */
#ifndef FILES_H
#define FILES_H

#include "text/output.h"

/* Zero it before use and free it at the end. */
struct files {
	char **names;
	size_t count;
	int folder; /* some come from a folder, so a file without a PMU is not an error */
};

/*
 * Adds a file as it is. For a folder, adds every .dts, .dtso, .dtb and .dtbo in it and below,
 * sorted by name. Returns an exit code, not GOOD if the folder has none.
 */
int add_files(struct files *files, const char *name);

void free_files(struct files *files);

#endif /* FILES_H */
