/* SPDX-License-Identifier: BSD-2-Clause
 *
 * For exhaustively hostile trees: guarded memory, and every kind of look-up.
 */
#ifndef EXHAUST_H
#define EXHAUST_H

#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "pmumap_amu_check.h"
#include "pmumap_imc.h"
#include "support.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* The current case, printed if a crash or a hang follows. */
static size_t trying_at;
static unsigned trying_value;

/* Counts only failures: there are millions of checks. */
static inline void hold(int good, const char *function, const char *what, int line)
{
	static unsigned said;

	if (good)
		return;
	test_count(0, function);
	if (said++ < 20)
		printf("line %d: [%s] byte %zu value 0x%x: %s\n", line, test_input, trying_at,
		       trying_value, what);
}

#define HOLDS(condition) hold(!!(condition), __func__, #condition, __LINE__)

static inline void caught(int number)
{
	fprintf(stderr, "signal %d: [%s%s] byte %zu value 0x%x\n", number, test_now, test_input,
		trying_at, trying_value);
	signal(number, SIG_DFL);
	raise(number);
}

static inline void catch_signals(void)
{
	signal(SIGALRM, caught);
#ifndef __SANITIZE_ADDRESS__ /* that says more */
	signal(SIGSEGV, caught);
	signal(SIGBUS, caught);
#endif
}

/* Memory between two inaccessible pages. */
struct fenced {
	unsigned char *start, *end;
};

static inline size_t pages(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (size + page - 1) / page * page;
}

static inline void *mapped(void *at, size_t size, int access, int flags, int fd)
{
	void *p = mmap(at, size, access, flags, fd, 0);

	if (p == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return p;
}

/* fd: maps a file of pages(size) bytes read-only; -1: fresh memory */
static inline struct fenced fence(size_t size, int fd)
{
	size_t room = pages(size), page = pages(1);
	unsigned char *p =
		mapped(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	struct fenced f = { p + page, p + page + room };

	if (fd >= 0)
		mapped(f.start, room, PROT_READ, MAP_SHARED | MAP_FIXED, fd);
	else if (mprotect(f.start, room, PROT_READ | PROT_WRITE) != 0)
		exit(1);
	return f;
}

static inline void unfence(const struct fenced *f)
{
	munmap(f->start - pages(1), (size_t)(f->end - f->start) + 2 * pages(1));
}

/* ---- look-ups -------------------------------------------------------------------------------- */

#define ASK_ROWS 40u /* limit per table */

static inline uint64_t ask_riscv(const struct pmumap *m)
{
	static const uint32_t events[] = { 0,       1,       2,       3,       0x3f,      0x40,
					   0x10000, 0x10019, 0x20000, 0xfffff, 0xffffffff };
	struct pmumap_want want[3] = { { 0, 1, 0, 0, 0 },
				       { 5, 0x20000, 0, 0, 0 },
				       { 0, 3, 0, 0, 0 } };
	struct pmumap_run run = { 0, 0, 0, 0, 0 };
	struct pmumap_job jobs[3];
	uint64_t sum = 0, value = 0, mask = 0;
	uint32_t i, from, counters = 0;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		sum += (uint64_t)pmumap_selector(m, events[i], &value) + value;
		sum += pmumap_counters(m, events[i]);
		sum += (uint64_t)pmumap_encode(m, events[i], i, i % 3, &value) + value;
		sum += (uint64_t)pmumap_plan(m, events[i], events[i], ~0u, i % 8, i % 3, &jobs[0]);
	}
	for (i = from = 0; i < ASK_ROWS && pmumap_event_next(m, from, &run); i++) {
		HOLDS(run.first >= from && run.last >= run.first && run.last < MODEL_EVENTS);
		from = run.last + 1;
	}
	for (i = 0; i < ASK_ROWS && pmumap_raw_at(m, i, &value, &mask, &counters); i++)
		sum += (pmumap_raw_counters(m, value) & counters) == counters;
	return sum + i + (uint64_t)pmumap_plan_all(m, want, 3, ~0u, 0, PMUMAP_RULE_ALWAYS, jobs);
}

static inline uint64_t text_length(const char *s)
{
	return s ? strlen(s) : 0;
}

static inline uint64_t ask_imc_unit(const struct pmumap_imc *m, uint32_t u)
{
	struct pmumap_imc_event e, found;
	char name[64];
	uint64_t sum = 0, base = 0;
	uint32_t i, chip = 0;

	for (i = 0; i < ASK_ROWS && pmumap_imc_chip(m, u, i, &chip, &base); i++)
		sum += (uint64_t)pmumap_imc_control(m, u, chip, &base) + base;
	for (i = 0; i < ASK_ROWS && pmumap_imc_event_at(m, u, i, &e); i++) {
		int n = snprintf(name, sizeof(name), "%s%s", e.prefix, e.name);

		sum += text_length(e.scale) + text_length(e.measure) + text_length(e.desc);
		sum += (uint64_t)pmumap_imc_address(m, &e, chip, &base);
		HOLDS(e.unit_index == u);
		HOLDS(pmumap_imc_at(m, NULL, e.offset, 0, &found));
		if (n > 0 && (size_t)n < sizeof(name))
			HOLDS(pmumap_imc_find(m, name, (size_t)n, 0, &found));
	}
	return sum;
}

static inline uint64_t ask_imc(const struct pmumap_imc *m)
{
	struct pmumap_imc_unit unit;
	struct pmumap_imc_event e;
	uint64_t sum = 0;
	uint32_t u;

	for (u = 0; u < ASK_ROWS && pmumap_imc_unit(m, u, &unit); u++) {
		sum += text_length(unit.name) + text_length(unit.prefix);
		sum += text_length(unit.scale) + text_length(unit.measure);
		sum += ask_imc_unit(m, u);
	}
	return sum + (uint64_t)pmumap_imc_find(m, "PM_X", 4, 0, &e) +
	       (uint64_t)pmumap_imc_at(m, NULL, 0, ASK_ROWS, &e);
}

static inline uint64_t ask_amu(const struct pmumap_amu *m)
{
	struct pmumap_amu_cpu c, same;
	uint16_t described = 0, enable = 0;
	uint64_t sum = 0;
	uint32_t i, k;

	for (i = 0; i < ASK_ROWS && pmumap_amu_cpu_at(m, i, &c); i++) {
		HOLDS(pmumap_amu_cpu_find(m, c.mpidr, &same) && same.view == c.view);
		HOLDS(!(c.enable & ~c.described));
	}
	for (i = 0; i < ASK_ROWS && pmumap_amu_view_at(m, i, &described, &enable); i++)
		for (k = 0; k < 17; k++)
			sum += text_length(pmumap_amu_counter_name(m, i, k));
	return sum + (uint64_t)pmumap_amu_cpu_find(m, ~0ull, &c);
}

static volatile uint64_t answers; /* so that the compiler keeps the calls */

/* ---- maps of any kind ------------------------------------------------------------------------ */

enum { RISCV, IMC, AMU, KINDS };

static const struct pmumap_amu_options amu_opt = { .labels = pmumap_amu_labels };

static inline enum pmumap_status any_measure(int kind, const void *fdt, size_t size, size_t *need)
{
	return kind == AMU   ? pmumap_amu_fdt_measure(fdt, size, &amu_opt, need)
	       : kind == IMC ? pmumap_imc_fdt_measure(fdt, size, NULL, need)
			     : pmumap_fdt_measure(fdt, size, NULL, need);
}

/* report: receives the findings, or NULL. */
static inline enum pmumap_status any_build(int kind, const void *fdt, size_t size,
					   pmumap_report_fn *report, void *arg, void *mem,
					   size_t bytes, const void **map)
{
	struct pmumap_fdt_options riscv_opt = { .check = report ? pmumap_check : NULL,
						.report = report,
						.arg = arg };
	struct pmumap_imc_options imc_opt = { .check = report ? pmumap_imc_check : NULL,
					      .report = report,
					      .arg = arg };
	const struct pmumap *riscv = *map;
	const struct pmumap_imc *imc = *map;
	const struct pmumap_amu *amu = *map;
	enum pmumap_status status;

	if (kind == AMU) {
		if (report)
			(void)pmumap_amu_check(fdt, size, &amu_opt, mem, bytes, report, arg);
		status = pmumap_amu_fdt_build(fdt, size, &amu_opt, mem, bytes, &amu);
		*map = amu;
	} else if (kind == IMC) {
		status = pmumap_imc_fdt_build(fdt, size, &imc_opt, mem, bytes, &imc);
		*map = imc;
	} else {
		status = pmumap_fdt_build(fdt, size, &riscv_opt, mem, bytes, &riscv);
		*map = riscv;
	}
	return status;
}

static inline size_t any_size(int kind, const void *map)
{
	return kind == AMU   ? pmumap_amu_size(map)
	       : kind == IMC ? pmumap_imc_size(map)
			     : pmumap_size(map);
}

/* Opens the map as an image, then runs every look-up. */
static inline void any_ask(int kind, const void *map)
{
	const struct pmumap *riscv = NULL;
	const struct pmumap_imc *imc = NULL;
	const struct pmumap_amu *amu = NULL;

	if (kind == AMU) {
		HOLDS(pmumap_amu_open(map, pmumap_amu_size(map), &amu) == PMUMAP_OK);
		HOLDS((const void *)amu == map);
		answers += ask_amu(map);
	} else if (kind == IMC) {
		HOLDS(pmumap_imc_open(map, pmumap_imc_size(map), &imc) == PMUMAP_OK);
		HOLDS((const void *)imc == map);
		answers += ask_imc(map);
	} else {
		HOLDS(pmumap_open(map, pmumap_size(map), &riscv) == PMUMAP_OK);
		HOLDS((const void *)riscv == map);
		answers += ask_riscv(map);
	}
}

#endif /* EXHAUST_H */
