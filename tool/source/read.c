/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
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

char *path_below(const char *folder, const char *name)
{
	size_t length = strlen(folder);

	return printed("%s%s%s", folder, length && folder[length - 1] != '/' ? "/" : "", name);
}
