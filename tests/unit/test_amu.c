/* SPDX-License-Identifier: BSD-2-Clause
 *
 * AMU on boards: every answer of every map, and every finding, equals the model's; from a tree,
 * from an image, from the builder, beside the other bindings, in blocks of any size. And masks.
 */
#include "amu_support.h"
#include <libfdt.h>
#include <time.h>

/* ---- what the boards are known to say -------------------------------------------------------- */

/* One counter of one CPU of a board; in the order of the files. counter -1: none is described. */
static const struct known {
	const char *board;
	uint64_t mpidr;
	unsigned described, enable;
	int counter;
	const char *name;
} known[] = {
	{ "aff3", 0xff00ffffff, 0x1, 0x1, 0, "counter@0" },
	{ "aff3", 0xffffff, 0x1, 0x1, 0, "counter@0" },
	{ "aff3", 0, 0x8080, 0x8000, 7, "counter@7" },
	{ "aff3", 0x100000100, 0x8080, 0x8000, 15, "counter@f" },
	{ "device-type", 0x100, 0x3, 0x2, 1, "counter@1" },
	{ "device-type", 0x200, 0, 0, -1, NULL },
	{ "doc", 0x100, 0x3, 0x3, 0, "counter@0" },
	{ "doc", 0x10100, 0x1, 0x1, 0, "counter@0" },
	{ "doc-labels", 0, 0x3, 0x3, 0, "counterX" },
	{ "doc-labels", 0x100, 0x3, 0x3, 1, "counterY" },
	{ "doc-labels", 0x10000, 0x1, 0x1, 0, "counterZ" },
	{ "doc-labels", 0x10100, 0x1, 0x1, 0, "counterZ" },
	{ "mpmm-labels", 0, 0x7, 0x7, 0, "mpmm_gear0" },
	{ "mpmm-labels", 0x300, 0x7, 0x7, 1, "mpmm_gear1" },
	{ "mpmm-labels", 0x700, 0x7, 0x7, 2, "mpmm_gear2" },
	{ "tc2", 0, 0x7, 0x7, 0, "counter@0" },
	{ "tc2", 0xd00, 0x7, 0x7, 2, "counter@2" },
	{ "three", 0, 0x5, 0x1, 0, "gear0" },
	{ "three", 0, 0x5, 0x1, 2, "counter@2" },
	{ "three", 1, 0x2, 0x2, 1, "counter@1" },
	{ "views", 0, 0xffff, 0x9249, 11, "counter@b" },
	{ "views", 1, 0, 0, -1, NULL },
	{ "views", 2, 0x201, 0, 9, "counter@9" },
	{ "views", 3, 0, 0, -1, NULL },
	{ "views", 4, 0xffff, 0x9249, 0, "counter@0" },
};

enum { KNOWN = sizeof(known) / sizeof(known[0]) };

static uint32_t known_used;

static void check_known(const struct pmumap *map)
{
	struct pmumap_amu_cpu c;
	char path[64];
	uint32_t i;

	for (i = 0; i < KNOWN; i++) {
		const struct known *k = &known[i];

		sprintf(path, "build/boards/amu-%s.dtb", k->board);
		if (strcmp(path, test_input) != 0)
			continue;
		known_used++;
		memset(&c, 0, sizeof(c));
		CHECK(pmumap_amu_cpu(map, k->mpidr | 0xc1000000, &c));
		CHECK_EQ(c.mpidr, k->mpidr);
		CHECK_EQ(c.described, k->described);
		CHECK_EQ(c.enable, k->enable);
		if (k->counter >= 0)
			CHECK(same_text(pmumap_amu_counter_name(map, c.view, (uint32_t)k->counter),
					k->name));
		else
			CHECK(!pmumap_amu_counter_name(map, c.view, 0));
	}
}

/* ---- the builder ----------------------------------------------------------------------------- */

/* Calls in the making: what may come next of views, of CPUs, and of the other bindings. */
struct calls {
	struct pmumap_builder *b;
	const struct amu_model *m;
	const uint32_t *order; /* of the views */
	uint32_t view, counter, left, cpu, other;
};

static int add_view(struct calls *c)
{
	const struct amu_model_view *v;
	uint32_t i;

	if (c->view == c->m->views)
		return 0;
	v = &c->m->view[c->order[c->view]];
	if (!c->counter++) {
		c->left = v->described;
		if (!c->left) {
			c->counter = 0;
			c->view++;
		}
		return pmumap_add_amu_view(c->b, (c->view - (c->counter == 0)) * 7 + 3) ==
		       PMUMAP_OK;
	}
	do
		i = random_below(AMU_COUNTERS);
	while (!(c->left >> i & 1));
	c->left ^= 1u << i;
	if (!c->left) {
		c->counter = 0;
		c->view++;
	}
	return pmumap_add_amu_counter(c->b, i, v->name[i], v->enable >> i & 1) == PMUMAP_OK;
}

static int add_cpu(struct calls *c)
{
	const struct amu_model_cpu *cpu = &c->m->cpu[c->cpu];
	uint32_t view;

	if (c->cpu == c->m->cpus)
		return 0;
	c->cpu++;
	if (cpu->view == MODEL_NO_ROW)
		return pmumap_add_amu_cpu(c->b, cpu->mpidr, 0) == PMUMAP_OK;
	for (view = 0; c->order[view] != cpu->view;)
		view++;
	return pmumap_add_amu_cpu(c->b, cpu->mpidr, view * 7 + 3) == PMUMAP_OK;
}

enum { OTHERS = 9 };

static int add_other(struct calls *c)
{
	static const struct pmumap_imc_event events[] = { { .name = "READ", .offset = 0 },
							  { .name = "WRITE", .offset = 8 } };
	static const struct pmumap_imc_unit unit = {
		.name = "mba0@448", .prefix = "PM_MBA0_", .type = PMUMAP_IMC_NEST, .reg = 0x448
	};
	static const struct pmumap_imc_unit thread = { .name = "thread",
						       .type = PMUMAP_IMC_THREAD };

	switch (c->other++) {
	case 0:
		return pmumap_add_imc_list(c->b, 1) == PMUMAP_OK;
	case 1:
	case 2:
		return pmumap_add_imc_event(c->b, &events[c->other - 2]) == PMUMAP_OK;
	case 3:
		return pmumap_add_imc_unit(c->b, 1, &unit) == PMUMAP_OK;
	case 4:
		return pmumap_add_imc_chip(c->b, 8, 0x2000000000) == PMUMAP_OK;
	case 5:
		return pmumap_add_imc_unit(c->b, 1, &thread) == PMUMAP_OK;
	case 6:
		return pmumap_add_selector(c->b, 3, 0x10) == PMUMAP_OK &&
		       pmumap_add_selector(c->b, 1, 0x11) == PMUMAP_OK &&
		       pmumap_add_selector(c->b, 2, 0x12) == PMUMAP_OK;
	case 7:
		return pmumap_add_counters(c->b, 1, 3, 0x18) == PMUMAP_OK;
	case 8:
		return pmumap_add_raw(c->b, 0, 0xff, 0x38) == PMUMAP_OK;
	default:
		c->other = OTHERS;
		return 0;
	}
}

static void check_others(const struct pmumap *map)
{
	struct pmumap_imc_event e;
	uint64_t value = 0;

	CHECK_EQ(pmumap_counters(map, 3), 0x18);
	CHECK(pmumap_selector(map, 3, &value) && value == 0x10);
	CHECK_EQ(pmumap_raw_counters(map, 0x700), 0x38);
	CHECK(pmumap_imc_find(map, "PM_MBA0_WRITE", 13, 0, &e) && e.offset == 0x450);
	CHECK(pmumap_imc_address(map, &e, 8, &value) && value == 0x2000000450);
	CHECK(pmumap_imc_find(map, "thread/WRITE", 12, 0, &e) && e.unit_index == 1);
	CHECK(!pmumap_imc_unit(map, 2, &(struct pmumap_imc_unit){ 0 }));
}

/* All of it, mixed; or views, then CPUs. */
static void add_all(struct pmumap_builder *b, const struct amu_model *m, const uint32_t *order,
		    int mixed)
{
	static int (*const add[])(struct calls *) = { add_view, add_cpu, add_other };
	struct calls c = { b, m, order, 0, 0, 0, 0, mixed ? 0 : OTHERS };
	uint32_t kind = 0;

	while (c.view < m->views || c.cpu < m->cpus || c.other < OTHERS) {
		if (mixed)
			kind = random_below(3);
		if (!add[kind](&c))
			kind = (kind + 1) % 3;
	}
}

/* The model of the same with its views in another order. */
static void reordered(struct amu_model *to, const struct amu_model *m, const uint32_t *order)
{
	uint32_t i, k;

	*to = *m;
	to->finding = NULL;
	to->findings = 0;
	to->cpu = exact_copy(m->cpu, m->cpus * sizeof(*m->cpu));
	to->view = exact(m->views * sizeof(*m->view));
	for (k = 0; k < m->views; k++) {
		to->view[k] = m->view[order[k]];
		for (i = 0; i < m->cpus; i++)
			if (m->cpu[i].view == order[k])
				to->cpu[i].view = k;
	}
}

static void check_calls(const struct amu_model *m, int mixed)
{
	uint32_t *order = exact((m->views + 1) * sizeof(*order)), i, k;
	const struct pmumap *map = NULL;
	struct pmumap *copy;
	struct amu_model same;
	struct pmumap_builder b;
	size_t need;
	void *block;

	for (i = 0; i < m->views; i++) {
		k = mixed ? random_below(i + 1) : i;
		order[i] = order[k];
		order[k] = i;
	}
	pmumap_begin(&b, NULL, 0);
	add_all(&b, m, order, mixed);
	need = pmumap_need(&b);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	CHECK(!map);
	block = exact(need);
	pmumap_begin(&b, block, need);
	amu_findings.n = 0;
	pmumap_listen(&b, collect, &amu_findings);
	add_all(&b, m, order, mixed);
	CHECK_EQ(pmumap_need(&b), need);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	CHECK_EQ(amu_findings.n, 0);
	CHECK((const void *)map == block);
	copy = exact_copy(map, pmumap_size(map));
	free(block);
	reordered(&same, m, order);
	check_amu(copy, &same);
	if (mixed)
		check_others(copy);
	amu_model_free(&same);
	free(copy);
	free(order);
}

/* ---- calls that are bad ---------------------------------------------------------------------- */

static void add_bad(struct pmumap_builder *b, const char *name)
{
	CHECK_EQ(pmumap_add_amu_counter(b, 3, "of no view", 1), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_cpu(b, 0x81000100, 5), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_cpu(b, 0x200, 6), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_view(b, 5), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_counter(b, 2, NULL, 1), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_counter(b, 2, "again", 0), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_counter(b, 16, "large", 1), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_counter(b, 0xffffffff, "largest", 1), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_counter(b, 4, name, 7), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_cpu(b, 0x100, 5), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_cpu(b, 0xff00000000, 0), PMUMAP_OK);
}

static const struct model_finding bad_calls[] = {
	{ "cpu-reg", MODEL_WARNING, PMUMAP_NO_NODE, "reg", 0, NULL, MODEL_NO_ROW, 0x81000100 },
	{ "view-missing", MODEL_ERROR, PMUMAP_NO_NODE, "amu", 1, NULL, MODEL_NO_ROW, 6 },
	{ "counter-duplicate", MODEL_ERROR, PMUMAP_NO_NODE, "reg", MODEL_NO_ROW, NULL, MODEL_NO_ROW,
	  2 },
	{ "counter-range", MODEL_ERROR, PMUMAP_NO_NODE, "reg", MODEL_NO_ROW, NULL, MODEL_NO_ROW,
	  16 },
	{ "counter-range", MODEL_ERROR, PMUMAP_NO_NODE, "reg", MODEL_NO_ROW, NULL, MODEL_NO_ROW,
	  0xffffffff },
	{ "cpu-duplicate", MODEL_ERROR, PMUMAP_NO_NODE, "reg", 2, "reg", 0, 0x100 },
};

static void statuses(void)
{
	static uint64_t block[64];
	struct pmumap_builder b;

	test_now = "statuses";
	pmumap_begin(&b, (char *)block + 4, sizeof(block) - 4);
	CHECK_EQ(pmumap_add_amu_view(&b, 1), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_add_amu_counter(&b, 0, "a", 0), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_add_amu_cpu(&b, 0, 1), PMUMAP_E_ARG);
}

static void bad_builder(void)
{
	const struct pmumap *map = NULL;
	struct amu_model m = { 0 };
	struct pmumap_builder b;
	struct pmumap_amu_cpu c;
	char name[] = "kept"; /* until the map is built */
	uint32_t flags, i;
	size_t need;
	void *block;

	test_now = "bad calls";
	pmumap_begin(&b, NULL, 0);
	add_bad(&b, name);
	need = pmumap_need(&b);
	for (flags = 0; flags <= PMUMAP_STRICT; flags++) {
		block = exact(need);
		pmumap_begin(&b, block, need);
		b.flags = flags;
		amu_findings.n = 0;
		pmumap_listen(&b, collect, &amu_findings);
		strcpy(name, "kept");
		add_bad(&b, name);
		CHECK_EQ(pmumap_finish(&b, &map), flags ? PMUMAP_E_STRICT : PMUMAP_OK);
		strcpy(name, "gone");
		CHECK((map == NULL) == (flags == PMUMAP_STRICT));
		m.findings = sizeof(bad_calls) / sizeof(bad_calls[0]);
		m.finding = exact_copy(bad_calls, sizeof(bad_calls));
		check_amu_findings(&amu_findings, &m);
		free(m.finding);
		for (i = 0; i < 3 && map; i++) {
			static const uint64_t mpidr[] = { 0x100, 0x200, 0xff00000000 };

			CHECK(pmumap_amu_cpu_at(map, i, &c) && c.mpidr == mpidr[i]);
			CHECK_EQ(c.described, i ? 0 : 0x14);
			CHECK_EQ(c.enable, i ? 0 : 0x14);
			CHECK_EQ(c.view, i ? PMUMAP_AMU_NO_VIEW : 0);
		}
		CHECK(!map || (same_text(pmumap_amu_counter_name(map, 0, 2), "") &&
			       same_text(pmumap_amu_counter_name(map, 0, 4), "kept")));
		CHECK(!map || !pmumap_amu_cpu_at(map, 3, &c));
		free(block);
	}
	test_now = "";
}

/* One error of a CPU, and one of a raw row: none makes up for the other. */
static void two_errors(void)
{
	static uint64_t block[128];
	const struct pmumap *map = NULL;
	struct pmumap_builder b;
	uint32_t errors;

	test_now = "two errors";
	for (errors = 0; errors < 4; errors++) {
		pmumap_begin(&b, block, sizeof(block));
		b.flags = PMUMAP_STRICT;
		CHECK_EQ(pmumap_add_amu_cpu(&b, 0x100, errors & 1), PMUMAP_OK);
		CHECK_EQ(pmumap_add_raw(&b, errors >> 1, 0, 8), PMUMAP_OK);
		CHECK_EQ(pmumap_finish(&b, &map), errors ? PMUMAP_E_STRICT : PMUMAP_OK);
	}
	test_now = "";
}

/* Maps that have nothing of AMU answer all the same. */
static void nothing(void)
{
	struct pmumap_amu_cpu c;
	const struct pmumap *map = NULL;
	struct pmumap_builder b;
	static uint64_t block[128];
	struct amu_model none = { 0 };

	test_now = "nothing";
	pmumap_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_add_raw(&b, 0, 0, 8), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	check_amu(map, &none);
	pmumap_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_add_amu_counter(&b, 0, "of no view", 1), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	check_amu(map, &none);
	pmumap_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_add_amu_view(&b, 1), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	CHECK(!pmumap_amu_cpu(map, 0, &c) && !pmumap_amu_cpu_at(map, 0, &c));
	test_now = "";
}

/* ---- images ---------------------------------------------------------------------------------- */

/* Every look-up, of things that are there and are not; ASan sees whether one leaves the image. */
static uint64_t ask_all(const struct pmumap *map)
{
	static const uint64_t mpidrs[] = { 0, 0x100, 0x10000, 0xffffff, 0xff00ffffff, ~0ull };
	struct pmumap_amu_cpu c = { 0 };
	uint16_t described, enable;
	uint64_t sum = 0;
	uint32_t i, k;

	for (i = 0; i < sizeof(mpidrs) / sizeof(mpidrs[0]); i++)
		if (pmumap_amu_cpu(map, mpidrs[i], &c))
			sum += c.mpidr + c.view + c.described + c.enable;
	for (i = 0; pmumap_amu_cpu_at(map, i, &c) && i < 1000; i++) {
		sum += c.mpidr + c.view + c.described + c.enable;
		sum += (uint64_t)pmumap_amu_cpu(map, c.mpidr, &c);
		for (k = 0; k < AMU_COUNTERS; k++)
			sum += pmumap_amu_counter_name(map, c.view, k) != NULL;
	}
	for (i = 0; pmumap_amu_view(map, i, &described, &enable) && i < 1000; i++)
		for (k = 0; k < AMU_COUNTERS; k++) {
			const char *name = pmumap_amu_counter_name(map, i, k);

			sum += name ? strlen(name) + described + enable : 0;
		}
	return sum;
}

/* One byte after another takes every other value: refused, or all look-ups stay inside. */
static void check_bytes(const struct pmumap *map)
{
	size_t size = pmumap_size(map), i;
	unsigned char *copy = exact_copy(map, size);
	const struct pmumap *opened;
	uint32_t refused = 0, step = quick(1, 37), change;
	uint64_t sum = 0;

	for (i = 0; i < size; i++) {
		for (change = 1; change < 256; change += step) {
			copy[i] = (unsigned char)(copy[i] ^ change);
			if (pmumap_open(copy, size, &opened) == PMUMAP_OK)
				sum += ask_all(opened);
			else
				refused++;
			copy[i] = (unsigned char)(copy[i] ^ change);
		}
	}
	CHECK(refused > 0 && sum > 0);
	CHECK(memcmp(copy, map, size) == 0);
	/* A shorter one, in a block of its own size. */
	for (i = 0; i < size; i++) {
		unsigned char *part = exact_copy(map, i);

		CHECK(pmumap_open((void *)part, i, &opened) != PMUMAP_OK);
		free(part);
	}
	free(copy);
}

/* The words of the AMU part take values that each check is about. */
static void check_words(const struct pmumap *map)
{
	size_t size = pmumap_size(map), i, k;
	uint32_t values[] = { 0,          1,          4, 7, 8, 0x7fffffff, 0x80000000,
			      0xfffffff8, 0xffffffff, 0, 0, 0, 0 };
	unsigned char *copy = exact_copy(map, size);
	const struct pmumap *opened;
	uint64_t sum = 0;

	values[9] = (uint32_t)size;
	values[10] = (uint32_t)size - 8;
	values[11] = (uint32_t)size + 8;
	values[12] = 0x10000;
	for (i = 0; i + 4 <= size; i += 4)
		for (k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
			memcpy(copy + i, &values[k], 4);
			if (pmumap_open((void *)copy, size, &opened) == PMUMAP_OK)
				sum += ask_all(opened);
			memcpy(copy + i, (const unsigned char *)map + i, 4);
		}
	CHECK(sum > 0);
	free(copy);
}

static void check_image(const struct pmumap *map, const struct amu_model *m)
{
	size_t size = pmumap_size(map);
	struct pmumap *copy = exact_copy(map, size);
	const struct pmumap *opened = NULL;

	CHECK_EQ(pmumap_open(copy, size, &opened), PMUMAP_OK);
	CHECK(opened == copy);
	if (opened)
		check_amu(opened, m);
	CHECK(same_image(map, copy));
	free(copy);
}

/* Words 7 and 8 say where the strings are, which end within the image; word 0, where the CPUs are. */
static void open_string(void)
{
	static uint64_t block[128];
	const struct pmumap *map = NULL;
	struct pmumap_builder b;
	const uint32_t *amu;
	uint32_t *cpu;

	test_now = "open string";
	pmumap_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_add_amu_view(&b, 1), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_counter(&b, 3, "seventh", 1), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_cpu(&b, 0, 1), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	amu = (const void *)((char *)block + map->amu);
	cpu = (void *)((char *)block + amu[0]);
	cpu[1] = 1; /* its view, of one */
	CHECK_EQ(pmumap_open(block, sizeof(block), &map), PMUMAP_E_IMAGE_TABLE);
	cpu[1] = PMUMAP_AMU_NO_VIEW;
	CHECK_EQ(pmumap_open(block, sizeof(block), &map), PMUMAP_OK);
	((char *)block)[amu[7] + amu[8] - 1] = 'x';
	CHECK_EQ(pmumap_open(block, sizeof(block), &map), PMUMAP_E_IMAGE_TABLE);
	test_now = "";
}

static char longest[50000]; /* so that what the map takes does not go under in what sorting takes */

/* Many views, few of which have a counter, and as many CPUs, in a block of their need. */
static void many_views(void)
{
	const uint32_t n = 1000;
	static char names[100][16];
	struct pmumap_amu_cpu c;
	const struct pmumap *map = NULL;
	struct pmumap_builder b;
	uint32_t i, pass, bad = 0;
	void *block = NULL;
	size_t need = 0;

	test_now = "many views";
	memset(longest, 'x', sizeof(longest) - 1);
	for (pass = 0; pass < 2; pass++) {
		pmumap_begin(&b, block, need);
		for (i = 0; i < n; i++) {
			CHECK_EQ(pmumap_add_amu_view(&b, 1 + i), PMUMAP_OK);
			if (i % 10 == 0) {
				sprintf(names[i / 10], "name %u", (unsigned)i);
				CHECK_EQ(pmumap_add_amu_counter(&b, 5, i ? names[i / 10] : longest,
								1),
					 PMUMAP_OK);
			}
			CHECK_EQ(pmumap_add_amu_cpu(&b, n - 1 - i, n - i), PMUMAP_OK);
		}
		need = pmumap_need(&b);
		if (!block)
			block = exact(need);
	}
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	CHECK(map && need < pmumap_size(map) + 100 * n);
	for (i = 0; map && i < n; i++) {
		bad += !pmumap_amu_cpu_at(map, i, &c) || c.mpidr != n - 1 - i ||
		       c.view != n - 1 - i || c.described != (c.view % 10 ? 0 : 0x20);
		bad += !same_text(pmumap_amu_counter_name(map, i, 5), i % 10 ? NULL
								      : i    ? names[i / 10]
									     : longest);
	}
	CHECK_EQ(bad, 0);
	free(block);
	test_now = "";
}

/* Likewise, of many lists of IMC, which have no events. */
static void many_lists(void)
{
	struct pmumap_amu_cpu c;
	const struct pmumap *map = NULL;
	struct pmumap_builder b;
	uint32_t i, pass;
	void *block = NULL;
	size_t need = 0;

	test_now = "many lists";
	memset(longest, 'x', sizeof(longest) - 1);
	for (pass = 0; pass < 2; pass++) {
		pmumap_begin(&b, block, need);
		CHECK_EQ(pmumap_add_amu_view(&b, 1), PMUMAP_OK);
		CHECK_EQ(pmumap_add_amu_counter(&b, 5, longest, 1), PMUMAP_OK);
		CHECK_EQ(pmumap_add_amu_cpu(&b, 0x100, 1), PMUMAP_OK);
		for (i = 0; i < 1000; i++)
			CHECK_EQ(pmumap_add_imc_list(&b, 1 + i), PMUMAP_OK);
		need = pmumap_need(&b);
		if (!block)
			block = exact(need);
	}
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	CHECK(map && pmumap_amu_cpu_at(map, 0, &c) && c.mpidr == 0x100 && c.enable == 0x20);
	CHECK(map && same_text(pmumap_amu_counter_name(map, 0, 5), longest));
	free(block);
	test_now = "";
}

static size_t need_of(const char *name)
{
	struct pmumap_builder b;

	pmumap_begin(&b, NULL, 0);
	CHECK_EQ(pmumap_add_amu_view(&b, 1), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_counter(&b, 5, name, 1), PMUMAP_OK);
	return pmumap_need(&b);
}

/* A name that is empty is absent, whatever lies behind it. */
static void empty_name(void)
{
	char name[1000];

	test_now = "empty name";
	memset(name, 'x', sizeof(name));
	name[0] = name[sizeof(name) - 1] = 0;
	CHECK_EQ(need_of(name), need_of(NULL));
	test_now = "";
}

/* Views of so many counters each, in a block of their need; no name is there twice. */
static void named_counters(const char *what, uint32_t views, uint32_t each, int letters)
{
	static char names[1000][48];
	const struct pmumap *map = NULL;
	struct pmumap_builder b;
	uint32_t i, pass, bad = 0;
	void *block = NULL;
	size_t need = 0;

	test_now = what;
	for (pass = 0; pass < 2; pass++) {
		pmumap_begin(&b, block, need);
		for (i = 0; i < each * views; i++) {
			if (i % each == 0)
				CHECK_EQ(pmumap_add_amu_view(&b, 1 + i), PMUMAP_OK);
			snprintf(names[i], sizeof(names[i]), "%0*u", letters, (unsigned)i);
			CHECK_EQ(pmumap_add_amu_counter(&b, i % 16, names[i], 0), PMUMAP_OK);
		}
		need = pmumap_need(&b);
		if (!block)
			block = exact(need);
	}
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	for (i = 0; map && i < each * views; i++)
		bad += !same_text(pmumap_amu_counter_name(map, i / each, i % 16), names[i]);
	CHECK_EQ(bad, 0);
	free(block);
	test_now = "";
}

/* So many names, none of which is there twice; alike: all of them have one hash. */
static char *names_of(uint32_t n, int alike)
{
	char *names = exact(n * (size_t)17);
	uint32_t i, k, good = 0;

	for (i = 0; good < n; i++) {
		uint64_t word = 0x6161616161616161u + i, hash = mix_name(0, word);
		char *name = names + 17 * good;

		for (k = 0; k < 16; k++)
			name[k] = (char)((k < 8 ? word : alike ? ~hash : word) >> k % 8 * 8);
		name[16] = 0;
		good += strlen(name) == 16;
	}
	return names;
}

/* Seconds that it takes to build a map of these names, the least of some. */
static double names_time(const char *names, uint32_t n)
{
	const struct pmumap *map = NULL;
	struct pmumap_builder b;
	uint32_t i, pass, bad = 0;
	double least = 1e9;
	void *block = NULL;
	size_t need = 0;
	clock_t from;

	for (pass = 0; pass < 4; pass++) {
		pmumap_begin(&b, block, need);
		for (i = 0; i < n; i++) {
			if (i % 16 == 0)
				bad += pmumap_add_amu_view(&b, 1 + i) != PMUMAP_OK;
			bad += pmumap_add_amu_counter(&b, i % 16, names + 17 * i, 0) != PMUMAP_OK;
		}
		need = pmumap_need(&b);
		from = clock();
		bad += pmumap_finish(&b, &map) != PMUMAP_OK;
		if (block && (double)(clock() - from) / CLOCKS_PER_SEC < least)
			least = (double)(clock() - from) / CLOCKS_PER_SEC;
		if (!block)
			block = exact(need);
	}
	for (i = 0; map && i < n; i++)
		bad += !same_text(pmumap_amu_counter_name(map, i / 16, i % 16), names + 17 * i);
	CHECK_EQ(bad, 0);
	free(block);
	return least;
}

/* No choice of names makes a build slow. */
static void names_alike(void)
{
	uint32_t n = quick(40000, 16000);
	char *other = names_of(n, 0), *alike = names_of(n, 1);
	double first, second;

	test_now = "names of one hash";
	first = names_time(other, n);
	second = names_time(alike, n);
	printf("%s: %.4f s, others %.4f s\n", test_now, second, first);
	CHECK(second < 20 * first + 0.1);
	free(alike);
	free(other);
	test_now = "";
}

/* Nothing behind the strings. */
static void views_alone(void)
{
	static uint64_t block[128];
	const struct pmumap *map = NULL;
	struct pmumap_builder b;

	test_now = "views alone";
	pmumap_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_add_amu_view(&b, 1), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_counter(&b, 3, "seventh", 1), PMUMAP_OK);
	CHECK_EQ(pmumap_add_amu_counter(&b, 9, NULL, 0), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	CHECK(map && pmumap_amu_counter_name(map, 0, 3) && !pmumap_amu_counter_name(map, 0, 4));
	if (map) {
		check_bytes(map);
		check_words(map);
	}
	test_now = "";
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Whatever the block: the whole map, or what it needs. */
static void check_blocks(const unsigned char *fdt, size_t size, const struct amu_model *m)
{
	struct pmumap_fdt_options opt = { .report = collect, .arg = &amu_findings };
	size_t need = 0, bytes, least = 0;
	uint32_t bad = 0, i;

	CHECK_EQ(pmumap_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	for (bytes = 0; bytes <= need + 8; bytes += quick(1, 40)) {
		const struct pmumap *map = NULL;
		void *block = exact(bytes);
		enum pmumap_status status;

		amu_findings.n = 0;
		status = pmumap_fdt_build(fdt, size, &opt, block, bytes, &map);
		for (i = 0; i < amu_findings.n; i++)
			if (!strcmp(amu_findings.at[i].code, "no-space"))
				least = (size_t)amu_findings.at[i].value;
		if (map)
			check_views(map, m);
		bad += (status == PMUMAP_OK) != (map != NULL) ||
		       (status != PMUMAP_OK && (status != PMUMAP_E_NOSPACE || least <= bytes)) ||
		       (status != PMUMAP_OK && bytes >= need);
		free(block);
	}
	CHECK_EQ(bad, 0);
	CHECK(least && least <= need);
}

/* Whatever the block held before: the image is the same to the last byte. */
static void check_fill(const unsigned char *fdt, size_t size)
{
	struct pmumap *first = NULL;
	size_t need = 0;
	uint32_t fill, same = 0;
	void *block;

	CHECK_EQ(pmumap_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	block = exact(need);
	for (fill = 0; fill < 256; fill++) {
		const struct pmumap *map = NULL;

		memset(block, (int)fill, need);
		if (pmumap_fdt_build(fdt, size, NULL, block, need, &map) != PMUMAP_OK)
			break;
		if (!first)
			first = exact_copy(map, pmumap_size(map));
		same += (uint32_t)same_image(first, map);
	}
	CHECK_EQ(same, 256);
	free(block);
	free(first);
}

/* ---- the boards ------------------------------------------------------------------------------ */

static void corpus_board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	unsigned doubts;
	struct amu_model m;
	struct pmumap *map;

	if (!check_amu_tree(fdt, size, &doubts))
		return;
	map = amu_build(fdt, size, 0, &status);
	amu_model_read(&m, fdt);
	if (map) {
		check_image(map, &m);
		check_known(map);
		check_calls(&m, 0);
	}
	amu_model_free(&m);
	free(map);
}

static void board(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct amu_model m;
	struct pmumap *map = amu_build(fdt, size, 0, &status);
	uint32_t i;

	corpus_board(fdt, size);
	amu_model_read(&m, fdt);
	if (map) {
		check_bytes(map);
		check_words(map);
		check_blocks(fdt, size, &m);
		check_fill(fdt, size);
		for (i = 0; i < quick(50, 5); i++)
			check_calls(&m, 1);
	}
	amu_model_free(&m);
	free(map);
}

static void tc2(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap *map = amu_build(fdt, size, 0, &status);
	struct pmumap_amu_cpu c;

	CHECK(map && pmumap_amu_cpu_at(map, 13, &c) && !pmumap_amu_cpu_at(map, 14, &c));
	CHECK_EQ(amu_findings.n, 0);
	if (map) {
		printf("%s: map of %zu bytes\n", test_input, pmumap_size(map));
		CHECK(pmumap_size(map) <= 512);
	}
	free(map);
}

/* What TF-A makes of the real trees: right for all of them but the document's own. */
static void steps(const unsigned char *fdt, size_t size)
{
	struct tfa t;
	int doc = strstr(test_input, "example") != NULL;

	(void)size;
	tfa_read(&t, fdt);
	CHECK_EQ(t.doubts, doc ? TFA_SKIPPED : 0);
	printf("%s: %" PRIu64 " tags; TF-A reads %" PRIu64 "\n", test_input, tfa_tags(fdt),
	       t.steps);
	CHECK(doc || t.steps > 20 * tfa_tags(fdt));
	tfa_free(&t);
}

/* Each binding of a tree that has all three. */
static void three(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, 0, 0, &amu_findings, &status);
	struct pmumap_imc_event e;
	struct pmumap_amu_cpu c;

	CHECK_EQ(status, PMUMAP_OK);
	if (map) {
		CHECK_EQ(pmumap_counters(map, 0x10019), 0x38);
		CHECK_EQ(pmumap_raw_counters(map, 0x300), 0x18);
		CHECK(pmumap_imc_find(map, "PM_MBA0_WRITE_BYTES", 19, 0, &e) && e.offset == 0x450);
		CHECK(pmumap_imc_find(map, "CPM_READ_BYTES", 14, 0, &e) && e.offset == 0x18);
		CHECK(pmumap_amu_cpu(map, 1, &c) && c.view == 1);
	}
	free(map);
}

/* Who names the node to read gets nothing of AMU, unless it is /cpus, and no other node. */
static void one_node(const unsigned char *fdt, size_t size)
{
	static const struct {
		const char *node;
		uint32_t counters, cpus;
	} rows[] = {
		{ "/pmu", 0x38, 0 },
		{ "/cpus", 0, 2 },
		{ "/cpus/amus", 0, 0 },
		{ "/cpus/amus/amu-0", 0, 0 },
		{ "/cpus/cpu@0", 0, 0 },
		{ "/soc/monitors", 0, 0 },
		{ "/soc/monitors/counter@1", 0, 0 },
	};
	enum pmumap_status status;
	uint32_t i, k, cpus;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int node = fdt_path_offset(fdt, rows[i].node);
		struct pmumap *map = build_tree(fdt, size, node, 0, &amu_findings, &status);
		struct pmumap_amu_cpu c;

		CHECK_EQ(status, PMUMAP_OK);
		for (cpus = 0; map && pmumap_amu_cpu_at(map, cpus, &c); cpus++)
			CHECK_EQ(c.described, cpus ? 0 : 0x5);
		CHECK_EQ(cpus, rows[i].cpus);
		CHECK_EQ(map ? pmumap_counters(map, 0x10019) : 0, rows[i].counters);
		for (k = 0; k < amu_findings.n; k++)
			CHECK(!of_amu(amu_findings.at[k].code) ||
			      (cpus && !strcmp(amu_findings.at[k].code, "view-missing")));
		free(map);
	}
	CHECK(!build_tree(fdt, size, 2, 0, &amu_findings, &status));
	CHECK_EQ(status, PMUMAP_E_NODE);
}

/* ---- TF-A's odd cases ------------------------------------------------------------------------ */

/* Files of the corpus that TF-A does not read as they are meant, and what pmumap says of them. */
static const struct edge {
	const char *file;
	unsigned doubts;
	int error;
	const char *code; /* the only finding */
} edges[] = {
	{ "amu-empty", TFA_PANIC, -15, "view-missing" },
	{ "amu-two", 0, 0, "view-extra" },
	{ "bad-name", 0, 0, "counter-name" },
	{ "cells-missing", TFA_PANIC, -15, "cells" },
	{ "dangling", TFA_PANIC, -1, "view-missing" },
	{ "disabled-cpu", 0, 0, "cpu-disabled" },
	{ "doc-names", TFA_SKIPPED, 0, "cpu-name" },
	{ "dup-index", 0, 0, "counter-duplicate" },
	{ "enable-zero", 0, 0, "enable-value" },
	{ "idx15", 0, 0, NULL },
	{ "idx16", TFA_LOST, 0, "counter-range" },
	{ "mixed-enable", 0, 0, NULL },
	{ "no-cpus", TFA_PANIC, -1, NULL },
	{ "phandle-zero", TFA_PANIC, -6, "view-missing" },
	{ "reg-missing", TFA_PANIC, -1, "counter-reg" },
	{ "sixteen", 0, 0, NULL },
	{ "some-without", 0, 0, NULL },
	{ "two-views", 0, 0, NULL },
	{ "unit-mismatch", 0, 0, "unit-mismatch" },
};

enum { EDGES = sizeof(edges) / sizeof(edges[0]) };

static uint32_t edges_used;

static void edge(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap *map = amu_build(fdt, size, 0, &status);
	char path[64];
	struct tfa t;
	uint32_t i, k;

	tfa_read(&t, fdt);
	for (i = 0; i < EDGES; i++) {
		const struct edge *e = &edges[i];

		sprintf(path, "build/corpus-amu/%s.dtb", e->file);
		if (strcmp(path, test_input) != 0)
			continue;
		edges_used++;
		CHECK_EQ(t.doubts, e->doubts);
		CHECK_EQ(t.error, e->error);
		CHECK_EQ(status, strcmp(e->file, "no-cpus") ? PMUMAP_OK : PMUMAP_E_NOTFOUND);
		CHECK_EQ(amu_findings.n != 0, e->code != NULL);
		for (k = 0; k < amu_findings.n; k++)
			CHECK(same_text(amu_findings.at[k].code, e->code));
	}
	tfa_free(&t);
	free(map);
}

/* ---- masks ----------------------------------------------------------------------------------- */

static uint32_t ask_reconcile(uint32_t described, uint32_t enable, uint32_t implemented,
			      uint32_t readable)
{
	static const enum pmumap_amu_mismatch reasons[] = { PMUMAP_AMU_FITS,
							    PMUMAP_AMU_NOT_DESCRIBED,
							    PMUMAP_AMU_NOT_IMPLEMENTED,
							    PMUMAP_AMU_NOT_READABLE };
	enum pmumap_amu_mismatch why = (enum pmumap_amu_mismatch)77;
	int reason = 0, want, got;

	want = amu_model_reconcile(described & 0xffff, enable & 0xffff, implemented & 0xffff,
				   readable & 0xffff, &reason);
	got = pmumap_amu_reconcile((uint16_t)described, (uint16_t)enable, (uint16_t)implemented,
				   (uint16_t)readable, &why);
	return got != want || why != reasons[reason];
}

static void reconcile(void)
{
	uint32_t i, shift, bad = 0;

	test_now = "reconcile";
	/* Four counters in all ways, the lowest, the highest, and in the middle. */
	for (shift = 0; shift <= 12; shift += 6)
		for (i = 0; i < 0x10000; i++)
			bad += ask_reconcile((i & 15) << shift, (i >> 4 & 15) << shift,
					     (i >> 8 & 15) << shift, i >> 12 << shift);
	for (i = 0; i < 16; i++) {
		uint32_t bit = 1u << i;

		bad += ask_reconcile(0xffff, 0xffff, 0xffff, 0xffff & ~bit);
		bad += ask_reconcile(0xffff, 0xffff, 0xffff & ~bit, 0xffff);
		bad += ask_reconcile(0xffff & ~bit, 0xffff, 0xffff, 0xffff);
		bad += ask_reconcile(0xffff, 0xffff & ~bit, 0xffff, 0xffff & ~bit);
		bad += ask_reconcile(bit, 0, 0, 0) + ask_reconcile(0, bit, 0, 0);
	}
	for (i = 0; i < quick(1000000, 10000); i++) {
		uint64_t masks = random64() | (i & 1 ? random64() : 0);

		bad += ask_reconcile((uint32_t)masks, (uint32_t)(masks >> 16 & random64()),
				     (uint32_t)(masks >> 32), (uint32_t)(masks >> 48));
	}
	CHECK_EQ(bad, 0);
	test_now = "";
}

/* AMCFGR has NCG in 31:28, AMCGCR CG1NC in 15:8; AMCG1IDR is read with v1p1 only. */
static const struct {
	uint64_t amcfgr, amcgcr;
	int v1p1;
	uint64_t amcg1idr;
	uint16_t implemented;
} registers[] = {
	{ 0x10003f06, 0x0304, 0, 0, 0x0007 },
	{ 0x10003f06, 0x0304, 0, 0xffff, 0x0007 },
	{ 0x10003f06, 0x0304, 1, 0x0007, 0x0007 },
	{ 0x10003f06, 0x0304, 1, 0x8005, 0x8005 },
	{ 0x10003f06, 0x0304, 1, 0xffff0005, 0x0005 },
	{ 0x10003f06, 0x0304, 1, 0, 0 },
	{ 0x00003f03, 0x0004, 0, 0, 0 },
	{ 0x00003f03, 0x0304, 0, 0, 0 },
	{ 0x0f003f03, 0x0304, 1, 0xffff, 0 },
	{ 0xf0003f03, 0x0004, 0, 0, 0 },
	{ 0x10003f03, 0x0004, 0, 0xffff, 0 },
	{ 0x10003f04, 0x0104, 0, 0, 0x0001 },
	{ 0x10003f12, 0x0f04, 0, 0, 0x7fff },
	{ 0x10003f13, 0x1004, 0, 0, 0xffff },
	{ 0x10003f14, 0x1104, 0, 0, 0xffff },
	{ 0x10003f23, 0x2004, 0, 0, 0xffff },
	{ 0x10003fff, 0xff04, 0, 0, 0xffff },
	{ 0x10003f06, 0xffff00000304, 0, 0, 0x0007 },
	{ 0xffffffff10003f06, 0xffffffffffff02ff, 0, 0, 0x0003 },
	{ 0xffffffff00003f06, 0x0304, 1, 0xffff, 0 },
	{ 0x80003f06, 0x0304, 0, 0, 0x0007 },
};

static void implemented(void)
{
	size_t i;

	test_now = "implemented";
	for (i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		CHECK_EQ(pmumap_amu_implemented(registers[i].amcfgr, registers[i].amcgcr,
						registers[i].v1p1, registers[i].amcg1idr),
			 registers[i].implemented);
	test_now = "";
}

int main(void)
{
	uint32_t edge_files;

	CHECK_EQ(each_file("build/boards/amu-*.dtb", board), 8);
	CHECK_EQ(known_used, KNOWN);
	CHECK_EQ(each_file("build/boards/amu-tc2.dtb", tc2), 1);
	CHECK_EQ(each_file("build/boards/amu-three.dtb", three), 1);
	CHECK_EQ(each_file("build/boards/amu-three.dtb", one_node), 1);
	edge_files = each_file("build/corpus-amu/*.dtb", corpus_board);
	each_file("build/corpus-amu/*.dtb", edge);
	CHECK_EQ(edges_used, edge_files ? EDGES : 0);
	each_file("build/corpus-amu/tfa-*.dtb", steps);
	each_file("build/boards/amu-tc2.dtb", steps);
	statuses();
	bad_builder();
	two_errors();
	views_alone();
	open_string();
	many_views();
	many_lists();
	empty_name();
	names_alike();
	named_counters("full views", 40, 16, 46);
	named_counters("many counters", 1000, 1, 42);
	nothing();
	reconcile();
	implemented();
	return test_summary();
}
