/* SPDX-License-Identifier: BSD-2-Clause
 *
 * usage: names [--ir] DIR CATALOG.dtb...
 *         names --list DIR CATALOG.dtb...
 *
 * IMC: look-ups from full name to event and from offset to event, compared with the searches of
 * imc_peers.h, for the given catalogs and for synthetic ones of 1 to 10000 names. DIR has shared
 * objects that gperf made of the lists from --list. floor: compares the right string and loads;
 * hash: hashes only. Lines that begin with "Benchmark" are in benchstat's format.
 *
 * --ir: no timing; bench/ir.sh counts instructions.
 */
#define _GNU_SOURCE

#include "trees.h"

#ifdef BENCH_CMPH
#include <cmph.h>
#endif

#include "imc_peers.h"
#include "match.h"

#define MAX_NAME 64u
#define GPERF_NAMES 1100u /* it takes very long for more */

struct key {
	char text[MAX_NAME];
	uint32_t len, near; /* near: the name that it is or resembles */
};

typedef const struct peer_slot *gperf_fn(const char *text, size_t len);

struct table {
	uint32_t n;
	struct peer_slot *sorted, *unsorted;
	uint32_t *offsets; /* sorted */
	struct peer_perf perf;
	const struct pmumap_imc *map;
	gperf_fn *gperf;
	struct key key[CALLS];
};

static const struct key *key_at(uint64_t key)
{
	return (const struct key *)(uintptr_t)key;
}

/* ---- the candidates ---- */

static inline uint64_t find(const struct pmumap_imc *m, const struct key *k)
{
	struct pmumap_imc_event e;
	uint32_t event;

	return pmumap_imc_find_name(m, k->text, k->len, 0, &event) && pmumap_imc_event(m, event, &e)
		       ? e.offset
		       : NO_OFFSET;
}

static NOINLINE uint64_t name_pmumap(const void *t, uint64_t key)
{
	return find(((const struct table *)t)->map, key_at(key));
}

static NOINLINE uint64_t name_linear(const void *table, uint64_t key)
{
	const struct table *t = table;

	return peer_linear(t->unsorted, t->n, key_at(key)->text);
}

static NOINLINE uint64_t name_bsearch(const void *table, uint64_t key)
{
	const struct table *t = table;

	return peer_bsearch(t->sorted, t->n, key_at(key)->text);
}

static NOINLINE uint64_t name_perf(const void *t, uint64_t key)
{
	return peer_perf(&((const struct table *)t)->perf, key_at(key)->text);
}

static NOINLINE uint64_t name_gperf(const void *t, uint64_t key)
{
	const struct peer_slot *slot =
		((const struct table *)t)->gperf(key_at(key)->text, key_at(key)->len);

	return slot ? slot->offset : NO_OFFSET;
}

static NOINLINE uint64_t name_floor(const void *t, uint64_t key)
{
	const struct key *k = key_at(key);

	return peer_known(&((const struct table *)t)->sorted[k->near], k->text, k->len);
}

/* Escapes, so that the compiler must fill in the event. */
static NOINLINE uint64_t at_pmumap(const void *t, uint64_t offset)
{
	const struct pmumap_imc *map = ((const struct table *)t)->map;
	struct pmumap_imc_event e;
	uint32_t event;
	int found = pmumap_imc_find_offset(map, PMUMAP_IMC_ALL, (uint32_t)offset, 0, &event) &&
		    pmumap_imc_event(map, event, &e);

	__asm__ volatile("" : : "r"(&e) : "memory");
	return (uint64_t)found;
}

static NOINLINE uint64_t at_linear(const void *table, uint64_t offset)
{
	const struct table *t = table;
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		if (t->unsorted[i].offset == offset)
			return 1;
	}
	return 0;
}

static int by_offset(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static NOINLINE uint64_t at_bsearch(const void *table, uint64_t offset)
{
	const struct table *t = table;
	uint32_t key = (uint32_t)offset;

	return bsearch(&key, t->offsets, t->n, sizeof(key), by_offset) != NULL;
}

static NOINLINE uint64_t at_textbook(const void *table, uint64_t offset)
{
	const struct table *t = table;
	uint32_t low = 0, high = t->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (t->offsets[middle] == offset)
			return 1;
		if (t->offsets[middle] < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

static NOINLINE uint64_t at_bisect(const void *table, uint64_t offset)
{
	const struct table *t = table;
	const uint32_t *at = t->offsets;
	uint32_t n, half;

	for (n = t->n; n > 1; n -= half) {
		half = n / 2;
		at += at[half] <= offset ? half : 0;
	}
	return *at == offset;
}

static NOINLINE uint64_t at_floor(const void *t, uint64_t place)
{
	return ((const struct table *)t)->sorted[place].offset;
}

/* ---- cmph: a number for every name that it knows, and for every other text; a string tells which */

#ifdef BENCH_CMPH
struct hashed {
	cmph_t *hash;
	struct peer_slot *slot;
};

static NOINLINE uint64_t name_cmph(const void *hashed, uint64_t key)
{
	const struct hashed *h = hashed;
	const struct key *k = key_at(key);
	const struct peer_slot *slot = &h->slot[cmph_search(h->hash, k->text, k->len)];

	return slot->len == k->len && !memcmp(slot->text, k->text, k->len) ? slot->offset
									   : NO_OFFSET;
}

static void enter_cmph(struct contest *c, const struct table *t, const char *name, CMPH_ALGO algo)
{
	struct hashed *h = need_memory(sizeof(*h));
	char **text = need_memory(t->n * sizeof(*text));
	cmph_config_t *config;
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		text[i] = need_memory(t->sorted[i].len + 1);
		memcpy(text[i], t->sorted[i].text, t->sorted[i].len);
	}
	config = cmph_config_new(cmph_io_vector_adapter(text, t->n));
	cmph_config_set_algo(config, algo);
	h->hash = cmph_new(config);
	if (!h->hash) /* BDZ and CHD need a minimum of names */
		return;
	h->slot = need_memory((cmph_size(h->hash) + 1) * sizeof(*h->slot));
	for (i = 0; i < t->n; i++)
		h->slot[cmph_search(h->hash, text[i], t->sorted[i].len)] = t->sorted[i];
	enter(c, name, name_cmph, h, 0);
}
#endif

/* ---- keys ---- */

static void set_key(const struct table *t, struct key *k, uint32_t name)
{
	k->near = name;
	k->len = t->sorted[name].len;
	memcpy(k->text, t->sorted[name].text, k->len + 1);
}

/* A name; a miss differs in one digit, because letters might differ only in case. */
static uint64_t name_key(const void *table, uint32_t number, int hit)
{
	const struct table *t = table;
	struct key *k = (struct key *)(uintptr_t)&t->key[number];

	set_key(t, k, below(t->n));
	while (!hit && !strcmp(k->text, t->sorted[k->near].text)) {
		k->text[below(k->len)] = (char)('0' + below(10));
		if (peer_bsearch(t->sorted, t->n, k->text) != NO_OFFSET)
			memcpy(k->text, t->sorted[k->near].text, k->len);
	}
	return (uintptr_t)k;
}

static uint64_t at_key(const void *table, uint32_t number, int hit)
{
	const struct table *t = table;

	(void)number;
	return t->sorted[below(t->n)].offset + (hit ? 0u : 4u);
}

/* ---- tables ---- */

static void set_slot(struct peer_slot *to, const struct peer_name *from)
{
	to->text = from->text;
	to->len = from->len;
	to->offset = from->offset;
}

static struct table *new_table(const struct tree *tree)
{
	struct table *t = need_memory(sizeof(*t));
	struct peer_names all;
	uint32_t i, j;

	t->map = build_imc_map(tree);
	peer_read(&all, tree->fdt);
	peer_sort(&all);
	t->n = all.n;
	t->sorted = need_memory(t->n * sizeof(*t->sorted));
	t->unsorted = need_memory(t->n * sizeof(*t->unsorted));
	t->offsets = need_memory(t->n * sizeof(*t->offsets));
	for (i = 0; i < t->n; i++) {
		if (all.at[i].len >= MAX_NAME)
			die("a name is too long", tree->name);
		set_slot(&t->sorted[i], &all.at[i]);
		j = below(i + 1);
		t->unsorted[i] = t->unsorted[j];
		set_slot(&t->unsorted[j], &all.at[i]);
		t->offsets[i] = all.at[i].offset;
	}
	qsort(t->offsets, t->n, sizeof(*t->offsets), by_offset);
	peer_perf_make(&t->perf, &all);
	return t;
}

/* Input for gperf. */
static void list(const struct tree *tree, const char *dir)
{
	struct table *t = new_table(tree);
	char path[256];
	FILE *f;
	uint32_t i;

	if (t->n > GPERF_NAMES)
		return;
	snprintf(path, sizeof(path), "%s/%s.gperf", dir, tree->name);
	f = fopen(path, "w");
	if (!f)
		die("cannot write", path);
	fprintf(f,
		"%%{\n#include <string.h>\n%%}\nstruct slot { const char *name; unsigned len, offset; };\n%%%%\n");
	for (i = 0; i < t->n; i++)
		fprintf(f, "%s, %u, %u\n", t->sorted[i].text, t->sorted[i].len,
			t->sorted[i].offset);
	fclose(f);
}

static gperf_fn *load_gperf(const char *dir, const char *name)
{
	gperf_fn *result;

	load_function(dir, name, "gperf_find", &result);
	return result;
}

static void add(const struct tree *tree, const char *dir)
{
	struct table *t = new_table(tree);
	struct contest *c = new_contest("Name", tree->name, t->n, name_key, t);

	t->gperf = load_gperf(dir, tree->name);
	enter(c, "pmumap", name_pmumap, t, OURS);
	enter(c, "linear", name_linear, t, 0);
	enter(c, "bsearch", name_bsearch, t, 0);
	enter(c, "perf", name_perf, t, 0);
	if (t->gperf)
		enter(c, "gperf", name_gperf, t, 0);
#ifdef BENCH_CMPH
	enter_cmph(c, t, "cmph-chm", CMPH_CHM);
	if (t->n >= 16) {
		enter_cmph(c, t, "cmph-bdz", CMPH_BDZ);
		enter_cmph(c, t, "cmph-chd", CMPH_CHD);
	}
#endif
	enter(c, "floor", name_floor, t, FLOOR);
	c = new_contest("At", tree->name, t->n, at_key, t);
	enter(c, "pmumap", at_pmumap, t, OURS);
	enter(c, "linear", at_linear, t, 0);
	enter(c, "bsearch", at_bsearch, t, 0);
	enter(c, "textbook", at_textbook, t, 0);
	enter(c, "bisect", at_bisect, t, 0);
	enter(c, "load", at_floor, t, FLOOR | PLACES);
}

static int by_lookup(const void *a, const void *b)
{
	const struct contest *x = a, *y = b;
	int order = y->lookup[0] - x->lookup[0];

	return order ? order : x->number - y->number;
}

int main(int argc, char **argv)
{
	/* units, lists, events per list: there are units * events names */
	static const uint32_t sizes[][3] = { { 1, 1, 1 },    { 1, 1, 4 },    { 4, 2, 4 },
					     { 16, 4, 4 },   { 64, 8, 4 },   { 127, 8, 4 },
					     { 256, 16, 4 }, { 1024, 8, 4 }, { 400, 100, 25 } };
	int ir = argc > 1 && !strcmp(argv[1], "--ir"),
	    lists = argc > 1 && !strcmp(argv[1], "--list");
	int i, first = 1 + (ir || lists);
	char name[32];
	struct tree tree;
	uint32_t n;

	if (argc <= first)
		die("usage: names [--ir | --list] DIR CATALOG.dtb...", "names");
	for (i = first + 1; i < argc; i++) {
		load_tree(&tree, argv[i]);
		(lists ? list : add)(&tree, argv[first]);
	}
	for (n = 0; n < sizeof(sizes) / sizeof(sizes[0]); n++) {
		snprintf(name, sizeof(name), "names-%u", sizes[n][0] * sizes[n][2]);
		imc_tree(&tree, name, sizes[n][0], sizes[n][1], sizes[n][2], 0);
		if (!ir || sizes[n][0] == 127)
			(lists ? list : add)(&tree, argv[first]);
	}
	if (lists)
		return 0;
	qsort(contests, (size_t)n_contests, sizeof(*contests), by_lookup);
	if (ir)
		count_all();
	else
		compete();
	return 0;
}
