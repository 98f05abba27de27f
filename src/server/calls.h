/* SPDX-License-Identifier: BSD-2-Clause */
/* Dispatch each call; init, count and reset */
#pragma once

#include "server/sets.h"
#include "server/info.h"

/* FW_READ, or FW_READ_HI (the upper half on RV32). */
static inline struct pmumap_sbi_ret pmumap_server_read_firmware_(struct pmumap_server *s,
								 uint64_t n, int high)
{
	uint64_t value;

	if (n < s->hardware || n >= s->total ||
	    !(pmumap_server_shift_down_(s->configured, (uint32_t)n) & 1))
		return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
	value = pmumap_server_firmware_(s, (uint32_t)n - s->hardware)->value;
	if (high)
		value = (value & ~s->ones) >> 32;
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, value & s->ones);
}

PMUMAP_DEF struct pmumap_sbi_ret pmumap_server_call(struct pmumap_server *s, uint32_t function,
						    const uint64_t *args)
{
	const uint64_t *a = args;
	uint64_t cut[6];
	uint32_t i;

	if (s->xlen == 32) {
		for (i = 0; i < 6; i++) {
			cut[i] = args[i] & 0xffffffffu;
			PMUMAP_NO_LIBCALL_();
		}
		a = cut;
	}
	switch (function) {
	case PMUMAP_SBI_NUM_COUNTERS:
		return pmumap_server_make_ret_(PMUMAP_SBI_OK, s->total);
	case PMUMAP_SBI_GET_INFO:
		return pmumap_server_get_counter_info_(s, a[0]);
	case PMUMAP_SBI_CONFIG_MATCHING:
		return pmumap_server_configure_set_(s, a);
	case PMUMAP_SBI_START:
		return pmumap_server_start_set_(s, a);
	case PMUMAP_SBI_STOP:
		return pmumap_server_stop_set_(s, a);
	case PMUMAP_SBI_FW_READ:
	case PMUMAP_SBI_FW_READ_HI:
		return pmumap_server_read_firmware_(s, a[0], function == PMUMAP_SBI_FW_READ_HI);
	case PMUMAP_SBI_SNAPSHOT_SET_SHMEM:
		return pmumap_server_make_ret_(pmumap_server_set_shmem_(s, a), 0);
	case PMUMAP_SBI_EVENT_GET_INFO:
		return pmumap_server_make_ret_(pmumap_server_get_event_info_(s, a), 0);
	default:
		return pmumap_server_make_ret_(PMUMAP_SBI_NOT_SUPPORTED, 0);
	}
}

PMUMAP_DEF void pmumap_server_ecall(struct pmumap_server *s, unsigned long *a0)
{
	uint64_t function = a0[6] & s->ones, args[6];
	struct pmumap_sbi_ret r;
	uint32_t i;

	for (i = 0; i < 6; i++) {
		args[i] = a0[i];
		PMUMAP_NO_LIBCALL_();
	}
	/* A function number above 32 bits is unknown too. */
	r = pmumap_server_call(s, function >> 32 ? 0xffffffffu : (uint32_t)function, args);
	a0[0] = (unsigned long)(long)r.error;
	a0[1] = (unsigned long)r.value;
}

PMUMAP_DEF void pmumap_server_firmware_event(struct pmumap_server *s, uint32_t code, uint64_t data)
{
	uint32_t left = (uint32_t)pmumap_server_shift_down_(s->started, s->hardware);

	if (code == PMUMAP_SERVER_FW_PLATFORM) {
		left &= s->fw_platform;
	} else {
		left &= ~s->fw_platform;
		data = code;
	}
	for (; left; left &= left - 1) {
		struct pmumap_server_fw *fw = pmumap_server_firmware_(s, pmumap_lowest_bit_(left));

		fw->value += fw->event == data;
	}
}

PMUMAP_DEF void pmumap_server_init_sized(struct pmumap_server *s, size_t bytes)
{
	size_t counters = (bytes - (sizeof(*s) - sizeof(s->fw))) / sizeof(s->fw[0]);
	uint32_t features = s->features;

	s->counters = s->granted & ~PMUMAP_TIME_BIT_;
	s->hardware = pmumap_bit_width_(s->counters);
	s->counters &= ~s->delegated;
	if (features & PMUMAP_CAN_FILTER)
		features |= PMUMAP_MUST_FILTER;
	s->usable = s->counters & pmumap_riscv_usable_counters_(features);
	s->total = s->hardware + (uint32_t)counters;
	s->ones = s->xlen == 32 ? 0xffffffffu : ~(uint64_t)0;
	s->fw_platform = 0;
	s->shared[0] = PMUMAP_SERVER_NOT_SHARED_;
	s->numbers = pmumap_server_shift_down_(~(uint64_t)0, 64 - s->total);
	s->matched = s->usable | (s->numbers & ~(pmumap_server_set_of_(s->hardware) - 1));
	s->configured = 0;
	s->started = 0;
}

PMUMAP_DEF void pmumap_server_reset(struct pmumap_server *s)
{
	s->shared[0] = PMUMAP_SERVER_NOT_SHARED_;
	while (s->configured)
		pmumap_server_stop_counter_(s, pmumap_server_lowest_number_(s->configured), 1);
}
