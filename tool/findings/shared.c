/* SPDX-License-Identifier: BSD-2-Clause */
#include "report.h"
#include "shared.h"
#include "source/request.h"
#include "text/json.h"

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

static char *copy_of(const char *text)
{
	return strcpy(reallocate(NULL, strlen(text) + 1, 1), text);
}

static void add_board(struct shared *s, const char *board)
{
	s->boards = grow(s->boards, s->count, sizeof(*s->boards));
	s->boards[s->count++] = copy_of(board);
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
			      .file = copy_of(found->spot.file) };
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
	for (size_t i = 0; i < s->count; i++) {
		json_item();
		putchar('"');
		put_escaped(stdout, s->boards[i], 1);
		putchar('"');
	}
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
