/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as the actions of two guests that take turns on one hart, each with its own server and
 * virtual PMU, while their memory changes during calls. No model: a monitor watches the hart's
 * registers and the memory. Only CSRs of the guest's counters are accessed, nothing of the absent
 * guest, only memory that was asked for, and no input is read twice.
 */
#include "support.h"
#include "machine.h"
#include "pmumap_server.h"
#include "fuzz_rows.h"
#include "steps.h"

#define MAX_STEPS 200u
#define BASE 0x80000000u
#define BYTES 0x2000u

struct guest {
	struct pmumap_server server;
	struct pmumap_vpmu vpmu;
	struct pmumap_pmu pmu;
	struct pmumap_server_host host;
	unsigned char memory[BYTES];
	uint64_t page, asked, asked_bytes; /* offsets; page: of snapshots */
};

static struct {
	struct machine m;
	struct pmumap_hart hart;
	struct pmumap_pmu below;
	struct guest guest[2];
	uint32_t now, reachable; /* counters whose registers may be touched */
	struct bytes *in;
	uint32_t entry_event; /* of the last entry that was read, and its data */
	uint64_t read_at, read_bytes;
} world;

/* ---- the monitor ----------------------------------------------------------------------------- */

/* The counter that a CSR is of: 32 for mcountinhibit. */
static uint32_t counter_of(uint32_t csr)
{
	if (csr == 0x320)
		return 32;
	if (csr == 0x321 || csr == 0x721) /* mcyclecfg */
		return 0;
	return csr & 31;
}

static uint64_t watched_read(void *arg, uint32_t csr)
{
	uint32_t n = counter_of(csr);

	MUST(n == 32 || world.reachable >> n & 1);
	return csr_read(arg, csr);
}

static void watched_write(void *arg, uint32_t csr, uint64_t value)
{
	uint32_t n = counter_of(csr), before = world.m.inhibit;

	MUST(n == 32 || world.reachable >> n & 1);
	csr_write(arg, csr, value);
	MUST(!((before ^ world.m.inhibit) & ~world.reachable));
}

/* Before and after each access, another CPU writes to the same memory. */
static void meddle(struct guest *g, uint64_t at, uint64_t bytes)
{
	uint32_t kind = take(world.in, 1);

	if (kind & 1 && bytes)
		g->memory[(at + kind / 2 % bytes) % BYTES] ^= (unsigned char)(1 + kind / 4);
}

static int guest_access(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
			int write)
{
	struct guest *g = (struct guest *)arg;
	uint64_t at = low - BASE;

	MUST(g == &world.guest[world.now]);
	MUST(g->server.xlen == 64 || (low >> 32 == 0 && high >> 32 == 0));
	if (!data) {
		MUST(write == 1);
		if (high || low < BASE || at > BYTES || bytes > BYTES - at)
			return 0;
		g->asked = at;
		g->asked_bytes = bytes;
		return 1;
	}
	/* Only a whole range requested in this call; or a word of the snapshot page. */
	MUST(bytes && bytes <= 256 && high == 0 && at <= BYTES - bytes);
	if (bytes == 8 && g->page != BYTES) {
		MUST(at >= g->page && at - g->page < 8 + 512 && at % 8 == 0);
	} else {
		MUST(g->asked_bytes && at >= g->asked && bytes <= g->asked_bytes);
		MUST(at - g->asked <= g->asked_bytes - bytes && (write || bytes % 16 == 0));
	}
	/* The guest may have lost this memory. */
	if (take(world.in, 1) == 0xfe)
		return 0;
	meddle(g, at, bytes);
	MUST(write == (write & 1));
	if (write && bytes != 8) {
		const unsigned char *answer = (const unsigned char *)data;

		/* Answers concern what was read, and nothing else is written. */
		MUST(bytes == 4 && at % 16 == 4 && at - world.read_at < world.read_bytes);
		MUST(answer[0] <= 1 && !answer[1] && !answer[2] && !answer[3]);
	}
	memcpy(write ? g->memory + at : data, write ? data : g->memory + at, (size_t)bytes);
	if (!write && bytes != 8) {
		world.read_at = at;
		world.read_bytes = bytes;
	}
	meddle(g, at, bytes);
	return 1;
}

static int guest_counts(void *arg, uint32_t code, uint64_t data)
{
	(void)arg;
	MUST(code <= 65535 && (code < 22 || code > 255) && (code == 65535 || data == 0));
	return (code + data) % 3 != 0;
}

/* Sets of a state: each is a subset of the one before. */
static void check_state(const struct guest *g)
{
	const struct pmumap_server *s = &g->server;

	MUST(!(s->matched & ~s->numbers) && !(s->configured & ~(s->matched | s->counters)));
	MUST(!(s->started & ~s->configured) && s->total <= 48);
	MUST(((uint32_t)s->configured & s->counters) == g->vpmu.configured);
	MUST(((uint32_t)s->started & s->counters) == g->vpmu.running);
}

/* ---- what happens ---------------------------------------------------------------------------- */

static void take_call(struct bytes *in, struct guest *g, uint32_t kind)
{
	static const uint32_t functions[] = { 0, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 8, 9, 2 };
	struct pmumap_vpmu other = world.guest[1 - world.now].vpmu;
	uint32_t function = functions[kind & 15], shape = take(in, 1), i;
	unsigned long x[8];

	for (i = 0; i < 6; i++)
		x[i] = shape >> i & 1 ? (unsigned long)take_number(in) : 0;
	x[6] = function;
	x[7] = PMUMAP_SBI_EID;
	if (function >= 2 && function <= 4 && !(shape & 0x40)) {
		x[0] %= 48;
		x[1] = ~0ul >> 1 >> (shape >> 1 & 31);
		x[2] &= function == 2 ? 0xff : 3;
	}
	if (function == 2 && !(shape & 0x80)) {
		uint32_t event = take(in, 1);

		x[3] = event < 0xc0 ? event % 12 : event < 0xe0 ? 0x20000 : 0xf0000 + event % 32;
		x[4] = event < 0xc0 || event >= 0xe0 ? 0 : x[4];
		x[5] = 0;
	}
	if (function >= 7 && function <= 8 && !(shape & 0x80)) {
		x[0] = BASE + (function == 7 ? (shape & 3) * 4096ul : (shape & 7) * 256ul);
		x[1] = x[3] = 0;
		x[2] = function == 7 ? 0 : x[2] % 300;
	}
	g->asked_bytes = 0;
	world.read_bytes = 0;
	STEPS(ECALL, STEPS_GUEST, pmumap_server_ecall(&g->server, x));
	if (function == 7 && x[0] == 0)
		g->page = g->server.shared[0] == 1 ? BYTES : g->server.shared[0] - BASE;
	MUST((long)x[0] <= 0 && (long)x[0] >= -9);
	/* The other guest is not touched. */
	MUST(!memcmp(&other, &world.guest[1 - world.now].vpmu, sizeof(other)));
	check_state(g);
}

static void switch_guests(void)
{
	struct guest *leaves = &world.guest[world.now], *comes = &world.guest[1 - world.now];
	uint32_t n;

	world.reachable = leaves->server.counters;
	pmumap_vpmu_save(&leaves->vpmu);
	/* Nothing of it is left. */
	for (n = 3; n < 32; n++)
		MUST(!(leaves->server.counters >> n & 1) ||
		     (world.m.value[n] == 0 && world.m.event[n] == 0));
	world.now = 1 - world.now;
	world.reachable = comes->server.counters;
	MUST(pmumap_vpmu_restore(&comes->vpmu, &world.below) == 0);
}

static void take_step(struct bytes *in)
{
	struct guest *g = &world.guest[world.now];
	uint32_t kind = take(in, 1);

	switch (kind >> 5) {
	case 0:
		switch_guests();
		break;
	case 1:
		world.m.mode = kind & 1 ? PMUMAP_INHIBIT_U : PMUMAP_INHIBIT_S;
		run(&world.m, take_number(in) >> 24);
		world.m.mode = PMUMAP_INHIBIT_M;
		break;
	case 2:
		pmumap_server_firmware_event(&g->server, kind & 31, 0);
		pmumap_server_firmware_event(&g->server, PMUMAP_SERVER_FW_PLATFORM, kind & 3);
		if (kind == 0x5f) {
			pmumap_server_reset(&g->server);
			g->page = BYTES;
			MUST(g->vpmu.configured == 0);
		}
		break;
	default:
		take_call(in, g, kind);
		break;
	}
}

static void take_guests(struct bytes *in, const struct pmumap *map)
{
	uint32_t shape = take(in, 1), i;

	machine_begin(&world.m, shape & 1 ? 32 : 64,
		      STOPS | (shape & 2 ? SOF : 0) | (shape & 4 ? SMC : 0));
	world.m.counters = 0xfd;
	world.m.inhibit = 0xfd;
	hart_begin(&world.hart, &world.m);
	world.hart.read = watched_read;
	world.hart.write = watched_write;
	pmumap_hart_as_pmu(&world.hart, &world.below);
	world.now = 0;
	world.in = in;
	for (i = 0; i < 2; i++) {
		struct guest *g = &world.guest[i];

		memset(g, 0, sizeof(*g));
		g->host.access = guest_access;
		g->host.counts = guest_counts;
		g->host.arg = g;
		g->page = BYTES;
		pmumap_vpmu_init(&g->vpmu);
		pmumap_vpmu_as_pmu(&g->vpmu, &g->pmu);
		g->server.map = map;
		g->server.pmu = &g->pmu;
		g->server.host = &g->host;
		g->server.xlen = world.m.xlen;
		g->server.granted = take(in, 1) & 0xfd;
		g->server.features = world.m.features & (SOF | SMC);
		g->server.rule = PMUMAP_RULE_ALWAYS;
		g->server.inhibit = PMUMAP_INHIBIT_M;
		g->server.width = 64;
		g->server.for_vs = shape >> 3 & 1;
		pmumap_server_init(&g->server);
	}
	world.reachable = world.guest[0].server.counters;
	MUST(pmumap_vpmu_restore(&world.guest[0].vpmu, &world.below) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes in = { data, size };
	struct pmumap *map;
	struct model rows;
	uint32_t steps = 0;

	fuzz_seed(data, size);
	random_state = fuzz_random() | 1;
	model_init(&rows);
	model_add_counters(&rows, 1, 2, 0xf8);
	take_rows(&in, &rows);
	map = build_rows(&rows);
	take_guests(&in, map);
	while (in.left && steps++ < MAX_STEPS)
		take_step(&in);
	MUST(world.m.reserved == 0);
	free(map);
	model_free(&rows);
	return 0;
}
