/* SPDX-License-Identifier: BSD-2-Clause */
#define _XOPEN_SOURCE 700
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#include "output.h"

#define TEXT_OF(number) #number
#define AS_TEXT(number) TEXT_OF(number)

/* Lowers the soft limit. It never raises it. */
static void lower(int resource, rlim_t most)
{
	struct rlimit now;

	if (getrlimit(resource, &now) || (now.rlim_cur != RLIM_INFINITY && now.rlim_cur <= most))
		return;
	now.rlim_cur = most;
	setrlimit(resource, &now);
}

/* A sanitizer's shadow memory needs terabytes of address space. */
static int is_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__)
	return 1;
#elif defined(__has_feature)
	return __has_feature(address_sanitizer) || __has_feature(memory_sanitizer);
#else
	return 0;
#endif
}

void limit_memory(void)
{
	if (!is_sanitized())
		lower(RLIMIT_AS, (rlim_t)MEMORY_MIB << 20);
}

static void on_end(int signal)
{
	static const char text[] = "pmumap: stopped: this file takes more than " AS_TEXT(
		PROCESSOR_SECONDS) " s to compute\n";
	ssize_t done = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)signal, (void)done;
	_exit(UNREADABLE);
}

void limit_time(void)
{
	const struct itimerval left = { .it_value.tv_sec = PROCESSOR_SECONDS };
	struct sigaction action = { .sa_handler = on_end };

	sigemptyset(&action.sa_mask);
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &left, NULL);
}

/* A session of its own: no terminal to read from, and one signal ends the whole group. */
void limit_program(void)
{
	setsid();
	lower(RLIMIT_CPU, PROCESSOR_SECONDS);
	lower(RLIMIT_FSIZE, (rlim_t)PROGRAM_MIB << 20);
	lower(RLIMIT_CORE, 0);
	signal(SIGALRM, SIG_DFL);
	alarm(PROGRAM_SECONDS);
}
