/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions that the tests need and picolibc lacks or makes too slow here.
 */
#define _POSIX_C_SOURCE 200809L

#include <glob.h>
#include <malloc.h>
#include <semihost.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

__attribute__((constructor)) static void always_quick(void)
{
	setenv("PMUMAP_QUICK", "1", 1);
}

/* Time used on QEMU's host. picolibc returns wall-clock time, and not in CLOCKS_PER_SEC units. */
clock_t clock(void)
{
	return (clock_t)sys_semihost_clock() * (CLOCKS_PER_SEC / 100);
}

/* picolibc's version walks over all free blocks. */
void *realloc(void *block, size_t size)
{
	size_t before = block ? malloc_usable_size(block) : 0;
	void *other;

	if (block && before >= size)
		return block;
	other = malloc(size);
	if (block && other) {
		memcpy(other, block, before);
		free(block);
	}
	return other;
}

/* The pattern has at most one '*', which matches no '/'. */
static int fits(const char *pattern, const char *path)
{
	size_t head = strcspn(pattern, "*"), all = strlen(path), tail;

	if (!pattern[head])
		return strcmp(pattern, path) == 0;
	tail = strlen(pattern + head + 1);
	return all >= head + tail && memcmp(pattern, path, head) == 0 &&
	       strcmp(pattern + head + 1, path + all - tail) == 0 &&
	       !memchr(path + head, '/', all - head - tail);
}

/* A file lists all fixtures; semihosting reads it and them. */
int glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *files)
{
	static char *found[512];
	char path[256];
	FILE *list = fopen("build/bare.files", "r");

	(void)flags;
	(void)failed;
	files->gl_pathv = found;
	files->gl_pathc = 0;
	while (list && fscanf(list, "%255s", path) == 1) {
		if (!fits(pattern, path))
			continue;
		if (files->gl_pathc == 512 || !(found[files->gl_pathc] = strdup(path)))
			abort();
		files->gl_pathc++;
	}
	if (!list || fclose(list))
		abort();
	return files->gl_pathc == 0;
}

void globfree(glob_t *files)
{
	while (files->gl_pathc)
		free(files->gl_pathv[--files->gl_pathc]);
}
