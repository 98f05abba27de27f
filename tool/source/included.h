/* SPDX-License-Identifier: BSD-2-Clause
 *
 * included.h -- which files a source makes dtc and cpp read. A source from a stranger must not bring
 * any file that one can read into what the tool prints: /incbin/ is refused, and files may only be
 * included from the folders that somebody has named.
 */
#ifndef INCLUDED_H
#define INCLUDED_H

#include "read.h"

/* Where dtc looks for files. */
struct search_path {
	const char *const *folders;
	size_t count;
};

/* A folder whose files may be included, besides that of the source and the current one. */
void trust_folder(const char *folder);

/*
 * The text is what dtc will read; file: its name, in whose folder dtc looks first. These return
 * GOOD, or an exit code after a complaint.
 */
int check_included(const struct bytes *text, const char *file, const struct search_path *path);

/* The same for what cpp wrote: its line markers name the files. */
int check_markers(const struct bytes *text, const char *file);

#endif /* INCLUDED_H */
