/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fix.h -- what check --fix does to a tree: mistakes that have one answer.
 */
#ifndef FIX_H
#define FIX_H

#include "findings/report.h"

enum mend_kind { EXCHANGE, REMOVE, RENAME, INSERT, REWORD };

/*
 * One change of a node: of a row two cells exchanged or a cell inserted; a row removed; a property
 * renamed, or one of its strings replaced.
 */
struct mend {
	enum mend_kind kind;
	int node;
	const char *property;
	uint32_t row, cell, other; /* of cells: in the row */
	char name[64];             /* the new one; of INSERT the cell, of REWORD the string */
	char old[64];              /* of REWORD the string that goes */
	int again;                 /* the row is there already, and goes instead of an exchange */
};

struct mends {
	struct mend *list;
	uint32_t count, errors; /* how many of them mend an error */
};

/* What can be mended of what was found; the list is to be freed. */
void list_mends(struct report *r, struct mends *mends);

/* The first change of a row of the table that another one is about; NULL: none. */
const struct mend *mend_of_row(const struct mends *mends, const struct mend *of, uint32_t row);

/*
 * Make the copy, and show on stdout in what it differs. copy: its bytes, to be freed. Both return
 * an exit code. In a .dts only what stands in the file itself is mended; *left is what does not.
 */
int fix_text(struct report *r, const struct mends *mends, struct bytes *copy, uint32_t *left);
int fix_blob(struct report *r, const struct mends *mends, struct bytes *copy);

/*
 * The option --fix: shows the difference, says on stderr how much of it is mended, and writes the
 * copy to a file, if one is named; without a difference, as it was. Returns an exit code: FAULT
 * while errors are left.
 */
int fix(struct report *r, const char *output);

/* The lines "---" and "+++" of a difference. */
void put_names(const struct report *r);

#endif /* FIX_H */
