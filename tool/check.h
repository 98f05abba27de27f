/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check.h -- the verb check: findings, alike ones together.
 */
#ifndef CHECK_H
#define CHECK_H

#include "amu.h"
#include "findings.h"
#include "imc.h"
#include "lines.h"
#include "request.h"
#include "riscv.h"
#include "suggest.h"

#define ALIKE 3u /* so many of one kind are shown in full, without --all */

/* Findings of one kind: some in full, of the others where they are. */
struct group {
	struct pmumap_finding *shown;
	uint32_t kept, count, spans;
	struct {
		uint64_t first, last;
	} span[8]; /* of rows, of CPUs, or of the offsets of clashes */
	int cut;   /* there are more than these */
};

struct report {
	struct source source;
	struct lines lines;
	unsigned options;
	int many;           /* files: each finding says of which it is */
	uint64_t explained; /* bit n: code n */
	uint32_t count[PMUMAP_ERROR + 1];
	struct group *groups;
	uint32_t used;
};

static int same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* IMC and AMU have no rows but units, events, CPUs and counters, which their nodes name. */
static int has_rows(enum pmumap_code code)
{
	return code < PMUMAP_F_REG_MISSING;
}

/* Whether the row is the number that show gives a CPU. */
static int has_cpu(enum pmumap_code code)
{
	return code == PMUMAP_F_VIEW_MISSING || code == PMUMAP_F_VIEW_EXTRA ||
	       code == PMUMAP_F_CPU_DISABLED || code == PMUMAP_F_CPU_NAME;
}

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

static void keep(struct group *g, const struct pmumap_finding *f)
{
	if (!(g->kept & (g->kept - 1)))
		g->shown = reallocate(g->shown, g->kept ? 2 * (size_t)g->kept : 1, sizeof(*f));
	g->shown[g->kept++] = *f;
}

static void add_to_group(struct group *g, const struct pmumap_finding *f, int all)
{
	if (all || g->kept < ALIKE)
		keep(g, f);
	else if (f->code == PMUMAP_F_OFFSET_CLASH)
		add_place(g, f->value, 8);
	else if ((has_rows(f->code) || has_cpu(f->code)) && f->row != PMUMAP_NO_ROW)
		add_place(g, f->row, 1);
	g->count++;
}

/* ---- one finding ----------------------------------------------------------------------------- */

static struct spot spot_of(struct report *r, const struct pmumap_finding *f)
{
	return find_spot(&r->source, &r->lines, f->node, f->property,
			 has_rows(f->code) ? f->row : PMUMAP_NO_ROW);
}

/* ": select 0x3ffff00", in the words of its code. */
static void put_value(FILE *out, struct report *r, const struct pmumap_finding *f)
{
	const struct explanation *x = explain(f->code);
	const char *text;

	switch (x->kind) {
	case VALUE_KEY:
		if (f->property && strstr(f->property, "raw-")) {
			fprintf(out, ": select 0x%" PRIx64, f->value);
			break;
		}
		/* fallthrough */
	case VALUE_EVENT:
		fprintf(out, ": %s%sevent 0x%" PRIx64, x->label, *x->label ? " " : "", f->value);
		if (f->value < PMUMAP_EVENT_LIMIT && named((uint32_t)f->value))
			fprintf(out, " (%s)", pmumap_event_name((uint32_t)f->value));
		break;
	case VALUE_NONZERO:
		if (!f->value)
			break;
		/* fallthrough */
	case VALUE_HEX:
		fprintf(out, ": %s%s0x%" PRIx64, x->label, *x->label ? " " : "", f->value);
		break;
	case VALUE_COUNTER:
		fprintf(out, ": counter %" PRIu64, f->value);
		break;
	case VALUE_NUMBER:
		fprintf(out, ": %" PRIu64 " %s", f->value, x->label);
		break;
	case VALUE_NODE:
		text = node_path(&r->source, (int)f->value);
		fprintf(out, ": %s ", x->label);
		put_escaped(out, text ? text : "?", 0);
		break;
	case VALUE_NAME:
		text = event_name(&r->source, f->node, f->value);
		fputs(": ", out);
		put_escaped(out, text ? text : "?", 0);
		fprintf(out, " at reg 0x%" PRIx64, f->value);
		break;
	case VALUE_TEXT:
		text = property_text(&r->source, f->node, f->property);
		fputs(": \"", out);
		put_escaped(out, text ? text : "", 0);
		putc('"', out);
		break;
	case VALUE_CLASH:
	case VALUE_NONE:
		break;
	}
}

/* What the finding is about: the node, the property, the rows. */
static void put_place(FILE *out, struct report *r, const struct pmumap_finding *f)
{
	const char *node = node_path(&r->source, f->node), *other = NULL;
	struct pmumap_imc_unit unit;

	if (node)
		put_escaped(out, node, 0);
	if (f->property)
		fprintf(out, "%s%s", node ? " " : "", f->property);
	if (!node && !f->property)
		fputs("the map", out);
	if (has_rows(f->code) && f->row != PMUMAP_NO_ROW)
		fprintf(out, " row %" PRIu32, f->row);
	if (f->other_property)
		fputs(" and", out);
	if (f->other_property && !same(f->property, f->other_property))
		fprintf(out, " %s", f->other_property);
	if (has_rows(f->code) && f->other != PMUMAP_NO_ROW)
		fprintf(out, " row %" PRIu32, f->other);
	if (f->code == PMUMAP_F_UNIT_DUPLICATE && pmumap_imc_unit(r->source.map, f->other, &unit))
		other = unit.name;
	else if (f->code == PMUMAP_F_CPU_DUPLICATE)
		other = node_path(&r->source, first_cpu(&r->source, f));
	if (other) {
		fputs(f->other_property ? " " : " and ", out);
		put_escaped(out, other, 0);
	}
}

/* In one sentence; to be freed. */
static char *describe(struct report *r, const struct pmumap_finding *f)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out && f->code == PMUMAP_F_OFFSET_CLASH) {
		put_clash(out, r->source.map, f);
	} else if (out) {
		put_place(out, r, f);
		put_value(out, r, f);
	}
	if (!out || fclose(out))
		exit(complain(UNREADABLE, NULL, "out of memory"));
	return text;
}

static void finding_json(struct report *r, const struct pmumap_finding *f)
{
	struct spot spot = spot_of(r, f);
	const char *node = node_path(&r->source, f->node);
	enum value_kind kind = explain(f->code)->kind;

	json_string("code", pmumap_code_str(f->code));
	json_string("severity", pmumap_severity_str(f->severity));
	if (f->property)
		json_string("property", f->property);
	if (f->row != PMUMAP_NO_ROW)
		json_number("row", f->row);
	if (f->other_property)
		json_string("other_property", f->other_property);
	if (f->other != PMUMAP_NO_ROW)
		json_number("other", f->other);
	if (node)
		json_string("node", node);
	if (kind == VALUE_TEXT)
		json_text("text", property_text(&r->source, f->node, f->property));
	else if (kind != VALUE_NONE)
		json_hex("value", f->value);
	json_units(r->source.map, f);
	if (r->source.data)
		json_string("file", spot.line ? spot.file : r->source.name);
	if (spot.line)
		json_number("line", spot.line);
	json_end();
}

static void finding_text(struct report *r, const struct pmumap_finding *f)
{
	static const char *const colours[] = { "", "\033[36m", "\033[33m", "\033[31m" };
	const char *severity = pmumap_severity_str(f->severity), *code = pmumap_code_str(f->code);
	struct spot spot = spot_of(r, f);
	char *text = describe(r, f), *head = NULL;

	if (spot.line || r->many)
		head = escaped(spot.line ? spot.file : r->source.name, spot.line ? ":" : ": ");
	if (head)
		fputs(head, stdout);
	if (spot.line)
		printf("%s: ", decimal(spot.line).s);
	printf("%s%s%s %s: ", paint(colours[f->severity]), severity, paint(PLAIN), code);
	put_folded(text,
		   (int)((head ? strlen(head) : 0) +
			 (spot.line ? strlen(decimal(spot.line).s) + 2 : 0) + strlen(severity) +
			 strlen(code) + 3),
		   4);
	free(head);
	free(text);
}

/* ---- SARIF ----------------------------------------------------------------------------------- */

static const char *sarif_separator = "";

static void sarif_text(const char *key, const char *text)
{
	printf("\"%s\":{\"text\":\"", key);
	put_escaped(stdout, text, 1);
	fputs("\"}", stdout);
}

static void begin_sarif(void)
{
	printf("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\n"
	       "\"runs\":[{\"tool\":{\"driver\":{\"name\":\"pmumap\",\"version\":\"%d.%d.%d\",\n"
	       "\"rules\":[",
	       PMUMAP_VERSION_MAJOR, PMUMAP_VERSION_MINOR, PMUMAP_VERSION_PATCH);
	for (size_t i = 0; i < LENGTH(explanations); i++) {
		const struct explanation *x = &explanations[i];

		printf("%s\n{\"id\":\"%s\",", i ? "," : "", pmumap_code_str(x->code));
		sarif_text("shortDescription", x->wrong);
		putchar(',');
		sarif_text("fullDescription", x->today);
		putchar(',');
		sarif_text("help", x->mend);
		putchar('}');
	}
	fputs("]}},\n\"results\":[", stdout);
}

static void end_sarif(int code)
{
	printf("],\n\"invocations\":[{\"executionSuccessful\":%s,\"exitCode\":%d}]}]}\n",
	       code < USAGE ? "true" : "false", code);
}

/* As a URI: what is not allowed in a path is written as %20. */
static void put_uri(const char *file)
{
	for (; *file; file++) {
		unsigned char c = (unsigned char)*file;

		if (isalnum(c) || strchr("/-._~!$&()*+,;=@", c))
			putchar(c);
		else
			printf("%%%02X", c);
	}
}

/* The file, and the line if it is known, of a finding or of the other row of a conflict. */
static void put_physical(const struct report *r, const struct spot *spot)
{
	const char *file = spot->line ? spot->file : r->source.name;

	if (!r->source.data || !strcmp(file, "stdin"))
		return;
	fputs("\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"", stdout);
	put_uri(file);
	fputs("\"}", stdout);
	if (spot->line)
		printf(",\"region\":{\"startLine\":%" PRIu32 ",\"startColumn\":%" PRIu32 "}",
		       spot->line, spot->column);
	fputs("},", stdout);
}

static void put_logical(struct report *r, const struct pmumap_finding *f, const char *property)
{
	const char *node = node_path(&r->source, f->node);

	fputs("\"logicalLocations\":[{\"fullyQualifiedName\":\"", stdout);
	put_escaped(stdout, node ? node : "", 1);
	if (property)
		printf("%s%s", node && node[1] ? "/" : "", property);
	if (!node && !property)
		fputs("the map", stdout);
	printf("\",\"kind\":\"%s\"}]", property ? "property" : "object");
}

static void finding_sarif(struct report *r, const struct pmumap_finding *f)
{
	const struct explanation *x = explain(f->code);
	struct spot spot = spot_of(r, f), other;
	char *text = describe(r, f);

	printf("%s\n{\"ruleId\":\"%s\",\"ruleIndex\":%d,\"level\":\"%s\",\"message\":{\"text\":\"",
	       sarif_separator, pmumap_code_str(f->code), (int)(x - explanations),
	       pmumap_severity_str(f->severity));
	put_escaped(stdout, text, 1);
	fputs(". ", stdout);
	put_escaped(stdout, x->wrong, 1);
	putchar(' ');
	put_escaped(stdout, x->mend, 1);
	fputs("\"},\n\"locations\":[{", stdout);
	put_physical(r, &spot);
	put_logical(r, f, f->property);
	fputs("}]", stdout);
	if (has_rows(f->code) && f->other_property) {
		other = find_spot(&r->source, &r->lines, f->node, f->other_property, f->other);
		fputs(",\n\"relatedLocations\":[{", stdout);
		put_physical(r, &other);
		put_logical(r, f, f->other_property);
		fputs("}]", stdout);
	}
	putchar('}');
	free(text);
	sarif_separator = ",";
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void put_rest(const struct group *g)
{
	enum pmumap_code code = g->shown[0].code;
	int offsets = code == PMUMAP_F_OFFSET_CLASH;
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
	printf("%s; --all shows each\n", g->cut ? ", ..." : "");
}

static void put_explanation(const struct explanation *x)
{
	printf("    wrong  %s\n    today  %s\n    mend   %s\n", x->wrong, x->today, x->mend);
}

static void put_group(struct report *r, const struct group *g)
{
	const enum pmumap_code code = g->shown[0].code;

	for (uint32_t i = 0; i < g->kept; i++)
		finding_text(r, &g->shown[i]);
	if (g->count > g->kept)
		put_rest(g);
	if (!(r->explained >> code & 1))
		put_explanation(explain(code));
	r->explained |= (uint64_t)1 << code;
}

static void put_summary(const struct report *r)
{
	const char *separator = "";

	put_escaped(stdout, r->source.name, 0);
	fputs(": ", stdout);
	for (int severity = PMUMAP_ERROR; severity >= PMUMAP_NOTE; severity--) {
		uint32_t n = r->count[severity];

		if (n)
			printf("%s%" PRIu32 " %s%s", separator, n,
			       pmumap_severity_str((enum pmumap_severity)severity),
			       n == 1 ? "" : "s");
		separator = n ? ", " : separator;
	}
	puts(*separator ? "" : "no findings");
}

/* Worst first; among equals, by code and then by property. */
static int by_weight(const void *left, const void *right)
{
	const struct pmumap_finding *a = ((const struct group *)left)->shown;
	const struct pmumap_finding *b = ((const struct group *)right)->shown;

	if (a->severity != b->severity)
		return a->severity > b->severity ? -1 : 1;
	if (a->code != b->code)
		return a->code < b->code ? -1 : 1;
	return a->property && b->property ? strcmp(a->property, b->property) : 0;
}

static void on_finding(void *arg, const struct pmumap_finding *f)
{
	struct report *r = arg;
	uint32_t i;

	r->count[f->severity]++;
	if (r->options & SARIF) {
		finding_sarif(r, f);
		return;
	}
	if (r->options & JSON) {
		finding_json(r, f);
		return;
	}
	for (i = 0; i < r->used; i++) {
		const struct pmumap_finding *first = &r->groups[i].shown[0];

		if (first->code == f->code && first->severity == f->severity &&
		    same(first->property, f->property))
			break;
	}
	if (i == r->used) {
		r->groups = reallocate(r->groups, ++r->used, sizeof(*r->groups));
		memset(&r->groups[i], 0, sizeof(r->groups[i]));
	}
	add_to_group(&r->groups[i], f, (r->options & ALL) != 0);
}

static int check_file(const struct request *request, const char *file)
{
	struct report r = { .options = request->options, .many = request->count > 1 };
	struct input input = request->input;
	int code;

	input.tree = 1;
	code = load(&r.source, file, &input, on_finding, &r);
	if (r.used)
		qsort(r.groups, r.used, sizeof(*r.groups), by_weight);
	for (uint32_t i = 0; i < r.used; i++) {
		put_group(&r, &r.groups[i]);
		free(r.groups[i].shown);
	}
	if (code == GOOD && !(r.options & (JSON | SARIF)))
		put_summary(&r);
	if (code == GOOD &&
	    (r.count[PMUMAP_ERROR] || (r.options & STRICT && r.count[PMUMAP_WARNING])))
		code = FAULT;
	unload(&r.source);
	unload_lines(&r.lines);
	free(r.groups);
	return code;
}

/* ---- --explain ------------------------------------------------------------------------------- */

static int explain_code(const char *code, int json)
{
	struct nearest n = nearest_to(code);
	int all = !strcmp(code, "all"), count = 0;

	for (size_t i = 0; i < LENGTH(explanations); i++) {
		const struct explanation *x = &explanations[i];
		const char *name = pmumap_code_str(x->code);

		consider(&n, name);
		if (!all && strcmp(code, name))
			continue;
		if (json) {
			json_string("code", name);
			json_string("wrong", x->wrong);
			json_string("today", x->today);
			json_string("mend", x->mend);
			json_end();
		} else {
			printf("%s%s%s%s\n", count ? "\n" : "", paint(BOLD), name, paint(PLAIN));
			put_explanation(x);
		}
		count++;
	}
	return count ? GOOD
		     : complain(USAGE, code, "no such code%s",
				*n.best ? meant(&n).s : "; --explain all lists them");
}

static int check_verb(const struct request *request)
{
	int worst = GOOD;

	if (VALUE(request, EXPLAIN))
		return request->count ? complain(USAGE, NULL, "--explain reads no FILE")
				      : explain_code(VALUE(request, EXPLAIN),
						     (request->options & JSON) != 0);
	if ((request->options & JSON) && (request->options & SARIF))
		return complain(USAGE, NULL, "--json or --sarif, not both");
	if (request->options & SARIF)
		begin_sarif();
	for (int i = 0; i < request->count || i == 0; i++) {
		int code = check_file(request, request->count ? request->args[i] : NULL);

		worst = code > worst ? code : worst;
	}
	if (request->options & SARIF)
		end_sarif(worst);
	return worst;
}

#endif /* CHECK_H */
