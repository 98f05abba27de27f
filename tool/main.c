/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main.c -- show, query and check the PMU description of a device tree.
 *
 * verbs.c has the table of verbs, request.h the options. Only pmumap.h decides what events and rows
 * mean; no file of the tool does.
 */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>
#include "map/suggest.h"
#include "verbs.h"
#include "text/output.h"

/* For example "show, lookup, check, assign, rom or picture". */
static struct text all_verbs(void)
{
	struct text list = { "" };
	size_t used = 0;

	for (const struct verb *v = verbs; v->name; v++) {
		const char *before = v == verbs ? "" : v[1].name ? ", " : " or ";

		if (used < sizeof(list.s))
			used += (size_t)snprintf(list.s + used, sizeof(list.s) - used, "%s%s",
						 before, v->name);
	}
	return list;
}

static int no_verb(const char *name)
{
	struct nearest n;

	if (!name)
		return complain(USAGE, NULL, "give a verb: %s; see pmumap --help", all_verbs().s);
	if (!access(name, F_OK))
		return complain(USAGE, name, "put a verb first: pmumap show FILE");
	n = nearest_to(name);
	consider(&n, "help");
	for (const struct verb *v = verbs; v->name; v++)
		consider(&n, v->name);
	if (*n.best)
		return complain(USAGE, name, "no such verb%s", meant(&n).s);
	return complain(USAGE, name, "no such verb; give %s", all_verbs().s);
}

int main(int argc, char **argv)
{
	struct request request = { 0 };
	const struct verb *verb;
	int asked = 0, code;

	limit_memory();
	limit_time();
	if (argc > 2 && !strcmp(argv[1], "--complete")) /* for pmumap.bash and the like */
		return complete(argv + 2, argc - 2);
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
