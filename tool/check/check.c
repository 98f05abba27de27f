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
	if (!*separator && !r->source.map && !is_event_file(r->source.file.name))
		fputs("describes no PMU", stdout);
	else if (!*separator)
		fputs("no findings", stdout);
	if (r->ignored)
		printf(", %" PRIu32 " ignored", r->ignored);
	putchar('\n');
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

/* A run over all files. */
struct job {
	const struct request *request;
	struct events *core;
	int many, folder; /* as in struct report and struct files */
	int worst;        /* the exit code so far */
	FILE *notifications;
	size_t described, unread, overlays, events;
};

static void add_code(struct job *job, int code)
{
	job->worst = code > job->worst ? code : job->worst;
}

/* A program that reads the log must see which files were not checked. */
static void tell_unread(struct job *job, const char *file)
{
	job->unread++;
	sarif_notification(job->notifications, file);
	if (!(job->request->options & JSON))
		return;
	json_kind("unread");
	json_string("file", file);
	json_string("why", last_complaint());
	json_end();
}

static void free_found(struct report *r)
{
	unload_reading(&r->reading);
	unload_reading(&r->shifted);
	for (uint32_t i = 0; i < r->finds; i++)
		free(r->found[i].about);
	free(r->found);
	free(r->odd);
	free(r->groups);
}

static int examine(struct report *r, const struct input *input)
{
	int code = understand(&r->source, input, on_finding, r);

	if (code == GOOD && r->core->path && r->source.map)
		check_events(r, input, on_finding);
	/* A container that lacks the catalog is no tree. */
	if (code <= FAULT && !is_container(r->source.file.data, r->source.file.size)) {
		check_cells(r, input, on_finding);
		check_tree(r, input, on_finding);
	}
	return code;
}

/* A right name may bring a table to light that has errors. */
static int check_copy(const struct job *job, const struct report *r, struct bytes *copy)
{
	struct report again = { .options = r->options,
				.counters = r->counters,
				.firmware = r->firmware,
				.core = r->core };
	struct input input = job->request->input;
	int code = GOOD;

	input.tree = input.allow_none = input.all_harts = 1;
	if (is_dts(r->source.file.name)) {
		code = compile_text(&again.source.file, copy, r->source.file.name, 0);
	} else {
		again.source.file = *copy;
		copy->data = NULL;
	}
	again.source.file.name = "the fixed copy"; /* no source, so it is not read for lines */
	if (code == GOOD)
		code = examine(&again, &input);
	drop_ignored(&again);
	/* The copy has no lines, so what a comment ignores is found again. */
	if (code == GOOD && again.count[PMUMAP_ERROR] + again.ignored_errors > r->ignored_errors &&
	    again.count[PMUMAP_ERROR])
		code = FAULT;
	free_found(&again);
	unload(&again.source);
	return code;
}

static int fix_file(const struct job *job, struct report *r)
{
	struct bytes copy = { .name = r->source.file.name };
	int code = fix(r, VALUE(job->request, OUTPUT), &copy);

	if (code == GOOD && copy.data)
		code = check_copy(job, r, &copy);
	free(copy.data);
	return code;
}

/* Reports what was found in a file. */
static void conclude(struct job *job, struct report *r, int code)
{
	drop_ignored(r);
	if (r->options & FIX)
		code = code <= FAULT ? fix_file(job, r) : code;
	else
		put_findings(r);
	if (code == GOOD && !(r->options & (JSON | SARIF | FIX)) && (r->finds || !job->folder))
		put_summary(r);
	if (code == GOOD && !(r->options & FIX) &&
	    (r->count[PMUMAP_ERROR] || (r->options & STRICT && r->count[PMUMAP_WARNING])))
		code = FAULT;
	add_code(job, code);
	free_found(r);
}

/* ---- event files ----------------------------------------------------------------------------- */

static size_t folder_length(const char *name)
{
	return (size_t)(base_name(name) - name);
}

static int share_folder(const char *a, const char *b)
{
	return folder_length(a) == folder_length(b) && !strncmp(a, b, folder_length(a));
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

/* Reads the files of one folder, from *i on. perf makes one list of them. */
static void read_folder(struct job *job, struct events *core, const struct files *files, size_t *i)
{
	core->path = files->names[*i];
	limit_time();
	reset_output();
	core->checked = 1;
	do {
		const char *name = files->names[*i];
		int again = *i && !strcmp(name, files->names[*i - 1]);
		int code = again ? GOOD : read_event_file(core, name, 0);

		if (code != GOOD)
			tell_unread(job, name);
		add_code(job, code);
		++*i;
	} while (*i < files->count && share_folder(core->path, files->names[*i]));
	finish_events(core);
	job->events += core->entry_count;
}

static void check_folder(struct job *job, const struct events *core, const struct pmumap *map)
{
	for (size_t i = 0; i < core->file_count; i++) {
		struct report r = { .options = job->request->options,
				    .many = job->many,
				    .core = core,
				    .source.file.name = core->files[i] };

		check_entries(&r, map);
		conclude(job, &r, GOOD);
	}
}

/* ---- trees ----------------------------------------------------------------------------------- */

static void check_file(struct job *job, const char *name)
{
	struct report r = { .options = job->request->options,
			    .counters = job->request->counters,
			    .many = job->many,
			    .core = job->core };
	struct input input = job->request->input;
	int code = read_firmware(VALUE(job->request, FIRMWARE), &r.firmware);
	int may_lack = (r.options & ALLOW_NONE) != 0 || job->folder;

	input.tree = input.allow_none = 1;
	if (code == GOOD)
		code = fetch(&r.source, name);
	if (code == GOOD && is_dts(name))
		straighten_rows(&r, &input);
	if (code == GOOD)
		code = examine(&r, &input);
	job->overlays += code == GOOD && !r.source.map && is_overlay(r.source.file.data);
	if (code == GOOD && !r.source.map && !may_lack && !r.count[PMUMAP_ERROR])
		code = refuse_source(&r.source, &input, PMUMAP_E_NOTFOUND);
	if (code != GOOD)
		tell_unread(job, r.source.file.name);
	if (r.source.map && is_dts(name))
		read_marks(name);
	job->described += code == GOOD && r.source.map;
	conclude(job, &r, code);
	if (r.core->checked)
		check_folder(job, r.core,
			     code == GOOD && has_riscv(r.source.map) ? r.source.map : NULL);
	unload(&r.source);
	unload(&r.written);
	unload_lines(&r.lines);
}

/* ---- all files ------------------------------------------------------------------------------- */

/* Moves the event files to another list, sorted by folder. */
static void split_files(struct files *trees, struct files *events)
{
	size_t kept = 0;

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

static void put_tally(const struct job *job, size_t trees, size_t files)
{
	if (trees)
		printf("%zu of %zu trees describe a PMU", job->described, trees);
	if (files)
		printf("%s%zu events in %zu files", trees ? ", " : "", job->events, files);
	if (job->unread)
		printf(", %zu could not be read", job->unread);
	if (job->overlays)
		printf(", %zu %s not checked", job->overlays,
		       job->overlays == 1 ? "is an overlay," : "are overlays,");
	putchar('\n');
}

/* With one tree and the events of one folder, compares them. */
static void check_all(struct job *job, const struct files *trees, const struct files *events)
{
	unsigned char *lacking = trees->folder ? look_ahead(trees, job->request->jobs) : NULL;
	size_t next = 0;

	if (trees->count == 1 && events->count && !job->core->path &&
	    share_folder(events->names[0], events->names[events->count - 1]))
		read_folder(job, job->core, events, &next);
	for (size_t i = 0; i < trees->count; i++) {
		if (!lacking || !lacking[i])
			check_file(job, trees->names[i]);
		else if (job->core->checked)
			check_folder(job, job->core, NULL);
	}
	end_look(lacking, trees);
	while (next < events->count) {
		struct events own = { 0 };

		read_folder(job, &own, events, &next);
		check_folder(job, &own, NULL);
		unload_events(&own);
	}
}

/* Checks each file. SARIF gets a notification for each file that could not be checked. */
static int check_files(const struct request *request, struct events *core,
		       const struct files *trees, const struct files *events)
{
	struct job job = { .request = request,
			   .core = core,
			   .many = trees->count + events->count > 1,
			   .folder = trees->folder };
	char *notifications;
	size_t size;

	job.notifications = open_text(&notifications, &size);
	if (request->options & SARIF)
		begin_sarif();
	check_all(&job, trees, events);
	close_text(job.notifications);
	tell_shared(request->options);
	tell_marks(core);
	if (trees->folder && !(request->options & (JSON | SARIF | FIX)))
		put_tally(&job, trees->count, events->count);
	if (request->options & SARIF)
		end_sarif(job.worst, notifications);
	free(notifications);
	return job.worst;
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
