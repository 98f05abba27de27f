/* SPDX-License-Identifier: BSD-2-Clause
 *
 * IMC without a tree: the boards' catalogs through the builder, in any order of calls, give the
 * same answers. Also wrong calls, and the findings for the same calls as a tree.
 */
#include "imc_calls.h"

static struct findings findings;

/* ---- a catalog, call by call ----------------------------------------------------------------- */

/* Catalogs being built: what may come next of lists and units. */
struct calls {
	struct pmumap_imc_builder *b;
	const struct imc_model *m;
	const uint32_t *order; /* of the lists */
	uint32_t list, event, unit, chip;
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
		return call_list(c->b, c->order[c->list] + 1) == PMUMAP_OK;
	e.name = c->m->event[l->first + c->event - 2].name;
	e.scale = c->m->event[l->first + c->event - 2].scale;
	e.measure = c->m->event[l->first + c->event - 2].measure;
	e.desc = c->m->event[l->first + c->event - 2].desc;
	e.offset = c->m->event[l->first + c->event - 2].reg;
	if (c->event > l->events) {
		c->event = 0;
		c->list++;
	}
	return call_event(c->b, &e) == PMUMAP_OK;
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
		return call_chip(c->b, u->chip[k], u->base[k]) == PMUMAP_OK;
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
	return call_unit(c->b, u->list == MODEL_NO_ROW ? 0 : u->list + 1, &unit) == PMUMAP_OK;
}

/* All calls: lists in random order, and both kinds of calls mixed or one after another. */
static void add_all(struct pmumap_imc_builder *b, const struct imc_model *m, int mixed)
{
	static int (*const add[])(struct calls *) = { add_list, add_unit };
	uint32_t *order = exact((m->lists + 1) * sizeof(*order)), i, kind = 0;
	uint32_t left = m->events + m->units;
	struct calls c = { b, m, order, 0, 0, 0, 0 };

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
			kind = random_below(2);
		if (add[kind](&c))
			left--;
		else
			kind = (kind + 1) % 2;
	}
	free(order);
}

enum { NO_INDEX = 1 << 30 }; /* besides flags: with a name too long for an index */

static struct pmumap_imc *build_calls(const struct imc_model *m, uint32_t flags, int mixed)
{
	struct pmumap_imc_builder b;
	const struct pmumap_imc *map = NULL;
	struct pmumap_imc *copy = NULL;
	size_t need;
	void *block;

	pmumap_imc_begin(&b, NULL, 0);
	b.flags = flags;
	add_all(&b, m, 0);
	need = pmumap_imc_need(&b);
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
	CHECK(!map);
	block = exact(need);
	pmumap_imc_begin(&b, block, need);
	b.flags = flags;
	add_all(&b, m, mixed);
	CHECK_EQ(pmumap_imc_need(&b), need);
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
	CHECK((const void *)map == block);
	imc_forget();
	if (map)
		copy = exact_copy(map, pmumap_imc_size(map));
	free(block);
	return copy;
}

static void check_calls(const unsigned char *fdt, uint32_t flags)
{
	struct imc_model m;
	struct pmumap_imc *map;

	imc_model_read(&m, fdt, 0, 0);
	map = build_calls(&m, flags, 0);
	if (map)
		check_imc(map, &m, flags);
	free(map);
	imc_model_free(&m);
}

/* Any order of calls makes a map with the same answers. */
static void check_mixed(const unsigned char *fdt)
{
	struct imc_model m;
	uint32_t i, n = quick(20, 3);

	imc_model_read(&m, fdt, 0, 0);
	for (i = 0; i < n; i++) {
		struct pmumap_imc *map = build_calls(&m, 0, 1);

		if (map) {
			check_imc_listing(map, &m, 0);
			if (i < 2)
				check_imc(map, &m, 0);
		}
		free(map);
	}
	imc_model_free(&m);
}

/* ---- calls that are bad, or few -------------------------------------------------------------- */

#define NO_LIST 0u

static void add_list_of(struct pmumap_imc_builder *b, uint32_t id, const char *const *names)
{
	struct pmumap_imc_event e = { 0 };

	CHECK_EQ(call_list(b, id), PMUMAP_OK);
	for (; *names; names++, e.offset += 8) {
		e.name = *names;
		CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	}
}

static void add_unit_of(struct pmumap_imc_builder *b, const char *name, uint32_t type,
			uint32_t list)
{
	struct pmumap_imc_unit u = { 0 };

	u.name = name;
	u.type = type;
	CHECK_EQ(call_unit(b, list, &u), PMUMAP_OK);
}

/* Builds with these calls, after measuring. Returns the map in a block of its own; or NULL. */
static struct pmumap_imc *built(void (*calls)(struct pmumap_imc_builder *), uint32_t flags,
				enum pmumap_status want)
{
	struct pmumap_imc_builder b;
	const struct pmumap_imc *map = NULL;
	size_t need;
	void *block;

	pmumap_imc_begin(&b, NULL, 0);
	b.flags = flags & PMUMAP_DESC;
	calls(&b);
	if (flags & NO_INDEX)
		add_long_name(&b);
	need = pmumap_imc_need(&b);
	block = exact(need);
	pmumap_imc_begin(&b, block, need);
	b.flags = flags & PMUMAP_DESC;
	imc_forget();
	calls(&b);
	if (flags & NO_INDEX)
		add_long_name(&b);
	CHECK_EQ(pmumap_imc_finish(&b, &map), want);
	CHECK_EQ(map != NULL, want == PMUMAP_OK);
	if (map && (flags & NO_INDEX))
		drop_index(block);
	if (map)
		return block;
	free(block);
	return NULL;
}

/* Builds a tree of these calls, to get findings. */
static void tell(void (*calls)(struct pmumap_imc_builder *))
{
	struct pmumap_imc_builder b;

	pmumap_imc_begin(&b, NULL, 0);
	imc_forget();
	calls(&b);
	CHECK_EQ(findings_of_calls(&findings, 0), PMUMAP_OK);
}

static int finds(const struct pmumap_imc *map, const char *text, const char *unit, uint32_t offset)
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
		     findings.at[i].severity == (int)severity;
	return n == 1;
}

/*
 * Strings are copied by the build; NULL and "" mean none; the control block is at its usual place.
 */
static void absent_strings(void)
{
	char *name = exact_copy("mcs0@8", 7), *event = exact_copy("A", 2);
	struct pmumap_imc_event e = { .name = event, .scale = "", .measure = "", .desc = "" };
	struct pmumap_imc_unit u = { .name = name, .scale = "", .measure = "", .type = IMC_NEST };
	struct pmumap_imc_builder b;
	static uint64_t block[1024];
	const struct pmumap_imc *map = NULL;

	test_now = "absent strings";
	pmumap_imc_begin(&b, block, sizeof(block));
	b.flags = PMUMAP_DESC;
	CHECK_EQ(call_unit(&b, 1, &u), PMUMAP_OK);
	CHECK_EQ(call_list(&b, 1), PMUMAP_OK);
	CHECK_EQ(call_event(&b, &e), PMUMAP_OK);
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
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

/* Chips added before the first unit belong to every nest unit without its own. */
static void chip_calls(struct pmumap_imc_builder *b)
{
	add_list_of(b, 1, (const char *const[]){ "A", NULL });
	CHECK_EQ(call_chip(b, 3, 0x1000), PMUMAP_OK);
	CHECK_EQ(call_chip(b, 4, 0x2000), PMUMAP_OK);
	add_unit_of(b, "own", IMC_NEST, 1);
	CHECK_EQ(call_chip(b, 8, 0x8000), PMUMAP_OK);
	add_unit_of(b, "none", IMC_NEST, 1);
	add_unit_of(b, "core", IMC_CORE, 1);
	add_unit_of(b, "lost", 0x20, 1);
	CHECK_EQ(call_chip(b, 9, 0x9000), PMUMAP_OK);
}

/* A control block at the start of the window overlaps the counter at 0. */
static uint32_t low;

static void low_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .name = "low", .type = IMC_NEST, .control = low };

	add_list_of(b, 1, (const char *const[]){ "A", NULL });
	CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
}

/* From 8 on it does not. An index of names exists in any case. */
static void low_controls(void)
{
	int indexed = 0;

	test_now = "low control blocks";
	for (low = 1; low < 512; low++) {
		struct pmumap_imc *map = built(low_calls, 0, PMUMAP_OK);

		tell(low_calls);
		CHECK_EQ(said("control-overlap", 0, PMUMAP_WARNING), low < 8);
		CHECK(pmumap_imc_names(map, &indexed) == 1 && indexed);
		free(map);
	}
}

/*
 * In a window of 64 bytes, with the control block at its end or past it; and in a window filled by
 * a counter.
 */
static void window_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .name = "in", .type = IMC_NEST, .size = 64, .control = 24 };

	add_list_of(b, 1, (const char *const[]){ "A", NULL });
	CHECK_EQ(call_chip(b, 0, 0xffffffffffffffc0), PMUMAP_OK);
	CHECK_EQ(call_chip(b, 1, 0xffffffffffffffc1), PMUMAP_OK);
	CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
	u.name = "out";
	u.control = 25;
	CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
	u.name = "open";
	u.size = 0;
	u.offset = 0xffffffff;
	CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
	u.name = "full";
	u.size = 8;
	u.offset = 0;
	CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
}

static void window(void)
{
	struct pmumap_imc *map = built(window_calls, 0, PMUMAP_OK);
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
	e.offset = 0;
	e.unit_index = 4; /* there are not so many */
	CHECK(!pmumap_imc_address(map, &e, 0, &phys) && phys == 7);
	e.unit_index = 3;
	CHECK(pmumap_imc_address(map, &e, 0, &phys) && phys == 0xffffffffffffffc0);
	e.offset = 1;
	phys = 7;
	CHECK(!pmumap_imc_address(map, &e, 0, &phys) && phys == 7);
	free(map);
}

static void chips(void)
{
	struct pmumap_imc *map = built(chip_calls, 0, PMUMAP_OK);
	struct pmumap_imc_event e = { 0 };
	struct pmumap_imc_unit u;
	uint32_t chip;
	uint64_t base = 0, phys = 0;

	test_now = "chips";
	tell(chip_calls);
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
	/* Any values in the caller's structs. */
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

/* Events without a list, lists without units, units without a list, missing names. */
static void stray_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_event e = { .name = "LOST" };
	struct pmumap_imc_unit u = { .name = "x", .prefix = "X_", .type = IMC_CORE, .reg = 4 };

	CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	add_unit_of(b, "early", IMC_CORE, 7);
	add_list_of(b, 5, (const char *const[]){ "UNUSED", NULL });
	add_list_of(b, 7, (const char *const[]){ "A", "B", NULL });
	e.name = "";
	CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	e.name = NULL;
	CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	add_unit_of(b, "none", IMC_CORE, NO_LIST);
	add_unit_of(b, "other", IMC_CORE, 99);
	CHECK_EQ(call_unit(b, 7, &u), PMUMAP_OK);
	e.name = "C"; /* still belongs to list 7 */
	e.offset = 64;
	CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	add_list_of(b, 8, (const char *const[]){ NULL });
	add_unit_of(b, "empty", IMC_CORE, 8);
	add_unit_of(b, NULL, IMC_CORE, 8);
}

static void strays(void)
{
	struct pmumap_imc *map = built(stray_calls, 0, PMUMAP_OK);
	uint32_t i, n = 0;

	test_now = "strays";
	tell(stray_calls);
	for (i = 0; i < findings.n; i++)
		n += !strcmp(findings.at[i].code, "name-missing");
	CHECK_EQ(n, 2);
	CHECK(said("events-missing", 0, PMUMAP_WARNING));
	CHECK(said("events-missing", 99, PMUMAP_WARNING));
	CHECK(said("list-empty", 8, PMUMAP_ERROR));
	CHECK(said("offset-align", 4, PMUMAP_WARNING));
	CHECK(finds(map, "A", "early", 0) && finds(map, "B", "early", 8));
	CHECK(finds(map, "C", "early", 64) && finds(map, "X_C", "x", 68));
	CHECK(!finds(map, "LOST", "early", 0) && !finds(map, "UNUSED", "early", 0));
	free(map);
}

static void statuses(void)
{
	static uint64_t block[64];
	struct pmumap_imc_event e = { .name = "A" }, nameless = { .name = "" };
	struct pmumap_imc_unit u = { .name = "x", .type = IMC_CORE }, unknown = { .type = 0x20 };
	char *text = exact(1 << 20);
	struct pmumap_imc_builder b;
	const struct pmumap_imc *map = (const struct pmumap_imc *)block;
	uint32_t i;

	test_now = "statuses";
	pmumap_imc_begin(&b, (char *)block + 4, sizeof(block) - 4);
	CHECK_EQ(call_list(&b, 1), PMUMAP_E_ARG);
	CHECK_EQ(call_event(&b, &e), PMUMAP_E_ARG);
	CHECK_EQ(call_event(&b, &nameless), PMUMAP_E_ARG);
	CHECK_EQ(call_unit(&b, 1, &u), PMUMAP_E_ARG);
	CHECK_EQ(call_chip(&b, 1, 1), PMUMAP_E_ARG);
	CHECK_EQ(call_unit(&b, 1, &unknown), PMUMAP_E_ARG);
	CHECK_EQ(call_chip(&b, 1, 1), PMUMAP_E_ARG); /* of a unit that was dropped */
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_E_ARG);
	CHECK(!map);
	pmumap_imc_begin(&b, block, sizeof(block));
	stray_calls(&b);
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_E_NOSPACE);
	CHECK(!map && pmumap_imc_need(&b) > sizeof(block));
	memset(text, 'A', 1 << 20);
	text[(1 << 20) - 1] = 0;
	e.name = text;
	pmumap_imc_begin(&b, NULL, 0);
	CHECK_EQ(call_list(&b, 1), PMUMAP_OK);
	for (i = 0; i < quick(2100, 10); i++)
		CHECK_EQ(call_event(&b, &e), PMUMAP_OK);
	CHECK_EQ(pmumap_imc_finish(&b, &map), quick(PMUMAP_E_LIMIT, PMUMAP_OK));
	free(text);
}

/* Two kinds of units, and prefixes that each extend the one before. */
static const size_t lengths[] = { 1, 254, 255, 256, 510, 511, 512, 600, 1100 };
static char long_prefix[1200];

static void long_calls(struct pmumap_imc_builder *b)
{
	static char prefixes[sizeof(lengths) / sizeof(lengths[0])][sizeof(long_prefix)];
	struct pmumap_imc_unit u = { .name = "x", .type = IMC_CORE };
	size_t i;

	add_list_of(b, 1, (const char *const[]){ "X", NULL });
	memset(long_prefix, 'P', sizeof(long_prefix) - 1);
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		memcpy(prefixes[i], long_prefix, lengths[i]);
		u.prefix = prefixes[i];
		u.size = i ? 64 : 0;
		CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
	}
}

static void idle_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .name = "x", .prefix = long_prefix, .type = IMC_CORE };

	memset(long_prefix, 'P', sizeof(long_prefix) - 1);
	add_list_of(b, 1, (const char *const[]){ "X", NULL });
	CHECK_EQ(call_unit(b, 2, &u), PMUMAP_OK);
	u.prefix = "P_";
	CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
}

/* A prefix too long for the index excludes no names from it if its unit has none; the map opens. */
static void long_without_events(void)
{
	struct pmumap_imc *map = built(idle_calls, 0, PMUMAP_OK);
	const struct pmumap_imc *opened;
	struct pmumap_imc_event e;
	struct pmumap_imc_unit u;
	int indexed = 0;

	test_now = "a long prefix without events";
	CHECK_EQ(pmumap_imc_names(map, &indexed), 1);
	CHECK(indexed);
	CHECK_EQ(pmumap_imc_open(map, pmumap_imc_size(map), &opened), PMUMAP_OK);
	CHECK(pmumap_imc_find(map, "P_X", 3, 0, &e) && e.unit_index == 1);
	CHECK(pmumap_imc_unit(map, 0, &u) && !strcmp(u.prefix, long_prefix));
	free(map);
}

/* Each prefix leads to its own unit, whatever its length. */
static void long_prefixes(void)
{
	struct pmumap_imc *map = built(long_calls, 0, PMUMAP_OK);
	struct pmumap_imc_event e;
	size_t i;

	test_now = "long prefixes";
	for (i = 0; map && i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t len = lengths[i];

		long_prefix[len] = 'X';
		CHECK(pmumap_imc_find(map, long_prefix, len + 1, 0, &e) && e.unit_index == i);
		CHECK(!pmumap_imc_find(map, long_prefix, len + 1, 1, &e));
		CHECK(!pmumap_imc_find(map, long_prefix, len, 0, &e));
		long_prefix[len] = 'P';
	}
	free(map);
}

/* A name may have any bytes; bytes after its end do not count, neither in a map nor in a query. */
static void byte_calls(struct pmumap_imc_builder *b)
{
	static const char *const names[] = { "A",        "A\x01", "A\x7f", "A\x80", "A\xff",
					     "\x80\x80", "\xff",  "\xffZ", NULL };
	struct pmumap_imc_unit u = { .name = "\xc3unit", .prefix = "P_", .type = IMC_CORE };

	add_list_of(b, 1, names);
	CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
}

static void any_bytes(void)
{
	static const struct {
		const char *text;
		size_t len;
		int good;
		uint32_t offset;
	} asked[] = {
		{ "P_A", 3, 1, 0 },
		{ "P_A\x01", 4, 1, 8 },
		{ "P_A\x7f", 4, 1, 16 },
		{ "P_A\x80", 4, 1, 24 },
		{ "P_A\xff", 4, 1, 32 },
		{ "P_\x80\x80", 4, 1, 40 },
		{ "P_\xff", 3, 1, 48 },
		{ "P_\xffZ", 4, 1, 56 },
		{ "\xc3unit/P_A", 9, 1, 0 },
		{ "P_\x80", 3, 0, 0 },
		{ "P_Z", 3, 0, 0 },
		{ "P_A\0", 4, 0, 0 },
		{ "\xc3unit\0P_/P_A", 12, 0, 0 }, /* the order of these strings in the map */
		{ "\xc3unit\0/P_A", 10, 0, 0 },
	};
	uint32_t flags;
	size_t i;

	test_now = "any bytes";
	for (flags = 0; flags <= NO_INDEX; flags += NO_INDEX) {
		struct pmumap_imc *map = built(byte_calls, flags, PMUMAP_OK);

		for (i = 0; map && i < sizeof(asked) / sizeof(asked[0]); i++) {
			struct pmumap_imc_event e = { 0 };

			CHECK_EQ(pmumap_imc_find(map, asked[i].text, asked[i].len, 0, &e),
				 asked[i].good);
			CHECK_EQ(e.offset, asked[i].offset);
		}
		free(map);
	}
}

/* The need of lists whose strings are larger than the rows. */
static void lists_calls(struct pmumap_imc_builder *b)
{
	static char name[40000];
	const char *names[] = { name, NULL };
	uint32_t i;

	memset(name, 'N', sizeof(name) - 1);
	add_list_of(b, 1, names);
	for (i = 2; i < 1000; i++)
		CHECK_EQ(call_list(b, i), PMUMAP_OK);
	add_unit_of(b, "core", IMC_CORE, 1);
}

static void many_lists(void)
{
	struct pmumap_imc *map = built(lists_calls, NO_INDEX, PMUMAP_OK);
	struct pmumap_imc_event e;

	test_now = "many lists";
	CHECK(map && pmumap_imc_event_at(map, 0, 0, &e) && strlen(e.name) == 39999 &&
	      strspn(e.name, "N") == 39999 && !strcmp(e.unit, "core"));
	free(map);
}

/* ---- what lies in the block ------------------------------------------------------------------ */

/* Counts how often these bytes occur in the image. */
static uint32_t times(const struct pmumap_imc *map, const void *bytes, size_t n)
{
	const char *at = (const char *)map, *end = at + pmumap_imc_size(map) - n + 1;
	const char first = *(const char *)bytes;
	uint32_t found = 0;

	for (; at < end && (at = memchr(at, first, (size_t)(end - at))); at++)
		found += memcmp(at, bytes, n) == 0;
	return found;
}

static uint32_t besides; /* which strings an event has besides its name */

/* A list of many names, one of some of them, an unused list; equal chips. */
static void shared_calls(struct pmumap_imc_builder *b)
{
	static char names[1000][4][16];
	struct pmumap_imc_event e = { .name = "LOST" };
	uint32_t i, chip;

	CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	for (i = 0; i < 1100; i++) {
		uint32_t n = i < 1000 ? i : i - 100;

		if (i % 1000 == 0)
			CHECK_EQ(call_list(b, 1 + i / 1000), PMUMAP_OK);
		sprintf(names[n][0], "EVENT_%03u", (unsigned)n);
		sprintf(names[n][1], "%u", 1000 + (unsigned)n);
		sprintf(names[n][2], "unit %03u", (unsigned)n);
		sprintf(names[n][3], "what %03u", (unsigned)n);
		e.name = names[n][0];
		e.scale = besides == 1 ? names[n][1] : NULL;
		e.measure = besides == 2 ? names[n][2] : NULL;
		e.desc = besides == 3 ? names[n][3] : NULL;
		CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	}
	add_list_of(b, 3, (const char *const[]){ "UNUSED", NULL });
	for (i = 0; i < 3; i++) {
		add_unit_of(b, i ? "nest" : "first", IMC_NEST, 1 + i % 2);
		for (chip = 0; chip < 2; chip++)
			CHECK_EQ(call_chip(b, chip, 0x1122334455667700 + chip), PMUMAP_OK);
	}
}

/*
 * Strings, and equal chips of adjacent units, are stored once; those of unused lists are not
 * stored.
 */
static void stored_once(void)
{
	static const char *const formats[] = { "EVENT_%03u", "1%03u", "unit %03u", "what %03u" };
	const uint64_t base = 0x1122334455667701;
	uint32_t i, k;

	test_now = "stored once";
	for (besides = 1; besides <= 3; besides++) {
		struct pmumap_imc *map = built(shared_calls, PMUMAP_DESC, PMUMAP_OK);
		char name[16] = "";

		for (k = 0; k < 4; k++) {
			uint32_t once = 0;

			for (i = 900; i < 1000; i++) {
				snprintf(name + 1, sizeof(name) - 1, formats[k], (unsigned)i);
				once += times(map, name, strlen(name + 1) + 2) == 1;
			}
			CHECK_EQ(once, k == 0 || k == besides ? 100 : 0);
		}
		CHECK_EQ(times(map, "\0nest", 6), 1);
		CHECK_EQ(times(map, "UNUSED", 6) + times(map, "LOST", 4), 0);
		CHECK_EQ(times(map, &base, sizeof(base)), 1);
		free(map);
	}
}

/* Units with nothing in common, except the names and prefixes of some of the last ones. */
static char unit_names[1000][2][64];

static void named_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .type = IMC_CORE };
	uint32_t i;

	for (i = 0; i < 1100; i++) {
		uint32_t n = i < 1000 ? i : i - 100;

		snprintf(unit_names[n][0], sizeof(unit_names[n][0]),
			 "UNIT_WHOSE_NAME_TAKES_MORE_THAN_ITS_NUMBER_%03u", (unsigned)n);
		snprintf(unit_names[n][1], sizeof(unit_names[n][1]), "PM_%03u_", (unsigned)n);
		u.name = unit_names[n][0];
		u.prefix = unit_names[n][1];
		u.size = 64 * i;
		CHECK_EQ(call_unit(b, NO_LIST, &u), PMUMAP_OK);
	}
}

/* Any number of units fits into its need, and their strings are found again. */
static void named_once(void)
{
	struct pmumap_imc *map = built(named_calls, NO_INDEX, PMUMAP_OK);
	uint32_t i, bad = 0, once = 0;
	char name[sizeof(unit_names[0][0]) + 1] = "";
	struct pmumap_imc_unit u;

	test_now = "names of units";
	for (i = 900; i < 1000; i++) {
		strcpy(name + 1, unit_names[i][0]);
		once += times(map, name, strlen(name + 1) + 2) == 1;
		strcpy(name + 1, unit_names[i][1]);
		once += times(map, name, strlen(name + 1) + 2) == 1;
	}
	CHECK_EQ(once, 200);
	for (i = 0; i < 1100; i++)
		bad += !pmumap_imc_unit(map, i, &u) || u.size != 64 * i ||
		       strcmp(u.name, unit_names[i < 1000 ? i : i - 100][0]) != 0;
	CHECK_EQ(bad, 0);
	free(map);
}

/* Chips that differ from those of the unit before in one thing. */
static const struct {
	uint32_t chip;
	uint64_t base;
} near_chips[] = { { 5, 0x1000 }, { 4, 0x1000 }, { 6, 0x1000 },      { 6, 0x1001 },
		   { 6, 0xfff },  { 6, 0xfff },  { 6, 0x100000fff }, { 6, 0x1000 } };

/* So many bytes that the sort's memory does not hide the map's for each chip. */
static char long_name[8192];

static uint32_t alike_chips; /* of all these units, before the one that differs */

static void near_calls(struct pmumap_imc_builder *b)
{
	uint32_t i, k;

	for (i = 0; i < sizeof(near_chips) / sizeof(near_chips[0]); i++) {
		add_unit_of(b, "x", IMC_NEST, NO_LIST);
		for (k = 0; k < alike_chips; k++)
			CHECK_EQ(call_chip(b, k, 0x5000), PMUMAP_OK);
		CHECK_EQ(call_chip(b, near_chips[i].chip, near_chips[i].base), PMUMAP_OK);
	}
	memset(long_name, 'x', sizeof(long_name) - 1);
	add_unit_of(b, long_name, IMC_NEST, NO_LIST);
	for (i = 0; i < 200; i++)
		CHECK_EQ(call_chip(b, i, i * 3), PMUMAP_OK);
}

static void neighbours(void)
{
	/* An image as it should be: contents of two units, not the first. */
	static const struct {
		uint64_t base;
		uint32_t chip, unused;
	} twice = { 0xfff, 6, 0 };
	struct pmumap_imc *map = built(near_calls, 0, PMUMAP_OK);
	uint32_t i, chip = 0;
	uint64_t base = 0;

	test_now = "chips of neighbours";
	for (i = 0; i < sizeof(near_chips) / sizeof(near_chips[0]); i++) {
		CHECK(pmumap_imc_chip(map, i, alike_chips, &chip, &base));
		CHECK(chip == near_chips[i].chip && base == near_chips[i].base);
		CHECK(!pmumap_imc_chip(map, i, alike_chips + 1, &chip, &base));
	}
	CHECK_EQ(times(map, &twice, sizeof(twice)), 1);
	for (i = 0; i < 200; i++)
		CHECK(pmumap_imc_chip(map, sizeof(near_chips) / sizeof(near_chips[0]), i, &chip,
				      &base) &&
		      chip == i && base == i * 3);
	free(map);
}

/* Units with alternating sizes share what they have in common among the last 16 kinds. */
static uint32_t kinds;

static void kind_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .name = "x", .type = IMC_CORE };
	uint32_t i;

	for (i = 0; i < 34; i++) {
		u.size = 64 * (i % kinds);
		CHECK_EQ(call_unit(b, NO_LIST, &u), PMUMAP_OK);
	}
}

static void common(void)
{
	struct pmumap_imc_unit unit;
	struct pmumap_imc *map;
	uint32_t i, bad = 0;
	size_t one = 0;

	test_now = "in common";
	for (kinds = 1; kinds <= 17; kinds++) {
		map = built(kind_calls, 0, PMUMAP_OK);
		if (kinds == 1)
			one = pmumap_imc_size(map);
		CHECK_EQ(pmumap_imc_size(map), one + 32 * (kinds <= 16 ? kinds - 1 : 33));
		for (i = 0; i < 34; i++)
			bad += !pmumap_imc_unit(map, i, &unit) || unit.size != 64 * (i % kinds);
		free(map);
	}
	CHECK_EQ(bad, 0);
}

/* A name can be Linux's for one unit and that of the node of another: both match, in order. */
static void twice_named_calls(struct pmumap_imc_builder *b)
{
	add_list_of(b, 1, (const char *const[]){ "A", NULL });
	add_unit_of(b, "co", IMC_CORE, 1);
	add_unit_of(b, "co_imc", IMC_CORE, 1);
}

static void twice_named(void)
{
	struct pmumap_imc *map = built(twice_named_calls, 0, PMUMAP_OK);
	struct pmumap_imc_event e;
	uint32_t i;

	for (i = 0; i < 2; i++)
		CHECK(pmumap_imc_at(map, "co_imc", 0, i, &e) && e.unit_index == i);
	CHECK(!pmumap_imc_at(map, "co_imc", 0, 2, &e));
	free(map);
}

/* Linux adds its prefix and suffix to a name without an address, and also with an empty one. */
static void at_calls(struct pmumap_imc_builder *b)
{
	add_list_of(b, 1, (const char *const[]){ "A", NULL });
	add_unit_of(b, "x@", IMC_NEST, 1);
	add_unit_of(b, "y@1", IMC_NEST, 1);
	add_unit_of(b, "mcs", IMC_NEST, 1);
	add_unit_of(b, "co", IMC_CORE, 1);
	add_unit_of(b, "\x01\xc3\xa4", IMC_NEST, 1);
	add_unit_of(b, "imc/", IMC_NEST, 1);
	add_unit_of(b, "@9", IMC_NEST, 1);
	add_unit_of(b, "@8", IMC_CORE, 1);
}

static void spellings(void)
{
	static const struct {
		const char *unit;
		uint32_t matches;
	} units[] = {
		{ "x@", 1 },
		{ "x", 1 },
		{ "nest_x_imc", 1 },
		{ "nest_x@_imc", 0 },
		{ "y@1", 1 },
		{ "y", 1 },
		{ "nest_y_imc", 1 },
		{ "nest_y@1_imc", 0 },
		{ "y@", 0 },
		{ "y@2", 0 },
		{ "nest_y@_imc", 0 },
		{ "nest__imc", 0 },
		{ "mcs_imc", 0 },
		{ "nest_mcs", 0 },
		{ "nest_mcs_im", 0 },
		{ "nest_mc_imc", 0 },
		{ "co", 1 },
		{ "co_imc", 1 },
		{ "nest_co_imc", 0 },
		{ "_imc", 0 },
		{ "imc", 0 },
		{ "\x01\xc3\xa4", 1 },
		{ "nest_\x01\xc3\xa4_imc", 1 },
		{ "\x01\xc3", 0 },
		{ "\x01", 0 },
		{ "\x01\xc3\xa4\xa4", 0 },
	};
	static const char *const around[] = { "nest_mcs_imc", "co_imc" };
	struct pmumap_imc *map = built(at_calls, 0, PMUMAP_OK);
	struct pmumap_imc_event e;
	char *text;
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		test_now = units[i].unit ? units[i].unit : "any unit";
		CHECK_EQ(pmumap_imc_at(map, units[i].unit, 0, 0, &e), units[i].matches);
		CHECK_EQ(pmumap_imc_at(map, units[i].unit, 0, units[i].matches, &e), 0);
	}
	for (i = 0; i < 2; i++) {
		char other[16];
		size_t k;

		CHECK_EQ(pmumap_imc_at(map, around[i], 0, 0, &e), 1);
		for (k = 0; around[i][k]; k++) {
			strcpy(other, around[i]);
			other[k]++;
			CHECK_EQ(pmumap_imc_at(map, other, 0, 0, &e), 0);
			other[k] -= 2;
			CHECK_EQ(pmumap_imc_at(map, other, 0, 0, &e), 0);
		}
	}
	text = exact_copy("nest_imc/", 9); /* too short to have a name in it */
	CHECK(!pmumap_imc_find(map, text, 9, 0, &e));
	free(text);
	free(map);
}

/* An 8-byte counter inside the 40-byte control block of a unit that is not the first. */
static const struct {
	uint32_t reg, offset;
	int overlaps;
} controls[] = {
	{ 0, 0x3fbf8, 0 },  { 0, 0x3fbf9, 1 },   { 0, 0x3fc00, 1 },   { 0, 0x3fc27, 1 },
	{ 0, 0x3fc28, 0 },  { 0x3fbf8, 0, 0 },   { 0x3fbf9, 0, 1 },   { 0x3fbfa, 0, 1 },
	{ 0x3fc00, 0, 1 },  { 0x3fc27, 0, 1 },   { 0x3fc28, 0, 0 },   { 0x3fc00, 0x28, 0 },
	{ 0x3fc00, 39, 1 }, { 0x3fb00, 256, 1 }, { 0x3fb00, 248, 0 },
};
static size_t control;

static void control_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_event e = { .name = "A", .offset = 0x1000 };
	struct pmumap_imc_unit u = { .name = "x", .type = IMC_NEST };

	CHECK_EQ(call_list(b, 1), PMUMAP_OK);
	CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	CHECK_EQ(call_list(b, 2), PMUMAP_OK);
	e.offset = controls[control].offset;
	CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
	u.name = "y";
	u.reg = controls[control].reg;
	CHECK_EQ(call_unit(b, 2, &u), PMUMAP_OK);
}

static void control_blocks(void)
{
	test_now = "control blocks";
	for (control = 0; control < sizeof(controls) / sizeof(controls[0]); control++) {
		tell(control_calls);
		CHECK_EQ(said("control-overlap",
			      controls[control].reg + (uint64_t)controls[control].offset,
			      PMUMAP_WARNING),
			 controls[control].overlaps);
	}
}

/* Two names, and so many units without any that few bits remain to distinguish matches. */
static char few_names[2][24];

static void few_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .name = "x", .type = IMC_CORE };
	uint32_t i;

	add_list_of(b, 1, (const char *const[]){ few_names[0], few_names[1], NULL });
	add_unit_of(b, "y", IMC_CORE, 1);
	for (i = 0; i < 0xffff; i++)
		(void)call_unit(b, NO_LIST, &u);
}

/* A slot without a name is no match for any name. */
static void free_slots(void)
{
	uint32_t i, k, nth, found = 0, n = quick(16, 4);

	test_now = "free slots";
	for (i = 0; i < n; i++) {
		struct pmumap_imc_event e;
		struct pmumap_imc *map;

		for (k = 0; k < 2; k++)
			snprintf(few_names[k], sizeof(few_names[k]), "%u_NAME_OF_A_COUNTER",
				 (unsigned)(2 * i + k));
		map = built(few_calls, 0, PMUMAP_OK);
		for (k = 0; map && k < 2; k++)
			for (nth = 0; nth < 0x8000; nth++)
				found += (uint32_t)pmumap_imc_find(map, few_names[k],
								   strlen(few_names[k]), nth, &e);
		free(map);
	}
	CHECK_EQ(found, 2 * n);
}

/* A full name with a slash, which could also be read as UNIT/NAME, twice. */
static void slash_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .name = "v", .prefix = "u/", .type = IMC_CORE };

	add_list_of(b, 1, (const char *const[]){ "x", NULL });
	add_list_of(b, 2, (const char *const[]){ "x", "x", "y", NULL });
	CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
	add_unit_of(b, "u", IMC_CORE, 2);
}

/*
 * A name that exists as a full name is not read as UNIT/NAME, however many matches are requested.
 */
static void slashes(void)
{
	static const struct {
		const char *name;
		uint32_t nth;
		int unit; /* -1: not found */
		uint32_t offset;
	} names[] = {
		{ "u/x", 0, 0, 0 },   { "u/x", 1, -1, 0 },  { "u/x/", 0, 1, 0 },
		{ "u/x/", 1, 1, 8 },  { "u/x/", 2, -1, 0 }, { "u/y", 0, 1, 16 },
		{ "u/y", 1, -1, 0 },  { "x", 0, 1, 0 },     { "x", 1, 1, 8 },
		{ "v/u/x", 0, 0, 0 }, { "v/x", 0, -1, 0 },  { "/x", 0, -1, 0 },
	};
	uint32_t flags;
	size_t i;

	for (flags = 0; flags <= NO_INDEX; flags += NO_INDEX) {
		struct pmumap_imc *map = built(slash_calls, flags, PMUMAP_OK);
		int indexed = -1;

		test_now = "slashes";
		CHECK_EQ(pmumap_imc_names(map, &indexed), flags ? 5 : 4);
		CHECK_EQ(indexed, !flags);
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			struct pmumap_imc_event e = { 0 };
			int found = pmumap_imc_find(map, names[i].name, strlen(names[i].name),
						    names[i].nth, &e);

			test_now = names[i].name;
			CHECK_EQ(found, names[i].unit >= 0);
			CHECK(!found || (e.unit_index == (uint32_t)names[i].unit &&
					 e.offset == names[i].offset));
		}
		free(map);
	}
}

/* The same full name from two prefixes; first from the longer, then from the shorter one. */
static uint32_t longer;

static void parted_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .type = IMC_CORE };
	uint32_t i;

	add_list_of(b, 1, (const char *const[]){ "C", NULL });
	add_list_of(b, 2, (const char *const[]){ "BC", NULL });
	for (i = 0; i < 2; i++) {
		u.name = u.prefix = i == longer ? "AB" : "A";
		CHECK_EQ(call_unit(b, i == longer ? 1 : 2, &u), PMUMAP_OK);
	}
}

/* The match with the longer prefix comes first, in any order of units. */
static void parted(void)
{
	uint32_t flags;

	test_now = "a name in two ways";
	for (flags = 0; flags <= NO_INDEX; flags += NO_INDEX) {
		for (longer = 0; longer < 2; longer++) {
			struct pmumap_imc *map = built(parted_calls, flags, PMUMAP_OK);
			struct pmumap_imc_event e;

			CHECK(pmumap_imc_find(map, "ABC", 3, 0, &e) && e.unit_index == longer);
			CHECK(pmumap_imc_find(map, "ABC", 3, 1, &e) && e.unit_index == !longer);
			CHECK(!pmumap_imc_find(map, "ABC", 3, 2, &e));
			free(map);
		}
	}
}

/* Two spellings of one full name of this length, at one offset of one window. */
static size_t letters;

static void alias_calls(struct pmumap_imc_builder *b)
{
	static char name[600];
	struct pmumap_imc_unit u = { .type = IMC_NEST, .size = 64 };

	memset(name, 'N', sizeof(name) - 1);
	name[letters] = 0;
	add_list_of(b, 1, (const char *const[]){ name, NULL });
	add_list_of(b, 2, (const char *const[]){ name + 2, NULL });
	u.name = "whole";
	CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
	u.name = "parted";
	u.prefix = "NN";
	CHECK_EQ(call_unit(b, 2, &u), PMUMAP_OK);
	u.name = "again";
	u.prefix = "NN";
	CHECK_EQ(call_unit(b, 2, &u), PMUMAP_OK);
}

/* It counts as one name, unless it is too long to be compared. */
static void aliases(void)
{
	test_now = "aliases";
	for (letters = 3; letters < 600; letters += letters < 250 || letters > 260 ? 7 : 1) {
		tell(alias_calls);
		CHECK_EQ(said("offset-alias", 0, PMUMAP_NOTE), letters < 256);
		CHECK_EQ(said("offset-clash", 0, PMUMAP_WARNING), letters >= 256);
	}
}

/*
 * Two counters at one place with a higher one between them, then a unit whose event is outside of
 * its window.
 */
static void apart_calls(struct pmumap_imc_builder *b)
{
	static const uint32_t regs[] = { 0x2000, 0x3000, 0x2000, 0 };
	struct pmumap_imc_unit u = { .type = IMC_NEST };
	struct pmumap_imc_event e = { .name = "OUTSIDE", .offset = 0x1000 };
	uint32_t i;

	add_list_of(b, 1, (const char *const[]){ "A", NULL });
	add_list_of(b, 2, (const char *const[]){ NULL });
	CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	for (i = 0; i < 4; i++) {
		u.name = (const char *const[]){ "first", "higher", "same", "none" }[i];
		u.reg = regs[i];
		u.size = i < 3 ? 0x4000 : 0x100;
		CHECK_EQ(call_unit(b, i < 3 ? 1 : 2, &u), PMUMAP_OK);
	}
}

static void aliases_apart(void)
{
	test_now = "an alias with another counter between";
	tell(apart_calls);
	CHECK_EQ(said("offset-alias", 0x2000, PMUMAP_NOTE), 1);
}

/* A control block at a given place, in windows of up to 64 bytes; 0: the usual place. */
static uint32_t control_at, window_bytes;

static void range_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .name = "x", .type = IMC_NEST };

	u.control = control_at;
	u.size = window_bytes;
	CHECK_EQ(call_unit(b, NO_LIST, &u), PMUMAP_OK);
	u.type = IMC_CORE;
	CHECK_EQ(call_unit(b, NO_LIST, &u), PMUMAP_OK);
}

static void control_ranges(void)
{
	test_now = "ranges of control blocks";
	for (window_bytes = 0; window_bytes <= 64; window_bytes++) {
		for (control_at = 0; control_at <= 64; control_at++) {
			tell(range_calls);
			CHECK_EQ(said("control-range", control_at, PMUMAP_WARNING),
				 control_at && window_bytes && control_at + 40 > window_bytes);
		}
	}
}

/* Unused lists are reported, unless a unit is missing from the map. */
static int with_unknown;

static void unused_calls(struct pmumap_imc_builder *b)
{
	add_list_of(b, 5, (const char *const[]){ "UNUSED", NULL });
	add_list_of(b, 6, (const char *const[]){ "USED", NULL });
	add_list_of(b, 7, (const char *const[]){ NULL });
	add_unit_of(b, "x", IMC_CORE, 6);
	if (with_unknown)
		add_unit_of(b, "y", 0x20, 5);
}

static void unused(void)
{
	test_now = "lists without units";
	for (with_unknown = 0; with_unknown < 2; with_unknown++) {
		tell(unused_calls);
		CHECK_EQ(said("list-unused", 5, PMUMAP_WARNING), !with_unknown);
		CHECK_EQ(findings.n, 1);
	}
}

/* Units and events with about 2^32 names. All differ, so that there is only one finding. */
static uint32_t unit_count, rest; /* rest: events of one more unit */
static char most[0x10001][8];

/* A list of this many events; step: distance between offsets, of which there are 4096. */
static void most_events(struct pmumap_imc_builder *b, uint32_t list, uint32_t count, uint32_t step)
{
	struct pmumap_imc_event e = { 0 };
	uint32_t i;

	(void)call_list(b, list);
	for (i = 0; i < count; i++) {
		e.name = most[i];
		e.offset = step * (i & 0xfff);
		(void)call_event(b, &e);
	}
}

static void most_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .type = IMC_CORE };
	uint32_t i;

	most_events(b, 1, 0x10000, 0);
	for (i = 0; i < unit_count; i++) {
		u.name = most[i];
		(void)call_unit(b, 1, &u);
	}
	most_events(b, 2, rest, 0);
	u.name = "rest";
	if (rest)
		(void)call_unit(b, 2, &u);
}

static void most_names(void)
{
	static const struct {
		uint32_t units, rest, names;
	} cases[] = {
		{ 0xffff, 0xfffe, 0xfffffffe }, { 0xffff, 0, 0xffff0000 },
		{ 0xffff, 0xffff, 0xffffffff }, { 0x10000, 0, 0xffffffff },
		{ 0x10001, 0, 0xffffffff },
	};
	const struct pmumap_imc *opened;
	struct pmumap_imc *map;
	uint32_t i;
	int indexed;

	test_now = "most names";
	for (i = 0; i < sizeof(most) / sizeof(most[0]); i++)
		snprintf(most[i], sizeof(most[i]), "%x", (unsigned)i);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i += quick(1, 4)) {
		unit_count = cases[i].units;
		rest = cases[i].rest;
		map = built(most_calls, 0, PMUMAP_OK);
		tell(most_calls);
		CHECK_EQ(pmumap_imc_names(map, &indexed), cases[i].names);
		CHECK(said("no-index", 0, PMUMAP_NOTE));
		CHECK_EQ(pmumap_imc_open(map, pmumap_imc_size(map), &opened), PMUMAP_OK);
		free(map);
	}
}

/* A slot has 16 bits for the events of one unit, and 15 or 16 for the unit. */
static void wide_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .type = IMC_CORE };
	uint32_t i;

	most_events(b, 1, 0x10000, 8);
	most_events(b, 2, 0, 0);
	for (i = 0; i < unit_count; i++) {
		u.name = most[i];
		(void)call_unit(b, i ? 2 : 1, &u);
	}
}

/*
 * If 31 bits cannot number both, places are not compared, however few the names, and a finding
 * says so. With more than 20 there is no index.
 */
static void wide(void)
{
	uint32_t flags, i, clashes;
	int indexed;

	test_now = "wide";
	for (flags = 0; flags <= NO_INDEX; flags += NO_INDEX) {
		for (unit_count = 0x8000; unit_count <= 0x8001; unit_count++) {
			struct pmumap_imc *map = built(wide_calls, flags, PMUMAP_OK);
			const int fits = unit_count == 0x8000;

			tell(wide_calls);

			for (i = clashes = 0; i < findings.n; i++)
				clashes += !strcmp(findings.at[i].code, "offset-clash");
			CHECK_EQ(pmumap_imc_names(map, &indexed), 0x10000 + (flags != 0));
			CHECK_EQ(indexed, 0);
			CHECK(fits || said("no-index", 0, PMUMAP_NOTE));
			CHECK_EQ(clashes > 0, fits);
			CHECK(fits || findings.n == 2); /* and that list 2 is empty */
			free(map);
		}
	}
}

/*
 * As many units and events as a slot can number. Many missing names are compared with an existing
 * one of the same length that differs in only three letters.
 */
enum { MISSES = 4000 };
static char miss_names[MISSES][32];

static void miss_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .name = "x", .type = IMC_CORE };
	struct pmumap_imc_event e = { 0 };
	uint32_t i;

	CHECK_EQ(call_list(b, 1), PMUMAP_OK);
	for (i = 0; i < MISSES; i++) {
		uint32_t length = 4 + i % 20, at = i % 3 * (length - 3) / 2, k;

		memset(miss_names[i], 'A', length);
		for (k = 0; k < 3; k++)
			miss_names[i][at + k] = (char)('B' + (i >> 4 * k & 15));
		e.name = miss_names[i];
		CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	}
	CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
	for (i = 0; i < 255; i++)
		(void)call_unit(b, NO_LIST, &u);
}

static void misses(void)
{
	struct pmumap_imc *map = built(miss_calls, 0, PMUMAP_OK);
	struct pmumap_imc_event e;
	uint32_t i, k, found = 0, missed = 0;
	int indexed;

	test_now = "misses";
	CHECK(pmumap_imc_names(map, &indexed) == MISSES && indexed);
	for (i = 0; i < MISSES; i++) {
		size_t length = strlen(miss_names[i]);

		found += (uint32_t)pmumap_imc_find(map, miss_names[i], length, 0, &e);
		for (k = 0; k < length; k++) {
			char *name = exact_copy(miss_names[i], length);

			name[k] = '~';
			missed += (uint32_t)pmumap_imc_find(map, name, length, 0, &e);
			free(name);
		}
	}
	CHECK_EQ(found, MISSES);
	CHECK_EQ(missed, 0);
	free(map);
}

static const char *unit_name;

static void name_calls(struct pmumap_imc_builder *b)
{
	add_unit_of(b, unit_name, IMC_CORE, NO_LIST);
}

/* A name costs its bytes; a missing prefix costs none. */
static void empty_strings(void)
{
	static const char *const names[] = { NULL, "", "1", "12345", "123456", "1234567" };
	static const uint32_t bytes[] = { 8, 8, 8, 8, 8, 16 };
	struct pmumap_imc *map;
	size_t i, least = 0;

	test_now = "empty strings";
	for (i = 0; i < 6; i++) {
		unit_name = names[i];
		map = built(name_calls, 0, PMUMAP_OK);
		if (i == 0)
			least = pmumap_imc_size(map);
		CHECK_EQ(pmumap_imc_size(map), least - bytes[0] + bytes[i]);
		free(map);
	}
}

/* Eight units with the same 16 names: 128 names with eight matches each. */
static void alike_calls(struct pmumap_imc_builder *b)
{
	static const char *const names[] = { "A", "B", "C", "D", "E", "F", "G", "H", "I",
					     "J", "K", "L", "M", "N", "O", "P", NULL };
	uint32_t i;

	add_list_of(b, 1, names);
	for (i = 0; i < 8; i++)
		add_unit_of(b, "core", IMC_CORE, 1);
}

/* Events without a list, and no list at all. */
static void lost_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_event e = { .name = "LOST" };

	CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	add_unit_of(b, "core", IMC_CORE, NO_LIST);
}

/* The block's old contents do not appear in the map. */
static void dirty(void)
{
	static void (*const calls[])(struct pmumap_imc_builder *) = { chip_calls, window_calls,
								      stray_calls, lost_calls,
								      alike_calls };
	static uint64_t block[2][1024];
	uint32_t i, fill;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		for (fill = 1; fill < 256; fill += fill < 32 ? 1 : 56) {
			const struct pmumap_imc *map[2] = { NULL, NULL };
			uint32_t k;

			for (k = 0; k < 2; k++) {
				struct pmumap_imc_builder b;

				memset(block[k], (int)(k * fill), sizeof(block[k]));
				pmumap_imc_begin(&b, block[k], sizeof(block[k]));
				calls[i](&b);
				CHECK_EQ(pmumap_imc_finish(&b, &map[k]), PMUMAP_OK);
			}
			CHECK(map[0] && map[1] && same_imc_image(map[0], map[1]));
		}
}

/* In a block of this size. Returns 1 with an index, 0 without; -1 if the block is too small. */
static int index_in(size_t bytes)
{
	unsigned char *block = exact(8192);
	const struct pmumap_imc *map = NULL;
	struct pmumap_imc_builder b;
	int indexed = -1;
	size_t i, touched = 0;

	memset(block, 0xa5, 8192);
	pmumap_imc_begin(&b, block, bytes);
	imc_forget();
	alike_calls(&b);
	if (pmumap_imc_finish(&b, &map) == PMUMAP_OK)
		CHECK_EQ(pmumap_imc_names(map, &indexed), 128);
	for (i = bytes; i < 8192; i++)
		touched += block[i] != 0xa5;
	CHECK_EQ(touched, 0);
	free(block);
	return indexed;
}

/* The size that no-index asks for, for a tree of the calls; 0 without that finding. */
static uint64_t index_wanted(size_t bytes)
{
	uint32_t i;

	CHECK_EQ(findings_of_calls(&findings, bytes), PMUMAP_OK);
	for (i = 0; i < findings.n; i++)
		if (!strcmp(findings.at[i].code, "no-index")) {
			CHECK(findings.at[i].row == ~0u && findings.at[i].other == ~0u);
			return findings.at[i].value;
		}
	return 0;
}

/* In a block of any size nothing past it is touched, and no-index tells the size for the index. */
static void sizes(void)
{
	struct pmumap_imc_builder b;
	size_t bytes, need, index;
	int before = -1, now;

	test_now = "sizes";
	pmumap_imc_begin(&b, NULL, 0);
	alike_calls(&b);
	need = pmumap_imc_need(&b);
	for (bytes = 0; bytes < need + 16; bytes++, before = now) {
		now = index_in(bytes);
		CHECK(now >= before);
	}
	CHECK_EQ(before, 0);
	index = (size_t)index_wanted(need + 256); /* a tree has more strings */
	CHECK(index > need + 256);
	CHECK_EQ(index_in(index), 1);
	CHECK_EQ(index_wanted(index), 0);
	CHECK_EQ(index_wanted(index - 48), index); /* slightly more than needed */
}

/* The same name in this many units. */
static uint32_t same;

static void same_calls(struct pmumap_imc_builder *b)
{
	uint32_t i;

	add_list_of(b, 1, (const char *const[]){ "A", NULL });
	for (i = 0; i < same; i++)
		add_unit_of(b, "core", IMC_CORE, 1);
}

/* Up to 16 matches of a name are indexed; more are found too. If most are more, nothing is indexed. */
static void same_names(void)
{
	test_now = "matches of a name";
	for (same = 1; same <= 34; same++) {
		struct pmumap_imc *map = built(same_calls, 0, PMUMAP_OK);
		struct pmumap_imc_event e;
		uint32_t i, bad = 0;
		int indexed = 0;

		CHECK_EQ(pmumap_imc_names(map, &indexed), same);
		CHECK_EQ(indexed, same <= 16 + same / 4);
		CHECK_EQ(imc_tables(map)[20] != 0, same > 16);
		for (i = 0; i < same; i++)
			bad += !pmumap_imc_find(map, "A", 1, i, &e) || e.unit_index != i;
		CHECK_EQ(bad, 0);
		CHECK(!pmumap_imc_find(map, "A", 1, same, &e));
		CHECK(pmumap_imc_at(map, "core", 0, same - 1, &e) && e.unit_index == same - 1);
		CHECK(!pmumap_imc_at(map, "core", 0, same, &e));
		CHECK(!pmumap_imc_at(map, "core", 8, 0, &e)); /* behind all names */
		free(map);
	}
}

/* A list of events, and units that share it. */
enum { KEY_PARTS = 500 };
static char key_parts[2][KEY_PARTS][20]; /* names and prefixes */
static uint32_t key_events, key_units;

static void key_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_unit u = { .name = "core", .type = IMC_CORE };
	struct pmumap_imc_event e = { 0 };
	uint32_t i;

	CHECK_EQ(call_list(b, 1), PMUMAP_OK);
	for (i = 0; i < key_events; i++, e.offset += 8) {
		e.name = key_parts[0][i];
		CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	}
	for (i = 0; i < key_units; i++) {
		u.prefix = key_parts[1][i];
		CHECK_EQ(call_unit(b, 1, &u), PMUMAP_OK);
	}
}

/* A map in this many bytes, in which each name has been found. */
static const struct pmumap_imc *keyed(void *block, size_t bytes)
{
	const struct pmumap_imc *map = NULL;
	struct pmumap_imc_builder b;
	struct pmumap_imc_event e;
	uint32_t unit, event, bad = 0;
	char name[40];

	pmumap_imc_begin(&b, block, bytes);
	imc_forget();
	key_calls(&b);
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
	for (unit = 0; unit < key_units && map; unit++) {
		for (event = 0; event < key_events; event++) {
			int n = snprintf(name, sizeof(name), "%s%s", key_parts[1][unit],
					 key_parts[0][event]);

			bad += !pmumap_imc_find(map, name, (size_t)n, 0, &e) ||
			       e.unit_index != unit || e.offset != 8 * event;
		}
	}
	CHECK_EQ(bad, 0);
	return map;
}

static void name_parts(uint32_t round)
{
	uint32_t i;

	for (i = 0; i < KEY_PARTS; i++) {
		snprintf(key_parts[0][i], 20, "PM_EVENT_%u_%u", (unsigned)round, (unsigned)i);
		if (i)
			snprintf(key_parts[1][i], 20, "%u_", (unsigned)i);
	}
}

/*
 * In some of many catalogs, a name finds no slot with the first key; a later one has a larger
 * table. In a catalog of 250,000 names this happens with each key, and its block has no room for a
 * larger table.
 */
static void keys_tried(void)
{
	struct pmumap_imc_builder b;
	const struct pmumap_imc *map;
	void *block = exact(1 << 14);
	uint32_t round, later = 0;
	size_t bytes;

	test_now = "keys";
	key_events = 64;
	key_units = 1;
	for (round = 0; round < 200; round++) {
		name_parts(round);
		map = keyed(block, 1 << 14);
		CHECK(map && imc_tables(map)[13] && !imc_tables(map)[20]);
		later += map && imc_tables(map)[16] > 2 * 64 + 1;
	}
	CHECK(later && later < 20);
	free(block);
	key_events = key_units = KEY_PARTS;
	imc_forget();
	pmumap_imc_begin(&b, NULL, 0);
	key_calls(&b);
	bytes = pmumap_imc_need(&b) + 17 * KEY_PARTS * KEY_PARTS + 8192; /* just enough */
	block = exact(bytes);
	map = keyed(block, bytes);
	CHECK(map && imc_tables(map)[13] && imc_tables(map)[20]);
	free(block);
}

/* With 40 matches of each name there is no index, even in a block large enough for one. */
static void never_calls(struct pmumap_imc_builder *b)
{
	struct pmumap_imc_event e = { .name = "A" };
	uint32_t i;

	CHECK_EQ(call_list(b, 1), PMUMAP_OK);
	for (i = 0; i < 40; i++)
		CHECK_EQ(call_event(b, &e), PMUMAP_OK);
	for (i = 0; i < 40; i++)
		add_unit_of(b, "core", IMC_CORE, 1);
}

static void never(void)
{
	struct pmumap_imc_builder b;
	const struct pmumap_imc *map = NULL;
	unsigned char *block = exact(1 << 17);
	uint64_t need;
	int indexed = 1;

	test_now = "never";
	pmumap_imc_begin(&b, block, 1 << 17);
	imc_forget();
	never_calls(&b);
	CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
	CHECK(pmumap_imc_names(map, &indexed) == 1600 && !indexed);
	need = index_wanted(16384);
	CHECK(need > 16384);
	CHECK(index_wanted((size_t)need) == 0 || findings.n);
	free(block);
}

/* Units with nothing in common except the name of the first three, which is reported. */
#define LONERS 400u

static void loner_calls(struct pmumap_imc_builder *b)
{
	static char names[2][LONERS][12];
	static const char *const none[] = { NULL };
	struct pmumap_imc_unit u = { .type = IMC_CORE };
	uint32_t i;

	add_list_of(b, 1, none);
	for (i = 0; i < LONERS; i++) {
		snprintf(names[0][i], sizeof(names[0][i]), "unit-%u", (unsigned)(i < 3 ? 0 : i));
		snprintf(names[1][i], sizeof(names[1][i]), "PM_%u_", (unsigned)i);
		u.name = names[0][i];
		u.prefix = names[1][i];
		u.size = i + 1;
		call_unit(b, 1, &u);
	}
}

/* Without an index the need suffices too: every unit and all findings are right. */
static void need_of_units(void)
{
	struct pmumap_imc *map;
	uint32_t i, duplicates = 0;

	test_now = "need of units";
	map = built(loner_calls, NO_INDEX, PMUMAP_OK);
	tell(loner_calls);
	for (i = 0; i < findings.n; i++)
		duplicates += !strcmp(findings.at[i].code, "unit-duplicate");
	CHECK_EQ(duplicates, 2);
	free(map);
}

/* So many chips: all are sorted, in twice their size. */
#define CHIPS 4100

static void many_chips(void)
{
	const struct pmumap_imc_unit u = { .name = "x", .type = IMC_NEST };
	const struct pmumap_imc *map = NULL;
	struct pmumap_imc_builder b;
	void *block = NULL;
	uint64_t base;
	uint32_t i, chip, good = 0, pass;
	size_t need = 0;

	test_now = "many chips";
	for (pass = 0; pass < 2; pass++) {
		block = pass ? exact(need) : NULL;
		pmumap_imc_begin(&b, block, need);
		for (i = 0; i < CHIPS; i++)
			good += call_chip(&b, i, 16 * (uint64_t)i) == PMUMAP_OK;
		CHECK_EQ(call_unit(&b, 1, &u), PMUMAP_OK);
		need = pmumap_imc_need(&b);
		CHECK_EQ(pmumap_imc_finish(&b, &map), PMUMAP_OK);
	}
	CHECK_EQ(good, 2 * CHIPS);
	for (i = 0; map && pmumap_imc_chip(map, 0, i, &chip, &base) && i < CHIPS; i++)
		good -= chip == i && base == 16 * (uint64_t)i;
	CHECK_EQ(i, CHIPS);
	CHECK_EQ(good, CHIPS);
	free(block);
}

/* ---- the boards ------------------------------------------------------------------------------ */

static void board(const unsigned char *fdt, size_t size)
{
	(void)size;
	check_calls(fdt, 0);
	check_calls(fdt, PMUMAP_DESC);
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
	each_file("build/corpus-imc/*.dtb", corpus_board);
	absent_strings();
	chips();
	window();
	low_controls();
	strays();
	long_prefixes();
	long_without_events();
	any_bytes();
	many_lists();
	stored_once();
	named_once();
	for (alike_chips = 0; alike_chips < 3; alike_chips++)
		neighbours();
	common();
	spellings();
	twice_named();
	control_blocks();
	free_slots();
	slashes();
	parted();
	aliases();
	aliases_apart();
	control_ranges();
	unused();
	misses();
	most_names();
	wide();
	empty_strings();
	dirty();
	sizes();
	same_names();
	keys_tried();
	never();
	need_of_units();
	many_chips();
	statuses();
	return test_summary();
}
