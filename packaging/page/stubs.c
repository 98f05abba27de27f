/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stubs.c -- functions of the tool's files that the page leaves out: it has no command line and no
 * file system, and starts no program. The linker then drops what only they reach.
 */
#include "findings/checks.h"
#include "findings/findings.h"
#include "findings/report.h"
#include "fix/fix.h"
#include "rom/rom.h"
#include "source/dts.h"
#include "source/groups.h"
#include "source/read.h"
#include "verbs.h"
#include "write/write.h"

/* jansson: no clock and no random numbers. Names that collide cost time, which page.js limits. */

extern volatile uint32_t hashtable_seed;
void json_object_seed(size_t seed);

volatile uint32_t hashtable_seed = 1;

void json_object_seed(size_t seed)
{
	(void)seed;
}

/* tool/help.c */

void help(const struct verb *verb)
{
	(void)verb;
}

/* tool/complete.c: no shell */

int complete(char *const *words, int count)
{
	(void)words, (void)count;
	return USAGE;
}

/* tool/findings/explain_code.c: no --explain */

int explain_code(const char *code, int json)
{
	(void)code;
	(void)json;
	return USAGE;
}

/* tool/findings/shown.c: shows all findings */

int ignore(const char *code_or_file)
{
	(void)code_or_file;
	return GOOD;
}

int is_ignored(struct report *r, const struct found *found)
{
	(void)r;
	(void)found;
	return 0;
}

/* tool/findings/shown.c: one file at a time */

int is_first(struct report *r, const struct found *found)
{
	(void)r;
	(void)found;
	return 1;
}

int keep_sarif(char *result)
{
	(void)result;
	return 0;
}

void tell_shared(uint64_t options)
{
	(void)options;
}

/* tool/findings/straight.c: no sources */

void straighten_rows(struct report *r, const struct input *input)
{
	(void)r;
	(void)input;
}

/* tool/fix/fix.c */

int fix(struct report *r, const char *output, struct bytes *copy)
{
	(void)r;
	(void)output;
	(void)copy;
	return complain(USAGE, NULL, "the page writes no files");
}

/* tool/rom/rom_amu.c: no --amu-enables */

int put_amu_enables(const char *file, const struct pmumap_amu *map, const char *list,
		    uint32_t implemented)
{
	(void)map;
	(void)list;
	(void)implemented;
	return complain(USAGE, file, "the page has no --amu-enables");
}

/* tool/source/checkout.c */

void find_checkout(const char *file)
{
	(void)file;
}

const struct checkout *checkout(void)
{
	return NULL;
}

void clear_config(struct bytes *text)
{
	(void)text;
}

/* tool/source/dts.c: no dtc */

int define(const char *macro)
{
	(void)macro;
	return GOOD;
}

int include_first(const char *file)
{
	(void)file;
	return GOOD;
}

int search_in(const char *folder)
{
	(void)folder;
	return GOOD;
}

void allow_incbin(void)
{
}

void trust_folder(const char *folder)
{
	(void)folder;
}

int run_dtc(struct bytes *bytes, const char *file, int annotate)
{
	(void)annotate;
	return complain(UNREADABLE, bytes->name, "%s is a source", file);
}

int compile_text(struct bytes *bytes, struct bytes *text, const char *file, int annotate)
{
	(void)text;
	return run_dtc(bytes, file, annotate);
}

int is_source(const struct bytes *text)
{
	(void)text;
	return 0;
}

int compile_source(struct bytes *bytes)
{
	return complain(UNREADABLE, bytes->name, "a source");
}

/* tool/source/lines.c: no sources */

struct spot find_spot(struct source *source, struct lines *lines, int node, const char *property,
		      uint32_t row)
{
	(void)source;
	(void)lines;
	(void)node;
	(void)property;
	(void)row;
	return (struct spot){ 0 };
}

void unload_lines(struct lines *lines)
{
	(void)lines;
}

/* tool/source/included.c */

void trust_all(void)
{
}

/* tool/source/dts.c: page.js rejects a dropped source */

int is_dts(const char *name)
{
	(void)name;
	return 0;
}

int is_part(const char *name)
{
	(void)name;
	return 0;
}

/* tool/source/dts.c: there are no processes */

unsigned char *look_ahead(const struct files *files, uint64_t processes)
{
	(void)files, (void)processes;
	return NULL;
}

void end_look(unsigned char *lacking, const struct files *files)
{
	(void)lacking, (void)files;
}

/* tool/text/limits.c: the linker limits memory and page.js limits time */

void limit_memory(void)
{
}

void limit_time(void)
{
}

/* tool/write/write.c: takes no table */

int write_verb(const struct request *request)
{
	(void)request;
	return complain(USAGE, NULL, "the page writes no files");
}
