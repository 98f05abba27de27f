/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fix.h -- check --fix corrects the mistakes that have exactly one possible correction.
 */
#ifndef FIX_H
#define FIX_H

#include "findings/report.h"
#include "source/groups.h"

enum mend_kind { EXCHANGE, REMOVE, RENAME, INSERT, REWORD };

/*
 * One change to a node: swap two cells of a row, insert a cell, remove a row, rename a property, or
 * replace one of its strings.
 */
struct mend {
	enum mend_kind kind;
	int node;
	const char *property;
	uint32_t row, cell, other; /* cells count from the start of the row */
	char name[64]; /* the new name; INSERT: the cell's text; REWORD: the new string */
	char old[64];  /* REWORD: the old string */
	int again;     /* true: remove the row, because another row equals it after the swap */
};

struct mends {
	struct mend *list;
	uint32_t count, errors; /* changes that correct an error */
};

/* Lists the changes that the findings call for. The caller frees the list. */
void list_mends(struct report *r, struct mends *mends);

/* Why --fix leaves the row of a finding that it could fix in another row, or NULL. */
const char *obstacle_to(const struct report *r, const struct pmumap_finding *f);

/* Returns the first change of this row in the same table as of, or NULL. */
const struct mend *mend_of_row(const struct mends *mends, const struct mend *of, uint32_t row);

/*
 * Make the copy and print the differences. The caller frees copy. Both return an exit code. In a
 * .dts only the file itself is corrected, not its includes; *left counts the changes not made.
 */
int fix_text(struct report *r, const struct mends *mends, struct bytes *copy, uint32_t *left);
int fix_blob(struct report *r, const struct mends *mends, struct bytes *copy);

/*
 * The option --fix: prints the differences, and on stderr how many findings are fixed. Writes the
 * copy if a file is named; without differences, the copy is identical. The caller frees it. Returns
 * an exit code: FAULT while a finding that is an error remains.
 */
int fix(struct report *r, const char *output, struct bytes *copy);

/* Prints the "---" and "+++" lines of a diff. */
void put_names(const struct report *r);

#endif /* FIX_H */
