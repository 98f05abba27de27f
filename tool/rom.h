/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rom.h -- a map as C source, which a compiler of any byte order turns into the image, or as the image
 * itself, of either order.
 *
 * Both come from one table of what lies where in an image: the fields of each kind of row, below, and
 * list_parts(), which finds the rows. All of a map is numbers of 1, 2, 4 or 8 bytes; what is computed
 * from names and raw events (places, hashes, bit vectors) is computed from values, never from bytes in
 * memory. So an image of one order is that of the other with the bytes of each number reversed.
 */
#ifndef ROM_H
#define ROM_H

#include "source.h"

#define PARTS_LIMIT 64
#define FIELDS_LIMIT 25
#define NAME_LIMIT 63 /* characters of a name that every compiler tells apart */
#define ROM_WIDTH 96  /* columns of the source, tabs of 8 */

/* What the verb is asked for. */
struct rom_form {
	const char *name;   /* of the function in C; NULL: after the file */
	const char *output; /* a file; NULL: stdout */
	int binary, big;    /* the image, its byte order */
};

/* ---- what an image consists of --------------------------------------------------------------- */

struct field {
	const char *name; /* "": the row is this number alone */
	unsigned bytes;
};

struct row_layout {
	const struct field *fields;
	unsigned count;
	unsigned bytes;
};

#define HEAD_FIELDS(F, S)                                                                          \
	F(S, magic), F(S, version), F(S, size), F(S, flags), F(S, records), F(S, sorted),          \
		F(S, sorted_count), F(S, raw_rows), F(S, raw_count), F(S, raw_index),              \
		F(S, raw_vectors), F(S, raw_shift), F(S, imc), F(S, amu), F(S, raw_common),        \
		F(S, raw_multiplier)
#define RECORD_FIELDS(F, S) F(S, selector), F(S, counters), F(S, key)
#define RAW_FIELDS(F, S) F(S, select), F(S, mask), F(S, counters), F(S, more)
#define IMC_FIELDS(F, S)                                                                           \
	F(S, units), F(S, unit_count), F(S, classes), F(S, class_count), F(S, events),             \
		F(S, event_count), F(S, owns), F(S, own_count), F(S, chips), F(S, chip_count),     \
		F(S, strings), F(S, string_bytes), F(S, names), F(S, slots), F(S, slot_count),     \
		F(S, shifts), F(S, bucket_count), F(S, seed), F(S, unit_bit), F(S, nth_bit),       \
		F(S, by_prefix), F(S, chain), F(S, by_name), F(S, by_list)
#define UNIT_FIELDS(F, S) F(S, name), F(S, prefix), F(S, reg), F(S, first), F(S, events), F(S, kind)
#define CLASS_FIELDS(F, S)                                                                         \
	F(S, scale), F(S, measure), F(S, type), F(S, size), F(S, offset), F(S, control),           \
		F(S, chips), F(S, chip_count)
#define EVENT_FIELDS(F, S) F(S, name), F(S, reg)
#define OWN_FIELDS(F, S) F(S, event), F(S, scale), F(S, measure), F(S, desc)
#define CHIP_FIELDS(F, S) F(S, base), F(S, chip), F(S, unused)
#define AMU_FIELDS(F, S)                                                                           \
	F(S, cpus), F(S, cpu_count), F(S, by_tree), F(S, views), F(S, view_count), F(S, names),    \
		F(S, name_count), F(S, strings), F(S, string_bytes), F(S, unused)
#define CPU_FIELDS(F, S) F(S, affinity), F(S, view)
#define VIEW_FIELDS(F, S) F(S, described), F(S, enable), F(S, first)

/* No field may be missing: together they are as large as the row. */
#define NAMED(name, bytes)                                                                         \
	{                                                                                          \
		name, bytes                                                                        \
	}
#define FIELD(type, field) NAMED(#field, sizeof(((type *)0)->field))
#define FIELD_BYTES(type, field) field[sizeof(((type *)0)->field)]
#define ROW_LAYOUT(layout, FIELDS, type, size)                                                     \
	static const struct field layout##_fields[] = { FIELDS(FIELD, type) };                     \
	static const struct row_layout layout = { layout##_fields, LENGTH(layout##_fields),        \
						  size };                                          \
	struct layout##_bytes {                                                                    \
		char FIELDS(FIELD_BYTES, type);                                                    \
	};                                                                                         \
	_Static_assert(sizeof(struct layout##_bytes) == (size), #layout)

ROW_LAYOUT(head_layout, HEAD_FIELDS, struct pmumap, offsetof(struct pmumap, event_index));
ROW_LAYOUT(record_layout, RECORD_FIELDS, struct pmumap_record, sizeof(struct pmumap_record));
ROW_LAYOUT(raw_layout, RAW_FIELDS, struct pmumap_raw_row, sizeof(struct pmumap_raw_row));
ROW_LAYOUT(imc_layout, IMC_FIELDS, struct pmumap_imc, sizeof(struct pmumap_imc));
ROW_LAYOUT(unit_layout, UNIT_FIELDS, struct pmumap_imc_unit_row_,
	   sizeof(struct pmumap_imc_unit_row_));
ROW_LAYOUT(class_layout, CLASS_FIELDS, struct pmumap_imc_class_, sizeof(struct pmumap_imc_class_));
ROW_LAYOUT(event_layout, EVENT_FIELDS, struct pmumap_imc_event_row_,
	   sizeof(struct pmumap_imc_event_row_));
ROW_LAYOUT(own_layout, OWN_FIELDS, struct pmumap_imc_own_, sizeof(struct pmumap_imc_own_));
ROW_LAYOUT(chip_layout, CHIP_FIELDS, struct pmumap_imc_chip_, sizeof(struct pmumap_imc_chip_));
ROW_LAYOUT(amu_layout, AMU_FIELDS, struct pmumap_amu, sizeof(struct pmumap_amu));
ROW_LAYOUT(cpu_layout, CPU_FIELDS, struct pmumap_amu_cpu_row_, sizeof(struct pmumap_amu_cpu_row_));
ROW_LAYOUT(view_layout, VIEW_FIELDS, struct pmumap_amu_view_row_,
	   sizeof(struct pmumap_amu_view_row_));

static const struct field number_fields[] = { { "", 1 }, { "", 2 }, { "", 4 }, { "", 8 } };
static const struct row_layout bytes_layout = { &number_fields[0], 1, 1 };
static const struct row_layout u16_layout = { &number_fields[1], 1, 2 };
static const struct row_layout u32_layout = { &number_fields[2], 1, 4 };
static const struct row_layout u64_layout = { &number_fields[3], 1, 8 };

struct part {
	const char *name; /* NULL: nothing reads it, all 0 */
	const struct row_layout *rows;
	uint32_t offset, count;
	int text;
};

struct parts {
	struct part part[PARTS_LIMIT];
	unsigned used;
};

static struct part *add_part(struct parts *p, const char *name, const struct row_layout *rows,
			     uint32_t offset, uint32_t count)
{
	struct part *part = &p->part[p->used];

	part->name = name;
	part->rows = rows;
	part->offset = offset;
	part->count = count;
	part->text = 0;
	p->used += count > 0;
	return part;
}

static void list_raw(struct parts *p, const struct pmumap *m)
{
	if (!m->raw_count)
		return;
	add_part(p, "raw_row", &raw_layout, m->raw_rows, m->raw_count + 1);
	if (m->raw_index)
		add_part(p, "raw_index", &u16_layout, m->raw_index, 1u << (32 - m->raw_shift));
	else
		add_part(p, "raw_vector", &u64_layout, m->raw_vectors,
			 (m->raw_count + 63) / 64 * PMUMAP_VECTORS_);
}

static void list_imc(struct parts *p, const struct pmumap *m)
{
	const struct pmumap_imc *c = pmumap_imc_(m);

	add_part(p, "imc", &imc_layout, m->imc, 1);
	add_part(p, "unit", &unit_layout, c->units, c->unit_count);
	add_part(p, "unit_class", &class_layout, c->classes, c->class_count);
	add_part(p, "event", &event_layout, c->events, c->event_count);
	add_part(p, "own", &own_layout, c->owns, c->own_count);
	add_part(p, "chip", &chip_layout, c->chips, c->chip_count);
	add_part(p, "string", &bytes_layout, c->strings, c->string_bytes)->text = 1;
	if (c->slots) {
		add_part(p, "slot", &u32_layout, c->slots, c->slot_count);
		add_part(p, "shift", &u16_layout, c->shifts, c->bucket_count);
		return;
	}
	add_part(p, "by_prefix", &u32_layout, c->by_prefix, c->unit_count);
	add_part(p, "chain", &u32_layout, c->chain, c->unit_count);
	add_part(p, "by_list", &u32_layout, c->by_list, c->unit_count);
	add_part(p, "by_name", &u32_layout, c->by_name, c->event_count);
}

static void list_amu(struct parts *p, const struct pmumap *m)
{
	const struct pmumap_amu *a = pmumap_amu_(m);

	add_part(p, "amu", &amu_layout, m->amu, 1);
	add_part(p, "cpu", &cpu_layout, a->cpus, a->cpu_count);
	add_part(p, "by_tree", &u32_layout, a->by_tree, a->cpu_count);
	add_part(p, "view", &view_layout, a->views, a->view_count);
	add_part(p, "amu_name", &u32_layout, a->names, a->name_count);
	add_part(p, "amu_string", &bytes_layout, a->strings, a->string_bytes)->text = 1;
}

static int by_place(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/*
 * All parts of a map in their order, and what lies between them. Returns 0 if two share bytes: those of
 * a foreign image may.
 */
static int list_parts(struct parts *p, const struct pmumap *m)
{
	unsigned i, count;
	uint64_t end = 0;

	p->used = 0;
	add_part(p, "head", &head_layout, 0, 1);
	add_part(p, "event_index", &bytes_layout, offsetof(struct pmumap, event_index),
		 sizeof(m->event_index));
	add_part(p, "record", &record_layout, offsetof(struct pmumap, record), m->records);
	list_raw(p, m);
	if (m->imc)
		list_imc(p, m);
	if (m->amu)
		list_amu(p, m);
	count = p->used;
	qsort(p->part, count, sizeof(p->part[0]), by_place);
	for (i = 0; i <= count; i++) {
		uint32_t next = i < count ? p->part[i].offset : m->size;

		if (next < end)
			return 0;
		add_part(p, NULL, &bytes_layout, (uint32_t)end, (uint32_t)(next - end));
		if (i < count)
			end = (uint64_t)next + (uint64_t)p->part[i].count * p->part[i].rows->bytes;
	}
	qsort(p->part, p->used, sizeof(p->part[0]), by_place);
	return 1;
}

static uint64_t read_field(const unsigned char *at, unsigned bytes)
{
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	if (bytes == 2)
		return memcpy(&two, at, 2), two;
	if (bytes == 4)
		return memcpy(&four, at, 4), four;
	if (bytes == 8)
		return memcpy(&eight, at, 8), eight;
	return *at;
}

/* ---- the image ------------------------------------------------------------------------------- */

static void store_field(unsigned char *at, uint64_t value, unsigned bytes, int big)
{
	for (unsigned i = 0; i < bytes; i++)
		at[big ? bytes - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

static void put_image(FILE *out, const struct pmumap *map, const struct parts *parts, int big)
{
	const unsigned char *from = (const unsigned char *)map;
	size_t size = pmumap_size(map), at;
	unsigned char *image = reallocate(NULL, size, 1);

	memset(image, 0, size);
	for (unsigned p = 0; p < parts->used; p++) {
		const struct part *part = &parts->part[p];

		at = part->offset;
		for (uint32_t row = 0; part->name && row < part->count; row++) {
			for (unsigned f = 0; f < part->rows->count; f++) {
				unsigned bytes = part->rows->fields[f].bytes;

				store_field(image + at, read_field(from + at, bytes), bytes, big);
				at += bytes;
			}
		}
	}
	fwrite(image, 1, size, out);
	free(image);
}

/* ---- C source -------------------------------------------------------------------------------- */

/* "uint32_t affinity, view;" with a new declaration for each size. */
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

/* Small ones in decimal. */
static struct text constant(uint64_t value)
{
	return value < 10 ? decimal(value) : hex(value);
}

/* Each string on lines of its own. */
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

/* "{ 1, 0x10 }," or "1,": at most 20 characters for each field. */
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

/* Rows beside each other as long as they fit; one that is wider than a line is broken at blanks. */
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

static void put_initializers(FILE *out, const struct pmumap *map, const struct parts *parts)
{
	const unsigned char *from = (const unsigned char *)map;

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

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A word of a comment: nothing in it may end or begin one, or join lines. */
static void put_word(FILE *out, const char *word)
{
	for (; *word; word++)
		putc(isalnum((unsigned char)*word) || strchr("@_,.+-:/#=", *word) ? *word : '_',
		     out);
}

/* The command that makes it again, but for the folders of the file. */
static void put_command(FILE *out, const struct source *source, const struct input *input,
			const char *name)
{
	const struct pmumap_fdt_options *fdt = &input->options;

	fprintf(out, "pmumap rom --name %s", name);
	if (fdt->flags & PMUMAP_DESC)
		fputs(" --desc", out);
	if (fdt->flags & PMUMAP_NO_INDEX)
		fputs(" --no-index", out);
	if (input->node) {
		fputs(" --node ", out);
		put_word(out, input->node);
	}
	if (fdt->imc_generation)
		fprintf(out, " --available P%u:0x%" PRIx64, fdt->imc_generation,
			fdt->imc_available);
	if (input->pvr)
		fprintf(out, " --pvr 0x%" PRIx32, input->pvr);
	if (!source->data)
		return;
	putc(' ', out);
	put_word(out, strcmp(source->name, "stdin") ? base_name(source->name) : "-");
}

static void put_source(FILE *out, const struct source *source, const struct input *input,
		       const struct parts *parts, const char *name)
{
	size_t bytes = pmumap_size(source->map);

	fputs("/* SPDX-License-Identifier: BSD-2-Clause\n *\n * The PMU map of ", out);
	put_word(out, source->data ? base_name(source->name) : "the_sample_board");
	fputs(",\n * for targets of either byte order. Made by\n *\n *\t", out);
	put_command(out, source, input, name);
	fprintf(out, "\n */\n#ifndef %s_included\n#define %s_included\n\n", name, name);
	fprintf(out, "#include \"pmumap.h\"\n\n#if PMUMAP_IMAGE_VERSION != %u\n",
		PMUMAP_IMAGE_VERSION);
	fputs("#error \"made for another pmumap.h: make it again with its tool\"\n#endif\n\n", out);
	fprintf(out, "enum { %s_bytes = %zu };\n\n", name, bytes);
	fprintf(out, "static const struct {\n");
	put_type(out, parts);
	fprintf(out, "} %s_image\n#ifdef __GNUC__\n\t__attribute__((aligned(8)))\n#endif\n\t= {\n",
		name);
	put_initializers(out, source->map, parts);
	fprintf(out, "};\n\ntypedef char %s_size[\n\tsizeof(%s_image) == %s_bytes ? 1 : -1];\n\n",
		name, name, name);
	/* Of an object that it can look into, a compiler knows better what is in bounds and aliases. */
	fprintf(out,
		"static inline const struct pmumap *%s(void)\n{\n"
		"\tconst void *image = &%s_image;\n\n"
		"#ifdef __GNUC__\n\t__asm__(\"\" : \"+r\"(image)); /* not to be looked into */\n"
		"#endif\n\treturn (const struct pmumap *)image;\n}\n\n#endif\n",
		name, name);
}

/* ---- the verb -------------------------------------------------------------------------------- */

/* board-1.dtb: board_1_map. Never a keyword, for it ends in _map. */
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

/* Of C, and those of C++ that one might choose. */
static int is_keyword(const char *name)
{
	static const char keywords[] =
		" auto bool break case catch char class const continue default delete do double else "
		"enum explicit export extern false float for friend goto if inline int long "
		"namespace new not operator or private protected public register restrict return "
		"short signed sizeof static struct switch template this throw true try typedef "
		"typename union unsigned using virtual void volatile while xor ";
	char word[NAME_LIMIT + 3];

	snprintf(word, sizeof(word), " %s ", name);
	return strstr(keywords, word) != NULL;
}

static int is_identifier(const char *name)
{
	size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "_0123456789");

	return length && !name[length] && length <= NAME_LIMIT && !isdigit((unsigned char)*name) &&
	       !is_keyword(name);
}

/* file NULL: stdout. Returns NULL: it has complained. */
static FILE *open_output(const char *file)
{
	FILE *out = file ? fopen(file, "wb") : stdout;

	if (!out)
		complain(UNREADABLE, file, "%s", strerror(errno));
	return out;
}

/* stdout is seen to by main(). */
static int close_output(FILE *out, const char *file)
{
	int bad = file && ferror(out);

	if (file && (fclose(out) || bad))
		return complain(UNREADABLE, file, "cannot be written");
	return GOOD;
}

static int put_rom(const struct source *source, const struct input *input,
		   const struct rom_form *form)
{
	char name[NAME_LIMIT + 1];
	struct parts parts;
	FILE *out;

	if (form->name && !is_identifier(form->name))
		return complain(USAGE, form->name, "not a name in C of at most %d characters",
				NAME_LIMIT);
	if (form->binary && !form->output && isatty(STDOUT_FILENO))
		return complain(USAGE, NULL, "an image is not for terminals: add -o FILE");
	if (!list_parts(&parts, source->map))
		return complain(FAULT, source->name,
				"tables of this image share bytes; give its device tree");
	out = open_output(form->output);
	if (!out)
		return UNREADABLE;
	name_after(name, source->data ? source->name : "sample");
	if (form->binary)
		put_image(out, source->map, &parts, form->big);
	else
		put_source(out, source, input, &parts, form->name ? form->name : name);
	return close_output(out, form->output);
}

#endif /* ROM_H */
