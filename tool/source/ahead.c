/* SPDX-License-Identifier: BSD-2-Clause */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "dts.h"

/* On a terminal, the first process shows how far it is. */
static void show_progress(FILE *terminal, size_t i, size_t count)
{
	if (terminal && i % 64 == 0)
		fprintf(terminal, "%zu of %zu\r", i, count), fflush(terminal);
}

/* The process that goes on alone repeats complaints, so this one prints none. */
static void look(const struct files *files, size_t first, size_t step, unsigned char *lacking)
{
	FILE *terminal =
		first == 0 && isatty(STDERR_FILENO) ? fdopen(dup(STDERR_FILENO), "w") : NULL;

	dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
	for (size_t i = first; i < files->count; i += step) {
		limit_time();
		show_progress(terminal, i, files->count);
		lacking[i] = (unsigned char)lacks_pmu(files->names[i]);
	}
	_exit(0);
}

unsigned char *look_ahead(const struct files *files, uint64_t processes)
{
	unsigned char *lacking =
		mmap(NULL, files->count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (lacking == MAP_FAILED)
		return NULL;
	if (!processes)
		processes = cpus > 0 ? (uint64_t)cpus : 1;
	fflush(NULL);
	for (uint64_t i = 0; i < processes && i < files->count; i++) {
		if (fork() == 0)
			look(files, i, processes, lacking);
	}
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return lacking;
}

void end_look(unsigned char *lacking, const struct files *files)
{
	if (lacking)
		munmap(lacking, files->count);
}
