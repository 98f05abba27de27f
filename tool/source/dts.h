/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dts.h -- reads device tree sources with dtc, and with cpp if they need it.
 */
#ifndef DTS_H
#define DTS_H

#include "read.h"

/* Defines a macro NAME or NAME=VALUE, or includes a file first. Both return an exit code. */
int define(const char *macro);
int include_first(const char *file);

/* Adds a folder to search for included files. Returns an exit code. */
int search_in(const char *folder);

/*
 * Appends dtc's output for the file: a blob, or with annotate a source with positions in comments.
 * Returns an exit code.
 */
int run_dtc(struct bytes *bytes, const char *file, int annotate);

/* True if the bytes are a source, whatever the name. compile_source() makes the blob. */
int is_source(const struct bytes *text);
int compile_source(struct bytes *bytes);

#endif /* DTS_H */
