/* SPDX-License-Identifier: BSD-2-Clause
 *
 * included.h -- which files a source makes dtc and cpp read. A stranger's source must not make the
 * tool print files of the user: /incbin/ is refused, and only files below the named folders may be
 * included.
 */
#ifndef INCLUDED_H
#define INCLUDED_H

#include "read.h"

/* Where dtc looks for files. */
struct search_path {
	const char *const *folders;
	size_t count;
};

/* A folder or a file that may be included, besides the folders of the source and the tool. */
void trust_folder(const char *folder);

/*
 * The text is what dtc will read; file: its name, in whose folder dtc looks first. These return
 * GOOD, or an exit code after a complaint.
 */
int check_included(const struct bytes *text, const char *file, const struct search_path *path);

/* The same for what cpp wrote: its line markers name the files. */
int check_markers(const struct bytes *text, const char *file);

#endif /* INCLUDED_H */
