/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared.h -- reports a finding once if several boards include the file that causes it.
 */
#ifndef SHARED_H
#define SHARED_H

#include "found.h"

/* True for the first board with this finding, and for findings whose line no other board shares. */
int is_first(struct report *r, const struct found *found);

/*
 * After is_first(): true if other boards may have the same finding. The result is then kept until
 * every board was checked.
 */
int keep_sarif(char *result);

/* Lists the boards that each shared finding affects, if there are several. */
void tell_shared(uint64_t options);

#endif /* SHARED_H */
