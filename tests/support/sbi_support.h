/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A server of pmumap_server.h and its model, each with its own counters and guest memory. After
 * every call both must be equal.
 */
#ifndef SBI_SUPPORT_H
#define SBI_SUPPORT_H

#include "support.h"
#include "sbi_model.h"
#include "pmumap_server.h"

/* ---- counters -------------------------------------------------------------------------------- */

/* Simulated counters. misuse: calls that a correct server never makes. */
struct fake {
	struct sbi_model_counter counter[32];
	uint32_t granted, refuse, misuse;
};

static inline struct sbi_model_counter *fake_at(struct fake *f, uint32_t counter)
{
	static struct sbi_model_counter none;

	if (counter < 32 && counter != 1 && (f->granted >> counter & 1))
		return &f->counter[counter];
	f->misuse++;
	return &none;
}

static inline void fake_stop(void *arg, uint32_t counter, int release)
{
	struct fake *f = arg;
	struct sbi_model_counter *c = fake_at(f, counter);

	f->misuse += !c->owned || (!c->started && !release);
	sbi_counter_stop(c);
	if (release)
		sbi_counter_release(c);
}

static inline int fake_set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	struct fake *f = arg;
	struct sbi_model_counter *c = fake_at(f, counter);

	if (f->refuse >> (counter & 31) & 1)
		return 0;
	if (c->started)
		fake_stop(arg, counter, 0);
	c->owned = 1;
	c->event = job->event;
	c->data = job->data;
	c->selector = job->selector;
	c->inhibit = job->inhibit;
	if (job->clear)
		c->value = 0;
	return 1;
}

static inline void fake_start(void *arg, uint32_t counter, const uint64_t *value)
{
	struct fake *f = arg;
	struct sbi_model_counter *c = fake_at(f, counter);

	f->misuse += c->started || !c->owned;
	if (value)
		c->value = *value;
	c->overflowed = 0;
	c->started = 1;
}

static inline uint64_t fake_read(void *arg, uint32_t counter)
{
	return fake_at(arg, counter)->value;
}

static inline int fake_overflowed(void *arg, uint32_t counter)
{
	return fake_at(arg, counter)->overflowed ? -1 : 0; /* any non-zero number means yes */
}

/* ---- the guest's memory ---------------------------------------------------------------------- */

/* Two areas: one reachable for every guest, and one whose address needs two registers. */
#define NEAR_LOW 0x80000000u
#define NEAR_BYTES 0x2000u
#define FAR_LOW 0x5000u
#define FAR_HIGH 1u
#define FAR_BYTES 0x1000u

/* Guest memory at an address given in halves. */
struct guest_range {
	uint64_t low, high, bytes;
};

/* misuse: what a correct server never does, such as moving data that it did not ask for. */
struct guest {
	unsigned char *near;                /* the near area, then the far one */
	uint32_t xlen, misuse, moved, gone; /* gone: the guest no longer owns it */
	uint32_t lost;                      /* after this many moves; 0 for never */
	uint32_t torn;                      /* bit N: single words N, N + 32... cannot be moved */
	struct guest_range asked, page;     /* the last range asked for, and the last full page */
};

static inline int guest_within(const struct guest_range *r, uint64_t low, uint64_t high,
			       uint64_t bytes)
{
	return high == r->high && low >= r->low && low - r->low <= r->bytes &&
	       bytes <= r->bytes - (low - r->low);
}

static inline unsigned char *guest_at(struct guest *g, uint64_t low, uint64_t high, uint64_t bytes)
{
	static const struct guest_range near = { NEAR_LOW, 0, NEAR_BYTES };
	static const struct guest_range far = { FAR_LOW, FAR_HIGH, FAR_BYTES };

	/* Registers have no more bits than this. */
	if (g->xlen == 32 && (low >> 32 || high >> 32))
		g->misuse++;
	if (g->gone || (bytes == 8 && g->torn >> (low / 8 & 31) & 1))
		return NULL;
	if (guest_within(&near, low, high, bytes))
		return g->near + (low - NEAR_LOW);
	return guest_within(&far, low, high, bytes) ? g->near + NEAR_BYTES + (low - FAR_LOW) : NULL;
}

/* ---- server and model ------------------------------------------------------------------------ */

struct world {
	struct model rows;
	struct pmumap *map; /* freed with the world */
	struct pmumap_pmu pmu;
	struct pmumap_server_host host;
	struct fake fake;
	struct guest guest; /* the server's */
	uint64_t firmware;  /* bit n: the host counts firmware event n */
	struct pmumap_server *s;
	struct pmumap_server before; /* state after init; its public part must not change */

	struct sbi_model model;
	struct guest guest_model;
	int64_t error; /* result of the server's last call */
	uint64_t value;
};

/*
 * The host's access(): reads of whole 64-bit words, few at a time, and writes of a single word, or
 * of an entry's answer, within a range that was asked for.
 */
static inline int world_access(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
			       int write)
{
	struct guest *g = &((struct world *)arg)->guest;
	unsigned char *at = guest_at(g, low, high, bytes);

	if (bytes == 0 || low % (write && bytes == 4 ? 4 : 8) || write != (write & 1))
		g->misuse++;
	if (!data) {
		struct guest_range range = { low, high, bytes };
		uint64_t address = g->xlen == 32 ? high << 32 | low : low;

		g->misuse += !write || bytes % 16 || address + bytes < address; /* wraps */
		if (at)
			g->asked = range;
		return at != NULL;
	}
	if (bytes > 256 || (uintptr_t)data % _Alignof(uint64_t) ||
	    (!guest_within(&g->asked, low, high, bytes) &&
	     !guest_within(&g->page, low, high, bytes)))
		g->misuse++;
	if (write ? bytes != 8 && (bytes != 4 || low % 16 != 4) : bytes % 8)
		g->misuse++;
	if (!at)
		return 0;
	memcpy(write ? at : data, write ? data : at, (size_t)bytes);
	g->moved++;
	g->gone |= g->moved == g->lost;
	return 1;
}

static inline int model_counts(void *arg, uint32_t code, uint64_t data)
{
	struct world *w = (struct world *)arg;

	if (code == 65535)
		return data % 3 == 1;
	return code < 64 ? (int)(w->firmware >> code & 1) : code % 5 == 1;
}

/* The server's host: never asked about reserved events; any non-zero number means yes. */
static inline int world_counts(void *arg, uint32_t code, uint64_t data)
{
	struct world *w = (struct world *)arg;

	w->fake.misuse += code > 65535 || (code > 21 && code < 256) || (code != 65535 && data);
	return model_counts(arg, code, data) ? -1 : 0;
}

static inline unsigned char *model_memory(void *arg, uint64_t low, uint64_t high, uint64_t bytes)
{
	return guest_at(&((struct world *)arg)->guest_model, low, high, bytes);
}

/* Initial state of a world before rows are added: no counters, no host. */
static inline void world_begin(struct world *w)
{
	uint32_t i;

	memset(w, 0, sizeof(*w));
	model_init(&w->rows);
	w->guest.near = exact(NEAR_BYTES + FAR_BYTES);
	for (i = 0; i < NEAR_BYTES + FAR_BYTES; i++)
		w->guest.near[i] = (unsigned char)(i * 0x9e3779b1u >> 24);
	w->guest_model.near = exact_copy(w->guest.near, NEAR_BYTES + FAR_BYTES);
	w->pmu = (struct pmumap_pmu){ fake_set,  fake_start,      fake_stop,
				      fake_read, fake_overflowed, &w->fake };
	w->host.access = world_access;
	w->host.counts = world_counts;
	w->host.arg = w;
	w->s = exact(sizeof(*w->s));
	memset(w->s, 0xa5, sizeof(*w->s));
	w->s->pmu = &w->pmu;
	w->s->host = &w->host;
}

/* Initialises server and model from the settings in the public part. */
static inline void world_init(struct world *w)
{
	const struct pmumap_server_host *host = w->s->host;
	struct sbi_model *m = &w->model;
	uint32_t i;

	memset(m, 0, sizeof(*m));
	m->rows = &w->rows;
	m->xlen = w->guest.xlen = w->guest_model.xlen = w->s->xlen;
	m->granted = w->s->granted;
	w->fake.granted = w->s->granted & ~w->s->delegated;
	m->features = w->s->features;
	m->rule = w->s->rule;
	m->inhibit = w->s->inhibit;
	m->width = w->s->width;
	m->for_vs = w->s->for_vs;
	m->delegated = w->s->delegated;
	m->no_snapshot = w->s->flags & PMUMAP_SERVER_NO_SNAPSHOT;
	m->memory = host && host->access ? model_memory : NULL;
	m->counts = host && host->counts ? model_counts : NULL;
	m->arg = w;
	pmumap_server_init(w->s);
	memset(w->fake.counter, 0, sizeof(w->fake.counter));
	w->fake.misuse = 0;
	w->before = *w->s;
	for (i = 0; i < 32; i++) {
		if (i < sbi_model_hardware(m) && !sbi_model_hole(m, i))
			m->counter[i].value = w->fake.counter[i].value = random64();
	}
}

static inline void world_end(struct world *w)
{
	free(w->s);
	free(w->guest.near);
	free(w->guest_model.near);
	free(w->map);
	model_free(&w->rows);
}

/* The guest writes 64 bits to its near area. */
static inline void poke(struct world *w, uint64_t offset, uint64_t value)
{
	uint32_t i;

	for (i = 0; i < 8; i++)
		w->guest.near[offset + i] = w->guest_model.near[offset + i] =
			(unsigned char)(value >> 8 * i);
}

/* ---- whether they are alike ------------------------------------------------------------------ */

/* The server may or may not cut the upper bits of raw event data. */
static inline int same_counter(const struct sbi_model_counter *f, const struct sbi_model_counter *m,
			       int fixed)
{
	if (f->owned != m->owned || f->started != m->started || f->value != m->value)
		return 0;
	if (!m->owned)
		return 1;
	if (fixed ? f->selector != 0 : !m->selects || f->selector != m->selector)
		return 0;
	return f->overflowed == m->overflowed && f->event == m->event && f->inhibit == m->inhibit &&
	       model_data(m->event, f->data) == m->data;
}

/* Firmware counters are compared one by one: the rest of the state is private. */
static inline int same_firmware(struct world *w)
{
	uint32_t hw = sbi_model_hardware(&w->model), i, bad = 0;

	for (i = hw; i < hw + SBI_MODEL_FIRMWARE; i++) {
		const struct sbi_model_counter *c = &w->model.counter[i];
		uint64_t args[6] = { i, 0, 0, 0, 0, 0 };
		struct pmumap_sbi_ret low = pmumap_server_call(w->s, PMUMAP_SBI_FW_READ, args);
		struct pmumap_sbi_ret high = pmumap_server_call(w->s, PMUMAP_SBI_FW_READ_HI, args);
		int wide = w->s->xlen == 64;

		bad += BROKEN("FW_READ and FW_READ_HI read configured firmware counters", i,
			      (low.error == 0) != c->owned || high.error != low.error);
		bad += BROKEN("FW_READ returns a value, on RV32 its lower half", i,
			      c->owned && low.value != (wide ? c->value : (uint32_t)c->value));
		bad += BROKEN("FW_READ_HI returns a value's upper half on RV32, and 0 on RV64", i,
			      c->owned && high.value != (wide ? 0 : c->value >> 32));
	}
	return !bad;
}

/* Names what differs; NULL if nothing. */
static inline const char *world_differs(struct world *w)
{
	static const struct sbi_model_counter none;
	uint32_t hw = sbi_model_hardware(&w->model), i;

	if (w->fake.misuse || w->guest.misuse)
		return "misuse of what is below";
	for (i = 0; i < 32; i++) {
		const struct sbi_model_counter *m = &w->model.counter[i];

		if (i >= hw || sbi_model_hole(&w->model, i))
			m = &none;
		if (!same_counter(&w->fake.counter[i], m, i < 3))
			return "a hardware counter";
	}
	if (!same_firmware(w))
		return "a firmware counter";
	if (memcmp(w->guest.near, w->guest_model.near, NEAR_BYTES + FAR_BYTES))
		return "the guest's memory";
	if (memcmp(w->s, &w->before, offsetof(struct pmumap_server, counters)))
		return "the public part of the state";
	return NULL;
}

/* Makes a call to both. Bits above the guest's registers are garbage. */
static inline const char *world_call(struct world *w, uint32_t function, const uint64_t *args)
{
	struct sbi_model_ret want;
	struct pmumap_sbi_ret got;
	uint64_t copy[6];
	uint32_t i;

	for (i = 0; i < 6; i++)
		copy[i] = w->s->xlen == 32 ? random64() << 32 | (args[i] & 0xffffffffu) : args[i];
	w->fake.refuse = w->model.refuse;
	memset(&w->guest.asked, 0, sizeof(w->guest.asked));
	want = sbi_model_call(&w->model, function, copy);
	got = pmumap_server_call(w->s, function, copy);
	if (function == PMUMAP_SBI_SNAPSHOT_SET_SHMEM && got.error == 0)
		w->guest.page = w->guest.asked;
	w->error = got.error;
	w->value = got.value;
	if (got.error != want.error)
		return "the error";
	if (got.value != want.value)
		return "the value";
	return world_differs(w);
}

/* Time passes: every running hardware counter adds this. */
static inline void world_tick(struct world *w, uint64_t amount)
{
	uint32_t i;

	for (i = 0; i < 32; i++) {
		sbi_counter_add(&w->fake.counter[i], amount);
		if (i < sbi_model_hardware(&w->model))
			sbi_counter_add(&w->model.counter[i], amount);
	}
}

static inline void world_count(struct world *w, uint32_t code, uint64_t data)
{
	pmumap_server_firmware_event(w->s, code, data);
	sbi_model_count(&w->model, code, data);
}

static inline void world_reset(struct world *w)
{
	pmumap_server_reset(w->s);
	sbi_model_reset(&w->model);
}

#endif /* SBI_SUPPORT_H */
