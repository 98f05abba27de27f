/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main.c -- show, ask and check the PMU description of a device tree.
 *
 * verbs.c has the table of verbs, request.h that of options. What events and rows mean is the business
 * of pmumap.h; nothing of it is here.
 */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>
#include "suggest.h"
#include "verbs.h"

#define ALL_VERBS "show, lookup, check, assign, rom or picture"

static int no_verb(const char *name)
{
	struct nearest n;

	if (!name)
		return complain(USAGE, NULL, "give a verb: " ALL_VERBS "; see pmumap --help");
	if (!access(name, F_OK))
		return complain(USAGE, name, "a verb comes first, as in pmumap show FILE");
	n = nearest_to(name);
	consider(&n, "help");
	for (size_t i = 0; i < VERBS; i++)
		consider(&n, verbs[i].name);
	return complain(USAGE, name, "no such verb%s", *n.best ? meant(&n).s : "; give " ALL_VERBS);
}

int main(int argc, char **argv)
{
	struct request request = { 0 };
	const struct verb *verb;
	int asked = 0, code;

	code = read_options(argc, argv, &request, &asked);
	if (code != GOOD)
		return code;
	if (asked == VERSION) {
		printf("pmumap %d.%d.%d\n", PMUMAP_VERSION_MAJOR, PMUMAP_VERSION_MINOR,
		       PMUMAP_VERSION_PATCH);
		return GOOD;
	}
	if (optind < argc && !strcmp(argv[optind], "help")) {
		asked = HELP;
		optind++;
	}
	verb = optind < argc ? find_verb(argv[optind]) : NULL;
	if (!verb && (optind < argc || !asked))
		return no_verb(optind < argc ? argv[optind] : NULL);
	if (!asked) {
		request.args = argv + optind + 1;
		request.count = argc - optind - 1;
		code = check_options(&request, verb);
		if (code == GOOD)
			code = verb->run(&request);
	} else {
		help(verb);
	}
	if (fflush(stdout) || ferror(stdout))
		return complain(UNREADABLE, "standard output", "cannot be written");
	return code;
}
