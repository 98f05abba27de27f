/* SPDX-License-Identifier: BSD-2-Clause
 *
 * edits.h -- changes to a text that are applied together.
 */
#ifndef EDITS_H
#define EDITS_H

#include "fix.h"
#include "source/rows.h"

/* A piece of the text and its replacement. Either may be empty. */
struct edit {
	const char *at, *end;
	const char *text;
	size_t length;
};

struct edits {
	struct edit *list;
	uint32_t count;
	const char *begin,
		*end; /* of the whole text; a copy, because find_spot() may read other files */
};

void add_edit(struct edits *e, const char *at, const char *end, const char *text, size_t length);

/* Removes a row of a property. Returns 0 if no safe edit was found; the user has to do it. */
int remove_row(struct edits *e, const struct mends *mends, const struct mend *m,
	       const struct groups *g);

#endif /* EDITS_H */
