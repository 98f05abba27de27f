/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dts.h -- sources of device trees, through dtc, and through the preprocessor where they need it.
 */
#ifndef DTS_H
#define DTS_H

#include "read.h"

/* One more -D NAME or -include FILE for the preprocessor. Returns an exit code. */
int pass_to_cpp(const char *option, const char *value);

/* One more folder for what a source includes. Returns an exit code. */
int search_in(const char *folder);

/* Sources may contain /incbin/, and include files from anywhere. */
void allow_incbin(void);

/*
 * Appends what dtc makes of the file: a blob, or with annotate its source with places in comments.
 * Returns an exit code.
 */
int run_dtc(struct bytes *bytes, const char *file, int annotate);

/* Whether the bytes are a source, whatever they are named; and the blob that dtc makes of them. */
int is_source(const struct bytes *text);
int compile_source(struct bytes *bytes);

#endif /* DTS_H */
