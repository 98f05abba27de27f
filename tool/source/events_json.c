/* SPDX-License-Identifier: BSD-2-Clause
 *
 * events_json.c -- reads event files. perf's files are lists of objects. Some objects are metrics;
 * others only name an event that a file of the architecture describes.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <dirent.h>
#include <strings.h>
#include <sys/stat.h>
#ifdef PMUMAP_TOOL_JANSSON
#include <jansson.h>
#endif
#include "map/events.h"
#include "read.h"
#include "text/text.h"

#ifndef PMUMAP_TOOL_JANSSON

const int reads_events = 0;

int read_event_file(struct events *events, const char *file, int quiet)
{
	(void)events;
	(void)quiet;
	return complain(UNREADABLE, file,
			"built without jansson, it cannot read events (install libjansson-dev)");
}

int read_events(struct events *events, const char *path)
{
	events->path = path;
	return read_event_file(events, path, 0);
}

void finish_events(struct events *events)
{
	(void)events;
}

#else

const int reads_events = 1;

#define LEVELS 4 /* folders searched for an ArchStdEvent: core, vendor, architecture */

/* ---- lines, which jansson does not tell ------------------------------------------------------ */

struct scan {
	const char *at, *end; /* valid JSON */
	uint32_t line, depth; /* depth 1: in the list; 2: in an entry */
};

/* Skips a string and blanks. True if it is a key. *first, *length: its letters. */
static int skip_string(struct scan *s, const char **first, size_t *length)
{
	*first = s->at;
	while (s->at < s->end && *s->at != '"')
		s->at += *s->at == '\\' ? 2 : 1;
	*length = (size_t)(s->at - *first);
	for (s->at++; s->at < s->end && strchr(" \t\r\n", *s->at); s->at++)
		s->line += *s->at == '\n';
	return s->at < s->end && *s->at == ':';
}

static void note_key(struct entry *e, const char *key, size_t length, uint32_t line)
{
	static const char *const keys[] = { "EventName", "ArchStdEvent", "EventCode", "ConfigCode",
					    "CounterIDMask" };

	for (unsigned i = 0; i < LENGTH(keys); i++) {
		if (strlen(keys[i]) == length && !strncasecmp(keys[i], key, length))
			e->line[i / 2] = line; /* NAME_KEY, CODE_KEY, MASK_KEY */
	}
}

/* Finds the lines of the next object in the list. A missing key has the object's line. */
static void find_lines(struct scan *s, struct entry *e)
{
	const char *key;
	size_t length;
	char last = ' ';

	while (s->at < s->end && (last != '}' || s->depth != 1)) {
		uint32_t line = s->line;

		last = *s->at++;
		s->line += last == '\n';
		if (last == '{' && s->depth == 1)
			e->line[NAME_KEY] = e->line[CODE_KEY] = e->line[MASK_KEY] = line;
		s->depth += last == '{' || last == '[';
		s->depth -= last == '}' || last == ']';
		if (last == '"' && skip_string(s, &key, &length) && s->depth == 2)
			note_key(e, key, length, line);
	}
}

/* ---- one file -------------------------------------------------------------------------------- */

static const char *text_of(const json_t *entry, const char *key)
{
	return json_string_value(json_object_get(entry, key));
}

/* A key's value. perf wants numbers as text. After a leading 0, *number has the digits as hex. */
static enum number_state number_of(const json_t *entry, const char *key, uint64_t *number)
{
	const json_t *value = json_object_get(entry, key);
	const char *text = json_string_value(value);

	if (!value)
		return NO_NUMBER;
	if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*number = (uint64_t)json_integer_value(value);
		return BARE_NUMBER;
	}
	if (!text || !read_code(text, number))
		return BAD_NUMBER;
	if (*text != '0' || !isdigit((unsigned char)text[1]) || !*number)
		return GOOD_NUMBER;
	*number = strtoull(text, NULL, 16);
	return ZERO_FIRST;
}

/* Reads CounterIDMask, or perf's Counter, ignoring its texts for other architectures. */
static void read_mask(json_t *entry, struct entry *e)
{
	const char *listed = text_of(entry, "Counter");
	uint64_t mask = 0;
	const char *key;
	json_t *value;

	e->mask = number_of(entry, "CounterIDMask", &mask);
	json_object_foreach(entry, key, value)
	{
		if (e->mask == NO_NUMBER && !strcasecmp(key, "CounterIDMask"))
			e->mask = OTHER_CASE;
	}
	if (e->mask >= ZERO_FIRST && (!mask || mask > UINT32_MAX))
		e->mask = BAD_NUMBER;
	if (e->mask >= ZERO_FIRST)
		e->counters = (uint32_t)mask;
	else if (listed && !read_counters(listed, &e->counters))
		e->counters = 0;
}

/* Events of other PMUs, and those of architectures whose codes have several parts, are left out. */
static void read_entry(struct events *events, struct entry *e, json_t *entry)
{
	const char *name = text_of(entry, "EventName"), *arch = text_of(entry, "ArchStdEvent");

	if ((!name && !arch) || json_object_get(entry, "Unit") || json_object_get(entry, "UMask"))
		return;
	e->from_config = json_object_get(entry, "ConfigCode") != NULL;
	e->code = number_of(entry, e->from_config ? "ConfigCode" : "EventCode", &e->config);
	e->standard = arch && e->code == NO_NUMBER;
	read_mask(entry, e);
	if (arch)
		name = arch;
	e->name = path_below("", name);
	events->entries = grow(events->entries, events->entry_count, sizeof(*e));
	events->entries[events->entry_count++] = *e;
}

int read_event_file(struct events *events, const char *file, int quiet)
{
	struct bytes bytes = { .name = file };
	int code = read_file(&bytes, file);
	struct scan scan = { (const char *)bytes.data, NULL, 1, 0 };
	json_error_t error;
	json_t *root = NULL;
	size_t i, size;

	if (code == GOOD) {
		root = json_loadb(scan.at, bytes.size, 0, &error);
		scan.end = scan.at + bytes.size;
		if (quiet && !json_is_array(root))
			code = UNREADABLE;
		else if (!root)
			code = complain(UNREADABLE, file, "line %d, column %d: %s", error.line,
					error.column, *error.text ? error.text : "too big");
		else if (!json_is_array(root))
			code = complain(UNREADABLE, file, "not a list of events like perf's files");
	}
	if (code == GOOD) {
		events->files = grow(events->files, events->file_count, sizeof(*events->files));
		events->files[events->file_count++] = path_below("", file);
	}
	size = code == GOOD ? json_array_size(root) : 0;
	for (i = 0; i < size; i++) {
		json_t *entry = json_array_get(root, i);
		struct entry e = { .file = events->files[events->file_count - 1] };

		if (!json_is_object(entry))
			continue;
		find_lines(&scan, &e);
		read_entry(events, &e, entry);
	}
	json_decref(root);
	free(bytes.data);
	return code;
}

/* ---- folders --------------------------------------------------------------------------------- */

static int is_json(const struct dirent *entry)
{
	return is_event_file(entry->d_name) && strcmp(entry->d_name, "metricgroups.json") != 0;
}

static int read_folder(struct events *events, const char *folder, int quiet)
{
	struct dirent **names;
	int count = scandir(folder, &names, is_json, alphasort), code = GOOD;

	if (count < 0)
		return quiet ? GOOD : complain(UNREADABLE, folder, "cannot be read");
	for (int i = 0; i < count; i++) {
		char *file = path_below(folder, names[i]->d_name);

		if (code == GOOD || quiet)
			code = read_event_file(events, file, quiet);
		free(file);
		free(names[i]);
	}
	free(names);
	if (code == GOOD && !count && !quiet)
		return complain(UNREADABLE, folder, "no .json in it; name the folder of one core");
	return code;
}

/* ---- after the last file --------------------------------------------------------------------- */

/* Searches the folder of the files, and the folders above. */
static void find_standard(struct events *events)
{
	const char *path = events->files[0];
	size_t length = (size_t)(base_name(path) - path);
	char *at = length ? printed("%.*s", (int)length, path) : printed(".");

	for (int level = 0; resolve_entries(events, events) && level < LEVELS; level++) {
		struct events standard = { 0 };
		char *above = path_below(at, "..");

		(void)read_folder(&standard, at, 1);
		(void)resolve_entries(events, &standard);
		unload_events(&standard);
		free(at);
		at = above;
	}
	free(at);
	resolve_firmware(events);
}

void finish_events(struct events *events)
{
	if (!events->entry_count)
		return;
	find_standard(events);
	link_entries(events);
	for (size_t i = 0; i < events->entry_count; i++) {
		const struct entry *e = &events->entries[i];

		if (e->code >= BARE_NUMBER && e->config &&
		    (e->mask < BAD_NUMBER || e->mask >= BARE_NUMBER))
			add_event(events, e->name, e->config, e->counters);
	}
	sort_out(events);
}

int read_events(struct events *events, const char *path)
{
	struct stat about;
	int folder = !stat(path, &about) && S_ISDIR(about.st_mode);
	int code = folder ? read_folder(events, path, 0) : read_event_file(events, path, 0);
	size_t twice = 0;

	events->path = path;
	if (code == GOOD)
		finish_events(events);
	if (code == GOOD && !events->count)
		return complain(UNREADABLE, path,
				"no events in it that perf can count: run pmumap check on it");
	for (size_t i = 0; i < events->entry_count; i++)
		twice += events->entries[i].same_name != NULL;
	if (code == GOOD && (twice || events->count < events->entry_count))
		complain(GOOD, path,
			 "events left out: %zu of %zu; repeated names: %zu; run pmumap check on it",
			 events->entry_count - events->count, events->entry_count, twice);
	return code;
}

#endif
