/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/compiler.h"
#include "riscv/pmu.h"
#include "server/api.h"
#include "server/guest.h"
#include "server/counters.h"
#include "server/match.h"
#include "server/snapshot.h"
#include "server/sets.h"
#include "server/info.h"

/* FW_READ; high: FW_READ_HI, the upper half on RV32. */
static inline struct pmumap_sbi_ret pmumap_server_read_firmware_(const struct pmumap_server *s,
								 uint64_t n, int high)
{
	uint64_t value = 0;

	if (n < s->hardware || n >= s->hardware + PMUMAP_SERVER_FW_COUNTERS)
		return pmumap_server_make_ret_(PMUMAP_SBI_INVALID_PARAM, 0);
	if (s->state[n] & PMUMAP_SERVER_CONFIGURED_)
		value = s->fw_value[n - s->hardware];
	if (high)
		value = s->xlen == 32 ? value >> 32 : 0;
	return pmumap_server_make_ret_(PMUMAP_SBI_OK, value & pmumap_server_register_mask_(s));
}

PMUMAP_DEF struct pmumap_sbi_ret pmumap_server_call(struct pmumap_server *s, uint32_t function,
						    const uint64_t *args)
{
	uint64_t a[6];
	uint32_t i;

	for (i = 0; i < 6; i++) {
		a[i] = args[i] & pmumap_server_register_mask_(s);
		PMUMAP_NO_LIBCALL_();
	}
	switch (function) {
	case PMUMAP_SBI_NUM_COUNTERS:
		return pmumap_server_make_ret_(PMUMAP_SBI_OK,
					       s->hardware + PMUMAP_SERVER_FW_COUNTERS);
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

PMUMAP_DEF void pmumap_server_count(struct pmumap_server *s, uint32_t code, uint64_t data)
{
	uint32_t left = s->fw_counting, i;

	for (i = 0; left; left >>= 1, i++) {
		if ((left & 1) && s->fw_code[i] == code &&
		    (code != PMUMAP_SERVER_FW_PLATFORM || s->fw_data[i] == data))
			s->fw_value[i]++;
	}
}

PMUMAP_DEF void pmumap_server_init(struct pmumap_server *s)
{
	uint32_t granted = s->granted & ~2u, left, n;

	s->shared = 0;
	s->fw_counting = 0;
	s->hardware = 0;
	for (left = granted; left; left >>= 1)
		s->hardware++;
	for (n = 0; n < PMUMAP_SERVER_COUNTERS_; n++) {
		uint32_t present = n < s->hardware ? granted >> n & 1
						   : n < s->hardware + PMUMAP_SERVER_FW_COUNTERS;

		s->state[n] = present ? PMUMAP_SERVER_PRESENT_ : 0;
		PMUMAP_NO_LIBCALL_();
	}
}

PMUMAP_DEF void pmumap_server_reset(struct pmumap_server *s)
{
	uint32_t n;

	s->shared = 0;
	for (n = 0; n < PMUMAP_SERVER_COUNTERS_; n++) {
		if (s->state[n] & PMUMAP_SERVER_CONFIGURED_)
			pmumap_server_stop_counter_(s, n, 1);
	}
}
