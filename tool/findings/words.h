/* SPDX-License-Identifier: BSD-2-Clause
 *
 * words.h -- judges, by the words of its name, whether a vendor's event fits an SBI event.
 */
#ifndef WORDS_H
#define WORDS_H

#include "map/map.h"
#include "text/output.h"

/* At most this many doubts per judgement. Each is a short phrase such as "counts no cycles". */
enum { DOUBTS = 4 };

struct judgement {
	const char *doubts[DOUBTS];
	unsigned count;
	int plain; /* true: contradicts; false: is close, and acceptable if nothing better exists */
};

/* names: of one event, or of several that are counted together. */
struct judgement judge(uint32_t event, const char *const *names, unsigned count);

#endif /* WORDS_H */
