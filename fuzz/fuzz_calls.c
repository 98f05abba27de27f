/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as a hart, rows, and a guest's actions: calls of the SBI PMU server, with memory
 * changes and time between them, and events planned together. After each call the server, its
 * counters and the guest's memory must match the tests' model.
 */
#include "sbi_support.h"
#include "fuzz_rows.h"

#define MAX_STEPS 300u

/* ---- events ---------------------------------------------------------------------------------- */

/* Mostly an event that rows or firmware know, with data. */
static uint32_t take_known(struct bytes *in, const struct model *m, uint64_t *data)
{
	uint32_t kind = take(in, 1), row = kind >> 3;

	*data = 0;
	switch (kind & 7) {
	case 0:
		return 1 + (row & 1);
	case 1:
	case 2:
		if (m->ranges)
			return m->range[row % m->ranges].first +
			       ((kind & 7) == 2 ? take(in, 1) : 0);
		break;
	case 3:
	case 4:
		if (m->raws) {
			*data = m->raw[row % m->raws].select;
			*data ^= (kind & 7) == 4 ? take_number(in) : 0;
		}
		return kind & 0x80 ? PMUMAP_EVENT_RAW_V2 : PMUMAP_EVENT_RAW;
	case 5:
		*data = take_number(in);
		return 0xfffff;
	case 6:
		return 0xf0000 | row;
	default:
		break;
	}
	*data = row & 1 ? take_number(in) : 0;
	return row & 2 ? (uint32_t)take_number(in) : take_event(in);
}

/* ---- worlds ---------------------------------------------------------------------------------- */

static void take_world(struct bytes *in, struct world *w)
{
	uint32_t shape = take(in, 2);
	struct pmumap_server *s;

	world_begin(w);
	s = w->s;
	s->xlen = shape & 1 ? 32 : 64;
	s->for_vs = shape >> 1 & 1;
	s->features = (shape >> 2 & 7) | (shape >> 2 & 1) * PMUMAP_CAN_FILTER;
	s->rule = (shape >> 5 & 3) % 3;
	s->delegated = (shape >> 5 & 3) == 3 ? ~0x19u : 0;
	s->flags = shape >> 14 == 2 ? PMUMAP_SERVER_NO_SNAPSHOT : 0;
	s->inhibit = shape >> 7 & 31;
	w->firmware = shape & 0x1000 ? take_number(in) : 0x3fffff;
	s->granted = shape & 0x2000 ? take_counters(in) : ~take_counters(in);
	s->width = 1 + (63 - take(in, 1)) % 64;
	if (shape >> 14 == 1)
		w->host.access = NULL;
	if (shape >> 14 == 2)
		w->host.counts = NULL;
	if (shape >> 14 == 3)
		s->host = NULL;
	take_rows(in, &w->rows);
	w->s->map = w->map = build_rows(&w->rows);
	world_init(w);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Base and mask: mostly valid counter numbers. */
static void take_set(struct bytes *in, const struct world *w, uint64_t *a)
{
	uint32_t total = sbi_model_total(&w->model), kind = take(in, 1), from;
	uint64_t all = (1ull << total) - 1;

	from = (kind & 0x3f) % total;
	a[0] = from;
	switch (kind >> 6) {
	case 0:
		a[1] = 1;
		break;
	case 1:
		a[1] = all >> from;
		break;
	case 2:
		a[1] = all >> from & take_number(in);
		break;
	default:
		a[0] = take_number(in);
		a[1] = take_number(in);
		break;
	}
}

static uint64_t take_flags(struct bytes *in, uint32_t valid)
{
	uint32_t kind = take(in, 1);

	return kind == 0xff ? take_number(in) : kind & valid;
}

static void take_address(struct bytes *in, uint64_t *a)
{
	uint32_t kind = take(in, 1);

	a[0] = kind & 1 ? FAR_LOW : NEAR_LOW + (uint64_t)(kind >> 5 & 1) * 4096;
	a[1] = kind & 1 ? FAR_HIGH : 0;
	if (kind & 2)
		a[0] += 16 * take(in, 1);
	if (kind & 4)
		a[kind >> 3 & 1] = take_number(in);
	if (kind & 16)
		a[0] = a[1] = ~0ull;
}

/* Writes to the guest's near area, at the place used by this call. */
static void take_entries(struct bytes *in, struct world *w, uint64_t *a)
{
	uint32_t i, n = take(in, 1) % 12;
	uint64_t at = (a[0] - NEAR_LOW) % NEAR_BYTES & ~(uint64_t)15;

	a[2] = n;
	for (i = 0; i < n && at + 16 <= NEAR_BYTES; i++, at += 16) {
		uint64_t data;
		uint32_t event = take_known(in, &w->rows, &data);

		poke(w, at, event | 0x5a5a5a5a00000000);
		poke(w, at + 8, data);
	}
	a[3] = 0;
	if (n == 11) {
		a[2] = take_number(in);
		a[3] = take_flags(in, 1);
	}
}

static uint32_t take_configuration(struct bytes *in, const struct world *w, uint64_t *a)
{
	take_set(in, w, a);
	a[2] = take_flags(in, 0xff);
	a[3] = take_known(in, &w->rows, &a[4]);
	a[5] = w->s->xlen == 32 ? a[4] >> 32 : a[5];
	return PMUMAP_SBI_CONFIG_MATCHING;
}

static uint32_t take_start_or_stop(struct bytes *in, const struct world *w, uint64_t *a, int start)
{
	take_set(in, w, a);
	a[2] = take_flags(in, 3);
	a[3] = start && a[2] & 1 ? take_number(in) : 0;
	return start ? PMUMAP_SBI_START : PMUMAP_SBI_STOP;
}

/* Any function with any arguments; mostly an error. */
static uint32_t take_any(struct bytes *in, uint64_t *a)
{
	uint32_t i, function = take(in, 1);

	for (i = 0; i < 6; i++)
		a[i] = take_number(in);
	return function & 0x80 ? (uint32_t)take_number(in) : function % 9;
}

static uint32_t take_call(struct bytes *in, struct world *w, uint32_t kind, uint64_t *a)
{
	switch (kind & 15) {
	case 0:
	case 1:
	case 2:
		return take_configuration(in, w, a);
	case 3:
	case 4:
		return take_start_or_stop(in, w, a, 1);
	case 5:
	case 6:
		return take_start_or_stop(in, w, a, 0);
	case 7:
		take_address(in, a);
		a[2] = take_flags(in, 0);
		return PMUMAP_SBI_SNAPSHOT_SET_SHMEM;
	case 8:
		take_address(in, a);
		take_entries(in, w, a);
		return PMUMAP_SBI_EVENT_GET_INFO;
	case 9:
		a[0] = take_number(in);
		return (kind & 0x10   ? PMUMAP_SBI_GET_INFO
			: kind & 0x20 ? PMUMAP_SBI_FW_READ
				      : PMUMAP_SBI_FW_READ_HI);
	default:
		return take_any(in, a);
	}
}

/* ---- what happens between calls -------------------------------------------------------------- */

static void take_interlude(struct bytes *in, struct world *w, uint32_t kind)
{
	uint32_t i, offset = kind & 0x10 ? 4096 : 0;
	uint64_t data;

	switch (kind & 15) {
	case 11:
		world_tick(w, take_number(in));
		break;
	case 12:
		data = take_number(in);
		world_count(w, kind & 0x10 ? PMUMAP_SERVER_FW_PLATFORM : (uint32_t)data,
			    kind & 0x10 ? data : 0);
		break;
	case 13:
		if (kind == 0xfd)
			w->guest.torn = w->guest_model.torn = take_counters(in);
		else
			w->model.refuse = take_counters(in);
		break;
	default:
		if (kind == 0xff) {
			world_reset(w);
			break;
		}
		for (i = kind >> 5; i; i--) {
			uint64_t at = offset + 8 * (take(in, 1) % 65);

			poke(w, at, take_number(in));
		}
		break;
	}
}

/* ---- events placed all at once --------------------------------------------------------------- */

#define PLANNED 5u

static void take_events(struct bytes *in, const struct world *w, uint32_t features)
{
	struct pmumap_want want[PLANNED], was[PLANNED];
	struct pmumap_job job[PLANNED];
	unsigned rule = features % 3;
	uint64_t selector;
	uint32_t could[PLANNED], i, shape = take(in, 1);
	uint32_t n = 1 + shape % PLANNED, base = 3 + shape / PLANNED, free_mask = take_counters(in);

	memset(want, 0, sizeof(want));
	for (i = 0; i < n; i++) {
		want[i].event = take_known(in, &w->rows, &want[i].data);
		want[i].pinned = take(in, 1) > 0xe0;
		want[i].counter = (int32_t)(base + i) & 31;
		could[i] =
			servers(&w->rows, want[i].event, want[i].data, features, rule, &selector);
	}
	memcpy(was, want, sizeof(was));
	MUST(!broken_rules(was, want, n, could, free_mask, features,
			   pmumap_plan_all(w->map, want, n, free_mask, features, rule, job)));
	i = n - 1;
	if (!want[i].pinned)
		MUST(pmumap_plan(w->map, want[i].event, want[i].data, free_mask, features, rule,
				 job) == server_of(want[i].counters, free_mask, features));
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void take_step(struct bytes *in, struct world *w)
{
	uint64_t a[6] = { 0, 0, 0, 0, 0, 0 };
	uint32_t kind = take(in, 1), function;
	const char *differs;

	if ((kind & 15) == 15 && kind != 0xff) {
		take_events(in, w, kind >> 4 & 7);
		return;
	}
	if ((kind & 15) > 10) {
		take_interlude(in, w, kind);
		return;
	}
	function = take_call(in, w, kind, a);
	differs = world_call(w, function, a);
	if (differs)
		fprintf(stderr, "function %u: differs in %s\n", (unsigned)function, differs);
	MUST(!differs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes in = { data, size };
	uint32_t steps = 0;
	struct world w;

	fuzz_seed(data, size);
	random_state = fuzz_random() | 1;
	take_world(&in, &w);
	while (in.left && steps++ < MAX_STEPS)
		take_step(&in, &w);
	world_reset(&w);
	MUST(!world_differs(&w));
	world_end(&w);
	MUST(!test_failed);
	return 0;
}
