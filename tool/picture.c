/* SPDX-License-Identifier: BSD-2-Clause
 *
 * picture.c -- the verb picture: a map as SVG.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>
#include "amu.h"
#include "picture.h"
#include "riscv.h"
#include "verbs.h"

static void draw(struct canvas *c, const struct source *source, const char *unit)
{
	const struct pmumap *map = source->map;
	int imc = has_imc(map), amu = has_amu(map);

	c->y = 38;
	put_text(c, LEFT, c->y, "nh", 0, base_name(source->file.name));
	reach(c, 480);
	if (has_riscv(map) && !unit)
		draw_riscv(c, map);
	if (imc)
		draw_imc(c, map, unit);
	if (amu && !unit)
		draw_amu(c, map);
	if (!imc && !amu && !has_riscv(map))
		put_note(c, "nothing to count");
	c->y += LEFT;
}

static int put_picture(const struct source *source, const char *unit, const char *output)
{
	struct canvas c = { 0 };
	char *body;
	size_t bytes;
	FILE *out;

	if (unit && !means_any(source->map, unit))
		return complain(FAULT, source->file.name, "no unit %s", unit);
	c.out = open_text(&body, &bytes);
	draw(&c, source, unit);
	close_text(c.out);
	out = open_output(output);
	if (!out) {
		free(body);
		return UNREADABLE;
	}
	put_svg(out, &c, base_name(source->file.name), body, bytes);
	free(body);
	return close_output(out, output);
}

/* What opens a file for people, on Linux, macOS and WSL: the first that is there. */
static int open_picture(const char *file)
{
	static const char *const programs[] = { "xdg-open", "open", "wslview" };
	pid_t child;
	int status = 0;

	fflush(stdout);
	child = fork();
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
				? "nothing here opens it: install xdg-utils, or look at it yourself"
				: "it is written, but cannot be opened");
}

/* A file that stays, for who looks at it may be slow to read it. */
static int name_picture(char *name, size_t room)
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

int picture_verb(const struct request *request)
{
	struct source source = { 0 };
	const char *file, *output = VALUE(request, OUTPUT);
	int code = read_file_name(request, "picture", &file), look = request->options & OPEN;
	char name[256];

	if (code == GOOD)
		code = load(&source, file, &request->input, NULL, NULL);
	if (code == GOOD && look && !output) {
		code = name_picture(name, sizeof(name));
		output = name;
	}
	if (code == GOOD)
		code = put_picture(&source, VALUE(request, UNIT), output);
	if (code == GOOD && look)
		code = open_picture(output);
	unload(&source);
	return code;
}
