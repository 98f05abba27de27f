/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report.h -- prints a finding as a line of text, as JSON, or as a SARIF result.
 */
#ifndef REPORT_H
#define REPORT_H

#include "found.h"

/* The finding in one sentence. The caller frees it. */
char *describe(struct report *r, const struct found *found);

void finding_text(struct report *r, const struct found *found);
void finding_json(struct report *r, const struct found *found);

/*
 * A SARIF 2.1.0 log on stdout: its begin, its results, its end. put_sarif() frees the result of
 * finding_sarif(), and adds the affected boards if there are several. sarif_notification() records
 * the last complaint, about a file that could not be checked. end_sarif() prints these
 * notifications; its code is the exit code.
 */
void begin_sarif(void);
char *finding_sarif(struct report *r, const struct found *found);
void put_sarif(char *result, char *const boards[], size_t count);
void sarif_notification(FILE *out, const char *file);
void end_sarif(int code, const char *notifications);

/* IMC: the sentence of a clash, and the JSON about the finding's units. */
void put_clash(FILE *out, const struct pmumap_imc *map, const struct pmumap_finding *f);
void json_units(const struct pmumap_imc *map, const struct pmumap_finding *f);

/* ---- findings that the user accepts: neither printed nor counted ----------------------------- */

/*
 * Ignores a code, or everything that a file lists: one code per line, or findings as --json prints
 * them. Returns an exit code.
 */
int ignore(const char *code_or_file);

/*
 * Comments "pmumap: ignore CODE". A mark covers its own line and the next one; above a property, it
 * also covers the rows on the line after the property's name. read_marks() complains of unknown
 * codes, tell_marks() of marks that no finding needed.
 */
void read_marks(const char *file);
int is_marked(struct report *r, const struct found *found);
void tell_marks(const struct events *core);

/*
 * True if the finding is ignored, or a comment "pmumap: ignore CODE" stands on its line or the one
 * above.
 */
int is_ignored(struct report *r, const struct found *found);

/* ---- findings of files that several boards include: reported once ---------------------------- */

/* True for the first board with this finding, and for findings whose line no other board shares. */
int is_first(struct report *r, const struct found *found);

/*
 * After is_first(): true if other boards may have the same finding. The result is then kept until
 * every board was checked.
 */
int keep_sarif(char *result);

/* Lists the boards that each shared finding affects, if there are several. */
void tell_shared(uint64_t options);

#endif /* REPORT_H */
