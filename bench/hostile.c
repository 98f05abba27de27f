/* SPDX-License-Identifier: BSD-2-Clause
 *
 * usage: hostile [KIND...]
 *
 * Times for trees made as slow as possible by sharing (tests/support/hostile.h), at 0.5, 1, 2, 4
 * and 8 MB: builds, compared with a libfdt walk that reads every property, and the slowest
 * look-ups. bench/README.md shows the tables. Cases where pmumap loses are marked.
 */
#define _POSIX_C_SOURCE 200809L
#include "trees.h"
#include "../tests/support/hostile.h"

enum { SIZES = 5 };

/* CPU time of this process: other processes would look like growth. */
static double cpu_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

struct result {
	double build, findings, walk, find, at; /* ns */
};

static void ignore(void *arg, const struct pmumap_finding *f)
{
	*(uint32_t *)arg += f->code != 0;
}

/* Reads all bytes of all properties, and of their names as far as libfdt must. */
static NOINLINE uint64_t walk(const void *fdt)
{
	uint64_t sum = 0;
	int node, at, len, i;

	for (node = 0; node >= 0; node = fdt_next_node(fdt, node, NULL)) {
		fdt_for_each_property_offset(at, fdt, node)
		{
			const char *name;
			const unsigned char *value =
				(const unsigned char *)fdt_getprop_by_offset(fdt, at, &name, &len);

			for (i = 0; i < len; i++)
				sum += value[i];
			sum += (uint64_t)*name;
		}
	}
	return sum;
}

/* Builds to time. */
struct work {
	struct blob t;
	enum kind kind;
	void *block;
	size_t bytes;
};

static NOINLINE void build(const struct work *w, int findings, size_t bytes)
{
	uint32_t found = 0;
	const struct pmumap_amu_options amu = { 0, pmumap_amu_labels };
	const struct pmumap *map;
	const struct pmumap_imc *catalog;
	const struct pmumap_amu *monitors;
	enum pmumap_status status;

	if (w->kind == RISCV)
		status = findings ? pmumap_fdt_check(w->t.fdt, w->t.size, NULL, w->block, bytes,
						     ignore, &found)
				  : pmumap_fdt_build(w->t.fdt, w->t.size, NULL, w->block, bytes,
						     &map);
	else if (w->kind == IMC)
		status = findings ? pmumap_imc_check(w->t.fdt, w->t.size, NULL, w->block, bytes,
						     ignore, &found)
				  : pmumap_imc_fdt_build(w->t.fdt, w->t.size, NULL, w->block, bytes,
							 &catalog);
	else
		status = findings ? pmumap_amu_check(w->t.fdt, w->t.size, &amu, w->block, bytes,
						     ignore, &found)
				  : pmumap_amu_fdt_build(w->t.fdt, w->t.size, &amu, w->block, bytes,
							 &monitors);
	if (status)
		die("cannot build", "hostile");
	opaque_sum = found;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* The slowest look-up of a name: found or missing, the first match or one far behind. */
static double most_of_names(const struct pmumap_imc *map, const struct hostile_kind *kind)
{
	static const uint32_t nths[] = { 0, 1, 1000, 0x7fffffff };
	double most = 0, best, t;
	int i, k, turn;
	uint32_t e;

	for (i = 0; i < 3 && kind->find[i]; i++) {
		for (k = 0; k < 4; k++) {
			for (best = 1e18, turn = 0; turn < 5; turn++) {
				t = cpu_now();
				opaque_sum = (uint64_t)pmumap_imc_find_name(
					map, kind->find[i], strlen(kind->find[i]), nths[k], &e);
				best = least(best, cpu_now() - t);
			}
			most = best > most ? best : most;
		}
	}
	return most;
}

static double most_of_offsets(const struct pmumap_imc *map)
{
	static const uint32_t nths[] = { 0, 1, 1000, 0x7fffffff };
	static const uint32_t offsets[] = { 0, 8, 0x10000, 0xffffffff };
	double most = 0, best, t;
	int i, turn;
	uint32_t e;

	for (i = 0; i < 32; i++) {
		for (best = 1e18, turn = 0; turn < 5; turn++) {
			t = cpu_now();
			opaque_sum = (uint64_t)pmumap_imc_find_offset(
				map, i & 1 ? 0 : PMUMAP_IMC_ALL, offsets[i / 8], nths[i / 2 % 4],
				&e);
			best = least(best, cpu_now() - t);
		}
		most = best > most ? best : most;
	}
	return most;
}

static void time_names(const struct work *w, const struct hostile_kind *kind, struct result *r)
{
	const struct pmumap_imc *map = (const struct pmumap_imc *)w->block;

	r->find = most_of_names(map, kind);
	r->at = most_of_offsets(map);
}

static void time_kind(const struct hostile_kind *kind, size_t size, struct result *r)
{
	struct work w = { hostile_make(kind, size), NO_KIND, NULL, 0 };
	double start = cpu_now(), a, b;
	int turn = 0;

	w.kind = measure_kind(w.t.fdt, w.t.size, &w.bytes);
	if (w.kind == NO_KIND) { /* beyond a limit */
		memset(r, 0, sizeof(*r));
		free(w.t.fdt);
		return;
	}
	w.block = need_memory(w.bytes);
	r->build = r->findings = r->walk = 1e18;
	do {
		a = cpu_now();
		build(&w, 1, w.bytes);
		b = cpu_now();
		r->findings = least(r->findings, b - a);
		opaque_sum = walk(w.t.fdt);
		a = cpu_now();
		r->walk = least(r->walk, a - b);
		build(&w, 0, w.bytes);
		r->build = least(r->build, cpu_now() - a);
	} while (++turn < 3 ? cpu_now() - start < 4e9 : cpu_now() - start < 3e8);
	if (w.kind == IMC)
		time_names(&w, kind, r);
	free(w.block);
	free(w.t.fdt);
}

/* The largest ratio between successive times, unless both are below a hundredth. */
static double growth(const double *at[SIZES], double small)
{
	double most = 0;
	int i;

	for (i = 1; i < SIZES; i++) {
		if (*at[i] > small && *at[i - 1] > 0 && *at[i] / *at[i - 1] > most)
			most = *at[i] / *at[i - 1];
	}
	return most;
}

static double growth_of(const struct result *r, size_t member, double small)
{
	const double *at[SIZES];
	int i;

	for (i = 0; i < SIZES; i++)
		at[i] = (const double *)(const void *)((const char *)(r + i) + member);
	return growth(at, small);
}

#define GROWTH(r, member, small) growth_of(r, offsetof(struct result, member), small)

static int asked_for(const char *name, int argc, char **argv)
{
	int i, found = argc < 2;

	for (i = 1; i < argc; i++)
		found |= !strcmp(argv[i], name);
	return found;
}

int main(int argc, char **argv)
{
	static struct result results[HOSTILE_KINDS][SIZES];
	unsigned good = 0, lost = 0;
	size_t k;
	int i;

	for (k = 0; k < HOSTILE_KINDS; k++) {
		for (i = 0; asked_for(hostile_kinds[k].name, argc, argv) && i < SIZES; i++)
			time_kind(&hostile_kinds[k], (size_t)(1 << 19) << i, &results[k][i]);
	}
	printf("| tree | 0.5 MB | 1 MB | 2 MB | 4 MB | 8 MB | doubling | walk, 1 MB | build / walk | "
	       "findings / walk |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
	for (k = 0; k < HOSTILE_KINDS; k++) {
		const struct result *r = results[k], *one = &r[1];
		double most = GROWTH(r, build, 0);

		if (one->walk == 0) /* not asked for, or beyond a limit */
			continue;
		printf("| %s |", hostile_kinds[k].name);
		for (i = 0; i < SIZES; i++)
			printf(" %.1f |", r[i].build / 1e6);
		printf(" %.2f%s | %.2f | %.1f%s | %.1f |\n", most, most > 2.3 ? " !" : "",
		       one->walk / 1e6, one->build / one->walk,
		       one->build / one->walk > 3 ? " !" : "", one->findings / one->walk);
		good += most <= 2.3 && one->build <= 3 * one->walk;
		lost += !(most <= 2.3 && one->build <= 3 * one->walk);
	}
	printf("\n| tree | find, 1 MB | 8 MB | doubling | offset, 1 MB | 8 MB | doubling | "
	       "slowest / walk, 1 MB |\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
	for (k = 0; k < HOSTILE_KINDS; k++) {
		const struct result *r = results[k], *one = &r[1], *last = &r[SIZES - 1];
		double find = GROWTH(r, find, 2000), at = GROWTH(r, at, 2000), most = one->at;

		if (one->walk == 0 || one->find == 0)
			continue;
		most = one->find > most ? one->find : most;
		printf("| %s | %.1f | %.1f | %.2f%s | %.1f | %.1f | %.2f%s | %.3f |\n",
		       hostile_kinds[k].name, one->find / 1e3, last->find / 1e3, find,
		       find > 2.3 ? " !" : "", one->at / 1e3, last->at / 1e3, at,
		       at > 2.3 ? " !" : "", most / one->walk);
		good += most <= 3 * one->walk;
		lost += most > 3 * one->walk;
	}
	printf("\nbuilds in ms, look-ups in us; ! is a growth above 2.3, or a build above 3 walks\n");
	printf("%u within the limits, %u not\n", good, lost);
	return 0;
}
