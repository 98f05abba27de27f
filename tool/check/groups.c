/* SPDX-License-Identifier: BSD-2-Clause */
#include "groups.h"
#include "findings/checks.h"
#include "findings/findings.h"
#include "source/request.h"
#include "text/text.h"

#define ALIKE 3u /* findings of one kind shown in full without --all */

static void add_place(struct group *g, uint64_t place, uint64_t step)
{
	uint64_t last = g->spans ? g->span[g->spans - 1].last : 0;

	if (g->spans && place == last)
		return;
	if (g->spans && place == last + step) {
		g->span[g->spans - 1].last = place;
	} else if (g->spans < LENGTH(g->span)) {
		g->span[g->spans].first = place;
		g->span[g->spans++].last = place;
	} else {
		g->cut = 1;
	}
}

static void keep(struct group *g, const struct found *found)
{
	g->shown = grow(g->shown, g->kept, sizeof(*found));
	g->shown[g->kept++] = *found;
}

static void add_to_group(struct group *g, const struct found *found, int all)
{
	const struct pmumap_finding *f = &found->f;

	if (all || g->kept < ALIKE)
		keep(g, found);
	else if (shares_place(f->code))
		add_place(g, f->value, 8);
	else if ((has_rows(f) || has_cpu(f->code)) && f->row != PMUMAP_NO_ROW)
		add_place(g, f->row, 1);
	g->count++;
}

void add_to_groups(struct report *r, const struct found *found)
{
	const struct pmumap_finding *f = &found->f;
	uint32_t i;

	for (i = 0; i < r->used; i++) {
		const struct pmumap_finding *first = &r->groups[i].shown[0].f;

		if (first->code == f->code && first->severity == f->severity &&
		    (f->code == PMUMAP_F_PROPERTY_UNKNOWN || same(first->property, f->property)))
			break;
	}
	if (i == r->used) {
		r->groups = reallocate(r->groups, ++r->used, sizeof(*r->groups));
		memset(&r->groups[i], 0, sizeof(r->groups[i]));
	}
	add_to_group(&r->groups[i], found, (r->options & ALL) != 0);
}

/* ---- printing -------------------------------------------------------------------------------- */

static void put_rest(const struct group *g)
{
	uint32_t code = g->shown[0].f.code;
	int offsets = shares_place(code);
	int one = g->spans == 1 && g->span[0].first == g->span[0].last && !g->cut;
	const char *what = offsets ? "offset" : has_cpu(code) ? "CPU" : "row";

	printf("    and %" PRIu32 " more", g->count - g->kept);
	for (uint32_t i = 0; i < g->spans; i++) {
		uint64_t first = g->span[i].first, last = g->span[i].last;

		if (i == 0)
			printf(": %s%s ", what, one ? "" : "s");
		printf("%s%s", i ? ", " : "", (offsets ? hex(first) : decimal(first)).s);
		if (last != first)
			printf("-%s", (offsets ? hex(last) : decimal(last)).s);
	}
	printf("%s; --all shows all\n", g->cut ? ", ..." : "");
}

void put_group(struct report *r, const struct group *g)
{
	const uint32_t code = g->shown[0].f.code;

	for (uint32_t i = 0; i < g->kept; i++)
		finding_text(r, &g->shown[i]);
	if (g->count > g->kept)
		put_rest(g);
	if (!r->explained[code])
		put_explanation(explain(code));
	r->explained[code] = 1;
}
