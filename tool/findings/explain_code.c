/* SPDX-License-Identifier: BSD-2-Clause
 *
 * explain_code.c -- the option --explain.
 */
#include "findings.h"
#include "map/suggest.h"
#include "text/json.h"
#include "text/text.h"

/* Prints a line of an example, formatted like put_explanation(). */
static void put_source(const char *label, const char *source)
{
	if (source)
		printf("    %-7s  %s\n", label, source);
}

static int is_code(const char *text)
{
	size_t i = 0;

	while (i < EXPLANATIONS && strcmp(text, code_text(explanation_at(i)->code)))
		i++;
	return i < EXPLANATIONS;
}

int explain_code(const char *code, int json)
{
	struct nearest n = nearest_to(code);
	char *pattern = strcmp(code, "all") ? pattern_of(code) : escaped("*", "");
	int known = is_code(code), count = 0;

	for (size_t i = 0; i < EXPLANATIONS; i++) {
		const struct explanation *x = explanation_at(i);
		const char *name = code_text(x->code);

		consider(&n, name);
		if (known ? strcmp(code, name) : !is_like(name, pattern))
			continue;
		if (json) {
			json_kind("explanation");
			json_string("code", name);
			json_string("problem", x->problem);
			json_string("effect", x->effect);
			json_string("fix", x->fix);
			json_text("wrong", x->wrong);
			json_text("right", x->right);
			json_end();
		} else {
			printf("%s%s%s%s\n", count ? "\n" : "", paint(BOLD), name, paint(PLAIN));
			put_explanation(x, x->fix);
			put_source("wrong", x->wrong);
			put_source("right", x->right);
		}
		count++;
	}
	free(pattern);
	return count ? GOOD
		     : complain(USAGE, code, "no such code%s",
				*n.best ? meant(&n).s : "; --explain all lists them");
}
