/* SPDX-License-Identifier: BSD-2-Clause
 *
 * small.c -- the only program of a Linux machine: counts through perf_event_open what touching
 * PAGES pages costs, prints a table, and switches the machine off.
 *
 *	event	count	error	enabled	running
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGES 65536u
#define PAGE 4096u

#define CACHE(cache, op, result)                                                                   \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 |                          \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct event {
	const char *name;
	uint32_t type;
	uint64_t config;
} events[] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "dTLB-load-misses", PERF_TYPE_HW_CACHE, CACHE(DTLB, READ, MISS) },
	{ "dTLB-store-misses", PERF_TYPE_HW_CACHE, CACHE(DTLB, WRITE, MISS) },
	{ "iTLB-load-misses", PERF_TYPE_HW_CACHE, CACHE(ITLB, READ, MISS) },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "LLC-load-misses", PERF_TYPE_HW_CACHE, CACHE(LL, READ, MISS) },
	{ "raw-0x1234", PERF_TYPE_RAW, 0x1234 },
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

#define PERIOD 4096u /* misses for one sample */

static int open_event(const struct event *e, uint64_t period)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = e->type;
	attr.config = e->config;
	attr.sample_period = period;
	attr.sample_type = period ? PERF_SAMPLE_IP : 0;
	attr.disabled = 1;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void touch(volatile unsigned char *memory, int write)
{
	uint32_t i;

	for (i = 0; i < PAGES; i++) {
		if (write)
			memory[(size_t)i * PAGE] = 1;
		else
			(void)memory[(size_t)i * PAGE];
	}
}

/* Each event alone: some of QEMU's counters count an event only once. */
static void measure(const struct event *e, unsigned char *memory)
{
	uint64_t value[3] = { 0, 0, 0 };
	int fd = open_event(e, 0), error = fd < 0 ? errno : 0;

	if (fd >= 0) {
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		touch(memory, strstr(e->name, "store") != NULL);
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		if (read(fd, value, sizeof(value)) != sizeof(value))
			error = -1;
		close(fd);
	}
	printf("=%-18s %12" PRIu64 " %6d %12" PRIu64 " %12" PRIu64 "\n", e->name, value[0], error,
	       value[1], value[2]);
}

/* How often the counter has interrupted; a sample is a header and an address. */
static void sample(const struct event *e, unsigned char *memory)
{
	int fd = open_event(e, PERIOD), error = fd < 0 ? errno : 0;
	struct perf_event_mmap_page *page =
		mmap(NULL, 3 * (size_t)PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	uint64_t samples = 0;

	if (page != MAP_FAILED) {
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		touch(memory, 0);
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		samples = page->data_head / (sizeof(struct perf_event_header) + 8);
	}
	printf("=%-18s %12" PRIu64 " %6d %12d %12d\n", "samples", samples, error, 0, 0);
}

int main(void)
{
	unsigned char *memory = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	if (memory == MAP_FAILED)
		return 1;
	/* Huge pages would have fewer misses, and a page fault for each page many more. */
	madvise(memory, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
	touch(memory, 1);
	printf("\n");
	sample(&events[2], memory);
	for (i = 0; i < EVENTS; i++)
		measure(&events[i], memory);
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 0;
}
