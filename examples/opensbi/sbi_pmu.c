/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sbi_pmu.c -- for OpenSBI, in the place of lib/sbi/sbi_pmu.c and lib/sbi/sbi_ecall_pmu.c: the PMU
 * extension by pmumap_server.h. See README.md.
 *
 * Rows come from the platform through the two functions that have always taken them, whatever reads
 * its tree, and values for mhpmevent from its operation pmu_xlate_to_mhpmevent.
 */
#include <sbi/riscv_asm.h>
#include <sbi/sbi_console.h>
#include <sbi/sbi_domain.h>
#include <sbi/sbi_ecall.h>
#include <sbi/sbi_ecall_interface.h>
#include <sbi/sbi_error.h>
#include <sbi/sbi_hart.h>
#include <sbi/sbi_heap.h>
#include <sbi/sbi_platform.h>
#include <sbi/sbi_pmu.h>
#include <sbi/sbi_scratch.h>

#define PMUMAP_NO_STDINT
#define PMUMAP_BINDINGS PMUMAP_RISCV
#include <sbi_utils/fdt/pmumap_hw.h>
#include <sbi_utils/fdt/pmumap_server.h>

#ifndef SBI_PMU_BLOCK
#define SBI_PMU_BLOCK 16384 /* bytes; 255 rows of any kind take less */
#endif

/*
 * 1: offer snapshots. Linux 6.12, after an overflow, asks for its counters by a base of 4096 if it
 * has them: they stay stopped, and perf gets one sample instead of many.
 */
#ifndef SBI_PMU_SNAPSHOTS
#define SBI_PMU_SNAPSHOTS 0
#endif

struct hart_state {
	struct pmumap_server server;
	struct pmumap_hart hart;
	struct pmumap_pmu pmu; /* of hart, but for set */
	struct pmumap_server_host host;
	uint64_t low, bytes; /* memory that is the guest's, for the time of a call */
};

static uint64_t block[SBI_PMU_BLOCK / 8];
static struct pmumap_builder builder;
static const struct pmumap *map; /* in block; NULL: rows are still being added */
static const struct sbi_pmu_device *device;
static unsigned long state_offset; /* of the pointer in a hart's scratch space; 0: none yet */

static struct hart_state *state_of(struct sbi_scratch *scratch)
{
	return state_offset ? sbi_scratch_read_type(scratch, void *, state_offset) : NULL;
}

/* ---- the platform's side --------------------------------------------------------------------- */

const struct sbi_pmu_device *sbi_pmu_get_device(void)
{
	return device;
}

void sbi_pmu_set_device(const struct sbi_pmu_device *dev)
{
	if (!device)
		device = dev;
}

int sbi_pmu_add_hw_event_counter_map(u32 eidx_start, u32 eidx_end, u32 cmap)
{
	return map || pmumap_add_counters(&builder, eidx_start, eidx_end, cmap) ? SBI_EINVAL : 0;
}

int sbi_pmu_add_raw_event_counter_map(uint64_t select, uint64_t select_mask, u32 cmap)
{
	return map || pmumap_add_raw(&builder, select, select_mask, cmap) ? SBI_EINVAL : 0;
}

static int set(void *arg, uint32_t counter, const struct pmumap_job *job)
{
	const struct sbi_platform *plat = sbi_platform_thishart_ptr();
	struct pmumap_job own = *job;

	if (counter > 2) {
		own.selector = sbi_platform_pmu_xlate_to_mhpmevent(plat, job->event, job->data);
		if (!own.selector) /* "no event" */
			return 0;
	}
	return pmumap_hart_set(arg, counter, &own);
}

/* ---- the supervisor's side ------------------------------------------------------------------- */

/* By words: sbi_memcpy() goes by bytes, and would be most of what EVENT_GET_INFO costs. */
static void move_words(volatile uint64_t *to, const volatile uint64_t *from, uint64_t bytes)
{
	/* Two at once, as the entries of EVENT_GET_INFO have. */
	for (; bytes >= 16; bytes -= 16, to += 2, from += 2) {
		to[0] = from[0];
		to[1] = from[1];
	}
	if (bytes)
		*to = *from;
}

/*
 * What the domain grants does not change during a call, and to ask for it is dear: so what was asked
 * for as a whole is remembered until the call ends. With Smepmp it would have to be mapped for each
 * access: then there is none.
 */
static int access_memory(void *arg, uint64_t low, uint64_t high, void *data, uint64_t bytes,
			 int write)
{
	struct hart_state *state = arg;
	void *at = (void *)(unsigned long)low;
	bool known = low - state->low <= state->bytes && bytes <= state->bytes - (low - state->low);

	if (high || bytes > ~0UL)
		return 0;
	if (!known && (sbi_hart_has_extension(sbi_scratch_thishart_ptr(), SBI_HART_EXT_SMEPMP) ||
		       !sbi_domain_check_addr_range(sbi_domain_thishart_ptr(), low, bytes, PRV_S,
						    SBI_DOMAIN_READ | SBI_DOMAIN_WRITE)))
		return 0;
	if (data) {
		move_words(write ? at : data, write ? data : at, bytes);
	} else {
		state->low = low;
		state->bytes = bytes;
	}
	return 1;
}

/* sbi_pmu_ctr_incr_fw() is called for all of SBI's. */
static int counts(void *arg, uint32_t code, uint64_t data)
{
	return code < PMUMAP_SERVER_FW_EVENTS;
}

static int handle(unsigned long extid, unsigned long funcid, struct sbi_trap_regs *regs,
		  struct sbi_ecall_return *out)
{
#if __riscv_xlen == 64
	const uint64_t *args = &regs->a0; /* the others follow */
#else
	const uint64_t args[6] = { regs->a0, regs->a1, regs->a2, regs->a3, regs->a4, regs->a5 };
#endif
	struct hart_state *state = state_of(sbi_scratch_thishart_ptr());
	struct pmumap_sbi_ret ret;

	if (!state || funcid > ~(uint32_t)0 ||
	    (funcid == PMUMAP_SBI_SNAPSHOT_SET_SHMEM && !SBI_PMU_SNAPSHOTS))
		return SBI_ENOTSUPP;
	state->bytes = 0;
	ret = pmumap_server_call(&state->server, funcid, args);
	out->value = ret.value;
	return ret.error;
}

struct sbi_ecall_extension ecall_pmu;

static int register_extension(void)
{
	return sbi_ecall_register_extension(&ecall_pmu);
}

struct sbi_ecall_extension ecall_pmu = {
	.name = "pmu",
	.extid_start = SBI_EXT_PMU,
	.extid_end = SBI_EXT_PMU,
	.register_extensions = register_extension,
	.handle = handle,
};

int sbi_pmu_ctr_incr_fw(enum sbi_pmu_fw_event_code_id fw_id)
{
	struct hart_state *state = state_of(sbi_scratch_thishart_ptr());

	if (state)
		pmumap_server_count(&state->server, fw_id, 0);
	return 0;
}

int sbi_pmu_irq_bit(void)
{
	if (sbi_hart_has_extension(sbi_scratch_thishart_ptr(), SBI_HART_EXT_SSCOFPMF))
		return MIP_LCOFIP;
	return 0;
}

/* The interrupt is the supervisor's; nobody has asked for it here. */
void sbi_pmu_ovf_irq()
{
	csr_clear(CSR_MIE, MIP_LCOFIP);
}

/* ---- harts come and go ----------------------------------------------------------------------- */

static int build_map(struct sbi_scratch *scratch)
{
	enum pmumap_status status;
	int rc;

	pmumap_begin(&builder, block, sizeof(block));
	rc = sbi_platform_pmu_init(sbi_platform_ptr(scratch));
	if (rc)
		sbi_printf("PMU: error %d of the platform\n", rc);
	status = pmumap_finish(&builder, &map);
	if (status == PMUMAP_OK)
		return 0;
	sbi_printf("PMU: %s\n", pmumap_status_str(status));
	return SBI_ENOMEM;
}

static void fill_in(struct hart_state *state, struct sbi_scratch *scratch)
{
	struct pmumap_hart *hart = &state->hart;
	struct pmumap_server *server = &state->server;

	pmumap_hart_native(hart);
	hart->counters = sbi_hart_mhpm_mask(scratch) | SBI_PMU_CY_IR_MASK;
	hart->width = sbi_hart_mhpm_bits(scratch);
	if (sbi_hart_priv_version(scratch) >= SBI_HART_PRIV_VER_1_11)
		hart->features |= PMUMAP_MCOUNTINHIBIT;
	if (sbi_hart_has_extension(scratch, SBI_HART_EXT_SSCOFPMF))
		hart->features |= PMUMAP_SSCOFPMF;
	if (sbi_hart_has_extension(scratch, SBI_HART_EXT_SMCNTRPMF))
		hart->features |= PMUMAP_SMCNTRPMF;
	pmumap_hart_pmu(hart, &state->pmu);
	state->pmu.set = set;

	server->map = map;
	server->pmu = &state->pmu;
	state->host.access = access_memory;
	state->host.counts = counts;
	state->host.arg = state;
	server->host = &state->host;
	server->xlen = __riscv_xlen;
	server->granted = hart->counters;
	server->features = hart->features;
	server->rule = PMUMAP_RULE_ALWAYS; /* the platform decides */
	server->inhibit = PMUMAP_INHIBIT_M;
	server->width = hart->width;
	pmumap_server_init(server);
}

int sbi_pmu_init(struct sbi_scratch *scratch, bool cold_boot)
{
	struct hart_state *state;
	int rc;

	if (cold_boot) {
		rc = build_map(scratch);
		if (rc)
			return rc;
		state_offset = sbi_scratch_alloc_type_offset(void *);
		if (!state_offset)
			return SBI_ENOMEM;
	}
	state = state_of(scratch);
	if (!state) {
		state = sbi_zalloc(sizeof(*state));
		if (!state)
			return SBI_ENOMEM;
		fill_in(state, scratch);
		sbi_scratch_write_type(scratch, void *, state_offset, state);
	}
	return 0;
}

void sbi_pmu_exit(struct sbi_scratch *scratch)
{
	struct hart_state *state = state_of(scratch);

	if (state)
		pmumap_server_reset(&state->server);
	if (sbi_hart_priv_version(scratch) >= SBI_HART_PRIV_VER_1_11)
		csr_write(CSR_MCOUNTINHIBIT, ~(unsigned long)SBI_PMU_FIXED_CTR_MASK);
	if (sbi_hart_priv_version(scratch) >= SBI_HART_PRIV_VER_1_10)
		csr_write(CSR_MCOUNTEREN, -1);
}
