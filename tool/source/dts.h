/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dts.h -- reads device tree sources with dtc, and with cpp if they need it.
 */
#ifndef DTS_H
#define DTS_H

#include "read.h"

/* Adds -D NAME or -include FILE to cpp's command. Returns an exit code. */
int pass_to_cpp(const char *option, const char *value);

/* Adds a folder to search for included files. Returns an exit code. */
int search_in(const char *folder);

/* Allows /incbin/, and includes from any folder. */
void allow_incbin(void);

/*
 * Appends dtc's output for the file: a blob, or with annotate a source with positions in comments.
 * Returns an exit code.
 */
int run_dtc(struct bytes *bytes, const char *file, int annotate);

/* True if the bytes are a source, whatever the name. compile_source() makes the blob. */
int is_source(const struct bytes *text);
int compile_source(struct bytes *bytes);

#endif /* DTS_H */
