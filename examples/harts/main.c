/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Firmware that serves SBI's PMU extension on two harts: one map, and a hart, counters and a server
 * for each. The guest of each hart, in S-mode, counts its instructions through SBI.
 */
#include "pmumap_fdt.h"
#include "pmumap_hw.h"
#include "pmumap_server.h"
#include "runtime.h"

#define HARTS 2u
#define ROUNDS 1000u
#define ECALL_FROM_S 9

extern char guest_trap[], trap_stacks[];
extern volatile uint32_t no_map;
void run_hart_1(void);
void guest_trapped(unsigned long *a0, unsigned long cause);

static struct own {
	struct pmumap_hart hart;
	struct pmumap_pmu counters;
	struct pmumap_server server;
} own[HARTS];

static const struct pmumap *map;
volatile uint32_t no_map = 1;       /* hart 1 waits: it is in .data, because .bss is cleared late */
static volatile unsigned long turn; /* the hart that may print */

static unsigned long this_hart(void)
{
	unsigned long id;

	__asm__ volatile("csrr %0, mhartid" : "=r"(id));
	return id;
}

/* These guests pass no addresses. Others: allow only the guest's own memory. */
static int access(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes, int write)
{
	(void)arg, (void)low, (void)high, (void)data, (void)bytes, (void)write;
	return 0;
}

static int counts(void *arg, uint32_t code, uint64_t data)
{
	(void)arg, (void)code, (void)data;
	return 0; /* no firmware events */
}

static void start_server(struct own *o)
{
	static const struct pmumap_server_host host = { access, counts, 0 };

	pmumap_hart_init_machine(&o->hart);
	pmumap_hart_probe(&o->hart);
	pmumap_hart_as_pmu(&o->hart, &o->counters);
	pmumap_hart_permit(&o->hart, o->hart.counters);
	o->server.map = map;
	o->server.pmu = &o->counters;
	o->server.host = &host;
	o->server.xlen = o->hart.xlen;
	o->server.granted = o->hart.counters;
	o->server.features = o->hart.features;
	o->server.rule = PMUMAP_RULE_ABSENT;
	o->server.inhibit = PMUMAP_INHIBIT_M;
	o->server.width = o->hart.width;
	pmumap_server_init(&o->server);
}

void guest_trapped(unsigned long *a0, unsigned long cause)
{
	if (cause == ECALL_FROM_S && a0[7] == PMUMAP_SBI_EID) {
		pmumap_server_ecall(&own[this_hart()].server, a0);
	} else if (cause == ECALL_FROM_S) {
		a0[0] = (unsigned long)-2; /* firmware has other extensions here */
	} else {
		put("a guest trapped\n");
		finish(98);
	}
}

/* ---- the guests, in S-mode -------------------------------------------------------------------- */

static void print(unsigned long id, const char *what, uint64_t value)
{
	put("hart ");
	put_decimal(id, 0);
	put(what);
	put_decimal(value, 0);
	put("\n");
}

static void guest(unsigned long id)
{
	static uint64_t blocks[HARTS][PMUMAP_BLOCK(0, 52, 0) / 8];
	static struct pmumap_sbi counters[HARTS];
	struct pmumap_sbi *sbi = &counters[id];
	struct pmumap_builder builder;
	const struct pmumap *mine;
	struct pmumap_job job;
	uint64_t count = 0;
	int n = PMUMAP_UNSUPPORTED;

	pmumap_sbi_init(sbi);
	pmumap_sbi_probe(sbi);
	pmumap_begin(&builder, blocks[id], sizeof(blocks[id]));
	if (!pmumap_add_sbi(&builder, sbi) && !pmumap_finish(&builder, &mine))
		n = pmumap_plan(mine, 2, 0, sbi->counters, sbi->features, PMUMAP_RULE_ALWAYS, &job);
	if (n < 0 || !pmumap_sbi_set(sbi, (uint32_t)n, &job)) {
		print(id, ": no counter of ", sbi->counters);
		finish(1);
	}
	pmumap_sbi_start(sbi, (uint32_t)n, &count);
	for (volatile unsigned i = 0; i < ROUNDS; i++)
		;
	count = pmumap_sbi_read(sbi, (uint32_t)n);
	while (turn != id)
		;
	print(id, ": counter ", (unsigned)n);
	print(id, count > ROUNDS ? ": more instructions than " : ": not even ", ROUNDS);
	turn = id + 1;
	while (id || turn < HARTS)
		;
	finish(0);
}

static void first_guest(void)
{
	guest(0);
}

static void second_guest(void)
{
	guest(1);
}

static void serve(unsigned long id)
{
	start_server(&own[id]);
	__asm__ volatile("csrw mscratch, %0" : : "r"(trap_stacks + 4096 * (id + 1)));
	__asm__ volatile("csrw mtvec, %0" : : "r"(guest_trap));
	enter_s_mode(id ? second_guest : first_guest);
}

void run_hart_1(void)
{
	serve(1);
}

int main(unsigned long id, const void *fdt)
{
	static uint64_t block[PMUMAP_BLOCK(64, 64, 64) / 8];
	enum pmumap_status status =
		pmumap_fdt_build(fdt, pmumap_fdt_size(fdt), NULL, block, sizeof(block), &map);

	if (status != PMUMAP_OK) {
		put(pmumap_status_str(status));
		return 1;
	}
	__atomic_store_n(&no_map, 0, __ATOMIC_RELEASE);
	serve(id);
	return 0;
}
