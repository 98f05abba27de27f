/* SPDX-License-Identifier: BSD-2-Clause
 *
 * smode.c -- runs the command of hosts/uboot in S-mode, on SBI firmware: the smallest world that
 * it can live in. The tree is BLOB, since firmware keeps the tables from the one that it hands on.
 */
#include <stdarg.h>
#include <command.h>
#include <stdio.h>
#include <asm/global_data.h>
#include <linux/libfdt.h>

#define PAGES 256u

extern uboot_command *const uboot_pmu;
extern struct global_data *gd;
extern const unsigned char blob[];
void smode(void);

/* First in the file, and as it is compiled (hosts.sh) first in the program, where QEMU starts it. */
__asm__(".text\n"
	".global _start\n"
	"_start:\n"
	"	la	sp, stack_top\n"
	"	j	smode\n"
	".section .rodata\n"
	".balign 8\n"
	"blob:\n"
	"	.incbin \"" BLOB "\"\n"
	".bss\n"
	".balign 16\n"
	"	.zero	16384\n"
	"stack_top:\n"
	".text\n");

static struct global_data data;
struct global_data *gd = &data;

static void put(char c)
{
	register long a0 __asm__("a0") = c;
	register long a7 __asm__("a7") = 1;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "a1", "memory");
}

static void put_number(uint64_t value, unsigned base, unsigned width)
{
	char digits[20];
	unsigned n = 0;

	do {
		digits[n++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	while (width > n && width--)
		put('0');
	while (n)
		put(digits[--n]);
}

/* What the command uses: %s, %d, %u, %llu, %llx and %0Nx, numbers without a sign. */
int printf(const char *format, ...)
{
	va_list list;
	const char *s;
	unsigned width, wide;

	va_start(list, format);
	for (; *format; format++) {
		if (*format != '%') {
			put(*format);
			continue;
		}
		for (width = 0; format[1] >= '0' && format[1] <= '9'; format++)
			width = width * 10 + (unsigned)(format[1] - '0');
		for (wide = 0; format[1] == 'l'; format++)
			wide = 1;
		if (*++format == 's') {
			for (s = va_arg(list, const char *); *s; s++)
				put(*s);
		} else {
			put_number(wide ? va_arg(list, unsigned long long) : va_arg(list, unsigned),
				   *format == 'x' ? 16 : 10, width);
		}
	}
	va_end(list);
	return 0;
}

/* The only command there is: load from, or store to, PAGES pages that nobody has touched. */
int run_command(const char *command, int flag)
{
	static volatile char *memory = (volatile char *)0x84000000;
	unsigned i;

	(void)flag;
	for (i = 0; i < PAGES; i++, memory += 4096) {
		if (*command == 's')
			*memory = 0;
		else
			(void)*memory;
	}
	return 0;
}

static void count(const char *event, const char *command)
{
	char *argv[] = { (char *)"pmu", (char *)"count", (char *)event, (char *)command, NULL };

	printf("=%s %d\n", command, (unsigned)uboot_pmu(NULL, 0, 4, argv));
}

void smode(void)
{
	char *argv[] = { (char *)"pmu", NULL };

	data.fdt_blob = blob;
	printf("\n");
	uboot_pmu(NULL, 0, 1, argv);
	count("dTLB-load-misses", "load");
	count("dTLB-store-misses", "store");
	count("cycles", "load");
	count("branch-misses", "load");
	/* System reset: shut down. */
	__asm__ volatile("li a7, 0x53525354\n"
			 "li a6, 0\n"
			 "li a0, 0\n"
			 "li a1, 0\n"
			 "ecall" ::
				 : "a0", "a1", "a6", "a7", "memory");
	for (;;)
		;
}
