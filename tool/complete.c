/* SPDX-License-Identifier: BSD-2-Clause
 *
 * complete.c -- what a shell offers for the last word: lines of a word, a tab and its meaning. The
 * last line is a tab and "files", if files are offered, too.
 */
#include "findings/findings.h"
#include "firmware/firmware.h"
#include "map/suggest.h"
#include "verbs.h"

static const char *begin; /* of the word */

static void offer(const char *word, const char *what)
{
	if (!strncmp(word, begin, strlen(begin)))
		printf("%s\t%s\n", word, what);
}

static void offer_words(const char *list)
{
	for (; *list; list += strcspn(list, " "), list += strspn(list, " "))
		offer(brief("%.*s", (int)strcspn(list, " "), list).s, "");
}

static void offer_verbs(void)
{
	for (const struct verb *v = verbs; v->name; v++)
		offer(v->name, v->what);
	offer("help", "a verb's options and an example");
}

static void offer_event(void *arg, const char *name)
{
	(void)arg;
	if (perf_parses(name))
		offer(name, "");
}

/* Offers arguments if the word follows an option that takes one. Otherwise returns 0. */
static int offer_arguments(const char *before)
{
	const char *name = strcmp(before, "-o") ? before + strspn(before, "-") : "output";
	size_t i = 0;

	while (i < OPTIONS && strcmp(name, option_texts[i].name))
		i++;
	if (*before != '-' || i == OPTIONS || !option_texts[i].argument)
		return 0;
	if (i == NUMBER_EXPLAIN || i == NUMBER_IGNORE) {
		for (size_t k = 0; k < EXPLANATIONS; k++)
			offer(code_text(explanation_at(k)->code), "");
	}
	if (i == NUMBER_FIRMWARE)
		offer("opensbi", "");
	for (int f = 0; f < FIRMWARES && i == NUMBER_FIRMWARE; f++)
		offer(firmware_name((enum firmware)f), "");
	offer_words(i == NUMBER_EXPLAIN    ? "all"
		    : i == NUMBER_LINUX    ? "5.18 6.1 6.6 6.12 6.18 7.2 none"
		    : i == NUMBER_FEATURES ? "sscofpmf smcntrpmf can-filter can-interrupt filter"
					   : "");
	if (strstr(option_texts[i].argument, "FILE") || strstr(option_texts[i].argument, "DIR"))
		puts("\tfiles");
	return 1;
}

int complete(char *const *words, int count)
{
	const struct verb *verb = NULL;
	int help = 0;

	begin = words[count - 1];
	for (int i = 0; i < count - 1 && !verb && !help; i++) {
		verb = find_verb(words[i]);
		help = !strcmp(words[i], "help");
	}
	if (count > 1 && offer_arguments(words[count - 2]))
		return GOOD;
	if (!verb || *begin == '-') {
		for (size_t i = 0; verb && i < OPTIONS; i++) {
			if (verb->options >> i & 1)
				offer(brief("--%s", option_texts[i].name).s, option_texts[i].what);
		}
		if (!verb)
			offer_verbs();
		offer_words(verb ? "--help" : help ? "" : "--help --version");
		return GOOD;
	}
	if (verb->options & (FREE | LINUX) || !strcmp(verb->name, "lookup"))
		each_perf_event(offer_event, NULL);
	puts("\tfiles");
	return GOOD;
}
