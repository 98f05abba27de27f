/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check.c -- the verb check: reports findings and groups similar ones.
 */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>
#include "groups.h"
#include "findings/checks.h"
#include "findings/findings.h"
#include "findings/report.h"
#include "fix/fix.h"
#include "map/riscv.h"
#include "source/dts.h"
#include "source/read.h"
#include "source/request.h"
#include "text/json.h"
#include "text/text.h"

static void put_summary(const struct report *r)
{
	const char *separator = "";

	put_escaped(stdout, r->source.file.name, 0);
	fputs(": ", stdout);
	for (int severity = PMUMAP_ERROR; severity >= PMUMAP_NOTE; severity--) {
		uint32_t n = r->count[severity];

		if (n)
			printf("%s%" PRIu32 " %s%s", separator, n,
			       pmumap_severity_str((enum pmumap_severity)severity),
			       n == 1 ? "" : "s");
		separator = n ? ", " : separator;
	}
	fputs(*separator                                            ? ""
	      : r->source.map || is_event_file(r->source.file.name) ? "no findings"
								    : "describes no PMU",
	      stdout);
	if (r->ignored)
		printf(", %" PRIu32 " ignored", r->ignored);
	putchar('\n');
}

/* True if the finding may cause others: part of the tree is skipped or misread. */
static int is_cause(const struct pmumap_finding *f)
{
	return f->code == PMUMAP_F_PROPERTY_UNKNOWN || (int)f->code == PROPERTY_NEAR ||
	       (int)f->code == ROW_CELLS || (int)f->code == TABLE_LAYOUT ||
	       (int)f->code == COMPATIBLE_MISSING || (int)f->code == UNIT_COMPATIBLE ||
	       (f->code == PMUMAP_F_TRAILING_BYTES && f->row != PMUMAP_NO_ROW);
}

/* Sorts causes first, then by file and line if known, then as reported. */
static int by_line(const void *left, const void *right)
{
	const struct found *a = left, *b = right;
	int order = is_cause(&b->f) - is_cause(&a->f);

	if (order)
		return order;
	if (!a->spot.line != !b->spot.line)
		return a->spot.line ? -1 : 1;
	if (a->spot.line)
		order = strcmp(a->spot.file, b->spot.file);
	if (!order && a->spot.line != b->spot.line)
		order = a->spot.line < b->spot.line ? -1 : 1;
	return order ? order : a->number < b->number ? -1 : 1;
}

/* Sorts causes first, then by line; without lines, by severity, code and property. */
static int by_weight(const void *left, const void *right)
{
	const struct found *x = ((const struct group *)left)->shown;
	const struct found *y = ((const struct group *)right)->shown;
	const struct pmumap_finding *a = &x->f, *b = &y->f;

	if (x->spot.line || y->spot.line || is_cause(a) != is_cause(b))
		return by_line(x, y);
	if (a->severity != b->severity)
		return a->severity > b->severity ? -1 : 1;
	if (a->code != b->code)
		return a->code < b->code ? -1 : 1;
	if (!a->property || !b->property)
		return !a->property - !b->property;
	return strcmp(a->property, b->property);
}

/* ---- the verb -------------------------------------------------------------------------------- */

static void on_finding(void *arg, const struct pmumap_finding *f)
{
	struct report *r = arg;
	struct found found = { .f = *f };

	if (has_odd_row(r, f) || (f->code == PMUMAP_F_RAW_WIDE && is_half(f->value)) ||
	    is_replaced(r, f))
		return;
	if ((int)f->code == TABLE_LAYOUT)
		r->misread = f->node;
	if (f->code == PMUMAP_F_TRAILING_BYTES)
		found.f.row = senseless_row(r, f);
	add_found(r, &found);
}

/* True if the other finding tells the cause of this one. */
static int causes(const struct pmumap_finding *other, const struct pmumap_finding *f)
{
	if (other->node != f->node)
		return 0;
	if ((int)f->code == SELECTORS_ABSENT)
		return other->code == PMUMAP_F_PROPERTY_UNKNOWN;
	return other->code == PMUMAP_F_DEFAULT_COLLISION && other->row == f->row;
}

/* True if another finding of the node tells the same cause. */
static int is_consequence(struct report *r, const struct found *found)
{
	const struct pmumap_finding *f = &found->f;

	if (r->misread && f->node == r->misread)
		return (int)f->code != TABLE_LAYOUT && f->code != PMUMAP_F_PROPERTY_UNKNOWN;
	if (f->code != PMUMAP_F_COUNTERS_ORPHAN && (int)f->code != SELECTORS_ABSENT)
		return 0;
	for (uint32_t i = 0; i < r->finds; i++) {
		if (causes(&r->found[i].f, f))
			return 1;
	}
	return 0;
}

/* Drops such findings. Returns how many. */
static uint32_t drop(struct report *r, int (*is_dropped)(struct report *, const struct found *))
{
	uint32_t kept = 0, all = r->finds;

	for (uint32_t i = 0; i < all; i++) {
		if (!is_dropped(r, &r->found[i])) {
			r->found[kept++] = r->found[i];
			continue;
		}
		r->count[r->found[i].f.severity]--;
		free(r->found[i].about);
	}
	r->finds = kept;
	return all - kept;
}

/* Finds the place of each finding and drops ignored ones. */
static void drop_ignored(struct report *r)
{
	(void)drop(r, is_consequence);
	for (uint32_t i = 0; i < r->finds; i++) {
		if (!r->found[i].about)
			r->found[i].spot = spot_of(r, &r->found[i].f);
	}
	r->ignored = drop(r, is_ignored);
}

static void tell_sarif(struct report *r, const struct found *found)
{
	char *result = finding_sarif(r, found);

	if (!keep_sarif(result))
		put_sarif(result, NULL, 0);
}

/* Prints all findings in line order. */
static void tell(struct report *r)
{
	for (uint32_t i = 0; i < r->finds; i++) {
		struct pmumap_finding *f = &r->found[i].f;

		if (f->severity == PMUMAP_NOTE && is_lost_here(r, f)) {
			r->count[f->severity]--;
			f->severity = PMUMAP_WARNING;
			r->count[f->severity]++;
		}
	}
	if (r->finds)
		qsort(r->found, r->finds, sizeof(*r->found), by_line);
	for (uint32_t i = 0; i < r->finds; i++) {
		if (!is_first(r, &r->found[i]))
			continue;
		if (r->options & SARIF)
			tell_sarif(r, &r->found[i]);
		else if (r->options & JSON)
			finding_json(r, &r->found[i]);
		else
			add_to_groups(r, &r->found[i]);
	}
	if (r->used)
		qsort(r->groups, r->used, sizeof(*r->groups), by_weight);
	for (uint32_t i = 0; i < r->used; i++) {
		put_group(r, &r->groups[i]);
		free(r->groups[i].shown);
	}
}

/* A program that reads the log must see which files were not checked. */
static void tell_unread(const struct report *r, FILE *notifications)
{
	sarif_notification(notifications, r->source.file.name);
	if (!(r->options & JSON))
		return;
	json_kind("unread");
	json_string("file", r->source.file.name);
	json_string("why", last_complaint());
	json_end();
}

/* What became of the files. */
struct tally {
	size_t described, unread, overlays, events;
};

/* Reports what was found in a file. Returns an exit code. */
static int conclude(const struct request *request, struct report *r, int folder, int code)
{
	drop_ignored(r);
	if (r->options & FIX)
		code = code <= FAULT ? fix(r, VALUE(request, OUTPUT)) : code;
	else
		tell(r);
	if (code == GOOD && !(r->options & (JSON | SARIF | FIX)) && (r->finds || !folder))
		put_summary(r);
	if (code == GOOD && !(r->options & FIX) &&
	    (r->count[PMUMAP_ERROR] || (r->options & STRICT && r->count[PMUMAP_WARNING])))
		code = FAULT;
	unload_reading(&r->reading);
	for (uint32_t i = 0; i < r->finds; i++)
		free(r->found[i].about);
	free(r->found);
	free(r->odd);
	free(r->groups);
	return code;
}

/* ---- trees ----------------------------------------------------------------------------------- */

static int check_file(const struct request *request, const struct events *core, const char *name,
		      int many, int folder, FILE *notifications, struct tally *tally)
{
	struct report r = { .options = request->options,
			    .counters = request->counters,
			    .many = many,
			    .core = core };
	struct input input = request->input;
	int code = read_firmware(VALUE(request, FIRMWARE), &r.firmware);

	input.tree = 1;
	input.allow_none = (r.options & ALLOW_NONE) != 0 || folder;
	if (code == GOOD)
		code = fetch(&r.source, name);
	if (code == GOOD && is_dts(name))
		straighten_rows(&r, &input);
	if (code == GOOD)
		code = understand(&r.source, &input, on_finding, &r);
	tally->unread += code != GOOD;
	tally->overlays += code == GOOD && !r.source.map && is_overlay(r.source.file.data);
	if (code != GOOD)
		tell_unread(&r, notifications);
	else if (core->path && r.source.map)
		check_events(&r, &input, on_finding);
	if (code <= FAULT) {
		check_cells(&r, &input, on_finding);
		check_tree(&r, &input, on_finding);
	}
	if (r.source.map && is_dts(name))
		read_marks(name);
	tally->described += code == GOOD && r.source.map;
	code = conclude(request, &r, folder, code);
	unload(&r.source);
	unload_lines(&r.lines);
	return code;
}

/* ---- event files ----------------------------------------------------------------------------- */

static size_t folder_length(const char *name)
{
	return (size_t)(base_name(name) - name);
}

static int by_folder(const void *left, const void *right)
{
	const char *a = *(char *const *)left, *b = *(char *const *)right;
	size_t length = folder_length(a), other = folder_length(b);
	int order = strncmp(a, b, length < other ? length : other);

	if (order || length != other)
		return order ? order : length < other ? -1 : 1;
	return strcmp(a, b);
}

/* The end of the files from i on that are of one folder. perf makes one list of them. */
static size_t end_of_folder(const struct files *files, size_t i)
{
	const char *first = files->names[i];
	size_t length = folder_length(first);

	do
		i++;
	while (i < files->count && folder_length(files->names[i]) == length &&
	       !strncmp(first, files->names[i], length));
	return i;
}

/* Reads the files from first to last. A file that cannot be read has no part in the others. */
static int read_folder(const struct request *request, struct events *core,
		       const struct files *files, size_t first, size_t last, FILE *notifications,
		       struct tally *tally)
{
	int worst = GOOD;

	limit_time();
	reset_output();
	core->checked = 1;
	core->path = files->names[first];
	for (size_t i = first; i < last; i++) {
		const struct report r = { .options = request->options,
					  .source.file.name = files->names[i] };
		int code = read_event_file(core, files->names[i]);

		if (code == GOOD)
			continue;
		tell_unread(&r, notifications);
		tally->unread++;
		worst = code;
	}
	finish_events(core);
	tally->events += core->entry_count;
	return worst;
}

static int check_folder(const struct request *request, const struct events *core,
			const struct files *files, int many, const struct pmumap *map)
{
	int worst = GOOD;

	for (size_t i = 0; i < core->file_count; i++) {
		struct report r = { .options = request->options,
				    .many = many,
				    .core = core,
				    .source.file.name = core->files[i] };
		int code;

		check_entries(&r, map);
		code = conclude(request, &r, files->folder, GOOD);
		worst = code > worst ? code : worst;
	}
	return worst;
}

/* ---- all files ------------------------------------------------------------------------------- */

/* Moves the event files to another list, sorted by folder. */
static void split_files(struct files *trees, struct files *events)
{
	size_t kept = 0;

	events->folder = trees->folder;
	for (size_t i = 0; i < trees->count; i++) {
		if (!is_event_file(trees->names[i])) {
			trees->names[kept++] = trees->names[i];
			continue;
		}
		events->names = grow(events->names, events->count, sizeof(*events->names));
		events->names[events->count++] = trees->names[i];
	}
	trees->count = kept;
	if (events->count)
		qsort(events->names, events->count, sizeof(*events->names), by_folder);
}

static void put_tally(const struct tally *tally, size_t trees, size_t files)
{
	if (trees)
		printf("%zu of %zu trees describe a PMU", tally->described, trees);
	if (files)
		printf("%s%zu events in %zu files", trees ? ", " : "", tally->events, files);
	if (tally->unread)
		printf(", %zu could not be read", tally->unread);
	if (tally->overlays)
		printf(", %zu %s not checked", tally->overlays,
		       tally->overlays == 1 ? "is an overlay," : "are overlays,");
	putchar('\n');
}

static int check_trees(const struct request *request, const struct events *core,
		       const struct files *files, int many, FILE *notifications,
		       struct tally *tally)
{
	unsigned char *lacking = files->folder ? look_ahead(files, request->jobs) : NULL;
	int worst = GOOD;

	for (size_t i = 0; i < files->count; i++) {
		int code = lacking && lacking[i] ? GOOD
						 : check_file(request, core, files->names[i], many,
							      files->folder, notifications, tally);

		worst = code > worst ? code : worst;
	}
	end_look(lacking, files);
	return worst;
}

/* With one tree and the events of one core, compares them. */
static int check_both(const struct request *request, struct events *core, const struct files *trees,
		      const struct files *events, FILE *notifications, struct tally *tally)
{
	struct source board = { 0 };
	struct input input = request->input;
	int code = read_folder(request, core, events, 0, events->count, notifications, tally);
	int other = check_trees(request, core, trees, 1, notifications, tally);

	code = other > code ? other : code;
	input.allow_none = 1;
	if (other <= FAULT && load(&board, trees->names[0], &input, NULL, NULL) == GOOD &&
	    !has_riscv(board.map))
		unload(&board), board = (struct source){ 0 };
	other = check_folder(request, core, events, 1, board.map);
	unload(&board);
	return other > code ? other : code;
}

static int check_each(const struct request *request, struct events *core, const struct files *trees,
		      const struct files *events, FILE *notifications, struct tally *tally)
{
	const int many = trees->count + events->count > 1;
	int worst = check_trees(request, core, trees, many, notifications, tally);

	for (size_t i = 0, end; i < events->count; i = end) {
		struct events folder = { 0 };
		int code;

		end = end_of_folder(events, i);
		code = read_folder(request, &folder, events, i, end, notifications, tally);
		worst = code > worst ? code : worst;
		code = check_folder(request, &folder, events, many, NULL);
		worst = code > worst ? code : worst;
		unload_events(&folder);
	}
	return worst;
}

/* Checks each file. SARIF gets a notification for each file that could not be checked. */
static int check_files(const struct request *request, struct events *core,
		       const struct files *trees, const struct files *events)
{
	const int both = trees->count == 1 && events->count && !(request->options & EVENTS) &&
			 end_of_folder(events, 0) == events->count;
	char *notifications;
	struct tally tally = { 0 };
	size_t size;
	FILE *out = open_text(&notifications, &size);
	int worst;

	if (request->options & SARIF)
		begin_sarif();
	worst = (both ? check_both : check_each)(request, core, trees, events, out, &tally);
	close_text(out);
	tell_shared(request->options);
	tell_marks(core);
	if (trees->folder && !(request->options & (JSON | SARIF | FIX)))
		put_tally(&tally, trees->count, events->count);
	if (request->options & SARIF)
		end_sarif(worst, notifications);
	free(notifications);
	return worst;
}

int check_verb(const struct request *request)
{
	struct events core = { 0 };
	struct files files = { 0 }, events = { 0 };
	enum firmware firmware;
	int code;

	if (VALUE(request, EXPLAIN))
		return request->count ? complain(USAGE, NULL, "--explain reads no FILE")
				      : explain_code(VALUE(request, EXPLAIN),
						     (request->options & JSON) != 0);
	if ((request->options & JSON) && (request->options & SARIF))
		return complain(USAGE, NULL, "--json or --sarif, not both");
	if ((request->options & FIX) && (request->options & (JSON | SARIF | EVENTS)))
		return complain(USAGE, NULL,
				"--fix prints only a diff: no --json, --sarif, --events");
	if ((request->options & OUTPUT) && !(request->options & FIX))
		return complain(USAGE, NULL, "-o writes the fixed copy; it needs --fix");
	if (!request->count)
		return complain(USAGE, NULL, "check needs a FILE or a folder");
	code = read_firmware(VALUE(request, FIRMWARE), &firmware);
	if (code == GOOD)
		code = read_vendor(request, &core);
	for (int i = 0; code == GOOD && i < request->count; i++)
		code = add_files(&files, request->args[i]);
	split_files(&files, &events);
	if (code == GOOD && request->options & FIX && (files.count != 1 || events.count))
		code = complain(USAGE, NULL, "--fix takes one tree, no other FILE");
	if (code == GOOD)
		code = check_files(request, &core, &files, &events);
	unload_events(&core);
	free_files(&files);
	free_files(&events);
	return code;
}
