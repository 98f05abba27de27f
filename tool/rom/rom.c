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

/* ---- C source -------------------------------------------------------------------------------- */

#define ROM_WIDTH 96      /* columns per source line; a tab is 8 */
#define WORD "@_,.+-:/#=" /* allowed in names in the first comment */

/* Writes "uint32_t affinity, view;" and so on, with a new declaration for each size. */
static void put_declarations(FILE *out, const struct row_layout *rows)
{
	size_t column = 0;

	for (unsigned f = 0; f < rows->count; f++) {
		const struct field *field = &rows->fields[f];
		int more = f && field[-1].bytes == field->bytes;

		if (more && column + strlen(field->name) + 3 > ROM_WIDTH) {
			fprintf(out, ",\n\t\t\t%s", field->name);
			column = 24 + strlen(field->name);
		} else if (more) {
			column += (size_t)fprintf(out, ", %s", field->name);
		} else {
			fputs(f ? ";\n" : "", out);
			column = 16 + (size_t)fprintf(out, "\t\tuint%u_t %s", 8 * field->bytes,
						      field->name);
		}
	}
	fputs(";\n", out);
}

static void put_type(FILE *out, const struct parts *parts)
{
	unsigned gap = 0;

	for (unsigned p = 0; p < parts->used; p++) {
		const struct part *part = &parts->part[p];

		if (!part->name) {
			fprintf(out, "\tuint8_t gap%u[%" PRIu32 "];\n", gap++, part->count);
		} else if (!*part->rows->fields->name) {
			fprintf(out, "\tuint%u_t %s[%" PRIu32 "];\n", 8 * part->rows->bytes,
				part->name, part->count);
		} else {
			fputs("\tstruct {\n", out);
			put_declarations(out, part->rows);
			fprintf(out, "\t} %s[%" PRIu32 "];\n", part->name, part->count);
		}
	}
}

/* Prints small numbers in decimal, others in hexadecimal. */
static struct text constant(uint64_t value)
{
	return value < 10 ? decimal(value) : hex(value);
}

/* Prints each string on its own lines. */
static void put_characters(FILE *out, const unsigned char *at, uint32_t count)
{
	int column = 0;

	for (uint32_t i = 0; i < count; i++) {
		unsigned char c = at[i];

		if (!column)
			column = fputs("\t\t", out) < 0 ? 0 : 16;
		if (c >= ' ' && c < 0x7f && c != '\'' && c != '\\')
			column += fprintf(out, "'%c',", c);
		else
			column += fprintf(out, "%s,", constant(c).s);
		if (!c || column > ROM_WIDTH - 4 || i == count - 1) {
			putc('\n', out);
			column = 0;
		}
	}
}

/* Writes "{ 1, 0x10 }," or "1,". Needs at most 20 characters per field. */
static void write_row(char *to, const unsigned char *at, const struct row_layout *rows)
{
	int grouped = *rows->fields->name != '\0';

	to += sprintf(to, "%s", grouped ? "{ " : "");
	for (unsigned f = 0; f < rows->count; f++) {
		uint64_t value = read_field(at, rows->fields[f].bytes);

		to += sprintf(to, "%s%s", f ? ", " : "", constant(value).s);
		at += rows->fields[f].bytes;
	}
	sprintf(to, grouped ? " }," : ",");
}

/* Prints rows side by side while they fit. A row that is wider than a line breaks at blanks. */
static void put_rows(FILE *out, const unsigned char *at, const struct part *part)
{
	char text[FIELDS_LIMIT * 20 + 8], *rest;
	size_t column = 0, room = ROM_WIDTH - 24;

	for (uint32_t row = 0; row < part->count; row++, at += part->rows->bytes) {
		write_row(text, at, part->rows);
		if (column && column + 1 + strlen(text) > ROM_WIDTH) {
			putc('\n', out);
			column = 0;
		}
		fputs(column ? " " : "\t\t", out);
		column += column ? 1 : 16;
		for (rest = text; strlen(rest) > room; rest += strspn(rest, " ")) {
			int cut = (int)room;

			while (rest[cut] != ' ')
				cut--;
			fprintf(out, "%.*s\n\t\t  ", cut, rest);
			rest += cut;
		}
		column += (size_t)fprintf(out, "%s", rest);
	}
	putc('\n', out);
}

static void put_initializers(FILE *out, const unsigned char *from, const struct parts *parts)
{
	for (unsigned p = 0; p < parts->used; p++) {
		const struct part *part = &parts->part[p];

		if (!part->name) {
			fputs("\t{ 0 },\n", out);
			continue;
		}
		fprintf(out, "\t{ /* %s */\n", part->name);
		if (part->text)
			put_characters(out, from + part->offset, part->count);
		else
			put_rows(out, from + part->offset, part);
		fputs("\t},\n", out);
	}
}

/* Prints the command that reproduces this source, without the file's folders. */
static void put_command(FILE *out, const struct source *source, const struct input *input,
			const char *name)
{
	fprintf(out, "pmumap rom --name %s", name);
	if (input->desc)
		fputs(" --desc", out);
	if (input->node) {
		fputs(" --node ", out);
		put_word(out, input->node, WORD);
	}
	if (input->for_hart)
		fprintf(out, " --hart %" PRIu64, input->hart);
	if (input->generation)
		fprintf(out, " --available P%u:0x%" PRIx64, input->generation, input->available);
	if (input->pvr)
		fprintf(out, " --pvr 0x%" PRIx32, input->pvr);
	if (!source->file.data)
		return;
	putc(' ', out);
	put_word(out, strcmp(source->file.name, "stdin") ? base_name(source->file.name) : "-",
		 WORD);
}

/* A constant of all parts, and a function with this name that returns the map. */
static void put_source(FILE *out, const struct source *source, const struct input *input,
		       const struct image *image, const struct parts *parts, const char *name)
{
	fputs("/* SPDX-License-Identifier: BSD-2-Clause\n *\n * The PMU map of ", out);
	put_word(out, source->file.data ? base_name(source->file.name) : "the_sample_board", WORD);
	fputs(",\n * for targets of either byte order. Made by\n *\n *\t", out);
	put_command(out, source, input, name);
	fprintf(out,
		"\n *\n * %s() is the map,\n * %s_bytes its size.\n"
		" * It includes %s; pass its folder to the compiler (-I DIR).",
		name, name, image->header);
	fprintf(out, "\n */\n#ifndef %s_included\n#define %s_included\n\n", name, name);
	fprintf(out, "#include \"%s\"\n\n#if PMUMAP_IMAGE_VERSION != %u\n", image->header,
		PMUMAP_IMAGE_VERSION);
	fprintf(out,
		"#error \"made for another %s: regenerate it with the current tool\"\n#endif\n\n",
		image->header);
	fprintf(out, "enum { %s_bytes = %zu };\n\n", name, image->bytes);
	fprintf(out, "static const struct {\n");
	put_type(out, parts);
	fprintf(out, "} %s_image\n#ifdef __GNUC__\n\t__attribute__((aligned(8)))\n#endif\n\t= {\n",
		name);
	put_initializers(out, image->at, parts);
	fprintf(out, "};\n\ntypedef char %s_size[\n\tsizeof(%s_image) == %s_bytes ? 1 : -1];\n\n",
		name, name, name);
	/* A compiler that sees the object would assume bounds and aliasing that do not hold. */
	fprintf(out,
		"static inline const %s *%s(void)\n{\n"
		"\tconst void *image = &%s_image;\n\n"
		"#ifdef __GNUC__\n\t__asm__(\"\" : \"+r\"(image)); /* hidden from optimisers */\n"
		"#endif\n\treturn (const %s *)image;\n}\n\n#endif\n",
		image->type, name, name, image->type);
}

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
