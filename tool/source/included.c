/* SPDX-License-Identifier: BSD-2-Clause */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>
#include "read.h"

static const char **trusted;
static size_t trusted_count;
static int all;

void trust_folder(const char *folder)
{
	trusted = grow(trusted, trusted_count, sizeof(*trusted));
	trusted[trusted_count++] = folder;
}

void trust_all(void)
{
	all = 1;
}

int trusts_all(void)
{
	return all;
}

/* Opens a file below a folder. Neither may be a link, nor any folder between them. */
static int open_below(const char *root, const char *path)
{
	const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int fd = open(*root ? root : "/", flags), next;
	char name[NAME_MAX + 1];

	for (path += strspn(path, "/"); fd >= 0 && *path; path += strspn(path, "/")) {
		size_t length = strcspn(path, "/");

		length = length < sizeof(name) ? length : sizeof(name) - 1;
		memcpy(name, path, length);
		name[length] = '\0';
		next = openat(fd, name, flags);
		close(fd);
		fd = next;
		path += length;
	}
	return fd;
}

/* The last two folders asked for, with links resolved; NULL if it is missing. */
static const char *root_of(const char *folder)
{
	static struct {
		char *folder, *root;
	} known[2];
	static int last;

	if (!known[last].folder || strcmp(known[last].folder, folder) != 0)
		last = !last;
	if (!known[last].folder || strcmp(known[last].folder, folder) != 0) {
		free(known[last].folder);
		free(known[last].root);
		known[last].folder = strdup(folder);
		known[last].root = realpath(folder, NULL);
	}
	return known[last].root;
}

/*
 * Opens a file if it is in the folder or below. real: its path with links resolved. If folder is a
 * file, only that file is opened. Returns MISSING if it is elsewhere.
 */
static int open_in(const char *folder, const char *real, int *below)
{
	const char *root = root_of(folder);
	size_t length = root ? strlen(root) : 0;

	length -= length == 1; /* "/" */
	*below = root && !strncmp(real, root, length) && (real[length] == '/' || !real[length]);
	return *below ? open_below(length ? root : "", real + length) : -1;
}

/* Opens the file in the first trusted folder that it is below. *below: there is one. */
static int open_trusted(const char *real, const char *source, int *below)
{
	size_t length = (size_t)(base_name(source) - source);
	char *folder = length ? printed("%.*s", (int)length, source) : printed(".");
	int fd;

	fd = open_in(all ? "/" : folder, real, below);
	if (!*below)
		fd = open_in(".", real, below);
	for (size_t i = 0; i < trusted_count && !*below; i++)
		fd = open_in(trusted[i], real, below);
	free(folder);
	return fd;
}

int read_included(struct bytes *bytes, const char *source)
{
	char *real = realpath(bytes->name, NULL);
	int below = 0, fd = real ? open_trusted(real, source, &below) : -1, code = MISSING;
	struct stat what;

	if (real && !below)
		code = complain(UNREADABLE, source,
				"includes %s from another folder: permit that folder with -I DIR",
				bytes->name);
	else if (fd >= 0 && (fstat(fd, &what) || !S_ISREG(what.st_mode)))
		code = complain(UNREADABLE, source, "includes %s, which is not a file",
				bytes->name);
	else if (fd >= 0)
		code = read_all(bytes, fd);
	if (fd >= 0)
		close(fd);
	free(real);
	return code;
}
