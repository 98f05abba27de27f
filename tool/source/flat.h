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

/* True if the text has a directive of cpp. */
int has_any_directive(const struct bytes *text);

/*
 * Replaces the text. file: its name. For cpp, puts in what #include names, and before it the files
 * first[]; for dtc, what /include/ names. Returns an exit code after a complaint.
 */
int flatten_for_cpp(struct bytes *text, const char *file, const struct search_path *path,
		    const char *const *first, size_t firsts);
int flatten_for_dtc(struct bytes *text, const char *file, const struct search_path *path);

/*
 * The tokens of a source that may contain what looks like another token: comments, strings,
 * letters in quotes, and paths.
 */

int begins_with(const char *at, const char *end, const char *word);

/* Skips blanks up to the end of the line. cpp takes other control characters for blanks, too. */
const char *skip_blanks(const char *at, const char *end);

/* True if a comment begins here. */
int is_comment(const char *at, const char *end);

/*
 * The end of the token that begins here, or of the text before the next such token. A comment
 * without an end extends to the end of the text. for_cpp: strings end with their line, and
 * a backslash continues a line, as for cpp; otherwise as for dtc.
 */
const char *token_end(const char *at, const char *end, int for_cpp);

#endif /* FLAT_H */
