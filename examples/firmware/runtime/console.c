/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime.h"

static volatile uint8_t *const uart = (volatile uint8_t *)0x10000000; /* 16550 */
static volatile uint32_t *const finisher = (volatile uint32_t *)0x100000;

static void put_char(char c)
{
	while (!(uart[5] & 0x20))
		;
	uart[0] = (uint8_t)c;
}

void put(const char *text)
{
	put_text(text, 0);
}

void put_text(const char *text, unsigned width)
{
	for (; *text || width; width -= width != 0)
		put_char(*text ? *text++ : ' ');
}

static void put_right(const char *text, const char *end, unsigned width)
{
	for (; width > (unsigned)(end - text); width--)
		put_char(' ');
	put(text);
}

/*
 * Double the decimal text for each bit. On RV32, a 64-bit division or a 64-bit shift by a variable
 * would need libgcc.
 */
static void put_digits(uint64_t value, int negative, unsigned width)
{
	char text[22];
	char *end = text + sizeof(text) - 1, *first = end - 1, *at;
	int bit;

	*end = 0;
	for (at = text; at < end; at++)
		*at = '0';
	for (bit = 0; bit < 64; bit++, value <<= 1) {
		int carry = (int)(value >> 63);

		for (at = end - 1; at >= text; at--) {
			int digit = 2 * (*at - '0') + carry;

			carry = digit > 9;
			*at = (char)('0' + (carry ? digit - 10 : digit));
			if (*at != '0' && at < first)
				first = at;
		}
	}
	if (negative)
		*--first = '-';
	put_right(first, end, width);
}

void put_decimal(uint64_t value, unsigned width)
{
	put_digits(value, 0, width);
}

void put_signed(int64_t value, unsigned width)
{
	put_digits(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0, width);
}

void put_hex(uint64_t value, unsigned width)
{
	char text[19];
	char *end = text + sizeof(text) - 1, *at = end;

	*at = 0;
	do {
		*--at = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value);
	*--at = 'x';
	*--at = '0';
	put_right(at, end, width);
}

void finish(int code)
{
	uint32_t status = code & 0xff ? (uint32_t)code & 0xff : 1;

	*finisher = code ? status << 16 | 0x3333 : 0x5555;
	for (;;)
		;
}
