/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <dirent.h>
#include <sys/stat.h>
#include "read.h"
#include "text/text.h"

#define FILE_LIMIT (64u << 20)

/* True if the name ends in .dtb or .dts, and the file with the other ending exists. */
static int has_twin(const char *file)
{
	size_t length = strlen(file);
	char *twin;
	int here;

	if (length < 4 || (strcmp(file + length - 4, ".dtb") && strcmp(file + length - 4, ".dts")))
		return 0;
	twin = escaped(file, "");
	twin[strlen(twin) - 1] = file[length - 1] == 'b' ? 's' : 'b';
	here = !access(twin, F_OK);
	free(twin);
	return here;
}

/* Suggests what was meant if the file cannot be read. */
static const char *advice(const char *file, int error)
{
	if (error == EACCES)
		return " (/sys/firmware/fdt is root's)";
	if (error == EISDIR)
		return " (only check takes folders)";
	if (error != ENOENT || !has_twin(file))
		return "";
	return file[strlen(file) - 1] == 'b' ? " (there is a .dts)" : " (there is a .dtb)";
}

static int refuse(const struct bytes *bytes)
{
	int error = errno;

	return complain(UNREADABLE, bytes->name, "%s%s", strerror(error),
			advice(bytes->name, error));
}

int read_all(struct bytes *bytes, int fd)
{
	size_t room = 0;

	for (;;) {
		ssize_t got;

		if (bytes->size == room) {
			if (room >= FILE_LIMIT)
				return complain(UNREADABLE, bytes->name, "%u MiB or more: too big",
						FILE_LIMIT >> 20);
			room = room ? 2 * room : 1u << 16;
			bytes->data = reallocate(bytes->data, room, 1);
		}
		got = read(fd, bytes->data + bytes->size, room - bytes->size);
		if (got < 0 && errno != EINTR)
			return refuse(bytes);
		if (got == 0)
			return GOOD;
		if (got > 0)
			bytes->size += (size_t)got;
	}
}

/* Opening a FIFO without a writer would block for ever. */
int read_file(struct bytes *bytes, const char *file)
{
	int fd = open(file, O_RDONLY | O_NONBLOCK), code;

	if (fd < 0)
		return refuse(bytes);
	fcntl(fd, F_SETFL, O_RDONLY);
	code = read_all(bytes, fd);
	close(fd);
	return code;
}

static void add_name(struct files *files, const char *folder, const char *name)
{
	char *path;
	size_t size;
	FILE *out = open_text(&path, &size);

	fprintf(out, "%s%s%s", folder, *folder && folder[strlen(folder) - 1] != '/' ? "/" : "",
		name);
	close_text(out);
	files->names = grow(files->names, files->count, sizeof(*files->names));
	files->names[files->count++] = path;
}

static int is_tree(const char *name)
{
	static const char *const ends[] = { ".dts", ".dtb", ".dtso", ".dtbo" };
	const char *dot = strrchr(name, '.');
	int is = 0;

	for (size_t i = 0; dot && i < LENGTH(ends); i++)
		is |= !strcmp(dot, ends[i]);
	return is;
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
	if (!lstat(path, &what) && S_ISREG(what.st_mode) && is_tree(name))
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
		       ? complain(USAGE, name, "no .dts or .dtb in this folder")
		       : code;
}

void free_files(struct files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->names[i]);
	free(files->names);
}
