/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Properties of every IMC map. built: the builder made it, so what it lists is also found. For a
 * foreign image: no look-up leaves it.
 *
 * A tree may mean thousands of names. IMC_NAMES and IMC_BYTES limit how many are looked up, evenly
 * spread over the map.
 */
#ifndef FUZZ_IMC_H
#define FUZZ_IMC_H

#include "fuzz.h"
#include "pmumap_imc_check.h"
#include "pmumap_imc_hw.h"

#define IMC_NAMES 192u
#define IMC_BYTES (1u << 20)
#define IMC_MATCHES 12u

/* Budgets of one walk over a map. */
struct imc_walk {
	const struct pmumap_imc *m;
	int built;
	uint32_t units, step; /* step: of how many events one is looked up */
	uint64_t names;
	size_t bytes; /* of names that were looked up */
};

/* Look-ups with the details of what they find. */
static inline int imc_find(const struct pmumap_imc *m, const char *text, size_t len, uint32_t nth,
			   struct pmumap_imc_event *e)
{
	uint32_t n = ~0u;
	int found = pmumap_imc_find_name(m, text, len, nth, &n);

	MUST(found ? pmumap_imc_event(m, n, e) : n == ~0u);
	return found;
}

static inline int imc_at(const struct pmumap_imc *m, uint32_t unit, uint32_t offset, uint32_t nth,
			 struct pmumap_imc_event *e)
{
	uint32_t n = ~0u;
	int found = pmumap_imc_find_offset(m, unit, offset, nth, &n);

	MUST(found ? pmumap_imc_event(m, n, e) : n == ~0u);
	return found;
}

static inline int imc_event_at(const struct pmumap_imc *m, uint32_t unit, uint32_t i,
			       struct pmumap_imc_event *e)
{
	uint32_t n = ~0u;
	int found = pmumap_imc_event_at(m, unit, i, &n);

	MUST(found ? pmumap_imc_event(m, n, e) : n == ~0u);
	return found;
}

static inline void imc_text(const struct pmumap_imc *m, const char *s)
{
	const char *start = (const char *)(const void *)m, *end = start + pmumap_imc_size(m);

	MUST(s > start && s < end && memchr(s, 0, (size_t)(end - s)));
}

static inline int imc_alike(const struct pmumap_imc_event *a, const struct pmumap_imc_event *b)
{
	return a->unit == b->unit && a->prefix == b->prefix && a->name == b->name &&
	       a->scale == b->scale && a->measure == b->measure && a->desc == b->desc &&
	       a->type == b->type && a->offset == b->offset && a->unit_index == b->unit_index;
}

static inline int imc_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* An event returned by a look-up, with its unit. */
static inline void imc_event_good(const struct imc_walk *w, const struct pmumap_imc_event *e)
{
	struct pmumap_imc_unit u;

	MUST(pmumap_imc_unit_at(w->m, e->unit_index, &u));
	MUST(e->unit == u.name && e->prefix == u.prefix && e->type == u.type);
	MUST(u.events || !w->built);
	imc_text(w->m, e->name);
	MUST((e->scale || !u.scale) && (e->measure || !u.measure));
	if (e->scale)
		imc_text(w->m, e->scale);
	if (e->measure)
		imc_text(w->m, e->measure);
	if (e->desc)
		imc_text(w->m, e->desc);
	if (!w->built)
		return;
	MUST((!e->scale || *e->scale) && (!e->measure || *e->measure));
	MUST(!e->desc || *e->desc);
	if (e->type != PMUMAP_IMC_TRACE)
		MUST(e->offset >= u.reg && (!u.size || (uint64_t)e->offset + 8 <= u.size));
}

/* Returns whether the map lists it: by offset, then by name. */
static inline int imc_listed(const struct imc_walk *w, const struct pmumap_imc_event *e)
{
	struct pmumap_imc_event at;
	struct pmumap_imc_unit u;
	uint32_t low = 0, n, half;

	MUST(pmumap_imc_unit_at(w->m, e->unit_index, &u));
	for (n = u.events; n; n = half) {
		half = n / 2;
		MUST(imc_event_at(w->m, e->unit_index, low + half, &at));
		if (at.offset - u.reg < e->offset - u.reg) {
			low += half + 1;
			half = n - half - 1;
		}
	}
	for (; imc_event_at(w->m, e->unit_index, low, &at) && at.offset == e->offset; low++) {
		if (imc_alike(&at, e))
			return 1;
	}
	return 0;
}

/* The full name without a NUL: bytes after it must not be read. */
static inline char *imc_full(const struct pmumap_imc_event *e, size_t *len)
{
	size_t prefix = strlen(e->prefix), rest = strlen(e->name);
	char *full = malloc(prefix + rest + 1);

	MUST(full);
	memcpy(full, e->prefix, prefix);
	memcpy(full + prefix, e->name, rest);
	*len = prefix + rest;
	full = realloc(full, *len ? *len : 1);
	MUST(full);
	return full;
}

/* Returns whether a unit may be called so: NODE@1, NODE, or Linux's name. */
static inline int imc_called(const struct pmumap_imc_event *e, const char *text, size_t len)
{
	size_t base = strcspn(e->unit, "@"), nest = e->type == PMUMAP_IMC_NEST ? 5 : 0;

	if (len == strlen(e->unit) && !memcmp(text, e->unit, len))
		return 1;
	if (len == base && !memcmp(text, e->unit, len))
		return 1;
	return len == nest + base + 4 && !memcmp(text, "nest_", nest) &&
	       !memcmp(text + nest, e->unit, base) && !memcmp(text + nest + base, "_imc", 4);
}

static inline int imc_named(const struct pmumap_imc_event *e, const char *text, size_t len)
{
	size_t prefix = strlen(e->prefix), rest = strlen(e->name);

	return len == prefix + rest && !memcmp(text, e->prefix, prefix) &&
	       !memcmp(text + prefix, e->name, rest);
}

/* Returns whether it answers this query. */
static inline int imc_answers(const struct pmumap_imc_event *e, const char *text, size_t len)
{
	const char *slash = len ? memchr(text, '/', len) : NULL;
	size_t rest = slash ? len - (size_t)(slash + 1 - text) : 0;

	if (!slash || imc_named(e, text, len))
		return imc_named(e, text, len);
	return imc_called(e, text, (size_t)(slash - text)) &&
	       (imc_named(e, slash + 1, rest) ||
		(rest && text[len - 1] == '/' && imc_named(e, slash + 1, rest - 1)));
}

/*
 * All answers to a query up to a limit; each must match, and they are in order. Returns whether
 * wanted (or NULL) is among them, or may be past the limit.
 */
static inline int imc_ask(struct imc_walk *w, const char *text, size_t len,
			  const struct pmumap_imc_event *wanted)
{
	struct pmumap_imc_event e, before;
	uint32_t nth;
	int met = 0;

	memset(&before, 0, sizeof(before));
	w->bytes += len;
	for (nth = 0; nth < IMC_MATCHES && imc_find(w->m, text, len, nth, &e); nth++) {
		imc_event_good(w, &e);
		MUST(imc_answers(&e, text, len) || !w->built);
		met |= wanted && imc_alike(&e, wanted);
		if (w->built && nth && !memchr(text, '/', len)) {
			size_t a = strlen(before.prefix), b = strlen(e.prefix);

			MUST(a > b || (a == b && (before.unit_index < e.unit_index ||
						  (before.unit_index == e.unit_index &&
						   before.offset <= e.offset))));
		}
		if (w->built)
			MUST(imc_listed(w, &e));
		before = e;
	}
	if (nth < IMC_MATCHES) {
		e = before;
		/* A foreign image may have a fifth match without a fourth. */
		MUST(!imc_find(w->m, text, len, nth + (uint32_t)(fuzz_random() & 0xff), &e) ||
		     !w->built);
		MUST(!imc_find(w->m, text, len, ~0u, &e) || !w->built);
		MUST(imc_alike(&e, &before) || !w->built);
	}
	return met || nth == IMC_MATCHES;
}

/* UNIT/NAME in one of its spellings, with and without a final slash. */
static inline void imc_ask_in(struct imc_walk *w, const struct pmumap_imc_event *e,
			      const char *full, size_t len, uint32_t how)
{
	size_t base = strcspn(e->unit, "@"), size = strlen(e->unit) + len + 16;
	char *text = malloc(size);
	struct pmumap_imc_event first;
	int n, met;

	MUST(text && len < 1u << 30);
	n = snprintf(text, size, "%s%.*s%s/", how == 2 && e->type == PMUMAP_IMC_NEST ? "nest_" : "",
		     (int)(how ? base : strlen(e->unit)), e->unit, how == 2 ? "_imc" : "");
	MUST(n > 0 && (size_t)n + len + 1 < size);
	memcpy(text + n, full, len);
	text[(size_t)n + len] = '/';
	met = imc_ask(w, text, (size_t)n + len, e);
	/* The separating slash is unambiguous only if no name contains one. */
	if (w->built && base && !strchr(e->unit, '/') && !memchr(full, '/', len) &&
	    !(imc_find(w->m, text, (size_t)n + len, 0, &first) &&
	      imc_named(&first, text, (size_t)n + len))) {
		MUST(met);
		met = imc_ask(w, text, (size_t)n + len + 1, e);
		/* A name that ends with this slash precedes those without. */
		MUST(met || (imc_find(w->m, text, (size_t)n + len + 1, 0, &first) &&
			     first.name[strlen(first.name) - 1] == '/'));
	}
	free(text);
}

/* Names that differ little from an existing one. */
static inline void imc_ask_near(struct imc_walk *w, const char *full, size_t len)
{
	char *near = malloc(len + 2);

	MUST(near);
	memcpy(near, full, len);
	near[len] = (char)fuzz_random();
	(void)imc_ask(w, near, len + 1, NULL);
	near[fuzz_random() % (len + 1)] ^= (char)(1 << (fuzz_random() & 7));
	(void)imc_ask(w, near, len, NULL);
	near[fuzz_random() % (len + 1)] = 0;
	(void)imc_ask(w, near, len, NULL);
	(void)imc_ask(w, full, len - (len != 0), NULL);
	free(near);
}

/* All matches at an offset. In a foreign image they need not be in order. */
static inline void imc_ask_at(struct imc_walk *w, uint32_t unit,
			      const struct pmumap_imc_event *wanted, uint32_t offset)
{
	struct pmumap_imc_event e, before;
	uint32_t nth;
	int met = 0, beyond;

	memset(&before, 0, sizeof(before));
	for (nth = 0; nth < IMC_MATCHES && imc_at(w->m, unit, offset, nth, &e); nth++) {
		imc_event_good(w, &e);
		MUST(e.offset == offset);
		met |= wanted && imc_alike(&e, wanted);
		MUST(!w->built || !nth || e.unit_index >= before.unit_index);
		MUST(!w->built || unit == PMUMAP_IMC_ALL || e.unit_index == unit);
		before = e;
	}
	beyond = imc_at(w->m, unit, offset, ~0u, &e);
	MUST(!w->built || nth == IMC_MATCHES || (!beyond && (!wanted || met)));
}

/* The first chip with this number. */
static inline uint64_t imc_base(const struct imc_walk *w, uint32_t unit, uint32_t wanted)
{
	uint64_t base = 0;
	uint32_t chip = ~wanted, i;

	for (i = 0; chip != wanted; i++)
		MUST(pmumap_imc_chip_at(w->m, unit, i, &chip, &base));
	return base;
}

static inline void imc_ask_address(const struct imc_walk *w, const struct pmumap_imc_unit *u,
				   const struct pmumap_imc_event *e)
{
	uint32_t i, chip, step = 1 + u->chips / 8;
	uint64_t base, phys = 0x5555, control = 0x5555;

	for (i = 0; i < u->chips; i += step) {
		MUST(pmumap_imc_chip_at(w->m, e->unit_index, i, &chip, &base));
		base = imc_base(w, e->unit_index, chip);
		if (pmumap_imc_address(w->m, e, chip, &phys)) {
			MUST(u->type == PMUMAP_IMC_NEST && phys == base + u->offset + e->offset);
			MUST(phys >= base && phys + 7 >= phys);
		} else {
			MUST(!w->built || u->type != PMUMAP_IMC_NEST ||
			     base > ~0ull - ((uint64_t)u->offset + e->offset + 7));
		}
		if (pmumap_imc_control_address(w->m, e->unit_index, chip, &control))
			MUST(u->type == PMUMAP_IMC_NEST && control >= base &&
			     control == base + u->offset + u->control);
	}
	MUST(!pmumap_imc_chip_at(w->m, e->unit_index, u->chips, &chip, &base));
	MUST(!pmumap_imc_chip_at(w->m, e->unit_index, ~0u, &chip, &base));
}

/* An event that no look-up has filled in. */
static inline void imc_ask_forged(const struct imc_walk *w, const struct pmumap_imc_event *like)
{
	struct pmumap_imc_event e = *like;
	uint64_t phys = 0x5555;

	e.offset = (uint32_t)fuzz_random();
	(void)pmumap_imc_address(w->m, &e, (uint32_t)fuzz_random() & 15, &phys);
	e.unit_index = w->units + ((uint32_t)fuzz_random() >> 1) % (0xffffffff - w->units);
	phys = 0x5555;
	MUST(!pmumap_imc_address(w->m, &e, 0, &phys) && phys == 0x5555);
	MUST(!pmumap_imc_control_address(w->m, e.unit_index, 0, &phys) && phys == 0x5555);
	MUST(!imc_event_at(w->m, e.unit_index, 0, &e));
}

static inline void imc_event(struct imc_walk *w, const struct pmumap_imc_unit *u,
			     const struct pmumap_imc_event *e, uint32_t count)
{
	size_t len;
	char *full = imc_full(e, &len);

	MUST(imc_ask(w, full, len, e) || !w->built);
	imc_ask_in(w, e, full, len, count % 3);
	if (count % 4 == 0)
		imc_ask_near(w, full, len);
	imc_ask_at(w, PMUMAP_IMC_ALL, e, e->offset);
	imc_ask_at(w, e->unit_index, e, e->offset);
	if (count % 4 == 1) {
		imc_ask_at(w, PMUMAP_IMC_ALL, NULL, e->offset ^ 1u << (fuzz_random() & 31));
		imc_ask_address(w, u, e);
		imc_ask_forged(w, e);
	}
	free(full);
}

static inline void imc_unit(struct imc_walk *w, uint32_t index, uint32_t *count)
{
	struct pmumap_imc_unit u;
	struct pmumap_imc_event e, before;
	uint64_t mantissa;
	int32_t exponent;
	uint32_t i;

	MUST(pmumap_imc_unit_at(w->m, index, &u));
	imc_text(w->m, u.name);
	imc_text(w->m, u.prefix);
	if (u.scale)
		imc_text(w->m, u.scale);
	if (u.measure)
		imc_text(w->m, u.measure);
	if (u.scale && pmumap_imc_scale(u.scale, &mantissa, &exponent))
		MUST(mantissa && exponent >= -9999 && exponent <= 9999);
	MUST(!imc_event_at(w->m, index, u.events, &e) && !imc_event_at(w->m, index, ~0u, &e));
	for (i = 0; i < u.events && w->bytes < IMC_BYTES; i++, ++*count) {
		if (*count % w->step)
			continue;
		MUST(imc_event_at(w->m, index, i, &e) && (e.unit_index == index || !w->built));
		imc_event_good(w, &e);
		if (w->built && i) {
			MUST(imc_event_at(w->m, index, i - 1, &before));
			MUST(before.offset <= e.offset);
		}
		imc_event(w, &u, &e, *count / w->step);
	}
}

/* All look-ups, with so many of the names. Returns the number of names. */
static inline uint64_t fuzz_imc_some(const struct pmumap_imc *m, int built, uint32_t names)
{
	struct imc_walk w = { m, built, 0, 1, 0, 0 };
	struct pmumap_imc_event e;
	struct pmumap_imc_unit u;
	uint32_t i, count = 0, chip;
	uint64_t base;

	for (; pmumap_imc_unit_at(m, w.units, &u); w.units++)
		w.names += u.events;
	MUST(!built || pmumap_imc_names(m) == w.names);
	MUST(!pmumap_imc_event(m, pmumap_imc_names(m), &e) && !pmumap_imc_event(m, ~0u, &e));
	MUST(!pmumap_imc_unit_at(m, ~0u, &u) && w.units <= pmumap_imc_size(m) / 8);
	MUST(!imc_event_at(m, w.units, 0, &e) && !pmumap_imc_chip_at(m, w.units, 0, &chip, &base));
	w.step = (uint32_t)(w.names / names) + 1;
	for (i = 0; i < w.units; i++)
		imc_unit(&w, i, &count);
	(void)imc_ask(&w, "", 0, NULL);
	(void)imc_ask(&w, "/", 1, NULL);
	(void)imc_ask(&w, "core/", 5, NULL);
	imc_ask_at(&w, w.units, NULL, 0);
	imc_ask_at(&w, PMUMAP_IMC_ALL, NULL, (uint32_t)fuzz_random());
	return w.names;
}

static inline uint64_t fuzz_imc(const struct pmumap_imc *m, int built)
{
	return fuzz_imc_some(m, built, built ? IMC_NAMES : IMC_NAMES / 4);
}

#endif
