/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include "findings.h"
#include "report.h"
#include "source/rows.h"

#define RESULT_BYTES 512u /* for the punctuation and keys of a result */

static const char *sarif_separator = "";

static void sarif_text(const char *key, const char *text)
{
	printf("\"%s\":{\"text\":\"", key);
	put_escaped(stdout, text, 1);
	fputs("\"}", stdout);
}

/* The folder of findings.md and tool.md, as the makefile knows it. */
#ifndef PMUMAP_PAGES
#define PMUMAP_PAGES "file:///usr/local/share/doc/pmumap"
#endif

void begin_sarif(void)
{
	printf("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
	       "\"version\":\"2.1.0\",\n"
	       "\"runs\":[{\"tool\":{\"driver\":{\"name\":\"pmumap\",\"version\":\"%d.%d.%d\",\n"
	       "\"informationUri\":\"" PMUMAP_PAGES "/tool.md\",\"rules\":[",
	       PMUMAP_VERSION_MAJOR, PMUMAP_VERSION_MINOR, PMUMAP_VERSION_PATCH);
	for (size_t i = 0; i < EXPLANATIONS; i++) {
		const struct explanation *x = explanation_at(i);

		printf("%s\n{\"id\":\"%s\",\"helpUri\":\"" PMUMAP_PAGES "/findings.md#%s\",",
		       i ? "," : "", code_text(x->code), code_text(x->code));
		sarif_text("shortDescription", x->problem);
		putchar(',');
		sarif_text("fullDescription", x->effect);
		putchar(',');
		sarif_text("help", x->fix);
		putchar('}');
	}
	fputs("]}},\n\"results\":[", stdout);
}

/* Writes a URI. Characters that a path must not contain become %20 and so on. */
static void put_uri(FILE *out, const char *file)
{
	while (!strncmp(file, "./", 2))
		file += strspn(file + 1, "/") + 1;
	for (; *file; file++) {
		unsigned char c = (unsigned char)*file;

		if (isalnum(c) || strchr("/-._~!$&()*+,;=@", c))
			putc(c, out);
		else
			fprintf(out, "%%%02X", c);
	}
}

void sarif_notification(FILE *out, const char *file)
{
	fprintf(out, "%s\n{\"level\":\"error\",\"message\":{\"text\":\"",
		ftell(out) > 0 ? "," : "");
	put_escaped(out, last_complaint(), 1);
	fputs("\"},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"", out);
	put_uri(out, file);
	fputs("\"}}}]}", out);
}

void end_sarif(int code, const char *notifications)
{
	printf("],\n\"invocations\":[{\"executionSuccessful\":%s,\"exitCode\":%d",
	       code < USAGE ? "true" : "false", code);
	if (*notifications)
		printf(",\"toolExecutionNotifications\":[%s]", notifications);
	puts("}]}]}");
}

/* The file, and the line if known, of a finding or of the other row in a conflict. */
static void put_physical(FILE *out, const struct report *r, const struct spot *spot)
{
	const char *file = spot->line ? spot->file : r->source.file.name;

	if (!file || !strcmp(file, "stdin"))
		return;
	fputs("\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"", out);
	put_uri(out, file);
	fputs("\"}", out);
	if (spot->line)
		fprintf(out, ",\"region\":{\"startLine\":%" PRIu32 ",\"startColumn\":%" PRIu32 "}",
			spot->line, spot->column);
	fputs("},", out);
}

static void put_logical(FILE *out, struct report *r, const struct pmumap_finding *f,
			const char *property)
{
	const char *node = node_path(&r->source, f->node);

	fputs("\"logicalLocations\":[{\"fullyQualifiedName\":\"", out);
	put_escaped(out, node ? node : "", 1);
	if (property) {
		fputs(node && node[1] ? "/" : "", out);
		put_escaped(out, property, 1);
	}
	if (!node && !property)
		fputs("the map", out);
	fprintf(out, "\",\"kind\":\"%s\"}]", property ? "property" : "object");
}

char *finding_sarif(struct report *r, const struct found *found)
{
	const struct pmumap_finding *f = &found->f;
	const struct explanation *x = explain(f->code);
	struct spot other;
	char *text = describe(r, found), *result;
	size_t size;
	FILE *out = open_text(&result, &size);

	count_output(RESULT_BYTES);
	fprintf(out, "\n{\"ruleId\":\"%s\",\"level\":\"%s\",\"message\":{\"text\":\"",
		code_text(f->code), pmumap_severity_str(f->severity));
	put_escaped(out, text, 1);
	fputs(". ", out);
	put_escaped(out, x->problem, 1);
	putc(' ', out);
	put_escaped(out, x->effect, 1);
	putc(' ', out);
	put_escaped(out, fix_of(f), 1);
	fprintf(out,
		"\"},\n\"partialFingerprints\":{\"finding/v2\":\"%016" PRIx64 "\"},\n"
		"\"locations\":[{",
		fingerprint(r, found));
	put_physical(out, r, &found->spot);
	put_logical(out, r, f, f->property);
	fputs("}]", out);
	if (has_rows(f) && f->other_property) {
		other = find_spot(&r->source, &r->lines, f->node, f->other_property, f->other);
		fputs(",\n\"relatedLocations\":[{", out);
		put_physical(out, r, &other);
		put_logical(out, r, f, f->other_property);
		fputs("}]", out);
	}
	close_text(out);
	free(text);
	return result;
}

void put_sarif(char *result, char *const boards[], size_t count)
{
	printf("%s%s", sarif_separator, result);
	for (size_t i = 0; count > 1 && i < count; i++) {
		fputs(i ? "\",\"" : ",\n\"properties\":{\"boards\":[\"", stdout);
		put_escaped(stdout, boards[i], 1);
	}
	fputs(count > 1 ? "\"]}}" : "}", stdout);
	sarif_separator = ",";
	free(result);
}
