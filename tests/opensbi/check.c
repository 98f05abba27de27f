/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check.c -- runs in S-mode on any SBI firmware and prints a line for each event: event, data, all
 * counters that can be allocated at once, and the answer of EVENT_GET_INFO.
 */
#include "smode.h"

/* Allocates counters until none is left; stops when a fixed counter is returned again. */
static uint64_t take_all(uint32_t event, uint64_t data, uint64_t mask)
{
	uint64_t taken = 0;
	struct ret ret;

	for (;;) {
		ret = sbi(PMU, 2, 0, (long)mask, 0, event, (long)data, 0);
		if (ret.error || taken >> ret.value & 1)
			break;
		taken |= (uint64_t)1 << ret.value;
	}
	if (taken)
		sbi(PMU, 4, 0, (long)taken, 1, 0, 0, 0);
	return taken;
}

static uint32_t info(uint32_t event, uint64_t data)
{
	static _Alignas(16) volatile uint32_t entry[4];

	entry[0] = event;
	entry[1] = 77;
	entry[2] = (uint32_t)data;
	entry[3] = (uint32_t)(data >> 32);
	sbi(PMU, 8, (long)entry, 0, 1, 0, 0, 0);
	return entry[1];
}

static const struct {
	uint32_t event;
	uint64_t data;
} asked[] = {
	{ 0x1, 0 },       { 0x2, 0 },       { 0x3, 0 },        { 0x4, 0 },
	{ 0x5, 0 },       { 0x6, 0 },       { 0x7, 0 },        { 0x9, 0 },
	{ 0x10000, 0 },   { 0x10019, 0 },   { 0x1001b, 0 },    { 0x10021, 0 },
	{ 0x20000, 0x2 }, { 0x20000, 0x5 }, { 0x20000, 0x77 }, { 0x30000, 0x2 },
};

void check(void)
{
	const uint64_t mask = ((uint64_t)1 << (sbi(PMU, 0, 0, 0, 0, 0, 0, 0).value - 1)) - 1;
	unsigned i;

	put('\n');
	for (i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		put('=');
		print_hex(asked[i].event, ' ');
		print_hex(asked[i].data, ' ');
		print_hex(take_all(asked[i].event, asked[i].data, mask), ' ');
		print_hex(info(asked[i].event, asked[i].data), '\n');
	}
	sbi(0x53525354, 0, 0, 0, 0, 0, 0, 0);
	for (;;)
		;
}
