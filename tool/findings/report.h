/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report.h -- how a finding is printed: as a line of text, as JSON, as a result of SARIF.
 */
#ifndef REPORT_H
#define REPORT_H

#include "found.h"

/* The finding in one sentence; to be freed. */
char *describe(struct report *r, const struct pmumap_finding *f);

void finding_text(struct report *r, const struct found *found);
void finding_json(struct report *r, const struct found *found);

/*
 * A log of SARIF 2.1.0 on stdout: its begin, its results, its end. put_sarif() frees the result of
 * finding_sarif(), and adds the boards that it is about, where these are several.
 * sarif_notification() adds the last complaint, of a file that could not be checked, to the
 * notifications of end_sarif(), whose code is the exit code.
 */
void begin_sarif(void);
char *finding_sarif(struct report *r, const struct found *found);
void put_sarif(char *result, char *const boards[], size_t count);
void sarif_notification(FILE *out, const char *file);
void end_sarif(int code, const char *notifications);

/* IMC: the sentence of such a finding; what JSON tells of the units of a finding. */
void put_clash(FILE *out, const struct pmumap_imc *map, const struct pmumap_finding *f);
void json_units(const struct pmumap_imc *map, const struct pmumap_finding *f);

#endif /* REPORT_H */
