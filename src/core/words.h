/* SPDX-License-Identifier: BSD-2-Clause */
/* Compare text that people write */
#pragma once

#include "core/compiler.h"

/* Text is compared in lower case, with '_' as '-'. */
static inline char pmumap_fold_case_(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c == '_' ? '-' : c;
}

/* Skip a word if the text begins with it. Returns 1; or 0, and *at is unchanged. */
static inline int pmumap_skip_word_(const char **at, const char *end, const char *word)
{
	const char *c = *at;

	for (; *word; word++, c++) {
		if (c == end || pmumap_fold_case_(*c) != pmumap_fold_case_(*word))
			return 0;
	}
	*at = c;
	return 1;
}
