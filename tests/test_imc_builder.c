/* SPDX-License-Identifier: BSD-2-Clause
 *
 * IMC without a tree: the catalogs of the boards through the builder, mixed with RISC-V's rows in
 * any order, give the answers of both; and what the builder makes of bad calls.
 */
#include "imc_support.h"

static struct findings findings;

/* ---- a catalog, call by call ----------------------------------------------------------------- */

/* A catalog in the making: what may come next of lists, of units, and of other rows. */
struct calls {
	struct pmumap_builder *b;
	const struct imc_model *m;
	const struct model *rows;
	const uint32_t *order; /* of the lists */
	uint32_t list, event, unit, chip, row;
};

static int add_list(struct calls *c)
{
	const struct imc_model_list *l;
	struct pmumap_imc_event e = { 0 };

	while (c->list < c->m->lists && !c->m->list[c->order[c->list]].events)
		c->list++;
	if (c->list == c->m->lists)
		return 0;
	l = &c->m->list[c->order[c->list]];
	if (c->event++ == 0)
		return pmumap_add_imc_list(c->b, c->order[c->list] + 1) == PMUMAP_OK;
	e.name = c->m->event[l->first + c->event - 2].name;
	e.scale = c->m->event[l->first + c->event - 2].scale;
	e.measure = c->m->event[l->first + c->event - 2].measure;
	e.desc = c->m->event[l->first + c->event - 2].desc;
	e.offset = c->m->event[l->first + c->event - 2].reg;
	if (c->event > l->events) {
		c->event = 0;
		c->list++;
	}
	return pmumap_add_imc_event(c->b, &e) == PMUMAP_OK;
}

static int add_unit(struct calls *c)
{
	const struct imc_model_unit *u;
	struct pmumap_imc_unit unit = { 0 };

	if (c->unit == c->m->units)
		return 0;
	u = &c->m->unit[c->unit];
	if (c->chip) {
		uint32_t k = c->chip++ - 1;

		if (k + 1 == u->chips) {
			c->chip = 0;
			c->unit++;
		}
		return pmumap_add_imc_chip(c->b, u->chip[k], u->base[k]) == PMUMAP_OK;
	}
	unit.name = u->name;
	unit.prefix = u->prefix;
	unit.scale = u->scale;
	unit.measure = u->measure;
	unit.type = u->type;
	unit.reg = u->reg;
	unit.size = u->size;
	unit.offset = u->offset;
	unit.control = u->control;
	if (u->chips)
		c->chip = 1;
	else
		c->unit++;
	return pmumap_add_imc_unit(c->b, u->list == MODEL_NO_ROW ? 0 : u->list + 1, &unit) ==
	       PMUMAP_OK;
}

static int add_row(struct calls *c)
{
	const struct model *r = c->rows;
	uint32_t i = c->row++;

	if (i < r->selectors)
		return pmumap_add_selector(c->b, r->selector[i].event, r->selector[i].selector) ==
		       PMUMAP_OK;
	i -= r->selectors;
	if (i < r->ranges)
		return pmumap_add_counters(c->b, r->range[i].first, r->range[i].last,
					   r->range[i].counters) == PMUMAP_OK;
	i -= r->ranges;
	if (i < r->raws)
		return pmumap_add_raw(c->b, r->raw[i].select, r->raw[i].mask, r->raw[i].counters) ==
		       PMUMAP_OK;
	c->row--;
	return 0;
}

/* All of it, the lists in random order, and the three kinds of calls mixed or one after another. */
static void add_all(struct pmumap_builder *b, const struct imc_model *m, const struct model *rows,
		    int mixed)
{
	static int (*const add[])(struct calls *) = { add_list, add_unit, add_row };
	uint32_t *order = exact((m->lists + 1) * sizeof(*order)), i, kind = 0;
	uint32_t left = m->events + m->units + rows->selectors + rows->ranges + rows->raws;
	struct calls c = { b, m, rows, order, 0, 0, 0, 0, 0 };

	for (i = 0; i < m->lists; i++) {
		uint32_t k = mixed ? random_below(i + 1) : i;

		order[i] = order[k];
		order[k] = i;
		left += m->list[i].events != 0;
	}
	for (i = 0; i < m->units; i++)
		left += m->unit[i].chips;
	while (left) {
		if (mixed)
			kind = random_below(3);
		if (add[kind](&c))
			left--;
		else
			kind = (kind + 1) % 3;
	}
	free(order);
}

/* Findings about what was added: as many of each kind, whose node is none. */
static void check_builder_findings(const struct imc_model *m)
{
	static const char *const codes[] = { "name-duplicate", "unit-duplicate", "events-missing",
					     "offset-range",   "offset-align",   "offset-clash",
					     "reg-overflow",   "control-overlap" };
	uint32_t i, k, n = 0, all = 0;

	for (k = 0; k < sizeof(codes) / sizeof(codes[0]); k++) {
		uint64_t got = 0, want = 0;

		for (i = 0; i < findings.n; i++)
			if (!strcmp(findings.at[i].code, codes[k])) {
				got += 0x100000000 + findings.at[i].value;
				n += findings.at[i].node == PMUMAP_NO_NODE;
				all++;
			}
		for (i = 0; i < m->findings; i++)
			if (!strcmp(m->finding[i].code, codes[k]))
				want += 0x100000000 + m->finding[i].value;
		test_now = codes[k];
		CHECK_EQ(got, want);
	}
	CHECK_EQ(n, all);
}

static struct pmumap *build_calls(const struct imc_model *m, const struct model *rows,
				  uint32_t flags, int mixed)
{
	struct pmumap_builder b;
	const struct pmumap *map = NULL;
	struct pmumap *copy = NULL;
	size_t need;
	void *block;

	pmumap_begin(&b, NULL, 0);
	b.flags = flags;
	add_all(&b, m, rows, 0);
	need = pmumap_need(&b);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	CHECK(!map);
	block = exact(need);
	pmumap_begin(&b, block, need);
	b.flags = flags;
	findings.n = 0;
	pmumap_listen(&b, collect, &findings);
	add_all(&b, m, rows, mixed);
	CHECK_EQ(pmumap_need(&b), need);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	CHECK((const void *)map == block);
	if (map)
		copy = exact_copy(map, pmumap_size(map));
	free(block);
	return copy;
}

static void check_calls(const unsigned char *fdt, uint32_t flags)
{
	struct imc_model m;
	struct model none;
	struct pmumap *map;
	const char *now = test_now;

	model_init(&none);
	imc_model_read(&m, fdt, 0, 0);
	map = build_calls(&m, &none, flags, 0);
	if (map) {
		check_imc(map, &m, flags);
		check_builder_findings(&m);
		test_now = now;
	}
	free(map);
	imc_model_free(&m);
}

static int same_rows(const struct pmumap *map, const struct model *r)
{
	uint32_t i, bad = 0;

	for (i = 0; i < 256; i++) {
		uint32_t event = i / 128 << 16 | i % 128;
		uint64_t got = 0, want = 0, raw = raw_value(r, i);

		bad += pmumap_counters(map, event) != model_counters(r, event);
		bad += pmumap_selector(map, event, &got) != model_selector(r, event, &want);
		bad += got != want;
		bad += pmumap_raw_counters(map, raw) != model_raw_counters(r, raw);
	}
	return bad == 0;
}

static void some_rows(struct model *r)
{
	uint32_t i;

	model_init(r);
	for (i = 0; i < 12; i++) {
		model_add_selector(r, 0x10000 + random_below(64), random64());
		model_add_counters(r, i * 5, i * 5 + random_below(5), 8u << random_below(20));
		model_add_raw(r, i, 0xfffff, 8u << random_below(20));
	}
}

/* Rows of both bindings in any order make one map with the answers of both. */
static void check_mixed(const unsigned char *fdt)
{
	struct imc_model m;
	uint32_t i, rows_good = 0, n = quick(20, 3);

	imc_model_read(&m, fdt, 0, 0);
	for (i = 0; i < n; i++) {
		struct model rows;
		struct pmumap *map;

		some_rows(&rows);
		map = build_calls(&m, &rows, 0, 1);
		if (map) {
			check_imc_listing(map, &m, 0);
			if (i < 2)
				check_imc(map, &m, 0);
			rows_good += (uint32_t)same_rows(map, &rows);
		}
		free(map);
		model_free(&rows);
	}
	CHECK_EQ(rows_good, n);
	imc_model_free(&m);
}

/* ---- calls that are bad, or few -------------------------------------------------------------- */

#define NO_LIST 0u

static void add_list_of(struct pmumap_builder *b, uint32_t id, const char *const *names)
{
	struct pmumap_imc_event e = { 0 };

	CHECK_EQ(pmumap_add_imc_list(b, id), PMUMAP_OK);
	for (; *names; names++, e.offset += 8) {
		e.name = *names;
		CHECK_EQ(pmumap_add_imc_event(b, &e), PMUMAP_OK);
	}
}

static void add_unit_of(struct pmumap_builder *b, const char *name, uint32_t type, uint32_t list)
{
	struct pmumap_imc_unit u = { 0 };

	u.name = name;
	u.type = type;
	CHECK_EQ(pmumap_add_imc_unit(b, list, &u), PMUMAP_OK);
}

/* Build by these calls, first for the need. Returns the map, in a block of its own; or NULL. */
static struct pmumap *built(void (*calls)(struct pmumap_builder *), uint32_t flags,
			    enum pmumap_status want)
{
	struct pmumap_builder b;
	const struct pmumap *map = NULL;
	size_t need;
	void *block;

	pmumap_begin(&b, NULL, 0);
	b.flags = flags;
	calls(&b);
	need = pmumap_need(&b);
	block = exact(need);
	pmumap_begin(&b, block, need);
	b.flags = flags;
	findings.n = 0;
	pmumap_listen(&b, collect, &findings);
	calls(&b);
	CHECK_EQ(pmumap_finish(&b, &map), want);
	CHECK_EQ(map != NULL, want == PMUMAP_OK);
	if (map)
		return block;
	free(block);
	return NULL;
}

static int finds(const struct pmumap *map, const char *text, const char *unit, uint32_t offset)
{
	struct pmumap_imc_event e;

	return pmumap_imc_find(map, text, strlen(text), 0, &e) && !strcmp(e.unit, unit) &&
	       e.offset == offset;
}

static int said(const char *code, uint64_t value, enum pmumap_severity severity)
{
	uint32_t i, n = 0;

	for (i = 0; i < findings.n; i++)
		n += !strcmp(findings.at[i].code, code) && findings.at[i].value == value &&
		     findings.at[i].severity == (int)severity &&
		     findings.at[i].node == PMUMAP_NO_NODE;
	return n == 1;
}

/* Strings end with the build; NULL and "" are none; the control block is where it always is. */
static void absent_strings(void)
{
	char *name = exact_copy("mcs0@8", 7), *event = exact_copy("A", 2);
	struct pmumap_imc_event e = { .name = event, .scale = "", .measure = "", .desc = "" };
	struct pmumap_imc_unit u = { .name = name, .scale = "", .measure = "", .type = IMC_NEST };
	struct pmumap_builder b;
	static uint64_t block[1024];
	const struct pmumap *map = NULL;

	test_now = "absent strings";
	pmumap_begin(&b, block, sizeof(block));
	b.flags = PMUMAP_DESC;
	CHECK_EQ(pmumap_add_imc_unit(&b, 1, &u), PMUMAP_OK);
	CHECK_EQ(pmumap_add_imc_list(&b, 1), PMUMAP_OK);
	CHECK_EQ(pmumap_add_imc_event(&b, &e), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	free(name);
	free(event);
	if (!map)
		return;
	CHECK(pmumap_imc_find(map, "mcs0/A", 6, 0, &e));
	CHECK(!strcmp(e.unit, "mcs0@8") && !strcmp(e.name, "A") && same_text(e.prefix, ""));
	CHECK(!e.scale && !e.measure && !e.desc);
	CHECK(pmumap_imc_unit(map, 0, &u));
	CHECK(same_text(u.prefix, "") && !u.scale && !u.measure && u.events == 1 && u.chips == 0);
	CHECK_EQ(u.control, 0x3fc00);
}

/* Chips before the first unit are those of every nest unit that has none of its own. */
static void chip_calls(struct pmumap_builder *b)
{
	add_list_of(b, 1, (const char *const[]){ "A", NULL });
	CHECK_EQ(pmumap_add_imc_chip(b, 3, 0x1000), PMUMAP_OK);
	CHECK_EQ(pmumap_add_imc_chip(b, 4, 0x2000), PMUMAP_OK);
	add_unit_of(b, "own", IMC_NEST, 1);
	CHECK_EQ(pmumap_add_imc_chip(b, 8, 0x8000), PMUMAP_OK);
	add_unit_of(b, "none", IMC_NEST, 1);
	add_unit_of(b, "core", IMC_CORE, 1);
	add_unit_of(b, "lost", 0x20, 1);
	CHECK_EQ(pmumap_add_imc_chip(b, 9, 0x9000), PMUMAP_OK);
}

/* In a window of 64 bytes, with the control block at the end of it, or behind. */
static void window_calls(struct pmumap_builder *b)
{
	struct pmumap_imc_unit u = { .name = "in", .type = IMC_NEST, .size = 64, .control = 24 };

	add_list_of(b, 1, (const char *const[]){ "A", NULL });
	CHECK_EQ(pmumap_add_imc_chip(b, 0, 0xffffffffffffffc0), PMUMAP_OK);
	CHECK_EQ(pmumap_add_imc_chip(b, 1, 0xffffffffffffffc1), PMUMAP_OK);
	CHECK_EQ(pmumap_add_imc_unit(b, 1, &u), PMUMAP_OK);
	u.name = "out";
	u.control = 25;
	CHECK_EQ(pmumap_add_imc_unit(b, 1, &u), PMUMAP_OK);
	u.name = "open";
	u.size = 0;
	u.offset = 0xffffffff;
	CHECK_EQ(pmumap_add_imc_unit(b, 1, &u), PMUMAP_OK);
}

static void window(void)
{
	struct pmumap *map = built(window_calls, 0, PMUMAP_OK);
	struct pmumap_imc_event e = { .type = IMC_NEST, .offset = 56 };
	uint64_t phys = 7;

	test_now = "window";
	CHECK(pmumap_imc_address(map, &e, 0, &phys) && phys == 0xfffffffffffffff8);
	CHECK(pmumap_imc_control(map, 0, 0, &phys) && phys == 0xffffffffffffffd8);
	phys = 7;
	CHECK(!pmumap_imc_address(map, &e, 1, &phys) && phys == 7);
	CHECK(!pmumap_imc_control(map, 0, 1, &phys) && phys == 7);
	CHECK(!pmumap_imc_control(map, 1, 0, &phys) && phys == 7);
	CHECK(!pmumap_imc_control(map, 2, 0, &phys) && phys == 7);
	for (e.offset = 57; e.offset; e.offset = e.offset < 64 ? e.offset + 1 : e.offset << 1)
		CHECK(!pmumap_imc_address(map, &e, 0, &phys) && phys == 7);
	e.offset = ~0u;
	CHECK(!pmumap_imc_address(map, &e, 0, &phys) && phys == 7);
	free(map);
}

static void chips(void)
{
	struct pmumap *map = built(chip_calls, 0, PMUMAP_OK);
	struct pmumap_imc_event e = { 0 };
	struct pmumap_imc_unit u;
	uint32_t chip;
	uint64_t base = 0, phys = 0;

	test_now = "chips";
	CHECK(said("type-unknown", 0x20, PMUMAP_ERROR));
	CHECK(pmumap_imc_unit(map, 0, &u) && u.chips == 1);
	CHECK(pmumap_imc_chip(map, 0, 0, &chip, &base) && chip == 8 && base == 0x8000);
	CHECK(pmumap_imc_unit(map, 1, &u) && u.chips == 2);
	CHECK(pmumap_imc_chip(map, 1, 0, &chip, &base) && chip == 3 && base == 0x1000);
	CHECK(pmumap_imc_chip(map, 1, 1, &chip, &base) && chip == 4 && base == 0x2000);
	CHECK(pmumap_imc_unit(map, 2, &u) && u.chips == 0 && u.type == IMC_CORE);
	CHECK(!pmumap_imc_unit(map, 3, &u));
	CHECK(pmumap_imc_control(map, 1, 4, &phys) && phys == 0x2000 + 0x3fc00);
	CHECK(!pmumap_imc_control(map, 2, 3, &phys));
	/* What a caller fills in may be anything. */
	e.type = IMC_NEST;
	e.offset = 16;
	e.unit_index = 1;
	CHECK(pmumap_imc_address(map, &e, 3, &phys) && phys == 0x1010);
	CHECK(!pmumap_imc_address(map, &e, 8, &phys) && phys == 0x1010);
	e.unit_index = 2;
	CHECK(!pmumap_imc_address(map, &e, 3, &phys) && phys == 0x1010);
	e.unit_index = 3;
	CHECK(!pmumap_imc_address(map, &e, 3, &phys) && phys == 0x1010);
	e.unit_index = ~0u;
	CHECK(!pmumap_imc_address(map, &e, 3, &phys) && phys == 0x1010);
	free(map);
}

/* Events without a list, lists without units, units without a list, names that are none. */
static void stray_calls(struct pmumap_builder *b)
{
	struct pmumap_imc_event e = { .name = "LOST" };
	struct pmumap_imc_unit u = { .name = "x", .prefix = "X_", .type = IMC_CORE, .reg = 4 };

	CHECK_EQ(pmumap_add_imc_event(b, &e), PMUMAP_OK);
	add_unit_of(b, "early", IMC_CORE, 7);
	add_list_of(b, 5, (const char *const[]){ "UNUSED", NULL });
	add_list_of(b, 7, (const char *const[]){ "A", "B", NULL });
	e.name = "";
	CHECK_EQ(pmumap_add_imc_event(b, &e), PMUMAP_OK);
	e.name = NULL;
	CHECK_EQ(pmumap_add_imc_event(b, &e), PMUMAP_OK);
	add_unit_of(b, "none", IMC_CORE, NO_LIST);
	add_unit_of(b, "other", IMC_CORE, 99);
	CHECK_EQ(pmumap_add_imc_unit(b, 7, &u), PMUMAP_OK);
	e.name = "C"; /* belongs to list 7 all the same */
	e.offset = 64;
	CHECK_EQ(pmumap_add_imc_event(b, &e), PMUMAP_OK);
	add_list_of(b, 8, (const char *const[]){ NULL });
	add_unit_of(b, "empty", IMC_CORE, 8);
	add_unit_of(b, NULL, IMC_CORE, 8);
}

static void strays(void)
{
	struct pmumap *map = built(stray_calls, 0, PMUMAP_OK);
	uint32_t i, n = 0;

	test_now = "strays";
	for (i = 0; i < findings.n; i++)
		n += !strcmp(findings.at[i].code, "name-missing");
	CHECK_EQ(n, 2);
	CHECK(said("events-missing", 0, PMUMAP_WARNING));
	CHECK(said("events-missing", 99, PMUMAP_WARNING));
	CHECK(said("list-empty", 8, PMUMAP_WARNING));
	CHECK(said("offset-align", 4, PMUMAP_WARNING));
	CHECK(finds(map, "A", "early", 0) && finds(map, "B", "early", 8));
	CHECK(finds(map, "C", "early", 64) && finds(map, "X_C", "x", 68));
	CHECK(!finds(map, "LOST", "early", 0) && !finds(map, "UNUSED", "early", 0));
	free(map);
	CHECK(!built(stray_calls, PMUMAP_STRICT, PMUMAP_E_STRICT));
}

static void statuses(void)
{
	static uint64_t block[64];
	struct pmumap_imc_event e = { .name = "A" };
	struct pmumap_imc_unit u = { .name = "x", .type = IMC_CORE };
	char *text = exact(1 << 20);
	struct pmumap_builder b;
	const struct pmumap *map = (const struct pmumap *)block;
	uint32_t i;

	test_now = "statuses";
	pmumap_begin(&b, (char *)block + 4, sizeof(block) - 4);
	CHECK_EQ(pmumap_add_imc_list(&b, 1), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_add_imc_event(&b, &e), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_add_imc_unit(&b, 1, &u), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_add_imc_chip(&b, 1, 1), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_E_ARG);
	CHECK(!map);
	pmumap_begin(&b, block, sizeof(block));
	findings.n = 0;
	pmumap_listen(&b, collect, &findings);
	stray_calls(&b);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_E_NOSPACE);
	CHECK(!map && said("no-space", pmumap_need(&b), PMUMAP_ERROR));
	memset(text, 'A', 1 << 20);
	text[(1 << 20) - 1] = 0;
	e.name = text;
	pmumap_begin(&b, NULL, 0);
	CHECK_EQ(pmumap_add_imc_list(&b, 1), PMUMAP_OK);
	for (i = 0; i < quick(2100, 10); i++)
		CHECK_EQ(pmumap_add_imc_event(&b, &e), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), quick(PMUMAP_E_LIMIT, PMUMAP_OK));
	free(text);
}

/* ---- the boards ------------------------------------------------------------------------------ */

/* The fixture of both bindings, as a tree of either. */
static void both(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	struct pmumap *map = build_tree(fdt, size, 0, 0, &findings, &status);
	struct model rows;

	model_init(&rows);
	CHECK_EQ(status, PMUMAP_OK);
	CHECK(model_read(&rows, fdt, 0));
	CHECK(rows.selectors == 2 && rows.ranges == 2 && rows.raws == 1);
	if (map)
		CHECK(same_rows(map, &rows));
	free(map);
	model_free(&rows);
}

static void board(const unsigned char *fdt, size_t size)
{
	(void)size;
	check_calls(fdt, 0);
	check_calls(fdt, PMUMAP_DESC | PMUMAP_NO_INDEX);
	check_mixed(fdt);
}

static void corpus_board(const unsigned char *fdt, size_t size)
{
	(void)size;
	check_calls(fdt, PMUMAP_DESC);
}

int main(void)
{
	CHECK_EQ(each_file("build/boards/imc-*.dtb", board), 19);
	CHECK_EQ(each_file("build/boards/imc-and-riscv.dtb", both), 1);
	each_file("build/corpus-imc/*.dtb", corpus_board);
	absent_strings();
	chips();
	window();
	strays();
	statuses();
	return test_summary();
}
