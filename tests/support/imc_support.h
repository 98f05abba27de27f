/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shared by the tests of IMC: builds maps and compares them with the model.
 */
#ifndef IMC_SUPPORT_H
#define IMC_SUPPORT_H

#include "imc_model.h"
#include "pmumap_imc.h"
#include "support.h"

/* ---- maps ------------------------------------------------------------------------------------ */

/*
 * A map in a heap block of its exact size, built in a block of exactly the measured size; or NULL.
 */
static inline struct pmumap_imc *imc_build(const void *fdt, size_t size,
					   const struct pmumap_imc_options *opt,
					   enum pmumap_status *status)
{
	const struct pmumap_imc *map = NULL;
	struct pmumap_imc *copy = NULL;
	size_t need = 0;
	void *block;

	*status = pmumap_imc_fdt_measure(fdt, size, opt, &need);
	if (*status != PMUMAP_OK)
		return NULL;
	block = exact(need);
	*status = pmumap_imc_fdt_build(fdt, size, opt, block, need, &map);
	CHECK((map != NULL) == (*status == PMUMAP_OK) && (!map || (const void *)map == block));
	if (map)
		copy = exact_copy(map, pmumap_imc_size(map));
	free(block);
	return copy;
}

/* The smallest block for a tree's map, with little or no room for an index of names. */
static inline size_t imc_least_block(const void *fdt, size_t size,
				     const struct pmumap_imc_options *opt)
{
	struct pmumap_imc_options quiet = { 0 };
	const struct pmumap_imc *map;
	size_t low = 0, high = 0;
	void *block;

	if (opt)
		quiet = *opt;
	quiet.check = NULL;
	if (pmumap_imc_fdt_measure(fdt, size, opt, &high) != PMUMAP_OK)
		return 0;
	block = exact(high);
	while (low < high) {
		size_t half = low + (high - low) / 2;

		if (pmumap_imc_fdt_build(fdt, size, &quiet, block, half, &map) == PMUMAP_OK)
			high = half;
		else
			low = half + 1;
	}
	free(block);
	return high;
}

/* The map in that block; NULL if it does not fit. */
static inline struct pmumap_imc *imc_build_least(const void *fdt, size_t size,
						 const struct pmumap_imc_options *opt,
						 enum pmumap_status *status)
{
	const struct pmumap_imc *map = NULL;
	struct pmumap_imc *copy = NULL;
	size_t least = imc_least_block(fdt, size, opt);
	void *block = exact(least);

	*status = pmumap_imc_fdt_build(fdt, size, opt, block, least, &map);
	if (map)
		copy = exact_copy(map, pmumap_imc_size(map));
	free(block);
	return copy;
}

/* Whether PMUMAP_IMC_BLOCK() allows for a text. */
static inline int is_short(const char *text, size_t most)
{
	return !text || strlen(text) <= most;
}

/* PMUMAP_IMC_BLOCK() is enough for every tree that it allows for. */
static inline void check_block(const void *fdt, size_t size, const struct imc_model *m)
{
	uint32_t i;
	size_t need = 0;

	for (i = 0; i < m->units; i++) {
		const struct imc_model_unit *u = &m->unit[i];

		if (!is_short(u->name, 31) || !is_short(u->prefix, 31) || !is_short(u->scale, 15) ||
		    !is_short(u->measure, 15) || u->chips > 16)
			return;
	}
	for (i = 0; i < m->events; i++) {
		const struct imc_model_event *e = &m->event[i];

		if (!is_short(e->name, 31) || !is_short(e->scale, 15) || !is_short(e->measure, 15))
			return;
	}
	if (m->lists > 2 * m->units) /* units are among them */
		return;
	CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	CHECK(need <= PMUMAP_IMC_BLOCK(m->units, m->events));
}

static inline int same_imc_image(const struct pmumap_imc *a, const struct pmumap_imc *b)
{
	return pmumap_imc_size(a) == pmumap_imc_size(b) && memcmp(a, b, pmumap_imc_size(a)) == 0;
}

/* An image as words. The head has four; this is its size. */
enum { IMC_SIZE = 2 };

static inline uint32_t *imc_head(const struct pmumap_imc *map)
{
	return (uint32_t *)(uintptr_t)map;
}

/* After the head: offsets and lengths of tables. */
static inline uint32_t *imc_tables(const struct pmumap_imc *map)
{
	return imc_head(map) + 4;
}

/* A name that is too long for the index, in a unit of its own. So the map gets sorted tables. */
static inline void add_long_name(struct pmumap_imc_builder *b)
{
	static char name[200];
	struct pmumap_imc_event e = { .name = name, .offset = 0x7f000000 };
	struct pmumap_imc_unit u = { .name = "long", .type = PMUMAP_IMC_CORE };

	memset(name, 'L', sizeof(name) - 1);
	pmumap_imc_add_list(b, 0x7ffffff0);
	pmumap_imc_add_event(b, &e);
	pmumap_imc_add_unit(b, 0x7ffffff0, &u);
}

/* Removes the name index, if there are sorted tables: then all names are searched. */
static inline void drop_index(struct pmumap_imc *map)
{
	if (imc_tables(map)[20])
		memset(imc_tables(map) + 13, 0, 5 * sizeof(uint32_t));
}

/* Removes the order of offsets, which is optional. */
static inline void drop_offsets(struct pmumap_imc *map)
{
	imc_tables(map)[24] = imc_tables(map)[25] = 0;
}

/* ---- names of one hash ----------------------------------------------------------------------- */

/* Another text of 16 letters whose hash among the strings is 0. */
static inline void alike_name(char *to)
{
	uint32_t i;

	put_key(to, NAME_KEY);
	for (i = 8; i < 16; i++)
		to[i] = (char)('A' + random_below(26));
	to[16] = 0;
}

/* ---- one event ------------------------------------------------------------------------------- */

static inline int same_event(const struct pmumap_imc_event *e, const struct imc_model *m,
			     uint32_t counter, uint32_t flags)
{
	const struct imc_model_counter *c = &m->counter[counter];
	const struct imc_model_unit *u = &m->unit[c->unit];

	return same_text(e->unit, u->name) && same_text(e->prefix, u->prefix) &&
	       same_text(e->name, c->name) && same_text(e->scale, c->scale) &&
	       same_text(e->measure, c->measure) &&
	       same_text(e->desc, flags & PMUMAP_DESC ? c->desc : NULL) && e->type == u->type &&
	       e->offset == c->offset && e->unit_index == c->unit;
}

/* Expected answers of look-ups by name or offset, and one way to ask. */
struct asked {
	const struct pmumap_imc *map;
	const struct imc_model *m;
	uint32_t flags;
	uint32_t *match;
	uint32_t bad;
};

static inline void wrong(struct asked *a, const char *what, const char *text, size_t len)
{
	if (a->bad++ < 5)
		printf("\twrong: %s of \"%.*s\"\n", what, (int)len, text);
}

/* Asks for each match of a text that may have no NUL, and for one too many. */
static inline void ask_name(struct asked *a, const char *text, size_t len)
{
	uint32_t want = imc_model_find(a->m, text, len, a->match, a->m->counters), n;
	char *copy = exact_copy(text, len);
	struct pmumap_imc_event e;

	for (n = 0; n < want; n++) {
		unasked(&e, sizeof(e));
		if (pmumap_imc_find(a->map, copy, len, n, &e) != 1 ||
		    !same_event(&e, a->m, a->match[n], a->flags))
			wrong(a, "a match", text, len);
	}
	unasked(&e, sizeof(e));
	if (pmumap_imc_find(a->map, copy, len, want, &e) || !untouched(&e, sizeof(e)) ||
	    pmumap_imc_find(a->map, copy, len, ~0u, &e) || !untouched(&e, sizeof(e)))
		wrong(a, "one match too many", text, len);
	free(copy);
}

static inline void ask_offset(struct asked *a, const char *unit, uint32_t offset)
{
	uint32_t want = imc_model_at(a->m, unit, offset, a->match, a->m->counters), n;
	struct pmumap_imc_event e;

	for (n = 0; n < want; n++) {
		unasked(&e, sizeof(e));
		if (pmumap_imc_at(a->map, unit, offset, n, &e) != 1 ||
		    !same_event(&e, a->m, a->match[n], a->flags))
			wrong(a, "an offset", unit ? unit : "-", unit ? strlen(unit) : 1);
	}
	unasked(&e, sizeof(e));
	if (pmumap_imc_at(a->map, unit, offset, want, &e) || !untouched(&e, sizeof(e)) ||
	    pmumap_imc_at(a->map, unit, offset, ~0u, &e) || !untouched(&e, sizeof(e)))
		wrong(a, "one offset too many", unit ? unit : "-", unit ? strlen(unit) : 1);
}

/* ---- all names ------------------------------------------------------------------------------- */

enum { SPELLINGS = 5 };

/*
 * Spells a unit like its node without the address, like Linux, and in two wrong ways; leaves room
 * for NAME.
 */
static inline char *spell(const struct imc_model *m, uint32_t unit, uint32_t way, size_t room)
{
	const struct imc_model_unit *u = &m->unit[unit];
	size_t base = way % 3 ? strcspn(u->name, "@") : strlen(u->name);
	char *text = exact(base + room + 16);
	int nest = (u->type == IMC_NEST) != (way == 4);

	sprintf(text, "%s%.*s%s", way >= 2 && nest ? "nest_" : "", (int)base, u->name,
		way >= 2 ? "_imc" : "");
	return text;
}

static inline void ask_spellings(struct asked *a, uint32_t counter)
{
	const struct imc_model_counter *c = &a->m->counter[counter];
	size_t len = strlen(c->full);
	uint32_t way;

	for (way = 0; way < SPELLINGS; way++) {
		char *text = spell(a->m, c->unit, way, len + 3);

		ask_offset(a, text, c->offset);
		strcat(text, "/");
		strcat(text, c->full);
		ask_name(a, text, strlen(text));
		strcat(text, "/");
		ask_name(a, text, strlen(text));
		strcat(text, "/");
		ask_name(a, text, strlen(text));
		free(text);
	}
}

/* Similar names, most of which do not exist. */
static inline void ask_misses(struct asked *a, const char *name)
{
	size_t len = strlen(name), i;
	char *text = exact(len + 2);
	uint32_t ways;

	for (ways = 0; ways < 7 && len; ways++) {
		memcpy(text, name, len + 1);
		i = ways == 0 ? 0 : ways == 1 ? len - 1 : random_below((uint32_t)len);
		text[i] = (char)(ways == 6   ? 0
				 : ways == 5 ? 0x80 | text[i]
					     : text[i] ^ 1 << random_below(6));
		ask_name(a, text, len);
	}
	memcpy(text, name, len);
	for (i = len ? len - 1 : 0; i + 9 > len && i; i--)
		ask_name(a, text, i);
	ask_name(a, text, random_below((uint32_t)len + 1));
	text[len] = 0;
	ask_name(a, text, len + 1);
	text[len] = '0';
	ask_name(a, text, len + 1);
	ask_name(a, name + (len != 0), len - (len != 0));
	free(text);
}

static inline void check_names(const struct pmumap_imc *map, const struct imc_model *m,
			       uint32_t flags)
{
	struct asked a = { map, m, flags, exact((m->counters + 1) * sizeof(uint32_t)), 0 };
	uint32_t i, way, step = quick(1, 1 + m->counters / 50);

	for (i = 0; i < m->counters; i += step) {
		ask_name(&a, m->counter[i].full, strlen(m->counter[i].full));
		ask_spellings(&a, i);
		ask_misses(&a, m->counter[i].full);
		ask_name(&a, m->counter[i].name, strlen(m->counter[i].name));
	}
	for (i = 0; i < m->units; i++) {
		ask_name(&a, m->unit[i].prefix, strlen(m->unit[i].prefix));
		ask_name(&a, m->unit[i].name, strlen(m->unit[i].name));
		for (way = 0; way < SPELLINGS && m->counters; way++) {
			const char *other = m->counter[random_below(m->counters)].full;
			char *text = spell(m, i, way, strlen(other) + 1);

			ask_misses(&a, strcat(text, "/"));
			ask_name(&a, text, strlen(text));
			ask_name(&a, strcat(text, other), strlen(text));
			free(text);
		}
	}
	ask_name(&a, "", 0);
	ask_name(&a, "/", 1);
	ask_name(&a, "//", 2);
	CHECK_EQ(a.bad, 0);
	free(a.match);
}

/* ---- offsets --------------------------------------------------------------------------------- */

static inline void check_offsets(const struct pmumap_imc *map, const struct imc_model *m,
				 uint32_t flags)
{
	static const uint32_t others[] = { 0, 1, 8, 0x3fc00, 0x7fffffff, 0xfffffff8, 0xffffffff };
	struct asked a = { map, m, flags, exact((m->counters + 1) * sizeof(uint32_t)), 0 };
	uint32_t i, k, step = quick(1, 1 + m->counters / 50);

	for (i = 0; i < m->counters; i += step) {
		uint32_t offset = m->counter[i].offset;
		const char *other = m->unit[random_below(m->units)].name;

		ask_offset(&a, NULL, offset);
		ask_offset(&a, NULL, offset + 1);
		ask_offset(&a, NULL, offset - 8);
		ask_offset(&a, other, offset);
	}
	for (i = 0; i < m->units; i++)
		for (k = 0; k < sizeof(others) / sizeof(others[0]); k++)
			ask_offset(&a, m->unit[i].name, others[k]);
	for (k = 0; k < sizeof(others) / sizeof(others[0]); k++) {
		ask_offset(&a, NULL, others[k]);
		ask_offset(&a, "", others[k]);
		ask_offset(&a, "mcs", others[k]);
		ask_offset(&a, "nest__imc", others[k]);
	}
	CHECK_EQ(a.bad, 0);
	free(a.match);
}

/* ---- listing and addresses ------------------------------------------------------------------- */

static inline int same_unit(const struct pmumap_imc_unit *got, const struct imc_model_unit *u)
{
	if (u->type == IMC_NEST && (got->offset != u->offset || got->control != u->control))
		return 0;
	return same_text(got->name, u->name) && same_text(got->prefix, u->prefix) &&
	       same_text(got->scale, u->scale) && same_text(got->measure, u->measure) &&
	       got->type == u->type && got->reg == u->reg && got->size == u->size &&
	       got->events == u->counters && got->chips == u->chips;
}

static inline uint32_t list_chips(const struct pmumap_imc *map, const struct imc_model *m,
				  uint32_t unit)
{
	const struct imc_model_unit *u = &m->unit[unit];
	uint32_t k, chip, bad = 0;
	uint64_t base;

	for (k = 0; k < u->chips; k++) {
		chip = ~u->chip[k];
		base = ~u->base[k];
		bad += pmumap_imc_chip(map, unit, k, &chip, &base) != 1 || chip != u->chip[k] ||
		       base != u->base[k];
	}
	chip = 77;
	base = 78;
	bad += pmumap_imc_chip(map, unit, k, &chip, &base) || chip != 77 || base != 78;
	bad += pmumap_imc_chip(map, unit, ~0u, &chip, &base) || chip != 77 || base != 78;
	return bad;
}

/* The first unit that has this name, by the library and by the model. */
static inline uint32_t find_unit(const struct pmumap_imc *map, const struct imc_model *m,
				 const char *text, size_t len)
{
	char *copy = exact_copy(text, len);
	uint32_t got = 77, want = 0, bad;

	while (want < m->units && !imc_model_spelled(m, want, text, len))
		want++;
	bad = pmumap_imc_unit_find(map, copy, len, &got) != (want < m->units);
	bad += got != (want < m->units ? want : 77);
	free(copy);
	return bad;
}

/* Linux's name of a unit, in buffers of each size, and all spellings of the unit. */
static inline uint32_t check_unit_names(const struct pmumap_imc *map, const struct imc_model *m,
					uint32_t unit)
{
	const char *node = m->unit[unit].name;
	size_t base = strcspn(node, "@"), len = base + 4, all = base + 16, bytes, n;
	char *want = calloc(all, 1), *got;
	uint32_t bad = 0;

	len += m->unit[unit].type == IMC_NEST ? 5 : 0;
	snprintf(want, all, "%s%.*s_imc", len > base + 4 ? "nest_" : "", (int)base, node);
	for (bytes = 0; bytes < len + 3 && bytes < 64; bytes++) {
		got = exact(bytes);
		memset(got, 'x', bytes);
		bad += pmumap_imc_linux_name(map, unit, got, bytes) != len;
		n = bytes && bytes <= len ? bytes - 1 : len;
		bad += bytes && (memcmp(got, want, n) != 0 || got[n] != 0);
		free(got);
	}
	bad += find_unit(map, m, want, len) + find_unit(map, m, want, len - 1);
	bad += find_unit(map, m, want + 5, len < 5 ? 0 : len - 5);
	bad += find_unit(map, m, node, base) + find_unit(map, m, node, strlen(node));
	bad += find_unit(map, m, node, base ? base - 1 : 0) + find_unit(map, m, node + 1, 0);
	free(want);
	return bad;
}

static inline void check_imc_listing(const struct pmumap_imc *map, const struct imc_model *m,
				     uint32_t flags)
{
	struct pmumap_imc_unit unit;
	struct pmumap_imc_event e;
	uint32_t i, k, bad = 0;

	for (i = 0; i < m->units; i++) {
		bad += pmumap_imc_unit(map, i, &unit) != 1 || !same_unit(&unit, &m->unit[i]);
		for (k = 0; k < m->unit[i].counters; k++)
			bad += pmumap_imc_event_at(map, i, k, &e) != 1 ||
			       !same_event(&e, m, m->unit[i].first + k, flags);
		unasked(&e, sizeof(e));
		bad += pmumap_imc_event_at(map, i, k, &e) || pmumap_imc_event_at(map, i, ~0u, &e) ||
		       !untouched(&e, sizeof(e));
		bad += list_chips(map, m, i);
		if (i < 50 || random_below(m->units) < 20)
			bad += check_unit_names(map, m, i);
	}
	bad += pmumap_imc_linux_name(map, i, NULL, 0) || pmumap_imc_linux_name(map, ~0u, NULL, 0);
	unasked(&e, sizeof(e));
	bad += pmumap_imc_unit(map, i, &unit) || pmumap_imc_unit(map, ~0u, &unit);
	bad += pmumap_imc_event_at(map, i, 0, &e) || pmumap_imc_event_at(map, ~0u, 0, &e);
	bad += !untouched(&e, sizeof(e)) || pmumap_imc_chip(map, i, 0, &k, &(uint64_t){ 0 });
	bad += pmumap_imc_chip(map, ~0u, 0, &k, &(uint64_t){ 0 }) != 0;
	CHECK_EQ(bad, 0);
}

static inline uint32_t ask_address(const struct pmumap_imc *map, const struct imc_model *m,
				   uint32_t counter, uint32_t chip)
{
	struct pmumap_imc_event e;
	uint32_t unit = m->counter[counter].unit;
	uint64_t got = 77, want = 77;

	if (!pmumap_imc_event_at(map, unit, counter - m->unit[unit].first, &e))
		return 1;
	return pmumap_imc_address(map, &e, chip, &got) !=
		       imc_model_address(m, counter, chip, &want) ||
	       got != want;
}

static inline void check_addresses(const struct pmumap_imc *map, const struct imc_model *m)
{
	uint32_t i, k, bad = 0;

	for (i = 0; i < m->counters; i++) {
		const struct imc_model_unit *u = &m->unit[m->counter[i].unit];

		for (k = 0; k < u->chips; k++) {
			bad += ask_address(map, m, i, u->chip[k]);
			bad += ask_address(map, m, i, u->chip[k] + 1);
		}
		bad += ask_address(map, m, i, 0) + ask_address(map, m, i, ~0u);
	}
	for (i = 0; i < m->units; i++)
		for (k = 0; k <= m->unit[i].chips; k++) {
			uint32_t chip = k < m->unit[i].chips ? m->unit[i].chip[k] : 0x99;
			uint64_t got = 77, want = 77;

			bad += pmumap_imc_control(map, i, chip, &got) !=
			       imc_model_control(m, i, chip, &want);
			bad += got != want;
		}
	bad += (uint32_t)pmumap_imc_control(map, m->units, 0, &(uint64_t){ 0 });
	bad += (uint32_t)pmumap_imc_control(map, ~0u, 0, &(uint64_t){ 0 });
	CHECK_EQ(bad, 0);
}

static inline void check_imc(const struct pmumap_imc *map, const struct imc_model *m,
			     uint32_t flags)
{
	check_names(map, m, flags);
	check_offsets(map, m, flags);
	check_imc_listing(map, m, flags);
	check_addresses(map, m);
}

/* ---- findings -------------------------------------------------------------------------------- */

static inline int same_imc_finding(const void *model, const struct model_finding *a,
				   const struct model_finding *b)
{
	return imc_model_same_finding(model, a, b);
}

/* Findings about the tree, without the one about missing room for an index. */
static inline int of_tree(const struct model_finding *f)
{
	return strcmp(f->code, "no-index") != 0;
}

static inline void check_imc_findings(const struct findings *got, struct imc_model *m)
{
	match_findings(got, m->finding, m->findings, of_tree, same_imc_finding, m);
}

#endif /* IMC_SUPPORT_H */
