/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <sys/stat.h>
#include "findings/report.h"
#include "map/suggest.h"
#include "verbs.h"
#include "source/dts.h"
#include "source/read.h"

enum { PREINCLUDE = VERSION + 1 }; /* -include FILE */

#define JOBS_LIMIT 64

const struct option_text option_texts[OPTIONS] = {
#define X(id, name, argument, what) { name, argument, HELP_ONLY(what) },
	OPTION_LIST(X)
#undef X
};

/* ---- options --------------------------------------------------------------------------------- */

/* Rejects an unknown option. Suggests one that the verb accepts, or any if there is no verb. */
static int no_option(const char *name, const struct verb *verb)
{
	struct text word = brief("%.*s", (int)strcspn(name, "="), name);
	struct nearest n = nearest_to(word.s);

	for (size_t i = 0; i < OPTIONS; i++) {
		if (!verb || verb->options >> i & 1)
			consider(&n, brief("--%s", option_texts[i].name).s);
	}
	return complain(USAGE, name, "no such option%s%s%s; see pmumap %s%s--help",
			verb ? " of " : "", verb ? verb->name : "", meant(&n).s,
			verb ? verb->name : "", verb ? " " : "");
}

static void list_options(struct option *longs)
{
	memset(longs, 0, (OPTIONS + 4) * sizeof(*longs));
	for (int i = 0; i < OPTIONS; i++) {
		longs[i].name = option_texts[i].name;
		longs[i].has_arg = option_texts[i].argument ? required_argument : no_argument;
		longs[i].val = i;
	}
	longs[NUMBER_EVENTS].has_arg = optional_argument;
	longs[OPTIONS].name = "help";
	longs[OPTIONS].val = HELP;
	longs[OPTIONS + 1].name = "version";
	longs[OPTIONS + 1].val = VERSION;
	longs[OPTIONS + 2].name = "preinclude";
	longs[OPTIONS + 2].has_arg = required_argument;
	longs[OPTIONS + 2].val = PREINCLUDE;
}

/* The first argument that is not an option. An option's argument may be mistaken for it. */
static const struct verb *guess_verb(int argc, char **argv)
{
	const struct verb *verb = NULL;

	for (int i = 1; i < argc && !verb; i++)
		verb = find_verb(argv[i]);
	return verb;
}

/* True if --events without an argument lists the events of all units, as --unit does for one. */
static int lists_events(const struct verb *verb)
{
	return verb && (verb->options & UNIT);
}

/*
 * Takes the argument of --events if it is a separate word. For a verb where --events alone lists
 * IMC events, only a word that looks like an event file counts. NULL: there is none.
 */
static char *take_events(int argc, char **argv)
{
	int alone = lists_events(guess_verb(argc, argv));

	if (optind == argc || (alone && !names_events(argv[optind])))
		return NULL;
	return argv[optind++];
}

/* An option without a row of its own is a form of --include: it controls how a source is read. */
static int short_option(int c)
{
	return c == 'o'                                  ? NUMBER_OUTPUT
	       : c == 'j'                                ? NUMBER_JOBS
	       : c == 'I' || c == 'D' || c == PREINCLUDE ? NUMBER_INCLUDE
							 : c;
}

static const char *argument_of(int c)
{
	return c == 'D'          ? "NAME or NAME=VALUE"
	       : c == PREINCLUDE ? "FILE"
				 : option_texts[short_option(c)].argument;
}

/* cpp's -include FILE; getopt would read it as -i -n -c and so on. */
static void spell_out(int argc, char **argv)
{
	static char option[] = "--preinclude";

	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "-include"))
			argv[i] = option;
	}
}

/* A pattern such as *.dts in a folder of somebody else may make options of file names. */
static int refuse_files(int argc, char **argv)
{
	struct stat what;

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (argv[i][0] == '-' && argv[i][1] && !lstat(argv[i], &what))
			return complain(USAGE, argv[i],
					"an option, or this file? Put -- before the files");
	}
	return GOOD;
}

int read_options(int argc, char **argv, struct request *request, int *asked)
{
	struct option longs[OPTIONS + 4];
	int c;

	if (refuse_files(argc, argv) != GOOD)
		return USAGE;
	list_options(longs);
	spell_out(argc, argv);
	while ((c = getopt_long(argc, argv, ":o:j:I:D:hV", longs, NULL)) != -1) {
		if (c == '?') {
			char letter[] = { '-', (char)optopt, '\0' };

			return no_option(strncmp(argv[optind - 1], "--", 2) ? letter
									    : argv[optind - 1],
					 guess_verb(argc, argv));
		}
		if (c == ':')
			return complain(USAGE, optopt == PREINCLUDE ? "-include" : argv[optind - 1],
					"needs an argument: %s", argument_of(optopt));
		if (c == HELP || c == 'h' || c == VERSION || c == 'V') {
			*asked = c == HELP || c == 'h' ? HELP : VERSION;
			continue;
		}
		if ((c == 'D' && define(optarg) != GOOD) ||
		    (c == PREINCLUDE && include_first(optarg) != GOOD))
			return USAGE;
		if ((c == 'I' || c == NUMBER_INCLUDE) && search_in(optarg) != GOOD)
			return USAGE;
		c = short_option(c);
		if (c == NUMBER_IGNORE && ignore(optarg) != GOOD)
			return USAGE;
		if (c == NUMBER_ALLOW_INCBIN)
			trust_all();
		if (c == NUMBER_EVENTS && !optarg)
			optarg = take_events(argc, argv);
		request->options |= 1ull << c;
		request->value[c] = optarg;
	}
	return GOOD;
}

/* ---- the input ------------------------------------------------------------------------------- */

/* GEN:VECTOR, from the control block of a running system. POWER11 uses POWER10's vector. */
static int read_available(const char *text, struct input *input)
{
	static const struct {
		const char *name;
		unsigned generation;
	} generations[] = { { "P9:", PMUMAP_IMC_P9 },
			    { "P10:", PMUMAP_IMC_P10 },
			    { "P11:", PMUMAP_IMC_P10 } };

	for (size_t i = 0; i < LENGTH(generations); i++) {
		size_t length = strlen(generations[i].name);

		if (strncmp(text, generations[i].name, length))
			continue;
		input->generation = generations[i].generation;
		return read_number(text + length, UINT64_MAX, &input->available);
	}
	return 0;
}

/* Reads the options that describe the input and the core. */
static int read_input(struct request *request)
{
	struct input *input = &request->input;
	uint64_t pvr;

	input->node = VALUE(request, NODE);
	input->desc = (request->options & DESC) != 0;
	if (VALUE(request, AVAILABLE) && !read_available(VALUE(request, AVAILABLE), input))
		return complain(USAGE, VALUE(request, AVAILABLE),
				"not a vector, such as P9:0x1ff or P10:0x1ff");
	input->for_hart = (request->options & HART) != 0;
	if (input->for_hart && input->node)
		return complain(USAGE, NULL, "--node or --hart, not both");
	if (input->for_hart && !read_number(VALUE(request, HART), UINT64_MAX, &input->hart))
		return complain(USAGE, VALUE(request, HART), "not a hart, such as 0 or 0x100");
	if (VALUE(request, PVR)) {
		if (!read_number(VALUE(request, PVR), UINT32_MAX, &pvr) || !pvr)
			return complain(USAGE, VALUE(request, PVR), "not a PVR, such as 0x4e1202");
		input->pvr = (uint32_t)pvr;
	}
	if (VALUE(request, JOBS) &&
	    (!read_number(VALUE(request, JOBS), JOBS_LIMIT, &request->jobs) || !request->jobs))
		return complain(USAGE, VALUE(request, JOBS), "not 1 to %d processes", JOBS_LIMIT);
	if (VALUE(request, COUNTERS) &&
	    (!read_counters(VALUE(request, COUNTERS), &request->counters) || !request->counters))
		return complain(USAGE, VALUE(request, COUNTERS),
				"not counters 0 to 31, such as 3-6 or 0x78");
	return GOOD;
}

int check_options(struct request *request, const struct verb *verb)
{
	uint64_t foreign = request->options & ~verb->options;

	for (size_t i = 0; i < OPTIONS; i++) {
		if (foreign >> i & 1)
			return no_option(brief("--%s", option_texts[i].name).s, verb);
	}
	if (request->options & EVENTS && !VALUE(request, EVENTS) && !lists_events(verb))
		return complain(USAGE, "--events", "needs an argument: %s",
				option_texts[NUMBER_EVENTS].argument);
	return read_input(request);
}
