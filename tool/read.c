/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "read.h"

#define FILE_LIMIT (64u << 20)

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
			return complain(UNREADABLE, bytes->name, "%s", strerror(errno));
		if (got == 0)
			return GOOD;
		if (got > 0)
			bytes->size += (size_t)got;
	}
}

int read_file(struct bytes *bytes, const char *file)
{
	int fd = open(file, O_RDONLY);
	int code;

	if (fd < 0)
		return complain(UNREADABLE, bytes->name, "%s%s", strerror(errno),
				errno == EACCES ? " (/sys/firmware/fdt is root's)" : "");
	code = read_all(bytes, fd);
	close(fd);
	return code;
}
