/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kernel.c -- the kernel that pmumap-live asks: answers perf_event_open() from a table. It counts
 * only between ENABLE and DISABLE, and only what it was asked for as the manual page of
 * perf_event_open() wants it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>

#define ALL 0xff
#define CACHE(cache, op, result)                                                                   \
	PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 |       \
				    PERF_COUNT_HW_CACHE_RESULT_##result << 16
#define HARDWARE(name) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##name

/* What the table does not have is ENOENT. */
static const struct known {
	uint32_t type;
	uint64_t config;
	int error; /* ALL: only without the kernel's own part; EIO: the counter cannot be read */
	uint64_t count, running;
} table[] = {
	{ HARDWARE(CPU_CYCLES), 0, 1234, 100 },
	{ HARDWARE(INSTRUCTIONS), ALL, 1234, 100 },
	{ HARDWARE(CACHE_MISSES), 0, 0, 100 },
	{ HARDWARE(BRANCH_INSTRUCTIONS), 0, 0, 0 },
	{ HARDWARE(BRANCH_MISSES), EOPNOTSUPP, 0, 0 },
	{ HARDWARE(BUS_CYCLES), EINVAL, 0, 0 },
	{ HARDWARE(STALLED_CYCLES_FRONTEND), EPERM, 0, 0 },
	{ HARDWARE(STALLED_CYCLES_BACKEND), ENOSYS, 0, 0 },
	{ HARDWARE(REF_CPU_CYCLES), EMFILE, 0, 0 },
	{ CACHE(L1D, READ, MISS), 0, 1, 1 },
	{ CACHE(LL, WRITE, ACCESS), 0, 1, 1 },
	{ CACHE(DTLB, READ, MISS), EIO, 0, 0 },
	{ CACHE(NODE, PREFETCH, MISS), 0, 1, 1 },
	{ PERF_TYPE_RAW, 0x1801, 0, 1, 1 },
	{ PERF_TYPE_RAW, 0x12345678901234, 0, 1, 1 },
	{ PERF_TYPE_RAW, 0x8000000000000005, 0, 1, 1 },
	{ PERF_TYPE_RAW, 0xc000000000000007, 0, 1, 1 },
};

static const struct known *opened;
static int state; /* 1: it counts; 2: it did */

static int is_proper(const struct perf_event_attr *attr)
{
	struct perf_event_attr plain = { .size = sizeof(plain), .disabled = 1 };

	plain.type = attr->type;
	plain.config = attr->config;
	plain.exclude_user = attr->exclude_user;
	plain.exclude_kernel = attr->exclude_kernel;
	plain.exclude_hv = attr->exclude_hv;
	if (attr->sample_period) { /* it is asked again */
		plain.sample_period = attr->sample_period;
		plain.sample_type = PERF_SAMPLE_IP;
	}
	plain.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return !memcmp(attr, &plain, sizeof(plain));
}

static int refuse(int error)
{
	errno = error;
	return -1;
}

int __wrap_uname(struct utsname *name);
int __wrap_uname(struct utsname *name)
{
	snprintf(name->release, sizeof(name->release), "6.12.117+deb13-riscv64");
	return 0;
}

uid_t __wrap_geteuid(void);
uid_t __wrap_geteuid(void)
{
	return 0;
}

long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
	const struct perf_event_attr *attr;
	int pid, cpu, group, any = 0;
	va_list list;

	va_start(list, number);
	attr = va_arg(list, const struct perf_event_attr *);
	pid = va_arg(list, int);
	cpu = va_arg(list, int);
	group = va_arg(list, int);
	if (number != SYS_perf_event_open || pid || cpu != -1 || group != -1 ||
	    va_arg(list, unsigned long) || !is_proper(attr))
		any = refuse(EFAULT);
	va_end(list);
	for (size_t i = 0; !any && i < sizeof(table) / sizeof(table[0]); i++) {
		const struct known *k = &table[i];

		if (k->type != attr->type || k->config != attr->config)
			continue;
		if (attr->sample_period)
			return refuse(EOPNOTSUPP);
		if (k->error == ALL && !attr->exclude_kernel)
			return refuse(EACCES);
		if (k->error != ALL && attr->exclude_hv)
			return refuse(EINVAL);
		if (k->error && k->error != ALL && k->error != EIO)
			return refuse(k->error);
		opened = k;
		state = 0;
		return dup(STDIN_FILENO);
	}
	return any ? any : refuse(ENOENT);
}

int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...)
{
	(void)fd;
	state = request == PERF_EVENT_IOC_ENABLE                  ? 1
		: request == PERF_EVENT_IOC_DISABLE && state == 1 ? 2
								  : 0;
	return 0;
}

ssize_t __real_read(int fd, void *to, size_t size);
ssize_t __wrap_read(int fd, void *to, size_t size);
ssize_t __wrap_read(int fd, void *to, size_t size)
{
	const struct known *k = opened;
	uint64_t *value = to;

	opened = NULL;
	if (!k)
		return __real_read(fd, to, size);
	if (k->error == EIO || size != 3 * sizeof(*value))
		return refuse(EIO);
	value[0] = state == 2 ? k->count : 0;
	value[1] = 100;
	value[2] = state == 2 ? k->running : 0;
	return (ssize_t)size;
}
