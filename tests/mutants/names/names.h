/* SPDX-License-Identifier: BSD-2-Clause
 *
 * For tests/mutants/mutants_check.sh: a function whose mutants have names of every form.
 */
#ifndef NAMES_H
#define NAMES_H

struct planted {
	struct {
		int event, flags;
	} rows[4];
	unsigned count;
};

static inline int planted_weigh(const struct planted *p, int event, int scale)
{
	return p->rows[0].event + event * scale;
}

static inline int planted_names(const struct planted *p, const char *text, int least)
{
	int sum = 0;
	unsigned i;

	for (i = 0; i < p->count; i++) {
		if (p->rows[i].event >= least || (p->rows[i].flags & 7) == 4)
			sum += planted_weigh(p, (int)i + 5, 6) - 2;
	}
	if (sum && !text[0])
		sum = 0;
	return sum < 9 ? -1 : p->rows[3].flags > sum;
}

#endif
