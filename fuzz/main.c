/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main() of a harness: AFL++ in persistent mode with its compiler; otherwise runs every given file
 * and every file of given folders once. libFuzzer has its own main() and needs the mutator here.
 */
#ifdef FUZZ_LIBFUZZER
#include "mutator.c"
#else

#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64 /* 32-bit readdir() fails on large inode numbers */
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#define FUZZ_MAIN
#include "fuzz.h"
#include "steps.h"

#ifdef __AFL_COMPILER

__AFL_FUZZ_INIT();

int main(void)
{
	const unsigned char *bytes;

	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(NULL, NULL);
	__AFL_INIT();
	bytes = __AFL_FUZZ_TESTCASE_BUF;
	while (__AFL_LOOP(100000))
		LLVMFuzzerTestOneInput(bytes, (size_t)__AFL_FUZZ_TESTCASE_LEN);
	return 0;
}

#else

#define SECONDS_PER_INPUT 20u

static char now[4096];
static unsigned inputs, failed;

static void died(int number)
{
	fprintf(stderr, "signal %d: %s\n", number, now);
	signal(number, SIG_DFL);
	raise(number);
}

static void replay_file(void)
{
	static uint8_t bytes[1 << 20];
	FILE *f = fopen(now, "rb");
	size_t size;

	if (!f) {
		perror(now);
		failed++;
		return;
	}
	size = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	alarm(SECONDS_PER_INPUT);
	LLVMFuzzerTestOneInput(bytes, size);
	inputs++;
}

static void replay(const char *path)
{
	struct dirent *entry;
	DIR *dir = opendir(path);

	snprintf(now, sizeof(now), "%s", path);
	if (!dir) {
		replay_file();
		return;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(now, sizeof(now), "%s/%s", path, entry->d_name);
		replay_file();
	}
	closedir(dir);
}

int main(int argc, char **argv)
{
	int i;

	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(NULL, NULL);
	signal(SIGABRT, died);
	signal(SIGALRM, died);
#ifndef __SANITIZE_ADDRESS__ /* that says more */
	signal(SIGSEGV, died);
#endif
	for (i = 1; i < argc; i++)
		replay(argv[i]);
#ifdef FUZZ_STEPS
	steps_report();
#endif
	failed += inputs == 0;
	printf("%u checks\n%d passed, %u failed\n", inputs, !failed, failed);
	return failed != 0;
}

#endif

#endif
