/* SPDX-License-Identifier: BSD-2-Clause
 *
 * groups.c -- drops findings that need no report, then groups, sorts and prints the others.
 */
#include "groups.h"
#include "findings/checks.h"
#include "findings/findings.h"
#include "source/request.h"
#include "text/text.h"

#define ALIKE 3u /* findings of one kind shown in full without --all */

/* Findings of one kind. The first few are shown in full; for the rest only their places are. */
struct group {
	struct found *shown;
	uint32_t kept, count, spans;
	struct {
		uint64_t first, last;
	} span[8]; /* of rows, of CPUs, or of the offsets of clashes */
	int cut;   /* true if span[] was too small */
};

/* ---- dropping -------------------------------------------------------------------------------- */

/* True if the other finding tells the cause of this one. */
static int causes(const struct pmumap_finding *other, const struct pmumap_finding *f)
{
	if (other->node != f->node)
		return 0;
	if ((int)f->code == SELECTORS_ABSENT)
		return other->code == PMUMAP_F_PROPERTY_UNKNOWN;
	return other->code == PMUMAP_F_DEFAULT_COLLISION && other->row == f->row;
}

/* True if another finding of the node tells the same cause. */
static int is_consequence(struct report *r, const struct found *found)
{
	const struct pmumap_finding *f = &found->f;

	if (r->misread && f->node == r->misread)
		return (int)f->code != TABLE_LAYOUT && f->code != PMUMAP_F_PROPERTY_UNKNOWN;
	if (f->code != PMUMAP_F_COUNTERS_ORPHAN && (int)f->code != SELECTORS_ABSENT)
		return 0;
	for (uint32_t i = 0; i < r->finds; i++) {
		if (causes(&r->found[i].f, f))
			return 1;
	}
	return 0;
}

/* Drops such findings. Returns how many. */
static uint32_t drop(struct report *r, int (*is_dropped)(struct report *, const struct found *))
{
	uint32_t kept = 0, all = r->finds;

	for (uint32_t i = 0; i < all; i++) {
		if (!is_dropped(r, &r->found[i])) {
			r->found[kept++] = r->found[i];
			continue;
		}
		r->count[r->found[i].f.severity]--;
		free(r->found[i].about);
	}
	r->finds = kept;
	return all - kept;
}

void drop_ignored(struct report *r)
{
	uint32_t errors;

	(void)drop(r, is_consequence);
	errors = r->count[PMUMAP_ERROR];
	for (uint32_t i = 0; i < r->finds; i++) {
		if (!r->found[i].about)
			r->found[i].spot = spot_of(r, &r->found[i].f);
	}
	r->ignored = drop(r, is_ignored);
	r->ignored_errors = errors - r->count[PMUMAP_ERROR];
}

/* ---- grouping -------------------------------------------------------------------------------- */

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

static void add_to_groups(struct report *r, const struct found *found)
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

static void put_group(struct report *r, const struct group *g)
{
	const uint32_t code = g->shown[0].f.code;
	const char *fix = fix_of(&g->shown[0].f);

	for (uint32_t i = 0; i < g->kept; i++)
		finding_text(r, &g->shown[i]);
	if (g->count > g->kept)
		put_rest(g);
	if (!r->explained[code])
		put_explanation(explain(code), fix);
	else if (r->explained[code] != fix)
		printf("    fix      %s\n", fix);
	r->explained[code] = fix;
}

/* ---- sorting --------------------------------------------------------------------------------- */

/* True if the finding may cause others: part of the tree is skipped or misread. */
static int is_cause(const struct pmumap_finding *f)
{
	return f->code == PMUMAP_F_PROPERTY_UNKNOWN || (int)f->code == PROPERTY_NEAR ||
	       (int)f->code == ROW_CELLS || (int)f->code == TABLE_LAYOUT ||
	       (int)f->code == COMPATIBLE_MISSING || (int)f->code == UNIT_COMPATIBLE ||
	       (f->code == PMUMAP_F_TRAILING_BYTES && f->row != PMUMAP_NO_ROW);
}

/* Sorts causes first, then by file and line if known, then as reported. */
static int by_line(const void *left, const void *right)
{
	const struct found *a = left, *b = right;
	int order = is_cause(&b->f) - is_cause(&a->f);

	if (order)
		return order;
	if (!a->spot.line != !b->spot.line)
		return a->spot.line ? -1 : 1;
	if (a->spot.line)
		order = strcmp(a->spot.file, b->spot.file);
	if (!order && a->spot.line != b->spot.line)
		order = a->spot.line < b->spot.line ? -1 : 1;
	return order ? order : a->number < b->number ? -1 : 1;
}

/* Sorts causes first, then by line; without lines, by severity, code and property. */
static int by_weight(const void *left, const void *right)
{
	const struct found *x = ((const struct group *)left)->shown;
	const struct found *y = ((const struct group *)right)->shown;
	const struct pmumap_finding *a = &x->f, *b = &y->f;

	if (x->spot.line || y->spot.line || is_cause(a) != is_cause(b))
		return by_line(x, y);
	if (a->severity != b->severity)
		return a->severity > b->severity ? -1 : 1;
	if (a->code != b->code)
		return a->code < b->code ? -1 : 1;
	if (!a->property || !b->property)
		return !a->property - !b->property;
	return strcmp(a->property, b->property);
}

static void tell_sarif(struct report *r, const struct found *found)
{
	char *result = finding_sarif(r, found);

	if (!keep_sarif(result))
		put_sarif(result, NULL, 0);
}

void put_findings(struct report *r)
{
	for (uint32_t i = 0; i < r->finds; i++) {
		struct pmumap_finding *f = &r->found[i].f;

		if (f->severity == PMUMAP_NOTE && is_lost_here(r, f)) {
			r->count[f->severity]--;
			f->severity = PMUMAP_WARNING;
			r->count[f->severity]++;
		}
	}
	if (r->finds)
		qsort(r->found, r->finds, sizeof(*r->found), by_line);
	for (uint32_t i = 0; i < r->finds; i++) {
		if (!is_first(r, &r->found[i]))
			continue;
		if (r->options & SARIF)
			tell_sarif(r, &r->found[i]);
		else if (r->options & JSON)
			finding_json(r, &r->found[i]);
		else
			add_to_groups(r, &r->found[i]);
	}
	if (r->used)
		qsort(r->groups, r->used, sizeof(*r->groups), by_weight);
	for (uint32_t i = 0; i < r->used; i++) {
		put_group(r, &r->groups[i]);
		free(r->groups[i].shown);
	}
}
