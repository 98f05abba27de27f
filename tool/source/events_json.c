/* SPDX-License-Identifier: BSD-2-Clause
 *
 * events_json.c -- reads event files. perf's files are lists of objects. Some objects are metrics;
 * others only name an event that a file of the architecture describes.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <sys/stat.h>
#ifdef PMUMAP_TOOL_JANSSON
#include <jansson.h>
#endif
#include "map/events.h"
#include "read.h"
#include "text/text.h"

#ifndef PMUMAP_TOOL_JANSSON

int read_events(struct events *events, const char *path)
{
	events->path = path;
	return complain(UNREADABLE, path,
			"built without jansson, it cannot read events (install libjansson-dev)");
}

#else

#define LEVELS 4  /* folders searched for an ArchStdEvent: core, vendor, architecture */
#define SELDOM 8u /* one code in this many may have two names */

struct reader {
	struct events *events;
	struct events standard; /* architectural events, from the files searched so far */
	char **wanted;          /* names in ArchStdEvent */
	size_t count;
};

/* ---- one file -------------------------------------------------------------------------------- */

static const char *text_of(const json_t *entry, const char *key)
{
	return json_string_value(json_object_get(entry, key));
}

/* A key's value, given as text or number. Returns 0 if it is missing or not a number. */
static int number_of(const json_t *entry, const char *key, uint64_t *number)
{
	const json_t *value = json_object_get(entry, key);

	if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*number = (uint64_t)json_integer_value(value);
		return 1;
	}
	return json_is_string(value) && read_code(json_string_value(value), number);
}

/* ConfigCode, otherwise EventCode. */
static int config_of(const json_t *entry, uint64_t *config)
{
	const char *key = json_object_get(entry, "ConfigCode") ? "ConfigCode" : "EventCode";

	return number_of(entry, key, config);
}

/*
 * Reads CounterIDMask, or perf's Counter, ignoring its texts for other architectures. *counters is
 * 0 if the entry names no counters. Returns 0 if the mask is malformed.
 */
static int counters_of(const json_t *entry, uint32_t *counters)
{
	const char *listed = text_of(entry, "Counter");
	uint64_t mask;

	*counters = 0;
	if (json_object_get(entry, "CounterIDMask")) {
		if (!number_of(entry, "CounterIDMask", &mask) || !mask || mask > UINT32_MAX)
			return 0;
		*counters = (uint32_t)mask;
	} else if (listed && !read_counters(listed, counters)) {
		*counters = 0;
	}
	return 1;
}

static void want(struct reader *r, const char *name)
{
	r->wanted = grow(r->wanted, r->count, sizeof(*r->wanted));
	r->wanted[r->count++] = escaped(name, "");
}

static int refuse(const char *file, const char *name, const char *what)
{
	char *shown = escaped(name, "");
	int code = complain(UNREADABLE, file, "%s %s", shown, what);

	free(shown);
	return code;
}

/* standard: the file was only searched for events that others name; the user did not ask for it. */
static int read_entry(struct reader *r, const char *file, const json_t *entry, int standard)
{
	const char *name = text_of(entry, "EventName"), *arch = text_of(entry, "ArchStdEvent");
	struct events *events = standard ? &r->standard : r->events;
	uint32_t counters;
	uint64_t config;

	if (arch && !standard)
		want(r, arch);
	if (arch || !name || json_object_get(entry, "Unit"))
		return GOOD;
	if (!counters_of(entry, &counters) && !standard)
		return refuse(file, name,
			      "has a CounterIDMask that names none of counters 0 to 31");
	if ((config_of(entry, &config) && add_event(events, name, config, counters)) || standard)
		return GOOD;
	return refuse(file, name, "has no EventCode that perf could use");
}

static int read_json(struct reader *r, const char *file, int standard)
{
	struct bytes bytes = { .name = file };
	int code = read_file(&bytes, file);
	json_error_t error;
	json_t *root = NULL;
	size_t i;

	if (code == GOOD) {
		root = json_loadb((const char *)bytes.data, bytes.size, 0, &error);
		if (standard)
			;
		else if (!root)
			code = complain(UNREADABLE, file, "line %d, column %d: %s", error.line,
					error.column, error.text);
		else if (!json_is_array(root))
			code = complain(UNREADABLE, file, "not a list of events like perf's files");
	}
	for (i = 0; code == GOOD && i < json_array_size(root); i++)
		code = read_entry(r, file, json_array_get(root, i), standard);
	json_decref(root);
	free(bytes.data);
	return code;
}

/* ---- folders --------------------------------------------------------------------------------- */

static int is_json(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 5 && !strcmp(entry->d_name + length - 5, ".json");
}

static char *inside(const char *folder, const char *name)
{
	char *path;
	size_t size;
	FILE *out = open_text(&path, &size);

	fprintf(out, "%s/%s", folder, name);
	close_text(out);
	return path;
}

static int read_folder(struct reader *r, const char *folder, int standard)
{
	struct dirent **names;
	int count = scandir(folder, &names, is_json, alphasort), code = GOOD;

	if (count < 0)
		return standard ? GOOD : complain(UNREADABLE, folder, "cannot be read");
	for (int i = 0; i < count; i++) {
		char *file = inside(folder, names[i]->d_name);

		if (code == GOOD)
			code = read_json(r, file, standard);
		free(file);
		free(names[i]);
	}
	free(names);
	if (code == GOOD && !count && !standard)
		return complain(UNREADABLE, folder, "no .json in it; name the folder of one core");
	return code;
}

/* ---- architectural events -------------------------------------------------------------------- */

/* Resolves the names that are known by now. Returns how many remain. */
static size_t resolve(struct reader *r, int last)
{
	size_t left = 0;

	for (size_t i = 0; i < r->count; i++) {
		const char *name = r->wanted[i];
		const struct vendor_event *e = event_by_name(r->events, name, strlen(name));
		uint32_t event;
		uint64_t data;

		if (!e)
			e = event_by_name(&r->standard, name, strlen(name));
		if (e) {
			add_event(r->events, e->name, e->config, e->counters);
		} else if (last && pmumap_event_parse(name, strlen(name), &event, &data) &&
			   event >= PMUMAP_EVENT_FIRMWARE) {
			add_event(r->events, name, (uint64_t)2 << 62 | (event & 0xffff), 0);
		} else {
			r->wanted[left++] = r->wanted[i];
			continue;
		}
		free(r->wanted[i]);
	}
	r->count = left;
	return left;
}

/* Searches the folder of the files, and the folders above. SBI also names firmware events. */
static int find_standard(struct reader *r, const char *path, int folder)
{
	size_t length = folder ? strlen(path) : (size_t)(base_name(path) - path);
	char *at = reallocate(NULL, length + 2, 1);
	int code = GOOD;

	memcpy(at, path, length);
	strcpy(at + length, length ? "" : ".");
	for (int level = 0; code == GOOD && resolve(r, 0) && level < LEVELS; level++) {
		char *above = inside(at, "..");

		code = read_folder(r, at, 1);
		free(at);
		at = above;
	}
	free(at);
	if (code == GOOD && resolve(r, 1))
		return complain(UNREADABLE, path,
				"ArchStdEvent %s is in no file here or in the folders above",
				r->wanted[0]);
	return code;
}

/* Code 0 in mhpmevent selects nothing. It is a placeholder until the vendor assigns a code. */
static int refuse_placeholders(const struct events *events)
{
	size_t count = 0;

	while (count < events->raw && !events->list[count].data)
		count++;
	if (!count)
		return GOOD;
	return complain(UNREADABLE, events->path,
			"%zu of %zu events have code 0x0 (%s): placeholders, not codes of a core",
			count, events->count, events->list[0].name);
}

/* A core's file uses a code once, with few exceptions. Warn if many codes repeat. */
static void doubt(const struct events *events)
{
	size_t twice = 0;

	for (size_t i = 1; i < events->raw; i++)
		twice += events->list[i].data == events->list[i - 1].data;
	if (twice * SELDOM > events->raw)
		complain(GOOD, events->path,
			 "%zu codes have several names: are these the files of several cores?",
			 twice);
}

int read_events(struct events *events, const char *path)
{
	struct reader r = { .events = events };
	struct stat about;
	int folder = !stat(path, &about) && S_ISDIR(about.st_mode), code;

	events->path = path;
	code = folder ? read_folder(&r, path, 0) : read_json(&r, path, 0);
	if (code == GOOD && r.count)
		code = find_standard(&r, path, folder);
	sort_out(events);
	if (code == GOOD && !events->count)
		code = complain(UNREADABLE, path, "no events in it");
	if (code == GOOD)
		code = refuse_placeholders(events);
	if (code == GOOD && folder)
		doubt(events);
	for (size_t i = 0; i < r.count; i++)
		free(r.wanted[i]);
	free(r.wanted);
	unload_events(&r.standard);
	return code;
}

#endif
