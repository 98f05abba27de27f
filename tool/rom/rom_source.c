/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rom_source.c -- writes a map as C source. A compiler for either byte order turns it into the
 * image.
 */
#include <ctype.h>
#include "rom.h"
#include "text/text.h"

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

void put_word(FILE *out, const char *word, const char *others)
{
	for (; *word; word++)
		putc(isalnum((unsigned char)*word) || strchr(others, *word) ? *word : '_', out);
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

void put_source(FILE *out, const struct source *source, const struct input *input,
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
