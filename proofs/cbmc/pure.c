/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions of numbers only, for all numbers.
 */
#include "proof.h"

#define DIGITS 5 /* in a text */

void bits(void)
{
	lowest_bits bits = (lowest_bits)nondet_u64();
	uint32_t n = pmumap_lowest_bit_(bits), most = 8 * sizeof(bits);

	prove(n < most);
	if (bits)
		prove((bits >> n & 1) && !(bits & (((lowest_bits)1 << n) - 1)));
	reached(n == most - 1);
}

/* Codes defined by SBI, by type. */
static int hardware(uint32_t event)
{
	uint32_t type = event / 0x10000, code = event % 0x10000;

	if (type == 0)
		return code >= 1 && code <= 10;
	return type == 1 && code / 8 < 7 && code / 2 % 4 < 3;
}

void events(void)
{
	uint32_t event = nondet_u32(), other = nondet_u32();
	uint32_t type = event / 0x10000, code = event % 0x10000;

	prove(!pmumap_riscv_is_hardware_event_(event) == !hardware(event));
	prove(!pmumap_event_valid(event) ==
	      !(hardware(event) || event == 0x20000 || event == 0x30000 ||
		(type == 15 && (code < 22 || code >= 256))));
	prove(!pmumap_riscv_is_indexed_event_(event) == !(type < 2 && code < 64));
	if (pmumap_riscv_is_indexed_event_(event)) {
		prove(pmumap_riscv_index_slot_(event) < 128);
		prove(pmumap_riscv_slot_event_(pmumap_riscv_index_slot_(event)) == event);
	}
	if (pmumap_riscv_is_indexed_event_(event) && pmumap_riscv_is_indexed_event_(other) &&
	    event != other)
		prove(pmumap_riscv_index_slot_(event) != pmumap_riscv_index_slot_(other));
	reached(pmumap_riscv_is_indexed_event_(event) && pmumap_riscv_is_indexed_event_(other) &&
		event > other);
	reached(hardware(event) && type == 1);
}

void fdt_part(void)
{
	uint32_t total = nondet_u32(), offset = nondet_u32(), bytes = nondet_u32();

	prove(!pmumap_fdt_holds_part_(total, offset, bytes) ==
	      !(offset >= 40 && (uint64_t)offset + bytes <= total));
	reached(pmumap_fdt_holds_part_(total, offset, bytes) && bytes);
}

/* The lowest counter that does not fit, and the reason, from the meaning of the four masks. */
void amu_reconcile(void)
{
	uint16_t described = nondet_u16(), enable = nondet_u16();
	uint16_t implemented = nondet_u16(), readable = nondet_u16();
	uint32_t unmentioned = enable & ~described, absent = (enable | described) & ~implemented;
	uint32_t unreadable = enable & ~readable, bad = unmentioned | absent | unreadable, bit;
	enum pmumap_amu_mismatch why = (enum pmumap_amu_mismatch)77;
	int n = pmumap_amu_reconcile(described, enable, implemented, readable, &why);

	if (n < 0) {
		prove(n == -1 && !bad && why == PMUMAP_AMU_FITS);
	} else {
		prove(n < 16);
		bit = 1u << n;
		prove((bad & bit) && !(bad & (bit - 1)));
		prove(why == (unmentioned & bit ? PMUMAP_AMU_NOT_DESCRIBED
			      : absent & bit    ? PMUMAP_AMU_NOT_IMPLEMENTED
						: PMUMAP_AMU_NOT_READABLE));
	}
	reached(n == 15 && why == PMUMAP_AMU_NOT_READABLE);
	reached(n < 0 && enable);
}

/* AMCFGR.NCG is 0 without a second group; AMCGCR.CG1NC is its size; AMCG1IDR shows gaps. */
void amu_implemented(void)
{
	uint64_t amcfgr = nondet_u64(), amcgcr = nondet_u64(), amcg1idr = nondet_u64();
	int v1p1 = nondet_u8();
	uint16_t got = pmumap_amu_implemented(amcfgr, amcgcr, v1p1, amcg1idr);
	uint32_t n = (uint32_t)(amcgcr / 256 % 256), counter = nondet_u8();

	assume(counter < 16);
	prove((got >> counter & 1) == (amcfgr / 0x10000000 % 16 == 0 ? 0
				       : v1p1                        ? amcg1idr >> counter & 1
								     : counter < n));
	reached(got == 0x7fff && !v1p1);
}

/* Counter by counter, the architecture's conditions for a read. */
void amu_readable(void)
{
	struct pmumap_amu_access a = { nondet_u32(), nondet_u32(), nondet_u64(), nondet_u64(),
				       nondet_u64(), nondet_u64(), nondet_u64() };
	uint16_t implemented = nondet_u16();
	uint32_t group = nondet_u8() & 1, n = nondet_u8();
	uint16_t got = pmumap_amu_readable(&a, group, implemented);
	int can = a.el >= 3 || a.cptr_el3 / 0x40000000 % 2 == 0;

	assume(n < 16);
	if (a.el < 2)
		can = can && a.cptr_el2 / 0x40000000 % 2 == 0 &&
		      (group ? a.hafgrtr_el2 >> 18 >> n >> n : a.hafgrtr_el2 >> 1 >> n) % 2 == 0;
	if (a.el == 0)
		can = can && a.amuserenr % 2 == 1;
	if (group && a.el < a.highest_el)
		can = can && a.amcr / 0x20000 % 2 == 0;
	prove((got >> n & 1) == (can && implemented >> n & 1));
	reached(got == 0x8001 && a.el == 0 && group);
}

/* A CPU with any counters, some with offsets. */
static struct pmumap_amu_hw amu_hw;
static uint32_t amu_writes;

/* Only existing registers may be accessed: of a counter, of its group, or AMCR. */
static void amu_touch(uint32_t reg)
{
	uint32_t n = reg % 16, group = reg >= PMUMAP_AMU_EVCNTR1;

	if (reg == PMUMAP_AMU_CR)
		return;
	if (reg < PMUMAP_AMU_EVCNTR0) {
		prove(reg == PMUMAP_AMU_CNTENSET0 || reg == PMUMAP_AMU_CNTENCLR0 ||
		      reg == PMUMAP_AMU_CNTENSET1 || reg == PMUMAP_AMU_CNTENCLR1);
		prove(amu_hw.implemented[reg >= PMUMAP_AMU_CNTENCLR1] != 0);
		return;
	}
	if (reg >= PMUMAP_AMU_EVCNTVOFF0 && reg < PMUMAP_AMU_EVCNTR1) {
		group = reg >= PMUMAP_AMU_EVCNTVOFF1;
		prove(reg < PMUMAP_AMU_EVCNTVOFF1 + 16 && amu_hw.write_offset && amu_hw.write);
		prove(amu_hw.offsets[group] >> n & 1);
	}
	prove(reg < PMUMAP_AMU_EVTYPER1 + 16 && (amu_hw.implemented[group] >> n & 1));
}

static uint64_t amu_read(void *arg, uint32_t reg)
{
	(void)arg;
	amu_touch(reg);
	return nondet_u64();
}

static void amu_write(void *arg, uint32_t reg, uint64_t value)
{
	(void)arg;
	(void)value;
	amu_touch(reg);
	amu_writes++;
}

void amu_registers(void)
{
	struct pmumap_amu_state state;
	uint32_t group = nondet_u32(), n = nondet_u32();
	int locked = nondet_u8();

	amu_hw.read = amu_read;
	amu_hw.write = locked ? 0 : amu_write;
	amu_hw.write_offset = nondet_u8() ? 0 : amu_write;
	amu_hw.version = nondet_u8();
	amu_hw.implemented[0] = nondet_u16();
	amu_hw.implemented[1] = nondet_u16();
	amu_hw.offsets[0] = nondet_u16();
	amu_hw.offsets[1] = nondet_u16();
	switch (nondet_u8()) {
	case 0:
		(void)pmumap_amu_save(&amu_hw, &state);
		break;
	case 1:
		(void)pmumap_amu_restore(&amu_hw, &state);
		break;
	case 2:
		(void)pmumap_amu_enable(&amu_hw, group, nondet_u16(), nondet_u16());
		break;
	case 3:
		(void)pmumap_amu_control(&amu_hw, nondet_u64());
		break;
	default:
		(void)pmumap_amu_read(&amu_hw, group, n);
		(void)pmumap_amu_event(&amu_hw, group, n);
		prove(amu_writes == 0);
	}
	prove(!locked || amu_writes == 0);
	reached(amu_writes > 40);
}

/* Fields of a word, counted from the highest bit like IBM does. */
static uint64_t field(uint64_t word, uint32_t first, uint32_t last)
{
	return word << first >> (63 - last + first);
}

void trace_scom(void)
{
	struct pmumap_imc_trace_scom in;
	uint64_t scom = 7;
	int good;

	in.sample = nondet_u32();
	in.load = nondet_u32();
	in.event1 = nondet_u32();
	in.event2 = nondet_u32();
	in.buffer = nondet_u32();
	good = in.sample < 4 && in.event1 < 128 && in.event2 < 128 && in.buffer < 5;
	prove(!pmumap_imc_trace_scom_encode(&in, &scom) == !good);
	if (good) {
		prove(field(scom, 0, 1) == in.sample && field(scom, 34, 40) == in.event1);
		prove(field(scom, 2, 33) == 0xffffffffu - in.load);
		prove(field(scom, 41, 47) == in.event2 && field(scom, 48, 50) == in.buffer);
		prove(field(scom, 51, 63) == 0);
	} else {
		prove(scom == 7);
	}
	reached(good && in.buffer == 4);
}

void trace_config(void)
{
	struct pmumap_imc_trace_config out;
	uint64_t word = nondet_u64();
	int good = pmumap_imc_trace_config_decode(word, &out);

	prove(!good == !(word % (1ull << 20) == 0 && word < 1ull << 62));
	if (good)
		prove(word == out.event * (1ull << 20) + out.sample * (1ull << 28) +
				      out.load * (1ull << 30));
	if (good)
		prove(out.event < 256 && out.sample < 4);
	reached(good && out.load == 0xffffffffu);
}

/* Numbers as people write them: at least one digit, the whole text, and the right value. */
void number(void)
{
	char text[DIGITS];
	size_t len = nondet_u8(), from, i;
	uint64_t value, want = 0;
	uint32_t base;
	int good, hex;

	assume(len <= sizeof(text));
	for (i = 0; i < sizeof(text); i++)
		text[i] = (char)nondet_u8();
	hex = len >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	base = hex ? 16 : 10;
	from = hex ? 2 : 0;
	good = len > from;
	for (i = 0; i < sizeof(text); i++) {
		uint32_t digit = 99;

		if (i < from || i >= len)
			continue;
		if (text[i] >= '0' && text[i] <= '9')
			digit = (uint32_t)(text[i] - '0');
		if (hex && text[i] >= 'a' && text[i] <= 'f')
			digit = (uint32_t)(text[i] - 'a') + 10;
		if (hex && text[i] >= 'A' && text[i] <= 'F')
			digit = (uint32_t)(text[i] - 'A') + 10;
		good = good && digit < base;
		want = want * base + digit;
	}
	prove(!pmumap_parse_number_(text, text + len, &value) == !good);
	if (good)
		prove(value == want);
	reached(good && hex && value > 255);
	reached(good && !hex && value > 99);
}
