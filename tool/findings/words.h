/* SPDX-License-Identifier: BSD-2-Clause
 *
 * words.h -- whether the name of an event fits what SBI means by another one, as far as words tell.
 */
#ifndef WORDS_H
#define WORDS_H

#include "map/map.h"
#include "text/output.h"

/* Most that a judgement has to say, in short sentences: "counts no cycles". */
enum { DOUBTS = 4 };

struct judgement {
	const char *doubts[DOUBTS];
	unsigned count;
	int plain; /* it contradicts; else it is near, and chosen where there is nothing better */
};

/* names: of one event, or of several that are counted together. */
struct judgement judge(uint32_t event, const char *const *names, unsigned count);

#endif /* WORDS_H */
