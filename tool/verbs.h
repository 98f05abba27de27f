/* SPDX-License-Identifier: BSD-2-Clause
 *
 * verbs.h -- the verbs: name, arguments and function of each. A new verb needs a folder with its
 * function, and an entry in verbs.c. --help and the documentation come from that entry.
 */
#ifndef VERBS_H
#define VERBS_H

#include "source/request.h"

/* Text that only --help prints. The page has no command line, so it leaves it out. */
#ifdef PMUMAP_TOOL_NO_HELP
#define HELP_ONLY(text) NULL
#else
#define HELP_ONLY(text) text
#endif

struct verb {
	const char *name, *arguments, *what;
	int (*run)(const struct request *request); /* returns an exit code */
	uint64_t options;                          /* those that it accepts */
	const char *details, *example;
};

extern const struct verb verbs[]; /* an entry without a name ends the list */

/* Returns NULL if no verb has this name. */
const struct verb *find_verb(const char *name);

/* Prints a verb's help; lists all verbs if it is NULL. */
void help(const struct verb *verb);

/* Prints what a shell offers for the last of the words after "pmumap". */
int complete(char *const *words, int count);

/* ---- options on the command line ------------------------------------------------------------- */

/* Line N describes the option of bit N. */
struct option_text {
	const char *name, *argument, *what;
};
extern const struct option_text option_texts[OPTIONS];

/* Requests that replace the verb. */
enum { HELP = 0x100, VERSION };

/* Reads the options of any verb. *asked is HELP or VERSION if given. Returns an exit code. */
int read_options(int argc, char **argv, struct request *request, int *asked);

/* Rejects options that the verb does not accept, and reads those that describe the input. */
int check_options(struct request *request, const struct verb *verb);

#endif /* VERBS_H */
