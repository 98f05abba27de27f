/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main.c -- show, ask and check the PMU description of a device tree.
 *
 * A verb is a function in a header of its own, and a line in verbs[]; an option is a line in
 * request.h. What events and rows mean is the business of pmumap.h; nothing of it is here.
 */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include "pmumap_fdt.h"
#include "assign.h"
#include "check.h"
#include "lookup.h"
#include "request.h"
#include "show.h"
#include "suggest.h"
#include "write.h"

#define TREE (NODE | AVAILABLE | PVR) /* what of a FILE is to be read */

static const struct verb {
	const char *name, *arguments, *what;
	int (*run)(const struct request *request);
	unsigned options;
	const char *details, *example;
} verbs[] = {
	{ "show", "[FILE]", "the tables, and a grid of events and counters", show_verb,
	  JSON | EVENTS | UNIT | DESC | NO_INDEX | TREE,
	  "The grid has a row for each event, and a # under each counter that can count it.\n"
	  "Of IBM's in-memory counters (IMC) the units are shown, with --events or --unit also what\n"
	  "they count, and of a container of catalogs what is in it. Of Arm's activity monitors (AMU)\n"
	  "the CPUs are shown with the auxiliary counters that each has.",
	  "pmumap show /sys/firmware/fdt\n"
	  "         pmumap show --unit mcs01 power9.dtb\n"
	  "         pmumap show tc2.dtb" },
	{ "lookup", "[FILE] QUERY...", "the counters and the selector of each event", lookup_verb,
	  JSON | NO_INDEX | TREE,
	  "A QUERY is a name of SBI (SBI_PMU_HW_CACHE_MISSES, cache-misses) or of perf\n"
	  "(dTLB-load-misses), a number (0x10019), a raw event (r1801, raw:0x1801; raw-v2:0x1801\n"
	  "for 56 bits), a firmware event (fw:5, set-timer) or one of the platform (platform:0x1).\n"
	  "Where nothing counts it, the reason follows.\n"
	  "\n"
	  "Of IBM's in-memory counters (IMC) it is a full name (PM_MCS01_64B_RD_DISP_PORT01), that\n"
	  "of one unit (mcs01/PM_..., mcs01@c8/PM_..., nest_mcs01_imc/PM_...), an offset (imc:0x450)\n"
	  "or that of one unit (imc:mcs01:0xc8). All events that match are printed.\n"
	  "\n"
	  "Of Arm's activity monitors (AMU) it is a CPU, by its MPIDR (amu:0x100; only the affinity\n"
	  "in it counts) or by its number in the tree (amu:#3).",
	  "pmumap lookup board.dtb cache-misses L1-dcache-load-misses 0x10019 r1801 raw:0x1801\n"
	  "         pmumap lookup power9.dtb PM_MCS01_64B_RD_DISP_PORT01 imc:0x450\n"
	  "         pmumap lookup tc2.dtb amu:0x100 amu:#3" },
	{ "check", "[FILE...]", "what is wrong, what firmware makes of it, how to mend it",
	  check_verb, JSON | STRICT | ALL | SARIF | EXPLAIN | TREE,
	  "An error: the row is not used. A warning: it is used, but probably was not meant so.\n"
	  "A note: it is right, and worth knowing. Rows count from 0 in their property. Of IBM's\n"
	  "in-memory counters (IMC) units and events take the place of rows, of Arm's activity\n"
	  "monitors (AMU) CPUs and counters. Of a .dts the line is told too.",
	  "pmumap check --strict board.dts\n"
	  "         pmumap check --sarif board.dts >pmumap.sarif\n"
	  "         pmumap check --explain raw-dead\n"
	  "         pmumap check --pvr 0x4e1202 ima_catalog.bin" },
	{ "assign", "[FILE] EVENT...", "counters for several events at once, as many as can be",
	  assign_verb, JSON | FREE | FEATURES | TREE,
	  "An EVENT is one of RISC-V, as lookup takes it. EVENT@N runs on counter N already, and\n"
	  "stays there. The hart has Sscofpmf if programmable counters can interrupt (features), and\n"
	  "Smcntrpmf if the fixed ones can leave out modes.",
	  "pmumap assign board.dtb cycles instructions cache-misses branch-misses\n"
	  "         pmumap assign --free 3,4 --features sscofpmf board.dtb cycles cache-misses@4" },
	{ "rom", "[FILE]", "the map as C source, for firmware that reads no device tree", rom_verb,
	  NAME | BINARY | BIG | LITTLE | OUTPUT | AMU_ENABLES | ORDER | DESC | NO_INDEX | TREE,
	  "The source suits any byte order; the image (--binary) has one, and pmumap_open() takes it.\n"
	  "\n"
	  "--amu-enables is what a platform of TF-A v2.13 and later has to define instead of the nodes\n"
	  "that v2.12 reads: for each core position the mask of the auxiliary counters (AMU) to be\n"
	  "enabled. The CPUs come in the order of the tree, unless --order gives another one.",
	  "pmumap rom -o board_map.h board.dtb\n"
	  "         pmumap rom --binary --big -o board.map board.dtb\n"
	  "         pmumap rom --amu-enables --order 0x100,0x0 board.dts" },
	{ "picture", "[FILE]", "the grid as an SVG image", picture_verb, UNIT | OUTPUT | TREE,
	  "Of RISC-V it has events, raw events and counters, of IBM's in-memory counters (IMC) a map\n"
	  "of each window, of Arm's activity monitors (AMU) CPUs and counters.",
	  "pmumap picture -o board.svg board.dtb" },
};

/* Bit N of a verb's options: line N. */
static const struct {
	const char *name, *argument, *what;
} options[OPTIONS] = {
#define X(id, name, argument, what) { name, argument, what },
	OPTION_LIST(X)
#undef X
};

/* ---- help ------------------------------------------------------------------------------------ */

static void help_option(size_t i)
{
	char usage[64];

	snprintf(usage, sizeof(usage), "--%s%s%s", options[i].name, options[i].argument ? " " : "",
		 options[i].argument ? options[i].argument : "");
	printf("  %-24s %s\n", usage, options[i].what);
}

static void help_all(void)
{
	puts("Usage: pmumap VERB [OPTION]... [FILE]\n\n"
	     "What a board's PMU can count, on which counters, and by which selector.\n");
	for (size_t i = 0; i < LENGTH(verbs); i++)
		printf("  %-8s %-16s %s\n", verbs[i].name, verbs[i].arguments, verbs[i].what);
	puts("  help     [VERB]           this text, or that of a verb: its options, an example");
}

static int help(const struct verb *verb)
{
	if (verb)
		printf("Usage: pmumap %s [OPTION]... %s\n\nPrints %s.\n\n%s\n\n", verb->name,
		       verb->arguments, verb->what, verb->details);
	else
		help_all();
	for (size_t i = 0; verb && i < OPTIONS; i++) {
		if (verb->options >> i & 1)
			help_option(i);
	}
	puts(verb ? "  --help                   this text\n" : "\n  --help\n  --version\n");
	puts("FILE is a .dtb, a .dts (where dtc is installed), a map image, a container of catalogs\n"
	     "(IMA_CATALOG), or - for the standard input. That of the running system is\n"
	     "/sys/firmware/fdt.");
	if (!verb || *verb->arguments == '[')
		puts("Without one, the sample board is taken, SiFive's U74.");
	puts("\nExit status: 0 good, 1 an error was found or an event was not, 2 wrong usage,\n"
	     "3 the input cannot be read.\n");
	printf("Example: %s\n", verb ? verb->example : "pmumap show /sys/firmware/fdt");
	return GOOD;
}

/* ---- the command line ------------------------------------------------------------------------ */

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < LENGTH(verbs); i++) {
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	}
	return NULL;
}

static int no_verb(const char *name)
{
	struct nearest n;

	if (!name)
		return complain(USAGE, NULL,
				"give a verb: show, lookup, check, assign, rom or picture; "
				"see pmumap --help");
	if (!access(name, F_OK))
		return complain(USAGE, name, "a verb comes first, as in pmumap show FILE");
	n = nearest_to(name);
	consider(&n, "help");
	for (size_t i = 0; i < LENGTH(verbs); i++)
		consider(&n, verbs[i].name);
	return complain(USAGE, name, "no such verb%s",
			*n.best ? meant(&n).s
				: "; give show, lookup, check, assign, rom or picture");
}

/* Of those of the verb, if there is one. */
static int no_option(const char *name, const struct verb *verb)
{
	char word[WORD_LIMIT];
	struct nearest n;

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(name, "="), name);
	n = nearest_to(word);
	for (size_t i = 0; i < OPTIONS; i++) {
		char option[WORD_LIMIT];

		snprintf(option, sizeof(option), "--%s", options[i].name);
		if (!verb || verb->options >> i & 1)
			consider(&n, option);
	}
	return complain(USAGE, name, "no such option%s%s%s; see pmumap %s%s--help",
			verb ? " of " : "", verb ? verb->name : "", meant(&n).s,
			verb ? verb->name : "", verb ? " " : "");
}

/* GEN:VECTOR, of the control block of a running system; POWER11 has POWER10's. */
static int read_available(const char *text, struct pmumap_fdt_options *fdt)
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
		fdt->imc_generation = generations[i].generation;
		return read_number(text + length, UINT64_MAX, &fdt->imc_available);
	}
	return 0;
}

/* What the options say of the input. */
static int read_input(struct request *request)
{
	struct input *input = &request->input;
	uint64_t pvr;

	input->node = VALUE(request, NODE);
	if (request->options & DESC)
		input->options.flags |= PMUMAP_DESC;
	if (request->options & NO_INDEX)
		input->options.flags |= PMUMAP_NO_INDEX;
	if (VALUE(request, AVAILABLE) &&
	    !read_available(VALUE(request, AVAILABLE), &input->options))
		return complain(USAGE, VALUE(request, AVAILABLE),
				"not a vector, such as P9:0x1ff or P10:0x1ff");
	if (VALUE(request, PVR)) {
		if (!read_number(VALUE(request, PVR), UINT32_MAX, &pvr) || !pvr)
			return complain(USAGE, VALUE(request, PVR), "not a PVR, such as 0x4e1202");
		input->pvr = (uint32_t)pvr;
	}
	return GOOD;
}

/* What getopt_long() answers for an option, beside those of getopt's own. */
enum { HELP = 0x100, VERSION };

static void list_options(struct option *longs)
{
	memset(longs, 0, (OPTIONS + 3) * sizeof(*longs));
	for (int i = 0; i < OPTIONS; i++) {
		longs[i].name = options[i].name;
		longs[i].has_arg = options[i].argument ? required_argument : no_argument;
		longs[i].val = i;
	}
	longs[OPTIONS].name = "help";
	longs[OPTIONS].val = HELP;
	longs[OPTIONS + 1].name = "version";
	longs[OPTIONS + 1].val = VERSION;
}

/* The first argument that is no option; an argument of an option is not told apart. */
static const struct verb *guess_verb(int argc, char **argv)
{
	const struct verb *verb = NULL;

	for (int i = 1; i < argc && !verb; i++)
		verb = find_verb(argv[i]);
	return verb;
}

/* *asked: HELP or VERSION. */
static int read_options(int argc, char **argv, struct request *request, int *asked)
{
	struct option longs[OPTIONS + 3];
	int c;

	list_options(longs);
	while ((c = getopt_long(argc, argv, ":o:", longs, NULL)) != -1) {
		if (c == '?') {
			char letter[] = { '-', (char)optopt, '\0' };

			return no_option(strncmp(argv[optind - 1], "--", 2) ? letter
									    : argv[optind - 1],
					 guess_verb(argc, argv));
		}
		if (c == ':')
			return complain(USAGE, argv[optind - 1], "needs an argument: %s",
					options[optopt == 'o' ? NUMBER_OUTPUT : optopt].argument);
		if (c == HELP || c == VERSION) {
			*asked = c;
			continue;
		}
		c = c == 'o' ? NUMBER_OUTPUT : c;
		request->options |= 1u << c;
		request->value[c] = optarg;
	}
	return GOOD;
}

static int run(struct request *request, const struct verb *verb)
{
	unsigned foreign = request->options & ~verb->options;
	int code;

	for (size_t i = 0; i < OPTIONS; i++) {
		char option[WORD_LIMIT];

		snprintf(option, sizeof(option), "--%s", options[i].name);
		if (foreign >> i & 1)
			return no_option(option, verb);
	}
	code = read_input(request);
	return code == GOOD ? verb->run(request) : code;
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
		code = run(&request, verb);
	} else {
		code = help(verb);
	}
	if (fflush(stdout) || ferror(stdout))
		return complain(UNREADABLE, "standard output", "cannot be written");
	return code;
}
