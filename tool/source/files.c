/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include "map/events.h"
#include "read.h"

static void add_name(struct files *files, const char *folder, const char *name)
{
	files->names = grow(files->names, files->count, sizeof(*files->names));
	files->names[files->count++] = path_below(folder, name);
}

static int is_tree(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (!strcmp(dot, ".dts") || !strcmp(dot, ".dtb") || !strcmp(dot, ".dtso") ||
		       !strcmp(dot, ".dtbo"));
}

/*
 * In a folder, a .json is anything. Linux keeps the events of other architectures beside those of
 * RISC-V; their codes mean something else.
 */
static int holds_events(const char *path)
{
	static const char folder[] = "/pmu-events/arch/", own[] = "riscv/";
	const char *arch = strstr(path, folder);
	struct bytes text = { .name = path };
	int holds = 0;

	if (!reads_events || !is_event_file(path) ||
	    (arch && strncmp(arch + sizeof(folder) - 1, own, sizeof(own) - 1) != 0))
		return 0;
	if (read_file(&text, path) == GOOD && text.size)
		holds = memmem(text.data, text.size, "\"EventName\"", 11) ||
			memmem(text.data, text.size, "\"ArchStdEvent\"", 14);
	free(text.data);
	return holds;
}

static int is_shown(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

static int add_folder(struct files *files, const char *folder);

/* Skips links to folders, because they may form a cycle. */
static int add_entry(struct files *files, const char *folder, const char *name)
{
	struct stat what;
	size_t before = files->count;
	char *path;
	int code = GOOD;

	add_name(files, folder, name);
	path = files->names[before];
	if (!lstat(path, &what) && S_ISREG(what.st_mode) && (is_tree(name) || holds_events(path)))
		return GOOD;
	files->count = before;
	if (!lstat(path, &what) && S_ISDIR(what.st_mode))
		code = add_folder(files, path);
	free(path);
	return code;
}

static int add_folder(struct files *files, const char *folder)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, is_shown, alphasort), code = GOOD;

	if (n < 0)
		return complain(UNREADABLE, folder, "%s", strerror(errno));
	for (int i = 0; i < n; i++) {
		if (code == GOOD)
			code = add_entry(files, folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return code;
}

int add_files(struct files *files, const char *name)
{
	size_t before = files->count;
	struct stat what;
	int code;

	if (!strcmp(name, "-") || stat(name, &what) || !S_ISDIR(what.st_mode)) {
		add_name(files, "", name);
		return GOOD;
	}
	trust_folder(name);
	files->folder = 1;
	code = add_folder(files, name);
	return code == GOOD && files->count == before
		       ? complain(USAGE, name, "no .dts, .dtb or event file in this folder")
		       : code;
}

void free_files(struct files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->names[i]);
	free(files->names);
}
