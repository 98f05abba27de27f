/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Compares this hart's registers with a model: does each of ROUNDS random operations on both, then
 * compares the result and all registers. In M-mode, then in S-mode if counters can be delegated.
 */
#include "tests/support/machine.h"
#include "runtime.h"

#define KEPT 0x10u     /* counter 4 stays with M-mode */
#define MOST 8u        /* most operations use counters below this */
#define ODD 0x8000000u /* an event that QEMU does not count */

static struct pmumap_hart hart, model;
static struct machine twin; /* of the hart; no time passes there */
static uint64_t seed = 88172645463325252u;

static uint32_t pick(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % n;
}

static int has(uint32_t n)
{
	return n < 32 && n != 1 && (hart.counters >> n & 1);
}

static int has_event(uint32_t n)
{
	return has(n) && (n > 2 || (hart.features & PMUMAP_SMCNTRPMF));
}

static int splits(uint32_t n)
{
	return hart.xlen == 32 && (hart.features & (n < 3 ? PMUMAP_SMCNTRPMF : PMUMAP_SSCOFPMF));
}

/* ---- the hart -------------------------------------------------------------------------------- */

static uint64_t read_event(uint32_t n)
{
	uint64_t high = splits(n) ? hart.read(hart.arg, 0x720 + (n ? n : 1)) : 0;

	return high << 32 | hart.read(hart.arg, 0x320 + (n ? n : 1));
}

static void write_event(const struct pmumap_hart *h, uint32_t n, uint64_t bits)
{
	if (splits(n))
		h->write(h->arg, 0x720 + (n ? n : 1), bits >> 32);
	h->write(h->arg, 0x320 + (n ? n : 1), h->xlen == 32 ? (uint32_t)bits : bits);
}

static uint64_t read_value(uint32_t n)
{
	uint64_t high = hart.xlen == 32 ? hart.read(hart.arg, 0xb80 + n) : 0;

	return high << 32 | hart.read(hart.arg, 0xb00 + n);
}

/* Starts from the hart's state. Returns whether all its events keep the same bits. */
static int learn(void)
{
	uint64_t kept, first[2] = { 0, 0 };
	uint32_t n, good = 1;

	machine_begin(&twin, hart.xlen, hart.features);
	twin.counters = hart.counters;
	twin.inhibit = (uint32_t)hart.read(hart.arg, 0x320);
	hart_begin(&model, &twin);
	model.below = hart.below;
	for (n = 0; n < 32; n++) {
		if (has_event(n)) {
			write_event(&hart, n, ~(uint64_t)0);
			kept = read_event(n);
			write_event(&hart, n, 0);
			good &= !first[n > 2] || first[n > 2] == kept;
			first[n > 2] = kept;
		}
		twin.value[n] = has(n) ? read_value(n) : 0;
	}
	twin.loses_modes = ~first[0];
	twin.loses = ~first[1];
	return (int)good;
}

/* Values of counters that QEMU is counting with are unknown. */
static int same_counter(uint32_t n)
{
	return (!has_event(n) || twin.event[n] == read_event(n)) &&
	       (n < 3 || !has(n) || twin.value[n] == read_value(n)) &&
	       (n > 31 || hart.selector[n] == model.selector[n]);
}

static int same(uint32_t counter)
{
	uint32_t n;

	for (n = 0; n < MOST; n++)
		if (!same_counter(n))
			return 0;
	return same_counter(counter) && twin.inhibit == hart.read(hart.arg, 0x320);
}

struct operation {
	uint32_t kind, counter, bits;
	uint64_t value;
};

static uint64_t operate(struct pmumap_hart *h, const struct operation *o)
{
	struct pmumap_job job = { 0, 0, o->counter == 0 ? 1 : 2, o->bits & 31, o->bits >> 5 & 1 };

	switch (o->kind) {
	case 0:
		job.selector = (o->value & 0xfffffffffu) | ODD;
		return (uint64_t)pmumap_hart_set(h, o->counter, &job);
	case 1:
		pmumap_hart_start(h, o->counter, o->bits & 1 ? &o->value : 0);
		return 0;
	case 2:
		pmumap_hart_stop(h, o->counter, o->bits & 1);
		return 0;
	case 3:
		return o->counter > 2 ? pmumap_hart_read(h, o->counter) : 0;
	case 4:
		return (uint64_t)pmumap_hart_overflowed(h, o->counter);
	default: /* interference: a suspend, an overflow */
		if (o->counter > 2 && has(o->counter))
			write_event(h, o->counter, o->value | ODD | (uint64_t)(o->bits & 1) << 63);
		return 0;
	}
}

static void choose(struct operation *o)
{
	o->kind = pick(6);
	o->counter = pick(8) ? pick(MOST) : pick(40);
	o->bits = pick(64);
	o->value = (uint64_t)pick(0xffffffffu) << 32 | pick(0xffffffffu);
	if (pick(2)) /* the same event again */
		o->value = o->counter < 32 ? hart.selector[o->counter] : 0;
	if (hart.xlen == 32 && !(hart.features & PMUMAP_SSCOFPMF))
		o->value &= 0xffffffffu;
}

/* Returns the number of differing operations. */
static uint32_t compare(const char *mode)
{
	uint32_t round, wrong = !learn();

	for (round = 0; round < ROUNDS; round++) {
		struct operation o;

		choose(&o);
		if (operate(&hart, &o) == operate(&model, &o) && same(o.counter))
			continue;
		wrong++;
		put("other: ");
		put_decimal(o.kind, 0);
		put(" ");
		put_decimal(o.counter, 0);
		put("\n");
		break;
	}
	put(mode);
	put(" counters ");
	put_hex(hart.counters, 0);
	put(" features ");
	put_hex(hart.features, 0);
	put(": ");
	put_decimal(round, 0);
	put(" operations as expected\n");
	return wrong;
}

static uint32_t wrong_in_m;

static void in_s_mode(void)
{
	static const struct pmumap_hart none;

	hart = model = none;
	pmumap_hart_init_supervisor(&hart);
	pmumap_hart_probe(&hart);
	wrong_in_m += compare("S") + (hart.counters & KEPT);
	finish(wrong_in_m != 0);
}

int main(unsigned long number, const void *fdt)
{
	(void)number;
	(void)fdt;
	pmumap_hart_init_machine(&hart);
	pmumap_hart_probe(&hart);
	wrong_in_m = compare("M");
	if (!pmumap_hart_delegate(&hart, ~KEPT)) {
		put("no delegation\n");
		return wrong_in_m != 0;
	}
	enter_s_mode(in_s_mode);
}
