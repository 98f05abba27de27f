/* SPDX-License-Identifier: BSD-2-Clause
 *
 * open.c -- shows a file in the user's viewer.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>
#include "open.h"
#include "text/limits.h"

int name_picture(char *name, size_t room)
{
	const char *folder = getenv("TMPDIR");
	int fd;

	snprintf(name, room, "%.200s/pmumap-XXXXXX.svg", folder && *folder ? folder : "/tmp");
	fd = mkstemps(name, 4);
	if (fd < 0)
		return complain(UNREADABLE, name, "%s", strerror(errno));
	close(fd);
	return GOOD;
}

int open_picture(const char *file)
{
	static const char *const programs[] = { "xdg-open", "open", "wslview" };
	pid_t child;
	int status = 0;

	fflush(stdout);
	child = fork();
	if (child == 0)
		lift_limits();
	for (size_t i = 0; child == 0 && i < LENGTH(programs); i++)
		execlp(programs[i], programs[i], file, (char *)NULL);
	if (child == 0)
		_exit(127);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return GOOD;
	return complain(UNREADABLE, file, "%s",
			child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127
				? "no viewer found: install xdg-utils, or open it yourself"
				: "written, but cannot be opened");
}
