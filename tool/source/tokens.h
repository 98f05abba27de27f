/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tokens.h -- the tokens of a source that may contain what looks like another token: comments,
 * strings, letters in quotes, and paths.
 */
#ifndef TOKENS_H
#define TOKENS_H

#include <string.h>

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

#endif /* TOKENS_H */
