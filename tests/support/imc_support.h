/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shared by the tests of IMC: builds maps and compares them with the model.
 */
#ifndef IMC_SUPPORT_H
#define IMC_SUPPORT_H

#include "imc_model.h"
#include "pmumap_imc_check.h"
#include "pmumap_imc_hw.h"
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
	/* Behind it, an index of any names was sorted. */
	CHECK(!map || need - pmumap_imc_size(map) >= 8 * (size_t)pmumap_imc_names(map));
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
	uint32_t i, names = 0;
	size_t need = 0;

	for (i = 0; i < m->units; i++) {
		const struct imc_model_unit *u = &m->unit[i];

		if (!is_short(u->name, 31) || !is_short(u->prefix, 31) || !is_short(u->scale, 15) ||
		    !is_short(u->measure, 15) || u->chips > 16)
			return;
	}
	for (i = 0; i < m->events; i++) {
		const struct imc_model_event *e = &m->event[i];

		if (!is_short(e->name, 16) || !is_short(e->scale, 15) || !is_short(e->measure, 15))
			return;
	}
	for (i = 0; i < m->units; i++)
		names += m->unit[i].list == MODEL_NO_ROW ? 0 : m->list[m->unit[i].list].events;
	CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	CHECK(need <= PMUMAP_IMC_BLOCK(m->units, names));
}

/* An image as words. */
static inline uint32_t *imc_head(const struct pmumap_imc *map)
{
	return (uint32_t *)(uintptr_t)map;
}

/* ---- one event ------------------------------------------------------------------------------- */

/* Returns how many rules the description of an event breaks. */
static inline uint32_t event_bad(const struct pmumap_imc_event *e, const struct imc_model *m,
				 uint32_t counter, uint32_t flags)
{
	const struct imc_model_counter *c = &m->counter[counter];
	const struct imc_model_unit *u = &m->unit[c->unit];
	const char *desc = flags & PMUMAP_DESC ? c->desc : NULL;

	return BROKEN("an event has its unit, with type and prefix", counter,
		      !same_text(e->unit, u->name) || e->type != u->type ||
			      e->unit_index != c->unit || !same_text(e->prefix, u->prefix)) +
	       BROKEN("events are in the order of their offsets, then of the tree", counter,
		      !same_text(e->name, c->name)) +
	       BROKEN("an event has its own scale and measure, else its unit's", counter,
		      !same_text(e->scale, c->scale) || !same_text(e->measure, c->measure)) +
	       BROKEN("an event has its description if asked for", counter,
		      !same_text(e->desc, desc)) +
	       BROKEN("an offset is the unit's reg plus the event's", counter,
		      e->offset != c->offset);
}

/* Expected answers of look-ups by name or offset, and one way to ask. */
struct asked {
	const struct pmumap_imc *map;
	const struct imc_model *m;
	uint32_t flags;
	uint32_t *match;
	uint32_t bad;
};

static inline void wrong(struct asked *a, const char *rule, uint32_t value, const char *text,
			 size_t len)
{
	a->bad += BROKEN(rule, value, 1);
	if (a->bad < 5)
		printf("\twrong: \"%.*s\": %s\n", (int)len, text, rule);
}

/* Checks an answer: the number of an event. */
static inline int is_match(const struct asked *a, int found, uint32_t event, uint32_t want)
{
	struct pmumap_imc_event e;

	return found == 1 && pmumap_imc_event(a->map, event, &e) == 1 &&
	       !event_bad(&e, a->m, want, a->flags);
}

/* Asks for each match of a text that may have no NUL, and for one too many. */
static inline void ask_name(struct asked *a, const char *text, size_t len)
{
	uint32_t want = imc_model_find(a->m, text, len, a->match, a->m->counters), n, e = 77;
	char *copy = exact_copy(text, len);

	for (n = 0; n < want; n++) {
		int found = pmumap_imc_find_name(a->map, copy, len, n, &e);

		if (!is_match(a, found, e, a->match[n]))
			wrong(a, "a name finds all its events, in the stated order", n, text, len);
	}
	e = 77;
	if (pmumap_imc_find_name(a->map, copy, len, want, &e) ||
	    pmumap_imc_find_name(a->map, copy, len, ~0u, &e) || e != 77)
		wrong(a, "no name finds more than its events", want, text, len);
	free(copy);
}

/* unit: a number, or PMUMAP_IMC_ALL. */
static inline void ask_offset(struct asked *a, uint32_t unit, uint32_t offset)
{
	uint32_t want = imc_model_at(a->m, unit, offset, a->match, a->m->counters), n, e = 77;

	for (n = 0; n < want; n++) {
		int found = pmumap_imc_find_offset(a->map, unit, offset, n, &e);

		if (!is_match(a, found, e, a->match[n]))
			wrong(a, "an offset finds all its events, in order", offset, "", 0);
	}
	e = 77;
	if (pmumap_imc_find_offset(a->map, unit, offset, want, &e) ||
	    pmumap_imc_find_offset(a->map, unit, offset, ~0u, &e) || e != 77)
		wrong(a, "no offset finds more than its events", offset, "", 0);
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
	ask_name(&a, "A_NAME_OF_MORE_THAN_16_BYTES", 28);
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

		ask_offset(&a, PMUMAP_IMC_ALL, offset);
		ask_offset(&a, PMUMAP_IMC_ALL, offset + 1);
		ask_offset(&a, PMUMAP_IMC_ALL, offset - 8);
		ask_offset(&a, m->counter[i].unit, offset);
		ask_offset(&a, random_below(m->units), offset);
	}
	for (k = 0; k < sizeof(others) / sizeof(others[0]); k++) {
		for (i = 0; i <= m->units; i++)
			ask_offset(&a, i, others[k]);
		ask_offset(&a, PMUMAP_IMC_ALL, others[k]);
		ask_offset(&a, PMUMAP_IMC_ALL - 1, others[k]);
	}
	CHECK_EQ(a.bad, 0);
	free(a.match);
}

/* ---- listing and addresses ------------------------------------------------------------------- */

/* Returns how many rules the description of unit i breaks. */
static inline uint32_t unit_bad(const struct pmumap_imc_unit *got, const struct imc_model_unit *u,
				uint32_t i)
{
	int nest = u->type == IMC_NEST;

	return BROKEN("units are in the order of the tree", i, !same_text(got->name, u->name)) +
	       BROKEN("a unit has its texts; without events-prefix, that is empty", i,
		      !same_text(got->prefix, u->prefix) || !same_text(got->scale, u->scale) ||
			      !same_text(got->measure, u->measure)) +
	       BROKEN("a unit has its type and reg", i,
		      got->type != u->type || got->reg != u->reg) +
	       BROKEN("a nest unit has its window, or the root's in the old format", i,
		      got->size != u->size || (nest && got->offset != u->offset)) +
	       BROKEN("a control block is at cb_offset, or at 0x3fc00", i,
		      nest && got->control != u->control) +
	       BROKEN("a unit has the events of its list that lie in its window", i,
		      got->events != u->counters) +
	       BROKEN("a nest unit has as many chips as both lists", i, got->chips != u->chips);
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
		bad += pmumap_imc_chip_at(map, unit, k, &chip, &base) != 1 || chip != u->chip[k] ||
		       base != u->base[k];
	}
	chip = 77;
	base = 78;
	bad += pmumap_imc_chip_at(map, unit, k, &chip, &base) || chip != 77 || base != 78;
	bad += pmumap_imc_chip_at(map, unit, ~0u, &chip, &base) || chip != 77 || base != 78;
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
	bad += find_unit(map, m, node, strlen(node) + 1);
	bad += find_unit(map, m, node, base ? base - 1 : 0) + find_unit(map, m, node + 1, 0);
	free(want);
	return bad;
}

static inline void check_imc_listing(const struct pmumap_imc *map, const struct imc_model *m,
				     uint32_t flags)
{
	struct pmumap_imc_unit unit;
	struct pmumap_imc_event e;
	uint32_t i, k, event = 77, bad = 0;

	for (i = 0; i < m->units; i++) {
		bad += pmumap_imc_unit_at(map, i, &unit) != 1 || unit_bad(&unit, &m->unit[i], i);
		for (k = 0; k < m->unit[i].counters; k++)
			bad += pmumap_imc_event_at(map, i, k, &event) != 1 ||
			       event != m->unit[i].first + k ||
			       pmumap_imc_event(map, event, &e) != 1 ||
			       event_bad(&e, m, event, flags);
		event = 77;
		bad += pmumap_imc_event_at(map, i, k, &event) ||
		       pmumap_imc_event_at(map, i, ~0u, &event) || event != 77;
		bad += BROKEN("chips are in the order of the lists", i, list_chips(map, m, i));
		if (i < 50 || random_below(m->units) < 20)
			bad += BROKEN("each spelling finds a unit, and Linux's name is one", i,
				      check_unit_names(map, m, i));
	}
	bad += pmumap_imc_linux_name(map, i, NULL, 0) || pmumap_imc_linux_name(map, ~0u, NULL, 0);
	unasked(&e, sizeof(e));
	event = 77;
	bad += pmumap_imc_names(map) != m->counters;
	bad += pmumap_imc_event(map, m->counters, &e) || pmumap_imc_event(map, ~0u, &e);
	bad += pmumap_imc_unit_at(map, i, &unit) || pmumap_imc_unit_at(map, ~0u, &unit);
	bad += pmumap_imc_event_at(map, i, 0, &event) || pmumap_imc_event_at(map, ~0u, 0, &event);
	bad += event != 77;
	bad += !untouched(&e, sizeof(e)) || pmumap_imc_chip_at(map, i, 0, &k, &(uint64_t){ 0 });
	bad += pmumap_imc_chip_at(map, ~0u, 0, &k, &(uint64_t){ 0 }) != 0;
	e.unit_index = i;
	bad += pmumap_imc_address(map, &e, 0, &(uint64_t){ 0 }) != 0;
	CHECK_EQ(bad, 0);
}

static inline uint32_t ask_address(const struct pmumap_imc *map, const struct imc_model *m,
				   uint32_t counter, uint32_t chip)
{
	struct pmumap_imc_event e;
	uint64_t got = 77, want = 77;

	if (!pmumap_imc_event(map, counter, &e))
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
			bad += BROKEN("an address is the chip's base plus both offsets", i,
				      ask_address(map, m, i, u->chip[k]));
			bad += ask_address(map, m, i, u->chip[k] + 1);
		}
		bad += BROKEN("a chip that the unit lacks has no address", i,
			      ask_address(map, m, i, 0) + ask_address(map, m, i, ~0u));
	}
	for (i = 0; i < m->units; i++)
		for (k = 0; k <= m->unit[i].chips; k++) {
			uint32_t chip = k < m->unit[i].chips ? m->unit[i].chip[k] : 0x99;
			uint64_t got = 77, want = 77;

			bad += BROKEN("a control block has an address if it lies in the window", i,
				      pmumap_imc_control_address(map, i, chip, &got) !=
						      imc_model_control(m, i, chip, &want) ||
					      got != want);
		}
	bad += (uint32_t)pmumap_imc_control_address(map, m->units, 0, &(uint64_t){ 0 });
	bad += (uint32_t)pmumap_imc_control_address(map, ~0u, 0, &(uint64_t){ 0 });
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

/* Checks a tree in a block of exactly the measured size. */
static inline enum pmumap_status imc_findings(const void *fdt, size_t size,
					      const struct pmumap_imc_options *opt,
					      struct findings *to)
{
	enum pmumap_status status;
	size_t need = 0;
	void *block;

	to->n = 0;
	status = pmumap_imc_fdt_measure(fdt, size, opt, &need);
	block = exact(need);
	if (status == PMUMAP_OK)
		status = pmumap_imc_check(fdt, size, opt, block, need, collect, to);
	free(block);
	return status;
}

static inline void check_imc_findings(const struct findings *got, struct imc_model *m)
{
	match_findings(got, m->finding, m->findings, NULL, imc_model_same_finding, m);
}

#endif /* IMC_SUPPORT_H */
