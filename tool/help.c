/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/text.h"
#include "verbs.h"

static void help_option(size_t i)
{
	const struct option_text *o = &option_texts[i];
	struct text usage =
		brief("--%s%s%s", o->name, o->argument ? " " : "", o->argument ? o->argument : "");

	printf("  %-24s %s\n", usage.s, o->what);
}

static void help_all(void)
{
	puts("Usage: pmumap VERB [OPTION]... [FILE]\n\n"
	     "Shows what a board's PMU can count, on which counters, and with which selector.\n");
	for (const struct verb *v = verbs; v->name; v++)
		printf("  %-8s %-16s %s\n", v->name, v->arguments, v->what);
	puts("  help     [VERB]           this text, or a verb's options and an example");
}

static void help_file(const struct verb *verb)
{
	puts("FILE is a .dtb, a .dts (needs dtc), a map image, a container of catalogs\n"
	     "(IMA_CATALOG), or - for standard input. For RISC-V, use the board's own tree:\n"
	     "OpenSBI deletes the tables from the running system's tree, /sys/firmware/fdt.");
	if (!verb || *verb->arguments == '[')
		puts("Without FILE, the sample board is used, SiFive's U74.");
	putchar('\n');
}

void help(const struct verb *verb)
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
	puts(verb ? "  --help                   this text; same as -h\n"
		  : "\n  -h, --help               this text, or that of the verb before it\n"
		    "  -V, --version\n");
	if (!verb || strstr(verb->arguments, "FILE"))
		help_file(verb);
	puts("Exit status: 0 success, 1 an error was found or an event was not found,\n"
	     "2 wrong usage, 3 the input cannot be read.\n");
	printf("Example: %s\n", verb ? verb->example : "pmumap show board.dtb");
}
