/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <errno.h>
#include "answers.h"
#include "map/suggest.h"

/* tests/check/tool.sh defines it, to run this file with a kernel of its own. */
#if defined(__linux__) && defined(__riscv)
#define PMUMAP_TOOL_LIVE
#endif

#ifdef PMUMAP_TOOL_LIVE
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#define BYTES ((size_t)1 << 20)
#define PAGE ((size_t)4096)
#define LINE ((size_t)64)

int has_kernel(void)
{
	return 1;
}

/* How Linux spells an event of SBI. Returns 0 if it has no spelling. */
static int spell(uint32_t event, uint64_t data, struct perf_event_attr *attr)
{
	uint32_t code = event & 0xffff;

	switch (event >> 16) {
	case PMUMAP_EVENT_CACHE >> 16:
		attr->type = PERF_TYPE_HW_CACHE;
		attr->config = code >> 3 | (code >> 1 & 3) << 8 | (code & 1) << 16;
		return 1;
	case PMUMAP_EVENT_RAW >> 16:
	case PMUMAP_EVENT_RAW_V2 >> 16:
		attr->type = PERF_TYPE_RAW;
		attr->config = data;
		return 1;
	case PMUMAP_EVENT_FIRMWARE >> 16:
		attr->type = PERF_TYPE_RAW;
		attr->config = code == 0xffff ? 3ull << 62 | data : 2ull << 62 | code;
		return 1;
	default:
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = code - 1;
		return event >> 16 == 0 && code;
	}
}

static int open_counter(const struct perf_event_attr *attr)
{
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, 0ul);
}

/* Fresh pages miss in each TLB, a pass over their lines in each cache; parity is hard to guess. */
static void work(void)
{
	volatile unsigned char *memory =
		mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t random = 1;

	if ((void *)memory == MAP_FAILED)
		return;
	for (size_t i = 0; i < BYTES; i += PAGE)
		(void)memory[i];
	for (size_t i = 0; i < BYTES; i += LINE) {
		random = random * 1664525 + 1013904223;
		if (random >> 31)
			memory[i] = 1;
	}
	munmap((void *)(uintptr_t)memory, BYTES);
}

/* A setting of the kernel, or its default if it cannot be read. */
static int setting(const char *file, int value)
{
	FILE *f = fopen(file, "r");
	int read;

	if (f) {
		if (fscanf(f, "%d", &read) == 1)
			value = read;
		fclose(f);
	}
	return value;
}

struct driver this_driver(void)
{
	struct driver d;
	struct utsname name;

	if (uname(&name) || read_driver(name.release, &d) != GOOD)
		read_driver(NULL, &d);
	d.user = geteuid() && setting("/proc/sys/kernel/perf_event_paranoid", 2) > 1;
	d.legacy = setting("/proc/sys/kernel/perf_user_access", 1) == 2;
	return d;
}

static int open_without(struct perf_event_attr *attr, unsigned excluded)
{
	attr->exclude_user = (excluded & EXCLUDE_USER) != 0;
	attr->exclude_kernel = (excluded & EXCLUDE_KERNEL) != 0;
	attr->exclude_hv = (excluded & EXCLUDE_HYPERVISOR) != 0;
	attr->exclude_guest = (excluded & EXCLUDE_GUEST) != 0;
	attr->exclude_host = (excluded & EXCLUDE_HOST) != 0;
	attr->exclude_idle = (excluded & EXCLUDE_IDLE) != 0;
	return open_counter(attr);
}

/*
 * Asks for four samples of an event that has counted so much. Returns 0 if the kernel refuses, and
 * a negative number if none came, which may be late.
 */
static int makes_samples(struct perf_event_attr *attr, uint64_t count)
{
	const struct perf_event_mmap_page *page;
	int counter, some = -1;

	attr->sample_period = count / 4 + 1;
	attr->sample_type = PERF_SAMPLE_IP;
	counter = open_counter(attr);
	if (counter < 0)
		return 0;
	page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, counter, 0);
	if ((const void *)page != MAP_FAILED) {
		ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
		work();
		ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
		some = page->data_head ? 1 : -1;
		munmap((void *)(uintptr_t)page, 2 * PAGE);
	}
	close(counter);
	return some;
}

struct answer ask_kernel(uint32_t event, uint64_t data, unsigned excluded)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .disabled = 1 };
	uint64_t value[3] = { 0 }; /* count, time enabled, time running */
	struct answer a = {
		.outcome = KERNEL_REFUSES, .error = EINVAL, .samples = -1, .excluded = excluded
	};
	int counter;

	if (!spell(event, data, &attr))
		return a;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	counter = open_without(&attr, excluded);
	if (counter < 0 && errno == EACCES && !(excluded & EXCLUDE_USER)) { /* perf does so, too */
		a.user_only = 1;
		a.excluded |= EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR;
		counter = open_without(&attr, a.excluded);
	}
	if (counter < 0) {
		a.error = errno;
		return a;
	}
	a.error = 0;
	ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
	work();
	ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
	if (read(counter, value, sizeof(value)) != (ssize_t)sizeof(value))
		a.error = EIO;
	else
		a.outcome = value[0] ? KERNEL_COUNTS : value[2] ? KERNEL_STILL : KERNEL_NO_COUNTER;
	close(counter);
	if (a.outcome == KERNEL_COUNTS || a.outcome == KERNEL_STILL)
		a.samples = makes_samples(&attr, value[0]);
	return a;
}

#else

int has_kernel(void)
{
	return 0;
}

struct driver this_driver(void)
{
	return (struct driver){ 0 };
}

struct answer ask_kernel(uint32_t event, uint64_t data, unsigned excluded)
{
	(void)event, (void)data, (void)excluded;
	return (struct answer){ .outcome = KERNEL_REFUSES, .error = ENOSYS };
}

#endif

const char *answer_text(const struct answer *a)
{
	if (a->outcome == KERNEL_COUNTS)
		return a->user_only ? "yes, in user mode" : "yes";
	if (a->outcome == KERNEL_STILL)
		return "stays 0";
	if (a->outcome == KERNEL_NO_COUNTER)
		return "no counter";
	switch (a->error) {
	case ENOENT:
	case EOPNOTSUPP:
		return "unsupported";
	case EINVAL:
		return a->excluded ? "cannot exclude modes" : "no such event";
	case EACCES:
	case EPERM:
		return "not permitted";
	case ENOSYS:
		return "kernel without perf";
	default:
		return strerror(a->error);
	}
}

int is_about_event(const struct answer *a)
{
	return a->outcome != KERNEL_REFUSES || a->error == ENOENT || a->error == EOPNOTSUPP ||
	       a->error == EINVAL;
}
