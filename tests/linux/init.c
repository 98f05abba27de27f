/* SPDX-License-Identifier: BSD-2-Clause
 *
 * init.c -- the only program of a Linux machine with one or two harts. The tests that the kernel's
 * command line names behind "--" are run, each prints rows, and the machine is switched off:
 *
 *	=row	count	error	enabled	running
 *
 * All work is so many touched pages or interrupts, and no time: a busy machine is only slower.
 * "/init touch ROUNDS" and "/init ipis" are the work alone, for perf to look at.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/membarrier.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define PAGE ((size_t)4096)

#define CACHE(cache, op)                                                                           \
	PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 |       \
				    PERF_COUNT_HW_CACHE_RESULT_MISS << 16
#define HARDWARE(event) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event
/* As perf spells a firmware event of SBI: a raw one with bit 63. */
#define FIRMWARE(code) PERF_TYPE_RAW, UINT64_C(1) << 63 | (code)

enum modes { ALL, USER, KERNEL };

struct event {
	const char *name;
	uint32_t type;
	uint64_t config;
	enum modes modes;
};

static const struct event loads = { "dTLB-load-misses", CACHE(DTLB, READ), ALL };
static const struct event stores = { "dTLB-store-misses", CACHE(DTLB, WRITE), ALL };
static const struct event fetches = { "iTLB-load-misses", CACHE(ITLB, READ), ALL };
static const struct event loads_u = { "dTLB-load-misses:u", CACHE(DTLB, READ), USER };
static const struct event loads_k = { "dTLB-load-misses:k", CACHE(DTLB, READ), KERNEL };
static const struct event stores_u = { "dTLB-store-misses:u", CACHE(DTLB, WRITE), USER };
static const struct event stores_k = { "dTLB-store-misses:k", CACHE(DTLB, WRITE), KERNEL };
static const struct event cycles_u = { "cycles:u", HARDWARE(CPU_CYCLES), USER };
static const struct event instructions_u = { "instructions:u", HARDWARE(INSTRUCTIONS), USER };
static const struct event ipi_sent = { "fw-ipi-sent", FIRMWARE(6), ALL };
static const struct event ipi_received = { "fw-ipi-received", FIRMWARE(7), ALL };
static const struct event sfence_sent = { "fw-sfence-vma-asid-sent", FIRMWARE(12), ALL };
static const struct event sfence_received = { "fw-sfence-vma-asid-received", FIRMWARE(13), ALL };

static volatile unsigned char *memory;
static uint32_t pages = 65536;

/* ---- events ---------------------------------------------------------------------------------- */

struct setup {
	pid_t pid;       /* 0: this thread; -1: all that run on cpu */
	int cpu;         /* -1: any */
	int group;       /* descriptor of its leader, or -1 */
	int pinned;      /* it is never without a counter */
	uint64_t period; /* of samples; 0: none */
};

static const struct setup mine = { 0, -1, -1, 0, 0 };
static const struct setup pinned = { 0, -1, -1, 1, 0 };

/* A descriptor, or -errno. It does not count yet. */
static int open_event(const struct event *e, const struct setup *s)
{
	struct perf_event_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = e->type;
	attr.config = e->config;
	attr.exclude_kernel = e->modes == USER;
	attr.exclude_user = e->modes == KERNEL;
	attr.pinned = s->pinned != 0;
	attr.sample_period = s->period;
	attr.sample_type = s->period ? PERF_SAMPLE_IP : 0;
	attr.disabled = s->group < 0;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = (int)syscall(SYS_perf_event_open, &attr, s->pid, s->cpu, s->group, 0);
	return fd < 0 ? -errno : fd;
}

static void say(const char *name, uint64_t count, int error, uint64_t enabled, uint64_t running)
{
	printf("=%-28s %12" PRIu64 " %4d %12" PRIu64 " %12" PRIu64 "\n", name, count, error,
	       enabled, running);
	fflush(stdout);
}

/* Says what the event has counted, as PREFIX and its name. */
static void tell(const char *prefix, const struct event *e, int fd)
{
	uint64_t value[3] = { 0, 0, 0 };
	int error = fd < 0 ? -fd : 0;
	char name[64];

	if (fd >= 0 && read(fd, value, sizeof(value)) != sizeof(value))
		error = -1;
	snprintf(name, sizeof(name), "%s%s", prefix, e->name);
	say(name, value[0], error, value[1], value[2]);
}

/* The last word of an event. */
static void end(const char *prefix, const struct event *e, int fd)
{
	if (fd >= 0)
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	tell(prefix, e, fd);
	if (fd >= 0)
		close(fd);
}

static void enable(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

/* ---- work ------------------------------------------------------------------------------------ */

/* Huge pages would have fewer misses, and a page fault for each page many more. */
static void get_memory(void)
{
	void *p = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);

	if (p == MAP_FAILED || madvise(p, pages * PAGE, MADV_NOHUGEPAGE) ||
	    madvise(p, pages * PAGE, MADV_POPULATE_WRITE)) {
		printf("no memory: %s\n", strerror(errno));
		exit(1);
	}
	memory = p;
}

/* One miss of a load for each page. */
static void read_pages(unsigned rounds)
{
	uint32_t i;

	for (; rounds; rounds--)
		for (i = 0; i < pages; i++)
			(void)memory[i * PAGE];
}

static void write_pages(void)
{
	uint32_t i;

	for (i = 0; i < pages; i++)
		memory[i * PAGE] = 1;
}

/* The kernel writes to a quarter of the pages: QEMU takes long for a system call. */
static void write_pages_in_kernel(void)
{
	uint32_t i;

	for (i = 0; i < pages / 4; i++)
		syscall(SYS_clock_gettime, CLOCK_MONOTONIC, memory + i * PAGE);
}

static void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		printf("%s: %s: %s\n", file, text, strerror(errno));
	if (fd >= 0)
		close(fd);
}

static uint64_t get(const char *file)
{
	char text[32] = "";
	int fd = open(file, O_RDONLY);

	if (fd >= 0 && read(fd, text, sizeof(text) - 1) < 0)
		printf("%s: %s\n", file, strerror(errno));
	if (fd >= 0)
		close(fd);
	return strtoull(text, NULL, 10);
}

static void run_on(unsigned cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		printf("cpu %u: %s\n", cpu, strerror(errno));
}

/* ---- filters and groups ---------------------------------------------------------------------- */

/* Each alone: QEMU 7.2 counts an event on one counter only. */
static void count_one(const struct event *e, void (*work)(void))
{
	int fd = open_event(e, &mine);

	enable(fd);
	work();
	end("", e, fd);
}

static void read_once(void)
{
	read_pages(1);
}

static void test_filters(void)
{
	count_one(&loads_u, read_once);
	count_one(&loads_k, read_once);
	count_one(&stores_u, write_pages_in_kernel);
	count_one(&stores_k, write_pages_in_kernel);
	count_one(&cycles_u, read_once);
	count_one(&instructions_u, read_once);
}

/* With two counters the third has no place, and so none has. */
static void test_group(void)
{
	const struct event *events[] = { &loads, &stores, &fetches };
	struct setup member = mine;
	int fd[3], i;

	for (i = 0; i < 3; i++) {
		fd[i] = open_event(events[i], &member);
		member.group = fd[0];
	}
	enable(fd[0]);
	read_pages(1);
	write_pages();
	for (i = 0; i < 3; i++)
		tell("group/", events[i], fd[i]);
	for (i = 0; i < 3; i++)
		close(fd[i]);
}

/* ---- two counters ---------------------------------------------------------------------------- */

/* Both counters are busy. */
static void test_busy(void)
{
	int fd[4];

	fd[0] = open_event(&loads, &pinned);
	fd[1] = open_event(&stores, &pinned);
	enable(fd[0]);
	enable(fd[1]);
	fd[2] = open_event(&cycles_u, &mine);
	fd[3] = open_event(&instructions_u, &mine);
	enable(fd[2]);
	enable(fd[3]);
	read_pages(4);
	/* In this order: the first two leave their counters free. */
	end("busy/", &cycles_u, fd[2]);
	end("busy/", &instructions_u, fd[3]);
	end("busy/", &loads, fd[0]);
	end("busy/", &stores, fd[1]);
}

/* Each of five has a counter for two fifths of the time. */
static void test_five(void)
{
	const struct event *events[] = { &loads, &stores, &fetches, &cycles_u, &instructions_u };
	int fd[5], i;

	for (i = 0; i < 5; i++)
		fd[i] = open_event(events[i], &mine);
	for (i = 0; i < 5; i++)
		enable(fd[i]);
	read_pages(48);
	for (i = 0; i < 5; i++)
		ioctl(fd[i], PERF_EVENT_IOC_DISABLE, 0);
	for (i = 0; i < 5; i++)
		end("five/", events[i], fd[i]);
}

/* ---- interrupts between harts ---------------------------------------------------------------- */

#define IPIS 1000
#define SFENCES 200

static pthread_t spinner;
static volatile int spin;
static volatile unsigned turns;

static void *spin_on_1(void *arg)
{
	run_on(1);
	spin = 1;
	while (spin)
		turns++;
	return arg;
}

/* Hart 1 runs the thread just now: whatever was there besides has gone. */
static void wait_for_turn(void)
{
	const unsigned before = turns;

	while (turns == before)
		;
}

static void start_spinner(void)
{
	run_on(0);
	if (pthread_create(&spinner, NULL, spin_on_1, NULL))
		exit(1);
	while (!spin)
		sched_yield();
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
}

static void stop_spinner(void)
{
	spin = 0;
	pthread_join(spinner, NULL);
}

/* The kernel has to reach the other hart each time if that runs this program, and waits for it. */
static void send_ipis(void)
{
	int i;

	for (i = 0; i < IPIS; i++) {
		wait_for_turn();
		if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
			printf("no barrier: %s\n", strerror(errno));
	}
}

static void send_sfences(void)
{
	int i;

	for (i = 0; i < SFENCES; i++)
		mprotect((void *)memory, PAGE, i % 2 ? PROT_READ | PROT_WRITE : PROT_READ);
}

/* Events of all that runs on a hart: this one sends, the other one receives. */
static void across(const char *prefix, const struct event *sent, const struct event *received,
		   void (*work)(void))
{
	static const struct setup on_0 = { -1, 0, -1, 0, 0 }, on_1 = { -1, 1, -1, 0, 0 };
	int fd[2];

	start_spinner();
	fd[0] = open_event(sent, &on_0);
	fd[1] = open_event(received, &on_1);
	enable(fd[0]);
	enable(fd[1]);
	work();
	end(prefix, sent, fd[0]);
	end(prefix, received, fd[1]);
	stop_spinner();
}

static void test_ipi(void)
{
	across("", &ipi_sent, &ipi_received, send_ipis);
	across("", &sfence_sent, &sfence_received, send_sfences);
}

/* ---- samples --------------------------------------------------------------------------------- */

#define BUFFER (64 * PAGE)

/* Counts the records of one type in the buffer behind its first page. */
static uint64_t records(const struct perf_event_mmap_page *page, uint32_t type)
{
	const unsigned char *data = (const unsigned char *)page + PAGE;
	uint64_t at = 0, n = 0;
	struct perf_event_header header;

	while (at + sizeof(header) <= page->data_head) {
		memcpy(&header, data + at, sizeof(header));
		if (!header.size)
			break;
		n += header.type == type;
		at += header.size;
	}
	return n;
}

/* Samples of the misses that rounds make, once sleep, if there is one, is over. */
static void sample(const char *prefix, const struct setup *s, unsigned rounds, void (*sleep)(void))
{
	int fd = open_event(&loads, s);
	struct perf_event_mmap_page *page;
	char name[64];

	page = mmap(NULL, PAGE + BUFFER, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		printf("%s: %s\n", prefix, strerror(errno));
		return;
	}
	enable(fd);
	if (sleep)
		sleep();
	read_pages(rounds);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	snprintf(name, sizeof(name), "%ssamples", prefix);
	say(name, records(page, PERF_RECORD_SAMPLE), 0, 0, 0);
	snprintf(name, sizeof(name), "%sthrottled", prefix);
	say(name, records(page, PERF_RECORD_THROTTLE), 0, 0, 0);
	munmap(page, PAGE + BUFFER);
	close(fd);
}

/* More than one sample in a tick of 4 ms, and the kernel starts a counter that runs. */
static void test_throttle(void)
{
	static const struct setup often = { 0, -1, -1, 0, 1000 };

	put("/proc/sys/kernel/perf_event_max_sample_rate", "250");
	sample("throttle1/", &often, 43, NULL);
	sample("throttle2/", &often, 43, NULL);
	sample("throttle3/", &often, 43, NULL);
	put("/proc/sys/kernel/perf_event_max_sample_rate", "100000");
}

/* ---- harts that come, go and sleep ----------------------------------------------------------- */

#define CPU "/sys/devices/system/cpu/"
#define SLEEP CPU "cpu0/cpuidle/state1/"

/* An event of all that runs on hart 1, where this thread goes. */
static void count_on_1(const char *prefix, const struct event *e)
{
	static const struct setup on_1 = { -1, 1, -1, 0, 0 };
	int fd;

	run_on(1);
	fd = open_event(e, &on_1);
	enable(fd);
	read_pages(1);
	end(prefix, e, fd);
}

/* Hart 1 goes and comes again, while this thread has an event there. */
static void test_hotplug(void)
{
	static const struct setup samples = { 0, -1, -1, 0, 4096 };
	int fd;

	count_on_1("before/", &loads);
	fd = open_event(&stores, &mine);
	enable(fd);
	write_pages();
	put(CPU "cpu1/online", "0");
	write_pages();
	put(CPU "cpu1/online", "1");
	run_on(1);
	write_pages();
	end("hotplug/", &stores, fd);
	count_on_1("hotplug/", &loads);
	count_on_1("hotplug/", &loads_k);
	sample("hotplug/", &samples, 1, NULL);
	across("hotplug/", &ipi_sent, &ipi_received, send_ipis);
}

static void sleep_often(void)
{
	const struct timespec t = { 0, 20000000 };
	uint64_t before = get(SLEEP "usage");
	int i;

	put(SLEEP "disable", "0");
	for (i = 0; i < 10; i++)
		nanosleep(&t, NULL);
	put(SLEEP "disable", "1");
	say("suspend/entered", get(SLEEP "usage") - before, 0, 0, 0);
}

/* A hart that sleeps may forget its registers, and its events go on when it wakes. */
static void test_suspend(void)
{
	static const struct setup on_0 = { -1, 0, -1, 0, 0 };
	static const struct setup samples = { -1, 0, -1, 0, 4096 };
	const struct event *events[] = { &stores, &loads_k };
	int fd[2], i;

	run_on(0);
	for (i = 0; i < 2; i++) {
		fd[i] = open_event(events[i], &on_0);
		enable(fd[i]);
	}
	sleep_often();
	write_pages();
	read_pages(1);
	for (i = 0; i < 2; i++)
		end("suspend/", events[i], fd[i]);
	sample("suspend/", &samples, 1, sleep_often);
}

/* ---- counters that a program reads itself ---------------------------------------------------- */

#define ACCESS "/proc/sys/kernel/perf_user_access"

static sigjmp_buf trapped;

static void on_trap(int signal)
{
	(void)signal;
	siglongjmp(trapped, 1);
}

/* How far hpmcounterN gets while pages are read; 0: it stands, or the program may not read it. */
static uint64_t read_csr(unsigned n)
{
	uint64_t value = 0;

#define CSR(number)                                                                                \
	case (number):                                                                             \
		__asm__ volatile("csrr %0, %1" : "=r"(value) : "i"(0xc00 + (number)));             \
		break
#define CSRS(number)                                                                               \
	CSR(number);                                                                               \
	CSR((number) + 1);                                                                         \
	CSR((number) + 2);                                                                         \
	CSR((number) + 3)
	switch (n) {
		CSRS(0);
		CSRS(4);
		CSRS(8);
		CSRS(12);
		CSRS(16);
		CSRS(20);
		CSRS(24);
		CSRS(28);
	default:
		break;
	}
	return value;
}

static void say_csr(const char *prefix, const char *what, unsigned n)
{
	static uint64_t gained; /* it outlives the jump */
	char name[64];

	gained = 0;
	signal(SIGILL, on_trap);
	if (!sigsetjmp(trapped, 1)) {
		uint64_t before = read_csr(n);

		read_pages(1);
		gained = read_csr(n) - before;
	}
	signal(SIGILL, SIG_DFL);
	snprintf(name, sizeof(name), "%s%s", prefix, what);
	say(name, gained != 0, 0, 0, 0);
}

/* The number of the counter that the kernel lets this thread read, or one that nobody may read. */
static unsigned mapped_counter(const struct perf_event_mmap_page *page)
{
	return page != MAP_FAILED && page->cap_user_rdpmc && page->index ? page->index - 1 : 32;
}

/*
 * 0: no program reads counters. 1: those of its events that it has mapped. 2: cycle and instret, and
 * the kernel asks for these two by SKIP_MATCH.
 */
static void test_access(void)
{
	static const struct event cycles = { "cycles", HARDWARE(CPU_CYCLES), ALL };
	static const struct event instructions = { "instructions", HARDWARE(INSTRUCTIONS), ALL };
	char mode[] = "0", prefix[] = "access0/";

	for (; mode[0] <= '2'; mode[0]++) {
		struct perf_event_mmap_page *page;
		int fd[2];

		put(ACCESS, mode);
		prefix[6] = mode[0];
		fd[0] = open_event(&cycles, &mine);
		fd[1] = open_event(&instructions, &mine);
		page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd[1], 0);
		enable(fd[0]);
		enable(fd[1]);
		read_pages(1);
		say_csr(prefix, "rdcycle", 0);
		say_csr(prefix, "rdinstret", 2);
		say_csr(prefix, "mapped", mapped_counter(page));
		if (page != MAP_FAILED)
			munmap(page, PAGE);
		end(prefix, &cycles, fd[0]);
		end(prefix, &instructions, fd[1]);
	}
	put(ACCESS, "1");
}

/* ---- perf ------------------------------------------------------------------------------------ */

/*
 * Runs each line of /commands, a name and a command; no shell, so words end at spaces. A name that
 * begins with user is run by an ordinary user, and with legacy, by root with perf_user_access 2.
 */
static void test_commands(void)
{
	char line[512], *words[32], *save;
	FILE *f = fopen("/commands", "r");
	int status, n;

	put("/proc/sys/kernel/perf_event_paranoid", "2");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		save = line;
		printf("#%s\n", strsep(&save, " "));
		fflush(stdout);
		put(ACCESS, strncmp(line, "legacy", 6) ? "1" : "2");
		for (n = 0; n < 31 && (words[n] = strsep(&save, " ")) != NULL;)
			n++;
		words[n] = NULL;
		status = 0;
		if (!fork()) {
			if (!strncmp(line, "user", 4) && setuid(1000))
				_exit(126);
			execv(words[0], words);
			_exit(127);
		}
		wait(&status);
		printf("#exit %d\n", WEXITSTATUS(status));
	}
}

/* ---- the machine ----------------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "filters", test_filters },   { "group", test_group },     { "busy", test_busy },
	{ "five", test_five },         { "ipi", test_ipi },         { "throttle", test_throttle },
	{ "access", test_access },     { "hotplug", test_hotplug }, { "suspend", test_suspend },
	{ "commands", test_commands },
};

#define TESTS (sizeof(tests) / sizeof(tests[0]))

int main(int argc, char **argv)
{
	size_t i;
	int n;

	/* QEMU takes long to map pages, and perf starts a process for each of its commands. */
	if (argc == 3 && !strcmp(argv[1], "touch")) {
		pages /= 4;
		get_memory();
		read_pages((unsigned)atoi(argv[2]));
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "ipis")) {
		start_spinner();
		send_ipis();
		stop_spinner();
		return 0;
	}
	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	if (!access(CPU "cpu0/cpuidle/state1/disable", W_OK))
		put(CPU "cpu0/cpuidle/state1/disable", "1");
	if (!access(CPU "cpu1/cpuidle/state1/disable", W_OK))
		put(CPU "cpu1/cpuidle/state1/disable", "1");
	/* perf's processes have their own. */
	if (argc > 1 && strcmp(argv[1], "commands"))
		get_memory();
	printf("\n");
	for (n = 1; n < argc; n++)
		for (i = 0; i < TESTS; i++)
			if (!strcmp(argv[n], tests[i].name))
				tests[i].run();
	printf("=end 0 0 0 0\n");
	fflush(stdout);
	tcdrain(STDOUT_FILENO); /* a console that is polled is slow */
	reboot(RB_POWER_OFF);
	return 0;
}
