/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check.h -- the verb check.
 */
#ifndef CHECK_H
#define CHECK_H

#include "source/request.h"

/* Returns the exit code. */
int check_verb(const struct request *request);

#endif /* CHECK_H */
