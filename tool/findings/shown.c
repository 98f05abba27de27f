/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shown.c -- which findings to show: not those that the user ignores, and once those of a file that
 * several boards include.
 */
#include <sys/stat.h>
#include "report.h"
#include "map/suggest.h"
#include "source/request.h"
#include "text/json.h"

static unsigned char codes[CODES]; /* 1: ignored */
static uint64_t *prints;           /* fingerprints of ignored findings */
static size_t print_count;

static int refuse_code(const char *text)
{
	struct nearest n = nearest_to(text);

	for (size_t i = 0; i < EXPLANATIONS; i++)
		consider(&n, code_text(explanation_at(i)->code));
	return complain(USAGE, text, "neither a finding's code nor a file%s", meant(&n).s);
}

/* ---- a list ---------------------------------------------------------------------------------- */

/* Reads one line: a code, a finding as --json prints it, or a comment. */
static int read_entry(char *line, const char *file)
{
	static const char key[] = "\"fingerprint\":\"0x";
	const char *print = strstr(line, key);
	size_t length = strcspn(line, " \t\r\n");
	uint32_t code = code_of(line, length);

	if (print) {
		prints = grow(prints, print_count, sizeof(*prints));
		prints[print_count++] = strtoull(print + strlen(key), NULL, 16);
	} else if (code) {
		codes[code] = 1;
	} else if (length && *line != '#' && *line != '{') {
		line[length] = '\0';
		return complain(USAGE, file, "%s is not a finding's code", line);
	}
	return GOOD;
}

static int by_value(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a == *b ? 0 : *a < *b ? -1 : 1;
}

static int read_list(const char *file)
{
	struct bytes text = { .name = file };
	int code = read_file(&text, file);
	char *line, *next;

	if (code == GOOD) {
		text.data = reallocate(text.data, text.size + 1, 1);
		text.data[text.size] = '\0';
		for (line = (char *)text.data; code == GOOD && line; line = next) {
			next = strchr(line, '\n');
			if (next)
				*next++ = '\0';
			code = read_entry(line, file);
		}
	}
	if (print_count)
		qsort(prints, print_count, sizeof(*prints), by_value);
	free(text.data);
	return code;
}

int ignore(const char *code_or_file)
{
	uint32_t code = code_of(code_or_file, strlen(code_or_file));
	struct stat what;

	if (!code)
		return stat(code_or_file, &what) ? refuse_code(code_or_file)
						 : read_list(code_or_file);
	codes[code] = 1;
	return GOOD;
}

int is_ignored(struct report *r, const struct found *found)
{
	uint64_t print;

	if (is_marked(r, found) || codes[found->f.code])
		return 1;
	if (!print_count)
		return 0;
	print = fingerprint(r, found);
	return bsearch(&print, prints, print_count, sizeof(print), by_value) != NULL;
}

#define SHOWN 5u /* boards named per line of text */

/* A finding in an included file. */
struct shared {
	uint64_t print;
	uint32_t code, line, row, other;
	char *file, **boards, *sarif;
	size_t count;
};

static struct shared *all;
static size_t used;
static struct shared *latest; /* the entry that is_first() just added; NULL: it did not add one */
static uint32_t *slots;       /* hash table: 1 + index in all, or 0 if empty */
static size_t slot_count;

static int is_same(const struct shared *s, const struct found *found, uint64_t print)
{
	return s->print == print && s->line == found->spot.line && s->row == found->f.row &&
	       s->other == found->f.other && !strcmp(s->file, found->spot.file);
}

static void add_board(struct shared *s, const char *board)
{
	s->boards = grow(s->boards, s->count, sizeof(*s->boards));
	s->boards[s->count++] = printed("%s", board);
}

/* The table stays at most half full, so every search reaches an empty slot. */
static void enlarge(void)
{
	if (2 * used < slot_count)
		return;
	slot_count = slot_count ? 2 * slot_count : 64;
	slots = reallocate(slots, slot_count, sizeof(*slots));
	memset(slots, 0, slot_count * sizeof(*slots));
	for (size_t i = 0; i < used; i++) {
		size_t at = (size_t)(all[i].print + all[i].row) & (slot_count - 1);

		while (slots[at])
			at = (at + 1) & (slot_count - 1);
		slots[at] = (uint32_t)i + 1;
	}
}

int is_first(struct report *r, const struct found *found)
{
	const char *board = r->source.file.name;
	uint64_t print;
	size_t at;
	struct shared *s;

	latest = NULL;
	if (!r->many || !found->spot.line || !strcmp(found->spot.file, board))
		return 1;
	enlarge();
	print = fingerprint(r, found);
	for (at = (size_t)(print + found->f.row) & (slot_count - 1); slots[at];
	     at = (at + 1) & (slot_count - 1)) {
		s = &all[slots[at] - 1];
		if (!is_same(s, found, print))
			continue;
		if (!strcmp(s->boards[s->count - 1], board))
			return 1;
		add_board(s, board);
		return 0;
	}
	all = grow(all, used, sizeof(*all));
	slots[at] = (uint32_t)used + 1;
	s = &all[used++];
	*s = (struct shared){ .print = print,
			      .code = found->f.code,
			      .line = found->spot.line,
			      .row = found->f.row,
			      .other = found->f.other,
			      .file = printed("%s", found->spot.file) };
	add_board(s, board);
	latest = s;
	return 1;
}

int keep_sarif(char *result)
{
	if (latest)
		latest->sarif = result;
	return latest != NULL;
}

static void json_shared(const struct shared *s)
{
	json_kind("affected");
	json_string("code", code_text(s->code));
	json_string("file", s->file);
	json_number("line", s->line);
	json_hex("fingerprint", s->print);
	json_list("boards");
	for (size_t i = 0; i < s->count; i++)
		json_item_text(s->boards[i]);
	json_list_end();
	json_end();
}

static void put_shared(const struct shared *s)
{
	put_escaped(stdout, s->file, 0);
	printf(":%" PRIu32 ": %s affects %zu boards: ", s->line, code_text(s->code), s->count);
	for (size_t i = 0; i < s->count && i < SHOWN; i++) {
		fputs(i ? ", " : "", stdout);
		put_escaped(stdout, base_name(s->boards[i]), 0);
	}
	puts(s->count > SHOWN ? ", ..." : "");
}

void tell_shared(uint64_t options)
{
	reset_output();
	for (size_t i = 0; i < used; i++) {
		if (all[i].sarif)
			put_sarif(all[i].sarif, all[i].boards, all[i].count);
		else if (options & JSON && all[i].count > 1)
			json_shared(&all[i]);
		else if (!(options & (JSON | SARIF | FIX)) && all[i].count > 1)
			put_shared(&all[i]);
		for (size_t k = 0; k < all[i].count; k++)
			free(all[i].boards[k]);
		free(all[i].boards);
		free(all[i].file);
	}
	free(all);
	free(slots);
	all = NULL;
	slots = NULL;
	used = slot_count = 0;
}
