/* SPDX-License-Identifier: BSD-2-Clause */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>
#include "dts.h"
#include "text/output.h"

#define MESSAGE_BYTES 8192u /* shown at most */

static void run(const char *const *command, int in, int out, int errors)
{
	int nothing = open("/dev/null", O_RDWR);

	dup2(in >= 0 ? in : nothing, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(errors >= 0 ? errors : nothing, STDERR_FILENO);
	limit_program();
	execvp(command[0], (char *const *)(size_t)command);
	_exit(127);
}

int start_program(struct program *p, const char *const *command, int in, int out, int quiet,
		  const char *file)
{
	*p = (struct program){ .name = command[0], .errors = quiet ? NULL : tmpfile() };
	fflush(stdout);
	p->child = p->errors || quiet ? fork() : -1;
	if (p->child == 0)
		run(command, in, out, p->errors ? fileno(p->errors) : -1);
	if (p->child > 0)
		return GOOD;
	if (p->errors)
		fclose(p->errors);
	return complain(UNREADABLE, file, "%s", strerror(errno));
}

/* Returns the program's messages; the caller frees them. *left: there are more. */
static char *read_messages(FILE *errors, size_t *length, int *left)
{
	char *text = reallocate(NULL, MESSAGE_BYTES + 1, 1);

	rewind(errors);
	*length = fread(text, 1, MESSAGE_BYTES, errors);
	text[*length] = '\0';
	*left = getc(errors) != EOF;
	return text;
}

/* True for a line of source that cpp quotes, "    2 | #error x", and for the mark below it. */
static int is_quoted(const char *line)
{
	line += strspn(line, " 0123456789");
	return *line == '|';
}

/* Each line begins with the program's name, so that none begins with what a source says. */
static void show_messages(const struct program *p)
{
	size_t length;
	int left;
	char *text = read_messages(p->errors, &length, &left), *next;

	fflush(stdout);
	for (char *at = text; at < text + length; at = next) {
		char *stop = memchr(at, '\n', (size_t)(text + length - at));

		next = stop ? stop + 1 : text + length;
		if (is_quoted(at))
			continue;
		fprintf(stderr, "%s: ", p->name);
		put_source_text(stderr, at, (size_t)((stop ? stop : next) - at));
		putc('\n', stderr);
	}
	if (left)
		complain(GOOD, p->name, "further messages are left out");
	free(text);
}

void put_messages(struct program *p, int shown)
{
	if (!p->errors)
		return;
	if (shown)
		show_messages(p);
	fclose(p->errors);
	p->errors = NULL;
}

/* cpp only starts the compiler and prints how it ended. */
static void explain_end(struct program *p, int signal)
{
	size_t length, size = sizeof(p->why);
	int left;
	char *text = p->errors ? read_messages(p->errors, &length, &left) : NULL;

	if (signal == SIGALRM)
		snprintf(p->why, size, "needs more than %d s", PROGRAM_SECONDS);
	else if (signal == SIGXCPU || (text && strstr(text, "CPU time limit")))
		snprintf(p->why, size, "needs more than %d s to compute", PROCESSOR_SECONDS);
	else if (signal == SIGXFSZ || (text && strstr(text, "File size limit")))
		snprintf(p->why, size, "writes more than %d MiB", PROGRAM_MIB);
	else if (text && (strstr(text, "alloc() failed") || strstr(text, "out of memory")))
		snprintf(p->why, size, "needs more than %d MiB of memory", MEMORY_MIB);
	else if (signal)
		snprintf(p->why, size, "was killed by signal %d", signal);
	free(text);
}

/* Also kills the programs that it started, before their process group id can be reused. */
int end_program(struct program *p)
{
	siginfo_t info;
	int status = 0;

	while (waitid(P_PID, (id_t)p->child, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	kill(-p->child, SIGKILL);
	while (waitpid(p->child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	explain_end(p, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
