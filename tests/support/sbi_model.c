/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "sbi_model.h"

/* Numbers from the SBI specification, written again so that typos show. */
enum {
	FAILED_NOT_SUPPORTED = -2,
	FAILED_INVALID_PARAM = -3,
	FAILED_INVALID_ADDRESS = -5,
	FAILED_ALREADY_STARTED = -7,
	FAILED_ALREADY_STOPPED = -8,
	FAILED_NO_SHMEM = -9
};

/* Feature: programmable counters can filter modes. */
enum { CAN_FILTER = 16 };

static struct sbi_model_ret fail(int64_t error)
{
	return (struct sbi_model_ret){ error, 0 };
}

static struct sbi_model_ret succeed(uint64_t value)
{
	return (struct sbi_model_ret){ 0, value };
}

/* ---- numbers and sets of counters ------------------------------------------------------------ */

static int granted(const struct sbi_model *m, uint32_t n)
{
	return n < 32 && n != 1 && (m->granted >> n & 1);
}

uint32_t sbi_model_hardware(const struct sbi_model *m)
{
	uint32_t n = 32;

	while (n && !granted(m, n - 1))
		n--;
	return n;
}

uint32_t sbi_model_total(const struct sbi_model *m)
{
	return sbi_model_hardware(m) + SBI_MODEL_FIRMWARE;
}

int sbi_model_hole(const struct sbi_model *m, uint32_t index)
{
	return index < sbi_model_hardware(m) && (!granted(m, index) || (m->delegated >> index & 1));
}

static int is_firmware(const struct sbi_model *m, uint64_t index)
{
	return index >= sbi_model_hardware(m) && index < sbi_model_total(m);
}

static int is_fixed(const struct sbi_model *m, uint32_t index)
{
	return index < 3 && !is_firmware(m, index);
}

/* The counters of a set, as bits of their numbers; 0 if it is empty or has others. */
static uint64_t members(const struct sbi_model *m, uint64_t base, uint64_t mask)
{
	uint64_t set = 0;
	uint32_t bit;

	for (bit = 0; bit < m->xlen; bit++) {
		if (!(mask >> bit & 1))
			continue;
		if (base >= sbi_model_total(m) || base + bit >= sbi_model_total(m))
			return 0;
		set |= 1ull << (base + bit);
	}
	return set;
}

/* ---- which counter can count what ------------------------------------------------------------ */

/* Returns whether this host counts a firmware event; codes 22 to 255 are reserved. */
static int counted(const struct sbi_model *m, uint32_t code, uint64_t data)
{
	if ((code > 21 && code < 256) || (code != 65535 && data != 0))
		return 0;
	return m->counts && m->counts(m->arg, code, data);
}

/* The guest's filters apply to all counters with filters, so not to fixed ones without. */
static uint32_t features(const struct sbi_model *m)
{
	return m->features & CAN_FILTER ? m->features | MODEL_FILTER : m->features;
}

static int can(const struct sbi_model *m, uint32_t index, uint32_t event, uint64_t data)
{
	uint64_t selector;

	if (sbi_model_hole(m, index))
		return 0;
	if (event >> 16 == 15)
		return is_firmware(m, index) && counted(m, event & 0xffff, data);
	if (is_firmware(m, index) ||
	    !(model_candidates(m->rows, event, data, features(m)) >> index & 1))
		return 0;
	return is_fixed(m, index) || model_encode(m->rows, event, data, m->rule, &selector);
}

/* The counter of a set that an event gets, or -1. */
static int choose(const struct sbi_model *m, uint64_t set, uint32_t event, uint64_t data)
{
	uint32_t index, late;

	/* Counters that can interrupt are preferred. */
	for (late = 0; late < 2; late++)
		for (index = 0; index < sbi_model_total(m); index++) {
			if (!late && is_fixed(m, index) && (m->features & MODEL_CAN_INTERRUPT))
				continue;
			if (set >> index & 1 && !m->counter[index].owned &&
			    can(m, index, event, data))
				return (int)index;
		}
	return -1;
}

/* ---- the calls ------------------------------------------------------------------------------- */

static struct sbi_model_ret get_info(const struct sbi_model *m, uint64_t index)
{
	uint32_t width = index == 0 || index == 2 ? 64 : m->width;

	if (index >= sbi_model_total(m) || sbi_model_hole(m, (uint32_t)index))
		return fail(FAILED_INVALID_PARAM);
	if (is_firmware(m, index))
		return succeed((m->xlen == 64 ? 1ull << 63 : 1ull << 31) | 63 << 12);
	return succeed((0xc00 + index) | (uint64_t)(width - 1) << 12);
}

/* Modes that a guest wants excluded, in the terms of the machine below it. */
static uint32_t modes(const struct sbi_model *m, uint64_t flags)
{
	/* VU, VS, U and S follow each other, and so do a guest's modes below it. */
	uint32_t asked = (uint32_t)(m->for_vs ? flags >> 5 & 3 : flags >> 3 & 15);

	asked |= (uint32_t)(flags >> 7 & 1) << 4; /* M */
	return asked | m->inhibit;
}

static void start(struct sbi_model *m, uint32_t index)
{
	m->counter[index].started = 1;
	m->counter[index].overflowed = 0;
}

static void stop(struct sbi_model *m, uint32_t index)
{
	if (is_firmware(m, index))
		m->counter[index].started = 0;
	else
		sbi_counter_stop(&m->counter[index]);
}

static struct sbi_model_ret configure(struct sbi_model *m, uint32_t index, uint64_t flags,
				      uint32_t event, uint64_t data)
{
	struct sbi_model_counter *c = &m->counter[index];
	uint64_t selector = 0;
	int selects = model_encode(m->rows, event, data, m->rule, &selector);

	if (!is_firmware(m, index)) {
		if (m->refuse >> index & 1)
			return fail(FAILED_NOT_SUPPORTED);
		c->selects = (uint8_t)selects;
		c->selector = selector;
		c->inhibit = modes(m, flags);
	}
	c->owned = 1;
	c->event = event;
	c->data = model_data(event, data);
	if (flags & 2)
		c->value = 0;
	if (flags & 4)
		start(m, index);
	return succeed(index);
}

/* The caller has chosen: a counter that already has this event, or a fixed one. */
static struct sbi_model_ret skip_matching(struct sbi_model *m, uint32_t first, uint64_t flags,
					  uint32_t event, uint64_t data)
{
	struct sbi_model_counter *c = &m->counter[first];
	uint32_t filters = m->features & MODEL_FILTER;

	if (sbi_model_hole(m, first) || (!c->owned && !is_fixed(m, first)))
		return fail(FAILED_INVALID_PARAM);
	/* Cycles in counter 0 and instructions in counter 2, which may ignore filters. */
	if (c->started || (!can(m, first, event, data) &&
			   (filters || !is_fixed(m, first) || event != first / 2 + 1)))
		return fail(FAILED_NOT_SUPPORTED);
	return configure(m, first, flags, event, data);
}

static struct sbi_model_ret config_matching(struct sbi_model *m, const uint64_t *a)
{
	uint64_t set = members(m, a[0], a[1]);
	uint64_t flags = a[2], data = m->xlen == 32 ? a[4] | a[5] << 32 : a[4];
	uint32_t event = (uint32_t)a[3], type = event >> 16, first = 0;
	int index;

	if (!set || flags > 0xff || a[3] > 0xfffff)
		return fail(FAILED_INVALID_PARAM);
	if (data && (type < 2 || (type == 15 && event != 0xfffff)))
		return fail(FAILED_INVALID_PARAM);
	while (!(set >> first & 1))
		first++;
	if (flags & 1)
		return skip_matching(m, first, flags, event, data);
	index = choose(m, set, event, data);
	if (index < 0)
		return fail(FAILED_NOT_SUPPORTED);
	return configure(m, (uint32_t)index, flags, event, data);
}

/* Guest memory is little-endian on any machine. */
static uint64_t get(const unsigned char *at, uint32_t bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | at[bytes];
	return value;
}

static void put(unsigned char *at, uint32_t bytes, uint64_t value)
{
	uint32_t i;

	for (i = 0; i < bytes; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

/* Shared memory at an offset; NULL if it no longer belongs to the guest. */
static unsigned char *shared_at(const struct sbi_model *m, uint32_t offset, uint32_t bytes)
{
	return m->memory(m->arg, m->shared[0] + offset, m->shared[1], bytes);
}

static struct sbi_model_ret start_counters(struct sbi_model *m, const uint64_t *a)
{
	uint64_t set = members(m, a[0], a[1]);
	uint64_t flags = a[2], value = m->xlen == 32 ? a[3] | a[4] << 32 : a[3];
	uint32_t i, running = 0, lost = 0;

	if (!set || flags > 2)
		return fail(FAILED_INVALID_PARAM);
	if (flags == 2 && !m->shares)
		return fail(FAILED_NO_SHMEM);
	for (i = 0; i < sbi_model_total(m); i++)
		if (set >> i & 1 && !m->counter[i].owned)
			return fail(FAILED_INVALID_PARAM);
	for (i = 0; i < sbi_model_total(m); i++) {
		const unsigned char *from = NULL;

		if (!(set >> i & 1))
			continue;
		running += m->counter[i].started;
		if (m->counter[i].started)
			continue;
		if (flags == 2)
			from = shared_at(m, 8 + 8 * (i - (uint32_t)a[0]), 8);
		if (flags == 2 && !from) {
			lost++;
			continue;
		}
		if (flags)
			m->counter[i].value = from ? get(from, 8) : value;
		start(m, i);
	}
	return lost ? fail(FAILED_NO_SHMEM) : running ? fail(FAILED_ALREADY_STARTED) : succeed(0);
}

static void release(struct sbi_model *m, uint32_t index)
{
	sbi_counter_release(&m->counter[index]);
	if (is_firmware(m, index))
		m->counter[index].value = 0;
}

/* Values of configured counters in a set, then their overflow bits. */
static int snapshot(struct sbi_model *m, uint64_t set, uint32_t base)
{
	uint64_t overflows = 0, known = 0;
	uint32_t i, lost = 0;
	unsigned char *to;

	for (i = 0; i < sbi_model_total(m); i++) {
		const struct sbi_model_counter *c = &m->counter[i];

		if (!(set >> i & 1) || !c->owned)
			continue;
		known |= 1ull << (i - base);
		overflows |= (uint64_t)c->overflowed << (i - base);
		to = shared_at(m, 8 + 8 * (i - base), 8);
		if (to)
			put(to, 8, c->value);
		lost += !to;
	}
	to = shared_at(m, 0, 8);
	if (!to)
		return 0;
	put(to, 8, m->features & MODEL_CAN_INTERRUPT ? (get(to, 8) & ~known) | overflows : 0);
	return lost == 0;
}

static struct sbi_model_ret stop_counters(struct sbi_model *m, const uint64_t *a)
{
	uint64_t set = members(m, a[0], a[1]), flags = a[2];
	uint32_t i, stopped = 0, lost = 0;

	if (!set || flags > 3)
		return fail(FAILED_INVALID_PARAM);
	if (flags & 2 && !m->shares)
		return fail(FAILED_NO_SHMEM);
	for (i = 0; i < sbi_model_total(m); i++)
		if (set >> i & 1) {
			stopped += !m->counter[i].started;
			stop(m, i);
		}
	if (flags & 2)
		lost = !snapshot(m, set, (uint32_t)a[0]);
	for (i = 0; i < sbi_model_total(m) && flags & 1; i++)
		if (set >> i & 1)
			release(m, i);
	return lost ? fail(FAILED_NO_SHMEM) : stopped ? fail(FAILED_ALREADY_STOPPED) : succeed(0);
}

static struct sbi_model_ret fw_read(const struct sbi_model *m, uint64_t index, int high)
{
	uint64_t value;

	if (!is_firmware(m, index) || !m->counter[index].owned)
		return fail(FAILED_INVALID_PARAM);
	value = m->counter[index].value;
	if (m->xlen == 32)
		return succeed(high ? value >> 32 : value & 0xffffffff);
	return succeed(high ? 0 : value);
}

/* Returns whether a 64-bit address has fewer bytes above it. The upper half counts on RV32. */
static int wraps(const struct sbi_model *m, const uint64_t *a, uint64_t bytes)
{
	uint64_t address = m->xlen == 32 ? a[1] * 0x100000000 + a[0] : a[0];

	return address + bytes < address;
}

static struct sbi_model_ret set_shmem(struct sbi_model *m, const uint64_t *a)
{
	uint64_t ones = m->xlen == 32 ? 0xffffffff : ~0ull;

	if (!m->memory || m->no_snapshot)
		return fail(FAILED_NOT_SUPPORTED);
	if (a[2])
		return fail(FAILED_INVALID_PARAM);
	if (a[0] == ones && a[1] == ones) {
		m->shares = 0;
		return succeed(0);
	}
	if (a[0] % 4096)
		return fail(FAILED_INVALID_PARAM);
	if (wraps(m, a, 4096) || !m->memory(m->arg, a[0], a[1], 4096))
		return fail(FAILED_INVALID_ADDRESS);
	m->shares = 1;
	m->shared[0] = a[0];
	m->shared[1] = a[1];
	return succeed(0);
}

/* Returns whether a match would succeed if all counters were free. */
static int supported(const struct sbi_model *m, uint32_t event, uint64_t data)
{
	uint32_t index;

	for (index = 0; index < sbi_model_total(m); index++)
		if (can(m, index, event, data))
			return 1;
	return 0;
}

static struct sbi_model_ret event_get_info(struct sbi_model *m, const uint64_t *a)
{
	unsigned char *entry;
	uint64_t i;

	if (!m->memory)
		return fail(FAILED_NOT_SUPPORTED);
	if (a[3] || a[0] % 16 || a[2] > 4096)
		return fail(FAILED_INVALID_PARAM);
	if (!a[2])
		return succeed(0);
	entry = wraps(m, a, a[2] * 16) ? NULL : m->memory(m->arg, a[0], a[1], a[2] * 16);
	if (!entry)
		return fail(FAILED_INVALID_ADDRESS);
	for (i = 0; i < a[2]; i++, entry += 16) {
		uint32_t event = (uint32_t)get(entry, 4);

		if (event > 0xfffff)
			return fail(FAILED_INVALID_PARAM);
		put(entry + 4, 4, (uint64_t)supported(m, event, get(entry + 8, 8)));
	}
	return succeed(0);
}

struct sbi_model_ret sbi_model_call(struct sbi_model *m, uint32_t function, const uint64_t *args)
{
	uint64_t a[6];
	int i;

	for (i = 0; i < 6; i++)
		a[i] = m->xlen == 32 ? args[i] & 0xffffffff : args[i];
	switch (function) {
	case 0:
		return succeed(sbi_model_total(m));
	case 1:
		return get_info(m, a[0]);
	case 2:
		return config_matching(m, a);
	case 3:
		return start_counters(m, a);
	case 4:
		return stop_counters(m, a);
	case 5:
	case 6:
		return fw_read(m, a[0], function == 6);
	case 7:
		return set_shmem(m, a);
	case 8:
		return event_get_info(m, a);
	default:
		return fail(FAILED_NOT_SUPPORTED);
	}
}

/* ---- what happens besides -------------------------------------------------------------------- */

void sbi_model_count(struct sbi_model *m, uint32_t code, uint64_t data)
{
	uint32_t index;

	for (index = sbi_model_hardware(m); index < sbi_model_total(m); index++) {
		struct sbi_model_counter *c = &m->counter[index];

		if (code <= 65535 && c->started && c->event == 0xf0000 + code &&
		    (code != 65535 || c->data == data))
			c->value++;
	}
}

void sbi_model_reset(struct sbi_model *m)
{
	uint32_t index;

	for (index = 0; index < sbi_model_total(m); index++) {
		stop(m, index);
		release(m, index);
	}
	m->shares = 0;
}
