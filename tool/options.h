/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options.h -- the options on the command line.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "verbs.h"

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

#endif /* OPTIONS_H */
