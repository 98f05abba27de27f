/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
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

/* No shell: whatever the file is called, it is one argument. */
static void become_dtc(const char *file, int annotate)
{
	if (annotate)
		execlp("dtc", "dtc", "-q", "-q", "-T", "-T", "-I", "dts", "-O", "dts", "-o", "-",
		       "--", file, (char *)NULL);
	else
		execlp("dtc", "dtc", "-q", "-I", "dts", "-O", "dtb", "-o", "-", "--", file,
		       (char *)NULL);
	_exit(127);
}

int run_dtc(struct bytes *bytes, const char *file, int annotate)
{
	int ends[2], status, code;
	pid_t child;

	if (access(file, R_OK) < 0 || pipe(ends) < 0)
		return complain(UNREADABLE, bytes->name, "%s", strerror(errno));
	child = fork();
	if (child < 0)
		return complain(UNREADABLE, bytes->name, "%s", strerror(errno));
	if (!child) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		if (annotate && !freopen("/dev/null", "w", stderr))
			_exit(127);
		become_dtc(file, annotate);
	}
	close(ends[1]);
	code = read_all(bytes, ends[0]);
	close(ends[0]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (code != GOOD || annotate)
		return code;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return complain(UNREADABLE, bytes->name,
				"needs dtc: install device-tree-compiler, or give a .dtb");
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return complain(UNREADABLE, bytes->name,
				"dtc refuses it (#include lines? First run "
				"cpp -nostdinc -undef -x assembler-with-cpp)");
	return GOOD;
}

int is_dts(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && !strcmp(name + length - 4, ".dts");
}
