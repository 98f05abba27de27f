/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fix.c -- the option --fix of check.
 */
#include "findings/findings.h"
#include "fix.h"
#include "source/dts.h"

static int write_copy(const struct bytes *copy, const char *file)
{
	FILE *out = open_output(file);

	if (!out)
		return UNREADABLE;
	fwrite(copy->data, 1, copy->size, out);
	return close_output(out, file);
}

/* Copies the file unchanged. For a .dts, that is the source. */
static int copy_file(const struct report *r, struct bytes *copy)
{
	const struct bytes *file = &r->source.file;

	copy->name = file->name;
	if (is_dts(file->name))
		return read_file(copy, file->name);
	copy->data = reallocate(NULL, file->size, 1);
	copy->size = file->size;
	memcpy(copy->data, file->data, file->size);
	return GOOD;
}

static void put_mended(const struct report *r, const struct mends *mends, uint32_t left,
		       const char *same_in)
{
	uint32_t renamed = 0;
	char *text;
	size_t size;
	FILE *out = open_text(&text, &size);

	for (uint32_t i = 0; i < mends->count; i++)
		renamed += mends->list[i].kind == RENAME || mends->list[i].kind == REWORD;
	if (!r->finds)
		fputs("no findings", out);
	else
		fprintf(out, "%" PRIu32 " of %" PRIu32 " finding%s fixed%s", mends->count - left,
			r->finds, r->finds == 1 ? "" : "s",
			mends->count ? "" : "; each needs a manual fix");
	if (same_in)
		fprintf(out, "; %s is an unchanged copy", same_in);
	fprintf(out, "%s%s", renamed ? "; names have changed, so check the copy again" : "",
		left ? "; the others are in other files, or need a manual fix" : "");
	close_text(out);
	complain(GOOD, r->source.file.name, "%s", text);
	free(text);
}

static void put_left(const struct report *r, const struct mends *mends)
{
	for (uint32_t i = 0; i < r->finds; i++) {
		const struct pmumap_finding *f = &r->found[i].f;
		const struct mend of = { .node = f->node, .property = f->property };
		const char *why = obstacle_to(r, f);

		if (why && !mend_of_row(mends, &of, f->row))
			complain(GOOD, r->source.file.name, "%s row %" PRIu32 ": %s is left: %s",
				 f->property, f->row, code_text(f->code), why);
	}
}

int fix(struct report *r, const char *output, struct bytes *copy)
{
	struct mends mends = { 0 };
	const char *same_in;
	uint32_t left = 0;
	int code = GOOD;

	list_mends(r, &mends);
	if (mends.count && is_dts(r->source.file.name))
		code = fix_text(r, &mends, copy, &left);
	else if (mends.count)
		code = fix_blob(r, &mends, copy);
	same_in = copy->data ? NULL : output;
	if (code == GOOD && same_in)
		code = copy_file(r, copy);
	if (code == GOOD) {
		put_mended(r, &mends, left, same_in);
		put_left(r, &mends);
	}
	if (code == GOOD && output)
		code = write_copy(copy, output);
	if (code == GOOD && (r->count[PMUMAP_ERROR] > mends.errors || (left && mends.errors)))
		code = FAULT;
	free(mends.list);
	return code;
}
