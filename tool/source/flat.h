/* SPDX-License-Identifier: BSD-2-Clause
 *
 * flat.h -- puts the files that a source includes into its text, so that dtc and cpp read no file
 * but their standard input. What would make them open another one is no longer in the text.
 */
#ifndef FLAT_H
#define FLAT_H

#include "read.h"

/* Where to search for included files, after the folder of the file that includes them. */
struct search_path {
	const char *const *folders;
	size_t count;
	const char *empty; /* a file that only the build makes: empty if missing; or NULL */
};

/*
 * Replaces the text. file: its name. For cpp, puts in what #include names, and before it the files
 * first[]; for dtc, what /include/ names. Returns an exit code after a complaint.
 */
int flatten_for_cpp(struct bytes *text, const char *file, const struct search_path *path,
		    const char *const *first, size_t firsts);
int flatten_for_dtc(struct bytes *text, const char *file, const struct search_path *path);

#endif /* FLAT_H */
