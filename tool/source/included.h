/* SPDX-License-Identifier: BSD-2-Clause
 *
 * included.h -- checks which files a source makes dtc and cpp read. An untrusted source must not
 * make the tool print the user's files: /incbin/ is rejected, and only files below the named
 * folders may be included.
 */
#ifndef INCLUDED_H
#define INCLUDED_H

#include "read.h"

/* Where dtc searches for files. */
struct search_path {
	const char *const *folders;
	size_t count;
};

/* Trusts a folder or a file, in addition to the folders of the source and of the tool. */
void trust_folder(const char *folder);

/*
 * text: what dtc will read. file: its name; dtc searches its folder first. Both functions return
 * GOOD, or an exit code after a complaint.
 */
int check_included(const struct bytes *text, const char *file, const struct search_path *path);

/* The same for cpp's output, whose line markers name the files. */
int check_markers(const struct bytes *text, const char *file);

#endif /* INCLUDED_H */
