/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Properties of every blob: how it builds, and that an accepted blob means what the tests' models
 * say. Models and libfdt run only after pmumap accepted the blob, because some versions of libfdt
 * hang on blobs that pmumap rejects.
 */
#ifndef FDT_CHECK_H
#define FDT_CHECK_H

#include <libfdt.h>

#include "amu_support.h"
#include "fuzz_amu.h"
#include "imc_check.h"
#include "pmumap_check.h"
#include "steps.h"

/* Larger trees skip the models, which are slow by design. */
#define MODEL_ROWS 512u
#define MODEL_BLOB (1u << 16)

/* extra: another RISC-V node, or 0. */
struct reports {
	int extra;
	struct findings all;
};

/* ---- RISC-V ---------------------------------------------------------------------------------- */

static inline void check_event(const struct pmumap *map, const struct model *m, uint32_t event)
{
	uint64_t want = 0x5555, got = 0x5555;
	uint32_t counters = model_counters(m, event);
	int found = model_selector(m, event, &want);
	struct pmumap_run run;

	MUST(pmumap_selector(map, event, &got) == found && got == want);
	MUST(pmumap_counters(map, event) == counters);
	if (!pmumap_event_next(map, event, &run) || run.first > event) {
		MUST(!found && !counters);
		return;
	}
	MUST(run.last >= event && run.counters == counters && (run.has_selector != 0) == found);
	MUST(!found || run.selector == want);
}

/* Only some rows of a large table. */
static inline void check_rows(const struct pmumap *map, const struct model *m)
{
	uint32_t i;

	for (i = 0; i < m->selectors; i += 1 + m->selectors / 64) {
		check_event(map, m, m->selector[i].event - 1);
		check_event(map, m, m->selector[i].event);
		check_event(map, m, m->selector[i].event + 1);
	}
	for (i = 0; i < m->ranges; i += 1 + m->ranges / 64) {
		check_event(map, m, m->range[i].first - 1);
		check_event(map, m, m->range[i].first);
		check_event(map, m, m->range[i].last);
		check_event(map, m, m->range[i].last + 1);
	}
}

static inline void check_codes(const struct pmumap *map, const struct model *m)
{
	static const uint32_t edges[] = { 0x3f,    0x40,    0xffff,  0x10040,  0x1ffff,   0x20000,
					  0x30000, 0xf0000, 0xfffff, 0x100000, 0xffffffff };
	uint32_t i, from = 0, gap = 0;
	struct pmumap_run run;

	for (i = 0; i < 0x40; i++) {
		check_event(map, m, i);
		check_event(map, m, 0x10000 + i);
	}
	for (i = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
		check_event(map, m, edges[i]);
	while (from < PMUMAP_EVENT_LIMIT && pmumap_event_next(map, from, &run)) {
		if (gap++ % (1 + (m->ranges + m->selectors) / 64) == 0) {
			check_event(map, m, run.first - 1);
			check_event(map, m, run.first + (run.last - run.first) / 2);
			check_event(map, m, run.last + 1);
		}
		from = run.last + 1;
	}
}

/* A raw event, from the index and from the map's list. */
static inline void check_value(const struct pmumap *map, const struct model *m, uint64_t raw)
{
	uint32_t counters = model_raw_counters(m, raw), listed = 0, row_counters, i;
	uint64_t select, mask;

	MUST(pmumap_raw_counters(map, raw) == counters);
	for (i = 0; pmumap_raw_at(map, i, &select, &mask, &row_counters); i++) {
		MUST(!(select & ~mask));
		listed |= (raw & mask) == select ? row_counters : 0;
	}
	MUST(listed == counters && i <= m->raws);
}

static inline void check_values(const struct pmumap *map, const struct model *m)
{
	uint32_t i;

	for (i = 0; i < m->raws; i += 1 + m->raws / 64) {
		uint64_t select = m->raw[i].select, other = m->raw[m->raws - 1 - i].select;

		check_value(map, m, select);
		check_value(map, m, select | (fuzz_random() & ~m->raw[i].mask));
		check_value(map, m, select ^ 1ull << (fuzz_random() & 63));
		check_value(map, m, select | other);
	}
	check_value(map, m, 0);
	check_value(map, m, ~0ull);
	check_value(map, m, fuzz_random());
}

static inline void check_plans(const struct pmumap *map, const struct model *m)
{
	uint32_t i;

	for (i = 0; i < 16; i++) {
		uint32_t event = fuzz_event(), features = (uint32_t)fuzz_random() & 7;
		uint32_t free_mask = (uint32_t)(fuzz_random() & fuzz_random());
		uint64_t data = raw_value(m, (uint32_t)fuzz_random()), want = 5, got = 5, selector;
		uint32_t counters = servers(m, event, data, features, i % 3, &selector);
		struct pmumap_job job;

		MUST(pmumap_plan(map, event, data, free_mask, features, i % 3, &job) ==
		     server_of(counters, free_mask, features));
		MUST(pmumap_encode(map, event, data, i % 3, &got) ==
		     model_encode(m, event, data, i % 3, &want));
		MUST(got == want);
	}
}

/* Other row orders, except for selectors (the first one counts), make the same image. */
static inline void check_alone(const struct pmumap *map, struct model *m, size_t need)
{
	struct pmumap_builder b;
	struct pmumap *again;
	uint32_t i;

	pmumap_begin(&b, NULL, 0);
	add_rows(&b, m);
	MUST(pmumap_need(&b) == need);
	for (i = 0; i < m->selectors && m->selector[i].event >= MODEL_EVENTS; i++)
		;
	/* A table of selectors that all do not count is not listed. */
	if (!m->has_selectors || i < m->selectors)
		check_listing(map, m);
	shuffle(m->range, m->ranges, sizeof(*m->range));
	shuffle(m->raw, m->raws, sizeof(*m->raw));
	again = build_rows(m);
	MUST((m->has_selectors && !m->selectors) || same_image(map, again));
	free(again);
}

/* map is NULL if the tree has nothing to read. */
static inline void check_riscv(const void *fdt, int node, const struct pmumap *map, size_t need,
			       const struct findings *seen)
{
	struct pmumap_run run;
	struct model m;
	int has;

	model_init(&m);
	has = model_read(&m, fdt, node);
	if (map) {
		MUST(has || !pmumap_event_next(map, 0, &run));
		check_rows(map, &m);
		check_codes(map, &m);
		check_values(map, &m);
		check_plans(map, &m);
		fuzz_list(map);
		fuzz_questions(map, 4);
	} else {
		MUST(!has);
	}
	if (m.selectors <= MODEL_ROWS && m.ranges <= MODEL_ROWS && m.raws <= MODEL_ROWS) {
		model_check(&m);
		check_findings(seen, &m);
	}
	if (need)
		check_alone(map, &m, need);
	MUST(!test_failed);
	model_free(&m);
}

/* ---- AMU ------------------------------------------------------------------------------------- */

static inline int children_named(const void *fdt, int parent, const char *name)
{
	int node, n = 0;

	for (node = fdt_first_subnode(fdt, parent); node >= 0; node = fdt_next_subnode(fdt, node))
		n += !strcmp(fdt_get_name(fdt, node, NULL), name);
	return n;
}

/* 0: missing; -1: not one cell, which readers treat differently. */
static inline int64_t phandle_of(const void *fdt, int node)
{
	int a = 4, b = 4;

	(void)fdt_getprop(fdt, node, "phandle", &a);
	(void)fdt_getprop(fdt, node, "linux,phandle", &b);
	return (a >= 0 && a != 4) || (b >= 0 && b != 4) ? -1 : (int64_t)fdt_get_phandle(fdt, node);
}

static inline int phandles_differ(const void *fdt)
{
	int node, other;

	for (node = fdt_next_node(fdt, -1, NULL); node >= 0;
	     node = fdt_next_node(fdt, node, NULL)) {
		int64_t phandle = phandle_of(fdt, node);

		for (other = node; phandle > 0 && other >= 0;) {
			other = fdt_next_node(fdt, other, NULL);
			if (other >= 0 && phandle_of(fdt, other) == phandle)
				return 0;
		}
		if (phandle < 0)
			return 0;
	}
	return 1;
}

/* No view is inside a counter, and there are few enough for the library to search all labels. */
static inline int counters_plain(const void *fdt)
{
	int node, depth = 0, outer = 0, counters = 0;

	for (node = fdt_next_node(fdt, -1, &depth); node >= 0;
	     node = fdt_next_node(fdt, node, &depth)) {
		outer = depth <= outer ? 0 : outer;
		if (strncmp(fdt_get_name(fdt, node, NULL), "counter", 7) != 0)
			continue;
		if (outer && depth > outer + 1)
			return 0;
		outer = outer ? outer : depth;
		counters++;
	}
	return counters < 60;
}

static inline int first_named(const void *fdt, int parent, const char *name)
{
	int node = parent < 0 ? parent : fdt_first_subnode(fdt, parent);

	while (node >= 0 && strcmp(fdt_get_name(fdt, node, NULL), name) != 0)
		node = fdt_next_subnode(fdt, node);
	return node;
}

/* A label's path says which view it means. */
static inline int views_differ(const void *fdt, int amus)
{
	int node = amus < 0 ? amus : fdt_first_subnode(fdt, amus);

	while (node >= 0 && children_named(fdt, amus, fdt_get_name(fdt, node, NULL)) == 1)
		node = fdt_next_subnode(fdt, node);
	return node < 0;
}

/* Returns whether a tree is unambiguous to the model: fixed names occur once. */
static inline int is_plain(const void *fdt)
{
	int cpus = first_named(fdt, 0, "cpus"), amus = first_named(fdt, cpus, "amus");

	return children_named(fdt, 0, "cpus") <= 1 && children_named(fdt, 0, "__symbols__") <= 1 &&
	       (cpus < 0 || children_named(fdt, cpus, "amus") <= 1) && counters_plain(fdt) &&
	       phandles_differ(fdt) &&
	       (views_differ(fdt, amus) || first_named(fdt, 0, "__symbols__") < 0);
}

/* The tree is well-formed; map is NULL if there is none. */
static inline void check_cpus_and_views(const void *fdt, const struct pmumap_amu *map,
					const struct findings *seen)
{
	struct amu_model m;
	int has = amu_model_read(&m, fdt);

	MUST(!has || map);
	if (map && is_plain(fdt)) {
		MUST(has);
		check_amu(map, &m);
		match_findings(seen, m.finding, m.findings, NULL, same_in_all, NULL);
		MUST(!test_failed);
	}
	amu_model_free(&m);
}

#define CANARY 64u

#define NUMBER(name, number, text) number,

/* A finding has a code of its kind of map, a name and a severity. */
static inline void check_finding(const struct pmumap_finding *f, const uint32_t *codes, size_t n)
{
	size_t i = 0;

	while (i < n && codes[i] != f->code)
		i++;
	MUST(i < n && *f->name);
	MUST(f->severity >= PMUMAP_NOTE && f->severity <= PMUMAP_ERROR);
}

static inline void on_amu_finding(void *arg, const struct pmumap_finding *f)
{
	static const uint32_t codes[] = { PMUMAP_AMU_FINDING_LIST(NUMBER) };

	check_finding(f, codes, sizeof(codes) / sizeof(codes[0]));
	collect(arg, f);
}

/*
 * Builds in this many bytes between canaries, with findings, and copies the image, up to its whole
 * size.
 */
static inline enum pmumap_status build_amu(const uint8_t *fdt, size_t size, size_t bytes,
					   struct findings *seen, struct pmumap_amu **copy)
{
	const struct pmumap_amu_options opt = { 0, pmumap_amu_labels };
	const struct pmumap_amu *map = (const struct pmumap_amu *)(const void *)fdt;
	unsigned char *mem = malloc(bytes + 2 * CANARY);
	enum pmumap_status status;
	size_t i;

	MUST(mem);
	memset(mem, 0xa5, bytes + 2 * CANARY);
	seen->n = 0;
	*copy = NULL;
	STEPS(BUILD, size,
	      status =
		      pmumap_amu_check(fdt, size, &opt, mem + CANARY, bytes, on_amu_finding, seen));
	MUST(status == PMUMAP_OK || !seen->n);
	STEPS(BUILD, size,
	      MUST(pmumap_amu_fdt_build(fdt, size, &opt, mem + CANARY, bytes, &map) == status));
	for (i = 0; i < CANARY; i++)
		MUST(mem[i] == 0xa5 && mem[CANARY + bytes + i] == 0xa5);
	MUST((status == PMUMAP_OK) == (map != NULL));
	if (map) {
		MUST((const unsigned char *)map == mem + CANARY && pmumap_amu_size(map) <= bytes);
		*copy = (struct pmumap_amu *)fuzz_copy(map, pmumap_amu_size(map));
	} else {
		MUST(pmumap_amu_open(mem + CANARY, bytes, &map) != PMUMAP_OK);
	}
	free(mem);
	return status;
}

/*
 * Everything about AMU: the same image and findings in a block of the need, in a larger one, and
 * from an unaligned blob; none in a smaller block. Returns the tree's status.
 */
static inline enum pmumap_status check_fdt_amu(const uint8_t *fdt, size_t size)
{
	static const struct pmumap_amu_options opt = { 0, pmumap_amu_labels };
	static struct findings seen, ignored;
	size_t need = 64, small;
	struct pmumap_amu *image, *copy;
	const struct pmumap_amu *m;
	enum pmumap_status status;
	uint8_t *odd;
	void *block;

	STEPS(MEASURE, size, status = pmumap_amu_fdt_measure(fdt, size, &opt, &need));
	MUST(status != PMUMAP_E_NOSPACE);
	need = status == PMUMAP_OK ? need : 64;
	MUST(build_amu(fdt, size, need, &seen, &image) == status);
	if (size <= MODEL_BLOB && (image || status == PMUMAP_E_NOTFOUND))
		check_cpus_and_views(fdt, image, &seen);
	if (!image)
		return status;
	fuzz_amu(image, 1);
	STEPS(OPEN, pmumap_amu_size(image),
	      status = pmumap_amu_open(image, pmumap_amu_size(image), &m));
	MUST(status == PMUMAP_OK && m == image);
	MUST(pmumap_amu_open(image, pmumap_amu_size(image) - 1, &m) == PMUMAP_E_IMAGE_SIZE && !m);
	small = (size_t)(fuzz_random() % need);
	MUST(build_amu(fdt, size, small & ~(size_t)7, &ignored, &copy) == PMUMAP_E_NOSPACE);
	MUST(build_amu(fdt, size, need + 8 + small, &ignored, &copy) == PMUMAP_OK);
	MUST(ignored.n == seen.n && !memcmp(copy, image, pmumap_amu_size(image)));
	free(copy);
	block = malloc(need);
	odd = malloc(size + 1);
	MUST(block && odd);
	memcpy(odd + 1, fdt, size);
	MUST(pmumap_amu_fdt_build(odd + 1, size, &opt, block, need, &m) == PMUMAP_OK);
	MUST(!memcmp(m, image, pmumap_amu_size(image)));
	MUST(pmumap_amu_fdt_build(fdt, size, NULL, (char *)block + 4, need - 4, &m) ==
	     PMUMAP_E_ARG);
	free(block);
	free(odd);
	free(image);
	return PMUMAP_OK;
}

/* ---- building -------------------------------------------------------------------------------- */

static inline void on_finding(void *arg, const struct pmumap_finding *f)
{
	static const uint32_t codes[] = { PMUMAP_FINDING_LIST(NUMBER) };
	struct reports *seen = (struct reports *)arg;

	check_finding(f, codes, sizeof(codes) / sizeof(codes[0]));
	MUST(*pmumap_severity_str(f->severity));
	MUST(f->property || f->row == PMUMAP_NO_ROW);
	MUST(f->other_property || f->other == PMUMAP_NO_ROW);
	if (f->code == PMUMAP_F_EXTRA_NODE)
		seen->extra = f->node;
	collect(&seen->all, f);
}

static inline void on_imc_finding(void *arg, const struct pmumap_finding *f)
{
	static const uint32_t codes[] = { PMUMAP_IMC_FINDING_LIST(NUMBER) };
	struct reports *seen = (struct reports *)arg;

	check_finding(f, codes, sizeof(codes) / sizeof(codes[0]));
	collect(&seen->all, f);
}

static inline void nothing_seen(struct reports *seen)
{
	seen->extra = 0;
	seen->all.n = 0;
}

/* A block between canaries. */
static inline unsigned char *fence_block(size_t bytes)
{
	unsigned char *mem = (unsigned char *)malloc(bytes + 2 * CANARY);

	MUST(mem);
	memset(mem, 0xa5, bytes + 2 * CANARY);
	return mem;
}

static inline void check_fence(const unsigned char *mem, size_t bytes)
{
	size_t i;

	for (i = 0; i < CANARY; i++)
		MUST(mem[i] == 0xa5 && mem[CANARY + bytes + i] == 0xa5);
}

/* The list of harts of any blob; of an accepted one it is the model's. */
static inline void check_harts(const uint8_t *fdt, size_t size)
{
	struct pmumap_fdt_hart *harts;
	struct model_hart *want;
	enum pmumap_status status;
	struct pmumap_builder b;
	size_t room, count = 0, i;
	uint32_t n = 0, k;

	(void)pmumap_fdt_harts(fdt, size, NULL, 0, &room);
	harts = (struct pmumap_fdt_hart *)malloc((room + 1) * sizeof(*harts));
	MUST(harts);
	STEPS(HARTS, size, status = pmumap_fdt_harts(fdt, size, harts, room, &count));
	MUST(count <= room && status != PMUMAP_E_NOSPACE);
	for (i = 0; i < count; i++) {
		MUST(i == 0 || harts[i - 1].hart < harts[i].hart);
		pmumap_begin(&b, NULL, 0);
		status = pmumap_fdt_add_node(&b, fdt, size, harts[i].node);
		MUST(status == (harts[i].node < 0 ? PMUMAP_E_NODE : PMUMAP_OK));
	}
	pmumap_begin(&b, NULL, 0);
	(void)pmumap_fdt_add_node(&b, fdt, size, (int)fuzz_random());
	if (count == 0 || size > MODEL_BLOB || room > MODEL_ROWS) {
		free(harts);
		return;
	}
	n = model_harts(fdt, &want);
	MUST(n == room);
	while (n-- > 0) {
		for (i = 0; harts[i].hart != want[n].id; i++)
			MUST(i + 1 < count);
		for (k = 0; want[k].id != want[n].id; k++)
			;
		MUST(k < n || harts[i].node == model_node_of(fdt, &want[n]));
	}
	free(want);
	free(harts);
}

/*
 * Builds between canaries with findings, and copies the image. After a failure there is no image.
 */
static inline enum pmumap_status build(const uint8_t *fdt, size_t size, int node, size_t bytes,
				       struct reports *seen, struct pmumap **copy)
{
	const struct pmumap_fdt_options opt = { node };
	const struct pmumap *map = (const struct pmumap *)(const void *)fdt;
	size_t room = bytes_to_check(fdt, size, bytes);
	unsigned char *mem = fence_block(bytes), *other = fence_block(room);
	enum pmumap_status status, checked;

	nothing_seen(seen);
	*copy = NULL;
	STEPS(BUILD, size,
	      checked = pmumap_fdt_check(fdt, size, &opt, other + CANARY, room, on_finding, seen));
	check_fence(other, room);
	free(other);
	STEPS(BUILD, size, status = pmumap_fdt_build(fdt, size, &opt, mem + CANARY, bytes, &map));
	MUST(status == checked || (status == PMUMAP_E_NOSPACE && room > bytes));
	check_fence(mem, bytes);
	MUST(*pmumap_status_str(status) && (status == PMUMAP_OK) == (map != NULL));
	if (map) {
		MUST((const unsigned char *)map == mem + CANARY && pmumap_size(map) <= bytes);
		*copy = (struct pmumap *)fuzz_copy(map, pmumap_size(map));
	} else {
		MUST(pmumap_open(mem + CANARY, bytes, &map) != PMUMAP_OK);
	}
	free(mem);
	return status;
}

/* Checks and builds in a fenced block. */
static inline enum pmumap_status build_imc(const uint8_t *fdt, size_t size,
					   const struct pmumap_imc_options *opt, size_t bytes,
					   struct reports *seen, struct pmumap_imc **copy)
{
	const struct pmumap_imc *map = (const struct pmumap_imc *)(const void *)fdt;
	unsigned char *mem = fence_block(bytes);
	enum pmumap_status status, checked;

	nothing_seen(seen);
	*copy = NULL;
	STEPS(BUILD, size + bytes,
	      checked =
		      pmumap_imc_check(fdt, size, opt, mem + CANARY, bytes, on_imc_finding, seen));
	STEPS(BUILD, size + bytes,
	      status = pmumap_imc_fdt_build(fdt, size, opt, mem + CANARY, bytes, &map));
	check_fence(mem, bytes);
	MUST(checked == status && (status == PMUMAP_OK) == (map != NULL));
	if (map) {
		MUST((const unsigned char *)map == mem + CANARY && pmumap_imc_size(map) <= bytes);
		*copy = (struct pmumap_imc *)fuzz_copy(map, pmumap_imc_size(map));
	}
	free(mem);
	return status;
}

/*
 * The same map in a larger block, without findings, and from an unaligned blob; none in a smaller
 * or unaligned block.
 */
static inline void check_blocks(const uint8_t *fdt, size_t size, int node, size_t need,
				const struct pmumap *image)
{
	const struct pmumap_fdt_options opt = { node };
	static struct reports seen;
	size_t small = (size_t)(fuzz_random() % need);
	const struct pmumap *map = NULL;
	void *block = malloc(need);
	uint8_t *odd = (uint8_t *)malloc(size + 1);
	struct pmumap *copy;

	MUST(block && odd);
	memcpy(odd + 1, fdt, size);
	MUST(pmumap_fdt_build(odd + 1, size, &opt, block, need, &map) == PMUMAP_OK);
	MUST(!memcmp(map, image, pmumap_size(image)));
	MUST(pmumap_fdt_build(fdt, size, &opt, (char *)block + 4, need - 4, &map) == PMUMAP_E_ARG);
	free(block);
	free(odd);
	MUST(build(fdt, size, node, need + 8 + small, &seen, &copy) == PMUMAP_OK);
	MUST(!memcmp(copy, image, pmumap_size(image)));
	free(copy);
	MUST(build(fdt, size, node, small & ~(size_t)7, &seen, &copy) == PMUMAP_E_NOSPACE);
}

/* The same for IMC. */
static inline void check_imc_blocks(const uint8_t *fdt, size_t size,
				    const struct pmumap_imc_options *opt, size_t need,
				    const struct pmumap_imc *image)
{
	static struct reports seen;
	size_t small = (size_t)(fuzz_random() % need);
	const struct pmumap_imc *map = NULL;
	void *block = malloc(need);
	uint8_t *odd = (uint8_t *)malloc(size + 1);
	struct pmumap_imc *copy;

	MUST(block && odd);
	memcpy(odd + 1, fdt, size);
	MUST(pmumap_imc_fdt_build(odd + 1, size, opt, block, need, &map) == PMUMAP_OK);
	MUST(!memcmp(map, image, pmumap_imc_size(image)));
	MUST(pmumap_imc_fdt_build(fdt, size, opt, (char *)block + 4, need - 4, &map) ==
	     PMUMAP_E_ARG);
	free(block);
	free(odd);
	MUST(build_imc(fdt, size, opt, need + 8 + small, &seen, &copy) == PMUMAP_OK);
	MUST(!memcmp(copy, image, pmumap_imc_size(image)));
	free(copy);
	MUST(build_imc(fdt, size, opt, small & ~(size_t)7, &seen, &copy) == PMUMAP_E_NOSPACE);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* libfdt's own search reads past a list of strings without an end. */
static inline int is_catalog(const void *fdt, int node)
{
	return fdt_stringlist_search(fdt, node, "compatible", "ibm,opal-in-memory-counters") >= 0;
}

static inline int has_imc(const void *fdt)
{
	int node, found = 0;

	for (node = fdt_next_node(fdt, -1, NULL); node >= 0 && !found;
	     node = fdt_next_node(fdt, node, NULL))
		found = is_catalog(fdt, node);
	return found;
}

/* The queries for IMC depend on the input. */
static inline void choose(struct pmumap_imc_options *opt)
{
	static const uint32_t generations[] = { 0, PMUMAP_IMC_NO_TRACE, PMUMAP_IMC_P9,
						PMUMAP_IMC_P10 | PMUMAP_IMC_NO_TRACE };
	uint64_t r = fuzz_random();

	memset(opt, 0, sizeof(*opt));
	opt->flags = r & 1 ? PMUMAP_DESC : 0;
	opt->generation = generations[r >> 3 & 3];
	opt->available = r & 32 ? fuzz_random() : ~0ull;
	opt->wanted = opt->generation ? pmumap_imc_wanted : NULL;
}

/* Everything about IMC. Returns the tree's status. */
static inline enum pmumap_status check_fdt_imc(const uint8_t *fdt, size_t size)
{
	static struct reports seen;
	struct pmumap_imc_options opt;
	enum pmumap_status status, opened;
	const struct pmumap_imc *m;
	struct pmumap_imc *image;
	size_t need = 0;

	choose(&opt);
	STEPS(MEASURE, size, status = pmumap_imc_fdt_measure(fdt, size, &opt, &need));
	MUST(status != PMUMAP_E_NOSPACE);
	if (status != PMUMAP_OK)
		need = 64;
	MUST(build_imc(fdt, size, &opt, need, &seen, &image) == status);
	MUST(status != PMUMAP_E_NOTFOUND || !has_imc(fdt));
	if (!image)
		return status;
	STEPS(OPEN, pmumap_imc_size(image),
	      opened = pmumap_imc_open(image, pmumap_imc_size(image), &m));
	MUST(opened == PMUMAP_OK && m == image);
	MUST(pmumap_imc_open(image, pmumap_imc_size(image) - 1, &m) == PMUMAP_E_IMAGE_SIZE && !m);
	check_imc(fdt, size, &opt, image, &seen.all);
	check_imc_blocks(fdt, size, &opt, need, image);
	free(image);
	return status;
}

static inline enum pmumap_status check_fdt(const uint8_t *fdt, size_t size, int node)
{
	struct pmumap_fdt_options opt = { node };
	static struct reports seen;
	enum pmumap_status status, opened;
	const struct pmumap *m;
	struct pmumap *image;
	size_t need = 0;

	random_state = fuzz_random() | 1;
	STEPS(MEASURE, size, status = pmumap_fdt_measure(fdt, size, &opt, &need));
	MUST(status != PMUMAP_E_NOSPACE);
	if (status != PMUMAP_OK)
		need = 64;
	MUST(build(fdt, size, node, need, &seen, &image) == status);
	if (image) {
		STEPS(OPEN, pmumap_size(image),
		      opened = pmumap_open(image, pmumap_size(image), &m));
		MUST(opened == PMUMAP_OK && m == image);
		MUST(pmumap_open(image, pmumap_size(image) - 1, &m) == PMUMAP_E_IMAGE_SIZE && !m);
	}
	if (image || status == PMUMAP_E_NOTFOUND)
		check_riscv(fdt, node, image, image ? need : 0, &seen.all);
	if (image)
		check_blocks(fdt, size, node, need, image);
	free(image);
	node = node == 0 ? seen.extra : 0;
	if (node)
		check_fdt(fdt, size, node);
	return status;
}

#endif /* FDT_CHECK_H */
