/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The SBI PMU server against its model: a million calls, with maps of all boards and random ones,
 * and all kinds of settings. After each call the answer, every counter and the guest's memory are
 * compared.
 */
#include "sbi_support.h"

#define CALLS_OF_WORLD 500u
#define BOARDS 40u

static struct {
	unsigned char *fdt;
	size_t size;
} board[BOARDS];
static uint32_t boards;

/* How often each function returned each error; -9 is the lowest. */
static uint32_t seen[10][10];

static void keep(const unsigned char *fdt, size_t size)
{
	if (boards == BOARDS)
		return;
	board[boards].fdt = exact_copy(fdt, size);
	board[boards++].size = size;
}

static uint64_t one_of(const uint64_t *values, size_t n)
{
	return values[random_below((uint32_t)n)];
}
#define ONE_OF(...)                                                                                \
	one_of((const uint64_t[]){ __VA_ARGS__ },                                                  \
	       sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static int one_in(uint32_t n)
{
	return random_below(n) == 0;
}

/* A number of up to 64 bits; all lengths are equally likely. */
static uint64_t any(void)
{
	uint64_t value = random64() >> random_below(64);

	return one_in(3) ? ~value : value;
}

/* ---- worlds ---------------------------------------------------------------------------------- */

static uint32_t random_event(void)
{
	switch (random_below(8)) {
	case 0:
		return 1 + random_below(2);
	case 1:
	case 2:
		return random_below(12);
	case 3:
	case 4:
		return 0x10000 + random_below(0x3a);
	case 5:
		return random_below(16) << 16 | random_below(8);
	case 6:
		return 0xf0000 + random_below(30);
	default:
		return random_below(MODEL_EVENTS);
	}
}

static void random_rows(struct model *m)
{
	uint32_t i, n = random_below(12), few = (uint32_t)ONE_OF(~0u, 0x78, 0xff, 0xfff8);

	for (i = 0; i < n; i++)
		model_add_selector(m, random_event(), any());
	n = random_below(10);
	for (i = 0; i < n; i++) {
		uint32_t first = random_event();

		model_add_counters(m, first, one_in(3) ? first + random_below(100) : first,
				   (uint32_t)random64() & few);
	}
	n = random_below(6);
	for (i = 0; i < n; i++) {
		uint64_t mask =
			ONE_OF(~0ull, ~0xffull, 0xff, 0, ~0ull << 48) ^ (one_in(4) ? any() : 0);

		model_add_raw(m, any() & mask, mask, (uint32_t)random64() & few);
	}
}

static void random_map(struct world *w, uint32_t number)
{
	uint32_t which = number % (2 * boards);
	enum pmumap_status status;

	if (which < boards) {
		model_read(&w->rows, board[which].fdt, 0);
		w->map = build_tree(board[which].fdt, board[which].size, 0, NULL, &status);
	} else {
		random_rows(&w->rows);
		w->map = build_rows(&w->rows);
	}
	w->s->map = w->map;
}

static void random_world(struct world *w, uint32_t number)
{
	struct pmumap_server *s;

	world_begin(w);
	random_map(w, number);
	s = w->s;
	s->xlen = one_in(2) ? 32 : 64;
	s->granted = (uint32_t)ONE_OF(~0u, ~0u, 0x7ffff, 0x7f, 0x7d, 0x1d, 0xfffffff8u, 5, 0, 2,
				      0x80000000u, random64(), random64() & random64());
	s->features = random_below(8) | (one_in(2) ? PMUMAP_CAN_FILTER : 0);
	s->rule = random_below(3);
	s->inhibit = (uint32_t)ONE_OF(16, 16, 0x1c, 0, random_below(32));
	s->width = (uint32_t)ONE_OF(64, 48, 40, 32, 1 + random_below(64));
	s->for_vs = random_below(2);
	s->delegated = one_in(4) ? (uint32_t)random64() : 0;
	s->flags = one_in(8) ? PMUMAP_SERVER_NO_SNAPSHOT : 0;
	w->firmware = ONE_OF(0x3fffff, 0x3fffff, ~0ull, 0x3ff, 0, random64());
	if (one_in(6))
		w->host.access = NULL;
	if (one_in(6))
		w->host.counts = NULL;
	if (one_in(10))
		s->host = NULL;
	world_init(w);
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Sets base and mask, a[0] and a[1]: mostly valid counters. */
static void random_set(const struct world *w, uint64_t *a)
{
	uint32_t total = sbi_model_total(&w->model), from;
	uint64_t all = (1ull << total) - 1;

	a[0] = from = random_below(total);
	switch (random_below(16)) {
	case 0:
	case 1:
	case 2:
	case 3:
		a[1] = 1;
		break;
	case 4:
	case 5:
	case 6:
		a[0] = random_below(sbi_model_hardware(&w->model) + 1);
		a[1] = all >> a[0];
		break;
	case 7:
		a[0] = 0;
		a[1] = all & random64();
		break;
	case 8:
	case 9:
		a[1] = all >> from & random64();
		break;
	case 10:
	case 11:
		a[1] = all >> from & random64() & random64() & random64();
		break;
	case 12:
		a[1] = all >> from >> 1;
		break;
	case 13:
		a[0] = total - 2 + random_below(4);
		a[1] = random_below(8);
		break;
	case 14:
		a[0] = ONE_OF(~0ull, 0xffffffffu, 1ull << 63, 1ull << 32, 1ull << 31, 63, 64, 31,
			      32, any()) -
		       random_below(4);
		a[1] = ONE_OF(0, 1, 2, 0x10, all, ~0ull, any());
		break;
	default:
		a[0] = one_in(2) ? from : any();
		a[1] = ONE_OF(0, ~0ull, 1ull << 63, 1ull << 31, 1ull << 32, any(), all + 1,
			      all << 1);
		break;
	}
}

static uint64_t random_flags(uint64_t valid)
{
	return one_in(16) ? any() : random64() & valid & (one_in(2) ? ~0ull : random64());
}

/* An event with data; mostly one that map or firmware know. */
static uint64_t known_event(const struct world *w, uint64_t *data)
{
	const struct model *m = &w->rows;
	const struct model_range *r;

	*data = one_in(20) ? any() : 0;
	switch (random_below(8)) {
	case 0:
		return 1 + random_below(2);
	case 1:
	case 2:
		if (!m->ranges)
			break;
		r = &m->range[random_below(m->ranges)];
		return one_in(2) ? r->first : r->first + random_below(r->last - r->first + 2);
	case 3:
	case 4:
		*data = raw_value(m, random_below(64));
		return (one_in(2) ? 0x20000 : 0x30000) | (one_in(16) ? random_below(3) : 0);
	case 5:
		*data = one_in(2) ? random_below(6) : any();
		return 0xfffff;
	case 6:
		return 0xf0000 +
		       (one_in(3) ? ONE_OF(256, 257, 65531, 65534) : (uint64_t)random_below(24));
	default:
		break;
	}
	return one_in(8) ? any() : random_event();
}

static void random_address(uint64_t *a, uint32_t align)
{
	if (one_in(4)) {
		a[0] = FAR_LOW + (one_in(8) ? random_below(FAR_BYTES) : 0);
		a[1] = FAR_HIGH;
	} else {
		a[0] = NEAR_LOW + random_below(NEAR_BYTES / align) * align;
		a[1] = 0;
	}
	if (one_in(10))
		a[random_below(2)] = ONE_OF(0, ~0ull, 1, any(), NEAR_LOW + NEAR_BYTES, 8, 2048);
	if (one_in(8))
		a[0] = a[1] = ~0ull;
}

static void random_entries(struct world *w, uint64_t *a)
{
	uint32_t i, n = random_below(one_in(16) ? 300 : 8), at;

	random_address(a, 16);
	a[2] = n;
	a[3] = one_in(20) ? any() : 0;
	if (one_in(16))
		a[2] = one_in(2) ? any() : ~0ull / 16 + random_below(3);
	if (a[1] || a[0] < NEAR_LOW || a[0] >= NEAR_LOW + NEAR_BYTES || a[0] % 16)
		return;
	at = (uint32_t)(a[0] - NEAR_LOW);
	for (i = 0; i < n && at < NEAR_BYTES; i++, at += 16) {
		uint64_t data, event = known_event(w, &data);

		/* Flags that end the call early are rare, so that most calls get far. */
		if (event >> 16 > 3 && event >> 16 != 15 && !one_in(8))
			event &= 0xf;
		poke(w, at, (event & 0xffffffffu) | random64() << 32);
		poke(w, at + 8, data);
	}
}

/* SKIP_MATCH for a counter that has an event, with that event; or for a fixed one. */
static void skip_to_known(const struct world *w, uint64_t *a)
{
	const struct sbi_model *m = &w->model;
	uint32_t i, n = 2 * random_below(2);

	for (i = 0; i < 20 && !m->counter[n].owned; i++)
		n = random_below(sbi_model_total(m));
	a[0] = n;
	a[1] = 1;
	if (m->counter[n].owned && one_in(2)) {
		a[3] = m->counter[n].event;
		a[4] = m->counter[n].data;
	}
	if (one_in(8)) {
		a[0] = 2 * random_below(2);
		a[3] = 1 + a[0] / 2;
		a[4] = 0;
	}
}

static uint32_t random_call(struct world *w, uint64_t *a)
{
	uint32_t i, kind = random_below(32);

	for (i = 0; i < 6; i++)
		a[i] = any();
	random_set(w, a);
	if (kind < 10) {
		a[2] = random_flags(one_in(4) ? 0xff : 0xfe);
		a[3] = known_event(w, &a[4]);
		if ((a[2] & 1) && one_in(2))
			skip_to_known(w, a);
		a[5] = w->s->xlen == 32 ? a[4] >> 32 : a[5];
		return PMUMAP_SBI_CONFIG_MATCHING;
	}
	if (kind < 17) {
		a[2] = random_flags(3);
		return PMUMAP_SBI_START;
	}
	if (kind < 24) {
		a[2] = random_flags(3);
		return PMUMAP_SBI_STOP;
	}
	if (kind < 27) {
		random_address(a, 4096);
		a[2] = one_in(20) ? any() : 0;
		return PMUMAP_SBI_SNAPSHOT_SET_SHMEM;
	}
	if (kind < 30) {
		random_entries(w, a);
		return PMUMAP_SBI_EVENT_GET_INFO;
	}
	a[0] = one_in(8) ? any() : a[0];
	if (kind == 30)
		return (uint32_t)ONE_OF(PMUMAP_SBI_NUM_COUNTERS, PMUMAP_SBI_GET_INFO, 9, any());
	return random_below(2) ? PMUMAP_SBI_FW_READ : PMUMAP_SBI_FW_READ_HI;
}

/* ---- sequences ------------------------------------------------------------------------------- */

/* Events between two calls. */
static void interlude(struct world *w)
{
	uint32_t kind = random_below(256), i;
	uint64_t data;

	world_tick(w, one_in(8) ? random64() : random_below(1000));
	if (kind < 100) {
		world_count(w, random_below(22), 0);
	} else if (kind < 128) {
		world_count(w, 65535, random_below(6));
	} else if (kind < 136) {
		world_count(w, (uint32_t)known_event(w, &data) & 0xffff, any());
		world_count(w, (uint32_t)any(), random_below(6));
	} else if (kind < 144) {
		w->model.refuse = one_in(2) ? 0 : (uint32_t)(random64() & random64());
	} else if (kind < 160) {
		for (i = 0; i < 65; i++)
			poke(w, 4096 * random_below(2) + 8 * i, any());
	} else if (kind < 162) {
		/* The guest loses its memory and mostly gets it back soon. */
		w->guest.gone = w->guest_model.gone = (uint32_t)one_in(4);
	} else if (kind < 170) {
		/* Its host refuses some words of a page now and then. */
		w->guest.torn = one_in(4) ? (uint32_t)(random64() & random64()) : 0;
		w->guest_model.torn = w->guest.torn;
	} else if (kind == 255 && one_in(4)) {
		world_reset(w);
	}
}

static void tell(const struct world *w, const char *differs, uint32_t function, const uint64_t *a)
{
	printf("\tdiffers in %s: function %" PRIu32, differs, function);
	printf("(0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64, a[0], a[1], a[2], a[3]);
	printf(", 0x%" PRIx64 ", 0x%" PRIx64 ") gave %" PRId64 ", 0x%" PRIx64 "\n", a[4], a[5],
	       w->error, w->value);
	printf("\tRV%" PRIu32 ", granted 0x%" PRIx32 ", features %" PRIu32 ", rule %" PRIu32 "\n",
	       w->s->xlen, w->s->granted, w->s->features, w->s->rule);
}

static uint32_t sequence(uint32_t number)
{
	static char now[32];
	uint32_t i, function;
	uint64_t a[6];
	struct world w;

	snprintf(now, sizeof(now), "world %" PRIu32, number);
	test_input = now;
	random_world(&w, number);
	for (i = 0; i < CALLS_OF_WORLD; i++) {
		const char *differs;

		interlude(&w);
		function = random_call(&w, a);
		differs = world_call(&w, function, a);
		if (w.error <= 0 && w.error > -10)
			seen[function < 9 ? function : 9][-w.error]++;
		if (!differs)
			continue;
		CHECK(!differs);
		tell(&w, differs, function, a);
		break;
	}
	world_reset(&w);
	CHECK(!world_differs(&w));
	world_end(&w);
	return i;
}

/* Every possible answer of each function must occur, or the random calls are not varied enough. */
static void all_seen(void)
{
	static const struct {
		uint32_t function, errors; /* bit n: error -n */
	} can[] = {
		{ PMUMAP_SBI_NUM_COUNTERS, 1 },
		{ PMUMAP_SBI_GET_INFO, 1 | 1 << 3 },
		{ PMUMAP_SBI_CONFIG_MATCHING, 1 | 1 << 2 | 1 << 3 },
		{ PMUMAP_SBI_START, 1 | 1 << 3 | 1 << 7 | 1 << 9 },
		{ PMUMAP_SBI_STOP, 1 | 1 << 3 | 1 << 8 | 1 << 9 },
		{ PMUMAP_SBI_FW_READ, 1 | 1 << 3 },
		{ PMUMAP_SBI_FW_READ_HI, 1 | 1 << 3 },
		{ PMUMAP_SBI_SNAPSHOT_SET_SHMEM, 1 | 1 << 2 | 1 << 3 | 1 << 5 },
		{ PMUMAP_SBI_EVENT_GET_INFO, 1 | 1 << 2 | 1 << 3 | 1 << 5 },
		{ 9, 1 << 2 },
	};
	uint32_t error;
	size_t i;

	test_input = "";
	test_now = "answers";
	for (i = 0; i < sizeof(can) / sizeof(can[0]); i++)
		for (error = 0; error < 10; error++)
			CHECK_EQ(seen[can[i].function][error] > 0, can[i].errors >> error & 1);
}

int main(void)
{
	uint32_t i, worlds, calls = 0;

	CHECK(each_file(riscv_boards, keep) >= 16);
	worlds = quick(1000000, 20000) / CALLS_OF_WORLD;
	for (i = 0; i < worlds && test_failed < 20; i++)
		calls += sequence(i);
	CHECK_EQ(calls, worlds * CALLS_OF_WORLD);
	all_seen();
	for (i = 0; i < boards; i++)
		free(board[i].fdt);
	return test_summary();
}
