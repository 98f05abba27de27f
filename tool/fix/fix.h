/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fix.h -- check --fix corrects the mistakes that have one possible correction.
 */
#ifndef FIX_H
#define FIX_H

#include "findings/report.h"

enum mend_kind { EXCHANGE, REMOVE, RENAME, INSERT, REWORD };

/*
 * One change of a node: two cells of a row swapped, a cell inserted, a row removed, a property
 * renamed, or one of its strings replaced.
 */
struct mend {
	enum mend_kind kind;
	int node;
	const char *property;
	uint32_t row, cell, other; /* cell numbers are those in the row */
	char name[64];             /* new name; INSERT: the cell, REWORD: the string */
	char old[64];              /* REWORD: the old string */
	int again;                 /* remove the row: it exists already with its cells swapped */
};

struct mends {
	struct mend *list;
	uint32_t count, errors; /* how many of them correct an error */
};

/* Lists the changes for the findings. The caller frees the list. */
void list_mends(struct report *r, struct mends *mends);

/* Returns the first change of this row in the table that the other change is about, or NULL. */
const struct mend *mend_of_row(const struct mends *mends, const struct mend *of, uint32_t row);

/*
 * Make the copy, and print the differences. The caller frees copy. Both return an exit code. In a
 * .dts only the file itself is corrected, not its includes; *left counts the changes not made.
 */
int fix_text(struct report *r, const struct mends *mends, struct bytes *copy, uint32_t *left);
int fix_blob(struct report *r, const struct mends *mends, struct bytes *copy);

/*
 * The option --fix: prints the differences, how many findings are fixed on stderr, and writes the
 * copy if a file is named; without differences, the copy is identical. Returns an exit code: FAULT
 * while errors are left.
 */
int fix(struct report *r, const char *output);

/* Prints the lines "---" and "+++" of a diff. */
void put_names(const struct report *r);

#endif /* FIX_H */
