/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * sbi_pmu_server.c -- implements sbi_pmu.h of OpenSBI with pmumap_server.h. See README.md.
 *
 * Events and counters come from sbi_pmu_map.c, values for mhpmevent from the platform's operation
 * pmu_xlate_to_mhpmevent.
 */
#include <sbi/riscv_asm.h>
#include <sbi/sbi_console.h>
#include <sbi/sbi_domain.h>
#include <sbi/sbi_ecall_interface.h>
#include <sbi/sbi_hart.h>
#include <sbi/sbi_heap.h>
#include <sbi/sbi_platform.h>
#include <sbi/sbi_pmu.h>
#include <sbi/sbi_pmu_memory.h>
#include <sbi/sbi_pmu_map.h>
#include <sbi/sbi_scratch.h>
#include <sbi/sbi_sse.h>
#include <sbi/sbi_string.h>
#include <sbi/sbi_version.h>

#define PMUMAP_NO_STDINT
#define PMUMAP_NO_NATIVE /* OpenSBI accesses the CSRs; the header's code is 850 bytes more */
#include <sbi/pmumap.h>

/* Optimise for size: accesses of CSRs dominate, or it runs once at boot. */
#define PMUMAP_SMALL __attribute__((cold))

#define SINCE(major, minor) (OPENSBI_VERSION >= ((major) << 16 | (minor)))

struct hart_state {
	struct pmumap_server server;
	struct pmumap_hart hart;
	struct pmumap_pmu pmu; /* backend: hart plus the platform's device */
	struct pmumap_server_host host;
	bool sse; /* overflows reach the supervisor as SSE events, not as interrupts */
	uint32_t delegable;  /* counters that the supervisor may program */
	uint64_t low, bytes; /* memory granted to the guest for this call */
};

static const struct sbi_pmu_device *device;
static unsigned long
	state_offset; /* of the pointer in a hart's scratch space; 0: not set */

static struct hart_state *state_of(struct sbi_scratch *scratch)
{
	return state_offset
		       ? sbi_scratch_read_type(scratch, void *, state_offset)
		       : NULL;
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

/* ---- counters -------------------------------------------------------------------------------- */

/* Tells gcc that no other width occurs, so that it generates no code for one. */
#define ONLY_THIS_WIDTH(of)                      \
	do {                                     \
		if ((of)->xlen != __riscv_xlen)  \
			__builtin_unreachable(); \
	} while (0)

static uint64_t read_csr(void *arg, uint32_t csr)
{
	return csr_read_num(csr);
}

static void write_csr(void *arg, uint32_t csr, uint64_t value)
{
	csr_write_num(csr, value);
}

static bool has_sscofpmf(void)
{
	return sbi_hart_has_extension(sbi_scratch_thishart_ptr(),
				      SBI_HART_EXT_SSCOFPMF);
}

/* Whether a programmable counter has an event. At boot OpenSBI sets only the bits of Sscofpmf. */
static bool has_event(uint32_t counter)
{
	const unsigned long event = csr_read_num(CSR_MHPMEVENT3 + counter - 3);

#if __riscv_xlen == 32
	return event || (has_sscofpmf() &&
			 (csr_read_num(CSR_MHPMEVENT3H + counter - 3) &
			  ~(unsigned long)(MHPMEVENT_SSCOF_MASK >> 32)));
#else
	return event & ~MHPMEVENT_SSCOF_MASK;
#endif
}

/*
 * Whether the supervisor owns the counter (Smcdeleg): it has an event that no SBI call has set. The
 * supervisor releases it by writing 0 to the event.
 */
static PMUMAP_SMALL bool is_delegated(const struct hart_state *state,
				      uint32_t counter)
{
	const uint32_t free =
		state->delegable & ~(uint32_t)state->server.configured;

	return free >> counter & 1 && has_event(counter);
}

static int set_counter(void *arg, uint32_t counter,
		       const struct pmumap_job *job)
{
	const struct sbi_platform *plat = sbi_platform_thishart_ptr();
	struct pmumap_hart *hart	= arg;
	struct pmumap_job own		= *job;

	if (counter > 2) {
		own.selector = sbi_platform_pmu_xlate_to_mhpmevent(
			plat, job->event, job->data);
		if (!own.selector /* "no event" */ ||
		    is_delegated(container_of(hart, struct hart_state, hart),
				 counter))
			return 0;
	}
	ONLY_THIS_WIDTH(hart);
	if (!pmumap_hart_set(hart, counter, &own))
		return 0;
	if (device && device->hw_counter_disable_irq)
		device->hw_counter_disable_irq(counter);
	if (device && device->hw_counter_filter_mode)
		device->hw_counter_filter_mode(
			(job->inhibit & ~PMUMAP_INHIBIT_M)
				<< PMUMAP_SBI_INHIBIT_SHIFT,
			counter);
	return 1;
}

static PMUMAP_SMALL void start_counter(void *arg, uint32_t counter,
				       const uint64_t *value)
{
	struct pmumap_hart *hart = arg;

	if (device && device->hw_counter_enable_irq)
		device->hw_counter_enable_irq(counter);
	ONLY_THIS_WIDTH(hart);
	pmumap_hart_start(hart, counter, value);
}

static PMUMAP_SMALL void stop_counter(void *arg, uint32_t counter, int release)
{
	pmumap_hart_stop(arg, counter, release);
	if (device && device->hw_counter_disable_irq)
		device->hw_counter_disable_irq(counter);
}

/* ---- overflows ------------------------------------------------------------------------------- */

#if SINCE(1, 7)
PMUMAP_SMALL int sbi_pmu_irq_bit(void)
{
	if (has_sscofpmf())
		return IRQ_PMU_OVF;
	return device && device->hw_counter_irq_bit
		       ? device->hw_counter_irq_bit()
		       : -1;
}

PMUMAP_SMALL unsigned long sbi_pmu_irq_mask(void)
{
	const int bit = sbi_pmu_irq_bit();

	return bit < 0 ? 0 : BIT(bit);
}
#else
PMUMAP_SMALL int sbi_pmu_irq_bit(void)
{
	if (has_sscofpmf())
		return MIP_LCOFIP;
	return device && device->hw_counter_irq_bit
		       ? device->hw_counter_irq_bit()
		       : 0;
}

#define sbi_pmu_irq_mask() ((unsigned long)sbi_pmu_irq_bit())
#define SBI_SSE_EVENT_LOCAL_PMU_OVERFLOW SBI_SSE_EVENT_LOCAL_PMU
#define sbi_sse_add_event sbi_sse_set_cb_ops
#endif

/* Mask it: the interrupt stays pending until the supervisor stops the counter. */
void sbi_pmu_ovf_irq()
{
	csr_clear(CSR_MIE, sbi_pmu_irq_mask());
	sbi_sse_inject_event(SBI_SSE_EVENT_LOCAL_PMU_OVERFLOW);
}

/* From now on M-mode takes the interrupt and injects an SSE event. */
static PMUMAP_SMALL void take_irq(uint32_t event_id)
{
	state_of(sbi_scratch_thishart_ptr())->sse = true;
	csr_clear(CSR_MIDELEG, sbi_pmu_irq_mask());
}

static PMUMAP_SMALL void give_irq_back(uint32_t event_id)
{
	state_of(sbi_scratch_thishart_ptr())->sse = false;
	csr_set(CSR_MIDELEG, sbi_pmu_irq_mask());
}

static PMUMAP_SMALL void enable_irq(uint32_t event_id)
{
	csr_set(CSR_MIE, sbi_pmu_irq_mask());
}

static PMUMAP_SMALL void disable_irq(uint32_t event_id)
{
	csr_clear(CSR_MIE, sbi_pmu_irq_mask());
	csr_clear(CSR_MIP, sbi_pmu_irq_mask());
}

#if !SINCE(1, 7)
/* SSE of 1.6 has no callbacks for registering and unregistering an event. */
static PMUMAP_SMALL void take_and_enable_irq(uint32_t event_id)
{
	take_irq(event_id);
	csr_clear(CSR_MIP, sbi_pmu_irq_mask());
	enable_irq(event_id);
}

static PMUMAP_SMALL void disable_and_give_irq_back(uint32_t event_id)
{
	disable_irq(event_id);
	give_irq_back(event_id);
}
#endif

static const struct sbi_sse_cb_ops overflow_event = {
#if SINCE(1, 7)
	.register_cb   = take_irq,
	.unregister_cb = give_irq_back,
	.enable_cb     = enable_irq,
	.disable_cb    = disable_irq,
#endif
#if !SINCE(1, 7)
	.enable_cb  = take_and_enable_irq,
	.disable_cb = disable_and_give_irq_back,
#endif
	.complete_cb = enable_irq,
};

/* ---- the supervisor's side ------------------------------------------------------------------- */

/* Whether the domain grants it all. Before 1.9 it accepts ranges that wrap or end at 0. */
static PMUMAP_SMALL __attribute__((noinline)) int
ask_for_memory(struct hart_state *state, unsigned long low, unsigned long bytes)
{
	if (low + bytes <= low ||
	    !sbi_domain_check_addr_range(sbi_domain_thishart_ptr(), low, bytes,
					 PRV_S,
					 SBI_DOMAIN_READ | SBI_DOMAIN_WRITE))
		return 0;
	state->low   = low;
	state->bytes = bytes;
	return 1;
}

/*
 * Asking the domain is expensive, and its answer cannot change during a call. EVENT_GET_INFO asks
 * for all of its memory first, accesses nothing else, and writes only outputs.
 */
static int access_memory(void *arg, uint64_t low, uint64_t high, void *data,
			 uint64_t bytes, int write)
{
	struct hart_state *state = arg;

	if (high || bytes > ~0UL)
		return 0;
	if (!data)
		return ask_for_memory(state, low, bytes);
	if (low - state->low > state->bytes ||
	    bytes > state->bytes - (low - state->low))
		return 0;
	return sbi_pmu_move_entries(low, data, bytes, write);
}

/* OpenSBI calls sbi_pmu_ctr_incr_fw() for every firmware event of SBI. */
static int counts(void *arg, uint32_t code, uint64_t data)
{
	return code < PMUMAP_SERVER_FW_EVENTS;
}

/* Serve an SBI call. Returns its error, or 0 with the result in *value. */
static int call(u32 function, const uint64_t *args, unsigned long *value)
{
	struct hart_state *state = state_of(sbi_scratch_thishart_ptr());
	struct pmumap_sbi_ret ret;

	if (!state)
		return SBI_EINVAL;
	ONLY_THIS_WIDTH(&state->server);
	state->bytes = 0;
	ret	     = pmumap_server_call(&state->server, function, args);
	*value	     = ret.value;
	return ret.error;
}

unsigned long sbi_pmu_num_ctr(void)
{
	struct hart_state *state = state_of(sbi_scratch_thishart_ptr());

	return state ? state->server.total : 0;
}

PMUMAP_SMALL int sbi_pmu_ctr_get_info(unsigned long cidx,
				      unsigned long *ctr_info)
{
	const uint64_t args[6] = { cidx };

	return call(PMUMAP_SBI_GET_INFO, args, ctr_info);
}

/* Remove the supervisor's own counters from a set. Returns whether that left some others. */
static PMUMAP_SMALL bool leave_delegated(uint64_t *set)
{
	const struct hart_state *state = state_of(sbi_scratch_thishart_ptr());
	uint32_t n, taken = 0;

	if (!state->delegable || set[0] > 31)
		return false;
	for (n = 3; n < 32; n++)
		taken |= (uint32_t)is_delegated(state, n) << n;
	taken = set[1] & (taken >> set[0]);
	set[1] -= taken;
	return taken && set[1];
}

/* If the supervisor owns the chosen counter, search once more without its counters. */
int sbi_pmu_ctr_cfg_match(unsigned long cidx_base, unsigned long cidx_mask,
			  unsigned long flags, unsigned long event_idx,
			  uint64_t event_data)
{
	uint64_t args[6] = { cidx_base, cidx_mask,  flags,
			     event_idx, event_data, event_data >> 32 };
	unsigned long counter;
	int rc;

	do
		rc = call(PMUMAP_SBI_CONFIG_MATCHING, args, &counter);
	while (rc == SBI_ENOTSUPP && leave_delegated(args));
	return rc ? rc : counter;
}

/*
 * sbi_ecall_pmu.c has no call that sets memory for snapshots, so both flags are errors. Masking the
 * flag tells gcc that the server never sees it, and gcc drops the snapshot code.
 */
int sbi_pmu_ctr_start(unsigned long cidx_base, unsigned long cidx_mask,
		      unsigned long flags, uint64_t ival)
{
	const unsigned long snapshot = SBI_PMU_START_FLAG_INIT_FROM_SNAPSHOT;
	const uint64_t args[6] = { cidx_base, cidx_mask, flags & ~snapshot,
				   ival, ival >> 32 };
	unsigned long none;

	if (flags & snapshot)
		return SBI_ENO_SHMEM;
	return call(PMUMAP_SBI_START, args, &none);
}

int sbi_pmu_ctr_stop(unsigned long cidx_base, unsigned long cidx_mask,
		     unsigned long flag)
{
	const unsigned long snapshot = SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT;
	const uint64_t args[6]	 = { cidx_base, cidx_mask, flag & ~snapshot };
	struct hart_state *state = state_of(sbi_scratch_thishart_ptr());
	unsigned long none;
	int rc;

	if (flag & snapshot)
		return SBI_ENO_SHMEM;
	rc = call(PMUMAP_SBI_STOP, args, &none);
	/* A stopped counter must not leave an overflow pending. */
	if (state && state->sse)
		csr_clear(CSR_MIP, sbi_pmu_irq_mask());
	return rc;
}

#if SINCE(1, 9)
int sbi_pmu_ctr_fw_read(unsigned long cidx, uint64_t *cval, bool high_bits)
#else
int sbi_pmu_ctr_fw_read(unsigned long cidx, uint64_t *cval)
#endif
{
	const uint64_t args[6] = { cidx };
	unsigned long low, high = 0;
	int rc = call(PMUMAP_SBI_FW_READ, args, &low);

	if (!rc && __riscv_xlen == 32)
		rc = call(PMUMAP_SBI_FW_READ_HI, args, &high);
	if (!rc)
		*cval = low | (uint64_t)high << 32;
	return rc;
}

int sbi_pmu_event_get_info(unsigned long shmem_lo, unsigned long shmem_high,
			   unsigned long num_events, unsigned long flags)
{
	const uint64_t args[6] = { shmem_lo, shmem_high, num_events, flags };
	unsigned long none;

	return call(PMUMAP_SBI_EVENT_GET_INFO, args, &none);
}

int sbi_pmu_ctr_incr_fw(enum sbi_pmu_fw_event_code_id fw_id)
{
	struct hart_state *state = state_of(sbi_scratch_thishart_ptr());

	if (state)
		pmumap_server_firmware_event(&state->server, fw_id, 0);
	return 0;
}

/* ---- harts come and go ----------------------------------------------------------------------- */

static PMUMAP_SMALL int init_machine(struct sbi_scratch *scratch)
{
	int rc = sbi_platform_pmu_init(sbi_platform_ptr(scratch));

	if (rc)
		sbi_printf("PMU: platform error %d\n", rc);
	sbi_pmu_finish_map(NULL);
	state_offset = sbi_scratch_alloc_type_offset(void *);
	if (!state_offset)
		return SBI_ENOMEM;
	if (sbi_pmu_irq_mask())
		sbi_sse_add_event(SBI_SSE_EVENT_LOCAL_PMU_OVERFLOW,
				  &overflow_event);
	return 0;
}

static PMUMAP_SMALL void fill_in(struct hart_state *state,
				 struct sbi_scratch *scratch)
{
	static const struct pmumap nothing;
	struct pmumap_hart *hart     = &state->hart;
	struct pmumap_server *server = &state->server;
	const struct pmumap *map     = sbi_pmu_thishart_map();

	hart->read     = read_csr;
	hart->write    = write_csr;
	hart->xlen     = __riscv_xlen;
	hart->counters = sbi_hart_mhpm_mask(scratch) | SBI_PMU_CY_IR_MASK;
	hart->width    = sbi_hart_mhpm_bits(scratch);
	if (sbi_hart_priv_version(scratch) >= SBI_HART_PRIV_VER_1_11)
		hart->features |= PMUMAP_MCOUNTINHIBIT;
	if (sbi_hart_has_extension(scratch, SBI_HART_EXT_SSCOFPMF))
		hart->features |= PMUMAP_SSCOFPMF;
	if (sbi_hart_has_extension(scratch, SBI_HART_EXT_SMCNTRPMF))
		hart->features |= PMUMAP_SMCNTRPMF;
	/* The operations left out are for snapshots. */
	state->pmu.set	 = set_counter;
	state->pmu.start = start_counter;
	state->pmu.stop	 = stop_counter;
	state->pmu.arg	 = hart;

	state->host.access = access_memory;
	state->host.counts = counts;
	state->host.arg	   = state;

	if (sbi_hart_has_extension(scratch, SBI_HART_EXT_SMCDELEG))
		state->delegable = hart->counters;

	server->map	 = map ? map : &nothing;
	server->pmu	 = &state->pmu;
	server->host	 = &state->host;
	server->xlen	 = __riscv_xlen;
	server->granted	 = hart->counters;
	server->features = hart->features;
	/* Andes counters interrupt through the platform's device. */
	if (sbi_hart_has_extension(scratch, SBI_HART_EXT_XANDESPMU))
		server->features |= PMUMAP_CAN_INTERRUPT;
	/* Without a tree's selectors the platform translates events. */
	server->rule	= PMUMAP_RULE_ABSENT;
	server->inhibit = PMUMAP_INHIBIT_M;
	server->width	= hart->width;
	pmumap_server_init(server);
}

PMUMAP_SMALL int sbi_pmu_init(struct sbi_scratch *scratch, bool cold_boot)
{
	struct hart_state *state;
	int rc = cold_boot ? init_machine(scratch) : 0;

	if (rc)
		return rc;
	state = state_of(scratch);
	if (state) {
		pmumap_server_reset(&state->server);
		return 0;
	}
	state = sbi_zalloc(sizeof(*state));
	if (!state)
		return SBI_ENOMEM;
	fill_in(state, scratch);
	sbi_scratch_write_type(scratch, void *, state_offset, state);
	return 0;
}

PMUMAP_SMALL void sbi_pmu_exit(struct sbi_scratch *scratch)
{
	struct hart_state *state = state_of(scratch);

	if (state) {
		pmumap_server_reset(&state->server);
		state->sse = false;
	}
	if (sbi_hart_priv_version(scratch) >= SBI_HART_PRIV_VER_1_11)
		csr_write(CSR_MCOUNTINHIBIT,
			  ~(unsigned long)SBI_PMU_FIXED_CTR_MASK);
	if (sbi_hart_priv_version(scratch) >= SBI_HART_PRIV_VER_1_10)
		csr_write(CSR_MCOUNTEREN, -1);
}
