/* SPDX-License-Identifier: BSD-2-Clause
 *
 * examples.h -- of each finding, source that has it, and the same as it should be.
 */
#ifndef EXAMPLES_H
#define EXAMPLES_H

#include "findings.h"

/*
 * right stands in one of tests/tool/right-*.dts, which have no finding. With wrong in its place it
 * has the one of this code. NULL: the finding is none of a source.
 */
struct example {
	uint32_t code;
	const char *wrong, *right;
};

/* That of a code. */
const struct example *example_of(uint32_t code);

#endif /* EXAMPLES_H */
