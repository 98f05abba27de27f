/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as a device tree. Bytes that begin like a blob are taken as they are. Others write one:
 * mutation of a blob hardly ever changes the length of a property, so the rows come from the bytes;
 * a few of the blob's bytes may be overwritten afterwards. With IMC_BYTE in front it is a tree with
 * IMC, which may have a riscv,pmu node besides.
 *
 * What pmumap makes of a blob is compared with straight loops over the rows that libfdt finds, and
 * of IMC with the tests' model. They are asked only after pmumap has accepted the blob: some
 * versions of libfdt hang on what pmumap refuses.
 */
#include <libfdt.h>

#include "../pmumap_fdt.h"
#include "../tests/amu_model.h"
#include "fuzz_amu.h"
#include "imc_check.h"
#include "imc_tree.h"

#define IMC_BYTE 'I'

#define MAX_ROWS 256u

struct selector_row {
	uint32_t event;
	uint64_t selector;
};

struct range_row {
	uint32_t first, last, counters;
};

struct raw_row {
	uint64_t select, mask;
	uint32_t counters;
};

/* The rows as they are in the tree, all of them; there may be more than a generated tree has. */
struct rows {
	struct selector_row *selector;
	struct range_row *range;
	struct raw_row *raw;
	uint32_t selectors, ranges, raws;
	int selector_table; /* the property is there, even if it has no rows */
};

struct reports {
	uint32_t all, errors, no_space;
	uint64_t need;
	int extra; /* a further node, or 0 */
	struct imc_seen imc;
};

/* ---- the naive answers ---- */

static int naive_selector(const struct rows *r, uint32_t event, uint64_t *selector)
{
	uint32_t i;

	for (i = 0; i < r->selectors && event < PMUMAP_EVENT_LIMIT; i++) {
		if (r->selector[i].event == event) {
			*selector = r->selector[i].selector;
			return 1;
		}
	}
	return 0;
}

static uint32_t naive_counters(const struct rows *r, uint32_t event)
{
	uint32_t i, counters = 0;

	for (i = 0; i < r->ranges && event < PMUMAP_EVENT_LIMIT; i++) {
		if (r->range[i].first <= event && event <= r->range[i].last)
			counters |= r->range[i].counters;
	}
	return counters;
}

static uint32_t naive_raw(const struct rows *r, uint64_t raw)
{
	uint32_t i, counters = 0;

	for (i = 0; i < r->raws; i++) {
		if ((raw & r->raw[i].mask) == r->raw[i].select)
			counters |= r->raw[i].counters;
	}
	return counters;
}

/* ---- the rows, read by libfdt ---- */

static int has_table(const void *fdt, int node, int *foreign)
{
	static const char *const names[] = {
		"riscv,event-to-mhpmevent",        "pmu,event-to-mhpmevent",
		"riscv,event-to-mhpmcounters",     "pmu,event-to-mhpmcounters",
		"riscv,raw-event-to-mhpmcounters", "pmu,raw-event-to-mhpmcounters",
	};
	int at, len;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (fdt_getprop(fdt, node, names[i], &len))
			return 1;
	}
	for (at = fdt_first_property_offset(fdt, node); at >= 0;
	     at = fdt_next_property_offset(fdt, at)) {
		const char *name = "";

		if (fdt_getprop_by_offset(fdt, at, &name, &len) && !strncmp(name, "riscv,", 6))
			*foreign = 1;
	}
	return 0;
}

static int has_imc(const void *fdt)
{
	return fdt_node_offset_by_compatible(fdt, -1, "ibm,opal-in-memory-counters") >= 0;
}

static int has_amu(const void *fdt)
{
	struct amu_model model;
	int has = amu_model_read(&model, fdt);

	amu_model_free(&model);
	return has;
}

static int find_node(const void *fdt)
{
	int node = -1;

	while ((node = fdt_node_offset_by_compatible(fdt, node, "riscv,pmu")) >= 0) {
		int foreign = 0;

		if (has_table(fdt, node, &foreign) || !foreign)
			break;
	}
	return node;
}

static uint64_t cells(const uint8_t *p, unsigned n)
{
	uint64_t value = 0;

	for (n *= 4; n; n--)
		value = value << 8 | *p++;
	return value;
}

/* The table under either prefix; *rows is allocated, all bytes of it 0. */
static const uint8_t *table(const void *fdt, int node, const char *name, uint32_t row_cells,
			    uint32_t old_cells, uint32_t *n, int *old)
{
	char full[64];
	int len = 0;
	const uint8_t *p;

	snprintf(full, sizeof(full), "riscv,%s", name);
	p = (const uint8_t *)fdt_getprop(fdt, node, full, &len);
	*old = !p;
	if (!p) {
		snprintf(full, sizeof(full), "pmu,%s", name);
		p = (const uint8_t *)fdt_getprop(fdt, node, full, &len);
		row_cells = old_cells;
	}
	MUST(!p || len >= 0);
	*n = p ? (uint32_t)len / (4 * row_cells) : 0;
	return p;
}

static void read_rows(const void *fdt, int node, struct rows *r)
{
	const uint8_t *p;
	uint32_t i;
	int old;

	p = table(fdt, node, "event-to-mhpmevent", 3, 3, &r->selectors, &old);
	r->selector_table = p != NULL;
	r->selector = calloc(r->selectors + 1, sizeof(*r->selector));
	for (i = 0; i < r->selectors; i++, p += 12) {
		r->selector[i].event = (uint32_t)cells(p, 1);
		r->selector[i].selector = cells(p + 4, 2);
	}
	p = table(fdt, node, "event-to-mhpmcounters", 3, 3, &r->ranges, &old);
	r->range = calloc(r->ranges + 1, sizeof(*r->range));
	for (i = 0; i < r->ranges; i++, p += 12) {
		r->range[i].first = (uint32_t)cells(p, 1);
		r->range[i].last = (uint32_t)cells(p + 4, 1);
		r->range[i].counters = (uint32_t)cells(p + 8, 1);
	}
	p = table(fdt, node, "raw-event-to-mhpmcounters", 5, 3, &r->raws, &old);
	r->raw = calloc(r->raws + 1, sizeof(*r->raw));
	for (i = 0; i < r->raws; i++, p += old ? 12 : 20) {
		r->raw[i].select = cells(p, 2);
		r->raw[i].mask = old ? ~0ull : cells(p + 8, 2);
		r->raw[i].counters = (uint32_t)cells(old ? p + 8 : p + 16, 1);
	}
	MUST(r->selector && r->range && r->raw);
}

/* ---- the map against the rows ---- */

static void check_event(const struct pmumap *m, const struct rows *r, uint32_t event)
{
	uint64_t want = 0x5555, got = 0x5555;
	uint32_t counters = naive_counters(r, event);
	int found = naive_selector(r, event, &want);
	struct pmumap_run run;

	MUST(pmumap_selector(m, event, &got) == found && got == want);
	MUST(pmumap_counters(m, event) == counters);
	if (!pmumap_event_next(m, event, &run) || run.first > event) {
		MUST(!found && !counters);
		return;
	}
	MUST(run.last >= event && run.counters == counters && (run.has_selector != 0) == found);
	MUST(!found || run.selector == want);
}

static void check_events(const struct pmumap *m, const struct rows *r)
{
	static const uint32_t edges[] = { 0x3f,    0x40,    0xffff,  0x10040,  0x1ffff,   0x20000,
					  0x30000, 0xf0000, 0xfffff, 0x100000, 0xffffffff };
	uint32_t i, from = 0, gap = 0;
	struct pmumap_run run;

	for (i = 0; i < 0x40; i++) {
		check_event(m, r, i);
		check_event(m, r, 0x10000 + i);
	}
	for (i = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
		check_event(m, r, edges[i]);
	for (i = 0; i < r->selectors; i += 1 + r->selectors / 64) {
		check_event(m, r, r->selector[i].event - 1);
		check_event(m, r, r->selector[i].event);
		check_event(m, r, r->selector[i].event + 1);
	}
	for (i = 0; i < r->ranges; i += 1 + r->ranges / 64) {
		check_event(m, r, r->range[i].first - 1);
		check_event(m, r, r->range[i].first);
		check_event(m, r, r->range[i].last);
		check_event(m, r, r->range[i].last + 1);
	}
	while (from < PMUMAP_EVENT_LIMIT && pmumap_event_next(m, from, &run)) {
		if (gap++ % (1 + (r->ranges + r->selectors) / 64) == 0) {
			check_event(m, r, run.first - 1);
			check_event(m, r, run.first + (run.last - run.first) / 2);
			check_event(m, r, run.last + 1);
		}
		from = run.last + 1;
	}
}

static void check_raw(const struct pmumap *m, const struct rows *r, uint64_t raw)
{
	uint32_t counters = naive_raw(r, raw), listed = 0, row_counters, i;
	uint64_t select, mask;

	MUST(pmumap_raw_counters(m, raw) == counters);
	for (i = 0; pmumap_raw_at(m, i, &select, &mask, &row_counters); i++) {
		MUST(!(select & ~mask));
		listed |= (raw & mask) == select ? row_counters : 0;
	}
	MUST(listed == counters && i <= r->raws);
}

static void check_raws(const struct pmumap *m, const struct rows *r)
{
	uint32_t i;

	for (i = 0; i < r->raws; i += 1 + r->raws / 64) {
		uint64_t select = r->raw[i].select, other = r->raw[r->raws - 1 - i].select;

		check_raw(m, r, select);
		check_raw(m, r, select | (fuzz_random() & ~r->raw[i].mask));
		check_raw(m, r, select ^ 1ull << (fuzz_random() & 63));
		check_raw(m, r, select | other);
	}
	check_raw(m, r, 0);
	check_raw(m, r, ~0ull);
	check_raw(m, r, fuzz_random());
}

/* ---- building ---- */

static void on_finding(void *arg, const struct pmumap_finding *f)
{
	struct reports *seen = (struct reports *)arg;

	MUST(strcmp(pmumap_code_str(f->code), pmumap_code_str((enum pmumap_code)0)) != 0);
	MUST(f->severity >= PMUMAP_NOTE && f->severity <= PMUMAP_ERROR);
	MUST(*pmumap_severity_str(f->severity));
	if (f->code <= PMUMAP_F_NO_SPACE) {
		MUST(f->property || f->row == PMUMAP_NO_ROW);
		MUST(f->other_property || f->other == PMUMAP_NO_ROW);
	}
	seen->all++;
	if (f->code == PMUMAP_F_EXTRA_NODE)
		seen->extra = f->node;
	imc_finding(&seen->imc, f);
	if (f->code == PMUMAP_F_NO_SPACE) {
		seen->no_space++;
		seen->need = f->value;
	} else if (f->severity == PMUMAP_ERROR) {
		seen->errors++;
	}
}

#define CANARY 64u

/* Build in bytes bytes between canaries; the image, at most bytes of it, goes to a copy. */
static enum pmumap_status build(const uint8_t *fdt, size_t size, struct pmumap_fdt_options *opt,
				size_t bytes, struct reports *seen, struct pmumap **copy)
{
	const struct pmumap *map = (const struct pmumap *)(const void *)fdt;
	unsigned char *mem = malloc(bytes + 2 * CANARY);
	enum pmumap_status status;
	size_t i;

	MUST(mem);
	memset(mem, 0xa5, bytes + 2 * CANARY);
	memset(seen, 0, offsetof(struct reports, imc.at));
	*copy = NULL;
	opt->report = on_finding;
	opt->arg = seen;
	status = pmumap_fdt_build(fdt, size, opt, mem + CANARY, bytes, &map);
	for (i = 0; i < CANARY; i++)
		MUST(mem[i] == 0xa5 && mem[CANARY + bytes + i] == 0xa5);
	MUST(*pmumap_status_str(status));
	MUST((status == PMUMAP_OK) == (map != NULL));
	MUST((status == PMUMAP_E_NOSPACE) == (seen->no_space == 1) && seen->no_space <= 1);
	if (map) {
		MUST((const unsigned char *)map == mem + CANARY && pmumap_size(map) <= bytes);
		*copy = fuzz_copy(map, pmumap_size(map));
	}
	free(mem);
	return status;
}

/*
 * The same map in a block of exactly need bytes and in a larger one, and from a blob at an odd
 * address; in a smaller block, what is needed. Only IMC is given an index or not as it fits.
 */
static void check_blocks(const uint8_t *fdt, size_t size, struct pmumap_fdt_options *opt,
			 size_t need, const struct pmumap *image)
{
	const struct pmumap *map = NULL;
	struct pmumap *copy;
	static struct reports seen;
	size_t small = (size_t)(fuzz_random() % (need + 1));
	void *exact = malloc(need);
	uint8_t *odd = malloc(size + 1);

	MUST(exact && odd);
	memcpy(odd + 1, fdt, size);
	MUST(pmumap_fdt_build(odd + 1, size, opt, exact, need, &map) == PMUMAP_OK);
	MUST(!memcmp(map, image, pmumap_size(image)));
	free(exact);
	free(odd);
	MUST(build(fdt, size, opt, need + 8 + small, &seen, &copy) == PMUMAP_OK);
	if (image->imc)
		fuzz_imc_same(copy, image);
	else
		MUST(!memcmp(copy, image, pmumap_size(image)));
	free(copy);
	small &= ~(size_t)7;
	if (build(fdt, size, opt, small, &seen, &copy) == PMUMAP_E_NOSPACE) {
		MUST(seen.need > small && (has_imc(fdt) ? seen.need <= need : seen.need == need));
		MUST(build(fdt, size, opt, (size_t)seen.need, &seen, &copy) == PMUMAP_OK);
	}
	fuzz_imc_same(copy, image);
	free(copy);
}

/*
 * The same rows, but for the selectors in another order, through the builder: the same image, if
 * they are alone in it.
 */
static void check_builder(const struct rows *r, size_t need, const struct pmumap *image, int alone)
{
	const struct pmumap *map;
	struct pmumap_builder b;
	void *mem = malloc(need);
	uint32_t i;

	MUST(mem);
	pmumap_begin(&b, mem, need);
	for (i = r->raws; i-- > 0;)
		pmumap_add_raw(&b, r->raw[i].select, r->raw[i].mask, r->raw[i].counters);
	for (i = 0; i < r->selectors; i++)
		pmumap_add_selector(&b, r->selector[i].event, r->selector[i].selector);
	for (i = r->ranges; i-- > 0;)
		pmumap_add_counters(&b, r->range[i].first, r->range[i].last, r->range[i].counters);
	MUST(pmumap_need(&b) <= need && pmumap_finish(&b, &map) == PMUMAP_OK);
	if (alone) {
		MUST(pmumap_need(&b) == need);
		MUST((r->selector_table && !r->selectors) ||
		     !memcmp(map, image, pmumap_size(image)));
	}
	free(mem);
}

/* ---- all of it ---- */

/* The CPUs and views of a tree, against the tests' model. */
static void check_amu(const void *fdt, const struct pmumap *image)
{
	struct pmumap_amu_cpu cpu;
	struct amu_model model;
	uint16_t described, enable;
	uint32_t i, counter;

	(void)amu_model_read(&model, fdt);
	for (i = 0; i < model.cpus; i++) {
		const struct amu_model_cpu *want = &model.cpu[i];

		MUST(pmumap_amu_cpu_at(image, i, &cpu) && cpu.mpidr == want->mpidr);
		MUST(cpu.view == (want->view == MODEL_NO_ROW ? PMUMAP_AMU_NO_VIEW : want->view));
		MUST(cpu.described == want->described && cpu.enable == want->enable);
	}
	MUST(!pmumap_amu_cpu_at(image, i, &cpu));
	for (i = 0; i < model.views; i++) {
		MUST(pmumap_amu_view(image, i, &described, &enable));
		MUST(described == model.view[i].described && enable == model.view[i].enable);
		for (counter = 0; counter < AMU_COUNTERS; counter++)
			MUST(imc_same_text(pmumap_amu_counter_name(image, i, counter),
					   model.view[i].name[counter]));
	}
	MUST(!pmumap_amu_view(image, i, &described, &enable));
	amu_model_free(&model);
}

static void check_map(const uint8_t *fdt, size_t size, int node, size_t need,
		      const struct pmumap *image)
{
	const struct pmumap *m;
	struct rows rows;
	int others = has_imc(fdt) || has_amu(fdt);

	MUST(pmumap_open(image, pmumap_size(image), &m) == PMUMAP_OK && m == image);
	MUST(pmumap_open(image, pmumap_size(image) - 1, &m) == PMUMAP_E_IMAGE_SIZE && !m);
	if (node == 0)
		node = find_node(fdt);
	MUST((node >= 0 && (size_t)node < size) || others);
	read_rows(fdt, node, &rows);
	check_events(image, &rows);
	check_raws(image, &rows);
	check_builder(&rows, need, image, !others);
	fuzz_list(image);
	fuzz_questions(image);
	free(rows.selector);
	free(rows.range);
	free(rows.raw);
}

/* What of IMC is asked for differs from one input to the next. */
static void choose(struct pmumap_fdt_options *opt)
{
	static const uint32_t generations[] = { 0, 0, PMUMAP_IMC_P9, PMUMAP_IMC_P10 };
	uint64_t r = fuzz_random();

	opt->flags = r & 1 ? PMUMAP_DESC : 0;
	opt->flags |= (r & 6) == 6 ? PMUMAP_NO_INDEX : 0;
	opt->imc_generation = generations[r >> 3 & 3];
	opt->imc_available = r & 32 ? fuzz_random() : ~0ull;
}

static enum pmumap_status check_blob(const uint8_t *fdt, size_t size, int node)
{
	static struct reports seen, strict_seen;
	struct pmumap_fdt_options opt;
	enum pmumap_status measured, status, strict;
	struct pmumap *image, *none;
	size_t need = 0;
	uint32_t flags;

	memset(&opt, 0, sizeof(opt));
	memset(&seen, 0, offsetof(struct reports, imc.at));
	choose(&opt);
	flags = opt.flags;
	opt.node = node;
	opt.report = on_finding;
	opt.arg = &seen;
	measured = pmumap_fdt_measure(fdt, size, &opt, &need);
	MUST(!seen.all && measured != PMUMAP_E_NOSPACE && measured != PMUMAP_E_STRICT);
	if (measured != PMUMAP_OK)
		need = 64;
	status = build(fdt, size, &opt, need, &seen, &image);
	MUST(status == measured);
	opt.flags = flags | PMUMAP_STRICT;
	strict = build(fdt, size, &opt, need, &strict_seen, &none);
	MUST(strict == (status == PMUMAP_OK && seen.errors ? PMUMAP_E_STRICT : status));
	free(none);
	if (status == PMUMAP_OK) {
		opt.flags = flags;
		check_blocks(fdt, size, &opt, need, image);
		check_map(fdt, size, node, need, image);
		if (has_imc(fdt) && node == 0)
			check_imc(fdt, size, &opt, image, &seen.imc);
		else
			(void)fuzz_imc(image, 1);
		fuzz_amu(image, 1);
		if (node == 0)
			check_amu(fdt, image);
	}
	free(image);
	if (node == 0 && seen.extra)
		check_blob(fdt, size, seen.extra);
	return status;
}

/* ---- the writer ---- */

/* The high half of the first byte says how far from the codes of SBI the event is. */
static uint32_t take_event(struct bytes *in)
{
	uint32_t kind = take(in, 1);

	if (kind < 0xc0)
		return (kind & 1) << 16 | (take(in, 1) & 0x3f);
	return kind < 0xf8 ? (kind & 0xf) << 16 | take(in, 2) : take(in, 4);
}

static uint64_t take_mask(struct bytes *in)
{
	uint32_t kind = take(in, 1);

	switch (kind >> 6) {
	case 0:
		return ~0ull;
	case 1:
		return ~0ull << (kind & 63);
	case 2:
		return 1ull << (kind & 63) | take(in, 1);
	default:
		return (uint64_t)take(in, 4) << 32 | take(in, 4);
	}
}

/* Rows that are in the bytes once and repeated in steps, so that tables grow large. */
static uint32_t put_group(struct bytes *in, unsigned cells_per_row, uint32_t *out, uint32_t room)
{
	uint32_t repeat = 1 + take(in, 1) % 8, step = take(in, 1), i, event = 0;
	uint64_t select = 0, mask = 0;

	if (cells_per_row == 5) {
		mask = take_mask(in);
		select = (uint64_t)take(in, 2) << (step & 31) & (step & 32 ? ~0ull : mask);
	} else {
		event = take_event(in);
		select = take(in, 2);
	}
	repeat = repeat == 8 ? 64 : repeat;
	repeat = repeat < room ? repeat : room;
	for (i = 0; i < repeat; i++, out += cells_per_row) {
		uint64_t row_mask = step & 64 ? mask ^ 1ull << (i & 63) : mask;
		uint64_t row_select = step & 128 ? (select + i) & row_mask : select;

		if (cells_per_row == 5) {
			out[0] = cpu_to_fdt32((uint32_t)(row_select >> 32));
			out[1] = cpu_to_fdt32((uint32_t)row_select);
			out[2] = cpu_to_fdt32((uint32_t)(row_mask >> 32));
			out[3] = cpu_to_fdt32((uint32_t)row_mask);
			out[4] = cpu_to_fdt32(take(in, 1) << (step & 3) * 8);
			continue;
		}
		out[0] = cpu_to_fdt32(event + i * step);
		/* As a range: short, or to wherever. As a selector: the upper half. */
		out[1] = cpu_to_fdt32(select < 0xc000 ? event + i * step + ((uint32_t)select & 0xff)
						      : ((uint32_t)select & 0x1ff) << 13);
		out[2] = cpu_to_fdt32(take(in, 1) << (step & 3) * 8);
	}
	return repeat;
}

static int put_table(struct bytes *in, void *fdt, const char *name, unsigned row_cells)
{
	static uint32_t cell[5 * MAX_ROWS + 1];
	uint32_t kind = take(in, 1), groups = kind >> 3 & 15, n = 0;
	char full[64];

	if ((kind & 7) == 7)
		return 0;
	while (groups-- && in->left)
		n += put_group(in, row_cells, cell + n * row_cells, MAX_ROWS - n);
	snprintf(full, sizeof(full), "%s,%s", kind & 128 ? "pmu" : "riscv", name);
	return fdt_property(fdt, full, cell, (int)(n * row_cells * 4 + ((kind & 7) == 6 ? 3 : 0)));
}

static int put_node(struct bytes *in, void *fdt, const char *name)
{
	static const char compatible[][20] = { "riscv,pmu", "acme,pmu\0riscv,pmu", "riscv,pmu\0x" };
	static const int length[] = { 10, 19, 12 };
	uint32_t kind = take(in, 1) % 3;
	int err = fdt_begin_node(fdt, name);

	err |= fdt_property(fdt, "compatible", compatible[kind], length[kind]);
	err |= put_table(in, fdt, "event-to-mhpmevent", 3);
	err |= put_table(in, fdt, "event-to-mhpmcounters", 3);
	err |= put_table(in, fdt, "raw-event-to-mhpmcounters", 5);
	return err | fdt_end_node(fdt);
}

/*
 * shape: bit 0 the node lies deeper, bit 1 there are two, bit 3 it is the root. Returns the size of
 * the blob.
 */
static uint32_t put_tree(struct bytes *in, void *fdt, int room, uint32_t shape)
{
	int err = fdt_create(fdt, room);

	err |= fdt_finish_reservemap(fdt);
	if (shape & 8) {
		err |= put_node(in, fdt, "");
	} else {
		err |= fdt_begin_node(fdt, "");
		if (shape & 1)
			err |= fdt_begin_node(fdt, "soc");
		err |= put_node(in, fdt, "pmu");
		if (shape & 1)
			err |= fdt_end_node(fdt);
		if (shape & 2)
			err |= put_node(in, fdt, "pmu@1");
		err |= fdt_end_node(fdt);
	}
	err |= fdt_finish(fdt);
	MUST(!err);
	return fdt_totalsize(fdt);
}

static void put_deeper(struct tree *t, const char *name, uint32_t format)
{
	t->err |= fdt_begin_node(t->fdt, name);
	put_root(t, format);
	put_units(t);
	t->err |= fdt_end_node(t->fdt);
}

/*
 * shape: bit 0 the root is the tree's; else bit 1 there are two, bit 4 there is reserved memory;
 * bit 2 patches, 3 riscv,pmu, 5 to 7 the format.
 */
static uint32_t put_imc_tree(struct bytes *in, void *fdt, int room, uint32_t shape)
{
	struct tree t = { *in, fdt, fdt_create(fdt, room) };

	t.err |= fdt_finish_reservemap(fdt);
	t.err |= fdt_begin_node(fdt, "");
	if (shape & 1)
		put_root(&t, shape >> 5);
	else if (shape & 16)
		put_reserved(&t);
	if (shape & 8)
		t.err |= put_node(&t.in, fdt, "pmu");
	if (shape & 1)
		put_units(&t);
	else
		put_deeper(&t, "imc-counters", shape >> 5);
	if ((shape & 3) == 2)
		put_deeper(&t, "soc", shape >> 6);
	t.err |= fdt_end_node(fdt);
	t.err |= fdt_finish(fdt);
	MUST(!t.err);
	*in = t.in;
	return fdt_totalsize(fdt);
}

static void check_tree(const uint8_t *data, size_t size, int imc)
{
	static uint8_t tree[1 << 16];
	struct bytes in = { data, size };
	uint32_t shape = take(&in, 1), length, patches = 0;
	enum pmumap_status status;
	uint8_t *exact;

	length = (imc ? put_imc_tree : put_tree)(&in, tree, (int)sizeof(tree), shape);
	for (; shape & 4 && in.left >= 3 && patches < 4; patches++) {
		uint32_t at = take(&in, 2);

		tree[at % length] = (uint8_t)take(&in, 1);
	}
	exact = fuzz_copy(tree, length);
	status = check_blob(exact, length, 0);
	MUST(patches || status == PMUMAP_OK);
	MUST(!memcmp(exact, tree, length));
	free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int imc = size && data[0] == IMC_BYTE;
	uint8_t *exact;

	fuzz_seed(data, size);
	if (!size || data[0] != FDT_MAGIC >> 24) {
		check_tree(data + imc, size - (size_t)imc, imc);
		return 0;
	}
	exact = fuzz_copy(data, size);
	check_blob(exact, size, 0);
	check_blob(exact, size, (int)(fuzz_random() % (size + 8)) & ~3);
	MUST(!memcmp(exact, data, size));
	free(exact);
	return 0;
}
