/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmu.c -- SBI's PMU extension for bbl, and the base extension that announces it.
 */
#include <string.h>

#include "pmumap_check.h"
#include "pmumap_hw.h"
#include "pmumap_server.h"
#include "mtrap.h"
#include "mcall.h"
#include "pmu.h"

#define SBI_BASE 0x10
#define SBI_LAST_OLD_CALL SBI_SHUTDOWN

/* The largest known tree (SG2044) needs 6800 bytes. A tree that needs more is reported. */
#define PMU_BLOCK 8192

extern char pmu_skip[]; /* pmu_skip.S */
extern char _ftext, _end;

static struct {
	struct pmumap_hart hart;
	struct pmumap_pmu counters;
	struct pmumap_server server;
} pmu[MAX_HARTS];

static uint64_t block[PMU_BLOCK / 8];
static const struct pmumap *map;

static void report(void *arg, const struct pmumap_finding *finding)
{
	(void)arg;
	if (finding->severity == PMUMAP_NOTE)
		return;
	printm("PMU: %s %s: %s", pmumap_severity_str(finding->severity), finding->name,
	       finding->property ? finding->property : "the tree");
	if (finding->row != PMUMAP_NO_ROW)
		printm(", row %d", (int)finding->row);
	printm("\r\n");
}

void pmu_read_tree(uintptr_t dtb)
{
	const struct pmumap_fdt_options options = { .check = pmumap_check, .report = report };
	struct pmumap_builder builder;
	enum pmumap_status status;

	status = pmumap_fdt_build((const void *)dtb, pmumap_fdt_size((const void *)dtb), &options,
				  block, sizeof(block), &map);
	if (status == PMUMAP_OK)
		return;
	printm("PMU: %s\r\n", pmumap_status_str(status));
	/* An empty map: mcycle and minstret alone, which need Smcntrpmf beside Sscofpmf. */
	pmumap_begin(&builder, block, sizeof(block));
	pmumap_finish(&builder, &map);
}

void pmu_filter_tree(uintptr_t dtb)
{
	pmumap_fdt_fixup((void *)dtb, pmumap_fdt_size((const void *)dtb));
}

/* The payload may use all memory except bbl's own. */
static int access_memory(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
			 int write)
{
	const uint64_t own = (uintptr_t)&_ftext, end = (uintptr_t)&_end;

	(void)arg;
	if (high || low < MEM_START || low - MEM_START > mem_size ||
	    bytes > mem_size - (low - MEM_START) || (low < end && low + bytes > own))
		return 0;
	if (data && write)
		memcpy((void *)(uintptr_t)low, data, bytes);
	else if (data)
		memcpy(data, (const void *)(uintptr_t)low, bytes);
	return 1;
}

/* The code of the SBI firmware event that a legacy call causes; -1: none. */
static int event_of(uintptr_t extension)
{
	switch (extension) {
	case SBI_SET_TIMER:
		return 5;
	case SBI_SEND_IPI:
		return 6;
	case SBI_REMOTE_FENCE_I:
		return 8;
	case SBI_REMOTE_SFENCE_VMA:
		return 10;
	case SBI_REMOTE_SFENCE_VMA_ASID:
		return 12;
	default:
		return -1;
	}
}

static int counts(void *arg, uint32_t code, uint64_t data)
{
	(void)arg, (void)data;
	return code == 5 || code == 6 || code == 8 || code == 10 || code == 12;
}

void pmu_init_hart(void)
{
	static const struct pmumap_server_host host = { access_memory, counts, 0 };
	const uintptr_t id = read_csr(mhartid), vector = read_csr(mtvec);
	const uintptr_t scratch = read_csr(mscratch);
	struct pmumap_hart *hart = &pmu[id].hart;
	struct pmumap_server *server = &pmu[id].server;

	pmumap_hart_native(hart);
	write_csr(mtvec, (uintptr_t)pmu_skip);
	pmumap_hart_probe(hart);
	write_csr(mtvec, vector);
	write_csr(mscratch, scratch);
	pmumap_hart_permit(hart, hart->counters);
	pmumap_hart_pmu(hart, &pmu[id].counters);
	if (hart->features & PMUMAP_CAN_INTERRUPT)
		set_csr(mideleg, 1 << 13);

	server->map = map;
	server->pmu = &pmu[id].counters;
	server->host = &host;
	server->xlen = hart->xlen;
	server->granted = hart->counters;
	server->features = hart->features;
	server->rule = PMUMAP_RULE_ABSENT;
	server->inhibit = PMUMAP_INHIBIT_M;
	server->width = hart->width;
	pmumap_server_init(server);
}

/* The base extension in version 0.3, the first with counters. */
static uintptr_t base(uintptr_t function, uintptr_t extension)
{
	switch (function) {
	case 0:
		return 3;
	case 1:
		return 0; /* bbl's implementation id */
	case 2:
		return 1;
	case 3:
		return extension == SBI_BASE || extension == PMUMAP_SBI_EID ||
		       extension <= SBI_LAST_OLD_CALL;
	case 4:
		return read_csr(mvendorid);
	case 5:
		return read_csr(marchid);
	default:
		return read_csr(mimpid);
	}
}

int pmu_call(uintptr_t *regs)
{
	struct pmumap_server *server = &pmu[read_csr(mhartid)].server;
	const uintptr_t extension = regs[17];
	int event;

	if (extension == PMUMAP_SBI_EID) {
		pmumap_server_ecall(server, (unsigned long *)&regs[10]);
		return 1;
	}
	if (extension == SBI_BASE) {
		regs[11] = regs[16] <= 6 ? base(regs[16], regs[10]) : 0;
		regs[10] = regs[16] <= 6 ? 0 : (uintptr_t)PMUMAP_SBI_NOT_SUPPORTED;
		return 1;
	}
	event = event_of(extension);
	if (event >= 0)
		pmumap_server_count(server, (uint32_t)event, 0);
	return 0;
}
