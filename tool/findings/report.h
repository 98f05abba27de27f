/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report.h -- prints a finding as a line of text, as JSON, or as a SARIF result.
 */
#ifndef REPORT_H
#define REPORT_H

#include "found.h"

/* The finding in one sentence. The caller frees it. */
char *describe(struct report *r, const struct pmumap_finding *f);

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

#endif /* REPORT_H */
