/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rom.c -- the verb rom: writes a map as C source, or as an image of either byte order.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <unistd.h>
#include "map/imc.h"
#include "map/riscv.h"
#include "rom.h"
#include "text/text.h"

#define NAME_LIMIT 63 /* C99 guarantees this many significant characters in a name */

/* ---- the image ------------------------------------------------------------------------------- */

static void store_field(unsigned char *at, uint64_t value, unsigned bytes, int big)
{
	for (unsigned i = 0; i < bytes; i++)
		at[big ? bytes - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

static void put_image(FILE *out, const struct image *of, const struct parts *parts, int big)
{
	unsigned char *image = reallocate(NULL, of->bytes, 1);
	size_t at;

	memset(image, 0, of->bytes);
	for (unsigned p = 0; p < parts->used; p++) {
		const struct part *part = &parts->part[p];

		at = part->offset;
		for (uint32_t row = 0; part->name && row < part->count; row++) {
			for (unsigned f = 0; f < part->rows->count; f++) {
				unsigned bytes = part->rows->fields[f].bytes;

				store_field(image + at, read_field(of->at + at, bytes), bytes, big);
				at += bytes;
			}
		}
	}
	fwrite(image, 1, of->bytes, out);
	free(image);
}

/* ---- the name -------------------------------------------------------------------------------- */

/* Turns board-1.dtb into board_1_map, which is never a keyword. */
static void name_after(char name[NAME_LIMIT + 1], const char *file)
{
	const char *base = base_name(file), *dot = strrchr(base, '.');
	size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base), used = 0;
	size_t room = NAME_LIMIT - strlen("_map");

	if (isdigit((unsigned char)*base))
		name[used++] = '_';
	for (size_t i = 0; i < length && used < room; i++)
		name[used++] = isalnum((unsigned char)base[i]) ? base[i] : '_';
	strcpy(name + used, "_map");
}

/* C keywords, and C++ keywords that make plausible names. */
static int is_keyword(const char *name)
{
	static const char keywords[] =
		" auto bool break case catch char class "
		"const continue default delete do double else "
		"enum explicit export extern false float for friend goto if inline int long "
		"namespace new not operator or private protected public register restrict return "
		"short signed sizeof static struct switch template this throw true try typedef "
		"typename union unsigned using virtual void volatile while xor ";
	char word[NAME_LIMIT + 3];

	snprintf(word, sizeof(word), " %s ", name);
	return strstr(keywords, word) != NULL;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int put_rom(const struct source *source, const struct request *request)
{
	const char *given = VALUE(request, NAME), *output = VALUE(request, OUTPUT);
	int binary = (request->options & BINARY) != 0, big = (request->options & BIG) != 0;
	char name[NAME_LIMIT + 1];
	struct parts parts;
	struct image image;
	FILE *out;
	int code;

	if (given && (!is_identifier(given) || strlen(given) > NAME_LIMIT))
		return complain(USAGE, given, "not a C name of at most %d characters", NAME_LIMIT);
	if (given && is_keyword(given))
		return complain(USAGE, given, "a keyword of C or C++");
	if (binary && !output && isatty(STDOUT_FILENO))
		return complain(USAGE, NULL, "stdout is a terminal: add -o FILE");
	if (has_riscv(source->map) + (source->imc != NULL) + (source->amu != NULL) > 1)
		return complain(FAULT, source->file.name,
				"several kinds of maps; --node PATH selects riscv,pmu");
	if (!list_parts(&parts, &image, source->map, source->imc, source->amu))
		return complain(FAULT, source->file.name,
				"tables of this image share bytes; give its device tree");
	out = open_output(output);
	if (!out)
		return UNREADABLE;
	name_after(name, source->file.data ? source->file.name : "sample");
	given = given ? given : name;
	if (binary)
		put_image(out, &image, &parts, big);
	else
		put_source(out, source, &request->input, &image, &parts, given);
	code = close_output(out, output);
	if (code == GOOD && output)
		complain(GOOD, output, "%zu bytes%s%s%s", image.bytes, binary ? "" : ", ",
			 binary ? "" : given, binary ? "" : "()");
	return code;
}

/* Rejects options that exclude each other. Returns an exit code. */
static int check_rom(uint64_t options)
{
	if (options & AMU_ENABLES && options & (BINARY | BIG | LITTLE | NAME | OUTPUT))
		return complain(USAGE, NULL, "--amu-enables prints other C source, to stdout");
	if (options & (ORDER | COUNTERS) && !(options & AMU_ENABLES))
		return complain(USAGE, NULL, "%s needs --amu-enables",
				options & ORDER ? "--order" : "--counters");
	if (options & (BIG | LITTLE) && !(options & BINARY))
		return complain(USAGE, NULL,
				"--big and --little need --binary; C source suits any byte order");
	if (options & BIG && options & LITTLE)
		return complain(USAGE, NULL, "--big or --little, not both");
	if (options & BINARY && options & NAME)
		return complain(USAGE, NULL, "--binary takes no --name");
	return GOOD;
}

int rom_verb(const struct request *request)
{
	struct source source = { 0 };
	struct doubts doubts = { 0 };
	const char *file;
	int code = check_rom(request->options);

	if (code == GOOD)
		code = read_file_name(request, "rom", &file);
	if (code == GOOD)
		code = load(&source, file, &request->input, count_doubts, &doubts);
	if (code == GOOD && request->options & AMU_ENABLES)
		code = put_amu_enables(source.file.name, source.amu, VALUE(request, ORDER),
				       request->counters ? request->counters : 0xffff);
	else if (code == GOOD)
		code = put_rom(&source, request);
	if (source.map)
		complain_of_doubts(&source, &doubts);
	if (code == GOOD && doubts.errors)
		code = FAULT;
	unload(&source);
	return code;
}
