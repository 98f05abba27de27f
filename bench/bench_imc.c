/* SPDX-License-Identifier: BSD-2-Clause
 *
 * usage: bench_imc [--ir] CATALOG.dtb...
 *
 * Look-ups of full names against those of imc_peers.h, on the given catalogs and on synthetic ones,
 * then the time to build. All candidates take turns in one run, the answers are compared before
 * anything is timed, every round has keys of its own, every look-up is a call.
 * The lines that begin with "Benchmark" are benchstat's format.
 *
 * With --ir nothing is timed: every look-up runs CALLS times, for callgrind to count instructions.
 */
#define _POSIX_C_SOURCE 200809L
#include "../pmumap_fdt.h"
#include "imc_peers.h"

#define ROUNDS 41
#define CALLS 2048u
#define MAX_TABLES 8
#define MAX_NAME 64u

enum { PMUMAP, NO_INDEX, LINEAR, BSEARCH, FLOOR, IMPLS };
enum { HITS, MIXED, KEYS };

static const char *const impl_name[] = { "pmumap", "no-index", "linear", "bsearch", "floor" };
static const char *const keys_name[] = { "hits", "half-misses" };

struct key {
	char text[MAX_NAME];
	uint32_t len, near; /* near: the name that it is, or is nearly */
};

struct table {
	char name[64];
	uint32_t n;
	struct peer_slot *sorted, *unsorted;
	const struct pmumap *map, *plain; /* plain: without an index */
	double ns[IMPLS][KEYS][MODES][ROUNDS];
};

static struct table tables[MAX_TABLES];
static int n_tables;

/* ---- the candidates ---- */

typedef uint64_t lookup_fn(const struct table *t, const struct key *k);

static inline uint64_t find(const struct pmumap *m, const struct key *k)
{
	struct pmumap_imc_event e;

	return pmumap_imc_find(m, k->text, k->len, 0, &e) ? e.offset : NO_OFFSET;
}

static NOINLINE uint64_t name_pmumap(const struct table *t, const struct key *k)
{
	return find(t->map, k);
}

static NOINLINE uint64_t name_no_index(const struct table *t, const struct key *k)
{
	return find(t->plain, k);
}

static NOINLINE uint64_t name_linear(const struct table *t, const struct key *k)
{
	return peer_linear(t->unsorted, t->n, k->text);
}

static NOINLINE uint64_t name_bsearch(const struct table *t, const struct key *k)
{
	return peer_bsearch(t->sorted, t->n, k->text);
}

static NOINLINE uint64_t name_floor(const struct table *t, const struct key *k)
{
	return peer_known(&t->sorted[k->near], k->text, k->len);
}

static lookup_fn *const candidate[IMPLS] = { name_pmumap, name_no_index, name_linear, name_bsearch,
					     name_floor };

/* ---- tables ---- */

static const struct pmumap *build(const void *fdt, size_t size, uint32_t flags, const char *name)
{
	struct pmumap_fdt_options opt;
	const struct pmumap *map;
	size_t bytes;
	void *mem;

	memset(&opt, 0, sizeof(opt));
	opt.flags = flags;
	if (pmumap_fdt_measure(fdt, size, &opt, &bytes))
		die("cannot measure", name);
	mem = need_memory(bytes);
	if (pmumap_fdt_build(fdt, size, &opt, mem, bytes, &map))
		die("cannot build", name);
	return map;
}

static void set_slot(struct peer_slot *to, const struct peer_name *from)
{
	to->text = from->text;
	to->len = from->len;
	to->offset = from->offset;
}

static void add_table(const char *name, const void *fdt, size_t size)
{
	struct table *t = &tables[n_tables++];
	struct peer_names all;
	uint32_t i, j;

	if (n_tables > MAX_TABLES)
		die("too many tables", name);
	snprintf(t->name, sizeof(t->name), "%s", name);
	t->map = build(fdt, size, 0, name);
	t->plain = build(fdt, size, PMUMAP_NO_INDEX, name);
	peer_read(&all, fdt);
	peer_sort(&all);
	t->n = all.n;
	t->sorted = need_memory(t->n * sizeof(*t->sorted));
	t->unsorted = need_memory(t->n * sizeof(*t->unsorted));
	for (i = 0; i < t->n; i++) {
		if (all.at[i].len >= MAX_NAME)
			die("a name is too long", name);
		set_slot(&t->sorted[i], &all.at[i]);
		j = below(i + 1);
		t->unsorted[i] = t->unsorted[j];
		set_slot(&t->unsorted[j], &all.at[i]);
	}
}

static void *load(const char *path, size_t *size)
{
	uint8_t *blob = need_memory(1 << 20);
	FILE *f = fopen(path, "rb");

	if (!f)
		die("cannot open", path);
	*size = fread(blob, 1, 1 << 20, f);
	fclose(f);
	if (*size < 40 || fdt_check_header(blob))
		die("no device tree", path);
	return blob;
}

/* ---- synthetic trees ---- */

static int put_text(void *fdt, const char *name, const char *text)
{
	return fdt_property(fdt, name, text, (int)strlen(text) + 1);
}

static int put_event(void *fdt, uint32_t list, uint32_t event, uint32_t desc)
{
	static char text[256];
	char name[48];
	int err;

	if (!*text)
		memset(text, 'd', sizeof(text) - 1);
	snprintf(name, sizeof(name), "event@%x", event * 8);
	err = fdt_begin_node(fdt, name);
	snprintf(name, sizeof(name), "L%u_DISP_PORT%u_CYC", list, event);
	err |= put_text(fdt, "event-name", name);
	err |= fdt_property_u64(fdt, "reg", (uint64_t)event << 35 | 8);
	if (desc)
		err |= put_text(fdt, "desc", text + sizeof(text) - 1 - desc);
	return err | fdt_end_node(fdt);
}

static int put_unit(void *fdt, uint32_t unit, uint32_t lists)
{
	char name[32];
	int err;

	snprintf(name, sizeof(name), "u%u@%x", unit, unit * 8);
	err = fdt_begin_node(fdt, name);
	err |= fdt_property_string(fdt, "compatible", "ibm,imc-counters");
	snprintf(name, sizeof(name), "PM_U%u_", unit);
	err |= put_text(fdt, "events-prefix", name);
	err |= fdt_property_string(fdt, "scale", "256");
	err |= fdt_property_string(fdt, "unit", "MiB");
	err |= fdt_property_u64(fdt, "reg", (uint64_t)unit << 35 | 8);
	err |= fdt_property_u32(fdt, "events", 1 + unit % lists);
	err |= fdt_property_u32(fdt, "type", PMUMAP_IMC_NEST);
	err |= fdt_property_u32(fdt, "size", 0x4000000);
	err |= fdt_property_u32(fdt, "offset", 0x180000 + unit % 8);
	err |= fdt_property_u32(fdt, "cb_offset", 0x3ffff00);
	return err | fdt_end_node(fdt);
}

/* Lists of so many events each, then units that share them; desc: bytes of each description. */
static void *synthetic(uint32_t units, uint32_t lists, uint32_t events, uint32_t desc, size_t *size)
{
	size_t bytes = units * (size_t)320 + lists * (size_t)events * (128 + desc) + 65536;
	void *fdt = need_memory(bytes);
	char name[32];
	uint32_t i, event;
	int err = fdt_create(fdt, (int)bytes);

	err |= fdt_finish_reservemap(fdt);
	err |= fdt_begin_node(fdt, "");
	err |= fdt_property_string(fdt, "compatible", "ibm,opal-in-memory-counters");
	for (i = 0; i < lists; i++) {
		snprintf(name, sizeof(name), "list%u", i);
		err |= fdt_begin_node(fdt, name);
		err |= fdt_property_u32(fdt, "phandle", i + 1);
		for (event = 0; event < events; event++)
			err |= put_event(fdt, i, event, desc);
		err |= fdt_end_node(fdt);
	}
	for (i = 0; i < units; i++)
		err |= put_unit(fdt, i, lists);
	err |= fdt_end_node(fdt);
	err |= fdt_finish(fdt);
	if (err)
		die("cannot write the tree", "synthetic");
	*size = fdt_totalsize(fdt);
	return fdt;
}

static void add_synthetic(const char *name, uint32_t units, uint32_t lists, uint32_t events)
{
	size_t size;
	void *fdt = synthetic(units, lists, events, 0, &size);

	add_table(name, fdt, size);
	free(fdt);
}

/* ---- keys ---- */

static void set_key(const struct table *t, struct key *k, uint32_t name)
{
	k->near = name;
	k->len = t->sorted[name].len;
	memcpy(k->text, t->sorted[name].text, k->len + 1);
}

/* A name, or for a miss one with another letter somewhere. */
static void new_key(const struct table *t, struct key *k, int miss)
{
	set_key(t, k, below(t->n));
	while (miss && !strcmp(k->text, t->sorted[k->near].text)) {
		k->text[below(k->len)] = (char)('A' + below(26));
		if (peer_bsearch(t->sorted, t->n, k->text) != NO_OFFSET)
			memcpy(k->text, t->sorted[k->near].text, k->len);
	}
}

static void new_keys(const struct table *t, int kind, struct key *keys)
{
	uint32_t i;

	for (i = 0; i < CALLS; i++)
		new_key(t, &keys[i], kind == MIXED && rng() >> 63);
}

static void verify(const struct table *t)
{
	static struct key keys[CALLS];
	uint32_t i;
	int impl;

	for (i = 0; i < t->n; i++) {
		set_key(t, &keys[0], i);
		for (impl = 0; impl < IMPLS; impl++) {
			if (candidate[impl](t, &keys[0]) != t->sorted[i].offset)
				die("the answers differ", t->name);
		}
	}
	new_keys(t, MIXED, keys);
	for (i = 0; i < CALLS; i++) {
		for (impl = 0; impl < IMPLS; impl++) {
			if (candidate[impl](t, &keys[i]) != name_linear(t, &keys[i]))
				die("the answers to misses differ", t->name);
		}
	}
}

/* ---- timing ---- */

static double sample(lookup_fn *look, const struct table *t, const struct key *keys, uint32_t n,
		     int mode)
{
	uint64_t zero = opaque_zero, last = 0, total = 0;
	double start = now(), end;
	uint32_t i;

	if (mode == THROUGHPUT) {
		for (i = 0; i < n; i++)
			total += look(t, &keys[i]);
	} else {
		for (i = 0; i < n; i++)
			last = look(t, &keys[i + (last & zero)]);
	}
	end = now();
	opaque_sum = total + last;
	return (end - start) / n;
}

/* The walk over all names is asked less often where it takes long. */
static uint32_t calls(const struct table *t, int impl)
{
	return impl == LINEAR && t->n > 128 ? CALLS * 128 / t->n : CALLS;
}

static void one_round(struct table *t, int turn)
{
	static struct key keys[CALLS];
	int kind, mode, i;

	for (kind = 0; kind < KEYS; kind++) {
		for (mode = 0; mode < MODES; mode++) {
			new_keys(t, kind, keys);
			for (i = 0; i < IMPLS; i++) {
				int impl = (i + turn) % IMPLS;

				t->ns[impl][kind][mode][turn] =
					sample(candidate[impl], t, keys, calls(t, impl), mode);
			}
		}
	}
}

/* ---- reports ---- */

static void print_lines(struct table *t, int kind, int mode)
{
	int impl;

	for (impl = 0; impl < IMPLS; impl++) {
		double *ns = t->ns[impl][kind][mode];

		qsort(ns, ROUNDS, sizeof(*ns), ascending);
		printf("BenchmarkName/names=%s/keys=%s/impl=%s/mode=%s %u %.2f ns/op "
		       "%.2f min-ns/op %.2f p90-ns/op\n",
		       t->name, keys_name[kind], impl_name[impl], mode_name[mode],
		       calls(t, impl) * ROUNDS, ns[ROUNDS / 2], ns[0], ns[ROUNDS * 9 / 10]);
	}
}

static void print_ratios(const struct table *t, int kind, int mode)
{
	double ns[IMPLS];
	int impl;

	for (impl = 0; impl < IMPLS; impl++)
		ns[impl] = t->ns[impl][kind][mode][0];
	printf("%-16s %5u %-11s %-10s %8.1f %8.1f %8.0f %8.1f %8.1f %7.1f %7.1f %7.2f\n", t->name,
	       t->n, keys_name[kind], mode_name[mode], ns[PMUMAP], ns[NO_INDEX], ns[LINEAR],
	       ns[BSEARCH], ns[FLOOR], ns[LINEAR] / ns[PMUMAP], ns[BSEARCH] / ns[PMUMAP],
	       ns[PMUMAP] / ns[FLOOR]);
}

static void compare(void)
{
	int turn, i, kind, mode;

	for (turn = 0; turn < ROUNDS; turn++) {
		for (i = 0; i < n_tables; i++)
			one_round(&tables[i], turn);
	}
	for (i = 0; i < n_tables; i++) {
		for (kind = 0; kind < KEYS; kind++) {
			for (mode = 0; mode < MODES; mode++)
				print_lines(&tables[i], kind, mode);
		}
	}
	printf("\n%-16s %5s %-11s %-10s %8s %8s %8s %8s %8s %7s %7s %7s\n", "names", "", "keys",
	       "minimum", "pmumap", "no-index", "linear", "bsearch", "floor", "linear/", "bsearch",
	       "pmumap/");
	printf("%-16s %5s %-11s %-10s %8s %8s %8s %8s %8s %7s %7s %7s\n", "", "", "", "", "ns",
	       "ns", "ns", "ns", "ns", "pmumap", "/pmumap", "floor");
	for (kind = 0; kind < KEYS; kind++) {
		for (mode = 0; mode < MODES; mode++) {
			for (i = 0; i < n_tables; i++)
				print_ratios(&tables[i], kind, mode);
		}
	}
	printf("\n%-16s %9s %9s %9s\n", "names", "distinct", "map bytes", "no index");
	for (i = 0; i < n_tables; i++)
		printf("%-16s %9u %9zu %9zu\n", tables[i].name, tables[i].n,
		       pmumap_size(tables[i].map), pmumap_size(tables[i].plain));
	printf("\n");
}

/* ---- building ---- */

static void count_finding(void *arg, const struct pmumap_finding *f)
{
	*(uint32_t *)arg += f->code != 0;
}

/* A tree to read, in turns of all readers. */
struct work {
	const void *fdt;
	size_t size;
	struct pmumap_fdt_options opt;
	void *mem;
	size_t bytes;
	const struct pmumap *map;
};

static void start_work(struct work *w, const void *fdt, size_t size)
{
	memset(w, 0, sizeof(*w));
	w->fdt = fdt;
	w->size = size;
	if (pmumap_fdt_measure(fdt, size, NULL, &w->bytes))
		die("cannot measure", "work");
	w->mem = need_memory(w->bytes);
}

static double time_pmumap(struct work *w)
{
	double start = now();

	if (pmumap_fdt_build(w->fdt, w->size, &w->opt, w->mem, w->bytes, &w->map))
		die("cannot build", "work");
	return now() - start;
}

static double time_naive(const struct work *w)
{
	struct peer_names all;
	double start = now(), end;

	peer_read(&all, w->fdt);
	end = now();
	peer_free(&all);
	return end - start;
}

static double time_walk(const struct work *w)
{
	double start = now();

	opaque_sum = peer_walk(w->fdt);
	return now() - start;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

static void compare_builds(const char *name, const void *fdt, size_t size, int turns)
{
	double build = 1e18, naive = 1e18, walk = 1e18, check = 1e18;
	uint32_t found = 0;
	struct work w;
	int turn;

	start_work(&w, fdt, size);
	for (turn = 0; turn < turns; turn++) {
		w.opt.report = NULL;
		build = least(build, time_pmumap(&w));
		walk = least(walk, time_walk(&w));
		w.opt.report = count_finding;
		w.opt.arg = &found;
		check = least(check, time_pmumap(&w));
		if (turn == 0 || naive * turn < 5e8) /* half a second of it is enough */
			naive = least(naive, time_naive(&w));
	}
	printf("BenchmarkBuildImc/tree=%s/bytes=%zu %d %.0f ns/op %.0f findings-ns/op "
	       "%.0f walk-ns/op %.0f naive-ns/op %.2f build/walk %.0f naive/build %zu map-B "
	       "%zu block-B\n",
	       name, size, turns, build, check, walk, naive, build / walk, naive / build,
	       pmumap_size(w.map), w.bytes);
	free(w.mem);
}

/* Units and events in a tree of some megabytes that means n times as many names as it has nodes. */
static void grow(uint32_t megabytes)
{
	size_t size;
	void *fdt = synthetic(3520 * megabytes, 16, 100 * megabytes, 60, &size);
	double build = 1e18, check = 1e18, walk = 1e18;
	uint32_t names, found = 0;
	struct work w;
	int turn, indexed = 0;

	start_work(&w, fdt, size);
	for (turn = 0; turn < 3; turn++) {
		w.opt.report = NULL;
		build = least(build, time_pmumap(&w));
		walk = least(walk, time_walk(&w));
		w.opt.report = count_finding;
		w.opt.arg = &found;
		check = least(check, time_pmumap(&w));
	}
	names = pmumap_imc_names(w.map, &indexed);
	printf("BenchmarkGrowImc/units=%u/events=%u/bytes=%zu 3 %.0f ns/op %.0f findings-ns/op "
	       "%.2f ns/B %.2f build/walk %u names %d indexed %zu map-B %zu block-B\n",
	       3520 * megabytes, 1600 * megabytes, size, build, check, build / (double)size,
	       build / walk, names, indexed, pmumap_size(w.map), w.bytes);
	free(w.mem);
	free(fdt);
}

static void time_builds(void)
{
	size_t size;
	void *fdt = synthetic(570, 190, 34, 60, &size);

	compare_builds("1mb", fdt, size, 9);
	free(fdt);
	grow(1);
	grow(2);
	grow(5);
	grow(10);
}

/* ---- instructions ---- */

static NOINLINE uint64_t hit_pmumap(const struct table *t, const struct key *k)
{
	return find(t->map, k);
}

static NOINLINE uint64_t miss_pmumap(const struct table *t, const struct key *k)
{
	return find(t->map, k);
}

static NOINLINE uint64_t hit_no_index(const struct table *t, const struct key *k)
{
	return find(t->plain, k);
}

static NOINLINE uint64_t hit_bsearch(const struct table *t, const struct key *k)
{
	return peer_bsearch(t->sorted, t->n, k->text);
}

static NOINLINE uint64_t hit_floor(const struct table *t, const struct key *k)
{
	return peer_known(&t->sorted[k->near], k->text, k->len);
}

static NOINLINE uint64_t at_pmumap(const struct table *t, const struct key *k)
{
	struct pmumap_imc_event e;

	return (uint64_t)pmumap_imc_at(t->map, NULL, t->sorted[k->near].offset, 0, &e);
}

static void count(const struct table *t)
{
	static lookup_fn *const hits[] = { hit_pmumap, hit_no_index, hit_bsearch, hit_floor,
					   at_pmumap };
	static struct key keys[CALLS];
	uint32_t i;

	new_keys(t, HITS, keys);
	for (i = 0; i < sizeof(hits) / sizeof(hits[0]); i++)
		sample(hits[i], t, keys, CALLS, THROUGHPUT);
	for (i = 0; i < CALLS; i++)
		new_key(t, &keys[i], 1);
	sample(miss_pmumap, t, keys, CALLS, THROUGHPUT);
}

int main(int argc, char **argv)
{
	int i, ir = argc > 1 && !strcmp(argv[1], "--ir");
	char name[64];
	size_t size;
	void *fdt;

	for (i = 1 + ir; i < argc; i++) {
		fdt = load(argv[i], &size);
		name_of(argv[i], name, sizeof(name));
		add_table(name, fdt, size);
		if (!ir)
			compare_builds(name, fdt, size, 41);
		free(fdt);
	}
	if (ir && n_tables == 1) {
		count(&tables[0]);
		return 0;
	}
	add_synthetic("synthetic-508", 127, 8, 4);
	add_synthetic("synthetic-10000", 400, 400, 25);
	for (i = 0; i < n_tables; i++)
		verify(&tables[i]);
	compare();
	time_builds();
	return 0;
}
